"""Loops as compilers emit them: per lane, masks that keep what there is, tests for NaN and for rows that nothing was seen of, lanes put together at the end."""

import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    mask = a > b
    mask |= a != a
    return tl.where(mask, a, b)


@triton.jit
def with_next(top, total, x):
    larger_top = larger(top, x)
    before = tl.where(larger_top == float("-inf"), 1.0, tl.exp(top - larger_top))
    here = tl.where(larger_top == float("-inf"), 1.0, tl.exp(x - larger_top))
    return larger_top, total * before + here


@triton.jit
def with_next_unless_empty(top, total, x):
    larger_top = tl.maximum(top, x)
    before = tl.where(top == float("-inf"), 0.0, tl.exp(top - larger_top))
    return larger_top, total * before + tl.where(x == float("-inf"), 0.0, tl.exp(x - larger_top))


@triton.jit
def of_all(top, total, dim: tl.constexpr):
    largest = tl.reduce(top, dim, larger)
    shift = tl.where(largest[:, None] == float("-inf"), 0, top - largest[:, None])
    return largest, tl.sum(total * tl.exp(shift), dim)


@triton.jit
def exponentials(
    x_ptr,
    y_ptr,
    m,
    n,
    STEP: tl.constexpr,
    MASKED: tl.constexpr,
    SOFTMAX: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row, lane = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    top, total = tl.full([ROWS, BLOCK], float("-inf"), tl.float32), tl.zeros([ROWS, BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        inside = (start + lane < n) & (row < m)
        x = tl.broadcast_to(tl.load(x_ptr + (start + lane + n * row), inside, other=0.0), [ROWS, BLOCK])
        if STEP == "select":
            next_top, next_total = with_next(top, total, x)
        else:
            next_top, next_total = with_next_unless_empty(top, total, x)
        top = tl.where(inside, next_top, top)
        total = tl.where(inside, next_total, total) if MASKED else next_total
    largest, sums = of_all(top, total, 1)
    largest, sums = largest[:, None], sums[:, None]
    if SOFTMAX:
        for start in range(0, n, BLOCK):
            inside = (start + lane < n) & (row < m)
            x = tl.load(x_ptr + (start + lane + n * row), inside, other=0.0)
            tl.store(y_ptr + (start + lane + n * row), tl.exp(x - largest) / sums, inside)
    else:
        tl.store(y_ptr + row, largest + tl.log(sums), row < m)


@triton.jit
def combined(mean, squares, weight, other_mean, other_squares, other_weight):
    delta = other_mean - mean
    total = weight + other_weight
    part = tl.where(total == 0.0, 0.0, other_weight / total)
    return mean + delta * part, squares + other_squares + delta * delta * weight * part, total


@triton.jit
def counted(x, mean, squares, weight, FIRST: tl.constexpr, first):
    if FIRST and first:
        next_weight = tl.full(weight.shape, 1, weight.dtype)
        next_mean = x
        next_squares = tl.zeros_like(squares)
    else:
        delta = x - mean
        next_weight = weight + 1
        next_mean = mean + delta / next_weight
        next_squares = squares + delta * (x - next_mean)
    return next_mean, next_squares, next_weight


@triton.jit
def moments(
    x_ptr, mean_ptr, var_ptr, m, n, FIRST: tl.constexpr, MASKED: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    row, lane = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    mean, squares, weight = (
        tl.zeros([ROWS, BLOCK], tl.float32),
        tl.zeros([ROWS, BLOCK], tl.float32),
        tl.zeros([ROWS, BLOCK], tl.float32),
    )
    for start in range(0, n, BLOCK):
        inside = (start + lane < n) & (row < m)
        x = tl.broadcast_to(tl.load(x_ptr + (start + lane + n * row), inside, other=0.0), [ROWS, BLOCK])
        next_mean, next_squares, next_weight = counted(x, mean, squares, weight, FIRST, start == 0)
        mean = tl.where(inside, next_mean, mean)
        squares = tl.where(inside, next_squares, squares)
        weight = tl.where(inside, next_weight, weight) if MASKED else next_weight
    all_mean, all_squares, count = tl.reduce((mean, squares, weight), 1, combined)
    tl.store(mean_ptr + row, all_mean[:, None], row < m)
    tl.store(var_ptr + row, (all_squares / count)[:, None], row < m)


def sums(formula, step="select", masked=True, softmax=True, **form):
    return {
        "kernel": exponentials,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "m": "i32", "n": "i32"},
        "constexprs": {"STEP": step, "MASKED": masked, "SOFTMAX": softmax, "ROWS": 4, "BLOCK": 16},
        "formula": formula,
        **form,
    }


def statistics(first=True, masked=True, **form):
    return {
        "kernel": moments,
        "types": {"x_ptr": "*fp32", "mean_ptr": "*fp32", "var_ptr": "*fp32", "m": "i32", "n": "i32"},
        "constexprs": {"FIRST": first, "MASKED": masked, "ROWS": 4, "BLOCK": 16},
        "formula": ["mean(x_ptr, axis=1)", "var(x_ptr, axis=1)"],
        **form,
    }


FORMS = {
    "softmax": sums("softmax(x_ptr, axis=1)"),
    "softmax_unless_empty": sums("softmax(x_ptr, axis=1)", step="unless empty"),
    "logsumexp": sums("logsumexp(x_ptr, axis=1)", softmax=False),
    "sum_without_mask": {**sums("softmax(x_ptr, axis=1)", masked=False), "wrong": True},
    "logsumexp_without_mask": {**sums("logsumexp(x_ptr, axis=1)", masked=False, softmax=False), "wrong": True},
    "moments": statistics(),
    "moments_without_first_step": statistics(first=False),
    "moments_of_all_lanes": {**statistics(masked=False), "formula": "mean(x_ptr, axis=1)", "wrong": True},
}
