"""Times a function and what `assay` emitted for it: `python3 -c THIS LIMIT SIGNATURE [ARGUMENTS OF GCC]`.

Standard input is the JSON of its lift. C and C++ are compiled by gcc with -O3 and run on memory of the shapes that the
lift found, Python is imported. Sizes are doubled until there is enough to do, and drawn so that the printed assumptions
hold; data is small positive numbers. The first line of the output is `"seconds"` for the JSON, the second is for the
table. ASSAY_RUN_ELEMENTS says how many elements are enough, in place of 10^6. The measured code runs in a process of its own, which may crash or not come to its end.
"""

import ast
import ctypes
import importlib.util
import inspect
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

LANGUAGES = {".py": "python", ".c": "c", ".h": "c"}
TIMED = ("numpy", "pytorch", "jax", "tensorflow", "mlx", "c")
FORMAT = {"f32": "f", "f64": "d", "i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}
FORMAT.update({"u" + name[1:]: code.upper() for name, code in FORMAT.items() if name[0] == "i" and name != "i1"})
CDIV = {"min": min, "max": max, "abs": abs, "cdiv": lambda a, b: -(-a // b), "where": lambda c, a, b: a if c else b}
NODES = "Expression Compare BinOp UnaryOp BoolOp Name Constant operator unaryop cmpop boolop expr_context Call"
ALLOWED = tuple(getattr(ast, name) for name in NODES.split())
ENOUGH = int(os.environ.get("ASSAY_RUN_ELEMENTS", 10**6))
MOST, SECONDS, TRIALS = 10 * ENOUGH, 0.05, 5

# Functions that are not called may need what the file does not have.
DROP = ("-fvisibility=hidden", "-ffunction-sections", "-Wl,--gc-sections")

CLOCK = """
#define ASSAY_SEEN __attribute__((visibility("default")))
#include <stdint.h>
#include <time.h>
static double assay_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
#define main assay_not_this_main
#include "%s"
#undef main
"""
# The call goes through a pointer, so that it is compiled as any caller would have it.
C_CALLER = """
ASSAY_SEEN double assay_time(void **array, const int64_t *shape, const double *number, int trials) {
  static __typeof__(%(name)s) *volatile function = %(name)s;
  double best = 1e300;
  (void)shape, (void)array, (void)number;
  while (trials-- > 0) {
    double begin = assay_now();
    %(result)s function(%(arguments)s);
    double end = assay_now();
    __asm__ volatile("" : : "r"(%(used)s) : "memory");
    if (end - begin < best) best = end - begin;
  }
  return best;
}
"""
CPP_HEAD = """
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
"""
CPP_CALLER = """
namespace assay {
struct Given { void *data; const int64_t *shape; double number; };
template <class T> struct Make {
  static T from(Given &g) { return (T)g.number; }
  static T next(const char *&at, const int64_t *) {
    T value = *(const T *)at;
    return at += sizeof value, value;
  }
};
template <class T> struct Make<T *> { static T *from(Given &g) { return (T *)g.data; } };
template <class T> struct Make<std::vector<T>> {
  static std::vector<T> next(const char *&at, const int64_t *shape) {
    std::vector<T> v;
    for (int64_t i = 0; i < *shape; i++) v.push_back(Make<T>::next(at, shape + 1));
    return v;
  }
  static std::vector<T> from(Given &g) {
    const char *at = (const char *)g.data;
    return next(at, g.shape);
  }
};
template <class R, class... A, size_t... I>
double run(R (*f)(A...), Given *g, int trials, std::index_sequence<I...>) {
  R (*volatile function)(A...) = f;
  double best = 1e300;
  static_assert(sizeof...(A) == %(count)d, "other parameters");
  std::tuple<std::decay_t<A>...> given{Make<std::decay_t<A>>::from(g[I])...};
  while (trials-- > 0) {
    auto own = given;
    double begin = assay_now(), end;
    if constexpr (std::is_void_v<R>) {
      function(static_cast<A &&>(std::get<I>(own))...);
      end = assay_now();
    } else {
      auto result = function(static_cast<A &&>(std::get<I>(own))...);
      end = assay_now();
      __asm__ volatile("" : : "r"(&result) : "memory");
    }
    __asm__ volatile("" : : "r"(&own) : "memory");
    if (end - begin < best) best = end - begin;
  }
  return best;
}
template <class R, class... A> double start(R (*f)(A...), Given *g, int trials) {
  return run(f, g, trials, std::index_sequence_for<A...>());
}
}
extern "C" ASSAY_SEEN double assay_time(void **array, const int64_t *shape, const double *number, int trials) {
  assay::Given given[%(count)d + 1];
  for (int i = 0; i < %(count)d; i++) given[i] = {array[i], shape + 8 * i, number[i]};
  return assay::start(%(name)s, given, trials);
}
"""


class NotRun(Exception):
    """Its text says why."""


def compute(text, known):
    """The value of an expression of sizes; None: it speaks of something else."""
    try:
        tree = ast.parse(str(text).strip(), mode="eval")
    except SyntaxError:
        return None
    nodes = list(ast.walk(tree))
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    if not all(isinstance(n, ALLOWED) for n in nodes) or not names <= {*known, *CDIV}:
        return None
    try:
        return eval(compile(tree, "size", "eval"), {"__builtins__": {}}, {**CDIV, **known})
    except (ArithmeticError, TypeError):
        return None


def holds(text, known):
    many = re.fullmatch(r"([\w, ]+) (>= -?\d+)", text)
    parts = [f"{name} {many[2]}" for name in many[1].split(",")] if many else [text]
    return all(compute(part, known) in (True, None) for part in parts)


class Launch:
    """Numbers, shapes and memory of one size."""

    def __init__(self, lifted, size):
        self.tensors = {v["name"]: v for v in lifted["inputs"] + lifted["outputs"] if v.get("kind") != "scalar"}
        scalars = {v["name"]: v["dtype"] for v in lifted["inputs"] if v["kind"] == "scalar"}
        texts = " ".join(str(e) for v in self.tensors.values() for e in [*v["shape"], *v["strides"]])
        free = set(re.findall(r"[A-Za-z_]\w*", texts)) - {*CDIV, *self.tensors}
        integers = sorted({n for n, kind in scalars.items() if kind[0] != "f"} | {n for n in free if n not in scalars})
        reals = {n: 0.5 for n, kind in scalars.items() if kind[0] == "f"}
        assumed = [a["text"] for a in lifted["assumptions"]]
        draw = random.Random(0)
        choices = [size, size, size - 1, size + 1, size // 2, size // 4, 2 * size, 1, 2, 3, 4]
        found, tries = [], 0
        while tries < (4000 if not found else 400) and not (found and tries == 1):
            known = {n: max(1, draw.choice(choices)) if tries else size for n in integers} | reals
            if all(holds(text, known) for text in assumed):
                found.append(known)
            tries += 1
        if not found:
            raise NotRun("no sizes were found that meet the assumptions")
        self.known = max(found, key=lambda known: math.prod(known[n] for n in integers))
        self.sizes = ", ".join(f"{n} = {self.known[n]}" for n in integers)
        self.size, self.memory = size, {}

    def shape(self, name, what="shape"):
        got = [compute(e, self.known) for e in self.tensors[name][what]]
        if None in got:
            raise NotRun(f"the shape of {name} is {self.tensors[name]['shape']}")
        return got

    def elements(self):
        return sum(self.span(name) for name in self.tensors)

    def span(self, name):
        steps = zip(self.shape(name), self.shape(name, "strides"))
        return 1 + sum(max(0, n - 1) * abs(s) for n, s in steps)

    def fill(self, name):
        """Memory behind a pointer; a parameter of which nothing is known has a few elements."""
        if name not in self.memory:
            dtype = self.tensors[name]["dtype"] if name in self.tensors else "f64"
            if dtype not in FORMAT:
                raise NotRun(f"elements of type {dtype}")
            count, draw = self.span(name) if name in self.tensors else 8 * self.size, random.Random(name)
            some = [draw.uniform(0.1, 1) if dtype[0] == "f" else draw.randint(1, 7) for _ in range(509)]
            bits = struct.pack(f"{len(some)}{FORMAT[dtype]}", *some if dtype != "i1" else map(bool, some))
            size = count * struct.calcsize(FORMAT[dtype])
            self.memory[name] = ctypes.create_string_buffer((bits * (size // len(bits) + 1))[:size], size)
        return self.memory[name]

    def array(self, name):
        import numpy as np

        shape, dtype = self.shape(name), np.dtype(FORMAT[self.tensors[name]["dtype"]])
        strides = [s * dtype.itemsize for s in self.shape(name, "strides")]
        flat = np.frombuffer(self.fill(name), dtype)
        return np.array(np.lib.stride_tricks.as_strided(flat, shape, strides), order="C")


def build(folder, stem, text, arguments, is_cpp):
    source, library = os.path.join(folder, stem + (".cc" if is_cpp else ".c")), os.path.join(folder, stem + ".so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    compiler = ["g++", "-std=c++17"] if is_cpp else ["gcc", "-std=gnu17"]
    command = [*compiler, "-O3", "-w", "-shared", "-fPIC", *DROP, *arguments, source, "-o", library, "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotRun(f"{compiler[0]}: {error.strerror}") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or ["it does not compile"]
        raise NotRun(f"{compiler[0]}: {lines[0].split('error: ')[-1]}")
    return library


def compiled(path, parameters):
    """A function from a launch and a number of trials to seconds."""
    call = ctypes.CDLL(path).assay_time
    call.restype = ctypes.c_double

    def run(launch, trials):
        arrays, shapes, numbers = (ctypes.c_void_p * 64)(), (ctypes.c_int64 * 512)(), (ctypes.c_double * 64)()
        for i, (name, is_array) in enumerate(parameters):
            if not is_array:
                numbers[i] = launch.known.get(name, 1)
                continue
            arrays[i] = ctypes.addressof(launch.fill(name))
            shape = launch.shape(name) if name in launch.tensors else [1] * 8
            shapes[8 * i : 8 * i + len(shape)] = [launch.known.get(f"{name}_d{k}", n) for k, n in enumerate(shape)]
        return call(arrays, shapes, numbers, trials)

    return run


def c_caller(name, parameters, has_result):
    arguments = [f"array[{i}]" if is_array else f"number[{i}]" for i, (_, is_array) in enumerate(parameters)]
    words = {"name": name, "arguments": ", ".join(arguments), "result": "__auto_type r =" if has_result else ""}
    return C_CALLER % {**words, "used": "&r" if has_result else "array"}


def load(path, name):
    specification = importlib.util.spec_from_file_location("measured", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return getattr(module, name)


def best_of(trials, make, function):
    best = float("inf")
    for _ in range(trials):
        keywords = make()
        begin = time.perf_counter()
        function(keywords)
        best = min(best, time.perf_counter() - begin)
    return best


def python_original(path, name):
    function, as_list = load(path, name), False

    def run(launch, trials):
        def make():
            given = {n: launch.array(n) if n in launch.tensors else launch.known.get(n, 1) for n in names}
            return {n: v.tolist() if as_list and n in launch.tensors else v for n, v in given.items()}

        names = [n for n, p in inspect.signature(function).parameters.items() if p.default is inspect.Parameter.empty]
        nonlocal as_list
        try:
            return best_of(trials, make, lambda given: function(**given))
        except (AttributeError, TypeError, ValueError):
            as_list = not as_list  # what is appended to is a list
            return best_of(trials, make, lambda given: function(**given))

    return run


def framework(target):
    """How its arrays are made of NumPy's, and a wait until results are there."""
    if target == "pytorch":
        import torch

        return torch.from_numpy, lambda result: None
    if target == "jax":
        import jax

        return jax.numpy.asarray, jax.block_until_ready
    if target == "tensorflow":
        import tensorflow

        return tensorflow.constant, lambda result: [v.numpy() for v in result.values()]
    if target == "mlx":
        import mlx.core

        return mlx.core.array, lambda result: mlx.core.eval(list(result.values()))
    return lambda array: array, lambda result: None


def python_port(path, name, target):
    function, (convert, wait) = load(path, name), framework(target)

    def run(launch, trials):
        def make(convert):
            given = {n: n if n in launch.tensors or n in launch.known else n.rstrip("_") for n in names}
            return {n: convert(launch.array(v)) if v in launch.tensors else launch.known[v] for n, v in given.items()}

        def with_conversion(given):
            wait(function(**{n: convert(v) if hasattr(v, "shape") else v for n, v in given.items()}))

        names = list(inspect.signature(function).parameters)
        alone = best_of(trials, lambda: make(convert), lambda given: wait(function(**given)))
        return alone, None if target == "numpy" else best_of(trials, lambda: make(lambda v: v), with_conversion)

    return run


def chosen(path, name):
    """How C++ names the function: of several of one name, whose second is NAME_2, by its type."""
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()

    def definitions(stem):
        return re.findall(
            rf"^((?:[\w:<>,*&]+[ \t]+)*[\w:<>]+[ \t*&]+){re.escape(stem)}\s*\(([^(){{}};]*)\)\s*{{", source, re.M
        )

    found, number, stem = definitions(name), 1, name
    suffix = re.fullmatch(r"(\w+)_(\d+)", name)
    if not found and suffix:
        stem, number = suffix[1], int(suffix[2])
        found = definitions(stem)
    if len(found) < 2 or number > len(found):
        return name
    result, parameters = found[number - 1]
    result = re.sub(r"\b(static|inline|constexpr)\b", "", result).strip()
    parameters = re.sub(r"=[^,]*", "", parameters)
    return f"static_cast<{result} (*)({parameters})>({stem})"


def sides(lifted, signature, arguments, folder):
    """What is measured, by name: functions that make what runs it. All is compiled here, once."""
    path, name = os.path.abspath(lifted["input"]), lifted["kernel"]
    language = LANGUAGES.get(os.path.splitext(path)[1], "c++")
    if "?" in signature:
        raise NotRun("its parameters are structs, or it uses variables of its file")
    parameters = [(word.lstrip("*"), word[0] == "*") for word in signature.split()]
    if len(parameters) > 64:
        raise NotRun("it has more than 64 parameters")
    returns = any(v["name"].startswith("result") and v["name"] not in dict(parameters) for v in lifted["outputs"])
    text = CLOCK % path.replace("\\", "\\\\").replace('"', '\\"')
    out = {}
    if language == "python":
        out["original"] = ("python_original", path, name)
    elif language == "c":
        text += c_caller(name, parameters, returns)
        out["original"] = ("compiled", build(folder, "original", text, arguments, False), parameters)
    else:
        text = CPP_HEAD + text + CPP_CALLER % {"name": chosen(path, name), "count": len(parameters)}
        out["original"] = ("compiled", build(folder, "original", text, arguments, True), parameters)
    for target, code in lifted.get("emitted", {}).items():
        if target == "c":
            head = re.search(r"^void (\w+)\((.*)\) \{$", code, re.MULTILINE)
            taken = [] if head[2] == "void" else [p.replace("*", " *").split() for p in head[2].split(", ")]
            own = [(p[-1].lstrip("*"), p[-1][0] == "*") for p in taken]
            text = CLOCK % os.path.join(folder, "port.h") + c_caller(head[1], own, False)
            write(folder, "port.h", code)
            out[target] = ("compiled", build(folder, "port", text, [], False), own)
        elif target in TIMED:
            function = re.search(r"^def (\w+)\(\*", code, re.MULTILINE)[1]
            out[target] = ("python_port", write(folder, f"port_{target}.py", code), function, target)
    return out


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def measure(lifted, made):
    """In the process of its own: prints NAME SECONDS, also with arguments made of NumPy's, and the sizes."""
    kinds = {"compiled": compiled, "python_original": python_original, "python_port": python_port}
    try:
        original = kinds[made["original"][0]](*made["original"][1:])
    except Exception as error:
        raise NotRun(str(error).split(": ", 1)[-1]) from None
    size = 8
    while True:
        launch = Launch(lifted, size)
        if launch.elements() >= ENOUGH or Launch(lifted, 2 * size).elements() > MOST or size >= ENOUGH:
            break
        if original(launch, 1) >= SECONDS:
            break
        size *= 2
    print("sizes", launch.sizes, flush=True)
    for name, (kind, *rest) in made.items():
        print("began", name, flush=True)
        try:
            took = kinds[kind](*rest)(Launch(lifted, size), TRIALS)
            alone, converted = took if isinstance(took, tuple) else (took, None)
            print("took", name, alone, flush=True)
            if converted is not None:
                print("converted", name, converted, flush=True)
        except (Exception, SystemExit) as error:  # of the code that is measured
            print("failed", name, " ".join(f"{type(error).__name__}: {error}".split())[:200], flush=True)


def watch(lifted, made, folder, limit):
    """Starts that process; the sizes, seconds or a reason by name, and seconds with conversion of arguments."""
    given = json.dumps([lifted, made])
    command = [sys.executable, "-c", SOURCE, "measure"]
    with tempfile.TemporaryFile("w+", dir=folder) as out:
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, text=True, cwd=folder
        )
        why = "it crashed"
        try:
            child.communicate(given, timeout=limit)
        except subprocess.TimeoutExpired:
            why = "it took too long"
            child.kill()
            child.wait()
        out.seek(0)
        sizes, times, converted = "", {}, {}
        for kind, *rest in (line.split(" ", 2) for line in out.read().splitlines()):
            if kind == "sizes":
                sizes = " ".join(rest)
            elif kind == "took":
                times[rest[0]] = float(rest[1])
            elif kind == "converted":
                converted[rest[0]] = float(rest[1])
            elif kind in ("began", "failed"):
                times[rest[0]] = rest[1] if kind == "failed" else why
        return sizes, times or {"original": why}, converted


def show(sizes, times, converted):
    def text(value):
        return f"not run ({value})" if isinstance(value, str) else f"{1000 * value:.3g} ms"

    seconds = {name: None if isinstance(value, str) else value for name, value in times.items()}
    more = f', "seconds_with_conversion": {json.dumps(converted)}' if converted else ""
    print(f'"seconds": {json.dumps(seconds)}, "sizes": {json.dumps(sizes)}{more}')
    print(", ".join(f"{name} {text(value)}" for name, value in times.items()) + (f" at {sizes}" if sizes else ""))


def main(limit, signature, *arguments):
    lifted = json.load(sys.stdin)
    try:
        if lifted["verdict"] != "proved":
            raise NotRun("it is not proved")
        with tempfile.TemporaryDirectory() as folder:
            made = sides(lifted, signature, arguments, folder)
            show(*watch(lifted, made, folder, float(limit)))
    except NotRun as why:
        show("", {"original": str(why)}, {})


SOURCE = sys.orig_argv[sys.orig_argv.index("-c") + 1]
if sys.argv[1] == "measure":
    try:
        measure(*json.load(sys.stdin))
    except NotRun as why:
        print("failed original", why)
else:
    main(*sys.argv[1:])
