"""Each kernel, run by its own host function in Triton's interpreter, gives what its reference gives."""

import numpy as np
import pytest
import torch
from triton_tools.case import EACH_TIME, all_cases
from triton_tools.interpret import captured, inputs_of


def check(case, index):
    expected = case.reference(**inputs_of(case, index))
    launches = captured(case, index)
    assert launches, "the host function launched nothing"
    for name, value in expected.items():
        launch = next(launch for launch in reversed(launches) if name in launch)
        got = launch[name].after.double()
        value = torch.as_tensor(np.asarray(value)).double()
        assert tuple(got.shape) == tuple(value.shape), name
        error = (got - value).abs() / value.abs().clamp(min=1)
        same = (got == value) | (got.isnan() & value.isnan())  # infinities and agreed NaNs
        worst = torch.where(same, torch.zeros_like(error), error).nan_to_num(nan=float("inf"))
        worst = float(worst.max()) if worst.numel() else 0.0
        assert worst <= case.tolerance, f"{name}: off by {worst:.3g} in case {index}"


NAMES = [name for name, case in all_cases().items() if case.reference]


@pytest.mark.parametrize("name", NAMES)
def test_kernel_agrees_with_its_reference(name):
    for index in range(EACH_TIME):
        check(all_cases()[name], index)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_kernel_agrees_with_its_reference_on_all_cases(name):
    case = all_cases()[name]
    for index in range(EACH_TIME, case.cases):
        check(case, index)


@pytest.mark.parametrize("name", list(all_cases()))
def test_types_of_the_case_are_those_of_the_launch(name):
    """What is compiled is what the host function launches."""
    case = all_cases()[name]
    types = {}
    for launch in captured(case, 0):
        types.setdefault(launch.kernel, launch)
    for kernel in case.kernels:
        launch = types[kernel.name]
        for argument in launch.arguments:
            declared = kernel.signature().get(argument.name)
            if declared and argument.kind == "scalar" and argument.type != declared:
                # a Python int or float fits any type of its kind
                assert argument.type[0] == declared[0] or declared in ("fp64", "i64"), argument.name
            elif declared:
                assert argument.type == declared, argument.name
            elif argument.kind == "tensor":
                raise AssertionError(f"{argument.name} is a tensor but has no type in the case")
        names = [argument.name for argument in launch.arguments]
        assert [n for n in names if n in kernel.signature()] == list(kernel.signature()), "arguments in order"
