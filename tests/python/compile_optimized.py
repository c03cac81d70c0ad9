"""Compiles the kernels of an emitted Triton module to TTIR. A process of its own: compiling needs Triton's other mode.

Standard input: a line for each module, with its path and the folder for KERNEL.ttir; a line `done` answers it."""

import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python")]

from assay._optimize import blocks_of  # noqa: E402
from triton_tools.compile import to_ttir  # noqa: E402

POINTERS = {"f16": "*fp16", "bf16": "*bf16", "f32": "*fp32", "i32": "*i32", "i64": "*i64"}


def compile_module(path, folder):
    spec = importlib.util.spec_from_file_location("emitted", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    types = dict(re.findall(r"^    (\w+): (\w+)\[", Path(path).read_text(), re.MULTILINE))
    blocks = blocks_of(Path(path).read_text())
    for name, value in vars(module).items():
        if type(value).__name__ != "JITFunction":
            continue
        signature = {}
        for argument in value.arg_names:
            tensor = types.get(argument.removesuffix("_ptr"), types.get(argument))
            if not argument.startswith("BLOCK_"):
                signature[argument] = POINTERS[tensor] if tensor else "fp32" if argument in ("eps", "scale") else "i32"
        own = {key: blocks[key] for key in value.arg_names if key in blocks}
        text = to_ttir(value, signature, own)[1]
        (Path(folder) / f"{name}.ttir").write_text(text)


for line in sys.stdin:
    compile_module(*line.rstrip("\n").split("\t"))
    print("done", flush=True)
