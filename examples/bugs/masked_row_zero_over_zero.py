"""Softmax under a mask tensor: a row that is masked entirely is (-inf) - (-inf); the fix gives 0 there."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "x_ptr:*fp32 keep_ptr:*i8 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols"), "keep": ("i8", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 2, "n_cols": 3, "keep": [1, 0, 1, 0, 0, 0]},
}


@triton.jit
def masked_row_zero_over_zero_bug(x_ptr, keep_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf"))
    keep = tl.load(keep_ptr + row + cols, mask=cols < n_cols, other=0)
    x = tl.where(keep != 0, x, -float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + cols, e / tl.sum(e, axis=0), mask=cols < n_cols)


@triton.jit
def masked_row_zero_over_zero_fixed(x_ptr, keep_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=-float("inf"))
    keep = tl.load(keep_ptr + row + cols, mask=cols < n_cols, other=0)
    x = tl.where(keep != 0, x, -float("inf"))
    best = tl.max(x, axis=0)
    e = tl.exp(x - tl.where(best == -float("inf"), 0.0, best))
    total = tl.sum(e, axis=0)
    tl.store(y_ptr + row + cols, e / tl.where(total == 0.0, 1.0, total), mask=cols < n_cols)
