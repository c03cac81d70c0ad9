"""Indices from memory: a remainder by an argument is no row and column of rows of that length, and a column that may leave its row is
said to stay in it."""

import triton
import triton.language as tl


@triton.jit
def gather(x_ptr, idx_ptr, y_ptr, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.load(idx_ptr + i, mask=i < n, other=0)
    if HOW == "remainder":
        at = x_ptr + j % m
    elif HOW == "backwards":
        at = x_ptr + m * (i + 1) - j - 1
    else:
        at = x_ptr + i * m + j
    tl.store(y_ptr + i, tl.load(at, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def scatter(x_ptr, idx_ptr, y_ptr, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.load(idx_ptr + i, mask=i < n, other=0)
    tl.atomic_add(y_ptr + j % m, tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


def form(kernel, how=None, **wanted):
    types = {"x_ptr": "*fp32", "idx_ptr": "*i32", "y_ptr": "*fp32", "n": "i32", "m": "i32"}
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": ({"HOW": how} if how else {}) | {"BLOCK": 64},
        "safety": "unknown",
    } | wanted


INSIDE = "the indices of x_ptr lie in its shape"
FORMS = {
    "remainder": form(
        gather,
        "remainder",
        formula="take(x_ptr, idx_ptr - m * trunc(idx_ptr / m), axis=0)",
    ),
    "backwards": form(gather, "backwards", formula="take_along_axis(x_ptr[1:], wrap32(-column(idx_ptr)) - 1, axis=1)", states=INSIDE),
    "row": form(gather, "row", formula="take_along_axis(x_ptr, column(idx_ptr), axis=1)", states=INSIDE),
    "scatter": form(
        scatter,
        formula=(
            "column(y_ptr) + sum(where(idx_ptr == m * trunc(idx_ptr / m) + column(index(y_ptr_d0)), x_ptr, 0), axis=1)"
        ),
    ),
}
