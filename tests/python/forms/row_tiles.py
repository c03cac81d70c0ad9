"""Tiles of a matrix by one program id: with as many tiles in a row as the columns need, and with as many as the rows need, which leaves columns
out where there are more of these than rows. That the first elements of memory are written, as many as there are rows, covers nothing."""
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


def form(by_rows, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "M": "i32", "N": "i32"}
    return {"kernel": tiles, "types": types, "constexprs": {"BY_ROWS": by_rows, "BLOCK": 4}, **more}


FORMS = {"by_columns": form(False, formula="x_ptr ** 2", shape=["M", "N"]), "by_rows": form(True, unproved=True)}
