"""Loops that run backwards through memory: what they fold is folded forwards in the formula. Stores that go backwards, by blocks with
a tail, by rows that programs write, in both axes of a tile and in place."""

import triton
import triton.language as tl


@triton.jit
def row_sums(x_ptr, y_ptr, n, stride, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    tiles = tl.cdiv(n, BLOCK)
    for t in range(0, tiles):
        cols = (tiles - FIRST - t) * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=(cols >= 0) & (cols < n), other=0.0)
    tl.store(y_ptr + row, tl.sum(total, 0))


@triton.jit
def strided(x_ptr, y_ptr, n, HOW: tl.constexpr):
    pid = tl.program_id(0)
    programs = tl.num_programs(0)
    steps = (n - pid + programs - 1) // programs
    total = 0.0
    for t in range(0, steps):
        if HOW == "once more":
            at = pid + (steps - 1 - t) // 2 * programs
        else:
            at = pid + (steps - 1 - t) * programs
        total += tl.load(x_ptr + at)
    tl.atomic_add(y_ptr, total)


@triton.jit
def elements(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    top = -float("inf")
    for t in range(0, n):
        top = tl.maximum(top, tl.load(x_ptr + row * stride + n - 1 - t))
    tl.store(y_ptr + row, top)


@triton.jit
def variances(x_ptr, y_ptr, n, stride, LATE: tl.constexpr, BLOCK: tl.constexpr):
    """Two passes, both backwards; the second uses what the first found."""
    row = tl.program_id(0)
    tiles = tl.cdiv(n, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(0, tiles):
        cols = (tiles - 1 - t) * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for t in range(0, tiles - LATE):
        cols = (tiles - 1 - t) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
        x = tl.where(cols < n, x - mean, 0.0)
        squares += x * x
    tl.store(y_ptr + row, tl.sum(squares, 0) / n)


@triton.jit
def turned_blocks(x_ptr, y_ptr, n, LAST: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + (n - LAST - i), tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def turned_without_mask(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + (n - 1 - i), tl.load(x_ptr + i))


@triton.jit
def turned_rows(x_ptr, y_ptr, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + (rows - 1 - row) * n + i, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def turned_tiles(x_ptr, y_ptr, rows, n, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    mask = (r < rows) & (c < n)
    tl.store(y_ptr + (rows - 1 - r) * n + (n - 1 - c), tl.load(x_ptr + r * n + c, mask=mask, other=0.0), mask=mask)


@triton.jit
def swapped_halves(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n // 2
    a = tl.load(x_ptr + i, mask=mask, other=0.0)
    b = tl.load(x_ptr + n - 1 - i, mask=mask, other=0.0)
    tl.store(x_ptr + i, b, mask=mask)
    tl.store(x_ptr + n - 1 - i, a, mask=mask)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
ROWS = {**TYPES, "stride": "i32"}
FORMS = {
    "row_sums": {
        "kernel": row_sums,
        "types": ROWS,
        "constexprs": {"FIRST": 1, "BLOCK": 128},
        "formula": "sum(x_ptr, axis=1)",
    },
    "elements": {"kernel": elements, "types": ROWS, "constexprs": {}, "formula": "max(x_ptr, axis=1)"},
    "strided": {"kernel": strided, "types": TYPES, "constexprs": {"HOW": ""}, "formula": "y_ptr + sum(x_ptr[:n])"},
    "variances": {
        "kernel": variances,
        "types": ROWS,
        "constexprs": {"LATE": 0, "BLOCK": 128},
        "formula": "var(x_ptr, axis=1)",
    },
    "turned_blocks": {
        "kernel": turned_blocks,
        "types": TYPES,
        "constexprs": {"LAST": 1, "BLOCK": 64},
        "formula": "x_ptr[::-1]",
        "shape": ["n"],
    },
    "turned_and_shifted": {
        "kernel": turned_blocks,
        "types": TYPES,
        "constexprs": {"LAST": 0, "BLOCK": 64},
        "formula": "x_ptr[::-1]",
        "wrong": True,
    },
    "turned_without_mask": {
        "kernel": turned_without_mask,
        "types": TYPES,
        "constexprs": {"BLOCK": 64},
        "formula": "x_ptr[::-1]",
        "wrong": True,
    },
    "turned_rows": {
        "kernel": turned_rows,
        "types": {**TYPES, "rows": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "x_ptr[::-1]",
        "shape": ["rows", "n"],
    },
    "turned_tiles": {
        "kernel": turned_tiles,
        "types": {**TYPES, "rows": "i32"},
        "constexprs": {"BLOCK": 64},
        "shape": ["rows", "n"],
        "formula": "x_ptr[rows - column(index(rows)) - 1, n - index(n) - 1]",
    },
    "swapped_halves": {
        "kernel": swapped_halves,
        "types": {"x_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "x_ptr[::-1]",
        "shape": ["n"],
    },
    "variances_but_a_tile": {
        "kernel": variances,
        "types": ROWS,
        "constexprs": {"LATE": 1, "BLOCK": 128},
        "formula": "var(x_ptr, axis=1)",
        "wrong": True,
    },
    "first_tile_left_out": {
        "kernel": row_sums,
        "types": ROWS,
        "constexprs": {"FIRST": 0, "BLOCK": 128},
        "formula": "sum(x_ptr, axis=1)",
        "wrong": True,
    },
    "strided_twice": {
        "kernel": strided,
        "types": TYPES,
        "constexprs": {"HOW": "once more"},
        "formula": "y_ptr + sum(x_ptr[:n])",
        "wrong": True,
    },
}
