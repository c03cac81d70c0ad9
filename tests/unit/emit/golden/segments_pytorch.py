"""segments, lifted by Assay."""
import torch


def segments(*, x, offset):
    """segments

    Shapes:
        x: (total,), f32
        offset: (rows + 1,), i32
        y: (rows,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = x.device
    dtype = torch.promote_types(x.dtype, torch.float32)
    x = x.to(dtype)
    offset = offset.to(torch.int64)
    if offset.ndim != 1:
        raise ValueError(f"offset has the shape {tuple(offset.shape)}, not (rows + 1,)")
    rows = offset.shape[0] - 1
    if x.ndim != 1:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (total,)")
    part = offset[1:rows + 1]
    part2 = part[:, None]
    part3 = offset[:rows]
    part4 = part3[:, None]
    total = torch.full((1,), 0, device=device)
    for k in _chunks(int(torch.min(part3)), max(int(torch.max(part)), int(torch.min(part3))), rows, device):
        part5 = x[torch.clamp(k, 0, x.shape[0] - 1)]
        total = total + torch.sum(torch.where((k < part2) & (part4 <= k), part5, 0), dim=1)
    return {"y": total.to(torch.float32)}


def _chunks(start, stop, cells, device):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield torch.arange(first, min(first + step, stop), device=device)
