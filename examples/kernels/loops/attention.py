"""Attention over one head per program row: out = softmax(q @ k^T * scale) @ v, online over the keys.

The textbook form: natural exponentials, scores of padded keys are -inf, one division at the end.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    scale,
    n_queries,
    n_keys,
    head_dim,
    stride_qh,
    stride_qm,
    stride_kh,
    stride_kn,
    stride_vh,
    stride_vn,
    stride_oh,
    stride_om,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
):
    block = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, BLOCK_D)
    row_mask = (rows[:, None] < n_queries) & (depth[None, :] < head_dim)
    q = tl.load(q_ptr + head * stride_qh + rows[:, None] * stride_qm + depth[None, :], mask=row_mask, other=0.0)
    running_max = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    running_sum = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, BLOCK_D), dtype=tl.float32)
    for start in range(0, n_keys, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        key_mask = (cols[:, None] < n_keys) & (depth[None, :] < head_dim)
        k = tl.load(k_ptr + head * stride_kh + cols[:, None] * stride_kn + depth[None, :], mask=key_mask, other=0.0)
        v = tl.load(v_ptr + head * stride_vh + cols[:, None] * stride_vn + depth[None, :], mask=key_mask, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(cols[None, :] < n_keys, scores, float("-inf"))
        new_max = tl.maximum(running_max, tl.max(scores, axis=1))
        rescale = tl.exp(running_max - new_max)
        weights = tl.exp(scores - new_max[:, None])
        running_sum = running_sum * rescale + tl.sum(weights, axis=1)
        acc = acc * rescale[:, None] + tl.dot(weights.to(v.dtype), v)
        running_max = new_max
    acc = acc / running_sum[:, None]
    tl.store(
        out_ptr + head * stride_oh + rows[:, None] * stride_om + depth[None, :],
        acc.to(out_ptr.dtype.element_ty),
        mask=row_mask,
    )


def attention(q, k, v, scale, block=(32, 32)):
    heads, n_queries, head_dim = q.shape
    n_keys = k.shape[1]
    out = torch.empty_like(q)
    grid = (triton.cdiv(n_queries, block[0]), heads)
    attention_kernel[grid](
        q,
        k,
        v,
        out,
        scale,
        n_queries,
        n_keys,
        head_dim,
        q.stride(0),
        q.stride(1),
        k.stride(0),
        k.stride(1),
        v.stride(0),
        v.stride(1),
        out.stride(0),
        out.stride(1),
        block[0],
        block[1],
        max(16, triton.next_power_of_2(head_dim)),
    )
    return {"out_ptr": out}
