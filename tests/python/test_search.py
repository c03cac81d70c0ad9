"""`--engine search` lifts the operators of the lifting paper, and what it proposes is never more than a proposal."""

import json
import re
import subprocess

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY, patient

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

OPERATORS = re.findall(r"^\| [^|]+ \| `([\w/]+)` \|", (ROOT / "docs" / "invariants.md").read_text(), re.MULTILINE)
SIMPLE = ["add", "neg", "zeros", "exp", "sum", "max", "loops/matmul", "relu"]  # enumeration alone finds these


def search(*args):
    done = subprocess.run(
        patient("lift", "--json", "--explain", "--engine", "search", *args), capture_output=True, text=True
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


@pytest.mark.parametrize(
    "kernel, found, end",
    [
        ("loops/matmul_split_k", "sum[k < K](a_ptr[i, k]*b_ptr[k, j])", "random evaluation refutes what was found"),
    ],
)
def test_a_search_that_was_given_up_is_told(kernel, found, end, corpus):
    """Deduction asked for it, and what deduction found is kept."""
    done = subprocess.run(
        patient("lift", "--json", "--explain=search", corpus / f"{kernel}.ttir"), capture_output=True, text=True
    )
    told = steps(json.loads(done.stdout))
    assert told[0].startswith("search: at ") and any(found in step for step in told) and end in told[-1], told
    plain = subprocess.run(patient("lift", "--json", corpus / f"{kernel}.ttir"), capture_output=True, text=True)
    assert "search:" not in plain.stdout


def test_a_formula_of_a_few_elements_is_not_taken_for_one_of_all(tmp_path):
    """Conditions decide r: at each of the small sizes a few elements by their places are all that there are, and few
    draws go another way."""
    body = "_Bool r = 1; for (int i = 0; i != n; ++i) { if (-b[i] <= r) r = -b[i]; } return r;"
    source = tmp_path / "bits.c"
    source.write_text(f"_Bool f(int n, const double *b) {{ {body} }}")
    answer = json.loads(subprocess.run(patient("lift", "--json", source), capture_output=True, text=True).stdout)
    formula = answer["outputs"][0]["formula"]["text"]
    assert answer["verdict"] in ("proved", "probable") and "b[1]" not in formula and "any[" in formula, formula


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
        patient("check", "--json", f"{invariants}:{left}", f"{invariants}:{right}"),
        capture_output=True,
        text=True,
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
        patient("lift", "--json", "--explain", f"{invariants}:{function}"), capture_output=True, text=True
    )
    answer = json.loads(done.stdout)
    shown = answer["outputs"][0]["formula"]
    assert answer["verdict"] == "proved" and any(
        "one iteration keeps the invariant" in step for step in answer["steps"]
    )
    assert formula in (None, shown["text"], shown["raw"], shown["text"].removeprefix("result = "))
    assert formula or "recur" not in shown["text"]


