"""What is given beside a kernel (operation files, --assume, --shape, --strides, --grid) is checked, used and printed, or the
answer says that it could not be: nothing given is left aside in silence."""

import json
import re

import pytest
from conftest import ROOT
from triton_tools.compile_once import compiled_bugs, compiled_forms
from triton_tools.lifted import ASSAY, run

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


@pytest.fixture(scope="module")
def bugs():
    """The folder of the kernels with bugs and of their operation files."""
    return compiled_bugs()


def softmax(corpus, rows, columns, **tensors):
    shapes = {name: {"dtype": "f32", "shape": [rows, columns]} for name in ("x", "y")} | tensors
    return {
        "schema": 1,
        "name": "rows",
        "tensors": shapes,
        "launches": [
            {
                "file": str(corpus / "softmax.ttir"),
                "kernel": "softmax_kernel",
                "grid": [rows],
                "args": {
                    "x_ptr": "x",
                    "out_ptr": "y",
                    "n_cols": columns,
                    "x_row_stride": columns,
                    "out_row_stride": columns,
                },
            }
        ],
    }


def add(corpus, **changes):
    tensors = {name: {"dtype": "f32", "shape": ["N"]} for name in "xyo"} | changes.get("tensors", {})
    return {
        "schema": 1,
        "name": "plus",
        "tensors": tensors,
        "launches": [
            {
                "file": str(corpus / "add.ttir"),
                "grid": changes.get("grid", ["cdiv(N,1024)"]),
                "args": changes.get("args", {"x_ptr": "x", "y_ptr": "y", "out_ptr": "o", "n_elements": "N"}),
            }
        ],
    }


def given(tmp_path, operation):
    path = tmp_path / "given.json"
    path.write_text(json.dumps(operation))
    return path


def lift(path, *flags):
    done = run("lift", path, "--json", *flags)
    assert done.returncode in (0, 1, 2), done.stderr
    return done.returncode, json.loads(done.stdout)


def texts(report, kind=None):
    return [a["text"] for a in report["assumptions"] if kind in (None, a["kind"])]


@pytest.mark.parametrize("rows", [8, 1823])
def test_numbers_beyond_the_block_are_no_proof(rows, corpus, tmp_path):
    path = given(tmp_path, softmax(corpus, rows, 2000))
    code, report = lift(path)
    assert code == 1 and report["safety"] == "refuted"
    assert "n_cols <= 1024" in texts(report, "cover")
    assert any(o["kind"] == "coverage" and o["verdict"] == "refuted" for o in report["obligations"])
    assert run("check", path, "-e", "y = softmax(x, axis=1)").returncode == 1


def test_numbers_within_the_block_are_a_sample(corpus, tmp_path):
    code, report = lift(given(tmp_path, softmax(corpus, 1823, 781)))
    assert code == 0 and "n_cols <= 1024" in texts(
        report, "cover"
    )  # the proof is for all sizes, under what it assumes


def test_a_tensor_of_a_call_may_be_empty(corpus, tmp_path):
    code, report = lift(given(tmp_path, add(corpus, tensors={"unused": {"dtype": "f32", "shape": [0]}})))
    assert code == 0 and report["verdict"] == "proved"
    assert (
        run("lift", given(tmp_path, add(corpus, tensors={"unused": {"dtype": "f32", "shape": [-1]}}))).returncode == 3
    )


# ---- operation files that do not fit ----


@pytest.mark.parametrize(
    "changes, code, says",
    [
        ({"tensors": {"x": {"dtype": "f32", "shape": ["N+"]}}}, "operation.expression", "this is no expression"),
        ({"tensors": {"x": {"dtype": "f16", "shape": ["N"]}}}, "operation.dtype", "points to f32"),
        (
            {"args": {"x_ptr": "z", "y_ptr": "y", "out_ptr": "o", "n_elements": "N"}},
            "operation.tensor",
            "unknown tensor",
        ),
        (
            {"args": {"x_ptr": 3, "y_ptr": "y", "out_ptr": "o", "n_elements": "N"}},
            "operation.tensor",
            "a number for a pointer",
        ),
        (
            {"args": {"x_ptr": "x", "y_ptr": "y", "out_ptr": "o", "n_elements": "x"}},
            "operation.kind",
            "for an argument that is a number",
        ),
        (
            {"args": {"x_ptr": "x", "y_ptr": "y", "out_ptr": "o", "n_elements": 1.5}},
            "operation.expression",
            "expected a whole number",
        ),
        ({"args": {"y_ptr": "y", "out_ptr": "o", "n_elements": "N"}}, "operation.missing", '"x_ptr" is a pointer'),
        (
            {"args": {"x_ptr": "x", "y_ptr": "y", "out_ptr": "o", "n": "N"}},
            "operation.argument",
            "has no argument 'n'",
        ),
        ({"grid": ["cdiv(N)"]}, "operation.expression", "this is no expression"),
    ],
)
def test_an_operation_file_that_does_not_fit_is_bad_input(changes, code, says, corpus, tmp_path):
    done = run("lift", given(tmp_path, add(corpus, **changes)))
    assert done.returncode == 3 and f"error[{code}]" in done.stderr and says in done.stderr, done.stderr
    assert "given.json:1:" in done.stderr and "^" in done.stderr


def test_a_file_that_is_missing_is_told_where_it_is_named(corpus, tmp_path):
    operation = add(corpus)
    operation["launches"][0]["file"] = "nope.ttir"
    done = run("lift", given(tmp_path, operation))
    assert (
        done.returncode == 3
        and done.stderr.count("error[") == 1
        and "given.json:1:" in done.stderr
        and "nope.ttir': No such file" in done.stderr
    ), done.stderr


def test_a_grid_that_is_given_is_no_other(corpus, tmp_path):
    code, report = lift(given(tmp_path, add(corpus, grid=["N//1024"])))
    assert code != 0 and report["verdict"] == "unknown"
    code, report = lift(given(tmp_path, add(corpus)))
    assert code == 0 and not texts(report, "grid")


def test_programs_that_the_masks_leave_idle_do_no_harm(corpus, tmp_path):
    code, report = lift(given(tmp_path, add(corpus, grid=["N"])))
    assert code == 0 and not texts(report, "grid")
    assert any(
        "1024*N" in text for text in texts(report, "range")
    )  # that offsets do not wrap is asked of all programs
    code, report = lift(
        corpus / "loops" / "sum_atomic.ttir", "--grid", "cdiv(n_elements,1024)+1"
    )  # each adds its part, if only zero
    assert report["verdict"] != "refuted"


# ---- --assume ----


@pytest.mark.parametrize(
    "text, says",
    [
        ("((", "expected a comparison"),
        ("n_cols", "expected a comparison"),
        ("n_cols < 1 < 2", "expected a comparison"),
        ("zork > 3", "no argument 'zork'"),
        ("x_ptr > 0", "is a pointer"),
        ("n_cols < 0", "never holds"),
    ],
)
def test_an_assumption_that_says_nothing_is_a_usage_error(text, says, corpus):
    done = run("lift", corpus / "softmax.ttir", "--assume", text)
    assert done.returncode == 64 and says in done.stderr, done.stderr


@pytest.mark.parametrize(
    "first, second",
    [
        ("n_cols > 5", "n_cols < 4"),
        ("n_cols % 6 == 0", "n_cols % 3 == 1"),
        ("n_cols == 2*x_row_stride", "x_row_stride == 2*n_cols"),
        ("n_cols * n_cols == 2", "n_cols > 0"),
    ],
)
def test_assumptions_that_exclude_each_other_are_a_usage_error(first, second, corpus):
    done = run("lift", corpus / "softmax.ttir", "--assume", first, "--assume", second)
    assert (
        done.returncode == 64 and "nothing meets all of these" in done.stderr or "never holds" in done.stderr
    ), done.stderr


def test_assumptions_on_names_of_the_operation_too(corpus, tmp_path):
    path = given(tmp_path, softmax(corpus, "M", "N"))
    assert run("lift", path, "--assume", "M == 3", "--assume", "M > 5").returncode == 64
    assert run("lift", path, "--assume", "M == N", "--assume", "N < M").returncode == 64
    assert run("lift", path, "--assume", "M == N", "--assume", "N < 5").returncode == 0


def test_an_assumption_that_excludes_an_inferred_one_proves_nothing(corpus):
    code, report = lift(corpus / "add.ttir", "--assume", "grid_x == 7", "--assume", "n_elements == 20")
    assert code == 2 and report["reason"]["code"] == "no-launch" and report["safety"] == "unknown"
    assert lift(corpus / "add.ttir", "--assume", "grid_x == 7", "--assume", "n_elements == 7000")[0] == 0
    assert lift(corpus / "add.ttir", "--assume", "n_elements > 3000000", "--assume", "n_elements % 3 == 1")[0] == 0


def test_an_assumption_is_printed_and_used(corpus, tmp_path):
    code, report = lift(corpus / "softmax.ttir", "--assume", "n_cols <= 77")
    assert code == 0 and texts(report, "user") == ["n_cols <= 77"] and not texts(report, "cover")
    assert "n_cols <= 77: --assume" in run("lift", corpus / "softmax.ttir", "--assume", "n_cols <= 77").stdout
    operation = softmax(corpus, "M", "N")
    code, report = lift(given(tmp_path, operation), "--assume", "M % 8 == 0", "--assume", "N <= 77")
    assert code == 0 and sorted(texts(report, "user")) == ["M % 8 == 0", "N <= 77"]


