"""Loops that do not run at the least sizes, and numbers that arrays could divide by: what modules give there (test_small_sizes.py)."""

import triton
import triton.language as tl


@triton.jit
def down_to_one(x_ptr, y_ptr, n):
    """The first element is left out."""
    row, h = tl.program_id(0), 0.0
    for k in range(n - 1, 0, -1):
        h = 0.5 * h + tl.load(x_ptr + row * n + k)
    tl.store(y_ptr + row, h)


@triton.jit
def pairs(x_ptr, y_ptr, n):
    row, total = tl.program_id(0), 0.0
    for i in range(n):
        for j in range(i):
            total += tl.load(x_ptr + row * n + i) * tl.load(x_ptr + row * n + j)
    tl.store(y_ptr + row, total)


@triton.jit
def largest_but_one(x_ptr, y_ptr, n, h):
    """All but element h."""
    row, m = tl.program_id(0), float("-inf")
    for k in range(h):
        m = tl.maximum(m, tl.load(x_ptr + row * n + k))
    for k in range(h + 1, n):
        m = tl.maximum(m, tl.load(x_ptr + row * n + k))
    tl.store(y_ptr + row, m)


@triton.jit
def from_first_on(x_ptr, y_ptr, n, key, st):
    """How many follow the first that is key or more, until one is st or more."""
    row, i = tl.program_id(0), 0
    while (i < n) & (tl.load(x_ptr + row * n + i, mask=i < n, other=0) < key):
        i += 1
    j = i
    while (j < n) & (tl.load(x_ptr + row * n + j, mask=j < n, other=0) < st):
        j += 1
    tl.store(y_ptr + row, j - i)


@triton.jit
def shifted(x_ptr, y_ptr, n, a, b, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=mask) + (1.0 + a) / b, mask=mask)


@triton.jit
def lifted(x_ptr, y_ptr, n, a, b, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=mask) + tl.sqrt(a - b), mask=mask)


def form(kernel, types, formula, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": constexprs or {},
        "formula": formula,
        **more,
    }


ROWS, SCALARS = "x_ptr:*fp32 y_ptr:*fp32 n:i32", "x_ptr:*fp32 y_ptr:*fp32 n:i32 a:fp32 b:fp32"
FIRST = "minimum(min(where(x_ptr >= key, index(n), inf), axis=1), n)"
FORMS = {
    "down_to_one": form(
        down_to_one,
        ROWS,
        "sum(x_ptr[:, 1:] * 0.5 ** index(n - 1), axis=1)",
    ),
    "pairs": form(pairs, ROWS, "y_ptr[i] = sum[k2 < n](sum[k < k2](x_ptr[i, k2]*x_ptr[i, k]))"),
    "largest_but_one": form(
        largest_but_one,
        ROWS + " h:i32",
        "maximum(max(take(x_ptr, index(h) + n * column(index(grid_x)), axis=0), axis=1), "
        "max(take(x_ptr, index(n - h - 1) + n * column(index(grid_x)) + h + 1, axis=0), axis=1))",
        safety="unknown",
    ),
    "from_first_on": form(
        from_first_on,
        "x_ptr:*i32 y_ptr:*i32 n:i32 key:i32 st:i32",
        f"minimum(n - {FIRST}, min(where(({FIRST} + index(n) < n) & "
        f"(take_along_axis(x_ptr, {FIRST} + index(n), axis=1) >= st), index(n), inf), axis=1))",
    ),
    "shifted": form(shifted, SCALARS, "x_ptr + (1 + a) / b", {"BLOCK": 64}),
    "lifted": form(lifted, SCALARS, "x_ptr + sqrt(a - b)", {"BLOCK": 64}, safety="unknown"),
}
