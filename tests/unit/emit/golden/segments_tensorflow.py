"""segments, lifted by Assay."""
import tensorflow as tf


def segments(*, x, offset):
    """segments

    Shapes:
        x: (total,), f32
        offset: (rows + 1,), i32
        y: (rows,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = tf.float64 if tf.float64 in (x.dtype, tf.float32) else tf.float32
    x = tf.cast(x, dtype)
    offset = tf.cast(offset, tf.int64)
    if offset.ndim != 1:
        raise ValueError(f"offset has the shape {tuple(offset.shape)}, not (rows + 1,)")
    rows = offset.shape[0] - 1
    if x.ndim != 1:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (total,)")
    part = offset[1:rows + 1]
    part2 = part[:, None]
    part3 = offset[:rows]
    part4 = part3[:, None]
    total = 0
    for k in _chunks(int(tf.reduce_min(part3)), max(int(tf.reduce_max(part)), int(tf.reduce_min(part3))), rows):
        part5 = _take(x, 0, tf.clip_by_value(k, 0, x.shape[0] - 1))
        total = total + tf.reduce_sum(tf.where((k < part2) & (part4 <= k), part5, 0), axis=1)
    return {"y": tf.cast(total, tf.float32)}


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
