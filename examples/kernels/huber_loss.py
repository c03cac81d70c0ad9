"""Huber loss of each element."""

import torch
import triton
import triton.language as tl


@triton.jit
def huber_loss_kernel(x_ptr, target_ptr, loss_ptr, delta, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    error = tl.load(x_ptr + offsets, mask=mask) - tl.load(target_ptr + offsets, mask=mask)
    size = tl.abs(error)
    loss = tl.where(size <= delta, 0.5 * error * error, delta * (size - 0.5 * delta))
    tl.store(loss_ptr + offsets, loss, mask=mask)


def huber_loss(x, target, delta=1.0):
    loss = torch.empty_like(x)
    huber_loss_kernel[(triton.cdiv(x.numel(), 1024),)](x, target, loss, delta, x.numel(), BLOCK=1024)
    return loss
