"""Triton kernels to Triton IR without a GPU, for Triton 3.1 to 3.9: what a launch binds, how its arguments are
specialised, and the front end with the `make_ttir` passes of the compiler.

Nothing asks for a driver. The specialisation is Triton's own rule: an integer that is 1 and an argument that is None
leave the signature, pointers and integers that are multiples of 16 get `tt.divisibility`.
"""
from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any

from ._errors import TritonError

TARGET = ("cuda", 80, 32)
ITEM_BYTES = {"fp64": 8, "fp32": 4, "fp16": 2, "bf16": 2, "i64": 8, "u64": 8, "i32": 4, "u32": 4, "i16": 2, "u16": 2,
              "i8": 1, "u8": 1, "i1": 1}
TYPE_NAMES = {"float64": "fp64", "float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "int64": "i64",
              "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "uint16": "u16", "uint32": "u32",
              "uint64": "u64", "bool": "i1", "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5",
              "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16"}
DTYPES = {"fp64": "f64", "fp32": "f32", "fp16": "f16", "fp8e4nv": "f8E4M3FN", "fp8e5": "f8E5M2",
          "fp8e4b8": "f8E4M3FNUZ", "fp8e5b16": "f8E5M2FNUZ"}
SPECIFIED = {"f64": "fp64", "f32": "fp32", "f16": "fp16"}


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

    `dtype` as in operation files (f16 bf16 f32 f64 i1 i8 .. i64 u8 .. u64); a size is a number or a name, strides are
    in elements, row-major if not given.
    """
    name = SPECIFIED.get(dtype, dtype)
    if name not in ITEM_BYTES:
        raise ValueError(f"no element type {dtype!r}; there are f16 bf16 f32 f64 i1 i8 i16 i32 i64 u8 u16 u32 u64")
    return Tensor(name, tuple(shape), None if strides is None else tuple(strides))


def as_tensor(value) -> Tensor | None:
    """A torch tensor (also on the meta device), a NumPy array or a specification; None for anything else."""
    if isinstance(value, Tensor):
        return value
    if hasattr(value, "untyped_storage") and hasattr(value, "dtype"):
        storage = value.untyped_storage()
        key = ("torch", id(value) if value.device.type == "meta" else storage.data_ptr() or id(value))
        return Tensor(TYPE_NAMES[str(value.dtype).replace("torch.", "")], tuple(value.shape), tuple(value.stride()),
                      key, value.storage_offset())
    if hasattr(value, "__array_interface__"):
        size = value.dtype.itemsize
        base = value
        while getattr(base, "base", None) is not None and hasattr(base.base, "__array_interface__"):
            base = base.base
        start = base.__array_interface__["data"][0]
        offset = (value.__array_interface__["data"][0] - start) // max(size, 1)
        return Tensor(TYPE_NAMES[str(value.dtype)], tuple(value.shape), tuple(s // size for s in value.strides),
                      ("numpy", start), offset)
    return None


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


def jit_function(kernel):
    """The JITFunction inside of autotuners, heuristics and decorators."""
    while type(kernel).__name__ not in ("JITFunction", "InterpretedFunction"):
        if not hasattr(kernel, "fn"):
            raise TritonError(f"{kernel!r} is no Triton kernel (@triton.jit)")
        kernel = kernel.fn
    if type(kernel).__name__ == "InterpretedFunction":
        raise TritonError("TRITON_INTERPRET is set: kernels are interpreted and have no IR; unset it before triton is imported")
    return kernel


def constexpr_value(value):
    return getattr(value, "value", value) if type(value).__name__ == "constexpr" else value


def is_constexpr(parameter) -> bool:
    return bool(getattr(parameter, "is_constexpr", False))


COMPILER_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "waves_per_eu", "warmup",
                    "stream", "device", "device_type", "extern_libs", "debug", "sanitize_overflow", "pre_hook",
                    "allow_fp8e4nv", "max_num_imprecise_acc_default", "launch_pdl", "launch_cooperative_grid", "arch")


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
            config = layer.configs[0]
            kwargs = {**config.all_kwargs(), **kwargs} if hasattr(config, "all_kwargs") else {**config.kwargs, **kwargs}
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
    meta = {**given, **{key: kwargs[key] for key in kwargs if key in COMPILER_OPTIONS}}
    grid = grid(meta) if callable(grid) else grid
    grid = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
    constexprs = {p.name: constexpr_value(given[p.name]) for p in function.params if is_constexpr(p)}
    ordered = {name: given[name] for name in names if name not in constexprs}
    options = {key: kwargs[key] for key in ("num_warps", "num_stages", "num_ctas") if key in kwargs}
    return Bound(function, ordered, constexprs, grid, options)


def integer_type(value) -> str:
    if isinstance(value, bool):
        return "i1"
    if -(2**31) <= value < 2**31:
        return "i32"
    return "i64" if value < 2**63 else "u64"


def specialise(bound: Bound) -> tuple[dict, dict, list]:
    """(types by name, constexprs by name, names that are multiples of 16), as Triton specialises this launch."""
    types: dict[str, str] = {}
    constexprs, divisible = dict(bound.constexprs), []
    fixed = {p.name for p in bound.function.params if getattr(p, "do_not_specialize", False)}
    for name, value in bound.arguments.items():
        value = constexpr_value(value)
        described = as_tensor(value)
        if described is not None:
            types[name] = f"*{described.type}"
            places = described.storage is not None and described.offset * ITEM_BYTES.get(described.type, 1) % 16 == 0
            if places and name not in fixed:
                divisible.append(name)
        elif value is None or (type(value) is int and value == 1 and name not in fixed):
            constexprs[name] = value
        elif isinstance(value, str):  # the name of a size: any value
            types[name] = "i32"
        elif isinstance(value, (bool, int)):
            types[name] = integer_type(value)
            if name not in fixed and not isinstance(value, bool) and value % 16 == 0:
                divisible.append(name)
        elif isinstance(value, float):
            types[name] = "fp32"
        elif hasattr(value, "item") and getattr(value, "shape", None) == ():
            types[name] = "fp32" if isinstance(value.item(), float) else integer_type(value.item())
        else:
            raise TritonError(f"{bound.name}: an argument {name!r} of type {type(value).__name__} is not supported; "
                              "supported are tensors, arrays, numbers, None and assay.tensor(..)")
    return types, constexprs, divisible


def to_ttir(function, types: dict, constexprs: dict, divisible=(), options=None, target=TARGET) -> str:
    """The Triton IR of a kernel. Raises TritonError with the compiler's own message."""
    try:
        return _to_ttir(function, types, constexprs, divisible, options or {}, target)
    except TritonError:
        raise
    except Exception as error:  # whatever the compiler raises is about the kernel
        raise TritonError(f"{function.fn.__name__}: {type(error).__name__}: {error}") from error


def _to_ttir(function, types, constexprs, divisible, options, target):
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend

    version = tuple(map(int, triton.__version__.split("+")[0].split(".")[:2]))
    backend = make_backend(GPUTarget(*target))
    parsed = backend.parse_options(dict(options))
    names = [parameter.name for parameter in function.params]
    if version < (3, 3):
        kept = {name: types[name] for name in names if name in types}
        if version < (3, 2):  # keyed by position
            by_place = {names.index(name): value for name, value in constexprs.items()}
            source = ASTSource(fn=function, signature={names.index(n): t for n, t in kept.items()}, constants=by_place)
        else:
            source = ASTSource(fn=function, signature=kept, constants=dict(constexprs))
    else:
        full = {name: types.get(name, "constexpr") for name in names}
        attributes = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if name in divisible}
        source = ASTSource(fn=function, signature=full, constexprs=dict(constexprs), attrs=attributes)
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
