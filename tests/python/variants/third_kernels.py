"""Kernels of attention, norms and mixtures of experts with variants: see kernels.py."""

from variant_table import new_table

KERNELS, add = new_table()

add(
    "gqa_decode",
    """
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L, HQ, G, scale, BN: tl.constexpr, D: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    h = tl.program_id(1)
    HK = HQ // G
    hk = h // G
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (b * HQ + h) * D + d)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros([D], tl.float32)
    for s in range(0, L, BN):
        n = s + tl.arange(0, BN)
        k = tl.load(k_ptr + ((b * HK + hk) * L + n[:, None]) * D + d[None, :], mask=n[:, None] < L, other=0.0)
        x = tl.sum(k * q[None, :], 1) * scale
        x = tl.where(n < L, x, -float("inf"))
        mn = tl.maximum(m, tl.max(x, 0))
        p = tl.exp(x - mn)
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 0)
        v = tl.load(v_ptr + ((b * HK + hk) * L + n[:, None]) * D + d[None, :], mask=n[:, None] < L, other=0.0)
        acc = acc * a + tl.sum(p[:, None] * v, 0)
        m = mn
    tl.store(o_ptr + (b * HQ + h) * D + d, acc / l)
""",
    "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 o_ptr:*fp32 L:i32 HQ:i32 G:i32 scale:fp32",
    {"BN": 32, "D": 32},
    {
        "q": ("f32", ["N", "HK*G", 32]),
        "k": ("f32", ["N", "HK", "L", 32]),
        "v": ("f32", ["N", "HK", "L", 32]),
        "o": ("f32", ["N", "HK*G", 32]),
    },
    ["N", "HK*G"],
    """def ref(q, k, v, scale):
    n, hk, l, d = k.shape
    g = q.shape[1] // hk
    qs = q.reshape(n, hk, g, d)
    s = qs @ k.transpose(2, 3) * scale
    return (torch.softmax(s, dim=-1) @ v).reshape(n, hk * g, d)
""",
    wrong=[
        ("hk = h // G", "hk = h % HK"),
        ("acc * a + ", "acc + "),
        ("l * a + ", "l + "),
        ("tl.exp(m - mn)", "tl.exp(mn - m)"),
        ("* scale\n", "\n"),
        ('x = tl.where(n < L, x, -float("inf"))', "x = tl.where(n < L, x, 0.0)"),
        ("acc / l)", "acc)"),
    ],
    unsafe=[
        ("mask=n[:, None] < L, other=0.0)\n        x", "mask=n[:, None] <= L, other=0.0)\n        x"),
        ("hk = h // G", "hk = h"),
        ("o_ptr + (b * HQ + h)", "o_ptr + (b * HK + hk)"),
        ("mask=n[:, None] < L, other=0.0)\n        acc", "mask=n[:, None] < L)\n        acc"),
    ],
    harmless=[("acc / l)", "acc * (1.0 / l))")],
    args={"HQ": "HK*G"},
)

add(
    "paged",
    """
def kernel(t_ptr, c_ptr, y_ptr, NP, W, P: tl.constexpr, D: tl.constexpr):
    b = tl.program_id(0)
    w = tl.program_id(1)
    pg = tl.load(t_ptr + b * W + w).to(tl.int64)
    tl.device_assert((pg >= 0) & (pg < NP))
    r = tl.arange(0, P)
    d = tl.arange(0, D)
    x = tl.load(c_ptr + (pg * P + r[:, None]) * D + d[None, :])
    tl.store(y_ptr + ((b * W + w) * P + r[:, None]) * D + d[None, :], x)
""",
    "t_ptr:*i32 c_ptr:*fp32 y_ptr:*fp32 NP:i32 W:i32",
    {"P": 16, "D": 32},
    {"t": ("i32", ["N", "W"]), "c": ("f32", ["NP", 16, 32]), "y": ("f32", ["N", "W", 16, 32])},
    ["N", "W"],
    """def ref(t, c):
    return c[t]
""",
    wrong=[
        ("pg * P + r[:, None]", "pg * P + (P - 1 - r[:, None])"),
        ("t_ptr + b * W + w", "t_ptr + b * W"),
        ("(pg * P", "(pg // 2 * P"),
    ],
    unsafe=[
        ("    tl.device_assert((pg >= 0) & (pg < NP))\n", ""),
        ("pg < NP", "pg <= NP"),
        ("(b * W + w) * P", "(b * W) * P"),
        ("pg * P + r", "(pg + 1) * P + r"),
    ],
    harmless=[("(pg * P + r[:, None]) * D", "D * (r[:, None] + P * pg)")],
)

