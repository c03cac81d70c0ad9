"""Kernels of further public kinds, and the formula that a reviewer would write: losses, gradients, quantisation, scores with
a window or a slope, rotary embeddings by angle, recurrences over a sequence."""

import triton
import triton.language as tl


@triton.jit
def elementwise(x_ptr, g_ptr, y_ptr, n, a, b, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    g = tl.load(g_ptr + i, mask=m)
    if KIND == "bce_logits":
        y = tl.maximum(x, 0.0) - x * g + tl.log(1.0 + tl.exp(-tl.abs(x)))
    elif KIND == "log_cosh_stable":
        d = x - g
        ad = tl.abs(d)
        y = ad + tl.log(1.0 + tl.exp(-2.0 * ad)) - 0.6931471805599453
    elif KIND == "log_cosh_plain":
        d = x - g
        y = tl.log((tl.exp(d) + tl.exp(-d)) / 2.0)
    elif KIND == "swish_beta_bwd":
        s = tl.sigmoid(a * x)
        y = g * (s + a * x * s * (1.0 - s))
    elif KIND == "gelu_bwd":
        cdf = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
        pdf = 0.3989422804014327 * tl.exp(-0.5 * x * x)
        y = g * (cdf + x * pdf)
    elif KIND == "sinh":
        y = 0.5 * (tl.exp(x) - tl.exp(-x))
    elif KIND == "quant_sym":
        q = x / a
        q = tl.where(q >= 0, tl.floor(q + 0.5), tl.ceil(q - 0.5))
        y = tl.minimum(tl.maximum(q, -128.0), 127.0)
    elif KIND == "fake_quant_ste":
        q = tl.floor(x / a + 0.5)
        y = tl.where((q >= -128.0) & (q <= 127.0), g, 0.0)
    elif KIND == "hardtanh_bwd":
        y = tl.where((x > -1.0) & (x < 1.0), g, 0.0)
    elif KIND == "gauss_kernel":
        d = x - g
        y = tl.exp(-d * d / (2.0 * a * a))
    elif KIND == "reglu":
        y = tl.where(x > 0, x, 0.0) * g
    elif KIND == "mish_bwd":
        e = tl.exp(x)
        t = (e * e + 2 * e) / (e * e + 2 * e + 2)
        y = g * (t + x * (1 - t * t) * e / (1 + e))
    elif KIND == "gelu_tanh_bwd":
        e = tl.exp(2 * 0.7978845608028654 * (x + 0.044715 * x * x * x))
        t = (e - 1) / (e + 1)
        y = g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x))
    elif KIND == "log_cosh":
        d = x - g
        y = d + tl.log(1.0 + tl.exp(-2.0 * d)) - 0.6931471805599453
    tl.store(y_ptr + i, y, mask=m)


@triton.jit
def rows(x_ptr, w_ptr, dy_ptr, y_ptr, stride, n, s, KIND: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + r * stride + c, mask=m, other=0.0)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    dy = tl.load(dy_ptr + r * stride + c, mask=m, other=0.0)
    if KIND == "softmax1":
        z = tl.where(m, x, -float("inf"))
        mx = tl.maximum(tl.max(z, axis=0), 0.0)
        e = tl.exp(z - mx)
        y = e / (tl.exp(-mx) + tl.sum(e, axis=0))
    elif KIND == "alibi":
        z = tl.where(m, x * s - tl.abs(c - r), -float("inf"))
        e = tl.exp(z - tl.max(z, axis=0))
        y = e / tl.sum(e, axis=0)
    elif KIND == "softmax_window":
        z = tl.where(m & (c <= r) & (c > r - 32), x * s, -float("inf"))
        e = tl.exp(z - tl.max(z, axis=0))
        y = e / tl.sum(e, axis=0)
    elif KIND == "logcumsumexp":
        mx = tl.max(tl.where(m, x, -float("inf")), axis=0)
        y = tl.log(tl.cumsum(tl.where(m, tl.exp(x - mx), 0.0), axis=0)) + mx
    elif KIND == "softmax_bwd":
        y = (x * dy - x * tl.sum(x * dy, axis=0)) * s
    tl.store(y_ptr + r * stride + c, y, mask=m)


