"""Whole blocks without a mask, and the tail with one: what is read is n elements, not whole blocks of them."""

import triton
import triton.language as tl


@triton.jit
def early(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= n:
        tl.store(y_ptr + i, tl.load(x_ptr + i) + 1.0)
    else:
        tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1.0, mask=i < n)


@triton.jit
def next_block(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    last = n - pid * BLOCK < BLOCK
    if last:
        tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)
    else:
        tl.store(y_ptr + i, tl.load(x_ptr + i))


@triton.jit
def two(x_ptr, w_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Only the loads are apart."""
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if (pid + 1) * BLOCK <= n:
        v = tl.load(x_ptr + i) + tl.load(w_ptr + i)
    else:
        v = tl.load(x_ptr + i, mask=i < n, other=0.0) + tl.load(w_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, v, mask=i < n)


@triton.jit
def columns(x_ptr, y_ptr, N, sx, sy, BLOCK: tl.constexpr):
    r, pid = tl.program_id(1), tl.program_id(0)
    c = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= N:
        tl.store(y_ptr + r * sy + c, tl.exp(tl.load(x_ptr + r * sx + c)))
    else:
        tl.store(y_ptr + r * sy + c, tl.exp(tl.load(x_ptr + r * sx + c, mask=c < N)), mask=c < N)


@triton.jit
def tiles(x_ptr, y_ptr, M, N, ROWS: tl.constexpr, COLS: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    r = pm * ROWS + tl.arange(0, ROWS)[:, None]
    c = pn * COLS + tl.arange(0, COLS)[None, :]
    if (pm * ROWS + ROWS <= M) & (pn * COLS + COLS <= N):
        tl.store(y_ptr + r * N + c, tl.load(x_ptr + r * N + c) + 1.0)
    else:
        m = (r < M) & (c < N)
        tl.store(y_ptr + r * N + c, tl.load(x_ptr + r * N + c, mask=m) + 1.0, mask=m)


@triton.jit
def one_too_many(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= n + 1:
        tl.store(y_ptr + i, tl.load(x_ptr + i) * 2.0)
    else:
        tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2.0, mask=i < n)


@triton.jit
def rows(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A program for each row of BLOCK: there are two axes."""
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if pid < n:
        tl.store(y_ptr + i, tl.load(x_ptr + i) * 2.0)


def form(kernel, types, formula=None, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128} if constexprs is None else constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


VECTOR = "x_ptr:*fp32 y_ptr:*fp32 n:i32"
FORMS = {
    "early": form(early, VECTOR, "1 + x_ptr", shape=["n"]),
    "next_block": form(next_block, VECTOR, "x_ptr", shape=["n"]),
    "two": form(two, "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 n:i32", "x_ptr + w_ptr", shape=["n"]),
    "columns": form(columns, "x_ptr:*fp32 y_ptr:*fp32 N:i32 sx:i32 sy:i32", "exp(x_ptr)", shape=["grid_y", "N"]),
    "tiles": form(
        tiles, "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32", "1 + x_ptr", {"ROWS": 16, "COLS": 32}, shape=["M", "N"]
    ),
    "one_too_many": form(one_too_many, VECTOR, "2 * x_ptr[index(128 * ((n + 127) // 128))]", safety="unknown"),
    "rows": form(rows, VECTOR, "2 * x_ptr", shape=["n", "128"]),
}
