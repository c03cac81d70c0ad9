"""A row is stored and read back from its other end; the barrier comes after the read, where it helps nobody."""

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
def barrier_after_read_bug(x_ptr, mid_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(mid_ptr + row + cols, tl.exp(x), mask=cols < n_cols)
    opposite = tl.load(mid_ptr + row + n_cols - 1 - cols, mask=cols < n_cols, other=0.0)
    tl.debug_barrier()
    tl.store(y_ptr + row + cols, opposite, mask=cols < n_cols)


@triton.jit
def barrier_after_read_fixed(x_ptr, mid_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n_cols
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + cols, mask=cols < n_cols, other=0.0)
    tl.store(mid_ptr + row + cols, tl.exp(x), mask=cols < n_cols)
    tl.debug_barrier()
    opposite = tl.load(mid_ptr + row + n_cols - 1 - cols, mask=cols < n_cols, other=0.0)
    tl.store(y_ptr + row + cols, opposite, mask=cols < n_cols)
