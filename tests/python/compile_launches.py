"""Compiles kernels for the constexprs of given launches. A process of its own: compiling needs Triton's other mode.

Standard input: JSON, a list of [case, kernel, {constexpr: value}, out stem]. Files go to build/corpus/launched/."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from triton_tools.case import all_cases  # noqa: E402
from triton_tools.compile import compile_kernel  # noqa: E402

FOLDER = ROOT / "build" / "corpus" / "launched"

for name, kernel_name, constexprs, suffix in json.load(sys.stdin):
    case = all_cases()[name]
    kernel = next(kernel for kernel in case.kernels if kernel.name == kernel_name)
    compile_kernel(case, kernel, FOLDER, suffix, constexprs)
