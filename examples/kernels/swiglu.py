"""SwiGLU of a packed projection: the left half of each row is the gate, the right half the value."""

import torch
import triton
import triton.language as tl


@triton.jit
def swiglu_kernel(x_ptr, out_ptr, x_row_stride, out_row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n_cols
    gate_ptr = x_ptr + row * x_row_stride
    value_ptr = gate_ptr + n_cols
    gate = tl.load(gate_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    value = tl.load(value_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    y = gate * tl.sigmoid(gate) * value
    tl.store(out_ptr + row * out_row_stride + cols, y.to(out_ptr.dtype.element_ty), mask=mask)


def swiglu(x):
    n_rows, n_cols = x.shape[0], x.shape[1] // 2
    out = torch.empty((n_rows, n_cols), dtype=x.dtype)
    swiglu_kernel[(n_rows, triton.cdiv(n_cols, 1024))](x, out, x.stride(0), out.stride(0), n_cols, BLOCK=1024)
    return out
