"""silu(a) * b, a row per program, the sigmoid in f32."""

import torch
import triton
import triton.language as tl


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def silu_mul_kernel(a_ptr, b_ptr, c_ptr, a_stride, b_stride, c_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    a = tl.load(a_ptr + row * a_stride + cols, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + row * b_stride + cols, mask=mask, other=0).to(tl.float32)
    tl.store(c_ptr + row * c_stride + cols, (silu(a) * b).to(c_ptr.dtype.element_ty), mask=mask)


def silu_mul(a, b):
    n_rows, n_cols = a.shape
    c = torch.empty_like(a)
    silu_mul_kernel[(n_rows,)](
        a, b, c, a.stride(0), b.stride(0), c.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return c
