"""Trace and capture with other releases of Triton (tools/venv.sh 3.1.0 ..), each in a process of its own."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

pytestmark = pytest.mark.full


@pytest.mark.parametrize("release", ["3.1.0", "3.2.0", "3.3.1", "3.4.0", "3.5.1", "3.7.1", "3.8.0", "3.9.0"])
def test_launches_of_another_release(release):
    installed = ROOT / "build" / f"triton-{release}"
    if not installed.exists():
        pytest.skip(f"Triton {release} is not installed")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TRITON", "PYTEST"))}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-k",
            "not module_compiles and not five_verdicts",
            "tests/package/test_launches.py",
            "tests/package/test_layouts.py",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**environment, "PYTHONPATH": str(installed)},
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
