"""Kernels beside the same with one thing wrong that shows only at an edge: at 0, at a tie, at a threshold, for negative or large integers, in the lanes
behind a mask. FAMILIES has the right one first; after the bar comes what is written otherwise, and computes the same.
"""

import triton
import triton.language as tl


@triton.jit
def each(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    x = tl.load(x_ptr + o, mask=m, other=1.0)
    if HOW == "step":
        y = tl.where(x >= 0, 1.0, 0.0)
    elif HOW == "step >":
        y = tl.where(x > 0, 1.0, 0.0)
    elif HOW == "step not <":
        y = tl.where(x < 0, 0.0, 1.0)
    elif HOW == "sign":
        y = tl.where(x > 0, 1.0, tl.where(x < 0, -1.0, 0.0))
    elif HOW == "sign of two":
        y = tl.where(x >= 0, 1.0, -1.0)
    elif HOW == "relu":
        y = tl.where(x > 0, x, 0.0)
    elif HOW == "relu >=":
        y = tl.where(x >= 0, x, 0.0)
    elif HOW == "relu as max":
        y = tl.maximum(x, 0.0)
    elif HOW == "relu6":
        y = tl.minimum(tl.maximum(x, 0.0), 6.0)
    elif HOW == "relu5.9":
        y = tl.minimum(tl.maximum(x, 0.0), 5.9)
    elif HOW == "relu6 else":
        y = tl.where(x < 6, tl.maximum(x, 0.0), 0.0)
    elif HOW == "log":
        y = tl.where(x > 0, tl.log(x), 0.0)
    elif HOW == "log >=":
        y = tl.where(x >= 0, tl.log(x), 0.0)
    elif HOW == "log below":
        y = tl.where(x > -1, tl.log(x), 0.0)
    elif HOW == "inverse":
        y = tl.where(x != 0, 1 / x, 0.0)
    elif HOW == "inverse unguarded":
        y = 1 / x
    elif HOW == "rsqrt":
        y = tl.where(x > 0, tl.rsqrt(x), 0.0)
    elif HOW == "rsqrt >=":
        y = tl.where(x >= 0, tl.rsqrt(x), 0.0)
    elif HOW == "softplus":
        y = tl.where(x > 20, x, tl.log(1 + tl.exp(x)))
    elif HOW == "softplus from 10":
        y = tl.where(x > 10, x, tl.log(1 + tl.exp(x)))
    elif HOW == "floor":
        y = tl.floor(x)
    elif HOW == "trunc":
        y = x.to(tl.int32).to(tl.float32)
    elif HOW == "ceil":
        y = tl.ceil(x)
    elif HOW == "floor + 1":
        y = tl.floor(x) + 1
    elif HOW == "ceil turned":
        y = -tl.floor(-x)
    elif HOW == "floor of half more":
        y = tl.floor(x + 0.5)
    elif HOW == "half less up":
        y = tl.ceil(x - 0.5)
    elif HOW == "clamp":
        y = tl.minimum(tl.maximum(x, -1.0), 2.0)
    elif HOW == "clamp swapped":
        y = tl.maximum(tl.minimum(x, 2.0), -1.0)
    elif HOW == "clamp crossed":
        y = tl.minimum(tl.maximum(x, 2.0), -1.0)
    elif HOW == "abs":
        y = tl.abs(x)
    elif HOW == "abs of square":
        y = tl.sqrt(x * x)
    elif HOW == "square of root":
        y = tl.sqrt(x) * tl.sqrt(x)
    elif HOW == "shrink":
        y = tl.where(x > 0.5, x - 0.5, tl.where(x < -0.5, x + 0.5, 0.0))
    elif HOW == "hard shrink":
        y = tl.where(tl.abs(x) > 0.5, x, 0.0)
    elif HOW == "hard shrink >=":
        y = tl.where(tl.abs(x) >= 0.5, x, 0.0)
    elif HOW == "shrink >=":
        y = tl.where(x >= 0.5, x - 0.5, tl.where(x <= -0.5, x + 0.5, 0.0))
    tl.store(y_ptr + o, y, mask=m)


@triton.jit
def whole(a_ptr, b_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    a = tl.load(a_ptr + o, mask=m, other=1)
    b = tl.load(b_ptr + o, mask=m, other=1)
    if HOW == "half":
        y = a >> 1
    elif HOW == "half truncated":
        y = a // 2
    elif HOW == "low bits":
        y = a & 7
    elif HOW == "remainder":
        y = a % 8
    elif HOW == "product":
        y = a * b
    elif HOW == "product of low halves":
        y = (a & 65535) * (b & 65535)
    elif HOW == "product widened":
        y = (a.to(tl.int64) * b.to(tl.int64)).to(tl.int32)
    elif HOW == "less":
        y = (a < b).to(tl.int32)
    elif HOW == "less unsigned":
        y = (a.to(tl.uint32) < b.to(tl.uint32)).to(tl.int32)
    elif HOW == "less by difference":
        y = (a - b < 0).to(tl.int32)
    elif HOW == "middle":
        y = (a + b) >> 1
    elif HOW == "middle without wrap":
        y = ((a.to(tl.int64) + b.to(tl.int64)) >> 1).to(tl.int32)
    elif HOW == "byte":
        y = a.to(tl.int8).to(tl.int32)
    elif HOW == "byte unsigned":
        y = a.to(tl.uint8).to(tl.int32)
    elif HOW == "abs":
        y = tl.where(a < 0, -a, a)
    elif HOW == "abs clipped":
        y = tl.maximum(tl.where(a < 0, -a, a), 0)
    elif HOW == "sum of squares is positive":
        y = (a * a + b * b >= 0).to(tl.int32)
    elif HOW == "one":
        y = a - a + 1
    tl.store(y_ptr + o, y, mask=m)


@triton.jit
def row(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    p = x_ptr + r * stride + o
    if HOW == "max":
        y = tl.max(tl.load(p, mask=m, other=float("-inf")), 0)
    elif HOW == "max from 0":
        y = tl.max(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "max from -1000":
        y = tl.max(tl.load(p, mask=m, other=-1000.0), 0)
    elif HOW == "min":
        y = tl.min(tl.load(p, mask=m, other=float("inf")), 0)
    elif HOW == "min from 0":
        y = tl.min(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "sum":
        y = tl.sum(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "sum from 1":
        y = tl.sum(tl.load(p, mask=m, other=1.0), 0)
    elif HOW == "sum of the block":
        y = tl.sum(tl.load(p), 0)
    elif HOW == "sum but the last":
        y = tl.sum(tl.load(p, mask=o < n - 1, other=0.0), 0)
    elif HOW == "mean":
        y = tl.sum(tl.load(p, mask=m, other=0.0), 0) / n
    elif HOW == "mean of the block":
        y = tl.sum(tl.load(p, mask=m, other=0.0), 0) / BLOCK
    elif HOW == "variance":
        x = tl.load(p, mask=m, other=0.0)
        d = tl.where(m, x - tl.sum(x, 0) / n, 0.0)
        y = tl.sum(d * d, 0) / n
    elif HOW == "variance with padding":
        x = tl.load(p, mask=m, other=0.0)
        d = x - tl.sum(x, 0) / n
        y = tl.sum(d * d, 0) / n
    elif HOW == "variance of squares":
        x = tl.load(p, mask=m, other=0.0)
        mean = tl.sum(x, 0) / n
        y = tl.sum(x * x, 0) / n - mean * mean
    elif HOW == "variance unbiased":
        x = tl.load(p, mask=m, other=0.0)
        d = tl.where(m, x - tl.sum(x, 0) / n, 0.0)
        y = tl.sum(d * d, 0) / (n - 1)
    elif HOW == "positive":
        y = tl.sum(tl.where(tl.load(p, mask=m, other=0.0) > 0, 1.0, 0.0), 0)
    elif HOW == "not negative":
        y = tl.sum(tl.where(tl.load(p, mask=m, other=-1.0) >= 0, 1.0, 0.0), 0)
    elif HOW == "not negative with padding":
        y = tl.sum(tl.where(tl.load(p, mask=m, other=0.0) >= 0, 1.0, 0.0), 0)
    elif HOW == "entropy":
        x = tl.load(p, mask=m, other=0.0)
        e = tl.where(m, tl.exp(x), 0.0)
        q = e / tl.sum(e, 0)
        y = -tl.sum(tl.where(m, q * tl.log(q), 0.0), 0)
    elif HOW == "entropy with eps":
        x = tl.load(p, mask=m, other=0.0)
        e = tl.where(m, tl.exp(x), 0.0)
        q = e / tl.sum(e, 0)
        y = -tl.sum(tl.where(m, q * tl.log(q + 1e-5), 0.0), 0)
    elif HOW == "norm":
        x = tl.load(p, mask=m, other=0.0)
        y = tl.sqrt(tl.sum(x * x, 0) + 1e-3)
    elif HOW == "norm with eps outside":
        x = tl.load(p, mask=m, other=0.0)
        y = tl.sqrt(tl.sum(x * x, 0)) + 1e-3
    elif HOW == "log sum":
        x = tl.load(p, mask=m, other=float("-inf"))
        top = tl.max(x, 0)
        y = tl.log(tl.sum(tl.exp(x - top), 0)) + top
    elif HOW == "log sum of padding":
        x = tl.load(p, mask=m, other=0.0)
        top = tl.max(x, 0)
        y = tl.log(tl.sum(tl.exp(x - top), 0)) + top
    tl.store(y_ptr + r, y)


@triton.jit
def place(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    p = x_ptr + r * stride + o
    if HOW == "argmax":
        y = tl.argmax(tl.load(p, mask=m, other=float("-inf")), 0)
    elif HOW == "argmax any tie":
        x = tl.load(p, mask=m, other=float("-inf"))
        y = tl.max(tl.where(x == tl.max(x, 0), o, 0), 0)
    elif HOW == "argmax from 0":
        y = tl.argmax(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "argmin":
        y = tl.argmin(tl.load(p, mask=m, other=float("inf")), 0)
    elif HOW == "argmin from 0":
        y = tl.argmin(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "argmin of the block":
        y = tl.argmin(tl.load(p), 0)
    elif HOW == "last":
        y = tl.max(tl.where(m & (tl.load(p, mask=m, other=0.0) > 0), o, -1), 0)
    elif HOW == "last >=":
        y = tl.max(tl.where(m & (tl.load(p, mask=m, other=0.0) >= 0), o, -1), 0)
    elif HOW == "last of padding":
        y = tl.max(tl.where(tl.load(p, mask=m, other=1.0) > 0, o, -1), 0)
    tl.store(y_ptr + r, y)


@triton.jit
def rows(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    m = o < n
    p = x_ptr + r * stride + o
    if HOW == "normalised":
        x = tl.load(p, mask=m, other=0.0)
        y = x / tl.maximum(tl.sqrt(tl.sum(x * x, 0)), 1e-3)
    elif HOW == "normalised +":
        x = tl.load(p, mask=m, other=0.0)
        y = x / (tl.sqrt(tl.sum(x * x, 0)) + 1e-3)
    elif HOW == "rms":
        x = tl.load(p, mask=m, other=0.0)
        y = x / tl.sqrt(tl.sum(x * x, 0) / n + 1e-5)
    elif HOW == "rms eps outside":
        x = tl.load(p, mask=m, other=0.0)
        y = x / (tl.sqrt(tl.sum(x * x, 0) / n) + 1e-5)
    elif HOW == "rms other eps":
        x = tl.load(p, mask=m, other=0.0)
        y = x / tl.sqrt(tl.sum(x * x, 0) / n + 1e-6)
    elif HOW == "causal":
        x = tl.load(p, mask=m & (o <= r), other=float("-inf"))
        e = tl.exp(x - tl.max(x, 0))
        y = e / tl.sum(e, 0)
    elif HOW == "causal off by one":
        x = tl.load(p, mask=m & (o <= r + 1), other=float("-inf"))
        e = tl.exp(x - tl.max(x, 0))
        y = e / tl.sum(e, 0)
    elif HOW == "causal from 0":
        x = tl.load(p, mask=m & (o <= r), other=0.0)
        e = tl.exp(x - tl.max(x, 0))
        y = e / tl.sum(e, 0)
    elif HOW == "causal zeros":
        x = tl.load(p, mask=m & (o <= r), other=float("-inf"))
        e = tl.where(o <= r, tl.exp(x - tl.max(x, 0)), 0.0)
        y = e / tl.sum(e, 0)
    elif HOW == "running":
        y = tl.cumsum(tl.load(p, mask=m, other=0.0), 0)
    elif HOW == "running before":
        x = tl.load(p, mask=m, other=0.0)
        y = tl.cumsum(x, 0) - x
    elif HOW == "running back":
        y = tl.cumsum(tl.load(p, mask=m, other=0.0), 0, reverse=True)
    elif HOW == "running max":
        y = tl.associative_scan(tl.load(p, mask=m, other=0.0), 0, greatest)
    elif HOW == "neighbour":
        y = tl.load(p + 1, mask=o < n - 1, other=0.0)
    elif HOW == "neighbour round":
        y = tl.load(x_ptr + r * stride + (o + 1) % n, mask=m, other=0.0)
    tl.store(y_ptr + r * n + o, y, mask=m)


@triton.jit
def around(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    if HOW == "before":
        k = (o + n - 1) % n
    elif HOW == "before by sign":
        k = tl.where(o - 1 < 0, o - 1 + n, o - 1)
    elif HOW == "before from first":
        k = tl.where(o == 0, n - 1, tl.abs(o - 1))
    elif HOW == "behind":
        k = (o + 1) % n
    elif HOW == "before from second":
        k = tl.where(o == 0, n - 1, tl.abs(o - 2))
    tl.store(y_ptr + o, tl.load(x_ptr + k, mask=m), mask=m)


@triton.jit
def greatest(a, b):
    return tl.maximum(a, b)


def types(kernel):
    if kernel is each or kernel is around:
        return {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
    if kernel is whole:
        return {"a_ptr": "*i32", "b_ptr": "*i32", "y_ptr": "*i32", "n": "i32"}
    return {"x_ptr": "*fp32", "y_ptr": "*i32" if kernel is place else "*fp32", "n": "i32", "stride": "i32"}


# right: wrong ones; after a bar those that are equal
FAMILIES = [
    (each, "step: step > | step not <"),
    (each, "sign: sign of two"),
    (each, "relu: | relu >=, relu as max"),
    (each, "relu6: relu5.9, relu6 else"),
    (each, "log: log >=, log below"),
    (each, "inverse: inverse unguarded"),
    (each, "rsqrt: rsqrt >="),
    (each, "softplus: softplus from 10"),
    (each, "floor: trunc, ceil, floor of half more"),
    (each, "ceil: floor + 1 | ceil turned"),
    (each, "floor of half more: half less up"),
    (each, "clamp: clamp crossed | clamp swapped"),
    (each, "abs: | abs of square"),
    (each, "square of root: step"),
    (each, "hard shrink: hard shrink >="),
    (each, "shrink: hard shrink | shrink >="),
    (whole, "half: half truncated"),
    (whole, "low bits: remainder"),
    (whole, "product: product of low halves | product widened"),
    (whole, "less: less unsigned, less by difference"),
    (whole, "middle: middle without wrap"),
    (whole, "byte: byte unsigned"),
    (whole, "abs: abs clipped"),
    (whole, "one: sum of squares is positive"),
    (row, "max: max from 0, max from -1000"),
    (row, "min: min from 0"),
    (row, "sum: sum from 1, sum but the last, sum of the block"),
    (row, "mean: mean of the block"),
    (row, "variance: variance with padding, variance unbiased | variance of squares"),
    (row, "positive: not negative"),
    (row, "not negative: not negative with padding"),
    (row, "entropy: entropy with eps"),
    (row, "norm: norm with eps outside"),
    (row, "log sum: log sum of padding"),
    (place, "argmax: argmax any tie, argmax from 0"),
    (place, "argmin: argmin from 0, argmin of the block"),
    (place, "last: last >=, last of padding"),
    (around, "before: behind, before from second | before by sign, before from first"),
    (around, "before from first: behind, before from second | before by sign"),
    (rows, "normalised: normalised +"),
    (rows, "rms: rms eps outside, rms other eps"),
    (rows, "causal: causal off by one, causal from 0 | causal zeros"),
    (rows, "running: running before, running back, running max"),
    (rows, "neighbour: neighbour round"),
]


def names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def make():
    forms, pairs = {}, []
    for kernel, text in FAMILIES:
        right, rest = text.split(":")
        wrong, _, equal = rest.partition("|")
        full = {
            name: (
                f"{kernel.__name__}.{name}".replace(" ", "_")
                .replace(">", "gt")
                .replace("<", "lt")
                .replace("=", "eq")
                .replace("+", "plus")
            )
            for name in [right, *names(wrong), *names(equal)]
        }
        for name, path in full.items():
            forms[path] = {"kernel": kernel, "types": types(kernel), "constexprs": {"HOW": name, "BLOCK": 64}}
        pairs += [(full[right], full[name], "refuted") for name in names(wrong)] + [
            (full[right], full[name], "proved") for name in names(equal)
        ]
    return forms, pairs


FORMS, PAIRS = make()
