"""Kernels of kinds that are public in many variants, and the formula that a person would write: activations and their
gradients, losses, softmax variants, norms, optimizers, attention, quantisation, pooling."""

import triton
import triton.language as tl


@triton.jit
def mish2(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    sp = tl.log(1.0 + tl.exp(x))
    tl.store(y_ptr + i, x * (1 - 2 / (tl.exp(2 * sp) + 1)), mask=i < n)


@triton.jit
def hswish(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    r = tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0)
    tl.store(y_ptr + i, x * r * 0.16666667, mask=i < n)


@triton.jit
def elu(x_ptr, y_ptr, n, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.where(x > 0, x, alpha * (tl.exp(x) - 1)), mask=i < n)


@triton.jit
def gelu_bwd(x_ptr, dy_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    dy = tl.load(dy_ptr + i, mask=i < n)
    cdf = 0.5 * (1.0 + tl.math.erf(x * 0.7071067811865476))
    pdf = 0.3989422804014327 * tl.exp(-0.5 * x * x)
    tl.store(dx_ptr + i, dy * (cdf + x * pdf), mask=i < n)


@triton.jit
def bce_logits(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    t = tl.load(t_ptr + i, mask=i < n)
    loss = tl.maximum(x, 0.0) - x * t + tl.log(1.0 + tl.exp(-tl.abs(x)))
    tl.store(y_ptr + i, loss, mask=i < n)


@triton.jit
def huber(x_ptr, t_ptr, y_ptr, n, delta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n) - tl.load(t_ptr + i, mask=i < n)
    a = tl.abs(d)
    tl.store(y_ptr + i, tl.where(a < delta, 0.5 * d * d, delta * (a - 0.5 * delta)), mask=i < n)


@triton.jit
def softmax_temp_mask(x_ptr, m_ptr, y_ptr, stride, n, temp, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * stride + c, mask=c < n, other=-float("inf"))
    keep = tl.load(m_ptr + r * stride + c, mask=c < n, other=0)
    x = x / temp
    x = tl.where(keep != 0, x, -1e9)
    x = tl.where(c < n, x, -float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp(x)
    tl.store(y_ptr + r * stride + c, e / tl.sum(e, 0), mask=c < n)


@triton.jit
def softcap(x_ptr, y_ptr, stride, n, cap, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0)
    x = x / cap
    x = 2 * tl.sigmoid(2 * x) - 1
    x = tl.where(c < n, x * cap, -float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp2(x * 1.4426950408889634)
    tl.store(y_ptr + r * stride + c, e / tl.sum(e, 0), mask=c < n)


@triton.jit
def log_softmax_bwd(lp_ptr, dy_ptr, dx_ptr, stride, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    lp = tl.load(lp_ptr + r * stride + c, mask=c < n, other=-float("inf"))
    dy = tl.load(dy_ptr + r * stride + c, mask=c < n, other=0.0)
    tl.store(dx_ptr + r * stride + c, dy - tl.exp(lp) * tl.sum(dy, 0), mask=c < n)


@triton.jit
def layer_norm_res(x_ptr, res_ptr, w_ptr, b_ptr, y_ptr, stride, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0) + tl.load(
        res_ptr + r * stride + c, mask=c < n, other=0.0
    )
    m = tl.sum(x, 0) / n
    d = tl.where(c < n, x - m, 0.0)
    v = tl.sum(d * d, 0) / n
    rstd = 1 / tl.sqrt(v + eps)
    w = tl.load(w_ptr + c, mask=c < n)
    b = tl.load(b_ptr + c, mask=c < n)
    tl.store(y_ptr + r * stride + c, d * rstd * w + b, mask=c < n)


@triton.jit
def rms_bwd(x_ptr, dy_ptr, w_ptr, rstd_ptr, dx_ptr, stride, n, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0)
    dy = tl.load(dy_ptr + r * stride + c, mask=c < n, other=0.0)
    w = tl.load(w_ptr + c, mask=c < n, other=0.0)
    rstd = tl.load(rstd_ptr + r)
    m = dy * w
    dx = rstd * m
    dx += rstd * (-(1 / n) * rstd * rstd * tl.sum(m * x, 0) * x)
    tl.store(dx_ptr + r * stride + c, dx, mask=c < n)


@triton.jit
def rms_res(x_ptr, res_ptr, w_ptr, y_ptr, h_ptr, stride, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float32)
    for o in range(0, n, BLOCK):
        c = o + tl.arange(0, BLOCK)
        h = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0) + tl.load(
            res_ptr + r * stride + c, mask=c < n, other=0.0
        )
        acc += h * h
    rstd = tl.rsqrt(tl.sum(acc, 0) / n + eps)
    for o in range(0, n, BLOCK):
        c = o + tl.arange(0, BLOCK)
        h = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0) + tl.load(
            res_ptr + r * stride + c, mask=c < n, other=0.0
        )
        tl.store(h_ptr + r * stride + c, h, mask=c < n)
        tl.store(y_ptr + r * stride + c, h * rstd * (1.0 + tl.load(w_ptr + c, mask=c < n)), mask=c < n)


@triton.jit
def l2norm(x_ptr, y_ptr, stride, n, eps, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * stride + c, mask=c < n, other=0.0)
    s = tl.sqrt(tl.sum(x * x, 0))
    tl.store(y_ptr + r * stride + c, x / tl.maximum(s, eps), mask=c < n)


@triton.jit
def ce_bwd(x_ptr, t_ptr, dy_ptr, dx_ptr, stride, V, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    t = tl.load(t_ptr + r)
    dy = tl.load(dy_ptr + r)
    x = tl.load(x_ptr + r * stride + c, mask=c < V, other=-float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp(x)
    p = e / tl.sum(e, 0)
    tl.store(dx_ptr + r * stride + c, (p - tl.where(c == t, 1.0, 0.0)) * dy, mask=c < V)


@triton.jit
def sgd_nesterov(p_ptr, g_ptr, m_ptr, n, lr, mu, wd, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = i < n
    p = tl.load(p_ptr + i, mask=k)
    g = tl.load(g_ptr + i, mask=k) + wd * p
    m = mu * tl.load(m_ptr + i, mask=k) + g
    tl.store(m_ptr + i, m, mask=k)
    tl.store(p_ptr + i, p - lr * (g + mu * m), mask=k)


@triton.jit
def attn_bias(q_ptr, k_ptr, v_ptr, b_ptr, o_ptr, M, N, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    pm = tl.program_id(0)
    rm = pm * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + rm[:, None] * D + d[None, :], mask=rm[:, None] < M, other=0.0)
    m = tl.full([BM], -float("inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for s in range(0, N, BN):
        rn = s + tl.arange(0, BN)
        k = tl.load(k_ptr + rn[:, None] * D + d[None, :], mask=rn[:, None] < N, other=0.0)
        v = tl.load(v_ptr + rn[:, None] * D + d[None, :], mask=rn[:, None] < N, other=0.0)
        b = tl.load(b_ptr + rm[:, None] * N + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N), other=0.0)
        x = tl.dot(q, tl.trans(k)) * scale + b
        x = tl.where(rn[None, :] < N, x, -float("inf"))
        mn = tl.maximum(m, tl.max(x, 1))
        p = tl.exp(x - mn[:, None])
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None] + tl.dot(p, v)
        m = mn
    tl.store(o_ptr + rm[:, None] * D + d[None, :], acc / l[:, None], mask=rm[:, None] < M)


@triton.jit
def dequant_mm(a_ptr, b_ptr, s_ptr, z_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    s = tl.load(s_ptr + rn, mask=rn < N, other=0.0)
    z = tl.load(z_ptr + rn, mask=rn < N, other=0.0)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.dot(a, (b.to(tl.float32) - z[None, :]) * s[None, :])
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def avgpool1d(x_ptr, y_ptr, n_out, stride, K: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for k in range(K):
        acc += tl.load(x_ptr + r * stride + o * K + k, mask=o < n_out, other=0.0)
    tl.store(y_ptr + r * n_out + o, acc / K, mask=o < n_out)


@triton.jit
def instance_norm(x_ptr, y_ptr, HW, eps, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    s = 0.0
    q = 0.0
    for o in range(0, HW, BLOCK):
        c = o + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + nc * HW + c, mask=c < HW, other=0.0)
        s += tl.sum(x, 0)
        q += tl.sum(x * x, 0)
    mean = s / HW
    rstd = tl.rsqrt(q / HW - mean * mean + eps)
    for o in range(0, HW, BLOCK):
        c = o + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + nc * HW + c, mask=c < HW, other=0.0)
        tl.store(y_ptr + nc * HW + c, (x - mean) * rstd, mask=c < HW)


@triton.jit
def softsign_logcosh(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x / (1 + tl.where(x < 0, -x, x)), mask=i < n)
    tl.store(z_ptr + i, tl.abs(x) + tl.log(1 + tl.exp(-2 * tl.abs(x))) - 0.6931471805599453, mask=i < n)


@triton.jit
def ew(a_ptr, b_ptr, y_ptr, n, s, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = i < n
    a = tl.load(a_ptr + i, mask=k)
    b = tl.load(b_ptr + i, mask=k)
    if KIND == "nll":
        y = 0.5 * (a * a + b) + 0.9189385332046727
    elif KIND == "nll2":
        y = 0.5 * (tl.log(b) + (a - s) * (a - s) / b) + 0.91893853
    elif KIND == "softplus_beta":
        t = a * s
        y = (tl.maximum(t, 0.0) + tl.log(1 + tl.exp(-tl.abs(t)))) / s
    elif KIND == "gelu_fold":
        u = 1.5957691216057308 * a * (1 + 0.044715 * a * a)
        y = b * a / (1 + tl.exp(-u))
    elif KIND == "hinge":
        y = tl.where(1 - a * b > 0, 1 - a * b, 0.0)
    elif KIND == "sqhinge":
        h = tl.maximum(0.0, 1 - a * b)
        y = h * h
    elif KIND == "logaddexp":
        m = tl.maximum(a, b)
        y = m + tl.log(tl.exp(a - m) + tl.exp(b - m))
    elif KIND == "hsig":
        y = tl.minimum(tl.maximum(a / 6 + 0.5, 0.0), 1.0)
    elif KIND == "softsign_bwd":
        d = 1 + tl.abs(a)
        y = b / (d * d)
    elif KIND == "silu_t":
        y = 0.5 * a * (1 + (tl.exp(a) - 1) / (tl.exp(a) + 1))
    elif KIND == "db":
        y = 20 * tl.log(a) * 0.4342944819032518
    else:
        y = tl.exp(-0.5 * ((a - b) / s) * ((a - b) / s)) * 0.3989422804 / s
    tl.store(y_ptr + i, y, mask=k)


@triton.jit
def rows(x_ptr, w_ptr, y_ptr, stride, n, s, KIND: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    k = c < n
    x = tl.load(x_ptr + r * stride + c, mask=k, other=0.0)
    w = tl.load(w_ptr + c, mask=k, other=0.0)
    if KIND == "std":
        m = tl.sum(x, 0) / n
        v = tl.sum(x * x, 0) / n - m * m
        y = (x - m) / (tl.sqrt(v) + s)
    elif KIND == "softmin":
        z = tl.where(k, -x, -float("inf"))
        e = tl.exp(z - tl.max(z, 0))
        y = e / tl.sum(e, 0)
    elif KIND == "softmax_plus1":
        z = tl.where(k, x, -float("inf"))
        m = tl.maximum(tl.max(z, 0), 0.0)
        e = tl.exp(z - m)
        y = e / (tl.exp(-m) + tl.sum(e, 0))
    elif KIND == "gated_rms":
        g = x * tl.sigmoid(x)
        y = g * tl.rsqrt(tl.sum(g * g, 0) / n + 1e-6) * w
    elif KIND == "log2sm":
        z = tl.where(k, x * 1.44269504, -float("inf"))
        m = tl.max(z, 0)
        y = (z - m - tl.log2(tl.sum(tl.exp2(z - m), 0))) * 0.69314718
    else:
        hi = tl.max(tl.abs(x), 0)
        sc = 448.0 / tl.maximum(hi, 1e-12)
        y = tl.minimum(tl.maximum(x * sc, -448.0), 448.0)
    tl.store(y_ptr + r * stride + c, y, mask=k)


def form(kernel, tensors, ints=(), floats=(), others=None, formula="", safety="proved", **constexprs):
    types = {**{name: "*fp32" for name in tensors}, **(others or {}), **{name: "i32" for name in ints}}
    types.update({name: "fp32" for name in floats})
    return {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula, "safety": safety}


B = {"BLOCK": 1024}
FORMS = {
    "mish2": form(mish2, ["x_ptr", "y_ptr"], ["n"], **B, formula="x_ptr * tanh(log(1 + exp(x_ptr)))"),
    "hswish": form(hswish, ["x_ptr", "y_ptr"], ["n"], **B, formula="x_ptr * clamp(3 + x_ptr, 0, 6) / 6"),
    "elu": form(
        elu, ["x_ptr", "y_ptr"], ["n"], ["alpha"], **B, formula="where(x_ptr > 0, x_ptr, alpha * (exp(x_ptr) - 1))"
    ),
    "gelu_bwd": form(
        gelu_bwd,
        ["x_ptr", "dy_ptr", "dx_ptr"],
        ["n"],
        **B,
        formula="(0.5 * (1 + erf(x_ptr / sqrt(2))) + x_ptr * exp(-0.5 * x_ptr ** 2) / sqrt(2 * pi)) * dy_ptr",
    ),
    "bce": form(bce_logits, ["x_ptr", "t_ptr", "y_ptr"], ["n"], **B, formula="log(1 + exp(x_ptr)) - x_ptr * t_ptr"),
    "huber": form(
        huber,
        ["x_ptr", "t_ptr", "y_ptr"],
        ["n"],
        ["delta"],
        **B,
        formula="where(abs(x_ptr - t_ptr) < delta, 0.5 * (x_ptr - t_ptr) ** 2, delta * (abs(x_ptr - t_ptr) - 0.5 * delta))",
    ),
    "softmax_temp": form(
        softmax_temp_mask,
        ["x_ptr", "m_ptr", "y_ptr"],
        ["stride", "n"],
        ["temp"],
        others={"m_ptr": "*i32"},
        **B,
        formula="softmax(where(m_ptr != 0, x_ptr / temp, -1000000000), axis=1)",
    ),
    "softcap": form(
        softcap, ["x_ptr", "y_ptr"], ["stride", "n"], ["cap"], **B, formula="softmax(cap * tanh(x_ptr / cap), axis=1)"
    ),
    "log_softmax_bwd": form(
        log_softmax_bwd,
        ["lp_ptr", "dy_ptr", "dx_ptr"],
        ["stride", "n"],
        **B,
        formula="dy_ptr - exp(lp_ptr) * sum(dy_ptr, axis=1)",
    ),
    "layer_norm_res": form(
        layer_norm_res,
        ["x_ptr", "res_ptr", "w_ptr", "b_ptr", "y_ptr"],
        ["stride", "n"],
        ["eps"],
        **B,
        formula="layer_norm(x_ptr + res_ptr, axis=1, eps=eps) * w_ptr + b_ptr",
    ),
    "rms_bwd": form(
        rms_bwd,
        ["x_ptr", "dy_ptr", "w_ptr", "rstd_ptr", "dx_ptr"],
        ["stride", "n"],
        **B,
        formula="(dy_ptr * w_ptr - x_ptr * mean(x_ptr * dy_ptr * w_ptr, axis=1) * column(rstd_ptr) ** 2) * column(rstd_ptr)",
    ),
    "rms_res": form(
        rms_res,
        ["x_ptr", "res_ptr", "w_ptr", "y_ptr", "h_ptr"],
        ["stride", "n"],
        ["eps"],
        **B,
        formula=["x_ptr + res_ptr", "rms_norm(x_ptr + res_ptr, axis=1, eps=eps) * (1 + w_ptr)"],
    ),
    "l2norm": form(
        l2norm,
        ["x_ptr", "y_ptr"],
        ["stride", "n"],
        ["eps"],
        **B,
        formula="x_ptr / maximum(sqrt(sum(x_ptr ** 2, axis=1)), eps)",
    ),
    "ce_bwd": form(
        ce_bwd,
        ["x_ptr", "t_ptr", "dy_ptr", "dx_ptr"],
        ["stride", "V"],
        others={"t_ptr": "*i64"},
        **B,
        formula="(softmax(x_ptr, axis=1) - where(column(t_ptr) == index(V), 1, 0)) * column(dy_ptr)",
    ),
    "sgd": form(
        sgd_nesterov,
        ["p_ptr", "g_ptr", "m_ptr"],
        ["n"],
        ["lr", "mu", "wd"],
        **B,
        formula=[
            "wd * p_ptr + g_ptr + mu * m_ptr",
            "p_ptr - lr * (wd * p_ptr + mu * (wd * p_ptr + g_ptr + mu * m_ptr) + g_ptr)",
        ],
    ),
    "attn_bias": form(
        attn_bias,
        ["q_ptr", "k_ptr", "v_ptr", "b_ptr", "o_ptr"],
        ["M", "N"],
        ["scale"],
        D=64,
        BM=64,
        BN=32,
        formula="softmax(scale * (q_ptr @ transpose(k_ptr, 1, 0)) + b_ptr, axis=1) @ v_ptr",
    ),
    "dequant_mm": form(
        dequant_mm,
        ["a_ptr", "b_ptr", "s_ptr", "z_ptr", "c_ptr"],
        ["M", "N", "K"],
        others={"b_ptr": "*i8"},
        BM=32,
        BN=32,
        BK=32,
        formula="a_ptr @ ((b_ptr - z_ptr) * s_ptr)",
    ),
    "avgpool1d": form(
        avgpool1d,
        ["x_ptr", "y_ptr"],
        ["n_out", "stride"],
        K=4,
        BLOCK=128,
        formula="0.25 * (x_ptr[:, ::4] + x_ptr[:, 1::4] + x_ptr[:, 2::4] + x_ptr[:, 3::4])",
    ),
    "instance_norm": form(
        instance_norm, ["x_ptr", "y_ptr"], ["HW"], ["eps"], **B, formula="layer_norm(x_ptr, axis=1, eps=eps)"
    ),
    "softsign": form(
        softsign_logcosh,
        ["x_ptr", "y_ptr", "z_ptr"],
        ["n"],
        **B,
        formula=["x_ptr / (1 + abs(x_ptr))", "log(cosh(x_ptr))"],
    ),
    "nll": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="nll",
        BLOCK=1024,
        formula="0.5 * (a_ptr ** 2 + b_ptr) + 0.5 * log(2 * pi)",
    ),
    "nll2": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="nll2",
        BLOCK=1024,
        formula="0.5 * ((a_ptr - s) ** 2 / b_ptr + log(b_ptr)) + 0.5 * log(2 * pi)",
        safety="unknown",
    ),
    "softplus_beta": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="softplus_beta",
        BLOCK=1024,
        formula="log(1 + exp(s * a_ptr)) / s",
    ),
    "gelu_fold": form(
        ew, ["a_ptr", "b_ptr", "y_ptr"], ["n"], ["s"], KIND="gelu_fold", BLOCK=1024, formula="gelu_tanh(a_ptr) * b_ptr"
    ),
    "hinge": form(
        ew, ["a_ptr", "b_ptr", "y_ptr"], ["n"], ["s"], KIND="hinge", BLOCK=1024, formula="relu(1 - a_ptr * b_ptr)"
    ),
    "sqhinge": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="sqhinge",
        BLOCK=1024,
        formula="relu(1 - a_ptr * b_ptr) ** 2",
    ),
    "logaddexp": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="logaddexp",
        BLOCK=1024,
        formula="log(exp(a_ptr) + exp(b_ptr))",
    ),
    "hsig": form(
        ew, ["a_ptr", "b_ptr", "y_ptr"], ["n"], ["s"], KIND="hsig", BLOCK=1024, formula="clamp(0.5 + a_ptr / 6, 0, 1)"
    ),
    "softsign_bwd": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="softsign_bwd",
        BLOCK=1024,
        formula="b_ptr / (1 + abs(a_ptr)) ** 2",
    ),
    "silu_t": form(ew, ["a_ptr", "b_ptr", "y_ptr"], ["n"], ["s"], KIND="silu_t", BLOCK=1024, formula="silu(a_ptr)"),
    "db": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="db",
        BLOCK=1024,
        formula="20 * log(a_ptr) / log(10)",
        safety="unknown",
    ),
    "gauss": form(
        ew,
        ["a_ptr", "b_ptr", "y_ptr"],
        ["n"],
        ["s"],
        KIND="gauss",
        BLOCK=1024,
        formula="exp(-0.5 * (a_ptr - b_ptr) ** 2 / s ** 2) / (s * sqrt(2 * pi))",
    ),
    "std": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="std",
        BLOCK=1024,
        formula="(x_ptr - mean(x_ptr, axis=1)) / (sqrt(var(x_ptr, axis=1)) + s)",
    ),
    "softmin": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="softmin",
        BLOCK=1024,
        formula="softmax(-x_ptr, axis=1)",
    ),
    "softmax_plus1": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="softmax_plus1",
        BLOCK=1024,
        formula="exp(x_ptr) / (1 + sum(exp(x_ptr), axis=1))",
    ),
    "gated_rms": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="gated_rms",
        BLOCK=1024,
        formula="rms_norm(silu(x_ptr), axis=1, eps=1e-06) * w_ptr",
    ),
    "log2sm": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="log2sm",
        BLOCK=1024,
        formula="x_ptr - logsumexp(x_ptr, axis=1)",
    ),
    "quant": form(
        rows,
        ["x_ptr", "w_ptr", "y_ptr"],
        ["stride", "n"],
        ["s"],
        KIND="quant",
        BLOCK=1024,
        formula="clamp(448 * x_ptr / maximum(max(abs(x_ptr), axis=1), 1e-12), -448, 448)",
    ),
}
