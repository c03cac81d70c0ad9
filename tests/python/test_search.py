"""`--engine search` lifts the operators of the lifting paper, and what it proposes is never more than a proposal."""
import json
import re
import subprocess

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

OPERATORS = re.findall(r"^\| [^|]+ \| `([\w/]+)` \|", (ROOT / "docs" / "invariants.md").read_text(), re.MULTILINE)
SIMPLE = ["add", "neg", "zeros", "exp", "sum", "max", "loops/matmul", "relu"]  # enumeration alone finds these


def search(*args):
    done = subprocess.run([ASSAY, "lift", "--json", "--explain", "--engine", "search", *args], capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


def forms(answer):
    return {output["form"] for output in answer["outputs"]}


def steps(answer):
    return [step for step in answer["steps"] if step.startswith("search")]


def test_the_paper_has_33_operators():
    assert len(OPERATORS) == 33


@pytest.mark.parametrize("kernel", OPERATORS)
def test_an_operator_is_found_and_proved(kernel, corpus):
    answer = search(corpus / f"{kernel}.ttir")
    assert answer["verdict"] == "proved" and forms(answer) == {"tensor"}, steps(answer)
    assert any("split by" in step or "depth limit" in step for step in steps(answer))


@pytest.mark.parametrize("kernel", SIMPLE)
def test_enumeration_alone_finds_small_formulas(kernel, corpus):
    answer = search("--no-top-down", corpus / f"{kernel}.ttir")
    assert answer["verdict"] == "proved" and forms(answer) == {"tensor"}, steps(answer)
    assert not any("split by" in step for step in steps(answer))
    assert any("enumerated to depth" in step for step in steps(answer))


def test_enumeration_alone_does_not_find_attention(corpus):
    answer = search("--no-top-down", corpus / "loops/attention.ttir")
    assert forms(answer) == {"pointwise"} and any("no formula was found" in step for step in steps(answer))


def test_pruning_leaves_fewer_programs(corpus):
    kept = [sum(int(n) for n in re.findall(r"(\d+) kept", "\n".join(steps(search("--no-top-down", *flag, corpus / "squared_relu.ttir")))))
            for flag in ([], ["--no-prune"])]
    assert 0 < kept[0] < kept[1], kept


def test_what_holds_at_small_sizes_alone_is_not_claimed(corpus):
    answer = search(corpus / "loops/matmul_split_k.ttir")  # at small sizes it is a plain product
    assert forms(answer) == {"pointwise"} and answer["verdict"] == "proved"
    assert any("random evaluation refutes" in step for step in steps(answer))


LOOPS = """
void rows(int n, int m, const float *x, float *y) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j]; y[i] = s / m; } }
void outer(int n, const float *a, const float *b, float *y) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i * n + j] = a[i] * b[j] + 3; }
void prefix(int n, const float *x, float *y) { float s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }
"""


@pytest.mark.parametrize("function, formula", [("rows", "mean(x ** 2, axis=1)"), ("outer", "3 + column(a) * b"), ("prefix", "cumsum(x, axis=0)")])
def test_it_serves_loops_of_c(function, formula, tmp_path):
    source = tmp_path / "loops.c"
    source.write_text(LOOPS)
    answer = search(f"{source}:{function}")
    assert answer["verdict"] == "proved" and forms(answer) == {"tensor"}, steps(answer)
    assert answer["outputs"][0]["formula"]["text"] == formula


CHOICES = """
void far(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = i < 1000000 ? x[i] : 2 * x[i]; }
void equal(int n, const float *x, const float *a, const float *b, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] == 3 ? a[i] : b[i]; }
void same(int n, const float *x, const float *a, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] == 3 ? a[i] : a[i] + 0; }
"""


@pytest.fixture
def choices(tmp_path):
    source = tmp_path / "choices.c"
    source.write_text(CHOICES)
    return source


def test_what_is_not_proved_gives_way_to_the_values_as_executed(choices):
    answer = search(f"{choices}:far")  # y = x at every size that is looked at
    assert answer["verdict"] == "proved" and forms(answer) == {"pointwise"}
    assert any("not shown for all sizes" in step for step in steps(answer))
    answer = search("--no-prove", f"{choices}:far")  # nobody asks for a proof
    assert answer["verdict"] == "probable" and forms(answer) == {"tensor"}


def test_numbers_may_be_equal(choices):
    answer = search("--no-top-down", f"{choices}:equal")  # y = b but for one number
    assert answer["verdict"] == "proved" and forms(answer) == {"pointwise"}
    assert not any(": b[i]" in step for step in steps(answer)) and any("none fits" in step for step in steps(answer))
    answer = search(f"{choices}:equal")
    assert answer["verdict"] == "proved" and answer["outputs"][0]["formula"]["text"] == "where(x == 3, a, b)"
    answer = search("--no-top-down", f"{choices}:same")
    assert answer["verdict"] == "proved" and answer["outputs"][0]["formula"]["text"] == "a"
