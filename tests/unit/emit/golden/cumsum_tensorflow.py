"""cumsum, lifted by Assay."""
import tensorflow as tf


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
    dtype = tf.float64 if tf.float64 in (x.dtype, tf.float32) else tf.float32
    x = tf.cast(x, dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows, n = x.shape
    y = tf.cast(tf.cumsum(x, axis=1), tf.float32)
    j = tf.range(n, dtype=tf.int64)[:, None]
    total = 0
    for k in _chunks(1, n, n * rows):
        total = total + tf.reduce_sum(tf.where(j < k, _take(x, 1, k)[:, None, :], 0), axis=2)
    below = tf.cast(total, tf.float32)
    return {"y": y, "below": below}


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield tf.range(first, max(first, min(first + step, stop)), dtype=tf.int64)
