"""Lengths with quotients: from n // 2 to 3 * n // 2 are n elements. Rows of n // 2 elements of which each is read twice: of an odd n the last one
is the next row's, so that all there is to say is what is read."""

import triton
import triton.language as tl


@triton.jit
def middle(x_ptr, y_ptr, n, MORE: tl.constexpr, BLOCK: tl.constexpr):
    row, i, begin, end = tl.program_id(0), tl.arange(0, BLOCK), n // 2, (3 * n) // 2 + MORE
    inside = i < end - begin
    tl.store(y_ptr + row * n + i, tl.load(x_ptr + row * 2 * n + begin + i, mask=inside, other=0.0), mask=inside)


@triton.jit
def twice(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * n + i, tl.load(x_ptr + row * (n // 2) + i // 2, mask=i < n, other=0.0), mask=i < n)


def form(kernel, formula=None, **more):
    constexprs = {"BLOCK": 64, **({"MORE": more.pop("MORE")} if "MORE" in more else {})}
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


FORMS = {
    "middle": form(middle, "x_ptr[:, n // 2:]", MORE=0, shape=["grid_x", "n"], safety="unknown"),
    "middle_and_one": form(middle, MORE=1, unproved=True),
    "twice": form(
        twice,
        "take(x_ptr, index(n) // 2 + n // 2 * column(index(grid_x)), axis=0)",
        inputs={"x_ptr": ["(n + 1) // 2 + grid_x*(n // 2) - n // 2"]},
        safety="unknown",
    ),
}
