"""Indices that count from the end where they are negative, `where(i < 0, i + n, i)`, which do not wrap where they are chosen; and rows whose
halves are stored by two stores, each of which ends where the other begins."""

import triton
import triton.language as tl


@triton.jit
def gather(x_ptr, i_ptr, y_ptr, n, k, PLUS: tl.constexpr, CHECKED: tl.constexpr, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    i = tl.load(i_ptr + row * k + c, mask=c < k, other=0)
    i = tl.where(i < 0, i + n + PLUS, i)
    inside = (c < k) & (i >= 0) & (i < n) if CHECKED else c < k
    tl.store(y_ptr + row * k + c, tl.load(x_ptr + row * n + i, mask=inside, other=0.0), mask=c < k)


@triton.jit
def may_wrap(i_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Of an index that is not negative the sum may wrap."""
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = tl.load(i_ptr + c, mask=c < n, other=0)
    tl.store(y_ptr + c, tl.where(i < 5, i, i + n), mask=c < n)


@triton.jit
def halves(x_ptr, y_ptr, n, FROM: tl.constexpr, TO: tl.constexpr, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    inside = c < n
    tl.store(y_ptr + row * 2 * n + n + c, tl.load(x_ptr + row * 2 * n + c, mask=inside), mask=inside)
    tl.store(y_ptr + row * 2 * n + TO + c, tl.load(x_ptr + row * 2 * n + n + FROM + c, mask=inside), mask=inside)


def form(kernel, formula=None, index="*i64", **constexprs):
    more = {key: constexprs.pop(key) for key in ("safety", "unproved", "wrong") if key in constexprs}
    names = [name for name in kernel.arg_names if name not in ("BLOCK", *constexprs)]
    types = {
        name: (
            "*fp32"
            if name in ("x_ptr", "y_ptr") and kernel is not may_wrap
            else index if name.endswith("ptr") else "i32"
        )
        for name in names
    }
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"BLOCK": 64, **constexprs},
        **({"formula": formula} if formula else {}),
        **more,
    }


TAKEN = "where(({0} < n) & ({0} >= 0), take_along_axis(x_ptr, {0}, axis=1), 0)".format(
    "where(i_ptr < 0, i_ptr + n, i_ptr)"
)
SWAPPED = "concat(x_ptr[:, n:], x_ptr[:, :n], axis=1)"
FORMS = {
    "gather": form(gather, TAKEN, PLUS=0, CHECKED=True),
    "gather_i32": form(gather, TAKEN, "*i32", PLUS=0, CHECKED=True),
    "gather_unchecked": form(gather, PLUS=0, CHECKED=False, unproved=True),
    "gather_of_another": form(gather, TAKEN, PLUS=1, CHECKED=True, wrong="formula"),
    "may_wrap": form(may_wrap, "where(i_ptr >= 5, i_ptr + n, i_ptr)", "*i32", wrong="formula"),
    "halves": form(halves, SWAPPED, FROM=0, TO=0),
    "halves_from_another": form(halves, SWAPPED, FROM=1, TO=0, wrong="formula"),
    "halves_with_a_gap": form(halves, FROM=0, TO=1, unproved=True),
}
