"""The pytest plugin: results of `assay.testing.assert_equivalent` are collected, reported and, where a kernel is
unsafe although its values are right, told as warnings or errors.

    pytest --assay-report=FILE          one line of JSON for each assertion (also with pytest-xdist)
    assay_findings = error|warning|ignore   (in pytest.ini) what is not proved of safety; the default is warning
    @pytest.mark.assay                  marks tests that ask Assay: pytest -m assay
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path

import pytest

from . import testing

CHOICES = ("error", "warning", "ignore")


class FindingWarning(UserWarning):
    """A kernel whose values are right, and of whose safety something is refuted or unknown."""


def pytest_addoption(parser):
    group = parser.getgroup("assay")
    group.addoption("--assay-report", metavar="FILE", help="write a line of JSON for each assertion of assay.testing")
    parser.addini("assay_findings", "what is not proved of safety: error, warning or ignore", default="warning")


def pytest_configure(config):
    config.addinivalue_line("markers", "assay: the test asks Assay what a kernel computes")
    if config.getini("assay_findings") not in CHOICES:
        raise pytest.UsageError(f"assay_findings is one of {', '.join(CHOICES)}")
    report = config.getoption("--assay-report")
    if report and not hasattr(config, "workerinput"):
        Path(report).write_text("")


def _findings(result, choice):
    unproved = [f for f in result.findings if f["verdict"] != "proved"]
    if choice == "ignore" or not unproved:
        return
    text = "; ".join(f"{f['where']}: {f['kind']} {f['verdict']}: {f['detail']}" for f in unproved)
    if choice == "error":
        raise AssertionError(text)
    warnings.warn(FindingWarning(text), stacklevel=3)


@pytest.fixture(autouse=True)
def _assay_results(request, monkeypatch):
    """Wraps the comparison for the length of a test; a line is appended at once, so that workers share the file."""
    report = request.config.getoption("--assay-report")
    choice = request.config.getini("assay_findings")
    check = testing._calls.check

    def checked(*args, **kwargs):
        result = check(*args, **kwargs)
        if report:
            line = (
                json.dumps(
                    {
                        "test": request.node.nodeid,
                        "kernel": result.json.get("kernel"),
                        "verdict": result.verdict,
                        "safety": result.safety,
                    }
                )
                + "\n"
            )
            descriptor = os.open(report, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            os.write(descriptor, line.encode())
            os.close(descriptor)
        if result.safety != "refuted":
            _findings(result, choice)
        return result

    if request.node.get_closest_marker("assay") or report:
        monkeypatch.setattr(testing, "_compare", checked)
    yield
