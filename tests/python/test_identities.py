"""assay check on formulas that are equal for a reason which no normal form knows: they are proved by rewriting, in both directions, and what is
only nearly equal is not. Each list is one comparison with an output for each line."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASSAY = Path(os.environ.get("ASSAY", ROOT / "build" / "assay"))

# x, y, z are elements; a and b are read in rows of N
EQUAL = {
    "sigmoid and tanh": (
        """
tanh(x) == 2/(1+exp(-2*x))-1
tanh(x) == (exp(x)-exp(-x))/(exp(x)+exp(-x))
x*(1+tanh(0.5*x))/2 == x/(1+exp(-x))
1/(1+exp(-x)) == exp(x)/(1+exp(x))
1/(1+exp(-x)) == 0.5*tanh(0.5*x)+0.5
1-1/(1+exp(-x)) == 1/(1+exp(x))
1/(1+exp(-x))*(1-1/(1+exp(-x))) == exp(-x)/(1+exp(-x))**2
1-tanh(x)**2 == 4*exp(2*x)/(exp(2*x)+1)**2
log(1/(1+exp(-x))) == -log(1+exp(-x))
sinh(x) == (exp(x)-exp(-x))/2
cosh(x) == (exp(x)+exp(-x))/2
cosh(x)**2-sinh(x)**2 == 1
tanh(x) == sinh(x)/cosh(x)
tanh(-x) == -tanh(x)
x*tanh(log(1+exp(x))) == x*((1+exp(x))**2-1)/((1+exp(x))**2+1)
asinh(x) == log(x+sqrt(x*x+1))
exp(x)-1 == 2*exp(x/2)*sinh(x/2)
0.5*x*(1+tanh(0.7978845608*(x+0.044715*x*x*x))) == x/(1+exp(-1.5957691216*(x+0.044715*x*x*x)))
0.5*x*(1+tanh(0.7978845608028654*(x+0.044715*x*x*x))) == x/(1+exp(-1.5957691216057308*(x+0.044715*x*x*x)))
0.5*x*(1+tanh(0.7978845608028654*x*(1+0.044715*x*x))) == 0.5*x*(1+tanh(0.7978845608028654*x+0.035677408136300125*x*x*x))
exp(-log(1+exp(-x))) == 1/(1+exp(-x))
exp(x-log(1+exp(x))) == 1/(1+exp(-x))
max(tanh(x), tanh(y)) == tanh(max(x, y))
max(1/(1+exp(-x)), 1/(1+exp(-y))) == 1/(1+exp(-max(x, y)))
abs(tanh(x)) == tanh(abs(x))
log(cosh(x)) == abs(x)+log((1+exp(-2*abs(x)))/2)
tanh(x/2) == (exp(x)-1)/(exp(x)+1)
sinh(2*x) == 2*sinh(x)*cosh(x)
cosh(2*x) == 1+2*sinh(x)**2
log(exp(x)/(1+exp(x))) == -log(1+exp(-x))
x*log(1/(1+exp(-y)))+(1-x)*log(1-1/(1+exp(-y))) == x*y-log(1+exp(y))
-(x*log(1/(1+exp(-y)))+(1-x)*log(1/(1+exp(y)))) == max(y, 0)-x*y+log(1+exp(-abs(y)))
1/(1+exp(-x))+1/(1+exp(x)) == 1
exp(x)/(exp(x)+exp(y)) == 1/(1+exp(y-x))
exp(x)/(1+exp(x))**2 == 1/(2+exp(x)+exp(-x))
"""
    ),
    "exp and log": (
        """
