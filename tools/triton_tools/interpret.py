"""Run a kernel's own host function in Triton's interpreter and keep every launch.

TRITON_INTERPRET=1 must be in the environment before triton is imported (the commands and the tests
set it). A `Launch` holds the grid and every argument: scalars by value, tensors as views of a
storage whose bytes are kept from before and from after the launch, so that in-place kernels,
strided views and arguments that share memory are all seen as they were.

`dump` writes launches for readers in other languages: STEM.json describes them, STEM.bin holds the
storages one after another (little-endian, as in memory, bf16 as two bytes):

    [ { "kernel": "softmax_kernel", "grid": [8, 1, 1],
        "arguments": [ { "name": "x_ptr", "kind": "tensor", "type": "*fp32", "shape": [8, 5], "strides": [5, 1],
                         "storage": 0, "offset": 0,                         # offset in elements
                         "place_in_memory": 0 },                            # the same in all launches: the same memory
                       { "name": "n_cols", "kind": "scalar", "type": "i32", "value": 5 },
                       { "name": "BLOCK", "kind": "constexpr", "value": 1024 } ],
        "storages": [ { "bytes": 160, "before": 0, "after": 160 } ] } ]      # places in STEM.bin

The interpreter of 3.6.0 has faults; those that the corpus meets are mended here, each with its
reason, so that tests compare with what Triton means and not with a slip of its interpreter.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.setdefault("TRITON_INTERPRET", "1")

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.runtime import interpreter  # noqa: E402

from . import paths  # noqa: E402
from .case import Case, all_cases  # noqa: E402

TYPE_NAMES = {
    torch.float32: "fp32",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.float64: "fp64",
    torch.int8: "i8",
    torch.uint8: "u8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.bool: "i1",
}


@dataclass
class Storage:
    before: bytes
    after: bytes


@dataclass
class Argument:
    name: str
    kind: str  # tensor, scalar, constexpr
    type: str = ""  # "*fp32", "i32", ...; empty for a constexpr
    value: Any = None  # scalar or constexpr
    shape: tuple = ()
    strides: tuple = ()
    storage: int = -1
    offset: int = 0
    place_in_memory: int = 0  # the same number in all launches of one capture: the same memory
    before: torch.Tensor | None = None
    after: torch.Tensor | None = None


@dataclass
class Launch:
    kernel: str
    grid: tuple
    arguments: list[Argument]
    storages: list[Storage]

    def __getitem__(self, name) -> Argument:
        return next(argument for argument in self.arguments if argument.name == name)

    def __contains__(self, name):
        return any(argument.name == name for argument in self.arguments)


def storage_bytes(tensor) -> bytes:
    storage = tensor.untyped_storage()
    return bytes(torch.empty(0, dtype=torch.uint8).set_(storage).numpy().tobytes())


def scalar_type(value) -> str:
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64" if value < 2**63 else "u64"
    return "fp32"


class Recorder:
    """While it is entered, every launch in this process is appended to `launches`."""

    def __init__(self):
        self.launches: list[Launch] = []
        self.memory: dict[int, int] = {}  # address of a storage -> its number in this capture
        self.alive: list[torch.Tensor] = []  # so that no address is used twice

    def __enter__(self):
        self.original = interpreter.GridExecutor.__call__
        recorder = self

        def call(executor, *args, **kwargs):
            return recorder.run(executor, args, kwargs)

        interpreter.GridExecutor.__call__ = call
        return self

    def __exit__(self, *_):
        interpreter.GridExecutor.__call__ = self.original

    def run(self, executor, args, kwargs):
        accepted = inspect.getfullargspec(executor.fn).args
        bound = inspect.getcallargs(executor.fn, *args, **{k: v for k, v in kwargs.items() if k in accepted})
        arguments, tensors, places = [], [], {}
        for name in executor.arg_names:
            value = bound[name]
            if name in executor.constexprs or value is None:
                arguments.append(Argument(name, "constexpr", value=getattr(value, "value", value)))
            elif isinstance(value, torch.Tensor):
                address = value.untyped_storage().data_ptr()
                self.memory.setdefault(address, len(self.memory))
                self.alive.append(value)
                if address not in places:
                    places[address] = len(tensors)
                    tensors.append(value)
                arguments.append(
                    Argument(
                        name,
                        "tensor",
                        "*" + TYPE_NAMES[value.dtype],
                        None,
                        tuple(value.shape),
                        tuple(value.stride()),
                        places[address],
                        value.storage_offset(),
                        self.memory[address],
                        value.detach().clone(),
                    )
                )
            else:
                arguments.append(Argument(name, "scalar", scalar_type(value), value))
        before = [storage_bytes(tensor) for tensor in tensors]
        grid = executor.grid
        resolved = []

        def remember(meta):
            got = grid(meta) if callable(grid) else grid
            resolved.extend((*got, 1, 1)[:3])
            return tuple(got)

        executor.grid = remember
        self.original(executor, *args, **kwargs)
        for argument in arguments:
            if argument.kind == "tensor":
                argument.after = bound[argument.name].detach().clone()
        storages = [Storage(old, storage_bytes(tensor)) for old, tensor in zip(before, tensors)]
        self.launches.append(Launch(executor.fn.__name__, tuple(resolved), arguments, storages))


def inputs_of(case: Case, index: int) -> dict:
    """The host function's arguments for one random case; the same for everybody who asks."""
    seed = [index, *case.name.encode()]
    return case.make_inputs(np.random.default_rng(seed), index)


