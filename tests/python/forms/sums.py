"""Outputs of n + m elements, and inputs of which as many are read: of an output that is not rounded, nothing is left out; what an input
has is not known."""

import triton
import triton.language as tl


@triton.jit
def beside(a, b, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first = tl.load(a + i, mask=i < n, other=0.0)
    second = tl.load(b + i - n, mask=(i >= n) & (i - n < m), other=0.0)
    tl.store(y + i, tl.where(i < n, first, second), mask=i < n + m)


@triton.jit
def with_gap(a, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + m + i, tl.load(a + i, mask=i < n), mask=i < n)


@triton.jit
def ahead(a, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(a + m + i, mask=i < n), mask=i < n)


@triton.jit
def one_more(a, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(a + i, mask=i < n, other=0.0) + m, mask=i < n + m + 1)


@triton.jit
def in_place(a, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(y + i, mask=i < n + m), mask=i < n + m)


TYPES = {"a": "*fp32", "y": "*fp32", "n": "i32", "m": "i32"}
BLOCK = {"BLOCK": 128}
FORMS = {
    "beside": {
        "kernel": beside,
        "types": {"a": "*fp32", "b": "*fp32", **{k: TYPES[k] for k in "ynm"}},
        "constexprs": BLOCK,
        "formula": "concat(a, b, axis=0)",
        "shape": ["m + n"],
    },
    "with_gap": {"kernel": with_gap, "types": TYPES, "constexprs": BLOCK, "unproved": "coverage"},
    "ahead": {"kernel": ahead, "types": TYPES, "constexprs": BLOCK, "unproved": "bounds"},
    "one_more": {"kernel": one_more, "types": TYPES, "constexprs": BLOCK, "unproved": "bounds"},
    "in_place": {"kernel": in_place, "types": TYPES, "constexprs": BLOCK, "unproved": "bounds"},
}
