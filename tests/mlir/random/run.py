"""Random pairs of MLIR functions, of which the answer is known from elsewhere.

  run.py --mutants N    N functions, each with one change: where evaluate.py shows that the target is no refinement of
                        the source, it is not `proved`
  run.py --passes N     N functions, each with what a random pipeline of mlir-opt makes of it: not `refuted`, and not
                        `proved` where evaluate.py shows a difference (there is none to show of the target: it is text)
  run.py --texts N      N texts with random changes: a verdict or a diagnostic, nothing else

A pair against which there is evidence is kept in --save. The same seed gives the same pairs.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import evaluate  # noqa: E402
import generate  # noqa: E402
import ir  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]

# What each makes of a function is to be a refinement of it.
ANY = """canonicalize cse sccp canonicalize,cse loop-invariant-code-motion control-flow-sink int-range-optimizations
  arith-expand remove-dead-values test-math-algebraic-simplification""".split()
PASSES = {
    "scalar": (
        ANY
        + [
            "arith-int-range-narrowing{int-bitwidths-supported=16,32}",
            "math-uplift-to-fma",
            "convert-elementwise-to-linalg",
        ]
    ),
    "control": (
        ANY
        + """scf-for-loop-canonicalization scf-for-loop-range-folding scf-for-loop-peeling
      scf-for-loop-specialization scf-for-to-while,canonicalize convert-scf-to-cf scf-for-to-while convert-scf-to-cf,canonicalize""".split()
    ),
    "tensor": ANY + """convert-elementwise-to-linalg convert-tensor-to-linalg fold-tensor-subset-ops
      resolve-shaped-type-result-dims convert-elementwise-to-linalg,linalg-fuse-elementwise-ops
      one-shot-bufferize{allow-return-allocs-from-loops},canonicalize one-shot-bufferize,cse,canonicalize
      empty-tensor-to-alloc-tensor loop-invariant-subset-hoisting scf-for-loop-peeling""".split(),
    "linalg": ANY + """linalg-generalize-named-ops linalg-fuse-elementwise-ops linalg-fold-unit-extent-dims
      linalg-generalize-named-ops,linalg-fuse-elementwise-ops linalg-specialize-generic-ops linalg-inline-scalar-operands
      convert-elementwise-to-linalg,linalg-fuse-elementwise-ops,canonicalize eliminate-empty-tensors
      linalg-generalize-named-ops,linalg-specialize-generic-ops linalg-named-op-conversion fold-tensor-subset-ops
      one-shot-bufferize,canonicalize one-shot-bufferize,convert-linalg-to-loops,canonicalize
      one-shot-bufferize,func.func(convert-linalg-to-affine-loops),canonicalize
      one-shot-bufferize,convert-linalg-to-loops,fold-memref-alias-ops
      resolve-shaped-type-result-dims test-linalg-elementwise-fusion-patterns{fuse-generic-ops}
      linalg-fold-unit-extent-dims{use-rank-reducing-slices}""".split(),
    "memory": (
        ANY + """convert-linalg-to-loops func.func(convert-linalg-to-affine-loops) convert-linalg-to-parallel-loops
      func.func(affine-loop-fusion) func.func(affine-loop-unroll{unroll-factor=2}) func.func(affine-loop-unroll{unroll-full})
      func.func(affine-loop-tile{tile-size=2}) func.func(affine-loop-normalize) func.func(affine-scalrep)
      func.func(affine-loop-invariant-code-motion) func.func(affine-loop-unroll-jam{unroll-jam-factor=2}) lower-affine
      lower-affine,canonicalize fold-memref-alias-ops expand-strided-metadata,canonicalize
      func.func(convert-linalg-to-affine-loops,affine-loop-fusion,affine-scalrep) scf-for-loop-peeling
      convert-linalg-to-loops,canonicalize convert-linalg-to-loops,convert-scf-to-cf linalg-generalize-named-ops func.func(raise-scf-to-affine)
      func.func(affine-loop-coalescing) func.func(buffer-hoisting) func.func(buffer-loop-hoisting)
      func.func(promote-buffers-to-stack) func.func(affine-simplify-structures) scf-for-loop-range-folding""".split()
    ),
    "tosa": (
        ANY
        + """tosa-layerwise-constant-fold func.func(tosa-to-linalg-named) func.func(tosa-to-linalg)
      func.func(tosa-to-linalg-named,tosa-to-linalg),canonicalize func.func(tosa-to-tensor) func.func(tosa-to-arith)
      func.func(tosa-to-linalg),linalg-fuse-elementwise-ops func.func(tosa-make-broadcastable) tosa-reduce-transposes
      func.func(tosa-optional-decompositions)
      func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-tensor,tosa-to-arith),canonicalize,one-shot-bufferize""".split()
    ),
}

# Passes that are wrong: (the pipeline, the source, the difference), as patterns, and why.
WRONG = [
    ("arith-expand", "maximumf|minimumf|tosa|linalg.max", "-?0, the target -?0", "the lesser of -0 and +0"),
    ("arith-expand", "ceildivsi", "", "ceildivsi of the least integer, which is negated"),
    ("canonicalize|fold", "linalg.transpose", "poison", "a transposition of memrefs that moves nothing is dropped"),
    ("specialize", "linalg.yield", "", "a generic that yields anything is taken for a copy of its first operand"),
    (
        "fuse|canonicalize",
        "linalg.generic",
        "poison",
        "an initial value is dropped, and no iteration writes the element",
    ),
    (
        "loop-invariant",
        "tensor.extract",
        "the target is undefined",
        "an element that no iteration reads is read before the loop: tensor.extract counts as one without effects",
    ),
    ("peeling", "scf.for", "the target is undefined", "a loop that does not run is peeled as if it did"),
    ("canonicalize", "tosa.clamp", "", "the bounds of two clamps become those of one that has others"),
    ("", "tosa.add|tosa.sub", "-?0, the target -?0", "x + 0 is taken for x"),
    ("", "tosa.mul", "nan, the target -?0|-?0, the target -?0", "x * 0 is taken for 0"),
]


def never_runs(source):
    """There is an scf.for with constant bounds, the upper one of which is below the lower."""
    number = {name: int(n) for name, n in re.findall(r"(%\w+) = arith\.constant (-?\d+) : index", source)}
    bounds = re.findall(r"scf\.for %\w+ = (%\w+) to (%\w+)", source)
    return any(number[b] < number[a] for a, b in bounds if a in number and b in number)


def is_wrong(pipeline, source, text):
    if "peeling" in pipeline and never_runs(source):  # it is peeled as if it ran
        return True
    return any(re.search(a, pipeline) and re.search(b, source) and re.search(c, text) for a, b, c, _ in WRONG)


def single_passes(pipeline):
    """The passes of a pipeline one by one, each with the operation that it runs on."""
    found = []
    for part in re.findall(r"(?:[^,({]|\([^()]*\)|\{[^{}]*\})+", pipeline):
        nested = re.fullmatch(r"(func\.func)\((.*)\)", part)
        found += [f"func.func({p})" for p in single_passes(nested[2])] if nested else [part]
    return found


class Runner:
    def __init__(self, assay, mlir_opt, save, timeout):
        self.assay, self.mlir_opt, self.save, self.timeout = assay, mlir_opt, save, timeout
        self.folder = tempfile.TemporaryDirectory(prefix="assay-mlir-random-")  # removed when the program ends
        self.work = pathlib.Path(self.folder.name)
        self.count = collections.Counter()
        self.unknown = collections.Counter()
        self.bad = []
        self.kept = collections.Counter()

    def keep(self, kind, name, source, target, text):
        """Evidence, or an example of what stays open."""
        if self.save and self.kept[kind] < 40:
            self.kept[kind] += 1
            folder = pathlib.Path(self.save) / kind
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.a.mlir").write_text(source)
            (folder / f"{name}.b.mlir").write_text(f"// {text}\n{target}")

    def fault(self, kind, name, source, target, text):
        self.bad.append(f"{kind}: {name}: {text}")
        self.keep(kind, name, source, target, text)

    def check(self, sources, targets, flags=()):
        """Verdict, code and text of each pair of functions."""
        a, b = self.work / "a.mlir", self.work / "b.mlir"
        a.write_text("\n".join(sources))
        b.write_text("\n".join(targets))
        try:
            done = subprocess.run(
                [self.assay, "check", "--json", "--timeout", str(self.timeout), *flags, a, b],
                capture_output=True,
                text=True,
                timeout=self.timeout * 4 + 20,
            )
        except subprocess.TimeoutExpired:
            return [("hang", "", "")] if len(sources) == 1 else self.halves(sources, targets, flags)
        if done.returncode not in (0, 1, 2, 3):
            if len(sources) == 1:
                return [("crash", str(done.returncode), done.stderr[-300:])]
            return self.halves(sources, targets, flags)
        answer = json.loads(done.stdout)
        functions = answer.get("functions") or []
        if len(functions) != len(sources):
            if len(sources) > 1:
                return self.halves(sources, targets, flags)
            diagnostics = answer.get("diagnostics") or [{}]
            reason = answer.get("reason") or {}
            return [
                (
                    answer["verdict"] or "refused",
                    reason.get("code") or diagnostics[0].get("code", ""),
                    reason.get("text") or diagnostics[0].get("message", ""),
                )
            ]
        return [
            (f["verdict"], (f["reason"] or {}).get("code", ""), (f["reason"] or {}).get("text", "")) for f in functions
        ]

    def halves(self, sources, targets, flags):
        n = len(sources) // 2
        return self.check(sources[:n], targets[:n], flags) + self.check(sources[n:], targets[n:], flags)

    def judge(self, kind, name, source, target, answer, is_different, may_be_refuted, note=""):
        verdict, code, text = answer
        self.count[f"{kind} {verdict}"] += 1
        if verdict == "refused" and not self.is_accepted(target):
            return
        if verdict in ("crash", "hang", "refused") or code == "internal":
            self.fault(verdict, name, source, target, f"{code} {text} {note}")
        elif verdict == "proved" and is_different:
            self.fault("unsound", name, source, target, f"{is_different} {note}")
        elif (
            verdict == "refuted"
            and not may_be_refuted
            and (is_wrong(note, source, text) or self.is_fused_in_place(note, source))
        ):
            self.count[f"{kind} refuted, and the pass is wrong"] += 1
        elif verdict == "refuted" and not may_be_refuted:
            self.fault("false-refuted", name, source, target, f"{text} {note}")
        elif verdict == "unknown":
            self.unknown[
                f"{kind} {code}: {re.sub(r'[0-9]+', 'N', text)[:90]} {'(different)' if is_different else ''}"
            ] += 1
            self.keep(
                "unknown-different" if is_different else "unknown",
                name,
                source,
                target,
                f"{kind} {code} {text} {note}",
            )

    def is_accepted(self, text):
        """By mlir-opt: what it prints is not always what it reads."""
        if not self.mlir_opt:
            return True
        return (
            subprocess.run([self.mlir_opt, "-"], input=text, capture_output=True, text=True, timeout=60).returncode
            == 0
        )

    def is_fused_in_place(self, pipeline, source):
        """affine-loop-fusion computes a loop again in its consumer, where it loads from what it stores to: what was
        made before that pass is not refuted, and what it makes of that is."""
        passes = single_passes(pipeline)
        fusion = "func.func(affine-loop-fusion)"
        if fusion not in passes:
            return False
        before = self.optimized([source], ",".join(passes[: passes.index(fusion)]) or "canonicalize")[1]
        after = self.optimized(before, fusion)[1]
        if not before or not after:
            return False
        loaded = set(re.findall(r"affine\.load (%\w+)\[", before[0]))
        in_place = loaded & set(re.findall(r"affine\.store %\w+, (%\w+)\[", before[0]))
        verdicts = self.check([source], before)[0][0], self.check(before, after)[0][0]
        return bool(in_place) and verdicts[0] != "refuted" and verdicts[1] == "refuted"

    # -- one change

    def mutants(self, seed, count, batch=40):
        made = []
        for i in range(count):
            rng = random.Random(f"{seed} mutant {i}")
            source = generate.function(rng, f"f{i}", generate.PROFILES[i % len(generate.PROFILES)])
            target, what = ir.mutate(rng, source)
            if target:
                made.append((i, rng, source, target, what))
            if len(made) == batch or i == count - 1:
                self.mutants_of(made)
                made = []

    def mutants_of(self, made):
        texts = [(ir.text_of(s), ir.text_of(t)) for _, _, s, t, _ in made]
        answers = self.check([a for a, _ in texts], [b for _, b in texts]) if made else []
        for (i, rng, source, target, what), (a, b), answer in zip(made, texts, answers):
            found = None
            if answer[0] != "refuted":
                try:
                    found, _ = evaluate.difference(rng, source, target, 60)
                except TimeoutError:
                    pass
            self.judge("mutant", f"m{i}", a, b, answer, show(found), True, what)

    # -- passes of mlir-opt

    def passes(self, seed, count, batch=30):
        for at in range(0, count, batch):
            rng = random.Random(f"{seed} passes {at}")
            profile = generate.PROFILES[at // batch % len(generate.PROFILES)]
            pipeline = rng.choice(PASSES[profile])
            if rng.random() < 0.3:
                pipeline += "," + rng.choice(PASSES[profile])
            made = []
            for i in range(at, min(at + batch, count)):
                made.append(ir.text_of(generate.function(random.Random(f"{seed} pass {i}"), f"f{i}", profile)))
            sources, targets = self.optimized(made, pipeline)
            answers = self.check(sources, targets)
            for i, (a, b, answer) in enumerate(zip(sources, targets, answers)):
                self.judge("pass", f"p{at + i}", a, b, answer, "", False, pipeline)

    def optimized(self, texts, pipeline):
        """What mlir-opt accepts of the texts, and what it makes of them."""
        if not texts:
            return [], []
        try:
            done = subprocess.run(
                [
                    self.mlir_opt,
                    "-",
                    "-split-input-file",
                    "-allow-unregistered-dialect",
                    f"--pass-pipeline=builtin.module({pipeline})",
                ],
                input="\n// -----\n".join(texts),
                capture_output=True,
                text=True,
                timeout=120,
            )
        except subprocess.TimeoutExpired:
            done = None
        if done and done.returncode == 0:
            parts = done.stdout.split("// -----")
            if len(parts) == len(texts):
                return texts, [renamed(p, i) for i, p in enumerate(parts)]
        if len(texts) == 1:
            self.count["pass: mlir-opt refuses " + pipeline] += 1
            return [], []
        n = len(texts) // 2
        a, b = self.optimized(texts[:n], pipeline), self.optimized(texts[n:], pipeline)
        return a[0] + b[0], a[1] + [renamed(p, 1000 + i) for i, p in enumerate(b[1])]

    # -- broken texts

    def texts(self, seed, count):
        for i in range(count):
            rng = random.Random(f"{seed} text {i}")
            text = ir.text_of(generate.function(rng, "f"))
            if self.mlir_opt and i % 8 == 0:
                text = (self.optimized([text], "cse")[1] or [text])[0]
            broken = text
            for _ in range(rng.choice([1, 1, 2, 4])):
                broken = damaged(rng, broken)
            for a, b in ((broken, broken), (text, broken)):
                answer = self.check([a], [b])[0]
                self.count[f"text {answer[0]}"] += 1
                if answer[0] in ("crash", "hang") or answer[1] == "internal":
                    self.fault(answer[0], f"t{i}", a, b, f"{answer[1]} {answer[2]}")
                if answer[0] == "refused" and not answer[1]:
                    self.fault("no-diagnostic", f"t{i}", a, b, answer[2])
                if a is b and answer[0] == "refuted":
                    self.fault("refuted-by-itself", f"t{i}", a, b, answer[2])


def renamed(text, i):
    """Aliases and globals of texts that are joined are told apart."""
    return re.sub(r"@__constant_", f"@__constant_{i}_", re.sub(r"#(map|set)(\d*)\b", rf"#\1_{i}_\2", text))


def damaged(rng, text):
    tokens = re.findall(r"\s+|[%@#!^][\w$.]+|[\w.]+|.", text)
    if not tokens:  # what was there was deleted before
        return text
    at = rng.randrange(len(tokens))
    kind = rng.randrange(5)
    if kind == 0:
        del tokens[at : at + rng.choice([1, 1, 3, 10])]
    elif kind == 1:
        tokens[at] = rng.choice(tokens)
    elif kind == 2:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 3:
        tokens.insert(
            at,
            rng.choice(
                [
                    "-1",
                    "0",
                    "99999999999999999999",
                    "?",
                    "x",
                    "]",
                    "{",
                    "}",
                    "<",
                    "(",
                    '"',
                    "->",
                    ":",
                    "tensor<?x?xf32>",
                    "memref<*xf32>",
                    "dense<>",
                    "%v0",
                    "i0",
                    "i9999",
                    "\x00",
                ]
            ),
        )
    else:
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        if rng.random() < 0.5:
            del lines[line]
        else:
            lines.insert(rng.randrange(len(lines)), lines[line])
        return "\n".join(lines)
    return "".join(tokens)


def show(found):
    if not found:
        return ""
    sizes, args, want, got = found

    def text(v):
        if isinstance(v, evaluate.Tensor):
            return f"{list(v.dims)}{v.data}"
        return f"view at {v.offset} of {v.block}" if isinstance(v, evaluate.Memref) else str(v)

    got = got if isinstance(got, str) else list(map(text, got))
    return f"{sizes} {list(map(text, args))}: {list(map(text, want))} against {got}"[:1500]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--passes", type=int, default=0)
    parser.add_argument("--texts", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--assay", default=os.environ.get("ASSAY", str(ROOT / "build/assay")))
    parser.add_argument("--mlir-opt", default=os.environ.get("ASSAY_MLIR_OPT") or shutil.which("mlir-opt-19"))
    parser.add_argument("--save")
    parser.add_argument("--timeout", type=int, default=20)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner(options.assay, options.mlir_opt, options.save, options.timeout)
    runner.mutants(options.seed, options.mutants)
    if options.passes and runner.mlir_opt:
        runner.passes(options.seed, options.passes)
    runner.texts(options.seed, options.texts)
    for name, n in sorted(runner.count.items()):
        print(f"{n:7} {name}")
    for name, n in runner.unknown.most_common(25):
        print(f"{n:7} unknown: {name}")
    print("\n".join(runner.bad) or "no fault")
    return 1 if runner.bad else 0


if __name__ == "__main__":
    sys.exit(main())
