"""Gradients of silu(a) * b; they overwrite a and b, so that no memory is allocated."""

import torch
import triton
import triton.language as tl


@triton.jit
def swiglu_backward_kernel(dc_ptr, a_ptr, b_ptr, stride, n_cols, BLOCK: tl.constexpr):
    program_id = tl.program_id(0).to(tl.int64)
    dc_ptr += program_id * stride
    a_ptr += program_id * stride
    b_ptr += program_id * stride
    col_offsets = tl.arange(0, BLOCK)
    mask = col_offsets < n_cols
    dc_row = tl.load(dc_ptr + col_offsets, mask=mask, other=0)
    a_row = tl.load(a_ptr + col_offsets, mask=mask, other=0).to(tl.float32)
    b_row = tl.load(b_ptr + col_offsets, mask=mask, other=0)
    sig_a = tl.sigmoid(a_row)
    silu_a = a_row * sig_a
    db_row = dc_row * silu_a
    da_row = dc_row * (silu_a * (1 - sig_a) + sig_a) * b_row
    tl.store(a_ptr + col_offsets, da_row, mask=mask)
    tl.store(b_ptr + col_offsets, db_row, mask=mask)


def swiglu_backward(dc, a, b):
    n_rows, n_cols = dc.shape
    swiglu_backward_kernel[(n_rows,)](dc, a, b, dc.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols)))
    return a, b
