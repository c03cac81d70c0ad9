"""Grouped-query heads: the key head is head % group instead of head // group."""

import triton
import triton.language as tl

SPEC = {
    "kind": "value",
    "types": "q_ptr:*fp32 k_ptr:*fp32 out_ptr:*fp32 group:i32",
    "constexprs": {"DIM": 16},
    "tensors": {"q": ("f32", "KV*group", 16), "k": ("f32", "max(KV,group)", 16), "out": ("f32", "KV*group")},
    "grid": ["KV*group"],
    "sample": {"KV": 3, "group": 2},
}


@triton.jit
def kv_head_by_remainder_bug(q_ptr, k_ptr, out_ptr, group, DIM: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    depth = tl.arange(0, DIM)
    q = tl.load(q_ptr + head * DIM + depth)
    k = tl.load(k_ptr + head % group * DIM + depth)
    tl.store(out_ptr + head, tl.sum(q * k, axis=0))


@triton.jit
def kv_head_by_remainder_fixed(q_ptr, k_ptr, out_ptr, group, DIM: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    depth = tl.arange(0, DIM)
    q = tl.load(q_ptr + head * DIM + depth)
    k = tl.load(k_ptr + head // group * DIM + depth)
    tl.store(out_ptr + head, tl.sum(q * k, axis=0))
