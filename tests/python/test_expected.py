"""The formulas of examples/kernels/expected/ were written by hand before any kernel was lifted. Here they
are evaluated, `raw` and `text`, on the inputs of real launches, and agree with what the launches wrote:
so a lifter that disagrees with a formula is wrong, not the formula."""

import pytest
import torch
from triton_tools import paths
from triton_tools.case import all_cases
from triton_tools.formulas import environment, evaluate, expected, fit
from triton_tools.interpret import captured

NAMES = [name for name in all_cases() if "/" not in name]


@pytest.mark.parametrize("name", NAMES)
def test_every_written_tensor_has_a_formula(name):
    launches = captured(all_cases()[name], 4)
    written = {
        a.name
        for launch in launches
        for a in launch.arguments
        if a.kind == "tensor" and launch.storages[a.storage].before != launch.storages[a.storage].after
    }
    assert written - {"out_ptr"} <= set(expected(name)["outputs"])
    assert set(expected(name)["outputs"]) <= {a.name for launch in launches for a in launch.arguments}


def check(name, index):
    case, formulas = all_cases()[name], expected(name)
    launches = captured(case, index)
    names = environment(launches)
    for output, formula in formulas["outputs"].items():
        got = launches[-1][output].after.double()
        for kind in ("raw", "text"):
            value = fit(evaluate(formula[kind], names, formulas.get("let")), got.shape)
            error = ((got - value).abs() / value.abs().clamp(min=1)).max()
            assert error <= max(case.tolerance, 1e-6), f"{output} ({kind}), case {index}: off by {error:.3g}"


@pytest.mark.parametrize("name", NAMES)
def test_formula_is_what_the_kernel_computes(name):
    for index in (0, 3, 6):
        check(name, index)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_formula_is_what_the_kernel_computes_in_all_cases(name):
    for index in range(all_cases()[name].cases):
        check(name, index)


def test_no_formula_without_a_kernel():
    assert {path.stem for path in paths.EXPECTED.glob("*.json")} == set(NAMES)


def test_a_wrong_formula_is_noticed():
    launches = captured(all_cases()["softmax"], 3)
    value = fit(
        evaluate("exp(x_ptr) / sum(exp(x_ptr), axis=0)", environment(launches)), launches[-1]["out_ptr"].after.shape
    )
    assert not torch.allclose(value, launches[-1]["out_ptr"].after.double())