add(
    "softmax_bwd",
    """
def kernel(y_ptr, g_ptr, d_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros([B], tl.float32)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        y = tl.load(y_ptr + row * N + c, mask=c < N, other=0.0)
        g = tl.load(g_ptr + row * N + c, mask=c < N, other=0.0)
        acc += y * g
    t = tl.sum(acc, 0)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        y = tl.load(y_ptr + row * N + c, mask=c < N, other=0.0)
        g = tl.load(g_ptr + row * N + c, mask=c < N, other=0.0)
        tl.store(d_ptr + row * N + c, y * (g - t), mask=c < N)
""",
    "y_ptr:*fp32 g_ptr:*fp32 d_ptr:*fp32 N:i32",
    {"B": 128},
    {t: ("f32", ["M", "N"]) for t in "ygd"},
    ["M"],
    """def ref(y, g):
    return y * (g - (y * g).sum(1, keepdim=True))
""",
    wrong=[
        ("acc += y * g", "acc = y * g"),
        ("acc += y * g", "acc += g"),
        ("y * (g - t)", "g * (y - t)"),
        ("y * (g - t)", "y * g - t"),
        ("range(0, N, B)", "range(0, N - 1, B)"),
        ("range(0, N, B)", "range(0, min(N, 3 * B), B)"),
    ],
    unsafe=[
        ("y * (g - t), mask=c < N)", "y * (g - t))"),
        ("g_ptr + row * N + c, mask=c < N, other=0.0)\n        acc", "g_ptr + row * N + c, mask=c < N)\n        acc"),
        ("d_ptr + row * N", "d_ptr + row * B"),
    ],
    harmless=[("y * (g - t)", "y * g - y * t")],
)

add(
    "ln_bwd_dw",
    """
def kernel(x_ptr, g_ptr, mean_ptr, rstd_ptr, dw_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BN], tl.float32)
    for s in range(0, M, BM):
        r = s + tl.arange(0, BM)
        k = (r[:, None] < M) & (c[None, :] < N)
        x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=k, other=0.0)
        g = tl.load(g_ptr + r[:, None] * N + c[None, :], mask=k, other=0.0)
        mean = tl.load(mean_ptr + r, mask=r < M, other=0.0)
        rstd = tl.load(rstd_ptr + r, mask=r < M, other=0.0)
        acc += tl.sum(g * (x - mean[:, None]) * rstd[:, None], 0)
    tl.store(dw_ptr + c, acc, mask=c < N)
""",
    "x_ptr:*fp32 g_ptr:*fp32 mean_ptr:*fp32 rstd_ptr:*fp32 dw_ptr:*fp32 M:i32 N:i32",
    {"BM": 16, "BN": 32},
    {
        "x": ("f32", ["M", "N"]),
        "g": ("f32", ["M", "N"]),
        "mean": ("f32", ["M"]),
        "rstd": ("f32", ["M"]),
        "dw": ("f32", ["N"]),
    },
    ["cdiv(N,32)"],
    """def ref(x, g, mean, rstd):
    return (g * (x - mean[:, None]) * rstd[:, None]).sum(0)
""",
    wrong=[
        ("acc += tl.sum", "acc = tl.sum"),
        ("(x - mean[:, None])", "x"),
        ("* rstd[:, None], 0", ", 0"),
        ("range(0, M, BM)", "range(0, M // BM * BM, BM)"),
        ("r = s + tl.arange(0, BM)", "r = tl.arange(0, BM)"),
    ],
    unsafe=[
        ("mean_ptr + r, mask=r < M, other=0.0)", "mean_ptr + r)"),
        ("acc, mask=c < N)", "acc)"),
        ("k = (r[:, None] < M) & (c[None, :] < N)", "k = (r[:, None] < N) & (c[None, :] < M)"),
        ("rstd_ptr + r, mask=r < M, other=0.0)", "rstd_ptr + r, mask=r < M)"),
    ],
    harmless=[("g * (x - mean[:, None]) * rstd[:, None]", "(x - mean[:, None]) * (rstd[:, None] * g)")],
)

