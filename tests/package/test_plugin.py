"""The pytest plugin. (A file of references must not speak of monkeypatch, which may change any of its names.)"""

import json

import pytest
from conftest import ROOT

pytest.importorskip("torch")
pytest.importorskip("triton")

WRONG = """
import sys
sys.path[:0] = [{python!r}, {here!r}]
import assay, kernels, pytest, torch
from assay.testing import assert_equivalent

def add(x, y):
    return x + y

@pytest.mark.assay
@pytest.mark.parametrize("kernel", [kernels.add_kernel, kernels.wrong_add_kernel])
def test_add(kernel):
    x = torch.empty(1000)
    assert_equivalent(assay.trace(kernel)[(4,)].launches(x, x.clone(), x.clone(), 1000, BLOCK=256), add)
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_plugin_reports_and_shows_the_bug(pytester, monkeypatch, workers):
    pytester.makepyfile(WRONG.format(python=str(ROOT / "python"), here=str(ROOT / "tests" / "package")))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))  # where the wheel would be installed
    report = pytester.path / "report.jsonl"
    done = pytester.runpytest_subprocess("-p", "assay.pytest_plugin", f"--assay-report={report}", *workers)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*First element that differs*"])
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert sorted(line["verdict"] for line in lines) == ["proved", "refuted"]
