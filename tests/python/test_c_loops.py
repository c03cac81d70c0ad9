"""Loops of C and C++: the modules that `assay lift --emit numpy,pytorch` and `--emit c` write against the compiled source.

Each function of tests/loops is compiled with gcc or g++ and called, through a wrapper that is made from its signature, on
random arrays and on edge values: 255 and more, negative numbers, sizes of 1.
"""

import ctypes
import functools
import inspect
import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from test_emit import load
from triton_tools.lifted import patient

LOOPS = Path(__file__).resolve().parents[1] / "loops"
FUNCTIONS = ("integer_sqrt", "integer_exp")  # without a body: any will do, and this one is never 0


def function(x):
    return (x & 7) + 1


SIGNATURE = re.compile(r"^((?:const )?[\w:<>]+(?:<[\w<>:]+>)?) \*?(\w+)\(((?:[^()]|\(\*\w+\))*)\) \{", re.MULTILINE)
VECTOR, MATRIX = "vector<int>", "vector<vector<int>>"
UNSIGNED = {
    "uint8_t": (ctypes.c_uint8, np.dtype(np.uint8)),
    "uint16_t": (ctypes.c_uint16, np.dtype(np.uint16)),
    "uint32_t": (ctypes.c_uint32, np.dtype(np.uint32)),
}
EDGES = np.array([0, 1, -1, 2, -2, 16, 31, 32, 33, 100, 127, 128, 255, 256, -255, -300])
SIZES = {"max_pos", "hidden_dim", "token_position", "head", "head_size", "n", "m", "N", "M", "NTAPS", "l", "dim"}


def functions():
    for path in sorted([*LOOPS.glob("*.cc"), *LOOPS.glob("*.c")]):
        for result, name, parameters in SIGNATURE.findall(path.read_text()):
            yield pytest.param(path, result, name, split(parameters), id=f"{path.name}:{name}")


def split(parameters):
    parameters = parameters.replace("const vector", "vector").replace("&", "")
    parameters = re.sub(
        r"\(\*(\w+)\)\[\w+\]|\b(\w+)(?:\[\w+\])+", r"*\1\2", parameters
    )  # rows are memory behind a pointer
    return [(" ".join(p.split()[:-1]) + "*" * p.count("*"), p.split()[-1].lstrip("*")) for p in parameters.split(",")]


def compiled(path, out):
    """The compiled source, with a C wrapper for each function that takes vectors."""
    source = path.read_text()
    if path.suffix == ".cc":
        source += "".join(wrapper(*found) for found in SIGNATURE.findall(source))
        source += "".join(
            f"\nint {name}(int x) {{ return (x & 7) + 1; }}\n" for name in FUNCTIONS if f"{name}(int x);" in source
        )
    copy = out.with_suffix(path.suffix)
    copy.write_text(source)
    compiler = "g++" if path.suffix == ".cc" else "gcc"
    subprocess.run([compiler, "-O1", "-w", "-shared", "-fPIC", copy, "-o", out, "-lm"], check=True)
    return ctypes.CDLL(str(out))


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """By file: the compiled source."""
    known = {}

    def get(path):
        if path not in known:
            known[path] = compiled(path, tmp_path_factory.mktemp("loops") / f"{path.name}.so")
        return known[path]

    return get


