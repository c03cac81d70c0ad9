"""Kernels that the tests need compiled: in a process of its own, as Triton's interpreter is on in the tests, and only where
something has changed. What was compiled is known by the content of all that it depends on (build/corpus/stamps)."""

import contextlib
import fcntl
import hashlib
import importlib.metadata
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from triton_tools import paths

STAMPS = paths.BUILD / "corpus" / "stamps"
TOOLS = paths.ROOT / "tools" / "triton_tools"
FORMS = paths.BUILD / "corpus" / "forms"
BUGS = paths.BUILD / "corpus" / "bugs"


def environment():
    return {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}


def run_compiler(script, *arguments, **more):
    """A script of Triton's other mode."""
    command = [sys.executable, str(script), *map(str, arguments)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stderr
    return done


@lru_cache(maxsize=None)
def digest_of_tools():
    digest = hashlib.sha256(importlib.metadata.version("triton").encode())
    for path in sorted(TOOLS.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest_of(*sources):
    digest = hashlib.sha256(digest_of_tools().encode())
    for path in sources:
        digest.update(b"\0" + Path(path).read_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def alone():
    """One process compiles, those beside it wait for what it leaves."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    with (STAMPS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def bring_up_to_date(digests, compile_these):
    """`digests` of all that each name depends on; `compile_these` is called with the names whose digest is another one than
    that of the last time."""
    with alone():
        stale = [
            name
            for name, digest in digests.items()
            if not (STAMPS / name).exists() or (STAMPS / name).read_text() != digest
        ]
        if stale:
            compile_these(stale)
        for name in stale:
            paths.write(STAMPS / name, digests[name])


def compiled_forms(*files):
    """The folder with STEM.NAME.ttir of each form of these files (forms.py)."""
    files = {f"forms.{path.stem}": path for path in map(Path, files)}
    digests = {name: digest_of(path) for name, path in files.items()}
    bring_up_to_date(digests, lambda stale: run_compiler(TOOLS / "forms.py", *(files[name] for name in stale)))
    return FORMS


def compiled_bugs():
    """The folder of the kernels with bugs, and of their operation files (bugs.py)."""
    digests = {"bugs": digest_of(*sorted((paths.ROOT / "examples" / "bugs").glob("*.py")))}
    bring_up_to_date(digests, lambda _: run_compiler(TOOLS / "bugs.py", "compile"))
    return BUGS


def digest_of_cases():
    return digest_of(*sorted(paths.CORPUS.glob("*.py")), *sorted(paths.KERNELS.rglob("*.py")))


def compiled_corpus():
    """The folder of the kernels of the corpus, as the main release compiles them (corpus.py)."""
    digests = {"corpus": digest_of_cases()}
    bring_up_to_date(
        digests, lambda _: run_compiler(TOOLS / "corpus.py", "compile", "--quiet", "--version", paths.MAIN_VERSION)
    )
    return paths.ttir_folder()
