"""The C library, through ctypes: the types and functions of include/assay/assay.h, and one context for each thread.

The library is looked for where ASSAY_LIBRARY says, in the package itself (a wheel has it there), and in build/ of a
checkout. Calls release the GIL, as ctypes does; results are copied before a context is freed, so that nothing of the C
side is held by Python objects.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

from ._errors import AssayError

HERE = Path(__file__).resolve().parent
SUFFIXES = {"darwin": ".dylib", "win32": ".dll"}
STATUSES = ("ok", "bad input", "usage", "memory", "timeout", "limit", "internal")
OPTIONS_VERSION = 1


class Input(ctypes.Structure):
    """AssayInput: a file, or a buffer with a name to show."""

    _fields_ = [("path", ctypes.c_char_p), ("text", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Strings(ctypes.Structure):
    """AssayStrings: texts and their number."""

    _fields_ = [("data", ctypes.POINTER(ctypes.c_char_p)), ("count", ctypes.c_size_t)]

    @classmethod
    def of(cls, texts):
        encoded = [str(text).encode() for text in texts]
        array = (ctypes.c_char_p * max(len(encoded), 1))(*encoded)
        made = cls(ctypes.cast(array, ctypes.POINTER(ctypes.c_char_p)), len(encoded))
        made.kept = array  # what the structure points to lives as long as it
        return made


KINDS = {
    "uint32_t": ctypes.c_uint32,
    "double": ctypes.c_double,
    "uint64_t": ctypes.c_uint64,
    "int": ctypes.c_int,
    "unsigned long": ctypes.c_ulong,
    "AssayStrings": Strings,
    "const char *": ctypes.c_char_p,
    "AssayProgress *": ctypes.c_void_p,
    "void *": ctypes.c_void_p,
}


def header() -> str:
    """The text of assay.h, which lies beside the library in a wheel."""
    for path in (HERE / "_lib" / "assay.h", HERE.parents[1] / "include" / "assay" / "assay.h"):
        if path.exists():
            return path.read_text()
    raise AssayError("no assay.h in the package")


def fields_of(text: str) -> list:
    """The fields of AssayOptions as the header has them, so that this side cannot fall behind."""
    found = re.search(r"typedef struct AssayOptions \{(.*?)\} AssayOptions;", text, re.S)
    body = re.sub(r"/\*.*?\*/", "", found.group(1) if found else "", flags=re.S)
    fields = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        kind = next(known for known in sorted(KINDS, key=len, reverse=True) if line.startswith(known))
        fields += [(name.strip(" *"), KINDS[kind]) for name in line[len(kind) :].split(",")]
    return fields


class Options(ctypes.Structure):
    """AssayOptions."""

    _fields_ = fields_of(header())


def candidates():
    """The places where the library may be, in the order in which they are tried."""
    suffix = SUFFIXES.get(sys.platform, ".so")
    if os.environ.get("ASSAY_LIBRARY"):
        yield Path(os.environ["ASSAY_LIBRARY"])
    yield HERE / "_lib" / f"libassay{suffix}"
    yield HERE.parents[1] / "build" / "src" / "api" / f"libassay{suffix}"


POINTER = ctypes.c_void_p
TEXT, SIZE, INT = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
PROTOTYPES = {
    "version": (TEXT,),
    "context_new": (INT, ctypes.POINTER(POINTER)),
    "context_free": (None, POINTER),
    "context_message": (TEXT, POINTER),
    "lift": (INT, ctypes.POINTER(POINTER), POINTER, ctypes.POINTER(Input), SIZE, ctypes.POINTER(Options)),
    "check": (
        INT,
        ctypes.POINTER(POINTER),
        POINTER,
        ctypes.POINTER(Input),
        ctypes.POINTER(Input),
        ctypes.POINTER(Options),
    ),
    "optimize": (INT, ctypes.POINTER(POINTER), POINTER, ctypes.POINTER(Input), ctypes.POINTER(Options)),
    "list_kernels": (INT, ctypes.POINTER(POINTER), POINTER, ctypes.POINTER(Input), ctypes.POINTER(Options)),
    "result_exit_code": (INT, POINTER),
    "result_json": (TEXT, POINTER),
    "result_text": (TEXT, POINTER, ctypes.c_uint),
    "result_diagnostics": (TEXT, POINTER, ctypes.c_uint),
    "result_stage": (TEXT, POINTER),
    "result_report": (TEXT, POINTER, TEXT),
    "result_emitted_count": (SIZE, POINTER),
    "result_emitted_name": (TEXT, POINTER, SIZE),
    "result_emitted_text": (TEXT, POINTER, SIZE),
    "result_name_count": (SIZE, POINTER),
    "result_name": (TEXT, POINTER, SIZE),
}


def load():
    """The library with the prototypes of its functions; AssayError says where it was looked for."""
    tried = []
    for path in candidates():
        tried.append(str(path))
        if path.exists():
            library = ctypes.CDLL(str(path))
            for name, (result, *arguments) in PROTOTYPES.items():
                function = getattr(library, f"assay_{name}")
                function.restype, function.argtypes = result, arguments
            return library
    raise AssayError(f"no library of assay; looked for {', '.join(tried)}")


_loaded = None


def library():
    """The library, loaded when it is first needed."""
    global _loaded
    if _loaded is None:
        _loaded = load()
    return _loaded


def version() -> str:
    """The version of the C library, such as "0.1.0"."""
    return library().assay_version().decode()


def _text(value):
    return None if value is None else value.decode("utf-8", "replace")


def make_input(path, text=None) -> Input:
    """`path` is a file, or the name of the buffer `text`."""
    data = None if text is None else text.encode()
    return Input(str(path).encode(), data, 0 if data is None else len(data))


LISTS = {
    "kernels",
    "shapes",
    "strides",
    "sets",
    "assumes",
    "aliases",
    "strict",
    "allow",
    "emits",
    "maps",
    "only",
    "arguments",
    "merges",
    "opaque",
    "no_laws",
}
TEXTS = {"launch", "grid", "stop_after", "engine", "invariant", "explain_stage", "target"}


def make_options(values: dict) -> Options:
    """The C options; those that are not named have the defaults of the command line (60 s, 4 GiB)."""
    options = Options(version=OPTIONS_VERSION, timeout=60.0, memory=4 << 30)
    options.kept = []
    for name, value in values.items():
        if value is None:
            continue
        if name in LISTS:
            value = Strings.of(value)
            options.kept.append(value)
        elif name in TEXTS:
            value = str(value).encode()
        setattr(options, name, value)
    return options


def run(function: str, inputs, values: dict, reports=()) -> dict:
    """Calls assay_lift, assay_check, assay_optimize or assay_list_kernels in a context of its own, and copies what it found."""
    lib = library()
    context, result = POINTER(), POINTER()
    if lib.assay_context_new(ctypes.byref(context)):
        raise MemoryError("assay: no context")
    try:
        options = make_options(values)
        array = (Input * len(inputs))(*inputs)
        if function == "lift":
            status = lib.assay_lift(ctypes.byref(result), context, array, len(inputs), ctypes.byref(options))
        elif function == "check":
            status = lib.assay_check(
                ctypes.byref(result), context, ctypes.byref(array[0]), ctypes.byref(array[1]), ctypes.byref(options)
            )
        elif function == "optimize":
            status = lib.assay_optimize(ctypes.byref(result), context, array, ctypes.byref(options))
        else:
            status = lib.assay_list_kernels(ctypes.byref(result), context, array, ctypes.byref(options))
        if not result:
            raise MemoryError("assay: no result")
        return _copied(lib, context, result, status, reports)
    finally:
        lib.assay_context_free(context)


def _copied(lib, context, result, status, reports) -> dict:
    count = lib.assay_result_emitted_count(result)
    return {
        "status": STATUSES[status] if status < len(STATUSES) else "internal",
        "message": _text(lib.assay_context_message(context)),
        "exit_code": lib.assay_result_exit_code(result),
        "json": _text(lib.assay_result_json(result)),
        "text": _text(lib.assay_result_text(result, 0)),
        "diagnostics": _text(lib.assay_result_diagnostics(result, 0)),
        "stage": _text(lib.assay_result_stage(result)),
        "reports": {name: _text(lib.assay_result_report(result, name.encode())) for name in reports},
        "emitted": {
            _text(lib.assay_result_emitted_name(result, i)): _text(lib.assay_result_emitted_text(result, i))
            for i in range(count)
        },
        "names": [_text(lib.assay_result_name(result, i)) for i in range(lib.assay_result_name_count(result))],
    }
