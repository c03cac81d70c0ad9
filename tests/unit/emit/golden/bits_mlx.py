"""bits, lifted by Assay."""
import mlx.core as mx


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
    packed = mx.array(packed).astype(mx.int8).astype(mx.int64)
    if packed.ndim != 1:
        raise ValueError(f"packed has the shape {tuple(packed.shape)}, not (n,)")
    n = packed.shape[0]
    if hash is None:
        hash = mx.zeros((n,), dtype=mx.int64)
    hash = mx.array(hash).astype(mx.int64)
    if hash.shape != (n,):
        raise ValueError(f"hash has the shape {tuple(hash.shape)}, not (n = {n},)")
    i = mx.arange(2 * n, dtype=mx.int64)
    nibble = (mx.right_shift(packed[i // 2], (i % 2) * 4) % 16).astype(mx.int32)
    result = (hash + _wrap((packed ^ 12345) * 1664525, 32)).astype(mx.int32)
    return {"nibble": nibble, "hash": result}


def _wrap(x, bits):
    """x as a signed number of so many bits."""
    half = 1 << bits - 1
    return (x + half & 2 * half - 1) - half
