"""add, lifted by Assay."""
import tensorflow as tf


def add(*, x_ptr, y_ptr, n, scale, out_ptr=None):
    """out_ptr = x_ptr + scale*y_ptr

    Shapes:
        x_ptr: (N,), f32
        y_ptr: (N,), f16
        out_ptr: (N,), f16, old contents (zero if not given); returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float32
    for tensor in (x_ptr, y_ptr):
        dtype = tf.float64 if tf.float64 in (dtype, tensor.dtype) else tf.float32
    x_ptr = tf.cast(x_ptr, dtype)
    y_ptr = tf.cast(y_ptr, dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (N,)")
    N = x_ptr.shape[0]
    if y_ptr.shape != (N,):
        raise ValueError(f"y_ptr has the shape {tuple(y_ptr.shape)}, not (N = {N},)")
    if out_ptr is None:
        out_ptr = tf.zeros((N,), dtype=dtype)
    out_ptr = tf.cast(out_ptr, dtype)
    if out_ptr.shape != (N,):
        raise ValueError(f"out_ptr has the shape {tuple(out_ptr.shape)}, not (N = {N},)")
    result = tf.cast(tf.where(tf.range(N, dtype=tf.int64) < n, scale * y_ptr + x_ptr, out_ptr), tf.float16)
    return {"out_ptr": result}
