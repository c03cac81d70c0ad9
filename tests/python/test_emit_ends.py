"""Emitted modules at the ends of what numbers and axes are: integers beyond 64 bits, poles, names that are used early, axes without elements."""

import ctypes
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from test_emit import load
from triton_tools.lifted import ASSAY

INPUTS = Path(__file__).parent / "emitted"
ENDS = np.array([-(2**63), -(2**63) + 1, -11, -1, 0, 1, 10, 2**63 - 1], dtype=np.int64)


def emitted(source, tmp_path, target="numpy"):
    path = tmp_path / f"{target}_module.py"
    done = subprocess.run(
        [ASSAY, "lift", "--json", "--emit", target, "-o", path, source], capture_output=True, text=True, check=False
    )
    return getattr(load(path), json.loads(done.stdout)["kernel"])


def of_formula(text, tmp_path, target="numpy"):
    (tmp_path / "formula.txt").write_text("pointwise f\n" + text)
    return emitted(tmp_path / "formula.txt", tmp_path, target)


def test_comparison_at_the_ends_of_i64(tmp_path):
    y = emitted(INPUTS / "wide_a.json", tmp_path)(x=ENDS)["y"]
    assert y.tolist() == [int(int(v) + 2**63 - 1 >= 0) for v in ENDS]


def test_unsigned_remainder_of_64_bits(tmp_path):
    y = emitted(INPUTS / "unsigned_64.json", tmp_path)(x=ENDS)["y"]
    assert y.dtype == np.int64 and y.tolist() == [int(v) % 2**64 % 10 for v in ENDS]


