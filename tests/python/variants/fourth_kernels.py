"""Kernels of backward passes, masks, quantised weights and persistent programs with variants: see kernels.py."""

from variant_table import new_table

KERNELS, add = new_table()

add(
    "ln_bwd_dx",
    """
def kernel(x_ptr, w_ptr, g_ptr, mean_ptr, rstd_ptr, dx_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    c1 = 0.0
    c2 = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        k = c < N
        h = (tl.load(x_ptr + row * N + c, mask=k, other=0.0) - mean) * rstd
        wg = tl.load(w_ptr + c, mask=k, other=0.0) * tl.load(g_ptr + row * N + c, mask=k, other=0.0)
        c1 += tl.sum(h * wg, 0)
        c2 += tl.sum(wg, 0)
    c1 = c1 / N
    c2 = c2 / N
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        k = c < N
        h = (tl.load(x_ptr + row * N + c, mask=k, other=0.0) - mean) * rstd
        wg = tl.load(w_ptr + c, mask=k, other=0.0) * tl.load(g_ptr + row * N + c, mask=k, other=0.0)
        tl.store(dx_ptr + row * N + c, (wg - (h * c1 + c2)) * rstd, mask=k)
""",
    "x_ptr:*fp32 w_ptr:*fp32 g_ptr:*fp32 mean_ptr:*fp32 rstd_ptr:*fp32 dx_ptr:*fp32 N:i32",
    {"B": 64},
    {
        "x": ("f32", ["M", "N"]),
        "w": ("f32", ["N"]),
        "g": ("f32", ["M", "N"]),
        "mean": ("f32", ["M"]),
        "rstd": ("f32", ["M"]),
        "dx": ("f32", ["M", "N"]),
    },
    ["M"],
    """def ref(x, w, g, mean, rstd):
    n = x.shape[1]
    h = (x - mean[:, None]) * rstd[:, None]
    wg = w * g
    c1 = (h * wg).sum(1, keepdim=True) / n
    c2 = wg.sum(1, keepdim=True) / n
    return (wg - (h * c1 + c2)) * rstd[:, None]
""",
    wrong=[
        ("c2 += tl.sum(wg, 0)", "c2 = tl.sum(wg, 0)"),
        ("(wg - (h * c1 + c2)) * rstd", "(wg - (h * c1 + c2))"),
        ("    c2 = c2 / N\n", ""),
        ("c1 += tl.sum(h * wg, 0)", "c1 += tl.sum(h * h, 0)"),
    ],
    unsafe=[
        (
            "- mean) * rstd\n        wg = tl.load(w_ptr + c, mask=k",
            "- mean) * rstd\n        wg = tl.load(w_ptr + c + 1, mask=k",
        ),
        ("* rstd, mask=k)", "* rstd)"),
        ("tl.store(dx_ptr + row * N + c", "tl.store(dx_ptr + row * N + c + 1"),
    ],
    harmless=[("(wg - (h * c1 + c2)) * rstd", "rstd * wg - rstd * c2 - rstd * c1 * h")],
)