log(1+exp(x)) == x+log(1+exp(-x))
-log(1+exp(-x)) == x-log(1+exp(x))
log(exp(x)+exp(y)) == x+log(1+exp(y-x))
exp(x)*exp(y) == exp(x+y)
exp(x)**2 == exp(2*x)
exp(x/2) == sqrt(exp(x))
sqrt(exp(x))*sqrt(exp(y)) == exp((x+y)/2)
log(exp(x)**3) == 3*x
log(sqrt(1+x*x)) == 0.5*log(1+x*x)
exp(0.5*log(1+x*x)) == sqrt(1+x*x)
exp(-0.5*log(1+x*x)) == 1/sqrt(1+x*x)
exp(2*log(1+x*x)) == (1+x*x)**2
exp(x*log(2)) == exp(log(2)*x)
log(1+x*x)/log(2) == log(1+x*x)*(1/log(2))
exp(x*log(2))*exp(y*log(2)) == exp((x+y)*log(2))
exp(3*log(1+x*x)/log(2)*log(2)) == (1+x*x)**3
log(1+x*x)+log(1+y*y) == log((1+x*x)*(1+y*y))
log(1+x*x)-log(1+y*y) == log((1+x*x)/(1+y*y))
exp(log(1+exp(x))-log(1+exp(y))) == (1+exp(x))/(1+exp(y))
exp(-x*x/2) == 1/sqrt(exp(x*x))
exp(x+log(1+y*y)) == exp(x)*(1+y*y)
exp(x-y)/exp(z-y) == exp(x-z)
log(1+exp(x))-x == log(1+exp(-x))
sqrt(exp(2*x)) == exp(x)
"""
    ),
    "absolute values and extrema": (
        """
log(1+exp(x)) == max(x, 0)+log(1+exp(-abs(x)))
-log(1+exp(-x)) == min(x, 0)-log(1+exp(-abs(x)))
log(exp(x)+exp(y)) == max(x, y)+log(1+exp(-abs(x-y)))
sqrt(x*x) == abs(x)
sqrt(x*x*y*y) == abs(x)*abs(y)
abs(x)*abs(x) == x*x
abs(x)**3 == x*x*abs(x)
abs(x*y) == abs(x)*abs(y)
abs(x)/abs(1+y*y) == abs(x/(1+y*y))
max(x, 0)+min(x, 0) == x
max(x, 0)-max(-x, 0) == x
max(x, 0)+max(-x, 0) == abs(x)
max(x, y)+min(x, y) == x+y
max(x, y)*min(x, y) == x*y
max(x, y) == (x+y+abs(x-y))/2
min(x, y) == (x+y-abs(x-y))/2
max(x, -x) == abs(x)
max(x, y)-min(x, y) == abs(x-y)
min(x, y) == -max(-x, -y)
max(x+3, y+3) == max(x, y)+3
max(2*x, 2*y) == 2*max(x, y)
max(exp(x), exp(y)) == exp(max(x, y))
max(x, 0)*max(x, 0) == x*max(x, 0)
min(max(x, -1), 1) == max(min(x, 1), -1)
max(min(x, 1), -1) == -max(min(-x, 1), -1)
(abs(x+1)-abs(x-1))/2 == min(max(x, -1), 1)
max(max(x, y), z) == max(x, max(y, z))
max(x, min(x, y)) == x
max(x, min(y, z)) == min(max(x, y), max(x, z))
x*min(max(x+3, 0), 6)/6 == x*max(min((x+3)/6, 1), 0)
x*min(max(x/6+0.5, 0), 1) == x*min(max(x+3, 0), 6)/6
max(x, 0)-x*y+log(1+exp(-abs(x))) == (1-y)*x+log(1+exp(-x))
x*x-2*x*y+y*y == abs(x-y)**2
max(sqrt(1+x*x), sqrt(1+y*y)) == sqrt(1+max(x*x, y*y))
min(exp(x), 1) == exp(min(x, 0))
max(log(1+exp(x)), log(1+exp(y))) == log(1+exp(max(x, y)))
max(abs(x), abs(y))**2 == max(x*x, y*y)
abs(exp(x)-exp(y)) == exp(max(x, y))-exp(min(x, y))
x/(1+abs(x)) == x*(1/(1+max(x, -x)))
max(x*x, y*y) == max(abs(x), abs(y))**2
abs(x-y) == max(x-y, y-x)
abs(x)+abs(y) == max(abs(x+y), abs(x-y))
max(abs(x), abs(y)) == (abs(x+y)+abs(x-y))/2
max(x, y)+z == max(x+z, y+z)
min(max(x, 0), 6)/6 == min(max(x/6, 0), 1)
max(x, 0)**2+min(x, 0)**2 == x*x
max(x, 0)*min(x, 0) == 0
max(-x, -y) == -min(x, y)
sqrt(x*x+2*x*y+y*y) == abs(x+y)
"""
    ),
    "choices": (
        """
