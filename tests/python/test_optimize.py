"""`assay optimize`, from formula to a kernel that runs: what is listed is proved, its Triton compiles, lifts back to the
formula, and gives in Triton's interpreter what float64 gives, at sizes that no tile divides."""
import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest
import torch

from conftest import ROOT

ASSAY = ROOT / "build" / "assay"
FORMULAS = ROOT / "tests" / "optimize"


def rms(x):
    return x / (x * x).mean(-1, keepdim=True).sqrt()


# inputs by shape, reference, constexprs of whole axes, tolerance
WORKLOADS = {
    "rms_matmul": (dict(X=(37, 100), W=(100, 45)), lambda X, W: dict(Y=rms(X) @ W)),
    "gated_mlp": (dict(X=(19, 70), W1=(70, 90), W2=(70, 90)),
                  lambda X, W1, W2: dict(Y=torch.nn.functional.silu(X @ W1) * (X @ W2))),
    "lora": (dict(X=(21, 75), W=(75, 50), A=(75, 16), B=(16, 50)), lambda X, W, A, B: dict(Y=X @ W + (X @ A) @ B)),
    "attention": (dict(Q=(3, 18, 64), K=(3, 64, 77), V=(3, 77, 64)),
                  lambda Q, K, V: dict(O=torch.softmax(Q @ K, -1) @ V)),
}


def optimize(name, *flags, code=0):
    done = subprocess.run([ASSAY, "optimize", FORMULAS / f"{name}.formula", "--json", "--stats", *flags],
                          capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    known = {}

    def get(name):
        if name not in known:
            folder = tmp_path_factory.mktemp(name)
            known[name] = (folder, optimize(name, "--emit", "triton,graph", "-o", str(folder), "--top", "3"))
        return known[name]

    return get


def best(answer):
    return next(c for c in answer["candidates"] if not c["input"])


@pytest.mark.parametrize("name", WORKLOADS)
def test_one_kernel_is_found_and_proved(searched, name):
    candidates = searched(name)[1]["candidates"]
    assert [c["rank"] for c in candidates] == list(range(1, len(candidates) + 1))
    assert all(c["verdict"] == "proved" for c in candidates)
    assert sum(c["input"] for c in candidates) == 1
    assert best(searched(name)[1])["kernels"] == 1


@pytest.mark.parametrize("name", WORKLOADS)
def test_listed_graphs_are_equal_to_the_formula(searched, name):
    folder, answer = searched(name)
    for c in answer["candidates"]:
        path = folder / f"c{c['rank']}.graph.graph"
        assert path.read_text() == c["graph"]
        done = subprocess.run([ASSAY, "check", path, FORMULAS / f"{name}.formula"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def module_of(folder, candidate):
    path = folder / next(f for f in candidate["files"] if f.endswith(".py"))
    spec = importlib.util.spec_from_file_location(f"emitted_{folder.name}_{candidate['rank']}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return path, module


@pytest.mark.parametrize("name", WORKLOADS)
def test_emitted_triton_agrees_in_the_interpreter(searched, name):
    folder, answer = searched(name)
    shapes, reference = WORKLOADS[name]
    generator = torch.Generator().manual_seed(7)
    inputs = {k: (torch.rand(shape, generator=generator) - 0.5).half() for k, shape in shapes.items()}
    expected = reference(**{k: v.double() for k, v in inputs.items()})
    for candidate in answer["candidates"]:
        if candidate["input"]:
            continue
        got = getattr(module_of(folder, candidate)[1], name)(**inputs)
        assert got.keys() == expected.keys()
        for key, value in expected.items():
            torch.testing.assert_close(got[key].double(), value, rtol=2e-2, atol=2e-2)


def operation_of(text, name):
    """The launches of the host function, with the shapes of its docstring, as an operation file."""
    tensors = {}
    for tensor, dtype, shape, kind in re.findall(r"^    (\w+): (\w+)\[(.*)\](.*)$", text, re.MULTILINE):
        tensors[tensor] = {"dtype": dtype, "shape": [s for s in shape.split(", ") if s]}
        if kind:
            tensors[tensor]["temporary"] = True
    launches = []
    for kernel, grid, arguments in re.findall(r"^    (\w+)\[\((.*),\)\]\((.*)\)$", text, re.MULTILINE):
        parameters = re.search(rf"def {kernel}\((.*)\):", text)[1].split(", ")
        given = [a for a in arguments.split(", ") if "=" not in a]
        launches.append({"file": f"{kernel}.ttir", "kernel": kernel, "args": dict(zip(parameters, given)),
                         "grid": re.split(r", (?![^(]*\))", grid.replace("triton.", ""))})
    return {"schema": 1, "name": name, "tensors": tensors, "launches": launches}


# what divides by what may be 0 does so in the formula as well
ALLOWED = {"rms_matmul": ["--allow", "undefined"]}


@pytest.mark.parametrize("name", WORKLOADS)
def test_emitted_triton_lifts_back(searched, name):
    folder, answer = searched(name)
    path, _ = module_of(folder, best(answer))
    environment = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    subprocess.run([sys.executable, str(ROOT / "tests/python/compile_optimized.py"), str(path), str(folder)],
                   env=environment, check=True)
    (folder / "operation.json").write_text(json.dumps(operation_of(path.read_text(), name)))
    done = subprocess.run([ASSAY, "check", folder / "operation.json", FORMULAS / f"{name}.formula", "--json",
                           *ALLOWED.get(name, [])], capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verdict"]) == (0, "proved"), answer["reason"]
