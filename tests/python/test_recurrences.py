"""Emitted modules of recurrences without a closed form (tests/python/forms/recurrences.py, lane_recurrences.py): loops that go
step by step, against the same loops in Python; those of arrays also against the kernels themselves in Triton's interpreter.
"""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
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
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    paths = [str(ROOT / "tests" / "python" / "forms" / name) for name in ("recurrences.py", "lane_recurrences.py")]
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/triton_tools/forms.py"), *paths],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
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


SHAPES = {
    "powers": {"w_ptr": (64,), "x_ptr": (8,), "y_ptr": (8,)},
    "delta_rule": {"k_ptr": ("n", 8), "v_ptr": ("n", 5), "b_ptr": ("n",), "o_ptr": ("n", 5), "s_ptr": (8, 5)},
    "inverse_by_rows": {"a_ptr": (64,), "y_ptr": (64,)},
    "balanced": {"x_ptr": (64,), "y_ptr": (64,)},
}


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("name", ARRAYS)
def test_modules_of_carried_arrays_are_the_kernel(name, n, emitted):
    """One element is a recurrence of all elements: of one state that every step reads at other places than its own."""
    form, random = ARRAYS[name], np.random.default_rng(n)
    kernel, shapes = form["kernel"], SHAPES[form["kernel"].__name__]
    tensors = {
        key: torch.from_numpy(0.5 * random.standard_normal([n if e == "n" else e for e in shape])).float()
        for key, shape in shapes.items()
    }
    scalars = {key: {"n": n, "d": 5}[key] for key, kind in form["types"].items() if kind == "i32"}
    given = {key: value.clone() for key, value in tensors.items()}
    kernel[(1,)](*tensors.values(), *scalars.values(), **form["constexprs"])
    for framework in ("numpy", "pytorch"):
        module = emitted[name][framework]
        inputs = {key: value for key, value in given.items() if key in parameters(module)}
        if framework == "numpy":
            inputs = {key: value.numpy() for key, value in inputs.items()}
        if "k_ptr" in inputs:
            inputs["k_ptr"] = inputs["k_ptr"].reshape(-1)
        sizes = {key: value for key, value in scalars.items() if key in parameters(module)}
        for key, value in module(**inputs, **sizes).items():
            np.testing.assert_allclose(np.asarray(value), tensors[key].numpy(), rtol=1e-4, atol=1e-4)
