#!/usr/bin/env python3
"""The kernels of an unmodified third-party package, liger-kernel, captured from real calls without a GPU.

    build/venv/bin/python tools/triton_tools/liger.py install   # into build/liger (with packaging; torch is there)
    ... liger.py compile    -> build/corpus/liger/KERNEL.ttir, KERNEL.json (an operation file), index.json
    ... liger.py interpret  -> build/launches/liger/KERNEL.N.json and .bin: the same calls in Triton's
                               interpreter, every launch with its arguments before and after (see interpret.py)
    ... liger.py table [--details]   # lifts each with build/assay (or $ASSAY), holds the emitted NumPy against these launches

`compile` runs the calls of liger_calls.py with a driver that launches nothing: Triton's own binder says how
each argument is specialised (values of 1 and None leave the signature, divisible by 16 becomes an attribute),
and the front end compiles to Triton IR. The operation file is made from the launch: tensors by shape, strides
and shared storage, scalars by value, arguments matched by place (`arg0`, `arg1`, ... of the compiled function),
since names in the text may differ from those in the host code. Numbers in it are a sample, not constants.

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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
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
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", str(INSTALLED), *PACKAGES]
        subprocess.run(command, check=True)
        stamp.write_text(" ".join(PACKAGES))
    return 0


# ---- the environment that the host code sees ----------------------------------------------------

class NoDriver:
    """Answers what host code and compiler ask of a driver; there is no device behind it."""

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_current_target(self):
        from triton.backends.compiler import GPUTarget
        return GPUTarget("cuda", 80, 32)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_benchmarker(self):
        return lambda call, quantiles=None, **_: [1.0, 1.0, 1.0]


def pretend_device():
    """CPU tensors, but host code takes its CUDA paths with PROGRAMS multiprocessors; autotuners take their first config."""
    import torch
    import triton
    from triton.runtime.autotuner import Autotuner

    sys.path.insert(0, str(INSTALLED))
    properties = collections.namedtuple("Properties", "multi_processor_count name")(PROGRAMS, "none")
    torch.cuda.get_device_properties = lambda *_: properties
    torch.cuda.get_device_capability = lambda *_: (8, 0)
    Autotuner._bench = lambda self, *_, **__: [1.0, 1.0, 1.0]
    triton.runtime.driver.set_active(NoDriver())
    import liger_kernel.utils
    liger_kernel.utils.infer_device = lambda: "cuda"


def run_calls(names, on_call):
    """Run the calls; one that fails is reported and leaves what it has launched."""
    from triton_tools import liger_calls
    import torch

    failed = []
    for call in liger_calls.CALLS:
        if names and call.__name__ not in names:
            continue
        torch.manual_seed(7)
        on_call(call)
        try:
            call()
        except Exception as error:  # one bad operator must not hide the others
            last = traceback.extract_tb(error.__traceback__)[-1]
            failed.append((call.__name__, f"{type(error).__name__}: {str(error)[:300]} ({Path(last.filename).name}:{last.lineno})"))
    return failed


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

DTYPES = {"torch.float32": "f32", "torch.float16": "f16", "torch.bfloat16": "bf16", "torch.float64": "f64", "torch.int8": "i8",
          "torch.uint8": "i8", "torch.int16": "i16", "torch.int32": "i32", "torch.int64": "i64", "torch.bool": "i1"}


def to_ttir(fn, signature, constexprs, attrs, options, backend):
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource

    source = ASTSource(fn, signature, constexprs, attrs)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(GPUTarget("cuda", 80, 32), options, backend.get_codegen_implementation(options),
                            backend.get_module_map(), context)
    stages: dict = {}
    backend.add_stages(stages, options, source.language)
    text = str(stages["ttir"](module, {}))
    for folder in (INSTALLED, paths.ROOT):
        text = text.replace(str(folder) + os.sep, "")
    return text


def operation(stem, kernel, grid, names, bound, compiled):
    """The operation file of one launch. `compiled`: the names of the arguments in the text, in order."""
    import torch

    tensors, by_view, storages, arguments = {}, {}, collections.defaultdict(list), {}
    for name in names:
        if isinstance(bound[name], torch.Tensor):
            storages[bound[name].untyped_storage().data_ptr()].append(name)

    def add(name, value, flat):
        strides = [1] if flat else (list(value.stride()) or [1])
        shape = [value.untyped_storage().nbytes() // value.element_size()] if flat else (list(value.shape) or [1])
        tensors[name] = {"dtype": DTYPES[str(value.dtype)], "shape": shape, "strides": strides}

    for group in storages.values():
        views = {(bound[n].data_ptr(), bound[n].dtype, bound[n].shape, bound[n].stride()) for n in group}
        flat = len(views) > 1  # different views of one storage: the storage itself, and offsets
        owner = group[0]
        add(owner, bound[owner], flat)
        for name in group:
            offset = bound[name].storage_offset()
            by_view[name] = {"tensor": owner, "offset": offset} if flat and offset else owner
    for place, name in enumerate(compiled):
        value = bound[name]
        arguments[f"arg{place}"] = by_view[name] if isinstance(value, torch.Tensor) else value
    return {"schema": 1, "name": stem, "tensors": tensors,
            "launches": [{"file": f"{stem}.ttir", "kernel": kernel, "grid": list(grid), "args": arguments}]}


class Compiler:
    """Stands in for JITFunction.run: binds, compiles each new specialisation once, launches nothing."""

    def __init__(self):
        self.index = {}
        self.numbers = collections.Counter()
        self.errors = []
        self.call = None

    def run(self, fn, args, grid, kwargs):
        import torch
        *_, backend, binder = fn.device_caches[0]
        kwargs = dict(kwargs)
        kwargs["debug"] = False
        bound, specialization, options = binder(*args, **kwargs)
        parsed, signature, constexprs, attrs = fn._pack_args(backend, kwargs, bound, specialization, options)
        grid = tuple(grid(bound) if callable(grid) else grid)
        kernel = fn.__name__
        names = list(bound)
        key = launch_key(kernel, names, bound, {p.name for p in fn.params if p.is_constexpr})
        if key in self.index:
            return
        self.numbers[kernel] += 1
        stem = kernel if self.numbers[kernel] == 1 else f"{kernel}.{self.numbers[kernel]}"
        entry = {"stem": stem, "kernel": kernel, "module": fn.__module__, "operator": self.call.operator, "call": self.call.__name__}
        self.index[key] = entry
        try:
            text = to_ttir(fn, signature, constexprs, attrs, parsed, backend)
        except Exception as error:
            entry["error"] = f"{type(error).__name__}: {str(error)[:300]}"
            self.errors.append((stem, entry["error"]))
            return
        (OUT / f"{stem}.ttir").write_text(text)
        plain = all(isinstance(v, (torch.Tensor, int, float, bool, str, type(None))) or not hasattr(v, "block_shape") for v in bound.values())
        compiled = [name for name in names if signature[name] != "constexpr"]
        if plain:
            launch = operation(stem, kernel, grid, names, bound, compiled)
            (OUT / f"{stem}.json").write_text(json.dumps(launch, indent=1) + "\n")
        else:
            entry["operation"] = "none: takes tensor descriptors"
        values = {name: bound[name] for name in names if signature[name] == "constexpr"}
        entry["constexprs"] = {name: value if isinstance(value, (int, float, bool, str, type(None))) else str(value)
                               for name, value in values.items()}


def compile_all(arguments):
    import torch
    from triton.runtime.jit import JITFunction

    install(None)
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*"):
        old.unlink()
    pretend_device()
    # Nothing is launched, so outputs stay what they were allocated as: zeros, for host code that looks at them.
    torch.empty, torch.empty_like = torch.zeros, torch.zeros_like
    compiler = Compiler()
    JITFunction.run = lambda fn, *args, grid, warmup=False, **kwargs: compiler.run(fn, args, grid, kwargs)
    failed = run_calls(arguments.names, lambda call: setattr(compiler, "call", call))
    (OUT / "index.json").write_text(json.dumps(compiler.index, indent=1) + "\n")
    for name, reason in failed + compiler.errors:
        print(f"{name}: {reason}", file=sys.stderr)
    kernels = {entry["kernel"] for entry in compiler.index.values() if "error" not in entry}
    print(f"{len(kernels)} kernels in {len(compiler.index) - len(compiler.errors)} specialisations, {len(failed)} calls and "
          f"{len(compiler.errors)} compilations failed -> {OUT.relative_to(paths.ROOT)}")
    return 1 if failed or compiler.errors else 0


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
    pretend_device()
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

    with Watcher():
        failed = run_calls(names, lambda call: None)
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
    print(f"{len(counts)} of {len(index)} specialisations run, {len(failed)} calls failed -> {LAUNCHES.relative_to(paths.ROOT)}")
    return 1 if failed else 0


# ---- table --------------------------------------------------------------------------------------

def lift_one(entry, launches):
    """(form or `not lifted`, what the interpreter says of it or the reason)."""
    from triton_tools import lifted as lifting
    stem = entry["stem"]
    operation_file = OUT / f"{stem}.json"
    source = operation_file if operation_file.exists() else OUT / f"{stem}.ttir"
    try:
        lifted = lifting.lift([source], "--no-prove", "--timeout", LIFT_SECONDS)
    except subprocess.TimeoutExpired:  # its own limit did not end it
        return "not lifted", "killed after two minutes"
    if not lifted.closed():
        return "not lifted", lifted.reason() or lifted.forms()
    form = "tensor" if lifted.forms() == "tensor" else "pointwise"
    if "numpy" not in lifted.modules or not launches:
        return form, "UNCHECKED: " + ("nothing was emitted" if launches else "not run")
    if "operation" in entry:  # compile left none, and says why: nothing maps the launch onto the emitted function
        return form, f"UNCHECKED: operation file {entry['operation']}"
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
        if "error" not in entry:
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
    print(f"\n{good} of {len(kernels)} kernels lifted and checked against Triton's interpreter ({len(rows)} specialisations)")
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
    command.add_argument("--details", action="store_true", help="a line for each specialisation, not only for what fails")
    command.add_argument("--at-least", type=int, default=0, help="exit 1 unless so many kernels are lifted")
    command.set_defaults(run=table)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
