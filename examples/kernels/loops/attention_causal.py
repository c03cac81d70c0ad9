"""Causal attention, f16 with f32 accumulators, batch and heads in one grid axis.

The key loop ends at the diagonal of the query block; scores above it are -inf. Batch and head
strides are separate, as the tensors are usually a permuted view of one projection.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_causal_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    scale,
    n_heads,
    n_ctx,
    head_dim,
    stride_qb,
    stride_qh,
    stride_qm,
    stride_kb,
    stride_kh,
    stride_kn,
    stride_vb,
    stride_vh,
    stride_vn,
    stride_ob,
    stride_oh,
    stride_om,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
):
    block = tl.program_id(0)
    batch = (tl.program_id(1) // n_heads).to(tl.int64)
    head = (tl.program_id(1) % n_heads).to(tl.int64)
    q_ptr += batch * stride_qb + head * stride_qh
    k_ptr += batch * stride_kb + head * stride_kh
    v_ptr += batch * stride_vb + head * stride_vh
    out_ptr += batch * stride_ob + head * stride_oh
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, BLOCK_D)
    row_mask = (rows[:, None] < n_ctx) & (depth[None, :] < head_dim)
    q = tl.load(q_ptr + rows[:, None] * stride_qm + depth[None, :], mask=row_mask, other=0.0)
    m = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    l = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, BLOCK_D), dtype=tl.float32)
    end = tl.minimum((block + 1) * BLOCK_M, n_ctx)
    for start in range(0, end, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(
            k_ptr + cols[None, :] * stride_kn + depth[:, None],
            mask=(cols[None, :] < n_ctx) & (depth[:, None] < head_dim),
            other=0.0,
        )
        scores = tl.dot(q, k) * scale
        scores = tl.where((rows[:, None] >= cols[None, :]) & (cols[None, :] < n_ctx), scores, float("-inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(scores - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        v = tl.load(
            v_ptr + cols[:, None] * stride_vn + depth[None, :],
            mask=(cols[:, None] < n_ctx) & (depth[None, :] < head_dim),
            other=0.0,
        )
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m = m_new
    out = acc / l[:, None]
    tl.store(out_ptr + rows[:, None] * stride_om + depth[None, :], out.to(out_ptr.dtype.element_ty), mask=row_mask)


def attention_causal(q, k, v, scale, block=(32, 16)):
    batch, heads, n_ctx, head_dim = q.shape
    out = torch.empty_like(q)
    grid = (triton.cdiv(n_ctx, block[0]), batch * heads)
    attention_causal_kernel[grid](
        q,
        k,
        v,
        out,
        scale,
        heads,
        n_ctx,
        head_dim,
        *q.stride()[:3],
        *k.stride()[:3],
        *v.stride()[:3],
        *out.stride()[:3],
        block[0],
        block[1],
        max(16, triton.next_power_of_2(head_dim)),
    )
    return {"out_ptr": out}
