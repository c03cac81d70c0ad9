"""Iterations written apart: unrolled copies of a tile, a first or last tile outside of the loop, with lanes that are folded inside of the
loop or behind it. One formula for all; and copies that leave out, repeat or shift something, which have another one.
"""

import triton
import triton.language as tl


@triton.jit
def unrolled(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, COPIES: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for k in range(0, tl.cdiv(n, COPIES * BLOCK)):
        for u in tl.static_range(COPIES):
            cols = (k * COPIES + u) * BLOCK + tl.arange(0, BLOCK)
            total += tl.sum(tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0))
    tl.store(y_ptr + row, total)


@triton.jit
def unrolled_lanes(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, COPIES: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for k in range(0, tl.cdiv(n, COPIES * BLOCK)):
        for u in tl.static_range(COPIES):
            cols = (k * COPIES + u) * BLOCK + tl.arange(0, BLOCK)
            total += tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def unrolled_max(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, COPIES: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    for k in range(0, tl.cdiv(n, COPIES * BLOCK)):
        for u in tl.static_range(COPIES):
            cols = (k * COPIES + u) * BLOCK + tl.arange(0, BLOCK)
            best = tl.maximum(best, tl.max(tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf"))))
    tl.store(y_ptr + row, best)


@triton.jit
def copy_left_out(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, COPIES: tl.constexpr):
    """The step is for one copy more."""
    row = tl.program_id(0)
    total = 0.0
    for k in range(0, tl.cdiv(n, (COPIES + 1) * BLOCK)):
        for u in tl.static_range(COPIES):
            cols = (k * (COPIES + 1) + u) * BLOCK + tl.arange(0, BLOCK)
            total += tl.sum(tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0))
    tl.store(y_ptr + row, total)


@triton.jit
def copies_overlap(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, COPIES: tl.constexpr):
    """The next copy begins one element early."""
    row = tl.program_id(0)
    total = 0.0
    for k in range(0, tl.cdiv(n, COPIES * BLOCK)):
        for u in tl.static_range(COPIES):
            cols = k * COPIES * BLOCK + u * (BLOCK - 1) + tl.arange(0, BLOCK)
            total += tl.sum(tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0))
    tl.store(y_ptr + row, total)


@triton.jit
def last_apart(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    whole = n // BLOCK
    for k in range(0, whole):
        total += tl.load(x_ptr + row * stride + k * BLOCK + tl.arange(0, BLOCK))
    cols = whole * BLOCK + tl.arange(0, BLOCK)
    total += tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def last_apart_max(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full([BLOCK], -float("inf"), tl.float32)
    whole = n // BLOCK
    for k in range(0, whole):
        best = tl.maximum(best, tl.load(x_ptr + row * stride + k * BLOCK + tl.arange(0, BLOCK)))
    cols = whole * BLOCK + tl.arange(0, BLOCK)
    best = tl.maximum(best, tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf")))
    tl.store(y_ptr + row, tl.max(best))


@triton.jit
def first_apart(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    total = tl.load(x_ptr + row * stride + lanes, mask=lanes < n, other=0.0)
    for start in range(BLOCK, n, BLOCK):
        cols = start + lanes
        total += tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def last_shifted(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    """The tail begins one element late."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    whole = n // BLOCK
    for k in range(0, whole):
        total += tl.load(x_ptr + row * stride + k * BLOCK + tl.arange(0, BLOCK))
    cols = whole * BLOCK + 1 + tl.arange(0, BLOCK)
    total += tl.load(x_ptr + row * stride + cols, mask=cols < n, other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def last_twice(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    """The last whole tile once more."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    whole = n // BLOCK
    for k in range(0, whole):
        total += tl.load(x_ptr + row * stride + k * BLOCK + tl.arange(0, BLOCK))
    cols = (whole - 1) * BLOCK + tl.arange(0, BLOCK)
    total += tl.load(x_ptr + row * stride + cols, mask=(cols < n) & (cols >= 0), other=0.0)
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def first_element(x_ptr, y_ptr, n, stride, FROM: tl.constexpr, MAX: tl.constexpr):
    """Begins with the first element instead of nothing."""
    row = tl.program_id(0)
    total = tl.load(x_ptr + row * stride)
    for k in range(FROM, n):
        x = tl.load(x_ptr + row * stride + k)
        total = tl.maximum(total, x) if MAX else total + x
    tl.store(y_ptr + row, total)


def form(kernel, formula, copies=None, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "stride": "i32"}
    sizes = (
        {"FROM": copies, "MAX": formula == MAX}
        if kernel is first_element
        else {"BLOCK": 32, **({"COPIES": copies} if copies else {})}
    )
    return {"kernel": kernel, "types": types, "constexprs": sizes, "formula": formula, **more}


SUM, MAX = "sum(x_ptr, axis=1)", "max(x_ptr, axis=1)"
FORMS = {
    "unrolled": form(unrolled, SUM, 4),
    "unrolled_by_three": form(unrolled, SUM, 3),
    "unrolled_lanes": form(unrolled_lanes, SUM, 4),
    "unrolled_max": form(unrolled_max, MAX, 4),
    "copy_left_out": form(copy_left_out, SUM, 3, wrong=True),
    "copies_overlap": form(copies_overlap, SUM, 4, wrong=True),
    "last_apart": form(last_apart, SUM),
    "last_apart_max": form(last_apart_max, MAX),
    "first_apart": form(first_apart, SUM),
    "first_element": form(first_element, SUM, 1),
    "first_element_max": form(first_element, MAX, 1),
    "first_element_twice": form(first_element, SUM, 0, wrong=True),
    "second_element_left_out": form(first_element, SUM, 2, wrong=True),
    "second_element_left_out_of_max": form(first_element, MAX, 2, wrong=True),
    "last_shifted": form(last_shifted, SUM, wrong=True),
    "last_twice": form(last_twice, SUM, wrong=True),
}
