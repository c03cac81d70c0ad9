"""Regions of reductions and scans: any two partial results may meet, those of padding too. A merge that divides by the sum of two counts
divides 0 by 0 where both are empty."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "n": "i32"}


@triton.jit
def merge_plain(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    delta = mean_b - mean_a
    n = n_a + n_b
    return mean_a + delta * n_b / n, m2_a + m2_b + delta * delta * n_a * n_b / n, n


@triton.jit
def merge_ratio(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    delta = mean_b - mean_a
    n = n_a + n_b
    share = n_b / n
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def merge_guarded(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    delta = mean_b - mean_a
    n = n_a + n_b
    share = tl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def merge_at_least_1(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    delta = mean_b - mean_a
    n = n_a + n_b
    share = n_b / tl.maximum(n, 1.0)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def mean_plain(mean_a, n_a, mean_b, n_b):
    return (mean_a * n_a + mean_b * n_b) / (n_a + n_b), n_a + n_b


@triton.jit
def log_add(a, b):
    return tl.log(tl.exp(a) + tl.exp(b))


@triton.jit
def log_add_safe(a, b):
    top = tl.maximum(a, b)
    return tl.where(top == -float("inf"), top, top + tl.log(tl.exp(a - top) + tl.exp(b - top)))


@triton.jit
def variance(x, y, n, HOW: tl.constexpr, MASKED: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n
    v = tl.load(x + row * n + c, mask=mask, other=0.0)
    one = tl.where(mask, 1.0, 0.0) if MASKED else v * 0.0 + 1.0
    if HOW == "plain":
        mean, m2, total = tl.reduce((v, v * 0.0, one), 0, merge_plain)
    elif HOW == "ratio":
        mean, m2, total = tl.reduce((v, v * 0.0, one), 0, merge_ratio)
    elif HOW == "guarded":
        mean, m2, total = tl.reduce((v, v * 0.0, one), 0, merge_guarded)
    elif HOW == "at_least_1":
        mean, m2, total = tl.reduce((v, v * 0.0, one), 0, merge_at_least_1)
    else:
        mean, total = tl.reduce((v, one), 0, mean_plain)
        m2 = mean
    tl.store(y + row, m2 if HOW != "mean" else mean)


@triton.jit
def logsumexp(x, y, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=c < n, other=-float("inf"))
    tl.store(y + row, tl.reduce(v, 0, log_add if HOW == "plain" else log_add_safe))


def form(kernel, codes, **constexprs):
    return {"kernel": kernel, "types": TYPES, "constexprs": {**constexprs, "BLOCK": 128}, "codes": codes}


FORMS = {
    "plain": {**form(variance, [1], HOW="plain", MASKED=True), "finding": "undefined value"},
    "ratio": {**form(variance, [1], HOW="ratio", MASKED=True), "finding": "undefined value"},
    "guarded": form(variance, [0], HOW="guarded", MASKED=True),
    "at_least_1": form(variance, [0, 2], HOW="at_least_1", MASKED=True),
    "whole": form(variance, [0, 2], HOW="plain", MASKED=False),
    "mean": {**form(variance, [1], HOW="mean", MASKED=True), "finding": "undefined value"},
    "log_add": form(logsumexp, [1, 2], HOW="plain"),
    "log_add_safe": form(logsumexp, [0, 2], HOW="safe"),
}
