"""The wheel, in a fresh virtual environment: nothing of the checkout is on the path, and the README's lines run."""

import os
import subprocess
import sys
import sysconfig
import textwrap

import pytest
from conftest import ROOT

pytest.importorskip("torch")
pytest.importorskip("triton")
pytestmark = pytest.mark.full


def test_the_wheel_runs_the_lines_of_the_readme(tmp_path):
    subprocess.run(["make", "wheel"], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (ROOT / "build" / "dist").glob("assay-*.whl")
    python = tmp_path / "fresh" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    # Triton and PyTorch are those of the tests; the package is not among them.
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    with open(os.path.join(own, "others.pth"), "w", encoding="utf-8") as file:
        file.write(sysconfig.get_path("purelib") + "\n")
    text = (ROOT / "README.md").read_text().split("### From Python", 1)[1].split("###", 1)[0]
    code = textwrap.dedent("\n".join(line for line in text.splitlines() if line.startswith("    ") or not line))
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "examples" / "kernels")}
    done = subprocess.run(
        [python, "-c", code + "\nprint(assay.__file__)"],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "verdict     proved" in done.stdout and "x_ptr + y_ptr" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(str(tmp_path)), "the package of the wheel, not of the checkout"
    program = subprocess.run(
        [python.parent / "assay", "lift", ROOT / "examples" / "softmax.ttir"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == 0, program.stderr
