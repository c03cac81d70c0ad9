"""Evaluate a formula of examples/kernels/expected/ (or one that Assay printed) on a captured launch.

The notation is that of docs/formula.md: arguments by name, elementwise functions, reductions that name
their axis and keep it, so that they broadcast within the formula and drop it only at the output. It is
close enough to Python to be evaluated as such, in float64, with PyTorch's functions behind the names:
nothing here knows any kernel.
"""
from __future__ import annotations

import json
import math

import torch
from torch.nn import functional as F

from . import paths


def real(x):
    return torch.as_tensor(x).double()


def reduction(function):
    return lambda x, axis: function(real(x), dim=axis, keepdim=True)


def elementwise(function):
    return lambda *operands: function(*map(real, operands))


def first_place(x, axis, sign):
    """Place of the largest (smallest) element; of equal ones the first."""
    x = sign * real(x)
    return (x == x.amax(dim=axis, keepdim=True)).to(torch.int8).argmax(dim=axis, keepdim=True)


def where(condition, a, b):
    return torch.where(torch.as_tensor(condition).bool(), real(a), real(b))


def variance(x, axis):
    return real(x).var(dim=axis, correction=0, keepdim=True)


def mean(x, axis):
    return real(x).mean(dim=axis, keepdim=True)


FUNCTIONS = {
    **{name: elementwise(getattr(torch, name)) for name in
       ("exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf", "sqrt", "rsqrt", "abs", "floor", "ceil", "trunc", "round",
        "sigmoid", "maximum", "minimum")},
    "pi": math.pi, "inf": math.inf, "where": where,
    "sum": reduction(torch.sum), "max": reduction(torch.amax), "min": reduction(torch.amin), "mean": mean, "var": variance,
    "argmax": lambda x, axis: first_place(x, axis, 1), "argmin": lambda x, axis: first_place(x, axis, -1),
    "logsumexp": reduction(torch.logsumexp), "softmax": lambda x, axis: torch.softmax(real(x), dim=axis),
    "relu": elementwise(F.relu), "silu": elementwise(F.silu), "gelu": elementwise(F.gelu),
    "gelu_tanh": lambda x: F.gelu(real(x), approximate="tanh"),
    "leaky_relu": lambda x, slope: where(x >= 0, x, slope * x),
    "clamp": lambda x, low, high: real(x).clamp(low, high),
    "layer_norm": lambda x, axis, eps: (x - mean(x, axis)) / torch.sqrt(variance(x, axis) + eps),
    "rms_norm": lambda x, axis, eps: x / torch.sqrt(mean(x * x, axis) + eps),
    "transpose": lambda x, *order: x.permute(*order), "reshape": lambda x, *shape: x.reshape(*(int(n) for n in shape)),
    "concat": lambda *parts, axis: torch.cat(parts, dim=axis),
    "expand": lambda x, axis: x.unsqueeze(axis), "column": lambda x: x.unsqueeze(1),
    "take": lambda x, i, axis=0: x.index_select(axis, i.reshape(-1)).reshape(*x.shape[:axis], *i.shape, *x.shape[axis + 1:]),
    "take_along_axis": lambda x, i, axis: torch.take_along_dim(x, i, dim=axis),
}


def environment(launches) -> dict:
    """What a formula may name: arguments by their contents before the first launch, grid sizes, dimensions."""
    names: dict = {}
    for launch in launches:
        for axis, size in zip("xyz", launch.grid):
            names.setdefault("grid_" + axis, size)
        for argument in launch.arguments:
            if argument.kind == "tensor":
                value = argument.before
                names.setdefault(argument.name, value.double() if value.is_floating_point() else value if value.dtype == torch.bool else value.long())
                for axis, size in enumerate(value.shape):
                    names.setdefault(f"{argument.name}_d{axis}", size)
            else:
                names.setdefault(argument.name, argument.value)
    return names


def evaluate(formula: str, names: dict, let: dict | None = None):
    names = {**FUNCTIONS, **names}
    for name, definition in (let or {}).items():
        names[name] = eval(definition, {"__builtins__": {}, **names})  # our own files, and Assay's output in tests
    return torch.as_tensor(eval(formula, {"__builtins__": {}, **names}))


def fit(value, shape):
    """A formula's value as an output of this shape: kept axes dropped, scalars and rows broadcast, flat outputs reshaped."""
    value = real(value)
    kept = [size for size in value.shape if size != 1]
    if tuple(value.shape) != tuple(shape) and kept == [size for size in shape if size != 1]:
        return value.reshape(shape)
    return value.reshape(shape) if value.numel() == math.prod(shape) else value.expand(shape)


def expected(name: str) -> dict:
    return json.loads((paths.EXPECTED / f"{name}.json").read_text())
