"""Evaluate a formula of examples/kernels/expected/ (or one that Assay printed) on a captured launch.

The notation is that of docs/formula.md: arguments by name, elementwise functions, reductions that name
their axis and keep it, so that they broadcast within the formula and drop it only at the output. It is
close enough to Python to be evaluated as such, in float64, with PyTorch's functions behind the names:
nothing here knows any kernel.
"""

from __future__ import annotations

import ast
import functools
import json
import math

import torch
from torch.nn import functional as F

from . import paths


def real(x):
    return torch.as_tensor(x).double()


def reduction(function):
    return lambda x, axis=None: function(
        real(x), dim=tuple(range(real(x).dim())) if axis is None else axis, keepdim=True
    )


def product(x, axis=None):
    axes = range(real(x).dim()) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for k in axes:
        x = real(x).prod(dim=k, keepdim=True)
    return x


def elementwise(function):
    return lambda *operands: function(*map(real, operands))


def first_place(x, axis, sign):
    """Place of the largest (smallest) element; of equal ones the first."""
    x = sign * real(x)
    return (x == x.amax(dim=axis, keepdim=True)).to(torch.int8).argmax(dim=axis, keepdim=True)


def where(condition, a, b):
    return torch.where(torch.as_tensor(condition).bool(), real(a), real(b))


def elements(x, *places):
    """x[i, j] with arrays of places: those that leave x give an element that a `where` around does not choose."""
    places = [torch.as_tensor(p).long().clamp(0, max(n - 1, 0)) for p, n in zip(places, x.shape)]
    return x[tuple(places)]


def take(x, i, axis=0):
    i = torch.as_tensor(i).long().clamp(0, max(x.shape[axis] - 1, 0))
    return x.index_select(axis, i.reshape(-1)).reshape(*x.shape[:axis], *i.shape, *x.shape[axis + 1 :])


def take_along_axis(x, i, axis):
    return torch.take_along_dim(x, torch.as_tensor(i).long().clamp(0, max(x.shape[axis] - 1, 0)), dim=axis)


def variance(x, axis):
    return real(x).var(dim=axis, correction=0, keepdim=True)


def mean(x, axis):
    return real(x).mean(dim=axis, keepdim=True)


def causal_penalty(value, n):
    return torch.full((n, n), float(value), dtype=torch.float64).triu(1)


def recurrence(a, x, h0, axis):
    """h[t] = a[t] * h[t - 1] + x[t]"""
    h, rows = h0, []
    for at, xt in zip(a.unbind(axis), x.unbind(axis)):
        h = at * h + xt
        rows.append(h)
    return torch.stack(rows, dim=axis)


def shift(x, n, axis):
    moved = torch.zeros_like(x)
    keep = max(x.shape[axis] - n, 0)
    moved.narrow(axis, x.shape[axis] - keep, keep).copy_(x.narrow(axis, 0, keep))
    return moved


def sum_over(lo, hi, body):
    return sum(body(j) for j in range(lo, hi))


def philox(seed, counters):
    from .case import load_module

    return load_module(paths.CORPUS / "loops.py").philox_uniform(seed, len(counters))


def bits(seed, counters):
    """What a printed formula calls `bits` where the kernel draws by Philox; it does not say so itself."""
    from .case import load_module

    return load_module(paths.CORPUS / "loops.py").philox_bits(seed, len(counters))


def broadcast(x, *shape):
    return torch.as_tensor(x).expand(*(int(n) for n in shape))


def extremum(function, of_sizes):
    """Sizes stay integers, so that they may bound a slice."""
    return lambda a, b: of_sizes(a, b) if isinstance(a, int) and isinstance(b, int) else function(real(a), real(b))


class Gathers(ast.NodeTransformer):
    """x[i, j] with arrays of places becomes elements(x, i, j); slices stay what they are in Python."""

    def visit_Subscript(self, node):
        self.generic_visit(node)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(place, ast.Slice) for place in places):
            return node
        return ast.copy_location(ast.Call(ast.Name("elements", ast.Load()), [node.value, *places], []), node)


