#!/usr/bin/env python3
"""Kernels as real launches against the bare files: whether a launch ever tells less.

    tools/launches.py [--jobs N] [--timeout S] [--all] [--numbers] [FILE.json | FILE.py | FOLDER]...

Each operation file with one launch of numbers is lifted twice: the Triton IR that it names, alone, and the launch. A
line for each pair shows verdict and safety of both and the seconds of the processor that both took. Without files: what
`tools/triton_tools/liger.py compile` and `tools/triton_tools/corpus.py launched` have left in build/corpus. FILE.py, or one
in a folder, is host code: it is run as a script that launches nothing (tools/triton_tools/host.py), and its launches are
taken (build/venv/bin/python, or another one with Triton).
A launch is weaker where its verdict or its safety is worse than the bare file's; it is excused where the answer names
an assumption that this launch contradicts, with the number, or has a witness. `input` is bad input, exit code 3. The
last lines count; the exit code is 1 where a launch is weaker, refused, or takes more than twice the time of the processor
and a tenth of a second beyond it.
`--numbers` (build/venv/bin/python) runs the host code, or Liger's calls, in Triton's interpreter too, and the emitted NumPy
module on the tensors of each launch, in their own shapes: `agrees`, `refused` (it does not take them), or `DIFFERS`, which
is exit code 1.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANK = ["proved", "bounded", "probable", "unknown", "refuted"]


def host_files(paths):
    """The Python files among the paths, and in the folders among them."""
    return [
        file.resolve()
        for path in paths
        for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.suffix == ".py" else [])
    ]


def recorded(files):
    """The folders that the launches of host code are left in, once it has run."""
    if files:
        subprocess.run([sys.executable, ROOT / "tools" / "triton_tools" / "host.py", "compile", *files], check=False)
    return [ROOT / "build" / "corpus" / "host" / file.stem for file in files]


def operations(paths):
    for path in (path.resolve() for path in paths):
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path] if path.suffix == ".json" else []:
            try:
                operation = json.loads(file.read_text())
            except ValueError:
                continue
            if isinstance(operation, dict) and len(operation.get("launches", [])) == 1:
                yield file, file.parent / operation["launches"][0]["file"], operation["launches"][0].get("kernel")


def lift(assay, path, timeout, *flags):
    """What `assay lift --json` says, and the seconds of the processor that it took, which other work does not change."""
    command = [assay, "lift", "--json", "--timeout", str(timeout), *flags, path]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        answer, diagnostics = out.read(), errors.read()
    try:
        found = json.loads(answer)
    except ValueError:
        found = {}
    return {
        "exit": process.returncode,
        "verdict": found.get("verdict") or "input",
        "safety": found.get("safety") or "input",
        "json": found,
        "seconds": usage.ru_utime + usage.ru_stime,
        "errors": diagnostics,
    }


def rank(verdict):
    return RANK.index(verdict) if verdict in RANK else len(RANK)


def contradiction(bare, launch):
    """Why the launch may tell less: a witness against its safety, or what it contradicts. None: no reason is named."""
    found = launch["json"]
    obligations = found.get("obligations", [])
    texts = [(found.get("reason") or {}).get("text") or "", *(o.get("detail") or "" for o in obligations)]
    named = [text for text in texts if "the launch that was given" in text]
    witness = [o["detail"] for o in obligations if o["verdict"] == "refuted" and o.get("witness")]
    if rank(launch["verdict"]) > rank(bare["verdict"]):
        return named[0] if named else None
    return f"witness: {witness[0]}" if witness else named[0] if named else None


def compare(assay, timeout, item):
    file, bare_file, kernel = item
    bare = lift(assay, bare_file, timeout, *(["--kernel", kernel] if kernel else []))
    return file, bare, lift(assay, file, timeout)


def interpreted(files):
    """The first launch of each specialisation of the host code, or of Liger's calls, by its operation file."""
    os.environ["TRITON_INTERPRET"] = "1"  # before triton is imported
    sys.path.insert(0, str(ROOT / "tools"))
    from triton_tools import host, liger

    found = {}
    if files:
        host.interpret_files(files, found.setdefault)
    else:
        liger.run_interpreted([], lambda stem, launch: found.setdefault(liger.OUT / f"{stem}.json", launch))
    return found


