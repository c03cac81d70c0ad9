"""Kernels as users write them; `wrong` ones have one bug each."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    tl.store(out_ptr + place, tl.load(x_ptr + place, mask) + tl.load(y_ptr + place, mask), mask)


@triton.jit
def wrong_add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    tl.store(out_ptr + place, tl.load(x_ptr + place, mask) - tl.load(y_ptr + place, mask), mask)


@triton.jit
def split_sums_kernel(x_ptr, out_ptr, n_cols, stride, PARTS: tl.constexpr, FIRST: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(FIRST + part * BLOCK, n_cols, BLOCK * PARTS):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, cols < n_cols, 0.0)
    tl.atomic_add(out_ptr + row, tl.sum(total))


@triton.jit
def scale_rows_kernel(x_ptr, bias_ptr, out_ptr, stride, n_cols, scale, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x_ptr += row * stride
    value = tl.load(x_ptr + cols, mask) * scale
    if HAS_BIAS:
        value += tl.load(bias_ptr + cols, mask)
    tl.store(out_ptr + row * stride + cols, value, mask)


@triton.autotune([triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def tuned_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, 2 * tl.load(x_ptr + place, place < n), place < n)


@triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})
@triton.jit
def heuristic_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place, place < n) + 1, place < n)


@triton.jit
def wrong_mask_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place), place < n)


@triton.jit
def float8_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place, place < n).to(tl.float32) * 2, place < n)


@triton.jit
def pages_kernel(cache, table, out, n, ts, cs0, cs1, os0, os1, PAGE: tl.constexpr, BLOCK: tl.constexpr):
    row, place, cols = tl.program_id(0), tl.program_id(1), tl.arange(0, BLOCK)
    page = tl.load(table + row * ts + place // PAGE)
    value = tl.load(cache + page * cs0 + place % PAGE * cs1 + cols, cols < n)
    tl.store(out + row * os0 + place * os1 + cols, value, cols < n)


@triton.jit
def swizzled_kernel(x, y, M, N, sx, sy, BLOCK: tl.constexpr):
    i, j = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 2)
    rows, cols = i * BLOCK + tl.arange(0, BLOCK)[:, None], j * BLOCK + tl.arange(0, BLOCK)[None, :]
    mask = (rows < M) & (cols < N)
    tl.store(y + rows * sy + cols, 2 * tl.load(x + rows * sx + cols, mask), mask)
