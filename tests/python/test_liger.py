"""The third-party part: liger-kernel's kernels are captured, run, and lifted.

It needs the package (tools/triton_tools/liger.py install), which is no part of the repository: without it
these tests are skipped.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from triton_tools.liger import INSTALLED, OUT
from triton_tools.lifted import ASSAY

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (INSTALLED / ".stamp").exists(), reason="liger-kernel is not installed"),
]
SCRIPT = ROOT / "tools/triton_tools/liger.py"


def command(*arguments):
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def compiled():
    done = command("compile")
    assert done.returncode == 0, done.stderr
    return json.loads((OUT / "index.json").read_text())


def test_every_kernel_that_is_launched_is_compiled(compiled):
    assert len({entry["kernel"] for entry in compiled.values()}) >= 85
    for entry in compiled.values():
        text = (OUT / f"{entry['stem']}.ttir").read_text()
        assert str(ROOT) not in text, "locations must not depend on where the checkout lies"


def test_operation_files_match_arguments_by_place(compiled):
    for entry in compiled.values():
        path = OUT / f"{entry['stem']}.json"
        operation = json.loads(path.read_text())
        (launch,) = operation["launches"]
        text = (OUT / launch["file"]).read_text()
        header = re.search(
            rf"tt\.func public @{re.escape(launch['kernel'])}\((.*?)\) attributes", text, re.DOTALL
        ).group(1)
        types = re.findall(r"%\w+: (!tt\.ptr<\w+>|\w+)", header)
        assert list(launch["args"]) == [f"arg{place}" for place in range(len(types))], path.name
        for type_, value in zip(types, launch["args"].values()):
            name = value["tensor"] if isinstance(value, dict) else value
            if type_.startswith("!tt.ptr"):
                dtype = {"f8E4M3FN": "f8"}.get(type_[8:-1], type_[8:-1])
                assert operation["tensors"][name]["dtype"].replace("u", "i") == dtype, path.name
            else:
                assert isinstance(name, (int, float)), path.name


@pytest.mark.full
def test_every_call_runs_in_the_interpreter(compiled):
    done = command("interpret", "--cases", "1")
    assert done.returncode == 0, done.stderr
    assert f"{len(compiled)} of {len(compiled)} specialisations run" in done.stdout


@pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
def test_sixty_kernels_are_lifted(compiled):
    done = command("table", "--at-least", "60")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
