"""Kernels for devices compute what they say, on executable models of the calls that they make (tests/devices).

Each of the 69 loops in C++ is emitted; what is emitted is compiled, one file for all, and runs against the compiled source.
What is not is refused as `emit-unsupported`, and docs/emitters.md says which.
"""

import ctypes
import inspect
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT
from test_c_loops import LOOPS, arguments, call, functions, libraries  # noqa: F401
from test_emit import load
from triton_tools.lifted import ASSAY

DEVICES = ROOT / "tests" / "devices"
SUITES = {"blend.cc", "inference.cc", "linear_algebra.cc", "network.cc", "signal.cc", "geometry.cc", "arrays.cc"}
PROGRAMS = [item.values for item in functions() if item.values[0].name in SUITES]
PARAMETER = re.compile(r"(\w+) \*?(\w+)$")
TRIALS = 6


TARGETS = {
    "numpy": "py",
    "pytorch": "py",
    "jax": "py",
    "tensorflow": "py",
    "mlx": "py",
    "c": "c",
    "tpc": "c",
    "gemmini": "c",
    "latex": "tex",
}


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    """Of each target: the file of each program that it has."""
    folder, out = tmp_path_factory.mktemp("emitted"), {target: {} for target in TARGETS}
    for source, _, name, _ in PROGRAMS:
        done = subprocess.run(
            [ASSAY, "lift", "--json", f"{source}:{name}", "--emit", ",".join(TARGETS), "-o", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        report = json.loads(done.stdout)
        assert report["verdict"] == "proved", (name, report["reason"])
        for target, suffix in TARGETS.items():
            path = folder / f"{name}.{target}.{suffix}"
            if path.exists():
                out[target][name] = path
            else:
                assert done.returncode == 2 and report["reason"]["code"] == "emit-unsupported", (
                    name,
                    report["reason"],
                )
                assert f"--emit {target}: " in done.stderr, (name, done.stderr)
    return out


def test_the_table_says_what_targets_lack(emitted):
    for target, files in emitted.items():
        assert {p[2] for p in PROGRAMS} - set(files) == documented(target), target
    assert len(PROGRAMS) == 69 and len(emitted["tpc"]) >= 60 and len(emitted["gemmini"]) >= 41


def prototype(path):
    """(type, name) of each parameter."""
    text = re.search(r"^void \w+\((.*)\) \{$", path.read_text(), re.MULTILINE).group(1)
    return [(p.rsplit(" ", 1)[0].replace("const ", ""), p.rsplit(" ", 1)[1]) for p in text.split(", ") if p]


def documented(target):
    """The programs that docs/emitters.md says a target lacks."""
    (row,) = [
        line
        for line in (ROOT / "docs" / "emitters.md").read_text().splitlines()
        if line.startswith("| ") and f"`{target}`" in line.split("|")[1]
    ]
    return set(re.findall(r"`(\w+)`", row.split("|")[3]))


def expected(libraries, random, trial, program):  # noqa: F811
    source, _, name, parameters = program
    values = arguments(random, trial, name, parameters)
    return values, call(
        libraries(source),
        source,
        name,
        parameters,
        {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in values.items()},
    )


def size(values, name):
    tensor, axis = re.fullmatch(r"(\w+)_d(\d)", name).groups()
    return values[tensor].shape[int(axis)]


# ---- TPC-C ----


def compile_tpc(files, folder):
    """All kernels as one library: each in a namespace of its own, behind a C function."""
    text = (
        '#include "tpc.h"\nextern "C" void set_tensor(int t, void *data, const int *size) {\n  model_tensors[t].data ='
        " data;\n"
    )
    text += "  for (int d = 0; d < 5; d++) model_tensors[t].size[d] = size[d];\n}\n"
    for name, path in files.items():
        passed, tensors, numbers = [], 0, 0
        for kind, _ in prototype(path):
            passed.append(str(tensors) if kind == "tensor" else f"({kind})numbers[{numbers}]")
            tensors, numbers = tensors + (kind == "tensor"), numbers + (kind != "tensor")
        text += (
            f'namespace {name}_space {{\n#include "{path}"\n}}\n'
            f'extern "C" void run_{name}(const double *numbers, const int *offset, const int *size) {{\n'
            "  for (int d = 0; d < 5; d++) model_offset[d] = offset[d], model_size[d] = size[d];\n"
            f"  (void)numbers;\n  {name}_space::tpc_main({', '.join(passed)});\n}}\n"
        )
    (folder / "all.cc").write_text(text)
    subprocess.run(
        [
            "clang",
            "-x",
            "c++",
            "-std=c++17",
            "-O1",
            "-Wall",
            "-Werror",
            "-Wno-unused-function",
            "-Wno-main",
            "-Wno-psabi",
            "-shared",
            "-fPIC",
            "-I",
            DEVICES,
            folder / "all.cc",
            "-o",
            folder / "all.so",
            "-lstdc++",
            "-lm",
        ],
        check=True,
    )
    return ctypes.CDLL(str(folder / "all.so"))


needs_clang = pytest.mark.skipif(not shutil.which("clang"), reason="no clang")


def run_tpc(library, path, name, values, output, random):
    """In two parts of the index space, which the comment gives."""
    tensors, numbers, keep = [], [], []
    shapes = dict(re.findall(r"^ \*   (\w+): \((.*?)\), \w+", path.read_text(), re.MULTILINE))
    sizes = {f"{k}_d{i}": n for k, v in values.items() if isinstance(v, np.ndarray) for i, n in enumerate(v.shape)}
    sizes.update({k: v for k, v in values.items() if not isinstance(v, np.ndarray)})

    def shape_of(p):
        return [eval(e, {}, sizes) for e in shapes[p].split(",") if e.strip()]  # noqa: S307

    for kind, p in prototype(path):
        if kind != "tensor":
            numbers.append(float(values[p] if p in values else size(values, p)))
            continue
        array = np.ascontiguousarray(values[p]) if p in values else np.full(shape_of(p), -99, output)
        keep.append(array)
        library.set_tensor(
            len(tensors),
            array.ctypes.data_as(ctypes.c_void_p),
            (ctypes.c_int * 5)(*([*array.shape[::-1], 1, 1, 1, 1, 1][:5])),
        )
        tensors.append(p)
    space = re.search(r"^ \* Index space: (.*)$", path.read_text(), re.MULTILINE).group(1)
    whole = [eval(e.replace("/", "//"), {}, sizes) for e in space.split(", ")]  # noqa: S307
    cut = int(random.integers(0, whole[0] + 1))
    for offset, length in ((0, cut), (cut, whole[0] - cut)):
        getattr(library, f"run_{name}")(
            (ctypes.c_double * max(1, len(numbers)))(*numbers),
            (ctypes.c_int * 5)(offset),
            (ctypes.c_int * 5)(*([length, *whole[1:], 1, 1, 1, 1][:5])),
        )
    return keep[-1]


@needs_clang
@pytest.mark.full
def test_tpc_kernels_are_the_source(emitted, tmp_path, libraries):  # noqa: F811
    files = emitted["tpc"]
    library = compile_tpc(files, tmp_path)
    random = np.random.default_rng(3)
    for program in PROGRAMS:
        name = program[2]
        for trial in range(TRIALS if name in files else 0):
            values, wanted = expected(libraries, random, trial, program)
            got = run_tpc(library, files[name], name, values, np.int32, random)
            assert (got.ravel() == wanted[: got.size]).all(), (name, trial, values, got, wanted[: got.size])


@needs_clang
def test_tpc_division_is_corrected(tmp_path):
    """Through floats alone it is wrong: numbers of 31 bits do not fit their 24."""
    source, kernel = tmp_path / "divide.cc", tmp_path / "divide.c"
    source.write_text(
        "#include <vector>\nusing namespace std;\nvector<int> divide(vector<int> a, vector<int> b) {\n  vector<int>"
        " out;\n  for (int i = 0; i < a.size(); i++) out.push_back(a[i] / b[i]);\n  return out;\n}\n"
    )
    subprocess.run([ASSAY, "lift", source, "--emit", "tpc", "-o", kernel], check=True, capture_output=True)
    random = np.random.default_rng(8)
    a, b = (
        (random.integers(-(2**31) + 1, 2**31, 4000) >> random.integers(0, 31, 4000)).astype(np.int32) for _ in range(2)
    )
    a[:6], b[:6] = [2**31 - 1, -(2**31) + 1, 2**31 - 1, -(2**31), 7, -7], [1, -1, 2**31 - 1, 3, -2, 2]
    b[b == 0] = 3
    exact = (np.sign(a.astype(np.int64)) * np.sign(b) * (abs(a.astype(np.int64)) // abs(b.astype(np.int64)))).astype(
        np.int32
    )
    library = compile_tpc({"divide": kernel}, tmp_path)
    assert (run_tpc(library, kernel, "divide", {"a": a, "b": b}, np.int32, random) == exact).all()
    (tmp_path / "wrong").mkdir()
    wrong = tmp_path / "wrong" / "divide.c"
    wrong.write_text(kernel.read_text().replace("i < 3", "i < 1"))
    library = compile_tpc({"divide": wrong}, tmp_path / "wrong")
    assert (run_tpc(library, wrong, "divide", {"a": a, "b": b}, np.int32, random) != exact).any()


# Formulas of floats: what each output is, its inputs with their shapes.
FLOATS = {
    "softmax": "y[i, j] = exp(x[i, j] - max[k < m](x[i, k])) / sum[k2 < m](exp(x[i, k2] - max[k < m](x[i, k])))",
    "norm": "y[i, j] = x[i, j] * v[j] / (1 + sum[k < m](x[i, k] * x[i, k]) / m) ** (1/2)",
    "matmul": "y[i, j] = sum[k < m](x[i, k] * w[j, k]) + v[j]",
    "transposed": "y[i, j] = sum[k < n](x[k, i] * x[k, j])",
    "relu": "y[i, j] = where(x[i, j] < 0, 0.25 * x[i, j], min(x[i, j], 1.5))",
    "prefix": "y[i, j] = sum[k < j + 1](x[i, k])",
    "shifted": "y[i, j] = where(0 < j, x[i, j - 1], 0) + where(j < m - 1, x[i, j + 1], 7)",
    "positions": "y[i, j] = where(x[i, j] < 0, i - j, j) / 2",
    "worst": "y[i, j] = min[k < m, k < j + 1 or 2 < k](abs(x[i, k])) * tanh(x[i, j])",
}


@pytest.fixture(scope="module")
def floats(tmp_path_factory):
    folder, out = tmp_path_factory.mktemp("floats"), {}
    for name, formula in FLOATS.items():
        rows, columns = ("m", "m") if name == "transposed" else ("n", "m") if name != "matmul" else ("n", "p")
        (folder / "formula").write_text(
            f"pointwise {name}\ntensor x: f32[n, m]\ntensor w: f32[p, m]\ntensor v: f32[{columns}]\ntensor y:"
            f" f32[{rows}, {columns}]\nsize n: 1 <= n\nsize m: 1 <= m\nsize p: 1 <= p\n{formula}\n"
        )
        done = subprocess.run(
            [ASSAY, "lift", folder / "formula", "--emit", "numpy,c,tpc", "-o", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 2) and "emit" not in done.stderr, (name, done.stderr)
        out[name] = {
            target: folder / f"{name}.{target}.{suffix}"
            for target, suffix in (("numpy", "py"), ("c", "c"), ("tpc", "c"))
        }
    return folder, out


def float_case(paths, name, trial):
    random = np.random.default_rng(trial)
    n, m, p = ((1, 1, 1), (3, 70, 130), (5, 64, 2), (2, 129, 65))[trial]
    values = {
        "x": random.standard_normal((n, m)).astype(np.float32),
        "w": random.standard_normal((p, m)).astype(np.float32),
        "v": random.standard_normal(p if name == "matmul" else m).astype(np.float32),
        "n": n,
        "m": m,
        "p": p,
    }
    module = load(paths["numpy"])
    function = getattr(module, name)
    return values, function(**{k: values[k] for k in inspect.signature(function).parameters})["y"]


@pytest.mark.parametrize("name", FLOATS)
def test_c_of_floats(floats, name, tmp_path):
    """What inner loops leave as it is stands before them, and nothing is read that the choice leaves out."""
    paths = floats[1][name]
    subprocess.run(
        [
            "gcc",
            "-std=c17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-O1",
            "-fsanitize=undefined",
            "-fno-sanitize-recover",
            "-shared",
            "-fPIC",
            paths["c"],
            "-o",
            tmp_path / "c.so",
            "-lm",
        ],
        check=True,
    )
    library = ctypes.CDLL(str(tmp_path / "c.so"))
    for trial in range(4):
        values, wanted = float_case(paths, name, trial)
        got, passed = np.zeros(wanted.shape, np.float32), []
        for kind, p in prototype(paths["c"]):
            array = got if p == "*y" else values.get(p.lstrip("*"))
            passed.append(array.ctypes.data_as(ctypes.c_void_p) if "*" in p else ctypes.c_int64(array))
        getattr(library, name)(*passed)
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "value,dtype",
    [
        ("x[i] * z[i] - 3 * x[i]", "i64"),
        ("x[i] / z[i]", "f64"),
        ("0.5 * x[i] * x[i] + 0.25 * z[i]", "f64"),
        ("where(x[i] < 0, x[i], z[i]) * x[i]", "i64"),
        ("(x[i] - z[i]) // 7 + b[i] * b[i]", "i64"),
        ("wrap64(x[i] * x[i] * x[i] * 6364136223846793005 + z[i])", "i64"),
    ],
)
def test_c_of_integers(tmp_path, value, dtype):
    """Elements of 32 and 8 bits are computed with in 64, quotients in floats, and what wraps does not overflow."""
    (tmp_path / "formula").write_text(
        f"pointwise f\ntensor x: i32[n]\ntensor z: i32[n]\ntensor b: u8[n]\ntensor y: {dtype}[n]\ny[i] = {value}\n"
    )
    subprocess.run(
        [ASSAY, "lift", tmp_path / "formula", "--emit", "numpy,c", "-o", tmp_path], check=False, capture_output=True
    )
    subprocess.run(
        [
            "gcc",
            "-std=c17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsanitize=undefined",
            "-fno-sanitize-recover",
            "-shared",
            "-fPIC",
            tmp_path / "f.c.c",
            "-o",
            tmp_path / "c.so",
            "-lm",
        ],
        check=True,
    )
    random = np.random.default_rng(2)
    values = {
        "x": random.integers(-(2**31) + 1, 2**31, 500).astype(np.int32),
        "z": random.integers(1, 2**31, 500).astype(np.int32),
        "b": random.integers(0, 256, 500).astype(np.uint8),
    }
    function = load(tmp_path / "f.numpy.py").f
    with np.errstate(all="ignore"):
        wanted = function(**{k: values[k] for k in inspect.signature(function).parameters})["y"]
    got, passed = np.zeros(500, np.float64 if dtype == "f64" else np.int64), []
    for kind, p in prototype(tmp_path / "f.c.c"):
        array = got if p == "*y" else values.get(p.lstrip("*"))
        passed.append(array.ctypes.data_as(ctypes.c_void_p) if "*" in p else ctypes.c_int64(500))
    ctypes.CDLL(str(tmp_path / "c.so")).f(*passed)
    if dtype == "f64":
        np.testing.assert_allclose(got, wanted, rtol=1e-14)
    else:
        assert (got == wanted).all()


@needs_clang
@pytest.mark.full
def test_tpc_of_floats(floats):
    folder, files = floats
    library = compile_tpc({name: paths["tpc"] for name, paths in files.items()}, folder)
    for name, paths in files.items():
        for trial in range(4):
            values, wanted = float_case(paths, name, trial)
            got = run_tpc(library, paths["tpc"], name, values, np.float32, np.random.default_rng(trial))
            np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-5, err_msg=name)


# ---- Gemmini ----


def compile_gemmini(files, folder):
    subprocess.run(
        [
            "gcc",
            "-std=c17",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-function",
            "-shared",
            "-fPIC",
            "-I",
            DEVICES,
            *files.values(),
            "-o",
            folder / "all.so",
            "-lm",
        ],
        check=True,
    )
    return ctypes.CDLL(str(folder / "all.so"))


def within_8_bits(values, random):
    """Elements that elem_t holds, and numbers that leave room for `32 - opacity` and the like."""
    edges = np.array([-128, -127, -1, 0, 1, 126, 127])
    out = {}
    for name, v in values.items():
        if isinstance(v, np.ndarray):
            out[name] = np.where(
                random.random(v.shape) < 0.3, random.choice(edges, v.shape), random.integers(-128, 128, v.shape)
            ).astype(np.int32)
        else:
            out[name] = v if 0 < v < 9 else int(random.integers(-90, 91))
    return out


def run_gemmini(library, path, name, values):
    passed, result = [], np.full(4096, -99, np.int32)
    for kind, p in prototype(path):
        if kind == "acc_t":
            passed.append(result.ctypes.data_as(ctypes.c_void_p))
        elif kind == "elem_t":
            passed.append(np.ascontiguousarray(values[p.lstrip("*")]).astype(np.int8).ctypes)
        else:
            passed.append(ctypes.c_int64(values[p] if p in values else size(values, p)))
    getattr(library, name)(*[p.data_as(ctypes.c_void_p) if hasattr(p, "data_as") else p for p in passed])
    return result


def check_gemmini(files, folder, libraries, trials):  # noqa: F811
    """The programs whose functions do not give what the source gives."""
    library, random, wrong = compile_gemmini(files, folder), np.random.default_rng(4), set()
    for program in PROGRAMS:
        source, _, name, parameters = program
        for trial in range(trials if name in files else 0):
            values = within_8_bits(arguments(random, trial, name, parameters), random)
            wanted = call(libraries(source), source, name, parameters, values)
            got = run_gemmini(library, files[name], name, values)
            count = max(1, int((wanted != 0).nonzero()[0].max(initial=0)) + 1)
            if (got[:count] != wanted[:count]).any():
                wrong.add(name)
    return wrong


def test_gemmini_functions_are_the_source(emitted, tmp_path, libraries):  # noqa: F811
    files = emitted["gemmini"]
    assert check_gemmini(files, tmp_path, libraries, TRIALS) == set()
    assert all("range: -128 <=" in path.read_text() for path in files.values())

    # results of 8 bits saturate, and the model shows it
    narrow = {"dot": tmp_path / "narrow.c"}
    narrow["dot"].write_text(
        files["dot"].read_text().replace("turned_A, turned_B, true, false", "turned_A, turned_B, false, false")
    )
    (tmp_path / "narrow").mkdir()
    assert check_gemmini(narrow, tmp_path / "narrow", libraries, TRIALS) == {"dot"}
