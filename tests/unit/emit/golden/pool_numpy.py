"""pool, lifted by Assay."""
import numpy as np


@np.errstate(all="ignore")  # lanes that a mask leaves out
def pool(*, x):
    """pool

    Shapes:
        x: (2*H, W + 2), f32
        y: (H, W), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (2*H, W + 2)")
    H = x.shape[0] // 2
    W = x.shape[1] - 2
    n = ((2 * np.arange(H))[:, None] + np.arange(2))[:, None, :, None]
    total = np.sum(x[n, (np.arange(3) + np.arange(W)[:, None])[:, None, :]], axis=(2, 3))
    return {"y": total / 6}
