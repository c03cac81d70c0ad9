"""concat, lifted by Assay."""
import numpy as np


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
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (N, M)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M, K)")
    N = a.shape[0]
    K = b.shape[1]
    if b.shape != (a.shape[1], *b.shape[1:2]):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M = {a.shape[1]}, K)")
    j = np.arange(K + N)
    part = b[:, np.clip(j - N, 0, b.shape[1] - 1)]
    out = np.where(N <= j, part, a[np.clip(j, 0, a.shape[0] - 1), :].T)
    return {"out": out}
