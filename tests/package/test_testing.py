"""Assertions. References stand beside the tests that use them, as in a user's file."""

import pytest

import assay
from assay.testing import assert_equivalent

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import kernels  # noqa: E402


def add(x, y):
    return x + y


def launch(kernel):
    x = torch.empty(1000)
    return assay.trace(kernel)[(4,)].launches(x, x.clone(), torch.empty_like(x), 1000, BLOCK=256)


def test_a_right_kernel_passes_and_gives_its_result():
    assert assert_equivalent(launch(kernels.add_kernel), add).verdict == "proved"


def test_a_wrong_kernel_fails_with_element_sizes_and_values():
    with pytest.raises(AssertionError) as caught:
        assert_equivalent(launch(kernels.wrong_add_kernel), add)
    text = str(caught.value)
    for word in ("First element that differs", "Kernel:", "Reference:", "x_ptr - y_ptr", "Stored at: kernels.py:"):
        assert word in text, text


def test_the_line_that_repeats_it_gives_the_value_of_the_kernel(capsys):
    pytest.importorskip("numpy")
    kernel = launch(kernels.wrong_add_kernel)
    with pytest.raises(AssertionError) as caught:
        assert_equivalent(kernel, add)
    lines = {
        line.split(": ")[0].strip(): line.split(": ", 1)[1] for line in str(caught.value).splitlines() if ": " in line
    }
    exec(lines["To repeat it"], {"assay": assay, "kernel": kernel})
    assert float(capsys.readouterr().out) == pytest.approx(float(lines["Kernel"]), rel=1e-5)


def copy(x):
    return x


def test_an_access_outside_fails_although_values_are_right():
    x = torch.empty(1000)
    made = assay.trace(kernels.wrong_mask_kernel)[(4,)].launches(x, torch.empty_like(x), 1000, BLOCK=256)
    with pytest.raises(AssertionError, match="kernels.py:.*bounds refuted"):
        assert_equivalent(made, copy)


def test_the_weakest_verdict_is_a_choice():
    with pytest.raises(ValueError):
        assert_equivalent(launch(kernels.add_kernel), add, at_least="unknown")
