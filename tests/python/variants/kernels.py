"""Kernels that people write, each with a reference, and what is changed in a variant: (what, becomes).

`wrong` ones compute something else, `unsafe` ones go wrong in memory or use what is undefined, `harmless` ones are the same kernel, written otherwise.
"""

from variant_table import new_table

KERNELS, add = new_table()

add(
    "softmax",
    """
def kernel(x_ptr, y_ptr, sx, sy, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, B)
    m = -float("inf")
    d = 0.0
    for s in range(0, N, B):
        c = s + cols
        x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf"))
        mn = tl.maximum(m, tl.max(x, 0))
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(x - mn), 0)
        m = mn
    for s in range(0, N, B):
        c = s + cols
        x = tl.load(x_ptr + row * sx + c, mask=c < N, other=0.0)
        tl.store(y_ptr + row * sy + c, tl.exp(x - m) / d, mask=c < N)
""",
    "x_ptr:*fp32 y_ptr:*fp32 sx:i32 sy:i32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"], ["sx", 1]), "y": ("f32", ["M", "N"], ["sy", 1])},
    ["M"],
    """def ref(x):
    return torch.softmax(x, dim=1)
""",
    wrong=[
        ("d * tl.exp(m - mn) + ", "d + "),
        ("tl.exp(m - mn)", "tl.exp(mn - m)"),
        ("/ d, mask", "/ (d + 1.0), mask"),
        ("        m = mn\n", "        m = tl.max(x, 0)\n"),
    ],
    unsafe=[
        ("mask=c < N, other=0.0)\n        tl.store", "mask=c < N + 1, other=0.0)\n        tl.store"),
        ("/ d, mask=c < N)", "/ d, mask=c <= N)"),
        ("mask=c < N, other=-float", "mask=c < N + 4, other=-float"),
        ("/ d, mask=c < N)", "/ d)"),
        ("tl.program_id(0).to(tl.int64)", "(tl.program_id(0) // 2).to(tl.int64)"),
    ],
    harmless=[("tl.exp(x - m) / d", "tl.exp(x - m) * (1.0 / d)"), ("tl.exp(x - mn), 0)", "tl.exp(x - mn) * 1.0, 0)")],
)

add(
    "layer_norm",
    """
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, rstd_ptr, N, eps, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros([B], tl.float32)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        acc += tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    mean = tl.sum(acc, 0) / N
    var = tl.zeros([B], tl.float32)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        d = tl.where(c < N, x - mean, 0.0)
        var += d * d
    rstd = 1.0 / tl.sqrt(tl.sum(var, 0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        w = tl.load(w_ptr + c, mask=c < N)
        b = tl.load(b_ptr + c, mask=c < N)
        tl.store(y_ptr + row * N + c, (x - mean) * rstd * w + b, mask=c < N)
""",
    "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 mean_ptr:*fp32 rstd_ptr:*fp32 N:i32 eps:fp32",
    {"B": 256},
    {
        "x": ("f32", ["M", "N"]),
        "w": ("f32", ["N"]),
        "b": ("f32", ["N"]),
        "y": ("f32", ["M", "N"]),
        "mean": ("f32", ["M"]),
        "rstd": ("f32", ["M"]),
    },
    ["M"],
    """def ref(x, w, b, eps):
    mean = x.mean(1)
    var = ((x - mean[:, None]) ** 2).mean(1)
    rstd = 1 / torch.sqrt(var + eps)
    return {"y": (x - mean[:, None]) * rstd[:, None] * w + b, "mean": mean, "rstd": rstd}
""",
    wrong=[
        ("acc += tl.load", "acc = tl.load"),
        ("d = tl.where(c < N, x - mean, 0.0)", "d = x - mean"),
        ("var += d * d", "var += d"),
        ("tl.sum(var, 0) / N", "tl.sum(var, 0) / (N - 1 + 1e-9)"),
        ("* rstd * w + b", "* w + b"),
        ("tl.sum(var, 0) / N + eps", "tl.sum(var, 0) / N - eps"),
    ],
    unsafe=[
        ("w_ptr + c, mask=c < N)", "w_ptr + c)"),
        (
            "x_ptr + row * N + c, mask=c < N, other=0.0)\n        w",
            "x_ptr + row * N + c + 1, mask=c < N, other=0.0)\n        w",
        ),
        ("other=0.0)\n    mean", ")\n    mean"),
        ("tl.store(mean_ptr + row, mean)", "tl.store(mean_ptr + row + 1, mean)"),
        ("b_ptr + c, mask=c < N)", "b_ptr + c - 1, mask=c < N)"),
        ("+ b, mask=c < N)", "+ b, mask=c < N + 1)"),
        ("+ b, mask=c < N)", "+ b, mask=c < N - 1)"),
    ],
    harmless=[
        ("(x - mean) * rstd * w + b", "b + w * rstd * (x - mean)"),
        (
            "acc += tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)",
            "acc = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0) + acc",
        ),
    ],
)

