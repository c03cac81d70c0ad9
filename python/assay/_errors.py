"""The exceptions of the package. A wrong kernel is an answer and no exception; these are for what has no answer."""

from __future__ import annotations


class AssayError(Exception):
    """The base of all exceptions of this package."""


class InputError(AssayError):
    """The input is not what it has to be: the diagnostics, with file, line, column and caret, are the text.

    `diagnostics` has them as a list of dictionaries: severity, code, message, help, file, line, column.
    """

    def __init__(self, text: str, diagnostics: list | None = None):
        super().__init__(text)
        self.diagnostics = diagnostics or []


class UsageError(AssayError, ValueError):
    """The call or its options make no sense: an unknown kernel, an expression that cannot be read."""


class TritonError(AssayError):
    """Triton is missing, switched to its interpreter, or refused to compile the kernel."""
