"""Names, scopes and statements of reference files: a value is read only where Python has it too; whatever may have
changed it is either followed, or what it may have changed is not read, with a line."""

import json
import os
import subprocess
from pathlib import Path

import pytest
import torch

ASSAY = Path(os.environ.get("ASSAY", Path(__file__).resolve().parents[2] / "build" / "assay"))
HEADER = "import math\nimport functools\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\n"
LINES = HEADER.count("\n")


def files(text):
    return [part.strip("\n") + "\n" for part in text.split("\n---\n")]


def check(formula, text, folder):
    """A formula against f of a file: the answer, and the exit status."""
    (folder / "file.py").write_text(text)
    (folder / "kernel.txt").write_text("formula kernel\n" + formula)
    done = subprocess.run(
        [ASSAY, "check", "--json", folder / "kernel.txt", f"{folder / 'file.py'}:f"],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout), done.returncode


def against(factor, text, folder):
    return check(f"tensor x: f32[n, m]\ntensor y: f32[n, m]\ny = {factor} * x\n", HEADER + text, folder)


# f(x) is a multiple of x: which one, Python says
READ = r'''
K = 2
def g(x, k=K): return x * k
def f(x):
    K = 3
    return g(x)
---
K = 2
def f(x, k=K): return x * k
K = 3
---
def f(x):
    k = 2
    def g(t, k=k): return t * k
    k = 3
    return g(x)
---
def f(x):
    k = 2
    def g(t): return t * k
    k = 3
    return g(x)
---
K = 2
try: K = 3
except Exception: pass
K = 4
def f(x): return x * K
---
K = 2
if __name__ != "__main__":
    K = 3
else:
    K = 4
def f(x): return x * K
---
K = 2
if __name__ == "__main__": K = [k for k in range(5)]
else: K = 3
def f(x): return x * K
---
K = 2
[0 for K in range(3)]
def f(x): return x * K
---
K = 2
class A:
    K = 3
    def set(self):
        K = 4
        globals()["K"] = 5
def f(x): return x * K
---
W = torch.tensor(2.0)
def unused(): return W.add_(1)
class U:
    def change(self): W.add_(1)
def f(x): return x * W
---
try:
    from fast import g
except ImportError:
    pass
def g(x): return x * 3
def f(x): return g(x)
---
from os.path import *
import torch
def f(x): return torch.neg(x) * -3
---
C = 3
def scale(x, c=C): return x * c
for C in range(2): pass
def f(x): return scale(x)
---
N = 3
M = N + 1
if M > 3:
    list(range(M))
def f(x): return x * M
---
def f(x):
    def inner(t): return helper(t)
    def helper(t): return t * 2
    return inner(x)
---
def f(x):
    with torch.no_grad(), torch.autocast("cpu") as context:
        return x * 3
---
from math import pi
def f(x): return (x * pi) / pi * 3
---
def f(x, mode="a"): return x * (2 if mode == "b" else 3)
---
def f(x, act=F.relu): return x * (2 if act is None or act == F.gelu else 3)
---
def f(x): return x * (2 if {} else 3)
---
r"""Docs with \alpha."""
import os, sys
from typing import Optional
try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None
torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
torch.set_float32_matmul_precision("high")
os.environ["ASSAY_TEST"] = "1"
sys.path.insert(0, ".")
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
SCALE: float = 3.0
class Model(torch.nn.Module):
    scale: int = 4
    def __init__(self, n):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(n))
        for k, v in dict(a=1).items(): setattr(self, k, v)
    def forward(self, x): return f(x) * self.weight
def unread(x):
    while True:
        x = [t for t in x]
    return lambda y: y
@functools.lru_cache(None)
def cached(n): return n
@torch.no_grad()
def f(x: torch.Tensor, scale: Optional[float] = SCALE) -> torch.Tensor:
    "Docs with \\alpha."
    assert x.dim() == 2, f"bad {x.shape}"
    return x * scale
def test():
    torch.testing.assert_close(f(torch.ones(3, 3)), torch.ones(3, 3) * 3)
if hasattr(torch, "compile"):
    compiled = cached(3)
test()
for n in [1, 2]:
    f"{f(torch.ones(n, n))}", Model(n)
if __name__ == "__main__":
    f = [i for i in range(3)]
    while False: pass
'''


