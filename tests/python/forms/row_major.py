"""Row-major addresses without parentheses, `b*M*N + r*N + c`, and rows of 2*W elements: halves beside each other, or even and
odd columns (an interleaved rotary embedding)."""

import triton
import triton.language as tl


@triton.jit
def rows_of_batches(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    at = tl.program_id(0) * M * N + tl.program_id(1) * N + cols
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=cols < N), mask=cols < N)


@triton.jit
def rows_of_programs(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    at = pid // M * M * N + pid % M * N + cols
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=cols < N), mask=cols < N)


@triton.jit
def tiles(x_ptr, y_ptr, M, N, HOW: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    batch = tl.program_id(2)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    mask = (rows < M) & (cols < N)
    if HOW == "wide":
        mask = (rows < M) & (cols <= N)
    x = tl.load(x_ptr + batch * M * N + rows * N + cols, mask=mask)
    if HOW == "transposed":
        tl.store(y_ptr + batch * N * M + cols * M + rows, 2 * x, mask=mask)
    elif HOW == "short":
        tl.store(y_ptr + batch * M * N + rows * M + cols, 2 * x, mask=mask)
    else:
        tl.store(y_ptr + batch * M * N + rows * N + cols, 2 * x, mask=mask)


@triton.jit
def heads(x_ptr, y_ptr, H, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pid = tl.program_id(2)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    mask = (rows < M) & (cols < N)
    at = pid // H * H * M * N + pid % H * M * N + rows * N + cols
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=mask), mask=mask)


