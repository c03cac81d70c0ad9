"""softmax, lifted by Assay."""
import torch


def softmax(*, x_ptr):
    """y_ptr = softmax(x_ptr, axis=1)

    Shapes:
        x_ptr: (grid_x, n_cols), f32
        y_ptr: (grid_x, n_cols), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = torch.promote_types(x_ptr.dtype, torch.float32)
    x_ptr = x_ptr.to(dtype)
    if x_ptr.ndim != 2:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (grid_x, n_cols)")
    e = torch.exp(x_ptr - torch.amax(x_ptr, dim=1, keepdim=True))
    return {"y_ptr": (e / torch.sum(e, dim=1, keepdim=True)).to(torch.float32)}
