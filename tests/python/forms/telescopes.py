"""Values that each step scales by the ratio of what was and what is: a running mean, and attention that is divided by its sum in each
step."""

import triton
import triton.language as tl


@triton.jit
def running_mean(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    mean = 0.0
    for k in range(n):
        mean += (tl.load(x_ptr + row * stride + k) - mean) / (k + 1)
    tl.store(y_ptr + row, mean)


@triton.jit
def running_means(x_ptr, y_ptr, n, stride):
    """Each of them is stored."""
    row = tl.program_id(0)
    mean = 0.0
    for k in range(n):
        mean = mean * (k / (k + 1)) + tl.load(x_ptr + row * stride + k) / (k + 1)
        tl.store(y_ptr + row * stride + k, mean)


@triton.jit
def mean_of_one_more(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    mean = 0.0
    for k in range(n):
        mean += (tl.load(x_ptr + row * stride + k) - mean) / (k + 2)
    tl.store(y_ptr + row, mean)


@triton.jit
def mean_late(x_ptr, y_ptr, n, stride):
    """The ratio of the step before."""
    row = tl.program_id(0)
    mean = 0.0
    for k in range(n):
        mean = mean * (k / (k + 1)) + tl.load(x_ptr + row * stride + k) / (k + 2)
    tl.store(y_ptr + row, mean)


@triton.jit
def variance(x_ptr, y_ptr, n, stride, HOW: tl.constexpr):
    """Welford's, with the counter for the count."""
    row = tl.program_id(0)
    mean = 0.0
    m2 = 0.0
    for k in range(n):
        x = tl.load(x_ptr + row * stride + k)
        before = x - mean
        if HOW == 2:
            mean += before / (k + 2)
        else:
            mean += before / (k + 1)
        if HOW == 1:
            m2 += before * before
        else:
            m2 += before * (x - mean)
    tl.store(y_ptr + row, m2 / n)


@triton.jit
def variance_of_lanes(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    """A column in each lane."""
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mean = tl.zeros([BLOCK], tl.float32)
    m2 = tl.zeros([BLOCK], tl.float32)
    for k in range(n):
        x = tl.load(x_ptr + k * stride + cols, mask=cols < stride, other=0.0)
        before = x - mean
        mean += before / (k + 1)
        m2 += before * (x - mean)
    tl.store(y_ptr + cols, m2 / n, mask=cols < stride)


@triton.jit
def divided(
    q_ptr,
    k_ptr,
    v_ptr,
    y_ptr,
    n,
    q_stride,
    k_stride,
    v_stride,
    y_stride,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
    HOW: tl.constexpr,
):
    row = tl.program_id(0)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + row * q_stride + d)
    m = -float("inf")
    total = 0.0
    acc = tl.zeros([D], tl.float32)
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + cols[:, None] * k_stride + d[None, :], mask=cols[:, None] < n, other=0.0)
        score = tl.where(cols < n, tl.sum(k * q[None, :], 1), -float("inf"))
        m_block = tl.max(score, 0)
        p = tl.exp(score - m_block)
        m_new = tl.maximum(m, m_block)
        alpha = tl.exp(m - m_new)
        beta = tl.exp(m_block - m_new)
        total_new = alpha * total + beta * tl.sum(p, 0)
        v = tl.load(v_ptr + cols[:, None] * v_stride + d[None, :], mask=cols[:, None] < n, other=0.0)
        if HOW == 0:
            acc = acc * (total * alpha / total_new) + tl.sum(p[:, None] * v, 0) * (beta / total_new)
        if HOW == 1:
            acc = acc * (total / total_new) + tl.sum(p[:, None] * v, 0) * (beta / total_new)
        if HOW == 2:
            acc = acc * (alpha / total_new) + tl.sum(p[:, None] * v, 0) * (beta / total_new)
        m = m_new
        total = total_new
    tl.store(y_ptr + row * y_stride + d, acc)


def form(kernel, formula, how=None, **more):
    if kernel in (variance, variance_of_lanes):
        constexprs = {"HOW": how} if kernel is variance else {"BLOCK": 64}
        return {
            "kernel": kernel,
            "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "stride": "i32"},
            "constexprs": constexprs,
            "formula": formula,
            **more,
        }
    if how is None:
        return {
            "kernel": kernel,
            "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "stride": "i32"},
            "constexprs": {},
            "formula": formula,
            **more,
        }
    types = {f"{name}_ptr": "*fp32" for name in "qkvy"} | {"n": "i32"} | {f"{name}_stride": "i32" for name in "qkvy"}
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"D": 32, "BLOCK": 64, "HOW": how},
        "formula": formula,
        **more,
    }


MEAN, ATTENTION = "mean(x_ptr, axis=1)", "softmax(q_ptr @ transpose(k_ptr, 1, 0), axis=1) @ v_ptr"
FORMS = {
    "running_mean": form(running_mean, MEAN),
    "running_means": form(running_means, "cumsum(x_ptr, axis=1) / (index(n) + 1)"),
    "mean_of_one_more": form(mean_of_one_more, MEAN, wrong=True),
    "mean_late": form(mean_late, MEAN, wrong=True),
    "variance": form(variance, "var(x_ptr, axis=1)", 0),
    "variance_of_columns": form(variance_of_lanes, "var(x_ptr, axis=0)"),
    "squares_before": form(variance, "var(x_ptr, axis=1)", 1, wrong=True),
    "variance_of_one_more": form(variance, "var(x_ptr, axis=1)", 2, wrong=True),
    "divided_in_each_step": form(divided, ATTENTION, 0),
    "divided_without_the_maximum": form(divided, ATTENTION, 1, wrong=True),
    "divided_without_the_sum": form(divided, ATTENTION, 2, wrong=True),
}
