"""argmax, lifted by Assay."""
import torch


def argmax(*, x):
    """argmax

    Shapes:
        x: (rows, n), f32
        value: (rows,), f32, returned
        place: (rows,), i32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    device = x.device
    dtype = torch.promote_types(x.dtype, torch.float32)
    x = x.to(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows = x.shape[0]
    place2 = torch.argmax(x, dim=1)
    value = x[torch.arange(rows, device=device), place2].to(torch.float32)
    place = place2.to(torch.int32)
    return {"value": value, "place": place}
