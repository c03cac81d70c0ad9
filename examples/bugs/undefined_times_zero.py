"""Padded rows of V are loaded without `other` and multiplied by probabilities that are 0: 0 * NaN is NaN. K may
be padded so, as a select follows.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 out_ptr:*fp32 n_keys:i32",
    "constexprs": {"BLOCK": 16, "DIM": 16},
    "assume": ["n_keys <= 16"],
    "tensors": {
        "q": ("f32", "M", 16),
        "k": ("f32", "n_keys", 16),
        "v": ("f32", "n_keys", 16),
        "out": ("f32", "M", 16),
    },
    "grid": ["M"],
    "sample": {"M": 3, "n_keys": 11},
    "poison": "nan",
}


@triton.jit
def undefined_times_zero_bug(q_ptr, k_ptr, v_ptr, out_ptr, n_keys, BLOCK: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    keys = tl.arange(0, BLOCK)
    depth = tl.arange(0, DIM)
    inside = keys[:, None] < n_keys
    q = tl.load(q_ptr + row * DIM + depth)
    k = tl.load(k_ptr + keys[:, None] * DIM + depth[None, :], mask=inside)
    scores = tl.where(keys < n_keys, tl.sum(q[None, :] * k, axis=1), -float("inf"))
    p = tl.exp(scores - tl.max(scores, axis=0))
    v = tl.load(v_ptr + keys[:, None] * DIM + depth[None, :], mask=inside)
    tl.store(out_ptr + row * DIM + depth, tl.sum(p[:, None] * v, axis=0) / tl.sum(p, axis=0))


@triton.jit
def undefined_times_zero_fixed(q_ptr, k_ptr, v_ptr, out_ptr, n_keys, BLOCK: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    keys = tl.arange(0, BLOCK)
    depth = tl.arange(0, DIM)
    inside = keys[:, None] < n_keys
    q = tl.load(q_ptr + row * DIM + depth)
    k = tl.load(k_ptr + keys[:, None] * DIM + depth[None, :], mask=inside)
    scores = tl.where(keys < n_keys, tl.sum(q[None, :] * k, axis=1), -float("inf"))
    p = tl.exp(scores - tl.max(scores, axis=0))
    v = tl.load(v_ptr + keys[:, None] * DIM + depth[None, :], mask=inside, other=0.0)
    tl.store(out_ptr + row * DIM + depth, tl.sum(p[:, None] * v, axis=0) / tl.sum(p, axis=0))
