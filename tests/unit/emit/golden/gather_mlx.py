"""gather, lifted by Assay."""
import mlx.core as mx


def gather(*, table, lambda_):
    """gather

    Shapes:
        table: (V, D), f32
        lambda: (n,), i64
        out: (n, D), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = mx.result_type(table.dtype, mx.float32)
    table = mx.array(table).astype(dtype)
    lambda_ = mx.array(lambda_).astype(mx.int64)
    if table.ndim != 2:
        raise ValueError(f"table has the shape {tuple(table.shape)}, not (V, D)")
    if lambda_.ndim != 1:
        raise ValueError(f"lambda_ has the shape {tuple(lambda_.shape)}, not (n,)")
    part = table[mx.clip(lambda_, 0, table.shape[0] - 1), :]
    out = mx.where((lambda_ >= 0)[:, None], part, 0).astype(mx.float32)
    return {"out": out}
