"""Triton kernels to Triton IR without a GPU, for Triton 3.1 to 3.9: what a launch binds, how its arguments are
specialised, and the front end with the `make_ttir` passes of the compiler.

Nothing asks for a driver. The specialisation is Triton's own rule: an integer that is 1 and an argument that is None
leave the signature, pointers and integers that are multiples of 16 get `tt.divisibility`.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ._errors import TritonError, UsageError

TARGET = ("cuda", 80, 32)
LATER_TARGET = ("cuda", 90, 32)  # for element types that the first has not
ITEM_BYTES = {
    "fp64": 8,
    "fp32": 4,
    "fp16": 2,
    "bf16": 2,
    "i64": 8,
    "u64": 8,
    "i32": 4,
    "u32": 4,
    "i16": 2,
    "u16": 2,
    "i8": 1,
    "u8": 1,
    "i1": 1,
}
TYPE_NAMES = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "bool": "i1",
    "float8_e4m3fn": "fp8e4nv",
    "float8_e5m2": "fp8e5",
    "float8_e4m3fnuz": "fp8e4b8",
    "float8_e5m2fnuz": "fp8e5b16",
}
DTYPES = {
    "fp64": "f64",
    "fp32": "f32",
    "fp16": "f16",
    "fp8e4nv": "f8E4M3FN",
    "fp8e5": "f8E5M2",
    "fp8e4b8": "f8E4M3FNUZ",
    "fp8e5b16": "f8E5M2FNUZ",
}
ADDRESSES = ("memory",)  # the storage of what is known by its address
SPECIFIED = {name: triton_name for triton_name, name in DTYPES.items()}
SPECIFICATION = re.compile(r"(\w+)\[(.*?)\](?:\s+strides\s*\[(.*)\])?")
FUNCTIONS = ("cdiv", "round_up", "next_pow2", "min", "max")


@dataclass
class Tensor:
    """What is known of a tensor argument: element type as Triton writes it ("fp32"), shape and strides in elements
    (numbers or names of sizes), the storage that it lies in, and where (`offset` in elements)."""

    type: str
    shape: tuple
    strides: tuple | None
    storage: Any = None
    offset: int = 0


def tensor(dtype: str, *shape, strides=None) -> Tensor:
    """A tensor that is only specified, for `assay.trace`: `assay.tensor("f32", "M", "N")` has symbolic sizes.

    `dtype` as in operation files (f16 bf16 f32 f64 i1 i8 .. i64 u8 .. u64 or a float8 name), or as Triton writes it; a
    size is a number or a name, and a tuple of sizes is a shape, too; strides are in elements, row-major if not given.
    Where `assay.trace` takes it, the text `"f32[M, N] strides [s, 1]"` is the same.
    """
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    name = SPECIFIED.get(dtype, dtype)
    if name not in ITEM_BYTES and name not in DTYPES:
        named = [DTYPES.get(known, known) for known in [*ITEM_BYTES, *(n for n in DTYPES if n not in ITEM_BYTES)]]
        raise UsageError(f"no element type {dtype!r}; there are {' '.join(sorted(named))}")
    if strides is not None and len(strides) != len(shape):
        raise UsageError(f"a tensor of {len(shape)} axes has as many strides, not {len(strides)}")
    return Tensor(name, shape, None if strides is None else tuple(strides))


def of_text(text: str) -> Tensor | str:
    """What a text stands for as an argument: "f32[6, N]" and "f32[6, N] strides [s, 1]" are tensors, anything else is a
    size: a name, or an expression of names. Raises UsageError for what is neither."""
    match = SPECIFICATION.fullmatch(text.strip())
    if match:
        dtype, shape, strides = match.groups()
        return tensor(dtype, *sizes(shape), strides=None if strides is None else sizes(strides))
    if not is_size(text) or text in SPECIFIED or text in ITEM_BYTES:
        raise UsageError(
            f"{text!r} is neither a tensor, as in 'f32[M, 40]' or 'f32[M, 40] strides [s, 1]', nor a size, as in 'n' or"
            " 'cdiv(n, 64)'"
        )
    return text


def sizes(text: str) -> tuple:
    """The sizes in "6, cdiv(n, 64)": numbers, or expressions of names."""
    parts = [part.strip() for part in re.split(r",(?![^()]*\))", text)] if text.strip() else []
    for part in parts:
        if not is_size(part):
            raise UsageError(f"{part!r} in [{text}] is no size: a number, a name, or an expression of these")
    return tuple(int(part) if part.isdigit() else part for part in parts)


def is_size(text: str) -> bool:
    """Is it an expression of an operation file?"""
    try:
        nodes = list(ast.walk(ast.parse(text.strip(), mode="eval").body))
    except SyntaxError:
        return False
    calls = {id(node.func): node.func for node in nodes if isinstance(node, ast.Call)}
    kinds = (ast.Name, ast.expr_context, ast.Constant, ast.BinOp, ast.operator, ast.Call)
    return all(
        isinstance(node, kinds)
        and not (isinstance(node, ast.Constant) and type(node.value) is not int)
        and not (id(node) in calls and getattr(node, "id", "") not in FUNCTIONS)
        for node in nodes
    )


def element_type(value) -> str:
    name = str(value.dtype).replace("torch.", "")
    if name not in TYPE_NAMES:
        raise TritonError(f"tensors of {name} are not supported")
    return TYPE_NAMES[name]


def of_array(value) -> Tensor:
    """A NumPy array; the array that owns the memory is its storage."""
    size = max(value.dtype.itemsize, 1)
    base = value
    while hasattr(getattr(base, "base", None), "__array_interface__"):
        base = base.base
    start = base.__array_interface__["data"][0]
    distance = value.__array_interface__["data"][0] - start
    if distance % size or any(stride % size for stride in value.strides):
        raise TritonError("the strides of an array are no multiples of its elements")
    empty = 0 in value.shape
    return Tensor(
        element_type(value),
        tuple(value.shape),
        tuple(stride // size for stride in value.strides),
        ("numpy", id(value) if empty else start),
        0 if empty else distance // size,
    )


def of_pointer(value) -> Tensor:
    """What Triton takes for a tensor because it has an address and an element type; its storage is all of memory."""
    kind = element_type(value)
    address, size = value.data_ptr(), ITEM_BYTES.get(kind, 1)
    if address % size:
        raise TritonError(f"a pointer to {kind} is no multiple of its {size} bytes")
    return Tensor(kind, tuple(value.shape), tuple(value.stride()), ADDRESSES, address // size)


def as_tensor(value) -> Tensor | None:
    """A torch tensor (also on the meta device), a NumPy array or a specification; None for anything else."""
    if isinstance(value, Tensor):
        return value if value.storage is not None else replace(value, storage=("specified", id(value)))
    if hasattr(value, "storage_offset") and hasattr(value, "dtype"):
        storage = value.untyped_storage()
        key = ("torch", storage.data_ptr() or ("without memory", storage._cdata), storage.nbytes())
        return Tensor(element_type(value), tuple(value.shape), tuple(value.stride()), key, value.storage_offset())
    if hasattr(value, "data_ptr") and all(hasattr(value, name) for name in ("dtype", "shape", "stride")):
        return of_pointer(value)
    if hasattr(value, "__array_interface__") and hasattr(value, "__setitem__"):  # NumPy's scalars cannot be set
        return of_array(value)
    return None


def is_descriptor(value) -> bool:
    """A tensor descriptor that host code made: a tensor, and the shape, strides and block of a window on it."""
    return all(hasattr(value, name) for name in ("base", "shape", "strides", "block_shape"))


def require_triton():
    """The module triton, with its compiler switched on."""
    try:
        import triton
        from triton import knobs  # noqa: F401  (3.4 and later)
    except ImportError:
        try:
            import triton
        except ImportError:
            raise TritonError("Triton is not installed: pip install triton") from None
    return triton


@dataclass
class Bound:
    """One launch as it was bound: the function, its arguments in order, and the grid."""

    function: Any
    arguments: dict[str, Any]
    constexprs: dict[str, Any]
    grid: tuple
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.function.fn.__name__

    @property
    def file(self) -> str:
        return inspect.unwrap(self.function.fn).__code__.co_filename


def load_module(path: Path, name: str | None = None):
    """The module of a file, which is run as an import is, under its own name or another one."""
    name = name or path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def jit_function(kernel):
    """The JITFunction inside of autotuners, heuristics and decorators."""
    while type(kernel).__name__ not in ("JITFunction", "InterpretedFunction"):
        if not hasattr(kernel, "fn"):
            raise TritonError(f"{kernel!r} is no Triton kernel (@triton.jit)")
        kernel = kernel.fn
    if type(kernel).__name__ == "InterpretedFunction":
        raise TritonError(
            "TRITON_INTERPRET is set: kernels are interpreted and have no IR; unset it before triton is imported"
        )
    return kernel


def constexpr_value(value):
    return getattr(value, "value", value) if type(value).__name__ == "constexpr" else value


def is_constexpr(parameter) -> bool:
    return bool(getattr(parameter, "is_constexpr", False))


COMPILER_OPTIONS = (
    "num_warps",
    "num_stages",
    "num_ctas",
    "num_consumer_groups",
    "num_buffers_warp_spec",
    "reg_dec_producer",
    "reg_inc_consumer",
    "ir_override",
    "maxnreg",
    "enable_fp_fusion",
    "waves_per_eu",
    "warmup",
    "stream",
    "device",
    "device_type",
    "extern_libs",
    "debug",
    "sanitize_overflow",
    "pre_hook",
    "allow_fp8e4nv",
    "max_num_imprecise_acc_default",
    "launch_pdl",
    "launch_cooperative_grid",
    "arch",
)


def tuned(tuner, given: dict, kwargs: dict) -> dict:
    """What an autotuner adds to the keywords: its first configuration that is not pruned, as nothing can be timed
    without a device. Its hook, which may change arguments (the block of a descriptor), has run."""
    tuner.nargs = given
    config = (tuner.prune_configs(kwargs) or tuner.configs)[0]
    tuner.best_config = config
    chosen = config.all_kwargs() if hasattr(config, "all_kwargs") else config.kwargs
    if getattr(config, "pre_hook", None) is not None:
        config.pre_hook({**given, **kwargs, **chosen})
    return {**chosen, **kwargs}


def bind(kernel, grid, args, kwargs) -> Bound:
    """Arguments by name, as Triton's own binder orders them; values that autotuners and heuristics add are taken from
    their first configuration, as no configuration can be timed without a device."""
    kwargs = {key: value for key, value in kwargs.items() if key not in ("warmup", "stream", "grid")}
    layers = []
    inner = kernel
    while type(inner).__name__ not in ("JITFunction", "InterpretedFunction") and hasattr(inner, "fn"):
        layers.append(inner)
        inner = inner.fn
    function = jit_function(kernel)
    names = [parameter.name for parameter in function.params]
    given = dict(zip(names, args))
    for layer in layers:
        kind = type(layer).__name__
        if kind == "Autotuner":
            kwargs = tuned(layer, given, kwargs)
        elif kind == "Heuristics":
            for name, heuristic in layer.values.items():
                kwargs[name] = heuristic({**given, **kwargs})
    unknown = [key for key in kwargs if key not in names and key not in COMPILER_OPTIONS]
    if unknown:
        raise TypeError(f"{function.fn.__name__} has no argument {unknown[0]!r}")
    for parameter in function.params:
        if parameter.name in kwargs:
            given[parameter.name] = kwargs[parameter.name]
        elif parameter.name not in given:
            if parameter.default is inspect.Parameter.empty:
                raise TypeError(f"{function.fn.__name__} needs an argument {parameter.name!r}")
            given[parameter.name] = parameter.default
        if not is_constexpr(parameter):
            given[parameter.name] = read_texts(given[parameter.name])
    meta = {**given, **{key: kwargs[key] for key in kwargs if key in COMPILER_OPTIONS}}
    grid = grid(meta) if callable(grid) else grid
    grid = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
    constexprs = {p.name: constexpr_value(given[p.name]) for p in function.params if is_constexpr(p)}
    ordered = {name: given[name] for name in names if name not in constexprs}
    options = {key: kwargs[key] for key in ("num_warps", "num_stages", "num_ctas") if key in kwargs}
    return Bound(function, ordered, constexprs, grid, options)


def read_texts(value):
    """An argument whose texts, also those in a tuple, are what they stand for."""
    if isinstance(value, tuple):
        parts = [read_texts(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return of_text(value) if isinstance(value, str) else value


def integer_type(value) -> str:
    if isinstance(value, bool):
        return "i1"
    if -(2**31) <= value < 2**31:
        return "i32"
    return "i64" if value < 2**63 else "u64"


@dataclass
class Specialised:
    """How Triton's compiler takes a launch. `types` has the argument types by name (trees of tuples for tuples),
    `constexprs` and `divisible` are keyed by path: (place of the argument, place in the tuple, ..). `leaves` are the
    arguments of the compiled function, in its order, with the name of the argument that each is or is part of."""

    types: dict[str, Any] = field(default_factory=dict)
    constexprs: dict[tuple, Any] = field(default_factory=dict)
    divisible: list[tuple] = field(default_factory=list)
    leaves: list[tuple[str, Any]] = field(default_factory=list)


def leaves_the_signature(value, fixed: bool) -> bool:
    """None, the integer 1 and what is known at compile time have no argument in the compiled function."""
    if value is None or (type(value) is int and value == 1 and not fixed):
        return True
    return (
        type(value).__name__ in ("JITFunction", "constexpr", "dtype")
        and hasattr(type(value), "__module__")
        and type(value).__module__.startswith("triton.")
    )


def scalar_type(value) -> str | None:
    """The type of a number as Triton takes it; None if it is none. The name of a size is any 32-bit integer."""
    if isinstance(value, str):
        return "i32"
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, (bool, int)):
        return integer_type(value)
    return "fp32" if isinstance(value, float) else None


def specialise(bound: Bound) -> Specialised:
    """Triton's own rule of specialisation, for every version alike. Raises TritonError for what is no argument."""
    found = Specialised()
    for place, parameter in enumerate(bound.function.params):
        if parameter.name in bound.constexprs:
            found.constexprs[(place,)] = bound.constexprs[parameter.name]
        else:
            found.types[parameter.name] = _specialise(
                found, bound, parameter, (place,), parameter.name, bound.arguments[parameter.name]
            )
    return found


