"""Padding that becomes 0 * log(0) or 0 / 0 before it is summed: what the mask leaves is no number, whatever it is multiplied by.
Nothing of this is proved safe; written with the mask around the logarithm, it is."""

import triton
import triton.language as tl


@triton.jit
def entropy(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    p = e / tl.sum(e, 0)
    if HOW == "masked":
        tl.store(y_ptr + row, -tl.sum(tl.where(mask, p * tl.log(tl.where(mask, p, 1.0)), 0.0), 0))
    else:
        tl.store(y_ptr + row, -tl.sum(p * tl.log(p), 0))


@triton.jit
def quotient(x_ptr, z_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    z = tl.load(z_ptr + row * n_cols + cols, mask=mask, other=-float("inf"))
    tl.store(y_ptr + row, tl.sum(x / tl.exp(z), 0))


@triton.jit
def nothing(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, (x - x) / (2 * x - x - x), mask=at < n)


@triton.jit
def shifted(x_ptr, s_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=0)
    if HOW == "literal":
        x = x >> 40
    elif HOW == "memory":
        x = x >> tl.load(s_ptr + at, mask=mask, other=0)
    else:
        x = x >> (at % 64 if HOW == "lanes" else at % 32)
    tl.store(y_ptr + at, x, mask=mask)


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inner = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + rows[:, None] * K + inner[None, :], mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0)
    b = tl.load(
        b_ptr + inner[:, None] * N + cols[None, :],
        mask=(inner[:, None] < K) & (cols[None, :] < N),
        other=-float("inf"),
    )
    tl.store(
        c_ptr + rows[:, None] * N + cols[None, :],
        tl.dot(a, tl.log(tl.exp(b))),
        mask=(rows[:, None] < M) & (cols[None, :] < N),
    )


@triton.jit
def columns(x_ptr, y_ptr, M, N, HOW: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0)[None, :])  # (-inf) - (-inf) in columns from N on
    p = (
        e / tl.sum(e, 0)[None, :]
        if HOW == "softmax"
        else tl.where(cols[None, :] < N, e, 0.0) if HOW == "masked" else e
    )
    tl.store(y_ptr + rows, tl.sum(p, 1), mask=rows < M)


@triton.jit
def beyond(x_ptr, w_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """NaN in the columns from N on meets the padding of w, and a minimum."""
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=-float("inf"))
    w = tl.load(w_ptr + cols, mask=cols < N, other=-float("inf"))
    tl.store(y_ptr + rows, tl.min(tl.exp(x - tl.max(x, 0)[None, :]) + w[None, :], 1), mask=rows < M)


