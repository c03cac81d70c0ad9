"""Random pairs of MLIR functions (tests/mlir/random): nothing that differs is proved, nothing that a right pass of
mlir-opt made is refuted, and no text makes the program fail."""

import os
import shutil
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests/mlir/random"))

import run  # noqa: E402

MLIR_OPT = os.environ.get("ASSAY_MLIR_OPT") or shutil.which("mlir-opt-19")


def checked(method, count, seed):
    runner = run.Runner(str(ROOT / "build/assay"), MLIR_OPT, None, 20)
    getattr(runner, method)(seed, count)
    assert not runner.bad, "\n".join(runner.bad)
    return runner


def test_mutants():
    runner = checked("mutants", 240, "check")
    assert runner.count["mutant proved"] > 40 and runner.count["mutant refuted"] > 80


@pytest.mark.skipif(not MLIR_OPT, reason="needs mlir-opt")
def test_passes():
    assert checked("passes", 90, "check").count["pass proved"] > 60


def test_texts():
    assert checked("texts", 40, "check").count["text refused"] > 20


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_mutants_full(seed):
    checked("mutants", 10000, f"full {seed}")


@pytest.mark.full
@pytest.mark.skipif(not MLIR_OPT, reason="needs mlir-opt")
@pytest.mark.parametrize("seed", range(8))
def test_passes_full(seed):
    checked("passes", 1250, f"full {seed}")


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_texts_full(seed):
    checked("texts", 2500, f"full {seed}")
