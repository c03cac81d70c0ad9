"""Kernels that reduce a row (or a tile) of one block."""
import torch
from triton_tools.case import Case
from triton_tools.random_inputs import few, padded, row_length, tensor

VERSIONS = ("3.1.0", "3.6.0", "3.8.0")
BLOCK = {"BLOCK": 1024}
OTHER = ({"BLOCK": 256}, {"BLOCK": 4096})


def rows(rng, i, dtype=torch.float32, **range_):
    """A matrix of few rows of an awkward length, its rows padded in every other case."""
    data = tensor(rng, few(rng, i), row_length(rng, i), dtype=dtype, **range_)
    return padded(data) if i % 2 else data


CASES = [
    Case("softmax", "out_ptr:*fp32 x_ptr:*fp32 x_row_stride:i32 out_row_stride:i32 n_cols:i32", BLOCK,
         lambda rng, i: {"x": rows(rng, i)}, lambda x: {"out_ptr": torch.softmax(x.double(), 1)},
         other_blocks=OTHER, versions=VERSIONS, paper=True),
]
