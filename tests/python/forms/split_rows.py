"""Rows that several programs share, one partial for each: y + r*num_programs + z has as many columns as there are programs. What does not
stay within such a row is not taken for one."""

import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r, z = tl.program_id(0), tl.program_id(1)
    rows, parts = tl.num_programs(0), tl.num_programs(1)
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in range(z * BLOCK, n, parts * BLOCK):
        at = i + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + r * n + at, mask=at < n, other=0.0)
    if HOW == "columns":
        to = z * rows + r
    elif HOW == "next":
        to = r * parts + z + 1
    elif HOW == "overlap":
        to = r * (parts - 1) + z
    elif HOW == "pairs":
        to = r * parts + z // 2
    else:
        to = r * parts + z
    tl.store(y_ptr + to, tl.sum(acc))


@triton.jit
def wide(x_ptr, y_ptr, n, D, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """A row of D for each of two program ids."""
    r, z = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * D + d, mask=d < D, other=0.0)
    tl.store(y_ptr + (r * tl.num_programs(1) + z) * D + d, x * z, mask=d < D)


@triton.jit
def three(x_ptr, y_ptr, HOW: tl.constexpr):
    a, b, c = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    at = (a * tl.num_programs(1) + b) * tl.num_programs(2) + c
    tl.store(y_ptr + at, tl.load(x_ptr + (c if HOW == "last" else at)) + 1.0)


def form(kernel, types, how="", formula=None, shape=None, **more):
    constexprs = {"HOW": how} if kernel is three else {"HOW": how, "BLOCK": 64}
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", **types},
        "constexprs": constexprs,
        **({"formula": formula, "shape": shape} if formula else {}),
        **more,
    }


N, ND = {"n": "i32"}, {"n": "i32", "D": "i32"}
SUM = (
    "sum[k2 < 64](sum[k < (n - 64*{0} - 1) // (64*grid_y) + 1, 64*grid_y*k + 64*{0} + k2 < n](x_ptr[{1}, 64*grid_y*k +"
    " 64*{0} + k2]))"
)
FORMS = {
    "rows": form(partial, N, formula="y_ptr[i, j] = " + SUM.format("j", "i"), shape=["grid_x", "grid_y"]),
    "columns": form(partial, N, "columns", "y_ptr[i, j] = " + SUM.format("i", "j"), ["grid_y", "grid_x"]),
    "next": form(partial, N, "next", unproved=True),
    "overlap": form(partial, N, "overlap", unproved=True),
    "pairs": form(partial, N, "pairs", unproved=True),
    "wide": form(wide, ND, formula="expand(x_ptr, 1) * column(index(grid_y))", shape=["grid_x", "grid_y", "D"]),
    "three": form(three, {}, formula="1 + x_ptr", shape=["grid_x", "grid_y", "grid_z"]),
    "last": form(three, {}, "last", "1 + x_ptr", ["grid_x", "grid_y", "grid_z"]),
}