add(
    "rms_norm",
    """
def kernel(x_ptr, w_ptr, y_ptr, sx, N, eps, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    m = c < N
    x = tl.load(x_ptr + row * sx + c, mask=m, other=0.0).to(tl.float32)
    ms = tl.sum(x * x, 0) / N
    r = tl.rsqrt(ms + eps)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    tl.store(y_ptr + row * sx + c, x * r * w, mask=m)
""",
    "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 sx:i32 N:i32 eps:fp32",
    {"B": 1024},
    {"x": ("f32", ["M", "N"], ["sx", 1]), "w": ("f32", ["N"]), "y": ("f32", ["M", "N"], ["sx", 1])},
    ["M"],
    """def ref(x, w, eps):
    return x / torch.sqrt((x * x).mean(1, keepdim=True) + eps) * w
""",
    wrong=[
        ("tl.sum(x * x, 0) / N", "tl.sum(x * x, 0) / B"),
        ("tl.sum(x * x, 0)", "tl.sum(x, 0)"),
        ("tl.rsqrt(ms + eps)", "tl.rsqrt(ms) + eps"),
        ("x * r * w", "x * r * (1.0 + w)"),
    ],
    unsafe=[
        ("x_ptr + row * sx + c, mask=m, other=0.0)", "x_ptr + row * sx + c, mask=m)"),
        ("x * r * w, mask=m)", "x * r * w)"),
        ("x_ptr + row * sx + c, mask=m, other=0.0)", "x_ptr + row * sx + c)"),
        ("y_ptr + row * sx + c", "y_ptr + row * N + c"),
        ("y_ptr + row * sx", "y_ptr + (row + 1) * sx"),
    ],
    harmless=[("x * r * w", "w * x * r"), ("tl.rsqrt(ms + eps)", "1.0 / tl.sqrt(ms + eps)")],
)

add(
    "cross_entropy",
    """
def kernel(x_ptr, t_ptr, loss_ptr, sx, N, ignore, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    t = tl.load(t_ptr + row)
    tl.device_assert((t >= 0) & (t < N))
    if t == ignore:
        tl.store(loss_ptr + row, 0.0)
        return
    xt = tl.load(x_ptr + row * sx + t)
    m = -float("inf")
    d = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf"))
        mn = tl.maximum(m, tl.max(x, 0))
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(x - mn), 0)
        m = mn
    lse = m + tl.log(d)
    tl.store(loss_ptr + row, lse - xt)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf"))
        p = tl.exp(x - lse)
        p = tl.where(c == t, p - 1.0, p)
        tl.store(x_ptr + row * sx + c, p / 2.0, mask=c < N)
""",
    "x_ptr:*fp32 t_ptr:*i64 loss_ptr:*fp32 sx:i32 N:i32 ignore:i32",
    {"B": 256},
    {"x": ("f32", ["M", "N"], ["sx", 1]), "t": ("i64", ["M"]), "loss": ("f32", ["M"])},
    ["M"],
    """def ref(x, t, ignore):
    n = x.shape[1]
    lse = torch.logsumexp(x, dim=1)
    picked = torch.gather(x, 1, t[:, None])[:, 0]
    ok = t != ignore
    onehot = torch.where(torch.arange(n)[None, :] == t[:, None], 1.0, 0.0)
    grad = (torch.softmax(x, dim=1) - onehot) / 2
    return {"x": torch.where(ok[:, None], grad, x), "loss": torch.where(ok, lse - picked, 0.0)}
""",
    wrong=[
        ("d * tl.exp(m - mn) + ", "d + "),
        ("tl.exp(m - mn)", "tl.exp(mn - m)"),
        ("d = d * tl.exp(m - mn) + tl.sum", "d = tl.sum"),
        ("tl.where(c == t, p - 1.0, p)", "tl.where(c == t, p - 1.0, p + 1e-3)"),
        ("lse - xt", "lse + xt"),
        ("p = tl.exp(x - lse)", "p = tl.exp(x - m)"),
        ("c == t", "tl.arange(0, B) == t"),
        ("    lse = m + tl.log(d)", "    lse = tl.log(d)"),
    ],
    unsafe=[
        ("    tl.device_assert((t >= 0) & (t < N))\n", ""),
        ("p / 2.0, mask=c < N)", "p / 2.0)"),
        ("loss_ptr + row, lse", "loss_ptr + row * 2, lse"),
        ("loss_ptr + row, lse - xt", "loss_ptr + row // 2, lse - xt"),
        ("t < N))", "t <= N))"),
    ],
    harmless=[
        ("lse - xt", "-(xt - lse)"),
        ("p / 2.0", "p * 0.5"),
        ("tl.where(c == t, p - 1.0, p)", "p - tl.where(c == t, 1.0, 0.0)"),
    ],
)

