"""Scans that carry a place: the maximum so far and where it is, the lower or the higher place on ties, forwards and backwards; and an
element that is loaded one step ahead."""

import triton
import triton.language as tl


@triton.jit
def higher(v, i, w, j):
    second = (w > v) | ((w == v) & (j > i))
    return tl.where(second, w, v), tl.where(second, j, i)


@triton.jit
def lower(v, i, w, j):
    first = (v > w) | ((v == w) & (i < j))
    return tl.where(first, v, w), tl.where(first, i, j)


@triton.jit
def place(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr, HIGHER: tl.constexpr, REVERSE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf"))
    if HIGHER:
        _, places = tl.associative_scan((x, cols), 0, higher, reverse=REVERSE)
    else:
        _, places = tl.associative_scan((x, cols), 0, lower, reverse=REVERSE)
    tl.store(y_ptr + row * stride + cols, places, mask=cols < n)


@triton.jit
def ahead(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    now = tl.load(x_ptr + row * stride)
    total = 0.0
    for k in range(n):
        following = tl.load(x_ptr + row * stride + k + 1, mask=k + 1 < n, other=0.0)
        total += now * now
        now = following
    tl.store(y_ptr + row, total)


@triton.jit
def behind(x_ptr, y_ptr, n, stride):
    """The first element counts twice, the last one never."""
    row = tl.program_id(0)
    now = tl.load(x_ptr + row * stride)
    total = 0.0
    for k in range(n):
        total += now * now
        now = tl.load(x_ptr + row * stride + k)
    tl.store(y_ptr + row, total)


def form(kernel, formula, combine=None, reverse=False, **more):
    constexprs = {"BLOCK": 64, "HIGHER": combine is higher, "REVERSE": reverse} if kernel is place else {}
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32" if combine is None else "*i32", "n": "i32", "stride": "i32"},
        "constexprs": constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


LAST = (
    "max(where((cummax(expand(x_ptr, 2), axis=1) == expand(x_ptr, 1)) & (index(n) <= column(index(n))), index(n),"
    " -inf), axis=2)"
)
SQUARES = "sum(x_ptr ** 2, axis=1)"
FORMS = {
    "last_of_ties": form(place, LAST, higher),
    "first_of_ties": form(place, "argmax(where(index(n) <= column(index(n)), expand(x_ptr, 1), -inf), axis=2)", lower),
    "first_is_not_last": form(place, LAST, lower, wrong=True),
    "backwards": form(
        place,
        "max(where((expand(cummax(x_ptr[:, ::-1], axis=1)[:, ::-1], 2) == expand(x_ptr, 1)) & "
        "(column(index(n)) <= index(n)), index(n), -inf), axis=2)",
        higher,
        True,
    ),
    "backwards_is_not_forwards": form(place, LAST, higher, True, wrong=True),
    "ahead": form(ahead, SQUARES),
    "behind": form(behind, SQUARES, wrong=True),
}
