"""Mean of the selected elements of a row: 0 / 0 where none is selected."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "x_ptr:*fp32 keep_ptr:*i8 out_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols"), "keep": ("i8", "M", "n_cols"), "out": ("f32", "M")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 3, "keep": [1, 0, 1, 0, 0, 0]},
}


@triton.jit
def mean_of_nothing_bug(x_ptr, keep_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    keep = tl.load(keep_ptr + row + cols, mask=cols < n_cols, other=0) != 0
    count = tl.sum(tl.where(keep, 1.0, 0.0), axis=0)
    tl.store(out_ptr + tl.program_id(0), tl.sum(tl.where(keep, x, 0.0), axis=0) / count)


@triton.jit
def mean_of_nothing_fixed(x_ptr, keep_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    keep = tl.load(keep_ptr + row + cols, mask=cols < n_cols, other=0) != 0
    count = tl.sum(tl.where(keep, 1.0, 0.0), axis=0)
    tl.store(out_ptr + tl.program_id(0), tl.sum(tl.where(keep, x, 0.0), axis=0) / tl.maximum(count, 1.0))
