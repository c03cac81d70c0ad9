"""docs/invariants.md says which operators of the lifting paper are proved under `--invariant pattern` and `template`: so it is."""

import re

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY, lift

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

TEXT = (ROOT / "docs" / "invariants.md").read_text()
ROWS = re.findall(r"^\| [^|]+ \| `([\w/]+)` \| (proved|no) \| (proved|no) \|$", TEXT, re.MULTILINE)


def test_the_table_has_the_33_operators_and_counts_them():
    assert len(ROWS) == len({row[0] for row in ROWS}) == 33
    counts = [sum(row[column] == "proved" for row in ROWS) for column in (1, 2)]
    assert f"| all 33 | | {counts[0]} | {counts[1]} |" in TEXT


@pytest.mark.parametrize("column, how", [(1, "pattern"), (2, "template")])
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_the_table_is_true(row, column, how, corpus):
    answer = lift([corpus / f"{row[0]}.ttir"], "--invariant", how, emit=())
    assert answer.report["verdict"] == ("proved" if row[column] == "proved" else "probable"), answer.reason()
