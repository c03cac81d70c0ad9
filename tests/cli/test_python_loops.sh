#!/bin/sh
# Loops of Python: what lifts is proved, what is not read is told at its place, names stand for objects.
. "$(dirname "$0")/common.sh"

for file in "$SOURCE"/tests/loops/lists.py "$SOURCE"/tests/loops/ndarrays.py "$SOURCE"/tests/loops/whole.py \
  "$SOURCE"/tests/loops/whiles.py; do
  "$ASSAY" lift --all "$file" >table 2>/dev/null
  [ -s table ] || fail "$file: nothing"
  while read -r verdict safety name rest; do
    [ "$verdict $safety" = "proved proved" ] || fail "$file: $name: $verdict, $safety: $rest"
  done <table
done

# --- narrow integers wrap where they are written, and are not read again
types=$SOURCE/tests/loops/types.py
expect 0 "$ASSAY" check "$types:inverted" -e 'result = trunc(255 - x) % 256'
expect 1 "$ASSAY" check "$types:inverted" -e 'result = trunc(255 - x)'
printf 'import numpy as np\ndef f(x):\n    out = np.zeros(len(x), dtype=np.uint8)\n' >narrow.py
printf '    for i in range(len(x)):\n        out[i] += 3\n        out[i] //= 2\n    return out\n' >>narrow.py
expect 3 "$ASSAY" lift narrow.py
has err "narrow.py:3:11: error[python.unsupported]: elements of 8 bits that are read again are not read yet"

# --- whole arrays: element by element where these are arrays; lists and truth values have other operators
cat >whole.py <<'PY'
import numpy as np


def good(x, w):
    out = np.zeros(len(x) - len(w) + 1)
    for i in range(len(out)):
        out[i] = (x[i : i + len(w)] * w).sum()
    return out


def late(x, w):
    out = np.zeros(len(x) - len(w) + 1)
    for i in range(len(out)):
        out[i] = (x[i : i + len(w)] * w[0]).sum()
    return out


def both(a: list, b: list):
    return len(a) + len(b) + (a + b)[0]


def truths(a):
    n = len(a)
    return np.sum((a > 0) + (a > 1)) + n


def decides(a):
    if a * 2 - 1:
        return len(a)
    return 0
PY
expect 0 "$ASSAY" check whole.py:good -e 'result[i] = sum[k < w_d0](x[i + k]*w[k])'
expect 1 "$ASSAY" check whole.py:late whole.py:good
expect 3 "$ASSAY" lift whole.py:both
has err "whole.py:19:31: error[python.unsupported]: an operation on whole lists is not read yet"
expect 3 "$ASSAY" lift whole.py:truths
has err "which gives truth values"
expect 3 "$ASSAY" lift whole.py:decides
has err "an array as a truth value"
# NumPy's truth values have operators of their own, and its integers no powers below 0
cat >truths.py <<'PY'
import numpy as np


def neither(a: np.ndarray):
    return ~((a > 0) * (a < 5))


def added(a: np.ndarray):
    products = (a > 0) * (a < 5)
    return products + products


def elements(a: np.ndarray):
    return (a[0] > 0) + (a[1] > 0)


def turned(a: np.ndarray):
    return ~(a[0] > 0)


def greatest(a: np.ndarray):
    positive = a > 0
    return positive.max() + positive.max()


def counted(a: np.ndarray):
    positive = a > 0
    return positive @ positive


def inverses(n: int):
    twos = np.full(n, 2)
    return twos**-1


def cubes(n: int):
    twos = np.full(n, 2)
    return twos**3
PY
expect 0 "$ASSAY" lift truths.py:neither
has out "formula     result[a_d0] = where((a <= 0) | (a >= 5), 1, 0)"
expect 0 "$ASSAY" lift truths.py:cubes
has out "formula     result[n] = 8"
for name in added elements turned greatest counted inverses; do
  expect 3 "$ASSAY" lift "truths.py:$name"
done
# Elements that nothing wrote stay undefined through operations on whole arrays.
cat >unset.py <<'PY'
import numpy as np


def doubled(n: int):
    x = np.empty(n)
    x[0] = 1
    return x * 2


def filled(n: int):
    x = np.empty(n)
    for i in range(n):
        x[i] = i
    return x * 2
PY
expect 1 "$ASSAY" lift unset.py:doubled
has out "undefined refuted, result"
expect 0 "$ASSAY" lift unset.py:filled
has out "2 * index(n)"
# One of two arrays: a write to it is one to that array, where it has another name or is the caller's.
cat >merged.py <<'PY'
import numpy as np


