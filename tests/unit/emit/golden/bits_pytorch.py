"""bits, lifted by Assay."""
import torch


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
    device = packed.device
    packed = packed.to(torch.int8).to(torch.int64)
    if packed.ndim != 1:
        raise ValueError(f"packed has the shape {tuple(packed.shape)}, not (n,)")
    n = packed.shape[0]
    if hash is None:
        hash = torch.zeros((n,), dtype=torch.int64, device=device)
    hash = hash.to(torch.int64)
    if hash.shape != (n,):
        raise ValueError(f"hash has the shape {tuple(hash.shape)}, not (n = {n},)")
    i = torch.arange(2 * n, device=device)
    nibble = ((packed[i // 2] >> 4 * (i % 2)) % 16).to(torch.int32)
    result = (hash + _wrap(1664525 * (12345 ^ packed), 32)).to(torch.int32)
    return {"nibble": nibble, "hash": result}


def _wrap(x, bits):
    """x as a signed number of so many bits."""
    half = 1 << bits - 1
    return (x + half & 2 * half - 1) - half
