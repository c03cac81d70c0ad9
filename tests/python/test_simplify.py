"""`--explain=simplify` says which law changed what; constants of kernels come back, and decimals that somebody wrote stay."""
import json
import subprocess

import pytest
from triton_tools.lifted import ASSAY

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def lift(*args):
    done = subprocess.run([ASSAY, "lift", "--json", *args], capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


@pytest.mark.parametrize("kernel, laws", [
    ("softmax", ["softmax"]), ("silu", ["natural-exponential", "sigmoid"]), ("layer_norm", ["mean", "variance", "layer-norm"]),
    ("loops/attention", ["softmax", "quotient-into-matmul"]), ("add", []),
])
def test_steps_are_named(kernel, laws, corpus):
    answer = lift("--explain=simplify", corpus / f"{kernel}.ttir")
    steps = answer.get("steps", [])
    assert all(step.startswith("simplify: ") and " = " in step for step in steps)
    assert list(dict.fromkeys(step.split(": ")[2] for step in steps)) == laws
    if steps:  # the last step ends in the formula, the raw one stands beside it
        output = answer["outputs"][-1]["formula"]
        assert len(output["text"]) < len(output["raw"])


def test_no_simplify_has_no_steps(corpus):
    assert "steps" not in lift("--explain=simplify", "--no-simplify", corpus / "softmax.ttir")


SOURCE = """
#include <math.h>
void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = %s; }
"""


@pytest.mark.parametrize("value, formula, constant", [
    ("x[i] * 0.70710678f", "x / sqrt(2)", "1/sqrt(2)"),
    ("x[i] * 0.7978845608028654f", "sqrt(2 / pi) * x", "sqrt(2/pi)"),
    ("exp2f(x[i] * 1.44269504f)", "exp(x)", "log2(e)"),
    ("exp2f(x[i] * (1.44269504f * 0.0883883476f))", "exp(x / sqrt(128))", "log2(e)/sqrt(128)"),
    ("exp2f(x[i] * 0.1275174f)", "exp(x / sqrt(128))", "log2(e)/sqrt(128)"),
    ("x[i] / 0.9f", "x / 0.9", None),
    ("x[i] * 0.044715f", "0.044715 * x", None),
    ("x[i] * 0.70711f", "0.70711 * x", None),
    ("x[i] * 0.70710699f", "0.707107 * x", None),  # three ulp off
])
def test_constants(value, formula, constant, tmp_path):
    source = tmp_path / "f.c"
    source.write_text(SOURCE % value)
    answer = lift(f"{source}:f")
    assert answer["verdict"] == "proved"
    assert answer["outputs"][0]["formula"]["text"] == formula
    found = [a["text"] for a in answer["assumptions"] if a["kind"] == "constant"]
    assert [text.split(" is ")[1].split(" = ")[0] for text in found] == ([constant] if constant else [])
