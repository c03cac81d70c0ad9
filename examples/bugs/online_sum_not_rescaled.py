"""Online softmax forgets to rescale the sum when the maximum grows."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "x_ptr:*fp32 out_ptr:*fp32 n_cols:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "M", "n_cols"), "out": ("f32", "M")},
    "grid": ["M"],
    "sample": {"M": 3, "n_cols": 50},
}


@triton.jit
def online_sum_not_rescaled_bug(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    m = -float("inf")
    s = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
        m = tl.maximum(m, tl.max(x, axis=0))
        s += tl.sum(tl.exp(x - m), axis=0)
    tl.store(out_ptr + row, m + tl.log(s))


@triton.jit
def online_sum_not_rescaled_fixed(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    m = -float("inf")
    s = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
        m_new = tl.maximum(m, tl.max(x, axis=0))
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m = m_new
    tl.store(out_ptr + row, m + tl.log(s))