def _specialise(found: Specialised, bound: Bound, parameter, path: tuple, name: str, value):
    """The type of `value`, or of the part of an argument that `path` leads to."""
    fixed = bool(getattr(parameter, "do_not_specialize", False))
    annotated = getattr(parameter, "annotation_type", None) if len(path) == 1 else None
    value = constexpr_value(value)
    if isinstance(value, tuple):
        inner = [_specialise(found, bound, parameter, (*path, i), f"{name}_{i}", v) for i, v in enumerate(value)]
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    described = as_tensor(value)
    if described is None and not annotated and leaves_the_signature(value, fixed):
        found.constexprs[path] = value
        return "constexpr"
    found.leaves.append((name, value))
    if is_descriptor(value):
        return f"tensordesc<{element(value.base)}{[int(size) for size in value.block_shape]}>"
    kind = f"*{described.type}" if described else scalar_type(value)
    if kind is None:
        raise TritonError(
            f"{bound.name}: an argument {name!r} of type {type(value).__name__} is not supported; supported "
            "are tensors, arrays, numbers, None, tuples of these, tensor descriptors and assay.tensor(..)"
        )
    if (
        not fixed
        and not getattr(parameter, "do_not_specialize_on_alignment", False)
        and is_divisible(value, described)
    ):
        found.divisible.append(path)
    return annotated or kind


