"""From captured launches to what a real launch leaves behind: specialised TTIR and an operation file.

Triton compiles for the arguments it meets: an integer that is 1 and an argument that is None vanish
from the text, pointers and integers that are multiples of 16 get `tt.divisibility`. The operation file
(`interface.md`, section 5) says what the text does not: grid, shapes, strides, which arguments are
the same tensor. Arguments are named by their place in the text (argN), because a kernel may rename
or lose them. The numbers in it are those of this one launch.
"""

from __future__ import annotations

import json
from pathlib import Path

from .case import Case
from .compile import tidy, to_ttir, unwrap

DTYPES = {"fp32": "f32", "fp16": "f16", "fp64": "f64"}
ITEM = {"fp32": 4, "fp16": 2, "bf16": 2, "fp64": 8, "i8": 1, "u8": 1, "i1": 1, "i16": 2, "i32": 4, "i64": 8}


def specialised(launch: dict, fixed=()) -> tuple[dict, dict, list]:
    """Types, constexprs and arguments that are multiples of 16; `fixed` are exempt (do_not_specialize)."""
    types, constexprs, divisible = {}, {}, []
    for argument in launch["arguments"]:
        name, value = argument["name"], argument.get("value")
        if argument["kind"] == "constexpr":
            constexprs[name] = value
        elif argument["kind"] == "tensor":
            types[name] = argument["type"]
            if argument["offset"] * ITEM[argument["type"][1:]] % 16 == 0 and name not in fixed:
                divisible.append(name)
        elif argument["type"] in ("i32", "i64") and value == 1 and name not in fixed:
            constexprs[name] = 1
        else:
            types[name] = argument["type"]
            if argument["type"] in ("i32", "i64") and value % 16 == 0 and name not in fixed:
                divisible.append(name)
    return types, constexprs, divisible


def operation(name: str, launches: list[dict], files: list[str], kept: list[list[str]]) -> dict:
    """The operation file. `kept[k]` are the arguments of launch k that are in the text, in order."""
    tensors: dict = {}
    identities: dict = {}
    described = []
    for launch, file, names in zip(launches, files, kept):
        arguments = {}
        for argument in launch["arguments"]:
            if argument["name"] not in names:
                continue
            place = f"arg{names.index(argument['name'])}"
            if argument["kind"] != "tensor":
                arguments[place] = argument["value"]
                continue
            identity = (argument["place_in_memory"], argument["offset"], *argument["shape"], "/", *argument["strides"])
            if identity not in identities:
                fresh = argument["name"]
                while fresh in tensors:
                    fresh += "_"
                identities[identity] = fresh
                dtype = argument["type"][1:]
                tensors[fresh] = {
                    "dtype": DTYPES.get(dtype, dtype),
                    "shape": argument["shape"],
                    "strides": argument["strides"],
                }
            arguments[place] = identities[identity]
        described.append({"file": file, "kernel": launch["kernel"], "grid": launch["grid"], "args": arguments})
    return {"schema": 1, "name": name.replace("/", "_"), "tensors": tensors, "launches": described}


def write(case: Case, capture: Path, folder: Path) -> list[Path]:
    """Compile each launch of a dump (interpret.py) as it was launched, into `folder`."""
    launches = json.loads(Path(capture).read_text())
    paths, kept = [], []
    for place, launch in enumerate(launches):
        fn = unwrap(getattr(case.load(), launch["kernel"]))
        fixed = [p.name for p in fn.params if p.do_not_specialize]
        types, constexprs, divisible = specialised(launch, fixed)
        _, text = to_ttir(fn, types, constexprs, divisible=divisible, **case.options)
        out = folder / f"{case.name}.{place}.ttir"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(tidy(text))
        paths.append(out)
        kept.append(list(types))
    described = operation(case.name, launches, [path.name for path in paths], kept)
    out = folder / f"{case.name}.operation.json"
    out.write_text(json.dumps(described, indent=1) + "\n")
    return [*paths, out]
