"""Tensors given as memory, by --shape with one axis, whose rows the kernel knows; and rows given longer than the kernel's steps."""

import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, y_ptr, M, N, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = j < N
    x = tl.load(x_ptr + row * N + j, mask=mask, other=0.0)
    tl.store(y_ptr + row * N + j + SHIFT, x, mask=mask)


@triton.jit
def every_second(x_ptr, y_ptr, M, N, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N
    x = tl.load(x_ptr + i * 2 + SHIFT, mask=mask, other=0.0)
    tl.store(y_ptr + i, x, mask=mask)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "M": "i32", "N": "i32"}


def form(kernel, formula, shift, shapes, grid, **rest):
    flags = [word for shape in shapes for word in ("--shape", shape)] + ["--grid", grid]
    return {
        "kernel": kernel,
        "types": TYPES,
        "constexprs": {"SHIFT": shift, "BLOCK": 64},
        "formula": formula,
        "flags": flags,
        **rest,
    }


GRID = "M,cdiv(N,64)"
FORMS = {
    "rows": form(rows, "x_ptr", 0, ["x_ptr=M*N", "y_ptr=M*N"], GRID, shape=["M*N"]),
    "rows_to_flat": form(rows, "reshape(x_ptr, M * N)", 0, ["x_ptr=M,N", "y_ptr=M*N"], GRID, shape=["M*N"]),
    "rows_shifted": form(
        rows, "x_ptr[index(M * N) - 1]", 1, ["x_ptr=M*N", "y_ptr=M*N"], GRID, verdict="probable", safety="refuted"
    ),
    "rows_too_long": form(rows, "x_ptr", 0, ["x_ptr=M,N+1", "y_ptr=M,N+1"], GRID, safety="refuted"),
    "rows_of_another_length": form(
        rows,
        "x_ptr[(index(K) + K * column(index(M))) // N, (index(K) + K * column(index(M))) % N]",
        0,
        ["x_ptr=M,N", "y_ptr=M,K"],
        GRID,
        safety="refuted",
    ),
    "every_second": form(every_second, "x_ptr[1::2]", 1, ["x_ptr=2*N", "y_ptr=N"], "cdiv(N,64)"),
    "every_second_beyond": form(
        every_second, "x_ptr[2 * index(N) + 2]", 2, ["x_ptr=2*N", "y_ptr=N"], "cdiv(N,64)", safety="refuted"
    ),
}