def capture(case: Case, index: int = 0, inputs: dict | None = None) -> list[Launch]:
    """Run the host function on the inputs of random case `index` (or on `inputs`, which it may change)."""
    host = getattr(case.load(), case.host)
    with Recorder() as recorder:
        host(**(inputs_of(case, index) if inputs is None else inputs))
    return recorder.launches


@lru_cache(maxsize=None)
def _captured(name: str, index: int) -> tuple[Launch, ...]:
    folder = os.environ.get(paths.SHARED_LAUNCHES)
    path = Path(folder) / f"{name.replace('/', '.')}.{index}.pickle" if folder else None
    if path and path.exists():
        return pickle.loads(path.read_bytes())
    launches = tuple(capture(all_cases()[name], index))
    if path:
        paths.write(path, pickle.dumps(launches))
    return launches


def captured(case: Case, index: int) -> list[Launch]:
    """What `capture` gives for random case `index`, run once in this process, or in one beside it: to be looked at, not to be changed."""
    return list(_captured(case.name, index))


def number(value):
    """JSON has no infinities: they are strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)


def dump(launches: list[Launch], stem) -> None:
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    described, blob = [], bytearray()
    for launch in launches:
        storages = []
        for storage in launch.storages:
            storages.append(
                {"bytes": len(storage.before), "before": len(blob), "after": len(blob) + len(storage.before)}
            )
            blob += storage.before + storage.after
        arguments = []
        for a in launch.arguments:
            if a.kind == "tensor":
                arguments.append(
                    {
                        "name": a.name,
                        "kind": "tensor",
                        "type": a.type,
                        "shape": a.shape,
                        "strides": a.strides,
                        "storage": a.storage,
                        "offset": a.offset,
                        "place_in_memory": a.place_in_memory,
                    }
                )
            elif a.kind == "scalar":
                arguments.append({"name": a.name, "kind": "scalar", "type": a.type, "value": number(a.value)})
            else:
                arguments.append({"name": a.name, "kind": "constexpr", "value": number(a.value)})
        described.append({"kernel": launch.kernel, "grid": launch.grid, "arguments": arguments, "storages": storages})
    stem.with_name(stem.name + ".json").write_text(json.dumps(described, indent=1) + "\n")
    stem.with_name(stem.name + ".bin").write_bytes(bytes(blob))


# ---- mending the interpreter ------------------------------------------------------------------


def mend_dot():
    """A dot of bf16 operands multiplies the raw bit patterns: widen them first."""
    original = interpreter.InterpreterBuilder.create_dot

    def widen(handle):
        if handle.dtype.scalar != tl.bfloat16:
            return handle
        data = interpreter._convert_float(handle.data, tl.bfloat16, tl.float32, None).view(np.float32)
        return interpreter.TensorHandle(data, tl.float32)

    def create_dot(self, a, b, d, *rest):
        return original(self, widen(a), widen(b), d, *rest)

    interpreter.InterpreterBuilder.create_dot = create_dot


def mend_bf16_rounding():
    """f32 to bf16 truncates; hardware and PyTorch round to nearest even."""
    original = interpreter.InterpreterBuilder.cast_impl

    def cast_impl(self, src, dst_type):
        if src.dtype.scalar == tl.float32 and dst_type.scalar == tl.bfloat16:
            rounded = torch.from_numpy(np.ascontiguousarray(src.data, dtype=np.float32)).to(torch.bfloat16)
            return interpreter.TensorHandle(
                rounded.view(torch.int16).numpy().view(np.uint16).reshape(np.shape(src.data)), tl.bfloat16
            )
        return original(self, src, dst_type)

    interpreter.InterpreterBuilder.cast_impl = cast_impl


LIBDEVICE = {
    "tanh": np.tanh,
    "exp": np.exp,
    "exp2": np.exp2,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "log2": np.log2,
    "log": np.log,
    "pow": np.power,
    "fmod": np.fmod,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "rint": np.rint,
    "nearbyint": np.rint,
    "round": lambda x: np.trunc(x + np.copysign(0.5, x)),
    "llrint": lambda x: np.rint(x).astype(np.int64),
    "trunc": np.trunc,
    "floor": np.floor,
    "ceil": np.ceil,
    "abs": np.abs,
    "fast_expf": np.exp,
    "div_rn": np.divide,
    "erf": np.vectorize(math.erf, otypes=[np.float32]),
    "isnan": np.isnan,
    "isinf": np.isinf,
}


def mend_libdevice():
    """libdevice functions are stubs in the interpreter (they return None): give them NumPy's meaning."""
    from triton.language.extra import libdevice

    def wrapper(function):
        def call(*operands, **_):
            operands = [interpreter.interpreter_semantic.to_tensor(operand) for operand in operands]
            data = np.asarray(function(*[operand.handle.data for operand in operands]))
            kind = operands[0].dtype
            if data.dtype == np.bool_:
                kind = tl.int1
            elif data.dtype == np.int64:
                kind = tl.int64
            else:
                data = data.astype(operands[0].handle.data.dtype)
            shape = (
                data.shape if any(operand.type.is_block() for operand in operands) else ()
            )  # scalars are arrays of one
            block = tl.block_type(kind, list(shape)) if shape else kind
            return tl.core.tensor(interpreter.TensorHandle(data, kind), block)

        return call

    for name, function in LIBDEVICE.items():
        setattr(libdevice, name, wrapper(function))


