#!/usr/bin/env python3
"""The kernels of an unmodified third-party package, liger-kernel, captured from real calls without a GPU.

    build/venv/bin/python tools/triton_tools/liger.py install   # into build/liger (with packaging; torch is there)
    ... liger.py compile    -> build/corpus/liger/KERNEL.ttir, KERNEL.json (an operation file), index.json
    ... liger.py interpret  -> build/launches/liger/KERNEL.N.json and .bin: the same calls in Triton's
                               interpreter, every launch with its arguments before and after (see interpret.py)
    ... liger.py table [--details]   # lifts each with build/assay (or $ASSAY), holds the emitted NumPy against these launches

`compile` runs the calls of liger_calls.py in `assay.capture` of the Python package. Arguments are matched by place
(`arg0`, `arg1`, ... of the compiled function), since names in the text may differ from those in the host code. Numbers
in an operation file are a sample, not constants.

A kernel that is launched under several specialisations is compiled once for each: KERNEL.ttir, KERNEL.2.ttir, ...
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "python")]
import assay  # noqa: E402
from assay.launches import NoDevice  # noqa: E402
from triton_tools import paths  # noqa: E402

PACKAGES = ["liger-kernel==0.8.5", "packaging"]
INSTALLED = paths.BUILD / "liger"
OUT = paths.BUILD / "corpus" / "liger"
LAUNCHES = paths.BUILD / "launches" / "liger"
LIFT_SECONDS = 20
PROGRAMS = 4  # streaming multiprocessors that the host code believes in: the grid of persistent kernels


def install(_):
    stamp = INSTALLED / ".stamp"
    if not stamp.exists() or stamp.read_text() != " ".join(PACKAGES):
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--upgrade",
            "--target",
            str(INSTALLED),
            *PACKAGES,
        ]
        subprocess.run(command, check=True)
        stamp.write_text(" ".join(PACKAGES))
    return 0


# ---- the environment that the host code sees ----------------------------------------------------


def import_liger():
    """Host code takes its CUDA paths, with CPU tensors."""
    sys.path.insert(0, str(INSTALLED))
    import liger_kernel.utils

    liger_kernel.utils.infer_device = lambda: "cuda"


def calls_named(names):
    from triton_tools import liger_calls

    return [call for call in liger_calls.CALLS if not names or call.__name__ in names]


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


# ---- compile ------------------------------------------------------------------------------------


def relative(text):
    """Locations do not depend on where the checkout lies."""
    for folder in (INSTALLED, paths.ROOT):
        text = text.replace(str(folder) + os.sep, "")
    return text


class Compiler:
    """Keeps each specialisation among captured launches once: its Triton IR, and its first launch as an operation file."""

    def __init__(self, out=OUT):
        self.out = out
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
        (self.out / f"{stem}.ttir").write_text(relative(launch.ttir[0]))
        operation = {**launch.operation, "name": stem}
        operation["launches"][0]["file"] = f"{stem}.ttir"
        (self.out / f"{stem}.json").write_text(json.dumps(operation, indent=1) + "\n")


def plain(value):
    return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)


def compile_all(arguments):
    import torch

    install(None)
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*"):
        old.unlink()
    import_liger()
    # Nothing is launched, so outputs stay what they were allocated as: zeros, for host code that looks at them.
    torch.empty, torch.empty_like = torch.zeros, torch.zeros_like
    compiler = Compiler()
    with assay.capture(PROGRAMS) as launches:
        failed, calls = [], []
        for call in calls_named(arguments.names):
            failed += run_call(call)
            calls += [call] * (len(launches) - len(calls))
    for launch, call in zip(launches, calls):
        compiler.keep(launch, call)
    (OUT / "index.json").write_text(json.dumps(compiler.index, indent=1) + "\n")
    for name, reason in failed:
        print(f"{name}: {reason}", file=sys.stderr)
    kernels = {entry["kernel"] for entry in compiler.index.values()}
    print(
        f"{len(kernels)} kernels in {len(compiler.index)} specialisations, {len(failed)} calls failed -> "
        f"{OUT.relative_to(paths.ROOT)}"
    )
    return 1 if failed else 0


# ---- interpret ----------------------------------------------------------------------------------


def mend_float_scalars():
    """The interpreter of 3.6.0 leaves a float argument a Python float; the compiler makes it an f32 scalar."""
    import numpy as np
    import triton.language as tl
    from triton.runtime import interpreter

    original = interpreter._implicit_cvt

    def convert(argument):
        if type(argument) is float:
            return tl.tensor(interpreter.TensorHandle(np.array([argument], dtype=np.float32), tl.float32), tl.float32)
        return original(argument)

    interpreter._implicit_cvt = convert


def run_interpreted(names, on_launch):
    """The calls in Triton's interpreter; `on_launch(stem, launch)` for each launch of a compiled specialisation."""
    os.environ["TRITON_INTERPRET"] = "1"  # before triton is imported
    install(None)
    from triton_tools import interpret

    mend_float_scalars()
    index = json.loads((OUT / "index.json").read_text())
    import_liger()
    from triton.runtime.autotuner import Autotuner

    Autotuner._bench = lambda self, *_, **__: [1.0, 1.0, 1.0]
    unknown = set()

    class Watcher(interpret.Recorder):
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
        failed = [reason for call in calls_named(names) for reason in run_call(call)]
    for name, reason in failed:
        print(f"{name}: {reason}", file=sys.stderr)
    if unknown:
        print(f"not among the compiled specialisations: {', '.join(sorted(unknown))}", file=sys.stderr)
    return index, failed


