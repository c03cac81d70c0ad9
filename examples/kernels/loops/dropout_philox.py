"""Dropout whose mask is drawn from Philox, one number per element index, so that a backward pass can draw it again."""

import torch
import triton
import triton.language as tl


@triton.jit
def dropout_philox_kernel(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    x = tl.load(x_ptr + index, mask=mask)
    keep = tl.rand(seed, index) > p
    tl.store(y_ptr + index, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def dropout_philox(x, p, seed, block=64):
    y = torch.empty_like(x)
    dropout_philox_kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), p, seed, block)
    return {"y_ptr": y}