add(
    "attention",
    """
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, M, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    h = tl.program_id(1).to(tl.int64)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + h * M * D + rm[:, None] * D + rd[None, :], mask=rm[:, None] < M, other=0.0)
    m = tl.full([BM], -float("inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for s in range(0, N, BN):
        rn = s + tl.arange(0, BN)
        k = tl.load(k_ptr + h * N * D + rn[:, None] * D + rd[None, :], mask=rn[:, None] < N, other=0.0)
        qk = tl.dot(q, tl.trans(k)) * scale
        qk = tl.where(rn[None, :] < N, qk, -float("inf"))
        mn = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp(qk - mn[:, None])
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 1)
        v = tl.load(v_ptr + h * N * D + rn[:, None] * D + rd[None, :], mask=rn[:, None] < N, other=0.0)
        acc = acc * a[:, None] + tl.dot(p, v)
        m = mn
    tl.store(o_ptr + h * M * D + rm[:, None] * D + rd[None, :], acc / l[:, None], mask=rm[:, None] < M)
""",
    "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 o_ptr:*fp32 M:i32 N:i32 scale:fp32",
    {"BM": 32, "BN": 32, "D": 32},
    {
        "q": ("f32", ["H", "M", 32]),
        "k": ("f32", ["H", "N", 32]),
        "v": ("f32", ["H", "N", 32]),
        "o": ("f32", ["H", "M", 32]),
    },
    ["cdiv(M,32)", "H"],
    """def ref(q, k, v, scale):
    return torch.softmax(q @ k.transpose(1, 2) * scale, dim=-1) @ v
""",
    wrong=[
        ("acc * a[:, None] + tl.dot(p, v)", "acc + tl.dot(p, v)"),
        ("l * a + tl.sum(p, 1)", "l + tl.sum(p, 1)"),
        ("tl.exp(m - mn)", "tl.exp(mn - m)"),
        ("* scale\n", "\n"),
        ('qk = tl.where(rn[None, :] < N, qk, -float("inf"))', "qk = tl.where(rn[None, :] < N, qk, 0.0)"),
        ("for s in range(0, N, BN)", "for s in range(0, N - BN + 1, BN)"),
        ("acc / l[:, None]", "acc"),
        ("        m = mn\n", ""),
    ],
    unsafe=[
        ("o_ptr + h * M * D", "o_ptr + h * N * D"),
        ("acc / l[:, None], mask=rm[:, None] < M)", "acc / l[:, None])"),
        ("mask=rn[:, None] < N, other=0.0)\n        acc", "mask=rn[:, None] < M, other=0.0)\n        acc"),
        ("mask=rn[:, None] < N, other=0.0)\n        acc", "mask=rn[:, None] < N)\n        acc"),
        (
            "q_ptr + h * M * D + rm[:, None] * D + rd[None, :], mask=rm[:, None] < M, other=0.0)",
            "q_ptr + h * M * D + rm[:, None] * D + rd[None, :])",
        ),
    ],
    harmless=[
        ("l = l * a + tl.sum(p, 1)", "l = tl.sum(p, 1) + a * l"),
        ("acc / l[:, None]", "acc * (1.0 / l)[:, None]"),
    ],
)

