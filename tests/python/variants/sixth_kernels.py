"""Variants of kernels of other kinds (see kernels.py): places of the least, rows that several stores fill, pages with a factor each, channels of a flat row, windows along a row."""

from variant_table import new_table

KERNELS, add = new_table()

add(
    "nearest",
    """
def kernel(x_ptr, i_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("inf"))
    best = tl.min(x, 0)
    tl.store(i_ptr + row, tl.min(tl.where(x <= best, c, B), 0))
""",
    "x_ptr:*fp32 i_ptr:*i32 N:i32",
    {"B": 128},
    {"x": ("f32", ["M", "N"]), "i": ("i32", ["M"])},
    ["M"],
    "def ref(x):\n    return x.argmin(1)\n",
    wrong=[
        ("x <= best", "x >= best"),
        ("x <= best", "x <= best + 1.0"),
        ("best = tl.min(x, 0)", "best = tl.min(tl.where(c < N - 1, x, 3.0), 0)"),
        ("best = tl.min(x, 0)", "best = tl.max(tl.where(c < N, x, -3.0), 0)"),
    ],
    unsafe=[("mask=c < N, other", "mask=c < N + 1, other"), ("i_ptr + row,", "i_ptr + row + 1,")],
    harmless=[("x <= best", "best >= x"), ("x <= best", "x == best"), ("c, B), 0)", "c, 4096), 0)")],
)

add(
    "three_scales",
    """
def kernel(x_ptr, s_ptr, y_ptr, H, W, B: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x_ptr + i * W + j, mask=j < W)
    tl.store(y_ptr + (3 * i) * W + j, v * tl.load(s_ptr), mask=j < W)
    tl.store(y_ptr + (3 * i + 1) * W + j, v * tl.load(s_ptr + 1), mask=j < W)
    tl.store(y_ptr + (3 * i + 2) * W + j, v * tl.load(s_ptr + 2), mask=j < W)
""",
    "x_ptr:*fp32 s_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32",
    {"B": 64},
    {"x": ("f32", ["H", "W"]), "s": ("f32", [3]), "y": ("f32", ["3*H", "W"])},
    ["H", "cdiv(W,64)"],
    """def ref(x, s):
    r = torch.arange(3 * x.shape[0])
    return x[r // 3] * s[r % 3][:, None]
""",
    wrong=[
        ("tl.load(s_ptr + 2)", "tl.load(s_ptr + 1)"),
        ("x_ptr + i * W", "x_ptr + i // 3 * W"),
        ("v * tl.load(s_ptr), mask", "v, mask"),
    ],
    unsafe=[("(3 * i + 2)", "(3 * i + 3)"), ("(3 * i + 1)", "(3 * i + 2)")],
    harmless=[("(3 * i + 1) * W + j", "3 * i * W + W + j"), ("(3 * i + 2) * W", "(i * 3 + 2) * W")],
)

add(
    "paged_scales",
    """
def kernel(k_ptr, s_ptr, t_ptr, y_ptr, P, D, B: tl.constexpr):
    j = tl.program_id(0)
    c = tl.arange(0, B)
    page = tl.load(t_ptr + j // 8)
    tl.device_assert(page >= 0)
    tl.device_assert(page < P)
    v = tl.load(k_ptr + (page * 8 + j % 8) * D + c, mask=c < D, other=0.0)
    tl.store(y_ptr + j * D + c, v * tl.load(s_ptr + page), mask=c < D)
""",
    "k_ptr:*fp32 s_ptr:*fp32 t_ptr:*i32 y_ptr:*fp32 P:i32 D:i32",
    {"B": 64},
    {"k": ("f32", ["8*P", "D"]), "s": ("f32", ["P"]), "t": ("i32", ["L"]), "y": ("f32", ["8*L", "D"])},
    ["8*L"],
    """def ref(k, s, t):
    j = torch.arange(8 * t.shape[0])
    p = t[j // 8]
    return k[p * 8 + j % 8] * s[p][:, None]
""",
    wrong=[
        ("s_ptr + page", "s_ptr + page // 2"),
        ("page * 8 + j % 8", "page * 8 + (j + 1) % 8"),
        ("j // 8)", "j // 16)"),
    ],
    unsafe=[
        ("page < P", "page < P + 1"),
        ("page * 8 + j % 8", "page * 8 + j % 9"),
        ("s_ptr + page", "s_ptr + page * 2"),
    ],
    harmless=[
        ("(page * 8 + j % 8) * D + c", "(8 * page + j - 8 * (j // 8)) * D + c"),
        ("v * tl.load(s_ptr + page)", "tl.load(s_ptr + page) * v"),
    ],
)

add(
    "channels",
    """
def kernel(x_ptr, w_ptr, y_ptr, C, HW, B: tl.constexpr):
    n = tl.program_id(0)
    base = n * C * HW
    m = -float("inf")
    for i in range(0, C * HW, B):
        o = i + tl.arange(0, B)
        m = tl.maximum(m, tl.max(tl.load(x_ptr + base + o, mask=o < C * HW, other=-float("inf")), 0))
    for i in range(0, C * HW, B):
        o = i + tl.arange(0, B)
        k = o < C * HW
        v = tl.load(x_ptr + base + o, mask=k) - m
        tl.store(y_ptr + base + o, v * tl.load(w_ptr + o // HW, mask=k), mask=k)
""",
    "x_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 C:i32 HW:i32",
    {"B": 128},
    {"x": ("f32", ["N", "C", "HW"]), "w": ("f32", ["C"]), "y": ("f32", ["N", "C", "HW"])},
    ["N"],
    "def ref(x, w):\n    return (x - x.amax((1, 2), keepdim=True)) * w[:, None]\n",
    wrong=[
        ("o // HW", "o // (C * HW)"),
        ("m = tl.maximum(m, tl", "m = tl.maximum(0.0, tl"),
        ("mask=k) - m", "mask=k) + m"),
    ],
    unsafe=[
        ("w_ptr + o // HW", "w_ptr + o // HW + 1"),
        ("mask=k), mask=k)", "mask=k))"),
        ("mask=o < C * HW", "mask=o <= C * HW"),
    ],
    harmless=[
        ("v * tl.load(w_ptr + o // HW, mask=k)", "tl.load(w_ptr + o // HW, mask=k) * v"),
        ("k = o < C * HW", "k = C * HW > o"),
    ],
)

add(
    "smooth5",
    """
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    j = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros([B], tl.float32)
    for a in tl.static_range(5):
        s = j + a - 2
        acc += tl.load(x_ptr + row * N + s, mask=(s >= 0) & (s < N), other=0.0)
    tl.store(y_ptr + row * N + j, acc * 0.2, mask=j < N)
""",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32",
    {"B": 64},
    {"x": ("f32", ["M", "N"]), "y": ("f32", ["M", "N"])},
    ["M", "cdiv(N,64)"],
    """def ref(x):
    n = x.shape[1]
    s = torch.arange(n)[:, None] + torch.arange(5) - 2
    return torch.where((s >= 0) & (s < n), x[:, torch.clamp(s, 0, n - 1)], 0.0).sum(-1) / 5
""",
    wrong=[
        ("j + a - 2", "j + a - 1"),
        ("static_range(5)", "static_range(4)"),
        ("(s >= 0)", "(s > 0)"),
        ("acc * 0.2", "acc * 0.25"),
    ],
    unsafe=[("(s < N), other", "(s <= N), other"), ("acc * 0.2, mask=j < N)", "acc * 0.2)")],
    harmless=[("acc * 0.2", "acc / 5.0"), ("s = j + a - 2", "s = j - (2 - a)")],
)
