"""Random loops of C (tests/loops/random): what is proved of them is what gcc makes of them."""

import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")


def checked(count, seed, *options):
    """Runs it in a process of its own: it forks for each call."""
    command = [sys.executable, ROOT / "tests/loops/random/run.py", "--functions", str(count), "--seed", seed, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name.strip(): int(n) for n, name in (line.split(None, 1) for line in done.stdout.splitlines()[:-1])}


def test_loops():
    count = checked(5, "check-2")
    assert sum(n for name, n in count.items() if name.endswith(": proved")) > 8
    assert count["launches: compared"] > 80


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_loops_full(seed):
    checked(100, f"full {seed}")
