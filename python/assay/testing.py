"""Assertions for tests: a kernel is what a reference computes, for all sizes."""

from __future__ import annotations

import inspect
from typing import Any

from . import _calls
from ._errors import AssayError
from ._result import Result

ORDER = ("refuted", "unknown", "probable", "bounded", "proved")
_compare = _calls.check  # the pytest plugin wraps it


def assert_equivalent(kernel, reference, *, at_least: str = "proved", safety: bool = True, **options) -> Result:
    """Raises AssertionError unless `kernel` computes what `reference` does; the sides and options of `assay.check`.

    `at_least` is the weakest verdict that passes ("proved", "bounded" or "probable"). With `safety`, a refuted
    obligation of the kernel (out of bounds, race, ..) fails too. The text names the first element that differs, the
    sizes, both values, the line of the kernel, and a line of Python that repeats the kernel's value. Returns the result.
    """
    if at_least not in ORDER[2:]:
        raise ValueError(f"at_least is one of {', '.join(ORDER[2:])}")
    result = _compare(kernel, reference, **options)
    unsafe = safety and result.safety == "refuted"
    if ORDER.index(result.verdict) < ORDER.index(at_least) or unsafe:
        raise AssertionError(failure(result, kernel))
    return result


def _pairs(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} = {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(f"{v['name']} = {v['value']}" if isinstance(v, dict) else str(v) for v in value)
    return str(value)


def failure(result: Result, kernel=None) -> str:
    """What a failing assertion prints."""
    lines = []
    if result.verdict != "proved":
        lines.append(f"The kernel {result.kernel} is not shown to be equal to the reference: {result.verdict}.")
        if result.reason:
            lines.append(f"  {result.reason['text']}")
        lines += _witness(result.witness)
        lines += _stored_at(result)
        lines += _repeated(result, kernel)
    for finding in result.findings:
        if finding["verdict"] == "refuted":
            lines.append(f"{finding['where']}: {finding['kind']} refuted: {finding['detail']}")
            lines += _witness(finding.get("witness"))
    for output in result.outputs:
        formula = (output.get("formula") or {}).get("text") or output.get("pointwise")
        if formula:
            lines.append(f"  the kernel computes {output['name']} = {formula}")
    return "\n".join(lines)


def _output(result: Result) -> str | None:
    """The output that differs."""
    found = [d["output"] for d in result.json.get("differences") or [] if d.get("output")]
    return found[0] if found else None


def _stored_at(result: Result) -> list[str]:
    name = _output(result)
    places = dict.fromkeys(
        o["where"]
        for o in result.json.get("obligations") or []
        if o["kind"] in ("race", "coverage") and o["tensor"] == name and o["where"]
    )
    return [f"  Stored at: {', '.join(places)}"] if name and places else []


ARITHMETIC = {
    "cdiv": lambda a, b: -(-a // b),
    "round_up": lambda a, b: -(-a // b) * b,
    "min": min,
    "max": max,
    "next_pow2": lambda a: 1 << max(0, a - 1).bit_length(),
}


def _arrays(lifted: Result, witness: dict) -> dict:
    """Code for each array of the kernel that the witness has elements of: zeros but for these."""
    found: dict[str, list] = {}
    for place, value in witness["inputs"].items():
        name, _, index = place.removesuffix("]").partition("[")
        found.setdefault(name, []).append((index, value))
    code = {}
    for entry in lifted.json["inputs"]:
        if entry["kind"] != "tensor":
            continue
        shape = tuple(
            int(eval(size, {"__builtins__": {}}, {**ARITHMETIC, **witness["sizes"]})) for size in entry["shape"]
        )
        lines = [f"{entry['name']} = numpy.zeros({shape})"]
        lines += [f"{entry['name']}[{index or '()'}] = {value}" for index, value in found.get(entry["name"], [])]
        code[entry["name"]] = "; ".join(lines)
    return code


def _repeated(result: Result, kernel) -> list[str]:
    """A line of Python that gives the kernel's value of the witness, and was seen to; none where there is none."""
    witness, name = result.witness, _output(result)
    if kernel is None or not witness or not name or not isinstance(witness.get("left"), (int, float)):
        return []
    try:
        import numpy

        lifted = _calls.lift(kernel, emit=["numpy"], no_prove=True)
        module = lifted.module()
        arrays, numbers = _arrays(lifted, witness), {**witness["sizes"], **witness["scalars"], **witness["strides"]}
        names = list(inspect.signature(module).parameters)
        setup = [arrays[key] for key in names if key in arrays]
        keywords = ", ".join(f"{key}={key if key in arrays else numbers[key]}" for key in names)
        call = f"module({keywords})[{name!r}][{', '.join(map(str, witness['index'].values())) or '()'}]"
        scope: dict[str, Any] = {"numpy": numpy, "module": module}
        exec("; ".join([*setup, f"value = {call}"]), scope)
        if not numpy.isclose(scope["value"], witness["left"], rtol=1e-6):
            return []
    except (ImportError, AssayError, KeyError, NameError, AttributeError, ValueError, IndexError):
        return []
    made = 'import numpy; module = assay.lift(kernel, emit=["numpy"]).module()'
    return ["  To repeat it: " + "; ".join([made, *setup, f"print({call})"])]


def _witness(witness) -> list[str]:
    if not witness:
        return []
    lines = []
    for name, label in (
        ("index", "First element that differs"),
        ("sizes", "Sizes"),
        ("scalars", "Scalars"),
        ("strides", "Strides"),
        ("program", "Program"),
        ("lane", "Lane"),
        ("inputs", "Inputs"),
    ):
        if witness.get(name):
            lines.append(f"  {label}: {_pairs(witness[name])}")
    if witness.get("left") is not None:
        lines.append(f"  Kernel: {witness['left']}")
    if witness.get("right") is not None:
        lines.append(f"  Reference: {witness['right']}")
    return lines