add(
    "attn_mask",
    """
def kernel(q_ptr, k_ptr, v_ptr, b_ptr, o_ptr, LQ, L, scale, BN: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0)
    h = tl.program_id(1).to(tl.int64)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (h * LQ + i) * D + d)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros([D], tl.float32)
    for s in range(0, L, BN):
        n = s + tl.arange(0, BN)
        k = tl.load(k_ptr + (h * L + n[:, None]) * D + d[None, :], mask=n[:, None] < L, other=0.0)
        x = tl.sum(k * q[None, :], 1) * scale
        x += tl.load(b_ptr + i * L + n, mask=n < L, other=-float("inf"))
        mn = tl.maximum(m, tl.max(x, 0))
        p = tl.exp(x - mn)
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 0)
        v = tl.load(v_ptr + (h * L + n[:, None]) * D + d[None, :], mask=n[:, None] < L, other=0.0)
        acc = acc * a + tl.sum(p[:, None] * v, 0)
        m = mn
    tl.store(o_ptr + (h * LQ + i) * D + d, acc / l)
""",
    "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 b_ptr:*fp32 o_ptr:*fp32 LQ:i32 L:i32 scale:fp32",
    {"BN": 32, "D": 16},
    {
        "q": ("f32", ["H", "LQ", 16]),
        "k": ("f32", ["H", "L", 16]),
        "v": ("f32", ["H", "L", 16]),
        "b": ("f32", ["LQ", "L"]),
        "o": ("f32", ["H", "LQ", 16]),
    },
    ["LQ", "H"],
    """def ref(q, k, v, b, scale):
    return torch.softmax(q @ k.transpose(1, 2) * scale + b, dim=-1) @ v
""",
    wrong=[
        ("l = l * a + tl.sum(p, 0)", "l = l + tl.sum(p, 0)"),
        ("b_ptr + i * L + n", "b_ptr + i * L + n - s"),
        ("        m = mn\n", ""),
        ('other=-float("inf"))\n        mn', "other=0.0)\n        mn"),
    ],
    unsafe=[
        ("b_ptr + i * L + n, mask=n < L", "b_ptr + i * L + n, mask=n <= L"),
        ("tl.store(o_ptr + (h * LQ + i) * D + d", "tl.store(o_ptr + (h * LQ + i // 2) * D + d"),
        (
            "v = tl.load(v_ptr + (h * L + n[:, None]) * D + d[None, :], mask=n[:, None] < L, other=0.0)",
            "v = tl.load(v_ptr + (h * L + n[:, None]) * D + d[None, :])",
        ),
    ],
    harmless=[("acc = acc * a + tl.sum(p[:, None] * v, 0)", "acc = tl.sum(v * p[:, None], 0) + a * acc")],
)

add(
    "moe_gemv",
    """
def kernel(x_ptr, w_ptr, e_ptr, y_ptr, E, K, N, BN: tl.constexpr, BK: tl.constexpr):
    t = tl.program_id(0)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    e = tl.load(e_ptr + t)
    tl.device_assert((e >= 0) & (e < E))
    acc = tl.zeros([BN], tl.float32)
    for s in range(0, K, BK):
        k = s + tl.arange(0, BK)
        x = tl.load(x_ptr + t * K + k, mask=k < K, other=0.0)
        w = tl.load(w_ptr + (e * K + k[:, None]) * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.sum(x[:, None] * w, 0)
    tl.store(y_ptr + t * N + n, acc, mask=n < N)
""",
    "x_ptr:*fp32 w_ptr:*fp32 e_ptr:*i64 y_ptr:*fp32 E:i32 K:i32 N:i32",
    {"BN": 32, "BK": 16},
    {
        "x": ("f32", ["T", "K"]),
        "w": ("f32", ["E", "K", "N"]),
        "e": ("i64", ["T"]),
        "y": ("f32", ["T", "N"]),
    },
    ["T", "cdiv(N,32)"],
    """def ref(x, w, e):
    return (x[:, None, :] @ w[e])[:, 0, :]
""",
    wrong=[
        ("(e * K + k[:, None])", "(t * 0 + k[:, None])"),
        ("acc += tl.sum(x[:, None] * w, 0)", "acc = tl.sum(x[:, None] * w, 0)"),
    ],
    unsafe=[
        ("(e < E)", "(e <= E)"),
        ("mask=(k[:, None] < K) & (n[None, :] < N)", "mask=(n[None, :] < N)"),
        ("tl.store(y_ptr + t * N + n, acc, mask=n < N)", "tl.store(y_ptr + t * N + n, acc)"),
    ],
    harmless=[("(e * K + k[:, None]) * N + n[None, :]", "e * K * N + k[:, None] * N + n[None, :]")],
)

