"""`--explain=simplify` says which law changed what; constants of kernels come back, and decimals that somebody wrote stay."""

import inspect
import json
import re
import subprocess

import numpy as np
import pytest
import torch
from conftest import ROOT
from triton_tools.lifted import ASSAY, patient

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def lift(*args):
    done = subprocess.run(patient("lift", "--json", *args), capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "kernel, laws",
    [
        ("softmax", ["softmax"]),
        ("silu", ["natural-exponential", "sigmoid"]),
        ("layer_norm", ["mean", "variance", "layer-norm"]),
        ("loops/attention", ["softmax", "quotient-into-matmul"]),
        ("add", []),
    ],
)
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


def test_a_law_may_be_left_out(corpus):
    kernel = corpus / "softmax.ttir"
    text, without = (lift(*flags, kernel)["outputs"][-1]["formula"]["text"] for flags in ((), ("--no-law", "softmax")))
    assert "softmax(" in text and "softmax(" not in without
    done = subprocess.run(patient("lift", "--no-law", "nonsense", kernel), capture_output=True, text=True)
    assert done.returncode == 64 and "known: transpose-out" in done.stderr


def test_formulas_are_shortened_by_the_laws_that_are_asked_for(tmp_path):
    formula = tmp_path / "softmax.formula"
    formula.write_text("tensor x: f32[n]\ntensor y: f32[n]\ny[n] = exp(x - max(x)) / sum(exp(x - max(x)))\n")
    text, without, raw = (
        lift(*flags, formula)["outputs"][-1]["formula"]["text"]
        for flags in ((), ("--no-law", "softmax"), ("--no-simplify",))
    )
    assert text == "softmax(x, axis=0)" and without == "exp(x) / sum(exp(x))"
    assert raw == "exp(x - max(x)) / sum(exp(x - max(x)))"


SOURCE = """
#include <math.h>
void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = %s; }
"""


@pytest.mark.parametrize(
    "value, formula, constant",
    [
        ("x[i] * 0.70710678f", "x / sqrt(2)", "1/sqrt(2)"),
        ("x[i] * 0.7978845608028654f", "sqrt(2 / pi) * x", "sqrt(2/pi)"),
        ("exp2f(x[i] * 1.44269504f)", "exp(x)", "log2(e)"),
        ("exp2f(x[i] * (1.44269504f * 0.0883883476f))", "exp(x / sqrt(128))", "log2(e)/sqrt(128)"),
        ("exp2f(x[i] * 0.1275174f)", "exp(x / sqrt(128))", "log2(e)/sqrt(128)"),
        ("x[i] / 0.9f", "x / 0.9", None),
        ("x[i] * 0.044715f", "0.044715 * x", None),
        ("x[i] * 0.70711f", "0.70711 * x", None),
        ("x[i] * 0.70710699f", "0.707107 * x", None),  # three ulp off
    ],
)
def test_constants(value, formula, constant, tmp_path):
    source = tmp_path / "f.c"
    source.write_text(SOURCE % value)
    answer = lift(f"{source}:f")
    assert answer["verdict"] == "proved"
    assert answer["outputs"][0]["formula"]["text"] == formula
    found = [a["text"] for a in answer["assumptions"] if a["kind"] == "constant"]
    assert [text.split(" is ")[1].split(" = ")[0] for text in found] == ([constant] if constant else [])


SUMS = """
#include <math.h>
void f(int n, int N, const double *x, const double *y, double *o) {
  double s = 0, q = 0;
  for (int i = 0; i < n; i++) { s += exp(x[i]); q += x[i] * x[i]; }
  for (int i = 0; i < n; i++) { double a = x[i], b = y[i]; o[i] = %s; }
}
"""


@pytest.mark.parametrize(
    "value, conditions",
    [
        ("a / s", []),
        ("log(s)", []),
        ("a / (exp(a) + exp(-a))", []),
        ("a / sqrt(q / n + 1e-5)", []),
        ("a / (1 + fabs(b))", []),
        ("a / cosh(b)", []),
        ("a / (2 + sin(b))", []),
        ("a / (3 + tanh(b) - cos(a))", []),
        ("a / (1 + sin(b))", ["sin(y[i]) + 1 != 0"]),
        ("a / (s - 1)", ["sum[k < n](exp(x[k])) - 1 != 0"]),
        ("a / q", ["sum[k < n](x[k] ** 2) != 0"]),
        ("a / N", ["N != 0"]),
        ("a / (a * a)", ["x[i] != 0"]),
    ],
)
def test_conditions_say_something(value, conditions, tmp_path):
    """What always holds is no condition; what may fail is one."""
    source = tmp_path / "f.c"
    source.write_text(SUMS % value)
    answer = lift(f"{source}:f")
    assert answer["verdict"] == "proved" and answer["safety"] == "proved"
    assert [a["text"] for a in answer["assumptions"] if a["kind"] not in ("finite", "disjoint", "range")] == conditions


