"""cumsum, lifted by Assay."""
import numpy as np


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
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows, n = x.shape
    y = np.cumsum(x, axis=1)
    j = np.arange(n)[:, None]
    total = np.full((1, 1), 0)
    for k in _chunks(1, n, n * rows):
        total = total + np.sum(np.where(j < k, x[:, k][:, None, :], 0), axis=2)
    below = total
    return {"y": y, "below": below}


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield np.arange(first, min(first + step, stop))
