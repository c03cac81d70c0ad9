"""Bounds that are not written as `index < n`: a difference that is compared with 0, an index that is clamped below a mask."""

import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    if HOW == "below":
        mask = (cols - n_cols) < 0
    elif HOW == "at_most":
        mask = cols - n_cols <= -1
    elif HOW == "above":
        mask = n_cols - cols > 0
    elif HOW == "at_least":
        mask = 1 <= n_cols - cols
    elif HOW == "one_more_wrong":
        mask = (cols - n_cols) < 1
    elif HOW == "reversed_wrong":
        mask = (cols - n_cols) > 0
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row * n_cols + cols, e / tl.sum(e, 0), mask=mask)


@triton.jit
def neighbours(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    if HOW == "before":
        left, right = tl.maximum(at - 1, 0), at
    elif HOW == "both":
        left, right = tl.maximum(at - 1, 0), tl.minimum(at + 1, n - 1)
    elif HOW == "wide":
        left, right = tl.minimum(tl.maximum(at - 2, 0), n - 1), tl.maximum(tl.minimum(at + 2, n - 1), 0)
    elif HOW == "unclamped_wrong":
        left, right = at - 1, at
    elif HOW == "beyond_wrong":
        left, right = tl.maximum(at - 1, 0), tl.minimum(at + 1, n)
    elif HOW == "floor_wrong":
        left, right = tl.maximum(at - 2, -1), at
    elif HOW == "swapped_wrong":
        left, right = tl.minimum(at - 1, 0), tl.maximum(at + 1, n - 1)
    elif HOW == "unmasked_wrong":
        left, right, mask = tl.maximum(at - 1, 0), at, at < n + 5
    tl.store(y_ptr + at, tl.load(x_ptr + right, mask=mask) - tl.load(x_ptr + left, mask=mask), mask=at < n)


@triton.jit
def upwind(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * N + cols, mask=mask)
    left = tl.load(x_ptr + row * N + tl.maximum(cols - 1, 0), mask=mask)
    above = tl.load(x_ptr + tl.maximum(row - 1, 0) * N + cols, mask=mask)
    tl.store(y_ptr + row * N + cols, 2 * x - left - above, mask=mask)


@triton.jit
def gather(x_ptr, index_ptr, y_ptr, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    place = tl.load(index_ptr + at, mask=mask, other=0)
    if HOW == "from_the_end":
        place = tl.where(place < 0, place + m, place)
    if HOW == "up_to_m":
        place = tl.minimum(tl.maximum(place, 0), m)
    elif HOW == "below":
        place = tl.minimum(place, m - 1)
    else:
        place = tl.minimum(tl.maximum(place, 0), m - 1)
    tl.store(y_ptr + at, tl.load(x_ptr + place, mask=mask, other=0.0), mask=mask)


ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
NEIGHBOURS = {
    "before": "x_ptr - take(x_ptr, maximum(index(n) - 1, 0), axis=0)",
    "both": "take(x_ptr, minimum(index(n) + 1, n - 1), axis=0) - take(x_ptr, maximum(index(n) - 1, 0), axis=0)",
    "wide": "take(x_ptr, minimum(index(n) + 2, n - 1), axis=0) - take(x_ptr, maximum(index(n) - 2, 0), axis=0)",
}
GATHER = {"x_ptr": "*fp32", "index_ptr": "*i32", "y_ptr": "*fp32", "n": "i32", "m": "i32"}
GATHERED = {  # safe where --shape says that m is the extent: test_given.py
    "between": "take(x_ptr, clamp(index_ptr, 0, m - 1), axis=0)",
    "from_the_end": (
        "take(x_ptr, clamp(where(index_ptr < 0, wrap32(index_ptr + m), index_ptr), 0, m - 1), axis=0)"
    ),
    "up_to_m": "take(x_ptr, clamp(index_ptr, 0, m), axis=0)",
    "below": "take(x_ptr, minimum(index_ptr, m - 1), axis=0)",
}
FORMS = {
    **{
        f"softmax_{how}": {
            "kernel": softmax,
            "types": ROWS,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "formula": "softmax(x_ptr, axis=1)",
        }
        for how in ("below", "at_most", "above", "at_least")
    },
    **{
        f"softmax_{how}": {
            "kernel": softmax,
            "types": ROWS,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "unproved": True,
        }
        for how in ("one_more_wrong", "reversed_wrong")
    },
    **{
        f"neighbours_{how}": {
            "kernel": neighbours,
            "types": TYPES,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "formula": formula,
        }
        for how, formula in NEIGHBOURS.items()
    },
    **{
        f"neighbours_{how}": {
            "kernel": neighbours,
            "types": TYPES,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "unproved": True,
        }
        for how in ("unclamped_wrong", "beyond_wrong", "floor_wrong", "swapped_wrong", "unmasked_wrong")
    },
    **{
        f"gather_{how}": {
            "kernel": gather,
            "types": GATHER,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "formula": formula,
            "safety": "unknown",
        }
        for how, formula in GATHERED.items()
    },
    "upwind": {
        "kernel": upwind,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "M": "i32", "N": "i32"},
        "constexprs": {"BLOCK": 128},
        "formula": (
            "2 * x_ptr - take(x_ptr, maximum(index(N) - 1, 0), axis=1) - take(x_ptr, maximum(index(grid_y) - 1, 0),"
            " axis=0)"
        ),
    },
}