# deduction leaves these recurrences: the search runs them for a few steps and proposes what they are after t of them
PROPOSED = """
#include <math.h>
float twice(int n, float a0, float a1) { float a = a0, b = a1; for (int i = 0; i < n; i++) { float c = 4*b - 4*a; a = b; b = c; } return a; }
float twice_ref(int n, float a0, float a1) { float p = 1; for (int i = 0; i < n; i++) p *= 2; return a0 * p + (a1 - 2*a0) * n * p / 2; }
float twice_bad(int n, float a0, float a1) { float p = 1; for (int i = 0; i < n; i++) p *= 2; return a0 * p + (a1 - a0) * n * p / 2; }
float fed(int n, float a0, float a1, const float *x) { float a = a0, b = a1; for (int i = 0; i < n; i++) { float c = 3*b - 2*a + x[i]; a = b; b = c; } return a; }
float fed_ref(int n, float a0, float a1, const float *x) { float p = 1, s = 0, r = 0; for (int i = 0; i < n; i++) { p *= 2; s = 2*s + x[i]; r += x[i]; } return a0 * (2 - p) + a1 * (p - 1) + s - r; }
float fed_bad(int n, float a0, float a1, const float *x) { float p = 1, s = 0, r = 0; for (int i = 0; i < n; i++) { p *= 2; s = 2*s + x[i]; r += x[i]; } return a0 * (2 - p) + a1 * (p - 1) + s + r; }
float three(int n, float a0, float a1, float a2) { float a = a0, b = a1, c = a2; for (int i = 0; i < n; i++) { float d = 6*c - 11*b + 6*a; a = b; b = c; c = d; } return a; }
float three_ref(int n, float a0, float a1, float a2) { float p = 1, q = 1; for (int i = 0; i < n; i++) { p *= 2; q *= 3; } return (6*a0 - 5*a1 + a2) / 2 + (-3*a0 + 4*a1 - a2) * p + (2*a0 - 3*a1 + a2) / 2 * q; }
float three_bad(int n, float a0, float a1, float a2) { float p = 1, q = 1; for (int i = 0; i < n; i++) { p *= 2; q *= 3; } return (6*a0 - 5*a1 + a2) / 2 + (-3*a0 + 4*a1 - a2) * p + (2*a0 - 3*a1 + a2) / 2 * p; }
float half(int n, float x) { float y = x; for (int i = 0; i < n; i++) y = y / (1 + y); return y; }
float half_ref(int n, float x) { return x / (1 + n * x); }
float half_bad(int n, float x) { return x / (1 + (n - 1) * x); }
float moebius(int n, float x) { float y = x; for (int i = 0; i < n; i++) y = y / (2 + 3*y); return y; }
float length(int n, const float *x) { float c = 0; for (int i = 0; i < n; i++) c = sqrtf(c*c + x[i]*x[i]); return c; }
float length_from(int n, float c, const float *x) { for (int i = 0; i < n; i++) c = sqrtf(c*c + x[i]*x[i]); return c; }
float length_maybe(int n, float c, const float *x) { for (int i = 0; i < n - 1; i++) c = sqrtf(c*c + x[i]*x[i]); return c; }
float length_wrong(int n, float c, const float *x) { float s = c * c; for (int i = 0; i < n - 1; i++) s += x[i]*x[i]; return sqrtf(s); }
void stored(int n, float a0, float a1, float *y) { float a = a0, b = a1; for (int i = 0; i < n; i++) { y[i] = a; float c = 4*b - 4*a; a = b; b = c; } }
void rows(int m, int n, const float *x, float *y) { for (int r = 0; r < m; r++) { float a = 0, b = 1; for (int i = 0; i < n; i++) { float c = 3*b - 2*a + x[r*n + i]; a = b; b = c; } y[r] = a; } }
float later(int n, float a0) { float a = a0, b = 1; for (int i = 0; i < n; i++) { float c = i < 50 ? 4*b - 4*a : 5*b; a = b; b = c; } return a; }
float last(int n, float a0, const float *x) { float a = a0, b = 1; for (int i = 0; i < n; i++) { float c = 3*b - 2*a + (i < 40 ? x[i] : 0); a = b; b = c; } return a; }
float growing(int n, float a0) { float a = a0; for (int i = 0; i < n; i++) a = a*a + 1; return a; }
float agm(int n, float a, float b) { for (int i = 0; i < n; i++) { float c = (a + b) / 2; b = sqrtf(a * b); a = c; } return a; }
float mixed(int n, float a, float b, float c, float d) { for (int i = 0; i < n; i++) { float e = a*b, f = c*d, g = a + d, h = b - c; a = e; b = f; c = g; d = h; } return a; }
float lorenz(int n, float x, float y, float z, float s, float r, float b, float h) { for (int i = 0; i < n; i++) { float u = s*(y - x), v = x*(r - z) - y, w = x*y - b*z; x += h*u; y += h*v; z += h*w; } return x; }
float nested(int n, int m, float x) { float y = x; for (int i = 0; i < n; i++) { float z = y; for (int j = 0; j < m; j++) z = z / (1 + z); y = z*z + 1; } return y; }
"""


@pytest.fixture(scope="module")
def proposed(tmp_path_factory):
    source = tmp_path_factory.mktemp("proposed") / "loops.c"
    source.write_text(PROPOSED)
    return source