MATRIX, ROWS = {"x": "n, m", "y": "n, m"}, {"x": "n, m"}
HEADS = {"q": "h, n, d", "k": "h, m, d", "v": "h, m, d"}
CHANNELS = {"x": "n, c, l", **{name: "c" for name in "mvwb"}}
# idiom: tensors, shape of the output, its call, what it means, something near that it does not mean
IDIOMS = {
    "relu": (ROWS, "n, m", "relu(x)", "maximum(x, 0)", "abs(x)"),
    "sign": (ROWS, "n, m", "sign(x)", "where(x > 0, 1, where(x < 0, -1, 0))", "where(x > 0, 1, -1)"),
    "leaky_relu": (ROWS, "n, m", "leaky_relu(x, 0.25)", "where(x > 0, x, 0.25 * x)", "where(x > 0, x, -0.25 * x)"),
    "clamp": (ROWS, "n, m", "clamp(x, -1, 2)", "minimum(maximum(x, -1), 2)", "minimum(maximum(x, -2), 1)"),
    "sigmoid": (ROWS, "n, m", "sigmoid(x)", "1 / (1 + exp(-x))", "1 / (1 + exp(x))"),
    "silu": (ROWS, "n, m", "silu(x)", "x / (1 + exp(-x))", "x / (1 + exp(x))"),
    "gelu": (ROWS, "n, m", "gelu(x)", "0.5 * x * (1 + erf(x / sqrt(2)))", "0.5 * x * (1 + erf(x))"),
    "gelu_tanh": (
        ROWS,
        "n, m",
        "gelu_tanh(x)",
        "0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))",
        "gelu(x)",
    ),
    "softmax": (
        ROWS,
        "n, m",
        "softmax(x, axis=1)",
        "exp(x - max(x, axis=1)) / sum(exp(x - max(x, axis=1)), axis=1)",
        "softmax(x, axis=0)",
    ),
    "logsumexp": (
        ROWS,
        "n",
        "logsumexp(x, axis=1)",
        "max(x, axis=1) + log(sum(exp(x - max(x, axis=1)), axis=1))",
        "max(x, axis=1)",
    ),
    "mean": (ROWS, "n", "mean(x, axis=1)", "sum(x, axis=1) / m", "sum(x, axis=1) / n"),
    "var": (ROWS, "n", "var(x, axis=1)", "mean(x ** 2, axis=1) - mean(x, axis=1) ** 2", "mean(x ** 2, axis=1)"),
    "layer_norm": (
        ROWS,
        "n, m",
        "layer_norm(x, axis=1, eps=0.5)",
        "(x - mean(x, axis=1)) / sqrt(var(x, axis=1) + 0.5)",
        "rms_norm(x, axis=1, eps=0.5)",
    ),
    "rms_norm": (
        ROWS,
        "n, m",
        "rms_norm(x, axis=1, eps=0.5)",
        "x / sqrt(mean(x ** 2, axis=1) + 0.5)",
        "x / sqrt(sum(x ** 2, axis=1) + 0.5)",
    ),
    "pi": (ROWS, "n, m", "pi * x", "4 * atan(1) * x", "4 * x"),
    "conv1d_causal": (
        {"x": "n, c", "w": "c, k"},
        "n, c",
        "conv1d_causal(x, w)",
        "sum(where(k - expand(column(index(n)), 2) - 1 <= index(k),"
        " x[index(k) + expand(column(index(n)), 2) - k + 1, column(index(c))] * w, 0), axis=2)",
        "conv1d_causal(x, w[:, ::-1])",
    ),
    "recurrence": (
        {"a": "n, m", "x": "n, m", "h": "m"},
        "n, m",
        "recurrence(a, x, h, axis=0)",
        "expand(cumprod(a, axis=0) * h, 1) + sum(where(column(index(n)) <= expand(column(index(n)), 2),"
        " squeeze(prod(where((expand(column(index(n)), 2) < column(index(n)))"
        " & (column(index(n)) <= expand(expand(column(index(n)), 2), 3)), a, 1), axis=2), 2) * x, 0), axis=1)",
        "recurrence(x, a, h, axis=0)",
    ),
    "log_softmax": (
        ROWS,
        "n, m",
        "log_softmax(x, axis=1)",
        "x - max(x, axis=1) - log(sum(exp(x - max(x, axis=1)), axis=1))",
        "x - logsumexp(x, axis=0)",
    ),
    "swiglu": (MATRIX, "n, m", "swiglu(x, y)", "x * y / (1 + exp(-x))", "swiglu(y, x)"),
    "linear": (
        {"x": "n, m", "w": "k, m", "b": "k"},
        "n, k",
        "linear(x, w, b)",
        "x @ transpose(w, 1, 0) + b",
        "x @ transpose(w, 1, 0) - b",
    ),
    "rotary": (
        {"x": "n, 2*h", "c": "n, h", "s": "n, h"},
        "n, 2*h",
        "rotary(x, c, s)",
        "concat(x[:, :h] * c - x[:, h:] * s, x[:, h:] * c + x[:, :h] * s, axis=1)",
        "rotary(x, s, c)",
    ),
    "batch_norm": (
        CHANNELS,
        "n, c, l",
        "batch_norm(x, m, v, w, b, eps=0.5)",
        "(x - expand(m, 1)) / sqrt(expand(v, 1) + 0.5) * expand(w, 1) + expand(b, 1)",
        "batch_norm(x, m, v, b, w, eps=0.5)",
    ),
    "group_norm": (
        {"x": "n, 8, l"},
        "n, 8, l",
        "group_norm(x, 2, eps=0.5)",
        "reshape(layer_norm(reshape(x, n, 2, 4 * l), axis=2, eps=0.5), n, 8, l)",
        "group_norm(x, 4, eps=0.5)",
    ),
    "cross_entropy": (
        {"x": "n, c", "l": "n"},
        "n",
        "cross_entropy(x, labels=l)",
        "logsumexp(x, axis=1) - take_along_axis(x, expand(l, 1), axis=1)",
        "logsumexp(x, axis=1)",
    ),
    "attention": (
        HEADS,
        "h, n, d",
        "attention(q, k, v, scale=0.125)",
        "softmax(0.125 * (q @ transpose(k, 0, 2, 1)), axis=2) @ v",
        "attention(q, k, v, scale=0.25)",
    ),
    "causal_attention": (
        HEADS,
        "h, n, d",
        "causal_attention(q, k, v, scale=0.125)",
        "softmax(where(index(m) <= column(index(n)), 0.125 * (q @ transpose(k, 0, 2, 1)), -inf), axis=2) @ v",
        "attention(q, k, v, scale=0.125)",
    ),
}


