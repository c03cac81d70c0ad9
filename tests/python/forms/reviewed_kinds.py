"""Kernels of public kinds, and the formula that a reviewer would write: activations and losses with their gradients,
norms, optimizers, quantisation, embeddings of places, rotary embeddings, pooling."""

import triton
import triton.language as tl


@triton.jit
def elementwise(x_ptr, g_ptr, y_ptr, n, a, b, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    g = tl.load(g_ptr + i, mask=m)
    if KIND == "sign":
        y = tl.where(x > 0, 1.0, tl.where(x < 0, -1.0, 0.0))
    elif KIND == "sign2":
        y = (x > 0).to(tl.float32) - (x < 0).to(tl.float32)
    elif KIND == "lion":
        u = 0.9 * x + 0.1 * g
        y = a * tl.where(u > 0, 1.0, tl.where(u < 0, -1.0, 0.0))
    elif KIND == "smooth_l1":
        d = tl.abs(x - g)
        y = tl.where(d < b, 0.5 * d * d / b, d - 0.5 * b)
    elif KIND == "hardsigmoid":
        y = tl.minimum(tl.maximum(x / 6.0 + 0.5, 0.0), 1.0)
    elif KIND == "softplus_bwd":
        e = tl.exp(x)
        y = g * e / (1.0 + e)
    elif KIND == "silu_bwd":
        s = 1.0 / (1.0 + tl.exp(-x))
        y = g * s * (1.0 + x * (1.0 - s))
    elif KIND == "quick_gelu":
        y = x / (1.0 + tl.exp(-1.702 * x))
    elif KIND == "selu":
        y = 1.0507009873554805 * tl.where(x > 0, x, 1.6732632423543772 * (tl.exp(x) - 1.0))
    elif KIND == "tanh_bwd":
        e = tl.exp(2.0 * x)
        t = (e - 1.0) / (e + 1.0)
        y = g * (1.0 - t * t)
    elif KIND == "relu_bwd":
        y = tl.where(x > 0, g, 0.0)
    elif KIND == "logit":
        p = tl.minimum(tl.maximum(x, 0.000001), 0.999999)
        y = tl.log(p / (1.0 - p))
    elif KIND == "squared_hinge":
        h = tl.maximum(0.0, 1.0 - x * g)
        y = h * h
    elif KIND == "dropscale":
        y = x * (g > 0.1).to(tl.float32) / 0.9
    elif KIND == "fake_quant":
        q = tl.floor(x / a + 0.5) + b
        q = tl.minimum(tl.maximum(q, 0.0), 255.0)
        y = (q - b) * a
    elif KIND == "int8_quant":
        y = tl.minimum(tl.maximum(tl.floor(x * (127.0 / 3.0) + 0.5), -127.0), 127.0)
    elif KIND == "gaussian_nll":
        v = tl.maximum(g, 1e-6)
        y = 0.5 * (tl.log(v) + x * x / v)
    elif KIND == "geglu":
        y = 0.5 * x * (1.0 + tl.math.erf(0.70710678 * x)) * g
    elif KIND == "snake":
        s = tl.sin(a * x)
        y = x + s * s / a
    elif KIND == "logsigmoid":
        y = -tl.log(1.0 + tl.exp(-x))
    elif KIND == "temp_softcap":
        u = x / 30.0
        y = 30.0 * (2.0 / (1.0 + tl.exp(-2.0 * u)) - 1.0)
    elif KIND == "degrees":
        y = x * 57.29577951308232
    elif KIND == "clip_grad":
        y = tl.where(x > a, a, tl.where(x < -a, -a, x))
    tl.store(y_ptr + i, y, mask=m)


@triton.jit
def rows(x_ptr, w_ptr, dy_ptr, y_ptr, stride, n, s, KIND: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + r * stride + c, mask=m, other=-float("inf") if KIND == "entropy" else 0.0)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    dy = tl.load(dy_ptr + r * stride + c, mask=m, other=0.0)
    if KIND == "softmax_bwd":
        y = x * (dy - tl.sum(x * dy, axis=0))
    elif KIND == "logsoftmax_bwd":
        y = dy - tl.exp(x) * tl.sum(dy, axis=0)
    elif KIND == "ln_bwd":
        mu = tl.sum(x, axis=0) / n
        xc = tl.where(m, x - mu, 0.0)
        var = tl.sum(xc * xc, axis=0) / n
        rs = 1.0 / tl.sqrt(var + 1e-5)
        xh = xc * rs
        wdy = w * dy
        c1 = tl.sum(xh * wdy, axis=0) / n
        c2 = tl.sum(wdy, axis=0) / n
        y = (wdy - (xh * c1 + c2)) * rs
    elif KIND == "l2norm":
        y = x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)
    elif KIND == "instance":
        mu = tl.sum(x, axis=0) / n
        ex2 = tl.sum(x * x, axis=0) / n
        y = (x - mu) / tl.sqrt(ex2 - mu * mu + 1e-5)
    elif KIND == "entropy":
        z = x - tl.max(x, axis=0)
        e = tl.exp(z)
        p = e / tl.sum(e, axis=0)
        y = p * (tl.log(tl.sum(e, axis=0)) - z)
    elif KIND == "gemma":
        rs = tl.math.rsqrt(tl.sum(x * x, axis=0) / n + 1e-6)
        y = x * rs * (1.0 + w)
    elif KIND == "sigmoid_gate_norm":
        rs = tl.math.rsqrt(tl.sum(x * x, axis=0) / n + 1e-6)
        y = x * rs * w * dy / (1.0 + tl.exp(-dy))
    elif KIND == "quant_row":
        am = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-8)
        y = tl.floor(x / (am / 127.0) + 0.5)
    tl.store(y_ptr + r * stride + c, y, mask=m)


