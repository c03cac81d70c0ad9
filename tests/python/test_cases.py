"""Small inputs that once led to a false verdict or a false alarm of `check` and of launches, with the exit codes that are right."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from triton_tools.lifted import ASSAY, patient

CASES = Path(__file__).parent / "cases"
RIGHT = {
    # types: u8 of an operation file, conversions and functions of libraries, integers of any size
    "check r13_bug_u8.json references.py:dequant_u8": (1,),
    "check r13_fixed_u8.json references.py:dequant_u8": (0,),
    "check r13_fixed_u8.json references.py:dequant_i8": (0,),
    "lift b10.llr.ttir": (1, 2),
    "check b1.absdev.ttir b1.absint.ttir": (0,),
    "check b21.u_erfinv.ttir b21.u_erfinv.ttir": (0,),
    "lift b23.ex2.ttir": (0, 2),
    "check literal_b.ttir -e 'y = bitxor(x, -9223372000000000000)'": (0,),
    "check literal_b.ttir -e 'y = bitxor(x, -9223372000000000001)'": (1,),
    # what a launch says
    "check r92_32c_num.json references.py:rows_checked": (0, 2),
    "lift r90_q_where.ttir": (0, 2),
    "lift r94_temp_ok.json": (0,),
    "lift r94_temp_bad.json": (1,),
    "check r93_two.json references.py:two": (0,),
    "check r93_two.json references.py:two_without_shift": (1,),
    # wrong beyond two blocks
    "check r93_shift.json references.py:shift": (1,),
}


@pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
@pytest.mark.parametrize("command", RIGHT)
def test_case(command):
    done = subprocess.run(
        patient(*shlex.split(command), "--json"), cwd=CASES, capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout)
    assert done.returncode in RIGHT[command], (
        answer["verdict"],
        answer["safety"],
        answer["reason"],
        answer["witness"],
    )
    assert (answer["reason"] or {}).get("code") != "lift-mismatch"
