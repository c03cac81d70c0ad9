"""argmax, lifted by Assay."""
import tensorflow as tf


def argmax(*, x):
    """argmax

    Shapes:
        x: (rows, n), f32
        value: (rows,), f32, returned
        place: (rows,), i32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float64 if tf.float64 in (x.dtype, tf.float32) else tf.float32
    x = tf.cast(x, dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows = x.shape[0]
    place2 = tf.argmax(x, axis=1)
    value = tf.cast(_take(x, 0, tf.range(rows, dtype=tf.int64), place2), tf.float32)
    place = tf.cast(place2, tf.int32)
    return {"value": value, "place": place}


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)
