"""Two halves of one output, written by the same programs, one behind the other."""

import triton
import triton.language as tl


@triton.jit
def halves(x_ptr, y_ptr, n, GAP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)
    tl.store(y_ptr + n + GAP + i, -x, mask=i < n)


def form(gap, formula, **more):
    return {
        "kernel": halves,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"GAP": gap, "BLOCK": 128},
        "formula": formula,
        **more,
    }


BOTH = "concat(relu(x_ptr), -x_ptr, axis=0)"
FORMS = {"halves": form(0, BOTH), "overlapping": form(-1, BOTH, wrong=True), "with_a_gap": form(1, BOTH, wrong=True)}
