"""Operators of several kernels: the operation files of examples/kernels/operators lift to one formula for all launches,
and what is emitted for it gives what the launches gave in Triton's interpreter, from the operator's inputs alone."""

import inspect
import json

import numpy as np
import pytest
import torch
from conftest import ROOT
from triton_tools.case import EACH_TIME, all_cases
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER as FORMS
from triton_tools.formulas import environment, evaluate, expected, fit
from triton_tools.interpret import capture, captured, inputs_of
from triton_tools.lifted import ASSAY, as_numpy, lift, run, size, squeeze, whole, worst_error

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

FOLDER = ROOT / "examples" / "kernels" / "operators"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
CASES = {name: all_cases()[f"loops/{name}"] for name in NAMES}
TEXTS = {  # as a textbook has them, to the letter
    "sum_two_launch": {"out": "sum(x)"},
    "max_two_launch": {"out": "max(x)"},
    "layer_norm_backward_dw_db": {"db": "sum(dy, axis=0)"},
}


@pytest.fixture(scope="module")
def operators(corpus):
    return {name: lift([FOLDER / f"{name}.json"], "--no-prove") for name in NAMES}


def arguments(operation, launches):
    """(name in the operation, argument, launch) of each tensor argument, in order."""
    for described, launch in zip(operation["launches"], launches):
        assert described["kernel"] == launch.kernel
        for name, meant in described["args"].items():
            if meant in operation["tensors"]:
                yield meant, launch[name], launch


def sizes(operation, launches):
    """Names that arguments, shapes and strides of the operation have by themselves, as these launches have them."""
    names = {}
    for described, launch in zip(operation["launches"], launches):
        values = {a.name: a.value for a in launch.arguments if a.kind == "scalar"}
        names.update(
            {
                meant: values[name]
                for name, meant in described["args"].items()
                if name in values and str(meant).isidentifier()
            }
        )
        names.update({name: value for name, value in values.items() if name not in described["args"]})
    for tensor, argument, _ in arguments(operation, launches):
        declared = operation["tensors"][tensor]
        for key, numbers in (("shape", argument.shape), ("strides", argument.strides)):
            names.update(
                {e: n for e, n in zip(declared.get(key, []), numbers) if isinstance(e, str) and e.isidentifier()}
            )
    return names


def seen(argument, launch, moment, entry, names):
    shape, strides = ([size(e, names) for e in entry[key]] for key in ("shape", "strides"))
    tensor = whole(argument, launch, moment)
    return tensor if list(tensor.shape) == shape else tensor.as_strided(shape, strides, argument.offset)


def check(lifted, framework, operation, launches, tolerance):
    first, last, names = {}, {}, sizes(operation, launches)
    for tensor, argument, launch in arguments(operation, launches):
        first.setdefault(tensor, (argument, launch))
        last[tensor] = (argument, launch)
    entries = {entry["name"]: entry for entry in lifted.report["inputs"] + lifted.report["outputs"]}
    keywords = {}
    for name in inspect.signature(lifted.modules[framework]).parameters:
        tensor = seen(*first[name], "before", entries[name], names) if name in first else None
        keywords[name] = (
            names[name] if tensor is None else as_numpy(tensor) if framework == "numpy" else tensor.clone()
        )
    results = lifted.modules[framework](**keywords)
    assert set(results) == {entry["name"] for entry in lifted.report["outputs"]}
    for name, got in results.items():
        wanted = seen(*last[name], "after", entries[name], names)
        got = got.double().numpy() if isinstance(got, torch.Tensor) else np.asarray(got)
        assert tuple(got.shape) == tuple(wanted.shape)
        assert worst_error(got, wanted) <= tolerance, f"{framework}: {name}"


@pytest.mark.parametrize("name", NAMES)
def test_operator_is_one_formula(name, operators):
    lifted, operation = operators[name], json.loads((FOLDER / f"{name}.json").read_text())
    assert lifted.report["kernel"] == name
    assert lifted.report["verdict"] == "probable" and lifted.closed(), lifted.reason()
    assert lifted.forms() == "tensor"
    temporary = {tensor for tensor, t in operation["tensors"].items() if t.get("temporary")}
    shown = {entry["name"] for entry in lifted.report["inputs"] + lifted.report["outputs"]}
    assert temporary and not temporary & shown
    for output, text in TEXTS.get(name, {}).items():
        assert [o["formula"]["text"] for o in lifted.report["outputs"] if o["name"] == output] == [text]


