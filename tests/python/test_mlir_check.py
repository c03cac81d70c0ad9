"""`assay check` of MLIR functions against Triton kernels, loops of C, references in NumPy and PyTorch, and formulas.

Each pair is compared in both orders. A right one is proved; a wrong one is refuted, with inputs and both values.
"""

import json
import subprocess
from pathlib import Path

import pytest
from triton_tools.lifted import patient

ROOT = Path(__file__).resolve().parents[2]
LIFT, CHECK = ROOT / "tests/mlir/lift", ROOT / "tests/mlir/check"

# what both sides are; of references and loops there is a NAME and a NAME_wrong
PAIRS = [
    ("linalg.mlir:softmax", "reference.py:softmax"),
    ("linalg.mlir:attention", "reference.py:attention"),
    ("linalg.mlir:layer_norm", "reference.py:layer_norm"),
    ("linalg.mlir:gelu_tanh", "reference.py:gelu"),
    ("linalg.mlir:transpose_add", "reference.py:transpose_add"),
    ("linalg.mlir:split_heads", "reference.py:split_heads"),
    ("buffers.mlir:row_norms_strided", "reference.py:row_norms"),
    ("buffers.mlir:row_norms_parallel", "reference.py:row_norms"),
    ("buffers.mlir:dense_strided", "reference.py:dense"),
    ("tosa.mlir:mlp", "reference.py:mlp"),
    ("tosa.mlir:tosa_softmax", "reference.py:softmax"),
    ("loops.mlir:dot", "loops.c:dot"),
    ("loops.mlir:horner", "loops.c:horner"),
    ("loops.mlir:matmul_static", "loops.c:matmul"),
    ("loops.mlir:add_in_place", "loops.c:add_in_place"),
]
FORMULAS = [
    ("linalg.mlir:matmul_bias_relu", "result = relu(a @ b + bias)", "result = relu(a @ b) + bias"),
    ("loops.mlir:row_max", "y = max(x, axis=1)", "y = min(x, axis=1)"),
    ("loops.mlir:axpy", "y = alpha * x[:y_d0] + y", "y = alpha * x[:y_d0] - y"),
]


