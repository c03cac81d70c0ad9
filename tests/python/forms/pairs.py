"""Pairs within the rows of heads: four axes, of which an operation file may see the rows as two, and a pair as part of a row
(tests/python/test_given.py)."""

import triton
import triton.language as tl


@triton.jit
def rotate(x_ptr, y_ptr, stride, HEADS: tl.constexpr, HALF: tl.constexpr, BLOCK: tl.constexpr):
    head, pair = tl.program_id(1), tl.arange(0, BLOCK)
    at = tl.program_id(0) * stride + head * 2 * HALF + 2 * pair
    if head < HEADS:
        a, b = tl.load(x_ptr + at, mask=pair < HALF), tl.load(x_ptr + at + 1, mask=pair < HALF)
        tl.store(y_ptr + at, a - b, mask=pair < HALF)
        tl.store(y_ptr + at + 1, a + b, mask=pair < HALF)


FORMS = {
    "rotate": {
        "kernel": rotate,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "stride": "i32"},
        "constexprs": {"HEADS": 4, "HALF": 8, "BLOCK": 16},
        "formula": ("expand(x_ptr[:, :, ::2], 3) + stack(-x_ptr[:, :, 1::2], x_ptr[:, :, 1::2], axis=3)"),
    },
}
