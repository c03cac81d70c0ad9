"""Random loops of C, and what is proved of them against what gcc makes of them.

  run.py --functions N [--profile NAME]...    N functions of each profile of generate.py, of all without --profile

A function is run on numbers that meet every assumption of the answer. These are faults:

  formula     its NumPy (--emit numpy) gives another element or result, or changes what the function leaves
  write       `safety` is proved, and an element outside of the printed shapes is changed
  read        `safety` is proved, and what lies outside of the printed shapes changes what is computed
  trap        `safety` is proved, and UBSan traps: a shift, a division, or an overflow that no assumption excludes
  signal      `safety` is proved, and the function dies
  crash, hang, internal    of the program itself

A function is not run where a precondition that belongs to no tensor is not proved: the answer says that it need not
hold. A launch is skipped, and counted, where an assumption is not met or cannot be evaluated, where the function does
not end soon, and where it accesses what lies outside of the printed shapes while `safety` is not proved: it changes
an element there, or runs that differ in what lies there compute different things. A fault is printed with the
function, at the first launch that shows it. The same seed gives the same functions and launches. The exit code is 1
if there is a fault.
"""

import argparse
import collections
import ctypes
import importlib.util
import inspect
import json
import mmap
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy as np
from numpy.lib.stride_tricks import as_strided

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import generate  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
TYPES = {
    "int8_t": (ctypes.c_int8, np.int8),
    "uint8_t": (ctypes.c_uint8, np.uint8),
    "int16_t": (ctypes.c_int16, np.int16),
    "uint16_t": (ctypes.c_uint16, np.uint16),
    "int": (ctypes.c_int32, np.int32),
    "unsigned": (ctypes.c_uint32, np.uint32),
    "long": (ctypes.c_int64, np.int64),
    "size_t": (ctypes.c_uint64, np.uint64),
    "float": (ctypes.c_float, np.float32),
}
BYTES = 1 << 19  # of an array; the pointer is that of its middle
COUNT = BYTES // 8  # elements of four bytes on either side of the pointer
LAUNCHES, TRIES = 10, 40
SECONDS = 0.4  # of a run
OUTSIDE = 7, -50, 90  # what lies outside of the printed shapes in other runs
ALWAYS = (
    "different pointer arguments|inputs are finite|the strides of"  # checked by `is_view`, or true of every launch
)


def wrapped(bits):
    half = 1 << (bits - 1)
    return lambda value: (value + half) % (2 * half) - half