def mend_speed():
    """A third of a launch's time: every call of a jit function looks through all of the language for what is to be patched,
    every value makes the type of its shape, and every operation a table of NumPy's types."""
    types, shapes = {}, {}
    original_type, original_shape = interpreter._get_np_dtype, tl.core._type_for_tuple_values

    @lru_cache(maxsize=None)
    def builtins_of(package):  # first asked before any is patched
        return [name for name, member in inspect.getmembers(package) if tl.core.is_builtin(member)]

    def patch_builtin(package, builder, scope):
        for name in builtins_of(package):
            member = getattr(package, name)
            if tl.core.is_builtin(member):
                interpreter._patch_attr(package, name, member, builder, scope)

    def np_dtype(kind):
        if kind.name not in types:
            types[kind.name] = original_type(kind)
        return types[kind.name]

    def type_for_tuple_values(values, fields=None):
        if fields or not all(type(value) is tl.constexpr and type(value.value) is int for value in values):
            return original_shape(values, fields)
        key = tuple([value.value for value in values])
        if key not in shapes:
            shapes[key] = original_shape(values)
        return shapes[key]

    interpreter._patch_builtin = patch_builtin
    interpreter._get_np_dtype = np_dtype
    tl.core._type_for_tuple_values = type_for_tuple_values


if triton.__version__.startswith("3.6"):
    mend_speed()
    mend_dot()
    mend_bf16_rounding()
    mend_libdevice()
