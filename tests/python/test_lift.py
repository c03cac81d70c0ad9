"""Every kernel of the corpus lifts: each output has a closed formula, and the emitted NumPy and PyTorch give what
Triton's interpreter gave in launches of awkward sizes (six of twenty in `make check`). Formulas survive rewrites of the IR.

A launch is held against the lift of the kernel as it was compiled for that launch (a lift speaks of the literals of its
file); an operator of several kernels, launch by launch."""

import json
import re
import subprocess

import pytest
from conftest import ROOT, compile_corpus
from test_rewrite import command
from triton_tools.case import all_cases
from triton_tools.lifted import ASSAY, compare, lift, patient
from triton_tools.rewrite import LOOPS as LOOP_REWRITES
from triton_tools.rewrite import REWRITES

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

CASES = all_cases()
LOOP_FREE = [name for name in CASES if "/" not in name]
LOOPS = [name for name in CASES if "/" in name]

# Kernels that do not lift yet, with the missing mechanism; each stands in docs/limits.md.
MISSING: dict[str, str] = {}
# Rewrites under which the formula comes out in another shape, or none does; each is counted.
OTHER_SHAPE = {
    "loops/matmul_split_k.block": "grid_z may be any number, and is no factor of the blocks then",
    "loops/fused_linear_cross_entropy.block": (
        "a label beyond vocab, but within the last block, makes the loss infinite"
    ),
}
# Running them backwards computes something else: a step needs the one before, the first of equal values is wanted, or
# pointers go forward while the mask counts.
ORDERED = {
    "loops/cumsum",
    "loops/linear_recurrence",
    "loops/selective_scan",
    "loops/conv1d_causal_depthwise",
    "loops/argmax_long",
    "loops/matmul",
    "loops/matmul_grouped_gelu",
    "loops/attention_exp2_lse",
    "loops/attention_exp2_lse_causal",
}
# Seconds for each lift, and pointwise forms: these are rewritten in make check-full only.
SLOW = ("loops/attention_staged", "loops/group_norm", "loops/attention_backward_causal")


def expect(name):
    return pytest.param(name, marks=pytest.mark.xfail(reason=MISSING[name], strict=True)) if name in MISSING else name


def check_closed(lifted, path):
    assert lifted.code in (0, 1, 2), lifted.diagnostics
    assert lifted.closed(), f"{path.name}: {lifted.reason()}"
    assert lifted.report["verdict"] in ("probable", "proved"), f"{path.name}: {lifted.reason()}"


def check_launches(name, lifted, launches):
    tolerance = max(CASES[name].tolerance, 2e-5)
    for index, launch, path in launches[name]:
        check_closed(lifted(path), path)
        for framework in ("numpy", "pytorch"):
            try:
                compare(lifted(path), framework, [launch], tolerance)
            except AssertionError as error:
                raise AssertionError(f"case {index}, {path.name}: {error}") from error


@pytest.mark.parametrize("name", [expect(name) for name in CASES])
def test_kernel_lifts_and_emits_what_launches_did(name, lifted, launched):
    check_launches(name, lifted, launched)


@pytest.mark.full
@pytest.mark.parametrize("name", [expect(name) for name in CASES])
def test_kernel_lifts_and_emits_what_all_launches_did(name, lifted, launched_all):
    check_launches(name, lifted, launched_all)


def test_every_kernel_has_twenty_cases():
    assert all(case.cases >= 20 for case in CASES.values())


# ---- rewrites ----


@pytest.fixture(scope="session")
def rewritten(corpus):
    done = command("rewrite", "--seed", 5)
    assert done.returncode == 0, done.stderr
    return corpus / "rewritten"


def formulas_of(lifted):
    return {output["name"]: (output["form"], output["formula"]["text"]) for output in lifted.report.get("outputs", [])}


def rewrites_of(name):
    case = CASES[name]
    loops = [] if name in LOOP_FREE else [how for how in LOOP_REWRITES if how != "reverse" or name not in ORDERED]
    return [*REWRITES, *loops, *(f"block{k}" for k in range(len(case.other_blocks)))]


def rewritten_kernels(names):
    """Each kernel with each rewrite; those that are not expected to keep the formula say why."""
    found = []
    for name in names:
        for how in rewrites_of(name):
            reason = OTHER_SHAPE.get(f"{name}.{how.rstrip('0123456789')}")
            found.append(
                pytest.param(
                    name,
                    how,
                    id=f"{name}.{how}",
                    marks=pytest.mark.xfail(reason=reason, strict=True) if reason else (),
                )
            )
    return found