def callers(a: np.ndarray, b: np.ndarray, c: int):
    x = a if c > 0 else b
    x += 1
    return a


def named(n: int, c: int):
    p, q = np.zeros(n), np.ones(n)
    if c > 0:
        x = p
    else:
        x = q
    x[0] = 5
    return p


def both_named(n: int, c: int):
    if c > 0:
        x = np.zeros(n)
        y = x
    else:
        x = np.ones(n)
        y = x
    x += 5
    return y


def named_behind(n: int, c: int):
    if c > 0:
        x = np.zeros(n)
    else:
        x = np.ones(n)
    y = x
    x += 5
    return y


def own(a: np.ndarray, c: int):
    x = a * 2
    if c > 0:
        x = x + 1
    x += 5
    return x
PY
for name in callers named both_named; do
  expect 3 "$ASSAY" lift "merged.py:$name"
  has err "this changes one of two lists, which has another name"
done
expect 0 "$ASSAY" lift merged.py:named_behind
has out "formula     result[n] = where(c > 0, 0, 1) + 5"
expect 0 "$ASSAY" lift merged.py:own
has out "formula     result[a_d0] = 2 * a + where(c > 0, 6, 5)"

# --- what is no Python, and what is not read
printf 'def f(a):\n    return a +\n' >bad.py
expect 3 "$ASSAY" lift bad.py
has err "bad.py:2:15: error[python.syntax]"
cat >parts.py <<'EOF'
import functools


def first(a, x):
    out = []
    for v in a:
        x -= v
        if x < 0:
            break
        out.append(x)
    return out


@functools.cache
def cached(n: int):
    return n + 1


def inside(a):
    for x in a:
        if x > 0:
            return x


def good(a):
    return [x + 1 for x in a]


def half(a, n):
    return a[n / 2]


def guarded(n: int):
    if n <= 0:
        raise ValueError("not positive")
    return 10 // n
EOF
expect 3 "$ASSAY" lift parts.py:first
has err "parts.py:6:5: error[python.unsupported]: a break out of a loop that changes a list or array of the function's is"
has err "help:"
expect 3 "$ASSAY" lift parts.py:cached
has err "what this decorator makes of cached is not read"
expect 3 "$ASSAY" lift parts.py:inside
has err "on one of its ways the function returns nothing"
expect 3 "$ASSAY" lift parts.py:half
has err "an integer is expected here"
expect 0 "$ASSAY" lift parts.py:good
has out "result[a_d0] = 1 + a"
expect 0 "$ASSAY" lift parts.py:guarded
has out "not (n <= 0)"
expect 64 "$ASSAY" lift parts.py
expect 3 "$ASSAY" lift --all parts.py
has out "proved    proved    good"

# --- names are objects
cat >objects.py <<'EOF'
import numpy as np


def rows(n, m):
    g = [[0] * n] * m
    g[0][0] = 1
    return g


def one_row(a, n):
    row, out = [0] * n, []
    for i in range(n):
        row[0] = a[i]
        out.append(row)
    return out


def changed_later(a, n):
    out = []
    for i in range(n):
        row = [a[i]]
        out.append(row)
        row[0] = 7
    return out


def seen_behind(n):
    r = [1, 2]
    a = [r]
    a[0][0] = 5
    return r


def swapped(n):
    g = [[1, 2], [3, 4]]
    g[0], g[1] = g[1], g[0]
    return g


def alias(a):
    b = a
    b[0] = 5
    return a[0]


def copied(a: list[float]):
    b = a[:]
    b[0] = 9
    return a[0]


def viewed(a: np.ndarray):
    b = a[1:]
    b[0] = 9
    return a[1]


def shallow(n):
    g = [[0, 1], [2, 3]]
    h = g[:]
    h[0][0] = n
    return g


def of_parameter(a, n):
    b = a[1:n]
    a[1] = 3
    return b
EOF
for name in rows one_row changed_later seen_behind swapped shallow of_parameter; do
  expect 3 "$ASSAY" lift "objects.py:$name"
  has err "error[python.unsupported]"
done
expect 0 "$ASSAY" lift objects.py:alias
has out "result = 5"
expect 0 "$ASSAY" lift objects.py:copied
has out "result = a[0]"
expect 0 "$ASSAY" lift objects.py:viewed
has out "result = 9"

