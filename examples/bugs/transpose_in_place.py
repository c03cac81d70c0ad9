"""A tiled transpose of a square matrix launched in place: each tile is written while its mirror image is still
to be read.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "alias",
    "types": "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 4},
    "tensors": {"x": ("f32", "n", "n")},
    "args": {"y_ptr": "x"},
    "grid": ["cdiv(n,4)", "cdiv(n,4)"],
    "sample": {"n": 9},
    "detect": "race",
    "fixed": {"tensors": {"x": ("f32", "n", "n"), "y": ("f32", "n", "n")}, "args": {"y_ptr": "y"}},
}


@triton.jit
def transpose_in_place_bug(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < n) & (cols[None, :] < n)
    x = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + cols[None, :] * n + rows[:, None], x, mask=mask)


@triton.jit
def transpose_in_place_fixed(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < n) & (cols[None, :] < n)
    x = tl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + cols[None, :] * n + rows[:, None], x, mask=mask)
