"""Lift a compiled kernel with build/assay, or the executable that ASSAY names, and hold the answer against real launches.

The emitted NumPy and PyTorch modules are called with the tensors of a captured launch, seen through
the shapes and strides that the report gives (expressions over the launch's sizes), and what they
return is compared with what the launch wrote. Nothing is taken from the report on trust but the
names: a wrong shape, a wrong region or a wrong formula shows as a difference.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from . import paths
from .formulas import environment, evaluate, fit

ASSAY = Path(os.environ.get("ASSAY", paths.BUILD / "assay"))


class Disagreement(AssertionError):
    """The lifted meaning is not what the launch did; the text says where."""


@dataclass
class Lifted:
    code: int
    report: dict
    diagnostics: str
    modules: dict = field(default_factory=dict)  # numpy, pytorch -> the emitted function

    def forms(self) -> str:
        return "+".join(sorted({output.get("form") or "none" for output in self.report.get("outputs", [])})) or "none"

    def reason(self) -> str:
        reason = self.report.get("reason")
        return f"{reason['code']}: {reason['text']}" if reason else self.diagnostics.strip().split("\n")[0]

    def closed(self) -> bool:
        """Every output has a formula with nothing opaque."""
        outputs = self.report.get("outputs", [])
        return bool(outputs) and all(output.get("form") in ("tensor", "pointwise") for output in outputs)


def patient(*arguments) -> list[str]:
    """The command, with a limit of time that a busy machine does not reach unless it has one of its own."""
    command = [str(ASSAY), *map(str, arguments)]
    has_limit = any(argument.startswith("--timeout") for argument in command)
    return command if has_limit or command[1] not in ("lift", "check") else [*command, "--timeout", "600"]


def run(*arguments, timeout=900) -> subprocess.CompletedProcess:
    return subprocess.run(patient(*arguments), capture_output=True, text=True, timeout=timeout, check=False)


def lift(files, *flags, emit=("numpy", "pytorch")) -> Lifted:
    with tempfile.TemporaryDirectory() as folder:
        emitting = ["--emit", ",".join(emit), "-o", folder] if emit else []
        done = run("lift", *files, "--json", *flags, *emitting)
        try:
            report = json.loads(done.stdout.strip().splitlines()[-1] if done.stdout.count("\n{") else done.stdout)
        except (json.JSONDecodeError, IndexError):
            report = {}
        lifted = Lifted(done.returncode, report, done.stderr)
        for path in sorted(Path(folder).glob("*.py")):
            for name in emit:
                if f".{name}." in path.name or len(emit) == 1:
                    lifted.modules[name] = load(path)
        return lifted


def load(path: Path):
    """The one public function of an emitted module."""
    spec = importlib.util.spec_from_file_location("assay_emitted_" + path.stem.replace(".", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    functions = [value for name, value in own.items() if not name.startswith("_")]
    if not functions:  # a kernel whose name begins with an underscore
        functions = [value for name, value in own.items() if name == path.stem.split(".")[0]]
    if len(functions) != 1:
        raise Disagreement(f"{path.name} has {len(functions)} public functions")
    return functions[0]


EXPRESSIONS = {
    "cdiv": lambda a, b: -(-a // b),
    "round_up": lambda a, b: -(-a // b) * b,
    "min": min,
    "max": max,
    "next_pow2": lambda a: 1 << max(0, a - 1).bit_length(),
    "where": lambda condition, a, b: a if condition else b,
}


def size(expression, names) -> int:
    try:
        return int(eval(str(expression), {"__builtins__": {}, **EXPRESSIONS, **names}))  # Assay's own output
    except NameError as error:
        raise Disagreement(f"size {expression}: {error}") from error


def view(argument, tensor: torch.Tensor, entry: dict, names) -> torch.Tensor:
    """The tensor's memory with the shape and strides that the report gives it."""
    shape = [size(e, names) for e in entry["shape"]]
    if list(tensor.shape) == shape:
        return tensor
    strides = [size(e, names) for e in entry["strides"]]
    memory = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
    last = argument.offset + sum((n - 1) * s for n, s in zip(shape, strides)) if all(shape) else 0
    if last >= memory.numel():
        raise Disagreement(
            f"{argument.name}: shape {entry['shape']} = {shape} goes beyond its memory, whose shape is"
            f" {list(tensor.shape)}"
        )
    return memory.as_strided(shape, strides, argument.offset)


def whole(argument, launch, moment) -> torch.Tensor:
    """The argument as a view of its storage before or after the launch."""
    data = torch.frombuffer(bytearray(getattr(launch.storages[argument.storage], moment)), dtype=argument.before.dtype)
    return data.as_strided(argument.shape, argument.strides, argument.offset)


def as_numpy(tensor):
    if tensor.is_floating_point():
        return tensor.double().numpy()
    return tensor.numpy() if tensor.dtype == torch.bool else tensor.long().numpy()


