"""Our printed text against Triton's own parser, and against mlir-opt.

    python compare_with_triton.py --assay build/assay FILE...          needs Triton 3.6.0
    python compare_with_triton.py --assay build/assay --mlir-opt mlir-opt-19 FILE...

For each file: `assay lift --stop-after program FILE` is parsed again by Triton, and the module must be the same one,
text and locations. A file with tt.call (a .source) is compared after Triton's inliner, canonicalizer and CSE have run
on both, because we inline while reading; constants are compared by value, since those passes order them by use.
"""

import argparse
import difflib
import re
import subprocess
import sys
import tempfile


def printed(assay, path):
    run = subprocess.run(
        [assay, "lift", "--no-prove", "--stop-after", "program", path], capture_output=True, text=True
    )
    if run.returncode == 3 or not run.stdout:
        raise ValueError(run.stderr[:500])
    return run.stdout


def show(path, ours, theirs):
    print("DIFFERENT", path)
    print("\n".join(list(difflib.unified_diff(theirs.split("\n"), ours.split("\n"), lineterm="", n=1))[:16]))


def bare(module):
    """The text without locations; str_nodebug came after 3.1."""
    if hasattr(module, "str_nodebug"):
        return module.str_nodebug()
    text, out, at = re.sub(r"^#loc.*\n", "", str(module), flags=re.M), [], 0
    for mark in re.finditer(r" loc\(", text):
        if mark.start() < at:
            continue
        out.append(text[at : mark.start()])
        at, depth = mark.end(), 1
        while depth:
            at = text.index('"', at + 1) + 1 if text[at] == '"' else at + 1
            depth += {"(": 1, ")": -1}.get(text[at - 1], 0)
    return "".join(out) + text[at:]


class Triton:
    def __init__(self):
        from triton._C.libtriton import ir, passes

        self.ir, self.passes, self.context = ir, passes, ir.context()
        ir.load_dialects(self.context)

    def parse(self, path):
        module = self.ir.parse_mlir_module(path, self.context)
        module.context = self.context
        return module

    def inlined(self, path):
        module, manager = self.parse(path), self.ir.pass_manager(self.context)
        for name in ("inliner", "canonicalizer", "cse", "symbol_dce"):
            getattr(self.passes.common, "add_" + name)(manager)
        manager.run(module, "inlined") if manager.run.__doc__ and "str" in manager.run.__doc__ else manager.run(module)
        text = bare(module)
        constant = re.compile(r"^ *(%[\w$.-]+) = (arith.constant .*)\n", re.M)
        values = dict(constant.findall(text))
        text, names = constant.sub("", text), {}
        text = re.sub(r"%[\w$.-]+", lambda m: "(%s)" % values[m[0]] if m[0] in values else m[0], text)
        return re.sub(r"%[\w$.-]+", lambda m: names.setdefault(m[0], "%%%d" % len(names)), text)

    def same(self, path, text):
        with tempfile.NamedTemporaryFile("w", suffix=".ttir") as out:
            out.write(text)
            out.flush()
            if "tt.call" in open(path).read():
                pair = self.inlined(out.name), self.inlined(path)
            else:
                mine, original = self.parse(out.name), self.parse(path)
                located = "loc(" in open(path).read()
                pair = (str(mine), str(original)) if located else (bare(mine), bare(original))
        if pair[0] != pair[1]:
            show(path, *pair)
        return pair[0] == pair[1]


class MlirOpt:
    def __init__(self, program):
        self.program = program

    def run(self, text, *flags):
        return subprocess.run([self.program, *flags], input=text, capture_output=True, text=True, check=True).stdout

    def same(self, path, text):
        ours, theirs = self.run(text), self.run(open(path).read())
        if ours != theirs:
            show(path, ours, theirs)
        return ours == theirs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--mlir-opt")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    judge = MlirOpt(options.mlir_opt) if options.mlir_opt else Triton()
    wrong = 0
    for path in options.files:
        try:
            wrong += not judge.same(path, printed(options.assay, path))
        except Exception as error:
            print("FAILED", path, str(error)[:300])
            wrong += 1
    print(len(options.files), "files,", wrong, "wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
