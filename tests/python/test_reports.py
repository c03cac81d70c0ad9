"""Kernels written after public bug reports: reports/*.ttir with the exit codes that are right, and variants of each kind, right and wrong, as
launches (reports/kernels.py). A wrong one is never proved and safe."""

import json
import subprocess

import pytest
from conftest import ROOT
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import load
from triton_tools.lifted import ASSAY, patient

HERE = ROOT / "tests" / "python" / "reports"
FORMS = load(HERE / "kernels.py").FORMS
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def answer(*command):
    done = subprocess.run(patient(*command, "--json"), capture_output=True, text=True, check=False, cwd=HERE)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    "code, command",
    [
        (0, "lift r98_min.json"),
        (0, "lift r98_and.json"),
        (0, "lift r93_pcopy8.json"),
        (0, "lift --grid 8 --shape x=n --shape y=n r93_pcopy8.ttir"),
        (0, "check r93_pcopy8.json -e y=x"),
        (0, "lift r97_same.json"),
        (1, "lift r21_bug.json"),
        (0, "lift r21_fixed.json"),
        (0, "lift r94_off.json"),
        (0, "lift r90_q_max.ttir"),
        (0, "lift r20_fixed.json"),
        (0, "lift r91_16_16.json"),
        (0, "lift r92_32c.json"),
        (0, "lift r92_64c.json"),
        (0, "lift tail_3_launch.json"),
        (0, "lift tail_3.ttir"),
    ],
)
def test_a_case_after_a_report(code, command):
    found, report = answer(*command.split())
    assert found == code, (report["verdict"], report["safety"], report["reason"], report["obligations"])


@pytest.fixture(scope="module")
def compiled():
    return compiled_forms(HERE / "kernels.py")


@pytest.mark.parametrize("name", FORMS)
def test_a_variant(name, compiled, tmp_path):
    form = FORMS[name]
    launch = {"file": str(compiled / f"kernels.{name}.ttir"), "grid": form["grid"], "args": form["args"]}
    (tmp_path / "launch.json").write_text(
        json.dumps({"schema": 1, "name": name, "tensors": form["tensors"], "launches": [launch]})
    )
    code, report = answer("lift", str(tmp_path / "launch.json"))
    assert code in form["codes"], (report["verdict"], report["safety"], report["reason"], report["obligations"])
    assert (report["reason"] or {}).get("code") != "lift-mismatch", report["reason"]
    assert "limit" not in form or any(
        (a["limit"] or "").startswith(form["limit"]) for a in report["assumptions"]
    ), report["assumptions"]
