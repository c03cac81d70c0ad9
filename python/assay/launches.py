"""Launches as they are: `trace` for one kernel, `capture` for whatever host code launches.

A launch becomes what Triton's cache would hold, the specialised Triton IR, and an operation file that says what the IR
does not: grid, shapes, strides, and which arguments are one tensor. Nothing is run, and no GPU is asked for. Numbers of
a launch are a sample, not constants; names of sizes are symbols.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

from . import _calls, _triton
from ._errors import TritonError
from ._memory import Memory
from ._result import Result

HEADER = re.compile(r"tt\.func public @.*?\)\s*attributes", re.DOTALL)
ARGUMENT = re.compile(r"(%[\w$.]+): (!tt\.ptr<[^>]*>|!?[\w.]+)")


@dataclass
class Launch:
    """One launch as it was recorded: what was bound, its Triton IR, and the arguments of the compiled function."""

    bound: _triton.Bound
    text: str
    leaves: list[tuple[str, Any]]

    @property
    def arguments(self) -> list[tuple[str, Any]]:
        """Name and value of each argument in the text, by place; a tensor descriptor is its tensor and its fields."""
        header = HEADER.search(self.text)
        types = [kind for _, kind in ARGUMENT.findall(header.group() if header else "")]
        descriptors = [value for _, value in self.leaves if _triton.is_descriptor(value)]
        spare = len(types) - len(self.leaves) + len(descriptors)
        found: list[tuple[str, Any]] = []
        for name, value in self.leaves:
            found += fields(name, value, spare, descriptors) if _triton.is_descriptor(value) else [(name, value)]
        pointers = [kind.startswith("!tt.ptr") for kind in types]
        if pointers != [_triton.as_tensor(value) is not None for _, value in found]:
            raise TritonError(
                f"{self.bound.name}: its Triton IR takes {len(types)} arguments, of which this launch does "
                "not tell what they are"
            )
        return found


def fields(name: str, value, spare: int, descriptors: list) -> list[tuple[str, Any]]:
    """The arguments that a tensor descriptor becomes where a device has none: pointer, shape, strides, since Triton 3.6
    whether it pads with NaN, since 3.8 whether it rounds to TF32, and shape and strides once more. `spare` arguments are those of all `descriptors`.
    """
    shape = [(f"{name}_d{axis}", int(size)) for axis, size in enumerate(value.shape)]
    strides = [(f"{name}_s{axis}", int(size)) for axis, size in enumerate(value.strides)]
    least = sum(1 + 4 * len(descriptor.shape) for descriptor in descriptors)
    flags = [
        (f"{name}_nan", getattr(value, "padding", "zero") == "nan"),
        (f"{name}_tf32", bool(getattr(value, "round_f32_to_tf32", False))),
    ][: (spare - least) // len(descriptors)]
    return [(name, value.base), *shape, *strides, *flags, *shape, *strides]


def plain(value):
    """A number, or the name of a size, of an operation file; None for an infinity or NaN, which stays a symbol."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Launches:
    """Kernels in the order of their launches, as one operator. `len`, iteration and `names` tell what was recorded;
    `launches[k]`, or iteration, gives a launch alone."""

    def __init__(self, recorded: list[Launch] | None = None) -> None:
        self._recorded: list[Launch] = list(recorded or [])
        self._compiled: dict[Any, str] = {}
        self._folder: tempfile.TemporaryDirectory | None = None

    def __len__(self) -> int:
        return len(self._recorded)

    def __getitem__(self, place: int) -> Launches:
        return Launches([self._recorded[place]])

    def __iter__(self) -> Iterator[Launches]:
        return (Launches([launch]) for launch in self._recorded)

    @property
    def names(self) -> list[str]:
        """The kernels, in the order of their launches."""
        return [launch.bound.name for launch in self._recorded]

    @property
    def bound(self) -> list[_triton.Bound]:
        """What each launch bound: `arguments` and `constexprs` by the names of the kernel's parameters, and `grid`."""
        return [launch.bound for launch in self._recorded]

    @property
    def operation(self) -> dict:
        """The operation file (a dictionary): tensors, and a launch for each kernel with its grid and arguments. Shapes,
        strides and offsets are in elements. Raises TritonError where two arguments are one memory of two types."""
        arguments = [launch.arguments for launch in self._recorded]
        views = [
            (name, view)
            for listed in arguments
            for name, value in listed
            if (view := _triton.as_tensor(value)) is not None
        ]
        memory = Memory(views)
        described = []
        for place, (launch, listed) in enumerate(zip(self._recorded, arguments)):
            values = {}
            for number, (_, value) in enumerate(listed):
                view = _triton.as_tensor(value)
                given = plain(value) if view is None else memory.place(view)
                if given is not None:
                    values[f"arg{number}"] = given
            described.append(
                {
                    "file": f"{launch.bound.name}.{place}.ttir",
                    "kernel": launch.bound.name,
                    "grid": list(launch.bound.grid),
                    "args": values,
                }
            )
        name = self.names[0] if len(self) == 1 else "+".join(dict.fromkeys(self.names)) or "empty"
        return {"schema": 1, "name": name, "tensors": memory.tensors, "launches": described}

    @property
    def ttir(self) -> list[str]:
        """The Triton IR of each launch."""
        return [launch.text for launch in self._recorded]

    def add(self, bound: _triton.Bound) -> None:
        """One more launch. A specialisation that was met is not compiled again. Raises TritonError if the kernel does
        not compile. (A grid without programs is no launch. The arguments live as long as this object, so that no storage is met twice.)
        """
        if 0 in bound.grid:  # Triton launches nothing then
            return
        how = _triton.specialise(bound)
        known = (bound.function, repr((how.types, how.constexprs, how.divisible, bound.options)))
        if known not in self._compiled:
            self._compiled[known] = _triton.to_ttir(
                bound.function, how.types, how.constexprs, how.divisible, bound.options
            )
        self._recorded.append(Launch(bound, self._compiled[known], how.leaves))
        self._folder = None

    def write(self, folder) -> Path:
        """Writes NAME.N.ttir for each launch and operation.json into `folder`; the path of the latter."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        operation = self.operation
        for described, launch in zip(operation["launches"], self._recorded):
            (folder / described["file"]).write_text(launch.text)
        path = folder / "operation.json"
        path.write_text(json.dumps(operation, indent=1) + "\n")
        return path

    def __assay_inputs__(self) -> list[tuple[str, str]]:
        """The operation file: FILE.py:kernel of each kernel, which it is called in results, and its text."""
        if not self._recorded:
            raise TritonError("nothing was launched")
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
            self.write(self._folder.name)
        folder, operation = Path(self._folder.name), self.operation
        for described in operation["launches"]:
            described["file"] = str(folder / described["file"])
        name = " ".join(dict.fromkeys(f"{bound.file}:{bound.name}" for bound in self.bound))
        return [(name, json.dumps(operation, indent=1))]

    def lift(self, **options) -> Result:
        """The formula of what was launched, as one operator: `assay.lift` with its options."""
        return _calls.lift(self, **options)

    def check(self, reference, **options) -> Result:
        """Tells whether it is what `reference` computes: a Python function of PyTorch or NumPy calls,
        "FILE.py:function", a formula, or other launches. This is `assay.check` with its options."""
        return _calls.check(self, reference, **options)

    def __repr__(self) -> str:
        lines = [f"{bound.name}[{', '.join(str(axis) for axis in bound.grid)}]" for bound in self.bound]
        return f"<assay.Launches: {'; '.join(lines) or 'none'}>"


class Traced:
    """What `trace(kernel)[grid]` gives: called as the kernel is, it records the launch and lifts it."""

    def __init__(self, kernel, grid, options):
        self._kernel, self._grid, self._options = kernel, grid, options

    def __call__(self, *args, **kwargs) -> Result:
        """The arguments of a launch: tensors (also on the CPU or the meta device), arrays, `assay.tensor(..)` or its text
        ("f32[M, 40]"), numbers, names of sizes ("n"), constexprs. Raises UsageError for a text that is neither, and
        TritonError if the kernel does not compile."""
        launches = self.launches(*args, **kwargs)
        result = launches.lift(**self._options)
        result.launches = launches
        return result

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


@dataclass(frozen=True)
class DeviceProperties:
    """What host code is told of the device: the smallest of those that the IR is compiled for, but for its multiprocessors."""

    multi_processor_count: int
    name: str = "none"
    major: int = 8
    minor: int = 0
    warp_size: int = 32
    regs_per_multiprocessor: int = 65536
    max_threads_per_multi_processor: int = 2048
    shared_memory_per_block: int = 49152
    shared_memory_per_block_optin: int = 166912
    shared_memory_per_multiprocessor: int = 167936
    L2_cache_size: int = 40 << 20
    total_memory: int = 40 << 30


class Compiled:
    """What a launch returns in Triton, the compiled function: host code may keep it, and launch it again with other arguments."""

    def __init__(self, launches: Launches, bound: _triton.Bound):
        self._launches, self._bound = launches, bound

    def __getitem__(self, grid):
        """Takes the arguments by place, with the constants among them or, before Triton 3.3, without."""

        def launch(*args, stream=None):
            bound = self._bound
            names = [parameter.name for parameter in bound.function.params]
            given = names if len(args) == len(names) else list(bound.arguments)
            if len(args) != len(given):
                raise TypeError(f"{bound.name} takes {len(given)} arguments, not {len(args)}")
            self._launches.add(
                _triton.bind(bound.function, grid, (), {**bound.constexprs, **dict(zip(given, args)), **bound.options})
            )

        return launch


class OnDevice(contextlib.nullcontext):
    """What `torch.cuda.device` gives, too: a context, and the number of a device."""

    idx = 0


class NoDriver:
    """Answers what host code and compiler ask of a driver; there is no device behind it."""

    def __init__(self, properties: DeviceProperties):
        self._properties = properties

    @property
    def utils(self):
        return self

    def get_device_properties(self, device=0) -> dict:
        properties = self._properties
        return {
            "multiprocessor_count": properties.multi_processor_count,
            "warpSize": properties.warp_size,
            "max_shared_mem": properties.shared_memory_per_block_optin,
            "max_num_regs": properties.regs_per_multiprocessor,
            "sm_clock_rate": 1410000,
            "mem_clock_rate": 1215000,
            "mem_bus_width": 5120,
        }

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


class NoDevice:
    """While it is entered, host code finds a device with so many multiprocessors, of which nothing is asked."""

    def __init__(self, multiprocessors: int = 4):
        self._multiprocessors = multiprocessors
        self._undo: list = []

    def __enter__(self):
        _triton.require_triton()
        from triton.runtime import driver

        self._patch(
            driver,
            "_active" if hasattr(driver, "_active") else "active",
            NoDriver(DeviceProperties(self._multiprocessors)),
        )
        self._patch_torch()
        return self

    def _patch_torch(self):
        """What host code asks of PyTorch before a launch, with tensors that are on no device of CUDA's."""
        try:
            import torch
        except ImportError:
            return
        properties = DeviceProperties(self._multiprocessors)
        self._patch(torch.cuda, "get_device_properties", lambda *_: properties)
        self._patch(torch.cuda, "get_device_capability", lambda *_: (properties.major, properties.minor))
        self._patch(torch.cuda, "get_device_name", lambda *_: properties.name)
        self._patch(torch.cuda, "current_device", lambda: 0)
        self._patch(torch.cuda, "set_device", lambda *_: None)
        self._patch(torch.cuda, "synchronize", lambda *_: None)
        self._patch(torch._C, "_cuda_getCurrentRawStream", lambda *_: 0)
        for context in ("device", "device_of", "stream"):
            self._patch(torch.cuda, context, lambda *_: OnDevice())

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


