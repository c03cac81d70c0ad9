"""The staged structure of the well-known fused attention: off-diagonal blocks without a mask, then
the diagonal blocks with one, both through the same inner function; exp2 with a folded scale.

Unlike the other attention kernels here it needs n_ctx to be a multiple of both block sizes (the
host checks), as that structure usually does. MASK_VALUE is what stands above the diagonal: -inf,
or -1.0e6, which is only nearly the same (it is added to the score, not put in its place).
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attend_blocks(
    acc,
    l,
    m,
    q,
    k_ptrs,
    v_ptrs,
    stride_kn,
    stride_vn,
    scale,
    lo,
    hi,
    rows,
    BLOCK_N: tl.constexpr,
    MASKED: tl.constexpr,
    INFINITE: tl.constexpr,
):
    lanes = tl.arange(0, BLOCK_N)
    k_ptrs += lo * stride_kn
    v_ptrs += lo * stride_vn
    for start in range(lo, hi, BLOCK_N):
        start = tl.multiple_of(start, BLOCK_N)
        k = tl.load(k_ptrs)
        scores = tl.dot(q, k)
        if MASKED:
            visible = rows[:, None] >= (start + lanes[None, :])
            if INFINITE:
                scores = tl.where(visible, scores * scale, float("-inf"))
            else:
                scores = scores * scale + tl.where(visible, 0, -1.0e6)
            m_new = tl.maximum(m, tl.max(scores, 1))
            scores -= m_new[:, None]
        else:
            m_new = tl.maximum(m, tl.max(scores, 1) * scale)
            scores = scores * scale - m_new[:, None]
        p = tl.math.exp2(scores)
        alpha = tl.math.exp2(m - m_new)
        l = l * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_ptrs)
        acc = tl.dot(p.to(v.dtype), v, acc)
        m = m_new
        k_ptrs += BLOCK_N * stride_kn
        v_ptrs += BLOCK_N * stride_vn
    return acc, l, m


@triton.jit
def attention_staged_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    lse_ptr,
    scale,
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
    n_heads,
    n_ctx,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HEAD_DIM: tl.constexpr,
    CAUSAL: tl.constexpr,
    INFINITE: tl.constexpr,
):
    block = tl.program_id(0)
    batch_head = tl.program_id(1)
    batch = (batch_head // n_heads).to(tl.int64)
    head = (batch_head % n_heads).to(tl.int64)
    rows = block * BLOCK_M + tl.arange(0, BLOCK_M)
    lanes = tl.arange(0, BLOCK_N)
    depth = tl.arange(0, HEAD_DIM)
    q = tl.load(q_ptr + batch * stride_qb + head * stride_qh + rows[:, None] * stride_qm + depth[None, :])
    k_ptrs = k_ptr + batch * stride_kb + head * stride_kh + lanes[None, :] * stride_kn + depth[:, None]
    v_ptrs = v_ptr + batch * stride_vb + head * stride_vh + lanes[:, None] * stride_vn + depth[None, :]
    m = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    scale_log2 = scale * 1.44269504
    if CAUSAL:
        lo = tl.multiple_of(block * BLOCK_M, BLOCK_M)
        acc, l, m = attend_blocks(
            acc, l, m, q, k_ptrs, v_ptrs, stride_kn, stride_vn, scale_log2, 0, lo, rows, BLOCK_N, False, INFINITE
        )
        acc, l, m = attend_blocks(
            acc,
            l,
            m,
            q,
            k_ptrs,
            v_ptrs,
            stride_kn,
            stride_vn,
            scale_log2,
            lo,
            (block + 1) * BLOCK_M,
            rows,
            BLOCK_N,
            True,
            INFINITE,
        )
    else:
        acc, l, m = attend_blocks(
            acc, l, m, q, k_ptrs, v_ptrs, stride_kn, stride_vn, scale_log2, 0, n_ctx, rows, BLOCK_N, False, INFINITE
        )
    m += tl.math.log2(l)
    acc = acc / l[:, None]
    tl.store(lse_ptr + batch_head * n_ctx + rows, m)
    tl.store(
        out_ptr + batch * stride_ob + head * stride_oh + rows[:, None] * stride_om + depth[None, :],
        acc.to(out_ptr.dtype.element_ty),
    )


def attention_staged(q, k, v, scale, causal=True, infinite=True, block=(32, 16)):
    batch, heads, n_ctx, head_dim = q.shape
    assert n_ctx % block[0] == 0 and block[0] % block[1] == 0
    out = torch.empty_like(q)
    lse = torch.empty((batch, heads, n_ctx), dtype=torch.float32)
    grid = (n_ctx // block[0], batch * heads)
    attention_staged_kernel[grid](
        q,
        k,
        v,
        out,
        lse,
        scale,
        *q.stride()[:3],
        *k.stride()[:3],
        *v.stride()[:3],
        *out.stride()[:3],
        heads,
        n_ctx,
        block[0],
        block[1],
        head_dim,
        causal,
        infinite,
    )
    return {"out_ptr": out, "lse_ptr": lse}
