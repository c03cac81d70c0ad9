"""attention, lifted by Assay."""
import torch


def attention(*, q, k, v, scale):
    """attention

    Shapes:
        q: (n, d), f32
        k: (n, d), f32
        v: (n, d), f32
        out: (n, d), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = q.device
    dtype = torch.float32
    for tensor in (q, k, v):
        dtype = torch.promote_types(dtype, tensor.dtype)
    q = q.to(dtype)
    k = k.to(dtype)
    v = v.to(dtype)
    if q.ndim != 2:
        raise ValueError(f"q has the shape {tuple(q.shape)}, not (n, d)")
    n = q.shape[0]
    if k.shape != (n, q.shape[1]):
        raise ValueError(f"k has the shape {tuple(k.shape)}, not (n = {n}, d = {q.shape[1]})")
    if v.shape != (n, q.shape[1]):
        raise ValueError(f"v has the shape {tuple(v.shape)}, not (n = {n}, d = {q.shape[1]})")
    k4 = torch.arange(n, device=device)
    mask = k4 <= k4[:, None]
    t = scale * (q @ k.T)
    largest = torch.amax(torch.where(mask, t, -torch.inf), dim=1, keepdim=True)
    t2 = torch.where(mask, torch.exp(t - largest), 0)
    out = (t2 @ v / torch.sum(t2, dim=1, keepdim=True)).to(torch.float32)
    return {"out": out}
