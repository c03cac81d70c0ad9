"""concat, lifted by Assay."""
import tensorflow as tf


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
    dtype = tf.float32
    for tensor in (a, b):
        dtype = tf.float64 if tf.float64 in (dtype, tensor.dtype) else tf.float32
    a = tf.cast(a, dtype)
    b = tf.cast(b, dtype)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (N, M)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M, K)")
    N = a.shape[0]
    K = b.shape[1]
    if b.shape != (a.shape[1], *b.shape[1:2]):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M = {a.shape[1]}, K)")
    j = tf.range(K + N, dtype=tf.int64)
    t = tf.transpose(_take(a, 0, tf.clip_by_value(j, 0, a.shape[0] - 1)))
    part = _take(b, 1, tf.clip_by_value(j - N, 0, b.shape[1] - 1))
    return {"out": tf.cast(tf.where(N <= j, part, t), tf.float32)}


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)
