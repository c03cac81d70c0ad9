"""A number of programs that is a literal or an argument, each of which walks over tiles with it as stride: the launch has no
more programs than that, and no more than there are tiles."""

import triton
import triton.language as tl


@triton.jit
def blocks_literal(x_ptr, y_ptr, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), PROGRAMS):
        at = block * BLOCK + tl.arange(0, BLOCK)
        tl.store(y_ptr + at, tl.exp(tl.load(x_ptr + at, mask=at < n)), mask=at < n)


@triton.jit
def blocks_argument(x_ptr, y_ptr, n, programs, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), programs):
        at = block * BLOCK + tl.arange(0, BLOCK)
        tl.store(y_ptr + at, tl.exp(tl.load(x_ptr + at, mask=at < n)), mask=at < n)


@triton.jit
def rows_literal(x_ptr, y_ptr, n_rows, n_cols, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), n_rows, PROGRAMS):
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
        e = tl.exp(x - tl.max(x, 0))
        tl.store(y_ptr + row * n_cols + cols, e / tl.sum(e, 0), mask=cols < n_cols)


@triton.jit
def place(tile, in_group, tiles_m, GROUP: tl.constexpr):
    first = tile // in_group * GROUP
    rows = min(tiles_m - first, GROUP)
    return first + tile % rows, tile % in_group // rows


@triton.jit
def product_two_counters(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    PROGRAMS: tl.constexpr,
    BEHIND: tl.constexpr,
):
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    stored = tl.program_id(0) - BEHIND
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS):
        pid_m, pid_n = place(tile, GROUP * tiles_n, tiles_m, GROUP)
        rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
        cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
        rows = tl.where(rows < M, rows, 0)
        cols = tl.where(cols < N, cols, 0)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for k in range(tl.cdiv(K, BLOCK_K)):
            at = k * BLOCK_K + inner
            a = tl.load(
                a_ptr + rows[:, None] * stride_am + at[None, :] * stride_ak,
                mask=inner[None, :] < K - k * BLOCK_K,
                other=0.0,
            )
            b = tl.load(
                b_ptr + at[:, None] * stride_bk + cols[None, :] * stride_bn,
                mask=inner[:, None] < K - k * BLOCK_K,
                other=0.0,
            )
            acc = tl.dot(a, b, acc)
        stored += PROGRAMS
        pid_m, pid_n = place(stored, GROUP * tiles_n, tiles_m, GROUP)
        rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
        cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
        tl.store(
            c_ptr + stride_cm * rows[:, None] + stride_cn * cols[None, :],
            acc,
            mask=(rows[:, None] < M) & (cols[None, :] < N),
        )


def types(pointers, integers):
    return {**{name: "*fp32" for name in pointers.split()}, **{name: "i32" for name in integers.split()}}


MATRICES = types("a_ptr b_ptr c_ptr", "M N K stride_am stride_ak stride_bk stride_bn stride_cm stride_cn")
TILES = {"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 32, "GROUP": 8, "PROGRAMS": 132, "BEHIND": 132}
FORMS = {
    "blocks_literal": {
        "kernel": blocks_literal,
        "types": types("x_ptr y_ptr", "n"),
        "constexprs": {"BLOCK": 1024, "PROGRAMS": 108},
        "formula": "exp(x_ptr)",
    },
    "blocks_argument": {
        "kernel": blocks_argument,
        "types": types("x_ptr y_ptr", "n programs"),
        "constexprs": {"BLOCK": 256},
        "formula": "exp(x_ptr)",
    },
    "rows_literal": {
        "kernel": rows_literal,
        "types": types("x_ptr y_ptr", "n_rows n_cols"),
        "constexprs": {"BLOCK": 512, "PROGRAMS": 64},
        "formula": "softmax(x_ptr, axis=1)",
    },
    "product_two_counters": {
        "kernel": product_two_counters,
        "types": MATRICES,
        "constexprs": TILES,
        "formula": "a_ptr @ b_ptr",
    },
    "product_counter_ahead": {
        "kernel": product_two_counters,
        "types": MATRICES,
        "constexprs": {**TILES, "BEHIND": 131},
        "formula": "a_ptr @ b_ptr",
        "wrong": "formula",
    },
    "product_counter_behind": {
        "kernel": product_two_counters,
        "types": MATRICES,
        "constexprs": {**TILES, "BEHIND": 264},
        "formula": "a_ptr @ b_ptr",
        "wrong": "formula",
    },
}
