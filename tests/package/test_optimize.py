"""`assay.optimize`: candidates with `lifted`, the verdict on the emitted Triton."""

import assay
import pytest
from conftest import ROOT

FORMULAS = ROOT / "tests" / "optimize"


def test_lifted_is_the_verdict_on_the_emitted_triton():
    found = assay.optimize(FORMULAS / "gated_mlp.formula", top=1)
    best = next(c for c in found.candidates if not c["input"])
    assert (best["verdict"], best["lifted"]) == ("proved", "proved")
    assert next(c for c in found.candidates if c["input"])["lifted"] is None
    assert all(
        c["lifted"] is None for c in assay.optimize(FORMULAS / "gated_mlp.formula", top=1, lift=False).candidates
    )


@pytest.mark.parametrize("change,verdict", [(("", ""), "proved"), ((" * tl.sigmoid(", " + tl.sigmoid("), "refuted")])
def test_functions_have_the_shapes_that_the_module_declares(monkeypatch, change, verdict):
    """What a kernel loads as a whole is one row to it, and has two axes in the function."""
    from assay import _optimize

    right = _optimize.lifted_verdict
    monkeypatch.setattr(
        _optimize, "lifted_verdict", lambda text, *rest, **options: right(text.replace(*change), *rest, **options)
    )
    found = assay.optimize(
        f"{FORMULAS / 'functions.py'}:gated", shape={"x": "M,64", "w1": "64,128", "w2": "64,128"}, top=1
    )
    assert next(c for c in found.candidates if not c["input"])["lifted"] == verdict


def test_lifted_is_of_what_was_emitted(monkeypatch):
    """A fault of the emitter shows."""
    from assay import _optimize

    right = _optimize.lifted_verdict
    monkeypatch.setattr(
        _optimize, "lifted_verdict", lambda text, *rest, **options: right(text.replace("+=", "-="), *rest, **options)
    )
    found = assay.optimize(FORMULAS / "gated_mlp.formula", top=1)
    assert next(c for c in found.candidates if not c["input"])["lifted"] == "refuted"


def test_options_are_those_of_the_command_line():
    found = assay.optimize(
        FORMULAS / "rms_matmul.formula", set={"M": 16}, top=1, max_kernel_ops=1, target="sm_90", lift=False
    )
    assert "f16[16, K]" in found.candidates[0]["graph"]
    with pytest.raises(assay.UsageError):
        assay.optimize(FORMULAS / "rms_matmul.formula", target="sm_1")
