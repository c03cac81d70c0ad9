"""The package as it lies in the checkout, with the library of build/. Kernels are compiled here, so that Triton's
interpreter must be off: these tests run in a process of their own, apart from tests/python."""

import os
import sys
from pathlib import Path

os.environ.pop("TRITON_INTERPRET", None)
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("TRITON_CACHE_DIR", str(ROOT / "build" / "triton-cache"))

pytest_plugins = ["pytester"]


def pytest_configure(config):
    config.addinivalue_line("markers", "full: only in make check-full")
