"""Functions of MLIR: the formulas that `assay lift` finds, and the modules that it emits, against NumPy.

Each function of tests/mlir/lift has a case here: inputs, and what loops or NumPy make of them. A function is lifted once,
with `--emit numpy`; its verdict must be `proved`, and the module must give what the case says.
"""

import inspect
import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_emit import load
from triton_tools.lifted import ASSAY

FOLDER = Path(__file__).resolve().parents[1] / "mlir" / "lift"
RANDOM = np.random.default_rng(26)
CASES = {}
# safety is `unknown` there, because of what only data decides
OF_DATA = {"rms_norm": "undefined", "embedding": "bounds", "gather": "bounds", "token_classes": "undefined"}


def case(function):
    CASES[function.__name__] = function
    return function


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# Each case returns the keywords of the module, and its outputs.


@case
def matmul_bias_relu():
    a, b, bias = normal(3, 5), normal(5, 4), normal(4)
    return dict(a=a, b=b, bias=bias), dict(result=np.maximum(a @ b + bias, 0))


@case
def softmax_():
    x = normal(3, 7)
    return dict(x=x), dict(result=softmax(x))


CASES["softmax"] = CASES.pop("softmax_")


@case
def layer_norm():
    x, g, b = normal(3, 64), normal(64), normal(64)
    mean, var = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    return dict(x=x, gamma=g, beta=b), dict(result=(x - mean) / np.sqrt(var + 1e-5) * g + b)


@case
def rms_norm():
    x, w = normal(3, 6), normal(6)
    return dict(x=x, w=w, eps=0.25), dict(result=x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 0.25) * w)


@case
def attention():
    q, k, v = normal(2, 3, 32), normal(2, 5, 32), normal(2, 5, 32)
    return dict(q=q, k=k, v=v), dict(result=softmax(q @ k.transpose(0, 2, 1) / math.sqrt(32)) @ v)


@case
def conv_2d_nhwc():
    x, w, init = normal(1, 6, 7, 3), normal(3, 3, 3, 8), normal(1, 4, 5, 8)
    out = init.astype(float)
    for i in range(4):
        for j in range(5):
            out[0, i, j] += np.einsum("abc,abcf->f", x[0, i : i + 3, j : j + 3], w)
    return dict(x=x, w=w, init=init), dict(result=out)


@case
def conv_1d_strided():
    x, w = normal(11), normal(3)
    return dict(x=x, w=w), dict(result=np.array([x[2 * i : 2 * i + 3] @ w for i in range(5)]))


@case
def max_pool():
    x = normal(1, 8, 8, 4)
    return dict(x=x), dict(result=x.reshape(1, 4, 2, 4, 2, 4).max(axis=(2, 4)))


@case
def transpose_add():
    a, b = normal(3, 5), normal(5, 3)
    return dict(a=a, b=b), dict(result=a.T + b)


