"""Launches as they are: `trace` for one kernel, `capture` for whatever host code launches.

A launch becomes what Triton's cache would hold, the specialised Triton IR, and an operation file that says what the IR
does not: grid, shapes, strides, and which arguments are one tensor. Nothing is run, and no GPU is asked for. Numbers of
a launch are a sample, not constants; names of sizes are symbols.
"""
from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Iterator

from . import _calls, _triton
from ._errors import TritonError
from ._result import Result


class Launches:
    """Kernels in the order of their launches, as one operator. `len`, iteration and `names` tell what was recorded."""

    def __init__(self) -> None:
        self._bound: list[_triton.Bound] = []
        self._described: list[dict] = []
        self._texts: list[str] = []
        self._tensors: dict[str, dict] = {}
        self._identities: dict[Any, str] = {}
        self._kept: list[Any] = []  # arguments live as long as this, so that no storage is met twice
        self._folder: tempfile.TemporaryDirectory | None = None

    def __len__(self) -> int:
        return len(self._bound)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def names(self) -> list[str]:
        """The kernels, in the order of their launches."""
        return [bound.name for bound in self._bound]

    @property
    def operation(self) -> dict:
        """The operation file (a dictionary): tensors, and a launch for each kernel with its grid and arguments."""
        name = self.names[0] if len(self) == 1 else "+".join(dict.fromkeys(self.names)) or "empty"
        return {"schema": 1, "name": name, "tensors": self._tensors, "launches": self._described}

    @property
    def ttir(self) -> list[str]:
        """The Triton IR of each launch."""
        return list(self._texts)

    def add(self, bound: _triton.Bound) -> None:
        """One more launch. Raises TritonError if the kernel does not compile."""
        types, constexprs, divisible = _triton.specialise(bound)
        text = _triton.to_ttir(bound.function, types, constexprs, divisible, bound.options)
        kept = [name for name in bound.arguments if name in types]
        arguments = {}
        for place, name in enumerate(kept):
            value = _triton.constexpr_value(bound.arguments[name])
            described = _triton.as_tensor(value)
            if described is not None:
                arguments[f"arg{place}"] = self._tensor(name, value, described)
            else:
                arguments[f"arg{place}"] = value.item() if hasattr(value, "item") else value
        file = f"{bound.name}.{len(self)}.ttir"
        self._bound.append(bound)
        self._texts.append(text)
        self._described.append({"file": file, "kernel": bound.name, "grid": list(bound.grid), "args": arguments})
        self._folder = None

    def _tensor(self, name: str, value, described: _triton.Tensor) -> str:
        storage = described.storage if described.storage is not None else ("specified", id(value))
        identity = (storage, described.offset, described.shape, described.strides)
        self._kept.append(value)
        if identity not in self._identities:
            fresh = name
            while fresh in self._tensors:
                fresh += "_"
            self._identities[identity] = fresh
            entry: dict[str, Any] = {"dtype": _triton.DTYPES.get(described.type, described.type),
                                     "shape": list(described.shape)}
            if described.strides is not None:
                entry["strides"] = list(described.strides)
            self._tensors[fresh] = entry
        return self._identities[identity]

    def write(self, folder) -> Path:
        """Writes NAME.N.ttir for each launch and operation.json into `folder`; the path of the latter."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for launch, text in zip(self._described, self._texts):
            (folder / launch["file"]).write_text(text)
        path = folder / "operation.json"
        path.write_text(json.dumps(self.operation, indent=1) + "\n")
        return path

    def __assay_inputs__(self) -> list[Path]:
        if not self._bound:
            raise TritonError("nothing was launched")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
            self.write(self._folder.name)
        return [Path(self._folder.name) / "operation.json"]

    def lift(self, **options) -> Result:
        """The formula of what was launched, as one operator: `assay.lift` with its options."""
        return _calls.lift(self, **options)

    def check(self, reference, **options) -> Result:
        """Is it what `reference` computes? A Python function of PyTorch or NumPy calls, "FILE.py:function", a formula,
        or other launches: `assay.check` with its options."""
        return _calls.check(self, reference, **options)

    def __repr__(self) -> str:
        lines = [f"{bound.name}[{', '.join(str(axis) for axis in bound.grid)}]" for bound in self._bound]
        return f"<assay.Launches: {'; '.join(lines) or 'none'}>"


class Traced:
    """What `trace(kernel)[grid]` gives: called as the kernel is, it records the launch and lifts it."""

    def __init__(self, kernel, grid, options):
        self._kernel, self._grid, self._options = kernel, grid, options

    def __call__(self, *args, **kwargs) -> Result:
        """The arguments of a launch: tensors (also on the CPU or the meta device), arrays, `assay.tensor(..)`, numbers,
        names of sizes ("n"), constexprs. Raises TritonError if the kernel does not compile."""
        return self.launches(*args, **kwargs).lift(**self._options)

    def launches(self, *args, **kwargs) -> Launches:
        """The recorded launch, not lifted yet: for `assay.check`, and to look at `ttir` and `operation`."""
        _triton.require_triton()
        made = Launches()
        made.add(_triton.bind(self._kernel, self._grid, args, kwargs))
        return made


class Trace:
    """A kernel that is traced: `trace(kernel)[grid](*args, **meta)`."""

    def __init__(self, kernel, options):
        self._kernel, self._options = kernel, options

    def __getitem__(self, grid) -> Traced:
        return Traced(self._kernel, grid, self._options)


def trace(kernel, **options) -> Trace:
    """Lifts a launch of a `@triton.jit` kernel as it would be made, without a GPU and without running it:

        result = assay.trace(add_kernel)[(4,)](x, y, out, n, BLOCK=256)

    The grid may be a function of the meta-parameters. `options` are those of `assay.lift`.
    """
    return Trace(kernel, options)


class _NoDriver:
    """Answers what host code and compiler ask of a driver; there is no device behind it."""

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_current_target(self):
        from triton.backends.compiler import GPUTarget
        return GPUTarget(*_triton.TARGET)

    def get_active_torch_device(self):
        import torch
        return torch.device("cpu")

    def get_device_interface(self):
        import torch
        return torch.cpu

    def get_benchmarker(self):
        return lambda call, quantiles=None, **_: [1.0, 1.0, 1.0]

    def get_device_capability(self, device=0):
        return (8, 0)


class _Capture:
    def __init__(self, multiprocessors: int):
        self._multiprocessors = multiprocessors
        self._undo: list = []

    def __enter__(self) -> Launches:
        _triton.require_triton()
        import triton
        from triton.runtime import driver
        from triton.runtime.jit import JITFunction

        launches = Launches()

        def run(function, *args, grid=None, warmup=False, **kwargs):
            launches.add(_triton.bind(function, grid, args, kwargs))

        def run_tuned(tuner, *args, **kwargs):
            config = tuner.configs[0]
            chosen = config.all_kwargs() if hasattr(config, "all_kwargs") else config.kwargs
            tuner.best_config = config
            return tuner.fn.run(*args, **{**chosen, **kwargs})

        self._patch(JITFunction, "run", run)
        self._patch(triton.runtime.autotuner.Autotuner, "run", run_tuned)
        self._patch(driver, "_active" if hasattr(driver, "_active") else "active", _NoDriver())
        self._patch_torch()
        return launches

    def _patch_torch(self):
        try:
            import torch
        except ImportError:
            return
        import collections
        kind = collections.namedtuple("Properties", "multi_processor_count name warp_size shared_memory_per_block_optin")
        properties = kind(self._multiprocessors, "none", 32, 166912)
        self._patch(torch.cuda, "get_device_properties", lambda *_: properties)
        self._patch(torch.cuda, "get_device_capability", lambda *_: (8, 0))
        self._patch(torch.cuda, "current_device", lambda: 0)

    def _patch(self, owner, name, value):
        self._undo.append((owner, name, owner.__dict__.get(name), name in owner.__dict__))
        setattr(owner, name, value)

    def __exit__(self, *_) -> None:
        for owner, name, value, was_there in reversed(self._undo):
            if was_there:
                setattr(owner, name, value)
            else:
                delattr(owner, name)
        self._undo.clear()


def capture(multiprocessors: int = 4) -> _Capture:
    """Records every launch that unmodified host code makes, without a GPU and without running the kernels:

        with assay.capture() as launches:
            softmax(x)
        launches.lift()

    Autotuned kernels take their first configuration. Host code that asks the device for its number of multiprocessors
    is told `multiprocessors`. What kernels would have written stays as it was.
    """
    return _Capture(multiprocessors)