NAMES = {
    "__builtins__": {},
    "max": max,
    "min": min,
    "abs": abs,
    "where": lambda test, a, b: a if test else b,
    "cdiv": lambda a, b: -(-a // b),
    **{f"wrap{bits}": wrapped(bits) for bits in (8, 16, 32, 64)},
}


def holds(text, numbers):
    """Whether numbers meet an assumption; None where that cannot be told from them."""
    if re.match(ALWAYS, text) or re.match("signed arithmetic .* fits ", text):
        return True
    fits = re.fullmatch(r"(.*) fits i(\d+)", text)
    many = re.fullmatch(r"([\w, ]+) (>= -?\d+)", text)
    try:
        if many:
            return all(eval(f"{name} {many[2]}", NAMES, numbers) for name in many[1].split(","))
        if fits:
            half = 1 << (int(fits[2]) - 1)
            return -half <= eval(fits[1], NAMES, numbers) < half
        return bool(eval(text, NAMES, numbers))
    except (SyntaxError, NameError, TypeError, ZeroDivisionError):
        return True if is_arithmetic(text) else None


def is_arithmetic(text):
    """That arithmetic does not overflow, at any iteration: UBSan tells of a launch."""
    return re.search(" fits i(32|64)$", text) is not None


def sample(rng, kind):
    """A size, or a number about the ends of a type."""
    ends = [1 << 7, 1 << 8, 1 << 15, 1 << 16]
    chosen = rng.random()
    if chosen < 0.65:
        number = rng.randint(1, 14)
    elif chosen < 0.75:
        number = rng.randint(-6, 0)
    else:
        number = rng.choice(ends[:2] if chosen < 0.93 else ends) + rng.randint(-3, 3)
    limits = np.iinfo(TYPES[kind][1])
    return number if limits.min <= number <= limits.max else rng.randint(1, 14)


class Arrays:
    """What the pointers of a function point to, in memory shared with the processes that run it."""

    def __init__(self, function, rng):
        self.kinds = {name: TYPES[kind][1] for name, kind, is_pointer in function.parameters if is_pointer}
        self.shared = {name: np.frombuffer(mmap.mmap(-1, BYTES), dtype=kind) for name, kind in self.kinds.items()}
        source = np.random.RandomState(rng.randrange(1 << 30))
        self.before = {name: source.randint(-60, 60, size=a.size).astype(a.dtype) for name, a in self.shared.items()}

    def view(self, arrays, name, shape, strides):
        a = arrays[name]
        return as_strided(a[a.size // 2 :], shape, [s * a.itemsize for s in strides])

    def load(self, contents):
        for name, a in self.shared.items():
            a[:] = contents[name]

    def copies(self):
        return {name: a.copy() for name, a in self.shared.items()}


class Function:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.parameters, self.result = generate.parameters(text)

    def numbers(self, rng):
        kinds = {name: kind for name, kind, is_pointer in self.parameters if not is_pointer}
        numbers = {name: sample(rng, kind) for name, kind in kinds.items()}
        if rng.random() < 0.3:
            numbers["m"] = rng.choice([1, 2, 3])
        return numbers

    def call(self, library, arrays, numbers):
        """The signal that ends the function in a process of its own, or 0, and its result."""
        result = np.frombuffer(mmap.mmap(-1, mmap.PAGESIZE), dtype=TYPES[self.result][1])
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            called = library[self.name]
            called.restype = TYPES[self.result][0]
            arguments = []
            for name, kind, is_pointer in self.parameters:
                middle = ctypes.c_void_p(arrays.shared[name].ctypes.data + BYTES // 2) if is_pointer else None
                arguments.append(middle if is_pointer else TYPES[kind][0](numbers[name]))
            result[0] = called(*arguments)
            os._exit(0)
        status = os.waitpid(process, 0)[1]
        return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), result[0]


def tensors(answer, numbers):
    """(name, shape, strides, whether it is written) of each tensor of an answer; None where numbers give none that
    lies within the arrays of this program and has each element once. An extent below 0 is that of an empty tensor."""
    found = []
    listed = [(i, False) for i in answer["inputs"] if i["kind"] == "tensor"] + [(o, True) for o in answer["outputs"]]
    for tensor, is_written in listed:
        if tensor["name"] == "result":
            continue
        try:
            shape = [max(int(eval(e, NAMES, numbers)), 0) for e in tensor["shape"]]
            strides = [int(eval(e, NAMES, numbers)) for e in tensor["strides"]]
        except (SyntaxError, NameError, TypeError, ZeroDivisionError):
            return None
        if not is_view(shape, strides):
            return None
        found.append((tensor["name"], shape, strides, is_written))
    return found


def is_view(shape, strides):
    if sum(abs(s) * max(e - 1, 0) for e, s in zip(shape, strides)) >= COUNT or np.prod(shape, dtype=float) > COUNT:
        return False
    places = np.zeros(1, dtype=np.int64)
    for extent, stride in zip(shape, strides):
        places = (places[:, None] + np.arange(extent) * stride).ravel()
    return len(np.unique(places)) == len(places)


def is_same(a, b):
    return np.isclose(a, b, rtol=1e-4, atol=1e-3, equal_nan=True)


class Runner:
    def __init__(self, assay, timeout):
        self.assay, self.timeout = assay, timeout
        self.folder = tempfile.TemporaryDirectory(prefix="assay-loops-random-")  # removed when the program ends
        self.work = pathlib.Path(self.folder.name)
        self.count = collections.Counter()
        self.open = collections.Counter()  # assumptions that could not be evaluated
        self.bad = []

    def fault(self, kind, function, text):
        self.bad.append(f"{kind}: {text}\n  {function.text}")

    def functions(self, seed, profile, count):
        made = []
        for i in range(count):
            rng = random.Random(f"{seed} {profile} {i}")
            made.append((Function(f"f{i}", generate.PROFILES[profile](rng, f"f{i}")), rng))
        self.source = self.work / f"{profile}.c"
        self.source.write_text(
            "#include <stdint.h>\n#include <stddef.h>\n" + "\n".join(f.text for f, _ in made) + "\n"
        )
        # Signed arithmetic wraps in one library, and traps in the other.
        self.plain = self.compiled("plain", "-fwrapv", "-fsanitize=shift,integer-divide-by-zero")
        self.strict = self.compiled("strict", "-fsanitize=signed-integer-overflow")
        for function, rng in made:
            self.judge(profile, function, rng)

    def compiled(self, name, *flags):
        out = self.work / f"{self.source.stem}.{name}.so"
        flags = ["-w", "-O1", "-shared", "-fPIC", "-fsanitize-undefined-trap-on-error", *flags]
        subprocess.run(["gcc", *flags, self.source, "-o", out], check=True)
        return ctypes.CDLL(str(out))

    def lift(self, function, out):
        """The answer as JSON, and its NumPy in `out`; None where the program fails."""
        flags = ["--timeout", str(self.timeout), "--json", "--emit", "numpy", "-o", out]
        command = [self.assay, "lift", *flags, f"{self.source}:{function.name}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=20 * self.timeout + 20)
        except subprocess.TimeoutExpired:
            self.fault("hang", function, "no answer")
            return None
        if done.returncode not in (0, 1, 2, 3):
            self.fault("crash", function, f"exit code {done.returncode}: {done.stderr[-300:]}")
            return None
        return done.stdout

    def judge(self, profile, function, rng):
        out = self.work / f"{self.source.stem}_{function.name}.py"
        text = self.lift(function, out)
        answer = json.loads(text) if text else {}
        verdict = answer.get("verdict") or "refused"
        self.count[f"{profile}: {verdict}"] += 1
        if "fault of assay" in (text or "") or (answer.get("reason") or {}).get("code") == "internal":
            self.fault("internal", function, str(answer["reason"]))
        if verdict != "proved":
            return
        if any(o["kind"] == "bounds" and not o["tensor"] and o["verdict"] != "proved" for o in answer["obligations"]):
            self.count["without launches: a precondition, as that a bound does not wrap, is not proved"] += 1
            return
        module = self.module(function, out)
        arrays, done = Arrays(function, rng), 0
        for _ in range(TRIES):
            outcome = self.launch(function, answer, module, arrays, function.numbers(rng))
            self.count[f"launches: {outcome}"] += 1
            done += outcome == "compared"
            if done == LAUNCHES or outcome == "fault":
                return

    def module(self, function, out):
        """The function of the module `out`, or None where there is none."""
        if not out.exists():
            self.count["without NumPy"] += 1
            return None
        found = importlib.util.spec_from_file_location(out.stem, out)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return getattr(module, function.name)

    def launch(self, function, answer, module, arrays, numbers):
        """What became of one launch: `compared`, `fault`, or why it is skipped."""
        extents = {f"{name}_d{axis}": COUNT // 8 for name in arrays.kinds for axis in range(3)}
        assumptions = [a["text"] for a in answer["assumptions"]]
        met = {text: holds(text, {**extents, **numbers}) for text in assumptions}
        if False in met.values():
            return "skipped, an assumption is not met"
        if None in met.values():
            self.open.update(text for text, value in met.items() if value is None)
            return "skipped, an assumption cannot be evaluated"
        if abs(np.prod(list(numbers.values()), dtype=float)) > COUNT:
            return "skipped, too large"
        views = tensors(answer, {**extents, **numbers})
        if views is None:
            return "skipped, the tensors are too large or not told by the numbers"
        is_safe = answer["safety"] == "proved"
        where = f"{numbers}, {assumptions}"

        arrays.load(arrays.before)
        ended, _ = function.call(self.strict, arrays, numbers)
        if ended == signal.SIGILL:
            if not is_safe or any(is_arithmetic(text) for text in assumptions):
                return "skipped, signed arithmetic overflows"
            self.fault("trap", function, where)
            return "fault"
        arrays.load(arrays.before)
        ended, result = function.call(self.plain, arrays, numbers)
        if ended == signal.SIGALRM:
            return "skipped, it does not end soon"
        if ended:
            if not is_safe:
                return "skipped, it dies"
            self.fault("trap" if ended == signal.SIGILL else "signal", function, f"signal {ended}, {where}")
            return "fault"
        after = arrays.copies()
        outside = self.outside(function, arrays, numbers, views, after, result)
        if outside:
            if not is_safe:
                return "skipped, it accesses what lies outside of the printed shapes"
            self.fault(outside, function, where)
            return "fault"
        return (
            self.compare(function, answer, module, arrays, numbers, views, after, result, where)
            if module
            else "without NumPy"
        )

    def outside(self, function, arrays, numbers, views, after, result):
        """`write` or `read` where the function accesses what lies outside of the printed shapes, else None."""
        is_inside = {name: np.zeros(a.size, dtype=bool) for name, a in arrays.before.items()}
        for name, shape, strides, _ in views:
            arrays.view(is_inside, name, shape, strides)[...] = True
        if any((arrays.before[name] != after[name])[~is_inside[name]].any() for name in after):
            return "write"
        for value in OUTSIDE:
            other = {
                name: np.where(is_inside[name], a, np.asarray(value).astype(a.dtype))
                for name, a in arrays.before.items()
            }
            arrays.load(other)
            ended, second = function.call(self.plain, arrays, numbers)
            changed = any((arrays.shared[name] != after[name])[is_inside[name]].any() for name in after)
            if ended or second != result and second == second or changed:
                return "read"
        return None

    def is_negative(self, answer, numbers):
        tensors = [i for i in answer["inputs"] + answer["outputs"] if i["name"] != "result"]
        extents = [e for tensor in tensors for e in tensor["shape"] if not re.search(r"_d\d", e)]
        return any(eval(e, NAMES, dict(numbers)) < 0 for e in extents)

    def compare(self, function, answer, module, arrays, numbers, views, after, result, where):
        wanted = {name: a.copy() for name, a in arrays.before.items()}
        taken = inspect.signature(module).parameters
        given = {name: number for name, number in numbers.items() if name in taken}
        if len(given) < len(numbers) and self.is_negative(answer, numbers):
            return "skipped, NumPy takes a number from the extent of an array, which is below 0"
        for name, shape, strides, _ in views:
            if name in taken and name not in given:
                given[name] = arrays.view(wanted, name, shape, strides).copy()
        try:
            made = module(**given)
        except (ValueError, IndexError, TypeError, OverflowError) as error:
            self.open[f"NumPy raises {type(error).__name__}"] += 1
            return "skipped, NumPy raises"
        for name, shape, strides, is_written in views:
            if is_written:
                arrays.view(wanted, name, shape, strides)[...] = made[name]
        for name, a in wanted.items():
            different = np.flatnonzero(~is_same(a, after[name]))
            if different.size:
                at = different[0]
                text = f"{name}[{at - a.size // 2}] is {after[name][at]}, by the formula {a[at]}"
                self.fault("formula", function, f"{text}; {where}")
                return "fault"
        if "result" in made and not is_same(np.asarray(made["result"], dtype=float), float(result)):
            self.fault("formula", function, f"the result is {result}, by the formula {made['result']}; {where}")
            return "fault"
        return "compared"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, default=12)
    parser.add_argument("--profile", action="append", choices=list(generate.PROFILES))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--assay", default=os.environ.get("ASSAY", str(ROOT / "build/assay")))
    parser.add_argument("--timeout", type=int, default=2)
    options = parser.parse_args()
    if not shutil.which("gcc"):
        sys.exit("needs gcc")
    np.seterr(all="ignore")
    runner = Runner(options.assay, options.timeout)
    for profile in options.profile or generate.PROFILES:
        runner.functions(options.seed, profile, options.functions)
    for name, n in sorted(runner.count.items()):
        print(f"{n:7} {name}")
    for name, n in runner.open.most_common(15):
        print(f"{n:7} not evaluated: {name}")
    print("\n".join(runner.bad) or "no fault")
    return 1 if runner.bad else 0


if __name__ == "__main__":
    sys.exit(main())
