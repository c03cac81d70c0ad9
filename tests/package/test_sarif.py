"""What is written for code review tools, against a model of SARIF 2.1.0. Skipped where that is not installed (tools/venv.sh
extras)."""

import json

import pytest
from conftest import ROOT

import assay

sarif = pytest.importorskip("sarif_pydantic")


def reports():
    examples = ROOT / "examples"
    yield assay.lift(examples / "k_tail_unmasked.launch.json")
    yield assay.lift(examples / "softmax.ttir")
    yield assay.check(examples / "softmax_padded_with_zero.ttir", assay.Formula("y_ptr = softmax(x_ptr, axis=1)"))


def test_findings_are_what_sarif_asks_for():
    for result in reports():
        text = json.loads(result.reports["sarif"])
        sarif.Sarif.model_validate(text)
        assert text["version"] == "2.1.0"
        found = text["runs"][0]["results"]
        assert bool(found) == (result.exit_code == 1)
    found[0]["level"] = "grave"
    with pytest.raises(ValueError):
        sarif.Sarif.model_validate(text)