def formula_file(path, name, formula):
    tensors, shape = IDIOMS[name][:2]
    lines = [
        f"tensor {t}: {'i32' if name == 'cross_entropy' and t == 'l' else 'f32'}[{s}]" for t, s in tensors.items()
    ]
    path.write_text("\n".join(["formula f", *lines, f"out[{shape}] = {formula}", ""]))
    return path


def test_every_idiom_has_a_row():
    table = (ROOT / "src/tensor/idioms.def").read_text()
    assert set(re.findall(r'^TENSOR_IDIOM\(\w+, *"(\w+)"', table, re.MULTILINE)) == set(IDIOMS)


@pytest.mark.parametrize("name", IDIOMS)
def test_idioms_are_named_and_read_back(name, tmp_path):
    _, _, call, meaning, other = IDIOMS[name]
    plain = formula_file(tmp_path / "plain.formula", name, meaning)
    shown = subprocess.run(patient("lift", plain), capture_output=True, text=True).stdout
    assert re.findall(r"^ *(?:named|formula) +(?:out\[.*?\] = )?(.*)$", shown, re.MULTILINE)[-1] == call
    for formula, verdict in ((call, "proved"), (other, "refuted")):
        done = subprocess.run(
            patient("check", "--json", plain, "-e", f"out = {formula}"), capture_output=True, text=True
        )
        assert json.loads(done.stdout)["verdict"] == verdict, formula


