"""Kernels of windows, rows that memory ends, losses and rows of codes with variants: see kernels.py."""

from variant_table import new_table

KERNELS, add = new_table()

add(
    "seg_sum_stated",
    """
def kernel(x_ptr, o_ptr, y_ptr, T, D, B: tl.constexpr):
    s = tl.program_id(0)
    c = tl.arange(0, B)
    lo = tl.load(o_ptr + s)
    hi = tl.load(o_ptr + s + 1)
    tl.device_assert((lo >= 0) & (lo <= hi) & (hi <= T))
    acc = tl.zeros([B], tl.float32)
    for r in range(lo, hi):
        acc += tl.load(x_ptr + r * D + c, mask=c < D, other=0.0)
    tl.store(y_ptr + s * D + c, acc, mask=c < D)
""",
    "x_ptr:*fp32 o_ptr:*i32 y_ptr:*fp32 T:i32 D:i32",
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
        ("range(lo, hi)", "range(lo, T)"),
    ],
    unsafe=[
        ("o_ptr + s + 1", "o_ptr + s + 2"),
        ("(hi <= T)", "(hi <= T + 1)"),
    ],
    harmless=[
        (
            "acc += tl.load(x_ptr + r * D + c, mask=c < D, other=0.0)",
            "acc = tl.load(x_ptr + r * D + c, mask=c < D, other=0.0) + acc",
        ),
        (
            "for r in range(lo, hi):\n        acc += tl.load(x_ptr + r * D + c",
            "for r in range(0, hi - lo):\n        acc += tl.load(x_ptr + (lo + r) * D + c",
        ),
    ],
)

add(
    "avgpool",
    """
def kernel(x_ptr, y_ptr, H, W, B: tl.constexpr):
    p = tl.program_id(0)
    i = tl.program_id(1)
    j = tl.program_id(2) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for a in tl.static_range(3):
        for b in tl.static_range(3):
            r = i + a - 1
            s = j + b - 1
            k = (r >= 0) & (r < H) & (s >= 0) & (s < W)
            acc += tl.load(x_ptr + (p * H + r) * W + s, mask=k, other=0.0)
    tl.store(y_ptr + (p * H + i) * W + j, acc / 9.0, mask=j < W)
""",
    "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["C", "H", "W"]), "y": ("f32", ["C", "H", "W"])},
    ["C", "H", "cdiv(W,64)"],
    """def ref(x):
    h, n = x.shape[1], x.shape[2]
    t = torch.arange(9)
    r = torch.arange(h)[:, None, None] + t // 3 - 1
    s = torch.arange(n)[None, :, None] + t % 3 - 1
    near = x.reshape(-1, h * n)[:, torch.clamp(r, 0, h - 1) * n + torch.clamp(s, 0, n - 1)]
    return torch.where((r >= 0) & (r < h) & (s >= 0) & (s < n), near, 0.0).mean(-1)
""",
    wrong=[("acc / 9.0", "acc / 8.0"), ("s = j + b - 1", "s = j + b"), ("(s >= 0) & (s < W)", "(s > 0) & (s < W)")],
    unsafe=[("(r < H)", "(r <= H)"), ("acc / 9.0, mask=j < W)", "acc / 9.0)"), ("(r >= 0) & ", "")],
    harmless=[
        ("(p * H + r) * W + s", "p * H * W + r * W + s"),
        ("acc / 9.0", "acc * (1.0 / 9.0)"),
        (
            "for a in tl.static_range(3):\n        for b in tl.static_range(3):",
            "for b in tl.static_range(3):\n        for a in tl.static_range(3):",
        ),
    ],
)

