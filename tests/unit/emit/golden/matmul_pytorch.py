"""matmul, lifted by Assay."""
import torch


def matmul(*, a_ptr, b_ptr, bias):
    """c_ptr = maximum(0.5*matmul(a_ptr, transpose(b_ptr, 1, 0)) + bias, 0)

    Shapes:
        a_ptr: (M, K), f16
        b_ptr: (N, K), f16
        bias: (N,), f32
        c_ptr: (M, N), f16, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = torch.float32
    for tensor in (a_ptr, b_ptr, bias):
        dtype = torch.promote_types(dtype, tensor.dtype)
    a_ptr = a_ptr.to(dtype)
    b_ptr = b_ptr.to(dtype)
    bias = bias.to(dtype)
    c_ptr = torch.clamp(bias + 0.5 * (a_ptr @ b_ptr.T), min=0).to(torch.float16)
    return {"c_ptr": c_ptr}