@pytest.mark.parametrize("name", IDIOMS)
def test_idioms_are_emitted(name, tmp_path):
    """Each back end writes the name's module, and those that run here give what that of the meaning gives."""
    tensors, _, call, meaning, _ = IDIOMS[name]
    sizes = {"n": 3, "m": 5, "k": 4, "h": 2, "d": 6, "c": 4, "l": 7, "2*h": 4, "8": 8}
    random, results = np.random.default_rng(7), []
    inputs = {
        t: np.abs(random.standard_normal([sizes[s.strip()] for s in shape.split(",")])).astype(np.float32)
        for t, shape in tensors.items()
    }
    if name == "cross_entropy":
        inputs["l"] = np.array([0, 3, 1], dtype=np.int32)
    for kind, formula in (("named", call), ("plain", meaning)):
        path, out = formula_file(tmp_path / f"{kind}.formula", name, formula), tmp_path / kind
        done = subprocess.run(
            patient("lift", "--emit", "numpy,pytorch,jax,tensorflow,mlx,c,latex", "-o", out, path),
            capture_output=True,
            text=True,
        )
        assert (
            done.returncode in (0, 2) and "emit-unsupported" not in done.stdout + done.stderr
        ), done.stderr  # 2: bounds of labels
        assert len(list(out.iterdir())) == 7
        for framework, convert in (("numpy", np.asarray), ("pytorch", torch.as_tensor)):
            names = {}
            exec((out / f"f.{framework}.py").read_text(), names)  # noqa: S102
            wanted = inspect.signature(names["f"]).parameters
            own = {k: convert(v) for k, v in inputs.items() if k in wanted}
            results.append(np.asarray(names["f"](**own)["out"], dtype=np.float64))
    for result in results[1:]:
        np.testing.assert_allclose(result, results[0], rtol=1e-4, atol=1e-5)


