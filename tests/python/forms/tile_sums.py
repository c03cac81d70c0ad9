"""Sums over both axes of a masked tile at once: the tile is one axis then, and its index is seen as row and column."""

import triton
import triton.language as tl


@triton.jit
def whole(
    x_ptr,
    y_ptr,
    M,
    N,
    stride_b,
    stride_m,
    HOW: tl.constexpr,
    OTHER: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    batch = tl.program_id(0)
    rows = tl.arange(0, BLOCK_M)[:, None]
    cols = tl.arange(0, BLOCK_N)[None, :]
    mask = (rows < M) & (cols < N)
    if HOW == "triangle":
        mask = mask & (cols <= rows)
    x = tl.load(x_ptr + batch * stride_b + rows * stride_m + cols, mask=mask, other=OTHER)
    if HOW == "max":
        total = tl.max(x)
    elif HOW == "reshape":
        total = tl.sum(tl.reshape(x, (BLOCK_M * BLOCK_N,)), 0)
    elif HOW == "columns":
        total = tl.sum(tl.sum(x, 0), 0)
    else:
        total = tl.sum(x)
    tl.store(y_ptr + batch, total)


@triton.jit
def cube(
    x_ptr,
    y_ptr,
    M,
    N,
    P,
    stride_b,
    stride_m,
    stride_n,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_P: tl.constexpr,
):
    batch = tl.program_id(0)
    i = tl.arange(0, BLOCK_M)[:, None, None]
    j = tl.arange(0, BLOCK_N)[None, :, None]
    k = tl.arange(0, BLOCK_P)[None, None, :]
    x = tl.load(
        x_ptr + batch * stride_b + i * stride_m + j * stride_n + k, mask=(i < M) & (j < N) & (k < P), other=0.0
    )
    tl.store(y_ptr + batch, tl.sum(x * x))


@triton.jit
def normalised(x_ptr, y_ptr, M, N, stride_b, stride_m, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    batch = tl.program_id(0)
    rows = tl.arange(0, BLOCK_M)[:, None]
    cols = tl.arange(0, BLOCK_N)[None, :]
    mask = (rows < M) & (cols < N)
    x = tl.load(x_ptr + batch * stride_b + rows * stride_m + cols, mask=mask, other=0.0)
    centred = tl.where(mask, x - tl.sum(x) / (M * N), 0.0)
    variance = tl.sum(centred * centred) / (M * N)
    tl.store(y_ptr + batch * stride_b + rows * stride_m + cols, centred / tl.sqrt(variance + 1e-5), mask=mask)


@triton.jit
def tile_by_tile(x_ptr, y_ptr, M, N, stride_m, STEP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    total = 0.0
    for i in range(0, tl.cdiv(M, BLOCK_M)):
        for j in range(0, tl.cdiv(N, BLOCK_N)):
            rows = i * STEP + tl.arange(0, BLOCK_M)[:, None]
            cols = j * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
            total += tl.sum(tl.load(x_ptr + rows * stride_m + cols, mask=(rows < M) & (cols < N), other=0.0))
    tl.store(y_ptr, total)


def types(pointers, integers):
    return {**{name: "*fp32" for name in pointers.split()}, **{name: "i32" for name in integers.split()}}


BATCH = types("x_ptr y_ptr", "M N stride_b stride_m")
TILE = {"HOW": "", "OTHER": 0.0, "BLOCK_M": 16, "BLOCK_N": 32}
SUM = {"kernel": whole, "types": BATCH}
FORMS = {
    "sum": {**SUM, "constexprs": TILE, "formula": "sum(x_ptr, axis=(1, 2))"},
    "sum_of_rows": {**SUM, "constexprs": {**TILE, "HOW": "columns"}, "formula": "sum(x_ptr, axis=(1, 2))"},
    "sum_of_other_tiles": {
        **SUM,
        "constexprs": {**TILE, "BLOCK_M": 64, "BLOCK_N": 8},
        "formula": "sum(x_ptr, axis=(1, 2))",
    },
    "reshape": {**SUM, "constexprs": {**TILE, "HOW": "reshape"}, "formula": "sum(x_ptr, axis=(1, 2))"},
    "max": {**SUM, "constexprs": {**TILE, "HOW": "max", "OTHER": -float("inf")}, "formula": "max(x_ptr, axis=(1, 2))"},
    "triangle": {
        **SUM,
        "constexprs": {**TILE, "HOW": "triangle"},
        "formula": "sum(where(index(N) <= column(index(M)), x_ptr, 0), axis=(1, 2))",
    },
    "cube": {
        "kernel": cube,
        "types": types("x_ptr y_ptr", "M N P stride_b stride_m stride_n"),
        "constexprs": {"BLOCK_M": 4, "BLOCK_N": 8, "BLOCK_P": 16},
        "formula": "sum(x_ptr ** 2, axis=(1, 2, 3))",
    },
    "normalised": {
        "kernel": normalised,
        "types": BATCH,
        "constexprs": {"BLOCK_M": 16, "BLOCK_N": 32},
        "formula": "layer_norm(x_ptr, axis=(1, 2), eps=1e-05)",
    },
    "tile_by_tile": {
        "kernel": tile_by_tile,
        "types": types("x_ptr y_ptr", "M N stride_m"),
        "constexprs": {"STEP": 16, "BLOCK_M": 16, "BLOCK_N": 32},
        "formula": "sum(x_ptr)",
    },
    "padded_with_ones": {
        **SUM,
        "constexprs": {**TILE, "OTHER": 1.0},
        "formula": "sum(x_ptr, axis=(1, 2))",
        "wrong": True,
    },
    "padded_with_zeros": {
        **SUM,
        "constexprs": {**TILE, "HOW": "max"},
        "formula": "max(x_ptr, axis=(1, 2))",
        "wrong": True,
    },
    "tiles_that_overlap": {
        "kernel": tile_by_tile,
        "types": types("x_ptr y_ptr", "M N stride_m"),
        "constexprs": {"STEP": 8, "BLOCK_M": 16, "BLOCK_N": 32},
        "formula": "sum(x_ptr)",
        "wrong": True,
    },
}
