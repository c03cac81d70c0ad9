"""Elements without sign (tests/python/forms/unsigned.py): bits are bits, whoever reads them how."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, lift

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


@pytest.fixture(scope="module")
def forms():
    compiled_forms(ROOT / "tests" / "python" / "forms" / "unsigned.py")
    return lambda name: FOLDER / f"unsigned.{name}.ttir"


def check(left, right, *flags):
    done = subprocess.run([ASSAY, "check", "--json", left, right, *flags], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def verdict(report):
    return report["verdict"], report["reason"]


@pytest.mark.parametrize(
    "name,code,wanted",
    [
        ("scaled", "def f(q, s): return s * q.to(torch.float32)", "proved"),
        ("scaled", "def f(q, s): return q * s", "proved"),
        ("scaled", "def f(q, s): return q.to(torch.int8).float() * s", "refuted"),
        ("scaled", "def f(q, s): return (q.int() - 256 * (q > 127).int()).float() * s", "refuted"),
        ("scaled", "def f(q, s): return q.float() + s", "refuted"),
        ("scaled_u16", "def f(q, s): return q.int().to(torch.int16).float() * s", "refuted"),
        ("scaled_i8", "def f(q, s): return q.float() * s", "proved"),
        ("scaled_i8", "def f(q, s): return q.to(torch.uint8).float() * s", "refuted"),
        ("zero_points", "def f(q, z, s): return (q.float() + z.float()[:, None]) * s[:, None]", "refuted"),
        (
            "zero_points",
            "def f(q, z, s): return (q.int() - z.int()[:, None]).to(torch.uint8).float() * s[:, None]",
            "refuted",
        ),
        ("halves", "def f(q): return (q & 15).float(), (q >> 3).float()", "refuted"),
        ("halves", "def f(q): return (q >> 4).float(), (q & 15).float()", "refuted"),
        (
            "chosen",
            (
                "def f(q, x):\n    q = torch.where(x > 0, q.int(), 200)\n    return torch.where((q > 127) & (q !="
                " 255), x, q.float())"
            ),
            "refuted",
        ),
    ],
)
def test_against_references(name, code, wanted, forms, tmp_path):
    """A reference sees a tensor without sign."""
    reference = tmp_path / "reference.py"
    reference.write_text(f"import torch\n\n\n{code}\n")
    report = check(forms(name), f"{reference}:f")
    assert report["verdict"] == wanted, report["reason"]


@pytest.mark.parametrize(
    "left,right,wanted",
    [
        ("scaled", "scaled", "proved"),
        ("scaled", "scaled_i8", "refuted"),
        ("scaled_i8", "scaled", "refuted"),
        ("halves", "halves_i8", "refuted"),
        ("halves_i8", "halves", "refuted"),
    ],
)
def test_two_kernels_are_given_the_same_bits(left, right, wanted, forms):
    """The formulas are the same text; what one reads as 200 is -56 to the other."""
    report = check(forms(left), forms(right))
    assert report["verdict"] == wanted, report["reason"]
    assert any(d["kind"] == "dtype" and "same bits" in d["text"] for d in report["differences"]) == (left != right)


@pytest.mark.parametrize("stage", ["pointwise", "tensor"])
@pytest.mark.parametrize(
    "name,other",
    [("scaled", "scaled_i8"), ("scaled_i8", "scaled"), ("bit_by_bit", None), ("chosen", None), ("mixed", None)],
)
def test_printed_formulas_say_how_elements_are_read(name, other, stage, forms, tmp_path):
    text = subprocess.run(
        [ASSAY, "lift", "--stop-after", stage, forms(name)], capture_output=True, text=True, check=False
    ).stdout
    formula = tmp_path / f"{name}.formula"
    formula.write_text(text)
    assert check(forms(name), formula)["verdict"] == "proved"
    if other:
        assert check(forms(other), formula)["verdict"] == "refuted"


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_emitted_modules_take_the_bits(framework, forms):
    """An array of signed bytes may hold them."""
    q = np.arange(256, dtype=np.uint8)
    module = lift([forms("scaled")]).modules[framework]
    for given in (q, q.view(np.int8)):
        arguments = {"q_ptr": given, "s_ptr": np.float32(0.5)}
        if framework == "pytorch":
            arguments = {key: torch.as_tensor(value) for key, value in arguments.items()}
        np.testing.assert_array_equal(np.asarray(module(**arguments)["y_ptr"]), q * 0.5)


def test_emitted_modules_compute_what_bytes_are(forms):
    """All pairs of bytes."""
    q, r = (a.ravel() for a in np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8)))
    a, b = q.astype(np.int64), r.astype(np.int64)
    got = lift([forms("bit_by_bit")]).modules["numpy"](q_ptr=q, r_ptr=r)["y_ptr"]
    np.testing.assert_array_equal(got, np.maximum(a, b) + a // 3 + (a ^ b) + (a | 16) + (a & b))
    x = np.random.default_rng(5).standard_normal(len(q)).astype(np.float32)
    chosen = np.where(x > 0, a, 200)
    got = lift([forms("chosen")]).modules["numpy"](q_ptr=q, x_ptr=x)["y_ptr"]
    np.testing.assert_array_equal(got, np.where((chosen > 128) & (chosen != 255), x, chosen))


def operation(folder, forms, dtype, *launches, temporary=False):
    """Launches of (kernel, {argument: tensor}) over x, q, s, y and z."""
    floats = {
        name: {"dtype": "f32", "shape": shape} for name, shape in (("x", ["n"]), ("y", ["n"]), ("z", ["n"]), ("s", []))
    }
    path = folder / "operation.launch.json"
    path.write_text(
        json.dumps(
            {
                "schema": 1,
                "name": "operation",
                "tensors": (
                    {"q": {"dtype": dtype, "shape": ["n"]} | ({"temporary": True} if temporary else {})} | floats
                ),
                "launches": [
                    {
                        "file": os.path.relpath(forms(name), folder),
                        "grid": ["cdiv(n,128)"],
                        "args": arguments | {"n": "n"},
                    }
                    for name, arguments in launches
                ],
            }
        )
    )
    return path


def scaling(name, y="y"):
    return name, {"q_ptr": "q", "s_ptr": "s", "y_ptr": y}


UNSIGNED = "where(q < 0, q + 256, q)"
SIGNED = "wrap8(q) * s"


@pytest.mark.parametrize(
    "dtype,launches,shown,texts",
    [
        ("u8", [scaling("scaled")], "u8", ["q * s"]),
        ("i8", [scaling("scaled")], "i8", [f"{UNSIGNED} * s"]),
        ("u8", [scaling("scaled"), scaling("scaled", "z")], "u8", ["q * s", "q * s"]),
        # what the operation file says holds, and who reads with a sign wraps
        ("u8", [scaling("scaled"), scaling("scaled_i8", "z")], "u8", [SIGNED, "q * s"]),
        ("u8", [scaling("scaled_i8", "z"), scaling("scaled")], "u8", ["q * s", SIGNED]),
    ],
)
def test_launches_that_read_one_tensor_agree_on_its_sign(dtype, launches, shown, texts, forms, tmp_path):
    report = lift([operation(tmp_path, forms, dtype, *launches)], emit=()).report
    assert verdict(report) == ("proved", None)
    assert {i["name"]: i["dtype"] for i in report["inputs"]}["q"] == shown
    assert sorted(o["formula"]["text"] for o in report["outputs"]) == sorted(texts)


@pytest.mark.parametrize(
    "name,back,wanted",
    [
        ("scaled", "", "probable"),
        ("scaled", ".to(torch.int8)", "refuted"),
        ("scaled_i8", "", "refuted"),
        ("scaled_i8", ".to(torch.int8)", "probable"),
    ],
)
def test_what_one_launch_writes_another_reads_as_it_does(name, back, wanted, forms, tmp_path):
    """Bytes from 0 to 255 that are read with a sign come back as others."""
    path = operation(tmp_path, forms, "u8", ("quantise", {"x_ptr": "x", "q_ptr": "q"}), scaling(name), temporary=True)
    reference = tmp_path / "reference.py"
    reference.write_text(f"import torch\n\n\ndef f(x, s): return x.clamp(0, 255).to(torch.uint8){back}.float() * s\n")
    report = check(path, f"{reference}:f")
    assert report["verdict"] == wanted, report["reason"]
