"""Average pooling of planes with a window of 3 x 3 and a step of 2; a program takes a piece of one output row."""

import torch
import triton
import triton.language as tl


@triton.jit
def avg_pool_kernel(
    x_ptr,
    out_ptr,
    height,
    width,
    out_height,
    out_width,
    KERNEL: tl.constexpr,
    STRIDE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    plane = tl.program_id(0)
    out_row = tl.program_id(1)
    out_col = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    mask = out_col < out_width
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in tl.static_range(KERNEL):
        for j in tl.static_range(KERNEL):
            row = out_row * STRIDE + i
            col = out_col * STRIDE + j
            acc += tl.load(x_ptr + plane * height * width + row * width + col, mask=mask, other=0.0)
    acc = acc / (KERNEL * KERNEL)
    tl.store(out_ptr + plane * out_height * out_width + out_row * out_width + out_col, acc, mask=mask)


def avg_pool(x):
    x = x.contiguous()
    planes, height, width = x.shape
    out_height, out_width = (height - 3) // 2 + 1, (width - 3) // 2 + 1
    out = torch.empty((planes, out_height, out_width), dtype=x.dtype)
    grid = (planes, out_height, triton.cdiv(out_width, 64))
    avg_pool_kernel[grid](x, out, height, width, out_height, out_width, KERNEL=3, STRIDE=2, BLOCK=64)
    return out
