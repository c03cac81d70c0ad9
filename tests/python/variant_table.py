"""Kernels with their variants, as variants/*.py list them (see variants/kernels.py)."""


def new_table():
    """A table, and what adds a kernel to it."""
    kernels = {}

    def add(name, source, types, literals, tensors, grid, reference, wrong=(), unsafe=(), harmless=(), args=None):
        kernels[name] = dict(
            source=source,
            types=dict(pair.split(":") for pair in types.split()),
            literals=literals,
            tensors=tensors,
            grid=grid,
            reference=reference,
            wrong=wrong,
            unsafe=unsafe,
            harmless=harmless,
            args=args or {},
        )

    return kernels, add
