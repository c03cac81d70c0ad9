"""`lift` and `check`: the two calls of the package, with the options of the command line as keywords."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path
from typing import Any, Mapping

from . import _library
from ._errors import InputError, UsageError
from ._result import Result

FLAGS = (
    "no_prove",
    "no_simplify",
    "no_top_down",
    "no_prune",
    "explain",
    "stats",
    "both_ways",
    "no_expressions",
    "no_canonical",
    "no_fingerprints",
    "unproved",
)
PLAIN = (
    "timeout",
    "memory",
    "launch",
    "stop_after",
    "engine",
    "invariant",
    "explain_stage",
    "target",
    "top",
    "max_kernel_ops",
    "max_block_ops",
    "jobs",
)


REPORTS = ("html", "sarif")


class Formula(str):
    """A formula as one side of `check`: `assay.Formula("y = softmax(x, axis=1)")` (docs/formula.md has the grammar)."""


def _listed(value) -> list:
    if value is None:
        return []
    return [value] if isinstance(value, (str, os.PathLike)) else list(value)


def _assigned(value) -> list[str]:
    """{"x": ("M", "N")} or ["x=M,N"] as the texts of the command line."""
    if value is None or not isinstance(value, Mapping):
        return [str(item) for item in _listed(value)]
    texts = []
    for name, axes in value.items():
        axes = axes if isinstance(axes, (list, tuple)) else [axes]
        texts.append(f"{name}={','.join(str(axis) for axis in axes)}")
    return texts


def _options(
    *,
    kernel=None,
    shape=None,
    strides=None,
    grid=None,
    set=None,
    assume=None,
    alias=None,
    map=None,
    only=None,
    strict=None,
    allow=None,
    emit=None,
    no_law=None,
    **others,
) -> dict[str, Any]:
    values: dict[str, Any] = {
        "kernels": _listed(kernel),
        "shapes": _assigned(shape),
        "strides": _assigned(strides),
        "sets": _assigned(set),
        "assumes": _listed(assume),
        "aliases": _assigned(alias),
        "maps": _assigned(map),
        "only": _listed(only),
        "strict": _listed(strict),
        "allow": _listed(allow),
        "emits": _listed(emit),
        "no_laws": _listed(no_law),
    }
    if grid is not None:
        axes = grid if isinstance(grid, (list, tuple)) else [grid]
        values["grid"] = ",".join(str(axis) for axis in axes)
    for name, value in others.items():
        if name in FLAGS:
            values[name] = int(bool(value))
        elif name in PLAIN:
            values[name] = value
        else:
            raise TypeError(
                f"no option {name!r}; there are {', '.join(sorted([*FLAGS, *PLAIN]))} and those of the help"
            )
    return {key: value for key, value in values.items() if value not in (None, [])}


def _inputs(side) -> list[_library.Input]:
    """A path, a formula, a function of a file, something traced, or a list of paths."""
    if isinstance(side, Result):
        if side.launches is None:
            raise UsageError("a result is no input, but that of a traced launch: pass what it is the answer for")
        side = side.launches
    if isinstance(side, Formula):
        return [_library.make_input("-e", str(side))]
    if hasattr(side, "__assay_inputs__"):
        return [_library.make_input(name, text) for name, text in side.__assay_inputs__()]
    if inspect.isfunction(side):
        return [_library.make_input(reference_of(side))]
    return [_library.make_input(os.fspath(path)) for path in _listed(side)]


def reference_of(function) -> str:
    """FILE.py:function of a Python function; its source is read, the function is not run."""
    if function.__name__ == "<lambda>":
        raise UsageError("a lambda has no name to read it by: a reference is a function that is defined with def")
    try:
        path = inspect.getsourcefile(function)
    except TypeError:
        path = None
    if not path or not Path(path).exists():
        raise UsageError(f"the source of {function.__name__} is in no file, so that it cannot be read")
    return f"{path}:{function.__qualname__.split('.')[-1]}"


def _answer(found: dict) -> Result:
    if found["status"] == "bad input":
        listed = json.loads(found["json"]).get("diagnostics", []) if found["json"] else []
        raise InputError(found["diagnostics"] or found["message"], listed)
    if found["status"] == "usage":
        raise UsageError(found["diagnostics"].strip() or found["message"])
    return Result(
        found["json"],
        found["text"],
        found["diagnostics"],
        found["exit_code"],
        found["emitted"],
        found["stage"],
        found["reports"],
    )


def lift(kernel_or_path, **options) -> Result:
    """Tells what this kernel computes: formula, proof for all sizes, safety.

    `kernel_or_path`: a file that `assay lift` reads (.ttir, an operation file, a formula), a list of files (launched
    in that order), or what `assay.trace` or `assay.capture` recorded.

    Options are those of the command line: kernel="NAME", shape={"x": ("M", "N")}, strides={..}, grid=("cdiv(n, 64)",),
    set={"N": 64}, assume=["n % 16 == 0"], alias={"y": "x"}, emit=["numpy"], launch="trace.ndjson", strict=["overflow"],
    allow=["undefined"], timeout=60 (seconds), memory=4 << 30 (bytes), stop_after="pointwise", no_prove, no_simplify,
    no_law=["clamp"], explain, stats. Sizes are in elements, strides too.

    Raises InputError for an input that cannot be read, UsageError for options that make no sense. A wrong kernel is
    no exception: look at `verdict`, `safety` and `findings` of the result.
    """
    return _answer(_library.run("lift", _inputs(kernel_or_path), _options(**options), REPORTS))


def check(left, right, **options) -> Result:
    """Tells whether two inputs compute the same, for all sizes and inputs.

    `left` is the implementation, `right` the reference. Each is a file, `"FILE.py:function"`, a Python function of
    NumPy or PyTorch calls (its source is read, it is not run), `assay.Formula("y = ..")`, or what `assay.trace` or
    `assay.capture` recorded. Options are those of `lift`, and map={"out_ptr": "y"} (names of left and right),
    only=["y"] (these outputs alone), both_ways.

    `verdict` is "proved", or "refuted" with a `witness` (sizes, index, both values), or less. Raises as `lift` does.
    """
    sides = [*_inputs(left)[:1], *_inputs(right)[:1]]
    if len(sides) != 2:
        raise UsageError("check takes one file on each side")
    return _answer(_library.run("check", sides, _options(**options), REPORTS))


def kernels(path, **options) -> list[str]:
    """The names of the public functions of a file."""
    found = _library.run("list_kernels", _inputs(path), _options(**options))
    if found["status"] == "bad input":
        raise InputError(found["diagnostics"])
    return found["names"]
