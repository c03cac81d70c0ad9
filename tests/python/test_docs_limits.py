"""docs/limits.md names every kernel of examples/kernels whose formula is not proved or that is not proved safe."""
import json
import re
import subprocess

import pytest
from conftest import ROOT
from triton_tools.lifted import ASSAY

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def test_what_is_not_proved_stands_in_the_limits(corpus):
    text = (ROOT / "docs" / "limits.md").read_text()
    named = set(re.findall(r"`([\w./]+)`", text))
    files = sorted(path for path in [*corpus.glob("*.ttir"), *corpus.glob("loops/*.ttir")] if not path.name.endswith(".source.ttir"))
    assert len(files) > 90
    done = subprocess.run([ASSAY, "lift", "--all", "--json", *files], capture_output=True, text=True, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(files), done.stderr
    missing = []
    for path, report in zip(files, reports):
        name = str(path.relative_to(corpus)).removesuffix(".ttir")
        if (report["verdict"], report["safety"]) != ("proved", "proved") and not {name, name.split(".")[0]} & named:
            missing.append(f"{name}: {report['verdict']}, {report['safety']}: {report['reason']}")
    assert not missing, "\n".join(missing)
