"""Rows at a literal distance: they are as short as that (test_given.py)."""

import triton
import triton.language as tl


@triton.jit
def close_rows(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * 16 + i, tl.load(x_ptr + row * 16 + i, mask=i < n), mask=i < n)


FORMS = {
    "close_rows": {
        "kernel": close_rows,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 32},
        "formula": "x_ptr",
    }
}
