"""Forms that public kernels use a lot, one small kernel each (tests/python/forms): what is proved of it, and that its wrong
neighbours are not proved to be the same."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import load
from triton_tools.lifted import ASSAY, lift, patient

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests" / "python" / "forms").glob("*.py"))
FORMS = {f"{path.stem}.{name}": form for path in FILES for name, form in load(path).FORMS.items()}
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


@pytest.fixture(scope="module")
def compiled():
    return compiled_forms(*FILES)


def formulas(lifted):
    return [
        (output["name"], output["formula"]["text"]) for output in lifted.report.get("outputs", []) if output["formula"]
    ]


def assumed_positive(lifted):
    return [(a["kind"], a["text"]) for a in lifted.report["assumptions"] if a["kind"] == "positive"]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, form in FORMS.items()
        if not form.get("wrong")
        and "race" not in form
        and "unsafe" not in form
        and "unproved" not in form
        and "undefined" not in form
        and "says" not in form
        and "replay" not in form
    ],
)
def test_form_is_proved(name, compiled):
    form, lifted = FORMS[name], lift([compiled / f"{name}.ttir"], *FORMS[name].get("flags", ()), emit=())
    wanted = form["formula"] if isinstance(form["formula"], list) else [form["formula"]]
    assert [text for _, text in formulas(lifted)] == wanted, lifted.reason()
    assert "assumes" not in form or assumed_positive(lifted) == form["assumes"]
    assert "states" not in form or form["states"] in [a["text"] for a in lifted.report["assumptions"]]
    assert "roundings" not in form or lifted.report["roundings"] == form["roundings"]
    assert "shape" not in form or lifted.report["outputs"][0]["shape"] == form["shape"]
    shapes = {entry["name"]: entry["shape"] for entry in lifted.report["inputs"]}
    dtypes = {entry["name"]: entry["dtype"] for entry in lifted.report["inputs"]}
    assert all(dtypes[tensor] == dtype for tensor, dtype in form.get("dtypes", {}).items()), dtypes
    assert all(shapes[tensor] == shape for tensor, shape in form.get("inputs", {}).items()), shapes
    assert lifted.report["verdict"] == form.get("verdict", "proved"), lifted.reason()
    assert lifted.report["safety"] == form.get("safety", "proved"), [
        o for o in lifted.report["obligations"] if o["verdict"] != "proved"
    ]


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "other" in form])
def test_what_depends_on_the_launch_is_compared_in_one_launch(name, compiled):
    """Against itself, and against a form that computes something else."""
    for other, verdict in ((name, "proved"), (FORMS[name]["other"], "refuted")):
        done = subprocess.run(
            patient("check", "--json", compiled / f"{name}.ttir", compiled / f"{other}.ttir"),
            capture_output=True,
            text=True,
            check=False,
        )
        report = json.loads(done.stdout)
        assert report["verdict"] == verdict, report["reason"]
        assert any(a["text"].endswith("is the same on both sides") for a in report["assumptions"])


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "against" in form])
def test_form_against_a_textbook(name, compiled, tmp_path):
    """A Python function, for whatever the form prints: what is wrong is not proved to be that."""
    reference = tmp_path / "reference.py"
    reference.write_text(f"import torch\n\n\n{FORMS[name]['against']}")
    done = subprocess.run(
        patient("check", "--json", compiled / f"{name}.ttir", f"{reference}:textbook"),
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    assert (report["verdict"] == "proved") == (not FORMS[name].get("wrong")), report["reason"]


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "race" in form])
def test_race_is_what_can_be_said(name, compiled):
    lifted = lift([compiled / f"{name}.ttir"], emit=())
    races = {o["verdict"] for o in lifted.report["obligations"] if o["kind"] == "race"}
    assert races == {FORMS[name]["race"]} and lifted.report["verdict"] != "proved"


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "unsafe" in form])
def test_what_may_be_undefined_is_not_proved_safe(name, compiled):
    lifted = lift([compiled / f"{name}.ttir"], emit=())
    undefined = {o["verdict"] for o in lifted.report["obligations"] if o["kind"] == "undefined"}
    assert undefined & {"refuted", "unknown"} and lifted.report["safety"] != "proved"


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "undefined" in form])
def test_what_is_undefined_is_refuted_where_inputs_alone_are_not_to_blame(name, compiled):
    lifted = lift([compiled / f"{name}.ttir"], emit=())
    undefined = [o for o in lifted.report["obligations"] if o["kind"] == "undefined" and o["verdict"] != "proved"]
    assert {o["verdict"] for o in undefined} == {FORMS[name]["undefined"]}
    if FORMS[name]["undefined"] == "refuted":
        of_values = [o for o in undefined if "no load defined" not in o["detail"]]  # there an input may decide a mask
        assert all(float(value) > 0 for o in of_values for value in o["witness"]["inputs"].values())


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "says" in form])
def test_what_is_said_of_it(name, compiled):
    report = lift([compiled / f"{name}.ttir"], emit=()).report
    said = " ".join([(report["reason"] or {}).get("text", ""), *(o["detail"] or "" for o in report["obligations"])])
    assert (
        report["verdict"] != "proved"
        and all(text in said for text in FORMS[name]["says"])
        and "indices in memory" not in said
    ), said


REPLAYED = [name for name, form in FORMS.items() if "replay" in form]


@pytest.mark.parametrize("name", [REPLAYED[0], *(pytest.param(name, marks=pytest.mark.full) for name in REPLAYED[1:])])
def test_race_shows_again_in_tritons_interpreter(name, compiled, tmp_path):
    form, file = FORMS[name], compiled / f"{name}.ttir"
    races = [
        o for o in lift([file], emit=()).report["obligations"] if o["kind"] == "race" and o["verdict"] == "refuted"
    ]
    assert any(form["replay"] in race["detail"] for race in races), races
    script = tmp_path / "replay.py"
    script.write_text(
        subprocess.run(patient("lift", file, "--emit", "replay"), capture_output=True, text=True, check=False).stdout
    )
    constants = [f"{key}={value!r}" for key, value in form["constexprs"].items()]
    done = subprocess.run(
        [sys.executable, script, ROOT / "tests/python/forms" / f"{name.split('.')[0]}.py", *constants],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "reproduced", done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if "unproved" in form])
def test_what_breaks_a_bound_is_not_proved_safe(name, compiled):
    lifted = lift([compiled / f"{name}.ttir"], emit=())
    assert lifted.report["verdict"] and lifted.report["safety"] in ("refuted", "unknown")


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.get("wrong")])
def test_wrong_neighbour_is_not_proved(name, compiled):
    """`wrong` names what must not be said of it: "verdict" that it is proved, "formula" that it computes that formula."""
    form, lifted = FORMS[name], lift([compiled / f"{name}.ttir"], *FORMS[name].get("flags", ()), emit=())
    assert lifted.report["verdict"] and not any(
        assumption["kind"] == "user" for assumption in lifted.report["assumptions"]
    )
    assert "assumes" not in form or assumed_positive(lifted) == form["assumes"]
    proved = lifted.report["verdict"] == "proved"
    same = form.get("formula") in [text for _, text in formulas(lifted)] if "formula" in form else True
    assert not (proved and same), formulas(lifted)


def test_a_vector_without_a_shape_is_asked_for_it(compiled, tmp_path):
    reference = tmp_path / "reference.py"
    reference.write_text("import torch\n\n\ndef scaled(x, v):\n    return x * v\n")
    flags = ["--shape", "x_ptr=n,n", "--shape", "y_ptr=n,n", "--assume", "n % 64 == 0"]
    arguments = patient("check", "--json", compiled / "whole_tiles.columns.ttir", f"{reference}:scaled", *flags)
    told = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=False).stdout)["diagnostics"]
    assert [d["code"] for d in told] == ["reference.operator"] and "--shape v_ptr=" in told[0]["help"], told
    for name, verdict in (("columns", "proved"), ("rows", "refuted")):
        arguments[3] = compiled / f"whole_tiles.{name}.ttir"
        report = json.loads(
            subprocess.run([*arguments, "--shape", "v_ptr=n"], capture_output=True, text=True, check=False).stdout
        )
        assert report["verdict"] == verdict, report["reason"]


def test_an_atomic_sum_wraps_as_the_stored_one_does(compiled):
    for other, verdict in (("held_by_store", "proved"), ("held_of_two", "refuted")):
        arguments = patient("check", "--json", compiled / "atomics.held.ttir", compiled / f"atomics.{other}.ttir")
        assert (
            json.loads(subprocess.run(arguments, capture_output=True, text=True, check=False).stdout)["verdict"]
            == verdict
        )
