"""Emitted modules compute what they say.

First the golden modules of tests/unit/emit (made from pointwise forms by hand) against plain loops; then, for every kernel
of the corpus, what `assay lift --emit` writes against Triton's interpreter.
"""

import ctypes
import importlib.util
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.lifted import ASSAY

GOLDEN = Path(__file__).resolve().parents[1] / "unit" / "emit" / "golden"
RANDOM = np.random.default_rng(5)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def integers(low, high, *shape, dtype=np.int64):
    return RANDOM.integers(low, high, shape).astype(dtype)


# Each case: the arguments of the module, and what loops compute from them.


def case_add():
    a = dict(x_ptr=normal(7), y_ptr=normal(7).astype(np.float16), n=5, scale=0.5, out_ptr=normal(7))
    out = a["out_ptr"].astype(float)
    for i in range(5):
        out[i] = float(a["x_ptr"][i]) + 0.5 * float(a["y_ptr"][i])
    return a, dict(out_ptr=out)


def case_softmax():
    x = normal(3, 5)
    y = [[math.exp(v - max(row)) / sum(math.exp(w - max(row)) for w in row) for v in row] for row in x.tolist()]
    return dict(x_ptr=x), dict(y_ptr=y)


def case_matmul():
    a, b, bias = normal(4, 3), normal(5, 3), normal(5)
    c = [
        [max(0.5 * sum(float(a[i, k]) * float(b[j, k]) for k in range(3)) + float(bias[j]), 0) for j in range(5)]
        for i in range(4)
    ]
    return dict(a_ptr=a, b_ptr=b, bias=bias), dict(c_ptr=c)


def case_gather():
    table, index = normal(6, 2), np.array([3, -1, 0, 5, 5])
    return dict(table=table, lambda_=index), dict(
        out=[[table[r, j] if r >= 0 else 0 for j in range(2)] for r in index]
    )


def case_cumsum():
    x = normal(2, 9)
    y = [[sum(row[: j + 1]) for j in range(9)] for row in x.tolist()]
    return dict(x=x), dict(y=y, below=[[sum(row[j + 1 :]) for j in range(9)] for row in x.tolist()])


def case_argmax():
    x = integers(0, 4, 5, 8, dtype=np.float32)  # with ties: the first wins
    place = [row.index(max(row)) for row in x.tolist()]
    return dict(x=x), dict(value=[row[k] for row, k in zip(x.tolist(), place)], place=place)


def case_concat():
    a, b = normal(3, 4), normal(4, 2)
    return dict(a=a, b=b), dict(out=[[a[j, i] if j < 3 else b[i, j - 3] for j in range(5)] for i in range(4)])


def case_distance():
    a, b = normal(4, 6), normal(3, 6)
    out = [
        [sum(abs(float(a[i, k]) - float(max(a[i])) - float(b[j, k])) for k in range(6)) / 6 for j in range(3)]
        for i in range(4)
    ]
    return dict(a=a, b=b), dict(out=out)


def case_pool():
    x = normal(6, 5)
    return dict(x=x), dict(
        y=[
            [sum(float(x[2 * i + r, j + s]) for r in range(2) for s in range(3)) / 6 for j in range(3)]
            for i in range(3)
        ]
    )


def case_gelu():
    x = np.linspace(-9, 9, 41, dtype=np.float32)
    return dict(x_ptr=x), dict(x_ptr=[0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.tolist()])


def case_attention():
    q, k, v = normal(5, 3), normal(5, 3), normal(5, 3)
    out = []
    for i in range(5):
        e = [math.exp(0.7 * sum(float(q[i, c]) * float(k[s, c]) for c in range(3))) for s in range(i + 1)]
        out.append([sum(e[s] * float(v[s, j]) for s in range(i + 1)) / sum(e) for j in range(3)])
    return dict(q=q, k=k, v=v, scale=0.7), dict(out=out)


