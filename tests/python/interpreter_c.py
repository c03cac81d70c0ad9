"""Runs a captured launch in the C interpreter (build/tools/assay-interpret) and compares with what Triton's left."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import torch
from triton_tools.compile_once import bring_up_to_date, digest_of_cases, run_compiler

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = Path(os.environ.get("ASSAY_INTERPRET", ROOT / "build" / "tools" / "assay-interpret"))

ELEMENTS = {
    "*fp32": "f32",
    "*fp16": "f16",
    "*bf16": "bf16",
    "*fp64": "f64",
    "*i8": "i8",
    "*u8": "i8",
    "*i16": "i16",
    "*i32": "i32",
    "*i64": "i64",
    "*i1": "i1",
}
SIZES = {"f32": 4, "f16": 2, "bf16": 2, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i1": 1}


def describe(launch, kernel):
    """(text of the launch, bytes of the buffers, element type of each buffer): what assay-interpret reads."""
    lines, data, types = [f"kernel {kernel.name}", "grid %d %d %d" % tuple(launch.grid)], b"", []
    owners = {}
    for argument in launch.arguments:
        if argument.kind == "tensor":
            owners.setdefault(argument.storage, ELEMENTS[argument.type])
    places = {storage: place for place, storage in enumerate(sorted(owners))}
    for storage in sorted(owners):
        before = launch.storages[storage].before
        lines.append(f"buffer {owners[storage]} {len(before) // SIZES[owners[storage]]}")
        types.append((storage, owners[storage]))
        data += before
    for name, type in kernel.signature().items():
        argument = launch[name]
        if argument.kind == "tensor":
            lines.append(f"address {places[argument.storage]} {argument.offset}")
        elif type.startswith("fp") or type == "bf16":
            lines.append(f"real {float(argument.value).hex() if np.isfinite(argument.value) else argument.value}")
        else:
            lines.append(f"integer {int(argument.value)}")
    return "\n".join(lines) + "\n", data, types


def run(ttir, launch, kernel, folder, *options):
    """(the JSON that assay-interpret prints, arrays of the buffers after the launch by storage, shadows by storage)"""
    text, data, types = describe(launch, kernel)
    folder = Path(folder)
    (folder / "launch.txt").write_text(text)
    (folder / "data.bin").write_bytes(data)
    done = subprocess.run(
        [
            str(EXECUTABLE),
            *options,
            str(ttir),
            str(folder / "launch.txt"),
            str(folder / "data.bin"),
            str(folder / "out.bin"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    out, start, arrays, shadows = (folder / "out.bin").read_bytes(), 0, {}, {}
    exact = "--exact-reals" in options
    for storage, element in types:
        count = len(launch.storages[storage].before) // SIZES[element]
        real = exact and element[0] in "fb"
        size = count * (8 if real else SIZES[element])
        arrays[storage] = as_array(out[start : start + size], "f64" if real else element)
        start += size
    for storage, element in types:
        count = len(launch.storages[storage].before) // SIZES[element]
        shadows[storage] = np.frombuffer(out[start : start + count], np.uint8)
        start += count
    return json.loads(done.stdout), arrays, shadows


def as_array(data, element):
    """Floats as float64, integers as int64."""
    if element == "bf16":
        return torch.frombuffer(bytearray(data), dtype=torch.bfloat16).double().numpy() if data else np.zeros(0)
    kinds = {
        "f32": np.float32,
        "f16": np.float16,
        "f64": np.float64,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "i1": np.uint8,
    }
    array = np.frombuffer(data, kinds[element])
    return array.astype(np.float64 if element.startswith("f") else np.int64)


def element_of(launch, storage):
    return next(ELEMENTS[a.type] for a in launch.arguments if a.kind == "tensor" and a.storage == storage)


def worst_difference(got, expected):
    """Relative to max(1, |expected|); NaN agrees with NaN."""
    with np.errstate(all="ignore"):
        error = np.abs(got - expected) / np.maximum(1, np.abs(expected))
    error[(got == expected) | (np.isnan(got) & np.isnan(expected))] = 0
    return float(np.nan_to_num(error, nan=np.inf, posinf=np.inf).max()) if error.size else 0.0


class Compiled:
    """The .ttir of each launch, compiled for the launch's own constexprs (which often differ from those of the corpus)."""

    def __init__(self):
        self.wanted = {}

    def add(self, case, kernel, launch):
        constexprs = {name: getattr(launch[name].value, "value", launch[name].value) for name in kernel.constexprs}
        key = hashlib.sha256(repr(sorted(constexprs.items())).encode()).hexdigest()[:12]
        self.wanted[case.name, kernel.name, key] = constexprs
        return ROOT / "build" / "corpus" / "launched" / f"{case.stem(kernel)}.{key}.ttir"

    def compile(self):
        jobs = {
            f"launched.{case.replace('/', '.')}.{kernel}.{key}": [case, kernel, constexprs, "." + key]
            for (case, kernel, key), constexprs in self.wanted.items()
        }

        def compile_these(names):
            script = Path(__file__).with_name("compile_launches.py")
            run_compiler(script, input=json.dumps([jobs[name] for name in names]))

        digest = digest_of_cases()
        bring_up_to_date({name: digest for name in jobs}, compile_these)
        self.wanted = {}
