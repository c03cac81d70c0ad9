"""Copies of a loop over blocks of rows, whose number of rows bounds nothing: that rows of one block of an output are not those of another is
assumed, and the blocks are an axis."""

import triton
import triton.language as tl


@triton.jit
def copies(x_ptr, y_ptr, n_blocks, n_rows, D, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row, d = tl.program_id(0), tl.arange(0, BLOCK)
    for i in tl.static_range(0, 3):
        if i < n_blocks or HOW != "":
            at = i * n_rows * D + row * D + d
            to = at
            if HOW == "short":
                to = (i * (n_rows - 1) + row) * D + d
            if HOW == "back":
                to = (row - i * n_rows) * D + d
            x = tl.load(x_ptr + at, mask=d < D)
            tl.store(y_ptr + to, x + 1.0, mask=d < D)


@triton.jit
def offset(x_ptr, y_ptr, n_blocks, n_rows, D, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """One block only, wherever it begins: nothing can overlap."""
    row, d = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * D + d, mask=d < D)
    tl.store(y_ptr + (n_rows + row) * D + d, x + 1.0, mask=d < D)


def form(kernel, how, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_blocks": "i32", "n_rows": "i32", "D": "i32"}
    return {"kernel": kernel, "types": types, "constexprs": {"HOW": how, "BLOCK": 64}, **more}


PART = "1 + where(expand(column(index(3)), 2) == 2, x_ptr[2], where(expand(column(index(3)), 2) == 1, x_ptr[1], x_ptr[0]))"
COUNTED = (
    PART.replace("index(3)", "index(n_blocks)")
    .replace("== 2", "== 2) & (n_blocks >= 3)")
    .replace("== 1", "== 1) & (n_blocks >= 2)")
    .replace("where(", "where((")
)
FORMS = {
    "counted": form(copies, "", formula=COUNTED, safety="unknown"),
    "all": form(copies, "all", formula=PART, shape=["3", "grid_x", "D"]),
    "short": form(copies, "short", unproved=True),
    "back": form(copies, "back", unproved=True),
    "offset": form(offset, "", unproved=True),
}
