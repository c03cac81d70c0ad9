"""Every stage that `--stop-after` prints reads back in `lift`: for each kernel of the corpus, the stage's own text gives the
same outputs, shapes, regions and formulas as the kernel does, and a module that computes the same numbers."""

import inspect
import json
import re
import subprocess

import numpy as np
import pytest
from conftest import ROOT
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, load, patient, size

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def run(*arguments, text=None):
    return subprocess.run(patient(*arguments), input=text, capture_output=True, text=True, check=False)


def stages():
    found = re.search(r"--stop-after STAGE\s+print this stage: ([\w, ]+)", run("lift", "--help").stdout)
    return found.group(1).split(", ")


STAGES = stages() if ASSAY.exists() else ["program", "pointwise", "tensor"]


@pytest.fixture(scope="module")
def kernels(corpus):
    """Of each file: what its kernel lifts to, and the emitted module."""
    found = {}
    for path in sorted([*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")]):
        if ".source." not in path.name:
            found[str(path.relative_to(corpus))] = path, json.loads(run("lift", "--json", "--no-prove", path).stdout)
    assert len(found) > 90
    return found


def said(report):
    """What a reader of the stage must find again."""
    outputs = [
        {key: output[key] for key in ("name", "dtype", "shape", "region", "form")}
        | {"text": output["formula"]["text"]}
        for output in report["outputs"]
    ]
    return outputs, [(entry["name"], entry["kind"], entry["dtype"]) for entry in report["inputs"]]


# What an assumption of these kinds says is this kernel's own; those are needed by nearly all. A range is either, by what
# it is of (report/report.c).
OWN = ["cover", "stated", "precondition", "rectangular", "underflow", "zero-fill", "positive", "launch"]
SHARED = ["disjoint", "finite"]


def test_the_first_assumption_says_most(corpus):
    """Over the corpus, with the proof."""
    first, failed = set(), []
    for path in sorted([*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")]):
        if ".source." in path.name:
            continue
        kinds = [entry["kind"] for entry in json.loads(run("lift", "--json", path).stdout)["assumptions"]]
        first.update(kinds[:1])
        if set(OWN) & set(kinds) and kinds[0] not in (*OWN, "range"):
            failed.append(f"{path.name}: {kinds}")
        if set(kinds) - {*SHARED, "range"} and kinds[0] in SHARED:
            failed.append(f"{path.name}: {kinds}")
    assert not failed
    assert {"cover", "grid"} <= first


def test_the_documentation_names_the_stages():
    assert STAGES == ["program", "effects", "pointwise", "tensor"]
    text = "".join((ROOT / path).read_text() for path in ("docs/formula.md", "docs/effects.md", "ARCHITECTURE.md"))
    for stage in STAGES:
        assert f"--stop-after {stage}" in text


FORMS_OF_FORMULAS = [stage for stage in STAGES if stage not in ("program", "effects")]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_reads_back_in_lift(kernels, stage):
    failed = []
    for name, (path, report) in kernels.items():
        text = run("lift", "--no-prove", "--stop-after", stage, path).stdout
        again = run("lift", "--json", "--no-prove", "-", text=text)
        if again.returncode not in (0, 2):
            failed.append(f"{name}: exit {again.returncode}: {again.stderr[:300]}")
            continue
        (outputs, inputs), (other, others) = said(report), said(json.loads(again.stdout))
        written = {(output["name"], "tensor", output["dtype"]) for output in outputs}
        if outputs != other:
            failed.append(f"{name}: {outputs} | {other}")
        # a formula says `y + ...` where a kernel accumulates in y: there the old contents are an input
        if inputs != [entry for entry in others if entry in inputs or entry not in written]:
            failed.append(f"{name}: {inputs} | {others}")
        if stage != "program" and run("lift", "--stop-after", stage, "-", text=text).stdout != text:
            failed.append(f"{name}: the stage prints itself otherwise")
    assert not failed, "\n".join(failed)


@pytest.fixture(scope="module")
def forms():
    """The small kernels of tests/python/forms, which are compiled in another mode."""
    files = sorted((ROOT / "tests" / "python" / "forms").glob("*.py"))
    compiled_forms(*files)
    return sorted(FOLDER.glob("*.ttir"))


# a number before a product with a sum in it is multiplied out when it is read (docs/formula.md): must fail
PRINTED_LONGER = {"pointwise": ["blind_kinds.rope_angle"]}


def prints_otherwise(stage, forms):
    failed = []
    for path in forms:
        text = run("lift", "--no-prove", "--stop-after", stage, path).stdout
        if not text.startswith(("pointwise ", "formula ", "module ", "effects ")):
            continue  # no formula was found
        again = run("lift", "--no-prove", "--stop-after", stage, "-", text=text)
        if again.returncode not in (0, 2) or (stage != "program" and again.stdout != text):
            failed.append(f"{path.stem}: exit {again.returncode}: {again.stderr[:300]}")
    return failed


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_of_the_forms_prints_itself(forms, stage):
    some = forms[STAGES.index(stage) :: 16]
    assert not prints_otherwise(stage, [path for path in some if path.stem not in PRINTED_LONGER.get(stage, ())])


@pytest.mark.full
@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_of_all_forms_prints_itself(forms, stage):
    assert sorted(prints_otherwise(stage, forms)) == [f"{name}: exit 0: " for name in PRINTED_LONGER.get(stage, ())]


@pytest.mark.parametrize(
    "value", ["3*(x[i] - 1) / s", "-3*(x[i] - 1) / s", "(3*x[i] - 3) / s", "(3*x[i] - 3) / (s + 1)"]
)
def test_a_number_before_a_quotient_stays_there(value):
    text = f"pointwise f\ntensor y: f32[n]\ntensor x: f32[n]\nscalar s: f32\nsize n: 1 <= n\ny[i] = {value}\n"
    again = run("lift", "--no-prove", "--stop-after", "pointwise", "-", text=text)
    assert f"y[i] = {value}\n" in again.stdout, again.stdout + again.stderr


@pytest.mark.parametrize("stage", FORMS_OF_FORMULAS)
def test_what_is_opaque_is_declared(forms, stage, tmp_path):
    kernel = next(path for path in forms if path.stem == "stages.assembly_twice")
    text = run("lift", "--stop-after", stage, kernel).stdout
    name = re.search(r"opaque (asm_\w+): real\n", text).group(1)
    assert re.search(r"opaque asm_\w+: int\n", text)
    for wrong, code in (
        (text, 0),
        (text.replace(name, "other"), 2),
        (text.replace(f"{name}(x_ptr[i])", f"{name}(2*x_ptr[i])"), 2),
    ):
        (tmp_path / "f.formula").write_text(wrong)
        assert run("check", kernel, tmp_path / "f.formula").returncode == code, wrong
    for wrong in (
        text.replace(f"opaque {name}: real\n", ""),
        text.replace("real", "thing"),
        text.replace(f"opaque {name}: real", "opaque"),
    ):
        assert run("lift", "-", text=wrong).returncode == 3, wrong


def test_long_stages_name_their_parts(forms):
    kernel = next(path for path in forms if path.stem == "persistent.product_counter_behind")
    text = run("lift", "--no-prove", "--stop-after", "pointwise", kernel).stdout
    parts = re.findall(r"^let (t\d+)", text, re.M)
    assert parts == [f"t{i + 1}" for i in range(len(parts))] and 10 < len(parts) and len(text) < 10000
    assert json.loads(run("lift", "--json", "-", text=text).stdout)["verdict"] == "proved"
    for wrong in (
        re.sub(r"^let t4\b.*\n", "", text, flags=re.M),
        text.replace("let t2 =", "let t3 ="),
        text.replace("let t2 = 8", "let t2 = t1(1, 2) + 8"),
        text.replace("t1(i, j)", "t1(i)"),
    ):
        assert run("lift", "-", text=wrong).returncode == 3, wrong


HEAD = "tensor x: f32[n]\ntensor y: f32[n]\nsize n: 1 <= n\n"


@pytest.mark.parametrize(
    "lines, formula",
    [
        ("pointwise f\nlet t(a, b) = x[a] * b\nlet s = sum[k < n](t(k, 2))\ny[i] = t(i, s)\n", "2 * x * sum(x)"),
        (
            "pointwise f\nlet t(i) = x[i] + 1\ny[j] = sum[i < n](t(i)) - t(j)\n",
            "sum(x + 1) - (x + 1)",
        ),  # the i of the part is its own
        ("formula f\nlet t = exp(x)\nlet s = t / sum(t)\ny[n] = s + t\n", "exp(x) + softmax(x)"),
        ("formula f\nlet n_2 = 2\ny[n] = n_2 * x\n", "2 * x"),
    ],
)
def test_parts_stand_for_what_they_are(lines, formula, tmp_path):
    head, rest = lines.split("\n", 1)
    (tmp_path / "f.formula").write_text(f"{head}\n{HEAD}{rest}")
    for other, code in ((formula, 0), (f"{formula} + 1", 1)):
        (tmp_path / "g.formula").write_text(
            f"formula g\n{HEAD}y[n] = {other}\n".replace("softmax(x)", "softmax(x, axis=0)")
        )
        assert run("check", tmp_path / "f.formula", tmp_path / "g.formula").returncode == code, other


@pytest.mark.parametrize(
    "part",
    [
        "let t = t",
        "let t = u\nlet u = t + 1",
        "let t(i, i2 = x[i]",
        "let t",
        "let t(1) = 2",
        "let t = 1\nlet t = 2",
        "let t(i) = j",
    ],
)
def test_parts_that_mean_nothing_are_refused(part):
    for head, line in (("pointwise", "y[i] = t(i)" if "(i" in part else "y[i] = t"), ("formula", "y[n] = t + x")):
        done = run("lift", "-", text=f"{head} f\n{HEAD}{part}\n{line}\n")
        assert done.returncode == 3 and "error[" in done.stderr, done


# ---- values ----


def numpy_module(folder, *arguments, text=None):
    done = run("lift", "--no-prove", "--emit", "numpy", *arguments, text=text)
    path = folder / f"module_{len(list(folder.iterdir()))}.py"
    path.write_text(done.stdout)
    return load(path) if done.stdout else None


def made_up(report, functions, random):
    """Arguments for these modules: sizes of a few elements, tensors of the shapes that the report gives."""
    entries = {entry["name"]: entry for entry in report["outputs"] + report["inputs"]}
    sizes = [
        name
        for entry in entries.values()
        for part in entry.get("shape") or []
        for name in re.findall(r"[A-Za-z_]\w*", part)
    ]
    names = {name: int(random.integers(2, 4) if name.startswith("grid_") else random.integers(4, 9)) for name in sizes}
    wanted, tensors = {name for function in functions for name in inspect.signature(function).parameters}, {}
    for name in sorted(wanted):
        entry = entries.get(name)
        if entry and entry.get("kind") != "scalar":
            tensors[name] = entry
        elif entry and entry["dtype"].startswith(("f", "b")):
            names[name] = float(random.uniform(0.1, 0.9))
        else:
            names.setdefault(name, int(random.integers(1, 4)))
    arguments = {name: names[name] for name in wanted if name in names}
    for name, entry in tensors.items():
        shape = [size(part, names) for part in entry["shape"]]
        arguments[name] = (
            random.uniform(0.1, 2.0, shape) if entry["dtype"].startswith(("f", "b")) else random.integers(0, 2, shape)
        )
    return arguments


def results(function, arguments):
    """None where it cannot be run at these sizes."""
    try:
        with np.errstate(all="ignore"):
            return function(
                **{name: value for name, value in arguments.items() if name in inspect.signature(function).parameters}
            )
    except (IndexError, ValueError, ZeroDivisionError):
        return None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", range(3))
def test_the_module_of_a_tensor_stage_computes_the_same(kernels, tmp_path, part):
    failed = []
    for name, (path, report) in list(kernels.items())[part::3]:
        text = run("lift", "--no-prove", "--stop-after", "tensor", path).stdout
        own, other = numpy_module(tmp_path, path), numpy_module(tmp_path, "-", text=text)
        if own is None or other is None:
            failed.append(f"{name}: no module")
            continue
        random = np.random.default_rng(3)
        for _ in range(5):
            arguments = made_up(report, (own, other), random)
            left, right = results(own, arguments), results(other, arguments)
            if left is None or right is None:
                continue
            for key, value in left.items():  # a literal of f32 may have been read as the constant that it rounds
                if not np.allclose(value, right[key], rtol=1e-5, atol=1e-9, equal_nan=True):
                    failed.append(f"{name}: {key}")
            break
        else:
            failed.append(f"{name}: cannot be run")
    assert not failed, "\n".join(failed)


# ---- comparisons ----


@pytest.mark.parametrize("stage", ["pointwise", "tensor"])
def test_the_stages_of_a_comparison_read_back(corpus, stage, tmp_path):
    references = ROOT / "examples" / "references" / "operators.py"
    (tmp_path / "f.formula").write_text(
        run("lift", "--no-prove", "--stop-after", "tensor", corpus / "softmax.ttir").stdout
    )
    for left, right in (
        (corpus / "softmax.ttir", f"{references}:softmax"),
        (f"{references}:softmax", corpus / "softmax.ttir"),
        (corpus / "softmax.ttir", corpus / "loops" / "softmax_online.ttir"),
        (corpus / "softmax.ttir", tmp_path / "f.formula"),
        (tmp_path / "f.formula", corpus / "softmax.ttir"),
        (corpus / "loops/cross_entropy.ttir", corpus / "loops/cross_entropy.ttir"),
    ):
        text = run("check", left, right, "--stop-after", stage).stdout
        assert "# left" in text and "# right" in text
        again = run("lift", "--json", "-", text=text)
        assert again.returncode == (2 if "cross_entropy" in str(left) else 0), again.stderr  # labels may lie outside
        assert json.loads(again.stdout)["verdict"] == "proved"
        outputs = json.loads(again.stdout)["outputs"]
        half = len(outputs) // 2
        assert [o["formula"]["text"] for o in outputs[:half]] == [o["formula"]["text"] for o in outputs[half:]], text


# ---- what declarations are for ----


def test_declared_shapes_are_held_against_the_kernel(corpus, tmp_path):
    kernel = corpus / "softmax.ttir"
    text = run("lift", "--no-prove", "--stop-after", "tensor", kernel).stdout
    wrong = [
        text.replace("axis=1", "axis=0"),
        text.replace("softmax(", "2 * softmax("),
        text.replace("softmax(x_ptr", "softmax(x_ptr + out_ptr"),
        text.replace("out_ptr[grid_x, n_cols] =", "out_ptr[n_cols, grid_x] =")
        .replace("out_ptr: f32[grid_x, n_cols]", "out_ptr: f32[n_cols, grid_x]")
        .replace("softmax(x_ptr, axis=1)", "transpose(softmax(x_ptr, axis=1), 1, 0)"),
        text.rstrip() + " for i, j: j > 0\n",
    ]
    for formula, code in [(text, 0), *((w, 1) for w in wrong)]:
        (tmp_path / "f.formula").write_text(formula)
        for arguments in ((kernel, tmp_path / "f.formula"), (tmp_path / "f.formula", kernel), (kernel, "-e", formula)):
            assert run("check", *arguments).returncode == code, formula


@pytest.mark.parametrize(
    "name",
    [
        "layer_norm",
        "loops/cross_entropy",
        "loops/embedding_backward",
        "loops/matmul_split_k",
        "rotary_embedding",
        "loops/attention_gqa",
    ],
)
def test_the_tensor_stage_is_equal_to_its_kernel(corpus, name, tmp_path):
    kernel = corpus / f"{name}.ttir"
    (tmp_path / "f.formula").write_text(run("lift", "--no-prove", "--stop-after", "tensor", kernel).stdout)
    for arguments in ((kernel, tmp_path / "f.formula"), (tmp_path / "f.formula", kernel), (kernel, kernel)):
        answer = json.loads(run("check", "--json", *arguments).stdout)
        assert answer["verdict"] == "proved", (arguments, answer["reason"])


def test_another_number_of_programs_is_another_formula(corpus, tmp_path):
    kernel = corpus / "loops" / "matmul_split_k.ttir"
    text = run("lift", "--no-prove", "--stop-after", "tensor", kernel).stdout
    for old, new in (("grid_z", "grid_other"), ("+=", "="), ("k3 < grid_z", "k3 < 2 * grid_z")):
        assert old in text
        (tmp_path / "f.formula").write_text(text.replace(old, new))
        assert json.loads(run("check", "--json", kernel, tmp_path / "f.formula").stdout)["verdict"] != "proved", new
