"""Kernels that do not say how many programs they have: a row each, and no mask. With shapes (tests/python/test_extents.py) there are as
many as the shapes ask for."""

import triton
import triton.language as tl


@triton.jit
def rows(x, y, n, BLOCK: tl.constexpr, AXIS: tl.constexpr):
    r = tl.program_id(AXIS)
    o = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - 3.0)
    tl.store(y + r * n + o, e / tl.sum(e), mask=o < n)


@triton.jit
def two_blocks(x, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    a = tl.load(x + r * n + o, mask=o < n, other=0.0)
    b = tl.load(x + r * n + BLOCK + o, mask=BLOCK + o < n, other=0.0)
    t = tl.sum(a) + tl.sum(b)
    tl.store(y + r * n + o, a / (1 + t * t), mask=o < n)
    tl.store(y + r * n + BLOCK + o, b / (1 + t * t), mask=BLOCK + o < n)


@triton.jit
def planes(x, y, s0, s1, t0, t1, n, BLOCK: tl.constexpr):
    """Two axes of programs, and one of blocks that a mask bounds."""
    o = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.program_id(0), tl.program_id(1)
    tl.store(y + b * t0 + a * t1 + o, tl.load(x + a * s0 + b * s1 + o, mask=o < n) * 2, mask=o < n)


@triton.jit
def whole(x, y, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(x + o) * 2)


@triton.jit
def below(x, y, n, BLOCK: tl.constexpr):
    """The first row is nobody's."""
    r = tl.program_id(0) + 1
    o = tl.arange(0, BLOCK)
    tl.store(y + r * n + o, tl.load(x + r * n + o, mask=o < n), mask=o < n)


@triton.jit
def groups(x, w, y, C, P, BLOCK: tl.constexpr):
    """A row of C channels with P places each, and a weight by channel: the sum is over more than a channel."""
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    v = tl.load(x + r * C * P + o, mask=o < C * P, other=0.0)
    tl.store(y + r * C * P + o, v * tl.load(w + o // P, mask=o < C * P) - tl.sum(v), mask=o < C * P)


ROWS = {"x": "*fp32", "y": "*fp32", "n": "i32"}
PLANES = {"x": "*fp32", "y": "*fp32", "s0": "i32", "s1": "i32", "t0": "i32", "t1": "i32", "n": "i32"}
BLOCK = {"BLOCK": 128}
FORMS = {
    "rows": {
        "kernel": rows,
        "types": ROWS,
        "constexprs": BLOCK | {"AXIS": 0},
        "formula": "softmax(x - 3, axis=1)",
        "shape": ["grid_x", "n"],
    },
    "rows_by_y": {
        "kernel": rows,
        "types": ROWS,
        "constexprs": BLOCK | {"AXIS": 1},
        "formula": "softmax(x - 3, axis=1)",
        "shape": ["grid_y", "n"],
        "states": "grid_x = 1",
    },
    "groups": {
        "kernel": groups,
        "types": {"x": "*fp32", "w": "*fp32", "y": "*fp32", "C": "i32", "P": "i32"},
        "constexprs": {"BLOCK": 16},
        "wrong": "verdict",
    },
    "two_blocks": {
        "kernel": two_blocks,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "x / (1 + sum(x, axis=1) ** 2)",
        "shape": ["grid_x", "n"],
    },
    "planes": {
        "kernel": planes,
        "types": PLANES,
        "constexprs": BLOCK,
        "formula": "transpose(2 * x, 1, 0, 2)",
        "shape": ["grid_y", "grid_x", "n"],
    },
    "whole": {
        "kernel": whole,
        "types": {"x": "*fp32", "y": "*fp32"},
        "constexprs": BLOCK,
        "formula": "2 * x",
        "shape": ["128*grid_x"],
    },
    "below": {"kernel": below, "types": ROWS, "constexprs": BLOCK, "unproved": "bounds"},
}
