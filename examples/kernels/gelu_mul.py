"""GEGLU, a row per program: gelu(a) * b, with the tanh approximation from libdevice."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gelu_mul_kernel(a_ptr, b_ptr, c_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    a_ptr += row * stride
    b_ptr += row * stride
    c_ptr += row * stride
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    a = tl.load(a_ptr + cols, mask=mask, other=0).to(tl.float32)
    b = tl.load(b_ptr + cols, mask=mask, other=0)
    sqrt_2_over_pi = 0.7978845608028654
    tanh_arg = sqrt_2_over_pi * (a + 0.044715 * a * a * a)
    gelu_a = 0.5 * a * (1 + libdevice.tanh(tanh_arg))
    c = gelu_a.to(c_ptr.dtype.element_ty) * b
    tl.store(c_ptr + cols, c, mask=mask)


def gelu_mul(a, b):
    a, b = a.contiguous(), b.contiguous()
    n_rows, n_cols = a.shape
    c = torch.empty_like(a)
    gelu_mul_kernel[(n_rows,)](a, b, c, c.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols)))
    return c
