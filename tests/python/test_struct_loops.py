"""Structs of C: what is emitted for tests/loops/structs, where each field is an argument, beside the compiled source."""

import ctypes
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from run_loops import ASSAY, Emitted, build, load

SOURCE = Path(__file__).resolve().parents[1] / "loops" / "structs" / "structs.c"
N, ROWS, COLS = 7, 4, 5
VEC = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
PIXEL = np.dtype([(c, "u1") for c in "rgba"])
MAT = np.dtype([("rows", "i4"), ("cols", "i4"), ("data", "u8")], align=True)
LAYER = np.dtype([("dim", "i4"), ("w", MAT), ("scale", "f4", 4)], align=True)
ACC = np.dtype([("sum", "f8"), ("count", "i4")], align=True)


class Vec(ctypes.Structure):
    _fields_ = [(c, ctypes.c_float) for c in "xyz"]


def fields(name, array):
    """NAME_FIELD of each field; one struct is its numbers, several are arrays."""
    if array.dtype.names is None:
        return {name: array}
    return {k: v for f in array.dtype.names for k, v in fields(f"{name}_{f}", array[f]).items()}


def arguments(random):
    """By function: the arguments in order (a struct array, an array or a number), what its pointers point to, its result."""

    def vecs():
        return random.standard_normal((N, 3)).astype("f4").view(VEC)[:, 0]

    def pixels():
        return random.integers(0, 256, (N, 4)).astype("u1").view(PIXEL)[:, 0]

    data, x = random.standard_normal((ROWS, COLS)).astype("f4"), random.standard_normal(COLS).astype("f4")
    mat = np.array((ROWS, COLS, data.ctypes.data), MAT)
    layer = np.array((N, (1, 1, data.ctypes.data), random.standard_normal(4)), LAYER)
    long = random.standard_normal(N).astype("f4")
    return {
        "axpy": ({"y": vecs(), "x": vecs(), "a": 0.75, "n": N}, {}, None),
        "gray": ({"out": np.zeros(N, "u1"), "in": pixels(), "n": N}, {}, None),
        "matvec": ({"out": np.zeros(ROWS, "f4"), "m": mat, "x": x}, {"m_data": data}, None),
        "layer": ({"out": np.zeros(N, "f4"), "l": layer, "x": long}, {"l_w_data": data.ravel()[:N]}, None),
        "centroid": ({"p": vecs(), "n": N}, {}, Vec),
        "sum_walk": ({"p": vecs(), "n": N}, {}, ctypes.c_float),
        "sum_alias": ({"p": vecs(), "n": N}, {}, ctypes.c_float),
        "accumulate": ({"acc": np.array((2.5, 3), ACC), "x": random.standard_normal(N), "n": N}, {}, None),
        "invert": ({"p": pixels(), "n": N}, {}, None),
        "rotate": ({"p": vecs(), "n": N}, {}, None),
        "norms": ({"p": vecs(), "n": N}, {}, ctypes.c_float),
    }


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return build(SOURCE, tmp_path_factory.mktemp("structs"))


