"""Every kernel of the corpus lifts: each output has a closed formula, and the emitted NumPy and PyTorch give what
Triton's interpreter gave in twenty launches of awkward sizes. Formulas survive rewrites of the IR.

A launch is held against the lift of the kernel as it was compiled for that launch (a lift speaks of the literals of its
file); an operator of several kernels, launch by launch."""
import re

import pytest
from conftest import ROOT, compile_corpus
from test_rewrite import command
from triton_tools.case import all_cases
from triton_tools.lifted import ASSAY, compare, lift
from triton_tools.rewrite import REWRITES

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

CASES = all_cases()
LOOP_FREE = [name for name in CASES if "/" not in name]
LOOPS = [name for name in CASES if "/" in name]
SURVIVES = ("rename", "permute", "swap", "dead", "split", "all")

# Kernels that do not lift yet, with the missing mechanism; each stands in docs/limits.md.
MISSING = {
    "tanh": "a flat index split by // and % of an argument into rows and columns with any strides",
    "avg_pool": "the extent of a strided window counts lanes beyond the mask",
    "loops/layer_norm_lanes": "the region that merges Welford triples lane by lane is not proved associative",
    "loops/attention_staged_full": "the address of lse, made of a quotient and a remainder of the program id, is not inverted",
    "loops/router_top1": "an arg-reduction over one lane",
}
# Rewrites and releases under which the formula comes out in another shape.
OTHER_SHAPE = {"rotary_embedding.split": "four pieces are not joined into one concat",
               "rotary_embedding.all": "the same",
               "loops/attention_causal.3.1.0": "the older text nests the causal bound differently: no tensor form"}


def expect(name):
    return pytest.param(name, marks=pytest.mark.xfail(reason=MISSING[name], strict=True)) if name in MISSING else name


def check_closed(lifted, path):
    assert lifted.code in (0, 1, 2), lifted.diagnostics
    assert lifted.closed(), f"{path.name}: {lifted.reason()}"
    assert lifted.report["verdict"] in ("probable", "proved"), f"{path.name}: {lifted.reason()}"


@pytest.mark.parametrize("name", [expect(name) for name in CASES])
def test_kernel_lifts_and_emits_what_launches_did(name, lifted, launched):
    tolerance = max(CASES[name].tolerance, 2e-5)
    for index, launch, path in launched[name]:
        check_closed(lifted(path), path)
        for framework in ("numpy", "pytorch"):
            try:
                compare(lifted(path), framework, [launch], tolerance)
            except AssertionError as error:
                raise AssertionError(f"case {index}, {path.name}: {error}") from error


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


@pytest.mark.parametrize("name", [name for name in LOOP_FREE if name not in MISSING])
def test_formula_survives_rewrites(name, corpus, rewritten):
    """No recognition by shape: names, order, operand order, BLOCK, dead arguments and split stores do not matter."""
    case = CASES[name]
    for kernel in case.kernels:
        wanted = formulas_of(lift([corpus / f"{case.stem(kernel)}.ttir"], "--no-prove", emit=()))
        assert wanted
        for how in [*SURVIVES, *(f"block{k}" for k in range(len(case.other_blocks)))]:
            again = lift([rewritten / f"{case.stem(kernel)}.{how}.ttir"], "--no-prove", emit=())
            assert (formulas_of(again) == wanted) == (f"{name}.{how}" not in OTHER_SHAPE), f"{how}: {again.reason()}"


def test_rewrites_are_all_tested():
    assert set(SURVIVES) == set(REWRITES)


# ---- other releases ----

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
            if f"{name}.{version}" in OTHER_SHAPE:
                continue
            ours, other = (lift([place / f"{case.stem(kernel)}.ttir"], "--no-prove", emit=()) for place in (corpus, folder))
            assert other.closed() and other.forms() == ours.forms(), f"{name}: {other.reason()}"
            wanted = formulas_of(ours)
            if version == "3.1.0":  # has no names of arguments: argK is the K-th in the text
                names = kernel.signature()
                renamed = {by: f"arg{k}" for k, by in enumerate(names)}
                wanted = {renamed[output]: (form, rename(text, renamed)) for output, (form, text) in wanted.items()}
            assert formulas_of(other) == wanted, name


def rename(text, names):
    """`x_ptr` and the size `x_ptr_d1` that is called after it, but no keyword as in layer_norm(..., eps=arg6)."""
    return re.sub(r"([A-Za-z_]\w*?)(_d\d+)?\b(?!=[^=])", lambda found: names.get(found[1], found[1]) + (found[2] or ""), text)
