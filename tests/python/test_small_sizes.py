"""Emitted modules at the sizes where loops do not run, and where a number that they divide by is 0: what the kernel gives, in its
shape (tests/python/forms/empty_loops.py)."""

from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, lift

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
RANDOM = np.random.default_rng(3)


@pytest.fixture(scope="module")
def emitted():
    compiled_forms(ROOT / "tests" / "python" / "forms" / "empty_loops.py")
    return {
        name: lift([FOLDER / f"empty_loops.{name}.ttir"], "--no-prove").modules
        for name in [*EXPECTED, "shifted", "lifted"]
    }


def first(row, least):
    return next((k for k, v in enumerate(row) if v >= least), len(row))


def from_first_on(row, key, st):
    rest = row[first(row, key) :]
    return first(rest, st)


EXPECTED = {
    "down_to_one": lambda row: sum(v * 0.5**k for k, v in enumerate(row[1:])),
    "pairs": lambda row: sum(row[i] * row[j] for i in range(len(row)) for j in range(i)),
    "largest_but_one": lambda row, h: max((v for k, v in enumerate(row) if k != h), default=-np.inf),
    "from_first_on": from_first_on,
}


def call(modules, framework, x, **more):
    given = x if framework == "numpy" else torch.from_numpy(x)
    return np.asarray(modules[framework](x_ptr=given, **more)["y_ptr"])


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("name", ["down_to_one", "pairs"])
def test_loops_that_do_not_run(name, n, framework, emitted):
    x = RANDOM.standard_normal((4, n)).astype(np.float32)
    got = call(emitted[name], framework, x)
    assert got.shape == (4,)
    np.testing.assert_allclose(got, [EXPECTED[name](row) for row in x], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("n, h", [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 5)])
def test_maximum_of_a_range_that_is_empty(n, h, framework, emitted):
    x = RANDOM.standard_normal((4, n)).astype(np.float32)
    memory = np.concatenate(
        [x.ravel(), RANDOM.standard_normal(max(0, h - n)).astype(np.float32)]
    )  # the first loop does not look at n
    rows = [memory[n * row : n * row + max(n, h)] for row in range(4)]
    got = call(emitted["largest_but_one"], framework, memory, n=n, h=h, grid_x=4)
    np.testing.assert_allclose(got, [EXPECTED["largest_but_one"](row, h) for row in rows], rtol=1e-6)


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("n, key", [(1, 0), (1, 9), (2, 9), (3, 2), (5, 2)])
def test_searches_that_end_at_once(n, key, framework, emitted):
    x = RANDOM.integers(0, 4, (6, n)).astype(np.int32)
    got = call(emitted["from_first_on"], framework, x, key=key, st=3)
    np.testing.assert_array_equal(got, [from_first_on(list(row), key, 3) for row in x])


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("a, b", [(1.0, 0.0), (-1.0, 0.0), (-2.0, 0.0), (3.0, -0.0), (3.0, 2.0)])
def test_numbers_are_divided_as_arrays_are(a, b, framework, emitted):
    x = RANDOM.standard_normal(3).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = x + np.divide(np.float32(1 + a), np.float32(b))
    np.testing.assert_allclose(call(emitted["shifted"], framework, x, a=a, b=b), expected, rtol=1e-6)
    with np.errstate(all="ignore"):
        expected = x + np.sqrt(np.float32(a - b))
    np.testing.assert_allclose(call(emitted["lifted"], framework, x, a=a, b=b), expected, rtol=1e-6)
