"""Rows whose length is a sum: of a size and a number, N + 1, or of arguments. They are rows where all that is addressed stays within them;
of row*N + row, the diagonal, it does not. What leaves the row, or goes to the neighbour's, is not proved."""

import triton
import triton.language as tl


@triton.jit
def behind(x_ptr, y_ptr, N, P, LENGTH: tl.constexpr, TO: tl.constexpr, BLOCK: tl.constexpr):
    """Zeros behind each row."""
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * (N + LENGTH) + i, tl.load(x_ptr + row * N + i, mask=i < N, other=0.0), mask=i < N + TO)


@triton.jit
def before(x_ptr, y_ptr, N, P, LONGER: tl.constexpr, BLOCK: tl.constexpr):
    """P zeros before each row."""
    row, i = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + i - P, mask=(i >= P) & (i < N + P), other=0.0)
    tl.store(y_ptr + row * (N + P) + i, x, mask=i < N + P + LONGER)


@triton.jit
def between(x_ptr, y_ptr, N, P, BLOCK: tl.constexpr):
    """Rows into longer ones, from place P on."""
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * (N + P) + P + i, tl.load(x_ptr + row * N + i, mask=i < N), mask=i < N)


@triton.jit
def first(x_ptr, y_ptr, N, P, BLOCK: tl.constexpr):
    """A zero and the row, by two stores."""
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * (N + 1), 0.0)
    tl.store(y_ptr + row * (N + 1) + 1 + i, tl.load(x_ptr + row * N + i, mask=i < N), mask=i < N)


@triton.jit
def tile(x_ptr, y_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + row * N + i, mask=(row < M) & (i < N), other=0.0)
    tl.store(y_ptr + row * (N + 1) + i, x, mask=(row < M) & (i <= N))


@triton.jit
def batched(x_ptr, y_ptr, N, P, COUNTED: tl.constexpr, BLOCK: tl.constexpr):
    b, row, i = tl.program_id(0), tl.program_id(1), tl.arange(0, BLOCK)
    rows = b * (tl.num_programs(1) if COUNTED else P) + row
    tl.store(y_ptr + rows * (N + 1) + i, tl.load(x_ptr + rows * N + i, mask=i < N, other=0.0), mask=i < N + 1)


@triton.jit
def flat(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, i, inside = p // (N + 1), p % (N + 1), p < M * (N + 1)
    tl.store(y_ptr + p, tl.load(x_ptr + row * N + i, mask=inside & (i < N), other=0.0), mask=inside)


@triton.jit
def differences(x_ptr, y_ptr, N, P, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = i < N - 1
    x = tl.load(x_ptr + row * N + i + 1, mask=inside) - tl.load(x_ptr + row * N + i, mask=inside)
    tl.store(y_ptr + row * (N - 1) + i, x, mask=inside)


@triton.jit
def shorter(x_ptr, y_ptr, N, P, BLOCK: tl.constexpr):
    """N elements into rows of N - 1: the last is the first of the next row."""
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y_ptr + row * (N - 1) + i, tl.load(x_ptr + row * N + i, mask=i < N), mask=i < N)


@triton.jit
def loop(x_ptr, y_ptr, N, P, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for begin in range(0, N + 1, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        tl.store(y_ptr + row * (N + 1) + i, tl.load(x_ptr + row * N + i, mask=i < N, other=0.0), mask=i < N + 1)


@triton.jit
def diagonal(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i * (N + 1), tl.load(x_ptr + i, mask=i < N), mask=i < N)


@triton.jit
def with_sum(x_ptr, y_ptr, N, P, AT: tl.constexpr, BLOCK: tl.constexpr):
    """The sum of a row behind it, by a store of its own."""
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + i, mask=i < N, other=0.0)
    tl.store(y_ptr + row * (N + 1) + i, x, mask=i < N)
    tl.store(y_ptr + row * (N + 1) + N + AT, tl.sum(x, 0))


def form(kernel, formula=None, flags=(), **more):
    extra = more.pop("constexprs", {})
    names = [name for name in kernel.arg_names if name not in ("BLOCK", *extra)]
    types = {name: "*fp32" if name.endswith("ptr") else "i32" for name in names}
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"BLOCK": 64, **extra},
        **({"formula": formula} if formula else {}),
        **({"flags": list(flags)} if flags else {}),
        **more,
    }


