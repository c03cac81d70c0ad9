"""Every bug of the zoo shows when it is run, and no fixed version shows anything.

Triton's interpreter runs the kernel at the sample sizes while each load and store is watched: addresses
outside the tensors (bounds), elements that two programs store, or one stores and another reads (race), two
lanes of one store at one address (race), elements of a written tensor that nobody stores (coverage), results
that depend on what masked lanes hold, or that are not numbers (undefined), zero divisors (division). A bug of
kind value gives another result than its fixed version. So the zoo's claims do not rest on Assay's own answers.

Then Assay's safety report is held against them: each bug of another kind is refuted at a line of its kernel, with a
witness that the script of --emit replay shows again in Triton's interpreter; no fixed version has a finding.
"""

import contextlib
import functools
import io
import json
import runpy
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
import torch
import triton.language as tl
from conftest import ROOT
from triton.runtime import interpreter
from triton_tools import interpret  # noqa: F401  (mends the interpreter)
from triton_tools.bugs import OUT, all_bugs
from triton_tools.compile_once import compiled_bugs
from triton_tools.lifted import run

DTYPES = {"f32": torch.float32, "f16": torch.float16, "i32": torch.int32, "i64": torch.int64, "i8": torch.int8}
BUGS = {bug.name: bug for bug in all_bugs()}


def number(expression, sizes):
    functions = {"cdiv": lambda a, b: -(-a // b), "max": max, "min": min}
    return (
        expression if isinstance(expression, int) else eval(expression, {"__builtins__": {}, **functions, **sizes})
    )  # noqa: S307


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
        self.arguments = {
            name: self.tensors[value] if bug.types()[name].startswith("*") else number(value, self.sizes)
            for name, value in bug.arguments(which).items()
        }
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
                    self.findings.add("race")  # another lane of this program stored it, no barrier since
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
                    self.findings.add("race")  # two lanes of one store
                if self.lanes.get(int(pointer), lane) != lane:
                    self.findings.add("race")  # another lane's store, no barrier since
                seen.add(int(pointer))
                self.stored.setdefault(int(pointer), set()).add(builder.grid_idx)
                self.lanes[int(pointer)] = lane
        return original(builder, ptrs, value, interpreter.TensorHandle(safe, tl.int1), *rest)

    def atomic(self, original, builder, op, ptr, val, mask, *rest):
        safe = self.inside(ptr.data, np.broadcast_to(mask.data, ptr.data.shape))
        for pointer, on in zip(np.ravel(ptr.data), np.ravel(safe)):
            if on:
                self.stored.setdefault(int(pointer), set())  # written, by nobody in particular
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
        hooks = {
            "create_masked_load": self.load,
            "create_masked_store": self.store,
            "create_atomic_rmw": self.atomic,
            "create_idiv": self.divide,
            "create_srem": self.divide,
            "create_barrier": self.barrier,
            "set_grid_idx": self.move,
        }
        builder = interpreter.InterpreterBuilder
        kept = {name: getattr(builder, name) for name in hooks}
        try:
            for name, hook in hooks.items():
                setattr(
                    builder, name, lambda self, *args, _hook=hook, _original=kept[name]: _hook(_original, self, *args)
                )
            with np.errstate(all="ignore"):
                for _ in range(self.spec.get("runs", 1)):
                    self.function[self.grid](**self.arguments, **self.spec["constexprs"])
        finally:
            for name, original in kept.items():
                setattr(builder, name, original)
        if any(
            len(programs) > 1 or self.read.get(pointer, programs) - programs
            for pointer, programs in self.stored.items()
            if programs
        ):
            self.findings.add("race")
        written = {self.elements[pointer][0] for pointer in self.stored}
        if self.spec["kind"] == "coverage" and (
            not written
            or any(name in written and pointer not in self.stored for pointer, (name, _) in self.elements.items())
        ):
            self.findings.add("coverage")
        self.outputs = {name: self.tensors[name].double() for name in written}
        if any(not value.isfinite().all() for value in self.outputs.values()):
            self.findings.add("undefined")
        return self


def observe(bug, which):
    first = Watch(bug, which, 0).run()
    second = Watch(bug, which, float("nan") if bug.specs[which].get("poison") else 777).run()
    findings = first.findings | second.findings
    if any(
        not torch.equal(value, second.outputs[name])
        for name, value in first.outputs.items()
        if "undefined" not in first.findings
    ):
        findings.add("undefined")
    return findings, first.outputs


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if bug.specs["bug"].get("dynamic", True)])
def test_bug_shows_and_its_fix_does_not(name):
    bug = BUGS[name]
    found, got = observe(bug, "bug")
    clean, want = observe(bug, "fixed")
    assert clean == set(), f"the fixed version: {clean}"
    if bug.kind == "value" or "compare" in bug.module.SPEC:
        names = bug.module.SPEC.get("compare", {output: output for output in want})
        assert any(not torch.allclose(got[left], want[right], rtol=1e-4, atol=1e-4) for left, right in names.items())
    else:
        assert bug.module.SPEC.get("detect", bug.kind) in found, f"only {found}"