def element(value) -> str:
    """The element type of a descriptor's tensor."""
    described = as_tensor(value)
    if described is None:
        raise TritonError(f"a descriptor of a {type(value).__name__} is not supported")
    return described.type


def is_divisible(value, described: Tensor | None) -> bool:
    """A pointer to a multiple of 16 bytes, or an integer that is a multiple of 16. Storages begin at such a place."""
    if described is None:
        return type(value) is int and value % 16 == 0
    return (
        described.strides is not None
        and described.storage[0] != "specified"
        and described.offset * ITEM_BYTES.get(described.type, 1) % 16 == 0
    )


def to_ttir(function, types: dict, constexprs: dict, divisible=(), options=None, target=TARGET) -> str:
    """The Triton IR of a kernel: `types` by name, `constexprs` by name or path, `divisible` paths or names. Raises
    TritonError with the compiler's own message."""
    names = [parameter.name for parameter in function.params]
    constexprs = {path if isinstance(path, tuple) else (names.index(path),): v for path, v in constexprs.items()}
    divisible = [path if isinstance(path, tuple) else (names.index(path),) for path in divisible]
    try:
        return _to_ttir(function, types, constexprs, divisible, options or {}, target)
    except TritonError:
        raise
    except Exception as error:  # whatever the compiler raises is about the kernel
        said = f"{error} {error.__cause__}"
        if re.search("not supported (in this|on CUDA) arch", said) and target == TARGET:
            return to_ttir(function, types, constexprs, divisible, options, LATER_TARGET)
        raise TritonError(f"{function.fn.__name__}: {type(error).__name__}: {error}") from error


