"""Functions outside of their domain in the branch of a select that is not taken: the condition, its parts and its negation say where the other
branch is looked at. What they leave open is not proved safe."""

import triton
import triton.language as tl


@triton.jit
def guarded(x_ptr, z_ptr, y_ptr, eps, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    z = tl.load(z_ptr + at, mask=mask, other=0.0)
    if HOW == "log":
        y = tl.where(x > 0, tl.log(x), 0.0)
    elif HOW == "log_reversed":
        y = tl.where(x <= 0, 0.0, tl.log(x))
    elif HOW == "log_shifted":
        y = tl.where(x > 1, tl.log(2 * x - 1), 0.0)
    elif HOW == "log_between":
        y = tl.where((x > 0) & (x < 1), tl.log(x) - tl.log(1 - x), 0.0)
    elif HOW == "log_clamped":
        p = tl.minimum(tl.maximum(x, 1e-3), 0.999)
        y = tl.log(p) + tl.log(1 - p)
    elif HOW == "log_nested":
        y = tl.where(x > z, tl.where(z >= 0, tl.log(x), 0.0), 0.0)
    elif HOW == "root":
        y = tl.where(x >= 0, tl.sqrt(x), -tl.sqrt(-x))
    elif HOW == "root_difference":
        y = tl.where(x >= z, tl.sqrt(x - z), 0.0)
    elif HOW == "root_circle":
        y = tl.where(x * x < 1, tl.sqrt(1 - x * x), 0.0)
    elif HOW == "rsqrt":
        y = tl.where(x > 0.5, tl.rsqrt(x - 0.25), 0.0)
    elif HOW == "quotient":
        y = tl.where(x != 0, z / x, 0.0)
    elif HOW == "quotient_not_small":
        y = tl.where(tl.abs(x) > 1e-3, z / x, 0.0)
    elif HOW == "quotient_product":
        y = tl.where(x * z != 0, 1 / x + 1 / z, 0.0)
    elif HOW == "quotient_floor":
        y = z / tl.maximum(x, 1e-6)
    elif HOW == "quotient_difference":
        y = tl.where(x < z, 1 / (z - x), 1.0)
    elif HOW == "scalar":
        y = tl.where(x > eps, tl.log(x - eps), 0.0)
    elif HOW == "log_unit":
        y = tl.where(tl.abs(x) < 1, 0.5 * (tl.log(1 + x) - tl.log(1 - x)), 0.0)
    elif HOW == "log_lesser":
        y = tl.where(tl.minimum(x, z) > 0, tl.log(x) - tl.log(z), 0.0)
    elif HOW == "log_greater":
        y = tl.where(tl.maximum(x, z) < 1, tl.log(1 - x) + tl.log(1 - z), 0.0)
    elif HOW == "root_unit":
        y = tl.where(tl.abs(x) <= 2, tl.sqrt(4 - x * x), 0.0)
    elif HOW == "root_clamped":
        p = tl.minimum(tl.maximum(x, -1.0), 1.0)
        y = tl.sqrt(1 - p * p)
    elif HOW == "log_unit_wrong":
        y = tl.where(tl.abs(x) < 1, tl.log(1 + 2 * x), 0.0)
    elif HOW == "log_absolute_wrong":
        y = tl.where(tl.abs(x) > 1, tl.log(x), 0.0)
    elif HOW == "log_greater_wrong":
        y = tl.where(tl.maximum(x, z) > 0, tl.log(x), 0.0)
    elif HOW == "log_lesser_wrong":
        y = tl.where(tl.minimum(x, z) < 1, tl.log(1 - x), 0.0)
    elif HOW == "root_unit_wrong":
        y = tl.where(tl.abs(x) <= 2, tl.sqrt(2 - x * x), 0.0)
    elif HOW == "root_clamped_wrong":
        p = tl.minimum(tl.maximum(x, -1.5), 1.0)
        y = tl.sqrt(1 - p * p)
    elif HOW == "log_wrong":
        y = tl.where(x >= 0, tl.log(x), 0.0)
    elif HOW == "log_negated_wrong":
        y = tl.where(x > 0, 0.0, tl.log(x))
    elif HOW == "log_shifted_wrong":
        y = tl.where(x > 1, tl.log(x - 1.5), 0.0)
    elif HOW == "log_other_wrong":
        y = tl.where(z > 0, tl.log(x), 0.0)
    elif HOW == "log_or_wrong":
        y = tl.where((x > 0) | (z > 0), tl.log(x), 0.0)
    elif HOW == "log_below_wrong":
        y = tl.where(x < z, tl.log(x - z), 0.0)
    elif HOW == "log_nested_wrong":
        y = tl.where(x > z, tl.where(z >= -1, tl.log(x), 0.0), 0.0)
    elif HOW == "root_wrong":
        y = tl.where(x >= -1, tl.sqrt(x), 0.0)
    elif HOW == "root_negative_wrong":
        y = tl.where(x >= 0, tl.sqrt(-x), 0.0)
    elif HOW == "quotient_wrong":
        y = tl.where(tl.abs(x) >= 0, z / x, 0.0)
    elif HOW == "quotient_sum_wrong":
        y = tl.where(x + z != 0, 1 / x, 0.0)
    elif HOW == "quotient_shifted_wrong":
        y = tl.where(x != 1, z / x, 0.0)
    elif HOW == "quotient_ceiling_wrong":
        y = z / tl.minimum(x, 1e-6)
    elif HOW == "log_clamped_wrong":
        p = tl.minimum(tl.maximum(x, 1e-3), 1.0)
        y = tl.log(p) + tl.log(1 - p)
    elif HOW == "product_wrong":
        y = (x > 0).to(tl.float32) * tl.log(x)
    tl.store(y_ptr + at, y, mask=mask)


@triton.jit
def row_sum(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
    if HOW == "guarded":
        tl.store(y_ptr + row, tl.sum(tl.where(x > 0, x * tl.log(x), 0.0), 0))
    elif HOW == "padding":
        tl.store(y_ptr + row, tl.sum(tl.where(x >= 0, x * tl.log(x + 1), 0.0), 0))
    else:
        tl.store(y_ptr + row, tl.sum(tl.where(x >= 0, x * tl.log(x), 0.0), 0))


@triton.jit
def normal(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    if HOW == "lanes_reversed":
        cols = BLOCK - 1 - cols
    mask = cols < n_cols
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask, other=0.0)
    root = tl.sqrt(tl.sum(x * x, 0))
    if HOW == "norm":
        y = tl.where(root > 0, x / root, 0.0)
    elif HOW == "norm_wrong":
        y = tl.where(root >= 0, x / root, 0.0)
    elif HOW == "norm_other_wrong":
        y = tl.where(root > -1, x / root, 0.0)
    else:
        e = tl.exp(x - tl.max(tl.where(mask, x, -float("inf")), 0))
        y = e / tl.sum(tl.where(mask, e, 0.0), 0)
    tl.store(y_ptr + row * n_cols + cols, y, mask=mask)


@triton.jit
def behind_the_first(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if HOW == "not_zero":
        runs = pid != 0
    else:
        runs = pid != 1
    if runs:
        at = (pid - 1) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)


TYPES = {"x_ptr": "*fp32", "z_ptr": "*fp32", "y_ptr": "*fp32", "eps": "fp32", "n": "i32"}
ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
RIGHT = {
    "log": "where(x_ptr > 0, log(x_ptr), 0)",
    "log_reversed": "where(x_ptr <= 0, 0, log(x_ptr))",
    "log_shifted": "where(x_ptr > 1, log(2 * x_ptr - 1), 0)",
    "log_between": "where((x_ptr < 1) & (x_ptr > 0), log(x_ptr) - log(1 - x_ptr), 0)",
    "log_clamped": "log(clamp(x_ptr, 0.001, 0.999)) + log(1 - clamp(x_ptr, 0.001, 0.999))",
    "log_nested": "where((x_ptr > z_ptr) & (z_ptr >= 0), log(x_ptr), 0)",
    "root": "where(x_ptr >= 0, sqrt(x_ptr), -sqrt(-x_ptr))",
    "root_difference": "where(x_ptr >= z_ptr, sqrt(x_ptr - z_ptr), 0)",
    "root_circle": "where(x_ptr ** 2 < 1, sqrt(1 - x_ptr ** 2), 0)",
    "rsqrt": "where(x_ptr > 0.5, 1 / sqrt(x_ptr - 0.25), 0)",
    "quotient": "where(x_ptr != 0, z_ptr / x_ptr, 0)",
    "quotient_not_small": "where(abs(x_ptr) > 0.001, z_ptr / x_ptr, 0)",
    "quotient_product": "where(x_ptr * z_ptr != 0, 1 / x_ptr + 1 / z_ptr, 0)",
    "quotient_floor": "z_ptr / maximum(x_ptr, 1e-06)",
    "quotient_difference": "where(x_ptr < z_ptr, 1 / (z_ptr - x_ptr), 1)",
    "log_unit": "where(abs(x_ptr) < 1, 0.5 * (log(1 + x_ptr) - log(1 - x_ptr)), 0)",
    "log_lesser": "where(minimum(x_ptr, z_ptr) > 0, log(x_ptr) - log(z_ptr), 0)",
    "log_greater": "where(maximum(x_ptr, z_ptr) < 1, log(1 - x_ptr) + log(1 - z_ptr), 0)",
    "root_unit": "where(abs(x_ptr) <= 2, sqrt(4 - x_ptr ** 2), 0)",
    "root_clamped": "sqrt(1 - clamp(x_ptr, -1, 1) ** 2)",
    "scalar": "where(x_ptr > eps, log(x_ptr - eps), 0)",
}
WRONG = [
    "log_wrong",
    "log_negated_wrong",
    "log_shifted_wrong",
    "log_other_wrong",
    "log_or_wrong",
    "log_below_wrong",
    "log_nested_wrong",
    "root_wrong",
    "root_negative_wrong",
    "quotient_wrong",
    "quotient_sum_wrong",
    "quotient_shifted_wrong",
    "quotient_ceiling_wrong",
    "log_clamped_wrong",
    "product_wrong",
    "log_unit_wrong",
    "log_absolute_wrong",
    "log_greater_wrong",
    "log_lesser_wrong",
    "root_unit_wrong",
    "root_clamped_wrong",
]
FORMS = {
    **{
        how: {
            "kernel": guarded,
            "types": TYPES,
            "constexprs": {"HOW": how, "BLOCK": 128},
            "formula": formula,
            "assumes": [],
        }
        for how, formula in RIGHT.items()
    },
    **{
        how: {"kernel": guarded, "types": TYPES, "constexprs": {"HOW": how, "BLOCK": 128}, "unsafe": True}
        for how in WRONG
    },
    "row_sum": {
        "kernel": row_sum,
        "types": ROWS,
        "constexprs": {"HOW": "guarded", "BLOCK": 128},
        "formula": "sum(where(x_ptr > 0, x_ptr * log(x_ptr), 0), axis=1)",
    },
    "row_sum_padding": {
        "kernel": row_sum,
        "types": ROWS,
        "constexprs": {"HOW": "padding", "BLOCK": 128},
        "formula": "sum(where(x_ptr >= 0, x_ptr * log(1 + x_ptr), 0), axis=1)",
    },
    **{
        how: {"kernel": normal, "types": ROWS, "constexprs": {"HOW": how, "BLOCK": 64}, "formula": formula}
        for how, formula in {
            "norm": "where(sqrt(sum(x_ptr ** 2, axis=1)) > 0, x_ptr / sqrt(sum(x_ptr ** 2, axis=1)), 0)",
            "lanes_reversed": "softmax(x_ptr, axis=1)",
        }.items()
    },
    **{
        how: {"kernel": normal, "types": ROWS, "constexprs": {"HOW": how, "BLOCK": 64}, "unsafe": True}
        for how in ("norm_wrong", "norm_other_wrong")
    },
    "not_zero": {
        "kernel": behind_the_first,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": "not_zero", "BLOCK": 64},
        "formula": "x_ptr",
    },
    "not_one_wrong": {
        "kernel": behind_the_first,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": "not_one", "BLOCK": 64},
        "unproved": True,
    },
    "row_sum_wrong": {"kernel": row_sum, "types": ROWS, "constexprs": {"HOW": "", "BLOCK": 128}, "unsafe": True},
}