def test_zoo_is_large_and_compiles():
    assert len(BUGS) >= 40
    assert {bug.kind for bug in BUGS.values()} == {
        "bounds",
        "race",
        "coverage",
        "overflow",
        "undefined",
        "division",
        "alias",
        "value",
    }
    compiled_bugs()
    assert all((OUT / f"{name}_{which}.ttir").exists() for name in BUGS for which in ("bug", "fixed"))


# ---- the safety report ----


@pytest.fixture(scope="module")
def compiled():
    compiled_bugs()


@functools.cache
def report(name, which):
    """The exit code, the report, and the script that shows its witness again."""
    bug = BUGS[name]
    strict = ["--strict", "overflow"] if bug.kind == "overflow" else []
    assumed = [word for text in bug.module.SPEC.get("assume", []) for word in ("--assume", text)]
    with tempfile.TemporaryDirectory() as folder:
        emitted = Path(folder) / "replay.py"
        replay = ["--emit", "replay", "-o", emitted] if which == "bug" else []
        done = run("lift", OUT / f"{name}_{which}.json", "--json", *strict, *assumed, *replay)
        return done.returncode, json.loads(done.stdout), emitted.read_text() if emitted.exists() else ""


def test_rows_that_are_not_those_of_the_given_shape_are_no_formula(compiled):
    """x[0, n * row + column] has the right address, and lies beyond the first row of x."""
    answer = report("stride_assumed", "bug")[1]
    assert answer["verdict"] == "unknown" and answer["reason"]["code"] == "views", answer
    assert report("stride_assumed", "fixed")[1]["verdict"] == "proved"


def marked(names, missing):
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=missing[name], strict=True)) if name in missing else name
        for name in names
    ]


SAFETY = [name for name, bug in BUGS.items() if bug.kind != "value"]
UNPROVED = {}


@pytest.mark.parametrize("name", SAFETY)
def test_bug_is_refuted_with_a_witness(name, compiled):
    code, answer, _ = report(name, "bug")
    assert code == 1 and answer["safety"] == "refuted"
    found = [o for o in answer["obligations"] if o["verdict"] == "refuted" and o["kind"] == BUGS[name].kind]
    assert found, [(o["kind"], o["verdict"]) for o in answer["obligations"]]
    assert all(o["where"].startswith(f"{name}.py:") and o["witness"] and o["witness"]["sizes"] for o in found)
    smallest = [int(value) for o in found for value in o["witness"]["sizes"].values()]
    assert BUGS[name].kind == "overflow" or max(smallest) <= 140


@pytest.mark.parametrize("name", BUGS)
def test_fixed_version_has_no_finding(name, compiled):
    answer = report(name, "fixed")[1]
    assert answer["safety"] in ("proved", "unknown") and answer["verdict"] != "refuted"
    assert not [o for o in answer["obligations"] if o["verdict"] == "refuted"]


@pytest.mark.parametrize("name", marked(BUGS, UNPROVED))
def test_fixed_version_is_safe(name, compiled):
    answer = report(name, "fixed")[1]
    assert answer["safety"] == "proved", [
        (o["kind"], o["where"], o["detail"]) for o in answer["obligations"] if o["verdict"] != "proved"
    ]


