"""Random loops of C (tests/loops/random): what is proved of them is what gcc makes of them."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")


def run(count, seed):
    """In a process of its own: it forks for each call."""
    command = [sys.executable, ROOT / "tests/loops/random/run.py", "--functions", str(count), "--seed", seed]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_loops():
    done = run(5, "check-2")
    assert done.returncode == 0, done.stdout + done.stderr
    count = {name: int(n) for n, name in re.findall(r"^ *(\d+) (.*)$", done.stdout, re.M)}
    assert sum(n for name, n in count.items() if name.endswith(": proved")) > 8
    assert count["launches: compared"] > 80


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_loops_full(seed):
    done = run(100, f"full {seed}")
    assert done.returncode == 0, done.stdout + done.stderr
