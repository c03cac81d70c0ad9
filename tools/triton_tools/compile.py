"""A Triton function -> TTIR text, without a GPU, with Triton 3.0 to 3.8.

The compiler's front end and its `make_ttir` passes are called directly with an explicit target, so
nothing asks for a driver. What comes back is the text before these passes (what newer releases keep
in their cache as `.source`) and after them (`.ttir`), both with locations.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from . import paths
from .case import Case, Kernel

os.environ.setdefault("TRITON_CACHE_DIR", str(paths.BUILD / "triton-cache"))


def unwrap(fn):
    """The JITFunction inside autotuners, heuristics and the like."""
    while type(fn).__name__ != "JITFunction":
        fn = fn.fn
    return fn


def to_ttir(fn, signature: dict[str, str], constexprs: dict, target=("cuda", 80, 32), divisible=(), **options):
    """(text before the passes, text after). `signature` need not list the constexprs; the arguments
    named in `divisible` are promised to be multiples of 16 (Triton 3.3 and later, else ignored)."""
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend

    version = tuple(map(int, triton.__version__.split("+")[0].split(".")[:2]))
    fn = unwrap(fn)
    backend = make_backend(GPUTarget(*target))
    parsed = backend.parse_options(dict(options))
    missing = [name for name in fn.arg_names if name not in constexprs and name not in signature]
    extra = [name for name in [*signature, *constexprs] if name not in fn.arg_names]
    if missing or extra:
        raise ValueError(f"{fn.__name__}: no type for {missing}, no such argument {extra}")
    if version < (3, 3):
        kept = {name: signature[name] for name in fn.arg_names if name not in constexprs}
        if version < (3, 2):  # keyed by position; a value of 1 would need equal_to_1
            by_place = {fn.arg_names.index(name): value for name, value in constexprs.items()}
            kept = {fn.arg_names.index(name): value for name, value in kept.items()}
            source = ASTSource(fn=fn, signature=kept, constants=by_place)
        else:
            source = ASTSource(fn=fn, signature=kept, constants=dict(constexprs))
    else:
        full = {name: "constexpr" if name in constexprs else signature[name] for name in fn.arg_names}
        attributes = {
            (place,): [["tt.divisibility", 16]] for place, name in enumerate(fn.arg_names) if name in divisible
        }
        source = ASTSource(fn=fn, signature=full, constexprs=dict(constexprs), attrs=attributes)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    codegen = backend.get_codegen_implementation(*([parsed] if version >= (3, 3) else []))
    arguments = [parsed, codegen] + ([backend.get_module_map()] if version >= (3, 2) else []) + [context]
    if version >= (3, 5):
        arguments.insert(0, GPUTarget(*target))
    module = source.make_ir(*arguments)
    before = str(module)
    stages: dict = {}
    backend.add_stages(stages, parsed, *([source.language] if version >= (3, 4) else []))
    return before, str(stages["ttir"](module, {}))


def tidy(text: str) -> str:
    """Locations relative to the checkout, so that compiled files do not depend on where it lies."""
    return text.replace(str(paths.ROOT) + os.sep, "")


def compile_kernel(case: Case, kernel: Kernel, folder: Path, suffix="", constexprs=None) -> Path:
    """Compile into folder/STEM.ttir (and STEM.source.ttir), or find it there if nothing changed."""
    constexprs = {**kernel.constexprs, **(constexprs or {})}
    out = folder / f"{case.stem(kernel)}{suffix}.ttir"
    recipe = json.dumps([kernel.name, kernel.types, repr(constexprs), case.options, Path(__file__).read_text()])
    key = hashlib.sha256((recipe + case.source().read_text()).encode()).hexdigest()
    stamp = out.with_suffix(".key")
    if out.exists() and stamp.exists() and stamp.read_text() == key:
        return out
    before, after = to_ttir(getattr(case.load(), kernel.name), kernel.signature(), constexprs, **case.options)
    out.parent.mkdir(parents=True, exist_ok=True)
    paths.write(out.with_suffix(".source.ttir"), tidy(before))
    paths.write(out, tidy(after))
    paths.write(stamp, key)
    return out


def compile_case(case: Case, version=paths.MAIN_VERSION) -> list[Path]:
    return [compile_kernel(case, kernel, paths.ttir_folder(version)) for kernel in case.kernels]
