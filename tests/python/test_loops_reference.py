"""The corpus of kernels with loops as a whole: every kernel has its cases, an expected formula per output
that was written by hand, and (for operators of several kernels) an operation file.

That kernels agree with their references is test_interpreter.py's; here the formulas of
examples/kernels/expected/loops are evaluated, `raw` and `text`, in float64 on the inputs of the launch,
and agree with the same references. So a formula that is compared with a lifter's is itself right.
"""
import copy
import json
import math

import pytest
import torch
from triton_tools import paths
from triton_tools.case import all_cases
from triton_tools.interpret import capture, inputs_of

EXPECTED = paths.EXPECTED / "loops"
LOOPS = {name: case for name, case in all_cases().items() if name.startswith("loops/")}


# The functions of the formulas. A reduction keeps its axis, as docs say of formulas.

def _sum(x, axis=None):
    return x.sum() if axis is None else x.sum(dim=axis, keepdim=True)


def _max(x, axis=None):
    return x.max() if axis is None else x.amax(dim=axis, keepdim=True)


def argmax(x, axis):
    first = (x == _max(x, axis)).to(torch.int8)
    return first.argmax(dim=axis, keepdim=True).double()


def layer_norm(x, axis, eps):
    return (x - x.mean(dim=axis, keepdim=True)) / torch.sqrt(x.var(dim=axis, unbiased=False, keepdim=True) + eps)


def where(condition, a, b):
    return torch.where(torch.as_tensor(condition), torch.as_tensor(a).double(), torch.as_tensor(b).double())


def causal_penalty(value, n):
    return torch.full((n, n), float(value), dtype=torch.float64).triu(1)


def recurrence(a, x, h0, axis):
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


def index(n):
    return torch.arange(n)


def philox(seed, counters):
    from triton_tools.case import load_module
    return load_module(paths.CORPUS / "loops.py").philox_uniform(seed, len(counters))


def sqrt(x):
    return torch.sqrt(torch.as_tensor(x, dtype=torch.float64))


FUNCTIONS = {
    "exp": torch.exp, "exp2": torch.exp2, "log": lambda x: torch.log(torch.as_tensor(x, dtype=torch.float64)), "log2": torch.log2,
    "sqrt": sqrt, "rsqrt": lambda x: 1 / sqrt(x), "maximum": torch.maximum, "where": where, "sum": _sum, "max": _max,
    "mean": lambda x, axis: x.mean(dim=axis, keepdim=True), "var": lambda x, axis: x.var(dim=axis, unbiased=False, keepdim=True),
    "cumsum": lambda x, axis: x.cumsum(dim=axis), "argmax": argmax, "softmax": lambda x, axis: torch.softmax(x, dim=axis),
    "logsumexp": lambda x, axis: torch.logsumexp(x, dim=axis, keepdim=True), "layer_norm": layer_norm,
    "rms_norm": lambda x, axis, eps: x / torch.sqrt((x * x).mean(dim=axis, keepdim=True) + eps),
    "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"), "take": lambda x, i: x[i],
    "transpose": lambda x, *order: x.permute(*order), "reshape": lambda x, *shape: x.reshape(*(int(n) for n in shape)),
    "repeat": lambda x, n, axis: x.repeat_interleave(n, dim=axis), "expand": lambda x, axis: x.unsqueeze(axis),
    "column": lambda x: x.unsqueeze(1), "column_of": lambda x, j: x[:, j], "index": index, "shift": shift, "sum_over": sum_over,
    "causal_mask": lambda s: s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -math.inf),
    "causal_penalty": causal_penalty, "recurrence": recurrence, "philox": philox,
    "conv1d_causal": lambda x, w: sum_over(0, w.shape[1], lambda j: w[:, j] * shift(x, w.shape[1] - 1 - j, 1)),
}


def environment(launches):
    """What a formula may name: arguments by their first contents, grid sizes, dimensions."""
    names = {}
    for launch in launches:
        for axis, size in zip("xyz", launch.grid):
            names.setdefault("grid_" + axis, size)
        for argument in launch.arguments:
            if argument.kind == "tensor":
                value = argument.before.double() if argument.before.is_floating_point() else argument.before.long()
                for axis, size in enumerate(value.shape):
                    names.setdefault(f"{argument.name}_d{axis}", size)
                names.setdefault(argument.name, value)
            else:
                names.setdefault(argument.name, argument.value)
    return names


def evaluate(expected, output, kind, names):
    names = {**FUNCTIONS, **names}
    for name, formula in expected.get("let", {}).items():
        names[name] = eval(formula, {"__builtins__": {}, **names})  # noqa: S307: our own files
    return eval(expected["outputs"][output][kind], {"__builtins__": {}, **names})  # noqa: S307


@pytest.mark.parametrize("name", list(LOOPS))
def test_expected_formulas_are_right(name):
    case, expected = LOOPS[name], json.loads((EXPECTED / f"{name.split('/')[1]}.json").read_text())
    for number in (0, 5, 11, case.cases - 1):
        inputs = inputs_of(case, number)
        want = case.reference(**copy.deepcopy(inputs))
        assert set(want) == set(expected["outputs"]), "a formula for each output"
        names = environment(capture(case, number, inputs))
        for output, value in want.items():
            for kind in ("raw", "text"):
                got = torch.as_tensor(evaluate(expected, output, kind, names)).double()
                value = torch.as_tensor(value).double()
                assert got.numel() == value.numel(), (output, kind, got.shape, value.shape)
                error = ((got.reshape(value.shape) - value).abs() / value.abs().clamp(min=1)).max()
                # a forward result among the inputs is rounded, the reference computes it again
                assert error <= (case.tolerance if "out" in inputs else 1e-6), (output, kind, number, float(error))


def test_every_kernel_has_twenty_cases():
    assert {case.module for case in LOOPS.values()} == {
        f"loops/{path.stem}" for path in (paths.KERNELS / "loops").glob("*.py")}
    assert all(case.cases >= 20 and case.reference for case in LOOPS.values())


def test_operation_files_name_what_is_compiled():
    """Files, kernels and arguments of examples/kernels/operators are those of the cases with several kernels."""
    several = {case.stem(kernel): kernel for case in LOOPS.values() if len(case.kernels) > 1 for kernel in case.kernels}
    used = set()
    for path in sorted((paths.KERNELS / "operators").glob("*.json")):
        operation = json.loads(path.read_text())
        for launch in operation["launches"]:
            compiled = (path.parent / launch["file"]).resolve()
            stem = str(compiled.relative_to(paths.ttir_folder()).with_suffix(""))
            kernel = several[stem]
            used.add(stem)
            assert launch["kernel"] == kernel.name
            types = kernel.signature()
            for name, value in launch["args"].items():
                assert name in types, (path.name, name)
                if types[name].startswith("*"):
                    dtype = operation["tensors"][value]["dtype"]
                    assert types[name] == "*" + {"f32": "fp32", "f16": "fp16", "bf16": "bf16"}.get(dtype, dtype), (path.name, name)
            assert {name for name, kind in types.items() if kind.startswith("*")} <= set(launch["args"])
    assert used == set(several), "an operation file for each operator of several kernels"
