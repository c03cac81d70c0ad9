"""The answer for a person: at most 25 lines, formulas that are long with names for their parts; with the parts put back, each
formula is that of the JSON."""

import ast
import json
import re
import subprocess

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY, patient

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

LIGER = ROOT / "build" / "corpus" / "liger"


def run(*arguments):
    return subprocess.run(patient(*arguments), capture_output=True, text=True, check=False).stdout


def section(text, name):
    """The lines of a list, without its label."""
    lines, inside = [], False
    for line in text.splitlines()[1:]:
        inside = line[2:12].strip() == name if line[2:12].strip() else inside
        if inside:
            lines.append(line[14:])
    return lines


class PutBack(ast.NodeTransformer):
    def __init__(self, parts):
        self.parts = parts

    def visit_Name(self, node):  # noqa: N802 (the name is Python's)
        return self.visit(ast.parse(self.parts[node.id], mode="eval").body) if node.id in self.parts else node


def values(formula):
    """The right sides and conditions of a line; a pointwise form has several."""
    for piece in re.split("; ", formula):
        yield from re.split(" for ", re.sub(r"^\s*(?:\w+(?:\[[^=]*?\])? )?(?:[-+*|&^]|max|min)?= ", "", piece))


def put_back(formula, parts):
    return [
        ast.dump(PutBack(parts).visit(ast.parse(value.replace("[]", "[()]").strip(), mode="eval")))
        for value in values(formula)
    ]


def check(path):
    text, report = run("lift", "--no-prove", path), json.loads(run("lift", "--no-prove", "--json", path))
    assert len(text.splitlines()) <= 25
    lines, wheres = section(text, "formula"), section(text, "where")
    parts = dict(line.split(" = ", 1) for line in wheres)
    used = " ".join([*lines, *parts.values()])
    assert len(parts) <= 8
    if "see --json" in used:  # cut, or more outputs than are shown
        return 0
    assert all(len(re.findall(rf"\b{name}\b", used)) >= 1 for name in parts), parts
    for line, output in zip(lines, report["outputs"]):
        tensor = output["form"] == "tensor"
        shown = line.split(" = ", 1)[1].split(" for ")[0] if tensor else line.removesuffix("  (pointwise)")
        assert put_back(shown, {name: value.replace("[]", "[()]") for name, value in parts.items()}) == put_back(
            output["formula"]["text"], {}
        ), path
    return len(parts)


def test_texts_of_the_corpus(corpus):
    files = sorted(
        path for path in [*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")] if ".source." not in path.name
    )
    named = {path.name: check(path) for path in files}
    assert sum(count > 0 for count in named.values()) >= 10
    assert all(named[name] == 0 for name in ("softmax.ttir", "layer_norm.ttir", "attention.ttir"))


@pytest.mark.full  # as test_texts_of_the_corpus, of three times as many
@pytest.mark.skipif(not LIGER.is_dir(), reason="the kernels of Liger are not compiled")
def test_texts_of_liger():
    assert sum(check(path) > 0 for path in sorted(LIGER.glob("*.ttir")) if ".source." not in path.name) >= 10


def test_both_sides_of_a_comparison_share_their_parts(corpus):
    kernel = corpus / "loops" / "layer_norm_backward_dw_db.dw_db_partial_kernel.ttir"
    text = run("check", kernel, kernel)
    assert len(text.splitlines()) <= 25
    assert section(text, "left") == section(text, "right") and len(section(text, "where")) >= 2
