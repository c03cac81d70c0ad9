"""Kernels whose fault shows at sizes alone that small launches do not have (test_unreached.py)."""

import triton
import triton.language as tl


@triton.jit
def last_block(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((), tl.float32)
    for start in range(0, n, BLOCK):
        total = tl.sum(tl.load(x_ptr + start + lanes, mask=start + lanes < n, other=0.0))
    tl.store(y_ptr, total)


@triton.jit
def all_blocks(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((), tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.sum(tl.load(x_ptr + start + lanes, mask=start + lanes < n, other=0.0))
    tl.store(y_ptr, total)


@triton.jit
def steps(x_ptr, y_ptr, n, MOST: tl.constexpr):
    i = tl.program_id(0)
    v = tl.load(x_ptr + i)
    count = 0
    while v > 1:
        v = tl.where(v % 2 == 0, v // 2, 3 * v + 1)
        count += 1
    tl.store(y_ptr + i, count)


@triton.jit
def steps_of_many(x_ptr, y_ptr, n, MOST: tl.constexpr):
    i = tl.program_id(0)
    v = tl.load(x_ptr + i)
    count = 0
    while v > 1:
        v = tl.where(v % 2 == 0, v // 2, 3 * v + 1)
        count += 1
    if n > MOST:
        count += tl.load(x_ptr + i)
    tl.store(y_ptr + i, count)


def form(kernel, dtype, **numbers):
    return {"kernel": kernel, "types": {"x_ptr": dtype, "y_ptr": dtype, "n": "i32"}, "constexprs": numbers}


FORMS = {
    "last": form(last_block, "*fp32", BLOCK=1 << 16),
    "all": form(all_blocks, "*fp32", BLOCK=1 << 16),
    "last_of_huge": form(last_block, "*fp32", BLOCK=1 << 20),
    "steps": form(steps, "*i32", MOST=1 << 20),
    "steps_of_many": form(steps_of_many, "*i32", MOST=1 << 20),
}