def lifted(*args):
    done = subprocess.run(patient("lift", "--json", "--explain", *args), capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "function, formula",
    [
        ("twice", "2 ** n * ((1 - n) * a0 + 0.5 * (n * a1))"),
        ("fed", "sum(x * (2 ** (n - index(n) - 1) - 1)) + (2 ** n - 1) * a1 + (2 - 2 ** n) * a0"),
        ("half", "x / (1 + n * x)"),
        ("moebius", "x / (2 ** n + (3 * 2 ** n - 3) * x)"),
        ("length", "sqrt(sum(x ** 2))"),
        ("length_from", "sqrt(sum(x ** 2) + c ** 2)"),
        ("stored", "2 ** index(n) * (a0 * (1 - index(n)) + 0.5 * (a1 * index(n)))"),
        ("rows", "sum(x * (2 ** (n - index(n) - 1) - 1), axis=1) + 2 ** n - 1"),
    ],
)
def test_the_search_proposes_invariants(function, formula, proposed):
    assert "recur[" in lifted("--engine", "deduce", f"{proposed}:{function}")["outputs"][0]["formula"]["text"]
    answer = lifted(f"{proposed}:{function}")
    assert answer["verdict"] == "proved" and forms(answer) == {"tensor"}
    assert answer["outputs"][0]["formula"]["text"] == formula
    assert any(re.search(r"after t of \w+ steps", step) for step in steps(answer))
    # what the search says is shown, not believed
    assert any("the value stored to" in step and "induction" in step for step in answer["steps"])


# values of agm, mixed, lorenz and nested are squares of squares: they are left before they fill memory and time
@pytest.mark.parametrize("function", ["later", "last", "growing", "agm", "mixed", "lorenz", "nested"])
def test_an_invariant_of_the_first_steps_alone_is_none(function, proposed):
    answer = lifted("--engine", "search", f"{proposed}:{function}")
    assert answer["verdict"] == "proved" and "recur[" in answer["outputs"][0]["formula"]["text"]
    if function == "later":
        assert any("not shown for all sizes" in step for step in steps(answer))


@pytest.mark.parametrize("function", ["twice", "fed", "three", "half"])
def test_a_recurrence_is_compared_with_closed_forms(function, proposed):
    def verdict(left, right):
        done = subprocess.run(
            patient("check", "--json", f"{proposed}:{left}", f"{proposed}:{right}"),
            capture_output=True,
            text=True,
        )
        return json.loads(done.stdout)["verdict"]

    assert verdict(function, f"{function}_ref") == "proved"
    assert verdict(function, f"{function}_bad") == "refuted"
    # y / (1 + y) has no value where 1 + k x = 0 on the way, x / (1 + n x) does
    assert verdict(f"{function}_ref", function) == ("refuted" if function == "half" else "proved")


def test_a_closed_form_holds_at_the_first_value_too(proposed):
    done = subprocess.run(
        patient("check", "--json", f"{proposed}:length_maybe", f"{proposed}:length_wrong"),
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["verdict"] != "proved"  # n = 1, c < 0: c is not sqrt(c * c)


MLIR = """
func.func @two(%n: index, %a0: f64, %b0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k3 = arith.constant 4.0 : f64
  %k2 = arith.constant 4.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0) -> (f64, f64) {
    %x = arith.mulf %k3, %b : f64
    %y = arith.mulf %k2, %a : f64
    %z = arith.subf %x, %y : f64
    scf.yield %b, %z : f64, f64
  }
  return %r#0 : f64
}
func.func @later(%n: index, %a0: f64, %b0: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %k4 = arith.constant 4.0 : f64
  %k5 = arith.constant 5.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0) -> (f64, f64) {
    %early = arith.cmpi slt, %i, %c50 : index
    %k = arith.select %early, %k4, %k5 : f64
    %x = arith.mulf %k, %b : f64
    %y = arith.mulf %k4, %a : f64
    %z = arith.subf %x, %y : f64
    scf.yield %b, %z : f64, f64
  }
  return %r#0 : f64
}
"""


def test_it_serves_functions_of_mlir(tmp_path):
    source = tmp_path / "loops.mlir"
    source.write_text(MLIR)
    for engine in ("auto", "search"):  # what is proposed is proved, here too
        answer = lifted("--engine", engine, "--kernel", "two", source)
        assert answer["verdict"] == "proved" and "recur[" not in answer["outputs"][0]["formula"]["text"]
        assert any("what was found is shown for all sizes" in step for step in steps(answer))
    answer = lifted("--engine", "search", "--kernel", "later", source)
    assert answer["verdict"] == "proved" and "recur[" in answer["outputs"][0]["formula"]["text"]
    assert any("is not shown for all sizes" in step for step in steps(answer))


@pytest.mark.parametrize("function", ["softmax", "matmul_bias_relu"])
def test_it_finds_formulas_of_linalg(function):
    source = ROOT / "tests/mlir/lift/linalg.mlir"
    found, deduced = (lifted("--engine", engine, "--kernel", function, source) for engine in ("search", "deduce"))
    assert found["outputs"][0]["formula"]["text"] == deduced["outputs"][0]["formula"]["text"]
    assert any("depth limit" in step for step in steps(found)) and found["verdict"] == "proved"