FUNCTIONS = {
    **{
        name: elementwise(getattr(torch, name))
        for name in (
            "exp",
            "exp2",
            "log",
            "log2",
            "sin",
            "cos",
            "tanh",
            "erf",
            "sqrt",
            "rsqrt",
            "abs",
            "floor",
            "ceil",
            "trunc",
            "round",
            "sigmoid",
        )
    },
    "maximum": extremum(torch.maximum, max),
    "minimum": extremum(torch.minimum, min),
    "pi": math.pi,
    "inf": math.inf,
    "where": where,
    "sum": reduction(torch.sum),
    "max": reduction(torch.amax),
    "min": reduction(torch.amin),
    "mean": mean,
    "var": variance,
    "argmax": lambda x, axis: first_place(x, axis, 1),
    "argmin": lambda x, axis: first_place(x, axis, -1),
    "logsumexp": reduction(torch.logsumexp),
    "softmax": lambda x, axis: torch.softmax(real(x), dim=axis),
    "relu": elementwise(F.relu),
    "sign": elementwise(torch.sign),
    "silu": elementwise(F.silu),
    "gelu": elementwise(F.gelu),
    "gelu_tanh": lambda x: F.gelu(real(x), approximate="tanh"),
    "leaky_relu": lambda x, slope: where(x >= 0, x, slope * x),
    "clamp": lambda x, low, high: real(x).clamp(low, high),
    "layer_norm": lambda x, axis, eps: (x - mean(x, axis)) / torch.sqrt(variance(x, axis) + eps),
    "rms_norm": lambda x, axis, eps: x / torch.sqrt(mean(x * x, axis) + eps),
    "transpose": lambda x, *order: x.permute(*order),
    "reshape": lambda x, *shape: x.reshape(*(int(n) for n in shape)),
    "concat": lambda *parts, axis: torch.cat(parts, dim=axis),
    "stack": lambda *parts, axis: torch.stack([torch.as_tensor(part) for part in parts], dim=axis),
    "expand": lambda x, axis: torch.as_tensor(x).unsqueeze(axis),
    "column": lambda x: torch.as_tensor(x).unsqueeze(1),
    "take": take,
    "take_along_axis": take_along_axis,
    "elements": elements,
    "broadcast": broadcast,
    "prod": product,
    "cumsum": lambda x, axis: real(x).cumsum(dim=axis),
    "cumprod": lambda x, axis: real(x).cumprod(dim=axis),
    "cummax": lambda x, axis: real(x).cummax(dim=axis).values,
    "cummin": lambda x, axis: real(x).cummin(dim=axis).values,
    "index": torch.arange,
    "bitand": lambda a, b: torch.as_tensor(a) & torch.as_tensor(b),
    "shl": lambda a, b: torch.as_tensor(a) << torch.as_tensor(b),
    "shr": lambda a, b: torch.as_tensor(a) >> torch.as_tensor(b),
    "wrap32": lambda x: (torch.as_tensor(x) + 2**31) % 2**32 - 2**31,
    "squeeze": lambda x, *axes: x.squeeze(axes),
    # the hand-written formulas of kernels with loops use these besides
    "column_of": lambda x, j: x[:, j],
    "shift": shift,
    "sum_over": sum_over,
    "causal_mask": lambda s: s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -math.inf),
    "causal_penalty": causal_penalty,
    "recurrence": recurrence,
    "philox": philox,
    "bits": bits,
    "conv1d_causal": lambda x, w: sum_over(0, w.shape[1], lambda j: w[:, j] * shift(x, w.shape[1] - 1 - j, 1)),
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
                names.setdefault(
                    argument.name,
                    (
                        value.double()
                        if value.is_floating_point()
                        else value if value.dtype == torch.bool else value.long()
                    ),
                )
                for axis, size in enumerate(value.shape):
                    names.setdefault(f"{argument.name}_d{axis}", size)
            else:
                names.setdefault(argument.name, argument.value)
    return names


@functools.lru_cache(maxsize=None)
def compiled(formula: str):
    return compile(ast.fix_missing_locations(Gathers().visit(ast.parse(formula, mode="eval"))), "<formula>", "eval")


def evaluate(formula: str, names: dict, let: dict | None = None):
    names = {**FUNCTIONS, **names}
    for name, definition in (let or {}).items():
        names[name] = eval(
            compiled(definition), {"__builtins__": {}, **names}
        )  # our own files, and Assay's output in tests
    return torch.as_tensor(eval(compiled(formula), {"__builtins__": {}, **names}))


def fit(value, shape):
    """A formula's value as an output of this shape: kept axes dropped, scalars and rows broadcast, flat outputs reshaped."""
    value = real(value)
    kept = [size for size in value.shape if size != 1]
    if tuple(value.shape) != tuple(shape) and kept == [size for size in shape if size != 1]:
        return value.reshape(shape)
    return value.reshape(shape) if value.numel() == math.prod(shape) else value.expand(shape)


def expected(name: str) -> dict:
    return json.loads((paths.EXPECTED / f"{name}.json").read_text())
