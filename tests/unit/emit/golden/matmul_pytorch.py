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
    if a_ptr.ndim != 2:
        raise ValueError(f"a_ptr has the shape {tuple(a_ptr.shape)}, not (M, K)")
    if b_ptr.shape != (*b_ptr.shape[0:1], a_ptr.shape[1]):
        raise ValueError(f"b_ptr has the shape {tuple(b_ptr.shape)}, not (N, K = {a_ptr.shape[1]})")
    if bias.shape != (b_ptr.shape[0],):
        raise ValueError(f"bias has the shape {tuple(bias.shape)}, not (N = {b_ptr.shape[0]},)")
    c_ptr = torch.clamp(bias + 0.5 * (a_ptr @ b_ptr.T), min=0).to(torch.float16)
    return {"c_ptr": c_ptr}
