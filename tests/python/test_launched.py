"""What a real launch leaves behind: specialised TTIR that Triton accepts, and an operation file for it."""

import json
import os
import subprocess
import sys

from conftest import ROOT

ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
COMMAND = [sys.executable, str(ROOT / "tools/triton_tools/corpus.py")]
FOLDER = ROOT / "build" / "corpus" / "launched"


def launched(*arguments):
    subprocess.run([*COMMAND, "launched", *arguments], env=ENVIRONMENT, check=True, capture_output=True)


def test_unit_strides_vanish_and_places_are_those_of_the_text():
    launched("--case", "3", "softmax", "sub", "swiglu_backward", "transpose")
    files = []
    for name in ("softmax", "sub", "swiglu_backward", "transpose"):
        operation = json.loads((FOLDER / f"{name}.operation.json").read_text())
        (launch,) = operation["launches"]
        files.append(FOLDER / launch["file"])
        text = files[-1].read_text()
        header = next(line for line in text.splitlines() if f"tt.func public @{launch['kernel']}(" in line)
        assert header.count(" loc(") == len(launch["args"]), header
        for tensor in (value for value in launch["args"].values() if isinstance(value, str)):
            assert tensor in operation["tensors"]
        assert "stride_on" not in header if name == "sub" else "tt.divisibility = 16 : i32" in header
    assert (
        subprocess.run([*COMMAND, "accept", *files], env=ENVIRONMENT, check=False, capture_output=True).returncode == 0
    )


def test_two_kernels_share_the_tensor_between_them():
    launched("--case", "5", "loops/sum_two_launch")
    operation = json.loads((FOLDER / "loops/sum_two_launch.operation.json").read_text())
    first, second = operation["launches"]
    assert set(first["args"].values()) & set(second["args"].values()) & set(operation["tensors"])
