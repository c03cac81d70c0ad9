"""concat, lifted by Assay."""
import torch


def concat(*, a, b):
    """out = concat(transpose(a, 1, 0), b, axis=1)

    Shapes:
        a: (N, M), f32
        b: (M, K), f32
        out: (M, K + N), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = a.device
    dtype = torch.float32
    for tensor in (a, b):
        dtype = torch.promote_types(dtype, tensor.dtype)
    a = a.to(dtype)
    b = b.to(dtype)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (N, M)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M, K)")
    N = a.shape[0]
    K = b.shape[1]
    if b.shape != (a.shape[1], *b.shape[1:2]):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M = {a.shape[1]}, K)")
    j = torch.arange(K + N, device=device)
    part = b[:, torch.clamp(j - N, 0, b.shape[1] - 1)]
    out = torch.where(N <= j, part, a[torch.clamp(j, 0, a.shape[0] - 1), :].T).to(torch.float32)
    return {"out": out}
