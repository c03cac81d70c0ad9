"""attention, lifted by Assay."""
import tensorflow as tf


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
    dtype = tf.float32
    for tensor in (q, k, v):
        dtype = tf.float64 if tf.float64 in (dtype, tensor.dtype) else tf.float32
    q = tf.cast(q, dtype)
    k = tf.cast(k, dtype)
    v = tf.cast(v, dtype)
    if q.ndim != 2:
        raise ValueError(f"q has the shape {tuple(q.shape)}, not (n, d)")
    n = q.shape[0]
    if k.shape != (n, q.shape[1]):
        raise ValueError(f"k has the shape {tuple(k.shape)}, not (n = {n}, d = {q.shape[1]})")
    if v.shape != (n, q.shape[1]):
        raise ValueError(f"v has the shape {tuple(v.shape)}, not (n = {n}, d = {q.shape[1]})")
    k4 = tf.range(n, dtype=tf.int64)
    mask = k4 <= k4[:, None]
    t = scale * (q @ tf.transpose(k))
    largest = tf.reduce_max(tf.where(mask, t, -float("inf")), axis=1, keepdims=True)
    t2 = tf.where(mask, tf.math.exp(t - largest), 0)
    out = tf.cast(t2 @ v / tf.reduce_sum(t2, axis=1, keepdims=True), tf.float32)
    return {"out": out}
