"""The C interpreter against Triton's on the launches of liger-kernel's own operators, as tools/triton_tools/liger.py left them
(`liger.py compile`, `liger.py interpret`). Without them there is nothing to do. Launches with tensor descriptors were not kept.
"""

import json
from types import SimpleNamespace

import pytest
from conftest import ROOT
from interpreter_c import ELEMENTS, EXECUTABLE, as_array, element_of, run, worst_difference
from triton_tools.case import Kernel

COMPILED, LAUNCHES = ROOT / "build" / "corpus" / "liger", ROOT / "build" / "launches" / "liger"
FOUND = sorted(LAUNCHES.glob("*.json")) if (COMPILED / "index.json").exists() else []
TOLERANCE = {"f32": 1e-4, "f16": 2e-3, "bf16": 1.6e-2}

pytestmark = pytest.mark.skipif(
    not EXECUTABLE.exists() or not FOUND, reason="no executable, or no launches of liger-kernel"
)


class Launch:
    """A launch as interpret.dump writes it."""

    def __init__(self, path):
        described, blob = json.loads(path.read_text())[0], path.with_suffix(".bin").read_bytes()
        self.kernel, self.grid = described["kernel"], described["grid"]
        plain = {"type": "", "storage": -1, "offset": 0, "value": None}
        self.arguments = [SimpleNamespace(**{**plain, **argument}) for argument in described["arguments"]]
        self.storages = [
            SimpleNamespace(
                before=blob[s["before"] : s["before"] + s["bytes"]], after=blob[s["after"] : s["after"] + s["bytes"]]
            )
            for s in described["storages"]
        ]

    def __getitem__(self, name):
        return next(argument for argument in self.arguments if argument.name == name)


@pytest.fixture(scope="module")
def constexprs():
    index = json.loads((COMPILED / "index.json").read_text())
    return {entry["stem"]: entry.get("constexprs", {}) for entry in index.values()}


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_agrees_on_liger_kernel(path, constexprs, tmp_path):
    stem, launch = path.stem.rsplit(".", 1)[0], Launch(path)
    if any("TensorDescriptor" in str(argument.value) for argument in launch.arguments):
        pytest.skip("takes tensor descriptors")
    types = {a.name: a.type for a in launch.arguments if a.name not in constexprs[stem]}
    kernel = Kernel(launch.kernel, " ".join(f"{name}:{type}" for name, type in types.items()))
    report, arrays, shadows = run(COMPILED / f"{stem}.ttir", launch, kernel, tmp_path)
    assert report["status"] == "ok", report["message"]
    assert report["findings"] == []
    assert any((shadow & 1).any() for shadow in shadows.values()), "nothing was written"
    for storage, array in arrays.items():
        element = element_of(launch, storage)
        worst = worst_difference(array, as_array(launch.storages[storage].after, element))
        assert worst <= TOLERANCE.get(element, 0), f"{element}: off by {worst:.3g}"


def test_every_element_type_is_known():
    types = {argument.type for path in FOUND for argument in Launch(path).arguments if argument.kind == "tensor"}
    assert types <= set(ELEMENTS)
