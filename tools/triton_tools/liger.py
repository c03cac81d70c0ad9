#!/usr/bin/env python3
"""The kernels of an unmodified third-party package, liger-kernel, captured from real calls without a GPU.

    build/venv/bin/python tools/triton_tools/liger.py install   # into build/liger (with packaging; torch is there)
    ... liger.py compile    -> build/corpus/liger/KERNEL.ttir, KERNEL.json (an operation file), index.json
    ... liger.py interpret  -> build/launches/liger/KERNEL.N.json and .bin: the same calls in Triton's
                               interpreter, every launch with its arguments before and after (see interpret.py)
    ... liger.py table [--details]   # lifts each with build/assay (or $ASSAY), holds the emitted NumPy against these launches

`compile` runs the calls of liger_calls.py in `assay.capture` of the Python package, as host.py does for other host code.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "python")]
from triton_tools import host, paths  # noqa: E402

PACKAGES = ["liger-kernel==0.8.5", "packaging"]
INSTALLED = paths.BUILD / "liger"
OUT = paths.BUILD / "corpus" / "liger"
LAUNCHES = paths.BUILD / "launches" / "liger"
LIFT_SECONDS = 20


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


# ---- compile ------------------------------------------------------------------------------------


def compile_all(arguments):
    install(None)
    import_liger()
    index, failed = host.record(calls_named(arguments.names), OUT, [INSTALLED])
    kernels = {entry["kernel"] for entry in index.values()}
    print(
        f"{len(kernels)} kernels in {len(index)} specialisations, {len(failed)} calls failed -> "
        f"{OUT.relative_to(paths.ROOT)}"
    )
    return 1 if failed else 0


# ---- interpret ----------------------------------------------------------------------------------


def run_interpreted(names, on_launch):
    """The calls in Triton's interpreter; `on_launch(stem, launch)` for each launch of a compiled specialisation."""
    os.environ["TRITON_INTERPRET"] = "1"  # before triton is imported
    install(None)
    host.mend_interpreter()
    index = json.loads((OUT / "index.json").read_text())
    import_liger()
    return index, host.interpret(calls_named(names), index, on_launch)


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
