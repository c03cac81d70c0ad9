"""A flat tile number is split by the number of row tiles instead of column tiles: some tiles are done twice,
others never.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "coverage",
    "types": "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32",
    "constexprs": {"BLOCK": 4},
    "tensors": {"x": ("f32", "M", "N"), "y": ("f32", "M", "N")},
    "grid": ["cdiv(M,4)*cdiv(N,4)"],
    "sample": {"M": 9, "N": 7},
}


@triton.jit
def tile_divisor_swapped_bug(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tiles = tl.cdiv(M, BLOCK)
    rows = (pid // tiles).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = (pid % tiles).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], x * x, mask=mask)


@triton.jit
def tile_divisor_swapped_fixed(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tiles = tl.cdiv(N, BLOCK)
    rows = (pid // tiles).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = (pid % tiles).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], x * x, mask=mask)
