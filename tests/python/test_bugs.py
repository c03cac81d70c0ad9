"""Every bug of the zoo shows when it is run, and no fixed version shows anything.

Triton's interpreter runs the kernel at the sample sizes while each load and store is watched: addresses
outside the tensors (bounds), elements that two programs store, or one stores and another reads (race), two
lanes of one store at one address (race), elements of a written tensor that nobody stores (coverage), results
that depend on what masked lanes hold, or that are not numbers (undefined), zero divisors (division). A bug of
kind value gives another result than its fixed version. So the zoo's claims do not rest on Assay's own answers.
"""
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
import triton.language as tl
from conftest import ROOT
from triton.runtime import interpreter
from triton_tools.bugs import OUT, all_bugs
from triton_tools import interpret  # noqa: F401  (mends the interpreter)

DTYPES = {"f32": torch.float32, "f16": torch.float16, "i32": torch.int32, "i64": torch.int64, "i8": torch.int8}
BUGS = {bug.name: bug for bug in all_bugs()}


def number(expression, sizes):
    functions = {"cdiv": lambda a, b: -(-a // b), "max": max, "min": min}
    return expression if isinstance(expression, int) else eval(expression, {"__builtins__": {}, **functions, **sizes})  # noqa: S307


def contents(dtype, count, wanted, generator):
    if isinstance(wanted, list):
        return torch.tensor(wanted).to(dtype)
    values = torch.randn(count, generator=generator, dtype=torch.float64)
    values = -values.abs() - 0.1 if wanted == "negative" else values.abs() + 0.1 if wanted == "positive" else values
    return (values if dtype.is_floating_point else values * 0).to(dtype)


class Watch:
    """One run of a kernel with every access watched."""

    def __init__(self, bug, which, poison):
        self.spec, self.poison = bug.specs[which], poison
        self.findings, self.elements, self.stored, self.read, self.lanes = set(), {}, {}, {}, {}
        self.sizes = {k: v for k, v in self.spec["sample"].items() if isinstance(v, int)}
        generator = torch.Generator().manual_seed(3)
        self.tensors = {}
        for name, dims in self.spec["tensors"].items():
            dtype, dims, more = DTYPES[dims[0]], list(dims[1:]), dims[-1] if isinstance(dims[-1], dict) else {}
            shape = [number(d, self.sizes) for d in dims if not isinstance(d, dict)]
            strides = [number(s, self.sizes) for s in more["strides"]] if more else list(torch.empty(shape).stride())
            extent = 1 + sum((n - 1) * s for n, s in zip(shape, strides))
            base = contents(dtype, extent, self.spec["sample"].get(name), generator)
            view = torch.as_strided(base, shape, strides)
            self.tensors[name] = view
            offsets = torch.as_strided(torch.arange(extent), shape, strides).flatten().tolist()
            for offset in offsets:
                self.elements[base.data_ptr() + offset * base.element_size()] = (name, offset)
        self.arguments = {name: self.tensors[value] if bug.types()[name].startswith("*") else number(value, self.sizes)
                          for name, value in bug.arguments(which).items()}
        self.function = bug.function(which)
        self.grid = tuple(number(g, self.sizes) for g in self.spec["grid"])

    def inside(self, pointers, mask):
        """The lanes that may really be accessed."""
        mask = mask.astype(bool)
        known = np.array([int(p) in self.elements for p in np.ravel(pointers)], dtype=bool).reshape(np.shape(pointers))
        if np.any(mask & ~known):
            self.findings.add("bounds")
        return mask & known

    def load(self, original, builder, ptrs, mask, other, *rest):
        lanes = np.broadcast_to(mask.data, ptrs.data.shape)
        safe = self.inside(ptrs.data, lanes)
        for lane, (pointer, on) in enumerate(zip(np.ravel(ptrs.data), np.ravel(safe))):
            if on:
                self.read.setdefault(int(pointer), set()).add(builder.grid_idx)
                if self.lanes.get(int(pointer), lane) != lane:
                    self.findings.add("race")       # another lane of this program stored it, no barrier since
        if other is None:
            kind = interpreter._get_np_dtype(ptrs.get_element_ty())
            fill = 1000000 if np.issubdtype(kind, np.integer) and self.poison else self.poison
            other = interpreter.TensorHandle(np.full_like(ptrs.data, fill, dtype=kind), ptrs.get_element_ty())
        return original(builder, ptrs, interpreter.TensorHandle(safe, tl.int1), other, *rest)

    def store(self, original, builder, ptrs, value, mask, *rest):
        safe = self.inside(ptrs.data, np.broadcast_to(mask.data, ptrs.data.shape))
        seen = set()
        for lane, (pointer, on) in enumerate(zip(np.ravel(ptrs.data), np.ravel(safe))):
            if on:
                if int(pointer) in seen:
                    self.findings.add("race")       # two lanes of one store
                seen.add(int(pointer))
                self.stored.setdefault(int(pointer), set()).add(builder.grid_idx)
                self.lanes[int(pointer)] = lane
        return original(builder, ptrs, value, interpreter.TensorHandle(safe, tl.int1), *rest)

    def atomic(self, original, builder, op, ptr, val, mask, *rest):
        safe = self.inside(ptr.data, np.broadcast_to(mask.data, ptr.data.shape))
        for pointer, on in zip(np.ravel(ptr.data), np.ravel(safe)):
            if on:
                self.stored.setdefault(int(pointer), set())     # written, by nobody in particular
        return original(builder, op, ptr, val, interpreter.TensorHandle(safe, tl.int1), *rest)

    def divide(self, original, builder, a, b):
        if np.issubdtype(b.data.dtype, np.integer) and np.any(b.data == 0):
            self.findings.add("division")
            b = interpreter.TensorHandle(np.where(b.data == 0, 1, b.data), b.dtype)
        return original(builder, a, b)

    def barrier(self, original, builder, *rest):
        self.lanes.clear()
        return original(builder, *rest)

    def move(self, original, builder, *place):
        self.lanes.clear()
        return original(builder, *place)

    def run(self):
        hooks = {"create_masked_load": self.load, "create_masked_store": self.store, "create_atomic_rmw": self.atomic,
                 "create_idiv": self.divide, "create_srem": self.divide, "create_barrier": self.barrier, "set_grid_idx": self.move}
        builder = interpreter.InterpreterBuilder
        kept = {name: getattr(builder, name) for name in hooks}
        try:
            for name, hook in hooks.items():
                setattr(builder, name, lambda self, *args, _hook=hook, _original=kept[name]: _hook(_original, self, *args))
            with np.errstate(all="ignore"):
                for _ in range(self.spec.get("runs", 1)):
                    self.function[self.grid](**self.arguments, **self.spec["constexprs"])
        finally:
            for name, original in kept.items():
                setattr(builder, name, original)
        if any(len(programs) > 1 or self.read.get(pointer, programs) - programs for pointer, programs in self.stored.items() if programs):
            self.findings.add("race")
        written = {self.elements[pointer][0] for pointer in self.stored}
        if self.spec["kind"] == "coverage" and (not written or any(name in written and pointer not in self.stored
                                                                   for pointer, (name, _) in self.elements.items())):
            self.findings.add("coverage")
        self.outputs = {name: self.tensors[name].double() for name in written}
        if any(not value.isfinite().all() for value in self.outputs.values()):
            self.findings.add("undefined")
        return self


def observe(bug, which):
    first = Watch(bug, which, 0).run()
    second = Watch(bug, which, float("nan") if bug.specs[which].get("poison") else 777).run()
    findings = first.findings | second.findings
    if any(not torch.equal(value, second.outputs[name]) for name, value in first.outputs.items() if "undefined" not in first.findings):
        findings.add("undefined")
    return findings, first.outputs


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if bug.specs["bug"].get("dynamic", True)])
def test_bug_shows_and_its_fix_does_not(name):
    bug = BUGS[name]
    found, got = observe(bug, "bug")
    clean, want = observe(bug, "fixed")
    assert clean == set(), f"the fixed version: {clean}"
    if bug.kind == "value":
        names = bug.module.SPEC.get("compare", {output: output for output in want})
        assert any(not torch.allclose(got[left], want[right], rtol=1e-4, atol=1e-4) for left, right in names.items())
    else:
        assert bug.module.SPEC.get("detect", bug.kind) in found, f"only {found}"


def test_zoo_is_large_and_compiles():
    assert len(BUGS) >= 40
    assert {bug.kind for bug in BUGS.values()} == {"bounds", "race", "coverage", "overflow", "undefined", "division", "alias", "value"}
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    done = subprocess.run([sys.executable, str(ROOT / "tools/triton_tools/bugs.py"), "compile"], env=environment, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all((OUT / f"{name}_{which}.ttir").exists() for name in BUGS for which in ("bug", "fixed"))
