"""Rows stored where memory says: that two rows do not go to one place is data, so that the race is neither shown nor refuted. Where
the kernel reads the place before it stores to it, as a histogram without atomics does, repeated places lose an addition.
"""

import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, index_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    to = tl.load(index_ptr + row).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    tl.store(y_ptr + to * n_cols + cols, tl.load(x_ptr + row * n_cols + cols, mask=mask), mask=mask)


@triton.jit
def added(x_ptr, index_ptr, y_ptr):
    row = tl.program_id(0)
    to = tl.load(index_ptr + row)
    tl.store(y_ptr + to, tl.load(y_ptr + to) + tl.load(x_ptr + row))


FORMS = {
    "rows": {
        "kernel": rows,
        "types": {"x_ptr": "*fp32", "index_ptr": "*i32", "y_ptr": "*fp32", "n_cols": "i32"},
        "constexprs": {"BLOCK": 64},
        "race": "unknown",
    },
    "added": {
        "kernel": added,
        "types": {"x_ptr": "*fp32", "index_ptr": "*i32", "y_ptr": "*fp32"},
        "constexprs": {},
        "race": "refuted",
    },
}