@functools.cache
def lifted(path, folder):
    """Of each function of the file, all lifted by one process: the report; the modules are in the folder."""
    done = subprocess.run(
        patient("lift", path, "--all", "--json", "--emit", "numpy,pytorch,c", "-o", folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 2), done.stdout + done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return {report.get("function") or report["kernel"]: report for report in reports}


@functools.cache
def emitted_library(path, folder):
    """The C that was emitted for all functions of the file."""
    names = {name for _, name, _ in SIGNATURE.findall(path.read_text())}
    sources = [source for source in sorted(folder.glob("*.c.c")) if source.name[:-4] in names]
    library = folder / "emitted.so"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    checks = ["-fsanitize=undefined", "-fno-sanitize-recover"]
    command = ["gcc", "-std=c17", *warnings, "-O1", *checks, "-shared", "-fPIC", *sources, "-o", library, "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """By file: where its modules are."""
    return functools.cache(lambda path: tmp_path_factory.mktemp("emitted"))


def wrapper(result, name, parameters):
    """extern "C": vectors come and go as pointers with lengths."""
    taken, made, passed = [], [], []
    for kind, p in split(parameters):
        if kind == VECTOR:
            taken += [f"const int *{p}", f"long {p}_d0"]
            made.append(f"vector<int> {p}_({p}, {p} + {p}_d0);")
        elif kind == MATRIX:
            taken += [f"const int *{p}", f"long {p}_d0", f"long {p}_d1"]
            made.append(
                f"vector<vector<int>> {p}_; for (long i = 0; i < {p}_d0; i++) "
                f"{p}_.push_back(vector<int>({p} + i * {p}_d1, {p} + (i + 1) * {p}_d1));"
            )
        else:
            taken.append(f"{kind} {p}")
            made.append(f"{kind} {p}_ = {p};")
        passed.append(f"{p}_")
    call = f"::{name}({', '.join(passed)})"
    back = {
        VECTOR: "for (int x : r) *result++ = x; return r.size();",
        MATRIX: "for (auto &row : r) for (int x : row) *result++ = x; return r.size();",
    }.get(result, "*result = r; return -1;")
    return (
        f'\nextern "C" long call_{name}({", ".join([*taken, "int *result"])}) '
        f"{{ {' '.join(made)} auto r = {call}; {back} }}\n"
    )


def draw(random, trial, shape, kind):
    if kind in ("float", "double"):
        return random.standard_normal(shape).astype({"float": np.float32, "double": np.float64}[kind])
    if kind in UNSIGNED:
        most = 2 ** (8 * UNSIGNED[kind][1].itemsize) - 1
        return random.choice([0, 1, 77, most // 2, most // 2 + 1, most - 1, most], shape).astype(UNSIGNED[kind][1])
    values = random.choice(EDGES, shape) if trial % 2 else random.integers(-40, 300, shape)
    return values.astype(np.int32)


def numbers(random, parameters):
    """Sizes that meet the preconditions, and other numbers."""
    size = int(random.integers(1, 8))
    out = {p: int(random.integers(1, 8)) for _, p in parameters if p in SIZES}
    out.update({p: 1 for p in ("head",) if p in out})
    return out, size


def arguments(random, trial, path, parameters):
    sizes, size = numbers(random, parameters)
    out, most = {}, max([size, *sizes.values()]) + 1
    for kind, p in parameters:
        if kind == VECTOR:
            out[p] = draw(random, trial, most * 8, "int")
        elif kind == MATRIX:
            out[p] = draw(random, trial, (most, most * 8), "int")
        elif kind.endswith("*"):
            out[p] = draw(random, trial, max(most**3, most * most * 9, 2000), kind.replace("const", "").strip(" *"))
        elif p in sizes:
            out[p] = sizes[p]
        elif kind in ("float", "double"):
            out[p] = float(random.standard_normal())
        elif kind in UNSIGNED:
            out[p] = int(draw(random, trial, (), kind))
        else:
            out[p] = int(random.choice(EDGES))
    for _, p in parameters:  # what divides is not 0
        if (
            p in ("sum", "b", "arr")
            and "div" in path
            or p == "sum"
            and path == "softmax_part4"
            or p == "arr"
            and path == "vrecip"
        ):
            out[p] = np.where(out[p] == 0, 3, out[p]) if isinstance(out[p], np.ndarray) else out[p] or 3
    return out


def call(library, path, name, parameters, values):
    """What the compiled function returns or writes, flat."""
    c_types = {
        "int": ctypes.c_int,
        "float": ctypes.c_float,
        "double": ctypes.c_double,
        **{k: c for k, (c, _) in UNSIGNED.items()},
    }
    passed, result = [], np.zeros(4096, np.int32)
    for kind, p in parameters:
        v = values[p]
        if isinstance(v, np.ndarray):
            passed.append(v.ctypes.data_as(ctypes.c_void_p))
            passed += [ctypes.c_long(d) for d in v.shape] if path.suffix == ".cc" else []
        else:
            passed.append(c_types[kind](v))
    if path.suffix == ".cc":
        getattr(library, f"call_{name}")(*passed, result.ctypes.data_as(ctypes.c_void_p))
        return result
    function = getattr(library, name)
    function.restype = {"rms": ctypes.c_double, "checksum": ctypes.c_uint32}.get(name, ctypes.c_int)
    back = function(*passed)
    written = {p: values[p] for kind, p in parameters if kind.endswith("*") and not kind.startswith("const")}
    return next(iter(written.values())) if written else np.array([back])


def same(got, wanted, case):
    """An integer is the same number."""
    wanted = wanted[: got.size].reshape(got.shape)
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
    else:
        assert (got.astype(np.int64) == wanted.astype(np.int64)).all(), (case, got, wanted)


@pytest.mark.parametrize("path, result, name, parameters", list(functions()))
def test_numpy_and_pytorch_modules_are_the_source(folders, libraries, path, result, name, parameters):  # noqa: ARG001
    folder = folders(path)
    report = lifted(path, folder)[name]
    assert report["verdict"] == "proved", report
    numpy, pytorch = (getattr(load(folder / f"{name}.{target}.py"), name) for target in ("numpy", "pytorch"))
    random = np.random.default_rng(len(name))
    for trial in range(12):
        values = arguments(random, trial, name, parameters)
        keywords = shaped(report, path, numpy, values)
        tensors = {k: torch.from_numpy(v.copy()) if isinstance(v, np.ndarray) else v for k, v in keywords.items()}
        got = np.asarray(next(iter(numpy(**keywords).values()))), next(iter(pytorch(**tensors).values())).numpy()
        wanted = call(libraries(path), path, name, parameters, values)  # which may write what it was given
        for value in got:
            same(value, wanted, (trial, values))


PROTOTYPE = re.compile(r"^void \w+\((.*)\) \{$", re.MULTILINE)
POINTER = re.compile(r"(?:int64_t|double|bool) \(\*(\w+)\)\(([^)]*)\)")


@pytest.mark.parametrize("path, result, name, parameters", list(functions()))
def test_c_function_is_the_source(folders, libraries, path, result, name, parameters):  # noqa: ARG001
    folder = folders(path)
    report = lifted(path, folder)[name]
    source = folder / f"{name}.c.c"
    emitted = getattr(emitted_library(path, folder), name)
    prototype = PROTOTYPE.search(source.read_text()).group(1)
    pointers = {
        name: ctypes.CFUNCTYPE(*[ctypes.c_int64] * (2 + types.count(",")))(function)
        for name, types in POINTER.findall(prototype)
    }
    taken = [(p.replace("*", " ").split(), "*" in p) for p in POINTER.sub(r"function \1", prototype).split(",")]
    random = np.random.default_rng(len(name) + 7)
    for trial in range(12):
        values = arguments(random, trial, name, parameters)
        got, passed, kept = None, [], []
        for words, is_array in taken:
            if words[-1] in pointers:
                passed.append(pointers[words[-1]])
                continue
            p = words[-1] if words[-1] in values else words[-1].rstrip("_")
            size = re.fullmatch(r"(\w+)_d(\d)", p)
            if is_array and "const" not in words:
                kind = {
                    "double": np.float64,
                    "float": np.float32,
                    "int8_t": np.int8,
                    **{k: t for k, (_, t) in UNSIGNED.items()},
                }
                got = values[p].copy() if p in values else np.zeros(4096, kind.get(words[0], np.int32))
                passed.append(got.ctypes.data_as(ctypes.c_void_p))
            elif is_array:
                array = values[p] if path.suffix == ".cc" else view(report, source.read_text(), p, values)
                kept.append(np.ascontiguousarray(array))
                passed.append(kept[-1].ctypes.data_as(ctypes.c_void_p))
            elif size and p not in values:
                passed.append(ctypes.c_int64(values[size[1]].shape[int(size[2])]))
            else:
                passed.append(
                    {"float": ctypes.c_float, "double": ctypes.c_double}.get(words[0], ctypes.c_int64)(values[p])
                )
        emitted(*passed)
        back = call(libraries(path), path, name, parameters, values)
        count = min(back.size, got.size)
        if got.dtype.kind == "f":
            np.testing.assert_allclose(got[:count], back[:count], rtol=1e-4, atol=1e-5)
        else:
            assert (got[:count] == back[:count]).all(), (trial, values, got, back)


def view(report, comment, argument, values):
    """Memory behind a pointer in the shape that the module's comment gives it, by the strides of the report."""
    strides = {tensor["name"]: tensor["strides"] for tensor in report["inputs"] + report["outputs"]}
    v = values[argument]
    shape = re.search(rf"^[ *]+{argument}_?: \(([^)]*)\)", comment, re.MULTILINE).group(1)
    known = {**values, f"{argument}_d0": v.size}  # of data: as long as it is
    dims = [eval(d, {}, known) for d in shape.split(",") if d.strip()]  # noqa: S307
    steps = [eval(s, {}, known) * v.itemsize for s in strides[argument]]  # noqa: S307
    assert min(dims, default=1) < 1 or sum((d - 1) * s for d, s in zip(dims, steps)) < v.nbytes
    return np.lib.stride_tricks.as_strided(v, dims, steps)


def shaped(report, path, emitted, values):
    """The arguments of an emitted function."""
    out = {}
    for keyword in inspect.signature(emitted).parameters:
        if keyword in FUNCTIONS:
            out[keyword] = function
            continue
        argument = keyword if keyword in values else keyword.rstrip("_")
        is_memory = path.suffix == ".c" and isinstance(values[argument], np.ndarray)
        out[keyword] = (
            view(report, emitted.__doc__, argument, values) if is_memory else values[argument]
        )
    return out


def test_what_is_rounded_may_be_beyond_all_integers(tmp_path):
    source, emitted = tmp_path / "rounded.c", tmp_path / "emitted.c"
    source.write_text(
        "#include <math.h>\nvoid rounded(const double *x, double *y, int n) {\n"
        "  for (int i = 0; i < n; i++) y[i] = floor(x[i]) * 2 - x[i] + ceil(x[i]);\n}\n"
        "void floors(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = floor(x[i]); }\n"
    )
    x = np.array([1e300, -1e300, 1e19, -2.5, 2.5, -0.5])
    for name, wanted in (("rounded", np.floor(x) * 2 - x + np.ceil(x)), ("floors", np.floor(x))):
        subprocess.run(
            patient("lift", f"{source}:{name}", "--emit", "c", "-o", emitted), capture_output=True, check=True
        )
        library = tmp_path / f"{name}.so"
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", emitted, "-o", library, "-lm"], check=True)
        y = np.zeros_like(x)
        function = getattr(ctypes.CDLL(str(library)), name)
        function(ctypes.c_int64(x.size), x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p))
        np.testing.assert_allclose(y, wanted)


def test_a_loop_that_counts_down_without_a_test_before_relies_on_its_start(tmp_path):
    source = tmp_path / "down.c"
    source.write_text(
        "int once(int *x, int n) { int k = n - 1; do { x[k] = 1; } while (--k); return k; }\n"
        "void past(unsigned *x, unsigned n) { while (n > 1) { x[n] = 1; n -= 2; } }\n"
    )
    report = json.loads(
        subprocess.run(patient("lift", f"{source}:once", "--json"), capture_output=True, text=True).stdout
    )
    assert report["verdict"] == "proved" and "n >= 2" in [a["text"] for a in report["assumptions"]]
    done = subprocess.run(patient("lift", f"{source}:past"), capture_output=True, text=True)
    assert done.returncode == 2


def test_an_index_without_sign_that_wraps_is_inside_of_no_array(tmp_path):
    """Nobody declared the length: an array of 2^32 elements is none."""
    source = tmp_path / "wraps.c"
    source.write_text(
        "int tail(unsigned n, unsigned k, const int *x) { int s = 0;\n"
        "  for (unsigned i = 0; i < k; ++i) s += x[n - k + i]; return s; }\n"
        "void shifted(unsigned n, unsigned m, const int *x, int *o) {\n"
        "  for (unsigned i = 0; i < n; ++i) o[i] = x[i - m]; }\n"
        "void stencil(unsigned n, const int *x, int *o) {\n"
        "  for (unsigned i = 0; i < n - 2; ++i) o[i] = x[i] + x[i + 2]; }\n"
        "int down(unsigned n, const int *x) { int s = 0;\n"
        "  for (unsigned i = n - 1; i >= 1; --i) s += x[i]; return s; }\n"
        "int table(int n, const int *x) { int s = 0;\n"
        "  for (int i = 0; i < n; ++i) s += x[(unsigned char)i]; return s; }\n"
    )
    for name in ("tail", "shifted", "stencil", "down"):
        done = subprocess.run(patient("lift", f"{source}:{name}", "--json"), capture_output=True, text=True)
        bounds = [o for o in json.loads(done.stdout)["obligations"] if o["kind"] == "bounds" and "detail" in o]
        assert done.returncode == 2 and json.loads(done.stdout)["safety"] != "proved"
        assert any("does an index wrap" in o["detail"] for o in bounds)
    assert subprocess.run(patient("lift", f"{source}:table"), capture_output=True, text=True).returncode == 0


@pytest.mark.parametrize("language", ["c", "py"])
def test_how_often_a_loop_runs_may_be_0(language, tmp_path):
    source = tmp_path / f"steps.{language}"
    source.write_text(
        "float last(int k) { float v = 0; for (int i = 0; i < k; i++) v = 5; return v; }\n"
        "float five(int k) { return 5; }\n"
        "float chosen(int k) { return k > 0 ? 5 : 0; }\n"
        if language == "c"
        else "def last(k: int) -> float:\n    v = 0.0\n    for i in range(k):\n        v = 5.0\n    return v\n\n\n"
        "def five(k: int) -> float:\n    return 5.0\n\n\n"
        "def chosen(k: int) -> float:\n    return 5.0 if k > 0 else 0.0\n"
    )
    for other, verdict in (("five", "refuted"), ("chosen", "proved")):
        command = patient("check", f"{source}:last", f"{source}:{other}", "--json")
        report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        assert report["verdict"] == verdict, report["reason"]
        assert "k >= 1" not in [a["text"] for a in report["assumptions"]]
