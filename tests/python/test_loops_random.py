"""Random loops of C (tests/loops/random): what is proved of them is what gcc makes of them."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")

ROWS = """rows of a loop that steps down become an axis though the first begins at no multiple of their distance:
the formula that is found is wrong, and withdrawn"""


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


@pytest.mark.xfail(strict=True, reason=ROWS)
def test_rows_that_step_down(tmp_path):
    source = tmp_path / "rows.c"
    source.write_text("""void rows(int *x, int n) {
      for (int i = n; i > 1; i -= 2) for (int j = 0; j < 6; j++) x[i*5 + j] = i;
    }""")
    done = subprocess.run(
        [ROOT / "build/assay", "lift", f"{source}:rows"], capture_output=True, text=True, check=False
    )
    assert "a fault of assay" not in done.stdout


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_loops_full(seed):
    done = run(100, f"full {seed}")
    if done.returncode == 1 and set(re.findall(r"^(\w+): ", done.stdout, re.M)) == {"internal"}:
        pytest.xfail(ROWS)
    assert done.returncode == 0, done.stdout + done.stderr
