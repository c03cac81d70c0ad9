"""cumsum, lifted by Assay."""
import torch


def cumsum(*, x):
    """cumsum

    Shapes:
        x: (rows, n), f32
        y: (rows, n), f32, returned
        below: (rows, n), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = x.device
    dtype = torch.promote_types(x.dtype, torch.float32)
    x = x.to(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows, n = x.shape
    y = torch.cumsum(x, dim=1).to(torch.float32)
    j = torch.arange(n, device=device)[:, None]
    total = torch.full((1, 1), 0, device=device)
    for k in _chunks(1, n, n * rows, device):
        total = total + torch.sum(torch.where(j < k, x[:, k][:, None, :], 0), dim=2)
    below = total.to(torch.float32)
    return {"y": y, "below": below}


def _chunks(start, stop, cells, device):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield torch.arange(first, min(first + step, stop), device=device)