add(
    "pixel_shuffle",
    """
def kernel(x_ptr, y_ptr, H, W, B: tl.constexpr):
    c = tl.program_id(0)
    i = tl.program_id(1)
    j = tl.program_id(2) * B + tl.arange(0, B)
    k = j < 2 * W
    ch = c * 4 + (i % 2) * 2 + j % 2
    v = tl.load(x_ptr + (ch * H + i // 2) * W + j // 2, mask=k)
    tl.store(y_ptr + (c * (2 * H) + i) * (2 * W) + j, v, mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["4*C", "H", "W"]), "y": ("f32", ["C", "2*H", "2*W"])},
    ["C", "2*H", "cdiv(2*W,64)"],
    """def ref(x):
    c, h, w = x.shape[0] // 4, x.shape[1], x.shape[2]
    return x.reshape(c, 2, 2, h, w).permute(0, 3, 1, 4, 2).reshape(c, 2 * h, 2 * w)
""",
    wrong=[("(i % 2) * 2 + j % 2", "(j % 2) * 2 + i % 2"), ("j // 2, mask", "j % W, mask"), ("c * 4", "c * 2")],
    unsafe=[("v, mask=k)", "v)"), ("k = j < 2 * W", "k = j <= 2 * W")],
    harmless=[("c * 4 + (i % 2) * 2 + j % 2", "(c * 2 + i % 2) * 2 + j % 2"), ("(i % 2) * 2", "(i - i // 2 * 2) * 2")],
)

add(
    "group_norm_hw",
    """
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, HW, B: tl.constexpr):
    n = tl.program_id(0)
    g = tl.program_id(1)
    base = (n * 8 + g) * 4 * HW
    s = 0.0
    for i in range(0, 4 * HW, B):
        o = i + tl.arange(0, B)
        s += tl.sum(tl.load(x_ptr + base + o, mask=o < 4 * HW, other=0.0), 0)
    mean = s / (4 * HW)
    q = 0.0
    for i in range(0, 4 * HW, B):
        o = i + tl.arange(0, B)
        d = tl.where(o < 4 * HW, tl.load(x_ptr + base + o, mask=o < 4 * HW, other=0.0) - mean, 0.0)
        q += tl.sum(d * d, 0)
    r = 1.0 / tl.sqrt(q / (4 * HW) + 1e-5)
    for i in range(0, 4 * HW, B):
        o = i + tl.arange(0, B)
        k = o < 4 * HW
        c = g * 4 + o // HW
        v = (tl.load(x_ptr + base + o, mask=k) - mean) * r
        tl.store(y_ptr + base + o, v * tl.load(w_ptr + c, mask=k) + tl.load(b_ptr + c, mask=k), mask=k)
""",
    "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 HW:i32",
    {"B": 128},
    {"x": ("f32", ["N", 8, "4*HW"]), "w": ("f32", [32]), "b": ("f32", [32]), "y": ("f32", ["N", 8, "4*HW"])},
    ["N", 8],
    """def ref(x, w, b):
    m = x.mean(2, keepdim=True)
    v = ((x - m) * (x - m)).mean(2, keepdim=True)
    t = torch.arange(x.shape[2]) // (x.shape[2] // 4)
    c = torch.arange(8)[:, None] * 4 + t[None, :]
    return (x - m) / torch.sqrt(v + 1e-5) * w[c] + b[c]
""",
    wrong=[
        ("c = g * 4 + o // HW", "c = g * 4 + o % 4"),
        ("q += tl.sum(d * d, 0)", "q = tl.sum(d * d, 0)"),
        ("q / (4 * HW)", "q / HW"),
    ],
    unsafe=[("c = g * 4 + o // HW", "c = g * 4 + o // HW + 1"), ("mask=k) - mean) * r", ") - mean) * r")],
    harmless=[
        ("1.0 / tl.sqrt(q / (4 * HW) + 1e-5)", "tl.rsqrt(q / (4 * HW) + 1e-5)"),
        ("c = g * 4 + o // HW", "c = o // HW + 4 * g"),
    ],
)

add(
    "embedding_pad",
    """
