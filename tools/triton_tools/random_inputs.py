"""Random inputs of awkward sizes, shared by all cases of the corpus."""

import torch


def tensor(rng, *shape, dtype=torch.float32, low=None, high=None):
    """Normal numbers, or uniform ones of [low, high)."""
    data = rng.standard_normal(shape) if low is None else rng.uniform(low, high, shape)
    return torch.tensor(data).to(dtype)


def integers(rng, low, high, *shape, dtype=torch.int32):
    return torch.tensor(rng.integers(low, high, shape)).to(dtype)


def length(rng, i, block=1024):
    """Case i's length of something that is cut into blocks: 1, 2, primes, around one block, several blocks."""
    awkward = [
        1,
        2,
        3,
        block - 1,
        block,
        block + 1,
        7,
        31,
        97,
        2 * block - 1,
        2 * block + 1,
        3 * block + 5,
        127,
        block // 2 + 1,
        5 * block - 3,
    ]
    return awkward[i] if i < len(awkward) else int(rng.integers(1, 4 * block))


def row_length(rng, i, block=1024):
    """Case i's length of a row that fits in one block."""
    awkward = [1, 2, 3, block - 1, block, 7, 31, 97, 127, block // 2 + 1, block // 2, block // 2 - 1, 5]
    return awkward[i] if i < len(awkward) else int(rng.integers(1, block + 1))


def few(rng, i):
    """Case i's number of rows, programs, batches: small, so that the interpreter stays quick."""
    return [3, 1, 2, 1, 5, 7, 2, 1][i % 8]


def padded(data, extra=3):
    """The same numbers with a row stride that is larger than the row."""
    wide = data.new_zeros(*data.shape[:-1], data.shape[-1] + extra)
    view = wide[..., : data.shape[-1]]
    view.copy_(data)
    return view


def matrix(rng, i, rows, cols, dtype=torch.float32, **range_):
    """A matrix that is contiguous, padded, or a transposed view, by turns."""
    if i % 3 == 2:
        return tensor(rng, cols, rows, dtype=dtype, **range_).T
    data = tensor(rng, rows, cols, dtype=dtype, **range_)
    return padded(data) if i % 3 == 1 else data
