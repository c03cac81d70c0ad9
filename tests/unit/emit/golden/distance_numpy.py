"""distance, lifted by Assay."""
import numpy as np


@np.errstate(all="ignore")  # lanes that a mask leaves out
def distance(*, a, b):
    """distance

    Shapes:
        a: (M, K), f32
        b: (N, K), f32
        out: (M, N), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (M, K)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (N, K)")
    M, K = a.shape
    N = b.shape[0]
    if b.shape != (*b.shape[0:1], K):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (N, K = {K})")
    largest = np.max(a, axis=1)[:, None, None]
    total = np.full((1, 1), 0)
    for k in _chunks(0, K, M * N):
        total = total + np.sum(np.abs(b[:, k] + largest - a[:, k][:, None, :]), axis=2)
    return {"out": total / K}


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield np.arange(first, min(first + step, stop))
