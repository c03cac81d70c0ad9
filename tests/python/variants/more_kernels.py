"""More kernels with variants: see kernels.py."""

from variant_table import new_table

KERNELS, add = new_table()

P = ["cdiv(n,256)"]

add(
    "causal",
    """
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    pm = tl.program_id(0)
    h = tl.program_id(1).to(tl.int64)
    rm = pm * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    base = h * N * D
    q = tl.load(q_ptr + base + rm[:, None] * D + rd[None, :], mask=rm[:, None] < N, other=0.0)
    m = tl.full([BM], -float("inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    hi = tl.minimum((pm + 1) * BM, N)
    for s in range(0, hi, BN):
        rn = s + tl.arange(0, BN)
        k = tl.load(k_ptr + base + rn[:, None] * D + rd[None, :], mask=rn[:, None] < N, other=0.0)
        qk = tl.dot(q, tl.trans(k)) * scale
        qk = tl.where((rn[None, :] <= rm[:, None]) & (rn[None, :] < N), qk, -float("inf"))
        mn = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp(qk - mn[:, None])
        a = tl.exp(m - mn)
        l = l * a + tl.sum(p, 1)
        v = tl.load(v_ptr + base + rn[:, None] * D + rd[None, :], mask=rn[:, None] < N, other=0.0)
        acc = acc * a[:, None] + tl.dot(p, v)
        m = mn
    tl.store(o_ptr + base + rm[:, None] * D + rd[None, :], acc / l[:, None], mask=rm[:, None] < N)
""",
    "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 o_ptr:*fp32 N:i32 scale:fp32",
    {"BM": 32, "BN": 32, "D": 32},
    {t: ("f32", ["H", "N", 32]) for t in "qkvo"},
    ["cdiv(N,32)", "H"],
    """def ref(q, k, v, scale):
    n = q.shape[1]
    s = q @ k.transpose(1, 2) * scale
    s = torch.where(torch.arange(n)[None, :] <= torch.arange(n)[:, None], s, -float("inf"))
    return torch.softmax(s, dim=-1) @ v
""",
    wrong=[
        ("rn[None, :] <= rm[:, None]", "rn[None, :] < rm[:, None] + 2"),
        ("rn[None, :] <= rm[:, None]", "rn[None, :] >= rm[:, None]"),
        ("(pm + 1) * BM", "pm * BM"),
        ("acc * a[:, None]", "acc"),
        ("l * a +", "l +"),
        ("tl.exp(m - mn)", "tl.exp(mn - m)"),
    ],
    unsafe=[
        ("acc / l[:, None], mask=rm[:, None] < N)", "acc / l[:, None])"),
        ("mask=rn[:, None] < N, other=0.0)\n        qk", "mask=rn[:, None] < N + 1, other=0.0)\n        qk"),
        ("rn[None, :] <= rm[:, None]", "rn[None, :] < rm[:, None]"),
        ("rm = pm * BM", "rm = (pm + 1) * BM"),
    ],
    harmless=[("acc / l[:, None]", "acc * (1.0 / l[:, None])"), ("hi = tl.minimum((pm + 1) * BM, N)", "hi = N")],
)

