"""`assay optimize` from Python: what it finds, and whether the Triton that it emits is what it proved. The search needs
no Python; here each candidate's module is compiled where Triton is installed, lifted back, and checked against the input.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from . import _library, _triton
from ._calls import REPORTS, _answer, _inputs, _options, check
from ._errors import AssayError
from ._result import Result

POINTERS = {
    "f16": "*fp16",
    "bf16": "*bf16",
    "f32": "*fp32",
    "f64": "*fp64",
    "i8": "*i8",
    "i16": "*i16",
    "i32": "*i32",
    "i64": "*i64",
}
BLOCK = 128  # the least of an axis whose length is known at the launch


def tensors_of(text: str) -> dict:
    """What the docstring of the host function declares."""
    found = {}
    for name, dtype, shape, kind in re.findall(r"^    (\w+): (\w+)\[(.*)\](.*)$", text, re.MULTILINE):
        found[name] = {"dtype": dtype, "shape": [size for size in shape.split(", ") if size]}
        if kind:
            found[name]["temporary"] = True
    return found


def operation_of(text: str, name: str) -> dict:
    """The launches of the host function as an operation file."""
    launches, tensors = [], tensors_of(text)
    place: dict[str, str] = {}
    for view, of in re.findall(r"^    (\w+) = (\w+)\.reshape\(", text, re.MULTILINE):
        known = place.get(of, of)
        if tensors[known].get("temporary") and not tensors[view].get("temporary"):  # what is written as a view
            place = {name: view if at == known else at for name, at in place.items()} | {known: view}
        else:
            place[view] = known
    for kernel, grid, arguments in re.findall(r"^    (\w+)\[\((.*),\)\]\((.*)\)$", text, re.MULTILINE):
        given = re.sub(r", (BLOCK_\w+=|\*\*configuration).*", "", arguments).split(", ")
        launches.append(
            {
                "file": f"{kernel}.ttir",
                "kernel": kernel,
                # By place: releases of Triton before 3.5 keep no names, and blocks come last.
                "args": {f"arg{at}": place.get(name, name) for at, name in enumerate(given)},
                "grid": re.split(r", (?![^(]*\))", grid.replace("triton.", "")),
            }
        )
    tensors = {name: tensor for name, tensor in tensors.items() if name not in place}
    return {"schema": 1, "name": name, "tensors": tensors, "launches": launches}


def blocks_of(text: str) -> dict:
    """Numbers for the blocks that the host function computes. Each is one that no tile has: tiles of as many elements
    would be the same lanes in IR, and an axis that one of them cuts is not seen to be one that the other covers. A block
    into which a loop puts its tiles has several of them."""
    found = {}
    tiles = {int(lanes) for lanes in re.findall(r"tl\.arange\(0, (\d+)\)", text)}
    for name, least in re.findall(r"\b(BLOCK_\w+)=max\((\d+),", text):
        lanes = max(BLOCK, 2 * int(least))
        while lanes in tiles:
            lanes *= 2
        found[name] = lanes
    return found


def compile_module(path: Path, folder: Path) -> None:
    """Every kernel of an emitted module, as KERNEL.ttir."""
    module = _triton.load_module(path, f"assay_emitted_{path.stem.replace('.', '_')}")
    dtypes = {name: tensor["dtype"] for name, tensor in tensors_of(path.read_text()).items()}
    sample = blocks_of(path.read_text())
    for kernel, value in vars(module).items():
        if not hasattr(value, "arg_names") or not hasattr(value, "params"):
            continue
        blocks = {name: sample[name] for name in value.arg_names if name in sample}
        types = {}
        for argument in value.arg_names:
            dtype = dtypes.get(argument.removesuffix("_ptr"), dtypes.get(argument))
            if argument not in blocks:
                types[argument] = POINTERS[dtype] if dtype else "i32"
        (folder / f"{kernel}.ttir").write_text(_triton.to_ttir(value, types, blocks))


def lifted_verdict(text: str, name: str, right, **options) -> str:
    """The verdict on an emitted module, compiled and lifted back, against the input: where one of them has a value, the
    other has the same."""
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / "emitted.py"
        path.write_text(text)
        compile_module(path, Path(folder))
        operation = Path(folder) / "operation.json"
        operation.write_text(json.dumps(operation_of(text, name)))
        verdict = check(operation, right, **options).json["verdict"]
        if verdict == "probable":  # equal wherever the input has a value, perhaps, as of labels that are classes
            verdict = max(verdict, check(right, operation, **options).json["verdict"], key="proved".__eq__)
        return verdict


def optimize(formula, *, lift=True, **options) -> Result:
    """A faster kernel for the same formula, proved: `candidates`, best first, each with its graph, cost and verdict.

    `formula`: a file that `assay optimize` reads, a function, or `assay.Formula`. Options are those of the command line:
    set={"M": 16}, target="sm_90", top=3, max_kernel_ops=1, .. With `lift`, and where Triton is installed, `lifted` of each
    candidate is the verdict on its emitted Triton, compiled and lifted back; None where it has none or was not compiled.
    """
    emits = options.pop("emit", [])
    emits = [emits] if isinstance(emits, str) else list(emits)
    wanted = emits + (["triton"] if lift and "triton" not in emits else [])
    found = _answer(_library.run("optimize", _inputs(formula)[:1], _options(emit=wanted, **options), REPORTS))
    given = {"set": options["set"]} if "set" in options else {}
    for candidate in found.json.get("candidates", []) if lift else []:
        texts = [found.emitted[file] for file in candidate["files"] if file.endswith(".triton.py")]
        try:
            candidate["lifted"] = lifted_verdict(texts[0], found.json["kernel"], formula, **given) if texts else None
        except (AssayError, ImportError):
            candidate["lifted"] = None
    return found
