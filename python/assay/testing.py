"""Assertions for tests: a kernel is what a reference computes, for all sizes."""
from __future__ import annotations

from . import _calls
from ._result import Result

ORDER = ("refuted", "unknown", "probable", "bounded", "proved")
_compare = _calls.check  # the pytest plugin wraps it


def assert_equivalent(kernel, reference, *, at_least: str = "proved", safety: bool = True, **options) -> Result:
    """Raises AssertionError unless `kernel` computes what `reference` does; the sides and options of `assay.check`.

    `at_least` is the weakest verdict that passes ("proved", "bounded" or "probable"). With `safety`, a refuted
    obligation of the kernel (out of bounds, race, ..) fails too. The text names the first element that differs, the
    sizes, both values, and the line of the kernel. Returns the result.
    """
    if at_least not in ORDER[2:]:
        raise ValueError(f"at_least is one of {', '.join(ORDER[2:])}")
    result = _compare(kernel, reference, **options)
    unsafe = safety and result.safety == "refuted"
    if ORDER.index(result.verdict) < ORDER.index(at_least) or unsafe:
        raise AssertionError(failure(result))
    return result


def _pairs(value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} = {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(f"{v['name']} = {v['value']}" if isinstance(v, dict) else str(v) for v in value)
    return str(value)


def failure(result: Result) -> str:
    """What a failing assertion prints."""
    lines = []
    if result.verdict != "proved":
        lines.append(f"The kernel {result.kernel} is not shown to be equal to the reference: {result.verdict}.")
        if result.reason:
            lines.append(f"  {result.reason['text']}")
        lines += _witness(result.witness)
    for finding in result.findings:
        if finding["verdict"] == "refuted":
            lines.append(f"{finding['where']}: {finding['kind']} refuted: {finding['detail']}")
            lines += _witness(finding.get("witness"))
    for output in result.outputs:
        formula = (output.get("formula") or {}).get("text") or output.get("pointwise")
        if formula:
            lines.append(f"  the kernel computes {output['name']} = {formula}")
    return "\n".join(lines)


def _witness(witness) -> list[str]:
    if not witness:
        return []
    lines = []
    for name, label in (("index", "First element that differs"), ("sizes", "Sizes"), ("scalars", "Scalars"),
                        ("strides", "Strides"), ("program", "Program"), ("lane", "Lane"), ("inputs", "Inputs")):
        if witness.get(name):
            lines.append(f"  {label}: {_pairs(witness[name])}")
    if witness.get("left") is not None:
        lines.append(f"  Kernel: {witness['left']}")
    if witness.get("right") is not None:
        lines.append(f"  Reference: {witness['right']}")
    return lines
