"""Where things lie in the checkout; nothing else knows."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
KERNELS = ROOT / "examples" / "kernels"
EXPECTED = KERNELS / "expected"
CORPUS = ROOT / "tests" / "python" / "corpus"
MAIN_VERSION = "3.6.0"
SHARED_LAUNCHES = "ASSAY_SHARED_LAUNCHES"  # names the folder of captures that the processes of one test run share


def ttir_folder(version=MAIN_VERSION):
    return BUILD / "corpus" / version


def triton_folder(version):
    """The folder for PYTHONPATH; the main version lies in the virtual environment itself."""
    return None if version == MAIN_VERSION else BUILD / f"triton-{version}"


def write(path: Path, content: str | bytes):
    """At once, and only what is new: other processes may be reading it."""
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and path.read_bytes() == data:
        return
    new = path.with_name(f".{os.getpid()}.{path.name}")
    new.write_bytes(data)
    os.replace(new, path)