@pytest.mark.parametrize("text", files(READ))
def test_a_name_has_the_value_that_python_gives_it(text, tmp_path):
    scope, x = {"__name__": "imported"}, torch.tensor([[1.0, 2.0, 5.0]])
    exec(HEADER + text, scope)
    result = scope["f"](x)
    factor = int(result[0, 0])
    assert torch.equal(result, factor * x)
    for k in range(1, 6):
        answer, _ = against(k, text, tmp_path)
        assert answer["verdict"] == ("proved" if k == factor else "refuted"), (
            k,
            answer["reason"],
            answer["diagnostics"],
        )


# the first f and the first K are 2 * x and 2, and both may be something else
NOT_READ = r"""
K = 2
try: K = 3
except Exception: pass
def f(x): return x * K
---
K = 2
try: pass
finally: K = 3
def f(x): return x * K
---
K = 2
try: undefined
except: K = 3
def f(x): return x * K
---
K = 2
while K < 5: K += 1
def f(x): return x * K
---
K = 2
class K: pass
def f(x): return x * (2 if K else 1)
---
K = 2
K = [t for t in (5,)][0]
def f(x): return x * K
---
K = 2
(K := 3)
def f(x): return x * K
---
K = 2
print(K := 3)
def f(x): return x * K
---
K = 2
f"{(K := 3)}"
def f(x): return x * K
---
K = 2
[(K := t) for t in (3,)]
def f(x): return x * K
---
K = 2
with open(__file__) as K: pass
def f(x): return x * (2 if K else 1)
---
K = 2
del K
def f(x): return x * K
---
K = 2
match 3:
    case K: pass
def f(x): return x * K
---
K = 2
for K in [3]: pass
def f(x): return x * K
---
K = 2
if K: J = 1; K = 3
def f(x): return x * K
---
K, J = 2, [0]
J[0], K = 1, 3
def f(x): return x * K
---
K = 2
if __name__ == "__main__" or True: K = 3
def f(x): return x * K
---
K = 2
def h(x=(K := 3)): pass
def f(x): return x * K
---
g = torch.abs
g = lambda t: t + 1
def f(x): return 2 * g(x)
---
def g(x): return 2 * x
def g(x): return [t for t in x]
def f(x): return g(x)
---
def g(x): return 2 * x
try: from fast import g
except ImportError: pass
def f(x): return g(x)
---
L = [1, 2]
L.append(3)
def f(x): return x * len(L)
---
M = [2]
L = M
L[0] = 5
def f(x): return x * M[0]
---
W = torch.tensor(2.0)
W.mul_(3)
def f(x): return x * W
---
W = torch.tensor(2.0)
V = W
V += 4
def f(x): return x * W
---
W = torch.ones(1)
V = W.view(-1)
V.add_(1)
def f(x): return x * W
---
W = torch.tensor(2.0)
def init(t): t += 4
init(W)
def f(x): return x * W
---
W = torch.tensor(2.0)
V = torch.add(W, 4, out=W)
def f(x): return x * W
---
W = torch.tensor(2.0)
p = functools.partial(torch.Tensor.add_, W, 1)
p()
def f(x): return x * W
---
W = torch.tensor(2.0)
L = {"w": W}
L["w"].add_(1)
def f(x): return x * W
---
W = torch.tensor(2.0)
class C: V = W
C.V.add_(1)
def f(x): return x * W
---
def make():
    t = torch.tensor(2.0)
    def bump(): t.add_(1)
    def get(): return t
    return bump, get
bump, get = make()
bump()
def f(x): return x * get()
---
D = [1, 1]
def h(x, l=D): return x * len(l)
D.append(3)
def f(x): return h(x)
---
K = 2
def setk():
    global K
    K = 3
setk()
def f(x): return x * K
---
K = 2
def setk():
    global K
    K = 3
calls = []
calls.append(setk)
K = 2
calls[0]()
def f(x): return x * K
---
K = 2
class A:
    def __init__(self):
        global K
        K = 3
A()
def f(x): return x * K
---
K = 2
def register(fn):
    global K
    K = 3
    return fn
@register
def h(x): return x
def f(x): return x * K
---
K = 2
def setk():
    global K
    K = 3
def h(x, k=setk()): return x
def f(x): return x * K
---
def set_abs():
    global abs
    abs = lambda t: 3 * t
set_abs()
def f(x): return 2 * abs(x)
---
setattr(torch, "exp", torch.sin)
def f(x): return 2 * torch.exp(x)
---
torch.Tensor.exp = lambda t: t * 3
def f(x): return x.exp()
---
m = torch
m.exp = lambda t: t * 3
def f(x): return torch.exp(x)
---
def get(): return torch
get().exp = lambda t: t * 3
def f(x): return torch.exp(x)
---
t = type(torch.ones(1))
t.exp = lambda s: s * 3
def f(x): return x.exp()
---
K = 2
globals()["K"] = 3
def f(x): return x * K
---
K = 2
exec("K = 3")
def f(x): return x * K
---
def g(x): return x * 2
def h(x): return x * 3
g.__code__ = h.__code__
def f(x): return g(x)
---
from torch import *
def f(x): return sum(x)
---
from .torch import exp
def f(x): return exp(x)
---
K = 2
from constants import *
def f(x): return x * K
---
def f(x): return x * 2
if True:
    def f(x): return 3 * x
---
def f(x): return x * 2
def g(x): return x * 3
f, g = g, f
---
def f(x): return x * 2
from other import f
---
def f(x): return x * 2
try: from fast import f
except ImportError: pass
---
def f(x): return x * 2
for f in [abs]: pass
---
def f(x): return x * 2
(f := abs)
---
def f(x): return x * 2
class f: pass
---
def f(x): return x * 2
f = lambda x: 3 * x
---
def f(x, k=2): return x * k
f.__defaults__ = (3,)
---
K = 2
def f(x):
    y = x * K
    K = 3
    return y
---
class Context:
    def __enter__(self): return 3
    def __exit__(self, *a): pass
def f(x):
    K = 2
    with Context() as K:
        return x * K
---
def bump(t):
    t += t
    return True
def f(x):
    assert bump(x)
    return x
---
import settings as S
def f(x): return x * S.e
---
import settings as S
def f(x): return x * (3 if S.mode is None else 2)
---
from settings import mode, other
def f(x): return x * (3 if mode == other else 2)
---
import settings as S
def f(x): return x * (2 if S.dropout else 3)
---
import settings as S
def f(x): return 2 * x.to(S.dtype)
---
def f(x): return x * (3 if x.grad is None else 2)
---
def f(x): return x * (3 if torch.version.cuda is None else 2)
---
def f(x): return x * (3 if "\x61" == "a" else 2)
---
def f(x): return x * (2 if f"{x.add_(x) is None}" == "" else 1)
"""


