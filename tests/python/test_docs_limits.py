"""Of every kernel of examples/kernels: docs/limits.md names those whose formula is not proved or that are not proved safe, and
what is printed names the source's things."""

import json
import re
import subprocess

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY, patient

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

# lanes, iterations, coordinates and indices that Assay has made up; texts that are cut
INTERNAL = re.compile(
    r"\b(?:lane\d+_\d+|axis\d+|(?:carry|left|right|next|place|other|part|later)\d+|[a-z]\d{2,}|[tqrsblu]\d)\b|\.\.\."
)
OWN = re.compile(r"\b[iuf]\d{1,2}\b|\bbf16\b")  # types


@pytest.fixture(scope="module")
def reports(corpus):
    files = sorted(
        path
        for path in [*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")]
        if not path.name.endswith(".source.ttir")
    )
    assert len(files) > 90
    done = subprocess.run(patient("lift", "--all", "--json", *files), capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(files), done.stderr
    return {str(path.relative_to(corpus)).removesuffix(".ttir"): report for path, report in zip(files, found)}


def test_what_is_not_proved_stands_in_the_limits(reports):
    text = (ROOT / "docs" / "limits.md").read_text()
    named = set(re.findall(r"`([\w./]+)`", text))
    missing = []
    for name, report in reports.items():
        if (report["verdict"], report["safety"]) != ("proved", "proved") and not {name, name.split(".")[0]} & named:
            missing.append(f"{name}: {report['verdict']}, {report['safety']}: {report['reason']}")
    assert not missing, "\n".join(missing)


def messages(report):
    yield from ((report["reason"] or {}).get("text") or "", *report["literals"])
    for assumption in report["assumptions"]:
        yield from (assumption["text"], assumption["limit"] or "")
    for obligation in report["obligations"]:
        yield (obligation["detail"] or "").replace("=... decides", "").replace("=... and a", "")  # --shape x=...


def test_messages_name_the_things_of_the_source(reports):
    arguments = {
        name: {entry["name"] for entry in report["inputs"] + report["outputs"]} for name, report in reports.items()
    }
    wrong = [
        f"{name}: {found.group()}: {text}"
        for name, report in reports.items()
        for text in messages(report)
        for found in INTERNAL.finditer(OWN.sub("", text))
        if found.group() not in arguments[name]
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_its_own_comes_first(reports):
    """n_cols <= 1024 says more of a softmax than that its sizes are not empty."""
    for name, wanted in {
        "softmax": "n_cols <= 1024",
        "argmin": "N <= 256",
        "matmul_tile": "M <= 64",
        "loops/attention": "head_dim <= 64",
    }.items():
        assert reports[name]["assumptions"][0]["text"] == wanted
    for report in reports.values():
        general = [
            a["kind"] in ("disjoint", "finite")
            for a in report["assumptions"]
            if a["kind"] in ("disjoint", "finite", "cover", "grid") and not a["text"].endswith(" = 1")
        ]
        assert general == sorted(general), report["assumptions"]
