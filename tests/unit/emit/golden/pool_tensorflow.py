"""pool, lifted by Assay."""
import tensorflow as tf


def pool(*, x):
    """pool

    Shapes:
        x: (2*H, W + 2), f32
        y: (H, W), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float64 if tf.float64 in (x.dtype, tf.float32) else tf.float32
    x = tf.cast(x, dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (2*H, W + 2)")
    H = x.shape[0] // 2
    W = x.shape[1] - 2
    n = (2 * tf.range(H, dtype=tf.int64))[:, None]
    n2 = (tf.range(3, dtype=tf.int64) + tf.range(W, dtype=tf.int64)[:, None])[:, None, :]
    total = tf.reduce_sum(_take(x, 0, (n + tf.range(2, dtype=tf.int64))[:, None, :, None], n2), axis=(2, 3))
    return {"y": tf.cast(total / 6, tf.float32)}


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)
