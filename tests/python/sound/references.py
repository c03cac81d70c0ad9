"""References whose integers stay inside their types, which is assumed: where one is seen to leave them, nothing differs. What the kernel does at the ends of its types counts where the reference is wider. Extents that follow from two conditions."""

import triton
import triton.language as tl


@triton.jit
def packed(x, y, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.zeros([BLOCK], tl.int32)
    for j in tl.static_range(4):
        v = tl.load(x + o * 4 + j, mask=o < n, other=0)
        word |= (v if HOW == "unmasked" else v & 0xFF) << 8 * j
    tl.store(y + o, word, mask=o < n)


@triton.jit
def into_x_ptr(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    """The same by the names that Triton's users give pointers."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + o, tl.load(y_ptr + o, mask=o < n) + 1, mask=o < n)


@triton.jit
def into_x(y, x, n, BLOCK: tl.constexpr):
    """Its x is the output, and that of the reference the input."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + o, tl.load(y + o, mask=o < n) + 1, mask=o < n)


@triton.jit
def middle(a, b, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = tl.load(a + o, mask=o < n, other=0)
    v = tl.load(b + o, mask=o < n, other=0)
    tl.store(y + o, (u + v) // 2, mask=o < n)


@triton.jit
def negative_abs(x, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.where(tl.abs(tl.load(x + o, mask=o < n, other=0)) < 0, 1, 0), mask=o < n)


@triton.jit
def columns(p, y, T, HOW: tl.constexpr, BLOCK: tl.constexpr):
    n = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for m in range(tl.program_id(0) * BLOCK + (BLOCK if HOW == "late" else 0), T, BLOCK):
        r = m + tl.arange(0, BLOCK)
        total += tl.sum(
            tl.load(p + r[:, None] * T + n[None, :], mask=(r[:, None] < T) & (n[None, :] <= r[:, None]), other=0.0), 0
        )
    tl.store(y + n, total, mask=n < T)


@triton.jit
def counted(x, h, n, bins, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(x + o, mask=o < n, other=0)
    there = (b >= 0) & (b < bins)
    tl.atomic_add(h + b, 1, mask=there if HOW == "padding" else there & (o < n))


@triton.jit
def two_best(x, y, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=(c < n) & (c > 0) if HOW == "late" else c < n, other=-float("inf"))
    tl.store(y + row, tl.argmax(tl.where(c == tl.argmax(v, 0), -float("inf"), v), 0))


@triton.jit
def summed(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * n + c, mask=c < n, other=0), 0))


PACKED = {
    "kernel": packed,
    "types": {"x": "*i32", "y": "*i32", "n": "i32"},
    "flags": ("--shape", "x=4*n"),
    "against": (
        "def reference(x):\n    v = x.reshape(-1, 4) & 255\n    return v[:, 0] | (v[:, 1] << 8) | (v[:, 2] << 16) |"
        " (v[:, 3] << 24)\n"
    ),
}
MIDDLE = {"kernel": middle, "types": {"a": "*i32", "b": "*i32", "y": "*i32", "n": "i32"}, "constexprs": {"BLOCK": 16}}
COLUMNS = {
    "kernel": columns,
    "types": {"p": "*fp32", "y": "*fp32", "T": "i32"},
    "against": "def reference(p):\n    return torch.tril(p).sum(0)\n",
}
SUMMED = {"kernel": summed, "types": {"x": "*i32", "y": "*i32", "n": "i32"}, "constexprs": {"BLOCK": 16}}
COUNTED = {
    "kernel": counted,
    "types": {"x": "*i32", "h": "*i32", "n": "i32", "bins": "i32"},
    "against": "def reference(x, h):\n    return h + (x[None, :] == torch.arange(h.shape[0])[:, None]).sum(1)\n",
}
BEST = {
    "kernel": two_best,
    "types": {"x": "*fp32", "y": "*i32", "n": "i32"},
    "against": (
        "def reference(x):\n    return torch.where(torch.arange(x.shape[1])[None, :] == torch.argmax(x, dim=1)[:,"
        " None], -torch.inf, x).argmax(1)\n"
    ),
}
INTO_X = {
    "kernel": into_x,
    "types": {"y": "*fp32", "x": "*fp32", "n": "i32"},
    "constexprs": {"BLOCK": 16},
    "against": "def reference(x):\n    x = x + 1\n    return x\n",
}
FORMS = {
    "packed": {**PACKED, "constexprs": {"HOW": "", "BLOCK": 16}, "codes": [0, 2]},
    "packed_unmasked": {**PACKED, "constexprs": {"HOW": "unmasked", "BLOCK": 16}, "codes": [1]},
    "into_x": {**INTO_X, "codes": [2], "reason": "unpaired"},
    "into_x_ptr": {
        **INTO_X,
        "kernel": into_x_ptr,
        "types": {"y_ptr": "*fp32", "x_ptr": "*fp32", "n": "i32"},
        "codes": [2],
        "reason": "unpaired",
    },
    "into_x_by_map": {**INTO_X, "codes": [0], "flags": ["--map", "y=x"]},
    "into_x_in_place": {**INTO_X, "codes": [1], "flags": ["--map", "x=x"]},
    "into_x_of_both": {
        **INTO_X,
        "codes": [1],
        "against": "def reference(x, y):\n    x = x + y + 1\n    return x\n",
    },
    "middle": {
        **MIDDLE,
        "codes": [0, 2],
        "against": "def reference(a, b):\n    return torch.div(a + b, 2, rounding_mode='trunc')\n",
    },
    "middle_of_wide": {
        **MIDDLE,
        "codes": [1],
        "against": (
            "def reference(a, b):\n    return torch.div(a.to(torch.int64) + b.to(torch.int64), 2,"
            " rounding_mode='trunc').to(torch.int32)\n"
        ),
    },
    "negative_abs": {
        "kernel": negative_abs,
        "types": {"x": "*i32", "y": "*i32", "n": "i32"},
        "constexprs": {"BLOCK": 16},
        "codes": [1],
        "against": "def reference(x):\n    return torch.zeros_like(x)\n",
    },
    "summed": {
        **SUMMED,
        "codes": [0],
        "against": "def reference(x):\n    return x.sum(1)\n",
        "states": [("range", "what is to be y fits i32")],
    },
    "summed_wide": {**SUMMED, "codes": [1], "against": "def reference(x):\n    return x.sum(1, dtype=torch.int64)\n"},
    "counted": {**COUNTED, "constexprs": {"HOW": "", "BLOCK": 16}, "codes": [0]},
    "counted_padding": {**COUNTED, "constexprs": {"HOW": "padding", "BLOCK": 16}, "codes": [1]},
    "two_best": {**BEST, "constexprs": {"HOW": "", "BLOCK": 16}, "codes": [0]},
    "two_best_late": {**BEST, "constexprs": {"HOW": "late", "BLOCK": 16}, "codes": [1]},
    "columns": {**COLUMNS, "constexprs": {"HOW": "", "BLOCK": 16}, "codes": [0]},
    "columns_late": {
        **COLUMNS,
        "constexprs": {"HOW": "late", "BLOCK": 16},
        "codes": [1, 2],
        "verdicts": ["refuted", "unknown"],
    },
}
