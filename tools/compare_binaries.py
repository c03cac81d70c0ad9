#!/usr/bin/env python3
"""Compares two builds of assay on all kernels that are at hand: verdict, safety, formula and time.

    tools/compare_binaries.py OLD NEW [FILE...]

Without files: the compiled corpus (build/corpus), examples/ and the examples of bugs. A line for each difference, then
counts and the ratio of the times. The exit code is 1 where a verdict or a formula differs.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def kernels():
    corpus = [p for p in sorted(ROOT.glob("build/corpus/3.6.0/**/*.ttir"))
              if not p.name.endswith(".source.ttir") and "rewritten" not in p.parts]
    return corpus + sorted(ROOT.glob("examples/*.ttir")) + sorted(ROOT.glob("examples/*.json"))


def answer(assay, path):
    """(what is compared, seconds)"""
    start = time.monotonic()
    done = subprocess.run([assay, "lift", "--json", path], capture_output=True, text=True, timeout=300)
    seconds = time.monotonic() - start
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return {"exit": done.returncode}, seconds
    fields = {"exit": done.returncode, "verdict": found.get("verdict"), "safety": found.get("safety")}
    fields["reason"] = (found.get("reason") or {}).get("code")
    fields["formulas"] = [(o["name"], o.get("formula", {}).get("text") if o.get("formula") else o.get("pointwise"))
                          for o in found.get("outputs", [])]
    fields["assumptions"] = sorted(a["text"] for a in found.get("assumptions", []))
    return fields, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    files = options.files or kernels()
    differing, old_time, new_time = 0, 0.0, 0.0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pairs = pool.map(lambda f: (f, answer(options.old, f), answer(options.new, f)), files)
        for file, (old, old_seconds), (new, new_seconds) in pairs:
            old_time += old_seconds
            new_time += new_seconds
            changed = [k for k in old if old[k] != new.get(k)]
            if changed:
                differing += 1
                print(file)
                for key in changed:
                    print(f"    {key}: {old[key]}\n      now {new.get(key)}")
    print(f"{len(files)} files, {differing} differ, time {new_time / max(old_time, 1e-9):.2f} of before")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
