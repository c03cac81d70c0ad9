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
    done = run(2, "check-2")
    assert done.returncode == 0, done.stdout + done.stderr
    count = {name: int(n) for n, name in re.findall(r"^ *(\d+) (.*)$", done.stdout, re.M)}
    assert sum(n for name, n in count.items() if name.endswith(": proved")) > 4
    assert count["launches: compared"] > 40


@pytest.mark.xfail(
    strict=True, reason="NumPy computes products of whole numbers in int64, of a float too, and they wrap"
)
def test_powers(tmp_path):
    source, module = tmp_path / "powers.c", tmp_path / "powers.py"
    source.write_text("""float powers(const float *y, int n) {
      float s = 1; for (int i = 0; i < n; i++) if (y[i] > 0) s = s * 2 + 1; return s;
    }""")
    subprocess.run([ROOT / "build/assay", "lift", "--emit", "numpy", "-o", module, f"{source}:powers"], check=True)
    names = {}
    exec(module.read_text(), names)
    assert names["powers"](y=[1] * 70)["result"] > 2.0**70


@pytest.mark.full
@pytest.mark.parametrize("seed", range(16))
def test_loops_full(seed):
    done = run(100, f"full {seed}")
    assert done.returncode == 0, done.stdout + done.stderr
