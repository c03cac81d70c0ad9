"""gather, lifted by Assay."""
import numpy as np


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
    table = np.asarray(table, dtype=np.float64)
    lambda_ = np.asarray(lambda_, dtype=np.int64)
    if table.ndim != 2:
        raise ValueError(f"table has the shape {tuple(table.shape)}, not (V, D)")
    if lambda_.ndim != 1:
        raise ValueError(f"lambda_ has the shape {tuple(lambda_.shape)}, not (n,)")
    part = table[np.clip(lambda_, 0, table.shape[0] - 1), :]
    return {"out": np.where((lambda_ >= 0)[:, None], part, 0)}
