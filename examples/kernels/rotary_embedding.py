"""Rotary position embedding of one head of one position a program: the two halves of the head are rotated."""

import torch
import triton
import triton.language as tl


@triton.jit
def rotary_embedding_kernel(
    x_ptr, cos_ptr, sin_ptr, out_ptr, seq_stride, head_stride, table_stride, half, BLOCK: tl.constexpr
):
    position = tl.program_id(0)
    head = tl.program_id(1)
    lane = tl.arange(0, BLOCK)
    mask = lane < half
    base = position * seq_stride + head * head_stride
    cos = tl.load(cos_ptr + position * table_stride + lane, mask=mask, other=0.0)
    sin = tl.load(sin_ptr + position * table_stride + lane, mask=mask, other=0.0)
    first = tl.load(x_ptr + base + lane, mask=mask, other=0.0).to(tl.float32)
    second = tl.load(x_ptr + base + half + lane, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + base + lane, first * cos - second * sin, mask=mask)
    tl.store(out_ptr + base + half + lane, second * cos + first * sin, mask=mask)


def rotary_embedding(x, cos, sin):
    x = x.contiguous()
    n_positions, n_heads, dim = x.shape
    out = torch.empty_like(x)
    rotary_embedding_kernel[(n_positions, n_heads)](
        x,
        cos,
        sin,
        out,
        x.stride(0),
        x.stride(1),
        cos.stride(0),
        dim // 2,
        BLOCK=max(128, triton.next_power_of_2(dim // 2)),
    )
    return out