@triton.jit
def row_losses(x_ptr, g_ptr, h_ptr, y_ptr, stride, n, s, KIND: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + r * stride + c, mask=m, other=0.0)
    g = tl.load(g_ptr + r * stride + c, mask=m, other=0.0)
    h = tl.load(h_ptr + r * stride + c, mask=m, other=0.0)
    if KIND == "dice":
        y = 1.0 - (2.0 * tl.sum(x * g, axis=0) + 1.0) / (tl.sum(x, axis=0) + tl.sum(g, axis=0) + 1.0)
    elif KIND == "tversky":
        tp = tl.sum(x * g, axis=0)
        fp = tl.sum(x * (1.0 - g), axis=0)
        fn = tl.sum((1.0 - x) * g, axis=0)
        y = tp / (tp + s * fp + (1.0 - s) * fn)
    elif KIND == "kl_softmax":
        zx = tl.where(m, x, -float("inf"))
        zg = tl.where(m, g, -float("inf"))
        mx = tl.max(zx, axis=0)
        mg = tl.max(zg, axis=0)
        lx = tl.log(tl.sum(tl.exp(zx - mx), axis=0)) + mx
        lg = tl.log(tl.sum(tl.exp(zg - mg), axis=0)) + mg
        y = tl.sum(tl.where(m, tl.exp(g - lg) * ((g - lg) - (x - lx)), 0.0), axis=0)
    tl.store(y_ptr + r, y)


