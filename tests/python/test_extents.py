"""Inputs of which nobody says how large they are (tests/python/forms/tails.py): what is read of them is printed as an assumption where
no argument names it, and check proves nothing that rests on it. Shapes that are given say how many programs there are, where the kernel
does not (tests/python/forms/programs.py)."""

import json
import subprocess
from pathlib import Path

import pytest
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, lift, patient

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def compile_forms(stem):
    compiled_forms(ROOT / "tests" / "python" / "forms" / f"{stem}.py")
    return lambda name: FOLDER / f"{stem}.{name}.ttir"


@pytest.fixture(scope="module")
def tails():
    return compile_forms("tails")


@pytest.fixture(scope="module")
def programs():
    return compile_forms("programs")


def check(*arguments):
    done = subprocess.run(
        patient("check", "--json", *map(str, arguments)), capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout)


SHORT = {
    "dropped": "axis 1 of x has 8*(n // 8) elements",
    "strided": "axis 1 of x has 8*(cols // 8) elements",
    "last": "axis 1 of x has n - 1 elements",
    "elements_last": "axis 0 of x has n - 1 elements",
    "elements_half": "axis 0 of x has n // 2 elements",
}


@pytest.mark.parametrize("name", [*SHORT, "full", "elements"])
def test_what_is_read_is_said_where_no_argument_names_it(name, tails):
    report = lift([tails(name)], emit=()).report
    said = [a["text"] for a in report["assumptions"] if a["text"].startswith("axis")]
    assert said == ([SHORT[name]] if name in SHORT else []) and report["verdict"] == "proved"


@pytest.mark.parametrize("name", [*SHORT, "full", "elements"])
def test_a_formula_of_the_whole_is_not_proved_of_a_part(name, tails):
    formula = "y = 2 * x" if name.startswith("elements") else "y = sum(x, axis=1)"
    report = check(tails(name), "-e", formula)
    if name not in SHORT:
        assert report["verdict"] == "proved", report["reason"]
        return
    assert report["verdict"] == "unknown" and report["reason"]["code"] == "extent"
    assert SHORT[name] in report["reason"]["text"] and "--shape" in report["reason"]["text"]


@pytest.mark.parametrize(
    "name, shape, formula, verdict",
    [
        ("dropped", "M,n", "y = sum(x, axis=1)", "refuted"),
        ("dropped", "M,n", "y = sum(x[:, :8*(n//8)], axis=1)", "proved"),
        ("dropped", "grid_x,8*(n//8)", "y = sum(x, axis=1)", "proved"),
        ("last", "M,n", "y = sum(x, axis=1)", "refuted"),
        ("last", "M,n", "y = sum(x[:, :n - 1], axis=1)", "proved"),
        ("full", "M,n", "y = sum(x, axis=1)", "proved"),
    ],
)
def test_a_shape_decides(name, shape, formula, verdict, tails):
    part = "grid" in shape  # rows of which a part is the tensor: further apart than row-major ones
    strides = ("--strides", "x=n,1") if part else ()
    report = check(
        "--shape",
        f"x={shape}",
        *strides,
        "--shape",
        "y=grid_x" if part else "y=M",
        "--grid",
        shape.split(",")[0],
        tails(name),
        "-e",
        formula,
    )
    assert report["verdict"] == verdict, report["reason"]
    assert not [a for a in report["assumptions"] if a["text"].startswith("axis")]


@pytest.mark.parametrize(
    "name, formula, verdict",
    [
        ("dropped", "y = sum(x[:, :8*(n//8)], axis=1)", "proved"),
        ("last", "y = sum(x[:, :n - 1], axis=1)", "proved"),
        ("dropped", "y = sum(x[:, :4*(n//4)], axis=1)", "refuted"),
        ("last", "y = sum(x[:, :n - 2], axis=1)", "refuted"),
    ],
)
def test_a_formula_that_says_which_part_rests_on_no_extent(name, formula, verdict, tails):
    report = check(tails(name), "-e", formula)
    assert report["verdict"] == verdict, report["reason"]


@pytest.mark.parametrize(
    "left, right, verdict",
    [
        ("full", "full", "proved"),
        ("dropped", "dropped", "proved"),
        ("last", "last", "proved"),
        ("full", "dropped", "refuted"),
        ("dropped", "full", "refuted"),
        ("full", "last", "refuted"),
        ("last", "full", "refuted"),
        ("dropped", "last", "refuted"),
        ("strided", "strided", "proved"),
        ("strided", "full", "unknown"),
        ("full", "strided", "unknown"),
        ("elements", "elements_last", "refuted"),
        ("elements_last", "elements", "refuted"),
        ("elements_half", "elements", "refuted"),
        ("elements_half", "elements_half", "proved"),
    ],
)
def test_rows_of_two_kernels_are_as_long_as_their_arguments_say(left, right, verdict, tails):
    """An argument that has no other partner is what is read: then nothing is proved."""
    assert check(tails(left), tails(right))["verdict"] == verdict


