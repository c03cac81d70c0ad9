"""gather, lifted by Assay."""
import tensorflow as tf


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
    dtype = tf.float64 if tf.float64 in (table.dtype, tf.float32) else tf.float32
    table = tf.cast(table, dtype)
    lambda_ = tf.cast(lambda_, tf.int64)
    if table.ndim != 2:
        raise ValueError(f"table has the shape {tuple(table.shape)}, not (V, D)")
    if lambda_.ndim != 1:
        raise ValueError(f"lambda_ has the shape {tuple(lambda_.shape)}, not (n,)")
    part = _take(table, 0, tf.clip_by_value(lambda_, 0, table.shape[0] - 1))
    out = tf.cast(tf.where((lambda_ >= 0)[:, None], part, 0), tf.float32)
    return {"out": out}


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)
