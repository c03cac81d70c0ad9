"""Reductions whose region makes something of its elements first, max(|a|, |b|): the fold over what it makes, where it leaves its own
results as they are."""

import triton
import triton.language as tl


@triton.jit
def larger_size(a, b):
    return tl.maximum(tl.abs(a), tl.abs(b))


@triton.jit
def larger_size_by_where(a, b):
    return tl.where(tl.abs(a) > tl.abs(b), tl.abs(a), tl.abs(b))


@triton.jit
def smaller_size(a, b):
    return tl.minimum(tl.abs(a), tl.abs(b))


@triton.jit
def sizes_together(a, b):
    return tl.abs(a) + tl.abs(b)


@triton.jit
def larger_positive(a, b):
    return tl.maximum(tl.maximum(a, 0.0), tl.maximum(b, 0.0))


@triton.jit
def squares_together(a, b):
    """Squares of squares, as many as there are steps."""
    return a * a + b * b


@triton.jit
def larger_double(a, b):
    return tl.maximum(2.0 * a, 2.0 * b)


@triton.jit
def larger_negative(a, b):
    return tl.maximum(-a, -b)


@triton.jit
def size_of_one(a, b):
    """That of the first only."""
    return tl.maximum(tl.abs(a), b)


@triton.jit
def sizes(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, larger_size))


@triton.jit
def sizes_by_where(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(
        y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, larger_size_by_where)
    )


@triton.jit
def least_sizes(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(
        y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=float("inf")), 0, smaller_size)
    )


@triton.jit
def norms(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, sizes_together))


@triton.jit
def positive(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, larger_positive))


@triton.jit
def alone(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """One lane: nothing is combined, and nothing made of it."""
    row, cols = tl.program_id(0), tl.arange(0, 1)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols), 0, larger_size))


@triton.jit
def squares(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, squares_together))


@triton.jit
def doubles(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, larger_double))


@triton.jit
def negatives(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, larger_negative))


@triton.jit
def one_sided(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0), 0, size_of_one))


def form(kernel, formula=None, **more):
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 64},
        **({"formula": formula} if formula else {}),
        **more,
    }


FORMS = {
    "sizes": form(sizes, "max(abs(x_ptr), axis=1)"),
    "sizes_by_where": form(sizes_by_where, "max(abs(x_ptr), axis=1)"),
    "least_sizes": form(least_sizes, "min(abs(x_ptr), axis=1)"),
    "norms": form(norms, "sum(abs(x_ptr), axis=1)"),
    "positive": form(positive, "max(relu(x_ptr), axis=1)"),
    "alone": form(alone, "x_ptr"),
    "squares": form(squares, wrong="verdict"),
    "doubles": form(doubles, wrong="verdict"),
    "negatives": form(negatives, wrong="verdict"),
    "one_sided": form(one_sided, wrong="verdict"),
}
