"""Elementwise kernels of examples/kernels/."""
import torch
from triton_tools.case import Case
from triton_tools.random_inputs import length, tensor

VERSIONS = ("3.1.0", "3.6.0", "3.8.0")
FLAT = {"BLOCK": 1024}
OTHER = ({"BLOCK": 256}, {"BLOCK": 4096})


def flat(*names, dtype=torch.float32, **range_):
    """Inputs: tensors of these names, all of one awkward length."""
    def make(rng, i):
        n = length(rng, i)
        return {name: tensor(rng, n, dtype=dtype, **range_) for name in names}
    return make


CASES = [
    Case("add", "x_ptr:*fp32 y_ptr:*fp32 out_ptr:*fp32 n_elements:i32", FLAT, flat("x", "y"),
         lambda x, y: {"out_ptr": x.double() + y.double()}, other_blocks=OTHER, versions=VERSIONS, paper=True),
]
