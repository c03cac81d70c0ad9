"""Gradient of an embedding table: each token adds its row of dy to the row of its id, atomically."""

import torch
import triton
import triton.language as tl


@triton.jit
def embedding_backward_kernel(
    ids_ptr, dy_ptr, dw_ptr, n_tokens, dim, stride_dy, stride_dw, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr
):
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    cols = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    in_tokens = tokens < n_tokens
    mask = in_tokens[:, None] & (cols[None, :] < dim)
    ids = tl.load(ids_ptr + tokens, mask=in_tokens, other=0)
    dy = tl.load(dy_ptr + tokens[:, None] * stride_dy + cols[None, :], mask=mask, other=0.0).to(tl.float32)
    tl.atomic_add(dw_ptr + ids[:, None] * stride_dw + cols[None, :], dy, mask=mask, sem="relaxed")


def embedding_backward(ids, dy, vocab, block=(8, 16)):
    n_tokens, dim = dy.shape
    dw = torch.zeros((vocab, dim), dtype=torch.float32)
    grid = (triton.cdiv(n_tokens, block[0]), triton.cdiv(dim, block[1]))
    embedding_backward_kernel[grid](ids, dy, dw, n_tokens, dim, dy.stride(0), dw.stride(0), *block)
    return {"dw_ptr": dw}
