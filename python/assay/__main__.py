"""python -m assay FILE.py:KERNEL --sig "*fp32,*fp32,i32" [--const NAME=VALUE].. [flags of `assay lift`]

Compiles a Triton kernel without host code, then lifts it with the command line program of the package. The exit codes
are those of `assay lift`."""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from pathlib import Path

from . import _cli, _triton
from ._errors import AssayError

USAGE = 64


def literal(text: str):
    """A Python literal, else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def parse(arguments: list[str]):
    """(FILE.py:KERNEL, types, constexprs, the flags of lift)"""
    target, types, constexprs, flags = None, None, {}, []
    rest = iter(arguments)
    for argument in rest:
        name, given, value = argument.partition("=")
        if name in ("--sig", "--const"):
            text = value if given else next(rest, None)
            if text is None:
                raise ValueError(f"{name} needs a value")
            if name == "--sig":
                types = [part.strip() for part in text.split(",") if part.strip()]
            else:
                key, equals, constant = text.partition("=")
                if not equals:
                    raise ValueError("--const takes NAME=VALUE")
                constexprs[key] = literal(constant)
        elif target is None and ".py:" in argument:
            target = argument
        else:
            flags.append(argument)
    if target is None or types is None:
        raise ValueError("needs FILE.py:KERNEL and --sig TYPES")
    return target, types, constexprs, flags


def compile_target(target: str, types: list[str], constexprs: dict) -> tuple[str, str]:
    """(name, Triton IR); types are given in the order of the arguments that are no constexprs."""
    file, _, name = target.rpartition(":")
    function = _triton.jit_function(getattr(_triton.load_module(Path(file)), name))
    names = [p.name for p in function.params if not _triton.is_constexpr(p) and p.name not in constexprs]
    if len(types) != len(names):
        raise ValueError(f"--sig has {len(types)} types; {name} has {len(names)} arguments: {', '.join(names)}")
    for parameter in function.params:
        if _triton.is_constexpr(parameter) and parameter.name not in constexprs:
            if (
                parameter.default is parameter.default.__class__
                or str(parameter.default) == "<class 'inspect._empty'>"
            ):
                raise ValueError(f"no value for the constexpr {parameter.name}: --const {parameter.name}=VALUE")
            constexprs[parameter.name] = parameter.default
    return name, with_signs(_triton.to_ttir(function, dict(zip(names, types)), constexprs), types)


def with_signs(text: str, types: list[str]) -> str:
    """The IR has no signs: arguments whose integers were said to have one, or none, are marked so."""

    def marked(match):
        kind = next(kinds, "")
        integer = re.fullmatch(r"(\*?)([iu])(8|16|32|64)", kind)
        if not integer or not (integer[1] or integer[2] == "u"):
            return match[0]
        sign = "unsigned" if integer[2] == "u" else "signed"
        return f"{match[1]} {{{sign}, " if match[2] else f"{match[1]} {{{sign}}}"

    kinds = iter(types)
    argument = re.compile(r"(%\w+: (?:!tt\.ptr<[^>]*>|\w+))( \{)?")
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if "tt.func public" in line and len(argument.findall(line)) == len(types):
            lines[i] = argument.sub(marked, line)
    return "\n".join(lines)


def main(arguments=None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    try:
        target, types, constexprs, flags = parse(arguments)
        name, text = compile_target(target, types, constexprs)
    except (ValueError, AttributeError, FileNotFoundError) as error:
        print(f"python -m assay: {error}", file=sys.stderr)
        return USAGE
    except AssayError as error:
        print(f"python -m assay: {error}", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / f"{name}.ttir"
        path.write_text(text)
        return _cli.run("lift", str(path), *flags)


if __name__ == "__main__":
    sys.exit(main())
