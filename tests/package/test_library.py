"""The ctypes side is that of the header; calls from many threads; errors are exceptions of the package."""

import ctypes
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import ROOT

import assay
from assay import _library

SOFTMAX = ROOT / "examples" / "softmax.ttir"


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_options_lie_as_the_compiler_lays_them_out(tmp_path):
    lines = [f'printf("%zu\\n", offsetof(AssayOptions, {name}));' for name, _ in _library.Options._fields_]
    source = "#include <stddef.h>\n#include <stdio.h>\n#include <assay/assay.h>\nint main(void) {\n" + "\n".join(lines)
    (tmp_path / "offsets.c").write_text(source + 'printf("%zu\\n", sizeof(AssayOptions));\n}\n')
    subprocess.run(["cc", f"-I{ROOT}/include", "offsets.c", "-o", "offsets"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "offsets"], capture_output=True, text=True, check=True).stdout.split()
    own = [getattr(_library.Options, name).offset for name, _ in _library.Options._fields_]
    assert [int(n) for n in printed] == [*own, ctypes.sizeof(_library.Options)]


def test_every_prototype_is_in_the_header():
    text = (ROOT / "include" / "assay" / "assay.h").read_text()
    for name in _library.PROTOTYPES:
        assert f"assay_{name}(" in text


def test_lift_gives_the_fields_of_the_json():
    result = assay.lift(SOFTMAX)
    assert (result.verdict, result.safety, result.exit_code, result.is_proved) == ("proved", "proved", 0, True)
    assert result.formula == "softmax(x_ptr, axis=1)"
    assert result.outputs[0].name == "out_ptr"
    assert result.assumptions[0].text == "n_cols <= 1024"
    assert "softmax(x_ptr, axis=1)" in repr(result)
    assert "softmax" in result._repr_html_() and "<script" not in result._repr_html_()
    assert result._repr_latex_().startswith("$$")
    with pytest.raises(AttributeError):
        result.no_such_field


def test_emitted_modules_run():
    numpy = pytest.importorskip("numpy")
    x = numpy.random.default_rng(1).normal(size=(3, 5))
    out = assay.lift(SOFTMAX, emit=["numpy"]).module("numpy")(x_ptr=x)["out_ptr"]
    expected = numpy.exp(x) / numpy.exp(x).sum(axis=1, keepdims=True)
    assert numpy.allclose(out, expected)
    with pytest.raises(KeyError):
        assay.lift(SOFTMAX).module("numpy")


def test_options_arrive():
    assert assay.lift(SOFTMAX, stop_after="pointwise").stage.startswith("pointwise softmax_kernel")
    assert assay.lift(SOFTMAX, no_prove=True).verdict == "probable"
    shaped = assay.lift(SOFTMAX, shape={"x_ptr": ("M", "N"), "out_ptr": ("M", "N")})
    assert shaped.outputs[0].shape[0] == "M"
    with pytest.raises(TypeError):
        assay.lift(SOFTMAX, no_such_option=1)
    with pytest.raises(assay.UsageError):
        assay.lift(SOFTMAX, kernel="nobody")
    with pytest.raises(assay.UsageError, match="lambda"):
        assay.check(SOFTMAX, lambda x: x)


def test_check_takes_files_formulas_and_functions():
    assert assay.check(SOFTMAX, assay.Formula("out_ptr = softmax(x_ptr, axis=1)")).verdict == "proved"
    assert assay.check(SOFTMAX, f"{ROOT}/examples/references/operators.py:softmax").verdict == "proved"
    wrong = assay.check(SOFTMAX, assay.Formula("out_ptr = softmax(x_ptr, axis=0)"))
    assert wrong.verdict == "refuted" and wrong.witness


def test_bad_input_is_an_exception_with_a_place(tmp_path):
    broken = tmp_path / "broken.ttir"
    broken.write_text("module {\n  nonsense\n}\n")
    with pytest.raises(assay.InputError) as caught:
        assay.lift(broken)
    assert "broken.ttir:2:" in str(caught.value) and caught.value.diagnostics[0].get("line") == 2
    with pytest.raises(assay.InputError):
        assay.lift(tmp_path / "nowhere.ttir")


def test_limits_end_in_a_verdict():
    assert assay.lift(SOFTMAX, memory=1 << 20).verdict == "unknown"


def test_many_threads_get_the_same_answer():
    expected = assay.lift(SOFTMAX).raw
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: assay.lift(SOFTMAX).raw, range(64))) == {expected}


def test_the_gil_is_released():
    """Another thread goes on while a kernel is lifted."""
    started, finished, turns = threading.Event(), threading.Event(), []

    def count():
        started.set()
        while not finished.is_set():
            turns.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    started.wait()
    before = len(turns)
    assay.lift(ROOT / "examples" / "attention.ttir")
    after = len(turns)
    finished.set()
    thread.join()
    assert after > before


def test_map_keeps_the_order_and_the_failures(tmp_path):
    items = [SOFTMAX, tmp_path / "nowhere.ttir", SOFTMAX]
    with ThreadPoolExecutor(2) as pool:
        first, failure, last = assay.map(assay.lift, items, pool)
    assert first.is_proved and last.is_proved
    assert isinstance(failure.error, assay.InputError)


def test_kernels_lists_the_functions():
    assert assay.kernels(SOFTMAX) == ["softmax_kernel"]


def test_reports_are_written(tmp_path):
    result = assay.lift(SOFTMAX)
    result.write_report(tmp_path / "page.html")
    result.write_report(tmp_path / "found.sarif")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    import json

    assert json.loads((tmp_path / "found.sarif").read_text())["version"] == "2.1.0"
    with pytest.raises(ValueError):
        result.write_report(tmp_path / "page.txt")


SCALE = """
func.func @scale(%x: tensor<?xf32>, %k: f32) -> tensor<?xf32> {
  %z = arith.constant 0 : index
  %n = tensor.dim %x, %z : tensor<?xf32>
  %0 = tensor.splat %k[%n] : tensor<?xf32>
  %1 = arith.mulf %x, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def test_functions_of_mlir_are_inputs(tmp_path):
    """Lifted, optimized, and compared with each other and with a formula."""
    source = ROOT / "examples" / "mlir" / "matmul_transpose.before.mlir"
    assert assay.check(source, source).is_proved
    wrong = assay.check(source, ROOT / "examples" / "mlir" / "matmul_transpose.after.mlir")
    assert (wrong.verdict, wrong.exit_code, wrong.reason.code) == ("refuted", 1, "different")
    path = tmp_path / "scale.mlir"
    path.write_text(SCALE)
    lifted = assay.lift(path, set={"k": 2})
    assert lifted.is_proved and lifted.formula == "2 * x"
    assert assay.check(path, assay.Formula("result = x * k")).is_proved
    assert assay.check(path, assay.Formula("result = x + k")).verdict == "refuted"
    best = assay.optimize(path, lift=False, top=1).candidates[0]
    assert best.verdict == "proved"
