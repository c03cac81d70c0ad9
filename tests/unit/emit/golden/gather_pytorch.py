"""gather, lifted by Assay."""
import torch


def gather(*, table, lambda_):
    """gather

    Shapes:
        table: (V, D), f32
        lambda: (n,), i64
        out: (n, D), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = torch.promote_types(table.dtype, torch.float32)
    table = table.to(dtype)
    lambda_ = lambda_.to(torch.int64)
    if table.ndim != 2:
        raise ValueError(f"table has the shape {tuple(table.shape)}, not (V, D)")
    if lambda_.ndim != 1:
        raise ValueError(f"lambda_ has the shape {tuple(lambda_.shape)}, not (n,)")
    part = table[torch.clamp(lambda_, 0, table.shape[0] - 1), :]
    out = torch.where((lambda_ >= 0)[:, None], part, 0).to(torch.float32)
    return {"out": out}
