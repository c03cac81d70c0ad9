"""Emitted modules of recurrences without a closed form (tests/python/forms/recurrences.py, lane_recurrences.py): loops that go
step by step, against the same loops in Python; those of arrays also against the kernels themselves in Triton's interpreter.
"""

import ctypes
import inspect
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER, load
from triton_tools.lifted import ASSAY, lift

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def clipped(row):
    s = 0.0
    for x in row:
        s = min(max(s + x, -1.0), 1.0)
    return s


def mixed_hash(row):
    h = 17
    for x in row:
        h = ((h ^ int(x)) * 16777619 + 2**31) % 2**32 - 2**31
    return h


def replaced_once(row):
    first = -1
    for i, x in enumerate(row):
        if first < 0 and x > 0:
            first = i
    return first


def halving(x, n):
    low, high = 0.0, 1.0
    for _ in range(n):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if middle * middle < x else (low, middle)
    return low


def two_clipped(row):
    s, factor = 0.0, 1.0
    for x in row:
        s, factor = min(s * factor + x, 1.0), max(min(0.5 * factor + x, 2.0), -2.0)
    return s


REAL, WHOLE = lambda g, n: g.standard_normal((4, n)).astype(np.float32), lambda g, n: g.integers(
    -(2**31), 2**31, (4, n)
).astype(np.int32)
EXPECTED = {
    "clipped": (REAL, lambda x, n: [clipped(row) for row in x]),
    "clipped_at_each_step": (REAL, lambda x, n: [[clipped(row[: j + 1]) for j in range(n)] for row in x]),
    "two_clipped": (REAL, lambda x, n: [two_clipped(row) for row in x]),
    "mixed_hash": (WHOLE, lambda x, n: [mixed_hash(row) for row in x]),
    "replaced_once": (WHOLE, lambda x, n: [replaced_once(row) for row in x]),
    "halving": (lambda g, n: g.random(4).astype(np.float32), lambda x, n: [halving(v, n) for v in x]),
}


ARRAYS = load(ROOT / "tests" / "python" / "forms" / "lane_recurrences.py").FORMS


@pytest.fixture(scope="module")
def emitted():
    paths = [str(ROOT / "tests" / "python" / "forms" / name) for name in ("recurrences.py", "lane_recurrences.py")]
    compiled_forms(*paths)
    files = {name: f"recurrences.{name}.ttir" for name in EXPECTED}
    files.update({name: f"lane_recurrences.{name}.ttir" for name in ARRAYS})
    return {name: lift([FOLDER / file], "--no-prove").modules for name, file in files.items()}


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("name", EXPECTED)
def test_module_goes_step_by_step(name, n, framework, emitted):
    draw, reference = EXPECTED[name]
    x = draw(np.random.default_rng(n), n)
    more = {"n": n} if name == "halving" else {}
    got = np.asarray(
        emitted[name][framework](x_ptr=x if framework == "numpy" else torch.from_numpy(x), **more)["y_ptr"]
    )
    expected = np.asarray(reference(x.astype(np.float64) if x.dtype == np.float32 else x, n))
    assert got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def parameters(function):
    return inspect.signature(function).parameters