@pytest.mark.parametrize("text", files(NOT_READ))
def test_a_name_that_something_unread_may_change_is_not_read(text, tmp_path):
    answer, code = against(2, text, tmp_path)
    told = [d for d in answer["diagnostics"] if d["severity"] == "error"]
    assert code == 3 and answer["verdict"] is None and told[0]["line"] > LINES, answer


def test_the_methods_are_those_of_the_library_that_is_imported(tmp_path):
    """`std` of PyTorch divides by n - 1, NumPy's by n; an import in a function or in try is one too."""
    for text, torch_is_there in (
        ("import numpy as np\n", False),
        ("import numpy as np\ntry: import torch\nexcept ImportError: torch = None\n", True),
        ("import numpy as np\nfrom torch import *\n", True),
        ("import numpy as np\ndef g():\n    import torch\n", True),
        ("import torch\n", True),
    ):
        answer, _ = check(
            "tensor x: f32[n, m]\ntensor y: f32[n]\ny = sqrt(var(x, axis=1))\n",
            text + "def f(x): return x.std(1)\n",
            tmp_path,
        )
        assert answer["verdict"] == ("refuted" if torch_is_there else "proved"), text


@pytest.mark.parametrize("early", [True, False])
def test_outputs_have_the_names_of_the_return_that_is_taken(early, tmp_path):
    text = (
        f"import torch\ndef f(x, early={early}):\n    a = 2 * x\n    b = 3 * x\n    if early: return b, a\n    return"
        " a, b\n"
    )
    answer, _ = check("tensor x: f32[n]\ntensor a: f32[n]\ntensor b: f32[n]\na = 2 * x\nb = 3 * x\n", text, tmp_path)
    assert answer["verdict"] == "proved"
