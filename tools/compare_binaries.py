#!/usr/bin/env python3
"""Compares two builds of assay on all kernels that are at hand: verdict, safety, formula, assumptions and time.

    tools/compare_binaries.py OLD NEW [FILE...]

Without files: the compiled corpus, the bugs and their fixes with and without their launches, the forms of the tests,
Liger's kernels where they were captured (tools/triton_tools/liger.py), and examples/; what was not compiled yet is told.
For each difference some lines, then a table: files, what is better and worse, other formulas, and seconds of either.
The exit code is 1 where a verdict is worse, a reason or a formula another one.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDER = [
    "proved",
    "bounded",
    "probable",
    "unknown",
    "refuted",
]  # of verdicts; a refutation that goes is looked at, too
GROUPS = {
    "corpus": ["build/corpus/3.6.0/*.ttir", "build/corpus/3.6.0/loops/*.ttir"],
    "bugs": ["build/corpus/bugs/*.ttir", "build/corpus/bugs/*_bug.json", "build/corpus/bugs/*_fixed.json"],
    "forms": ["build/corpus/forms/*.ttir"],
    "Liger": ["build/corpus/liger/*.ttir", "build/corpus/liger/*.json"],
    "examples": ["examples/*.ttir", "examples/*.json", "examples/*.formula"],
}


def kernels():
    found = {}
    for group, patterns in GROUPS.items():
        found[group] = [
            p
            for pattern in patterns
            for p in sorted(ROOT.glob(pattern))
            if ".source." not in p.name and p.name != "index.json"
        ]
        if not found[group]:
            print(f"{group}: not there (compiled by the tests, or by its tool)")
    return found


def answer(assay, path, timeout):
    """(what is compared, seconds)"""
    start = time.monotonic()
    done = subprocess.run(
        [assay, "lift", "--json", f"--timeout={timeout}", path], capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - start
    try:
        found = json.loads(done.stdout.splitlines()[0])
    except (ValueError, IndexError):
        return {"exit": done.returncode}, seconds
    fields = {"exit": done.returncode, "verdict": found.get("verdict"), "safety": found.get("safety")}
    fields["reason"] = (found.get("reason") or {}).get("code")
    fields["formulas"] = [
        (o["name"], o.get("formula", {}).get("text") if o.get("formula") else o.get("pointwise"))
        for o in found.get("outputs", [])
    ]
    fields["assumptions"] = sorted(a["text"] for a in found.get("assumptions", []))
    return fields, seconds


def is_worse(old, new):
    """Of one field: a verdict further down, or one that was decided and is not, or is decided otherwise."""
    if old == new or old not in ORDER or new not in ORDER:
        return old != new
    return ORDER.index(new) > ORDER.index(old) or old == "refuted"


class Count:
    def __init__(self):
        self.files = self.better = self.worse = self.formulas = self.texts = 0
        self.old = self.new = 0.0

    def add(self, old, new, old_seconds, new_seconds):
        """The names of the fields that differ."""
        changed = [key for key in old if old[key] != new.get(key)]
        verdicts = [key for key in ("verdict", "safety") if key in changed]
        worse = any(is_worse(old[key], new.get(key)) for key in verdicts) or ("verdict" in old) != ("verdict" in new)
        self.files += 1
        self.worse += worse or (not verdicts and bool({"reason", "exit"} & set(changed)))
        self.better += bool(verdicts) and not worse
        self.formulas += "formulas" in changed
        self.texts += changed == ["assumptions"]
        self.old += old_seconds
        self.new += new_seconds
        return changed

    def row(self, name):
        ratio = self.new / max(self.old, 1e-9)
        return (
            f"{name:10} {self.files:6} {self.better:7} {self.worse:6} {self.formulas:9} {self.texts:12} "
            f"{self.old:9.1f} {self.new:9.1f} {ratio:6.2f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1, help="more than one makes the times unreliable")
    parser.add_argument("--timeout", type=int, default=120)
    options = parser.parse_args()
    groups = {"files": options.files} if options.files else kernels()
    counts, slower = {}, []

    def both(file):
        return file, answer(options.old, file, options.timeout), answer(options.new, file, options.timeout)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for group, files in groups.items():
            counts[group] = Count()
            for file, (old, old_seconds), (new, new_seconds) in pool.map(both, files):
                changed = counts[group].add(old, new, old_seconds, new_seconds)
                if changed:
                    print(file)
                for key in changed:
                    print(f"    {key}: {old[key]}\n      now {new.get(key)}")
                if new_seconds > 0.2 + 1.5 * old_seconds:
                    slower.append(f"slower: {file}: {old_seconds:.2f} s, now {new_seconds:.2f} s")
    print("\n".join(slower))
    print("            files  better  worse  formulas  assumptions    old, s    new, s  ratio")
    for group, count in counts.items():
        print(count.row(group))
    return 1 if any(count.worse or count.formulas for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