@pytest.mark.parametrize("target", ["pytorch", "jax", "tensorflow", "mlx"])
def test_no_module_wraps_silently(tmp_path, target):
    """No integers beyond 64 bits: that target is refused by name, and the others are written."""
    done = subprocess.run(
        [ASSAY, "lift", "--json", "--emit", f"numpy,{target}", "-o", tmp_path, INPUTS / "unsigned_64.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and json.loads(done.stdout)["verdict"] == "proved"
    assert json.loads(done.stdout)["reason"]["code"] == "emit-unsupported" and "more than 64 bits" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["unsigned_64.numpy.py"]


@pytest.mark.parametrize(
    "value,right",
    [
        ("where(x[i] < 0, x[i] + 18446744073709551616, x[i]) // 1000", lambda v: v % 2**64 // 1000),
        (
            "wrap64(where(x[i] < 0, x[i] + 18446744073709551616, x[i]) // 3 * 7 + 5)",
            lambda v: (v % 2**64 // 3 * 7 + 5 + 2**63) % 2**64 - 2**63,
        ),
        (
            "where(where(x[i] < 0, x[i] + 18446744073709551616, x[i]) < 9223372036854775809, 1, 0)",
            lambda v: int(v % 2**64 < 2**63 + 1),
        ),
        ("where(x[i] - 9223372036854775807 <= -3, 2, 0)", lambda v: 2 * int(v - (2**63 - 1) <= -3)),
        ("min(where(x[i] < 0, x[i] + 18446744073709551616, x[i]), 12) + 1", lambda v: min(v % 2**64, 12) + 1),
    ],
)
def test_integers_of_any_size_on_the_way(value, right, tmp_path):
    y = of_formula(f"tensor x: i64[n]\ntensor y: i64[n]\ny[i] = {value}\n", tmp_path)(x=ENDS)["y"]
    assert y.dtype == np.int64 and y.tolist() == [right(int(v)) for v in ENDS]


def test_unsigned_number_as_a_float(tmp_path):
    y = of_formula(
        "tensor x: i64[n]\ntensor y: f32[n]\ny[i] = 0.5 * where(x[i] < 0, x[i] + 18446744073709551616, x[i])\n",
        tmp_path,
    )(x=ENDS)["y"]
    assert y.dtype == np.float64 and np.allclose(y, [0.5 * (int(v) % 2**64) for v in ENDS], rtol=1e-15)


def test_size_is_assigned_before_it_is_used(tmp_path):
    f = emitted(INPUTS / "early_name.json", tmp_path)
    x, b = np.arange(1.0, 9.0).reshape(4, 2), np.array([2.0, 4.0])
    assert np.array_equal(f(x=x, b=b, s0=3)["y"], np.where(np.arange(4)[:, None] < 3, x / b, 0))
    assert np.array_equal(
        f(x=x, b=b, s0=3, y=np.full((4, 2), 9.0))["y"], np.where(np.arange(4)[:, None] < 3, x / b, 9)
    )


def test_lgamma_has_its_poles(tmp_path):
    y = emitted(INPUTS / "poles.json", tmp_path)(x=np.array([-8.0, -1.0, 0.0, -0.5, 1.0, 5.0]))["y"]
    assert np.all(np.isposinf(y[:3])) and np.allclose(y[3:], [np.log(2 * np.sqrt(np.pi)), 0, np.log(24)])


@pytest.mark.parametrize("target,array", [("numpy", np.array), ("pytorch", torch.tensor)])
@pytest.mark.parametrize("fold,none", [("max", -np.inf), ("min", np.inf)])
def test_extremum_of_an_empty_axis(target, array, fold, none, tmp_path):
    f = of_formula(f"tensor x: f32[m, n]\ntensor y: f32[m]\ny[i] = {fold}[k < n - 1](x[i, k + 1])\n", tmp_path, target)
    assert np.array_equal(np.asarray(f(x=array([[3.0], [4.0]]))["y"]), [none, none])
    assert np.array_equal(
        np.asarray(f(x=array([[9.0, 1.0, 2.0], [9.0, 5.0, 4.0]]))["y"]), [2, 5] if fold == "max" else [1, 4]
    )


WHOLE = """#include <stdint.h>
int64_t greatest(int n, const int64_t *x) {
  int64_t m = INT64_MIN;
  for (int i = 0; i < n; ++i) if (x[i] > m) m = x[i];
  return m;
}
int64_t least(int n, const int64_t *x) {
  int64_t m = INT64_MAX;
  for (int i = 0; i < n; ++i) if (x[i] < m) m = x[i];
  return m;
}
uint64_t greatest_unsigned(int n, const uint64_t *x) {
  uint64_t m = 0;
  for (int i = 0; i < n; ++i) if (x[i] > m) m = x[i];
  return m;
}
int64_t other_bits(int64_t x) { return x ^ 1234567890123456000; }
"""


@pytest.mark.parametrize("name", ["greatest", "least", "greatest_unsigned"])
def test_folds_from_the_ends_of_i64(name, tmp_path):
    (tmp_path / "whole.c").write_text(WHOLE)
    function = emitted(f"{tmp_path / 'whole.c'}:{name}", tmp_path)
    for x in ([2**63 - 2], [-(2**63) + 5, -(2**63) + 4], ENDS.tolist(), [-3, 7, -1]):
        right = {
            "greatest": max(x),
            "least": min(x),
            "greatest_unsigned": max(x, key=lambda v: v % 2**64),
        }[name]
        assert function(x=np.array(x, dtype=np.int64))["result"].tolist() == right


def test_integers_of_all_digits_are_printed(tmp_path):
    (tmp_path / "whole.c").write_text(WHOLE)
    done = subprocess.run(
        [ASSAY, "lift", f"{tmp_path / 'whole.c'}:other_bits"], capture_output=True, text=True, check=True
    )
    assert "bitxor(x, 1234567890123456000)" in done.stdout
    assert emitted(f"{tmp_path / 'whole.c'}:other_bits", tmp_path)(x=12)["result"] == 12 ^ 1234567890123456000


STEPS = """#include <stdint.h>
int64_t first_of_greatest(int n, const int64_t *x) {
  int64_t r = n / 2;
  for (int64_t i = 0; i < n; ++i) if (x[i] > x[r < n && r >= 0 ? r : 0]) r = i;
  return r;
}
int64_t bits_of_remainders(int n, const uint64_t *x) {
  uint32_t r = 12345;
  for (int i = 0; i < n; ++i) r ^= (x[i] - 255) % 7 | r >> 1;
  return r;
}
int64_t squares_of_some_size(int n, const uint64_t *x) {
  int8_t r = 3;
  for (int i = 0; i < n; ++i) r ^= 1.5 <= x[i] * x[i] ? i : 1;
  return r;
}
"""


@pytest.mark.parametrize("name", ["first_of_greatest", "bits_of_remainders", "squares_of_some_size"])
def test_steps_at_the_ends_of_64_bits(name, tmp_path):
    """A step that compares, or joins bits of what 64 bits do not hold: NumPy, and C where it has a form, are the source."""
    source = tmp_path / "steps.c"
    source.write_text(STEPS)
    done = subprocess.run(
        [ASSAY, "lift", f"{source}:{name}", "--emit", "numpy,c", "-o", tmp_path], check=False, capture_output=True
    )
    assert done.returncode in (0, 2)
    function = getattr(load(tmp_path / f"{name}.numpy.py"), name)
    emitted_c = tmp_path / f"{name}.c.c"
    assert not emitted_c.exists() or "+ 1) <=" not in emitted_c.read_text()  # which overflows, though gcc forgives it
    for path in [source, *([emitted_c] if emitted_c.exists() else [])]:
        checks = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", *checks, path, "-o", path.with_suffix(".so"), "-lm"], check=True)
    original = ctypes.CDLL(str(source.with_suffix(".so")))[name]
    original.restype = ctypes.c_int64
    for x in ([2**63 - 1, 5], [5, 2**63 - 1, 7], ENDS.tolist(), [-1, -2, 3], [1]):
        array, result = np.array(x, dtype=np.int64), np.zeros(1, dtype=np.int64)
        pointer = array.ctypes.data_as(ctypes.c_void_p)
        right = original(len(x), pointer)
        assert function(x=array)["result"].tolist() == right, x
        if emitted_c.exists():
            ctypes.CDLL(str(emitted_c.with_suffix(".so")))[name](
                ctypes.c_int64(len(x)), pointer, result.ctypes.data_as(ctypes.c_void_p)
            )
            assert result[0] == right, x


def test_whole_numbers_beside_a_float_are_exact(tmp_path):
    """b % (b % 8 + 1) is a difference of large numbers, which is not to be added to a float of 24 bits."""
    source = tmp_path / "remainder.c"
    source.write_text(
        "void f(int n, const float *a, const unsigned *b, int *o) {\n"
        "  for (int i = 0; i < n; i++) { int t = b[i] % ((b[i] & 7) + 1); o[i] = a[i] <= (double)t; }\n"
        "}\n"
    )
    a = np.array([1.25, -3.0, 2.25, 1.0, -1.25, 3.5, 0.0], dtype=np.float32)
    b = np.array([2**31, 2**32 - 1, 0, 255, 3, 4000000007, 2**32 - 2], dtype=np.uint32)
    right = [int(x <= int(y) % (int(y) % 8 + 1)) for x, y in zip(a.tolist(), b.tolist())]
    assert emitted(f"{source}:f", tmp_path)(a=a, b=b)["o"].tolist() == right
    subprocess.run([ASSAY, "lift", f"{source}:f", "--emit", "c", "-o", tmp_path / "f.c"], check=True, capture_output=True)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", tmp_path / "f.c", "-o", tmp_path / "f.so", "-lm"], check=True)
    o = np.zeros(len(a), dtype=np.int32)
    pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (a, b, o))
    ctypes.CDLL(str(tmp_path / "f.so")).f(ctypes.c_int64(len(a)), *pointers)
    assert o.tolist() == right