@case
def gelu_tanh():
    x = normal(9)
    return dict(x=x), dict(result=0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


@case
def batch_norm():
    x, mean, var, g = normal(2, 3, 4), normal(3), normal(3), normal(3)
    up = lambda v: v[None, :, None]  # noqa: E731
    return dict(x=x, mean=mean, var=var, g=g), dict(result=(x - up(mean)) / np.sqrt(abs(up(var)) + 1e-3) * up(g))


@case
def min_and_max():
    x = normal(4, 5)
    return dict(x=x), dict(result_0=x.min(axis=1), result_1=x.max(axis=1))


@case
def embedding():
    table, ids = normal(6, 4), np.array([5, 0, 3])
    return dict(table=table, ids=ids), dict(result=table[ids])


@case
def causal_mask():
    x = normal(5, 5)
    return dict(x=x), dict(result=np.tril(x))


@case
def integer_dot():
    a, b = RANDOM.integers(-128, 128, 9), RANDOM.integers(-128, 128, 9)
    return dict(a=a, b=b), dict(result=a @ b)


@case
def pad_and_slice():
    x = normal(3, 4)
    return dict(x=x), dict(result=np.pad(x, ((1, 1), (2, 0))))


@case
def split_heads():
    x = normal(5, 12)
    return dict(x=x), dict(result=x.reshape(5, 3, 4).transpose(1, 0, 2))


@case
def mean_square_error():
    a, b = normal(6), normal(6)
    return dict(a=a, b=b), dict(result=((a - b) ** 2).mean())


@case
def row_sum():
    x, y = normal(3, 5), normal(4)
    return dict(x=x, y=y, y_d0=4), dict(y=np.append(x.sum(axis=1), y[3]))


@case
def matmul_affine():
    a, b, c = normal(3, 4), normal(4, 5), normal(3, 5)
    return dict(a=a, b=b, c=c), dict(c=c + a @ b)


@case
def matmul_static():
    a, b = normal(16, 32), normal(32, 8)
    return dict(a=a, b=b), dict(c=a @ b)


@case
def add_in_place():
    a, b = normal(6), normal(5)
    return dict(a=a, b=b, n=4, a_d0=6), dict(a=np.append(a[:4] + b[:4], a[4:]))


@case
def axpy():
    x, y = normal(6), normal(5)
    return dict(alpha=2.5, x=x, y=y), dict(y=2.5 * x[:5] + y)


@case
def dot():
    x, y = normal(6), normal(7)
    return dict(x=x, y=y, n=4), dict(result=x[:4] @ y[:4])


@case
def scale_in_place():
    x = normal(3, 4)
    return dict(x=x, f=-1.5), dict(x=-1.5 * x)


@case
def tiled_add():
    x, y = normal(19), normal(19)
    return dict(x=x, y=y, z_d0=19), dict(z=x + y)


@case
def transpose():
    x, y = normal(3, 4), normal(5, 4)
    out = y.copy()
    out[:4, :3] = x.T
    return dict(x=x, y=y, y_d0=5, y_d1=4), dict(y=out)


@case
def relu_guarded():
    x, y = normal(6), normal(8)
    return dict(x=x, y=y, y_d0=8), dict(y=np.append(np.maximum(x, 0), y[6:]))


@case
def interior():
    x, y = normal(7), normal(7)
    out = y.copy()
    out[1:6] = (x[:5] + x[1:6] + x[2:]) / 3
    return dict(x=x, y=y, y_d0=7), dict(y=out)


@case
def row_max():
    x = normal(4, 3)
    return dict(x=x, y_d0=4), dict(y=x.max(axis=1))


@case
def prefix_sum():
    x = normal(6)
    return dict(x=x, y_d0=6), dict(y=np.cumsum(x))


@case
def reverse():
    x = RANDOM.integers(-9, 9, 6)
    return dict(x=x, y_d0=6), dict(y=x[::-1])


@case
def horner():
    c = normal(4)
    return dict(x=0.5, c=c), dict(result=((c[0] * 0.5 + c[1]) * 0.5 + c[2]) * 0.5 + c[3])


@case
def mlp():
    x, w, b = normal(2, 4), normal(3, 4), normal(3)
    return dict(x=x, w=w, b=b), dict(result=np.maximum(x @ w.T + b, 0))


@case
def batch_product():
    a, b = normal(2, 3, 4), normal(2, 4, 5)
    return dict(a=a, b=b), dict(result=a @ b)


@case
def tosa_softmax():
    x = normal(3, 5)
    return dict(x=x), dict(result=softmax(x))


@case
def conv_block():
    x, w, b = normal(1, 6, 6, 2), normal(4, 3, 3, 2), normal(4)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    out = np.array(
        [[np.einsum("abc,fabc->f", padded[0, i : i + 3, j : j + 3], w) + b for j in range(6)] for i in range(6)]
    )
    return dict(x=x, w=w, b=b), dict(result=out[None])


@case
def pool_average():
    x = normal(1, 4, 4, 3)
    return dict(x=x), dict(result=x.reshape(1, 2, 2, 2, 2, 3).mean(axis=(2, 4)))


@case
def sigmoid_gate():
    x, y = normal(3, 4), normal(3, 4)
    return dict(x=x, y=y), dict(result=y / (1 + np.exp(-x)))


@case
def token_classes():
    logits = normal(2, 3, 5)
    return dict(logits=logits), dict(result=logits.argmax(axis=2))


@case
def merge_heads():
    x = normal(2, 3, 4, 5)
    return dict(x=x), dict(result=x.transpose(0, 2, 1, 3).reshape(2, 4, 15))


@case
def gather():
    x, i = normal(2, 6, 3), RANDOM.integers(0, 6, (2, 4))
    return dict(x=x, i=i), dict(result=np.stack([x[n][i[n]] for n in range(2)]))


@case
def concat_tanh():
    a, b = normal(2, 3), normal(4, 3)
    return dict(a=a, b=b), dict(result=np.tanh(np.concatenate([a, b])))


def bufferised(name, out, sizes, make):
    """After three pipelines; of the second the result is an argument."""

    def renamed(suffix):
        given, value = make()
        return {**given, **sizes}, {out if suffix == "affine" else "result": value}

    for suffix in ("strided", "affine", "parallel"):
        CASES[f"{name}_{suffix}"] = lambda suffix=suffix: renamed(suffix)


def dense():
    a, b, bias = normal(3, 5), normal(5, 4), normal(4)
    return dict(arg0=a, arg1=b, arg2=bias), a @ b + bias


def row_norms():
    x = normal(3, 5)
    return dict(arg0=x), np.sqrt((x * x).sum(axis=1))


def softmax_rows():
    x = normal(8, 16)
    return dict(arg0=x), softmax(x)


bufferised("dense", "arg3", dict(arg3_d0=3, arg3_d1=4), dense)
bufferised("row_norms", "arg1", dict(arg1_d0=3), row_norms)
bufferised("softmax_rows", "arg1", {}, softmax_rows)

FUNCTIONS = [
    (path, name)
    for path in sorted(FOLDER.glob("*.mlir"))
    for name in re.findall(r"^func\.func @(\w+)", path.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("path, name", [pytest.param(*f, id=f"{f[0].stem}:{f[1]}") for f in FUNCTIONS])
def test_function(path, name, tmp_path):
    out = tmp_path / f"{name}.py"
    done = subprocess.run(
        [ASSAY, "lift", "--json", "--emit", "numpy", "-o", out, f"{path}:{name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    assert report["verdict"] == "proved", report["reason"]
    open_ones = {o["kind"] for o in report["obligations"] if o["verdict"] != "proved"}
    assert open_ones == ({OF_DATA[name]} if name in OF_DATA else set()), report["obligations"]
    assert done.returncode == (2 if open_ones else 0)
    given, expected = CASES[name]()
    module = getattr(load(out), name)
    wanted = inspect.signature(module).parameters
    got = module(**{key: value for key, value in given.items() if key in wanted})
    assert sorted(got) == sorted(expected)
    for key, value in expected.items():
        np.testing.assert_allclose(got[key], value, rtol=1e-5, atol=1e-5)
        assert np.shape(got[key]) == np.shape(value)


def test_every_case_has_a_function():
    assert sorted(CASES) == sorted(name for _, name in FUNCTIONS)
