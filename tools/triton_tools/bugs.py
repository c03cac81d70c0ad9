#!/usr/bin/env python3
"""The bug zoo of examples/bugs: pairs of small kernels, one with a bug and one with it fixed.

    build/venv/bin/python tools/triton_tools/bugs.py compile
        -> build/corpus/bugs/NAME_bug.ttir, NAME_fixed.ttir, an operation file (.json) beside each, index.json
    ... bugs.py list

Each file has the functions NAME_bug and NAME_fixed and a SPEC:

    kind        the expected finding: bounds, race, coverage, overflow, undefined, division, alias; or value (no obligation
                is violated, the formula is wrong: it differs from the fixed kernel's)
    types, constexprs   of the compiled function, as in case.py
    tensors     name -> (dtype, size expressions ..., {"strides": [...]} if not row-major)
    args        argument -> tensor or size expression; by default X_ptr is tensor X and a scalar the size of its own name
    grid        expressions; runs: how often it is launched in a row (1)
    sample      sizes (and contents of tensors) at which running the kernel shows the bug
    sizes       for bugs that need sizes too large to run: sizes at which it shows
    assume      what the caller of a one-block kernel promises
    fixed       entries that differ for the fixed kernel
"""

import argparse
import inspect
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from triton_tools import paths  # noqa: E402
from triton_tools.case import load_module  # noqa: E402

BUGS = paths.ROOT / "examples" / "bugs"
OUT = paths.BUILD / "corpus" / "bugs"


class Bug:
    def __init__(self, path):
        self.name, self.module = path.stem, load_module(path)
        self.statement = inspect.cleandoc(self.module.__doc__).replace("\n", " ")
        self.specs = {"bug": self.module.SPEC, "fixed": {**self.module.SPEC, **self.module.SPEC.get("fixed", {})}}
        self.kind = self.module.SPEC["kind"]

    def function(self, which):
        return getattr(self.module, f"{self.name}_{which}")

    def types(self):
        return dict(pair.split(":") for pair in self.module.SPEC["types"].split())

    def arguments(self, which):
        given = self.specs[which].get("args", {})
        return {
            name: given.get(name, name.removesuffix("_ptr") if kind.startswith("*") else name)
            for name, kind in self.types().items()
        }

    def operation(self, which):
        spec, tensors = self.specs[which], {}
        for name, (dtype, *shape) in spec["tensors"].items():
            more = shape.pop() if isinstance(shape[-1], dict) else {}
            tensors[name] = {"dtype": dtype, "shape": shape, **more}
        stem = f"{self.name}_{which}"
        launch = {"file": f"{stem}.ttir", "kernel": stem, "grid": spec["grid"], "args": self.arguments(which)}
        return {"schema": 1, "name": stem, "tensors": tensors, "launches": [launch] * spec.get("runs", 1)}


def all_bugs():
    return [Bug(path) for path in sorted(BUGS.glob("*.py"))]


def compile_all(_):
    from triton_tools.compile import tidy, to_ttir

    OUT.mkdir(parents=True, exist_ok=True)
    index = {}
    for bug in all_bugs():
        spec = bug.module.SPEC
        index[bug.name] = {
            "kind": bug.kind,
            "statement": bug.statement,
            "assume": spec.get("assume", []),
            "sizes": spec.get("sizes", spec["sample"]),
        }
        for which in ("bug", "fixed"):
            stem = f"{bug.name}_{which}"
            _, text = to_ttir(bug.function(which), bug.types(), spec["constexprs"])
            paths.write(OUT / f"{stem}.ttir", tidy(text))
            paths.write(OUT / f"{stem}.json", json.dumps(bug.operation(which), indent=1) + "\n")
    paths.write(OUT / "index.json", json.dumps(index, indent=1) + "\n")
    print(f"{2 * len(index)} kernels -> {OUT.relative_to(paths.ROOT)}")
    return 0


def list_all(_):
    for bug in all_bugs():
        print(f"{bug.kind:10} {bug.name:28} {bug.statement}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("compile").set_defaults(run=compile_all)
    commands.add_parser("list").set_defaults(run=list_all)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
