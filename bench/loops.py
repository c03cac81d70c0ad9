#!/usr/bin/env python3
"""Ported loops against gcc -O3 of their sources: the 69 programs of Tenspiler, written anew, in every back end.

    bench/loops.py [--form pointers|arrays|vectors] [--functions NAME,NAME] [--emit NAME,NAME]
                   [--elements 10000000] [--timeout 60]

A row for each function: the time of its source (gcc -O3), and for each back end how many times as fast what `assay
port --emit` writes is, of the code alone and, behind a slash, with its arguments made of NumPy arrays. Sizes are doubled
until there are --elements elements, or the source takes 50 ms. No function takes longer than --timeout seconds to
lift, nor than that to measure: then its row says so. Back ends that ASSAY_PYTHON cannot import have no column of
numbers. Medians of the ratios stand below.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSAY = Path(os.environ.get("ASSAY", ROOT / "build" / "assay"))
FORMS = {"pointers": "pointers.c", "arrays": "arrays.c", "vectors": "vectors.cc"}
TARGETS = "numpy,pytorch,jax,tensorflow,mlx,c"
sys.path.insert(0, str(ROOT / "tests" / "loops" / "others"))


def port(path, name, options):
    """What `port --run --json` says of one function; its time is bounded by the limits of lifting and of measuring."""
    command = [ASSAY, "port", path, "--kernel", name, "--run", "--json", "--emit", options.emit]
    environment = {**os.environ, "ASSAY_RUN_ELEMENTS": str(options.elements)}
    try:
        done = subprocess.run(
            [*command, "--timeout", str(options.timeout)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=3 * options.timeout,
        )
    except subprocess.TimeoutExpired:
        return {}
    lines = done.stdout.splitlines()
    return json.loads(lines[0]) if lines else {}


def ratio(original, seconds):
    return f"{original / seconds:.2g}" if original and seconds else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--form", choices=FORMS, default="pointers")
    parser.add_argument("--functions", default="", help="these alone")
    parser.add_argument("--emit", default=TARGETS)
    parser.add_argument("--elements", type=int, default=10**7)
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    import make  # noqa: PLC0415

    targets, wanted = options.emit.split(","), set(filter(None, options.functions.split(",")))
    names = [program.name for program in make.programs(make.SOURCES[0]) if not wanted or program.name in wanted]
    ratios = {target: [] for target in targets}
    print(f"{'':34}{'gcc -O3, ms':>12}" + "".join(f"{target:>14}" for target in targets) + "  sizes", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        make.write(folder)
        for name in names:
            row = port(Path(folder) / FORMS[options.form], name, options)
            seconds, converted = row.get("seconds") or {}, row.get("seconds_with_conversion") or {}
            original = seconds.get("original")
            cells = []
            for target in targets:
                alone = ratio(original, seconds.get(target))
                ratios[target] += [original / seconds[target]] if alone != "-" else []
                cells.append(f"{alone}/{ratio(original, converted[target])}" if target in converted else alone)
            time = f"{1000 * original:.3g}" if original else "-"
            line = f"{name:34}{time:>12}" + "".join(f"{cell:>14}" for cell in cells)
            print(f"{line}  {row.get('sizes') or row.get('verdict') or 'it took too long'}", flush=True)
    medians = [f"{statistics.median(ratios[target]):.2g}" if ratios[target] else "-" for target in targets]
    print(f"{'median':46}" + "".join(f"{median:>14}" for median in medians))


if __name__ == "__main__":
    main()