add(
    "smooth_ce",
    """
def kernel(x_ptr, t_ptr, loss_ptr, N, eps, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    t = tl.load(t_ptr + row)
    tl.device_assert((t >= 0) & (t < N))
    m = -float("inf")
    d = 0.0
    total = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
        total += tl.sum(tl.where(c < N, x, 0.0), 0)
        mn = tl.maximum(m, tl.max(x, 0))
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(x - mn), 0)
        m = mn
    lse = m + tl.log(d)
    xt = tl.load(x_ptr + row * N + t)
    tl.store(loss_ptr + row, (1.0 - eps) * (lse - xt) + eps * (lse - total / N))
""",
    "x_ptr:*fp32 t_ptr:*i64 loss_ptr:*fp32 N:i32 eps:fp32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "t": ("i64", ["M"]), "loss": ("f32", ["M"])},
    ["M"],
    """def ref(x, t, eps):
    lse = torch.logsumexp(x, dim=1)
    picked = torch.gather(x, 1, t[:, None])[:, 0]
    return (1 - eps) * (lse - picked) + eps * (lse - x.mean(1))
""",
    wrong=[
        ("total += ", "total = "),
        ("d = d * tl.exp(m - mn) + ", "d = d + "),
        ("eps * (lse - total / N)", "eps * (lse - total)"),
    ],
    unsafe=[
        ("    tl.device_assert((t >= 0) & (t < N))\n", ""),
        ("tl.store(loss_ptr + row,", "tl.store(loss_ptr + row + 1,"),
        ("x_ptr + row * N + t)", "x_ptr + row * N + t + 1)"),
    ],
    harmless=[
        ("(1.0 - eps) * (lse - xt) + eps * (lse - total / N)", "lse - (1.0 - eps) * xt - eps * total / N"),
        ("(t >= 0) & (t < N)", "(t < N) & (t >= 0)"),
    ],
)

add(
    "rms_partial",
    """
def kernel(x_ptr, g_ptr, r_ptr, dw_ptr, M, N, P: tl.constexpr, B: tl.constexpr):
    p = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = c < N
    acc = tl.zeros([B], tl.float32)
    for row in range(p, M, P):
        x = tl.load(x_ptr + row * N + c, mask=k, other=0.0)
        g = tl.load(g_ptr + row * N + c, mask=k, other=0.0)
        acc += x * g * tl.load(r_ptr + row)
    tl.atomic_add(dw_ptr + c, acc, mask=k)
""",
    "x_ptr:*fp32 g_ptr:*fp32 r_ptr:*fp32 dw_ptr:*fp32 M:i32 N:i32",
    {"P": 8, "B": 64},
    {
        "x": ("f32", ["M", "N"]),
        "g": ("f32", ["M", "N"]),
        "r": ("f32", ["M"]),
        "dw": ("f32", ["N"]),
    },
    [8, "cdiv(N,64)"],
    """def ref(x, g, r, dw):
    return {"dw": dw + (x * g * r[:, None]).sum(0)}
""",
    wrong=[
        ("range(p, M, P)", "range(p, M, P + 1)"),
        ("range(p, M, P)", "range(0, M, P)"),
        ("acc += x", "acc = x"),
    ],
    unsafe=[
        ("acc, mask=k)", "acc)"),
        ("range(p, M, P)", "range(p, M + 1, P)"),
        ("tl.atomic_add(dw_ptr + c, acc, mask=k)", "tl.store(dw_ptr + c, acc, mask=k)"),
    ],
    harmless=[
        ("acc += x * g * tl.load(r_ptr + row)", "acc = g * (tl.load(r_ptr + row) * x) + acc"),
    ],
)

