"""Values that a loop keeps in memory: it loads at one address in each iteration what the one before has stored there."""

import triton
import triton.language as tl


@triton.jit
def row_sum(x_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    tl.store(y_ptr + row, 0.0)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N, other=0.0)
        tl.store(y_ptr + row, tl.load(y_ptr + row) + tl.sum(x, axis=0))


@triton.jit
def add_rows(x_ptr, y_ptr, M, N, stride, BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(0, M):
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N)
        y = tl.load(y_ptr + cols, mask=cols < N)
        tl.store(y_ptr + cols, y + x, mask=cols < N)


@triton.jit
def row_max(x_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    tl.store(y_ptr + row, float("-inf"))
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N, other=float("-inf"))
        y = tl.load(y_ptr + row)
        tl.store(y_ptr + row, tl.maximum(y, tl.max(x, axis=0)))


@triton.jit
def tile_sum(x_ptr, y_ptr, B, M, N, stride_b, stride_m, BLOCK: tl.constexpr):
    """Two loops, the inner one of which keeps its sum in memory too."""
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + cols, tl.zeros((BLOCK,), tl.float32), mask=cols < N)
    for b in range(0, B):
        for m in range(0, M):
            x = tl.load(x_ptr + b * stride_b + m * stride_m + cols, mask=cols < N, other=0.0)
            y = tl.load(y_ptr + cols, mask=cols < N, other=0.0)
            tl.store(y_ptr + cols, y + x, mask=cols < N)


@triton.jit
def log_sum(x_ptr, sum_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    """The maximum is carried, the rescaled sum lies in memory, and is read there behind the loop."""
    row = tl.program_id(0)
    tl.store(sum_ptr + row, 0.0)
    top = float("-inf")
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N, other=float("-inf"))
        next_top = tl.maximum(top, tl.max(x, axis=0))
        total = tl.load(sum_ptr + row) * tl.exp(top - next_top) + tl.sum(tl.exp(x - next_top), axis=0)
        tl.store(sum_ptr + row, total)
        top = next_top
    tl.store(y_ptr + row, top + tl.log(tl.load(sum_ptr + row)))


@triton.jit
def row_sum_on_top(x_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    """What was there before is in the sum."""
    row = tl.program_id(0)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N, other=0.0)
        tl.store(y_ptr + row, tl.load(y_ptr + row) + tl.sum(x, axis=0))


@triton.jit
def add_rows_short(x_ptr, y_ptr, M, N, stride, BLOCK: tl.constexpr):
    """The mask of the store is not that of the load."""
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(0, M):
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N)
        y = tl.load(y_ptr + cols, mask=cols < N)
        tl.store(y_ptr + cols, y + x, mask=cols < N - 1)


@triton.jit
def add_rows_mod(x_ptr, y_ptr, M, N, stride, BLOCK: tl.constexpr):
    """The mask of both moves with the counter."""
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for row in range(0, M):
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N)
        y = tl.load(y_ptr + cols, mask=cols < N - row)
        tl.store(y_ptr + cols, y + x, mask=cols < N - row)


@triton.jit
def running(x_ptr, y_ptr, N):
    """The address moves: each element is read an iteration later."""
    tl.store(y_ptr, 0.0)
    for k in range(0, N):
        tl.store(y_ptr + k + 1, tl.load(y_ptr + k) + tl.load(x_ptr + k))


@triton.jit
def row_sum_two(x_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    """Another element of the tensor is stored to in the loop: that of the next program."""
    row = tl.program_id(0)
    tl.store(y_ptr + row, 0.0)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < N, other=0.0)
        tl.store(y_ptr + row, tl.load(y_ptr + row) + tl.sum(x, axis=0))
        tl.store(y_ptr + row + 1, 0.0)


@triton.jit
def one_cell(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """All lanes share an element: they do not see each other's sums in order."""
    lanes = tl.arange(0, BLOCK)
    for k in range(0, N):
        y = tl.load(y_ptr + lanes * 0)
        tl.store(y_ptr + lanes * 0, y + tl.load(x_ptr + k * BLOCK + lanes))


def form(kernel, types, formula=None, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 64} if constexprs is None else constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


ROWS = "x_ptr:*fp32 y_ptr:*fp32 N:i32 stride:i32"
COLS = "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32 stride:i32"
FORMS = {
    "row_sum": form(row_sum, ROWS, "sum(x_ptr, axis=1)"),
    "add_rows": form(add_rows, COLS, "sum(x_ptr, axis=0) + y_ptr"),
    "row_max": form(row_max, ROWS, "max(x_ptr, axis=1)"),
    "tile_sum": form(
        tile_sum, "x_ptr:*fp32 y_ptr:*fp32 B:i32 M:i32 N:i32 stride_b:i32 stride_m:i32", "sum(x_ptr, axis=(0, 1))"
    ),
    "log_sum": form(
        log_sum,
        "x_ptr:*fp32 sum_ptr:*fp32 y_ptr:*fp32 N:i32 stride:i32",
        ["sum(exp(x_ptr - max(x_ptr, axis=1)), axis=1)", "logsumexp(x_ptr, axis=1)"],
    ),
    "row_sum_on_top": form(row_sum_on_top, ROWS, "sum(x_ptr, axis=1) + column(y_ptr)"),
    "add_rows_short": form(add_rows_short, COLS, "sum(x_ptr, axis=0) + y_ptr", wrong=True),
    "add_rows_mod": form(add_rows_mod, COLS, "sum(x_ptr, axis=0) + y_ptr", wrong=True),
    "running": form(
        running,
        "x_ptr:*fp32 y_ptr:*fp32 N:i32",
        "sum(where(index(N) < column(index(N + 1)), x_ptr, 0), axis=1)",
        constexprs={},
        safety="unknown",
    ),
    "row_sum_two": form(row_sum_two, ROWS, "sum(x_ptr, axis=1)", wrong=True),
    "one_cell": form(one_cell, "x_ptr:*fp32 y_ptr:*fp32 N:i32", wrong=True),
}
