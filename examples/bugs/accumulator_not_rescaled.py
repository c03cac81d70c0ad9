"""One-query attention: the sum is rescaled, the accumulator is not."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "s_ptr:*fp32 v_ptr:*fp32 out_ptr:*fp32 n_keys:i32",
    "constexprs": {"BLOCK": 16, "DIM": 16},
    "tensors": {"s": ("f32", "M", "n_keys"), "v": ("f32", "n_keys", 16), "out": ("f32", "M", 16)},
    "grid": ["M"],
    "sample": {"M": 3, "n_keys": 50},
}


@triton.jit
def accumulator_not_rescaled_bug(s_ptr, v_ptr, out_ptr, n_keys, BLOCK: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    depth = tl.arange(0, DIM)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros((DIM,), dtype=tl.float32)
    for start in range(0, n_keys, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        s = tl.load(s_ptr + row * n_keys + keys, mask=keys < n_keys, other=-float("inf"))
        v = tl.load(v_ptr + keys[:, None] * DIM + depth[None, :], mask=keys[:, None] < n_keys, other=0.0)
        m_new = tl.maximum(m, tl.max(s, axis=0))
        p = tl.exp(s - m_new)
        l = l * tl.exp(m - m_new) + tl.sum(p, axis=0)
        acc = acc + tl.sum(p[:, None] * v, axis=0)
        m = m_new
    tl.store(out_ptr + row * DIM + depth, acc / l)


@triton.jit
def accumulator_not_rescaled_fixed(s_ptr, v_ptr, out_ptr, n_keys, BLOCK: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    depth = tl.arange(0, DIM)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros((DIM,), dtype=tl.float32)
    for start in range(0, n_keys, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        s = tl.load(s_ptr + row * n_keys + keys, mask=keys < n_keys, other=-float("inf"))
        v = tl.load(v_ptr + keys[:, None] * DIM + depth[None, :], mask=keys[:, None] < n_keys, other=0.0)
        m_new = tl.maximum(m, tl.max(s, axis=0))
        alpha = tl.exp(m - m_new)
        p = tl.exp(s - m_new)
        l = l * alpha + tl.sum(p, axis=0)
        acc = acc * alpha + tl.sum(p[:, None] * v, axis=0)
        m = m_new
    tl.store(out_ptr + row * DIM + depth, acc / l)