def _is_cuda(device) -> bool:
    return (
        str(device).split(":")[0] == "cuda" if isinstance(device, str) or type(device).__name__ == "device" else False
    )


def _tensors_stay():
    """A mode of PyTorch's in which host code may ask for CUDA tensors, and whether its tensors are some: they stay on the CPU."""
    from torch.overrides import TorchFunctionMode

    class TensorsStay(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            import torch

            name, kwargs = getattr(function, "__name__", ""), dict(kwargs or {})
            if function is torch.device:
                return function(*args, **kwargs)
            if (
                function == getattr(torch.Tensor, "is_cuda").__get__
            ):  # a descriptor, not the truth value that its stub says
                return not args[0].is_meta
            if name == "cuda" and args:
                return args[0]
            if name == "to" and len(args) > 1 and _is_cuda(args[1]):
                args = (args[0], "cpu", *args[2:])
            if _is_cuda(kwargs.get("device")):
                kwargs["device"] = "cpu"
            return function(*args, **kwargs)

    return TensorsStay()


class Capture(NoDevice):
    """What `capture` gives."""

    _stay = None

    def _patch_torch(self):
        super()._patch_torch()
        try:
            import torch
        except ImportError:
            return
        self._patch(torch.cuda, "is_available", lambda: True)
        self._patch(torch.cuda, "device_count", lambda: 1)
        self._patch(torch.cuda, "get_rng_state", lambda *_, **__: torch.get_rng_state())  # torch.compile keeps it
        self._patch(torch.cuda, "set_rng_state", lambda *_, **__: None)
        self._stay = _tensors_stay()
        self._stay.__enter__()

    def __exit__(self, *error) -> None:
        if self._stay:
            self._stay.__exit__(*error)
            self._stay = None
        super().__exit__(*error)

    def __enter__(self) -> Launches:
        super().__enter__()
        from triton.runtime.autotuner import Autotuner
        from triton.runtime.jit import JITFunction

        launches = Launches()

        def run(function, *args, grid=None, warmup=False, **kwargs):
            bound = _triton.bind(function, grid, args, kwargs)
            if not warmup:  # else it is compiled, and not launched
                launches.add(bound)
            return Compiled(launches, bound)

        def run_tuned(tuner, *args, **kwargs):
            given = dict(zip(tuner.arg_names, args))
            return tuner.fn.run(*args, **_triton.tuned(tuner, given, kwargs))

        self._patch(JITFunction, "run", run)
        self._patch(Autotuner, "run", run_tuned)
        self._patch(Autotuner, "_bench", lambda *_, **__: [1.0, 1.0, 1.0])  # of tuners that choose in their own way
        return launches


def capture(multiprocessors: int = 4) -> Capture:
    """Records every launch that unmodified host code makes, without a GPU and without running the kernels:

        with assay.capture() as launches:
            softmax(x)
        launches.lift()

    Autotuned kernels take their first configuration. Host code that asks the device for its number of multiprocessors
    is told `multiprocessors`; tensors that it makes on CUDA's device, or moves there, are on the CPU, and say that they
    are CUDA's. What kernels would have written stays as it was.
    """
    return Capture(multiprocessors)
