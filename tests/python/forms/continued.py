"""Blocks behind the first one that are masked by another bound than it: that one block covers the row is not assumed, as the code is
made for longer rows, and the formula says what becomes of these."""

import triton
import triton.language as tl


@triton.jit
def two_blocks(x_ptr, y_ptr, n, LESS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + row * n + lane, mask=lane < n, other=0.0)
    b = tl.load(x_ptr + row * n + BLOCK + lane, mask=BLOCK + lane < n - LESS, other=0.0)
    tl.store(y_ptr + row, tl.sum(a, 0) + tl.sum(b, 0))


@triton.jit
def tail_loop(x_ptr, y_ptr, n, LESS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + row * n + lane, mask=lane < n, other=0.0), 0)
    for k in range(BLOCK, n, BLOCK):
        total += tl.sum(tl.load(x_ptr + row * n + k + lane, mask=k + lane < n - LESS, other=0.0), 0)
    tl.store(y_ptr + row, total)


@triton.jit
def copied(x_ptr, y_ptr, n, LESS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * n + lane, tl.load(x_ptr + row * n + lane, mask=lane < n), mask=lane < n)
    rest = BLOCK + lane < n - LESS
    tl.store(y_ptr + row * n + BLOCK + lane, tl.load(x_ptr + row * n + BLOCK + lane, mask=rest), mask=rest)


@triton.jit
def stored_once(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """Two blocks, or all, are read of each row; one is stored, and the rest of long rows is not written."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + row * n + lane, mask=lane < n, other=0.0)
    total = tl.sum(a, 0)
    if HOW == "two":
        total += tl.sum(tl.load(x_ptr + row * n + BLOCK + lane, mask=BLOCK + lane < n, other=0.0), 0)
    if HOW == "loop":
        for k in range(BLOCK, n, BLOCK):
            total += tl.sum(tl.load(x_ptr + row * n + k + lane, mask=k + lane < n, other=0.0), 0)
    tl.store(y_ptr + row * n + lane, a * total, mask=lane < n)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}


def form(kernel, less, **more):
    return {"kernel": kernel, "types": TYPES, "constexprs": {"LESS": less, "BLOCK": 128}, **more}


FORMS = {
    "two_blocks": form(two_blocks, 0, formula="sum(x_ptr[:, :minimum(n, 256)], axis=1)"),
    "two_blocks_less": form(
        two_blocks,
        1,
        formula="sum(x_ptr[:, :minimum(n, 128)], axis=1) + sum(x_ptr[:, 128:minimum(n - 129, 128) + 128], axis=1)",
    ),
    "tail_loop": form(tail_loop, 0, formula="sum(x_ptr, axis=1)"),
    "tail_loop_less": form(
        tail_loop, 1, formula="sum(x_ptr[:, :minimum(n, 128)], axis=1) + sum(x_ptr[:, 128:n - 1], axis=1)"
    ),
    "copied": form(copied, 0, formula="x_ptr"),
    "stored_once": {
        "kernel": stored_once,
        "types": TYPES,
        "constexprs": {"HOW": "one", "BLOCK": 128},
        "formula": "x_ptr * sum(x_ptr, axis=1)",
    },
    "stored_once_of_two": {
        "kernel": stored_once,
        "types": TYPES,
        "constexprs": {"HOW": "two", "BLOCK": 128},
        "unproved": "coverage",
    },
    "stored_once_of_all": {
        "kernel": stored_once,
        "types": TYPES,
        "constexprs": {"HOW": "loop", "BLOCK": 128},
        "unproved": "coverage",
    },
    "copied_less": form(copied, 1, formula="x_ptr", safety="unknown"),
}
