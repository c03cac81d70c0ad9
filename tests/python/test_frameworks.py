"""Modules of JAX, TensorFlow and MLX compute what they say: installed packages, on the CPU, in an environment of their own
that `tools/venv.sh frameworks` makes.

The loops of tests/loops against the compiled source, on random arrays and on edge values; the golden modules of
tests/unit/emit against plain loops; kernels of the corpus against the modules of NumPy, which others hold against Triton's
interpreter.
"""

import inspect
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
import test_emit
from interpreter_c import Compiled
from test_c_loops import arguments, call, functions, libraries, shaped  # noqa: F401
from triton_tools.case import all_cases
from triton_tools.interpret import captured
from triton_tools.lifted import ASSAY, Lifted, compare

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "frameworks" / "bin" / "python"
FRAMEWORKS = ["jax", "tensorflow", "mlx"]
TRIALS = 6
pytestmark = pytest.mark.full


@pytest.fixture(scope="session", autouse=True)
def environment():
    subprocess.run([ROOT / "tools" / "venv.sh", "frameworks"], check=True)


def run(framework, calls, folder):
    """What each call gives, in one process: a framework takes seconds to start."""
    (folder / "calls").write_bytes(
        pickle.dumps([(str(path), function, keywords) for path, function, keywords in calls])
    )
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
    subprocess.run(
        [PYTHON, Path(__file__).with_name("run_framework.py"), framework, folder / "calls", folder / "results"],
        env=environment,
        check=True,
        capture_output=True,
    )
    return pickle.loads((folder / "results").read_bytes())


def emit(source, targets, folder, *flags):
    done = subprocess.run(
        [ASSAY, "lift", source, "--emit", ",".join(targets), "-o", folder, *flags],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 2), done.stderr
    return done


def same(got, want, case):
    assert got.shape == want.shape, (case, got.shape, want.shape)
    if want.dtype.kind == "f":
        np.testing.assert_allclose(got.astype(np.float64), want, rtol=2e-4, atol=2e-5, err_msg=str(case))
    else:
        assert (got.astype(np.int64) == want.astype(np.int64)).all(), (case, got, want)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_loops_are_the_source(framework, libraries, tmp_path):  # noqa: F811
    random = np.random.default_rng(11)
    calls, expected = [], []
    for source, _, name, parameters in (item.values for item in functions() if not item.marks):
        folder = tmp_path / source.name
        report = json.loads(emit(f"{source}:{name}", ["numpy", framework], folder, "--json").stdout)
        module = test_emit.load(folder / f"{name}.numpy.py")
        for trial in range(TRIALS):
            values = arguments(random, trial, name, parameters)
            keywords = {
                k: v.copy() if isinstance(v, np.ndarray) else "function" if callable(v) else v
                for k, v in shaped(report, source, getattr(module, name), values).items()
            }
            calls.append((folder / f"{name}.{framework}.py", name, keywords))
            expected.append((source, name, trial, call(libraries(source), source, name, parameters, values)))
    wrong = []
    for (_, _, keywords), (got, changed), (source, name, trial, want) in zip(
        calls, run(framework, calls, tmp_path), expected
    ):
        assert not isinstance(got, str), (source.name, name, got)
        assert not changed, (name, changed)
        (value,) = got.values()
        want = want[: value.size].reshape(value.shape)
        same(value.astype(np.uint8) if want.dtype == np.uint8 else value, want, (source.name, name, trial, keywords))
    assert not wrong and len(calls) >= 69 * TRIALS


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_golden_modules(framework, tmp_path):
    cases = {name: getattr(test_emit, f"case_{name}")() for name in test_emit.CASES}
    calls = [(test_emit.GOLDEN / f"{name}_{framework}.py", name, keywords) for name, (keywords, _) in cases.items()]
    for (name, (_, expected)), (got, changed) in zip(cases.items(), run(framework, calls, tmp_path)):
        assert not isinstance(got, str), (name, got)
        assert not changed and got.keys() == expected.keys(), name
        for key, value in got.items():
            tolerance = 1e-2 if value.dtype == np.float16 or name == "gelu" else 2e-5  # gelu: in bf16
            np.testing.assert_allclose(
                value.astype(float), np.asarray(expected[key], float), rtol=tolerance, atol=tolerance, err_msg=name
            )


@pytest.fixture(scope="module")
def kernels(corpus, tmp_path_factory):  # noqa: ARG001
    """Of each kernel of the corpus: its name, the folder of its modules, keywords and results of NumPy's in one launch."""
    compiled, found, out = Compiled(), [], []
    for name, case in all_cases().items():
        by_name = {kernel.name: kernel for kernel in case.kernels}
        found += [(name, launch, compiled.add(case, by_name[launch.kernel], launch)) for launch in captured(case, 3)]
    compiled.compile()
    for name, launch, path in found:
        folder, seen = tmp_path_factory.mktemp("kernel"), {}
        done = subprocess.run(
            [ASSAY, "lift", "--no-prove", "--json", "--emit", ",".join(["numpy", *FRAMEWORKS]), "-o", folder, path],
            capture_output=True,
            text=True,
            check=False,
        )
        (module,) = folder.glob("*.numpy.py")
        function = getattr(test_emit.load(module), module.name.split(".")[0])

        def record(function=function, seen=seen, **keywords):
            seen.update(keywords=keywords, results=function(**keywords))
            return seen["results"]

        record.__signature__ = inspect.signature(function)
        lifted = Lifted(done.returncode, json.loads(done.stdout), done.stderr, {"numpy": record})
        compare(lifted, "numpy", [launch], max(all_cases()[name].tolerance, 2e-5))
        out.append((name, folder, seen["keywords"], seen["results"]))
    return out


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_kernels_are_numpys(framework, kernels, tmp_path):
    calls, expected, wrong = [], [], []
    for name, folder, keywords, results in kernels:
        for path in folder.glob(f"*.{framework}.py"):
            single = {
                k: v.astype(np.float32) if isinstance(v, np.ndarray) and v.dtype == np.float64 else v
                for k, v in keywords.items()
            }
            calls.append((path, path.name.split(".")[0], single))
            expected.append((name, results))
    for (name, results), (got, changed) in zip(expected, run(framework, calls, tmp_path)):
        if isinstance(got, str) or changed or got.keys() != results.keys():
            wrong.append((name, got, changed))
            continue
        for key, want in results.items():
            scale = max(1.0, float(np.max(np.abs(want[np.isfinite(want)]), initial=0)))
            if got[key].shape != want.shape or not np.allclose(
                got[key].astype(float), want.astype(float), rtol=2e-2, atol=1e-2 * scale, equal_nan=True
            ):
                wrong.append((name, key, got[key], want))
    assert not wrong, (len(wrong), sorted({name for name, *_ in wrong}), wrong[:2])
    assert len(calls) >= 0.9 * len(kernels), (len(calls), len(kernels))
