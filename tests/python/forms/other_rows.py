"""Rows stored into longer rows, behind their begin: what is read is an element of its own row, also where a product of arguments, which
counts rows of the input as well, says how far. Conversions to unsigned integers, whose bits are negative numbers from the middle on.
"""

import triton
import triton.language as tl


@triton.jit
def behind(x_ptr, y_ptr, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(
        y_ptr + row * ROWS * n + (ROWS - 1) * n + i, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), mask=i < n
    )


@triton.jit
def joined(x_ptr, z_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * 2 * n + i, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), mask=i < n)
    tl.store(y_ptr + row * 2 * n + n + i, tl.load(z_ptr + row * n + i, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def padded(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + row * 4 * n + 2 * n + i, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), mask=i < 2 * n)


@triton.jit
def moved(x_ptr, z_ptr, y_ptr, n, m, step, AWAY: tl.constexpr, BLOCK: tl.constexpr):
    """Of rows that may be AWAY; m is a size."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(z_ptr + row * m + i, i + 1.0, mask=i < m)
    tl.store(y_ptr + row * step + m * n + i, tl.load(x_ptr + (row + AWAY) * n + i, mask=i < n), mask=i < n)


@triton.jit
def moved_backwards(x_ptr, y_ptr, n, m, step, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * step + m * n + i, tl.load(x_ptr + row * n + n - 1 - i, mask=i < n), mask=i < n)


@triton.jit
def moved_in_batches(x_ptr, y_ptr, n, m, rows, step, batch, BLOCK: tl.constexpr):
    """m batches of rows, and m rows."""
    row, b = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, BLOCK)
    mask = (i < n) & (row < rows)
    tl.store(
        y_ptr + b * batch + row * step + (m * rows + m) * n + i,
        tl.load(x_ptr + (b * rows + row) * n + i, mask=mask),
        mask=mask,
    )


@triton.jit
def unsigned(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.minimum(tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), 255.0)
    tl.store(y_ptr + i, x.to(tl.uint8).to(tl.int8).to(tl.float32), mask=i < n)


def form(kernel, formula, **more):
    types = {name: "*fp32" if name.endswith("_ptr") else "i32" for name in kernel.arg_names if not name.isupper()}
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"BLOCK": 64, **more.pop("constexprs", {})},
        "formula": formula,
        **more,
    }


MOVED, AT_LEAST = ["index(m) + 1", "x_ptr[column(index(grid_x)), index(n + m * n) - n * m]"], ("--assume", "m >= 1")
FORMS = {
    "behind": form(
        behind,
        "x_ptr[column(index(grid_x)), index(2 * n) - n]",
        constexprs={"ROWS": 2},
        inputs={"x_ptr": ["grid_x", "n"]},
        safety="unknown",
    ),
    "far_behind": form(
        behind,
        "x_ptr[column(index(grid_x)), index(4 * n) - 3 * n]",
        constexprs={"ROWS": 4},
        inputs={"x_ptr": ["grid_x", "n"]},
        safety="unknown",
    ),
    "joined": form(
        joined, "concat(x_ptr, z_ptr, axis=1)", inputs={"x_ptr": ["grid_x", "n"], "z_ptr": ["grid_x", "n"]}
    ),
    "padded": form(
        padded,
        "where(index(4 * n) < 3 * n, x_ptr[column(index(grid_x)), index(4 * n) - 2 * n], 0)",
        inputs={"x_ptr": ["grid_x", "n"]},
        safety="unknown",
    ),
    "moved": form(moved, MOVED, constexprs={"AWAY": 0}, inputs={"x_ptr": ["grid_x", "n"]}, safety="unknown"),
    "moved_away": form(moved, MOVED[1], constexprs={"AWAY": 1}, wrong="formula"),
    "moved_backwards": form(
        moved_backwards,
        "x_ptr[column(index(grid_x)), n + n * m - index(n + m * n) - 1]",
        flags=AT_LEAST,
        safety="unknown",
    ),
    "moved_in_batches": form(
        moved_in_batches,
        "x_ptr[column(index(grid_y)), expand(column(index(rows)), 2), index(n + m * n + m * n * rows) - n * m * (rows"
        " + 1)]",
        flags=AT_LEAST,
        inputs={"x_ptr": ["grid_y", "rows", "n"]},
        safety="unknown",
    ),
    "unsigned": form(unsigned, "wrap8(trunc(clamp(x_ptr, 0, 255)))"),
    "unsigned_is_no_255": form(unsigned, "trunc(minimum(relu(x_ptr), 255))", wrong=True),
}
