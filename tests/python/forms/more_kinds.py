"""Kernels of public kinds, and the formula that a reviewer would write: losses of policies and of preferences, moments,
gains in decibels, gates, recurrences that run backwards, states of several lanes, sums of what comes after."""

import triton
import triton.language as tl


@triton.jit
def elementwise(x_ptr, g_ptr, h_ptr, y_ptr, n, a, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    g = tl.load(g_ptr + i, mask=m)
    h = tl.load(h_ptr + i, mask=m)
    if KIND == "ppo":
        r = tl.exp(x - g)
        y = -tl.minimum(r * h, tl.minimum(tl.maximum(r, 1.0 - a), 1.0 + a) * h)
    elif KIND == "focal_bce":
        p = tl.sigmoid(x)
        ce = tl.maximum(x, 0.0) - x * g + tl.log(1.0 + tl.exp(-tl.abs(x)))
        pt = p * g + (1.0 - p) * (1.0 - g)
        y = (a * g + (1.0 - a) * (1.0 - g)) * (1.0 - pt) * (1.0 - pt) * ce
    elif KIND == "gaussian_cdf":
        y = 0.5 * (1.0 + tl.math.erf((x - g) / (a * 1.4142135623730951)))
    elif KIND == "logaddexp":
        y = tl.maximum(x, g) + tl.log(1.0 + tl.exp(-tl.abs(x - g)))
    elif KIND == "softmax_of_two":
        top = tl.maximum(x, g)
        e = tl.exp(x - top)
        y = e / (e + tl.exp(g - top))
    tl.store(y_ptr + i, y, mask=m)


@triton.jit
def rows(x_ptr, g_ptr, y_ptr, stride, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < n
    x = tl.load(x_ptr + r * stride + c, mask=m, other=0.0)
    g = tl.load(g_ptr + r * stride + c, mask=m, other=0.0)
    d = tl.where(m, x - tl.sum(x) / n, 0.0)
    if KIND == "kurtosis":
        v = tl.sum(d * d) / n
        y = tl.sum(d * d * d * d) / n / (v * v) - 3.0
    elif KIND == "r2":
        y = 1.0 - tl.sum((x - g) * (x - g)) / tl.sum(d * d)
    elif KIND == "snr":
        y = 10.0 * tl.log(tl.sum(g * g) / tl.sum((g - x) * (g - x))) / tl.log(10.0)
    tl.store(y_ptr + r, y)


@triton.jit
def after(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    c = tl.program_id(0) * stride + tl.arange(0, BLOCK)
    m = tl.arange(0, BLOCK) < n
    tl.store(y_ptr + c, tl.cumsum(tl.load(x_ptr + c, mask=m, other=0.0), 0, reverse=True), mask=m)


@triton.jit
def returns(r_ptr, y_ptr, T, D, gamma, BLOCK: tl.constexpr):
    d = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = d < D
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, T):
        t = T - 1 - k
        total = tl.load(r_ptr + t * D + d, mask=m, other=0.0) + gamma * total
        tl.store(y_ptr + t * D + d, total, mask=m)


@triton.jit
def advantages(r_ptr, v_ptr, y_ptr, T, D, gamma, lam, BLOCK: tl.constexpr):
    d = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = d < D
    a = tl.zeros((BLOCK,), tl.float32)
    for t in range(T - 1, -1, -1):
        behind = tl.load(v_ptr + (t + 1) * D + d, mask=m, other=0.0)
        own = tl.load(v_ptr + t * D + d, mask=m, other=0.0)
        a = tl.load(r_ptr + t * D + d, mask=m, other=0.0) + gamma * behind - own + gamma * lam * a
        tl.store(y_ptr + t * D + d, a, mask=m)


@triton.jit
def gated_back(a_ptr, x_ptr, y_ptr, T, D, BLOCK: tl.constexpr):
    d = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = d < D
    h = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, T):
        at = (T - 1 - k) * D + d
        h = tl.load(x_ptr + at, mask=m, other=0.0) + tl.load(a_ptr + at, mask=m, other=0.0) * h
        tl.store(y_ptr + at, h, mask=m)


@triton.jit
def selective_scan(u_ptr, dt_ptr, a_ptr, b_ptr, c_ptr, y_ptr, T, D, N: tl.constexpr, BLOCK: tl.constexpr):
    d = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, N)
    m = d < D
    a = tl.load(a_ptr + d[:, None] * N + k[None, :], mask=m[:, None], other=0.0)
    h = tl.zeros((BLOCK, N), tl.float32)
    for t in range(0, T):
        dt = tl.load(dt_ptr + t * D + d, mask=m, other=0.0)
        u = tl.load(u_ptr + t * D + d, mask=m, other=0.0)
        h = tl.exp(dt[:, None] * a) * h + (dt * u)[:, None] * tl.load(b_ptr + t * N + k)[None, :]
        tl.store(y_ptr + t * D + d, tl.sum(h * tl.load(c_ptr + t * N + k)[None, :], 1), mask=m)


