"""cumsum, lifted by Assay."""
import mlx.core as mx


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
    dtype = mx.result_type(x.dtype, mx.float32)
    x = mx.array(x).astype(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows, n = x.shape
    y = mx.cumsum(x, axis=1).astype(mx.float32)
    j = mx.arange(n, dtype=mx.int64)[:, None]
    total = 0
    for k in _chunks(1, n, rows * n):
        total = total + mx.sum(mx.where(j < k, x[:, k][:, None, :], 0), axis=2)
    below = total.astype(mx.float32)
    return {"y": y, "below": below}


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield mx.arange(first, min(first + step, stop), dtype=mx.int64)
