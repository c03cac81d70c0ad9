"""What is said of kernels that are not lifted, or have no proof: why, in words for the kernel's author."""

import triton
import triton.language as tl


@triton.jit
def subtract(a, b):
    return a - b


@triton.jit
def half_sum(a, b):
    return (a + b) * 0.5


@triton.jit
def larger_size(a, b):
    return tl.where(tl.abs(a) > tl.abs(b), a, b)


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def differences(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0, subtract))


@triton.jit
def halves(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0, half_sum))


@triton.jit
def running_difference(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(
        y_ptr + row * n + i,
        tl.associative_scan(tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0, subtract),
        mask=i < n,
    )


@triton.jit
def largest_size(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0, larger_size))


@triton.jit
def sums(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.reduce(tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0, plus))


@triton.jit
def floor_tiles(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """N // BN tiles in a row: the last is left out, and there is none at all where N < BN."""
    pid = tl.program_id(0)
    tiles = N // BN
    rows = (pid // tiles) * BM + tl.arange(0, BM)
    columns = (pid % tiles) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(
        y_ptr + rows[:, None] * N + columns[None, :],
        -tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=mask),
        mask=mask,
    )


@triton.jit
def other_mask(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """The limits of rows and columns are exchanged: tiles of several rows meet."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < N) & (columns[None, :] < M)
    tl.store(
        y_ptr + rows[:, None] * N + columns[None, :],
        tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=mask),
        mask=mask,
    )


@triton.jit
def largest(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A float atomic whose result is used: Triton makes it of two on the bits."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.atomic_max(
        y_ptr + tl.program_id(0) % 8, tl.max(tl.load(x_ptr + i, mask=i < n, other=-float("inf")), 0)
    )
    tl.store(y_ptr + 8 + tl.program_id(0), before)


def form(kernel, **more):
    tiles = kernel in (floor_tiles, other_mask)
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", **({"M": "i32", "N": "i32"} if tiles else {"n": "i32"})},
        "constexprs": {"BM": 16, "BN": 32} if tiles else {"BLOCK": 128},
        **more,
    }


FORMS = {
    "differences": form(
        differences, says=["depends on the order in which elements are combined", "f(1, 2) = -1, f(2, 1) = 1"]
    ),
    "halves": form(halves, says=["f(f(1, 2), 5) = 3.25, f(1, f(2, 5)) = 2.25"]),
    "running_difference": form(running_difference, says=["value of this scan depends on the order", "f(f("]),
    "largest_size": form(
        largest_size, says=["value of this reduction depends on the order", "f(1, -1) = -1, f(-1, 1) = 1"]
    ),
    "sums": form(sums, formula="sum(x_ptr, axis=1)"),
    "floor_tiles": form(
        floor_tiles,
        says=[
            "N // 32 is not shown to differ from 0: it is 0 where N = 1",
            "32*(N // 32) elements along axis 1",
            "not shown to be all of it",
        ],
    ),
    "other_mask": form(other_mask, says=["the address does not determine the program id along x"]),
    "largest": form(largest, says=["a pointer to f32 is taken for a pointer to i32"]),
}
