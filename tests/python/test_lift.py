"""Every kernel of the corpus lifts: each output has a closed formula, and the emitted NumPy and PyTorch
give what Triton's interpreter gave in real launches of awkward sizes. Formulas survive rewrites of the IR."""
import copy

import pytest
from conftest import ROOT
from test_rewrite import command
from triton_tools.case import all_cases
from triton_tools.formulas import expected
from triton_tools.interpret import capture
from triton_tools.lifted import ASSAY, compare, formula_is, lift
from triton_tools.rewrite import REWRITES

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

CASES = all_cases()
ONE_KERNEL = [name for name, case in CASES.items() if len(case.kernels) == 1]
LOOP_FREE = [name for name in CASES if "/" not in name]
QUICK = (1, 3, 6)
SURVIVES = ("rename", "permute", "swap", "dead", "split", "all")

# Kernels that do not lift yet, with the missing mechanism; each stands in docs/limits.md.
MISSING: dict[str, str] = {}


def files(case, folder):
    return [folder / f"{case.stem(kernel)}.ttir" for kernel in case.kernels]


def expect(name):
    return pytest.param(name, marks=pytest.mark.xfail(reason=MISSING[name], strict=True)) if name in MISSING else name


@pytest.fixture(scope="session")
def lifted(corpus):
    """Lift each kernel once."""
    known = {}

    def get(name):
        if name not in known:
            known[name] = lift(files(CASES[name], corpus), "--no-prove")
        return known[name]

    return get


def check(name, lifted, indices):
    case = CASES[name]
    assert lifted.code in (0, 1, 2), lifted.diagnostics
    assert lifted.closed(), lifted.reason()
    for index in indices:
        launches = capture(case, index)
        for framework in ("numpy", "pytorch"):
            try:
                compare(lifted, framework, copy.deepcopy(launches), max(case.tolerance, 2e-5))
            except AssertionError as error:
                raise AssertionError(f"case {index}: {error}") from error


@pytest.mark.parametrize("name", [expect(name) for name in LOOP_FREE])
def test_kernel_lifts(name, lifted):
    check(name, lifted(name), QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", [expect(name) for name in CASES if name not in LOOP_FREE])
def test_kernel_with_loops_lifts(name, lifted):
    check(name, lifted(name), QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", [expect(name) for name in CASES])
def test_kernel_lifts_in_all_cases(name, lifted):
    check(name, lifted(name), range(CASES[name].cases))


@pytest.mark.parametrize("name", [expect(name) for name in LOOP_FREE])
def test_formula_means_the_expected_one(name, lifted):
    launches = capture(CASES[name], 6)
    formulas = expected(name)
    got = lifted(name)
    assert {output["name"] for output in got.report.get("outputs", [])} == set(formulas["outputs"])
    assert all(formula_is(got, output, formulas, launches) != "other" for output in formulas["outputs"])


@pytest.fixture(scope="session")
def rewritten(corpus):
    done = command("rewrite", "--seed", 5)
    assert done.returncode == 0, done.stderr
    return corpus / "rewritten"


@pytest.mark.parametrize("name", [name for name in LOOP_FREE if name not in MISSING])
def test_formula_survives_rewrites(name, lifted, rewritten):
    """No recognition by shape: names, order, operand order, BLOCK, dead arguments and split stores do not matter."""
    case = CASES[name]
    wanted = formulas_of(lifted(name))
    for how in [*SURVIVES, *(f"block{k}" for k in range(len(case.other_blocks)))]:
        again = lift([rewritten / f"{name}.{how}.ttir"], "--no-prove", emit=())
        assert formulas_of(again) == wanted, f"{how}: {again.reason()}"


def formulas_of(lifted):
    return {output["name"]: (output["form"], output["formula"]["text"]) for output in lifted.report.get("outputs", [])}


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.1.0", "3.8.0"])
def test_other_releases_give_the_same_kind_of_formula(version, lifted):
    folder = ROOT / "build" / "corpus" / version
    chosen = [name for name in LOOP_FREE if version in CASES[name].versions and (folder / f"{name}.ttir").exists() and name not in MISSING]
    if not chosen:
        pytest.skip(f"corpus.py compile --version {version} was not run")
    for name in chosen:
        other, ours = lift(files(CASES[name], folder), "--no-prove", emit=()), lifted(name)
        assert other.closed() and other.forms() == ours.forms(), f"{name}: {other.reason()}"
        if version == "3.8.0":  # 3.1 has no names of arguments
            assert formulas_of(other) == formulas_of(ours), name


def test_rewrites_are_all_tested():
    assert set(SURVIVES) == set(REWRITES)