def interpret_all(arguments):
    counts = collections.Counter()

    def keep(stem, launch):
        from triton_tools import interpret

        if counts[stem] < arguments.cases:
            interpret.dump([launch], LAUNCHES / f"{stem}.{counts[stem]}")
        counts[stem] += 1

    index, failed = run_interpreted(arguments.names, keep)
    print(
        f"{len(counts)} of {len(index)} specialisations run, {len(failed)} calls failed ->"
        f" {LAUNCHES.relative_to(paths.ROOT)}"
    )
    return 1 if failed else 0


# ---- table --------------------------------------------------------------------------------------


def lift_one(entry, launches):
    """(form or `not lifted`, what the interpreter says of it or the reason)."""
    from triton_tools import lifted as lifting

    stem = entry["stem"]
    try:
        lifted = lifting.lift([OUT / f"{stem}.json"], "--no-prove", "--timeout", LIFT_SECONDS)
    except subprocess.TimeoutExpired:  # its own limit did not end it
        return "not lifted", "killed after two minutes"
    if not lifted.closed():
        return "not lifted", lifted.reason() or lifted.forms()
    form = "tensor" if lifted.forms() == "tensor" else "pointwise"
    if "numpy" not in lifted.modules or not launches:
        return form, "UNCHECKED: " + ("nothing was emitted" if launches else "not run")
    if any(hasattr(a.value, "block_shape") for launch in launches for a in launch.arguments):
        return form, "UNCHECKED: the interpreter's launches do not say which tensor a descriptor is of"
    try:
        for launch in launches:
            lifting.compare(lifted, "numpy", [launch], 1e-2 if any("16" in a.type for a in launch.arguments) else 1e-4)
    except Exception as error:  # a difference, or emitted code that does not run: both are wrong answers
        return form, f"DIFFERS: {type(error).__name__}: {error}"
    return form, f"agrees on {len(launches)} launches"


def table(arguments):
    launches = collections.defaultdict(list)

    def keep(stem, launch):
        if len(launches[stem]) < arguments.cases:
            launches[stem].append(launch)

    index, failed = run_interpreted([], keep)
    rows = []
    for entry in index.values():
        rows.append((entry, *lift_one(entry, launches[entry["stem"]])))
    # A kernel counts once, by its worst specialisation.
    rank = {"tensor": 0, "pointwise": 1, "unchecked": 2, "wrong": 3, "not lifted": 4}
    kernels = {}
    for entry, form, remark in rows:
        verdict = "wrong" if remark.startswith("DIFFERS") else "unchecked" if remark.startswith("UNCHECKED") else form
        old = kernels.get(entry["kernel"], (entry["operator"], "tensor"))
        kernels[entry["kernel"]] = (entry["operator"], max(old[1], verdict, key=rank.get))
        if arguments.details or verdict not in ("tensor", "pointwise"):
            print(f"{entry['stem']:52} {form:10} {remark[:160]}", flush=True)
    columns = list(rank)
    print(f"\n{'operators':22}" + "".join(f"{column:>12}" for column in columns))
    classes = list(dict.fromkeys(operator for operator, _ in kernels.values()))
    for name in [*classes, "all"]:
        count = collections.Counter(verdict for operator, verdict in kernels.values() if name in (operator, "all"))
        print(f"{name:22}" + "".join(f"{count[column]:12}" for column in columns))
    wrong = sum(verdict == "wrong" for _, verdict in kernels.values())
    good = sum(verdict in ("tensor", "pointwise") for _, verdict in kernels.values())
    print(
        f"\n{good} of {len(kernels)} kernels lifted and checked against Triton's interpreter ({len(rows)}"
        " specialisations)"
    )
    return 1 if wrong or failed or good < arguments.at_least else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("install").set_defaults(run=install)
    command = commands.add_parser("compile")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=compile_all)
    command = commands.add_parser("interpret")
    command.add_argument("--cases", type=int, default=3, help="launches kept of each compiled function")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=interpret_all)
    command = commands.add_parser("table")
    command.add_argument("--cases", type=int, default=2, help="launches of each compiled function to compare with")
    command.add_argument(
        "--details", action="store_true", help="a line for each specialisation, not only for what fails"
    )
    command.add_argument("--at-least", type=int, default=0, help="exit 1 unless so many kernels are lifted")
    command.set_defaults(run=table)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
