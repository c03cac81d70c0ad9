"""Variants of kernels that people write (variants/*.py), as operators with the shapes that their callers give: wrong ones are refuted against a reference, unsafe ones have a finding, harmless ones are proved, or not refuted where there is no formula (`same`).
A few of each kind in make check, all of them in make check-full."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT
from triton_tools.forms import load
from triton_tools.lifted import ASSAY, run

FOLDER = ROOT / "tests" / "python" / "variants"
KERNELS = {name: kernel for path in sorted(FOLDER.glob("*.py")) for name, kernel in load(path).KERNELS.items()}
ALL = [(name, "right", 0) for name, kernel in KERNELS.items() if "same" not in kernel] + [
    (name, kind, i)
    for name, kernel in KERNELS.items()
    for kind in ("wrong", "unsafe", "harmless", "same")
    for i in range(len(kernel.get(kind, ())))
]
# what each holds that no other of make check does
QUICK = {
    (
        "cross_entropy",
        "wrong",
        6,
    ): "column == label is met where an input holds the place of the element that is looked at",
    ("embedding", "wrong", 0): "an input that the kernel ignores",
    ("embedding", "unsafe", 1): "half of what an assert with `and` says",
    ("embedding", "harmless", 0): "both halves of it",
    ("cross_entropy", "harmless", 0): "what every program states of memory, where the reference reads it",
    ("histogram", "right", 0): "a guard that another implies, and sums that fit their type",
    ("kv_append", "right", 0): "a position that is a name of the launch, and old contents that are kept",
    ("top2", "right", 0): "the place of the best of what may be nothing",
    ("argmax", "wrong", 5): "nothing is read",
    ("matmul", "unsafe", 1): "elements that nobody writes where one axis alone is beyond a block",
    ("swiglu", "unsafe", 2): "rows that overlap, though the shapes are given",
    ("quantise", "harmless", 0): "rounded down by floor(x + 0.5), which fits i8, on both sides",
    ("bias_gather", "harmless", 0): "rows chosen by i32 indices that asserts keep in range",
    ("grid_stride", "unsafe", 0): "what shows beyond all programs' blocks together",
    ("geglu", "harmless", 0): "a tanh in base e, of a constant that is twice the reference's",
    ("conv1d", "right", 0): "a matrix of shifted weights is a sum over the window",
    ("splitk", "harmless", 0): "a number of programs that take turns with one sum",
    ("group_dequant", "harmless", 0): "tiles with a factor each: it is that of k // 32",
    ("moe_gemv", "unsafe", 0): "an expert beyond the last one",
    ("maxpool", "wrong", 0): "views that do not fit, and infinities where numbers are right",
    ("maxpool", "unsafe", 2): "what shows where both sizes are even",
    (
        "ln_bwd_dw",
        "wrong",
        4,
    ): "a loop over blocks that reads the first one every time: no block covers what is looped over",
    ("conv2d", "wrong", 4): "elements that the kernel does not read, of a tensor whose shape is numbers",
    ("splitk", "wrong", 1): "programs that repeat each other",
    ("newton", "wrong", 1): "no formula, and wrong in the second block",
    ("newton", "unsafe", 1): "no formula, and elements that nobody writes",
    ("newton", "same", 1): "no formula, and right",
    ("one_block", "wrong", 1): "no formula, and padding that counts",
    ("seg_sum_stated", "right", 0): "rows that memory ends, of which the kernel states that they are sorted",
    ("maxpool", "right", 0): "a grid that says which rows there are",
    ("one_block", "same", 0): "no formula, and right where one block covers a row",
}
REASONS = {
    "seg_sum": "that bounds of rows, which are read from memory, are sorted is not known",
}
OPEN = {
    (name, kind, i): why
    for name, why in REASONS.items()
    for kind, count in (("right", 1), ("harmless", len(KERNELS[name]["harmless"])))
    for i in range(count)
} | {
    ("seg_sum_stated", "unsafe", 1): "a row that may end behind the tensor, as an assert of the kernel's own allows",
}
# those that a limit of time ends, on some machines
SLOW = {("avgpool", "unsafe", 1)}
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
COMPILE = """
import importlib.util, json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from triton_tools.compile import tidy, to_ttir
folder = pathlib.Path(sys.argv[2])
for name, (types, literals, options) in json.loads((folder / "list.json").read_text()).items():
    spec = importlib.util.spec_from_file_location(name.replace(".", "_"), folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (folder / f"{name}.ttir").write_text(tidy(to_ttir(module.kernel, types, literals, **options)[1]))
"""


def source_of(name, kind, number):
    kernel = KERNELS[name]
    if kind == "right":
        return kernel["source"]
    old, new = kernel[kind][number]
    assert old in kernel["source"]
    return kernel["source"].replace(old, new, 1)


def operation(name, tag):
    kernel, given = KERNELS[name], {}
    for param, kind in kernel["types"].items():
        if not kind.startswith("fp"):
            given[param] = kernel["args"].get(param, param.removesuffix("_ptr"))
    tensors = {tensor: dict(zip(("dtype", "shape", "strides"), view)) for tensor, view in kernel["tensors"].items()}
    return {
        "schema": 1,
        "name": name,
        "tensors": tensors,
        "launches": [{"file": f"{tag}.ttir", "kernel": "kernel", "grid": kernel["grid"], "args": given}],
    }


def compile_all(cases, folder):
    wanted = {}
    for name, kind, number in cases:
        tag, kernel = f"{name}.{kind}.{number}", KERNELS[name]
        (folder / f"{tag}.py").write_text(
            "import triton\nimport triton.language as tl\n\n\n@triton.jit" + source_of(name, kind, number)
        )
        (folder / f"{tag}.json").write_text(json.dumps(operation(name, tag)))
        (folder / f"{name}.reference.py").write_text("import torch\n\n\n" + kernel["reference"])
        asserts = "device_assert" in kernel["source"]
        wanted[tag] = (
            kernel["types"],
            kernel["literals"],
            {"debug": True, "sanitize_overflow": False} if asserts else {},
        )
    (folder / "list.json").write_text(json.dumps(wanted))
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, str(ROOT / "tools"), str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    return compile_all(QUICK, tmp_path_factory.mktemp("variants"))


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    return compile_all(ALL, tmp_path_factory.mktemp("variants"))


def answer(name, kind, number, folder):
    file = folder / f"{name}.{kind}.{number}.json"
    command = ["lift", file] if kind == "unsafe" else ["check", file, f"{folder / f'{name}.reference.py'}:ref"]
    done = run(*command, "--json")
    return json.loads(done.stdout)


def judge(name, kind, number, folder):
    report = answer(name, kind, number, folder)
    why = (
        report["verdict"],
        report["safety"],
        report["reason"],
        [(o["kind"], o["verdict"], o["detail"]) for o in report["obligations"] if o["verdict"] != "proved"],
    )
    if kind == "wrong":
        assert "refuted" in (report["verdict"], report["safety"]), why
    elif kind == "unsafe":
        assert report["safety"] == "refuted", why
    elif kind == "same":
        assert report["verdict"] == "unknown" and "agree" in report["reason"]["text"], why
    else:
        assert report["verdict"] == "proved" and report["safety"] != "refuted", why


def marked(cases):
    marks = {case: pytest.mark.xfail(reason=why, strict=True) for case, why in OPEN.items()} | {
        case: pytest.mark.xfail(reason="a limit of time") for case in SLOW
    }
    return [pytest.param(*case, marks=marks[case]) if case in marks else case for case in cases]


@pytest.mark.parametrize("name,kind,number", marked(QUICK))
def test_variant(name, kind, number, quick):
    judge(name, kind, number, quick)


@pytest.mark.full
@pytest.mark.parametrize("name,kind,number", marked(case for case in ALL if case not in QUICK))
def test_all_variants(name, kind, number, everything):
    judge(name, kind, number, everything)
