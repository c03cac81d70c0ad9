"""Kernels that people write, right and wrong, of the kinds that have led to false verdicts: sound/*.py lists for each form the exit codes that are right.

`verdicts`: on values; `reason`, `no_reason`: the code of the reason; `states`: assumptions that must stand there; `never`: a text that no assumption may have; `signs`: all that is assumed of float arguments;
`stated`: an assumption of kind stated speaks of that tensor; `finding`: a part of what an obligation says; `against`: a Python function to check against.
"""

import json
import subprocess

import pytest
from conftest import ROOT
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import load
from triton_tools.lifted import ASSAY, patient

FILES = sorted((ROOT / "tests" / "python" / "sound").glob("*.py"))
FORMS = {f"{path.stem}.{name}": form for path in FILES for name, form in load(path).FORMS.items()}
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


@pytest.fixture(scope="module")
def compiled():
    return compiled_forms(*FILES)


def answer(command):
    done = subprocess.run(patient(*command, "--json"), capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert (report["reason"] or {}).get("code") != "lift-mismatch", report["reason"]
    return done.returncode, report


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xfail(reason=form["open"], strict=True)) if "open" in form else name
        for name, form in FORMS.items()
    ],
)
def test_form(name, compiled, tmp_path):
    form = FORMS[name]
    command = ["lift", compiled / f"{name}.ttir"]
    if "against" in form:
        (tmp_path / "reference.py").write_text(
            f"import numpy as np\nimport torch\nimport torch.nn.functional as F\n\n\n{form['against']}"
        )
        command = ["check", compiled / f"{name}.ttir", f"{tmp_path / 'reference.py'}:reference"]
    elif "equals" in form:
        command = (
            ["check", compiled / f"{name}.ttir", "-e", form["equals"]]
            if "=" in form["equals"]
            else ["check", compiled / f"{name}.ttir", compiled / f"{form['equals']}.ttir"]
        )
    code, report = answer([*command, *form.get("flags", ())])
    assert code in form["codes"], (report["verdict"], report["safety"], report["reason"], report["obligations"])
    assert "verdicts" not in form or report["verdict"] in form["verdicts"], report["verdict"]
    told = [output["pointwise"] for output in report.get("outputs", [])]
    assert all(form.get("counts", "") in text for text in told), told
    assert "reason" not in form or report["reason"]["code"] == form["reason"], report["reason"]
    assert "no_reason" not in form or (report["reason"] or {}).get("code") != form["no_reason"], report["reason"]
    assumed = [(a["kind"], a["text"]) for a in report["assumptions"]]
    assert all(state in assumed for state in form.get("states", ())), assumed
    assert "never" not in form or not any(form["never"] in text for _, text in assumed), assumed
    assert (
        "signs" not in form or sorted(text for kind, text in assumed if kind == "positive") == form["signs"]
    ), assumed
    assert "stated" not in form or any(kind == "stated" and form["stated"] in text for kind, text in assumed), assumed
    assert "finding" not in form or any(
        form["finding"] in o["detail"] for o in report["obligations"] if o["verdict"] == "refuted"
    ), report["obligations"]
    under = {id for o in report["obligations"] for id in o["under"]}
    assert all(a["id"] in under for a in report["assumptions"] if a["kind"] == "positive"), report["obligations"]
