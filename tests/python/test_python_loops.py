"""Loops of Python: the modules that `assay lift --emit numpy` writes against the functions themselves, run.

Each function of tests/loops/*.py is run on random arguments and on edge values, as integers and as floats: negative
numbers, 0, sizes of 1, lists that are longer than what is read of them.
"""

import ast
import copy
import importlib.util
import inspect
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_emit import load
from triton_tools.lifted import ASSAY

LOOPS = Path(__file__).resolve().parents[1] / "loops"
FILES = sorted(LOOPS.glob("*.py"))
SIZES = {
    "max_pos",
    "hidden_dim",
    "token_position",
    "head",
    "head_size",
    "n",
    "m",
    "N",
    "M",
    "NTAPS",
    "l",
    "dim",
    "k",
    "width",
    "window",
    "order",
    "steps",
    "bins",
    "K",
    "P",
    "Q",
    "L",
    "radius",
    "channels",
    "lag",
    "step",
}
ROWS = {"ld", "lda", "ldb", "ldc"}  # lengths of rows
INTEGERS = {"index", "indices", "labels", "rows", "cols", "rand_cons"}
POSITIVE = {"ss"}
OPEN = {
    "covariance": "sums in places of a triangle that each iteration copies across the diagonal",
}
EDGES = [0, 1, -1, 2, -2, 16, 31, 32, 33, 100, 127, 128, 255, -300]


def functions():
    for path in FILES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                why = OPEN.get(node.name) if path.stem == "numerics" else None
                yield pytest.param(
                    path,
                    node.name,
                    id=f"{path.name}:{node.name}",
                    marks=[pytest.mark.xfail(strict=True, reason=why)] if why else [],
                )


@pytest.fixture(scope="module")
def modules():
    out = {}
    for path in FILES:
        spec = importlib.util.spec_from_file_location(f"loops_{path.stem}", path)
        out[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(out[path])
    return out


def lift(path, name, *flags):
    done = subprocess.run(
        [ASSAY, "lift", f"{path}:{name}", "--json", *flags], capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


def arguments(random, trial, inputs, parameters):
    """By parameter: an array of the rank that the report gives it, or a number. Sizes fit all arrays."""
    most = int(random.integers(1, 6))
    ranks = {i["name"]: len(i["shape"]) for i in inputs if i["kind"] == "tensor"}
    whole = {i["name"] for i in inputs if i["dtype"].startswith("i")}
    out = {}
    for p in parameters:
        rank = ranks.get(p, 0)
        shape = tuple([most * (most + 1) + 2] * rank)
        if p == "img" and rank == 3:  # of three colours
            shape = (most, most, 3)
        if p in ("volume", "pixels") and rank == 1:
            shape = (3 * most**3,)
        if p in ROWS:
            out[p] = most
        elif p in SIZES and not rank:
            out[p] = int(random.integers(1, most + 1))
        elif p in INTEGERS or (rank and p in whole):
            out[p] = random.integers(0, most, shape)  # made smaller below
        elif trial % 3 == 0:
            out[p] = random.choice(EDGES, shape)
        elif trial % 3 == 1:
            out[p] = random.integers(-40, 300, shape)
        else:
            out[p] = np.round(random.standard_normal(shape) * 16) / 4  # whose quotients round as those of integers do
        if p in POSITIVE:
            out[p] = abs(out[p])
        if not rank:
            out[p] = np.asarray(out[p]).item()
        elif p in ("b", "arr", "sum"):  # what divides
            out[p] = np.where(out[p] == 0, 3, out[p])
    for p in ("b", "sum"):
        if p in out and p not in ranks:
            out[p] = out[p] or 3
    if "x" in out and "x" not in ranks:  # of which powers are taken
        out["x"] = np.fmod(out["x"], 2)
    least = min([v for p, v in out.items() if p in SIZES and p not in ranks], default=most)
    return {p: v % least if isinstance(v, np.ndarray) and (p in INTEGERS or p in whole) else v for p, v in out.items()}


def keyword(values, name):
    """What a keyword of the module takes: an argument, or a size of one."""
    if name in values or name.rstrip("_") in values:
        return values[name if name in values else name.rstrip("_")]
    array, axis = name.rsplit("_d", 1)
    return values[array].shape[int(axis)]


def prepared(path, value, inputs, name):
    """Lists of Python; arrays of reals, or of integers where the program takes these."""
    if not isinstance(value, np.ndarray):
        return value
    if path.stem.startswith("list"):
        return value.tolist()
    dtype = next((i["dtype"] for i in inputs if i["name"] == name), "f64")
    return value.astype(np.int64 if dtype.startswith("i") else np.float64)


def results(report, function, path, values):
    """What the run leaves: by output, as the report names them."""
    given = {p: prepared(path, copy.deepcopy(v), report["inputs"] + report["outputs"], p) for p, v in values.items()}
    back = function(**given)
    out = {}
    for name in (o["name"] for o in report["outputs"]):
        if name.startswith("result_") and name[7:].isdigit():
            out[name] = back[int(name[7:])]
        elif name in given:
            out[name] = given[name]
        else:
            out[name] = back
    return out


@pytest.mark.parametrize("path, name", list(functions()))
def test_numpy_module_is_the_function(tmp_path, modules, path, name):
    target = tmp_path / "module.py"
    code, report = lift(path, name, "--emit", "numpy", "-o", str(target))
    assert (code, report["verdict"], report["safety"]) == (0, "proved", "proved"), report
    function, emitted = getattr(modules[path], name), getattr(load(target), name)
    parameters = list(inspect.signature(function).parameters)
    taken = list(inspect.signature(emitted).parameters)
    random = np.random.default_rng(len(name))
    known = report["inputs"] + [o | {"kind": "tensor"} for o in report["outputs"] if o["name"] in parameters]
    ran = 0
    for trial in range(9):
        values = arguments(random, trial, known, parameters)
        try:
            wanted = results(report, function, path, values)
        except OverflowError:  # what is written does not fit: then nothing is claimed
            continue
        ran += 1
        got = emitted(**{p: keyword(values, p) for p in taken})
        for output, value in wanted.items():
            value = np.asarray(value, dtype=np.float64)
            mine = np.asarray(got[output], dtype=np.float64)
            np.testing.assert_allclose(mine, value, rtol=1e-9, atol=1e-9, err_msg=f"{trial} {output} {values}")
    assert ran > 1
