"""Backward pass of causal or full attention in three launches: delta, then dk and dv, then dq.

Probabilities are computed again from the log-sum-exp of the forward pass. delta is the row sum of
dout * out. One program of the second launch owns a block of keys and walks over queries (from the
diagonal on, if causal); one of the third owns queries and walks over keys.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_delta_kernel(
    out_ptr, dout_ptr, delta_ptr, n_queries, stride_h, stride_m, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr
):
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, HEAD_DIM)
    offsets = head * stride_h + rows[:, None] * stride_m + depth[None, :]
    mask = rows[:, None] < n_queries
    out = tl.load(out_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    dout = tl.load(dout_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    tl.store(delta_ptr + head * n_queries + rows, tl.sum(out * dout, axis=1), mask=rows < n_queries)


@triton.jit
def attention_dk_dv_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    dout_ptr,
    lse_ptr,
    delta_ptr,
    dk_ptr,
    dv_ptr,
    scale,
    n_queries,
    n_keys,
    stride_qh,
    stride_qm,
    stride_kh,
    stride_kn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    block = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    cols = block * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, HEAD_DIM)
    col_mask = cols[:, None] < n_keys
    kv_offsets = head * stride_kh + cols[:, None] * stride_kn + depth[None, :]
    k = tl.load(k_ptr + kv_offsets, mask=col_mask, other=0.0)
    v = tl.load(v_ptr + kv_offsets, mask=col_mask, other=0.0)
    dk = tl.zeros((BLOCK_N, HEAD_DIM), dtype=tl.float32)
    dv = tl.zeros((BLOCK_N, HEAD_DIM), dtype=tl.float32)
    if CAUSAL:
        first = (block * BLOCK_N) // BLOCK_M * BLOCK_M
    else:
        first = 0
    for start in range(first, n_queries, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        row_mask = rows[:, None] < n_queries
        q_offsets = head * stride_qh + rows[:, None] * stride_qm + depth[None, :]
        q = tl.load(q_ptr + q_offsets, mask=row_mask, other=0.0)
        dout = tl.load(dout_ptr + q_offsets, mask=row_mask, other=0.0)
        lse = tl.load(lse_ptr + head * n_queries + rows, mask=rows < n_queries, other=0.0)
        delta = tl.load(delta_ptr + head * n_queries + rows, mask=rows < n_queries, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        keep = row_mask & (cols[None, :] < n_keys)
        if CAUSAL:
            keep = keep & (rows[:, None] >= cols[None, :])
        p = tl.where(keep, tl.exp(scores - lse[:, None]), 0.0)
        dv += tl.dot(tl.trans(p).to(dout.dtype), dout)
        dp = tl.dot(dout, tl.trans(v))
        ds = p * (dp - delta[:, None]) * scale
        dk += tl.dot(tl.trans(ds).to(q.dtype), q)
    tl.store(dk_ptr + kv_offsets, dk.to(dk_ptr.dtype.element_ty), mask=col_mask)
    tl.store(dv_ptr + kv_offsets, dv.to(dv_ptr.dtype.element_ty), mask=col_mask)


@triton.jit
def attention_dq_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    dout_ptr,
    lse_ptr,
    delta_ptr,
    dq_ptr,
    scale,
    n_queries,
    n_keys,
    stride_qh,
    stride_qm,
    stride_kh,
    stride_kn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    block = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    depth = tl.arange(0, HEAD_DIM)
    row_mask = rows[:, None] < n_queries
    q_offsets = head * stride_qh + rows[:, None] * stride_qm + depth[None, :]
    q = tl.load(q_ptr + q_offsets, mask=row_mask, other=0.0)
    dout = tl.load(dout_ptr + q_offsets, mask=row_mask, other=0.0)
    lse = tl.load(lse_ptr + head * n_queries + rows, mask=rows < n_queries, other=0.0)
    delta = tl.load(delta_ptr + head * n_queries + rows, mask=rows < n_queries, other=0.0)
    dq = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    if CAUSAL:
        end = tl.minimum((block + 1) * BLOCK_M, n_keys)
    else:
        end = n_keys
    for start in range(0, end, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        kv_offsets = head * stride_kh + cols[:, None] * stride_kn + depth[None, :]
        k = tl.load(k_ptr + kv_offsets, mask=cols[:, None] < n_keys, other=0.0)
        v = tl.load(v_ptr + kv_offsets, mask=cols[:, None] < n_keys, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * scale
        keep = cols[None, :] < n_keys
        if CAUSAL:
            keep = keep & (rows[:, None] >= cols[None, :])
        p = tl.where(keep, tl.exp(scores - lse[:, None]), 0.0)
        dp = tl.dot(dout, tl.trans(v))
        ds = p * (dp - delta[:, None])
        dq += tl.dot(ds.to(k.dtype), k)
    tl.store(dq_ptr + q_offsets, (dq * scale).to(dq_ptr.dtype.element_ty), mask=row_mask)


def attention_backward(q, k, v, out, dout, lse, scale, causal=False, block=(16, 32)):
    """q, k, v contiguous [heads, tokens, head_dim]; lse in natural units from the forward pass."""
    heads, n_queries, head_dim = q.shape
    n_keys = k.shape[1]
    delta = torch.empty((heads, n_queries), dtype=torch.float32)
    dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
    block_m, block_n = block
    query_blocks, key_blocks = triton.cdiv(n_queries, block_m), triton.cdiv(n_keys, block_n)
    attention_delta_kernel[(query_blocks, heads)](
        out, dout, delta, n_queries, out.stride(0), out.stride(1), block_m, head_dim
    )
    sizes = (
        scale,
        n_queries,
        n_keys,
        q.stride(0),
        q.stride(1),
        k.stride(0),
        k.stride(1),
        block_m,
        block_n,
        head_dim,
        causal,
    )
    attention_dk_dv_kernel[(key_blocks, heads)](q, k, v, dout, lse, delta, dk, dv, *sizes)
    attention_dq_kernel[(query_blocks, heads)](q, k, v, dout, lse, delta, dq, *sizes)
    return {"delta_ptr": delta, "dk_ptr": dk, "dv_ptr": dv, "dq_ptr": dq}