add(
    "group_dequant",
    """
def kernel(a_ptr, q_ptr, s_ptr, y_ptr, K, N, G: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BN], tl.float32)
    for g in range(0, tl.cdiv(K, G)):
        k = g * G + tl.arange(0, G)
        a = tl.load(a_ptr + row * K + k, mask=k < K, other=0.0)
        q = tl.load(q_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0)
        s = tl.load(s_ptr + g * N + n, mask=n < N, other=0.0)
        acc += tl.sum(a[:, None] * q.to(tl.float32), 0) * s
    tl.store(y_ptr + row * N + n, acc, mask=n < N)
""",
    "a_ptr:*fp32 q_ptr:*i8 s_ptr:*fp32 y_ptr:*fp32 K:i32 N:i32",
    {"G": 32, "BN": 32},
    {
        "a": ("f32", ["M", "K"]),
        "q": ("i8", ["K", "N"]),
        "s": ("f32", ["cdiv(K,32)", "N"]),
        "y": ("f32", ["M", "N"]),
    },
    ["M", "cdiv(N,32)"],
    """def ref(a, q, s):
    k = q.shape[0]
    return a @ (q.to(torch.float32) * s[torch.arange(k) // 32])
""",
    wrong=[
        ("s_ptr + g * N + n", "s_ptr + n"),
        (" * s\n", "\n"),
    ],
    unsafe=[
        ("s_ptr + g * N + n", "s_ptr + (g + 1) * N + n"),
        ("a_ptr + row * K + k, mask=k < K", "a_ptr + row * K + k, mask=k <= K"),
    ],
    harmless=[
        ("tl.sum(a[:, None] * q.to(tl.float32), 0) * s", "tl.sum(a[:, None] * (q.to(tl.float32) * s[None, :]), 0)")
    ],
)

add(
    "depthwise",
    """
def kernel(x_ptr, w_ptr, y_ptr, H, W, B: tl.constexpr):
    c = tl.program_id(0)
    i = tl.program_id(1)
    j = tl.program_id(2) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for a in tl.static_range(3):
        for b in tl.static_range(3):
            r = i + a - 1
            s = j + b - 1
            k = (r >= 0) & (r < H) & (s >= 0) & (s < W) & (j < W)
            acc += tl.load(x_ptr + (c * H + r) * W + s, mask=k, other=0.0) * tl.load(w_ptr + c * 9 + a * 3 + b)
    tl.store(y_ptr + (c * H + i) * W + j, acc, mask=j < W)
""",
    "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["C", "H", "W"]), "w": ("f32", ["C", 9]), "y": ("f32", ["C", "H", "W"])},
    ["C", "H", "cdiv(W,64)"],
    """def ref(x, w):
    h, n = x.shape[1], x.shape[2]
    t = torch.arange(9)
    r = torch.arange(h)[:, None, None] + t // 3 - 1
    s = torch.arange(n)[None, :, None] + t % 3 - 1
    near = x.reshape(-1, h * n)[:, torch.clamp(r, 0, h - 1) * n + torch.clamp(s, 0, n - 1)]
    return (torch.where((r >= 0) & (r < h) & (s >= 0) & (s < n), near, 0.0) * w[:, None, None, :]).sum(-1)
""",
    wrong=[("a * 3 + b)\n", "b * 3 + a)\n"), ("s = j + b - 1", "s = j + b - 2")],
    unsafe=[("(r < H)", "(r <= H)"), ("acc, mask=j < W)", "acc)"), (" & (s >= 0)", "")],
    harmless=[
        ("(c * H + r) * W + s", "c * H * W + r * W + s"),
        ("(s >= 0) & (s < W) & (j < W)", "(j < W) & (s < W) & (s >= 0)"),
    ],
)

add(
    "cummax_blocks",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = -float("inf")
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
        y = tl.associative_scan(x, 0, _larger)
        tl.store(y_ptr + row * N + c, tl.maximum(y, best), mask=c < N)
        best = tl.maximum(best, tl.max(x, 0))


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M"],
    """def ref(x):
    i = torch.arange(x.shape[1])
    return torch.where(i[None, :, None] >= i[None, None, :], x[:, None, :], -float("inf")).amax(-1)
""",
    wrong=[
        ("best = tl.maximum(best, tl.max(x, 0))", "best = tl.max(x, 0)"),
        ("tl.maximum(y, best), mask", "y, mask"),
    ],
    unsafe=[("tl.maximum(y, best), mask=c < N)", "tl.maximum(y, best))")],
    harmless=[("tl.maximum(best, tl.max(x, 0))", "tl.maximum(tl.max(x, 0), best)")],
)