@triton.jit
def row_sums(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    for row in range(0, M):
        x = tl.load(x_ptr + batch * M * N + row * N + cols, mask=cols < N, other=0.0)
        tl.store(y_ptr + batch * M + row, tl.sum(x, 0))


@triton.jit
def double_rows(x_ptr, y_ptr, W, MORE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < 2 * W + MORE
    y = 2 * tl.load(x_ptr + row * 2 * W + cols, mask=mask)
    if MORE:
        y += row
    tl.store(y_ptr + row * 2 * W + cols, y, mask=mask)


@triton.jit
def halves(x_ptr, y_ptr, W, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    gate = tl.load(x_ptr + row * 2 * W + cols, mask=cols < W, other=0.0)
    up = tl.load(x_ptr + row * 2 * W + W + cols, mask=cols < W, other=0.0)
    tl.store(y_ptr + row * W + cols, gate * tl.sigmoid(gate) * up, mask=cols < W)


@triton.jit
def rotary(x_ptr, cos_ptr, sin_ptr, y_ptr, W, STEP: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < W
    even = tl.load(x_ptr + row * 2 * W + 2 * cols, mask=mask, other=0.0)
    odd = tl.load(x_ptr + row * 2 * W + 2 * cols + 1, mask=mask, other=0.0)
    cos = tl.load(cos_ptr + row * W + cols, mask=mask, other=0.0)
    sin = tl.load(sin_ptr + row * W + cols, mask=mask, other=0.0)
    tl.store(y_ptr + row * 2 * W + 2 * cols, even * cos - odd * sin, mask=mask)
    tl.store(y_ptr + row * 2 * W + 2 * cols + STEP, even * sin + odd * cos, mask=mask)


@triton.jit
def rotary_in_place(x_ptr, cos_ptr, S, H, W, stride, BLOCK: tl.constexpr):
    at = tl.program_id(1) // H * S * H * W * 2 + tl.program_id(0) * H * W * 2 + tl.program_id(1) % H * W * 2
    cols = tl.arange(0, BLOCK)
    mask = cols < W
    even = tl.load(x_ptr + at + 2 * cols, mask=mask, other=0.0)
    odd = tl.load(x_ptr + at + 2 * cols + 1, mask=mask, other=0.0)
    cos = tl.load(cos_ptr + tl.program_id(0) * stride + cols, mask=mask, other=0.0)
    tl.store(x_ptr + at + 2 * cols, even * cos - odd, mask=mask)
    tl.store(x_ptr + at + 2 * cols + 1, even + odd * cos, mask=mask)


def types(pointers, integers):
    return {**{name: "*fp32" for name in pointers.split()}, **{name: "i32" for name in integers.split()}}


PAIR = types("x_ptr y_ptr", "M N")
BLOCK = {"BLOCK": 128}
TILES = {"HOW": "", "BLOCK_M": 16, "BLOCK_N": 32}
ROTARY = {"kernel": rotary, "types": types("x_ptr cos_ptr sin_ptr y_ptr", "W")}
FORMS = {
    "rows_of_batches": {
        "kernel": rows_of_batches,
        "types": PAIR,
        "constexprs": BLOCK,
        "formula": "2 * x_ptr",
        "shape": ["grid_x", "grid_y", "N"],
    },
    "rows_of_programs": {
        "kernel": rows_of_programs,
        "types": PAIR,
        "constexprs": BLOCK,
        "formula": "2 * x_ptr",
        "shape": ["grid_x", "N"],
    },
    "tiles": {
        "kernel": tiles,
        "types": PAIR,
        "constexprs": TILES,
        "formula": "2 * x_ptr",
        "shape": ["grid_z", "M", "N"],
    },
    "transposed": {
        "kernel": tiles,
        "types": PAIR,
        "constexprs": {**TILES, "HOW": "transposed"},
        "formula": "transpose(2 * x_ptr, 0, 2, 1)",
        "shape": ["grid_z", "N", "M"],
    },
    "heads": {
        "kernel": heads,
        "types": types("x_ptr y_ptr", "H M N"),
        "constexprs": {"BLOCK_M": 16, "BLOCK_N": 32},
        "formula": "2 * x_ptr",
        "shape": ["grid_z", "M", "N"],
    },
    "row_sums": {
        "kernel": row_sums,
        "types": PAIR,
        "constexprs": BLOCK,
        "formula": "sum(x_ptr, axis=2)",
        "shape": ["grid_x", "M"],
    },
    "double_rows": {
        "kernel": double_rows,
        "types": types("x_ptr y_ptr", "W"),
        "constexprs": {**BLOCK, "MORE": 0},
        "formula": "2 * x_ptr",
        "shape": ["grid_x", "2*W"],
    },
    "halves": {
        "kernel": halves,
        "types": types("x_ptr y_ptr", "W"),
        "constexprs": BLOCK,
        "formula": "x_ptr[:, W:] * silu(x_ptr[:, :W])",
        "shape": ["grid_x", "W"],
    },
    "rotary": {
        **ROTARY,
        "constexprs": {**BLOCK, "STEP": 1},
        "shape": ["grid_x", "W", "2"],
        "formula": (
            "stack(x_ptr[:, ::2] * cos_ptr - x_ptr[:, 1::2] * sin_ptr, x_ptr[:, ::2] * sin_ptr + x_ptr[:, 1::2] * cos_ptr, axis=2)"
        ),
    },
    "rotary_in_place": {
        "kernel": rotary_in_place,
        "types": types("x_ptr cos_ptr", "S H W stride"),
        "constexprs": BLOCK,
        "shape": ["grid_y_d0", "grid_x", "H", "W", "2"],
        "formula": (
            "stack(x_ptr[:, :, :, :, 0] * expand(cos_ptr, 1) - x_ptr[:, :, :, :, 1], x_ptr[:, :, :, :, 0] + x_ptr[:, :, :, :, 1] * expand(cos_ptr, 1), axis=4)"
        ),
    },
    "wide": {"kernel": tiles, "types": PAIR, "constexprs": {**TILES, "HOW": "wide"}, "wrong": True},
    "short": {"kernel": tiles, "types": PAIR, "constexprs": {**TILES, "HOW": "short"}, "wrong": True},
    "more_than_double": {
        "kernel": double_rows,
        "types": types("x_ptr y_ptr", "W"),
        "constexprs": {**BLOCK, "MORE": 1},
        "wrong": True,
    },
    "rotary_by_2": {**ROTARY, "constexprs": {**BLOCK, "STEP": 2}, "wrong": True},
}
