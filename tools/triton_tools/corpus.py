#!/usr/bin/env python3
"""The corpus from the command line.

build/venv/bin/python tools/triton_tools/corpus.py compile [--version 3.6.0] [NAME...]
    -> build/corpus/VERSION/NAME.ttir and NAME.source.ttir; prints the paths
... corpus.py capture [--out build/launches] [--cases N] [NAME...]
    runs the host functions in Triton's interpreter -> OUT/NAME.CASE.json and .bin (see interpret.py)
... corpus.py rewrite [--seed N] [NAME...]
    -> build/corpus/3.6.0/rewritten/NAME.HOW.ttir, HOW of rename permute swap dead split all halves unroll reverse
    (see rewrite.py) and block0 block1 (other BLOCK constexprs)
... corpus.py accept FILE...         whether Triton's own parser accepts these files
... corpus.py same FILE FILE         and whether these two are the same module, but for names and locations
... corpus.py launched [--case N] [NAME...]
    what a real launch leaves in Triton's cache (see launched.py)
    -> build/corpus/launched/NAME.K.ttir for the K-th launch, and NAME.operation.json with grid and arguments
... corpus.py lift [--cases N] [NAME...]
    lifts each kernel with build/assay (or $ASSAY) and prints a table: verdict, form, whether the emitted NumPy and PyTorch
    agree with N launches, and how the formula compares with the hand-written one
... corpus.py list
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from triton_tools import paths  # noqa: E402


def compile_all(arguments):
    # A folder of another release comes first on the path of a process of its own.
    folder = paths.triton_folder(arguments.version)
    if folder and str(folder) not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        if not folder.exists():
            raise SystemExit(f"no {folder}: run tools/venv.sh {arguments.version} first")
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        return subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode
    from triton_tools.case import select
    from triton_tools.compile import compile_case

    start, count, failed = time.time(), 0, []
    for case in select(arguments.names):
        if not arguments.names and arguments.version != paths.MAIN_VERSION and arguments.version not in case.versions:
            continue
        try:
            for path in compile_case(case, arguments.version):
                count += 1
                if not arguments.quiet:
                    print(path.relative_to(paths.ROOT))
        except Exception as error:  # one bad kernel must not hide the others
            failed.append(case.name)
            print(f"{case.name}: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{count} kernels, {len(failed)} failed, {time.time() - start:.1f} s", file=sys.stderr)
    return 1 if failed else 0


def capture_all(arguments):
    os.environ["TRITON_INTERPRET"] = "1"  # before triton is imported
    from triton_tools.case import select
    from triton_tools.interpret import capture, dump

    for case in select(arguments.names):
        for index in range(min(arguments.cases, case.cases)) if arguments.only is None else [arguments.only]:
            stem = Path(arguments.out) / f"{case.name}.{index}"
            dump(capture(case, index), stem)
            if not arguments.quiet:
                print(f"{stem}.json")
    return 0


def rewrite_all(arguments):
    from triton_tools.case import select
    from triton_tools.compile import compile_case, compile_kernel
    from triton_tools.rewrite import LOOPS, REWRITES

    folder = paths.ttir_folder() / "rewritten"
    count = 0
    for case in select(arguments.names):
        for kernel, path in zip(case.kernels, compile_case(case)):
            text = path.read_text()
            loops = LOOPS if "scf.for" in text else {}
            for how, rewrite in {**REWRITES, **loops}.items():
                out = folder / f"{case.stem(kernel)}.{how}.ttir"
                out.parent.mkdir(parents=True, exist_ok=True)
                out.write_text(rewrite(text, arguments.seed))
                count += 1
            for place, constexprs in enumerate(case.other_blocks):
                if set(constexprs) <= set(kernel.constexprs):
                    compile_kernel(case, kernel, folder, f".block{place}", constexprs)
                    count += 1
    print(f"{count} files in {folder.relative_to(paths.ROOT)}", file=sys.stderr)
    return 0


def accept_all(arguments):
    from triton_tools.accept import canonical

    failed = 0
    for name in arguments.names:
        try:
            canonical(name)
        except RuntimeError as error:
            failed += 1
            print(f"{name}: {error}")
    print(f"{len(arguments.names) - failed} accepted, {failed} not", file=sys.stderr)
    return 1 if failed else 0


def same(arguments):
    from triton_tools.accept import canonical

    left, right = map(canonical, arguments.names)
    print("same" if left == right else "different")
    return 0 if left == right else 1


def launched_all(arguments):
    from triton_tools.case import select
    from triton_tools.launched import write

    # Capturing needs the interpreter's mode, compiling the other one: a process for each.
    stems = paths.BUILD / "launches"
    command = [
        sys.executable,
        __file__,
        "capture",
        "--quiet",
        "--out",
        str(stems),
        "--only",
        str(arguments.case),
        *arguments.names,
    ]
    subprocess.run(command, check=True)
    for case in select(arguments.names):
        for path in write(case, stems / f"{case.name}.{arguments.case}.json", paths.BUILD / "corpus" / "launched"):
            print(path.relative_to(paths.ROOT))
    return 0


def lift_all(arguments):
    os.environ["TRITON_INTERPRET"] = "1"
    import collections
    import warnings

    from triton_tools.case import select
    from triton_tools.formulas import expected
    from triton_tools.interpret import capture
    from triton_tools.lifted import compare, formula_is, lift

    warnings.simplefilter("ignore")
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    subprocess.run([sys.executable, __file__, "compile", "--quiet", *arguments.names], env=environment, check=True)
    count = collections.Counter()
    for case in select(arguments.names):
        files = [paths.ttir_folder() / f"{case.stem(kernel)}.ttir" for kernel in case.kernels]
        start = time.time()
        lifted = lift(files, "--no-prove", *arguments.flag)
        spent = time.time() - start
        verdicts, formula = {"numpy": "-", "pytorch": "-"}, "-"
        detail = "" if lifted.closed() else lifted.reason()
        if lifted.closed():
            runs = [capture(case, index) for index in range(min(arguments.cases, case.cases))]
            for framework in verdicts:
                try:
                    for index, launches in enumerate(runs):
                        compare(lifted, framework, launches, max(case.tolerance, 2e-5))
                    verdicts[framework] = "ok"
                except Exception as error:  # emitted code may do anything
                    verdicts[framework] = "NO"
                    detail = f"case {index}: {type(error).__name__}: {error}" if str(error) else repr(error)
            try:
                formulas = expected(case.name)
                formula = ",".join(formula_is(lifted, output, formulas, runs[-1]) for output in formulas["outputs"])
            except Exception as error:
                formula = "?"
                detail = detail or repr(error)
        count[
            (
                "lifted"
                if list(verdicts.values()) == ["ok", "ok"]
                else "wrong" if "NO" in verdicts.values() else "not lifted"
            )
        ] += 1
        count[f"form {lifted.forms()}"] += 1
        print(
            f"{case.name:32} {lifted.report.get('verdict') or '-':9} {lifted.forms():16} numpy {verdicts['numpy']:3}"
            f" pytorch {verdicts['pytorch']:3} formula {formula:12} {1000 * spent:5.0f} ms "
            f" {detail[:arguments.width]}",
            flush=True,
        )
    print(", ".join(f"{value} {key}" for key, value in sorted(count.items())))
    return 0


def list_all(_):
    from triton_tools.case import all_cases

    for case in all_cases().values():
        print(f"{case.name:28} {case.source().relative_to(paths.ROOT)}  {' '.join(k.name for k in case.kernels)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("compile")
    command.add_argument("--version", default=paths.MAIN_VERSION)
    command.set_defaults(run=compile_all)
    command.add_argument("names", nargs="*")
    command.add_argument("--quiet", action="store_true")
    command = commands.add_parser("capture")
    command.add_argument("--out", default=str(paths.BUILD / "launches"))
    command.add_argument("--cases", type=int, default=1000)
    command.add_argument("--only", type=int, help="this case alone")
    command.set_defaults(run=capture_all)
    command.add_argument("names", nargs="*")
    command.add_argument("--quiet", action="store_true")
    command = commands.add_parser("rewrite")
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=rewrite_all)
    command.add_argument("names", nargs="*")
    command = commands.add_parser("accept")
    command.set_defaults(run=accept_all)
    command.add_argument("names", nargs="+")
    command = commands.add_parser("same")
    command.set_defaults(run=same)
    command.add_argument("names", nargs=2)
    command = commands.add_parser("launched")
    command.add_argument("--case", type=int, default=4)
    command.set_defaults(run=launched_all)
    command.add_argument("names", nargs="*")
    command = commands.add_parser("lift")
    command.add_argument("--cases", type=int, default=4)
    command.add_argument("--width", type=int, default=100, help="characters of the reason")
    command.add_argument("--flag", action="append", default=[], help="a further flag of assay lift")
    command.set_defaults(run=lift_all)
    command.add_argument("names", nargs="*")
    command = commands.add_parser("list")
    command.set_defaults(run=list_all)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
