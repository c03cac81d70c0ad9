#!/usr/bin/env python3
"""Launches of host code as it stands, without a GPU: recorded for `assay lift --launch`, and run in Triton's interpreter.

    build/venv/bin/python tools/triton_tools/host.py compile FILE.py...
        runs each file as a script in `assay.capture` -> build/corpus/host/FILE/KERNEL.ttir, KERNEL.json (an operation
        file), index.json; prints the folders

A kernel that is launched under several specialisations is compiled once for each: KERNEL.ttir, KERNEL.2.ttir, ...
Arguments are matched by place (`arg0`, `arg1`, ... of the compiled function), since names in the text may differ from
those in the host code. Numbers in an operation file are a sample, not constants. A file that fails leaves what it has
launched until then.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import runpy
import sys
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "python")]
import assay  # noqa: E402
from assay.launches import NoDevice  # noqa: E402
from triton_tools import paths  # noqa: E402

OUT = paths.BUILD / "corpus" / "host"
PROGRAMS = 4  # streaming multiprocessors that the host code believes in: the grid of persistent kernels


def script(path: Path):
    """Host code in a file as a call: it is run as `python FILE` runs it."""

    def call():
        sys.path.insert(0, str(path.parent))
        try:
            runpy.run_path(str(path), run_name="__main__")
        finally:
            sys.path.remove(str(path.parent))

    call.__name__, call.operator = path.stem, "host code"
    return call


def folder_of(path: Path) -> Path:
    """Where the launches of a file are left."""
    return OUT / path.stem


def run_call(call):
    """[] or [(name, reason)]: a call that fails leaves what it has launched."""
    import torch

    torch.manual_seed(7)
    try:
        call()
    except Exception as error:  # one bad operator must not hide the others
        last = traceback.extract_tb(error.__traceback__)[-1]
        return [
            (call.__name__, f"{type(error).__name__}: {str(error)[:300]} ({Path(last.filename).name}:{last.lineno})")
        ]
    return []


def launch_key(kernel, names, bound, constexprs):
    """The same in both modes: what makes two launches of a kernel different compiled functions."""
    import torch

    parts = [kernel]
    for name in names:
        value = bound[name]
        value = getattr(value, "value", value)
        if isinstance(value, torch.Tensor):
            parts.append(f"{name}:{value.dtype}")
        elif name in constexprs or value is None or (type(value) is int and value == 1):
            parts.append(f"{name}={value!r}")
        else:
            parts.append(f"{name}:{type(value).__name__}")
    return " ".join(parts)


# ---- record -------------------------------------------------------------------------------------


class Compiler:
    """Keeps each specialisation among captured launches once: its Triton IR, and its first launch as an operation file.
    `folders`: what is cut off from the paths in locations, which do not depend on where the checkout lies."""

    def __init__(self, out, folders=()):
        self.out, self.folders = out, [*folders, paths.ROOT]
        self.index = {}
        self.numbers = collections.Counter()

    def keep(self, launch, call):
        """`launch`: one that assay.capture recorded."""
        (bound,) = launch.bound
        kernel, values = bound.name, {**bound.arguments, **bound.constexprs}
        names = [p.name for p in bound.function.params]
        key = launch_key(kernel, names, values, set(bound.constexprs))
        if key in self.index:
            return
        operation = launch.operation
        self.numbers[kernel] += 1
        stem = kernel if self.numbers[kernel] == 1 else f"{kernel}.{self.numbers[kernel]}"
        self.index[key] = {
            "stem": stem,
            "kernel": kernel,
            "module": bound.function.__module__,
            "operator": call.operator,
            "call": call.__name__,
            "constexprs": {
                name: plain(value)
                for name, value in values.items()
                if name in bound.constexprs or value is None or (type(value) is int and value == 1)
            },
        }
        (self.out / f"{stem}.ttir").write_text(relative(launch.ttir[0], self.folders))
        operation["name"] = stem
        operation["launches"][0]["file"] = f"{stem}.ttir"
        (self.out / f"{stem}.json").write_text(json.dumps(operation, indent=1) + "\n")


def relative(text, folders):
    for folder in folders:
        text = text.replace(str(folder) + os.sep, "")
    return text


def plain(value):
    return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)


def record(calls, out: Path, folders=()):
    """Runs the calls in `assay.capture` and leaves each specialisation in the folder `out`, with index.json: the index,
    and what failed as [(name, reason)]."""
    import torch

    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.*"):
        old.unlink()
    # Nothing is launched, so outputs stay what they were allocated as: zeros, for host code that looks at them.
    torch.empty, torch.empty_like = torch.zeros, torch.zeros_like
    compiler = Compiler(out, folders)
    with assay.capture(PROGRAMS) as launches:
        failed, made_by = [], []
        for call in calls:
            failed += run_call(call)
            made_by += [call] * (len(launches) - len(made_by))
    for launch, call in zip(launches, made_by):
        try:
            compiler.keep(launch, call)
        except assay.TritonError as error:  # what an operation file cannot say
            failed.append((call.__name__, str(error)))
    (out / "index.json").write_text(json.dumps(compiler.index, indent=1) + "\n")
    for name, reason in failed:
        print(f"{name}: {reason}", file=sys.stderr)
    return compiler.index, failed


# ---- interpret ----------------------------------------------------------------------------------


def mend_interpreter():
    """Before host code is imported, which may import what is mended (interpret.py). The interpreter of 3.6.0 also leaves a
    float argument a Python float; the compiler makes it an f32 scalar."""
    import numpy as np
    import triton.language as tl
    from triton.runtime import interpreter
    from triton_tools import interpret  # noqa: F401  (mends it)

    original = interpreter._implicit_cvt

    def convert(argument):
        if type(argument) is float:
            return tl.tensor(interpreter.TensorHandle(np.array([argument], dtype=np.float32), tl.float32), tl.float32)
        return original(argument)

    interpreter._implicit_cvt = convert


def interpret(calls, index, on_launch):
    """The calls in Triton's interpreter; `on_launch(stem, launch)` for each launch of a recorded specialisation. TRITON_INTERPRET
    is set before triton is imported. Gives what failed as [(name, reason)]."""
    from triton.runtime.autotuner import Autotuner
    from triton_tools import interpret as interpreting

    Autotuner._bench = lambda self, *_, **__: [1.0, 1.0, 1.0]
    unknown = set()

    class Watcher(interpreting.Recorder):
        def run(self, executor, args, kwargs):
            super().run(executor, args, kwargs)
            launch = self.launches.pop()
            bound = {a.name: a.before if a.kind == "tensor" else a.value for a in launch.arguments}
            key = launch_key(launch.kernel, list(bound), bound, set(executor.constexprs))
            if key in index:
                on_launch(index[key]["stem"], launch)
            else:
                unknown.add(launch.kernel)

    with NoDevice(PROGRAMS), Watcher():
        failed = [reason for call in calls for reason in run_call(call)]
    for name, reason in failed:
        print(f"{name}: {reason}", file=sys.stderr)
    if unknown:
        print(f"not among the compiled specialisations: {', '.join(sorted(unknown))}", file=sys.stderr)
    return failed


def interpret_files(files, on_launch):
    """Host code in Triton's interpreter; `on_launch(path of the operation file, launch)`."""
    mend_interpreter()
    for file in files:
        folder = folder_of(file)
        index = json.loads((folder / "index.json").read_text())
        interpret([script(file)], index, lambda stem, launch, at=folder: on_launch(at / f"{stem}.json", launch))


# ---- command ------------------------------------------------------------------------------------


def compile_files(arguments):
    failed = []
    for file in arguments.files:
        index, reasons = record([script(file)], folder_of(file))
        failed += reasons
        print(f"{len(index)} specialisations -> {folder_of(file).relative_to(paths.ROOT)}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("compile")
    command.add_argument("files", nargs="+", type=Path)
    command.set_defaults(run=compile_files)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
