"""Rows of which a tail is left out, or the last element: as large as what is read is no size that a caller has a name for, so it is
printed, and check (tests/python/test_extents.py) does not take the rows that are read for the rows that there are."""

import triton
import triton.language as tl


@triton.jit
def dropped(x, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = 0.0
    for k in range(0, n // BLOCK):
        s += tl.sum(tl.load(x + r * n + k * BLOCK + tl.arange(0, BLOCK)))
    tl.store(y + r, s)


@triton.jit
def strided(x, y, cols, stride, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = 0.0
    for k in range(0, cols // BLOCK):
        s += tl.sum(tl.load(x + r * stride + k * BLOCK + tl.arange(0, BLOCK)))
    tl.store(y + r, s)


@triton.jit
def last(x, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = 0.0
    for k in range(0, n, BLOCK):
        o = k + tl.arange(0, BLOCK)
        s += tl.sum(tl.load(x + r * n + o, mask=o < n - 1, other=0.0))
    tl.store(y + r, s)


@triton.jit
def full(x, y, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = 0.0
    for k in range(0, n, BLOCK):
        o = k + tl.arange(0, BLOCK)
        s += tl.sum(tl.load(x + r * n + o, mask=o < n, other=0.0))
    tl.store(y + r, s)


@triton.jit
def elements(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, 2 * tl.load(x + o, mask=o < n), mask=o < n)


@triton.jit
def elements_last(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, 2 * tl.load(x + o, mask=o < n - 1), mask=o < n - 1)


@triton.jit
def elements_half(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, 2 * tl.load(x + o, mask=o < n // 2), mask=o < n // 2)


ROWS = {"x": "*fp32", "y": "*fp32", "n": "i32"}
STRIDED = {"x": "*fp32", "y": "*fp32", "cols": "i32", "stride": "i32"}
BLOCK = {"BLOCK": 8}
FORMS = {
    "dropped": {
        "kernel": dropped,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "sum(x, axis=1)",
        "inputs": {"x": ["grid_x", "8*(n // 8)"]},
        "safety": "unknown",
    },
    "strided": {
        "kernel": strided,
        "types": STRIDED,
        "constexprs": BLOCK,
        "formula": "sum(x, axis=1)",
        "inputs": {"x": ["grid_x", "8*(cols // 8)"]},
        "safety": "unknown",
    },
    "last": {
        "kernel": last,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "sum(x, axis=1)",
        "inputs": {"x": ["grid_x", "n - 1"]},
        "safety": "unknown",
    },
    "full": {
        "kernel": full,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "sum(x, axis=1)",
        "inputs": {"x": ["grid_x", "n"]},
    },
    "elements": {"kernel": elements, "types": ROWS, "constexprs": BLOCK, "formula": "2 * x", "inputs": {"x": ["n"]}},
    "elements_last": {
        "kernel": elements_last,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "2 * x",
        "inputs": {"x": ["n - 1"]},
        "safety": "unknown",
    },
    "elements_half": {
        "kernel": elements_half,
        "types": ROWS,
        "constexprs": BLOCK,
        "formula": "2 * x",
        "inputs": {"x": ["n // 2"]},
        "safety": "unknown",
    },
}