def _source(function, types, constexprs, divisible, version):
    """The compiler's description of what is to be compiled, whose form changed from release to release."""
    from triton.compiler.compiler import ASTSource

    names = [parameter.name for parameter in function.params]
    if version >= (3, 3):
        full = {name: types.get(name, "constexpr") for name in names}
        attributes = {path: [["tt.divisibility", 16]] for path in divisible}
        return ASTSource(fn=function, signature=full, constexprs=dict(constexprs), attrs=attributes)
    kept = {name: types[name] for name in names if types.get(name, "constexpr") != "constexpr"}
    if not all(isinstance(kind, str) and not kind.startswith("tensordesc") for kind in kept.values()):
        raise TritonError(f"{function.fn.__name__}: tuples and descriptors need Triton 3.3 or later")
    if version < (3, 2):  # keyed by position
        from triton.compiler.compiler import AttrsDescriptor

        return ASTSource(
            fn=function,
            signature={names.index(n): t for n, t in kept.items()},
            constants={path[0]: value for path, value in constexprs.items()},
            attrs=AttrsDescriptor(divisible_by_16={path[0] for path in divisible}),
        )
    from triton.backends.compiler import AttrsDescriptor as Hints

    return ASTSource(
        fn=function,
        signature=kept,
        constants={names[path[0]]: v for path, v in constexprs.items()},
        attrs=Hints.from_hints({path[0]: 16 for path in divisible}),
    )


def _to_ttir(function, types, constexprs, divisible, options, target):
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    version = tuple(map(int, triton.__version__.split("+")[0].split(".")[:2]))
    backend = make_backend(GPUTarget(*target))
    parsed = backend.parse_options(dict(options))
    source = _source(function, types, constexprs, divisible, version)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    codegen = backend.get_codegen_implementation(*([parsed] if version >= (3, 3) else []))
    arguments = [parsed, codegen] + ([backend.get_module_map()] if version >= (3, 2) else []) + [context]
    if version >= (3, 5):
        arguments.insert(0, GPUTarget(*target))
    module = source.make_ir(*arguments)
    stages: dict = {}
    backend.add_stages(stages, parsed, *([source.language] if version >= (3, 4) else []))
    return str(stages["ttir"](module, {}))
