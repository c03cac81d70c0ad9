"""The tests run kernels in Triton's interpreter, so it is switched on before anything imports Triton.
Compiling needs the other mode and happens in a process of its own (the fixture `corpus`)."""

import collections
import gc
import os
import shutil
import subprocess
import sys
import tempfile

os.environ["TRITON_INTERPRET"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"  # and nothing here imports torch: the process that hands out the tests needs none
gc.disable()  # until the tests are collected: modules and tests live as long as the process

from pathlib import Path  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import pytest  # noqa: E402
from triton_tools import paths  # noqa: E402
from triton_tools.compile_once import compiled_corpus  # noqa: E402


LONG = (  # seconds each, where others of their kind take a fraction of one: only in make check-full
    "test_forms.py::test_wrong_neighbour_is_not_proved[bit_fields.ones_but_the_sign]",
    "test_forms.py::test_wrong_neighbour_is_not_proved[grouped.downwards_group]",
    "test_lift.py::test_modules_before_optimization_lift_too",
    "test_operators.py::test_an_output_has_a_place_for_each_element_by_the_strides_that_a_launch_gives[turn-xy-strides5-False]",
    "test_sound.py::test_form[layouts.added_up]",
)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items):
    counts = collections.Counter()
    for item in items:
        name = f"{item.path.name}::{item.name}"
        sampled = item.get_closest_marker("sampled")
        if sampled:
            counts[item.function] += 1
        if name in LONG or sampled and (counts[item.function] - 1) % sampled.args[0]:
            item.add_marker(pytest.mark.full)


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_configure(config):
    config.addinivalue_line("markers", "full: only in make check-full")
    config.addinivalue_line("markers", "sampled(n): make check runs every n-th of its cases, make check-full all")
    config.addinivalue_line("markers", "slow: takes more than a few seconds; left out by -m 'not slow'")
    # the interpreter's own, and the -inf - (-inf) of lanes that no store writes
    config.addinivalue_line("filterwarnings", "ignore::DeprecationWarning:triton.*")
    config.addinivalue_line("filterwarnings", "ignore::RuntimeWarning:triton.runtime.interpreter")
    if not hasattr(config, "workerinput") and config.getoption("numprocesses", None):
        folder = tempfile.mkdtemp(prefix="assay-launches-")
        os.environ[paths.SHARED_LAUNCHES] = folder  # for the workers
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def compile_corpus(version="3.6.0", names=()):
    environment = {key: value for key, value in os.environ.items() if key not in ("TRITON_INTERPRET", "PYTHONPATH")}
    command = [
        sys.executable,
        str(ROOT / "tools/triton_tools/corpus.py"),
        "compile",
        "--quiet",
        "--version",
        version,
        *names,
    ]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def corpus():
    """The folder of the compiled corpus, brought up to date."""
    return compiled_corpus()


@pytest.fixture(scope="session")
def lifted():
    """Lift each file once, with the evaluation that stands behind `probable`, and no proof."""
    from triton_tools.lifted import lift

    known = {}

    def get(path, *options):
        if (path, *options) not in known:
            known[path, *options] = lift([path], "--no-prove", *options)
        return known[path, *options]

    return get


@pytest.fixture(scope="session")
def launched(request, corpus):
    """Of each case that is tested: (index, launch, the file compiled for that launch), of the first random cases."""
    from triton_tools.case import EACH_TIME

    return launches_of(request, EACH_TIME)


@pytest.fixture(scope="session")
def launched_all(request, corpus):
    """The same of all random cases."""
    return launches_of(request, None)


def launches_of(request, count):
    from interpreter_c import Compiled
    from triton_tools.case import all_cases
    from triton_tools.interpret import captured

    names = {
        item.callspec.params["name"]
        for item in request.session.items
        if hasattr(item, "callspec") and "name" in item.callspec.params
    }
    compiled, found = Compiled(), {}
    second = os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579"  # two that begin together meet in the middle
    for name in sorted(names & set(all_cases()), reverse=second):
        case = all_cases()[name]
        kernels = {kernel.name: kernel for kernel in case.kernels}
        found[name] = [
            (index, launch, compiled.add(case, kernels[launch.kernel], launch))
            for index in range(count or case.cases)
            for launch in captured(case, index)
        ]
    compiled.compile()
    return found
