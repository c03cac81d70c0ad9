"""Grouped-query attention: several query heads share one key/value head (q_head // group)."""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_gqa_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    scale,
    n_queries,
    n_keys,
    group_size,
    stride_qb,
    stride_qm,
    stride_qh,
    stride_kb,
    stride_kn,
    stride_kh,
    stride_vb,
    stride_vn,
    stride_vh,
    stride_ob,
    stride_om,
    stride_oh,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    batch = tl.program_id(2).to(tl.int64)
    kv_head = head // group_size
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, HEAD_DIM)
    q = tl.load(
        q_ptr + batch * stride_qb + head * stride_qh + rows[:, None] * stride_qm + depth[None, :],
        mask=rows[:, None] < n_queries,
        other=0.0,
    )
    k_base = k_ptr + batch * stride_kb + kv_head * stride_kh
    v_base = v_ptr + batch * stride_vb + kv_head * stride_vh
    m = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    l = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    for start in range(0, n_keys, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_base + cols[None, :] * stride_kn + depth[:, None], mask=cols[None, :] < n_keys, other=0.0)
        v = tl.load(v_base + cols[:, None] * stride_vn + depth[None, :], mask=cols[:, None] < n_keys, other=0.0)
        scores = tl.where(cols[None, :] < n_keys, tl.dot(q, k) * scale, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m = m_new
    tl.store(
        out_ptr + batch * stride_ob + head * stride_oh + rows[:, None] * stride_om + depth[None, :],
        (acc / l[:, None]).to(out_ptr.dtype.element_ty),
        mask=rows[:, None] < n_queries,
    )


def attention_gqa(q, k, v, scale, block=(16, 32)):
    batch, n_queries, heads, head_dim = q.shape
    n_keys, kv_heads = k.shape[1:3]
    out = torch.empty_like(q)
    grid = (triton.cdiv(n_queries, block[0]), heads, batch)
    attention_gqa_kernel[grid](
        q,
        k,
        v,
        out,
        scale,
        n_queries,
        n_keys,
        heads // kv_heads,
        *q.stride()[:3],
        *k.stride()[:3],
        *v.stride()[:3],
        *out.stride()[:3],
        block[0],
        block[1],
        head_dim,
    )
    return {"out_ptr": out}
