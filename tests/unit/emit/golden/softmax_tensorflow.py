"""softmax, lifted by Assay."""
import tensorflow as tf


def softmax(*, x_ptr):
    """y_ptr = softmax(x_ptr, axis=1)

    Shapes:
        x_ptr: (grid_x, n_cols), f32
        y_ptr: (grid_x, n_cols), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float64 if tf.float64 in (x_ptr.dtype, tf.float32) else tf.float32
    x_ptr = tf.cast(x_ptr, dtype)
    if x_ptr.ndim != 2:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (grid_x, n_cols)")
    e = tf.math.exp(x_ptr - tf.reduce_max(x_ptr, axis=1, keepdims=True))
    y_ptr = tf.cast(e / tf.reduce_sum(e, axis=1, keepdims=True), tf.float32)
    return {"y_ptr": y_ptr}
