"""bits, lifted by Assay."""
import tensorflow as tf


def bits(*, packed, hash=None):
    """bits

    Shapes:
        packed: (n,), i8
        nibble: (2*n,), i32, returned
        hash: (n,), i32, old contents (zero if not given); returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    packed = tf.cast(tf.cast(packed, tf.int8), tf.int64)
    if packed.ndim != 1:
        raise ValueError(f"packed has the shape {tuple(packed.shape)}, not (n,)")
    n = packed.shape[0]
    if hash is None:
        hash = tf.zeros((n,), dtype=tf.int64)
    hash = tf.cast(hash, tf.int64)
    if hash.shape != (n,):
        raise ValueError(f"hash has the shape {tuple(hash.shape)}, not (n = {n},)")
    i = tf.range(2 * n, dtype=tf.int64)
    nibble = tf.cast(tf.bitwise.right_shift(_take(packed, 0, i // 2), 4 * (i % 2)) % 16, tf.int32)
    result = tf.cast(hash + _wrap(1664525 * (12345 ^ packed), 32), tf.int32)
    return {"nibble": nibble, "hash": result}


def _wrap(x, bits):
    """x as a signed number of so many bits."""
    half = 1 << bits - 1
    return (x + half & 2 * half - 1) - half


def _take(x, axis, *indices):
    """The elements at these indices of the dimensions axis, axis + 1, .."""
    flat = indices[0]
    for place, index in enumerate(indices[1:], axis + 1):
        flat = flat * x.shape[place] + index
    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])
    return tf.gather(tf.reshape(x, shape), flat, axis=axis)
