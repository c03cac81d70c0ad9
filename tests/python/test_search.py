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
    done = subprocess.run(
        [ASSAY, "lift", "--json", "--explain", "--engine", "search", *args], capture_output=True, text=True, timeout=60
    )
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
    kept = [
        sum(
            int(n)
            for n in re.findall(
                r"(\d+) kept", "\n".join(steps(search("--no-top-down", *flag, corpus / "squared_relu.ttir")))
            )
        )
        for flag in ([], ["--no-prune"])
    ]
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


@pytest.mark.parametrize(
    "function, formula",
    [("rows", "mean(x ** 2, axis=1)"), ("outer", "3 + column(a) * b"), ("prefix", "cumsum(x, axis=0)")],
)
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


INVARIANTS = """
#include <math.h>
void prefix(int n, const double *x, double *y) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }
void blocks(int n, const double *x, double *y) { double carry = 0; for (int b = 0; b < n; b++) { double s = 0; for (int j = 0; j < 4; j++) { s += x[4*b + j]; y[4*b + j] = carry + s; } carry += s; } }
void blocks_bad(int n, const double *x, double *y) { double carry = 0; for (int b = 0; b < n; b++) { double s = 0; for (int j = 0; j < 4; j++) { s += x[4*b + j]; y[4*b + j] = carry + s; } carry = s; } }
double total(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
double kahan(int n, const double *x) { double s = 0, c = 0; for (int i = 0; i < n; i++) { double y = x[i] - c, t = s + y; c = (t - s) - y; s = t; } return s; }
double kahan_bad(int n, const double *x) { double s = 0, c = 0; for (int i = 0; i < n; i++) { double y = x[i] - c, t = s + y; c = (t - s) + y; s = t; } return s; }
void mean_run(int n, const double *x, double *y) { double m = 0; for (int i = 0; i < n; i++) { m += (x[i] - m) / (i + 1); y[i] = m; } }
void mean_bad(int n, const double *x, double *y) { double m = 0; for (int i = 0; i < n; i++) { m += (x[i] - m) / (i + 2); y[i] = m; } }
void mean_ref(int n, const double *x, double *y) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s / (i + 1); } }
double doubled(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = 3*b - 2*a; a = b; b = t; } return a; }
double doubled_ref(int n) { double p = 1; for (int i = 0; i < n; i++) p *= 2; return p - 1; }
double doubled_bad(int n) { double p = 1; for (int i = 0; i < n; i++) p *= 2; return p; }
double steps(int n, double a0, double b0) { double a = a0, b = b0; for (int i = 0; i < n; i++) { double t = 2*b - a; a = b; b = t; } return a; }
double steps_ref(int n, double a0, double b0) { return a0 + n * (b0 - a0); }
double steps_bad(int n, double a0, double b0) { return a0 + n * (b0 + a0); }
double trap(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = i < 100 ? 2*b - a : 3*b; a = b; b = t; } return a; }
double squared(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = b*b + a; a = b; b = t; } return a; }
double golden(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = b + a; a = b; b = t; } return a; }
double decimals(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = 0.123456789012 * b + 1234567890.5 * a; a = b; b = t; } return a; }
double decimals_bad(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++) { double t = 0.123456789012 * b + 2234567890.5 * a; a = b; b = t; } return a; }
"""


@pytest.fixture(scope="module")
def invariants(tmp_path_factory):
    source = tmp_path_factory.mktemp("invariants") / "loops.c"
    source.write_text(INVARIANTS)
    return source


@pytest.mark.parametrize(
    "left, right, verdict",
    [
        ("doubled", "doubled_ref", "proved"),
        ("doubled", "doubled_bad", "refuted"),
        ("steps", "steps_ref", "proved"),
        ("steps", "steps_bad", "refuted"),
        ("kahan", "total", "proved"),
        ("kahan_bad", "total", "refuted"),
        ("mean_bad", "mean_ref", "refuted"),
        ("blocks", "blocks_bad", "refuted"),
        ("decimals", "decimals", "proved"),
        ("decimals", "decimals_bad", "refuted"),
    ],
)
def test_invariants_of_loops(left, right, verdict, invariants):
    done = subprocess.run(
        [ASSAY, "check", "--json", f"{invariants}:{left}", f"{invariants}:{right}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert json.loads(done.stdout)["verdict"] == verdict


@pytest.mark.parametrize(
    "function, formula",
    [
        ("doubled", "2 ** n - 1"),
        ("kahan", "sum(x)"),
        ("mean_run", "cumsum(x, axis=0) / (index(n) + 1)"),
        ("blocks", None),
        ("prefix", "cumsum(x, axis=0)"),
        # what only the first members fit, what is not linear, and roots that are no rational numbers stay recurrences
        ("trap", "recur[k < n, s, u](0, 1, u, where(k <= 99, 2*u - s, 3*u))"),
        ("squared", "recur[k < n, s, u](0, 1, u, s + u ** 2)"),
        ("golden", "recur[k < n, s, u](0, 1, u, s + u)"),
        (
            "decimals",
            "recur[k < n, s, u](0, 1, u, 0.123456789012*u + 1234567890.5*s)",
        ),  # its members soon have more than 127 bits
    ],
)
def test_closed_forms_are_proved_by_induction(function, formula, invariants):
    done = subprocess.run(
        [ASSAY, "lift", "--json", "--explain", f"{invariants}:{function}"], capture_output=True, text=True, timeout=60
    )
    answer = json.loads(done.stdout)
    shown = answer["outputs"][0]["formula"]
    assert answer["verdict"] == "proved" and any(
        "one iteration keeps the invariant" in step for step in answer["steps"]
    )
    assert formula in (None, shown["text"], shown["raw"], shown["text"].removeprefix("result = "))
    assert formula or "recur" not in shown["text"]
