"""The tests run kernels in Triton's interpreter, so it is switched on before anything imports Triton.
Compiling needs the other mode and happens in a process of its own (the fixture `corpus`)."""
import os
import subprocess
import sys

os.environ["TRITON_INTERPRET"] = "1"

from pathlib import Path  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import pytest  # noqa: E402
import torch  # noqa: E402

torch.set_num_threads(1)


def pytest_configure(config):
    config.addinivalue_line("markers", "full: only in make check-full")
    config.addinivalue_line("markers", "slow: takes more than a few seconds; left out by -m 'not slow'")
    # the interpreter's own, and the -inf - (-inf) of lanes that no store writes
    config.addinivalue_line("filterwarnings", "ignore::DeprecationWarning:triton.*")
    config.addinivalue_line("filterwarnings", "ignore::RuntimeWarning:triton.runtime.interpreter")


def compile_corpus(version="3.6.0", names=()):
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    command = [sys.executable, str(ROOT / "tools/triton_tools/corpus.py"), "compile", "--quiet", "--version", version, *names]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def corpus():
    """The folder of the compiled corpus, brought up to date."""
    done = compile_corpus()
    assert done.returncode == 0, done.stderr
    return ROOT / "build" / "corpus" / "3.6.0"
