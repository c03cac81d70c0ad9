"""Tiles of a matrix by one program id: with as many tiles in a row as the columns need, and with as many as the rows need, which leaves columns
out where there are more of these than rows. That the first elements of memory are written, as many as there are rows, covers nothing.
"""

import triton
import triton.language as tl


@triton.jit
def tiles(x_ptr, y_ptr, M, N, BY_ROWS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tiles_of_a_row = tl.cdiv(M if BY_ROWS else N, BLOCK)
    i = (pid // tiles_of_a_row).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    j = (pid % tiles_of_a_row).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = (i[:, None] < M) & (j[None, :] < N)
    x = tl.load(x_ptr + i[:, None] * N + j[None, :], mask=inside, other=0.0)
    tl.store(y_ptr + i[:, None] * N + j[None, :], x * x, mask=inside)


@triton.jit
def looped(
    x_ptr, y_ptr, M, N, BACKWARDS: tl.constexpr, SKIPPED: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """A program has columns, and goes through the tiles of rows: of as many rows as columns, the counter and the program id look like one stride apart."""
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    last = tl.cdiv(M, ROWS) * ROWS - ROWS
    for start in range(SKIPPED, M, ROWS):
        i = (last - start if BACKWARDS else start) + tl.arange(0, ROWS)
        inside = (i[:, None] < M) & (j[None, :] < N)
        x = tl.load(x_ptr + i[:, None] * N + j[None, :], mask=inside, other=0.0)
        tl.store(y_ptr + i[:, None] * N + j[None, :], x * x, mask=inside)


def loops(backwards, rows, skipped=0, **more):
    return {
        **form(False, **more),
        "kernel": looped,
        "constexprs": {"BACKWARDS": backwards, "SKIPPED": skipped, "ROWS": rows, "BLOCK": 4},
    }


def form(by_rows, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "M": "i32", "N": "i32"}
    return {"kernel": tiles, "types": types, "constexprs": {"BY_ROWS": by_rows, "BLOCK": 4}, **more}


FORMS = {
    "by_columns": form(False, formula="x_ptr ** 2", shape=["M", "N"]),
    "by_rows": form(True, unproved=True),
    **{
        f"looped_{'down' if backwards else 'up'}_{rows}": loops(
            backwards, rows, formula="x_ptr ** 2", shape=["M", "N"]
        )
        for backwards in (False, True)
        for rows in (2, 4, 8)
    },
    **{
        f"looped_{'down' if backwards else 'up'}_but_one": loops(backwards, 4, skipped=4, unproved=True)
        for backwards in (False, True)
    },
}
