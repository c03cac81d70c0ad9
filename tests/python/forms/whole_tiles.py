"""Rows of whole tiles, each element times one of a vector: how long the vector is, only the tiles say."""

import triton
import triton.language as tl


@triton.jit
def scaled(x_ptr, v_ptr, y_ptr, n, BY_ROW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(v_ptr + row) if BY_ROW else tl.load(v_ptr + j)
    tl.store(y_ptr + row * n + j, tl.load(x_ptr + row * n + j) * v)


SQUARE = ["--shape", "x_ptr=n,n", "--shape", "v_ptr=n", "--shape", "y_ptr=n,n", "--assume", "n % 64 == 0"]


def form(by_row, formula, **more):
    types = {"x_ptr": "*fp32", "v_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
    return {
        "kernel": scaled,
        "types": types,
        "constexprs": {"BY_ROW": by_row, "BLOCK": 64},
        "formula": formula,
        "flags": SQUARE,
        **more,
    }


FORMS = {
    "columns": form(False, "x_ptr * v_ptr"),
    "rows": form(True, "x_ptr * column(v_ptr)"),
}
