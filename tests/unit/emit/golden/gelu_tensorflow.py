"""gelu, lifted by Assay."""
import tensorflow as tf


def gelu(*, x_ptr):
    """x_ptr = gelu(x_ptr)

    Shapes:
        x_ptr: (n,), bf16, old contents; returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float64 if tf.float64 in (x_ptr.dtype, tf.float32) else tf.float32
    x_ptr = tf.cast(x_ptr, dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (n,)")
    result = tf.cast(0.5 * x_ptr * (tf.math.erf(x_ptr / 2 ** 0.5) + 1), tf.bfloat16)
    return {"x_ptr": result}
