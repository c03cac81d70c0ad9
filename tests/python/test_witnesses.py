"""Witnesses of `check` meet every assumption that is printed: that signed arithmetic fits, too."""

import json
import subprocess

import pytest
from triton_tools.lifted import ASSAY

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

FUNCTIONS = """
int total(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int wraps(const int *a, int n) { unsigned s = 0; for (int i = 0; i < n; i++) s += (unsigned)a[i]; return (int)s; }
long wide(const int *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int less(const int *a, int n) { int s = 0; for (int i = 0; i < n - 1; i++) s += a[i]; return s; }
int scaled(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * 3; return s; }
int scaled_wraps(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += (int)((unsigned)a[i] * 3u); return s; }
#define OR(limit, t) ((t) > 2147483647L || (t) < -2147483648L ? (limit) : (int)(t))
int powers(const int *a, int n) { int s = 1; for (int i = 0; i < n; i++) s = s * 4 + i; return s; }
int powers_end(const int *a, int n) { int s = 1; for (int i = 0; i < n; i++) { long t = (long)s * 4 + i; s = OR(7, t); } return s; }
int powers_more(const int *a, int n) { int s = 1; for (int i = 0; i < n; i++) s = s * 4 + i + (i == 5); return s; }
int apart(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s = s > a[i] ? s - a[i] : a[i] - s; return s; }
int apart_end(const int *a, int n) { long s = 0; for (int i = 0; i < n; i++) s = s > a[i] ? s - a[i] : a[i] - s; return OR(1, s); }
int apart_less(const int *a, int n) { int s = 0; for (int i = 1; i < n; i++) s = s > a[i] ? s - a[i] : a[i] - s; return s; }
int ends(const int *a, int n) { int s = 1, i = 0; while (i < n && s != 5) { s = s * a[i] + s / 3; i++; } return s; }
int ends_wide(const int *a, int n) { int s = 1, i = 0; while (i < n && s != 5) { long t = (long)s * a[i] + s / 3; s = OR(7, t); i++; } return s; }
int ends_more(const int *a, int n) { int s = 1, i = 0; while (i < n && s != 5) { s = s * a[i] + s / 2; i++; } return s; }
void squares(const int *a, int *o, int n) { for (int i = 0; i < n; i++) o[i] = a[i] * a[i]; }
void squares_wrap(const int *a, int *o, int n) { for (int i = 0; i < n; i++) o[i] = (int)((unsigned)a[i] * (unsigned)a[i]); }
void squares_more(const int *a, int *o, int n) { for (int i = 0; i < n; i++) o[i] = a[i] * a[i] + (a[i] == 2); }
"""


@pytest.mark.parametrize(
    "left,right,differs",
    [
        ("total", "wraps", False),
        ("wraps", "total", False),
        ("total", "wide", False),
        ("wide", "total", False),
        ("scaled", "scaled_wraps", False),
        ("scaled_wraps", "scaled", False),
        ("squares", "squares_wrap", False),
        ("squares_wrap", "squares", False),
        ("powers", "powers_end", False),
        ("powers_end", "powers", False),
        ("apart", "apart_end", False),
        ("ends", "ends_wide", False),
        ("powers", "powers_more", True),
        ("apart", "apart_less", True),
        ("ends", "ends_more", True),
        ("total", "less", True),
        ("squares", "squares_more", True),
        ("squares_more", "squares_wrap", True),
    ],
)
def test_sums_of_a_witness_fit(left, right, differs, tmp_path):
    path = tmp_path / "f.c"
    path.write_text(FUNCTIONS)
    done = subprocess.run(
        [ASSAY, "check", "--json", f"{path}:{left}", f"{path}:{right}"], capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout)
    assert (answer["verdict"] == "refuted") == differs, (answer["verdict"], answer["witness"])
    assert differs or answer["reason"] is None or answer["reason"]["code"] != "lift-mismatch"