@triton.jit
def sgd(p_ptr, g_ptr, v_ptr, n, lr, mu, wd, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    p = tl.load(p_ptr + i, mask=m)
    g = tl.load(g_ptr + i, mask=m)
    v = tl.load(v_ptr + i, mask=m)
    if KIND == "nesterov":
        g = g + wd * p
        v = mu * v + g
        p = p - lr * (g + mu * v)
    elif KIND == "lion":
        u = mu * v + (1.0 - mu) * g
        p = p * (1.0 - lr * wd) - lr * tl.where(u > 0, 1.0, tl.where(u < 0, -1.0, 0.0))
        v = 0.99 * v + 0.01 * g
    tl.store(p_ptr + i, p, mask=m)
    tl.store(v_ptr + i, v, mask=m)


@triton.jit
def sinusoid(y_ptr, stride, half, BLOCK: tl.constexpr, D: tl.constexpr):
    t = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < D // 2
    f = tl.exp(-9.210340371976184 * c.to(tl.float32) / (D // 2))
    a = t.to(tl.float32) * f
    tl.store(y_ptr + t * stride + c, tl.sin(a), mask=m)
    tl.store(y_ptr + t * stride + D // 2 + c, tl.cos(a), mask=m)


@triton.jit
def timestep(t_ptr, y_ptr, stride, half, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < half
    t = tl.load(t_ptr + r)
    f = tl.exp(-9.210340371976184 * c / half)
    tl.store(y_ptr + r * stride + c, tl.cos(t * f), mask=m)
    tl.store(y_ptr + r * stride + half + c, tl.sin(t * f), mask=m)


@triton.jit
def rope(x_ptr, cos_ptr, sin_ptr, y_ptr, stride, cstride, half, NEG: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < half
    a = tl.load(x_ptr + r * stride + c, mask=m)
    b = tl.load(x_ptr + r * stride + half + c, mask=m)
    co = tl.load(cos_ptr + r * cstride + c, mask=m)
    si = tl.load(sin_ptr + r * cstride + c, mask=m)
    if NEG:
        si = -si
    tl.store(y_ptr + r * stride + c, a * co - b * si, mask=m)
    tl.store(y_ptr + r * stride + half + c, b * co + a * si, mask=m)


@triton.jit
def pool2(x_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x_ptr + 2 * i, mask=m)
    b = tl.load(x_ptr + 2 * i + 1, mask=m)
    if KIND == "avg":
        y = 0.5 * (a + b)
    elif KIND == "max":
        y = tl.maximum(a, b)
    elif KIND == "lp":
        y = tl.sqrt(a * a + b * b)
    else:
        y = a / (1.0 + tl.exp(-a)) * b
    tl.store(y_ptr + i, y, mask=m)


@triton.jit
def table(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, 4)
    x = tl.load(x_ptr + i, mask=i < n)
    w = tl.where(k == 0, 1.0, tl.where(k == 1, 2.0, tl.where(k == 2, 4.0, 8.0)))
    tl.store(y_ptr + i[:, None] * 4 + k[None, :], x[:, None] * w[None, :], mask=i[:, None] < n)


@triton.jit
def powers(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, 4)
    x = tl.load(x_ptr + i, mask=i < n)
    s = tl.sin(x)
    c = tl.cos(x)
    y = tl.where(
        k[None, :] == 0,
        s[:, None],
        tl.where(k[None, :] == 1, c[:, None], tl.where(k[None, :] == 2, (s * s)[:, None], (c * c)[:, None])),
    )
    tl.store(y_ptr + i[:, None] * 4 + k[None, :], y, mask=i[:, None] < n)


def form(kernel, pointers, ints, floats=(), formula="", **constexprs):
    types = {**{p: "*fp32" for p in pointers}, **{i: "i32" for i in ints}, **{f: "fp32" for f in floats}}
    return {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula}


ELEMENTWISE = {
    "sign": "sign(x_ptr)",
    "sign2": "sign(x_ptr)",
    "lion": "a * sign(x_ptr + 0.1 * g_ptr / 0.9)",
    "smooth_l1": "where(abs(x_ptr - g_ptr) < b, 0.5 * (x_ptr - g_ptr) ** 2 / b, abs(x_ptr - g_ptr) - 0.5 * b)",
    "hardsigmoid": "clamp(0.5 + x_ptr / 6, 0, 1)",
    "softplus_bwd": "sigmoid(x_ptr) * g_ptr",
    "silu_bwd": "sigmoid(x_ptr) * (1 + x_ptr * (1 - sigmoid(x_ptr))) * g_ptr",
    "quick_gelu": "x_ptr * sigmoid(1.702 * x_ptr)",
    "selu": "1.050701 * where(x_ptr > 0, x_ptr, 1.6732632 * (exp(x_ptr) - 1))",
    "tanh_bwd": "(1 - tanh(x_ptr) ** 2) * g_ptr",
    "relu_bwd": "where(x_ptr > 0, g_ptr, 0)",
    "logit": "log(clamp(x_ptr, 1e-06, 0.999999) / (1 - clamp(x_ptr, 1e-06, 0.999999)))",
    "squared_hinge": "relu(1 - x_ptr * g_ptr) ** 2",
    "dropscale": "x_ptr * where(g_ptr > 0.1, 1, 0) / 0.9",
    "fake_quant": "a * (clamp(floor(0.5 + x_ptr / a) + b, 0, 255) - b)",
    "int8_quant": "clamp(floor(0.5 + 127 * x_ptr / 3), -127, 127)",
    "gaussian_nll": "0.5 * (x_ptr ** 2 / maximum(g_ptr, 1e-06) + log(maximum(g_ptr, 1e-06)))",
    "geglu": "gelu(x_ptr) * g_ptr",
    "snake": "x_ptr + sin(a * x_ptr) ** 2 / a",
    "logsigmoid": "log(sigmoid(x_ptr))",
    "temp_softcap": "30 * tanh(x_ptr / 30)",
    "degrees": "180 * x_ptr / pi",
    "clip_grad": "where(x_ptr <= a, maximum(x_ptr, -a), a)",
}
ROWS = {
    "softmax_bwd": "x_ptr * (dy_ptr - sum(x_ptr * dy_ptr, axis=1))",
    "logsoftmax_bwd": "dy_ptr - exp(x_ptr) * sum(dy_ptr, axis=1)",
    "ln_bwd": (
        "(w_ptr * dy_ptr - layer_norm(x_ptr, axis=1, eps=1e-05) * mean(layer_norm(x_ptr, axis=1, "
        "eps=1e-05) * w_ptr * dy_ptr, axis=1) - mean(w_ptr * dy_ptr, axis=1)) / sqrt(1e-05 + var(x_ptr, "
        "axis=1))"
    ),
    "l2norm": "x_ptr / maximum(sqrt(sum(x_ptr ** 2, axis=1)), 1e-12)",
    "instance": "layer_norm(x_ptr, axis=1, eps=1e-05)",
    "entropy": "softmax(x_ptr, axis=1) * (logsumexp(x_ptr, axis=1) - x_ptr)",
    "gemma": "rms_norm(x_ptr, axis=1, eps=1e-06) * (1 + w_ptr)",
    "sigmoid_gate_norm": "rms_norm(x_ptr, axis=1, eps=1e-06) * w_ptr * silu(dy_ptr)",
    "quant_row": "floor(0.5 + 127 * x_ptr / maximum(max(abs(x_ptr), axis=1), 1e-08))",
}
STEPS = {
    "nesterov": [
        "p_ptr - lr * (wd * p_ptr + mu * (wd * p_ptr + g_ptr + mu * v_ptr) + g_ptr)",
        "wd * p_ptr + g_ptr + mu * v_ptr",
    ],
    "lion": ["p_ptr - lr * (wd * p_ptr + sign(g_ptr + mu * (v_ptr - g_ptr)))", "0.01 * g_ptr + 0.99 * v_ptr"],
}

FORMS = {
    **{
        kind: form(elementwise, ["x_ptr", "g_ptr", "y_ptr"], ["n"], ["a", "b"], formula, KIND=kind, BLOCK=256)
        for kind, formula in ELEMENTWISE.items()
    },
    **{
        f"rows_{kind}": form(
            rows, ["x_ptr", "w_ptr", "dy_ptr", "y_ptr"], ["stride", "n"], ["s"], formula, KIND=kind, BLOCK=1024
        )
        for kind, formula in ROWS.items()
    },
    **{
        f"step_{kind}": form(
            sgd, ["p_ptr", "g_ptr", "v_ptr"], ["n"], ["lr", "mu", "wd"], formula, KIND=kind, BLOCK=256
        )
        for kind, formula in STEPS.items()
    },
    "sinusoid": form(
        sinusoid,
        ["y_ptr"],
        ["stride", "half"],
        (),
        (
            "concat(sin(column(index(grid_x)) * exp(-0.125 * log(10) * index(32))), "
            "cos(column(index(grid_x)) * exp(-0.125 * log(10) * index(32))), axis=1)"
        ),
        BLOCK=32,
        D=64,
    ),
    "timestep": form(
        timestep,
        ["t_ptr", "y_ptr"],
        ["stride", "half"],
        (),
        (
            "concat(cos(column(t_ptr) * exp(-4 * log(10) * index(half) / half)), sin(column(t_ptr) * exp(-4 "
            "* log(10) * index(half) / half)), axis=1)"
        ),
        BLOCK=128,
    ),
    "rope": form(
        rope,
        ["x_ptr", "cos_ptr", "sin_ptr", "y_ptr"],
        ["stride", "cstride", "half"],
        (),
        (
            "concat(x_ptr[:, :half] * cos_ptr - x_ptr[:, half:] * sin_ptr, x_ptr[:, :half] * sin_ptr + "
            "x_ptr[:, half:] * cos_ptr, axis=1)"
        ),
        NEG=False,
        BLOCK=128,
    ),
    "rope_bwd": form(
        rope,
        ["x_ptr", "cos_ptr", "sin_ptr", "y_ptr"],
        ["stride", "cstride", "half"],
        (),
        (
            "concat(x_ptr[:, :half] * cos_ptr + x_ptr[:, half:] * sin_ptr, x_ptr[:, half:] * cos_ptr - "
            "x_ptr[:, :half] * sin_ptr, axis=1)"
        ),
        NEG=True,
        BLOCK=128,
    ),
    "pool_avg": form(pool2, ["x_ptr", "y_ptr"], ["n"], (), "0.5 * (x_ptr[::2] + x_ptr[1::2])", KIND="avg", BLOCK=256),
    "pool_max": form(pool2, ["x_ptr", "y_ptr"], ["n"], (), "maximum(x_ptr[::2], x_ptr[1::2])", KIND="max", BLOCK=256),
    "pool_lp": form(
        pool2, ["x_ptr", "y_ptr"], ["n"], (), "sqrt(x_ptr[::2] ** 2 + x_ptr[1::2] ** 2)", KIND="lp", BLOCK=256
    ),
    "pairs_swiglu": form(
        pool2, ["x_ptr", "y_ptr"], ["n"], (), "x_ptr[1::2] * silu(x_ptr[::2])", KIND="glu", BLOCK=256
    ),
    "table": form(table, ["x_ptr", "y_ptr"], ["n"], (), "stack(1, 2, 4, 8, axis=0) * column(x_ptr)", BLOCK=64),
    "powers": form(
        powers,
        ["x_ptr", "y_ptr"],
        ["n"],
        (),
        "stack(sin(x_ptr), cos(x_ptr), sin(x_ptr) ** 2, cos(x_ptr) ** 2, axis=1)",
        BLOCK=64,
    ),
}