def names_of(launches, entries) -> dict:
    """Numbers that shapes may name: scalar arguments, grid sizes, and sizes that the report made up for an axis of which no
    argument speaks: the launch's own tensor says what those are."""
    names = {
        name: value
        for name, value in environment(launches).items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
    for launch in launches:
        for argument in launch.arguments:
            entry = entries.get(argument.name) if argument.kind == "tensor" else None
            if not entry:
                continue
            made_up = {f"{argument.name}_d{axis}" for axis in range(len(entry["shape"]))}
            shape = argument.shape
            if len(entry["shape"]) != len(shape):  # a flat tensor: as far as its memory goes
                shape = (
                    [len(launch.storages[argument.storage].before) // argument.before.element_size() - argument.offset]
                    if len(entry["shape"]) == 1
                    else []
                )
            for expression, length in zip(entry["shape"], shape):
                if expression in made_up:
                    names[expression] = length
                elif expression.isidentifier():
                    names.setdefault(expression, length)
    return names


def count_groups(report: dict, names: dict) -> None:
    """Sizes that count the programs of an axis in groups, `grid_x = T*grid_x_d0`: as many as the launch has."""
    for assumption in report["assumptions"]:
        grid, _, product = assumption["text"].partition(" = ")
        unknown = set(re.findall(r"\bgrid_[xyz]_d\d+\b", product)) - set(names)
        if grid in names and len(unknown) == 1:
            (name,) = unknown
            names[name] = names[grid] // max(1, size(product, {**names, name: 1}))


def worst_error(got, expected) -> float:
    got, expected = torch.as_tensor(np.asarray(got)).double(), expected.double()
    same = (got == expected) | (got.isnan() & expected.isnan())
    error = ((got - expected).abs() / expected.abs().clamp(min=1)).nan_to_num(nan=float("inf"))
    error = torch.where(same, torch.zeros_like(error), error)
    return float(error.max()) if error.numel() else 0.0


def compare(lifted: Lifted, framework: str, launches, tolerance: float, as_given=False) -> None:
    """Call the emitted function on the inputs of these launches; Disagreement if it does not give their outputs. Arrays are
    passed in the shapes of the report; `as_given`: as the launch has them, and an output may have either shape."""
    if framework not in lifted.modules:
        raise Disagreement(f"nothing was emitted for {framework}")
    function = lifted.modules[framework]
    first = {a.name: (a, launch) for launch in reversed(launches) for a in launch.arguments}
    last = {a.name: (a, launch) for launch in launches for a in launch.arguments}
    entries = {
        entry["name"]: entry
        for entry in lifted.report["inputs"] + lifted.report["outputs"]
        if entry.get("shape") is not None
    }
    names = names_of(launches, entries)
    count_groups(lifted.report, names)
    keywords = {}
    for name in inspect.signature(function).parameters:
        if name in first and first[name][0].kind == "tensor":
            argument, launch = first[name]
            tensor = whole(argument, launch, "before")
            if not as_given:
                tensor = view(argument, tensor, entries[name], names)
            keywords[name] = as_numpy(tensor) if framework == "numpy" else tensor.clone()
        elif name in names:
            keywords[name] = names[name]
        else:
            raise Disagreement(f"{framework}: no such argument or size: {name}")
    results = function(**keywords)
    outputs = {entry["name"]: entry for entry in lifted.report["outputs"]}
    if set(results) != set(outputs):
        raise Disagreement(f"{framework}: gives {sorted(results)}, the report has {sorted(outputs)}")
    for name, entry in outputs.items():
        argument, launch = last[name]
        expected = whole(argument, launch, "after")
        got = results[name]
        got = got.double().numpy() if isinstance(got, torch.Tensor) else np.asarray(got)
        if not as_given or tuple(got.shape) != tuple(expected.shape):
            expected = view(argument, expected, entry, names)
        if tuple(got.shape) != tuple(expected.shape):
            raise Disagreement(f"{framework}: {name} has shape {got.shape}, the launch {tuple(expected.shape)}")
        error = worst_error(got, expected)
        if error > tolerance:
            raise Disagreement(f"{framework}: {name} off by {error:.3g}")


def squeeze(formula: str) -> str:
    return "".join(str(formula).split())


def formula_is(lifted: Lifted, output: str, expected: dict, launches) -> str:
    """How the printed formula compares with the hand-written ones: `text` or `raw` to the letter, else `value` (equal on
    these launches), else `other` (or not in the notation of formulas.py)."""
    entry = next(entry for entry in lifted.report["outputs"] if entry["name"] == output)
    printed = (entry.get("formula") or {}).get("text") or ""
    for kind in ("text", "raw"):
        if squeeze(printed) == squeeze(expected["outputs"][output][kind]):
            return kind
    try:
        names = environment(launches)
        after = launches[-1][output].after
        value = fit(evaluate(printed, names), after.shape)
        wanted = fit(evaluate(expected["outputs"][output]["text"], names, expected.get("let")), after.shape)
        return "value" if worst_error(value, wanted) < 1e-6 else "other"
    except Exception:  # a notation that formulas.py does not know, or another shape
        return "other"
