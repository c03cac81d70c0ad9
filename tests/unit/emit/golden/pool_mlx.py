"""pool, lifted by Assay."""
import mlx.core as mx


def pool(*, x):
    """pool

    Shapes:
        x: (2*H, W + 2), f32
        y: (H, W), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = mx.result_type(x.dtype, mx.float32)
    x = mx.array(x).astype(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (2*H, W + 2)")
    H = x.shape[0] // 2
    W = x.shape[1] - 2
    n = (mx.arange(H, dtype=mx.int64) * 2)[:, None]
    j = mx.arange(W, dtype=mx.int64)[:, None]
    n2 = (n + mx.arange(2, dtype=mx.int64))[:, None, :, None]
    total = mx.sum(x[n2, (j + mx.arange(3, dtype=mx.int64))[:, None, :]], axis=(2, 3))
    return {"y": (total / 6).astype(mx.float32)}
