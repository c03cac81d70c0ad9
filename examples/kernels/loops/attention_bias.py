"""Attention with an additive bias of shape [heads, queries, keys], read tile by tile."""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_bias_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    bias_ptr,
    out_ptr,
    scale,
    n_queries,
    n_keys,
    stride_qh,
    stride_qm,
    stride_kh,
    stride_kn,
    stride_vh,
    stride_vn,
    stride_bh,
    stride_bm,
    stride_oh,
    stride_om,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, HEAD_DIM)
    in_rows = rows[:, None] < n_queries
    q = tl.load(q_ptr + head * stride_qh + rows[:, None] * stride_qm + depth[None, :], mask=in_rows, other=0.0)
    q = q * scale
    m = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    l = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    for start in range(0, n_keys, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        in_cols = cols[None, :] < n_keys
        k = tl.load(
            k_ptr + head * stride_kh + cols[:, None] * stride_kn + depth[None, :],
            mask=cols[:, None] < n_keys,
            other=0.0,
        )
        v = tl.load(
            v_ptr + head * stride_vh + cols[:, None] * stride_vn + depth[None, :],
            mask=cols[:, None] < n_keys,
            other=0.0,
        )
        bias = tl.load(
            bias_ptr + head * stride_bh + rows[:, None] * stride_bm + cols[None, :], mask=in_rows & in_cols, other=0.0
        )
        scores = tl.where(in_cols, tl.dot(q, tl.trans(k)) + bias, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p, v)
        m = m_new
    tl.store(out_ptr + head * stride_oh + rows[:, None] * stride_om + depth[None, :], acc / l[:, None], mask=in_rows)


def attention_bias(q, k, v, bias, scale, block=(16, 32)):
    heads, n_queries, head_dim = q.shape
    n_keys = k.shape[1]
    out = torch.empty_like(q)
    grid = (triton.cdiv(n_queries, block[0]), heads)
    attention_bias_kernel[grid](
        q,
        k,
        v,
        bias,
        out,
        scale,
        n_queries,
        n_keys,
        *q.stride()[:2],
        *k.stride()[:2],
        *v.stride()[:2],
        *bias.stride()[:2],
        *out.stride()[:2],
        block[0],
        block[1],
        head_dim,
    )
    return {"out_ptr": out}
