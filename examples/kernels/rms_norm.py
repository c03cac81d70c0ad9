"""RMS norm of each row of a bf16 matrix, statistics in f32, with the offset that some models add to the weight."""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(
    Y_ptr, Y_row_stride, X_ptr, X_row_stride, W_ptr, RSTD_ptr, n_cols, eps, offset, BLOCK: tl.constexpr
):
    row_idx = tl.program_id(0).to(tl.int64)
    col_offsets = tl.arange(0, BLOCK)
    mask = col_offsets < n_cols
    X_row = tl.load(X_ptr + row_idx * X_row_stride + col_offsets, mask=mask, other=0)
    W_row = tl.load(W_ptr + col_offsets, mask=mask, other=0).to(tl.float32)
    X_row = X_row.to(tl.float32)
    mean_square = tl.sum(X_row * X_row, axis=0) / n_cols
    rstd = tl.rsqrt(mean_square + eps)
    tl.store(RSTD_ptr + row_idx, rstd)
    Y_row = X_row * rstd * (offset + W_row)
    tl.store(Y_ptr + row_idx * Y_row_stride + col_offsets, Y_row.to(Y_ptr.dtype.element_ty), mask=mask)


def rms_norm(X, W, eps=1e-6, offset=1.0):
    n_rows, n_cols = X.shape
    Y = torch.empty_like(X)
    RSTD = torch.empty((n_rows,), dtype=torch.float32)
    rms_norm_kernel[(n_rows,)](
        Y, Y.stride(0), X, X.stride(0), W, RSTD, n_cols, eps, offset, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return Y, RSTD
