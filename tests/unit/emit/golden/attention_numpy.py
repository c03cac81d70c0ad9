"""attention, lifted by Assay."""
import numpy as np


@np.errstate(all="ignore")  # lanes that a mask leaves out
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
    q = np.asarray(q, dtype=np.float64)
    k = np.asarray(k, dtype=np.float64)
    v = np.asarray(v, dtype=np.float64)
    if q.ndim != 2:
        raise ValueError(f"q has the shape {tuple(q.shape)}, not (n, d)")
    n = q.shape[0]
    if k.shape != (n, q.shape[1]):
        raise ValueError(f"k has the shape {tuple(k.shape)}, not (n = {n}, d = {q.shape[1]})")
    if v.shape != (n, q.shape[1]):
        raise ValueError(f"v has the shape {tuple(v.shape)}, not (n = {n}, d = {q.shape[1]})")
    k4 = np.arange(n)
    mask = k4 <= k4[:, None]
    t = scale * (q @ k.T)
    e = np.exp(t - np.max(np.where(mask, t, -np.inf), axis=1, keepdims=True))
    t2 = np.where(mask, e, 0)
    return {"out": t2 @ v / np.sum(t2, axis=1, keepdims=True)}