# --- numbers: integers have no end, // and % floor, an index may count from the end
cat >numbers.py <<'EOF'
def big(n: int):
    return n * n * n * n * n * n * n * n * n


def floors(a: int, b: int):
    return a // b, a % b


def before(a):
    return [a[i] - a[i - 1] for i in range(len(a))]


def beyond(a):
    s = 0
    for i in range(len(a) + 1):
        s += a[i]
    return s


def last(a):
    return a[-1]
EOF
expect 0 "$ASSAY" lift --json numbers.py:big
has out '"text": "n ** 9"'
grep -q '"kind": "range"' out && fail "an integer without end has a range"
expect 0 "$ASSAY" lift numbers.py:floors
has out "result_0 = a // b"
has out "result_1 = a % b"
expect 0 "$ASSAY" lift numbers.py:before
expect 1 "$ASSAY" lift numbers.py:beyond
has out "it does not hold that i is an index of a"
expect 0 "$ASSAY" lift numbers.py:last
has out "a[a_d0 - 1]"

# --- check: loops of Python against each other, a formula, calls of NumPy; wrong ones are refuted
cat >sides.py <<'EOF'
import numpy as np


def loop(a, b, n):
    s = 0
    for i in range(n):
        s += a[i] * b[i]
    return s


def calls(a, b, n):
    return (a[:n] * b[:n]).sum()


def wrong(a, b, n):
    return (a[:n] + b[:n]).sum()


def number(x):
    for k in range(3):
        if k == 1:
            continue
    return x
EOF
expect 0 "$ASSAY" check sides.py:loop sides.py:calls
expect 1 "$ASSAY" check sides.py:loop sides.py:wrong
expect 0 "$ASSAY" check sides.py:loop "$SOURCE/tests/loops/lists.py:dot"
expect 0 "$ASSAY" check sides.py:loop "$SOURCE/tests/loops/ndarrays.py:dot"
expect 1 "$ASSAY" check sides.py:loop "$SOURCE/tests/loops/ndarrays.py:rmsnorm_part1" --map a=x --map b=weight
cat >matrices.py <<'EOF'
def product(A, x):
    y = []
    for i in range(len(A)):
        s = 0
        for j in range(len(x)):
            s += A[i][j] * x[j]
        y.append(s)
    return y


def calls(A, x):
    return A @ x


def turned(A, x):
    return A.T @ x
EOF
expect 0 "$ASSAY" check --json matrices.py:product matrices.py:calls
has out '"kind": "precondition", "text": "A_d1 == x_d0"'
expect 0 "$ASSAY" check matrices.py:product -e "result = A @ x"
"$ASSAY" check matrices.py:product matrices.py:turned >out 2>err && fail "a matrix that is turned: exit 0"
printf 'formula kernel\ntensor x: f32[a, b]\ny[a, b] = x + 3\n' >tensor.txt
expect 3 "$ASSAY" check tensor.txt sides.py:number
has err "continue is not read in a reference"
"$ASSAY" check "$SOURCE/tests/loops/breaks.py:sum_until" -e "result = sum(a)" >out 2>err && fail "a break that is left out: exit 0"
grep -q '^ *left  *result = sum\[' out || fail "the left side is not named, or twice"
grep -q '^ *right  *result = sum(a)$' out || fail "the right side is not named once"
grep -q ' \.\.\. = ' out && fail "more inputs are no input of that name"
grep -q ', \.\.\.: ' out || fail "that there are more inputs is not told"
# --- functions of which only the arguments are known
cat >opaque.py <<'EOF'
from m import act, other as act2
import n


def count(x: int) -> int:
    return x + 1


def f(x, y):
    for i in range(len(x)):
        y[i] = act(x[i], i) + act(x[i], i + 1)


def total(x: list[int]) -> int:
    t = 0
    for v in x:
        t += count(v)
    return t


def twice(x):
    t = 0
    for v in x:
        t += act(v) + n.act(v)
    return t
EOF
expect 3 "$ASSAY" lift opaque.py:f
expect 0 "$ASSAY" lift opaque.py:f --opaque act
has out 'act(x[i], i + 1) + act(x[i], i)'
expect 0 "$ASSAY" lift opaque.py:total
hasnt out 'count(x'
expect 0 "$ASSAY" lift opaque.py:total --opaque count --emit numpy
has out 'def total(*, x, count):'
expect 3 "$ASSAY" lift opaque.py:twice --opaque act
has err 'two unknown functions with the name act'
finish
