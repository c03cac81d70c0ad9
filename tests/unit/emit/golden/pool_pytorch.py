"""pool, lifted by Assay."""
import torch


def pool(*, x):
    """pool

    Shapes:
        x: (2*H, W + 2), f32
        y: (H, W), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = x.device
    dtype = torch.promote_types(x.dtype, torch.float32)
    x = x.to(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (2*H, W + 2)")
    H = x.shape[0] // 2
    W = x.shape[1] - 2
    n = (2 * torch.arange(H, device=device))[:, None]
    j = torch.arange(W, device=device)[:, None]
    n2 = (n + torch.arange(2, device=device))[:, None, :, None]
    total = torch.sum(x[n2, (j + torch.arange(3, device=device))[:, None, :]], dim=(2, 3))
    return {"y": (total / 6).to(torch.float32)}
