"""Rows of two parts, with a sum of sizes for a stride; and places in a row that a selection moves."""

import triton
import triton.language as tl


@triton.jit
def side_by_side(a_ptr, b_ptr, y_ptr, A, B, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * A + c, mask=c < A, other=0.0)
    b = tl.load(b_ptr + row * B + (c - A), mask=(c >= A) & (c < A + B), other=0.0)
    tl.store(y_ptr + row * (A + B) + c, tl.where(c < A, a, b), mask=c < A + B)


@triton.jit
def parts(x_ptr, a_ptr, b_ptr, A, B, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * (A + B) + c, mask=c < A + B)
    tl.store(a_ptr + row * A + c, x, mask=c < A)
    tl.store(b_ptr + row * B + (c - A), x, mask=(c >= A) & (c < A + B))


@triton.jit
def side_by_side_short(a_ptr, b_ptr, y_ptr, A, B, BLOCK: tl.constexpr):
    """The rows of the output are as long as those of a."""
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * A + c, mask=c < A, other=0.0)
    b = tl.load(b_ptr + row * B + (c - A), mask=(c >= A) & (c < A + B), other=0.0)
    tl.store(y_ptr + row * A + c, tl.where(c < A, a, b), mask=c < A + B)


@triton.jit
def side_by_side_over(a_ptr, b_ptr, y_ptr, A, B, BLOCK: tl.constexpr):
    """One element of the next row."""
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * A + c, mask=c < A, other=0.0)
    b = tl.load(b_ptr + row * B + (c - A), mask=(c >= A) & (c < A + B), other=0.0)
    tl.store(y_ptr + row * (A + B) + c, tl.where(c < A, a, b), mask=c <= A + B)


@triton.jit
def side_by_side_shifted(a_ptr, b_ptr, y_ptr, A, B, BLOCK: tl.constexpr):
    """b from its second element on."""
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * A + c, mask=c < A, other=0.0)
    b = tl.load(b_ptr + row * B + (c - A) + 1, mask=(c >= A) & (c < A + B - 1), other=0.0)
    tl.store(y_ptr + row * (A + B) + c, tl.where(c < A, a, b), mask=c < A + B)


@triton.jit
def halves_moved(x_ptr, y_ptr, D, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    h = D // 2
    x = tl.load(x_ptr + row * D + tl.where(c < h, c + h, c - h), mask=c < D)
    tl.store(y_ptr + row * D + c, tl.where(c < h, -x, x), mask=c < D)


@triton.jit
def halves_moved_too_far(x_ptr, y_ptr, D, BLOCK: tl.constexpr):
    """The middle of an odd row goes beyond its end."""
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    h = (D + 1) // 2
    x = tl.load(x_ptr + row * D + tl.where(c < h, c + h, c - h), mask=c < D)
    tl.store(y_ptr + row * D + c, tl.where(c < h, -x, x), mask=c < D)


def form(kernel, types, formula=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128},
        **({"formula": formula} if formula else {}),
        **more,
    }


PARTS, ROW = "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 A:i32 B:i32", "x_ptr:*fp32 y_ptr:*fp32 D:i32"
MOVED = "concat(-x_ptr[:, D // 2:2 * (D // 2)], x_ptr[:, :D - D // 2], axis=1)"
FORMS = {
    "side_by_side": form(side_by_side, PARTS, "concat(a_ptr, b_ptr, axis=1)", shape=["grid_x", "A + B"]),
    "parts": form(
        parts, "x_ptr:*fp32 a_ptr:*fp32 b_ptr:*fp32 A:i32 B:i32", ["x_ptr[:, :A]", "x_ptr[:, A:]"], safety="unknown"
    ),
    "side_by_side_short": form(side_by_side_short, PARTS, wrong="verdict"),
    "side_by_side_over": form(side_by_side_over, PARTS, wrong="verdict"),
    "side_by_side_shifted": form(side_by_side_shifted, PARTS, "concat(a_ptr, b_ptr, axis=1)", wrong="formula"),
    "halves_moved": form(halves_moved, ROW, MOVED, safety="unknown"),
    "halves_moved_too_far": form(halves_moved_too_far, ROW, MOVED, wrong="formula"),
}