def test_a_sample_that_does_not_meet_the_assumption_is_no_proof(corpus, tmp_path):
    code, report = lift(given(tmp_path, softmax(corpus, 64, 781)), "--assume", "n_cols <= 77")
    assert code == 2 and report["safety"] == "unknown"
    assert lift(given(tmp_path, softmax(corpus, 64, 70)), "--assume", "n_cols <= 77")[0] == 0


@pytest.mark.parametrize(
    "kernel, text", [("store_mask_missing_bug", "n % 64 == 0"), ("tail_dropped_in_loop_bug", "n_cols % 32 == 0")]
)
def test_an_assumption_proves_what_is_refuted_without_it(kernel, text, bugs):
    path = bugs / f"{kernel}.json"
    assert lift(path)[1]["safety"] == "refuted"
    code, report = lift(path, "--assume", text)
    assert code == 0 and texts(report, "user") == [text]
    half = text.replace("64", "32").replace("cols % 32", "cols % 16")
    assert lift(path, "--assume", half)[1]["safety"] == "refuted"


def test_random_evaluation_meets_the_assumption(corpus):
    code, report = lift(corpus / "softmax.ttir", "--assume", "n_cols == 7", "--no-prove")
    assert report["verdict"] == "probable" and "n_cols=7" in report["reason"]["text"]
    assert not any(f"n_cols={n} " in report["reason"]["text"] for n in (3, 5, 1023))


# ---- --shape, --strides, --grid ----


@pytest.mark.parametrize(
    "flags, says",
    [
        (("--shape", "x_ptr=N)"), "'N)' is no expression"),
        (("--shape", "x_ptr=1/0"), "'1/0' is no expression"),
        (("--shape", "x_ptr=1//0"), "is no expression"),
        (("--shape", "x_ptr=foo bar"), "'foo bar' is no expression"),
        (("--shape", "nope=3"), "no pointer argument 'nope'"),
        (("--shape", "n_elements=3"), "no pointer argument 'n_elements'"),
        (("--strides", "nope=3"), "no pointer argument 'nope'"),
        (("--strides", "x_ptr=("), "is no expression"),
        (("--grid", "x)"), "is no expression"),
        (("--grid", "1,2,3,4"), "expected E[,E[,E]]"),
    ],
)
def test_flags_that_do_not_fit_are_usage_errors(flags, says, corpus):
    done = run("lift", corpus / "add.ttir", *flags)
    assert done.returncode == 64 and says in done.stderr, done.stderr


def test_shapes_beside_an_operation_file_are_a_usage_error(corpus, tmp_path):
    done = run("lift", given(tmp_path, add(corpus)), "--shape", "x=N")
    assert done.returncode == 64 and "--shape and --strides exclude" in done.stderr


def test_a_shape_that_is_given_is_the_shape(corpus):
    code, report = lift(
        corpus / "softmax.ttir",
        "--grid",
        "M",
        "--shape",
        "x_ptr=M,n_cols",
        "--shape",
        "out_ptr=M,n_cols",
        "--strides",
        "x_ptr=x_row_stride,1",
    )
    assert code == 0, report
    assert (
        report["outputs"][0]["shape"] == ["M", "n_cols"]
        and report["outputs"][0]["formula"]["text"] == "softmax(x_ptr, axis=1)"
    )
    assert [(t["name"], t["shape"]) for t in report["inputs"] if t["kind"] == "tensor"] == [("x_ptr", ["M", "n_cols"])]
    code, report = lift(corpus / "add.ttir", "--shape", "x_ptr=n_elements+5")
    assert code == 0 and report["outputs"][0]["formula"]["text"] == "x_ptr[:n_elements] + y_ptr"
    code, report = lift(corpus / "add.ttir", "--shape", "x_ptr=M,N")  # gone along as memory
    assert code != 0 and texts(report, "user") == ["n_elements = M*N"]
    assert (
        lift(corpus / "add.ttir", "--shape", "x_ptr=M,N", "--strides", "x_ptr=N,1")[0] == 1
    )  # the row may be too short
    assert lift(corpus / "add.ttir", "--shape", "x_ptr=E")[0] == 1  # may be too short
    assert lift(corpus / "add.ttir", "--shape", "x_ptr=E", "--assume", "n_elements <= E")[0] == 0


def test_an_index_from_memory_may_leave_its_row(corpus, tmp_path):
    """logits[row, labels[row]] is another row's element where the label is too great: the formula says so, and the bounds are open."""
    said = "the indices of {} lie in its shape"
    code, report = lift(corpus / "cross_entropy.ttir", "--shape", "logits_ptr=M,n_cols", "--grid", "M")
    assert code == 1 and said.format("logits_ptr") in texts(report, "range")
    code, report = lift(
        corpus / "cross_entropy.ttir"
    )  # the extent is as large as it must be; but a label may be negative
    assert code == 2 and said.format("logits_ptr") in texts(report, "range")
    code, report = lift(corpus / "softmax.ttir")
    assert code == 0 and not any("lie in its shape" in text for text in texts(report))
    code, report = lift(corpus / "embedding.ttir")  # past the last row there is nothing
    assert report["verdict"] == "proved" and not any("lie in its shape" in text for text in texts(report))


def test_a_stride_that_is_given_is_the_argument(corpus):
    code, report = lift(corpus / "softmax.ttir", "--strides", "x_ptr=N,1")
    assert code == 0 and texts(report, "user") == ["x_row_stride = N"]
    assert [t["strides"] for t in report["inputs"] if t["name"] == "x_ptr"] == [["N", "1"]]
    code, report = lift(corpus / "softmax.ttir", "--shape", "x_ptr=M,N", "--strides", "x_ptr=N,1", "--grid", "M")
    assert code == 1 and any(
        o["kind"] == "bounds" and o["verdict"] == "refuted" for o in report["obligations"]
    )  # n_cols may be more than N
    assert (
        lift(
            corpus / "softmax.ttir",
            "--shape",
            "x_ptr=M,N",
            "--strides",
            "x_ptr=N,1",
            "--grid",
            "M",
            "--assume",
            "n_cols <= N",
        )[1]["verdict"]
        == "proved"
    )


@pytest.mark.parametrize(
    "flags",
    [
        ("--strides", "x_ptr=2"),
        ("--strides", "x_ptr=2,1"),
        ("--strides", "out_ptr=2"),
        ("--strides", "out_ptr=0"),
        ("--shape", "x_ptr=n_elements", "--strides", "x_ptr=1,1"),
    ],
)
def test_a_view_that_the_kernel_does_not_have_is_no_proof(flags, corpus):
    code, report = lift(corpus / "add.ttir", *flags)
    assert code != 0 and report["verdict"] == "unknown" and report["reason"]["code"] == "views"


@pytest.mark.parametrize(
    "strides, says",
    [("2", "does not go along"), ("0", "does not go along"), ("n_elements", "does not go along"), ("1", None)],
)
def test_strides_of_an_output_without_a_shape_are_those_of_the_kernel(strides, says, corpus):
    """The kernel writes between the elements of any other view, and nothing says what is there; with a shape it is padding."""
    code, report = lift(corpus / "add.ttir", "--strides", f"out_ptr={strides}")
    assert (code == 0) == (says is None) and (report["verdict"], report["safety"]) == (
        ("unknown", "unknown") if says else ("proved", "proved")
    )
    if says:
        assert report["reason"]["code"] == "views" and says in report["reason"]["text"]
        assert not any(
            o["verdict"] == "proved" and o["kind"] in ("bounds", "race", "coverage") for o in report["obligations"]
        )
        assert (
            lift(corpus / "add.ttir", "--strides", f"out_ptr={strides}", "--shape", "out_ptr=n_elements")[1]["safety"]
            != "proved"
        )


@pytest.mark.parametrize(
    "strides, proved",
    [("0,1", False), ("n_cols - 1,1", False), ("1,1", True), ("n_cols,1", True), ("n_cols + 3,1", True)],
)
def test_strides_that_lay_rows_of_an_output_over_each_other_are_refused(strides, proved, corpus):
    code, report = lift(corpus / "softmax.ttir", "--strides", f"out_ptr={strides}")
    assert (report["verdict"] == report["safety"] == "proved") == proved, (
        report["verdict"],
        report["safety"],
        report.get("reason"),
    )
    if not proved:
        assert report["reason"]["code"] == "views" and "share a place" in report["reason"]["text"]
    elif strides == "1,1":  # of rows of one element
        assert "the strides of out_ptr do not make elements overlap" in texts(report)


@pytest.mark.parametrize(
    "grid, code",
    [
        ("1", 2),
        ("n_elements", 0),
        ("n_elements//1024", 2),
        ("cdiv(n_elements,1024)-1", 2),
        ("cdiv(n_elements,1024)", 0),
        ("cdiv(n_elements,1024),1,1", 0),
    ],
)
def test_a_grid_flag_is_the_grid(grid, code, corpus):
    was, report = lift(corpus / "add.ttir", "--grid", grid)
    assert (was == 0) == (code == 0) and (code == 0 or report["verdict"] == "unknown")
    if code == 0:
        assert not texts(report, "grid")