add(
    "rope_pairs",
    """
def kernel(x_ptr, f_ptr, y_ptr, S, D, B: tl.constexpr):
    s = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    k = j < D // 2
    t = tl.load(f_ptr + s * (D // 2) + j, mask=k, other=0.0)
    a = tl.load(x_ptr + s * D + 2 * j, mask=k, other=0.0)
    b = tl.load(x_ptr + s * D + 2 * j + 1, mask=k, other=0.0)
    tl.store(y_ptr + s * D + 2 * j, a * tl.cos(t) - b * tl.sin(t), mask=k)
    tl.store(y_ptr + s * D + 2 * j + 1, a * tl.sin(t) + b * tl.cos(t), mask=k)
""",
    "x_ptr:*fp32 f_ptr:*fp32 y_ptr:*fp32 S:i32 D:i32",
    {"B": 32},
    {"x": ("f32", ["S", "2*H"]), "f": ("f32", ["S", "H"]), "y": ("f32", ["S", "2*H"])},
    ["S", "cdiv(H,32)"],
    """def ref(x, f):
    s, h = f.shape
    p = x.reshape(s, h, 2)
    a, b = p[:, :, 0], p[:, :, 1]
    return torch.stack([a * torch.cos(f) - b * torch.sin(f), a * torch.sin(f) + b * torch.cos(f)], dim=2).reshape(s, 2 * h)
""",
    wrong=[
        ("- b * tl.sin(t)", "+ b * tl.sin(t)"),
        ("a * tl.sin(t) + b", "a * tl.sin(t) - b"),
        ("x_ptr + s * D + 2 * j + 1", "x_ptr + s * D + 2 * j"),
        ("f_ptr + s * (D // 2) + j", "f_ptr + s * (D // 2) + j // 2"),
    ],
    unsafe=[
        ("y_ptr + s * D + 2 * j + 1,", "y_ptr + s * D + 2 * j,"),
        ("k = j < D // 2", "k = j <= D // 2"),
        ("tl.cos(t), mask=k)", "tl.cos(t))"),
        ("x_ptr + s * D + 2 * j + 1, mask=k", "x_ptr + s * D + 2 * j + 2, mask=k"),
    ],
    harmless=[("a * tl.sin(t) + b * tl.cos(t)", "b * tl.cos(t) + a * tl.sin(t)")],
    args={"D": "2*H"},
)

add(
    "conv2d",
    """
def kernel(x_ptr, w_ptr, y_ptr, H, W, B: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for a in range(KH):
        for b in range(KW):
            r = i + a - KH // 2
            c = j + b - KW // 2
            x = tl.load(x_ptr + r * W + c, mask=(r >= 0) & (r < H) & (c >= 0) & (c < W), other=0.0)
            acc += x * tl.load(w_ptr + a * KW + b)
    tl.store(y_ptr + i * W + j, acc, mask=j < W)
""",
    "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 32, "KH": 3, "KW": 3},
    {"x": ("f32", ["H", "W"]), "w": ("f32", [9]), "y": ("f32", ["H", "W"])},
    ["H", "cdiv(W,32)"],
    """def ref(x, w):
    h, n = x.shape
    i, j = torch.arange(h)[:, None], torch.arange(n)[None, :]
    out = 0.0
    for a in range(3):
        for b in range(3):
            r, c = i + a - 1, j + b - 1
            inside = (r >= 0) & (r < h) & (c >= 0) & (c < n)
            out = out + torch.where(inside, x[torch.clamp(r, 0, h - 1), torch.clamp(c, 0, n - 1)], 0.0) * w[3 * a + b]
    return out
""",
    wrong=[
        ("w_ptr + a * KW + b", "w_ptr + b * KW + a"),
        ("i + a - KH // 2", "i - a + KH // 2"),
        ("acc += x", "acc = x"),
        ("j + b - KW // 2", "j + b"),
        ("range(KH)", "range(KH - 1)"),
    ],
    unsafe=[
        ("(r >= 0) & (r < H) & (c >= 0)", "(r < H) & (c >= 0)"),
        ("(r >= 0) & (r < H) & ", "(r >= 0) & "),
        ("acc, mask=j < W)", "acc)"),
        ("w_ptr + a * KW + b)", "w_ptr + a * KW + b + 1)"),
        ("(c >= 0) & (c < W), other", "(c >= 0) & (c <= W), other"),
    ],
    harmless=[("acc += x * tl.load(w_ptr + a * KW + b)", "acc = acc + tl.load(w_ptr + a * KW + b) * x")],
)

