"""The corpus of kernels with loops as a whole: every kernel has its cases, an expected formula per output
that was written by hand, and (for operators of several kernels) an operation file.

That kernels agree with their references is test_interpreter.py's; here the formulas of
examples/kernels/expected/loops are evaluated, `raw` and `text`, in float64 on the inputs of the launch,
and agree with the same references. So a formula that is compared with a lifter's is itself right.
"""

import copy
import json

import pytest
import torch
from triton_tools import paths
from triton_tools.case import all_cases
from triton_tools.formulas import environment, evaluate
from triton_tools.interpret import capture, inputs_of

EXPECTED = paths.EXPECTED / "loops"
LOOPS = {name: case for name, case in all_cases().items() if name.startswith("loops/")}


@pytest.mark.parametrize("name", list(LOOPS))
def test_expected_formulas_are_right(name):
    case, expected = LOOPS[name], json.loads((EXPECTED / f"{name.split('/')[1]}.json").read_text())
    for number in (0, 5, 11, case.cases - 1):
        inputs = inputs_of(case, number)
        want = case.reference(**copy.deepcopy(inputs))
        assert set(want) == set(expected["outputs"]), "a formula for each output"
        names = environment(capture(case, number, inputs))
        for output, value in want.items():
            for kind in ("raw", "text"):
                got = evaluate(expected["outputs"][output][kind], names, expected.get("let")).double()
                value = torch.as_tensor(value).double()
                assert got.numel() == value.numel(), (output, kind, got.shape, value.shape)
                error = ((got.reshape(value.shape) - value).abs() / value.abs().clamp(min=1)).max()
                # a forward result among the inputs is rounded, the reference computes it again
                assert error <= (case.tolerance if "out" in inputs else 1e-6), (output, kind, number, float(error))


def test_every_kernel_has_twenty_cases():
    assert {case.module for case in LOOPS.values()} == {
        f"loops/{path.stem}" for path in (paths.KERNELS / "loops").glob("*.py")
    }
    assert all(case.cases >= 20 and case.reference for case in LOOPS.values())


def test_operation_files_name_what_is_compiled():
    """Files, kernels and arguments of examples/kernels/operators are those of the cases with several kernels."""
    several = {
        case.stem(kernel): kernel for case in LOOPS.values() if len(case.kernels) > 1 for kernel in case.kernels
    }
    used = set()
    for path in sorted((paths.KERNELS / "operators").glob("*.json")):
        operation = json.loads(path.read_text())
        for launch in operation["launches"]:
            compiled = (path.parent / launch["file"]).resolve()
            stem = str(compiled.relative_to(paths.ttir_folder()).with_suffix(""))
            kernel = several[stem]
            used.add(stem)
            assert launch["kernel"] == kernel.name
            types = kernel.signature()
            for name, value in launch["args"].items():
                assert name in types, (path.name, name)
                if types[name].startswith("*"):
                    dtype = operation["tensors"][value]["dtype"]
                    assert types[name] == "*" + {"f32": "fp32", "f16": "fp16", "bf16": "bf16"}.get(dtype, dtype), (
                        path.name,
                        name,
                    )
            assert {name for name, kind in types.items() if kind.startswith("*")} <= set(launch["args"])
    assert used == set(several), "an operation file for each operator of several kernels"
