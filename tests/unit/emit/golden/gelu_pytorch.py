"""gelu, lifted by Assay."""
import torch


def gelu(*, x_ptr):
    """x_ptr = gelu(x_ptr)

    Shapes:
        x_ptr: (n,), bf16, old contents; returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = torch.promote_types(x_ptr.dtype, torch.float32)
    x_ptr = x_ptr.to(dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (n,)")
    result = (0.5 * x_ptr * (torch.erf(x_ptr / 2 ** 0.5) + 1)).to(torch.bfloat16)
    return {"x_ptr": result}
