"""concat, lifted by Assay."""
import mlx.core as mx


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
    dtype = mx.float32
    for tensor in (a, b):
        dtype = mx.result_type(dtype, tensor.dtype)
    a = mx.array(a).astype(dtype)
    b = mx.array(b).astype(dtype)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (N, M)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M, K)")
    N = a.shape[0]
    K = b.shape[1]
    if b.shape != (a.shape[1], *b.shape[1:2]):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M = {a.shape[1]}, K)")
    j = mx.arange(K + N, dtype=mx.int64)
    part = b[:, mx.clip(j - N, 0, b.shape[1] - 1)]
    out = mx.where(N <= j, part, a[mx.clip(j, 0, a.shape[0] - 1), :].T).astype(mx.float32)
    return {"out": out}
