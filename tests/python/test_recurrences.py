"""Emitted modules of recurrences without a closed form (tests/python/forms/recurrences.py): loops that go step by step, against the
same loops in Python."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.forms import FOLDER
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


@pytest.fixture(scope="module")
def emitted():
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    path = ROOT / "tests" / "python" / "forms" / "recurrences.py"
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/triton_tools/forms.py"), str(path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name: lift([FOLDER / f"recurrences.{name}.ttir"], "--no-prove").modules for name in EXPECTED}


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
