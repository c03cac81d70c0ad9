"""zeros, lifted by Assay."""
import tensorflow as tf


def zeros(*, n):
    """out = 0

    Shapes:
        out: (n,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    return {"out": tf.zeros((n,), dtype=tf.float32)}
