"""Loops whose step reads what other lanes carry: states of recurrences that are arrays."""

import triton
import triton.language as tl


@triton.jit
def powers(w_ptr, x_ptr, y_ptr, n, SIZE: tl.constexpr, TRANSPOSED: tl.constexpr):
    """y = W^n x"""
    i, j = tl.arange(0, SIZE), tl.arange(0, SIZE)
    w = tl.load(w_ptr + i[:, None] * SIZE + j[None, :])
    x = tl.load(x_ptr + i)
    for _ in range(0, n):
        x = tl.sum(w * x[:, None], 0) if TRANSPOSED else tl.sum(w * x[None, :], 1)
        x = x.reshape([SIZE])
    tl.store(y_ptr + i, x)


@triton.jit
def delta_rule(
    k_ptr, v_ptr, b_ptr, o_ptr, s_ptr, n, d, COLUMNS: tl.constexpr, ROWS: tl.constexpr, ORDER: tl.constexpr
):
    """S += b (v - S k) k^T for each token; o = S k, before it (0) or behind it (1), and the last S."""
    i, j = tl.arange(0, ROWS), tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    s = tl.zeros([ROWS, COLUMNS], tl.float32)
    for t in range(0, n):
        k = tl.load(k_ptr + t * ROWS + i)
        v = tl.load(v_ptr + t * d + j, mask=j < d, other=0.0)
        before = tl.sum(s * k[:, None], 0)
        s += tl.load(b_ptr + t) * (v - before)[None, :] * k[:, None]
        after = tl.sum(s * k[:, None], 0)
        tl.store(o_ptr + t * d + j, after if ORDER else before, mask=j < d)
    tl.store(s_ptr + i[:, None] * d + j[None, :], s, mask=j[None, :] < d)


@triton.jit
def inverse_by_rows(a_ptr, y_ptr, n, SIZE: tl.constexpr, SIGN: tl.constexpr):
    """Rows 1 to n - 1 of (I + A)^-1 for a strictly lower triangular A, each from those before it; n <= SIZE."""
    i, j = tl.arange(0, SIZE), tl.arange(0, SIZE)
    y = tl.where(i[:, None] > j[None, :], tl.load(a_ptr + i[:, None] * SIZE + j[None, :]), 0.0) * SIGN
    for r in range(1, min(n, SIZE)):
        row = tl.where(j < r, tl.load(a_ptr + r * SIZE + j), 0.0) * SIGN
        row += tl.sum(row[:, None] * y, 0)
        y = tl.where((i == r)[:, None], row[None, :], y)
    tl.store(y_ptr + i[:, None] * SIZE + j[None, :], y + (i[:, None] == j[None, :]))


@triton.jit
def balanced(x_ptr, y_ptr, n, SIZE: tl.constexpr, FIRST: tl.constexpr):
    """Sinkhorn's steps: rows, then columns (FIRST 0; 1: the other way) are divided by their sums."""
    i, j = tl.arange(0, SIZE), tl.arange(0, SIZE)
    x = tl.exp(tl.load(x_ptr + i[:, None] * SIZE + j[None, :]))
    for _ in range(0, n):
        x = x / tl.sum(x, FIRST, keep_dims=True)
        x = x / tl.sum(x, 1 - FIRST, keep_dims=True)
    tl.store(y_ptr + i[:, None] * SIZE + j[None, :], x)


def form(kernel, types, formula, wrong=False, safety="proved", **constexprs):
    found = {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula, "safety": safety}
    return {**found, "wrong": True} if wrong else found


POWERS = {"w_ptr": "*fp32", "x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
DELTA = {
    "k_ptr": "*fp32",
    "v_ptr": "*fp32",
    "b_ptr": "*fp32",
    "o_ptr": "*fp32",
    "s_ptr": "*fp32",
    "n": "i32",
    "d": "i32",
}
INVERSE = {"a_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
BALANCED = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
POWER = "y_ptr[i] = recur[k2 < n, k3 < 8, s2[k3]](x_ptr[k3], sum[k < 8](s2[k]*w_ptr[8*k3 + k]))[i]"
STATE = (
    "recur[k2 < {}, k3 < 8, s2[k3]](0, s2[k3] + b_ptr[k2]*k_ptr[8*k2 + k3]*(v_ptr[k2, j] - sum[k < 8](k_ptr[8*k2 +"
    " k]*s2[k])))"
)
BEFORE = [
    "o_ptr[i, j] = sum[k4 < 8](k_ptr[8*i + k4]*" + STATE.format("i") + "[k4])",
    "s_ptr[i, j] = " + STATE.format("n") + "[i]",
]
ROWS = (
    "y_ptr[i] = recur[k2 < min(8, n) - 1, k3 < 8, s2[k3]](-where(i < k3 + 8*(i // 8), a_ptr[8*k3 + i % 8], 0),"
    " where(k3 == k2 + 1, sum[k < k2 + 1](-a_ptr[8*k2 + k + 8]*s2[k]) - where(i <= k2 + 8*(i // 8), a_ptr[8*k2 + i % 8"
    " + 8], 0), s2[k3]))[i // 8] + where(i == 9*(i // 8), 1, 0)"
)
SINKHORN = (
    "y_ptr[i] = recur[k3 < n, k4 < 8, k5 < 8, s3[k4, k5]](exp(x_ptr[8*k4 + k5]), "
    "s3[k4, k5] / (sum[k < 8](s3[k, k5])*sum[k2 < 8](s3[k4, k2] / sum[k < 8](s3[k, k2]))))[i // 8, i % 8]"
)
FORMS = {
    "powers": form(powers, POWERS, POWER, SIZE=8, TRANSPOSED=0),
    "powers_transposed": form(powers, POWERS, POWER, wrong=True, SIZE=8, TRANSPOSED=1),
    "delta_before": form(delta_rule, DELTA, BEFORE, COLUMNS=16, ROWS=8, ORDER=0),
    "delta_after": form(delta_rule, DELTA, BEFORE[0], wrong=True, COLUMNS=16, ROWS=8, ORDER=1),
    "inverse": form(inverse_by_rows, INVERSE, ROWS, SIZE=8, SIGN=-1),
    "inverse_of_the_other_sign": form(inverse_by_rows, INVERSE, ROWS, wrong=True, SIZE=8, SIGN=1),
    "balanced": form(balanced, BALANCED, SINKHORN, safety="unknown", SIZE=8, FIRST=0),
    "balanced_columns_first": form(balanced, BALANCED, SINKHORN, wrong=True, SIZE=8, FIRST=1),
}
