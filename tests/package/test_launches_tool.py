"""tools/launches.py on one's own host code: the table of its launches against the bare files and Triton's interpreter."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

triton = pytest.importorskip("triton")
pytest.importorskip("torch")


@pytest.mark.skipif(not triton.__version__.startswith("3.6"), reason="the interpreter is mended for Triton 3.6")
def test_the_launches_of_host_code_tell_no_less_than_the_bare_files(tmp_path):
    here = ROOT / "tests" / "package"
    for name in ("host_code.py", "kernels.py"):
        (tmp_path / name).write_text((here / name).read_text())
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "launches.py", "--all", "--numbers", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    table = [line for line in lines if re.match(r"(as good|slower|WEAKER|excused) ", line)]
    assert len(table) == 4 and all(re.search(r"proved/proved +[\d.]+ +-> +proved/proved", line) for line in table), (
        done.stdout + done.stderr
    )
    assert "4 launches, 4 form, 4 proved, 4 safe, 0 weaker, 0 excused, 0 input" in done.stdout
    assert "4 agrees, 0 refused, 0 DIFFERS, 0 none" in lines[-1]