@triton.jit
def group_quantise(x_ptr, y_ptr, s_ptr, G: tl.constexpr):
    i = tl.program_id(0) * G + tl.arange(0, G)
    x = tl.load(x_ptr + i)
    scale = tl.maximum(tl.max(tl.abs(x)) / 127.0, 1e-8)
    tl.store(s_ptr + tl.program_id(0), scale)
    tl.store(y_ptr + i, x / scale)


def form(kernel, names, integers, floats, formula, safety, **constexprs):
    types = {**dict.fromkeys(names, "*fp32"), **dict.fromkeys(integers, "i32"), **dict.fromkeys(floats, "fp32")}
    return {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula, "safety": safety}


ELEMENTWISE = {
    "ppo": ("-minimum(exp(x_ptr - g_ptr) * h_ptr, clamp(exp(x_ptr - g_ptr), 1 - a, 1 + a) * h_ptr)", "proved"),
    "focal_bce": (
        "(log(1 + exp(x_ptr)) - x_ptr * g_ptr) * (sigmoid(-x_ptr) * g_ptr + sigmoid(x_ptr) * (1 - g_ptr)) ** 2 * "
        "(a * g_ptr + (1 - a) * (1 - g_ptr))",
        "proved",
    ),
    "gaussian_cdf": ("0.5 * (1 + erf((x_ptr - g_ptr) / (a * sqrt(2))))", "proved"),
    "logaddexp": ("log(exp(x_ptr) + exp(g_ptr))", "proved"),
    "softmax_of_two": ("sigmoid(x_ptr - g_ptr)", "proved"),
}
ROWS = {
    "kurtosis": ("mean((x_ptr - mean(x_ptr, axis=1)) ** 4, axis=1) / var(x_ptr, axis=1) ** 2 - 3", "refuted"),
    "r2": ("1 - mean((x_ptr - g_ptr) ** 2, axis=1) / var(x_ptr, axis=1)", "refuted"),
    "snr": ("10 * log(sum(g_ptr ** 2, axis=1) / sum((g_ptr - x_ptr) ** 2, axis=1)) / log(10)", "refuted"),
}
SELECTIVE = (
    "sum(recurrence(exp(expand(dt_ptr, 2) * a_ptr), expand(u_ptr * dt_ptr, 2) * expand(reshape(b_ptr, T, 16), 1), 0, "
    "axis=0) * expand(reshape(c_ptr, T, 16), 1), axis=2)"
)
FORMS = {
    **{
        kind: form(
            elementwise, ["x_ptr", "g_ptr", "h_ptr", "y_ptr"], ["n"], ["a"], formula, safety, KIND=kind, BLOCK=256
        )
        for kind, (formula, safety) in ELEMENTWISE.items()
    },
    **{
        kind: form(rows, ["x_ptr", "g_ptr", "y_ptr"], ["stride", "n"], [], formula, safety, KIND=kind, BLOCK=1024)
        for kind, (formula, safety) in ROWS.items()
    },
    "group_quantise": form(
        group_quantise,
        ["x_ptr", "y_ptr", "s_ptr"],
        [],
        [],
        [
            "maximum(max(abs(reshape(x_ptr, grid_x, 128)), axis=1) / 127, 1e-08)",
            "reshape(reshape(x_ptr, grid_x, 128) / maximum(max(abs(reshape(x_ptr, grid_x, 128)), axis=1) / 127, 1e-08), "
            "128 * grid_x)",
        ],
        "proved",
        G=128,
    ),
    "after": form(
        after, ["x_ptr", "y_ptr"], ["stride", "n"], [], "cumsum(x_ptr[:, ::-1], axis=1)[:, ::-1]", "proved", BLOCK=256
    ),
    "returns": form(
        returns,
        ["r_ptr", "y_ptr"],
        ["T", "D"],
        ["gamma"],
        "recurrence(gamma, r_ptr[::-1], 0, axis=0)[::-1]",
        "proved",
        BLOCK=128,
    ),
    "advantages": form(
        advantages,
        ["r_ptr", "v_ptr", "y_ptr"],
        ["T", "D"],
        ["gamma", "lam"],
        "recurrence(gamma * lam, (r_ptr + gamma * v_ptr[1:] - v_ptr[:T])[::-1], 0, axis=0)[::-1]",
        "unknown",
        BLOCK=128,
    ),
    "gated_back": form(
        gated_back,
        ["a_ptr", "x_ptr", "y_ptr"],
        ["T", "D"],
        [],
        "recurrence(a_ptr[::-1], x_ptr[::-1], 0, axis=0)[::-1]",
        "proved",
        BLOCK=128,
    ),
    "selective_scan": form(
        selective_scan,
        ["u_ptr", "dt_ptr", "a_ptr", "b_ptr", "c_ptr", "y_ptr"],
        ["T", "D"],
        [],
        SELECTIVE,
        "proved",
        N=16,
        BLOCK=64,
    ),
}