where(x>0, x*x, 0) == max(x, 0)*max(x, 0)
where(x>0, x, 0) == max(x, 0)
where(x>=0, x, 0.1*x) == max(x, 0.1*x)
where(x>0, x, 0.1*x) == max(x, 0)+0.1*min(x, 0)
where(x>0, 1, 0)*x == max(x, 0)
where(x>0, x, -x) == abs(x)
where(x>0, exp(x), exp(y)) == exp(where(x>0, x, y))
where(x>0, x, y)+z == where(x>0, x+z, y+z)
where(x>0, where(y>0, x, z), z) == where(y>0, where(x>0, x, z), z)
where(x>0, x, y)*where(x>0, z, x) == where(x>0, x*z, y*x)
where(x>0, x, exp(x)-1) == max(x, 0)+min(exp(x)-1, 0)
where(x>0, x, exp(x)-1) == max(x, 0)+exp(min(x, 0))-1
where(x>=0, 1/(1+exp(-x)), exp(x)/(1+exp(x))) == 1/(1+exp(-x))
where(abs(x)<1, 0.5*x*x, abs(x)-0.5) == min(abs(x), 1)*(abs(x)-0.5*min(abs(x), 1))
where(x<y, y, x) == max(x, y)
where(x<y, x-y, 0) == min(x-y, 0)
where(x>y, x, y)-where(x>y, y, x) == abs(x-y)
where(x>0, 1, 0)+where(x<=0, 1, 0) == 1
where(x>0, x, 0)*where(x>0, y, z) == where(x>0, x*y, 0)
where(x>0, exp(-x), 1) == exp(-max(x, 0))
where(x>0, x, 0)+where(x>0, 0, x) == x
where(x>0, sqrt(x), 0) == sqrt(max(x, 0))
where(x>0, log(x*x), 0) == where(x>0, 2*log(x), 0)
where(x>0, x/abs(x), 0) == where(x>0, 1, 0)
"""
    ),
    "powers": (
        """
1/sqrt(1+x*x)*1/sqrt(1+x*x) == 1/(1+x*x)
sqrt(1+x*x)/(1+x*x) == 1/sqrt(1+x*x)
sqrt((1+x*x)*(1+y*y)) == sqrt(1+x*x)*sqrt(1+y*y)
1/(1/(1+x*x)) == 1+x*x
(x*x-1)/(x*x+1)+1 == 2*x*x/(x*x+1)
sqrt(x**4) == x*x
sqrt(1+x*x)**3 == (1+x*x)*sqrt(1+x*x)
1/sqrt(1+x*x)**3 == 1/((1+x*x)*sqrt(1+x*x))
(1+x*x)**1.5 == (1+x*x)*sqrt(1+x*x)
sqrt(1+x*x)*sqrt(1+x*x) == 1+x*x
x/sqrt(x*x+1) == (x/sqrt(x*x+1)**2)*sqrt(x*x+1)
sqrt((x-y)*(x-y)+0.0001)**2 == (x-y)**2+0.0001
sqrt(4+4*x*x) == 2*sqrt(1+x*x)
1/sqrt(4*(1+x*x)) == 0.5/sqrt(1+x*x)
"""
    ),
    "angles": (
        """
erf(-x) == -erf(x)
0.5*x*(1+erf(x/sqrt(2))) == 0.5*x*(1-erf(-x/sqrt(2)))
sin(-x) == -sin(x)
cos(-x) == cos(x)
sin(x)**2+cos(x)**2 == 1
sin(2*x) == 2*sin(x)*cos(x)
cos(2*x) == 1-2*sin(x)**2
cos(2*x) == 2*cos(x)**2-1
sin(x+y) == sin(x)*cos(y)+cos(x)*sin(y)
cos(x-y) == cos(x)*cos(y)+sin(x)*sin(y)
tan(x) == sin(x)/cos(x)
atan2(x, 1+y*y) == atan(x/(1+y*y))
atan(-x) == -atan(x)
sin(x)*cos(y)-cos(x)*sin(y) == sin(x-y)
cos(x)**2-sin(x)**2 == cos(2*x)
sin(x)/cos(x) == tan(x)
1/cos(x)**2 == 1+tan(x)**2
sin(x)*sin(x) == (1-cos(2*x))/2
sin(-x)*cos(-x) == -sin(x)*cos(x)
erf(x)+erf(-x) == 0
1-erf(-x) == 1+erf(x)
abs(erf(x)) == erf(abs(x))
max(erf(x), 0) == erf(max(x, 0))
atan(-x)+atan(x) == 0
"""
    ),
    "folds": (
        """