add(
    "matmul",
    """
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    pid = tl.program_id(0)
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    per = G * nn
    g = pid // per
    first = g * G
    size = min(nm - first, G)
    pm = first + (pid % per) % size
    pn = (pid % per) // size
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        kk = k * BK + rk
        a = tl.load(a_ptr + rm[:, None] * sa + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + kk[:, None] * sb + rn[None, :], mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * sc + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32 sa:i32 sb:i32 sc:i32",
    {"BM": 32, "BN": 64, "BK": 32, "G": 4},
    {"a": ("f32", ["M", "K"], ["sa", 1]), "b": ("f32", ["K", "N"], ["sb", 1]), "c": ("f32", ["M", "N"], ["sc", 1])},
    ["cdiv(M,32)*cdiv(N,64)"],
    """def ref(a, b):
    return a @ b
""",
    wrong=[
        ("acc += tl.dot", "acc = tl.dot"),
        ("range(0, tl.cdiv(K, BK))", "range(0, K // BK)"),
        ("range(0, tl.cdiv(K, BK))", "range(1, tl.cdiv(K, BK))"),
        ("kk[:, None] * sb", "rk[:, None] * sb"),
        ("tl.zeros([BM, BN], tl.float32)", "tl.full([BM, BN], 1.0, tl.float32)"),
    ],
    unsafe=[
        ("(kk[None, :] < K), other=0.0)", "(kk[None, :] < K))"),
        ("min(nm - first, G)", "G"),
        (
            "a_ptr + rm[:, None] * sa + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K)",
            "a_ptr + rm[:, None] * sa + kk[None, :], mask=(kk[None, :] < K)",
        ),
        ("acc, mask=(rm[:, None] < M) & (rn[None, :] < N))", "acc, mask=(rm[:, None] < M))"),
        ("c_ptr + rm[:, None] * sc", "c_ptr + rm[:, None] * N"),
        (
            "c_ptr + rm[:, None] * sc + rn[None, :], acc, mask=(rm[:, None] < M)",
            "c_ptr + rm[:, None] * sc + rn[None, :], acc, mask=(rm[:, None] < N)",
        ),
    ],
    harmless=[
        ("acc += tl.dot(a, b)", "acc = tl.dot(a, b) + acc"),
        (
            "for k in range(0, tl.cdiv(K, BK)):\n        kk = k * BK + rk",
            "for k in range(0, K, BK):\n        kk = k + rk",
        ),
    ],
)

add(
    "cumsum",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    carry = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        y = tl.cumsum(x, 0) + carry
        tl.store(y_ptr + row * N + c, y, mask=c < N)
        carry += tl.sum(x, 0)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M"],
    """def ref(x):
    return torch.cumsum(x, dim=1)
""",
    wrong=[
        ("carry += tl.sum(x, 0)", "carry = tl.sum(x, 0)"),
        ("carry += tl.sum(x, 0)", "carry += tl.max(x, 0)"),
        (" + carry\n", "\n"),
        ("carry = 0.0", "carry = 1.0"),
        ("carry += tl.sum(x, 0)", "carry += tl.sum(y, 0)"),
    ],
    unsafe=[
        ("y, mask=c < N)", "y)"),
        ("y_ptr + row * N + c, y", "y_ptr + row * (N - 1) + c, y"),
        ("range(0, N, B)", "range(B, N, B)"),
    ],
    harmless=[
        ("tl.cumsum(x, 0) + carry", "carry + tl.cumsum(x, 0)"),
        (
            "for s in range(0, N, B):\n        c = s + tl.arange(0, B)",
            "for t in range(0, tl.cdiv(N, B)):\n        c = t * B + tl.arange(0, B)",
        ),
    ],
)

add(
    "rope",
    """
def kernel(x_ptr, cos_ptr, sin_ptr, y_ptr, S, H, D: tl.constexpr):
    pid = tl.program_id(0)
    s = pid // H
    j = tl.arange(0, D // 2)
    base = pid.to(tl.int64) * D
    a = tl.load(x_ptr + base + j)
    b = tl.load(x_ptr + base + D // 2 + j)
    c = tl.load(cos_ptr + s * (D // 2) + j)
    n = tl.load(sin_ptr + s * (D // 2) + j)
    tl.store(y_ptr + base + j, a * c - b * n)
    tl.store(y_ptr + base + D // 2 + j, b * c + a * n)
""",
    "x_ptr:*fp32 cos_ptr:*fp32 sin_ptr:*fp32 y_ptr:*fp32 S:i32 H:i32",
    {"D": 64},
    {"x": ("f32", ["S", "H", 64]), "cos": ("f32", ["S", 32]), "sin": ("f32", ["S", 32]), "y": ("f32", ["S", "H", 64])},
    ["S*H"],
    """def ref(x, cos, sin):
    a, b = x[:, :, :32], x[:, :, 32:]
    c, n = cos[:, None, :], sin[:, None, :]
    return torch.cat([a * c - b * n, b * c + a * n], dim=2)
""",
    wrong=[
        ("a * c - b * n", "a * c + b * n"),
        ("b * c + a * n", "b * c - a * n"),
        ("s = pid // H", "s = pid % S"),
        ("sin_ptr + s * (D // 2) + j", "sin_ptr + s * (D // 2) + D // 2 - 1 - j"),
        ("a = tl.load(x_ptr + base + j)", "a = tl.load(x_ptr + base + D // 2 - 1 - j)"),
    ],
    unsafe=[
        ("y_ptr + base + D // 2 + j, b", "y_ptr + base + D // 2 + 1 + j, b"),
        ("tl.store(y_ptr + base + D // 2 + j, b * c + a * n)", "tl.store(y_ptr + base + j, b * c + a * n)"),
        ("s = pid // H", "s = pid"),
        ("x_ptr + base + D // 2 + j", "x_ptr + base + D + j"),
        ("pid.to(tl.int64) * D", "(pid.to(tl.int64) // 2) * D"),
    ],
    harmless=[("a * c - b * n", "-(b * n) + a * c")],
)

add(
    "embedding",
    """
def kernel(i_ptr, w_ptr, y_ptr, V, D, B: tl.constexpr):
    p = tl.program_id(0).to(tl.int64)
    i = tl.load(i_ptr + p)
    tl.device_assert((i >= 0) & (i < V))
    for s in range(0, D, B):
        c = s + tl.arange(0, B)
        w = tl.load(w_ptr + i * D + c, mask=c < D)
        tl.store(y_ptr + p * D + c, w, mask=c < D)
""",
    "i_ptr:*i64 w_ptr:*fp32 y_ptr:*fp32 V:i32 D:i32",
    {"B": 128},
    {"i": ("i64", ["N"]), "w": ("f32", ["V", "D"]), "y": ("f32", ["N", "D"])},
    ["N"],
    """def ref(i, w):
    return w[i]
""",
    wrong=[
        ("w_ptr + i * D + c", "w_ptr + p * 0 + c"),
        ("w_ptr + i * D + c", "w_ptr + (i // 2) * D + c"),
        ("w_ptr + i * D + c, mask=c < D)", "w_ptr + i * D + c, mask=c < D) * 2.0"),
        ("w_ptr + i * D + c, mask=c < D", "w_ptr + i * D + tl.minimum(c, 127), mask=c < D"),
    ],
    unsafe=[
        ("    tl.device_assert((i >= 0) & (i < V))\n", ""),
        ("(i >= 0) & (i < V)", "i < V"),
        ("w, mask=c < D)", "w, mask=c <= D)"),
        ("y_ptr + p * D + c", "y_ptr + i * D + c"),
        ("w_ptr + i * D + c, mask=c < D)", "w_ptr + i * D + c)"),
    ],
    harmless=[("i * D + c", "c + D * i")],
)

add(
    "quantise",
    """
def kernel(x_ptr, q_ptr, s_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    a = tl.max(tl.abs(x), 0)
    s = tl.maximum(a, 1e-6) / 127.0
    q = tl.floor(x / s + 0.5).to(tl.int8)
    tl.store(q_ptr + row * N + c, q, mask=c < N)
    tl.store(s_ptr + row, s)
""",
    "x_ptr:*fp32 q_ptr:*i8 s_ptr:*fp32 N:i32",
    {"B": 512},
    {"x": ("f32", ["M", "N"]), "q": ("i8", ["M", "N"]), "s": ("f32", ["M"])},
    ["M"],
    """def ref(x):
    s = torch.clamp(torch.abs(x).amax(1), min=1e-6) / 127.0
    return {"q": torch.floor(x / s[:, None] + 0.5).to(torch.int8), "s": s}
""",
    wrong=[
        ("tl.abs(x), 0)", "x, 0)"),
        ("x / s + 0.5", "x / s"),
        ("/ 127.0", "/ 128.0"),
        ("tl.floor(x / s + 0.5)", "tl.floor(tl.abs(x) / s + 0.5)"),
        ("x / s + 0.5", "x * s + 0.5"),
    ],
    unsafe=[
        ("mask=c < N, other=0.0)", "mask=c < N)"),
        ("q, mask=c < N)", "q)"),
        ("s_ptr + row, s", "s_ptr + row * N, s"),
    ],
    harmless=[("tl.maximum(a, 1e-6)", "tl.maximum(1e-6, a)")],
)

add(
    "histogram",
    """
def kernel(x_ptr, h_ptr, N, NB, B: tl.constexpr):
    c = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + c, mask=c < N, other=0)
    ok = (c < N) & (x >= 0) & (x < NB)
    tl.atomic_add(h_ptr + x, 1, mask=ok)
""",
    "x_ptr:*i32 h_ptr:*i32 N:i32 NB:i32",
    {"B": 64},
    {"x": ("i32", ["N"]), "h": ("i32", ["NB"])},
    ["cdiv(N,64)"],
    """def ref(x, h):
    n = h.shape[0]
    return {"h": h + torch.where(x[None, :] == torch.arange(n)[:, None], 1, 0).sum(1)}
""",
    wrong=[
        ("h_ptr + x, 1,", "h_ptr + x, 2,"),
        ("(c < N) & (x >= 0)", "(c < N) & (x > 0)"),
        ("h_ptr + x, 1,", "h_ptr + x, x,"),
        ("(c < N) & (x >= 0) & (x < NB)", "(x >= 0) & (x < NB)"),
    ],
    unsafe=[
        (" & (x >= 0)", ""),
        (" & (x < NB)", ""),
        ("tl.atomic_add(h_ptr + x, 1, mask=ok)", "tl.store(h_ptr + x, tl.load(h_ptr + x, mask=ok) + 1, mask=ok)"),
        ("x_ptr + c, mask=c < N, other=0)", "x_ptr + c)"),
    ],
    harmless=[("(c < N) & (x >= 0) & (x < NB)", "(x < NB) & (x >= 0) & (c < N)")],
)

add(
    "argmax",
    """
def kernel(x_ptr, o_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = -float("inf")
    at = 0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
        v = tl.max(x, 0)
        i = tl.argmax(x, 0)
        better = v > best
        at = tl.where(better, s + i, at)
        best = tl.where(better, v, best)
    tl.store(o_ptr + row, at)
""",
    "x_ptr:*fp32 o_ptr:*i32 N:i32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "o": ("i32", ["M"])},
    ["M"],
    """def ref(x):
    return torch.argmax(x, dim=1)
""",
    wrong=[
        ("v > best", "v >= best"),
        ("s + i, at", "i, at"),
        ("        best = tl.where(better, v, best)\n", ""),
        ("tl.where(better, v, best)", "v"),
        ("tl.where(better, s + i, at)", "tl.where(better, i + B, at)"),
        ("v > best", "v < best"),
        ('best = -float("inf")', "best = 0.0"),
    ],
    unsafe=[
        ('mask=c < N, other=-float("inf"))', "mask=c < N)"),
        ("o_ptr + row", "o_ptr + row + 1"),
        ("x_ptr + row * N + c, mask=c < N,", "x_ptr + row * N + c, mask=c < N + 1,"),
        ("o_ptr + row, at", "o_ptr + row // 2, at"),
    ],
    harmless=[("tl.where(better, v, best)", "tl.maximum(best, v)")],
)

add(
    "dropout",
    """
def kernel(x_ptr, m_ptr, y_ptr, n, p, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    x = tl.load(x_ptr + o, mask=k)
    m = tl.load(m_ptr + o, mask=k)
    y = tl.where(m != 0, x / (1.0 - p), 0.0)
    tl.store(y_ptr + o, y, mask=k)
""",
    "x_ptr:*fp32 m_ptr:*i32 y_ptr:*fp32 n:i32 p:fp32",
    {"B": 1024},
    {"x": ("f32", ["n"]), "m": ("i32", ["n"]), "y": ("f32", ["n"])},
    ["cdiv(n,1024)"],
    """def ref(x, m, p):
    return torch.where(m != 0, x / (1.0 - p), 0.0)
""",
    wrong=[
        ("x / (1.0 - p)", "x / p"),
        ("x / (1.0 - p), 0.0", "x, 0.0"),
        ("m != 0", "m == 0"),
        ("m != 0", "m > 0"),
        ("/ (1.0 - p), 0.0", "* (1.0 - p), 0.0"),
    ],
    unsafe=[
        ("y, mask=k)", "y)"),
        ("k = o < n", "k = o <= n"),
        ("m_ptr + o, mask=k)", "m_ptr + o + 1, mask=k)"),
        ("y_ptr + o, y, mask=k)", "y_ptr + o, y, mask=o < n - 1)"),
        ("tl.program_id(0) * B", "tl.program_id(0) * (B // 2)"),
    ],
    harmless=[("x / (1.0 - p)", "x * (1.0 / (1.0 - p))"), ("k = o < n", "k = n > o")],
)

add(
    "adam",
    """
def kernel(p_ptr, g_ptr, m_ptr, v_ptr, n, lr, b1, b2, eps, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    p = tl.load(p_ptr + o, mask=k)
    g = tl.load(g_ptr + o, mask=k)
    m = tl.load(m_ptr + o, mask=k)
    v = tl.load(v_ptr + o, mask=k)
    m = b1 * m + (1.0 - b1) * g
    v = b2 * v + (1.0 - b2) * g * g
    tl.store(m_ptr + o, m, mask=k)
    tl.store(v_ptr + o, v, mask=k)
    tl.store(p_ptr + o, p - lr * m / (tl.sqrt(v) + eps), mask=k)
""",
    "p_ptr:*fp32 g_ptr:*fp32 m_ptr:*fp32 v_ptr:*fp32 n:i32 lr:fp32 b1:fp32 b2:fp32 eps:fp32",
    {"B": 512},
    {"p": ("f32", ["n"]), "g": ("f32", ["n"]), "m": ("f32", ["n"]), "v": ("f32", ["n"])},
    ["cdiv(n,512)"],
    """def ref(p, g, m, v, lr, b1, b2, eps):
    m2 = b1 * m + (1.0 - b1) * g
    v2 = b2 * v + (1.0 - b2) * g * g
    return {"m": m2, "v": v2, "p": p - lr * m2 / (torch.sqrt(v2) + eps)}
""",
    wrong=[
        ("(1.0 - b1) * g\n", "b1 * g\n"),
        ("(1.0 - b2) * g * g", "(1.0 - b2) * g"),
        ("p - lr", "p + lr"),
        ("tl.sqrt(v) + eps", "tl.sqrt(v + eps)"),
        ("b2 * v + (1.0 - b2)", "b1 * v + (1.0 - b1)"),
        ("lr * m /", "lr * g /"),
    ],
    unsafe=[
        ("p_ptr + o, p - lr * m / (tl.sqrt(v) + eps), mask=k)", "p_ptr + o, p - lr * m / (tl.sqrt(v) + eps))"),
        ("m_ptr + o, m, mask=k)", "m_ptr + o + 1, m, mask=k)"),
        ("v = tl.load(v_ptr + o, mask=k)", "v = tl.load(v_ptr + o)"),
        ("g_ptr + o, mask=k", "g_ptr + o, mask=k & (o > 0)"),
    ],
    harmless=[("p - lr * m / (tl.sqrt(v) + eps)", "p - lr * (m / (eps + tl.sqrt(v)))")],
)

add(
    "group_norm",
    """
def kernel(x_ptr, y_ptr, C, L, GS, eps, B: tl.constexpr):
    b = tl.program_id(0)
    g = tl.program_id(1)
    base = (b * C + g * GS) * L
    n = GS * L
    acc = 0.0
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        acc += tl.sum(tl.load(x_ptr + base + c, mask=c < n, other=0.0), 0)
    mean = acc / n
    sq = 0.0
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + base + c, mask=c < n, other=0.0)
        d = tl.where(c < n, x - mean, 0.0)
        sq += tl.sum(d * d, 0)
    r = tl.rsqrt(sq / n + eps)
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + base + c, mask=c < n, other=0.0)
        tl.store(y_ptr + base + c, (x - mean) * r, mask=c < n)
""",
    "x_ptr:*fp32 y_ptr:*fp32 C:i32 L:i32 GS:i32 eps:fp32",
    {"B": 64},
    {"x": ("f32", ["N", "G", "GS", "L"]), "y": ("f32", ["N", "G", "GS", "L"])},
    ["N", "G"],
    """def ref(x, eps):
    mean = x.mean((2, 3), keepdim=True)
    var = ((x - mean) ** 2).mean((2, 3), keepdim=True)
    return (x - mean) / torch.sqrt(var + eps)
""",
    wrong=[
        ("acc += tl.sum", "acc = tl.sum"),
        ("d = tl.where(c < n, x - mean, 0.0)", "d = x - mean"),
        ("sq += tl.sum(d * d, 0)", "sq = tl.sum(d * d, 0)"),
        ("mean = acc / n", "mean = acc / L"),
        ("sq / n + eps", "sq / n"),
    ],
    unsafe=[
        ("(x - mean) * r, mask=c < n)", "(x - mean) * r)"),
        ("base = (b * C + g * GS) * L", "base = (b * C + g) * L"),
        ("y_ptr + base + c", "y_ptr + base + c + 1"),
        ("n = GS * L", "n = GS * L + 1"),
        ("x_ptr + base + c, mask=c < n, other=0.0), 0)", "x_ptr + base + c, mask=c < n), 0)"),
    ],
    harmless=[("(x - mean) * r", "r * x - r * mean")],
    args={"C": "G*GS"},
)

add(
    "conv1d",
    """
def kernel(x_ptr, w_ptr, y_ptr, L, KW, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    t = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for k in range(0, KW):
        i = t - k
        x = tl.load(x_ptr + row * L + i, mask=(i >= 0) & (t < L), other=0.0)
        acc += x * tl.load(w_ptr + k)
    tl.store(y_ptr + row * L + t, acc, mask=t < L)
""",
    "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 L:i32 KW:i32",
    {"B": 128},
    {"x": ("f32", ["M", "L"]), "w": ("f32", ["KW"]), "y": ("f32", ["M", "L"])},
    ["M", "cdiv(L,128)"],
    """def ref(x, w):
    n, kw = x.shape[1], w.shape[0]
    d = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    coef = torch.where((d >= 0) & (d < kw), w[torch.clamp(d, 0, kw - 1)], 0.0)
    return x @ coef.transpose(0, 1)
""",
    wrong=[
        ("i = t - k", "i = t - k - 1"),
        ("range(0, KW)", "range(1, KW)"),
        ("acc += x *", "acc = x *"),
        ("w_ptr + k)", "w_ptr + KW - 1 - k)"),
        ("range(0, KW)", "range(0, min(KW, 4))"),
    ],
    unsafe=[
        ("(i >= 0) & (t < L)", "t < L"),
        ("w_ptr + k)", "w_ptr + k + 1)"),
        ("acc, mask=t < L)", "acc)"),
        ("i = t - k", "i = t + k"),
        ("y_ptr + row * L + t, acc, mask=t < L)", "y_ptr + row * L + t, acc, mask=(t < L) & (t > 0))"),
    ],
    harmless=[("acc += x * tl.load(w_ptr + k)", "acc = tl.load(w_ptr + k) * x + acc")],
)

add(
    "top2",
    """
def kernel(x_ptr, v_ptr, i_ptr, N, K: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    for k in tl.static_range(K):
        v = tl.max(x, 0)
        i = tl.argmax(x, 0)
        tl.store(v_ptr + row * K + k, v)
        tl.store(i_ptr + row * K + k, i)
        x = tl.where(c == i, -float("inf"), x)
""",
    "x_ptr:*fp32 v_ptr:*fp32 i_ptr:*i32 N:i32",
    {"K": 2, "B": 64},
    {"x": ("f32", ["M", "N"]), "v": ("f32", ["M", 2]), "i": ("i32", ["M", 2])},
    ["M"],
    """def ref(x):
    n = x.shape[1]
    i0 = torch.argmax(x, dim=1)
    v0 = x.amax(1)
    y = torch.where(torch.arange(n)[None, :] == i0[:, None], -float("inf"), x)
    i1 = torch.argmax(y, dim=1)
    v1 = y.amax(1)
    return {"v": torch.stack([v0, v1], dim=1), "i": torch.stack([i0, i1], dim=1)}
""",
    wrong=[
        ('-float("inf"), x)\n', "0.0, x)\n"),
        ("c == i", "c == 0"),
        ('x = tl.where(c == i, -float("inf"), x)', 'x = tl.where(x == v, -float("inf"), x)'),
        ("tl.argmax(x, 0)", "tl.argmin(x, 0)"),
        ("tl.max(x, 0)\n", 'tl.min(tl.where(c < N, x, float("inf")), 0)\n'),
    ],
    unsafe=[
        ("v_ptr + row * K + k", "v_ptr + row + k"),
        ("i_ptr + row * K + k", "i_ptr + row * K + k + 1"),
        ('mask=c < N, other=-float("inf"))', "mask=c < N)"),
        ("v_ptr + row * K + k, v", "v_ptr + row * K, v"),
    ],
    harmless=[('tl.where(c == i, -float("inf"), x)', 'tl.where(c != i, x, -float("inf"))')],
)

add(
    "swiglu",
    """
def kernel(a_ptr, b_ptr, y_ptr, sa, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    m = c < N
    a = tl.load(a_ptr + row * sa + c, mask=m, other=0.0)
    b = tl.load(b_ptr + row * sa + c, mask=m, other=0.0)
    tl.store(y_ptr + row * sa + c, a * tl.sigmoid(a) * b, mask=m)
""",
    "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 sa:i32 N:i32",
    {"B": 1024},
    {"a": ("f32", ["M", "N"], ["sa", 1]), "b": ("f32", ["M", "N"], ["sa", 1]), "y": ("f32", ["M", "N"], ["sa", 1])},
    ["M"],
    """def ref(a, b):
    return a * torch.sigmoid(a) * b
""",
    wrong=[
        ("a * tl.sigmoid(a) * b", "b * tl.sigmoid(b) * a"),
        ("a * tl.sigmoid(a)", "tl.sigmoid(a)"),
        ("tl.sigmoid(a)", "tl.sigmoid(1.702 * a)"),
        ("tl.sigmoid(a)", "tl.sigmoid(-a)"),
    ],
    unsafe=[
        ("a_ptr + row * sa + c, mask=m, other=0.0)", "a_ptr + row * sa + c)"),
        ("b_ptr + row * sa + c, mask=m", "b_ptr + row * sa + c, mask=c <= N"),
        ("y_ptr + row * sa", "y_ptr + row"),
        (
            "y_ptr + row * sa + c, a * tl.sigmoid(a) * b, mask=m)",
            "y_ptr + row * sa + c, a * tl.sigmoid(a) * b, mask=c < N - 1)",
        ),
    ],
    harmless=[("a * tl.sigmoid(a) * b", "b * (a / (1.0 + tl.exp(-a)))")],
)

add(
    "transpose",
    """
def kernel(x_ptr, y_ptr, M, N, sx, sy, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r[:, None] * sx + c[None, :], mask=k)
    tl.store(y_ptr + c[:, None] * sy + r[None, :], tl.trans(x), mask=(c[:, None] < N) & (r[None, :] < M))
""",
    "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32 sx:i32 sy:i32",
    {"B": 32},
    {"x": ("f32", ["M", "N"], ["sx", 1]), "y": ("f32", ["N", "M"], ["sy", 1])},
    ["cdiv(M,32)", "cdiv(N,32)"],
    """def ref(x):
    return x.transpose(0, 1)
""",
    wrong=[
        ("tl.trans(x), mask", "x, mask"),
        ("tl.trans(x), mask", "-tl.trans(x), mask"),
        ("x_ptr + r[:, None] * sx + c[None, :]", "x_ptr + r[:, None] * sx + (c[None, :] // 2)"),
    ],
    unsafe=[
        ("mask=(c[:, None] < N) & (r[None, :] < M))", "mask=(c[:, None] < M) & (r[None, :] < N))"),
        ("y_ptr + c[:, None] * sy + r[None, :]", "y_ptr + c[:, None] * sx + r[None, :]"),
        ("k = (r[:, None] < M) & (c[None, :] < N)", "k = (r[:, None] < M) | (c[None, :] < N)"),
        ("tl.trans(x), mask=(c[:, None] < N) & (r[None, :] < M))", "tl.trans(x))"),
        ("k = (r[:, None] < M) & (c[None, :] < N)", "k = (r[:, None] < M - 1) & (c[None, :] < N)"),
    ],
    harmless=[("(c[:, None] < N) & (r[None, :] < M)", "tl.trans(k)")],
)

add(
    "reduce",
    """
def kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros([BM], tl.float32)
    for s in range(0, N, BN):
        c = s + tl.arange(0, BN)
        x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N), other=0.0)
        acc += tl.sum(x, 1)
    tl.store(y_ptr + r, acc / N, mask=r < M)
""",
    "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32",
    {"BM": 16, "BN": 64},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M"])},
    ["cdiv(M,16)"],
    """def ref(x):
    return x.mean(1)
""",
    wrong=[
        ("acc += tl.sum(x, 1)", "acc = tl.sum(x, 1)"),
        ("acc / N", "acc / BN"),
        ("tl.sum(x, 1)", "tl.max(x, 1)"),
        ("range(0, N, BN)", "range(0, N - 1, BN)"),
        ("c = s + tl.arange(0, BN)", "c = s + tl.arange(0, BN) * 1 + (s // BN) * 0 + (s > BN) * 1"),
    ],
    unsafe=[
        ("acc / N, mask=r < M)", "acc / N)"),
        ("(c[None, :] < N), other=0.0)", "(c[None, :] < N))"),
        ("(r[:, None] < M) & (c[None, :] < N)", "(r[:, None] <= M) & (c[None, :] < N)"),
        ("y_ptr + r, acc", "y_ptr + r // 2, acc"),
    ],
    harmless=[("acc += tl.sum(x, 1)", "acc = acc + tl.sum(x, 1)"), ("acc / N", "acc * (1.0 / N)")],
)