def test_declared_shapes_of_a_formula_are_no_guess(tails, tmp_path):
    """Of n columns of its own it is not known what the kernel's n is; with those that were read both say the same."""
    text = (
        "tensor x: f32[grid_x, {}] strides [n, 1]\ntensor y: f32[grid_x] strides [1]\n{}size grid_x: 1 <= grid_x <="
        " 2147483647\ny[grid_x] = sum(x, axis=1)\n"
    )
    for extent, scalar, verdict in (
        ("8*(n // 8)", "scalar n: i32, 1 <= n <= 2147483647\n", "proved"),
        ("m", "size m: 1 <= m\nscalar n: i32, 1 <= n <= 2147483647\n", "unknown"),
        ("n", "scalar n: i32, 1 <= n <= 2147483647\n", "refuted"),
    ):
        path = tmp_path / "formula.txt"
        path.write_text("formula dropped\n" + text.format(extent, scalar))
        report = check(tails("dropped"), path)
        assert report["verdict"] == verdict, (extent, report["reason"])


# ---- shapes alone: the least grid that covers them ----


def shaped(path, *shapes):
    return lift([path], *(part for shape in shapes for part in ("--shape", shape)), emit=()).report


def grids(report):
    return [a["text"] for a in report["assumptions"] if a["kind"] == "grid"]


@pytest.mark.parametrize(
    "name, shapes, shape, grid",
    [
        ("rows", ["x=M,n", "y=M,n"], ["M", "n"], ["grid_x = M"]),
        ("rows", ["x=M,n"], ["M", "n"], ["grid_x = M"]),
        ("rows", ["y=2*M,n", "x=2*M,n"], ["2*M", "n"], ["grid_x = 2*M"]),
        ("rows", ["y=64,n", "x=64,n"], ["64", "n"], ["grid_x = 64"]),
        ("rows", ["arg1=M,n", "arg0=M,n"], ["M", "n"], ["grid_x = M"]),
        ("two_blocks", ["x=M,n", "y=M,n"], ["M", "n"], ["grid_x = M"]),
        ("whole", ["x=128*m", "y=128*m"], ["128*m"], ["grid_x = m"]),
        ("planes", ["x=P,Q,n", "y=Q,P,n"], ["Q", "P", "n"], ["grid_x = P", "grid_y = Q", "grid_z = (n + 127) // 128"]),
    ],
)
def test_the_least_grid_covers_the_shapes(name, shapes, shape, grid, programs):
    report = shaped(programs(name), *shapes)
    assert report["verdict"] == report["safety"] == "proved", [
        o for o in report["obligations"] if o["verdict"] != "proved"
    ]
    assert report["outputs"][0]["shape"] == shape and report["outputs"][0]["region"] == "all" and grids(report) == grid
    covered = next(o for o in report["obligations"] if o["kind"] == "coverage")
    assert {a["text"] for a in report["assumptions"] if a["id"] in covered["under"]} >= set(grid)


@pytest.mark.parametrize(
    "name, shapes, kind",
    [
        ("rows", ["x=M,n", "y=M + 1,n"], "bounds"),
        ("rows", ["x=M,n - 1", "y=M,n"], "bounds"),
        ("rows", ["x=M,n", "y=M,n + 1"], "coverage"),
        ("whole", ["x=n", "y=n"], "bounds"),
        ("planes", ["x=P,Q,n", "y=P,Q,n"], "bounds"),
        ("below", ["x=M,n", "y=M,n"], "coverage"),
    ],
)
def test_shapes_that_do_not_fit_are_refuted(name, shapes, kind, programs):
    report = shaped(programs(name), *shapes)
    assert report["safety"] == "refuted"
    assert kind in [o["kind"] for o in report["obligations"] if o["verdict"] == "refuted"]


@pytest.mark.parametrize("name", ["dealt", "rows_dealt", "leaders"])
def test_no_number_of_programs_is_a_multiple_without_need(name):
    """pid % 4 or pid // H of programs that only atomics tell apart."""
    report = lift([compile_forms("counts")(name)], emit=()).report
    assert report["verdict"] == "proved" and not any("grid_x" in text for text in grids(report)), grids(report)


def test_a_grid_that_is_given_stands(programs):
    report = lift([programs("rows")], "--shape", "x=M,n", "--shape", "y=M,n", "--grid", "M + 1", emit=()).report
    assert report["safety"] == "refuted" and not grids(report)


def test_a_check_with_shapes_has_that_grid(programs, tails):
    assert (
        check("--shape", "x=M,n", "--shape", "y=M,n", programs("rows"), "-e", "y = softmax(x, axis=1)")["verdict"]
        == "proved"
    )
    assert (
        check("--shape", "x=M,n", "--shape", "y=M,n", programs("rows"), "-e", "y = softmax(2 * x, axis=1)")["verdict"]
        == "refuted"
    )
    assert check("--shape", "x=M,n", tails("full"), "-e", "y = sum(x, axis=1)")["verdict"] == "proved"
    assert check("--shape", "x=M,n", tails("dropped"), "-e", "y = sum(x, axis=1)")["verdict"] == "refuted"


def test_a_shape_is_row_major(tails):
    """Rows of 8*(n//8) elements follow each other: the kernel, which goes n elements on, leaves them."""
    report = check(
        "--shape",
        "x=grid_x,8*(n//8)",
        "--shape",
        "y=grid_x",
        "--grid",
        "grid_x",
        tails("dropped"),
        "-e",
        "y = sum(x, axis=1)",
    )
    assert report["verdict"] != "proved"
    assert {o["verdict"] for o in report["obligations"] if o["kind"] == "bounds" and o["tensor"] == "x"} == {"refuted"}
