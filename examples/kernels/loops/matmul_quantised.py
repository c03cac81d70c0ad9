"""Matrix product with int8 weights: one f16 scale and one int8 zero point per group of rows of K and column.

B[k,n] = (q[k,n] - zero[k // group, n]) * scale[k // group, n]; the tile of K need not divide the group.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_quantised_kernel(
    a_ptr,
    q_ptr,
    scale_ptr,
    zero_ptr,
    c_ptr,
    M,
    N,
    K,
    group_size,
    stride_am,
    stride_qk,
    stride_sg,
    stride_zg,
    stride_cm,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    in_cols = cols[None, :] < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        inner = start + tl.arange(0, BLOCK_K)
        in_inner = inner[:, None] < K
        a = tl.load(
            a_ptr + rows[:, None] * stride_am + inner[None, :],
            mask=(rows[:, None] < M) & (inner[None, :] < K),
            other=0.0,
        )
        q = tl.load(q_ptr + inner[:, None] * stride_qk + cols[None, :], mask=in_inner & in_cols, other=0)
        group = inner // group_size
        scale = tl.load(scale_ptr + group[:, None] * stride_sg + cols[None, :], mask=in_inner & in_cols, other=0.0)
        zero = tl.load(zero_ptr + group[:, None] * stride_zg + cols[None, :], mask=in_inner & in_cols, other=0)
        b = (q.to(tl.float32) - zero.to(tl.float32)) * scale.to(tl.float32)
        acc = tl.dot(a, b.to(a.dtype), acc)
    tl.store(
        c_ptr + rows[:, None] * stride_cm + cols[None, :],
        acc.to(c_ptr.dtype.element_ty),
        mask=(rows[:, None] < M) & in_cols,
    )


def matmul_quantised(a, q, scale, zero, group_size, block=(16, 32, 16)):
    M, K = a.shape
    N = q.shape[1]
    c = torch.empty((M, N), dtype=a.dtype)
    grid = (triton.cdiv(M, block[0]), triton.cdiv(N, block[1]))
    matmul_quantised_kernel[grid](
        a,
        q,
        scale,
        zero,
        c,
        M,
        N,
        K,
        group_size,
        a.stride(0),
        q.stride(0),
        scale.stride(0),
        zero.stride(0),
        c.stride(0),
        *block,
    )
    return {"c_ptr": c}
