"""bits, lifted by Assay."""
import numpy as np


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
    packed = np.asarray(packed).astype(np.int8).astype(np.int64)
    if packed.ndim != 1:
        raise ValueError(f"packed has the shape {tuple(packed.shape)}, not (n,)")
    n = packed.shape[0]
    if hash is None:
        hash = np.zeros((n,), dtype=np.int64)
    hash = np.asarray(hash).astype(np.int64)
    if hash.shape != (n,):
        raise ValueError(f"hash has the shape {tuple(hash.shape)}, not (n = {n},)")
    i = np.arange(2 * n)
    nibble = ((packed[i // 2] >> 4 * (i % 2)) % 16).astype(np.int32)
    result = (hash + _wrap(1664525 * (12345 ^ packed), 32)).astype(np.int32)
    return {"nibble": nibble, "hash": result}


def _wrap(x, bits):
    """x as a signed number of so many bits."""
    half = 1 << bits - 1
    return (x + half & 2 * half - 1) - half
