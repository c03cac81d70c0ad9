"""The command line program that lies in the package (or in build/ of a checkout): `assay`."""

from __future__ import annotations

import os
import subprocess
import sys

from ._errors import AssayError
from ._library import HERE


def program() -> str:
    """The path of the program; AssayError if there is none."""
    for path in (os.environ.get("ASSAY"), HERE / "_lib" / "assay", HERE.parents[1] / "build" / "assay"):
        if path and os.path.exists(path):
            return str(path)
    raise AssayError("no program assay in the package")


def run(*arguments: str) -> int:
    """Runs it with these arguments; its exit code."""
    return subprocess.run([program(), *arguments], check=False).returncode


def main() -> int:
    return run(*sys.argv[1:])
