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
    rows = offset.shape[0] - 1
    part = offset[1:rows + 1][:, None]
    part2 = offset[:rows][:, None]
    total = 0
    for k in _chunks(int(torch.min(offset[:rows])), int(torch.max(offset[1:rows + 1])), rows, device):
        part3 = x[torch.clamp(k, 0, x.shape[0] - 1)]
        total = total + torch.sum(torch.where((k < part) & (part2 <= k), part3, 0), dim=1)
    return {"y": total.to(torch.float32)}


def _chunks(start, stop, cells, device):
    """The indices start..stop-1 in pieces, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, stop, step):
        yield torch.arange(first, min(first + step, stop), device=device)
