"""Writes the programs of tensors.txt (the 69) and programs.txt (the 81 others) as C and C++: `make.py FOLDER`.

Each form is one file: pointers.c (`const double *x`, elements x[i*m + j]), arrays.c (`double x[n][m]`), vectors.cc
(`vector<vector<double>>`, what is written by reference).
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

SOURCES = [Path(__file__).with_name(name) for name in ("tensors.txt", "programs.txt")]
HEAD = re.compile(r"(?P<name>\w+)(?: -> (?P<result>\w+))?: (?P<parameters>.*)")
PARAMETER = re.compile(r"(?P<type>[\w ]+?) (?P<out>&?)(?P<name>\w+)(?P<dims>(?:\[\w+\])*)$")


class Program(NamedTuple):
    suite: str
    name: str
    result: str  # its type
    parameters: list  # (type, is written, name, extents)
    body: list  # lines


def programs(*sources):
    """Those of some files; of all without."""
    suite = None
    for block in (b for source in sources or SOURCES for b in re.split(r"\n\n+", source.read_text())):
        lines = [line for line in block.splitlines() if line.strip() and not re.match(r"# |#$", line)]
        if not lines:
            continue
        if lines[0].startswith("## "):
            suite = lines[0][3:]
            continue
        head = HEAD.match(lines[0])
        found = [PARAMETER.match(p.strip()) for p in head["parameters"].split(",")]
        parameters = [(m["type"], bool(m["out"]), m["name"], re.findall(r"\w+", m["dims"])) for m in found]
        yield Program(suite, head["name"], head["result"] or "void", parameters, lines[1:])


def subscripts(text, start):
    """The indices behind a name, and where they end."""
    out, at = [], start
    while at < len(text) and text[at] == "[":
        depth, begin = 0, at + 1
        while True:
            depth += {"[": 1, "]": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
        out.append(text[begin : at - 1])
    return out, at


def flat(text, arrays):
    """Elements of arrays of several axes as those of memory, row by row."""
    out, at = "", 0
    for m in re.finditer(r"\b\w+(?=\[)", text):
        if m.start() < at or m[0] not in arrays:
            continue
        indices, end = subscripts(text, m.end())
        offset = flat(indices[0], arrays)
        for extent, index in zip(arrays[m[0]][1:], indices[1:]):
            plain = re.fullmatch(r"\w+", offset)
            offset = f"{offset if plain else f'({offset})'} * {extent} + {flat(index, arrays)}"
        out += text[at : m.start()] + f"{m[0]}[{offset}]"
        at = end
    return out + text[at:]


def pointers(parameters):
    return [f"{t} {n}" if not d else f"{'' if out else 'const '}{t} *{n}" for t, out, n, d in parameters]


def arrays(parameters):
    return [f"{t} {n}" + "".join(f"[{e}]" for e in d) for t, out, n, d in parameters]


def vectors(parameters):
    taken = []
    for t, out, n, d in parameters:
        kind = t
        for _ in d:
            kind = f"vector<{kind}>"
        taken.append(f"{kind} {'&' if out and d else ''}{n}")
    return taken


def text_of(program, form):
    shapes = {n: d for _, _, n, d in program.parameters} if form is pointers else {}
    body = "\n".join("  " + flat(line, shapes) for line in program.body)
    return f"{program.result} {program.name}({', '.join(form(program.parameters))}) {{\n{body}\n}}\n"


FORMS = {
    "pointers.c": ("#include <math.h>\n#include <stdint.h>\n", pointers),
    "arrays.c": ("#include <math.h>\n#include <stdint.h>\n", arrays),
    "vectors.cc": ("#include <cmath>\n#include <cstdint>\n#include <vector>\nusing namespace std;\n", vectors),
}


def write(folder, *sources):
    for file, (head, form) in FORMS.items():
        text = "\n".join(text_of(program, form) for program in programs(*sources))
        (Path(folder) / file).write_text(f"{head}\n{text}")


if __name__ == "__main__":
    write(sys.argv[1])