def check(left, right, *flags):
    sides = [part for side in (left, right) for part in (["-e", side] if " = " in str(side) else [side])]
    done = subprocess.run(patient("check", "--json", *flags, *sides), capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def assert_refuted(left, right):
    code, report = check(left, right)
    assert (code, report["verdict"]) == (1, "refuted"), report["reason"]
    witness = report["witness"]
    assert witness["left"] != witness["right"] and (witness["sizes"] or witness["inputs"])


def cases():
    for left, right in PAIRS:
        yield LIFT / left, CHECK / right, CHECK / f"{right}_wrong"
    for left, right, wrong in FORMULAS:
        yield LIFT / left, right, wrong


CASES = list(cases())


@pytest.mark.parametrize(
    "function, right, wrong", CASES, ids=[f"{f.name}-{str(r).rsplit('/', 1)[-1]}" for f, r, _ in CASES]
)
def test_pair(function, right, wrong):
    for left, other in ((function, right), (right, function)):
        code, report = check(left, other)
        assert (code, report["verdict"], report["safety"]) == (0, "proved", "proved"), report["reason"]
    assert_refuted(function, wrong)
    assert_refuted(wrong, function)


def test_kernel():
    kernel, function = ROOT / "examples/softmax.ttir", LIFT / "linalg.mlir:softmax"
    for left, right in ((function, kernel), (kernel, function)):
        assert check(left, right)[1]["verdict"] == "proved"
    assert_refuted(LIFT / "linalg.mlir:causal_mask", kernel)
    assert_refuted(kernel, LIFT / "linalg.mlir:causal_mask")


def test_index_from_memory():
    """Where an index lies outside, the function is undefined: its left side may be compared, its right side is not proved."""
    function, reference = LIFT / "linalg.mlir:embedding", CHECK / "reference.py:embedding"
    code, report = check(function, reference)
    assert (code, report["verdict"], report["safety"]) == (2, "proved", "unknown")
    code, report = check(reference, function)
    assert (code, report["verdict"]) == (2, "probable")
    assert_refuted(function, CHECK / "reference.py:embedding_wrong")


def test_two_functions():
    """FILE:FUNCTION on both sides of a refinement, whatever their names are."""
    names = [f"buffers.mlir:softmax_rows_{how}" for how in ("strided", "parallel")]
    sides = [LIFT / name for name in names]
    assert check(*sides, "--distinct", "--floats", "real", "--both-ways")[1]["verdict"] == "proved"
    assert check(LIFT / "loops.mlir:row_sum", LIFT / "loops.mlir:prefix_sum")[1]["reason"]["code"] == "signature"
    other = check(LIFT / "loops.mlir:relu_guarded", LIFT / "loops.mlir:prefix_sum", "--floats", "real", "--distinct")
    assert (other[0], other[1]["verdict"]) == (1, "refuted")


UNDEFINED = CHECK / "undefined.mlir"


def test_what_loops_of_branches_need():
    """A precondition of each operation in a loop that branches form is one of the function."""
    done = subprocess.run(
        patient("lift", "--json", f"{UNDEFINED}:quotients"), capture_output=True, text=True, check=False
    )
    assert "max(0, n) <= d_d0" in [
        a["text"] for a in json.loads(done.stdout)["assumptions"] if a["kind"] == "precondition"
    ]


@pytest.mark.parametrize(
    "name, verdict, safety, code",
    [
        ("cancelled_logarithm", "proved", "unknown", None),
        ("poison", "unknown", "refuted", "no-launch"),
        ("sum_of_poison", "unknown", "refuted", "no-launch"),
        ("poison_in_part", "proved", "refuted", None),
        ("no_overflow", "proved", "unknown", None),
        ("overflow", "proved", "proved", None),
        ("quotient", "proved", "unknown", None),
        ("outside", "unknown", "refuted", "no-launch"),
        ("call", "unknown", "unknown", "unsupported-op"),
        ("freed", "unknown", "unknown", "unsupported-op"),
        ("forever", "unknown", "unknown", ...),
        ("branch_on_poison", "unknown", "refuted", "no-launch"),
        ("quotients", "proved", "unknown", None),
        ("poison_in_place", "proved", "unknown", None),
        ("same_in_place", "proved", "proved", None),
        ("second_number", "proved", "proved", None),
        ("never", "unknown", "unknown", "no-launch"),
        ("far", "proved", "proved", None),
    ],
)
def test_lift_of_what_is_not_always_defined(name, verdict, safety, code):
    done = subprocess.run(
        patient("lift", "--json", f"{UNDEFINED}:{name}"), capture_output=True, text=True, check=False
    )
    report = json.loads(done.stdout)
    assert (report["verdict"], report["safety"]) == (verdict, safety)
    own = (report["reason"] or {}).get("code")
    assert own if code is ... else own == code  # any reason
    assert done.returncode == (0 if verdict == safety == "proved" else 1 if safety == "refuted" else 2)
    findings = [o for o in report["obligations"] if o["verdict"] == "refuted"]
    assert (safety == "refuted") == bool(findings) and all(
        o["witness"]["left"] != o["witness"]["right"] for o in findings
    )


@pytest.mark.parametrize(
    "name, formula, as_left, as_right",
    [
        ("cancelled_logarithm", "result = 0 * x", "proved", "probable"),
        ("cancelled_logarithm", "result = 0 * x + 1", "refuted", "refuted"),
        ("no_overflow", "result = a + b", "proved", "probable"),
        ("overflow", "result = a - b", "refuted", "refuted"),
        ("poison_in_part", "result = concat(x, x[:2], axis=0)", "proved", "refuted"),
        ("poison_in_part", "result = concat(x[1:], x[:3], axis=0)", "refuted", "refuted"),
        ("sum_of_poison", "result = sum(x)", "unknown", "unknown"),
        ("sum_of_poison", "result = sum(x) + 1", "unknown", "unknown"),
        ("poison", "result = index(n) + 0.5", "unknown", "unknown"),
        ("branch_on_poison", "result = b", "unknown", "unknown"),
        ("quotients", "result = 9", "proved", "probable"),
        ("quotients", "result = 8", "refuted", "refuted"),
        ("poison_in_place", "y = 1", "unknown", "unknown"),
        ("same_in_place", "y = 1", "proved", "proved"),
        ("same_in_place", "y = 2", "refuted", "refuted"),
        ("second_number", "result = 2", "proved", "proved"),
        ("second_number", "result = 3", "refuted", "refuted"),
        ("never", "result = x[1]", "unknown", "unknown"),
    ],
)
def test_nothing_is_claimed_where_the_left_is_undefined(name, formula, as_left, as_right):
    """On the right, what may be undefined is not proved: where the left is defined, it must be."""
    function = f"{UNDEFINED}:{name}"
    assert check(function, formula)[1]["verdict"] == as_left
    assert check(formula, function)[1]["verdict"] == as_right
