"""zeros, lifted by Assay."""
import torch


def zeros(*, n):
    """out = 0

    Shapes:
        out: (n,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = None
    return {"out": torch.zeros((n,), dtype=torch.float32, device=device)}
