"""The corpus: which kernels there are, how each is compiled, and how each is run.

A kernel and its host function lie in examples/kernels/MODULE.py, written as an author would write
them, without a word about tests. What the tests need besides is a `Case`, in the list `CASES` of a
module of tests/python/corpus/:

    Case("softmax", "out_ptr:*fp32 x_ptr:*fp32 x_stride:i32 out_stride:i32 n_cols:i32", {"BLOCK": 1024},
         make_inputs=lambda rng, i: {"x": tensor(rng, rows(i), cols(i))},
         reference=lambda x: {"out_ptr": torch.softmax(x.double(), 1)})

* `types` names every argument that is in the compiled kernel, in order. An argument that a real
  launch would specialise away (a stride of 1, a None) stands among the constexprs instead.
* `make_inputs(rng, i)` gives the keyword arguments of the host function for random case `i`; the
  host function launches the kernel(s) on them.
* `reference(**inputs)` computes in float64 what the outputs (argument names of the kernel) are. It
  shares no code with the kernel. None where nothing independent exists.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Callable

from . import paths


@dataclass
class Kernel:
    """One compiled function: its name in the module, the types of its arguments, its constexprs."""

    name: str
    types: str
    constexprs: dict[str, Any] = field(default_factory=dict)

    def signature(self) -> dict[str, str]:
        return dict(pair.split(":") for pair in self.types.split())


@dataclass
class Case:
    name: str
    types: str = ""
    constexprs: dict[str, Any] = field(default_factory=dict)
    make_inputs: Callable[..., dict] | None = None
    reference: Callable[..., dict] | None = None
    module: str = ""  # examples/kernels/MODULE.py; default: the name
    kernel: str = ""  # default: NAME_kernel
    host: str = ""  # default: the last part of the name
    kernels: tuple[Kernel, ...] = ()  # instead of types, constexprs and kernel: several kernels in launch order
    cases: int = 20
    tolerance: float = 1e-5  # relative to max(1, |reference|)
    other_blocks: tuple[dict, ...] = ()  # constexprs under which the formula must be the same
    versions: tuple[str, ...] = (paths.MAIN_VERSION,)
    paper: bool = False  # one of the 33 operators of the lifting paper
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        leaf = self.name.split("/")[-1]
        self.module = self.module or self.name
        self.host = self.host or leaf
        if not self.kernels:
            self.kernels = (Kernel(self.kernel or leaf + "_kernel", self.types, self.constexprs),)

    def source(self):
        return paths.KERNELS / (self.module + ".py")

    def stem(self, kernel: Kernel) -> str:
        """Name of the compiled file, without suffix: `softmax`, or `row_sum.partial_kernel` if there are several kernels."""
        return self.name if len(self.kernels) == 1 else f"{self.name}.{kernel.name}"

    def load(self):
        """The kernel's module, imported under whatever mode (compiler or interpreter) this process is in."""
        return load_module(self.source())


@lru_cache(maxsize=None)
def load_module(path):
    """Import a file by its path, once. Its name is unique, so that same-named files do not meet."""
    name = "assay_corpus_" + "_".join(path.relative_to(paths.ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


EACH_TIME = 6  # random cases of a kernel that `make check` runs; `make check-full` runs all


@lru_cache(maxsize=None)
def all_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for path in sorted(paths.CORPUS.glob("*.py")):
        for case in getattr(load_module(path), "CASES", []):
            if case.name in cases:
                raise ValueError(f"{path.name}: a second case named {case.name}")
            cases[case.name] = case
    return cases


def select(names) -> list[Case]:
    cases = all_cases()
    unknown = [name for name in names if name not in cases]
    if unknown:
        raise SystemExit(f"no such case: {', '.join(unknown)} (known: {', '.join(cases)})")
    return [cases[name] for name in names] if names else list(cases.values())
