"""Lanes behind the mask that hold 0 or -inf and become no number before they are summed: refuted, with a size below the block and
inputs that are in the domain of every operator. Where only the inputs may leave that domain, it is no fault of the kernel's.
"""

import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, z_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    at = row * n_cols + cols
    zero = tl.load(x_ptr + at, mask=mask, other=0.0)
    low = tl.load(x_ptr + at, mask=mask, other=-float("inf"))
    other = tl.load(z_ptr + at, mask=mask, other=0.0)
    if HOW == "difference":
        y = tl.exp(low - tl.load(z_ptr + at, mask=mask, other=-float("inf")))
    elif HOW == "product":
        y = low * other
    elif HOW == "gelu":
        y = low * (1 + tl.erf(low))
    elif HOW == "silu":
        y = low / (1 + tl.exp(-low))
    elif HOW == "quotient":
        y = zero / other
    elif HOW == "rsqrt":
        y = zero * tl.rsqrt(other * other)
    elif HOW == "log":
        y = zero * tl.log(other)
    elif HOW == "quotient_filled":
        y = zero / tl.where(mask, other, 1.0)
    elif HOW == "log_filled":
        y = zero * tl.log(tl.where(mask, other, 1.0))
    elif HOW == "root_inputs":
        y = tl.sqrt(1 - zero * zero)
    elif HOW == "log_inputs":
        y = tl.log(zero - 2 + 4 * (1 - mask.to(tl.float32)))
    elif HOW == "scaled_inputs":
        y = tl.exp(low * tl.load(z_ptr))
    tl.store(y_ptr + row, tl.sum(y, 0))


@triton.jit
def product(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    OTHER: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        inner = start + tl.arange(0, BLOCK_K)
        a_mask = (rows[:, None] < M) & (inner[None, :] < K)
        a = (
            tl.load(a_ptr + rows[:, None] * K + inner[None, :], mask=a_mask, other=0.0)
            if OTHER
            else tl.load(a_ptr + rows[:, None] * K + inner[None, :], mask=a_mask)
        )
        b = tl.load(
            b_ptr + inner[:, None] * N + cols[None, :], mask=(inner[:, None] < K) & (cols[None, :] < N), other=0.0
        )
        total += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], total, mask=(rows[:, None] < M) & (cols[None, :] < N))


MATRICES = {"a_ptr": "*fp32", "b_ptr": "*fp32", "c_ptr": "*fp32", "M": "i32", "N": "i32", "K": "i32"}
TYPES = {"x_ptr": "*fp32", "z_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
REFUTED = ["difference", "product", "gelu", "silu", "quotient", "rsqrt", "log"]
INPUTS = ["quotient_filled", "log_filled", "root_inputs", "log_inputs", "scaled_inputs"]
FORMS = {
    how: {
        "kernel": rows,
        "types": TYPES,
        "constexprs": {"HOW": how, "BLOCK": 128},
        "undefined": "refuted" if how in REFUTED else "unknown",
    }
    for how in REFUTED + INPUTS
}
FORMS["large_tiles"] = {
    "kernel": product,
    "types": MATRICES,
    "constexprs": {"OTHER": False, "BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 128},
    "undefined": "refuted",
}
FORMS["large_tiles_filled"] = {
    "kernel": product,
    "types": MATRICES,
    "constexprs": {"OTHER": True, "BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 128},
    "formula": "a_ptr @ b_ptr",
}
