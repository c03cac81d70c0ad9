"""attention, lifted by Assay."""
import mlx.core as mx


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
    dtype = mx.float32
    for tensor in (q, k, v):
        dtype = mx.result_type(dtype, tensor.dtype)
    q = mx.array(q).astype(dtype)
    k = mx.array(k).astype(dtype)
    v = mx.array(v).astype(dtype)
    if q.ndim != 2:
        raise ValueError(f"q has the shape {tuple(q.shape)}, not (n, d)")
    n = q.shape[0]
    if k.shape != (n, q.shape[1]):
        raise ValueError(f"k has the shape {tuple(k.shape)}, not (n = {n}, d = {q.shape[1]})")
    if v.shape != (n, q.shape[1]):
        raise ValueError(f"v has the shape {tuple(v.shape)}, not (n = {n}, d = {q.shape[1]})")
    k4 = mx.arange(n, dtype=mx.int64)
    mask = k4 <= k4[:, None]
    t = (q @ k.T) * scale
    e = mx.exp(t - mx.max(mx.where(mask, t, -mx.inf), axis=1, keepdims=True))
    t2 = mx.where(mask, e, 0)
    out = (t2 @ v / mx.sum(t2, axis=1, keepdims=True)).astype(mx.float32)
    return {"out": out}
