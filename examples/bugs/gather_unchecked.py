"""Rows are picked by indices from memory that nobody checks."""

import triton
import triton.language as tl

SPEC = {
    "kind": "bounds",
    "types": "table_ptr:*fp32 ids_ptr:*i64 out_ptr:*fp32 rows:i32 dim:i32",
    "constexprs": {"BLOCK": 16},
    "assume": ["dim <= 16"],
    "tensors": {"table": ("f32", "rows", "dim"), "ids": ("i64", "T"), "out": ("f32", "T", "dim")},
    "grid": ["T"],
    "sample": {"T": 3, "rows": 4, "dim": 5, "ids": [0, 9, -2]},
}


@triton.jit
def gather_unchecked_bug(table_ptr, ids_ptr, out_ptr, rows, dim, BLOCK: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + token)
    x = tl.load(table_ptr + row * dim + cols, mask=cols < dim, other=0.0)
    tl.store(out_ptr + token * dim + cols, x, mask=cols < dim)


@triton.jit
def gather_unchecked_fixed(table_ptr, ids_ptr, out_ptr, rows, dim, BLOCK: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + token)
    known = (row >= 0) & (row < rows)
    x = tl.load(table_ptr + row * dim + cols, mask=(cols < dim) & known, other=0.0)
    tl.store(out_ptr + token * dim + cols, x, mask=cols < dim)
