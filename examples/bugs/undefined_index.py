"""A masked load of indices without `other`; the next load uses the undefined index under no mask."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "table_ptr:*fp32 ids_ptr:*i32 out_ptr:*fp32 n:i32 rows:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"table": ("f32", "rows"), "ids": ("i32", "n"), "out": ("f32", "n")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 5, "rows": 9, "ids": [0, 8, 3, 3, 7]},
    "detect": "bounds",
}


@triton.jit
def undefined_index_bug(table_ptr, ids_ptr, out_ptr, n, rows, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + index, mask=index < n)
    x = tl.load(table_ptr + ids)
    tl.store(out_ptr + index, x, mask=index < n)


@triton.jit
def undefined_index_fixed(table_ptr, ids_ptr, out_ptr, n, rows, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + index, mask=index < n)
    known = (index < n) & (ids >= 0) & (ids < rows)
    x = tl.load(table_ptr + ids, mask=known, other=0.0)
    tl.store(out_ptr + index, x, mask=index < n)
