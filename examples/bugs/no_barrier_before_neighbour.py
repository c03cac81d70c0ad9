"""One program stores a row and reads the neighbours' elements back without a barrier."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 mid_ptr:*fp32 y_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 64},
    "assume": ["n_cols <= 64"],
    "tensors": {"x": ("f32", "M", "n_cols"), "mid": ("f32", "M", "n_cols"), "y": ("f32", "M", "n_cols")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 50},
}


@triton.jit
def no_barrier_before_neighbour_bug(x_ptr, mid_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(mid_ptr + row + cols, x * x, mask=cols < n_cols)
    left = tl.load(mid_ptr + row + cols - 1, mask=(cols > 0) & (cols < n_cols), other=0.0)
    tl.store(y_ptr + row + cols, left, mask=cols < n_cols)


@triton.jit
def no_barrier_before_neighbour_fixed(x_ptr, mid_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(mid_ptr + row + cols, x * x, mask=cols < n_cols)
    tl.debug_barrier()
    left = tl.load(mid_ptr + row + cols - 1, mask=(cols > 0) & (cols < n_cols), other=0.0)
    tl.store(y_ptr + row + cols, left, mask=cols < n_cols)
