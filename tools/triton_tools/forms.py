#!/usr/bin/env python3
"""Small kernels that show one form each: build/venv/bin/python tools/triton_tools/forms.py FILE.py... compiles the kernels that
each file lists under FORMS -> build/corpus/forms/STEM.NAME.ttir.

A process of its own: the tests run with Triton's interpreter switched on, and then nothing compiles."""

import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from triton_tools import paths  # noqa: E402

FOLDER = paths.BUILD / "corpus" / "forms"


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_forms(path: Path):
    from triton_tools.compile import tidy, to_ttir

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, form in load(path).FORMS.items():
        _, text = to_ttir(form["kernel"], form["types"], form["constexprs"], **form.get("options", {}))
        paths.write(FOLDER / f"{path.stem}.{name}.ttir", tidy(text))


if __name__ == "__main__":
    for each in sys.argv[1:]:
        compile_forms(Path(each))
