"""Rows that begin where memory says: sequences packed one after the other, chunks of them, tokens by a list. Rows of literal
length are an axis of their own, whatever is added to the row's number. That no two programs write one row is data, and
random evaluation is what agrees: on starts that do not decrease, lists without repetition."""

import triton
import triton.language as tl


@triton.jit
def sequences(x_ptr, y_ptr, starts_ptr, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr):
    seq, head = tl.program_id(0), tl.program_id(1)
    begin, end = tl.load(starts_ptr + seq), tl.load(starts_ptr + seq + 1)
    rows, cols = tl.arange(0, BLOCK), tl.arange(0, D)
    mask = (rows < end - begin)[:, None]
    at = (begin + rows[:, None]) * (H * D) + head * D + cols[None, :]
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=mask), mask=mask)


@triton.jit
def chunks(x_ptr, y_ptr, starts_ptr, list_ptr, D: tl.constexpr, BLOCK: tl.constexpr):
    seq, chunk = tl.load(list_ptr + 2 * tl.program_id(0)), tl.load(list_ptr + 2 * tl.program_id(0) + 1)
    begin, end = tl.load(starts_ptr + seq), tl.load(starts_ptr + seq + 1)
    rows, cols = chunk * BLOCK + tl.arange(0, BLOCK), tl.arange(0, D)
    mask = (rows < end - begin)[:, None]
    at = (begin + rows)[:, None] * D + cols[None, :]
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=mask), mask=mask)


@triton.jit
def take_rows(x_ptr, y_ptr, list_ptr, N, D: tl.constexpr, BLOCK: tl.constexpr):
    rows, cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, D)
    row = tl.load(list_ptr + rows, mask=rows < N)
    x = tl.load(x_ptr + row[:, None] * D + cols[None, :], mask=(rows < N)[:, None])
    tl.store(y_ptr + rows[:, None] * D + cols[None, :], x, mask=(rows < N)[:, None])


@triton.jit
def put_rows(x_ptr, y_ptr, list_ptr, N, D: tl.constexpr, BLOCK: tl.constexpr):
    """The list is read under the mask, and says nothing elsewhere."""
    rows, cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, D)
    row = tl.load(list_ptr + rows, mask=rows < N)
    x = tl.load(x_ptr + rows[:, None] * D + cols[None, :], mask=(rows < N)[:, None])
    tl.store(y_ptr + row[:, None] * D + cols[None, :], x, mask=(rows < N)[:, None])


@triton.jit
def put_rows_longer(x_ptr, y_ptr, list_ptr, N, D: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of 64 with 80 elements in them: no row is an axis, as elements of one lie in the next."""
    rows, cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, 128)
    mask = (rows < N)[:, None] & (cols < 80)[None, :]
    row = tl.load(list_ptr + rows, mask=rows < N)
    x = tl.load(x_ptr + rows[:, None] * D + cols[None, :], mask=mask)
    tl.store(y_ptr + row[:, None] * D + cols[None, :], x, mask=mask)


def form(kernel, types, formula=None, **more):
    constexprs = {"D": 64, "BLOCK": 32, **({"H": 4} if kernel is sequences else {})}
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


PUT = "any[k < min(32, N - 32*k2), i == list_ptr[32*k2 + k]](true)"
BLOCK_OF = f"max[k2 < grid_x, {PUT}](k2)"
LAST_WRITER = (
    f"y_ptr[i, j] = x_ptr[32*{BLOCK_OF} + max[k3 < min(32, N - 32*{BLOCK_OF}), i == list_ptr[k3 + 32*{BLOCK_OF}]](k3),"
    f" j] for any[k2 < grid_x, {PUT}](true)"
)
FORMS = {
    "sequences": form(
        sequences,
        "x_ptr:*fp32 y_ptr:*fp32 starts_ptr:*i64",
        "2 * x_ptr[:y_ptr_d0]",
        shape=["y_ptr_d0", "64*grid_y"],
        safety="unknown",
    ),
    "chunks": form(
        chunks,
        "x_ptr:*fp32 y_ptr:*fp32 starts_ptr:*i64 list_ptr:*i64",
        "2 * x_ptr[:y_ptr_d0]",
        shape=["y_ptr_d0", "64"],
        safety="unknown",
    ),
    "take_rows": form(
        take_rows,
        "x_ptr:*fp32 y_ptr:*fp32 list_ptr:*i64 N:i32",
        "take(x_ptr, list_ptr, axis=0)",
        shape=["N", "64"],
        safety="unknown",
    ),
    "put_rows": form(
        put_rows,
        "x_ptr:*fp32 y_ptr:*fp32 list_ptr:*i64 N:i32",
        LAST_WRITER,
        shape=["y_ptr_d0", "64"],
        verdict="probable",
        safety="unknown",
    ),
    "put_rows_longer": form(put_rows_longer, "x_ptr:*fp32 y_ptr:*fp32 list_ptr:*i64 N:i32", wrong=True),
}
