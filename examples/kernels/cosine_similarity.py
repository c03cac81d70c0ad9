"""Cosine similarity of the rows of two matrices."""

import torch
import triton
import triton.language as tl


@triton.jit
def cosine_similarity_kernel(a_ptr, b_ptr, out_ptr, a_stride, b_stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    a = tl.load(a_ptr + row * a_stride + cols, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(b_ptr + row * b_stride + cols, mask=mask, other=0.0).to(tl.float32)
    dot = tl.sum(a * b)
    norm_a = tl.maximum(tl.sqrt(tl.sum(a * a)), eps)
    norm_b = tl.maximum(tl.sqrt(tl.sum(b * b)), eps)
    tl.store(out_ptr + row, dot / (norm_a * norm_b))


def cosine_similarity(a, b, eps=1e-8):
    n_rows, n_cols = a.shape
    out = torch.empty((n_rows,), dtype=torch.float32)
    cosine_similarity_kernel[(n_rows,)](
        a, b, out, a.stride(0), b.stride(0), n_cols, eps, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return out