def case_bits():
    packed = integers(-128, 128, 6, dtype=np.int8)
    mixed = [(1664525 * (int(b) ^ 12345) + 2**31) % 2**32 - 2**31 for b in packed]
    return dict(packed=packed), dict(nibble=[(int(packed[i // 2]) >> 4 * (i % 2)) & 15 for i in range(12)], hash=mixed)


def case_segments():
    x, offset = normal(9), np.array([0, 2, 2, 7, 9])
    return dict(x=x, offset=offset), dict(y=[sum(x[lo:hi].tolist()) for lo, hi in zip(offset, offset[1:])])


def case_zeros():
    return dict(n=4), dict(out=[0, 0, 0, 0])


CASES = sorted(name.removeprefix("case_") for name in globals() if name.startswith("case_"))


@pytest.mark.parametrize("name", CASES)
def test_numpy(name):
    arguments, expected = globals()[f"case_{name}"]()
    before = {key: np.copy(value) for key, value in arguments.items()}
    results = getattr(load(GOLDEN / f"{name}_numpy.py"), name)(**arguments)
    assert results.keys() == expected.keys()
    for key, value in results.items():
        assert value.dtype == np.float64 or np.issubdtype(value.dtype, np.integer)
        np.testing.assert_allclose(value, expected[key], rtol=1e-6, atol=1e-12)
        value[...] = 0  # results share no memory with inputs
    for key, value in arguments.items():
        np.testing.assert_array_equal(value, before[key])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("wide", [False, True])
def test_pytorch(name, wide):
    arguments, expected = globals()[f"case_{name}"]()
    tensors = {
        key: torch.from_numpy(np.copy(value)) if isinstance(value, np.ndarray) else value
        for key, value in arguments.items()
    }
    if wide:
        tensors = {
            key: value.double() if torch.is_tensor(value) and value.is_floating_point() else value
            for key, value in tensors.items()
        }
    results = getattr(load(GOLDEN / f"{name}_pytorch.py"), name)(**tensors)
    assert results.keys() == expected.keys()
    for key, value in results.items():
        tolerance = {torch.float16: 2e-3, torch.bfloat16: 1e-2}.get(value.dtype, 2e-5)
        np.testing.assert_allclose(
            value.double().numpy(), np.asarray(expected[key], dtype=float), rtol=tolerance, atol=tolerance
        )
        value.zero_()
    for key, value in arguments.items():
        np.testing.assert_array_equal(tensors[key], value)


# What contradicts a shape that another input, a literal or a keyword gives: name of the case, input, its new shape.
CONTRADICTIONS = [
    ("add", "y_ptr", (1,)),
    ("softmax", "x_ptr", (3,)),
    ("matmul", "b_ptr", (1, 1)),
    ("gather", "lambda_", (2, 2)),
    ("concat", "b", (1, 1)),
    ("attention", "v", (1, 1)),
    ("distance", "b", (1, 1)),
    ("segments", "offset", (2, 2)),
    ("pool", "x", (7,)),
]


@pytest.mark.parametrize("name,key,shape", CONTRADICTIONS)
@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_shapes_that_contradict(name, key, shape, framework):
    arguments, _ = globals()[f"case_{name}"]()
    assert key in arguments
    arguments[key] = np.zeros(shape, arguments[key].dtype)
    if framework == "pytorch":
        arguments = {k: torch.from_numpy(v) if isinstance(v, np.ndarray) else v for k, v in arguments.items()}
    with pytest.raises(ValueError, match=rf"{key} has the shape \({', '.join(map(str, shape))}"):
        getattr(load(GOLDEN / f"{name}_{framework}.py"), name)(**arguments)


def test_distance_in_chunks(monkeypatch):
    """A fold that would not fit into memory runs in pieces."""
    module = load(GOLDEN / "distance_numpy.py")
    whole = module._chunks
    monkeypatch.setattr(module, "_chunks", lambda start, stop, cells: whole(start, stop, 2**23))
    arguments, expected = case_distance()
    np.testing.assert_allclose(module.distance(**arguments)["out"], expected["out"], rtol=1e-6)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.py")), ids=lambda path: path.stem)
def test_imports_only_its_framework(path):
    framework = {"pytorch": "torch"}.get(path.stem.split("_")[-1], path.stem.split("_")[-1])
    imports = [line for line in path.read_text().splitlines() if line.split()[:1] in (["import"], ["from"])]
    assert imports and all(line.split()[1].split(".")[0] == framework for line in imports)


@pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_a_division_that_the_mask_leaves_out_is_not_multiplied_by_0(framework, tmp_path):
    """sum[k < m, (n - k) % 4 > 0](x[i, k] / ((n - k) % 4)) is no matrix product: 0 * (1 / 0) is nan."""
    (tmp_path / "masked.txt").write_text(
        "pointwise masked\ntensor o: f32[p]\ntensor x: f32[p, m]\nscalar n: i32, 1 <= n <= 100\nsize p: 1 <= p\nsize"
        " m: 1 <= m\no[i] = sum[k < m, (n - k) % 4 > 0](x[i, k] / ((n - k) % 4))\n"
    )
    done = subprocess.run(
        [ASSAY, "lift", tmp_path / "masked.txt", "--emit", framework], capture_output=True, text=True, check=False
    )
    (tmp_path / "masked_module.py").write_text(done.stdout)
    x = normal(2, 9)
    expected = [sum(float(x[i, k]) / ((7 - k) % 4) for k in range(9) if (7 - k) % 4 > 0) for i in range(2)]
    with np.errstate(all="ignore"):
        result = load(tmp_path / "masked_module.py").masked(x=x if framework == "numpy" else torch.from_numpy(x), n=7)[
            "o"
        ]
    np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-5)


@pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
def test_no_size_is_solved_out_of_a_product_that_may_be_zero(tmp_path):
    """T*(rows - 1) + 4 elements do not tell T of one row; T*rows + 4 do."""
    for extent, length, given in (
        ("T*rows - T + 4", lambda rows: 7 * rows - 3, {"T": 7}),
        ("T*rows + 4", lambda rows: 7 * rows + 4, {}),
    ):
        (tmp_path / "solved.txt").write_text(
            f"pointwise solved\ntensor y: f32[rows]\ntensor x: f32[{extent}]\ntensor z: f32[rows]\n"
            "size rows: 1 <= rows\nsize T: 1 <= T\ny[i] = T*z[i] + x[i]\n"
        )
        done = subprocess.run(
            [ASSAY, "lift", tmp_path / "solved.txt", "--emit", "numpy"], capture_output=True, text=True, check=False
        )
        (tmp_path / f"solved_{len(given)}.py").write_text(done.stdout)
        for rows in (1, 3):
            x, z = normal(length(rows)), normal(rows)
            np.testing.assert_allclose(
                load(tmp_path / f"solved_{len(given)}.py").solved(x=x, z=z, **given)["y"], 7 * z + x[:rows], rtol=1e-5
            )


RECURRENCES = {
    "y[t, j] = sum[s < t + 1](x[s, j]*prod[s + 1 <= u < t + 1](a[u, j]))": lambda a, x: (a, x),
    "y[t, j] = sum[s < t + 1]((1 - a[s, j])*x[s, j]*prod[s + 1 <= u < t + 1](tanh(a[u, j])))": lambda a, x: (
        np.tanh(a),
        (1 - a) * x,
    ),
    "y[t, j] = sum[s < n - t](x[t + s, j]*prod[n - t - s <= u < n - t](a[n - 1 - u, j]))": lambda a, x: (
        a[::-1],
        x[::-1],
    ),
    "y[t, j] = sum[s < n - t](x[t + s, j]*prod[u < s](a[t + u, j]))": lambda a, x: (a[::-1], x[::-1]),
    "y[t, j] = sum[s < t + 1](x[s, j]*prod[s + 1 <= u < t + 1](x[u - 1, j]))": lambda a, x: (
        np.concatenate([a[:1], x[:-1]]),
        x,
    ),
}


@pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
@pytest.mark.parametrize("framework", ["numpy", "pytorch", "c"])
@pytest.mark.parametrize("formula", RECURRENCES)
def test_a_recurrence_goes_step_by_step(framework, formula, tmp_path):
    """A sum over pairs would take a minute here; of the first factor nothing is read, which may lie before the array."""
    (tmp_path / "steps.txt").write_text(
        "pointwise steps\ntensor y: f32[n, m]\ntensor a: f32[n, m]\ntensor x: f32[n, m]\nsize n: 1 <= n\nsize m: 1 <= m\n"
        + formula
    )
    done = subprocess.run(
        [ASSAY, "lift", tmp_path / "steps.txt", "--emit", framework], capture_output=True, text=True, check=False
    )
    assert "einsum" not in done.stdout and "product" not in done.stdout, done.stdout
    for n, m in ((1, 2), (2, 1), (300, 3)):
        a, x = 0.5 * normal(n, m), normal(n, m)
        factor, own = RECURRENCES[formula](a.astype(float), x.astype(float))
        expected = np.array(own)
        for t in range(1, n):
            expected[t] += factor[t] * expected[t - 1]
        expected = expected[::-1] if "n - t" in formula else expected
        if framework == "c":
            (tmp_path / "steps.c").write_text(done.stdout)
            subprocess.run(
                ["gcc", "-O1", "-shared", "-fPIC", "-o", tmp_path / "steps.so", tmp_path / "steps.c", "-lm"],
                check=True,
            )
            result, tensors = np.zeros((n, m), np.float32), {"a": a, "x": x}
            header = next(line for line in done.stdout.splitlines() if "void steps(" in line)
            used = [tensors[name] for name in "ax" if f"*{name}," in header] + [result]
            call = ctypes.CDLL(str(tmp_path / "steps.so")).steps
            sizes = [ctypes.c_int64(size) for size in (n, m)]
            call(*sizes, *(tensor.ctypes.data_as(ctypes.c_void_p) for tensor in used))
        else:
            (tmp_path / "steps_module.py").write_text(done.stdout)
            as_tensor = np.asarray if framework == "numpy" else torch.from_numpy
            given = {"x": as_tensor(x)} if "a[" not in formula else {"a": as_tensor(a), "x": as_tensor(x)}
            result = load(tmp_path / "steps_module.py").steps(**given)["y"]
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-4, atol=1e-5)
