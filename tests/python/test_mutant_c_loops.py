"""The programs of tests/loops with one thing wrong, against what they were.

A mutant whose compiled code gives something else on random arrays is refuted; one that may read out of its arrays, or
divide by 0, is not proved. What gives the same is left alone: it may be the same.
"""

import copy
import ctypes
import faulthandler
import os
import re
import subprocess

import numpy as np
import pytest
from test_c_loops import LOOPS, SIGNATURE, arguments, call, compiled, split
from triton_tools.lifted import ASSAY

SUITES = ("blend", "inference", "linear_algebra", "network", "signal", "geometry", "arrays")
CHANGES = {" + ": " - ", " - ": " + ", " * ": " + ", " > ": " < ", " == ": " != ", " < ": " <= ", "= 0": "= 1"}
SAMPLE = {"lmsfir2"}


def programs():
    for suite in SUITES:
        path = LOOPS / f"{suite}.cc"
        for match in SIGNATURE.finditer(path.read_text()):
            name = match[2]
            marks = [] if name in SAMPLE else [pytest.mark.full]
            yield pytest.param(path, match.span(), match[1], name, split(match[3]), id=name, marks=marks)


def mutants(text, span):
    """(what is changed, the file with it)"""
    begin, end = span[1], text.index("\n}\n", span[1])
    for what, by in CHANGES.items():
        for match in re.finditer(re.escape(what), text[begin:end]):
            at = begin + match.start()
            yield what, text[:at] + by + text[at + len(what) :]
    for match in re.finditer(r"(?<![\w\[])(16|32|100)(?![\w\]])", text[begin:end]):
        at = begin + match.start()
        yield match[0], text[:at] + str(int(match[0]) + 1) + text[at + len(match[0]) :]


def differs(old, new, path, name, parameters):
    """True, False, or None where the mutant crashes."""
    child = os.fork()
    if not child:
        faulthandler.disable()
        random = np.random.default_rng(len(name))
        for trial in range(30):
            values = arguments(random, trial, name, parameters)
            wanted = call(old, path, name, parameters, copy.deepcopy(values)).copy()
            if (call(new, path, name, parameters, values) != wanted).any():
                os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) == 1


@pytest.mark.parametrize("path, span, result, name, parameters", list(programs()))
def test_mutants_are_refuted(tmp_path, path, span, result, name, parameters):  # noqa: ARG001
    old, seen = compiled(path, tmp_path / "old.so"), 0
    for number, (what, text) in enumerate(mutants(path.read_text(), span)):
        source = tmp_path / f"mutant{number}.cc"
        source.write_text(text)
        try:
            new = compiled(source, tmp_path / f"new{number}.so")
        except subprocess.CalledProcessError:
            continue
        other = differs(old, new, path, name, parameters)
        if not other and other is not None:
            continue
        done = subprocess.run(
            [ASSAY, "check", f"{source}:{name}", f"{path}:{name}"], capture_output=True, text=True, check=False
        )
        seen += 1
        case = f"{what!r} number {number}\n{done.stdout}{done.stderr}"
        assert "verdict     proved" not in done.stdout, case
        assert done.returncode == 1 or what == " < " or other is None, case
    assert seen, "no mutant gives anything else"


def test_a_loaded_library_is_the_mutant(tmp_path):
    """Two files of one function are two libraries."""
    made = []
    for number in range(2):
        source = tmp_path / f"m{number}.c"
        source.write_text(f"int f(int x) {{ return x + {number}; }}\n")
        made.append(compiled(source, tmp_path / f"m{number}.so"))
    assert [ctypes.c_int(library.f(1)).value for library in made] == [1, 2]
