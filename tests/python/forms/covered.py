"""A row that several blocks of one program cover together, or one block of several lanes: that it is no longer than they are is assumed
as of one block. A gap between the blocks, or a part that is not stored, is never assumed away."""

import triton
import triton.language as tl


@triton.jit
def halves(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    low = tl.arange(0, BLOCK)
    high = low + (BLOCK + 1 if HOW == "gap_wrong" else BLOCK)
    a = tl.load(x_ptr + row * n_cols + low, mask=low < n_cols, other=-float("inf"))
    b = tl.load(x_ptr + row * n_cols + high, mask=high < n_cols, other=-float("inf"))
    top = tl.maximum(tl.max(a, 0), tl.max(b, 0))
    total = tl.sum(tl.exp(a - top), 0) + tl.sum(tl.exp(b - top), 0)
    if HOW != "high_alone_wrong":
        tl.store(y_ptr + row * n_cols + low, tl.exp(a - top) / total, mask=low < n_cols)
    tl.store(y_ptr + row * n_cols + high, tl.exp(b - top) / total, mask=high < n_cols)


@triton.jit
def quarters(x_ptr, y_ptr, n_cols, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for block in tl.static_range(FIRST, 4):
        at = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + at, mask=at < n_cols)
        tl.store(y_ptr + row * n_cols + at, 2 * x, mask=at < n_cols)


@triton.jit
def matrix(x_ptr, y_ptr, n_cols, STEP: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, 8)[:, None] * STEP + tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + row * n_cols + at, mask=at < n_cols, other=-float("inf"))
    e = tl.exp(x - tl.max(tl.max(x, 1), 0))
    tl.store(y_ptr + row * n_cols + at, e / tl.sum(tl.sum(e, 0), 0), mask=at < n_cols)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
FORMS = {
    "halves": {
        "kernel": halves,
        "types": TYPES,
        "constexprs": {"HOW": "", "BLOCK": 128},
        "formula": "softmax(x_ptr, axis=1)",
    },
    **{
        f"halves_{how}": {"kernel": halves, "types": TYPES, "constexprs": {"HOW": how, "BLOCK": 128}, "unproved": True}
        for how in ("gap_wrong", "high_alone_wrong")
    },
    "quarters": {"kernel": quarters, "types": TYPES, "constexprs": {"FIRST": 0, "BLOCK": 64}, "formula": "2 * x_ptr"},
    "quarters_wrong": {"kernel": quarters, "types": TYPES, "constexprs": {"FIRST": 1, "BLOCK": 64}, "unproved": True},
    "matrix": {
        "kernel": matrix,
        "types": TYPES,
        "constexprs": {"STEP": 32, "BLOCK": 32},
        "formula": "softmax(x_ptr, axis=1)",
    },
    "matrix_wrong": {"kernel": matrix, "types": TYPES, "constexprs": {"STEP": 40, "BLOCK": 32}, "unproved": True},
}
