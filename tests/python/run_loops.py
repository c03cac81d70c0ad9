"""What `assay lift --emit numpy,c` writes of functions of C, run beside the compiled source on the same memory.

Every pointer is memory of CELLS elements, whatever its axes; the module sees those parts of it that the report's shapes
and strides describe. Sizes are drawn until the printed assumptions hold. What the source changes outside of the
described part is an error as well.

    run_loops.py FILE.c[:FUNCTION]...     runs every function that is proved
"""

import ast
import ctypes
import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ASSAY = Path(os.environ.get("ASSAY", Path(__file__).resolve().parents[2] / "build" / "assay"))
CELLS = 6000
SIGNATURE = re.compile(r"^(?:static\s+)?((?:const )?(?:unsigned )?\w+) (\w+)\(([^;{}]*?)\)\s*\{", re.MULTILINE)
PARAMETER = re.compile(r"(?P<type>.*?)(?P<stars>[*\s]+)(?P<name>\w+)(?P<dims>(?:\[[^\]]*\])*)$", re.DOTALL)
NUMPY = {
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    **{f"{s}{w}": np.dtype(f"{s}{w // 8}").type for s in "iu" for w in (8, 16, 32, 64)},
}
TYPES = {
    "char": "i8",
    "int8_t": "i8",
    "uint8_t": "u8",
    "unsigned char": "u8",
    "uchar": "u8",
    "short": "i16",
    "int16_t": "i16",
    "uint16_t": "u16",
    "int": "i32",
    "int32_t": "i32",
    "uint32_t": "u32",
    "unsigned": "u32",
    "unsigned int": "u32",
    "long": "i64",
    "int64_t": "i64",
    "size_t": "u64",
    "float": "f32",
    "double": "f64",
    "bool": "i1",
    "_Bool": "i1",
    "DATA_TYPE": "f64",
}
ALLOWED = (
    ast.Expression,
    ast.Compare,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Name,
    ast.Constant,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
    ast.expr_context,
    ast.Call,
)
KNOWN = {"min": min, "max": max, "cdiv": lambda a, b: -(-a // b), "abs": abs, "where": lambda c, a, b: a if c else b}


class CannotRun(Exception):
    """Nothing is known of the function then: a test fails with it."""


def functions(path, arguments=()):
    """(result, name, parameters) of each function that the file itself has, as the preprocessor leaves it.

    A parameter is its type, whether it is an array (2: of pointers to rows), and its name."""
    text = subprocess.run(
        ["gcc", "-E", "-P", "-w", *arguments, path], capture_output=True, text=True, check=True
    ).stdout
    text = re.sub(r"\brestrict\b|\bregister\b|\b__inline\b", "", text)
    for result, name, parameters in SIGNATURE.findall(text):
        found = [PARAMETER.match(re.sub(r"\s+", " ", p.strip())) for p in split(parameters)]
        if all(found):
            yield (
                result,
                name,
                [
                    (
                        re.sub(r"\b(const|struct)\b", "", m["type"]).strip(),
                        2 if m["stars"].count("*") == 2 else bool(m["dims"]) or "*" in m["stars"],
                        m["name"],
                    )
                    for m in found
                ],
            )


def split(text):
    out, depth = [""], 0
    for c in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and not depth:
            out.append("")
        else:
            out[-1] += c
    return out


def compute(text, known):
    """The value of an expression of sizes, or None where it speaks of something else."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return None
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    if not all(isinstance(n, ALLOWED) for n in ast.walk(tree)) or not names <= {*known, *KNOWN}:
        return None
    return eval(compile(tree, "size", "eval"), {"__builtins__": {}}, {**KNOWN, **known})  # noqa: S307


def holds(text, known):
    many = re.fullmatch(r"([\w, ]+) (>= -?\d+)", text)
    return all(
        compute(t, known) in (True, None) for t in ([f"{n} {many[2]}" for n in many[1].split(",")] if many else [text])
    )


class Function:
    def __init__(self, path, name, folder, arguments=(), targets=("numpy", "c")):
        self.path, self.name, self.folder = Path(path), name, Path(folder)
        found = {n: (r, p) for r, n, p in functions(path, arguments)}
        if name not in found:
            raise CannotRun("its signature is not read")
        self.result, self.parameters = found[name]
        done = subprocess.run(
            [
                ASSAY,
                "lift",
                "--json",
                f"{path}:{name}",
                "--timeout",
                "120",
                "--emit",
                ",".join(targets),
                "-o",
                self.folder,
                *(["--", *arguments] if arguments else []),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        self.report = json.loads(done.stdout)
        self.targets = [
            t for t in targets if (self.folder / f"{name}.{ {'c': 'c.c'}.get(t, f'{t}.py')}").exists()
        ]
        self.shapes = {
            v["name"]: v for v in [*self.report["inputs"], *self.report["outputs"]] if v.get("strides") is not None
        }

    def original(self, library):
        f = getattr(library, self.name)
        f.restype = ctype(self.result) if self.result != "void" else None
        f.argtypes = [ctypes.c_void_p if is_array else ctype(t) for t, is_array, _ in self.parameters]
        return f

    def draw(self, random, bound, least=False):
        """Numbers and memory, by parameter; the least sizes that meet the assumptions, if asked for."""
        scalars = {}
        for attempt in range(4000):
            most = min(2 + attempt // 40, 7) if least else 7
            for t, is_array, p in self.parameters:
                if not is_array:
                    kind = TYPES.get(t)
                    if kind is None:
                        raise CannotRun(f"a parameter of type {t}")
                    scalars[p] = (
                        float(NUMPY[kind](random.uniform(0.1, 2))) if kind[0] == "f" else int(random.integers(1, most))
                    )
                elif is_array == 2:
                    scalars[f"{p}_d1"] = int(random.integers(1, most + 2))
            known = {
                **scalars,
                **{f"{p}_d{k}": v for p in self.shapes for k, v in enumerate(self.lengths(p, scalars) or ())},
            }
            if min(known.values()) >= 0 and all(holds(a["text"], known) for a in self.report["assumptions"]):
                break
        else:
            raise CannotRun("no sizes meet the assumptions")
        memory = {}
        for t, is_array, p in self.parameters:
            if not is_array:
                continue
            kind = NUMPY.get(TYPES.get(t))
            if kind is None:
                raise CannotRun(f"a parameter of type {t}")
            if np.dtype(kind).kind == "f":
                memory[p] = (
                    random.standard_normal(CELLS).astype(kind)
                    if random.integers(2)
                    else random.uniform(0.2, 2, CELLS).astype(kind)
                )
            elif p in bound:
                memory[p] = random.integers(0, max(1, compute(bound[p], known)), CELLS).astype(kind)
            elif np.dtype(kind).itemsize == 1 and kind != np.bool_:
                memory[p] = random.integers(0, 256, CELLS).astype(np.uint8).view(kind)
            else:
                memory[p] = random.integers(-30 if np.dtype(kind).kind == "i" else 0, 40, CELLS).astype(kind)
                memory[p][memory[p] == 0] = 1
        return scalars, memory

    def lengths(self, p, scalars):
        """The shape of a parameter; a length of its own is as large as memory is."""
        v = self.shapes.get(p)
        if v is None:
            return None
        known, out = dict(scalars), []
        for k, e in enumerate(v["shape"]):
            known.setdefault(f"{p}_d{k}", 40 if len(v["shape"]) > 1 else 300)
            out.append(compute(str(e), known))
        return None if None in out else out

    def view(self, p, memory, scalars):
        shape = self.lengths(p, scalars)
        known = {
            **scalars,
            **{f"{q}_d{k}": v for q in self.shapes for k, v in enumerate(self.lengths(q, scalars) or ())},
        }
        strides = [compute(str(s), known) for s in self.shapes[p]["strides"]]
        if shape is None or None in strides:
            raise CannotRun(f"the shape of {p} is {self.shapes[p]['shape']}, {self.shapes[p]['strides']}")
        if sum((n - 1) * abs(s) for n, s in zip(shape, strides) if n) >= CELLS:
            raise CannotRun(f"{p} is too large")
        size = memory.itemsize
        return np.lib.stride_tricks.as_strided(memory, shape, [s * size for s in strides])

    def argument(self, is_array, p, memory, scalars):
        if not is_array:
            return scalars[p]
        first = memory[p].ctypes.data
        if is_array != 2:
            return first
        step = scalars[f"{p}_d1"] * memory[p].itemsize
        return (ctypes.c_void_p * (memory[p].nbytes // step))(*range(first, first + memory[p].nbytes - step + 1, step))

    def run(self, library, trials=8, bound=None, seed=0):
        """The number of trials that agreed; AssertionError where one does not."""
        random, original = np.random.default_rng(seed), self.original(library)
        outputs = [v["name"] for v in self.report["outputs"]]
        module = load(self.folder / f"{self.name}.numpy.py", self.name) if "numpy" in self.targets else None
        emitted = Emitted(self.folder, self.name) if "c" in self.targets else None
        for trial in range(trials):
            scalars, memory = self.draw(random, bound or {}, least=not trial)  # n - 1 is 0 there
            before = {p: m.copy() for p, m in memory.items()}
            inputs = {v["name"] for v in self.report["inputs"]}
            back = original(*[self.argument(a, p, memory, scalars) for _, a, p in self.parameters])
            for run in filter(None, (module, emitted)):
                old = {p: self.view(p, m, scalars) for p, m in before.items() if p in self.shapes}
                got = run(
                    old,
                    scalars,
                    {
                        **scalars,
                        **{f"{q}_d{k}": v for q in self.shapes for k, v in enumerate(self.lengths(q, scalars) or ())},
                    },
                    self,
                )
                for name in outputs:
                    if name not in memory:
                        same(np.asarray(got[name]), np.asarray(back), (self.name, trial, scalars))
                        continue
                    wanted, first = self.view(name, memory[name], scalars), old[name]
                    value = np.broadcast_to(got[name], wanted.shape)
                    # elements that are not written are the old ones where the module has them, else 0
                    value = np.where((wanted == first) & (value == 0), first, value) if name not in inputs else value
                    same(value, wanted, (self.name, trial, scalars))
            for p, m in memory.items():  # and nothing else has changed
                rest = before[p].copy()
                if p in outputs:
                    np.copyto(self.view(p, rest, scalars), self.view(p, m, scalars))
                assert np.array_equal(rest, m, equal_nan=rest.dtype.kind == "f"), f"{self.name} changes more of {p}"
        return trials


def ctype(text):
    kind = TYPES.get(re.sub(r"\bconst\b", "", text).strip())
    if kind is None:
        raise CannotRun(f"a number of type {text}")
    return {"f32": ctypes.c_float, "f64": ctypes.c_double, "i1": ctypes.c_bool}.get(kind) or getattr(
        ctypes, f"c_{'u' if kind[0] == 'u' else ''}int{kind[1:]}"
    )


def same(got, wanted, case):
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(np.asarray(got, np.float64), wanted, rtol=2e-4, atol=2e-5, err_msg=str(case))
    else:
        assert (np.asarray(got).astype(np.int64) == wanted.astype(np.int64)).all(), (case, got, wanted)


def load(path, name):
    spec = importlib.util.spec_from_file_location(path.stem.replace(".", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name)
    keywords = list(inspect.signature(function).parameters)

    def run(arrays, scalars, sizes, _):
        with np.errstate(all="ignore"):
            return {
                k.rstrip("_") if k.rstrip("_") in arrays else k: v
                for k, v in function(**{k: value(k, arrays, scalars, sizes) for k in keywords}).items()
            }

    return run


def value(name, *tables):
    for n in (name, name.rstrip("_")):
        for table in tables:
            if n in table:
                return table[n]
    raise CannotRun(f"nothing is known of {name}")


class Emitted:
    """The emitted C: its arrays are contiguous, in the shapes of the report."""

    def __init__(self, folder, name):
        source, library = folder / f"{name}.c.c", folder / f"{name}.c.so"
        subprocess.run(
            [
                "gcc",
                "-std=c17",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-O1",
                "-fsanitize=undefined",
                "-fno-sanitize-recover",
                "-shared",
                "-fPIC",
                source,
                "-o",
                library,
                "-lm",
            ],
            check=True,
        )
        prototype = re.search(rf"^void ({name}_*)\((.*)\) \{{$", source.read_text(), re.MULTILINE)
        self.function = getattr(ctypes.CDLL(str(library)), prototype[1])
        self.taken = [(p.replace("*", " ").split(), "*" in p) for p in split(prototype[2])]

    def __call__(self, arrays, scalars, sizes, of):
        passed, results = [], {}
        for words, is_array in self.taken:
            name, kind = words[-1], words[-2]
            if is_array and "const" in words:
                passed.append(np.array(value(name, arrays), order="C"))
            elif is_array:
                known = arrays.get(name, arrays.get(name.rstrip("_")))
                results[name if name in arrays or known is None else name.rstrip("_")] = out = (
                    np.array(known, order="C") if known is not None else np.zeros((), NUMPY[TYPES[kind]])
                )
                passed.append(out)
            else:
                number = value(name, scalars, sizes)
                passed.append(
                    ctypes.c_double(number)
                    if kind == "double"
                    else ctypes.c_float(number) if kind == "float" else ctypes.c_int64(int(number))
                )
        self.function(*[p.ctypes.data_as(ctypes.c_void_p) if isinstance(p, np.ndarray) else p for p in passed])
        return results


def build(path, folder, arguments=()):
    out = Path(folder) / f"{Path(path).name}.original.so"  # no name that a module in C has
    subprocess.run(
        ["gcc", "-O1", "-w", "-shared", "-fPIC", "-Dstatic=", *arguments, path, "-o", out, "-lm"], check=True
    )
    return ctypes.CDLL(str(out))


def bounds(path):
    """What a comment `// name < bound, ..` above a function says of data that indexes."""
    out = {}
    for m in re.finditer(r"^// ([\w <,+*-]+)\n(?:static\s+)?[\w ]+?\b(\w+)\(", Path(path).read_text(), re.MULTILINE):
        out[m[2]] = dict(part.split(" < ") for part in m[1].split(", "))
    return out


def main():
    for given in sys.argv[1:]:
        path, _, only = given.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            library, limits = build(path, folder), bounds(path)
            for _, name, _ in functions(path):
                if only and name != only:
                    continue
                try:
                    f = Function(path, name, folder)
                    if f.report["verdict"] != "proved":
                        print(f"{name:24} {f.report['verdict']}")
                        continue
                    count = f.run(library, bound=limits.get(name))
                    print(f"{name:24} {count} runs agree, {','.join(f.targets)}")
                except CannotRun as error:
                    print(f"{name:24} NOT RUN: {error}")
                except Exception as error:  # noqa: BLE001
                    print(f"{name:24} DIFFERS: {type(error).__name__} {' '.join(str(error).split())[:300]}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
