"""Rows stored into longer rows, behind their begin: what is read is an element of its own row. Conversions to unsigned
integers, whose bits are negative numbers from the middle on."""
import triton
import triton.language as tl


@triton.jit
def behind(x_ptr, y_ptr, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * ROWS * n + (ROWS - 1) * n + i, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), mask=i < n)


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
def unsigned(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.minimum(tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), 255.0)
    tl.store(y_ptr + i, x.to(tl.uint8).to(tl.int8).to(tl.float32), mask=i < n)


def form(kernel, formula, **more):
    types = {name: "*fp32" for name in ("x_ptr", "z_ptr", "y_ptr") if name in kernel.arg_names} | {"n": "i32"}
    return {"kernel": kernel, "types": types, "constexprs": {"BLOCK": 64, **more.pop("constexprs", {})}, "formula": formula, **more}


FORMS = {
    "behind": form(behind, "x_ptr[column(index(grid_x)), index(2 * n) - n]", constexprs={"ROWS": 2}, inputs={"x_ptr": ["grid_x", "n"]}, safety="unknown"),
    "far_behind": form(behind, "x_ptr[column(index(grid_x)), index(4 * n) - 3 * n]", constexprs={"ROWS": 4}, inputs={"x_ptr": ["grid_x", "n"]}, safety="unknown"),
    "joined": form(joined, "concat(x_ptr, z_ptr, axis=1)", inputs={"x_ptr": ["grid_x", "n"], "z_ptr": ["grid_x", "n"]}),
    "padded": form(padded, "where(index(4 * n) < 3 * n, x_ptr[column(index(grid_x)), index(4 * n) - 2 * n], 0)", inputs={"x_ptr": ["grid_x", "n"]}, safety="unknown"),
    "unsigned": form(unsigned, "y_ptr[i] = wrap8(trunc(min(255, max(0, x_ptr[i]))))"),
    "unsigned_is_no_255": form(unsigned, "trunc(minimum(relu(x_ptr), 255))", wrong=True),
}