def numbers(file, launch):
    """The emitted module against the launch: a word and what it says."""
    from triton_tools import lifted as lifting

    lifted = lifting.lift([file], "--no-prove")
    if "numpy" not in lifted.modules or any(hasattr(a.value, "block_shape") for a in launch.arguments):
        return "none", "nothing is emitted, or the interpreter does not say which tensor a descriptor is of"
    try:
        lifting.compare(
            lifted, "numpy", [launch], 1e-2 if any("16" in a.type for a in launch.arguments) else 1e-4, as_given=True
        )
    except (ValueError, IndexError, NotImplementedError) as error:
        return "refused", str(error)
    except Exception as error:  # a difference, or code that does not run
        return "DIFFERS", f"{type(error).__name__}: {error}"
    return "agrees", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--assay", default=os.environ.get("ASSAY", str(ROOT / "build" / "assay")))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument(
        "--all", action="store_true", help="a line for each launch, not only for weaker and slower ones"
    )
    parser.add_argument("--numbers", action="store_true", help="emitted modules against Triton's interpreter")
    options = parser.parse_args()
    files = host_files(options.paths)
    paths = [*options.paths, *recorded(files)] or [ROOT / "build" / "corpus" / name for name in ("liger", "launched")]
    launched = interpreted(files) if options.numbers else {}
    words = dict.fromkeys(("agrees", "refused", "DIFFERS", "none"), 0)
    counts = dict.fromkeys(("launches", "form", "proved", "safe", "weaker", "excused", "input", "slower"), 0)
    bare_time = launch_time = 0.0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, bare, launch in pool.map(
            lambda item: compare(options.assay, options.timeout, item), operations(paths)
        ):
            weaker = rank(launch["verdict"]) > rank(bare["verdict"]) or rank(launch["safety"]) > rank(bare["safety"])
            excuse = contradiction(bare, launch) if weaker else None
            slower = launch["seconds"] > 2 * bare["seconds"] + 0.1
            counts["launches"] += 1
            counts["form"] += any(o.get("form") in ("tensor", "pointwise") for o in launch["json"].get("outputs", []))
            counts["proved"] += launch["verdict"] == "proved"
            counts["safe"] += launch["verdict"] == launch["safety"] == "proved"
            counts["weaker"] += weaker and not excuse
            counts["excused"] += bool(excuse)
            counts["input"] += launch["exit"] == 3
            counts["slower"] += slower
            bare_time, launch_time = bare_time + bare["seconds"], launch_time + launch["seconds"]
            if file in launched:
                word, why = numbers(file, launched[file])
                words[word] += 1
                if word != "agrees":
                    print(f"{word:8} {file.stem}: {why[:220]}", flush=True)
            if not (options.all or weaker or slower or launch["exit"] == 3):
                continue
            word = "excused" if excuse else "WEAKER" if weaker else "slower" if slower else "as good"
            print(
                f"{word:8} {bare['verdict']:>8}/{bare['safety']:8} {bare['seconds']:6.2f}  ->"
                f" {launch['verdict']:>8}/{launch['safety']:8} {launch['seconds']:6.2f}  {file.stem}",
                flush=True,
            )
            reason = (launch["json"].get("reason") or {}).get("text") or (launch["errors"].splitlines() or [""])[0]
            if weaker and (excuse or reason):
                print(f"         {(excuse or reason)[:220]}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    print(f"{bare_time:.1f} s the bare files, {launch_time:.1f} s the launches")
    if options.numbers:
        print(
            "emitted modules on the tensors of the launch: "
            + ", ".join(f"{count} {word}" for word, count in words.items())
        )
    return 1 if counts["weaker"] or counts["input"] or counts["slower"] or words["DIFFERS"] else 0


if __name__ == "__main__":
    sys.exit(main())