@triton.jit
def cancelled(x_ptr, c_ptr, y_ptr, M, N, HOW: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """0 * (-inf) in rows from M on is added to 1, and taken away again."""
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    c = tl.load(c_ptr + rows, mask=rows < M, other=0.0 if HOW == "finite" else -float("inf"))
    p = x * c[:, None]
    top = tl.max(p, 1)
    tl.store(y_ptr, tl.sum(tl.sum(tl.where(mask, p, 0.0) + top[:, None] - top[:, None], 1), 0))


@triton.jit
def upwards(x_ptr, y_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=float("inf"))
    tl.store(y_ptr + row, tl.max(tl.exp(x - tl.max(x, 0)), 0))


@triton.jit
def online(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """A row whose first tiles have no element: (-inf) - (-inf) in a step of the loop."""
    row = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=-float("inf"))
        if HOW == "before":
            x = tl.where(cols < row, x, -float("inf"))
        elif HOW == "behind":
            x = tl.where(cols >= row, x, -float("inf"))
        else:
            x = tl.where(cols <= row, x, -float("inf"))
        higher = tl.maximum(top, tl.max(x, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(x - higher), 0)
        top = higher
    tl.store(y_ptr + row, total)


@triton.jit
def compared(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """Comparisons that laws of numbers decide, of what may be none."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if HOW == "with_itself":
        v = tl.log(x)
        y = tl.where(v == v, x, 0.0)
    elif HOW == "roots":
        y = tl.where(tl.sqrt(x) >= 0, x, 0.0)
    elif HOW == "sums":
        v = 1.0 / x
        y = tl.where(v <= v + 1, x, 0.0)
    elif HOW == "joined":
        v = tl.log(x)
        y = tl.where((v >= 0) | (v < 0), x, 0.0)
    elif HOW == "joined_defined":
        v = tl.log(x * x + 1.0)
        y = tl.where((v >= 1) | (v < 1), x, 0.0)
    elif HOW == "defined":
        v = tl.log(x * x + 1.0)
        y = tl.where((v == v) & (tl.sqrt(x * x) >= 0), x, 0.0)
    tl.store(y_ptr + i, y, mask=i < n)


SHIFTS = {"x_ptr": "*i32", "s_ptr": "*i32", "y_ptr": "*i32", "n": "i32"}
ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
TILE = {"x_ptr": "*fp32", "y_ptr": "*fp32", "M": "i32", "N": "i32"}
FORMS = {
    "columns_masked": {
        "kernel": columns,
        "types": TILE,
        "constexprs": {"HOW": "masked", "BM": 4, "BN": 8},
        "formula": "sum(exp(x_ptr - max(x_ptr, axis=0)), axis=1)",
    },
    **{
        f"columns_{how}": {
            "kernel": columns,
            "types": TILE,
            "constexprs": {"HOW": how, "BM": 4, "BN": 8},
            "unsafe": True,
        }
        for how in ("softmax", "sum")
    },
    "cancelled_finite": {
        "kernel": cancelled,
        "types": {**TILE, "c_ptr": "*fp32"},
        "constexprs": {"HOW": "finite", "BM": 4, "BN": 8},
        "formula": "sum(x_ptr * column(c_ptr))",
    },
    "cancelled": {
        "kernel": cancelled,
        "types": {**TILE, "c_ptr": "*fp32"},
        "constexprs": {"HOW": "", "BM": 4, "BN": 8},
        "unsafe": True,
    },
    "online_causal": {
        "kernel": online,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": "", "BLOCK": 64},
        "formula": (
            "sum(exp(where(index(n) <= column(index(grid_x)), x_ptr, -inf) - max(where(index(n) <="
            " column(index(grid_x)), x_ptr, -inf), axis=1)), axis=1)"
        ),
    },
    **{
        f"online_{how}": {
            "kernel": online,
            "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
            "constexprs": {"HOW": how, "BLOCK": 64},
            "unsafe": True,
        }
        for how in ("before", "behind")
    },
    "beyond": {
        "kernel": beyond,
        "types": {"x_ptr": "*fp32", "w_ptr": "*fp32", **TILE},
        "constexprs": {"BM": 4, "BN": 8},
        "unsafe": True,
    },
    "upwards": {"kernel": upwards, "types": ROWS, "constexprs": {"BLOCK": 128}, "unsafe": True},
    "entropy_masked": {
        "kernel": entropy,
        "types": ROWS,
        "constexprs": {"HOW": "masked", "BLOCK": 128},
        "formula": "-sum(softmax(x_ptr, axis=1) * log(softmax(x_ptr, axis=1)), axis=1)",
    },
    "entropy": {"kernel": entropy, "types": ROWS, "constexprs": {"HOW": "", "BLOCK": 128}, "unsafe": True},
    "quotient": {
        "kernel": quotient,
        "types": {"x_ptr": "*fp32", "z_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"},
        "constexprs": {"BLOCK": 128},
        "unsafe": True,
    },
    "nothing": {
        "kernel": nothing,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 128},
        "unsafe": True,
    },
    "product": {
        "kernel": product,
        "types": {"a_ptr": "*fp32", "b_ptr": "*fp32", "c_ptr": "*fp32", "M": "i32", "N": "i32", "K": "i32"},
        "constexprs": {"BLOCK": 16},
        "unsafe": True,
    },
    **{
        f"shifted_{how}": {
            "kernel": shifted,
            "types": SHIFTS,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "unsafe": True,
        }
        for how in ("literal", "memory", "lanes")
    },
    **{
        f"compared_{how}": {
            "kernel": compared,
            "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
            "constexprs": {"HOW": how, "BLOCK": 128},
            "unsafe": True,
        }
        for how in ("with_itself", "roots", "sums", "joined")
    },
    **{
        f"compared_{how}": {
            "kernel": compared,
            "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
            "constexprs": {"HOW": how, "BLOCK": 128},
            "formula": "x_ptr",
        }
        for how in ("defined", "joined_defined")
    },
    "shifted_within": {
        "kernel": shifted,
        "types": SHIFTS,
        "constexprs": {"HOW": "within", "BLOCK": 128},
        "formula": "shr(x_ptr, index(n) % 32)",
    },
}