@pytest.mark.parametrize(
    "grid, says",
    [
        ("1", "(n_elements + 1023) // 1024 = 1,"),
        ("3", "(n_elements + 1023) // 1024 = 3,"),
        ("cdiv(n_elements,1024),2", "grid_y = 1, and the grid that was given has 2"),
        ("cdiv(n_elements,1024),M", "grid_y = 1, and the grid that was given has M"),
    ],
)
def test_a_grid_that_is_another_one_is_told_and_not_assumed(grid, says, corpus):
    code, report = lift(corpus / "add.ttir", "--grid", grid)
    assert code != 0 and report["reason"]["code"] == "grid" and says in report["reason"]["text"]
    assert not texts(report, "grid") and not any(
        text[0].isdigit() and text[1] == " " for text in texts(report)
    )  # "2 <= 1", "1 = cdiv(...)"
    ids = {a["id"] for a in report["assumptions"]}
    assert all(set(o["under"]) <= ids for o in report["obligations"])
    assert not any(o["verdict"] == "proved" and o["kind"] == "race" for o in report["obligations"]) or "," not in grid


@pytest.mark.parametrize(
    "grid, text, code",
    [
        ("1", "n_elements <= 1024", 0),
        ("1", "n_elements <= 1025", 2),
        ("3", "n_elements <= 3072", 0),
        ("3", "n_elements <= 3073", 2),
        ("M", "M == cdiv(n_elements,1024)", 0),
        ("M", "M >= cdiv(n_elements,1024)", 0),
        ("M", "M >= cdiv(n_elements,1025)", 2),
    ],
)
def test_a_grid_is_the_least_one_by_what_is_assumed(grid, text, code, corpus):
    was, report = lift(corpus / "add.ttir", "--grid", grid, "--assume", text)
    assert was == code and text in texts(report, "user"), report


@pytest.mark.parametrize(
    "grid, says",
    [
        ("0", "at least one program"),
        ("1,0", "at least one program"),
        ("1,70000", "at most 65535 programs along y"),
        ("3000000000", "at most 2147483647 programs along x"),
    ],
)
def test_a_grid_that_no_launch_has_is_a_usage_error(grid, says, corpus):
    done = run("lift", corpus / "add.ttir", "--grid", grid)
    assert done.returncode == 64 and says in done.stderr, done.stderr


@pytest.mark.parametrize("shape, extent", [("E", "E"), ("A,B", "A*B"), ("1,2,3", "6")])
def test_a_shape_takes_the_place_of_an_extent_that_no_argument_says(shape, extent, corpus):
    """The kernel goes along count_ptr as memory, and nothing says how long it is: no assumption `count_ptr_d0 = A*B`."""
    code, report = lift(corpus / "loops" / "router_top1.ttir", "--shape", f"count_ptr={shape}")
    assert (
        code == 1
        and report["outputs"][0]["shape"] == [extent]
        and "count_ptr_d0" not in json.dumps(report["assumptions"] + report["outputs"])
    )
    assert not texts(report, "user")
    found = [o for o in report["obligations"] if o["kind"] == "bounds" and o["verdict"] == "refuted"]
    assert [o["tensor"] for o in found] == ["count_ptr"] and " at offset " in found[0][
        "detail"
    ]  # not count_ptr[0, 2, -1]


def test_an_argument_that_is_set_to_1_leaves_one_lane(corpus):
    """lane < 1 is lane 0: no two rows meet, whatever number of programs runs."""
    for kernel in ("softmax", "loops/softmax_online"):
        code, report = lift(corpus / f"{kernel}.ttir", "--set", "n_cols=1")
        assert (
            code == 0
            and [o["formula"]["text"] for o in report["outputs"]] == ["1"]
            and not any("grid_x" in text for text in texts(report))
        ), report
    code, report = lift(corpus / "softmax.ttir", "--set", "n_cols=2")
    assert [o["formula"]["text"] for o in report["outputs"]] != ["1"] and report["outputs"][0]["shape"] == [
        "grid_x",
        "2",
    ]


def compiled_form(file, name):
    return compiled_forms(ROOT / f"tests/python/forms/{file}.py") / f"{file}.{name}.ttir"


@pytest.fixture(scope="module")
def pairs():
    """A kernel that goes along a tensor as [rows, heads, 8, 2]."""
    return compiled_form("pairs", "rotate")


@pytest.mark.parametrize(
    "flags, safety",
    [
        (["--grid", "4,3"], "proved"),
        (["--shape", "y_ptr=4,3", "--grid", "4,3"], "proved"),
        (["--shape", "y_ptr=4,3"], "proved"),
        (["--shape", "y_ptr=4,2", "--grid", "4,3"], "refuted"),
    ],
)
def test_rows_that_the_grid_counts_have_the_columns_of_the_grid_that_is_given(flags, safety):
    code, report = lift(compiled_form("split_rows", "rows"), *flags)
    assert report["verdict"] == "proved" and report["safety"] == safety, report["obligations"]


def test_a_grid_that_is_found_for_the_shapes_says_what_its_other_axes_must_be(corpus):
    """What is assumed of an axis that no shape tells of, and of those whose programs would do everything again, stays printed."""
    code, report = lift(compiled_form("given_axes", "two_axes"), "--shape", "x_ptr=32", "--shape", "y_ptr=32")
    assert code == 0 and "grid_y = 1" in texts(report, "grid"), report["assumptions"]
    code, report = lift(
        compiled_form("given_axes", "two_axes"), "--shape", "x_ptr=32", "--shape", "y_ptr=32", "--grid", "1,2"
    )
    assert code == 1 and {o["kind"] for o in report["obligations"] if o["verdict"] == "refuted"} >= {"bounds", "race"}
    code, report = lift(compiled_form("given_axes", "in_place"), "--shape", "x_ptr=M,n")
    assert code == 0 and {"grid_y = 1", "grid_z = 1"} <= set(texts(report, "grid"))


@pytest.mark.parametrize(
    "grid, rows, flags, verdict, safety",
    [
        ([7, 2, 3], 14, [], "proved", "proved"),
        ([7, 2, 3], 14, ["--grid", "7,2,3", "--set", "n=70"], "proved", "proved"),
        ([14, 1, 3], 28, [], "refuted", "refuted"),
        ([7, 3, 3], 15, [], "refuted", "refuted"),
        ([2, 7, 3], 14, [], "refuted", "refuted"),
        ([6, 2, 3], 14, [], "proved", "refuted"),
        ([8, 2, 3], 14, [], "proved", "refuted"),
    ],
)
def test_rows_that_two_axes_of_the_grid_count(grid, rows, flags, verdict, safety, tmp_path):
    """Each row once where there are two programs along the lower axis; a launch of others is none of that."""
    shape = {"dtype": "f32", "shape": [rows, 70], "strides": [80, 1]}
    args = {"arg0": "x", "arg1": "y", "arg2": 70, "arg3": 80, "arg4": 80}
    launch = {"file": str(compiled_form("launches", "paired")), "kernel": "paired", "grid": grid, "args": args}
    path = given(tmp_path, {"schema": 1, "name": "paired", "tensors": {"x": shape, "y": shape}, "launches": [launch]})
    done = run("check", path, "-e", "y = 3 * x", "--json", *flags)
    report = json.loads(done.stdout)
    assert (report["verdict"], report["safety"]) == (verdict, safety), report["reason"]
    assert ("grid_y = 2" in texts(report, "grid")) == (grid[1] == 2 and not flags)
    wrong = run("check", path, "-e", "y = 2 * x", "--json", *flags)
    assert json.loads(wrong.stdout)["verdict"] == "refuted"


@pytest.mark.parametrize(
    "kernel, grid, shape, verdict, safety",
    [
        ("sub_blocks", [2, 8, 4], [2, 70, 2, 32], "proved", "proved"),
        ("sub_blocks", [2, 6, 4], [2, 70, 2, 32], "unproved", "refuted"),
        ("sub_blocks", [2, 10, 4], [2, 70, 2, 32], "unproved", "refuted"),
        ("sub_blocks", [2, 8, 4], [2, 70, 1, 64], "proved", "proved"),
        ("sub_blocks", [1, 8, 4], [2, 70, 2, 32], "unproved", "refuted"),
        ("halves", [3, 4], [2, 70, 2, 32], "proved", "proved"),
        ("halves", [2, 4], [2, 70, 2, 32], "unproved", "refuted"),
        ("halves", [3, 3], [2, 70, 2, 32], "unproved", "refuted"),
    ],
)
def test_rows_that_digits_of_the_grid_count(kernel, grid, shape, verdict, safety, tmp_path):
    """Axes below the rows; a mask says which digits are rows, the launch that each is there."""
    tensor = {"dtype": "f32", "shape": shape}
    args = {"arg0": "x", "arg1": "y", "arg2": 70}
    launch = {"file": str(compiled_form("launches", kernel)), "kernel": kernel, "grid": grid, "args": args}
    path = given(tmp_path, {"schema": 1, "name": kernel, "tensors": {"x": tensor, "y": tensor}, "launches": [launch]})
    report = json.loads(run("check", path, "-e", "y = 3 * x", "--json").stdout)
    assert ("proved" if report["verdict"] == "proved" else "unproved") == verdict, report["reason"]
    assert report["safety"] == safety, report["obligations"]
    wrong = run("check", path, "-e", "y = 2 * x", "--json")
    assert json.loads(wrong.stdout)["verdict"] != "proved" and (verdict == "unproved" or wrong.returncode == 1)