@triton.jit
def rope_angle(x_ptr, y_ptr, stride, half, theta, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < half
    a = tl.load(x_ptr + r * stride + c, mask=m)
    b = tl.load(x_ptr + r * stride + half + c, mask=m)
    f = r * tl.exp2(-13.287712379549449 * c / half)
    tl.store(y_ptr + r * stride + c, a * tl.cos(f) - b * tl.sin(f), mask=m)
    tl.store(y_ptr + r * stride + half + c, b * tl.cos(f) + a * tl.sin(f), mask=m)


@triton.jit
def ema_scan(x_ptr, y_ptr, T, D, a, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = c < D
    h = tl.zeros((BLOCK,), tl.float32)
    for t in range(T):
        h = a * h + (1.0 - a) * tl.load(x_ptr + t * D + c, mask=m)
        tl.store(y_ptr + t * D + c, h, mask=m)


@triton.jit
def gated_scan(g_ptr, x_ptr, y_ptr, T, D, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = c < D
    h = tl.zeros((BLOCK,), tl.float32)
    for t in range(T):
        f = tl.sigmoid(tl.load(g_ptr + t * D + c, mask=m))
        h = f * h + (1.0 - f) * tl.load(x_ptr + t * D + c, mask=m)
        tl.store(y_ptr + t * D + c, h, mask=m)


def form(kernel, pointers, ints, floats=(), formula="", safety="proved", **constexprs):
    types = {**{p: "*fp32" for p in pointers}, **{i: "i32" for i in ints}, **{f: "fp32" for f in floats}}
    return {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula, "safety": safety}


ELEMENTWISE = {
    "log_cosh_stable": ("log(cosh(x_ptr - g_ptr))", "proved"),
    "log_cosh_plain": ("log(cosh(x_ptr - g_ptr))", "proved"),
    "gauss_kernel": ("exp(-0.5 * (x_ptr - g_ptr) ** 2 / a ** 2)", "proved"),
    "hardtanh_bwd": ("where((x_ptr < 1) & (x_ptr > -1), g_ptr, 0)", "proved"),
    "fake_quant_ste": (
        "where((floor(0.5 + x_ptr / a) <= 127) & (floor(0.5 + x_ptr / a) >= -128), g_ptr, 0)",
        "proved",
    ),
    "quant_sym": ("clamp(where(x_ptr / a >= 0, floor(0.5 + x_ptr / a), ceil(x_ptr / a - 0.5)), -128, 127)", "proved"),
    "sinh": ("sinh(x_ptr)", "proved"),
    "bce_logits": ("log(1 + exp(x_ptr)) - x_ptr * g_ptr", "proved"),
    "gelu_bwd": (
        "(0.5 * (1 + erf(x_ptr / sqrt(2))) + x_ptr * exp(-0.5 * x_ptr ** 2) / sqrt(2 * pi)) * g_ptr",
        "proved",
    ),
    "swish_beta_bwd": ("sigmoid(a * x_ptr) * (1 + a * x_ptr * (1 - sigmoid(a * x_ptr))) * g_ptr", "proved"),
    "reglu": ("relu(x_ptr) * g_ptr", "proved"),
    "mish_bwd": ("(tanh(log(1 + exp(x_ptr))) + silu(x_ptr) * (1 - tanh(log(1 + exp(x_ptr))) ** 2)) * g_ptr", "proved"),
    "gelu_tanh_bwd": (
        "(0.5 * (1 + tanh(sqrt(2 / pi) * (x_ptr + 0.044715 * x_ptr ** 3))) + (x_ptr + 0.134145 * x_ptr ** 3) * "
        "(1 - tanh(sqrt(2 / pi) * (x_ptr + 0.044715 * x_ptr ** 3)) ** 2) / sqrt(2 * pi)) * g_ptr",
        "proved",
    ),
    "log_cosh": ("log(cosh(x_ptr - g_ptr))", "proved"),
}
ROWS = {
    "alibi": ("softmax(s * x_ptr - abs(column(index(grid_x)) - index(n)), axis=1)", "proved"),
    "softmax_window": (
        "softmax(where((index(n) <= column(index(grid_x))) & (column(index(grid_x)) <= index(n) + 31), s * x_ptr, -inf), "
        "axis=1)",
        "unknown",
    ),
    "softmax1": ("exp(x_ptr) / (1 + sum(exp(x_ptr), axis=1))", "proved"),
    "softmax_bwd": ("s * x_ptr * (dy_ptr - sum(x_ptr * dy_ptr, axis=1))", "proved"),
    "logcumsumexp": ("log(cumsum(exp(x_ptr), axis=1))", "proved"),
}
LOSSES = {
    "kl_softmax": (
        "sum((logsumexp(x_ptr, axis=1) + g_ptr - x_ptr - logsumexp(g_ptr, axis=1)) * softmax(g_ptr, axis=1), axis=1)",
        "proved",
    ),
    "dice": ("1 - (1 + 2 * sum(x_ptr * g_ptr, axis=1)) / (1 + sum(x_ptr, axis=1) + sum(g_ptr, axis=1))", "unknown"),
    "tversky": (
        "sum(x_ptr * g_ptr, axis=1) / (s * (sum(x_ptr, axis=1) - sum(g_ptr, axis=1)) + sum(g_ptr, axis=1))",
        "refuted",
    ),
}

T = "column(index(grid_x)) * exp(-4 * log(10) * index(half) / half)"
TURNED = (
    "concat(x_ptr[:, :half] * cos({t}) - x_ptr[:, half:] * sin({t}), "
    "x_ptr[:, :half] * sin({t}) + x_ptr[:, half:] * cos({t}), axis=1)"
)

FORMS = {
    **{
        kind: form(elementwise, ["x_ptr", "g_ptr", "y_ptr"], ["n"], ["a", "b"], formula, safety, KIND=kind, BLOCK=256)
        for kind, (formula, safety) in ELEMENTWISE.items()
    },
    **{
        kind: form(
            rows, ["x_ptr", "w_ptr", "dy_ptr", "y_ptr"], ["stride", "n"], ["s"], formula, safety, KIND=kind, BLOCK=1024
        )
        for kind, (formula, safety) in ROWS.items()
    },
    **{
        kind: form(
            row_losses,
            ["x_ptr", "g_ptr", "h_ptr", "y_ptr"],
            ["stride", "n"],
            ["s"],
            formula,
            safety,
            KIND=kind,
            BLOCK=1024,
        )
        for kind, (formula, safety) in LOSSES.items()
    },
    "rope_angle": form(
        rope_angle, ["x_ptr", "y_ptr"], ["stride", "half"], ["theta"], TURNED.format(t=T), "proved", BLOCK=128
    ),
    "ema_scan": form(
        ema_scan,
        ["x_ptr", "y_ptr"],
        ["T", "D"],
        ["a"],
        "(1 - a) * recurrence(a, x_ptr, 0, axis=0)",
        "unknown",
        BLOCK=128,
    ),
    "gated_scan": form(
        gated_scan,
        ["g_ptr", "x_ptr", "y_ptr"],
        ["T", "D"],
        [],
        "recurrence(sigmoid(g_ptr), (1 - sigmoid(g_ptr)) * x_ptr, 0, axis=0)",
        "unknown",
        BLOCK=128,
    ),
}
