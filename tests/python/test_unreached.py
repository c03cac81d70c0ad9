"""Random evaluation looks where bugs are, and where it cannot, the text says what was not reached (semantics.md, section 8)."""

import json
from pathlib import Path

import pytest
from triton_tools.compile_once import compiled_forms
from triton_tools.lifted import ASSAY, lift, run

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
HERE = Path(__file__).resolve().parent
KERNELS = HERE / "samples" / "unreached.py"


@pytest.fixture(scope="module")
def kernels():
    folder = compiled_forms(KERNELS)
    return lambda name: folder / f"unreached.{name}.ttir"


def check(*sides):
    return json.loads(run("check", *sides, "--json").stdout)


def operation(path, kernel, folder):
    tensor = {"dtype": "i32", "shape": ["n"]}
    launch = {"file": str(path), "kernel": kernel, "grid": ["n"], "args": {"x_ptr": "x", "y_ptr": "y", "n": "n"}}
    file = folder / f"{kernel}.json"
    file.write_text(
        json.dumps({"schema": 1, "name": kernel, "tensors": {"x": tensor, "y": tensor}, "launches": [launch]})
    )
    return file


def test_what_a_large_block_forgets_is_refuted(kernels):
    """At no size below 65537 it shows."""
    for against in (["-e", "y_ptr[0] = sum(x_ptr)"], [kernels("all")]):
        answer = check(kernels("last"), *against)
        assert answer["verdict"] == "refuted", answer["reason"]
        assert answer["witness"]["sizes"]["n"] > 1 << 16
        assert check(kernels("all"), *against)["verdict"] == "proved"


def test_a_size_that_no_launch_has_is_named(kernels):
    """Of a block of 2^20 the sums over three blocks are too long to be drawn."""
    answer = check(kernels("last_of_huge"), "-e", "y_ptr[0] = sum(x_ptr)")
    assert answer["verdict"] == "probable"
    assert "not reached: a size of more than two blocks of 1048576" in answer["reason"]["text"]


def test_an_arm_that_no_small_launch_takes_is_named(kernels, tmp_path):
    """Neither has a form, so both are run; that they differ for n > 2^20 no launch shows."""
    left, right = (operation(kernels(name), name, tmp_path) for name in ("steps", "steps_of_many"))
    same = check(left, left)
    assert same["verdict"] == "unknown" and "agree in" in same["reason"]["text"]
    assert "not reached" not in same["reason"]["text"]
    line = KERNELS.read_text().splitlines().index("    if n > MOST:") + 1
    reason = check(left, right)["reason"]["text"]
    assert f"not reached: the arm of the branch at unreached.py:{line}" in reason


def test_a_loop_that_no_launch_repeats_is_named():
    """A loop of two iterations at most, whatever the launch is."""
    path = compiled_forms(HERE / "forms" / "causal_stages.py") / "causal_stages.bias_late.ttir"
    reason = lift([path]).report["reason"]["text"]
    assert "random evaluation agrees" in reason
    assert "not reached: three iterations of the loop at causal_stages.py:79 (most: 1)" in reason