def compiled(kernel, folder):
    """What `--emit c` prints, as a shared library; its parameters by name, and which of them are arrays."""
    source, library = folder / "kernel.c", folder / "kernel.so"
    done = subprocess.run([ASSAY, "lift", "--no-prove", "--emit", "c", "-o", source, kernel], check=False)
    assert done.returncode in (0, 2) and source.exists()
    subprocess.run(
        ["cc", "-std=c17", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True
    )
    (call,) = re.findall(r"^void (\w+)\((.*)\) {$", source.read_text(), re.M)
    return getattr(ctypes.CDLL(str(library)), call[0]), [
        part.split("*")[-1].split()[-1] for part in call[1].split(", ")
    ]


SHAPES = {
    "powers": {"w_ptr": (64,), "x_ptr": (8,), "y_ptr": (8,)},
    "delta_rule": {"k_ptr": ("n", 8), "v_ptr": ("n", 5), "b_ptr": ("n",), "o_ptr": ("n", 5), "s_ptr": (8, 5)},
    "inverse_by_rows": {"a_ptr": (64,), "y_ptr": (64,)},
    "balanced": {"x_ptr": (64,), "y_ptr": (64,)},
}


def run_kernel(form, n):
    """The tensors before the kernel and after it, by name, and its numbers."""
    random = np.random.default_rng(n)
    before = {
        key: torch.from_numpy(0.5 * random.standard_normal([n if e == "n" else e for e in shape])).float()
        for key, shape in SHAPES[form["kernel"].__name__].items()
    }
    after = {key: value.clone() for key, value in before.items()}
    numbers = {key: {"n": n, "d": 5}[key] for key, kind in form["types"].items() if kind == "i32"}
    form["kernel"][(1,)](*after.values(), *numbers.values(), **form["constexprs"])
    return before, after, numbers


def same(got, expected):
    np.testing.assert_allclose(np.asarray(got), expected.numpy(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ARRAYS)
def test_modules_of_carried_arrays_are_the_kernel(name, emitted, tmp_path):
    """A step reads other elements than its own; what is asked for is one element of all."""
    function, names = compiled(FOLDER / f"lane_recurrences.{name}.ttir", tmp_path)
    for n in (1, 2, 7):
        before, after, numbers = run_kernel(ARRAYS[name], n)
        for framework in ("numpy", "pytorch"):
            module = emitted[name][framework]
            given = {key: value.numpy() if framework == "numpy" else value for key, value in before.items()}
            given.update(numbers)
            given.update({key: value.reshape(-1) for key, value in given.items() if key == "k_ptr"})
            results = module(**{key: given[key] for key in parameters(module)})
            assert results.keys() == {key for key in before if not torch.equal(before[key], after[key])}
            for key, value in results.items():
                same(value, after[key])
        arrays = {key: ctypes.c_void_p(value.data_ptr()) for key, value in before.items()}
        function(*[arrays[key] if key in arrays else ctypes.c_int64(numbers[key]) for key in names])
        for key, value in before.items():
            same(value, after[key])


SEVERAL = """pointwise several
tensor x: f32[n, 4] strides [4, 1]
tensor w: f32[4, 4] strides [4, 1]
tensor y: f32[n, 4] strides [4, 1]
size n: 1 <= n
y[i, j] = recur[k < i + 1, a < 4, b < 4, s[a], t[a, b], u](x[0, a], w[a, b], 1, 0.5*sum[l < 4](t[a, l]*s[l]) + u*x[k, a],
 0.25*t[b, a] + s[3 - a]*s[b], 0.5*u + sum[l < 4](s[l]))[j]
"""


def test_arrays_of_several_ranks_beside_a_number(tmp_path):
    """Each row makes as many steps as its index says; all values of a step are made of those before it."""
    formula = tmp_path / "several.formula"
    formula.write_text(SEVERAL.replace(",\n", ","))
    random = np.random.default_rng(3)
    x, w = (0.3 * random.standard_normal(shape).astype(np.float32) for shape in ((5, 4), (4, 4)))
    y, s, t, u = np.zeros((5, 4), np.float32), x[0], w, 1
    for k in range(5):
        s, t, u = 0.5 * t @ s + u * x[k], 0.25 * t.T + np.outer(s[::-1], s), 0.5 * u + np.sum(s)
        y[k] = s
    modules = lift([formula]).modules
    same(modules["numpy"](x=x, w=w)["y"], torch.from_numpy(y))
    same(modules["pytorch"](x=torch.from_numpy(x), w=torch.from_numpy(w))["y"], torch.from_numpy(y))
    function, names = compiled(formula, tmp_path)
    got = np.zeros_like(y)
    given = {"n": ctypes.c_int64(5), "x": x.ctypes, "w": w.ctypes, "y": got.ctypes}
    function(
        *[value if name == "n" else value.data_as(ctypes.c_void_p) for name, value in ((n, given[n]) for n in names)]
    )
    same(got, torch.from_numpy(y))


BOTH = "recur[k < n, a < 4, b < 3, s, t[a, b]](0, w[a, b], cos(s) + sum[l < 4](sum[m < 3](t[l, m])), {})"
OWN = {
    "a_column": ("sin(t[a, b]) + x[k]*sum[l < 4](t[l, b])", "recur[k < n, a < 4, t[a]](w[a, 0], {})[i]", "a"),
    "a_number": ("sin(t[a, b]) + x[k]", "recur[k < n, t](w[0, 0], {})", ""),
}


@pytest.mark.parametrize("name", OWN)
def test_an_array_that_needs_fewer_lanes_alone(name, tmp_path):
    """Beside a number that is made of all its elements it has two axes, and fewer without that number."""
    step, alone, lane = OWN[name]
    own = step.replace("t[l, b]", "t[l]").replace("t[a, b]", f"t[{lane}]" if lane else "t")
    formula = tmp_path / "parts.formula"
    formula.write_text(
        "pointwise parts\ntensor x: f32[n] strides [1]\ntensor w: f32[4, 3] strides [3, 1]\n"
        "tensor y: f32[4] strides [1]\nsize n: 1 <= n\n"
        f"y[i] = where({BOTH.format(step)} < 1000, {alone.format(own)} + 1, 3)\n"
    )
    random = np.random.default_rng(4)
    function, names = compiled(formula, tmp_path)
    modules = lift([formula]).modules
    for n in (1, 2, 7):
        x, w = (0.5 * random.standard_normal(shape).astype(np.float32) for shape in ((n,), (4, 3)))
        s, t = 0, w.astype(np.float64)
        for k in range(n):
            s, t = np.cos(s) + t.sum(), np.sin(t) + x[k] * (t.sum(0) if lane else 1)
        assert s < 1000
        expected = torch.from_numpy((t[:, 0] if lane else np.full(4, t[0, 0])) + 1)
        y = np.zeros(4, np.float32)
        given = {key: value.ctypes.data_as(ctypes.c_void_p) for key, value in dict(x=x, w=w, y=y).items()}
        function(*[given[key] if key in given else ctypes.c_int64(n) for key in names])
        same(y, expected)
        same(modules["numpy"](x=x, w=w)["y"], expected)
        same(modules["pytorch"](x=torch.from_numpy(x), w=torch.from_numpy(w))["y"], expected)


@pytest.mark.parametrize("count,emits", [(1, True), (5, False)])
def test_arrays_in_c_leave_the_stack_some_room(count, emits, tmp_path):
    """Each array is made twice, for a step and the one before it; together they are at most 1 MB."""
    names = [f"s{i}" for i in range(count)]
    states, first = ", ".join(f"{s}[a]" for s in names), ", ".join(f"x[a] + {i}" for i in range(count))
    steps = ", ".join(f"sin({s}[a]) + {names[(i + 1) % count]}[65535 - a]" for i, s in enumerate(names))
    formula = tmp_path / "long.formula"
    formula.write_text(
        "pointwise long\ntensor x: f32[65536] strides [1]\ntensor y: f32[65536] strides [1]\nsize n: 1 <= n\n"
        f"y[i] = recur[k < n, a < 65536, {states}]({first}, {steps})[i]\n"
    )
    done = subprocess.run(
        [ASSAY, "lift", "--no-prove", "--emit", "c", formula], capture_output=True, text=True, check=False
    )
    assert ("emit-unsupported" not in done.stdout + done.stderr) == emits, done.stdout + done.stderr


def test_lanes_whose_number_is_not_known_have_no_array_in_c(tmp_path):
    formula = tmp_path / "reversed.formula"
    formula.write_text(
        "pointwise reversed\ntensor x: f32[n] strides [1]\ntensor y: f32[n] strides [1]\nsize n: 1 <= n\n"
        "y[i] = recur[k < n, a < n, s[a]](x[a], s[n - 1 - a] + x[a])[i]\n"
    )
    done = subprocess.run([ASSAY, "lift", "--emit", "c", formula], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "emit-unsupported" in done.stdout + done.stderr
    x = np.arange(3, dtype=np.float32)
    expected = x
    for _ in x:
        expected = expected[::-1] + x
    same(lift([formula]).modules["numpy"](x=x)["y"], torch.from_numpy(expected.copy()))
