"""Attention with base-2 exponentials (log2 e folded into the score scale) and log-sum-exp output.

log2 is taken once per row at the end; the log-sum-exp is stored in natural units for the backward pass.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_exp2_lse_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    lse_ptr,
    scale,
    n_queries,
    n_keys,
    stride_qh,
    stride_qm,
    stride_kh,
    stride_kn,
    stride_vh,
    stride_vn,
    stride_oh,
    stride_om,
    stride_lh,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    block = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, HEAD_DIM)
    q = tl.load(
        q_ptr + head * stride_qh + rows[:, None] * stride_qm + depth[None, :],
        mask=rows[:, None] < n_queries,
        other=0.0,
    )
    scale_log2 = scale * 1.4426950408889634
    m = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    l = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    k_ptrs = k_ptr + head * stride_kh + tl.arange(0, BLOCK_N)[None, :] * stride_kn + depth[:, None]
    v_ptrs = v_ptr + head * stride_vh + tl.arange(0, BLOCK_N)[:, None] * stride_vn + depth[None, :]
    if CAUSAL:
        end = tl.minimum((block + 1) * BLOCK_M, n_keys)
    else:
        end = n_keys
    for start in range(0, end, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptrs, mask=cols[None, :] < n_keys, other=0.0)
        scores = tl.dot(q, k) * scale_log2
        keep = cols[None, :] < n_keys
        if CAUSAL:
            keep = keep & (rows[:, None] >= cols[None, :])
        scores = tl.where(keep, scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=1))
        alpha = tl.math.exp2(m - m_new)
        p = tl.math.exp2(scores - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptrs, mask=cols[:, None] < n_keys, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m = m_new
        k_ptrs += BLOCK_N * stride_kn
        v_ptrs += BLOCK_N * stride_vn
    acc = acc / l[:, None]
    tl.store(lse_ptr + head * stride_lh + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_queries)
    tl.store(
        out_ptr + head * stride_oh + rows[:, None] * stride_om + depth[None, :],
        acc.to(out_ptr.dtype.element_ty),
        mask=rows[:, None] < n_queries,
    )


def attention_exp2_lse(q, k, v, scale, causal=False, block=(32, 32)):
    heads, n_queries, head_dim = q.shape
    n_keys = k.shape[1]
    out = torch.empty_like(q)
    lse = torch.empty((heads, n_queries), dtype=torch.float32)
    grid = (triton.cdiv(n_queries, block[0]), heads)
    attention_exp2_lse_kernel[grid](
        q,
        k,
        v,
        out,
        lse,
        scale,
        n_queries,
        n_keys,
        *q.stride()[:2],
        *k.stride()[:2],
        *v.stride()[:2],
        *out.stride()[:2],
        lse.stride(0),
        block[0],
        block[1],
        head_dim,
        causal,
    )
    return {"out_ptr": out, "lse_ptr": lse}
