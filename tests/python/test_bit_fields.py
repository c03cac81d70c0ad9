"""Emitted modules take fields out of whole words before they become floats (tests/python/forms/bit_fields.py): a float has no room for the
word, and the difference of two of them none for the field."""

from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, lift

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")
RANDOM = np.random.default_rng(7)


@pytest.fixture(scope="module")
def emitted():
    compiled_forms(ROOT / "tests" / "python" / "forms" / "bit_fields.py")
    return {name: lift([FOLDER / f"bit_fields.{name}.ttir"], "--no-prove").modules for name in ("field", "low_bits")}


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("name,bits", [("field", 31), ("low_bits", 63)])
def test_fields_of_large_words(name, bits, framework, emitted):
    w = RANDOM.integers(-(2**bits), 2**bits, 500, dtype=np.int64).astype(np.int32 if bits == 31 else np.int64)
    z = RANDOM.standard_normal(500).astype(np.float32)
    want = ((w >> 8) & 15) - z if name == "field" else (w & 1023) * 0.5
    given = {"w_ptr": w} | ({"z_ptr": z} if name == "field" else {})
    if framework == "pytorch":
        given = {key: torch.from_numpy(value) for key, value in given.items()}
    np.testing.assert_allclose(np.asarray(emitted[name][framework](**given)["y_ptr"]), want, rtol=1e-6, atol=1e-6)