# loops of C, and how a person writes what they compute; None: a neighbour that is nothing of the kind, and still proved
PROGRAMS = {
    "logsumexp": (
        "float f(const float *x, int n) { float m = x[0], s = 1; for (int i = 1; i < n; i++) if (x[i] > m)"
        " { s = s * expf(m - x[i]) + 1; m = x[i]; } else s += expf(x[i] - m); return m + logf(s); }",
        "logsumexp(x, axis=0)",
    ),
    "softmax": (
        "void f(const float *x, float *y, int n) { float m = -INFINITY, s = 0; for (int i = 0; i < n; i++)"
        " if (x[i] > m) m = x[i]; for (int i = 0; i < n; i++) { y[i] = expf(x[i] - m); s += y[i]; }"
        " for (int i = 0; i < n; i++) y[i] /= s; }",
        "softmax(x, axis=0)",
    ),
    "other_infinity": (
        "float f(const float *x, int n) { float m = INFINITY; for (int i = 0; i < n; i++) m = fmaxf(m, x[i]);"
        " return m; }",
        "inf",
    ),
    "hinge": (
        "float f(const float *x, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++)"
        " { float z = 1 - x[i] * t[i]; if (z > 0) s += z; } return s / n; }",
        "mean(relu(1 - x * t))",
    ),
    "no_hinge": (
        "float f(const float *x, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++)"
        " { float z = 1 - x[i] * t[i]; if (z > 1) s += z; } return s / n; }",
        "mean(where(x * t < 0, 1 - x * t, 0))",
    ),
    "horner": (
        "double f(const double *c, double x, int n) { double r = 0; for (int i = n - 1; i >= 0; i--)"
        " r = r * x + c[i]; return r; }",
        "sum(c * x ** index(n))",
    ),
    "moving_average": (
        "double f(const double *x, double a, int n) { double h = x[0]; for (int i = 1; i < n; i++)"
        " h = a * x[i] + (1 - a) * h; return h; }",
        "(1 - a) ** (n - 1) * x[0] + a * sum(x[1:] * (1 - a) ** (n - index(n - 1) - 2))",
    ),
    "two_terms": (
        "double f(int n) { double a = 0, b = 1; for (int i = 0; i < n; i++)"
        " { double t = 3 * b - 2 * a; a = b; b = t; } return a; }",
        "2 ** n - 1",
    ),
    "blocked_prefix": (
        "void f(const float *x, float *y, int n) { float carry = 0; for (int b = 0; b < n; b++) { float own = 0;"
        " for (int j = 0; j < 16; j++) { own += x[16 * b + j]; y[16 * b + j] = carry + own; } carry += own; } }",
        "cumsum(x, axis=0)",
    ),
    "colours": (
        "void f(const float *p, float *o, int n) { for (int i = 0; i < n; i++)"
        " { o[2 * i] = p[2 * i] - p[2 * i + 1]; o[2 * i + 1] = 3 * p[2 * i]; } }",
        "stack(p[::2] - p[1::2], 3 * p[::2], axis=1)",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_loop_is_written_as_a_person_does(name, tmp_path):
    source = tmp_path / "f.c"
    source.write_text("#include <math.h>\n" + PROGRAMS[name][0])
    answer = lift(f"{source}:f")
    assert answer["verdict"] == "proved"
    assert [output["formula"]["text"] for output in answer["outputs"]] == [PROGRAMS[name][1]]


def test_a_stack_is_read_and_explained(tmp_path):
    tensors = "formula f\ntensor x: f32[n]\ntensor y: f32[n]\n"
    source = tmp_path / "f.txt"
    source.write_text(tensors + "z[n, 2] = where(index(2) == 1, expand(exp(y), 1), expand(x, 1))\n")
    answer = lift("--explain=simplify", source)
    assert answer["outputs"][0]["formula"]["text"] == "stack(x, exp(y), axis=1)"
    assert [step.split(": ")[:3] for step in answer["steps"]] == [["simplify", "z", "stack"]]
    for formula, verdict in (("stack(x, exp(y), axis=1)", "proved"), ("stack(exp(y), x, axis=1)", "refuted")):
        done = subprocess.run(
            patient("check", "--json", source, "-e", f"z = {formula}"), capture_output=True, text=True
        )
        assert json.loads(done.stdout)["verdict"] == verdict


@pytest.mark.parametrize(
    "formula, verdict",
    [
        ("q ** n", "proved"),
        ("q ** (n + 1)", "refuted"),
        ("abs(q) ** n", "refuted"),
        ("q ** (n - n // 2) * q ** (n // 2)", "proved"),
    ],
)
def test_a_power_of_a_number_of_factors(formula, verdict, tmp_path):
    """`**` of an integer that is not negative has a value for every base, as the loop has."""
    source = tmp_path / "f.c"
    source.write_text("double f(double q, int n) { double p = 1; for (int i = 0; i < n; i++) p *= q; return p; }\n")
    done = subprocess.run(
        patient("check", "--json", f"{source}:f", "-e", f"result = {formula}"), capture_output=True, text=True
    )
    assert json.loads(done.stdout)["verdict"] == verdict


@pytest.mark.parametrize(
    "step", ["m += (x[i] - m) / (i + 1)", "m = (m * i + x[i]) / (i + 1)", "m = m * i / (i + 1) + x[i] / (i + 1)"]
)
def test_a_running_mean_is_the_mean(step, tmp_path):
    source = tmp_path / "f.c"
    source.write_text(
        "float f(const float *x, int n) { float m = 0; for (int i = 0; i < n; i++) %s; return m; }\n" % step
    )
    for formula, verdict in (("mean(x)", "proved"), ("sum(x) / n", "proved"), ("sum(x) / (n + 1)", "refuted")):
        done = subprocess.run(
            patient("check", "--json", f"{source}:f", "-e", f"result = {formula}"), capture_output=True, text=True
        )
        assert json.loads(done.stdout)["verdict"] == verdict


def test_a_blocked_prefix_sum_is_the_prefix_sum(tmp_path):
    source = tmp_path / "f.c"
    source.write_text(PROGRAMS["blocked_prefix"][0])
    for formula, verdict in (("cumsum(x, axis=0)", "proved"), ("cumsum(x, axis=0) - x", "refuted")):
        done = subprocess.run(
            patient("check", "--json", f"{source}:f", "-e", f"y = {formula}"), capture_output=True, text=True
        )
        assert json.loads(done.stdout)["verdict"] == verdict


def test_powers_are_read_back(tmp_path):
    source = tmp_path / "f.c"
    source.write_text(PROGRAMS["two_terms"][0])
    stage = subprocess.run(
        patient("lift", "--stop-after", "tensor", f"{source}:f"), capture_output=True, text=True
    ).stdout
    (tmp_path / "f.txt").write_text(stage)
    assert lift(tmp_path / "f.txt")["outputs"][0]["formula"]["text"] == "2 ** n - 1"