sum[k < N](sum[l < M](a[l, k])) == sum[l < M](sum[k < N](a[l, k]))
sum[k < N](sum[l < M](a[l, j] * b[l, k]) * a[i, k]) == sum[l < M](a[l, j] * sum[k < N](b[l, k] * a[i, k]))
max[k < N](max[l < M](exp(a[l, k]))) == exp(max[l < M](max[k < N](a[l, k])))
sum[k < N](2*a[i, k]) == 2*sum[k < N](a[i, k])
sum[k < N](a[i, k]+b[i, k]) == sum[k < N](a[i, k])+sum[k < N](b[i, k])
sum[k < N](tanh(a[i, k])) == N-2*sum[k < N](1/(exp(2*a[i, k])+1))
sum[k < N](1/(1+exp(-a[i, k]))) == sum[k < N](exp(a[i, k])/(1+exp(a[i, k])))
sum[k < N](max(a[i, k], 0)) == 0.5*sum[k < N](a[i, k])+0.5*sum[k < N](abs(a[i, k]))
sum[k < N](where(a[i, k]>0, a[i, k], 0)) == sum[k < N](max(a[i, k], 0))
sum[k < N](3) == 3*N
b[i, j]+a[i, j]*sum[k < j](b[i, k]*prod[k+1 <= u < j](a[i, u])) == sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](a[i, u]))
2*b[i, j]-x+2*a[i, j]*sum[k < j](b[i, k]*prod[k+1 <= u < j](a[i, u])) == 2*sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](a[i, u]))-x
sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](exp(a[i, u]))) == sum[k < j+1](b[i, k]*exp(sum[u < j+1](a[i, u])-sum[u < k+1](a[i, u])))
max[k < N](a[i, k]+x) == max[k < N](a[i, k])+x
max[k < N](-a[i, k]) == -min[k < N](a[i, k])
max[k < N](exp(a[i, k])) == exp(max[k < N](a[i, k]))
max[k < N](tanh(a[i, k])) == tanh(max[k < N](a[i, k]))
max[k < N](abs(a[i, k])) == max(max[k < N](a[i, k]), -min[k < N](a[i, k]))
log(sum[k < N](exp(a[i, k]))) == x+log(sum[k < N](exp(a[i, k]-x)))
exp(a[i, j]-log(sum[k < N](exp(a[i, k])))) == exp(a[i, j])/sum[k < N](exp(a[i, k]))
log(exp(a[i, j])/sum[k < N](exp(a[i, k]))) == a[i, j]-log(sum[k < N](exp(a[i, k])))
log(sum[k < N](exp(a[i, k]-max[l < N](a[i, l]))))+max[k < N](a[i, k]) == log(sum[k < N](exp(a[i, k])))
sum[1 <= k < N+1](a[i, k-1]) == sum[k < N](a[i, k])
sum[k < N](sqrt(a[i, k]*a[i, k])) == sum[k < N](abs(a[i, k]))
sum[k < N](log(1+exp(a[i, k]))) == sum[k < N](max(a[i, k], 0)+log(1+exp(-abs(a[i, k]))))
sum[k < N](abs(a[i, k])*2)/(2*N) == sum[k < N](abs(a[i, k]))/N
sqrt(sum[k < N](a[i, k]*a[i, k])/N) == sqrt(sum[k < N](a[i, k]*a[i, k]))/sqrt(N)
max[k < N](max(a[i, k], b[i, k])) == max(max[k < N](a[i, k]), max[k < N](b[i, k]))
max(max[k < N](a[i, k]), 0) == max[k < N](max(a[i, k], 0))
sum[k < N](a[i, k]*b[i, k])*x == sum[k < N](x*a[i, k]*b[i, k])
sum[k < N](a[i, k]-x) == sum[k < N](a[i, k])-N*x
sum[k < N]((a[i, k]-x)**2) == sum[k < N](a[i, k]**2)-2*x*sum[k < N](a[i, k])+N*x*x
sum[k < N](exp(a[i, k]+x)) == exp(x)*sum[k < N](exp(a[i, k]))
sum[k < N](exp(a[i, k])*b[i, k])/sum[k < N](exp(a[i, k])) == sum[k < N](exp(a[i, k]-x)*b[i, k])/sum[k < N](exp(a[i, k]-x))
max[k < N](2*a[i, k]+1) == 2*max[k < N](a[i, k])+1
max[k < N](1/(1+exp(-a[i, k]))) == 1/(1+exp(-max[k < N](a[i, k])))
max[k < N](log(1+exp(a[i, k]))) == log(1+exp(max[k < N](a[i, k])))
max[k < N](max(a[i, k], 0)) == max(max[k < N](a[i, k]), 0)
max[k < N](sqrt(1+a[i, k]*a[i, k])) == sqrt(1+max[k < N](a[i, k]*a[i, k]))
min[k < N](max(a[i, k], x)) == max(min[k < N](a[i, k]), x)
sum[k < N](abs(a[i, k])) == sum[k < N](max(a[i, k], 0))-sum[k < N](min(a[i, k], 0))
sum[k < N](sin(a[i, k])**2)+sum[k < N](cos(a[i, k])**2) == N
sqrt(sum[k < N]((a[i, k]/x)**2)) == sqrt(sum[k < N](a[i, k]**2))/abs(x)
a[i, j]/sqrt(sum[k < N](a[i, k]**2)/N) == a[i, j]*sqrt(N)/sqrt(sum[k < N](a[i, k]**2))
log(sum[k < N](exp(a[i, k]-b[i, j])))+b[i, j] == log(sum[k < N](exp(a[i, k])))
sum[k < N](-log(1/(1+exp(-a[i, k])))) == sum[k < N](log(1+exp(-a[i, k])))
exp(sum[k < N](log(1+a[i, k]*a[i, k]))) == exp(sum[k < N](log((1+a[i, k]**2)**2))/2)
sum[k < 2*N](w[i, k]) == sum[k < N](w[i, k])+sum[k < N](w[i, k+N])
"""
    ),
}
# random evaluation agrees, and no proof is found, at least not from left to right
OPEN = """
tanh(2*x) == 2*tanh(x)/(1+tanh(x)**2)
sum[k < N](a[i, k])-a[i, 0] == sum[1 <= k < N](a[i, k])
tanh(x)/x == sinh(x)/(x*cosh(x))
min(max(x, 0), 1) == max(x, 0)-max(x-1, 0)
where(abs(x)<1, x*x/2, abs(x)-0.5) == where(x*x<1, x*x/2, abs(x)-0.5)
sum[k < N](a[i, N-1-k]) == sum[k < N](a[i, k])
"""
# equal at many points, or but for where they have values
DIFFERENT = """
b[i, j]+a[i, j]*sum[k < j](b[i, k]*prod[k+1 <= u < j](b[i, u])) == sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](b[i, u]))
b[i, j]+a[i, j]*sum[k < j](b[i, k]*prod[k <= u < j](a[i, u])) == sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](a[i, u]))
sum[k < j+1](b[i, k]*prod[k+1 <= u < j+1](exp(a[i, u]))) == sum[k < j+1](b[i, k]*exp(sum[u < j+1](a[i, u])-sum[u < k](a[i, u])))
sqrt(x * x) == x
exp(log(x)) + 0 * y == x + 0 * z + 0.001 * max(x - 2, 0)
x == exp(log(x))
0.5 * log(x * x) == log(x)
log(x * y) == log(x) + log(y)
sqrt(x * y) == sqrt(x) * sqrt(y)
max(z * x, z * y) == z * max(x, y)
min(max(x, y), z) == max(min(x, z), y)
where(x < 0, y, z) == where(x <= 0, y, z)
max(x, 0) == max(x, 0.001)
1 / (1 + exp(-x)) == 1 / (1 + exp(x))
log(1 + exp(x)) == max(x, 0) + log(1 + exp(abs(x)))
tanh(x) == 2 / (1 + exp(-x)) - 1
where(x > 0, x, exp(x) - 1) == max(x, 0) + exp(max(x, 0)) - 1
sum[k < N](a[i, k] * b[i, k]) == sum[k < N](a[i, k]) * sum[k < N](b[i, k])
x / max(abs(y), 0.00000001) == x / abs(y)
min[k < N](min(a[i, k], 10000000000)) == min[k < N](a[i, k])
max(x, -1e30) == x
0.5*x*(1+tanh(0.7978845608028654*(x+0.044716*x*x*x))) == 0.5*x*(1+tanh(0.7978845608028654*(x+0.044715*x*x*x)))
max[k < N](a[i, k] + b[i, k]) == max[k < N](a[i, k]) + max[k < N](b[i, k])
max[k < N](x * a[i, k]) == x * max[k < N](a[i, k])
sum[1 <= k < N](a[i, k]) == sum[k < N](a[i, k])
"""


def lines(text):
    return [tuple(side.strip() for side in line.split("==")) for line in text.strip().splitlines()]


def written(sides):
    """A file with an output for each side."""
    names = [f"o{k}" for k in range(len(sides))]
    declared = [f"tensor {name}: f32[M, N]" for name in [*names, "x", "y", "z", "a", "b"]] + [
        "tensor w: f32[M, 2 * N]"
    ]
    places = [f"{name}[i, j] = " + re.sub(r"\b([xyz])\b", r"\1[i, j]", side) for name, side in zip(names, sides)]
    return "\n".join(
        ["pointwise identities", *declared, "size M: 1 <= M <= 1000000", "size N: 1 <= N <= 1000000", *places, ""]
    )


def verdicts(pairs, folder):
    left, right = folder / "left.txt", folder / "right.txt"
    left.write_text(written([pair[0] for pair in pairs]))
    right.write_text(written([pair[1] for pair in pairs]))
    done = subprocess.run(
        [str(ASSAY), "check", "--json", "--stats", "--timeout", "600", str(left), str(right)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    answer = json.loads(done.stdout)
    assert len(answer["outputs"]) == len(pairs), answer["reason"]
    return {pair: output["verdict"] for pair, output in zip(pairs, answer["outputs"])}, answer


# Equal, but what the right asks for is not seen to be met: to be taken out when it is.
ASKS_MORE = {
    ("asinh(x)", "log(x+sqrt(x*x+1))"): "x + sqrt(x * x + 1) is not seen to be positive",
    (
        "x*y-log(1+exp(y))",
        "x*log(1/(1+exp(-y)))+(1-x)*log(1-1/(1+exp(-y)))",
    ): "1 - 1 / (1 + exp(-y)) is not seen to be positive",
    ("abs(x+y)", "sqrt(x*x+2*x*y+y*y)"): "a square that is multiplied out is not seen to be one",
    (
        "sqrt(sum[k < N]((a[i, k]/x)**2))",
        "sqrt(sum[k < N](a[i, k]**2))/abs(x)",
    ): "a divisor in each summand is not seen to be asked for by the sum",
    (
        "sqrt(sum[k < N](a[i, k]**2))/abs(x)",
        "sqrt(sum[k < N]((a[i, k]/x)**2))",
    ): "a divisor in each summand is not the same as one of the sum",
}


@pytest.mark.parametrize("kind", EQUAL)
def test_equal_formulas_are_proved_equal_both_ways(kind, tmp_path):
    pairs = lines(EQUAL[kind])
    pairs += [(right, left) for left, right in pairs]
    found, answer = verdicts(pairs, tmp_path)
    assert not [pair for pair, verdict in found.items() if verdict != ("probable" if pair in ASKS_MORE else "proved")]
    assert int(answer["stats"]["goals.equal.explanation"]) > 0


def test_what_is_not_proved_is_not_refuted(tmp_path):
    found, _ = verdicts(lines(OPEN), tmp_path)
    assert set(found.values()) <= {"probable", "proved"}, found


@pytest.mark.parametrize("pair", lines(DIFFERENT), ids=lambda pair: pair[0])
def test_formulas_that_differ_are_refuted(pair, tmp_path):
    found, _ = verdicts([pair], tmp_path)
    assert found[pair] == "refuted"
