"""Log-sum-exp of rows of any length in one online pass."""

import torch
import triton
import triton.language as tl


@triton.jit
def logsumexp_online_kernel(x_ptr, out_ptr, stride_x, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * stride_x
    m = float("-inf")
    s = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float32)
        block_max = tl.max(x, axis=0)
        m_new = tl.maximum(m, block_max)
        s = s * tl.exp(m - m_new) + tl.exp(block_max - m_new) * tl.sum(tl.exp(x - block_max), axis=0)
        m = m_new
    tl.store(out_ptr + row, m + tl.log(s))


def logsumexp_online(x, block=64):
    out = torch.empty((x.shape[0],), dtype=torch.float32)
    logsumexp_online_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], block)
    return {"out_ptr": out}