@pytest.mark.parametrize("name", sorted(arguments(np.random.default_rng(0))))
def test_fields_are_the_source(tmp_path, library, name):
    given, pointed, result = arguments(np.random.default_rng(1))[name]
    done = subprocess.run(
        [ASSAY, "lift", "--json", f"{SOURCE}:{name}", "--emit", "numpy,c", "-o", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    assert report["verdict"] == "proved", report["reason"]
    flat = {k: np.array(v) for p, a in given.items() for k, v in fields(p, np.asarray(a)).items()} | pointed
    arrays = {k: v for k, v in flat.items() if v.ndim or k.startswith("acc")}
    scalars = {k: v.item() for k, v in flat.items() if not v.ndim}
    sizes = {
        d: dict(zip(v["shape"], flat[v["name"]].shape))[d]
        for v in report["inputs"]
        if v["name"] in flat and flat[v["name"]].ndim
        for d in v["shape"]
    }
    taken = [
        load(tmp_path / f"{name}.numpy.py", name)(arrays, scalars, sizes, None),
        Emitted(tmp_path, name)(arrays, scalars, sizes, None),
    ]
    function = getattr(library, name)
    function.restype = result
    back = function(
        *[
            (
                a.ctypes.data_as(ctypes.c_void_p)
                if isinstance(a, np.ndarray)
                else ctypes.c_float(a) if isinstance(a, float) else a
            )
            for a in given.values()
        ]
    )
    wanted = {k: v for p, a in given.items() for k, v in fields(p, np.asarray(a)).items()}
    wanted |= {f"result_{c}": getattr(back, c) for c in "xyz"} if result is Vec else {"result": back}
    for got in taken:
        for output in report["outputs"]:
            np.testing.assert_allclose(
                got[output["name"]], wanted[output["name"]], rtol=2e-5, atol=1e-6, err_msg=output["name"]
            )


@pytest.mark.parametrize(
    "text, said",
    [
        (
            (
                "struct N { struct N *next; int v; }; int f(struct N *p) { int s = 0; while (p) { s += p->v; p ="
                " p->next; } return s; }"
            ),
            "a pointer to structs that moves",
        ),
        (
            (
                "struct B { int x : 3; }; int f(struct B *b, int n) { int s = 0; for (int i = 0; i < n; i++) s +="
                " b[i].x; return s; }"
            ),
            "is not read yet",
        ),
        (
            (
                "union U { int i; float f; }; float f(union U *u, int n) { float s = 0; for (int i = 0; i < n; i++) s"
                " += u[i].f; return s; }"
            ),
            "is not read yet",
        ),
        (
            (
                "struct A { int m[3]; }; int f(struct A a, int n) { for (int i = 0; i < n; i++) a.m[i % 3] = i; return"
                " a.m[0]; }"
            ),
            "this struct as a parameter",
        ),
        (
            "struct P { int *p; }; void f(struct P *a, int n) { for (int i = 0; i < n; i++) *a->p++ = i; }",
            "this struct as a parameter",
        ),
        ("void f(float **a) { float *t = a[0]; a[0] = a[1]; a[1] = t; }", "a value of type float **"),
        ("void f(float **a, float *b) { a[0] = b; b[0] = 2; a[0][0] = 1; }", "a value of type float **"),
        ("void f(float **a, long *o) { o[0] = a[1] - a[0]; }", "a value of type float **"),
        ("void f(float **a, int *o) { o[0] = a[1] < a[0]; }", "a value of type float **"),
        ("void f(float **a, int n) { while (n--) **a++ = 0; }", "a value of type float **"),
        (
            "void f(float **a, int n) { float *p = a[0]; for (int i = 0; i < n; i++) { p = a[i]; *p = 1; } }",
            "a pointer that moves from one array to another",
        ),
    ],
)
def test_what_is_not_read_is_refused(tmp_path, text, said):
    path = tmp_path / "f.c"
    path.write_text(text + "\n")
    done = subprocess.run([ASSAY, "lift", path], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert said in done.stderr


def test_rows_behind_pointers_rest_on_their_lengths(tmp_path):
    """Of a struct too; and what leaves a row is no access to the next one."""
    path = tmp_path / "f.c"
    path.write_text(
        "typedef struct { int rows, cols; float **vals; } matrix;\n"
        "void scale(matrix m, float s) {\n"
        "  for (int i = 0; i < m.rows; i++) for (int j = 0; j < m.cols; j++) m.vals[i][j] *= s;\n}\n"
        "void before(float **a, int n) { for (int i = 1; i < n; i++) a[i][-1] = 1; }\n"
        "void along(float **a, int n, int m) { float *p = a[0]; for (int j = 0; j < n * m; j++) p[j] = 1; }\n"
        "void asked(float **a, int n) { if (!a) return; for (int i = 0; i < n; i++) a[i][0] = 1; }\n"
    )
    reports = {}
    for name in ("scale", "before", "along", "asked"):
        done = subprocess.run([ASSAY, "lift", "--json", f"{path}:{name}"], capture_output=True, text=True, check=False)
        reports[name] = json.loads(done.stdout)
    texts = {name: [a["text"] for a in report["assumptions"]] for name, report in reports.items()}
    assert reports["scale"]["verdict"] == reports["along"]["verdict"] == "proved"
    assert {"m_cols <= m_vals_d1", "the rows of m_vals have equal length"} <= set(texts["scale"])
    assert "the rows of m_vals do not overlap" in texts["scale"]
    assert "m*n <= a_d1" in texts["along"]
    assert "a is not NULL" in texts["asked"]
    assert reports["before"]["safety"] == "refuted"


def test_a_wrong_field_is_refuted(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(
        "typedef struct { float x, y; } V;\nV next(V a) { V b = {a.y, a.x}; return b; }\n"
        "void f(V *p, int n) { for (int i = 0; i < n; i++) p[i] = next(p[i]); }\n"
        "void g(V *p, int n) { for (int i = 0; i < n; i++) { p[i].x = p[i].y; p[i].y = p[i].x; } }\n"
    )
    for name, code in (("f", 0), ("g", 1)):
        done = subprocess.run(
            [ASSAY, "check", f"{path}:f", f"{path}:{name}"], capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout
