"""What a call found: the JSON object of the command line (its fields are the attributes), readable in a terminal and
in a notebook."""

from __future__ import annotations

import html
import inspect
import json
from dataclasses import dataclass, field
from typing import Any, Callable


class Record(dict):
    """A dictionary whose keys are attributes too: one output, assumption, obligation or witness of the JSON."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def _records(value):
    if isinstance(value, dict):
        return Record({key: _records(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return [_records(inner) for inner in value]
    return value


@dataclass(repr=False)
class Result:
    """The answer of `assay.lift` or `assay.check`.

    `verdict` is of the values and `safety` the worst obligation; each is "proved", "refuted", "bounded", "probable" or
    "unknown". `formula` is the text of the first output. Every field of the JSON object is an attribute: `outputs`,
    `inputs`, `assumptions`, `obligations`, `witness`, `reason`, .. (docs: interface of the command line).
    """

    raw: str
    text: str
    diagnostics: str
    exit_code: int
    emitted: dict[str, str] = field(default_factory=dict)
    stage: str | None = None
    reports: dict[str, str] = field(default_factory=dict)
    launches: Any = field(default=None, compare=False)  # what `assay.trace` recorded: `check` takes this for the result

    def __post_init__(self):
        self.json: Record = _records(json.loads(self.raw))

    def __getattr__(self, name: str) -> Any:
        if name != "json" and name in self.__dict__.get("json", {}):
            return self.json[name]
        raise AttributeError(name)

    @property
    def is_proved(self) -> bool:
        """The values are proved, and nothing was found against safety (exit code 0 of the command line)."""
        return self.exit_code == 0

    @property
    def formula(self) -> str | None:
        """The formula of the first output; None if it has none."""
        for output in self.json.get("outputs", []):
            return (output.get("formula") or {}).get("text") or output.get("pointwise")
        return None

    @property
    def findings(self) -> list[Record]:
        """The obligations that are not proved."""
        return [o for o in self.json.get("obligations", []) if o["verdict"] != "proved"]

    def write_report(self, path) -> None:
        """One self-contained page (FILE.html), or the findings for code review tools (FILE.sarif, version 2.1.0)."""
        kind = str(path).rsplit(".", 1)[-1]
        if kind not in self.reports:
            raise ValueError("a report is FILE.html or FILE.sarif")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.reports[kind])

    def module(self, name: str = "numpy") -> Callable:
        """The function of an emitted Python module; lift with `emit=[name]` to have it.

        Its keywords are the arrays and scalars of the formula, it returns a dictionary of full arrays by output. Arrays have
        the shapes of the JSON; of a launch, they may have those of the tensors that it was given, and outputs then do too.
        """
        if name not in self.emitted:
            raise KeyError(f"no module {name}: lift with emit=[{name!r}]; there are {sorted(self.emitted)}")
        where = f"<assay {name} {self.json.get('kernel')}>"
        scope: dict[str, Any] = {}
        exec(compile(self.emitted[name], where, "exec"), scope)
        own = [
            value
            for key, value in scope.items()
            if not key.startswith("_")
            and getattr(
                getattr(inspect.unwrap(value) if callable(value) else None, "__code__", None), "co_filename", None
            )
            == where
        ]
        return own[-1]  # helpers come first and begin with _

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_latex_(self) -> str | None:
        lines = [(o.get("formula") or {}).get("latex") for o in self.json.get("outputs", [])]
        known = [line for line in lines if line]
        if not known:
            return None
        return "$$\\begin{aligned}" + r" \\ ".join(known) + "\\end{aligned}$$"

    def _repr_html_(self) -> str:
        rows = []

        def row(name, value):
            rows.append(
                f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                f"<td style='text-align:left'>{value}</td></tr>"
            )

        def code(text):
            return f"<code>{html.escape(str(text))}</code>"

        row("verdict", html.escape(str(self.json.get("verdict"))))
        row("safety", html.escape(str(self.json.get("safety"))))
        for output in self.json.get("outputs", []):
            formula = (output.get("formula") or {}).get("text") or output.get("pointwise")
            row(output["name"], code(formula) if formula else "no formula")
        for assumption in self.json.get("assumptions", []):
            row(assumption["id"], f"{code(assumption['text'])}: {html.escape(assumption['why'] or '')}")
        for finding in self.findings:
            row(
                f"{finding['kind']} {finding['verdict']}",
                f"{html.escape(str(finding.get('where')))}: {html.escape(str(finding.get('detail')))}",
            )
        if self.json.get("reason"):
            row("reason", html.escape(self.json["reason"]["text"]))
        title = html.escape(str(self.json.get("kernel") or self.json.get("input")))
        return f"<table><caption>{title}</caption>{''.join(rows)}</table>"