add(
    "splitk",
    """
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, S: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    z = tl.program_id(2)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(z * BK, K, BK * S):
        kk = k + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + kk[:, None] * N + rn[None, :], mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    tl.atomic_add(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32",
    {"BM": 16, "BN": 16, "BK": 16, "S": 4},
    {"a": ("f32", ["M", "K"]), "b": ("f32", ["K", "N"]), "c": ("f32", ["M", "N"])},
    ["cdiv(M,16)", "cdiv(N,16)", 4],
    """def ref(a, b, c):
    return {"c": c + a @ b}
""",
    wrong=[
        ("range(z * BK, K, BK * S)", "range(z * BK, K, BK)"),
        ("range(z * BK, K, BK * S)", "range(0, K, BK * S)"),
        ("acc += tl.dot", "acc = tl.dot"),
    ],
    unsafe=[
        (
            "tl.atomic_add(c_ptr + rm[:, None] * N + rn[None, :], acc,",
            "tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc,",
        ),
        ("acc, mask=(rm[:, None] < M) & (rn[None, :] < N))", "acc, mask=rm[:, None] < M)"),
        ("(kk[None, :] < K), other=0.0)", "(kk[None, :] < K))"),
    ],
    harmless=[("acc += tl.dot(a, b)", "acc = tl.dot(a, b, acc)")],
)

add(
    "log_softmax",
    """
def kernel(x_ptr, y_ptr, sx, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * sx + c, mask=c < N, other=-float("inf"))
    m = tl.max(x, 0)
    s = tl.sum(tl.exp(x - m), 0)
    tl.store(y_ptr + row * sx + c, x - m - tl.log(s), mask=c < N)
""",
    "x_ptr:*fp32 y_ptr:*fp32 sx:i32 N:i32",
    {"B": 512},
    {"x": ("f32", ["M", "N"], ["sx", 1]), "y": ("f32", ["M", "N"], ["sx", 1])},
    ["M"],
    """def ref(x):
    return torch.log_softmax(x, dim=1)
""",
    wrong=[
        ("x - m - tl.log(s)", "x - tl.log(s)"),
        ('other=-float("inf")', "other=0.0"),
        ("x - m - tl.log(s)", "x - m - tl.log(s) / 2.0"),
        ("tl.exp(x - m), 0)", "tl.exp(x - m), 0) + 1.0"),
    ],
    unsafe=[
        ('other=-float("inf"))', ")"),
        ("tl.log(s), mask=c < N)", "tl.log(s), mask=c < N + 1)"),
        ("y_ptr + row * sx", "y_ptr + row * (sx - 1)"),
    ],
    harmless=[("x - m - tl.log(s)", "x - (m + tl.log(s))")],
)

add(
    "add_rms",
    """
def kernel(x_ptr, r_ptr, w_ptr, y_ptr, N, eps, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    k = c < N
    x = tl.load(x_ptr + row * N + c, mask=k, other=0.0)
    r = tl.load(r_ptr + row * N + c, mask=k, other=0.0)
    h = x + r
    tl.store(r_ptr + row * N + c, h, mask=k)
    v = tl.sum(h * h, 0) / N
    w = tl.load(w_ptr + c, mask=k)
    tl.store(y_ptr + row * N + c, h / tl.sqrt(v + eps) * w, mask=k)
""",
    "x_ptr:*fp32 r_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 N:i32 eps:fp32",
    {"B": 1024},
    {"x": ("f32", ["M", "N"]), "r": ("f32", ["M", "N"]), "w": ("f32", ["N"]), "y": ("f32", ["M", "N"])},
    ["M"],
    """def ref(x, r, w, eps):
    h = x + r
    return {"r": h, "y": h / torch.sqrt((h * h).mean(1, keepdim=True) + eps) * w}
""",
    wrong=[
        ("r_ptr + row * N + c, h, mask", "r_ptr + row * N + c, x, mask"),
        ("h = x + r", "h = x"),
        ("h * h, 0) / N", "x * x, 0) / N"),
        ("tl.sqrt(v + eps) * w", "tl.sqrt(v + eps)"),
        ("h * h, 0) / N", "h * h, 0) / (N + 1)"),
    ],
    unsafe=[
        ("other=0.0)\n    h", ")\n    h"),
        ("w_ptr + c, mask=k)", "w_ptr + c)"),
        ("r_ptr + row * N + c, h, mask=k)", "r_ptr + row * N + c, h)"),
        ("r_ptr + row * N + c, h", "r_ptr + row * N + c + 1, h"),
    ],
    harmless=[("h = x + r", "h = r + x"), ("h / tl.sqrt(v + eps) * w", "w * (h * tl.rsqrt(v + eps))")],
)

add(
    "maxpool",
    """
def kernel(x_ptr, y_ptr, H, W, B: tl.constexpr):
    p = tl.program_id(0)
    o = tl.program_id(1) * B + tl.arange(0, B)
    OH = H // 2
    OW = W // 2
    k = o < OH * OW
    i = o // OW
    j = o % OW
    m = tl.full([B], -float("inf"), tl.float32)
    for a in tl.static_range(2):
        for b in tl.static_range(2):
            m = tl.maximum(m, tl.load(x_ptr + p * H * W + (2 * i + a) * W + 2 * j + b, mask=k, other=-float("inf")))
    tl.store(y_ptr + p * OH * OW + o, m, mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 128},
    {"x": ("f32", ["C", "H", "W"]), "y": ("f32", ["C", "H//2", "W//2"])},
    ["C", "cdiv((H//2)*(W//2),128)"],
    """def ref(x):
    c, h, w = x.shape[0], x.shape[1] // 2, x.shape[2] // 2
    return x[:, :2 * h, :2 * w].reshape(c, h, 2, w, 2).amax((2, 4))
""",
    wrong=[
        ("m = tl.maximum(m, tl", "m = tl.minimum(m, tl"),
        ('-float("inf"), tl.float32)', "0.0, tl.float32)"),
        ("(2 * i + a)", "(i + a)"),
        ("2 * j + b", "2 * j + a"),
    ],
    unsafe=[
        ("m, mask=k)", "m)"),
        ("i = o // OW", "i = o // OH"),
        ("2 * j + b, mask=k", "2 * j + b + 1, mask=k"),
        ("OW = W // 2", "OW = (W + 1) // 2"),
    ],
    harmless=[("o % OW", "o - i * OW")],
)

add(
    "upsample",
    """
def kernel(x_ptr, y_ptr, H, W, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = c < 2 * W
    v = tl.load(x_ptr + (r // 2) * W + c // 2, mask=k)
    tl.store(y_ptr + r * (2 * W) + c, v, mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["H", "W"]), "y": ("f32", ["2*H", "2*W"])},
    ["2*H", "cdiv(2*W,64)"],
    """def ref(x):
    h, w = x.shape
    return x[torch.arange(2 * h)[:, None] // 2, torch.arange(2 * w)[None, :] // 2]
""",
    wrong=[("c // 2, mask", "c % W, mask"), ("(r // 2) * W", "(r % H) * W"), ("v, mask=k)", "v * 0.5, mask=k)")],
    unsafe=[
        ("(r // 2) * W + c // 2", "(r // 2) * W + c"),
        ("k = c < 2 * W", "k = c < 2 * W + 1"),
        ("r * (2 * W)", "r * W"),
        ("v, mask=k)", "v, mask=c < 2 * W - 1)"),
    ],
    harmless=[("c // 2, mask", "(c // 2), mask")],
)

add(
    "flip",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x_ptr + row * N + (N - 1 - c), mask=c < N)
    tl.store(y_ptr + row * N + c, v, mask=c < N)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M", "cdiv(N,128)"],
    """def ref(x):
    return torch.flip(x, [1])
""",
    wrong=[
        ("(N - 1 - c)", "c"),
        ("v, mask=c < N)\n", "-v, mask=c < N)\n"),
        ("(N - 1 - c)", "tl.maximum(N - 2 - c, 0)"),
    ],
    unsafe=[
        ("(N - 1 - c)", "(N - c)"),
        ("v = tl.load(x_ptr + row * N + (N - 1 - c), mask=c < N)", "v = tl.load(x_ptr + row * N + (N - 1 - c))"),
        ("(N - 1 - c)", "(N - 2 - c)"),
        ("y_ptr + row * N + c, v, mask=c < N)", "y_ptr + row * N + c, v)"),
    ],
    harmless=[("(N - 1 - c)", "N - (c + 1)")],
)

add(
    "concat",
    """
def kernel(a_ptr, b_ptr, y_ptr, NA, NB, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    N = NA + NB
    a = tl.load(a_ptr + row * NA + c, mask=c < NA, other=0.0)
    b = tl.load(b_ptr + row * NB + c - NA, mask=(c >= NA) & (c < N), other=0.0)
    tl.store(y_ptr + row * N + c, tl.where(c < NA, a, b), mask=c < N)
""",
    "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 NA:i32 NB:i32",
    {"B": 64},
    {"a": ("f32", ["M", "NA"]), "b": ("f32", ["M", "NB"]), "y": ("f32", ["M", "NA+NB"])},
    ["M", "cdiv(NA+NB,64)"],
    """def ref(a, b):
    return torch.cat([a, b], dim=1)
""",
    wrong=[
        ("tl.where(c < NA, a, b)", "tl.where(c <= NA, a, b)"),
        ("tl.where(c < NA, a, b)", "a + b * 2.0"),
        ("row * NB + c - NA", "row * NB + (NB - 1) - (c - NA)"),
    ],
    unsafe=[
        ("(c >= NA) & (c < N)", "c < N"),
        ("c - NA, mask", "c, mask"),
        ("mask=c < NA, other=0.0)", "mask=c <= NA, other=0.0)"),
        ("a, b), mask=c < N)", "a, b), mask=c < N - 1)"),
    ],
    harmless=[("tl.where(c < NA, a, b)", "tl.where(c >= NA, b, a)")],
)

add(
    "geglu",
    """
def kernel(a_ptr, b_ptr, y_ptr, n, B: tl.constexpr):
    o = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    k = o < n
    a = tl.load(a_ptr + o, mask=k, other=0.0)
    b = tl.load(b_ptr + o, mask=k, other=0.0)
    t = 0.7978845608 * (a + 0.044715 * a * a * a)
    h = 2.0 / (1.0 + tl.exp(-2.0 * t)) - 1.0
    tl.store(y_ptr + o, 0.5 * a * (1.0 + h) * b, mask=k)
""",
    "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 n:i32",
    {"B": 256},
    {t: ("f32", ["n"]) for t in "aby"},
    P,
    """def ref(a, b):
    return 0.5 * a * (1 + torch.tanh(0.7978845608 * (a + 0.044715 * a ** 3))) * b
""",
    wrong=[
        ("0.044715", "0.44715"),
        ("0.7978845608", "0.8978845608"),
        ("a * a * a)", "a * a)"),
        ("(1.0 + h) * b", "(1.0 + h)"),
        ("- 1.0\n", "\n"),
        ("0.044715", "0.0447"),
        ("-2.0 * t", "2.0 * t"),
    ],
    unsafe=[
        ("(1.0 + h) * b, mask=k)", "(1.0 + h) * b)"),
        ("k = o < n", "k = o < n + 1"),
        ("y_ptr + o,", "y_ptr + o + 1,"),
    ],
    harmless=[("0.5 * a * (1.0 + h) * b", "b * a * (0.5 + 0.5 * h)")],
)

add(
    "dequant_mm",
    """
def kernel(x_ptr, q_ptr, s_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        q = tl.load(q_ptr + kk[:, None] * N + rn[None, :], mask=(kk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.dot(x, q.to(tl.float32))
    s = tl.load(s_ptr + rn, mask=rn < N, other=0.0)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc * s[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))
""",
    "x_ptr:*fp32 q_ptr:*i8 s_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32 K:i32",
    {"BM": 16, "BN": 32, "BK": 32},
    {"x": ("f32", ["M", "K"]), "q": ("i8", ["K", "N"]), "s": ("f32", ["N"]), "y": ("f32", ["M", "N"])},
    ["cdiv(M,16)", "cdiv(N,32)"],
    """def ref(x, q, s):
    return (x @ q.to(torch.float32)) * s[None, :]
""",
    wrong=[
        ("acc * s[None, :]", "acc"),
        ("acc += tl.dot", "acc = tl.dot"),
        ("q.to(tl.float32)", "(q + 1).to(tl.float32)"),
        ("q.to(tl.float32)", "tl.abs(q).to(tl.float32)"),
        ("range(0, K, BK)", "range(0, K - BK, BK)"),
    ],
    unsafe=[
        ("s_ptr + rn, mask=rn < N, other=0.0)", "s_ptr + rn)"),
        ("(kk[None, :] < K), other=0.0)", "(kk[None, :] <= K), other=0.0)"),
        (
            "acc * s[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))",
            "acc * s[None, :], mask=(rm[:, None] < M) | (rn[None, :] < N))",
        ),
        ("q_ptr + kk[:, None] * N", "q_ptr + kk[:, None] * K"),
    ],
    harmless=[("acc * s[None, :]", "s[None, :] * acc")],
)

add(
    "emb_bwd",
    """
def kernel(i_ptr, g_ptr, w_ptr, V, D, B: tl.constexpr):
    p = tl.program_id(0).to(tl.int64)
    i = tl.load(i_ptr + p)
    tl.device_assert((i >= 0) & (i < V))
    c = tl.arange(0, B)
    g = tl.load(g_ptr + p * D + c, mask=c < D, other=0.0)
    tl.atomic_add(w_ptr + i * D + c, g, mask=c < D)
""",
    "i_ptr:*i64 g_ptr:*fp32 w_ptr:*fp32 V:i32 D:i32",
    {"B": 128},
    {"i": ("i64", ["N"]), "g": ("f32", ["N", "D"]), "w": ("f32", ["V", "D"])},
    ["N"],
    """def ref(i, g, w):
    v = w.shape[0]
    return {"w": w + torch.where(i[None, :] == torch.arange(v)[:, None], 1.0, 0.0) @ g}
""",
    wrong=[
        ("g, mask=c < D)\n", "-g, mask=c < D)\n"),
        ("w_ptr + i * D", "w_ptr + (i // 2) * D"),
        ("g_ptr + p * D", "g_ptr + p * 0"),
    ],
    unsafe=[
        ("    tl.device_assert((i >= 0) & (i < V))\n", ""),
        ("tl.atomic_add(w_ptr + i * D + c, g, mask=c < D)", "tl.atomic_add(w_ptr + i * D + c, g)"),
        ("g_ptr + p * D + c, mask=c < D, other=0.0)", "g_ptr + p * D + c)"),
    ],
    harmless=[("i * D + c", "D * i + c")],
)

add(
    "kv_append",
    """
def kernel(k_ptr, c_ptr, L, T, S, D: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    t = tl.program_id(1)
    d = tl.arange(0, D)
    v = tl.load(k_ptr + (b * T + t) * D + d)
    tl.store(c_ptr + (b * S + L + t) * D + d, v)
""",
    "k_ptr:*fp32 c_ptr:*fp32 L:i32 T:i32 S:i32",
    {"D": 64},
    {"k": ("f32", ["N", "T", 64]), "c": ("f32", ["N", "L+T", 64])},
    ["N", "T"],
    """def ref(k, c):
    l = c.shape[1] - k.shape[1]
    return {"c": torch.cat([c[:, :l], k], dim=1)}
""",
    wrong=[
        ("k_ptr + (b * T + t)", "k_ptr + (b * T + T - 1 - t)"),
        ("d, v)", "d, v * 2.0)"),
        ("b * S + L + t", "b * S + t"),
    ],
    unsafe=[
        ("b * S + L + t", "b * S + L + t + 1"),
        ("(b * S + L + t) * D", "(b * S + L) * D"),
        ("b * T + t", "b * S + t"),
    ],
    harmless=[("(b * S + L + t) * D + d", "d + D * (t + L + b * S)")],
    args={"S": "L+T"},
)

add(
    "grid_stride",
    """
def kernel(x_ptr, y_ptr, n, B: tl.constexpr, G: tl.constexpr):
    for s in range(tl.program_id(0) * B, n, G * B):
        o = s + tl.arange(0, B)
        k = o < n
        x = tl.load(x_ptr + o, mask=k)
        tl.store(y_ptr + o, x * x + 1.0, mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 n:i32",
    {"B": 128, "G": 8},
    {"x": ("f32", ["n"]), "y": ("f32", ["n"])},
    [8],
    """def ref(x):
    return x * x + 1.0
""",
    wrong=[
        ("x * x + 1.0", "x * x - 1.0"),
        ("x_ptr + o, mask=k", "x_ptr + (o // 2), mask=k"),
        ("x * x + 1.0", "x + 1.0"),
    ],
    unsafe=[
        ("G * B)", "(G + 1) * B)"),
        ("G * B)", "(G - 1) * B)"),
        ("k = o < n", "k = o < n + 2"),
        ("tl.program_id(0) * B, n", "(tl.program_id(0) + 1) * B, n"),
    ],
    harmless=[("G * B)", "tl.num_programs(0) * B)"), ("x * x + 1.0", "1.0 + x * x")],
)

add(
    "revcumsum",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    carry = 0.0
    nb = tl.cdiv(N, B)
    for t in range(0, nb):
        c = (nb - 1 - t) * B + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        y = tl.cumsum(x, 0, reverse=True) + carry
        tl.store(y_ptr + row * N + c, y, mask=c < N)
        carry += tl.sum(x, 0)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M"],
    """def ref(x):
    return torch.flip(torch.cumsum(torch.flip(x, [1]), dim=1), [1])
""",
    wrong=[
        ("carry += tl.sum(x, 0)", "carry = tl.sum(x, 0)"),
        (", reverse=True)", ")"),
        (" + carry\n", "\n"),
        ("carry += tl.sum(x, 0)", "carry += tl.sum(x, 0) * 0.5"),
    ],
    unsafe=[
        ("y, mask=c < N)", "y)"),
        ("other=0.0)", ")"),
        ("range(0, nb)", "range(1, nb)"),
        ("(nb - 1 - t)", "(nb - t)"),
    ],
    harmless=[("tl.cumsum(x, 0, reverse=True) + carry", "carry + tl.cumsum(x, 0, reverse=True)")],
)

add(
    "dot",
    """
def kernel(x_ptr, y_ptr, o_ptr, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    x = tl.load(x_ptr + o, mask=k, other=0.0)
    y = tl.load(y_ptr + o, mask=k, other=0.0)
    tl.atomic_add(o_ptr, tl.sum(x * y, 0))
""",
    "x_ptr:*fp32 y_ptr:*fp32 o_ptr:*fp32 n:i32",
    {"B": 256},
    {"x": ("f32", ["n"]), "y": ("f32", ["n"]), "o": ("f32", [1])},
    P,
    """def ref(x, y, o):
    return {"o": o + (x * y).sum()}
""",
    wrong=[("x * y, 0", "x, 0"), ("tl.sum(x * y, 0)", "tl.max(x * y, 0)"), ("x * y, 0", "x * x, 0")],
    unsafe=[
        ("tl.atomic_add(o_ptr, tl.sum(x * y, 0))", "tl.store(o_ptr, tl.load(o_ptr) + tl.sum(x * y, 0))"),
        ("x_ptr + o, mask=k, other=0.0)", "x_ptr + o, mask=k)"),
        ("k = o < n", "k = o <= n"),
        ("tl.atomic_add(o_ptr,", "tl.atomic_add(o_ptr + 1,"),
    ],
    harmless=[("x * y, 0", "y * x, 0")],
)

add(
    "sgd",
    """
def kernel(p_ptr, g_ptr, m_ptr, n, lr, mu, wd, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    p = tl.load(p_ptr + o, mask=k)
    g = tl.load(g_ptr + o, mask=k) + wd * p
    m = mu * tl.load(m_ptr + o, mask=k) + g
    tl.store(m_ptr + o, m, mask=k)
    tl.store(p_ptr + o, p - lr * m, mask=k)
""",
    "p_ptr:*fp32 g_ptr:*fp32 m_ptr:*fp32 n:i32 lr:fp32 mu:fp32 wd:fp32",
    {"B": 256},
    {t: ("f32", ["n"]) for t in "pgm"},
    P,
    """def ref(p, g, m, lr, mu, wd):
    m2 = mu * m + (g + wd * p)
    return {"m": m2, "p": p - lr * m2}
""",
    wrong=[
        ("+ wd * p", "- wd * p"),
        ("p - lr * m", "p - lr * g"),
        ("mu * tl.load", "tl.load"),
        ("p - lr * m", "p - mu * m"),
        ("+ wd * p", ""),
    ],
    unsafe=[
        ("p - lr * m, mask=k)", "p - lr * m)"),
        ("g_ptr + o, mask=k)", "g_ptr + o)"),
        ("m_ptr + o, m, mask=k)", "m_ptr + o - 1, m, mask=k)"),
    ],
    harmless=[("p - lr * m", "p + -lr * m")],
)

add(
    "roll",
    """
def kernel(x_ptr, y_ptr, n, s, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    tl.store(y_ptr + o, tl.load(x_ptr + (o + s) % n, mask=k), mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 n:i32 s:i32",
    {"B": 128},
    {"x": ("f32", ["n"]), "y": ("f32", ["n"])},
    ["cdiv(n,128)"],
    """def ref(x, s):
    n = x.shape[0]
    return x[(torch.arange(n) + s) % n]
""",
    wrong=[("(o + s) % n", "(o + s + 1) % n"), ("(o + s) % n", "o")],
    unsafe=[
        ("(o + s) % n", "o + s"),
        ("% n, mask=k), mask=k)", "% n, mask=k))"),
        ("(o + s) % n", "(o + s) % (n + 1)"),
    ],
    harmless=[("(o + s) % n", "(s + o) % n")],
    args={"s": "s"},
)

add(
    "row_var",
    """
def kernel(x_ptr, v_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    s = tl.zeros([B], tl.float32)
    q = tl.zeros([B], tl.float32)
    for t in range(0, N, B):
        c = t + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        s += x
        q += x * x
    mean = tl.sum(s, 0) / N
    tl.store(v_ptr + row, tl.sum(q, 0) / N - mean * mean)
""",
    "x_ptr:*fp32 v_ptr:*fp32 N:i32",
    {"B": 256},
    {"x": ("f32", ["M", "N"]), "v": ("f32", ["M"])},
    ["M"],
    """def ref(x):
    return ((x - x.mean(1, keepdim=True)) ** 2).mean(1)
""",
    wrong=[
        ("q += x * x", "q = x * x"),
        ("s += x\n", "s = x\n"),
        ("- mean * mean", "- mean"),
        ("tl.sum(q, 0) / N", "tl.sum(q, 0) / (N + 1)"),
        ("other=0.0", "other=1.0"),
    ],
    unsafe=[("other=0.0)", ")"), ("mask=c < N,", "mask=c < N + B,"), ("v_ptr + row,", "v_ptr + row * 2,")],
    harmless=[("q += x * x", "q = q + x * x")],
)

add(
    "masked_fill",
    """
def kernel(x_ptr, m_ptr, y_ptr, n, v, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    k = o < n
    x = tl.load(x_ptr + o, mask=k)
    m = tl.load(m_ptr + o, mask=k).to(tl.int1)
    tl.store(y_ptr + o, tl.where(m, v, x), mask=k)
""",
    "x_ptr:*fp32 m_ptr:*i8 y_ptr:*fp32 n:i32 v:fp32",
    {"B": 256},
    {"x": ("f32", ["n"]), "m": ("i8", ["n"]), "y": ("f32", ["n"])},
    P,
    """def ref(x, m, v):
    return torch.where(m != 0, v, x)
""",
    wrong=[
        ("tl.where(m, v, x)", "tl.where(m, x, v)"),
        ("tl.where(m, v, x)", "tl.where(m, 0.0, x)"),
        ("tl.where(m, v, x)", "tl.where(m, v + x, x)"),
    ],
    unsafe=[("v, x), mask=k)", "v, x))"), ("m_ptr + o, mask=k)", "m_ptr + o)"), ("y_ptr + o,", "y_ptr + o * 2,")],
    harmless=[],
)

add(
    "bias_gather",
    """
def kernel(x_ptr, b_ptr, e_ptr, y_ptr, T, D, E, B: tl.constexpr):
    t = tl.program_id(0).to(tl.int64)
    e = tl.load(e_ptr + t)
    tl.device_assert(e < E)
    tl.device_assert(e >= 0)
    for s in range(0, D, B):
        c = s + tl.arange(0, B)
        k = c < D
        x = tl.load(x_ptr + t * D + c, mask=k)
        b = tl.load(b_ptr + e * D + c, mask=k)
        tl.store(y_ptr + t * D + c, tl.maximum(x + b, 0.0), mask=k)
""",
    "x_ptr:*fp32 b_ptr:*fp32 e_ptr:*i32 y_ptr:*fp32 T:i32 D:i32 E:i32",
    {"B": 64},
    {"x": ("f32", ["T", "D"]), "b": ("f32", ["E", "D"]), "e": ("i32", ["T"]), "y": ("f32", ["T", "D"])},
    ["T"],
    """def ref(x, b, e):
    return torch.relu(x + b[e])
""",
    wrong=[
        ("x + b, 0.0", "x - b, 0.0"),
        ("tl.maximum(x + b, 0.0)", "tl.maximum(x, 0.0) + b"),
        ("b_ptr + e * D + c", "b_ptr + e * D + c % B"),
        ("tl.maximum(x + b, 0.0)", "x + b"),
        ("b_ptr + e * D + c", "b_ptr + (E - 1 - e) * D + c"),
        ("x + b, 0.0", "x, 0.0"),
    ],
    unsafe=[
        ("    tl.device_assert(e < E)\n", ""),
        ("    tl.device_assert(e >= 0)\n", ""),
        ("x + b, 0.0), mask=k)", "x + b, 0.0), mask=c <= D)"),
        ("b_ptr + e * D + c", "b_ptr + (e + 1) * D + c"),
        ("y_ptr + t * D", "y_ptr + e * D"),
    ],
    harmless=[("x + b, 0.0", "b + x, 0.0")],
)