def check_rewrite(name, how, corpus, rewritten, lifted):
    """No recognition by shape: names, order, operand order, BLOCK, dead arguments, split stores, and split, unrolled or
    reversed loops do not matter."""
    case, compared = CASES[name], 0
    for kernel in case.kernels:
        path = rewritten / f"{case.stem(kernel)}.{how}.ttir"
        if not path.exists():  # no loop in it, or no such constexpr
            assert how in LOOP_REWRITES or how.startswith("block")
            continue
        wanted = formulas_of(lifted(corpus / f"{case.stem(kernel)}.ttir"))
        again = lift([path], "--no-prove", emit=())
        assert wanted and formulas_of(again) == wanted, f"{how}: {again.reason()}"
        compared += 1
    if not compared:
        pytest.skip("nothing to rewrite")


@pytest.mark.sampled(5)  # which shares no factor with the numbers of rewrites, 6 and 9
@pytest.mark.parametrize("name, how", rewritten_kernels([name for name in LOOP_FREE if name not in MISSING]))
def test_formula_survives_rewrites(name, how, corpus, rewritten, lifted):
    check_rewrite(name, how, corpus, rewritten, lifted)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name, how", rewritten_kernels([name for name in LOOPS if name not in MISSING and not name.startswith(SLOW)])
)
def test_formula_of_a_loop_survives_rewrites(name, how, corpus, rewritten, lifted):
    check_rewrite(name, how, corpus, rewritten, lifted)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in LOOPS if name not in MISSING and name.startswith(SLOW)])
def test_long_formulas_survive_rewrites(name, corpus, rewritten, lifted):
    for how in REWRITES:
        check_rewrite(name, how, corpus, rewritten, lifted)


def test_rewrites_are_all_tested():
    assert set(REWRITES) == {"rename", "permute", "swap", "dead", "split", "all"} and set(LOOP_REWRITES) == {
        "halves",
        "unroll",
        "reverse",
    }
    for key in OTHER_SHAPE:
        assert key.rsplit(".", 1)[0] in CASES, key


# ---- other stages and releases ----


def test_modules_before_optimization_lift_too(corpus):
    """What the front end emits: checks for overflow that nothing looks at, and each expression once more."""
    files = sorted([*corpus.glob("*.source.ttir"), *corpus.glob("loops/*.source.ttir")])
    assert len(files) > 90
    done = subprocess.run(patient("lift", "--all", "--json", *files), capture_output=True, text=True, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(files), done.stderr
    open_ones = [
        f"{path.name}: {report['reason']}"
        for path, report in zip(files, reports)
        if report["verdict"] not in ("probable", "proved")
    ]
    assert not open_ones, "\n".join(open_ones)


@pytest.mark.full
@pytest.mark.parametrize("version", ["3.1.0", "3.8.0"])
def test_other_releases_give_the_same_formula(version, corpus):
    folder = ROOT / "build" / "corpus" / version
    done = compile_corpus(version)
    if done.returncode and "run tools/venv.sh" in done.stderr:
        pytest.skip(f"Triton {version} is not installed")
    assert done.returncode == 0, done.stderr
    chosen = [name for name in CASES if version in CASES[name].versions and name not in MISSING]
    assert len(chosen) >= 12
    for name in chosen:
        case = CASES[name]
        for kernel in case.kernels:
            ours, other = (
                lift([place / f"{case.stem(kernel)}.ttir"], "--no-prove", emit=()) for place in (corpus, folder)
            )
            assert other.closed() and other.forms() == ours.forms(), f"{name}: {other.reason()}"
            wanted = formulas_of(ours)
            if version == "3.1.0":  # has no names of arguments: argK is the K-th in the text
                names = kernel.signature()
                renamed = {by: f"arg{k}" for k, by in enumerate(names)}
                wanted = {renamed[output]: (form, rename(text, renamed)) for output, (form, text) in wanted.items()}
            assert formulas_of(other) == wanted, name


def rename(text, names):
    """`x_ptr` and the size `x_ptr_d1` that is called after it, but no keyword as in layer_norm(..., eps=arg6)."""
    return re.sub(
        r"([A-Za-z_]\w*?)(_d\d+)?\b(?!=[^=])", lambda found: names.get(found[1], found[1]) + (found[2] or ""), text
    )
