"""What `assay lift --stop-after program` prints is accepted by Triton's own parser as the same module, for every compiled
kernel; and by mlir-opt, where it is installed, for the dialects that are MLIR's."""

import os
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT, compile_corpus

ASSAY = ROOT / "build" / "assay"
GOLDEN = ROOT / "tests" / "golden" / "read"

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def compare(files, *options, path=None):
    """In a process of its own: Triton runs without its interpreter, and in the version of `path`."""
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    if path:
        environment["PYTHONPATH"] = str(path)
    command = [
        sys.executable,
        str(GOLDEN / "compare_with_triton.py"),
        "--assay",
        str(ASSAY),
        *options,
        *map(str, files),
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert done.stdout.endswith("%d files, 0 wrong\n" % len(files))


def golden_inputs(tmp_path, names):
    for name in names:
        text = (GOLDEN / (name + ".test")).read_text()
        (tmp_path / (name + ".mlir")).write_text(text.split("\n", 1)[1].split("---- expected\n")[0])
    return sorted(tmp_path.glob("*.mlir"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", range(3))
def test_every_compiled_kernel_prints_as_itself(corpus, part):
    files = sorted(corpus.rglob("*.ttir"))
    for folder in ("bugs", "launched", "liger"):  # what other tests have compiled
        files += sorted((corpus.parent / folder).rglob("*.ttir"))
    assert len(files) > 200
    compare(files[part::3])


@pytest.mark.full
@pytest.mark.parametrize("version", ["3.1.0", "3.8.0"])
def test_other_releases_read_what_is_printed_of_theirs(version):
    path = ROOT / "build" / ("triton-" + version)
    if not path.exists():
        pytest.skip("Triton %s is not installed" % version)
    done = compile_corpus(version)
    assert done.returncode == 0, done.stderr
    files = sorted((ROOT / "build" / "corpus" / version).rglob("*.ttir"))
    assert len(files) > 20
    compare(files, path=path)


def test_mlir_opt_reads_the_standard_dialects(tmp_path):
    program = shutil.which("mlir-opt-19") or shutil.which("mlir-opt")
    if not program:
        pytest.skip("mlir-opt-19 is not installed")
    compare(golden_inputs(tmp_path, ["standard_dialects", "standard_dialects_generic"]), "--mlir-opt", program)
