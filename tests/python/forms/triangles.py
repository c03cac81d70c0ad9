"""Loops that begin at the program's own row are of rows of N, and not of a slanted tensor of rows of N + 1; heads of literal number beside rows
of an argument's length."""

import triton
import triton.language as tl


@triton.jit
def upper(a_ptr, c_ptr, N, FROM: tl.constexpr):
    p = tl.program_id(0)
    acc = 0.0
    for k in range(p, N):
        acc += tl.load(a_ptr + p * N + k - (p if FROM else 0))
    tl.store(c_ptr + p, acc)


@triton.jit
def upper_tiles(a_ptr, c_ptr, N, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    row = p * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for start in range(p * BLOCK, N, BLOCK):
        k = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row[:, None] * N + k[None, :], mask=(row[:, None] < N) & (k[None, :] < N), other=0.0)
        acc += tl.sum(tl.where(row[:, None] <= k[None, :], a, 0.0), 1)
    tl.store(c_ptr + row, acc, mask=row < N)


@triton.jit
def heads(x_ptr, y_ptr, S, D, HEADS: tl.constexpr, BS: tl.constexpr, BD: tl.constexpr):
    s = (tl.program_id(0) * BS + tl.arange(0, BS))[:, None, None]
    h = tl.arange(0, HEADS)[None, :, None]
    d = tl.arange(0, BD)[None, None, :]
    inside = (s < S) & (d < D)
    tl.store(
        y_ptr + h * (S * D) + s * D + d,
        tl.load(x_ptr + s * (HEADS * D) + h * D + d, mask=inside, other=0.0),
        mask=inside,
    )


ROWS = {"a_ptr": "*fp32", "c_ptr": "*fp32", "N": "i32"}
FORMS = {
    "upper": {
        "kernel": upper,
        "types": ROWS,
        "constexprs": {"FROM": False},
        "formula": "sum(where(column(index(grid_x)) <= index(N), a_ptr, 0), axis=1)",
        "inputs": {"a_ptr": ["grid_x", "N"]},
    },
    "from_the_first": {
        "kernel": upper,
        "types": ROWS,
        "constexprs": {"FROM": True},
        "wrong": "formula",
        "formula": "sum(where(column(index(grid_x)) <= index(N), a_ptr, 0), axis=1)",
    },
    "upper_tiles": {
        "kernel": upper_tiles,
        "types": ROWS,
        "constexprs": {"BLOCK": 16},
        "formula": "sum(where(column(index(N)) <= index(N), a_ptr, 0), axis=1)",
        "inputs": {"a_ptr": ["N", "N"]},
    },
    "heads": {
        "kernel": heads,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "S": "i32", "D": "i32"},
        "constexprs": {"HEADS": 4, "BS": 8, "BD": 16},
        "formula": "transpose(reshape(x_ptr, S, 4, D), 1, 0, 2)",
    },
}
