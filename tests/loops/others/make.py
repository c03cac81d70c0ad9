"""Writes the programs of programs.txt as C and C++: `make.py FOLDER`.

Each form is one file: pointers.c (`const double *x`, elements x[i*m + j]), arrays.c (`double x[n][m]`), vectors.cc
(`vector<vector<double>>`, what is written by reference).
"""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("programs.txt")
PARAMETER = re.compile(r"(?P<type>[\w ]+?) (?P<out>&?)(?P<name>\w+)(?P<dims>(?:\[\w+\])*)$")


def programs():
    """(suite, name, parameters, body); a parameter is (type, is written, name, extents)."""
    suite = None
    for block in re.split(r"\n\n+", SOURCE.read_text()):
        lines = [line for line in block.splitlines() if line.strip() and not re.match(r"# |#$", line)]
        if not lines:
            continue
        if lines[0].startswith("## "):
            suite = lines[0][3:]
            continue
        name, parameters = lines[0].split(": ", 1)
        found = [PARAMETER.match(p.strip()) for p in parameters.split(",")]
        yield suite, name, [
            (m["type"], bool(m["out"]), m["name"], re.findall(r"\w+", m["dims"])) for m in found
        ], lines[1:]


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


def pointers(name, parameters, body):
    taken = [f"{t} {n}" if not d else f"{'' if out else 'const '}{t} *{n}" for t, out, n, d in parameters]
    arrays = {n: d for _, _, n, d in parameters}
    return f"void {name}({', '.join(taken)}) {{\n" + "\n".join("  " + flat(line, arrays) for line in body) + "\n}\n"


def arrays(name, parameters, body):
    taken = [f"{t} {n}" + "".join(f"[{e}]" for e in d) for t, out, n, d in parameters]
    return f"void {name}({', '.join(taken)}) {{\n" + "\n".join("  " + line for line in body) + "\n}\n"


def vectors(name, parameters, body):
    taken = []
    for t, out, n, d in parameters:
        kind = t
        for _ in d:
            kind = f"vector<{kind}>"
        taken.append(f"{kind} {'&' if out and d else ''}{n}")
    return f"void {name}({', '.join(taken)}) {{\n" + "\n".join("  " + line for line in body) + "\n}\n"


FORMS = {
    "pointers.c": ("#include <math.h>\n", pointers),
    "arrays.c": ("#include <math.h>\n", arrays),
    "vectors.cc": ("#include <cmath>\n#include <vector>\nusing namespace std;\n", vectors),
}


def write(folder):
    for file, (head, form) in FORMS.items():
        text = "\n".join(form(name, parameters, body) for _, name, parameters, body in programs())
        (Path(folder) / file).write_text(f"{head}\n{text}")


if __name__ == "__main__":
    write(sys.argv[1])
