"""Assay tells what a tensor kernel computes, and proves it for every size.

    import assay
    assay.lift("softmax.ttir")                        # formula, proof, safety
    assay.check("softmax.ttir", reference)            # whether it is this function of PyTorch calls
    assay.trace(add_kernel)[(4,)](x, y, out, n, BLOCK=256)
    with assay.capture() as launches:
        host_code(x)
    launches.check(reference)
    assay.optimize("attention.formula").candidates   # faster kernels, proved

Nothing is run and no GPU is asked for. Triton is needed for `trace` and `capture` alone; PyTorch and NumPy are not
needed to import.
"""

from __future__ import annotations

from ._calls import Formula, check, kernels, lift
from ._errors import AssayError, InputError, TritonError, UsageError
from ._library import version
from ._map import map
from ._optimize import optimize
from ._result import Record, Result
from ._triton import Tensor, tensor
from .launches import Launches, capture, trace

__all__ = [
    "AssayError",
    "Formula",
    "InputError",
    "Launches",
    "Record",
    "Result",
    "Tensor",
    "TritonError",
    "UsageError",
    "capture",
    "check",
    "kernels",
    "lift",
    "map",
    "optimize",
    "tensor",
    "trace",
    "version",
]