def fits(operation, launches):
    """Literals in shapes are those of the compiled kernels."""
    return all(
        not isinstance(e, int) or e == n or len(declared["shape"]) == 1
        for tensor, argument, _ in arguments(operation, launches)
        for declared in [operation["tensors"][tensor]]
        for e, n in zip(declared["shape"], argument.shape)
    )


def fitting_launches(name, operation, index):
    """Those of a case; with longer last axes where the kernels are compiled for such."""
    launches = captured(CASES[name], index)
    if fits(operation, launches):
        return launches
    wide = {
        key: (
            torch.cat([value, value.flip(-1), -value, value], dim=-1).div(2).contiguous()
            if torch.is_tensor(value) and value.dim() == 3
            else value
        )
        for key, value in inputs_of(CASES[name], index).items()
    }
    return capture(CASES[name], index, wide)


def check_launches(name, operators, cases):
    operation = json.loads((FOLDER / f"{name}.json").read_text())
    case = CASES[name]
    for index in cases:
        launches = fitting_launches(name, operation, index)
        assert fits(operation, launches)
        for framework in ("numpy", "pytorch"):
            check(operators[name], framework, operation, launches, case.tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_emitted_operator_is_what_the_launches_did(name, operators):
    check_launches(name, operators, range(EACH_TIME))


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_emitted_operator_is_what_all_launches_did(name, operators):
    check_launches(name, operators, range(CASES[name].cases))


@pytest.mark.parametrize("name", NAMES)
def test_formula_is_the_hand_written_one(name, operators):
    operation, wanted = json.loads((FOLDER / f"{name}.json").read_text()), expected(f"loops/{name}")
    launches = captured(CASES[name], 3)
    kernel_names, names = environment(launches), sizes(operation, launches)
    inputs = {}
    for tensor, argument, _ in arguments(operation, launches):
        if argument.before.is_floating_point():
            inputs.setdefault(tensor, argument.before.double())
    for tensor, argument, launch in arguments(operation, launches):
        formulas = [o["formula"]["text"] for o in operators[name].report["outputs"] if o["name"] == tensor]
        written = wanted["outputs"].get(argument.name)
        if not formulas or not written:
            continue
        value = evaluate(written["text"], kernel_names, wanted.get("let"))
        got = evaluate(formulas[0], {**names, **inputs})
        assert worst_error(fit(got, argument.shape), fit(value, argument.shape)) < 1e-6, squeeze(formulas[0])


@pytest.mark.parametrize("name", NAMES)
def test_operator_is_proved(name, corpus):
    lifted = lift([FOLDER / f"{name}.json"], emit=())
    assert lifted.report["verdict"] == "proved", lifted.reason()
    assert lifted.report["safety"] == "proved"


def test_files_in_order_share_arguments_by_name(corpus):
    files = [
        corpus / "loops" / f"sum_two_launch.{kernel}.ttir" for kernel in ("sum_partial_kernel", "sum_final_kernel")
    ]
    lifted = lift(files, emit=())
    assert lifted.report["kernel"] == "sum_partial_kernel+sum_final_kernel"
    assert lifted.report["verdict"] == "proved"
    assert [o["name"] for o in lifted.report["outputs"]] == ["partial_ptr", "out_ptr"]
    # nothing says how many partial sums there are: what the first launch did not write is read as it was
    assert "where(k2 < grid_x" in lifted.report["outputs"][1]["pointwise"]


def test_order_of_launches_matters(corpus):
    files = [
        corpus / "loops" / f"sum_two_launch.{kernel}.ttir" for kernel in ("sum_final_kernel", "sum_partial_kernel")
    ]
    lifted = lift(files, emit=())
    assert lifted.report["outputs"][1]["formula"]["text"] == "sum(partial_ptr[:count])"


def test_a_temporary_without_contents_is_told(corpus, tmp_path):
    operation = json.loads((FOLDER / "sum_two_launch.json").read_text())
    operation["launches"] = operation["launches"][1:] + operation["launches"][:1]
    for launch in operation["launches"]:
        launch["file"] = str((FOLDER / launch["file"]).resolve())
    (tmp_path / "wrong.json").write_text(json.dumps(operation))
    lifted = lift([tmp_path / "wrong.json"], emit=())
    assert lifted.report["safety"] != "proved"
    assert any(
        o["kind"] == "undefined" and "temporary partial" in (o["detail"] or "") for o in lifted.report["obligations"]
    )


def test_stages_of_an_operator():
    done = run("lift", FOLDER / "sum_two_launch.json", "--stop-after", "pointwise")
    assert "out[] = sum[k < n](x[k])" in done.stdout.replace("k2", "k")


def write_numbers(path, programs, partials=None):
    """The operation with the numbers of one launch: a sample of it."""
    operation = json.loads((FOLDER / "sum_two_launch.json").read_text())
    operation["tensors"]["partial"]["shape"] = [programs]
    operation["launches"][0]["grid"] = [programs]
    operation["launches"][1]["args"]["count"] = partials or programs
    for launch in operation["launches"]:
        launch["file"] = str((FOLDER / launch["file"]).resolve())
    path.write_text(json.dumps(operation))
    return path


def test_numbers_of_a_launch_are_related(corpus, tmp_path):
    """As many partial sums as there are programs: assumed where the claim needs it, and of numbers that are one."""
    lifted = lift([write_numbers(tmp_path / "numbers.json", 24)], emit=())
    assert (lifted.report["verdict"], lifted.report["outputs"][0]["formula"]["text"]) == (
        "proved",
        "sum(x[:minimum(n, 1024 * grid_x)])",
    ), lifted.reason()
    assert any(
        a["kind"] == "launch" and a["text"] == "count of sum_final_kernel = grid_x"
        for a in lifted.report["assumptions"]
    )
    assert any(a["kind"] == "launch" and a["text"] == "grid_x = 24" for a in lifted.report["assumptions"])
    other = lift([write_numbers(tmp_path / "other.json", 24, 25)], emit=())
    assert (
        other.report["outputs"][0]["formula"]["text"] != lifted.report["outputs"][0]["formula"]["text"]
        and other.report["safety"] != "proved"
    )


def test_grids_of_two_sides_are_named_apart(corpus, tmp_path):
    """The numbers of programs of two operations are two."""
    left, right = write_numbers(tmp_path / "left.json", 2), write_numbers(tmp_path / "right.json", 3)
    same, other = (json.loads(run("check", "--json", left, side).stdout) for side in (left, right))
    assert same["verdict"] == "proved", same["reason"]
    assert other["verdict"] != "proved"  # 2 and 3 blocks of the vector; as one name they would be no launch at all
    assert other["reason"]["code"] != "not-compared", other["reason"]


# ---- --set and --alias ----


@pytest.mark.parametrize("n", [1, 1000, 1024, 1025])
def test_set_makes_an_argument_a_constant(n, corpus):
    lifted = lift([corpus / "leaky_relu.ttir"], "--set", f"n_elements={n}", "--set", "negative_slope=0.25")
    assert (lifted.report["verdict"], lifted.report["safety"]) == ("proved", "proved"), lifted.reason()
    assert {f"n_elements = {n}", "negative_slope = 0.25"} <= set(lifted.report["literals"])
    assert lifted.report["outputs"][0]["shape"] == [str(n)]
    assert [entry["name"] for entry in lifted.report["inputs"]] == ["x_ptr"]
    x = np.linspace(-2, 3, n)
    for function in lifted.modules.values():
        assert list(inspect.signature(function).parameters) == ["x_ptr"]
    assert np.allclose(lifted.modules["numpy"](x_ptr=x)["out_ptr"], np.where(x >= 0, x, 0.25 * x))


def test_alias_is_in_place(corpus):
    lifted = lift([corpus / "add.ttir"], "--alias", "out_ptr=x_ptr")
    assert (lifted.report["verdict"], lifted.report["safety"]) == ("proved", "proved"), lifted.reason()
    assert [o["name"] for o in lifted.report["outputs"]] == ["x_ptr"]
    assert lifted.report["outputs"][0]["formula"]["text"] == "x_ptr + y_ptr"
    x, y = np.arange(5.0), np.ones(5)
    assert np.array_equal(lifted.modules["numpy"](x_ptr=x, y_ptr=y)["x_ptr"], x + 1)
    both = lift([corpus / "add.ttir"], "--alias", "out_ptr=x_ptr", "--alias", "arg1=arg0", emit=())
    assert both.report["outputs"][0]["formula"]["text"] in ("2 * x_ptr", "x_ptr + x_ptr")


def test_alias_of_what_other_programs_write_is_no_proof(corpus):
    """A transposition in place reads what other programs have written."""
    plain, lifted = lift([corpus / "transpose.ttir"], emit=()), lift(
        [corpus / "transpose.ttir"], "--alias", "x_ptr=out_ptr", emit=()
    )
    assert plain.report["verdict"] == "proved"
    assert lifted.report["verdict"] != "proved" and lifted.report["safety"] != "proved"


@pytest.mark.parametrize(
    "flags, says",
    [
        (("--set", "size=3"), "the arguments are: x_ptr, y_ptr, out_ptr, n_elements"),
        (("--set", "x_ptr=3"), "only numbers can be set"),
        (("--set", "n_elements=3.5"), "this is none that it holds"),
        (("--set", "n_elements=3000000000"), "this is none that it holds"),
        (("--alias", "x_ptr=z_ptr"), "no kernel has both 'x_ptr' and 'z_ptr'"),
        (("--alias", "x_ptr=arg0"), "this is one argument"),
        (("--alias", "x_ptr=n_elements"), "no pointers to elements of one type"),
    ],
)
def test_names_and_values_that_do_not_fit_are_usage_errors(flags, says, corpus):
    done = run("lift", corpus / "add.ttir", *flags)
    assert done.returncode == 64 and says in done.stderr


def test_two_arguments_of_an_operation_that_are_one_tensor(corpus, tmp_path):
    operation = {
        "schema": 1,
        "name": "twice",
        "tensors": {"v": {"dtype": "bf16", "shape": ["n"]}, "w": {"dtype": "bf16", "shape": ["n"]}},
        "launches": [
            {
                "file": str(corpus / "add.ttir"),
                "kernel": "add_kernel",
                "grid": ["cdiv(n,1024)"],
                "args": {"x_ptr": x, "y_ptr": "w", "out_ptr": "v", "n_elements": "n"},
            }
            for x in ("v", "w")
        ],
    }
    text = (corpus / "add.ttir").read_text()
    dtype = text.split("%x_ptr: !tt.ptr<")[1].split(">")[0]
    for tensor in operation["tensors"].values():
        tensor["dtype"] = dtype
    (tmp_path / "twice.json").write_text(json.dumps(operation))
    lifted = lift([tmp_path / "twice.json"])
    assert lifted.report["verdict"] == "proved", lifted.reason()
    assert [(o["name"], o["formula"]["text"]) for o in lifted.report["outputs"]] == [
        ("v", "2 * w")
    ]  # the second launch writes over the first
    operation["launches"].reverse()
    (tmp_path / "twice.json").write_text(json.dumps(operation))
    lifted = lift([tmp_path / "twice.json"])
    assert squeeze(lifted.report["outputs"][0]["formula"]["text"]) in ("3*w", "w+2*w", "2*w+w")


def test_one_launch_has_the_names_of_its_operation_file(corpus, tmp_path):
    operation = {
        "schema": 1,
        "name": "plus",
        "tensors": {t: {"dtype": "f32", "shape": ["length"]} for t in "abc"},
        "launches": [
            {
                "file": str(corpus / "add.ttir"),
                "kernel": "add_kernel",
                "grid": ["cdiv(length,1024)"],
                "args": {"x_ptr": "a", "y_ptr": "b", "out_ptr": "c", "n_elements": "length"},
            }
        ],
    }
    (tmp_path / "plus.json").write_text(json.dumps(operation))
    lifted = lift([tmp_path / "plus.json"])
    assert (lifted.report["verdict"], lifted.report["safety"]) == ("proved", "proved"), lifted.reason()
    (output,) = lifted.report["outputs"]
    assert (output["name"], output["shape"], output["formula"]["text"]) == ("c", ["length"], "a + b")
    assert lifted.report["kernel"] == "add_kernel"  # the operation is no other kernel
    assert not any("n_elements" in a["text"] or "grid_x" in a["text"] for a in lifted.report["assumptions"])


@pytest.fixture(scope="module")
def integers():
    compiled_forms(ROOT / "tests/python/forms/launches.py")


@pytest.mark.parametrize(
    "form, tensors, strides, is_proved",
    [
        ("turn", "xy", {"sx": "N", "tx": "1", "sy": "N", "ty": "1"}, True),
        ("turn", "xy", {"sx": "N", "tx": "1", "sy": "1", "ty": "M"}, True),
        ("turn", "xy", {"sx": "0", "tx": "1", "sy": "N", "ty": "1"}, True),
        ("turn", "xy", {"sx": "N", "tx": "1", "sy": "0", "ty": "1"}, False),
        ("turn", "xy", {"sx": "N", "tx": "1", "sy": "N - 1", "ty": "1"}, False),
        ("turn", "xy", {"sx": "N", "tx": "1", "sy": "N", "ty": "N"}, False),
        ("rows", "vv", {"sx": "N", "sy": "N"}, True),
        ("rows", "vv", {"sx": "N", "sy": "2*N"}, False),
        ("rows", "xy", {"sx": "N", "sy": "N"}, True),
        ("rows", "xy", {"sx": "N", "sy": "0"}, False),
    ],
)
def test_an_output_has_a_place_for_each_element_by_the_strides_that_a_launch_gives(
    form, tensors, strides, is_proved, integers, tmp_path
):
    """The kernel alone assumes so of strides that are arguments; y of all columns in one row, or in rows that overlap, is another thing."""
    x, y = tensors
    operation = {
        "schema": 1,
        "name": "strided",
        "tensors": {t: {"dtype": "f32", "shape": ["M", "N"]} for t in set(tensors)},
        "launches": [
            {
                "file": str(FORMS / f"launches.{form}.ttir"),
                "grid": ["M" if form == "rows" else "cdiv(M,32)", "cdiv(N,32)"],
                "args": {"x_ptr": x, "y_ptr": y, "M": "M", "N": "N", **strides},
            }
        ],
    }
    (tmp_path / "strided.json").write_text(json.dumps(operation))
    report = lift([tmp_path / "strided.json"], emit=()).report
    assert (report["verdict"] == "proved") == is_proved, report["reason"]
    assert is_proved or report["safety"] != "proved"
    assert not is_proved or form == "turn" or report["outputs"][0]["pointwise"] == f"{y}[i, j] = 3*{x}[i, j]"
    assert not is_proved or not any(
        "make elements overlap" in a["text"] for a in report["assumptions"]
    )  # nothing is left to be assumed


@pytest.mark.parametrize(
    "strides, is_proved",
    [
        (["s", "1"], True),
        (["2*N", "1"], True),
        (["0", "1"], False),
        (["N - N", "1"], False),
        pytest.param(["s", "s"], False, marks=pytest.mark.full),  # half a minute
        (["1", "N"], False),
    ],
)
def test_strides_that_a_file_gives_its_output_are_such_that_elements_have_places(
    strides, is_proved, integers, tmp_path
):
    """A name may be any number, and what is assumed of it is said; what makes elements share a place is no output of M rows."""
    tensors = {
        "x": {"dtype": "f32", "shape": ["M", "N"]},
        "y": {"dtype": "f32", "shape": ["M", "N"], "strides": strides},
    }
    arguments = {
        "x_ptr": "x",
        "y_ptr": "y",
        "M": "M",
        "N": "N",
        "sx": "N",
        "tx": "1",
        "sy": strides[0],
        "ty": strides[1],
    }
    operation = {
        "schema": 1,
        "name": "strided",
        "tensors": tensors,
        "launches": [
            {"file": str(FORMS / "launches.turn.ttir"), "grid": ["cdiv(M,32)", "cdiv(N,32)"], "args": arguments}
        ],
    }
    (tmp_path / "strided.json").write_text(json.dumps(operation))
    report = lift([tmp_path / "strided.json"], emit=()).report
    assert (report["verdict"] == "proved") == is_proved and (is_proved or report["safety"] != "proved"), report[
        "reason"
    ]
    assert any("make elements overlap" in a["text"] for a in report["assumptions"]) == (
        strides[0] == "s" and is_proved
    )


@pytest.mark.parametrize(
    "rows, columns",
    [("N", "M"), ("M", "N"), ("R", "N"), ("M", "Q"), ("R", "M"), ("N", "Q"), ("grid_y", "N"), ("grid_x", "M")],
)
def test_what_is_assumed_of_sizes_has_the_names_of_the_operation(rows, columns, integers, tmp_path):
    """The kernel's M and N are arguments, whatever the operation calls so: no name is read as the other one."""
    operation = {
        "schema": 1,
        "name": "named",
        "tensors": {t: {"dtype": "f32", "shape": [rows, columns]} for t in "xy"},
        "launches": [
            {
                "file": str(FORMS / "launches.rows.ttir"),
                "grid": [rows, f"cdiv({columns},32)"],
                "args": {"x_ptr": "x", "y_ptr": "y", "M": rows, "N": columns, "sx": columns, "sy": columns},
            }
        ],
    }
    (tmp_path / "named.json").write_text(json.dumps(operation))
    report = lift([tmp_path / "named.json"], emit=()).report
    ranges = [a for a in report["assumptions"] if "does not wrap" in a["why"]]
    assert report["verdict"] == "proved"
    assert [a["text"] for a in ranges] in (
        [f"{rows}*{columns} - {columns} <= 2147483647"],
        [f"{columns}*{rows} - {columns} <= 2147483647"],
    ), ranges
    assert f"{columns} = " in ranges[0]["limit"] and f"{rows} = " in ranges[0]["limit"], ranges


@pytest.mark.parametrize("sy", ["N", "1 + N - N", "N - N", "7 + N - N"])
def test_an_axis_of_one_element_may_have_any_stride(sy, integers, tmp_path):
    """One row of y, which is all of it, in two launches: the second one writes every element over."""
    one = "1 + N - N"  # as an expression: a number would be a sample
    arguments = {"x_ptr": "x", "y_ptr": "y", "M": one, "N": "N", "sx": "N", "sy": sy}
    launch = {"file": str(FORMS / "launches.rows.ttir"), "grid": [one, "cdiv(N,32)"], "args": arguments}
    operation = {
        "schema": 1,
        "name": "row",
        "tensors": {t: {"dtype": "f32", "shape": ["N"]} for t in "xyz"},
        "launches": [{**launch, "args": {**arguments, "x_ptr": "z"}}, launch],
    }
    (tmp_path / "row.json").write_text(json.dumps(operation))
    report = lift([tmp_path / "row.json"], emit=()).report
    assert report["verdict"] == "proved" and [(o["formula"]["text"], o["region"]) for o in report["outputs"]] == [
        ("3 * x", "all")
    ], report["outputs"]


@pytest.mark.parametrize(
    "offset, formula", [("0", "where(index(N) <= 0, 0, x)"), ("N - 1", "where(index(N) + 1 >= N, 0, x)")]
)
def test_a_later_launch_may_write_one_element(offset, formula, integers, tmp_path):
    launches = [
        {
            "file": str(FORMS / "launches.copy.ttir"),
            "grid": ["cdiv(N,32)"],
            "args": {"x_ptr": "x", "y_ptr": "y", "n": "N"},
        },
        {
            "file": str(FORMS / "launches.zero.ttir"),
            "grid": ["1"],
            "args": {"x_ptr": {"tensor": "y", "offset": offset}, "n": "1 + N - N"},
        },
    ]
    (tmp_path / "one.json").write_text(
        json.dumps(
            {
                "schema": 1,
                "name": "one",
                "tensors": {t: {"dtype": "f32", "shape": ["N"]} for t in "xy"},
                "launches": launches,
            }
        )
    )
    report = lift([tmp_path / "one.json"], emit=()).report
    assert report["verdict"] == "proved" and [o["formula"]["text"] for o in report["outputs"]] == [formula], report[
        "outputs"
    ]


def test_numbers_of_launches_that_see_a_tensor_in_two_ways_are_related(integers, tmp_path):
    """Rows, and then all of them as memory: as many places as in the launch that was given. One element, and then all of them: nothing is shown."""

    def report(kernel, arguments, *shape):
        launches = [(kernel, arguments), ("copy", {"x_ptr": "z", "y_ptr": "y", "n": 15})]
        operation = {
            "schema": 1,
            "name": "twice",
            "tensors": {"x": {"dtype": "f32", "shape": shape}} | {t: {"dtype": "f32", "shape": [15]} for t in "yz"},
            "launches": [
                {
                    "file": str(FORMS / f"launches.{name}.ttir"),
                    "grid": [1],
                    "args": {"x_ptr": "x", "y_ptr": "y"} | given,
                }
                for name, given in launches
            ],
        }
        (tmp_path / "twice.json").write_text(json.dumps(operation))
        return lift([tmp_path / "twice.json"], emit=()).report

    rows = report("turn", {"M": 3, "N": 5, "sx": 5, "tx": 1, "sy": 5, "ty": 1}, 3, 5)
    assert rows["verdict"] == "proved" and [
        a["text"] for a in rows["assumptions"] if a["kind"] == "launch" and a["text"].endswith(" = n")
    ] == ["M*sy + N*ty + 1 - sy - ty = n", "M*N = n"], rows
    assert report("add_up", {"n": 15}, 15)["reason"]["code"] == "views"


def test_what_kernels_state_of_their_arguments_does_not_exclude_itself(integers, tmp_path):
    """The one that is given M and N states M < N, the one that is given N and M states N < M: no sizes are both."""

    def verdict(*sizes):
        launches = [
            {
                "file": str(FORMS / "launches.stated.ttir"),
                "grid": [f"cdiv({n},32)"],
                "args": {"x_ptr": x, "y_ptr": y, "n": n, "m": m},
            }
            for x, y, n, m in sizes
        ]
        shapes = {name: {"dtype": "f32", "shape": [n]} for x, y, n, _ in sizes for name in (x, y)}
        (tmp_path / "stated.json").write_text(
            json.dumps({"schema": 1, "name": "stated", "tensors": shapes, "launches": launches})
        )
        report = lift([tmp_path / "stated.json"], emit=()).report
        return report["verdict"], report["reason"] and report["reason"]["code"]

    assert verdict(("a", "b", "N", "M")) == ("proved", None) and verdict(
        ("a", "b", "N", "M"), ("c", "d", "M", "K")
    ) == ("proved", None)
    assert verdict(("a", "b", "N", "M"), ("c", "d", "M", "N")) == ("unknown", "no-launch")


def test_a_number_has_no_name_of_a_tensor(integers, tmp_path):
    operation = {
        "schema": 1,
        "name": "scaled",
        "tensors": {"s": {"dtype": "f32", "shape": ["n"]}},
        "launches": [
            {
                "file": str(FORMS / "launches.scale.ttir"),
                "grid": ["cdiv(n,32)"],
                "args": {"x_ptr": "s", "n": "n", "s": 2},
            }
        ],
    }
    (tmp_path / "scaled.json").write_text(json.dumps(operation))
    report = lift([tmp_path / "scaled.json"], emit=()).report
    assert report["verdict"] == "proved" and report["outputs"][0]["formula"]["text"] == "s_1 * s", report["outputs"]


def of_integers(tmp_path, *calls):
    """An operation of kernels of forms/launches.py, one program for each of n integers: (kernel, arguments by place)."""
    names = sorted({name for _, *arguments in calls for name in arguments})
    operation = {
        "schema": 1,
        "name": "steps",
        "tensors": {name: {"dtype": "i32", "shape": ["n"]} for name in names},
        "launches": [
            {
                "file": str(FORMS / f"launches.{form}.ttir"),
                "grid": ["n"],
                "args": {f"arg{i}": name for i, name in enumerate(arguments)},
            }
            for form, *arguments in calls
        ],
    }
    path = tmp_path / "steps.json"
    path.write_text(json.dumps(operation))
    return path


@pytest.mark.parametrize(
    "calls, y, wrong",
    [
        ([("same", "x", "y"), ("add", "z", "y")], "y[i] = wrap32(x[i] + z[i])", "x + z"),
        ([("add", "x", "y"), ("add", "z", "y")], "y[i] = wrap32(x[i] + y[i] + z[i])", "y + x + z"),
        (
            [("add", "x", "t"), ("sign", "t", "y")],
            "y[i] = where(wrap32(t[i] + x[i]) > 0, 1, 0)",
            "where(t + x > 0, 1, 0)",
        ),
        (
            [("same", "x", "t"), ("add", "z", "t"), ("most", "t", "y")],
            "y[i] max= wrap32(x[i] + z[i])",
            "maximum(y, x + z)",
        ),
        ([("same", "x", "y"), ("most", "z", "y")], "y[i] = max(x[i], z[i])", "maximum(y, z)"),
    ],
)
def test_memory_of_integers_wraps_between_launches(calls, y, wrong, integers, tmp_path):
    path = of_integers(tmp_path, *calls)
    report = lift([path], emit=()).report
    assert report["verdict"] == "proved" and next(o["pointwise"] for o in report["outputs"] if o["name"] == "y") == y
    assert json.loads(run("check", "--json", path, "-e", f"y = {wrong}").stdout)["verdict"] != "proved"


@pytest.mark.parametrize(
    "form, grid, left, first, second",
    [
        ("ticket", ["n"], "[i]", "atomic_9(i, 0, 0)", "atomic_9_2(i, 0, 0)"),
        ("tickets", ["n", "m", "k"], "[i, j, l]", "atomic_17(i, j, l)", "atomic_17_2(i, j, l)"),
    ],
)
def test_what_atomics_return_is_another_number_in_each_launch(form, grid, left, first, second, integers, tmp_path):
    path = of_integers(tmp_path, (form, "c", "a"), (form, "c", "b"), ("equal", "a", "b", "o"))
    operation = json.loads(path.read_text())
    for part, entry in [(t, "shape") for t in operation["tensors"].values()] + [
        (launch, "grid") for launch in operation["launches"]
    ]:
        part[entry] = grid
    path.write_text(json.dumps(operation))
    report = lift([path], emit=()).report
    wanted = {
        "a": f"a{left} = {first}",
        "b": f"b{left} = {second}",
        "c": f"c{left} = wrap32(c{left} + 2)",
        "o": f"o{left} = where({first} == {second}, 1, 0)",
    }
    assert report["verdict"] == "proved" and {o["name"]: o["pointwise"] for o in report["outputs"]} == wanted
    text = run("lift", "--stop-after", "pointwise", path).stdout
    (tmp_path / "steps.pw").write_text(text)
    assert run("lift", "--stop-after", "pointwise", tmp_path / "steps.pw").stdout == text
    assert json.loads(run("check", "--json", path, path).stdout)["verdict"] == "proved"
    assert json.loads(run("check", "--json", path, "-e", "o = 0 * c + 1").stdout)["verdict"] != "proved"


@pytest.mark.parametrize(
    "kind, calls, verdict",
    [
        ("bounds", [("place", "x", "t"), ("pick", "x", "t", "o")], "unknown"),
        ("bounds", [("same", "u", "t"), ("same", "t", "v"), ("pick", "x", "v", "o")], "unknown"),
        ("bounds", [("ticket", "t", "v"), ("pick", "x", "v", "o")], "unknown"),
        ("bounds", [("same", "u", "x"), ("pick", "x", "t", "o")], "refuted"),  # no launch writes t
        ("bounds", [("pick", "x", "t", "o"), ("place", "x", "t")], "refuted"),  # a later one does
        ("division", [("same", "x", "t"), ("quotient", "x", "t", "o")], "unknown"),
        ("division", [("same", "u", "x"), ("quotient", "x", "t", "o")], "refuted"),
        ("alias", [("add", "x", "y"), ("add", "x", "y")], "refuted"),
        ("alias", [("zeros", "x", "y"), ("negate", "y"), ("negate", "y")], "unknown"),
    ],
)
def test_what_an_earlier_launch_leaves_refutes_no_later_one(kind, calls, verdict, integers, tmp_path):
    report = lift([of_integers(tmp_path, *calls)], emit=()).report
    found = [o for o in report["obligations"] if o["kind"] == kind and o["verdict"] != "proved"]
    assert {o["verdict"] for o in found} == {verdict}, report["obligations"]
    assert verdict == "refuted" or all("an earlier launch writes" in o["detail"] for o in found)


def test_what_an_earlier_launch_leaves_is_no_input(tmp_path):
    """log(sum(p)) alone is undefined for some p; after a launch that fills p, nothing is said of other contents of it."""
    compiled_forms(ROOT / "tests/python/forms/two_steps.py")
    shapes = {"x": ["M", "N"], "p": ["M", "N"], "y": ["M"]}
    operation = {
        "schema": 1,
        "name": "steps",
        "tensors": {name: {"dtype": "f32", "shape": shape} for name, shape in shapes.items()},
        "launches": [
            {
                "file": str(FORMS / "two_steps.exponentials.ttir"),
                "kernel": "exponentials",
                "grid": ["M"],
                "args": {"x_ptr": "x", "p_ptr": "p", "N": "N"},
            },
            {
                "file": str(FORMS / "two_steps.logarithm.ttir"),
                "kernel": "logarithm",
                "grid": ["M"],
                "args": {"p_ptr": "p", "y_ptr": "y", "N": "N"},
            },
        ],
    }
    path = tmp_path / "steps.json"
    path.write_text(json.dumps(operation))
    report = lift([path]).report
    assert report["verdict"] == "proved" and report["safety"] == "unknown"
    assert {o["verdict"] for o in report["obligations"] if o["kind"] == "undefined"} == {"proved", "unknown"}