add(
    "seg_sum",
    """
def kernel(x_ptr, o_ptr, y_ptr, D, B: tl.constexpr):
    s = tl.program_id(0)
    c = tl.arange(0, B)
    lo = tl.load(o_ptr + s)
    hi = tl.load(o_ptr + s + 1)
    acc = tl.zeros([B], tl.float32)
    for r in range(lo, hi):
        acc += tl.load(x_ptr + r * D + c, mask=c < D, other=0.0)
    tl.store(y_ptr + s * D + c, acc, mask=c < D)
""",
    "x_ptr:*fp32 o_ptr:*i32 y_ptr:*fp32 D:i32",
    {"B": 64},
    {"x": ("f32", ["T", "D"]), "o": ("i32", ["S+1"]), "y": ("f32", ["S", "D"])},
    ["S"],
    """def ref(x, o):
    t = x.shape[0]
    r = torch.arange(t)[None, :]
    m = torch.where((r >= o[:-1][:, None]) & (r < o[1:][:, None]), 1.0, 0.0)
    return m @ x
""",
    wrong=[
        ("acc += tl.load", "acc = tl.load"),
        ("range(lo, hi)", "range(lo, hi - 1)"),
        ("range(lo, hi)", "range(0, hi)"),
        ("acc, mask=c < D)", "acc * 2.0, mask=c < D)"),
    ],
    unsafe=[("o_ptr + s + 1", "o_ptr + s + 2"), ("acc, mask=c < D)", "acc)"), ("y_ptr + s * D", "y_ptr + lo * D")],
    harmless=[
        (
            "acc += tl.load(x_ptr + r * D + c, mask=c < D, other=0.0)",
            "acc = tl.load(x_ptr + r * D + c, mask=c < D, other=0.0) + acc",
        )
    ],
)

add(
    "gating",
    """
def kernel(x_ptr, p_ptr, i_ptr, E, B: tl.constexpr):
    t = tl.program_id(0).to(tl.int64)
    e = tl.arange(0, B)
    x = tl.load(x_ptr + t * E + e, mask=e < E, other=-float("inf"))
    m = tl.max(x, 0)
    i = tl.argmax(x, 0)
    s = tl.sum(tl.exp(x - m), 0)
    tl.store(p_ptr + t, 1.0 / s)
    tl.store(i_ptr + t, i)
""",
    "x_ptr:*fp32 p_ptr:*fp32 i_ptr:*i32 E:i32",
    {"B": 64},
    {"x": ("f32", ["T", "E"]), "p": ("f32", ["T"]), "i": ("i32", ["T"])},
    ["T"],
    """def ref(x):
    return {"p": torch.softmax(x, dim=1).amax(1), "i": torch.argmax(x, dim=1)}
""",
    wrong=[
        ("1.0 / s", "s"),
        ("tl.argmax(x, 0)", 'tl.argmin(tl.where(e < E, x, float("inf")), 0)'),
        ("1.0 / s", "tl.exp(m) / s"),
        ('other=-float("inf")', "other=0.0"),
    ],
    unsafe=[
        ('other=-float("inf"))', ")"),
        ("i_ptr + t, i", "i_ptr + t // 2, i"),
        ("p_ptr + t,", "p_ptr + t + 1,"),
        ("mask=e < E,", "mask=e < E + 1,"),
    ],
    harmless=[("tl.exp(x - m), 0", "tl.exp(-(m - x)), 0")],
)

add(
    "kl",
    """
def kernel(p_ptr, q_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        p = tl.load(p_ptr + row * N + c, mask=c < N, other=0.0)
        q = tl.load(q_ptr + row * N + c, mask=c < N, other=0.0)
        acc += tl.sum(tl.exp(q) * (q - p), 0)
    tl.store(y_ptr + row, acc)
""",
    "p_ptr:*fp32 q_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 128},
    {"p": ("f32", ["M", "N"]), "q": ("f32", ["M", "N"]), "y": ("f32", ["M"])},
    ["M"],
    """def ref(p, q):
    return (torch.exp(q) * (q - p)).sum(1)
""",
    wrong=[
        ("acc += tl.sum", "acc = tl.sum"),
        ("(q - p)", "(p - q)"),
        ("tl.exp(q)", "tl.exp(p)"),
        ("mask=c < N, other=0.0)\n        acc", "mask=c < N, other=1.0)\n        acc"),
    ],
    unsafe=[
        ("q_ptr + row * N + c, mask=c < N, other=0.0)", "q_ptr + row * N + c, mask=c < N)"),
        ("y_ptr + row,", "y_ptr + row * 2,"),
        ("p_ptr + row * N + c, mask=c < N,", "p_ptr + row * N + c, mask=c < N + 1,"),
    ],
    harmless=[("tl.exp(q) * (q - p)", "(q - p) * tl.exp(q)")],
)

