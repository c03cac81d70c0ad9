"""Triton's own parser and verifier, as an oracle: whether a text is a module, and the same as another."""

from __future__ import annotations


def canonical(path) -> str:
    """The module of a file as Triton prints it, without locations. Raises RuntimeError if Triton does not accept it."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    context = ir.context()
    ir.load_dialects(context)
    make_backend(GPUTarget("cuda", 80, 32)).load_dialects(context)
    module = ir.parse_mlir_module(str(path), context)
    if not module.verify():
        raise RuntimeError(f"{path}: Triton's verifier does not accept it")
    return module.str_nodebug()
