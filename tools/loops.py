#!/usr/bin/env python3
"""The table of the loops of docs/loops.md: how many of each suite are proved, in each form.

    tools/loops.py [--open]      --open lists those that are not proved, or of which it is not proved that they are safe

tests/loops/others has the 69 and the others once; they are written as C over pointers, C over arrays, and C++ over
vectors. The 69 over lists and NumPy arrays are tests/loops/lists.py and ndarrays.py; those of numerics.py are the
others, as far as they are written in Python.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSAY = ROOT / "build" / "assay"
LOOPS = ROOT / "tests" / "loops"
COMPILED = {"C, pointers": "pointers.c", "C, arrays": "arrays.c", "C++, vectors": "vectors.cc"}
FORMS = {**COMPILED, "lists": LOOPS / "lists.py", "NumPy": LOOPS / "ndarrays.py"}
sys.path.insert(0, str(LOOPS / "others"))


def lift(path):
    """By function: verdict, safety, and the formula or the reason."""
    done = subprocess.run(
        [ASSAY, "lift", "--all", "--timeout", "120", path], capture_output=True, text=True, check=False
    )
    rows = [line.split(None, 3) for line in done.stdout.splitlines()]
    return {row[2].rstrip("_"): (row[0], row[1], row[3] if len(row) > 3 else "") for row in rows if row[0] != "bad"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--open", action="store_true")
    options = parser.parse_args()
    import make  # noqa: PLC0415

    table = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as folder:
        make.write(folder)
        for form, file in FORMS.items():
            rows = lift(Path(folder) / file)  # a file of the tree is where it is
            for program in make.programs(*([] if form in COMPILED else make.SOURCES[:1])):
                row = rows.get(program.name, ("refused", "-", ""))
                table[program.suite][form].append((program.name, *row))
    table["others in Python"]["NumPy"] = [(name, *row) for name, row in lift(LOOPS / "numerics.py").items()]
    forms = list(FORMS)
    print(f"{'proved of':26}" + "".join(f"{form:>16}" for form in forms))
    for suite, columns in table.items():
        cells = [
            f"{sum(v == 'proved' for _, v, _, _ in columns[f])} of {len(columns[f])}" if columns[f] else ""
            for f in forms
        ]
        print(f"{suite:26}" + "".join(f"{cell:>16}" for cell in cells))
    for suite, columns in table.items():
        for form in forms:
            for name, verdict, safety, rest in columns[form]:
                if options.open and (verdict, safety) != ("proved", "proved"):
                    print(f"{suite}: {form}: {name}: {verdict}, {safety}: {rest}")


if __name__ == "__main__":
    main()
