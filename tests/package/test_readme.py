"""The lines of the README's Python section run, and say what they promise."""

import sys
import textwrap

import pytest
from conftest import ROOT

pytest.importorskip("torch")
pytest.importorskip("triton")


def test_the_lines_of_the_readme_run(capsys):
    text = (ROOT / "README.md").read_text().split("### From Python", 1)[1].split("###", 1)[0]
    lines = [line for line in text.splitlines() if line.startswith("    ") or not line.strip()]
    code = textwrap.dedent("\n".join(lines)).strip()
    assert "assay.capture" in code
    sys.path.insert(0, str(ROOT / "examples" / "kernels"))
    scope = {}
    exec(code, scope)
    printed = capsys.readouterr().out
    assert "verdict     proved" in printed and "x_ptr + y_ptr" in printed
    last = eval(code.splitlines()[-1].split("#")[0], scope)
    assert last.verdict == "proved"
