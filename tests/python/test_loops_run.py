"""Loops as others write them: what is emitted for them, run beside the compiled source (run_loops.py).

The programs of tests/loops/others as C over pointers and over arrays, and the files of tests/loops/published and own.
"""

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from run_loops import ASSAY, Function, bounds, build, functions
from test_emit import load

LOOPS = Path(__file__).resolve().parents[1] / "loops"
sys.path.insert(0, str(LOOPS / "others"))
import make  # noqa: E402

SAMPLE = {
    "gemm_nn",
    "atax",
    "syrk",
    "gather",
    "histogram",
    "box3",
    "equalize",
    "reverse",
    "fir",
    "goertzel",
    "rgb2gray",
    "linreg",
    "softmax_in_place",
    "int8_product",
    "with_bias",
    "nearest",
    "twice",
    "is_sorted",
    "lacks",
    "has_no_negative",
    "reverse_in_place",
    "meeting",
}
FILES = {path.name: path for path in (*LOOPS.glob("published/*.c"), *LOOPS.glob("own/*.c"))}
# Data that indexes, by function of tests/loops/others.
INDICES = {"gather": {"idx": "m"}, "gather_rows": {"idx": "m"}, "bincount": {"x": "k"}, "scatter_add": {"idx": "k"}}
LOOP = "a loop that reads what it has stored has no closed form"
OPEN = {
    "echo": LOOP,
    "extremes": LOOP,
    "transpose_inplace": LOOP,
    "bubble": LOOP,
    "gradient": "sizes below 2 are not excluded",
    "pointers.c:correlation": "products of columns that were scaled in place have no closed form over flat rows",
    "rgb2gray_f": "the source computes in single precision",
}


# Arrays that a recurrence carries lie on the stack in C, where their length has to be a number.
NUMPY_ALONE = {
    "forward_substitution",
    "back_substitution",
    "jacobi_1d",
    "seidel_2d",
    "durbin",
    "eliminate_rows",
    "heat_1d",
}


def cases():
    files = [(file, name) for file, path in sorted(FILES.items()) for _, name, _ in functions(path)]
    files += [(form, program.name) for form in ("pointers.c", "arrays.c") for program in make.programs()]
    for file, name in files:
        is_sample = (name in SAMPLE and file != "arrays.c") or file in (
            "infinities.c",
            "interleaved.c",
            "leaving.c",
            "steps.c",
            "recurrences.c",
            "scattered.c",
            "shorter.c",
        )
        marks = [] if is_sample else [pytest.mark.full]
        reason = OPEN.get(f"{file}:{name}") or OPEN.get(name)
        if reason:
            marks.append(pytest.mark.xfail(strict=True, reason=reason))
        yield pytest.param(file, name, id=f"{file}:{name}", marks=marks)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """By file: its path, the library, and the bounds of its data."""
    folder, known = tmp_path_factory.mktemp("loops"), {}
    make.write(folder)

    def get(file):
        path = FILES.get(file) or folder / file
        return (
            known.setdefault(file, None)
            or known.update({file: (path, build(path, folder), bounds(path))})
            or known[file]
        )

    return get


@pytest.mark.parametrize("file, name", list(cases()))
def test_emitted_code_is_the_source(tmp_path, compiled, file, name):
    path, library, limits = compiled(file)
    function = Function(path, name, tmp_path)
    assert function.report["verdict"] == "proved", function.report["reason"]
    assert function.targets == (["numpy"] if name in NUMPY_ALONE else ["numpy", "c"])
    assert function.run(library, bound=limits.get(name) or INDICES.get(name)) == 8


def test_a_function_may_have_the_name_of_its_file(tmp_path):
    path = tmp_path / "scale.c"
    path.write_text("void scale(double *y, const double *x, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n")
    library = build(path, tmp_path)
    assert Function(path, "scale", tmp_path).run(library) == 8


@pytest.mark.parametrize("name", ["exclusive", "products", "inclusive", "horner", "newton", "tails"])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_arrays_without_elements_in_pytorch(tmp_path, name, n):
    function = Function(FILES["shorter.c"], name, tmp_path, targets=("numpy", "pytorch"))
    x = np.random.default_rng(n).standard_normal(n - 1)
    want = getattr(load(tmp_path / f"{name}.numpy.py"), name)
    got = getattr(load(tmp_path / f"{name}.pytorch.py"), name)
    given = dict(zip(inspect.signature(want).parameters, (x, 0.5)))
    np.testing.assert_allclose(
        got(**{p: torch.as_tensor(v) if v is x else v for p, v in given.items()})["y"].numpy(), want(**given)["y"]
    )


@pytest.mark.parametrize("form", make.FORMS)
def test_every_tensor_program_is_proved(tmp_path, form):
    make.write(tmp_path, make.SOURCES[0])
    done = subprocess.run(
        [ASSAY, "lift", "--all", "--timeout", "120", tmp_path / form], capture_output=True, text=True, check=False
    )
    rows = [line.split(None, 3)[:3] for line in done.stdout.splitlines()]
    assert rows == [["proved", "proved", program.name] for program in make.programs(make.SOURCES[0])]
    assert len(rows) == 69
