"""A variance from the sum and the sum of squares: under the root stands sum(x^2)/n - (sum(x)/n)^2 + eps, which is positive as no variance is
negative; not so where the counts differ, or where there is no eps."""

import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, y_ptr, n_cols, eps, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=1.0 if HOW == "padded_wrong" else 0.0)
    mean = tl.sum(x, 0) / n_cols
    squares = tl.sum(x * x, 0)
    if HOW == "scalar":
        y = (x - mean) * tl.rsqrt(squares / n_cols - mean * mean + eps)
    elif HOW == "literal":
        y = (x - mean) / tl.sqrt(squares / n_cols - mean * mean + 1e-5)
    elif HOW == "together":
        y = (x - mean) * tl.rsqrt((squares - n_cols * mean * mean) / n_cols + 1e-5)
    elif HOW == "log":
        y = x - tl.log(squares - tl.sum(x, 0) * mean + 1e-5)
    elif HOW == "count_wrong":
        other = tl.sum(x, 0) / (n_cols - 0.5)
        y = (x - mean) * tl.rsqrt(squares / n_cols - other * other + 1e-5)
    elif HOW == "no_eps_wrong":
        y = (x - mean) * tl.rsqrt(squares / n_cols - mean * mean)
    elif HOW == "scaled_wrong":
        y = (x - mean) * tl.rsqrt(squares / n_cols - 1.01 * mean * mean + 1e-5)
    elif HOW == "other_wrong":
        y = (x - mean) * tl.rsqrt(tl.sum((x + 1) * x, 0) / n_cols - mean * mean + 1e-5)
    else:
        y = (x - mean) * tl.rsqrt(squares / n_cols - mean * mean + 1e-5)
    tl.store(y_ptr + row * n_cols + cols, y, mask=mask)


@triton.jit
def tiles(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + at, mask=at < n_cols, other=0.0)
        sums += x
        squares += x * x
    mean = tl.sum(sums, 0) / n_cols
    variance = tl.sum(squares, 0) / n_cols - mean * mean
    tl.store(y_ptr + row, tl.rsqrt(variance + 1e-5) if HOW == "" else tl.rsqrt(variance - 1e-5))


ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32", "eps": "fp32"}
TILES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
RIGHT = {
    "scalar": "layer_norm(x_ptr, axis=1, eps=eps)",
    "literal": "layer_norm(x_ptr, axis=1, eps=1e-05)",
    "together": "layer_norm(x_ptr, axis=1, eps=1e-05)",
    "log": "x_ptr - log(1e-05 + sum(x_ptr ** 2, axis=1) - sum(x_ptr, axis=1) ** 2 / n_cols)",
}
FORMS = {
    **{
        how: {"kernel": rows, "types": ROWS, "constexprs": {"HOW": how, "BLOCK": 128}, "formula": formula}
        for how, formula in RIGHT.items()
    },
    **{
        how: {"kernel": rows, "types": ROWS, "constexprs": {"HOW": how, "BLOCK": 128}, "unsafe": True}
        for how in ("count_wrong", "no_eps_wrong", "scaled_wrong", "other_wrong", "padded_wrong")
    },
    "tiles": {
        "kernel": tiles,
        "types": TILES,
        "constexprs": {"HOW": "", "BLOCK": 64},
        "formula": "1 / sqrt(1e-05 + var(x_ptr, axis=1))",
    },
    "tiles_wrong": {"kernel": tiles, "types": TILES, "constexprs": {"HOW": "wrong", "BLOCK": 64}, "unsafe": True},
}