@pytest.mark.parametrize(
    "length, code, says",
    [(70, 1, "axis 0 of b has K elements"), (69, 3, None), (90, 3, None)],
)
def test_an_input_that_is_not_read_up_to_its_end_has_the_length_of_the_launch(length, code, says, tmp_path):
    tensors = {"a": [5, 70], "b": [length], "y": [5]}
    args = {"arg0": "a", "arg1": "b", "arg2": "y", "arg3": 70, "arg4": 70}
    launch = {"file": str(compiled_form("launches", "cut_short")), "kernel": "cut_short", "grid": [5], "args": args}
    shapes = {name: {"dtype": "f32", "shape": shape} for name, shape in tensors.items()}
    path = given(tmp_path, {"schema": 1, "name": "short", "tensors": shapes, "launches": [launch]})
    done = run("check", path, "-e", "y = a @ b", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == code and report["verdict"] == ("refuted" if says else None)
    assert not says or says in texts(report, "launch")
    done = run("check", path, "-e", "y = a[:, :K - 1] @ b[:K - 1]", "--json")
    assert json.loads(done.stdout)["verdict"] == "proved", done.stdout


@pytest.mark.parametrize("end, proved", [(300, True), (450, False), (299, False)])
def test_a_flat_index_is_cut_where_it_ends_if_the_launch_says_so(end, proved, tmp_path):
    """y[o % n] = 3*x[o] of o < m: each element once where n and m are one number, which the launch tells."""
    args = {"arg0": "x", "arg1": "y", "arg2": 300, "arg3": end}
    launch = {"file": str(compiled_form("launches", "beyond")), "kernel": "beyond", "args": args}
    tensors = {"x": {"dtype": "f32", "shape": [end]}, "y": {"dtype": "f32", "shape": [300]}}
    listed = [launch | {"grid": [(end + 31) // 32]}]
    path = given(tmp_path, {"schema": 1, "name": "beyond", "tensors": tensors, "launches": listed})
    done = run("check", path, "-e", "y = 3 * x", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode == 0) == proved and (report["verdict"] == "proved") == proved, report["reason"]
    assert ("m = n" in texts(report, "launch")) == (end == 300)
    assert json.loads(run("check", path, "-e", "y = 2 * x", "--json").stdout)["verdict"] != "proved"


def test_witnesses_meet_what_is_assumed_of_the_grid(corpus):
    """Two elements share no address only while grid_z <= 2 and grid_y <= 8: no race is shown that these exclude."""
    for more in ([], ["--assume", "n == 256"]):
        code, report = lift(
            compiled_form("given_axes", "three_axes"), "--shape", "x_ptr=n", "--shape", "y_ptr=n", *more
        )
        assert {"grid_z <= 2", "grid_y <= 8"} <= set(texts(report)), report["assumptions"]
        for o in report["obligations"]:
            grid = [o["witness"]["sizes"].get(name, 1) for name in ("grid_y", "grid_z")] if o["witness"] else [1, 1]
            assert grid[0] <= 8 and grid[1] <= 2, o


@pytest.mark.parametrize(
    "attribute, safety",
    [("", "refuted"), (" {tt.divisibility = 16 : i32}", "proved"), (" {tt.divisibility = 8 : i32}", "refuted")],
)
def test_a_kernel_is_compiled_for_sizes_that_are_multiples(attribute, safety, tmp_path):
    """tt.divisibility of an argument may be assumed, and is, where nothing else helps; the assumption is printed."""
    text = compiled_form("given_axes", "multiples").read_text()
    assert "%n: i32 " in text
    (tmp_path / "multiples.ttir").write_text(text.replace("%n: i32 ", f"%n: i32{attribute} "))
    code, report = lift(tmp_path / "multiples.ttir", "--shape", "x_ptr=M,n", "--shape", "y_ptr=M,n")
    assert report["safety"] == safety, report["obligations"]
    assert any("tt.divisibility" in a["why"] for a in report["assumptions"]) == (safety == "proved")


def launches(tmp_path, *calls, **tensors):
    """An operation of kernels of forms/launches.py: (kernel, arguments by place)."""
    grid = {"copy": 2, "scale": 1, "zero": 1, "add_up": 2}
    listed = [
        {
            "file": str(compiled_form("launches", kernel)),
            "kernel": kernel,
            "grid": [f"cdiv({args[grid[kernel]]}, 32)"],
            "args": {f"arg{i}": arg for i, arg in enumerate(args)},
        }
        for kernel, *args in calls
    ]
    shapes = {name: {"dtype": "f32", "shape": [shape]} for name, shape in ({"x": "n", "y": "n"} | tensors).items()}
    return lift(given(tmp_path, {"schema": 1, "name": "launches", "tensors": shapes, "launches": listed}))[1]


@pytest.mark.parametrize(
    "shape, strides, formula, safety",
    [
        (["N", "A", "B"], None, "x", "proved"),
        (["N", "A", "B"], ["p", "q", "r"], "x", "proved"),
        (["N", "A + 1", "B"], None, "take(x, index(A + 1), axis=1)", "refuted"),
        (["N", "A - 1", "B"], None, "x[:, :A - 1]", "refuted"),
        (["N", "Q", "B"], ["p", "q", "r"], "take(x, index(Q), axis=1)", "refuted"),
    ],
)
def test_a_size_that_recovery_made_up_is_that_of_the_shape(shape, strides, formula, safety, tmp_path):
    """The rows of y are A*B apart or more, and nothing in the kernel alone says how many there are of one plane."""
    y = {"dtype": "f32", "shape": shape} | ({"strides": strides} if strides else {})
    apart = strides or [f"({shape[1]})*B", "B", "1"]
    args = dict(zip([f"arg{k}" for k in range(11)], ["x", "y", "N*A*B", "A", "B", "A*B", "B", "1", *apart]))
    report = lift(
        given(
            tmp_path,
            {
                "schema": 1,
                "name": "cut",
                "tensors": {"x": {"dtype": "f32", "shape": ["N", "A", "B"]}, "y": y},
                "launches": [
                    {
                        "file": str(compiled_form("launches", "cut")),
                        "kernel": "cut",
                        "grid": ["cdiv(N*A*B, 32)"],
                        "args": args,
                    }
                ],
            },
        )
    )[1]
    assert (report["verdict"], report["safety"]) == ("proved", safety) and formula_of(report, "y") == formula
    assert "_d1" not in json.dumps([report["outputs"], report["assumptions"]])


def formula_of(report, name):
    return next(o["formula"]["text"] for o in report["outputs"] if o["name"] == name)


@pytest.mark.parametrize(
    "first, second, y",
    [
        (0.25, 0.5, "s * s_2 * x"),
        (-1.5, 1.5, "s * s_2 * x"),
        (2.0, 0.5, "s * s_2 * x"),
        (2, 3, "s * s_2 * x"),
        (1e-5, 1e-6, "s * s_2 * x"),
        (0.5, 0.5, "s ** 2 * x"),
        (2, 2.0, "s ** 2 * x"),
    ],
)
def test_arguments_of_one_name_that_are_other_numbers_are_other_arguments(first, second, y, tmp_path):
    report = launches(tmp_path, ("scale", "x", "n", first), ("scale", "x", "n", second))
    assert report["verdict"] == "proved" and formula_of(report, "x") == y
    assert any(text.startswith("s is one number") for text in texts(report)) == (first == second)


def test_an_argument_that_is_a_number_is_no_size_of_the_operation(tmp_path):
    report = launches(tmp_path, ("copy", "x", "y", "n"), ("scale", "y", 7, 2))
    assert formula_of(report, "y") == "where(index(n) < n_2, s * x, x)" and "n_2 = 7" in " ".join(texts(report))
    assert report["safety"] == "refuted" and not any(text == "n = 7" for text in texts(report))
    report = launches(tmp_path, ("scale", "x", 7, 2), ("copy", "x", "y", "n"))
    assert "n_1" in formula_of(report, "y") and report["safety"] == "refuted"


def test_an_accumulator_of_one_element_is_cleared_by_a_launch_of_its_own(tmp_path):
    report = launches(tmp_path, ("zero", "s", 1), ("add_up", "x", "s", "n"), s=1)
    assert (report["verdict"], report["safety"], formula_of(report, "s")) == ("proved", "proved", "sum(x)")
    report = launches(tmp_path, ("add_up", "x", "s", "n"), s=1)
    assert formula_of(report, "s") == "s + sum(x)"
    report = launches(tmp_path, ("zero", "s", 2), ("add_up", "x", "s", "n"), s=2)
    assert report["verdict"] != "proved" or formula_of(report, "s") != "sum(x)"


def test_the_grid_of_a_launch_is_no_assumption_that_it_could_fail(tmp_path):
    operation = {
        "schema": 1,
        "name": "twice",
        "tensors": {name: {"dtype": "f32", "shape": ["n"]} for name in "xy"},
        "launches": [
            {
                "file": str(compiled_form("launches", "copy")),
                "kernel": "copy",
                "grid": ["cdiv(n, 32)", 2],
                "args": {"arg0": "x", "arg1": "y", "arg2": "n"},
            }
        ],
    }
    report = lift(given(tmp_path, operation))[1]
    assert {o["kind"] for o in report["obligations"] if o["verdict"] == "refuted"} == {"race"}
    assert not any("does not meet the assumption" in (o["detail"] or "") for o in report["obligations"])


@pytest.mark.parametrize(
    "how, safe", [("between", True), ("from_the_end", True), ("up_to_m", False), ("below", False)]
)
def test_an_index_from_memory_is_clamped_to_the_extent_that_is_given(how, safe):
    """m occurs in the shape and in the bound alone: that it is at least 1 is said, and min(m - 1, ..) is then no less than 0."""
    code, report = lift(compiled_form("clamped", f"gather_{how}"), "--shape", "x_ptr=m")
    assert report["verdict"] == "proved" and (report["safety"] == "proved") == safe
    assert not safe or "m, n >= 1" in texts(report, "range")


@pytest.mark.parametrize(
    "shape, strides, stride, fits",
    [
        ([10, 4, 8, 2], [64, 16, 2, 1], 64, True),
        ([2, 5, 4, 16], [320, 64, 16, 1], 64, True),  # the rows as two axes, pairs within the last one
        ([2, 5, 4, 16], [400, 80, 16, 1], 80, True),  # rows that are longer than their heads
        ([10, 2, 2, 16], [64, 32, 16, 1], 64, True),  # the heads as two axes
        ([1, 10, 4, 16], [9, 64, 16, 1], 64, True),  # of one element: no stride
        ([2, 5, 4, 16], [400, 64, 16, 1], 64, False),  # a gap between the rows that are one axis
        ([2, 5, 4, 16], [320, 64, 16, 1], 128, False),  # every other row of five
        ([2, 5, 4, 16], [640, 128, 32, 2], 128, False),
        ([2, 5, 4, 16], [400, 80, 20, 1], 80, False),  # heads that are further apart
        ([2, 5, 4, 12], [240, 48, 12, 1], 48, False),
        ([4, 5, 2, 16], [16, 64, 320, 1], 64, False),  # not in that order
    ],
)
def test_strides_of_axes_that_are_split_or_merged(shape, strides, stride, fits, pairs, tmp_path):
    tensors = {name: {"dtype": "f32", "shape": shape, "strides": strides} for name in "xy"}
    launch = {
        "file": str(pairs),
        "kernel": "rotate",
        "grid": [10, 4],
        "args": {"arg0": "x", "arg1": "y", "arg2": stride},
    }
    done = run(
        "lift", given(tmp_path, {"schema": 1, "name": "rotate", "tensors": tensors, "launches": [launch]}), "--json"
    )
    assert done.returncode == 0 if fits else done.returncode in (1, 2), done.stdout
    assert not done.stderr
    if fits:
        report = json.loads(done.stdout)
        assert report["verdict"] == report["safety"] == "proved" and report["outputs"][0]["shape"] == [
            "grid_x",
            "4",
            "8",
            "2",
        ]


@pytest.mark.parametrize(
    "shape,strides,stride,fits",
    [
        ([5, 7], None, 7, True),
        ([5, 8], None, 8, True),
        ([5, 3, 7], None, 21, True),
        ([10, 7], None, 14, True),
        ([5, 7], None, 1, False),
        ([5, 7], None, 6, False),
        ([7, 5], None, 7, False),
        ([5, 7], None, 0, False),
        ([7], None, 0, True),
        ([5, 7], [0, 1], 0, True),
        ([5, 7], [0, 1], 1, False),
        ([5, 7], [2**33, 1], 2**33, False),
        ([35], None, 7, True),
        ([5, 14], None, 14, True),
        ([35, 1], None, 7, True),
        ([1, 5, 7], None, 7, True),
        ([5, 1, 7], None, 0, False),
        ([1, 7], None, 0, True),
        ([6], None, 0, False),
        ([8], None, 0, False),
    ],
)
def test_a_view_that_is_not_that_of_the_tensor_is_told(shape, strides, stride, fits, corpus, tmp_path):
    """Five rows of seven: all places are inside, and the formula is not of the tensor that was given."""
    operation = softmax(corpus, 5, 7, x={"dtype": "f32", "shape": shape} | ({"strides": strides} if strides else {}))
    operation["launches"][0]["args"]["x_row_stride"] = stride
    code, report = lift(given(tmp_path, operation))
    told = [
        o["verdict"]
        for o in report["obligations"]
        if (o["detail"] or "").startswith(
            ("in the launch that was given, x is", "in the launch that was given, numbers of x")
        )
    ]
    assert report["verdict"] == "proved" and told == ([] if fits else ["unknown"])
    assert not fits or (code, report["safety"]) == (0, "proved"), report["obligations"]
    assert fits or (code, report["safety"]) in (
        (2, "unknown"),
        (1, "refuted"),
    )  # where a small launch shows a fault, too


@pytest.mark.parametrize(
    "x,y,offset,safe,beyond",
    [
        (40000, 40000, 0, True, None),
        (39999, 40000, 0, False, "x has the places 0..5119872 in the launch that was given, and .* is of 0..5120000"),
        (40000, 39999, 0, False, "y has the places 0..5119872 in the launch that was given, and .* is of 0..5120000"),
        (40000, 40001, 0, False, None),
        (50000, 40000, 0, True, None),
        (50000, 40000, 1280000, True, None),
        (50000, 40000, 1280001, False, "x has the places 0..6400000 in .* is of 1280001..6400001"),
        (50000, 40000, -1, False, "x has the places 0..6400000 in .* is of -1..5119999"),
    ],
)
def test_a_launch_that_is_too_large_to_run_is_held_against_its_tensors(x, y, offset, safe, beyond, tmp_path):
    """Blocks of 128 without a mask, and no witness is looked for among so many elements. A claim of elements that the
    tensor has not is none of this launch."""
    tensors = {"x": {"dtype": "f32", "shape": [x * 128]}, "y": {"dtype": "f32", "shape": [y * 128]}}
    launch = {
        "file": str(compiled_form("programs", "whole")),
        "grid": [40000],
        "args": {"x": {"tensor": "x", "offset": offset}, "y": "y"},
    }
    report = lift(given(tmp_path, {"schema": 1, "name": "large", "tensors": tensors, "launches": [launch]}))[1]
    assert (report["safety"] == "proved") == safe, report["obligations"]
    assert report["verdict"] == ("unknown" if beyond else "proved")
    assert not beyond or (report["reason"]["code"] == "unmet" and re.fullmatch(beyond, report["reason"]["text"]))


@pytest.mark.parametrize("strides", [[0, 1], [1, 1], [4, 1]])
def test_an_output_whose_elements_share_places_is_told(strides, corpus, tmp_path):
    report = lift(given(tmp_path, softmax(corpus, 5, 7, y={"dtype": "f32", "shape": [5, 7], "strides": strides})))[1]
    assert report["safety"] != "proved" and any(
        "elements share their places" in (o["detail"] or "") for o in report["obligations"]
    )


@pytest.mark.parametrize(
    "shape,strides,s0,s1,fits",
    [
        ([3, 2, 5], None, 10, 5, True),
        ([3, 2, 5], [18, 8, 1], 18, 8, True),
        ([2, 3, 5], None, 5, 15, True),
        ([6, 5], None, 10, 5, True),
        ([3, 2, 5], None, 5, 10, False),
        ([3, 2, 5], None, 10, 4, False),
        ([2, 5], None, 0, 5, True),
        ([3, 2, 5], None, 0, 5, False),
        ([3, 1, 2, 5], None, 0, 5, False),
        ([3, 2, 5], [5, 15, 1], 10, 5, False),
        ([3, 2, 5], [5, 15, 1], 5, 15, True),
        ([3, 2, 5], None, -10, 5, False),
        ([30], None, 10, 5, True),
        ([30], None, 5, 15, True),
        ([3, 10], None, 10, 5, True),
        ([5, 6], None, 10, 5, False),
        ([2, 15], None, 10, 5, False),
        ([2, 3, 5], None, 10, 5, False),
        ([3, 2, 5], [0, 5, 1], 0, 5, True),
        ([3, 2, 5], [0, 5, 1], 5, 0, False),
        ([3, 4, 5], None, 10, 5, False),
        ([3, 2, 3, 5], None, 30, 5, True),
        ([3, 3, 10], None, 30, 5, True),
        ([3, 3, 11], None, 33, 5, False),
        ([3, 2, 5], [1, 1, 1], 1, 1, True),
        ([3, 2, 5], [1, 2, 1], 2, 1, False),
    ],
)
def test_strides_that_are_arguments_are_held_against_the_tensor(shape, strides, s0, s1, fits, tmp_path):
    """Three by two rows of five, and they may come in the other order."""
    tensors = {
        "x": {"dtype": "f32", "shape": shape} | ({"strides": strides} if strides else {}),
        "y": {"dtype": "f32", "shape": [2, 3, 5]},
    }
    launch = {
        "file": str(compiled_form("programs", "planes")),
        "grid": [3, 2, 1],
        "args": {"x": "x", "y": "y", "s0": s0, "s1": s1, "t0": 15, "t1": 5, "n": 5},
    }
    code, report = lift(given(tmp_path, {"schema": 1, "name": "turned", "tensors": tensors, "launches": [launch]}))
    assert report["verdict"] == "proved" and (code, report["safety"]) in (
        [(0, "proved")] if fits else [(2, "unknown"), (1, "refuted")]
    ), report["obligations"]
    assert fits or any(
        (o["detail"] or "").startswith("in the launch that was given, x is") or o["verdict"] == "refuted"
        for o in report["obligations"]
    )


@pytest.mark.parametrize(
    "shape,offset,s0,s1,fits",
    [
        ([4, 2, 5], 10, 10, 5, True),
        ([4, 2, 5], 3, 10, 5, False),
        ([4, 2, 5], 20, 10, 5, False),
        ([4, 2, 5], -10, 10, 5, False),
        ([3, 2, 8], 3, 16, 8, True),
        ([3, 2, 8], 4, 16, 8, False),
        ([3, 4, 5], 10, 20, 5, True),
        ([3, 4, 5], 15, 20, 5, False),
        ([3, 2, 5], 20, -10, 5, True),
        ([3, 2, 5], 10, -10, 5, False),
    ],
)
def test_what_begins_inside_of_a_tensor_is_held_against_it(shape, offset, s0, s1, fits, tmp_path):
    """A slice of it: no row goes on in the next one."""
    tensors = {"x": {"dtype": "f32", "shape": shape}, "y": {"dtype": "f32", "shape": [2, 3, 5]}}
    launch = {
        "file": str(compiled_form("programs", "planes")),
        "grid": [3, 2, 1],
        "args": {"x": {"tensor": "x", "offset": offset}, "y": "y", "s0": s0, "s1": s1, "t0": 15, "t1": 5, "n": 5},
    }
    report = lift(given(tmp_path, {"schema": 1, "name": "part", "tensors": tensors, "launches": [launch]}))[1]
    assert (report["safety"] == "proved") == fits, report["obligations"]


@pytest.mark.parametrize(
    "x,y,n,safe",
    [
        (700, 700, 700, True),
        (700, 700, 699, True),
        (400, 700, 700, False),
        (700, 400, 700, False),
        (700, 700, 701, False),
    ],
)
def test_slices_of_one_tensor_are_held_against_their_own_shapes(x, y, n, safe, corpus, tmp_path):
    """In place; what lies behind one slice is inside of the tensor that both are of."""
    tensors = {
        name: {
            "type": "tensor",
            "shape": [size],
            "stride": [1],
            "dtype": "torch.float16",
            "element_size": 2,
            "data_ptr": "0x7f0000001000",
        }
        for name, size in (("x_ptr", x), ("out_ptr", y))
    }
    metadata = {"hash": "1", "name": "exp_kernel"}
    events = [
        {
            "event_type": "compilation",
            "payload": {"metadata": metadata, "file_content": {"exp_kernel.ttir": (corpus / "exp.ttir").read_text()}},
        },
        {
            "event_type": "launch",
            "name": "exp_kernel",
            "grid": [1, 1, 1],
            "compilation_metadata": metadata,
            "extracted_args": tensors | {"n_elements": {"type": "int", "value": n}},
        },
    ]
    (tmp_path / "trace.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    report = lift(tmp_path / "trace.ndjson")[1]
    assert (report["safety"] == "proved") == safe, report["obligations"]


@pytest.mark.parametrize(
    "grid,fits", [([40000], True), ([40000, 1], True), ([40000, 2], False), ([40000, 1, 2], False)]
)
def test_programs_that_the_kernel_does_not_ask_for_are_told(grid, fits, tmp_path):
    tensors = {name: {"dtype": "f32", "shape": [40000 * 128]} for name in "xy"}
    launch = {"file": str(compiled_form("programs", "whole")), "grid": grid, "args": {"x": "x", "y": "y"}}
    report = lift(given(tmp_path, {"schema": 1, "name": "twice", "tensors": tensors, "launches": [launch]}))[1]
    assert (report["safety"] == "proved") == fits and (
        fits or any("of which the kernel asks nothing" in (o["detail"] or "") for o in report["obligations"])
    ), report["obligations"]


@pytest.mark.parametrize("offsets,fits", [((0, 0), False), ((0, 40000 * 128), False)])
def test_an_output_that_two_launches_write_in_part_is_not_covered(offsets, fits, tmp_path):
    """Halves of numbers are not put together either (docs/limits.md)."""
    tensors = {"x": {"dtype": "f32", "shape": [40000 * 128]}, "y": {"dtype": "f32", "shape": [80000 * 128]}}
    launches = [
        {
            "file": str(compiled_form("programs", "whole")),
            "grid": [40000],
            "args": {"x": "x", "y": {"tensor": "y", "offset": offset}},
        }
        for offset in offsets
    ]
    report = lift(given(tmp_path, {"schema": 1, "name": "halves", "tensors": tensors, "launches": launches}))[1]
    assert (report["safety"] == "proved") == fits, report["obligations"]


@pytest.mark.parametrize(
    "grid,x,fits",
    [
        ("20000 * 2", 40000, True),
        ("cdiv(5120000, 128)", 40000, True),
        ("20000 * 3", 40000, False),
        ("40000 - 1", 40000, False),
        (40000, 0, False),
    ],
)
def test_expressions_of_numbers_are_numbers(grid, x, fits, tmp_path):
    """Blocks of 128; a tensor without elements is none of one."""
    tensors = {"x": {"dtype": "f32", "shape": [x, 128]}, "y": {"dtype": "f32", "shape": ["40000 * 128"]}}
    launch = {"file": str(compiled_form("programs", "whole")), "grid": [grid], "args": {"x": "x", "y": "y"}}
    report = lift(given(tmp_path, {"schema": 1, "name": "numbers", "tensors": tensors, "launches": [launch]}))[1]
    assert (report["safety"] == "proved") == fits, report["obligations"]


@pytest.mark.parametrize(
    "arguments,safe",
    [
        ({}, True),
        ({"n": -5}, False),
        ({"n": 2**32 + 5}, False),
        ({"s0": 2**32 + 10}, False),
        ({"x": {"tensor": "x", "offset": 2**61 + 1}}, False),
        ({"s0": 2, "s1": 1}, False),
    ],
)
def test_numbers_out_of_reach_are_told(arguments, safe, tmp_path):
    """Sizes below 1, what no i32 is, an offset that is in no tensor, and rows that overlap in theirs."""
    tensors = {"x": {"dtype": "f32", "shape": [3, 2, 5]}, "y": {"dtype": "f32", "shape": [2, 3, 5]}}
    launch = {
        "file": str(compiled_form("programs", "planes")),
        "grid": [3, 2, 1],
        "args": {"x": "x", "y": "y", "s0": 10, "s1": 5, "t0": 15, "t1": 5, "n": 5} | arguments,
    }
    report = lift(given(tmp_path, {"schema": 1, "name": "reach", "tensors": tensors, "launches": [launch]}))[1]
    assert (report["safety"] == "proved") == safe, report["obligations"]


# ---- i32 at the sizes that are given (semantics.md, section 4) ----

WRAPS = "index arithmetic in i32 wraps at the sizes that are given"


def overflow(report):
    return [
        (o["verdict"], o["detail"])
        for o in report["obligations"]
        if o["kind"] == "overflow" and o["verdict"] != "proved"
    ]


@pytest.mark.parametrize("stride,refuted", [(30000, False), (40000, True)])
def test_given_sizes_that_wrap_are_refuted(stride, refuted, corpus):
    """--set and --grid: the claim is of this launch, and nothing is claimed of one that the assumptions exclude."""
    code, report = lift(corpus / "softmax.ttir", "--grid", "70000", "--set", f"x_row_stride={stride}")
    assert (code, report["verdict"], report["safety"]) == (
        (1, "unknown", "refuted") if refuted else (0, "proved", "proved")
    )
    if refuted:
        assert report["reason"]["code"] == "no-launch" and overflow(report)[0] == (
            "refuted",
            f"{WRAPS}: {69999 * stride}",
        )


@pytest.mark.parametrize("stride,refuted", [(30000, False), (40000, True)])
def test_strides_that_wrap_are_refuted(stride, refuted, corpus):
    code, report = lift(
        corpus / "softmax.ttir", "--grid", "70000", "--shape", "x_ptr=70000,n_cols", "--strides", f"x_ptr={stride},1"
    )
    assert (code == 1) == refuted and bool(overflow(report)) == refuted


@pytest.mark.parametrize("columns,refuted", [(30000, False), (40000, True)])
def test_a_launch_that_wraps_is_refuted(columns, refuted, corpus, tmp_path):
    """A sample: the claim is of all launches that meet its assumptions, and this one does not."""
    operation = softmax(corpus, 70000, 1000)
    for tensor in operation["tensors"].values():
        tensor["strides"] = [columns, 1]
    operation["launches"][0]["args"].update(x_row_stride=columns, out_row_stride=columns)
    code, report = lift(given(tmp_path, operation))
    assert code == (1 if refuted else 0) and report["verdict"] == "proved"
    assert [v for v, _ in overflow(report)] == (["refuted"] * len(overflow(report)) if refuted else []) and bool(
        overflow(report)
    ) == refuted


def test_assumed_sizes_that_always_wrap_are_no_claim(corpus):
    flags = (corpus / "softmax.ttir", "--grid", "70000", "--assume")
    code, report = lift(*flags, "x_row_stride >= 40000")
    assert code == 2 and report["reason"]["code"] == "no-launch" and report["safety"] == "unknown"
    assert lift(*flags, "x_row_stride >= 30000")[0] == 0


def test_the_step_behind_the_last_one_must_not_wrap(corpus):
    """for i in range(0, n, 1024): i is 2**31 once n is greater than 2**31 - 1024, and the loop does not end."""
    path = corpus / "loops" / "softmax_online.ttir"
    code, report = lift(path)
    assert code == 0 and "wraps from n_cols = 2147482625" in [
        a["limit"] for a in report["assumptions"] if a["kind"] == "range"
    ]
    assert lift(path, "--set", "n_cols=2147482624")[0] == 0
    code, report = lift(path, "--set", "n_cols=2147482625")
    assert code == 1 and report["verdict"] == "unknown" and overflow(report)[0][0] == "refuted"


def test_an_assumed_equation_makes_two_arguments_one(corpus):
    """In place, by strides of two names: one tensor has rows once the strides are said to be equal."""
    flags = (corpus / "softmax.ttir", "--alias", "x_ptr=out_ptr", "--assume")
    code, report = lift(*flags, "x_row_stride == out_row_stride")
    assert (
        code == 0
        and report["verdict"] == report["safety"] == "proved"
        and report["outputs"][0]["shape"] == ["grid_x", "n_cols"]
    )
    assert "x_row_stride == out_row_stride" in texts(report, "user")
    code, report = lift(*flags, "x_row_stride >= out_row_stride")
    assert report["safety"] == "unknown" and any(
        o["kind"] == "alias" and "--assume 'x_row_stride == out_row_stride'" in o["detail"]
        for o in report["obligations"]
    )


def at(tensor, offset):
    return {"tensor": tensor, "offset": offset}


@pytest.mark.parametrize(
    "calls, tensors",
    [
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n"), "n")], {"z": "2*n"}),
        ([("copy", "x", at("z", "n"), "n"), ("copy", "y", "z", "n")], {"z": "2*n"}),
        ([("copy", "x", "z", "m"), ("copy", "y", at("z", "m"), "n")], {"x": "m", "z": "m + n"}),
        ([("copy", "x", at("z", f"{k}*n") if k else "z", "n") for k in range(3)], {"z": "3*n"}),
        ([("copy", "x", "z", "n"), ("copy", "x", at("z", "n - 1"), "n")], {"z": "2*n - 1"}),
        ([("zero", "z", "2*n"), ("copy", "x", at("z", "n"), "n")], {"z": "2*n"}),
        ([("zero", "z", "n"), ("copy", "x", "z", "n//2")], {"z": "n"}),
        ([("copy", "x", "z", "n"), ("scale", "z", "2*n", 0.5)], {"z": "2*n"}),
    ],
)
def test_coverage_is_asked_of_all_launches_that_write_a_tensor(calls, tensors, tmp_path):
    report = launches(tmp_path, *calls, **tensors)
    assert (report["verdict"], report["safety"]) == ("proved", "proved"), report["obligations"]
    assert any(o["kind"] == "coverage" and o["tensor"] == "z" for o in report["obligations"])


@pytest.mark.parametrize(
    "calls, shape, n, element",
    [
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n + 1"), "n")], "2*n + 1", 1, 1),
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n + 1"), "n - 1")], "2*n", 2, 2),
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n"), "n - 1")], "2*n", 2, 3),
        ([("copy", "x", "z", "n"), ("copy", "y", "z", "n")], "2*n", 1, 1),
        ([("copy", "x", at("z", f"{k}*n") if k else "z", "n") for k in (0, 2, 2)], "3*n", 1, 1),
    ],
)
def test_an_element_that_no_launch_writes_has_a_witness_that_meets_the_assumptions(calls, shape, n, element, tmp_path):
    report = launches(tmp_path, *calls, z=shape)
    found = [o for o in report["obligations"] if o["verdict"] == "refuted"]
    assert report["verdict"] == "proved" and report["safety"] == "refuted" and len(found) == 1
    assert found[0]["detail"] == f"no launch writes z[{element}]" and found[0]["witness"]["sizes"] == {"n": n}


@pytest.mark.parametrize(
    "calls, safety",
    [
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n + 1"), "n"), ("copy", "z", "c", "3*n")], "refuted"),
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n"), "n"), ("copy", "z", "c", "3*n")], "refuted"),
        ([("copy", "x", "z", "n"), ("copy", "y", at("z", "n"), "2*n"), ("copy", "z", "c", "3*n")], "proved"),
        (
            [("copy", "x", "z", "n"), ("scale", at("z", "n"), "n", 0.5), ("copy", "z", "c", "3*n")],
            "unknown",
        ),  # what is left out may be meant
        (
            [("scale", "z", "n", 0.5), ("copy", "x", at("z", "n"), "n"), ("copy", "z", "c", "3*n")],
            "proved",
        ),  # in place from the start
        ([("copy", "z", "c", "3*n"), ("copy", "x", "z", "n"), ("copy", "y", at("z", "n"), "n")], "proved"),
    ],
)
def test_a_gap_between_what_is_written_is_no_input_for_being_read_later(calls, safety, tmp_path):
    report = launches(tmp_path, *calls, y="2*n", z="3*n", c="3*n")
    assert (report["verdict"], report["safety"]) == ("proved", safety), report["obligations"]
    assert {o["tensor"] for o in report["obligations"] if o["verdict"] != "proved"} == (
        set() if safety == "proved" else {"z"}
    )


def test_numbers_of_a_launch_that_leave_something_out_are_not_proved_by_the_other(tmp_path):
    report = launches(tmp_path, ("copy", "x", "z", 100), ("scale", "z", 100, 0.5), x=200, y=200, z=200)
    assert report["safety"] in ("unknown", "refuted")
    report = launches(tmp_path, ("copy", "x", "z", 100), ("copy", "x", at("z", 100), 100), x=100, y=100, z=200)
    assert report["safety"] != "refuted"


def test_findings_name_the_tensor_of_the_operation_where_names_are_swapped(tmp_path):
    report = launches(tmp_path, ("copy", "y_ptr", "x_ptr", "n - 1"), x_ptr="n", y_ptr="n")
    assert formula_of(report, "x_ptr").startswith("y_ptr")
    assert [(o["tensor"], o["detail"]) for o in report["obligations"] if o["verdict"] == "refuted"] == [
        ("x_ptr", "no program writes x_ptr[1]")
    ]


def test_a_grid_beside_sizes_that_are_assumed_small_is_shown_safe_under_these(tmp_path):
    report = lift(compiled_form("close_rows", "close_rows"), "--grid", "M")[1]
    assert (report["verdict"], report["safety"]) == ("proved", "proved") and "n <= 16" in texts(report)
    race = next(o for o in report["obligations"] if o["kind"] == "race")
    assert race["verdict"] == "proved" and [a["text"] for a in report["assumptions"] if a["id"] in race["under"]] == [
        "n <= 16"
    ]


def test_safety_that_is_not_known_says_why(tmp_path):
    tensor = {"dtype": "f32", "shape": ["M", "n"], "strides": [16, 1]}
    operation = {
        "schema": 1,
        "name": "rows",
        "tensors": {"x": tensor, "y": tensor},
        "launches": [
            {
                "file": str(compiled_form("close_rows", "close_rows")),
                "kernel": "close_rows",
                "grid": ["M"],
                "args": {"x_ptr": "x", "y_ptr": "y", "n": "n"},
            }
        ],
    }
    report = lift(given(tmp_path, operation))[1]
    assert report["safety"] == "unknown"
    assert any(o["verdict"] == "unknown" and o["detail"] and "n <= 16" in o["detail"] for o in report["obligations"])


@pytest.mark.parametrize(
    "flags, wrong",
    [
        (["--assume", "grid_x == 3", "--assume", "n == 32"], True),
        (["--assume", "grid_x == 1", "--assume", "n == 32"], False),
        (["--assume", "grid_x == 3", "--assume", "n <= 64"], True),
        (["--assume", "grid_x == 2", "--assume", "n <= 64"], False),
        (["--assume", "grid_x > 1", "--set", "n=33"], False),
    ],
)
def test_what_is_assumed_of_a_grid_that_is_found_may_exclude_it(flags, wrong):
    report = lift(compiled_form("launches", "copy"), "--shape", "x_ptr=n", "--shape", "y_ptr=n", *flags)[1]
    if not wrong:
        assert report["verdict"] == "proved", report["reason"]
        return
    assert (report["verdict"], report["safety"], report["reason"]["code"]) == ("unknown", "unknown", "no-launch")


@pytest.mark.parametrize(
    "flags",
    [
        ["--shape", "x_ptr=s"],
        ["--shape", "x_ptr=x_ptr"],
        ["--shape", "x_ptr=2*s + n"],
        ["--shape", "x_ptr=arg2"],
        ["--strides", "x_ptr=s"],
        ["--grid", "s"],
        ["--grid", "cdiv(n, 32),x_ptr"],
        ["--set", "n=5", "--set", "n=6"],
        ["--set", "n=5", "--set", "arg1=6"],
        ["--shape", "x_ptr=n", "--shape", "x_ptr=n + 1"],
        ["--strides", "x_ptr=1", "--strides", "x_ptr=2"],
    ],
)
def test_what_is_no_size_or_is_given_twice_is_refused(flags):
    done = run("lift", compiled_form("launches", "scale"), *flags)
    assert done.returncode == 64 and (
        "no size" in done.stderr or "set to 5 already" in done.stderr or "before" in done.stderr
    ), done.stderr


@pytest.mark.parametrize(
    "flags",
    [
        ["--shape", "x_ptr=n"],
        ["--shape", "x_ptr=m", "--assume", "n <= m"],
        ["--grid", "cdiv(n, 32)"],
        ["--set", "n=5", "--set", "s=0.5"],
        ["--set", "n=5", "--set", "n=5"],
    ],
)
def test_sizes_and_settings_that_agree_are_taken(flags):
    assert run("lift", compiled_form("launches", "scale"), *flags).returncode in (0, 1, 2)


def turned(tmp_path, middle, result, flat):
    """x[M, N] is written down by columns, and then read as memory."""
    tensors = {"x": {"shape": ["M", "N"]}, "t": middle, "y": {"shape": result}}
    calls = [
        ("turn", ["cdiv(M, 32)", "cdiv(N, 32)"], ["x", "t", "M", "N", "N", 1, 1, "M"]),
        ("copy", ["cdiv(M*N, 32)"], ["t", "y", flat]),
    ]
    listed = [
        {
            "file": str(compiled_form("launches", kernel)),
            "kernel": kernel,
            "grid": grid,
            "args": {f"arg{i}": arg for i, arg in enumerate(args)},
        }
        for kernel, grid, args in calls
    ]
    operation = {
        "schema": 1,
        "name": "turned",
        "tensors": {name: {"dtype": "f32"} | tensor for name, tensor in tensors.items()},
        "launches": listed,
    }
    return lift(given(tmp_path, operation))[1]


@pytest.mark.parametrize(
    "middle",
    [
        {"shape": ["M", "N"], "strides": [1, "M"]},
        {"shape": ["N", "M"]},
        {"shape": ["M*N"]},
        {"shape": ["M*N"], "temporary": True},
    ],
)
def test_a_tensor_that_is_written_by_columns_and_read_as_memory(middle, tmp_path):
    report = turned(tmp_path, middle, ["M*N"], "M*N")
    assert report["verdict"] != "proved" or formula_of(report, "y") == "x[index(M * N) % M, index(M * N) // M]"
    report = turned(tmp_path, middle, ["N", "M"], "M*N")
    assert report["verdict"] != "proved" or formula_of(report, "y") in (
        "transpose(x, 1, 0)",
        "x[(column(index(N)) * M + index(M)) % M, (column(index(N)) * M + index(M)) // M]",
    ), formula_of(report, "y")


def test_a_flat_copy_of_what_lies_by_columns(tmp_path):
    by_columns = {"dtype": "f32", "shape": ["M", "N"], "strides": [1, "M"]}
    operation = {
        "schema": 1,
        "name": "flat",
        "tensors": {"x": by_columns, "y": by_columns},
        "launches": [
            {
                "file": str(compiled_form("launches", "copy")),
                "kernel": "copy",
                "grid": ["cdiv(M*N, 32)"],
                "args": {"arg0": "x", "arg1": "y", "arg2": "M*N"},
            }
        ],
    }
    report = lift(given(tmp_path, operation))[1]
    assert report["verdict"] == "proved" and formula_of(report, "y") == "x"


@pytest.mark.parametrize(
    "s, says", [("2", None), ("0", "0 is divided by 0"), ("N", None), ("N - N", "0 is divided by 0")]
)
def test_a_divisor_that_a_launch_gives_as_0_is_refuted(s, says, tmp_path):
    """A divisor is no size, so that nothing keeps it from 0 but what is given."""
    operation = {
        "schema": 1,
        "name": "divided",
        "tensors": {t: {"dtype": "f32", "shape": ["N"]} for t in "xy"},
        "launches": [
            {
                "file": str(compiled_form("launches", "parts")),
                "grid": ["cdiv(N,32)"],
                "args": {"x_ptr": "x", "y_ptr": "y", "n": "N", "sx": s},
            }
        ],
    }
    (tmp_path / "divided.json").write_text(json.dumps(operation))
    code, report = lift(tmp_path / "divided.json")
    assert report["verdict"] == "proved", report["reason"]
    assert (code, report["safety"]) == ((1, "refuted") if says else (0, "proved"))
    assert not says or any(says in o["detail"] for o in report["obligations"] if o["verdict"] == "refuted")


@pytest.mark.parametrize(
    "batch, code, of", [("M*N+2", 0, "M ** 2 - M <= 2147483647"), ("M*N-2", 2, "M*N*pid_z - 2*pid_z <= 2147483647")]
)
def test_ranges_are_assumed_also_where_nothing_is_shown_of_the_launch(batch, code, of):
    """Batches that are apart, and such as may overlap: then the greatest program is not known to stay inside."""
    got, report = lift(
        compiled_form("launches", "products"), "--strides", f"y_ptr={batch},N,1", "--shape", "y_ptr=Q,M,N"
    )
    assert got == code and any(a["text"] == of for a in report["assumptions"])


LENGTHS = {
    "lengths.py": "def differences(x):\n    return x[3:] - x[:-3]\n\n\ndef tail(x):\n    return x[1:]\n",
    "lengths.cc": """#include <vector>
std::vector<float> twice(const std::vector<float> &x) {
  std::vector<float> y;
  for (int i = 0; i < x.size(); i++) y.push_back(2 * x[i]);
  return y;
}
""",
    "lengths.c": """void rows(int n, int k, const float a[n][k], float y[n]) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < k; j++) s += a[i][j];
    y[i] = s;
  }
}
""",
}


@pytest.mark.parametrize(
    "function, shape, output, formula",
    [
        ("lengths.py:differences", "x=n+3", ["n"], "x[3:] - x[:n]"),
        ("lengths.py:tail", "x=n", ["n - 1"], "x[1:]"),
        ("lengths.py:tail", "x=n+1", ["n"], "x[1:]"),
        ("lengths.cc:twice", "x=n", ["n"], "2 * x"),
        ("lengths.c:rows", "a=M,K", ["M"], "sum(a, axis=1)"),
    ],
)
def test_arguments_that_are_lengths_are_those_of_the_shape(function, shape, output, formula, tmp_path):
    name = function.partition(":")[0]
    (tmp_path / name).write_text(LENGTHS[name])
    code, report = lift(f"{tmp_path / function}", "--shape", shape)
    assert (code, report["verdict"], report["safety"]) == (0, "proved", "proved")
    assert report["outputs"][0]["shape"] == output and report["outputs"][0]["formula"]["text"] == formula


def test_the_arrays_of_a_difference_of_slices_have_one_length(tmp_path):
    """max(0, n - 3) + min(3, n) is n: nothing is to be assumed."""
    (tmp_path / "lengths.py").write_text(LENGTHS["lengths.py"])
    code, report = lift(f"{tmp_path / 'lengths.py'}:differences")
    assert (code, report["verdict"]) == (0, "proved")
    assert not any("max" in a["text"] for a in report["assumptions"])


def test_shapes_that_agree_by_what_is_said_of_sizes(corpus, tmp_path):
    """numel elements are all of the matrix only where the user says so: then the formula is a reshape, also when it is read."""
    kernel, shape = corpus / "tanh.ttir", ("--shape", "x_ptr=n_rows,n_cols")
    said = (*shape, "--assume", "numel == n_rows * n_cols")
    text = "tanh(reshape(x_ptr, numel))"
    assert json.loads(run("lift", kernel, *said, "--json").stdout)["outputs"][0]["formula"]["text"] == text
    without = json.loads(run("lift", kernel, *shape, "--json").stdout)["outputs"][0]["formula"]["text"]
    assert without == "tanh(x_ptr[index(numel) // n_cols, index(numel) % n_cols])"
    assert json.loads(run("check", kernel, *said, "-e", f"out_ptr = {text}", "--json").stdout)["verdict"] == "proved"
    unsaid = run("check", kernel, *shape, "-e", f"out_ptr = {text}")
    assert unsaid.returncode and "has not so many elements" in unsaid.stderr
    stage = tmp_path / "tanh.formula"
    stage.write_text(run("lift", kernel, *said, "--stop-after", "tensor").stdout)
    assert "assume numel == n_cols*n_rows" in stage.read_text()
    assert json.loads(run("lift", stage, "--json").stdout)["outputs"][0]["formula"]["text"] == text
    assert json.loads(run("check", kernel, *said, stage, "--json").stdout)["verdict"] == "proved"
