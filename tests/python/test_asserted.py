"""What C functions assert of elements and sizes, in `check`: a witness breaks none of it, and what both sides assert together leaves more than an equation."""

import json
import subprocess

import pytest
from triton_tools.lifted import ASSAY

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def function(name, before, body="s += x[i];", result="s", sizes="int n"):
    loop = f"float s = 0; for (int i = 0; i < n; i++) {{ {body} }} return {result};"
    return f"float {name}(const float *x, {sizes}) {{ {before} {loop} }}\n"


SOURCE = "#include <assert.h>\n" + "".join(
    [
        function("plain", ""),
        function("guarded", "assert(x[0] > 0);", result="x[0] > 0 ? s : 0"),
        function("stricter", "assert(x[0] > 0);", result="x[0] > 1 ? s : 0"),
        function("each", "", "assert(x[i] >= 0); s += x[i];"),
        function("absolute", "", "s += x[i] < 0 ? -x[i] : x[i];"),
        function("least", "assert(x[0] >= 0);"),
        function("most", "assert(x[0] <= 0);"),
        function("each_most", "", "assert(x[i] <= 0); s += x[i];"),
        function("never", "assert(x[0] < 0);"),
        function("up_to", "assert(n <= m);", sizes="int n, int m"),
        function("from", "assert(n >= m);", sizes="int n, int m"),
        function("equal", "assert(n == m);", sizes="int n, int m"),
    ]
)
# verdict and code of the reason
PAIRS = {
    ("guarded", "plain"): ("proved", None),
    ("guarded", "stricter"): ("refuted", "different"),
    ("plain", "guarded"): ("proved", None),
    ("each", "absolute"): ("probable", "not-proved"),
    ("plain", "absolute"): ("refuted", "different"),
    ("least", "most"): ("unknown", "no-launch"),
    ("each", "each_most"): ("unknown", "no-launch"),
    ("guarded", "never"): ("unknown", "no-launch"),
    ("least", "least"): ("proved", None),
    ("up_to", "from"): ("unknown", "no-launch"),
    ("up_to", "up_to"): ("proved", None),
    ("up_to", "equal"): ("proved", None),
    ("equal", "equal"): ("proved", None),
}


def check(tmp_path, left, right, *flags):
    (tmp_path / "f.c").write_text(SOURCE)
    command = [ASSAY, "check", f"f.c:{left}", f"f.c:{right}", "--json", *flags]
    return json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout)


@pytest.mark.parametrize("left,right", PAIRS)
def test_pair(left, right, tmp_path):
    report = check(tmp_path, left, right)
    assert (report["verdict"], (report["reason"] or {}).get("code")) == PAIRS[left, right], report["reason"]
    first = ((report.get("witness") or {}).get("inputs") or {}).get("x[0]", 1)
    assert left != "guarded" or float(first) > 0


def test_equation_that_is_given(tmp_path):
    assert check(tmp_path, "up_to", "from", "--assume", "n == m")["verdict"] == "proved"


def test_text_of_an_assertion(tmp_path):
    texts = [a["text"] for a in check(tmp_path, "guarded", "plain")["assumptions"]]
    assert "x[0] > 0" in texts
