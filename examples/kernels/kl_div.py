"""KL divergence of each row from log-probabilities to probabilities; zeros of the target are cut off at eps."""

import torch
import triton
import triton.language as tl


@triton.jit
def kl_div_kernel(log_q_ptr, p_ptr, loss_ptr, log_q_stride, p_stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    log_q = tl.load(log_q_ptr + row * log_q_stride + cols, mask=mask, other=0.0)
    p = tl.load(p_ptr + row * p_stride + cols, mask=mask, other=0.0)
    loss = p * (tl.log(tl.maximum(p, eps)) - log_q)
    tl.store(loss_ptr + row, tl.sum(loss, axis=0))


def kl_div(log_q, p, eps=1e-10):
    n_rows, n_cols = p.shape
    loss = torch.empty((n_rows,), dtype=p.dtype)
    kl_div_kernel[(n_rows,)](
        log_q, p, loss, log_q.stride(0), p.stride(0), n_cols, eps, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return loss