LAST, ONE = "concat(x_ptr, broadcast(0, {0}, 1), axis=1)", {"LENGTH": 1, "TO": 1}
FORMS = {
    "behind": form(behind, LAST.format("grid_x"), constexprs=ONE, shape=["grid_x", "N + 1"]),
    "behind_given": form(behind, LAST.format("T"), ["--shape", "y_ptr=T,N+1"], constexprs=ONE, shape=["T", "N + 1"]),
    "behind_beyond": form(behind, constexprs={"LENGTH": 1, "TO": 2}, unproved=True),
    "behind_beyond_given": form(
        behind, LAST.format("T"), ["--shape", "y_ptr=T,N+1"], constexprs={"LENGTH": 1, "TO": 2}, wrong="formula"
    ),
    "behind_in_longer": form(
        behind, LAST.format("grid_x"), constexprs={"LENGTH": 2, "TO": 1}, shape=["grid_x", "N + 1"], safety="unknown"
    ),
    "before": form(
        before,
        "where(index(N + P) >= P, x_ptr[column(index(grid_x)), index(N + P) - P], 0)",
        constexprs={"LONGER": 0},
        shape=["grid_x", "N + P"],
    ),
    "before_given": form(
        before,
        "concat(broadcast(0, T, P), x_ptr, axis=1)",
        ["--shape", "y_ptr=T,N+P"],
        constexprs={"LONGER": 0},
        shape=["T", "N + P"],
    ),
    "before_beyond": form(before, constexprs={"LONGER": 1}, unproved=True),
    "before_beyond_given": form(
        before,
        "concat(broadcast(0, T, P), x_ptr, axis=1)",
        ["--shape", "y_ptr=T,N+P"],
        constexprs={"LONGER": 1},
        wrong="formula",
    ),
    "between": form(
        between, "x_ptr[column(index(grid_x)), index(N + P) - P]", shape=["grid_x", "N + P"], safety="unknown"
    ),
    "first": form(first, "concat(broadcast(0, grid_x, 1), x_ptr, axis=1)", shape=["grid_x", "N + 1"]),
    "tile": form(tile, LAST.format("M"), constexprs={"ROWS": 16}, shape=["M", "N + 1"]),
    "batched": form(
        batched,
        "concat(x_ptr, broadcast(0, grid_x, grid_y, 1), axis=2)",
        constexprs={"COUNTED": False},
        shape=["grid_x", "grid_y", "N + 1"],
    ),
    "batched_counted": form(
        batched,
        "concat(x_ptr, broadcast(0, grid_x, grid_y, 1), axis=2)",
        constexprs={"COUNTED": True},
        shape=["grid_x", "grid_y", "N + 1"],
    ),
    "batched_given": form(
        batched,
        "concat(x_ptr, broadcast(0, B, T, 1), axis=2)",
        ["--shape", "y_ptr=B,T,N+1"],
        constexprs={"COUNTED": True},
        shape=["B", "T", "N + 1"],
    ),
    "flat": form(flat, LAST.format("M"), shape=["M", "N + 1"]),
    "differences": form(differences, "x_ptr[:, 1:] - x_ptr[:, :N - 1]", shape=["grid_x", "N - 1"]),
    "loop": form(loop, LAST.format("grid_x"), shape=["grid_x", "N + 1"]),
    "with_sum": form(
        with_sum, "concat(x_ptr, sum(x_ptr, axis=1), axis=1)", constexprs={"AT": 0}, shape=["grid_x", "N + 1"]
    ),
    "with_sum_beyond": form(with_sum, constexprs={"AT": 1}, unproved=True),
    "with_sum_in_the_row": form(
        with_sum, "concat(x_ptr, sum(x_ptr, axis=1), axis=1)", constexprs={"AT": -1}, wrong="formula"
    ),
    "shorter": form(shorter, unproved=True),
    "diagonal": form(diagonal, "column(x_ptr)", safety="unknown"),
}
