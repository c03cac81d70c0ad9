"""Accumulators below f32 are roundings that the proof does not see: each is listed, at the line of the kernel's author."""

import triton
import triton.language as tl


@triton.jit
def row(x_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    if KIND == "sum":
        y = tl.reduce(x, 0, plus)
    elif KIND == "max":
        y = tl.max(tl.abs(x), 0)
    elif KIND == "wide":
        y = tl.sum(x.to(tl.float32), 0)
    else:
        y = tl.sum(x, 0)
    tl.store(y_ptr + tl.program_id(0), y)


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def steps(x_ptr, y_ptr, n, KIND: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.load(y_ptr + pid)
    for k in range(n):
        x = tl.load(x_ptr + pid * n + k)
        total = total + x if KIND == "sum" else tl.maximum(total, x)
    tl.store(y_ptr + pid, total)


@triton.jit
def atomic(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr + i, tl.load(x_ptr + i, mask=i < n, other=0.0), mask=i < n)


def line(kernel, text):
    """Where in this file that text stands first, in the kernel."""
    lines = open(__file__, encoding="utf-8").read().splitlines()
    start = next(i for i, own in enumerate(lines) if own.startswith(f"def {kernel}("))
    return 1 + next(i for i in range(start, len(lines)) if text in lines[i])


def form(kernel, formula, roundings, dtype="fp16", to=None, **constexprs):
    return {
        "kernel": kernel,
        "types": {"x_ptr": f"*{dtype}", "y_ptr": f"*{to or dtype}", "n": "i32"},
        "constexprs": constexprs,
        "formula": formula,
        "roundings": roundings,
    }


SUM, MAX = "sum(x_ptr, axis=1)", "max(abs(x_ptr), axis=1)"
FORMS = {
    "sum_f16": form(row, SUM, [f"f16 accumulator (roundings.py:{line('row', 'tl.reduce')})"], KIND="sum", BLOCK=128),
    "library_f16": form(
        row, SUM, [f"f16 accumulator (roundings.py:{line('row', 'tl.sum(x, 0)')})"], KIND="library", BLOCK=128
    ),
    "library_bf16": form(
        row, SUM, [f"bf16 accumulator (roundings.py:{line('row', 'tl.sum(x, 0)')})"], "bf16", KIND="library", BLOCK=128
    ),
    "library_f32": form(row, SUM, [], "fp32", KIND="library", BLOCK=128),
    "max_f16": form(row, MAX, [f"f32 to f16 (roundings.py:{line('row', 'tl.store')})"], KIND="max", BLOCK=128),
    "wide": form(row, SUM, [], to="fp32", KIND="wide", BLOCK=128),
    "steps_f16": form(
        steps,
        "sum(x_ptr, axis=1) + column(y_ptr)",
        [f"f16 accumulator (roundings.py:{line('steps', 'for k in')})"],
        KIND="sum",
    ),
    "steps_max_f16": form(steps, "maximum(max(x_ptr, axis=1), column(y_ptr))", [], KIND="max"),
    "steps_f32": form(steps, "sum(x_ptr, axis=1) + column(y_ptr)", [], "fp32", KIND="sum"),
    "atomic_f16": form(
        atomic, "y_ptr + x_ptr", [f"f16 accumulator (roundings.py:{line('atomic', 'atomic_add')})"], BLOCK=128
    ),
    "atomic_f32": form(atomic, "y_ptr + x_ptr", [], "fp32", BLOCK=128),
}
