#!/usr/bin/env python3
"""The table of the loops of docs/loops.md: how many of each suite are proved, in each form.

    tools/loops.py [--open]      --open lists those that are not proved

The 69 are the files of tests/loops, a suite each; the others are written from tests/loops/others/programs.txt, as C over
pointers, C over arrays, and C++ over vectors.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSAY = ROOT / "build" / "assay"
SUITES = {
    "blend": "blend",
    "inference": "llama",
    "linear_algebra": "blas, dspstone, utdsp",
    "network": "darknet",
    "signal": "dsp",
    "geometry": "mathfu",
    "arrays": "simpl_array, makespeare",
}
FORMS = {"pointers.c": "C, pointers", "arrays.c": "C, arrays", "vectors.cc": "C++, vectors"}
sys.path.insert(0, str(ROOT / "tests" / "loops" / "others"))


def lift(path):
    """By function: verdict, safety, and the formula or the reason."""
    done = subprocess.run(
        [ASSAY, "lift", "--all", "--timeout", "20", path], capture_output=True, text=True, check=False
    )
    rows = [line.split(None, 3) for line in done.stdout.splitlines()]
    return {row[2]: (row[0], row[1], row[3] if len(row) > 3 else "") for row in rows if row[0] != "bad"}


def count(table, suite, form, rows, names=None):
    for name in names or rows:
        verdict, safety, rest = rows.get(name, ("refused", "-", ""))
        table[suite][form].append((name, verdict, safety, rest))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--open", action="store_true")
    options = parser.parse_args()
    import make  # noqa: PLC0415

    table = defaultdict(lambda: defaultdict(list))
    for stem, suite in SUITES.items():
        for suffix, form in ((".c", "C, pointers"), (".cc", "C++, vectors")):
            path = ROOT / "tests" / "loops" / (stem + suffix)
            if path.exists():
                count(table, suite, form, lift(path))
    with tempfile.TemporaryDirectory() as folder:
        make.write(folder)
        for file, form in FORMS.items():
            rows = lift(Path(folder) / file)
            for suite, name, _, _ in make.programs():
                count(table, suite, form, rows, [name])
    forms = list(FORMS.values())
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