add(
    "bmm_persist",
    """
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, P: tl.constexpr):
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    for t in range(tl.program_id(0), nm * nn, P):
        rm = (t // nn) * BM + tl.arange(0, BM)
        rn = (t % nn) * BN + tl.arange(0, BN)
        acc = tl.zeros([BM, BN], tl.float32)
        for k in range(0, K, BK):
            kk = k + tl.arange(0, BK)
            a = tl.load(a_ptr + rm[:, None] * K + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
            b = tl.load(b_ptr + kk[:, None] * N + rn[None, :], mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
            acc += tl.dot(a, b)
        tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32",
    {"BM": 16, "BN": 16, "BK": 16, "P": 4},
    {"a": ("f32", ["M", "K"]), "b": ("f32", ["K", "N"]), "c": ("f32", ["M", "N"])},
    [4],
    """def ref(a, b):
    return a @ b
""",
    wrong=[
        ("acc += tl.dot", "acc = tl.dot"),
        ("acc, mask=", "acc * 2.0, mask="),
        ("range(0, K, BK)", "range(0, K - BK + 1, BK)"),
        ("a_ptr + rm[:, None] * K + kk[None, :]", "a_ptr + rm[:, None] * K + tl.arange(0, BK)[None, :]"),
    ],
    unsafe=[
        ("nm * nn, P)", "nm * nn - 1, P)"),
        ("(t // nn) * BM", "(t // nm) * BM"),
        ("(kk[None, :] < K), other=0.0)", "(kk[None, :] < K))"),
        ("t % nn", "t % nm"),
        ("P)", "P + 1)"),
    ],
    harmless=[("acc += tl.dot(a, b)", "acc = acc + tl.dot(a, b)")],
)

add(
    "batch_stats",
    """
def kernel(x_ptr, m_ptr, v_ptr, N, C, L, B: tl.constexpr):
    c = tl.program_id(0)
    s = 0.0
    q = 0.0
    for n in range(0, N):
        for t in range(0, L, B):
            o = t + tl.arange(0, B)
            x = tl.load(x_ptr + (n * C + c) * L + o, mask=o < L, other=0.0)
            s += tl.sum(x, 0)
            q += tl.sum(x * x, 0)
    mean = s / (N * L)
    tl.store(m_ptr + c, mean)
    tl.store(v_ptr + c, q / (N * L) - mean * mean)
""",
    "x_ptr:*fp32 m_ptr:*fp32 v_ptr:*fp32 N:i32 C:i32 L:i32",
    {"B": 64},
    {"x": ("f32", ["N", "C", "L"]), "m": ("f32", ["C"]), "v": ("f32", ["C"])},
    ["C"],
    """def ref(x):
    m = x.mean((0, 2))
    return {"m": m, "v": (x * x).mean((0, 2)) - m * m}
""",
    wrong=[
        ("s += tl.sum", "s = tl.sum"),
        ("q / (N * L)", "q / L"),
        ("range(0, N)", "range(0, min(N, 4))"),
        ("range(0, L, B)", "range(0, min(L, 2 * B), B)"),
        ("n * C + c", "n + c * N"),
    ],
    unsafe=[
        ("other=0.0)", ")"),
        ("(n * C + c) * L + o, mask=o < L", "(n * C + c) * L + o + 1, mask=o < L"),
        ("v_ptr + c,", "v_ptr + c // 2,"),
        ("n * C + c", "n * C + c + 1"),
    ],
    harmless=[("x * x, 0", "x * x * 1.0, 0")],
)

add(
    "huber",
    """
def kernel(x_ptr, t_ptr, y_ptr, n, d, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    x = tl.load(x_ptr + o, mask=k, other=0.0)
    t = tl.load(t_ptr + o, mask=k, other=0.0)
    e = tl.abs(x - t)
    y = tl.where(e < d, 0.5 * e * e, d * (e - 0.5 * d))
    tl.store(y_ptr + o, y, mask=k)
""",
    "x_ptr:*fp32 t_ptr:*fp32 y_ptr:*fp32 n:i32 d:fp32",
    {"B": 256},
    {"x": ("f32", ["n"]), "t": ("f32", ["n"]), "y": ("f32", ["n"])},
    ["cdiv(n,256)"],
    """def ref(x, t, d):
    e = torch.abs(x - t)
    return torch.where(e < d, 0.5 * e * e, d * (e - 0.5 * d))
""",
    wrong=[
        ("0.5 * e * e, d", "e * e, d"),
        ("e < d", "e > d"),
        ("(e - 0.5 * d)", "(e - d)"),
        ("tl.abs(x - t)", "x - t"),
        ("tl.abs(x - t)", "tl.abs(x + t)"),
    ],
    unsafe=[
        ("y, mask=k)", "y)"),
        ("k = o < n", "k = o < n + 1"),
        ("tl.program_id(0) * B", "tl.program_id(0) * (B + 1)"),
        ("t_ptr + o, mask=k, other=0.0)", "t_ptr + o)"),
    ],
    harmless=[("e < d", "e <= d")],
)