def kernel(i_ptr, w_ptr, y_ptr, V, D, pad, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    t = tl.load(i_ptr + r)
    tl.device_assert((t >= 0) & (t < V))
    v = tl.load(w_ptr + t * D + c, mask=(c < D) & (t != pad), other=0.0)
    tl.store(y_ptr + r * D + c, v, mask=c < D)
""",
    "i_ptr:*i32 w_ptr:*fp32 y_ptr:*fp32 V:i32 D:i32 pad:i32",
    {"B": 64},
    {"i": ("i32", ["T"]), "w": ("f32", ["V", "D"]), "y": ("f32", ["T", "D"])},
    ["T", "cdiv(D,64)"],
    """def ref(i, w, pad):
    return torch.where((i == pad)[:, None], 0.0, w[i])
""",
    wrong=[
        ("(t != pad)", "(t > pad)"),
        (" & (t != pad)", ""),
        ("t * D + c", "r * D + c, mask=c < D, other=0.0) + 0.0 * tl.load(w_ptr + t * D + c"),
    ],
    unsafe=[("(t >= 0) & (t < V)", "t < V"), ("(c < D) & (t != pad)", "t != pad")],
    harmless=[
        (
            "v = tl.load(w_ptr + t * D + c, mask=(c < D) & (t != pad), other=0.0)",
            "v = tl.where(t == pad, 0.0, tl.load(w_ptr + t * D + c, mask=c < D, other=0.0))",
        ),
        ("mask=(c < D) & (t != pad)", "mask=(t != pad) & (c < D)"),
    ],
)

add(
    "kl_div",
    """
def kernel(p_ptr, q_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([B], tl.float32)
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        k = c < N
        a = tl.load(p_ptr + row * N + c, mask=k, other=0.0)
        b = tl.load(q_ptr + row * N + c, mask=k, other=0.0)
        acc += tl.exp(b) * (b - a) * tl.where(k, 1.0, 0.0)
    tl.store(y_ptr + row, tl.sum(acc, 0))
""",
    "p_ptr:*fp32 q_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"p": ("f32", ["M", "N"]), "q": ("f32", ["M", "N"]), "y": ("f32", ["M"])},
    ["M"],
    "def ref(p, q):\n    return (torch.exp(q) * (q - p)).sum(1)\n",
    wrong=[
        ("(b - a)", "(a - b)"),
        ("tl.exp(b)", "tl.exp(a)"),
        ("acc += tl", "acc = tl"),
        ("range(0, N, B)", "range(0, N - 1, B)"),
    ],
    unsafe=[("a = tl.load(p_ptr + row * N + c, mask=k, other=0.0)", "a = tl.load(p_ptr + row * N + c)")],
    harmless=[
        (" * tl.where(k, 1.0, 0.0)", ""),
        ("tl.exp(b) * (b - a)", "(tl.exp(b) * b - tl.exp(b) * a)"),
        ("k = c < N", "k = N > c"),
    ],
)

add(
    "rms_bwd_dx",
    """
def kernel(x_ptr, w_ptr, g_ptr, r_ptr, dx_ptr, N, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, B)
    k = c < N
    r = tl.load(r_ptr + row)
    x = tl.load(x_ptr + row * N + c, mask=k, other=0.0)
    m = tl.load(g_ptr + row * N + c, mask=k, other=0.0) * tl.load(w_ptr + c, mask=k, other=0.0)
    dot = tl.sum(m * x, 0)
    tl.store(dx_ptr + row * N + c, r * m - r * r * r * dot / N * x, mask=k)
""",
    "x_ptr:*fp32 w_ptr:*fp32 g_ptr:*fp32 r_ptr:*fp32 dx_ptr:*fp32 N:i32",
    {"B": 128},
    {
        "x": ("f32", ["M", "N"]),
        "w": ("f32", ["N"]),
        "g": ("f32", ["M", "N"]),
        "r": ("f32", ["M"]),
        "dx": ("f32", ["M", "N"]),
    },
    ["M"],
    """def ref(x, w, g, r):
    m = g * w
    d = (m * x).mean(1, keepdim=True)
    return r[:, None] * (m - x * r[:, None] * r[:, None] * d)
""",
    wrong=[("r * r * r * dot", "r * r * dot"), ("dot / N", "dot"), ("m * x, 0", "m * m, 0")],
    unsafe=[("r_ptr + row", "r_ptr + row + 1"), ("* x, mask=k)", "* x)")],
    harmless=[
        ("r * m - r * r * r * dot / N * x", "r * (m - (r * r / N) * dot * x)"),
        ("dot = tl.sum(m * x, 0)", "dot = tl.sum(x * m, 0)"),
    ],
)

add(
    "quant_rows",
    """
def kernel(q_ptr, s_ptr, z_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = c < N
    q = tl.load(q_ptr + row * N + c, mask=k, other=0).to(tl.float32)
    y = (q - tl.load(z_ptr + row)) * tl.load(s_ptr + row)
    tl.store(y_ptr + row * N + c, y, mask=k)
""",
    "q_ptr:*i8 s_ptr:*fp32 z_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"q": ("i8", ["M", "N"]), "s": ("f32", ["M"]), "z": ("f32", ["M"]), "y": ("f32", ["M", "N"])},
    ["M", "cdiv(N,64)"],
    "def ref(q, s, z):\n    return (q.float() - z[:, None]) * s[:, None]\n",
    wrong=[("s_ptr + row", "z_ptr + row"), ("q_ptr + row * N + c", "q_ptr + row + c"), ("(q - tl", "(q + tl")],
    unsafe=[("k = c < N", "k = c <= N"), ("tl.program_id(1) * B", "tl.program_id(1) * (B - 1)")],
    harmless=[
        (
            "y = (q - tl.load(z_ptr + row)) * tl.load(s_ptr + row)",
            "s = tl.load(s_ptr + row)\n    y = s * q - s * tl.load(z_ptr + row)",
        ),
        ("k = c < N", "k = c + row * N < N + row * N"),
    ],
)

add(
    "bilinear2",
    """
def kernel(x_ptr, y_ptr, W, B: tl.constexpr):
    row = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    k = j < 2 * W - 1
    a = tl.load(x_ptr + row * W + j // 2, mask=k, other=0.0)
    b = tl.load(x_ptr + row * W + (j + 1) // 2, mask=k, other=0.0)
    tl.store(y_ptr + row * (2 * W - 1) + j, 0.5 * a + 0.5 * b, mask=k)
""",
    "x_ptr:*fp32 y_ptr:*fp32 W:i32",
    {"B": 64},
    {"x": ("f32", ["M", "W"]), "y": ("f32", ["M", "2*W-1"])},
    ["M", "cdiv(2*W-1,64)"],
    """def ref(x):
    j = torch.arange(2 * x.shape[1] - 1)
    return (x[:, j // 2] + x[:, (j + 1) // 2]) / 2
""",
    wrong=[("0.5 * b", "0.25 * b"), ("(j + 1) // 2, mask=k, other", "j // 2, mask=k, other")],
    unsafe=[("k = j < 2 * W - 1", "k = j < 2 * W"), ("0.5 * b, mask=k)", "0.5 * b)")],
    harmless=[("0.5 * a + 0.5 * b", "a + 0.5 * (b - a)"), ("(j + 1) // 2", "j // 2 + j % 2")],
)

add(
    "scatter_rows",
    """
def kernel(x_ptr, y_ptr, M, D, step, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    d = M - 1 - r
    v = tl.load(x_ptr + r * D + c, mask=c < D)
    tl.store(y_ptr + d * D + c, v, mask=c < D)
""",
    "x_ptr:*fp32 y_ptr:*fp32 M:i32 D:i32 step:i32",
    {"B": 64},
    {"x": ("f32", ["M", "D"]), "y": ("f32", ["M", "D"])},
    ["M", "cdiv(D,64)"],
    "def ref(x):\n    return torch.flip(x, (0,))\n",
    wrong=[("d = M - 1 - r", "d = r"), ("r * D + c, mask", "d * D + c, mask")],
    unsafe=[("d = M - 1 - r", "d = M - r"), ("v, mask=c < D)", "v)")],
    harmless=[("d = M - 1 - r", "d = (M - r) - 1"), ("d * D + c", "(M - 1) * D - r * D + c")],
)

add(
    "varlen_mask",
    """
def kernel(x_ptr, l_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    n = tl.load(l_ptr + row)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=(c < N) & (c < n), other=0.0)
    tl.store(y_ptr + row, tl.sum(x, 0))
""",
    "x_ptr:*fp32 l_ptr:*i32 y_ptr:*fp32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"]), "l": ("i32", ["M"]), "y": ("f32", ["M"])},
    ["M"],
    """def ref(x, l):
    c = torch.arange(x.shape[1])
    return torch.where(c[None, :] < l[:, None], x, 0.0).sum(1)
""",
    wrong=[("(c < n)", "(c <= n)"), (" & (c < n)", ""), ("tl.sum(x, 0)", "tl.sum(x, 0) / n")],
    unsafe=[("(c < N) & (c < n)", "c < n"), ("l_ptr + row", "l_ptr + row + 1")],
    harmless=[
        ("(c < N) & (c < n)", "(c < n) & (c < N)"),
        ("mask=(c < N) & (c < n)", "mask=c < tl.minimum(n, N)"),
        ("tl.sum(x, 0)", "tl.sum(tl.where(c < n, x, 0.0), 0)"),
    ],
)

add(
    "window_softmax",
    """
def kernel(s_ptr, y_ptr, N, w, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    k = (c < N) & (c <= row) & (c + w > row)
    s = tl.load(s_ptr + row * N + c, mask=c < N, other=0.0)
    s = tl.where(k, s, -float("inf"))
    e = tl.exp(s - tl.max(s, 0))
    tl.store(y_ptr + row * N + c, e / tl.sum(e, 0), mask=c < N)
""",
    "s_ptr:*fp32 y_ptr:*fp32 N:i32 w:i32",
    {"B": 128},
    {"s": ("f32", ["N", "N"]), "y": ("f32", ["N", "N"])},
    ["N"],
    """def ref(s, w):
    i = torch.arange(s.shape[0])
    k = (i[None, :] <= i[:, None]) & (i[None, :] + w > i[:, None])
    return torch.softmax(torch.where(k, s, -float("inf")), 1)
""",
    wrong=[("(c <= row)", "(c < row + 2)"), ("(c + w > row)", "(c + w >= row)"), ("e / tl.sum(e, 0)", "e")],
    unsafe=[
        ("e / tl.sum(e, 0), mask=c < N)", "e / tl.sum(e, 0))"),
        ("mask=c < N, other=0.0", "mask=c <= N, other=0.0"),
    ],
    harmless=[
        ("(c + w > row)", "(row - c < w)"),
        ("tl.exp(s - tl.max(s, 0))", "tl.exp2((s - tl.max(s, 0)) * 1.4426950408889634)"),
    ],
)

add(
    "upsample_rows",
    """
def kernel(x_ptr, y_ptr, H, W, B: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i * W + j, mask=j < W)
    tl.store(y_ptr + (2 * i) * W + j, v, mask=j < W)
    tl.store(y_ptr + (2 * i + 1) * W + j, v, mask=j < W)
""",
    "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["H", "W"]), "y": ("f32", ["2*H", "W"])},
    ["H", "cdiv(W,64)"],
    "def ref(x):\n    return x[torch.arange(2 * x.shape[0]) // 2]\n",
    wrong=[("x_ptr + i * W", "x_ptr + i // 2 * W"), ("(2 * i + 1) * W + j, v,", "(2 * i + 1) * W + j, v + v,")],
    unsafe=[("(2 * i + 1)", "(2 * i + 2)"), ("    tl.store(y_ptr + (2 * i + 1) * W + j, v, mask=j < W)\n", "")],
    harmless=[
        ("(2 * i + 1) * W + j", "2 * i * W + W + j"),
        ("    tl.store(y_ptr + (2 * i) * W", "    tl.store(y_ptr + (i + i) * W"),
    ],
)

add(
    "prefix_chunks",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for s in range(0, N, B):
        c = s + tl.arange(0, B)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        y = tl.cumsum(x, 0) + carry
        tl.store(y_ptr + row * N + c, y - x, mask=c < N)
        carry += tl.sum(x, 0)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M"],
    "def ref(x):\n    return torch.cumsum(x, 1) - x\n",
    wrong=[("carry += tl", "carry = tl"), ("y - x, mask", "y, mask"), (" + carry\n", "\n")],
    unsafe=[
        ("y - x, mask=c < N)", "y - x)"),
        ("x_ptr + row * N + c, mask=c < N", "x_ptr + row * N + c + 1, mask=c < N"),
    ],
    harmless=[
        ("tl.cumsum(x, 0) + carry", "carry + tl.cumsum(x, 0)"),
        (
            "y = tl.cumsum(x, 0) + carry\n        tl.store(y_ptr + row * N + c, y - x",
            "y = tl.cumsum(x, 0) - x\n        tl.store(y_ptr + row * N + c, carry + y",
        ),
    ],
)

add(
    "top1",
    """
def kernel(x_ptr, v_ptr, i_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    best = tl.max(x, 0)
    tl.store(v_ptr + row, best)
    tl.store(i_ptr + row, tl.min(tl.where(x == best, c, B), 0))
""",
    "x_ptr:*fp32 v_ptr:*fp32 i_ptr:*i32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"]), "v": ("f32", ["M"]), "i": ("i32", ["M"])},
    ["M"],
    "def ref(x):\n    return x.amax(1), x.argmax(1)\n",
    wrong=[
        ("tl.min(tl.where(x == best, c, B), 0)", "tl.max(tl.where(x == best, c, 0), 0)"),
        ('-float("inf")', "0.0"),
        ("x == best", "x >= best - 1.0"),
    ],
    unsafe=[("mask=c < N, other", "mask=c <= N, other"), ("v_ptr + row, best", "v_ptr + row + 1, best")],
    harmless=[("tl.where(x == best, c, B)", "tl.where(x >= best, c, B)"), ("c, B), 0)", "c, 1000), 0)")],
)

add(
    "layer_scale",
    """
def kernel(x_ptr, r_ptr, g_ptr, m_ptr, y_ptr, N, p, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    k = c < N
    m = tl.load(m_ptr + row * N + c, mask=k, other=0) != 0
    x = tl.load(x_ptr + row * N + c, mask=k, other=0.0)
    d = tl.where(m, x / (1.0 - p), 0.0)
    y = tl.load(r_ptr + row * N + c, mask=k, other=0.0) + tl.load(g_ptr + c, mask=k, other=0.0) * d
    tl.store(y_ptr + row * N + c, y, mask=k)
""",
    "x_ptr:*fp32 r_ptr:*fp32 g_ptr:*fp32 m_ptr:*i8 y_ptr:*fp32 N:i32 p:fp32",
    {"B": 64},
    {
        "x": ("f32", ["M", "N"]),
        "r": ("f32", ["M", "N"]),
        "g": ("f32", ["N"]),
        "m": ("i8", ["M", "N"]),
        "y": ("f32", ["M", "N"]),
    },
    ["M", "cdiv(N,64)"],
    "def ref(x, r, g, m, p):\n    return r + g * torch.where(m != 0, x / (1 - p), 0.0)\n",
    wrong=[("x / (1.0 - p)", "x / p"), ("!= 0\n", "== 0\n"), ("g_ptr + c", "g_ptr + c * 0")],
    unsafe=[("g_ptr + c, mask=k", "g_ptr + c + 1, mask=k"), ("y, mask=k)", "y)")],
    harmless=[
        ("tl.where(m, x / (1.0 - p), 0.0)", "tl.where(m, x, 0.0) / (1.0 - p)"),
        ("tl.where(m, x / (1.0 - p), 0.0)", "x * tl.where(m, 1.0, 0.0) / (1.0 - p)"),
    ],
)

add(
    "paged_rows",
    """
def kernel(k_ptr, t_ptr, y_ptr, P, D, B: tl.constexpr):
    s = tl.program_id(0)
    j = tl.program_id(1)
    c = tl.arange(0, B)
    page = tl.load(t_ptr + j // 16)
    tl.device_assert((page >= 0) & (page < P))
    v = tl.load(k_ptr + (page * 16 + j % 16) * D + c, mask=c < D, other=0.0)
    tl.store(y_ptr + j * D + c, v + s, mask=c < D)
""",
    "k_ptr:*fp32 t_ptr:*i32 y_ptr:*fp32 P:i32 D:i32",
    {"B": 64},
    {"k": ("f32", ["16*P", "D"]), "t": ("i32", ["L"]), "y": ("f32", ["16*L", "D"])},
    [1, "16*L"],
    """def ref(k, t):
    j = torch.arange(16 * t.shape[0])
    return k[t[j // 16] * 16 + j % 16]
""",
    wrong=[("j % 16", "j % 8"), ("j // 16)", "j // 32)"), ("page * 16", "page * 15")],
    unsafe=[("(page >= 0) & (page < P)", "page < P"), ("page * 16", "page * 17")],
    harmless=[("(page * 16 + j % 16) * D + c", "page * 16 * D + (j % 16) * D + c"), ("j % 16", "j - j // 16 * 16")],
)
