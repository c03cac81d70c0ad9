"""add, lifted by Assay."""
import torch


def add(*, x_ptr, y_ptr, n, scale, out_ptr=None):
    """out_ptr = x_ptr + scale*y_ptr

    Shapes:
        x_ptr: (N,), f32
        y_ptr: (N,), f16
        out_ptr: (N,), f16, old contents (zero if not given); returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = x_ptr.device
    dtype = torch.float32
    for tensor in (x_ptr, y_ptr):
        dtype = torch.promote_types(dtype, tensor.dtype)
    x_ptr = x_ptr.to(dtype)
    y_ptr = y_ptr.to(dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (N,)")
    N = x_ptr.shape[0]
    if y_ptr.shape != (N,):
        raise ValueError(f"y_ptr has the shape {tuple(y_ptr.shape)}, not (N = {N},)")
    if out_ptr is None:
        out_ptr = torch.zeros((N,), dtype=dtype, device=device)
    out_ptr = out_ptr.to(dtype)
    if out_ptr.shape != (N,):
        raise ValueError(f"out_ptr has the shape {tuple(out_ptr.shape)}, not (N = {N},)")
    mask = torch.arange(N, device=device) < n
    result = torch.where(mask, scale * y_ptr + x_ptr, out_ptr).to(torch.float16)
    return {"out_ptr": result}