@pytest.mark.parametrize("name", [name for name in SAFETY if BUGS[name].kind != "overflow"])
def test_witness_shows_again_in_tritons_interpreter(name, compiled, tmp_path, monkeypatch):
    script = tmp_path / "replay.py"
    script.write_text(report(name, "bug")[2])
    constants = [f"{key}={value}" for key, value in BUGS[name].module.SPEC["constexprs"].items()]
    monkeypatch.setattr(sys, "argv", [str(script), str(ROOT / "examples/bugs" / f"{name}.py"), *constants])
    said = io.StringIO()
    with contextlib.redirect_stdout(said), pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    assert ended.value.code == 0, said.getvalue()


def test_allow_and_strict(compiled):
    file = OUT / "bound_inclusive_bug.json"
    assert run("lift", file).returncode == 1
    assert run("lift", file, "--allow", "bounds", "--json").returncode in (0, 2)
    lines = {
        o["where"].split(":")[1]
        for o in report("bound_inclusive", "bug")[1]["obligations"]
        if o["verdict"] == "refuted"
    }
    assert len(lines) == 2
    one = [word for line in sorted(lines)[:1] for word in ("--allow", f"bounds@{line}")]
    assert run("lift", file, *one).returncode == 1
    assert run("lift", file, *one, "--allow", f"bounds@{max(lines)}").returncode in (0, 2)
    overflow = OUT / "offset_i32_product_bug.json"
    relaxed = json.loads(run("lift", overflow, "--json").stdout)
    assert relaxed["safety"] != "refuted"
    limits = [a["limit"] for a in relaxed["assumptions"] if a["kind"] == "range" and a["limit"]]
    assert any("wraps from" in limit and "M = " in limit for limit in limits)
    assert any(o["kind"] == "overflow" and o["verdict"] == "proved" and o["under"] for o in relaxed["obligations"])
    assert run("lift", overflow, "--strict", "overflow").returncode == 1


def test_a_launch_that_is_repeated(compiled, tmp_path):
    """Only the same launch is a rerun, and only what changes again is a finding."""
    operation = json.loads((OUT / "autotuned_in_place_bug.json").read_text())
    text = (OUT / "autotuned_in_place_bug.ttir").read_text()
    assert "dense<1.000000e-01>" in text

    def alias(name, slope, launches):
        (tmp_path / "kernel.ttir").write_text(text.replace("dense<1.000000e-01>", f"dense<{slope}>"))
        (tmp_path / f"{name}.json").write_text(
            json.dumps({**operation, "launches": [{**launch, "file": "kernel.ttir"} for launch in launches]})
        )
        answer = json.loads(run("lift", tmp_path / f"{name}.json", "--json").stdout)
        return {o["verdict"] for o in answer["obligations"] if o["kind"] == "alias"}, answer["safety"]

    launch = operation["launches"][0]
    assert alias("twice", "1.000000e-01", [launch, launch]) == ({"refuted"}, "refuted")
    assert "refuted" not in alias("idempotent", "0.000000e+00", [launch, launch])[0]
    assert "refuted" not in alias("once", "1.000000e-01", [launch])[0]
    assert "refuted" not in alias("other", "1.000000e-01", [launch, {**launch, "grid": ["cdiv(n,8)"]}])[0]


@pytest.mark.slow
def test_correct_kernels_have_no_finding(corpus):
    """No shapes are given, so an extent or an index from memory may be unknown; but nothing is refuted, and most is proved."""
    found, proved, count = {}, 0, 0
    for file in sorted([*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")]):
        if ".source" in file.name or "staged" in file.name:
            continue
        answer = json.loads(run("lift", file, "--json").stdout)
        bad = [(o["kind"], o["where"], o["detail"]) for o in answer["obligations"] if o["verdict"] == "refuted"]
        if bad or answer["safety"] == "refuted":
            found[file.stem] = bad
        proved += answer["safety"] == "proved"
        count += 1
    assert not found
    assert count > 90 and proved >= 75, f"{proved} of {count}"
