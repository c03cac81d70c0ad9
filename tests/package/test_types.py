"""A type checker passes over the package, which says that it is typed. Skipped where mypy is not installed (tools/venv.sh extras)."""

import importlib.util
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

COMMAND = [sys.executable, "-m", "mypy"] if importlib.util.find_spec("mypy") else [shutil.which("mypy")]
FLAGS = ["--ignore-missing-imports", "--check-untyped-defs", "--warn-redundant-casts", "--no-implicit-optional"]


@pytest.mark.skipif(not COMMAND[0], reason="mypy is not installed")
def test_a_type_checker_passes(tmp_path):
    assert (ROOT / "python" / "assay" / "py.typed").exists()
    done = subprocess.run(
        [*COMMAND, *FLAGS, "--cache-dir", str(tmp_path), "-p", "assay"],
        cwd=ROOT / "python",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
