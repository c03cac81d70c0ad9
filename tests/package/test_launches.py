"""Live kernels: what a launch binds, and what is captured of unmodified host code."""

import subprocess
import sys

import pytest
from conftest import ROOT

import assay

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")

with assay.capture():  # Triton 3.2 asks for a driver where a kernel is tuned
    import kernels  # noqa: E402


def test_trace_takes_what_a_launch_takes():
    x = torch.empty(1000)
    result = assay.trace(kernels.add_kernel)[(4,)](x, x.clone(), torch.empty_like(x), 1000, BLOCK=256)
    assert (result.verdict, result.formula) == ("proved", "x_ptr + y_ptr")


def test_check_takes_what_trace_gave():
    def traced(kernel):
        return assay.trace(kernel)[(4,)](*(torch.empty(1000) for _ in range(3)), 1000, BLOCK=256)

    right = assay.Formula("out_ptr = x_ptr + y_ptr")
    assert assay.check(traced(kernels.add_kernel), right).verdict == "proved"
    wrong = assay.check(traced(kernels.wrong_add_kernel), right)
    assert "refuted" in (wrong.verdict, wrong.safety)
    with pytest.raises(assay.UsageError, match="a result is no input"):
        assay.check(wrong, right)


def split_sums(x_ptr, out_ptr):
    return out_ptr + x_ptr.sum(1)


@pytest.mark.parametrize(
    "parts,first,verdict", [(2, 0, "proved"), (3, 0, "refuted"), (1, 0, "refuted"), (2, 1, "refuted")]
)
def test_the_number_of_parts_is_that_of_the_launch(parts, first, verdict):
    """The code has a literal 2 for it: for other numbers of programs the sum is another one."""
    launches = assay.trace(kernels.split_sums_kernel)[(5, parts)].launches(
        torch.empty(5, 100), torch.empty(5), 100, 100, PARTS=2, FIRST=first, BLOCK=16
    )
    result = launches.check(split_sums)
    assert result.verdict == verdict, result
    assert ("launch", f"grid_y = {parts}") in [(a.kind, a.text) for a in result.assumptions]
    assert "proved" == verdict or result.witness.sizes.grid_y == parts


def test_trace_takes_arrays_meta_tensors_and_specifications():
    numpy = pytest.importorskip("numpy")
    for make in (
        lambda: numpy.zeros(512, "float32"),
        lambda: torch.empty(512, device="meta"),
        lambda: assay.tensor("f32", "n"),
    ):
        n = "n" if isinstance(make(), assay.Tensor) else 512
        grid = ("cdiv(n, 256)",) if n == "n" else (2,)
        result = assay.trace(kernels.add_kernel)[grid](make(), make(), make(), n, BLOCK=256)
        assert result.verdict == "proved", result


@pytest.mark.parametrize(
    "text,specified",
    [
        ("f32[6, 40]", assay.tensor("f32", 6, 40)),
        ("f16[M,40]", assay.tensor("f16", "M", 40)),
        ("i64[cdiv(n, 64), 2*n]", assay.tensor("i64", "cdiv(n, 64)", "2*n")),
        ("u8[M, 40] strides [s, 1]", assay.tensor("u8", "M", 40, strides=("s", 1))),
        ("fp32[]", assay.tensor("f32")),
        ("bf16[n]", assay.tensor("bf16", "n")),
    ],
)
def test_a_specification_may_be_a_text(text, specified):
    made = assay.trace(kernels.add_kernel)[(1,)].launches(text, text, text, "n", BLOCK=256)
    texts, tensors = (
        made.operation,
        assay.trace(kernels.add_kernel)[(1,)]
        .launches(
            *(assay.tensor(specified.type, specified.shape, strides=specified.strides) for _ in range(3)),
            "n",
            BLOCK=256,
        )
        .operation,
    )
    assert texts == tensors and len(texts["tensors"]) == 3


def test_element_types_are_named_as_in_operation_files_or_in_triton():
    assert assay.tensor("f8E5M2", "n").type == assay.tensor("fp8e5", "n").type == "fp8e5"


def test_texts_are_lifted_as_what_they_stand_for():
    result = assay.trace(kernels.add_kernel)[("cdiv(n, 256)",)]("f32[n]", "f32[n]", "f32[n]", "n", BLOCK=256)
    assert (result.verdict, result.formula) == ("proved", "x_ptr + y_ptr")
    result = assay.trace(kernels.scale_rows_kernel)[(6,)](
        "f32[6, 40] strides [64, 1]", None, "f32[6, 40] strides [64, 1]", 64, 40, 2.0, HAS_BIAS=False, BLOCK=64
    )
    assert (result.verdict, result.safety) == ("proved", "proved"), result


@pytest.mark.parametrize(
    "text,said",
    [
        ("f31[6, 40]", "no element type 'f31'"),
        ("f32[6, 40", "is neither a tensor"),
        ("f32 6 40", "is neither a tensor"),
        ("f32", "is neither a tensor"),
        ("f32[6, ?]", "is no size"),
        ("f32[6, 1.5]", "is no size"),
        ("f32[floor(n)]", "is no size"),
        ("f32[6, 40] strides [1]", "has as many strides"),
    ],
)
def test_a_text_that_is_no_specification_is_an_error_of_its_own(text, said):
    with pytest.raises(assay.UsageError, match=said):
        assay.trace(kernels.add_kernel)[(1,)](text, "f32[n]", "f32[n]", "n", BLOCK=256)


def test_a_grid_may_be_a_function():
    launch = assay.trace(kernels.add_kernel)[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)]
    made = launch.launches(torch.empty(9), torch.empty(9), torch.empty(9), 9, BLOCK=4)
    assert made.operation["launches"][0]["grid"] == [3]


def test_arguments_of_1_and_none_leave_the_signature():
    x = torch.empty(7, 1)
    made = assay.trace(kernels.scale_rows_kernel)[(7,)].launches(
        x, None, torch.empty(7, 1), 1, 1, 2.0, HAS_BIAS=False, BLOCK=16
    )
    arguments = made.operation["launches"][0]["args"]
    assert arguments == {"arg0": "x_ptr", "arg1": "out_ptr", "arg2": 2.0}
    assert made.lift().verdict == "proved"


def test_one_tensor_twice_is_in_place():
    x = torch.empty(64)
    made = assay.trace(kernels.add_kernel)[(1,)].launches(x, torch.empty(64), x, 64, BLOCK=64)
    assert made.operation["launches"][0]["args"]["arg0"] == made.operation["launches"][0]["args"]["arg2"]
    assert made.lift().formula == "x_ptr + y_ptr"


def test_autotuned_and_heuristic_kernels_take_their_first_configuration():
    x = torch.empty(300)
    assert (
        assay.trace(kernels.tuned_kernel)[lambda m: (triton.cdiv(300, m["BLOCK"]),)](x, x.clone(), 300).formula
        == "2 * x_ptr"
    )
    assert "x_ptr" in assay.trace(kernels.heuristic_kernel)[(1,)](x, x.clone(), 300).formula


def test_capture_records_host_code_in_order_and_runs_nothing():
    x, out = torch.ones(100), torch.zeros(100)
    with assay.capture() as launches:
        kernels.add_kernel[(1,)](x, x, out, 100, BLOCK=128)
        kernels.tuned_kernel[lambda m: (triton.cdiv(100, m["BLOCK"]),)](out, out, 100)
    assert launches.names == ["add_kernel", "tuned_kernel"]
    assert float(out.sum()) == 0
    result = launches.lift()
    assert result.verdict == "proved" and "x_ptr" in result.formula


def test_capture_leaves_triton_and_torch_as_they_were():
    from triton.runtime.jit import JITFunction

    before = (JITFunction.__dict__["run"], torch.cuda.get_device_properties)
    with pytest.raises(ZeroDivisionError), assay.capture():
        1 / 0
    assert (JITFunction.__dict__["run"], torch.cuda.get_device_properties) == before


def double(x):
    return 2 * x


def test_host_code_that_keeps_the_compiled_function_launches_it_again():
    x, y = torch.ones(100), torch.ones(200)
    with assay.capture() as launches:
        compiled = kernels.add_kernel[(1,)](x, x.clone(), torch.empty_like(x), 100, BLOCK=128)
        compiled[(2, 1, 1)](y, y.clone(), torch.empty_like(y), 200, 128)
        with pytest.raises(TypeError, match="takes"):
            compiled[(1, 1, 1)](y)
        kernels.add_kernel.warmup(x, x, x, 100, BLOCK=128, grid=(1,))  # compiled, and not launched
    assert [bound.grid for bound in launches.bound] == [(1,), (2, 1, 1)]
    assert launches[1].operation["launches"][0]["args"]["arg3"] == 200
    assert launches[1].lift().formula == "x_ptr + y_ptr"


def test_tuners_that_choose_in_their_own_way_launch_nothing_else():
    from triton.runtime.autotuner import Autotuner

    class Thorough(Autotuner):
        def run(self, *args, **kwargs):
            self.nargs = dict(zip(self.arg_names, args))
            times = {config: self._bench(*args, config=config, **kwargs) for config in self.configs}
            return self.fn.run(*args, **kwargs, **min(times, key=times.get).all_kwargs())

    tuned = kernels.tuned_kernel
    x = torch.ones(300)
    with assay.capture() as launches:
        own = Thorough(tuned.fn, tuned.arg_names, tuned.configs, [], None, None)
        own[lambda meta: (triton.cdiv(300, meta["BLOCK"]),)](x, x.clone(), 300)
    assert launches.names == ["tuned_kernel"]


class Pointer:
    """A tensor by its address, as Triton takes it: what host code makes for views that PyTorch has not."""

    def __init__(self, base, shape, strides, offset=0):
        self.base, self.dtype, self.shape, self.strides, self.offset = base, base.dtype, shape, strides, offset

    def data_ptr(self):
        return self.base.data_ptr() + self.offset * self.base.element_size()

    def stride(self):
        return self.strides


def test_a_tensor_may_be_known_by_its_address():
    x, out = torch.ones(64), torch.empty(64)
    made = assay.trace(kernels.add_kernel)[(1,)].launches(
        Pointer(x, (40,), (1,)), Pointer(x, (24,), (1,), 40), out, 24, BLOCK=32
    )
    assert [made.operation["tensors"][name]["shape"] for name in ("x_ptr", "y_ptr")] == [[40], [24]]
    assert made.lift().formula == "x_ptr + y_ptr"
    # what it shares with another argument is seen
    made = assay.trace(kernels.add_kernel)[(1,)].launches(x, Pointer(x, (24,), (1,), 40), out, 24, BLOCK=32)
    assert made.operation["launches"][0]["args"]["arg1"] == {"tensor": "x_ptr", "offset": 40}
    backwards = Pointer(x, (24,), (-1,), 23)
    made = assay.trace(kernels.add_kernel)[(1,)].launches(backwards, Pointer(x, (24,), (1,), 8), out, 24, BLOCK=32)
    assert (
        len({str(made.operation["launches"][0]["args"][f"arg{k}"]) for k in (0, 1)}) == 2
        and len(made.operation["tensors"]) == 2
    )


def test_host_code_may_name_the_device_of_its_tensors():
    x = torch.ones(100)
    with assay.capture(multiprocessors=7) as launches:
        properties = torch.cuda.get_device_properties(x.device)
        with torch.cuda.device(x.device):
            kernels.add_kernel[(properties.multi_processor_count,)](x, x.clone(), torch.empty_like(x), 100, BLOCK=16)
    assert (properties.major, launches.bound[0].grid) == (8, (7,))
    with pytest.raises(ValueError), torch.cuda.device(x.device):
        pass


def add_on_cuda(x, y):
    if not torch.cuda.is_available() or not x.is_cuda:
        raise RuntimeError("only on CUDA")
    out = torch.empty(x.shape, device="cuda", dtype=x.dtype)
    kernels.add_kernel[(4,)](x.cuda(), y.to("cuda:0"), out, x.numel(), BLOCK=256)
    return out


def test_host_code_may_ask_for_tensors_of_cuda():
    x = torch.empty(1000)
    available = torch.cuda.is_available()
    with assay.capture() as launches:
        assert not add_on_cuda(x, torch.empty(1000)).device.type == "cuda"
    assert launches.lift().is_proved
    assert not x.is_cuda and torch.cuda.is_available() == available
    with pytest.raises(RuntimeError, match="only on CUDA"):
        add_on_cuda(x, x)


@torch.compile(backend="eager")
def halved(x):
    return x / 2


def test_host_code_may_call_what_torch_compiles():
    x = torch.ones(300)
    with assay.capture() as launches:
        kernels.tuned_kernel[(3,)](halved(x), torch.empty(300), 300)
    assert launches.lift().formula == "2 * x_ptr"


def test_launches_are_checked_against_a_function():
    x = torch.empty(300)
    with assay.capture() as launches:
        kernels.tuned_kernel[(3,)](x, torch.empty(300), 300)
    assert launches.check(double).verdict == "proved"


def pages(cache, table):
    return cache[table].reshape(table.shape[0], -1, cache.shape[-1])


def turned_pages(cache, table):
    return cache[table].transpose(1, 2).reshape(table.shape[0], -1, cache.shape[-1])


def later_pages(cache, table):
    return cache[table].reshape(table.shape[0], -1, cache.shape[-1])[:, 4:]


@pytest.mark.parametrize(
    "reference,length,verdict,text",
    [
        (pages, 20, "unknown", "both sides agree in"),
        (turned_pages, 20, "refuted", "the values differ"),
        (later_pages, 20, "refuted", "the shapes differ"),
        (pages, 19, "refuted", "the shapes differ"),
    ],
)
def test_shapes_that_fit_in_the_launch_do_not_refute(reference, length, verdict, text):
    """20 is five pages of 4: other lengths, which no page fills, are none of this launch."""
    launches = assay.trace(kernels.pages_kernel)[(3, length)].launches(
        torch.empty(9, 4, 20),
        torch.zeros(3, 5, dtype=torch.int64),
        torch.empty(3, length, 20),
        *(20, 5, 80, 20, 20 * length, 20),
        PAGE=4,
        BLOCK=32,
    )
    result = launches.check(reference)
    assert result.verdict == verdict and text in result.reason["text"], result


def test_a_length_that_nothing_tells_does_not_refute():
    """Which rows the programs write, in this order, is not known: y_d0 is any length, and not M in the launch."""
    x = torch.empty(60, 75)
    launches = assay.trace(kernels.swizzled_kernel)[(4, 5)].launches(x, torch.empty(60, 75), 60, 75, 75, 75, BLOCK=16)
    result = launches.check(double)
    assert result.verdict in ("proved", "probable", "unknown"), result
    assert "both sides agree in" in result.reason["text"]


def turned(x):
    return x.T


@pytest.mark.parametrize("rows,text", [(16, "the values differ"), (8, "the shapes differ")])
def test_sizes_of_one_number_are_compared_by_their_elements(rows, text):
    x = torch.empty(rows, 16)
    launches = assay.trace(kernels.scale_rows_kernel)[(rows,)].launches(
        x, x, torch.empty_like(x), 16, 16, 1.0, HAS_BIAS=False, BLOCK=16
    )
    result = launches.check(turned, map={"x_ptr": "x"})
    assert result.verdict == "refuted" and text in result.reason["text"], result


def test_results_name_the_kernel_and_its_file():
    """Where the IR lies for the call is told nowhere: texts are the same from run to run."""
    x, y = torch.empty(300), torch.empty(300)
    with assay.capture() as launches:
        kernels.tuned_kernel[(3,)](x, y, 300)
        kernels.add_kernel[(3,)](x, y, y, 300, BLOCK=128)
    first, again = launches.check(double), assay.Launches(launches._recorded).check(double)
    named = [f"{kernels.__file__}:{name}" for name in ("tuned_kernel", "add_kernel")]
    assert launches[0].lift().text.splitlines()[0] == f"tuned_kernel  {named[0]}"
    assert first.input == " ".join(named) and first.text == again.text
    assert not any("operation.json" in text for text in [first.raw, first.text, *first.reports.values()])


def test_errors_say_what_to_do():
    with pytest.raises(TypeError, match="needs an argument"):
        assay.trace(kernels.add_kernel)[(1,)](torch.empty(4))
    with pytest.raises(TypeError, match="no argument"):
        assay.trace(kernels.add_kernel)[(1,)](1, 2, 3, 4, BLOCK=4, WRONG=1)
    with pytest.raises(assay.TritonError):
        assay.trace(kernels.add_kernel)[(1,)](torch.empty(4), torch.empty(4), torch.empty(4), 4, BLOCK=3)
    with pytest.raises(assay.TritonError):
        assay.trace(double)
        assay.trace(double)[(1,)](1)
    with pytest.raises(assay.TritonError, match="nothing was launched"):
        assay.Launches().lift()


def run_module(*arguments):
    environment = {
        "PYTHONPATH": str(ROOT / "python"),
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "TRITON_CACHE_DIR": str(ROOT / "build" / "triton-cache"),
    }
    return subprocess.run(
        [sys.executable, "-m", "assay", *arguments], capture_output=True, text=True, env=environment, check=False
    )


def test_the_module_compiles_a_kernel_without_host_code():
    file = f"{ROOT}/tests/package/kernels.py"
    done = run_module(f"{file}:add_kernel", "--sig", "*fp32,*fp32,*fp32,i32", "--const", "BLOCK=1024")
    assert done.returncode == 0 and "x_ptr + y_ptr" in done.stdout, done.stderr
    assert run_module(f"{file}:add_kernel", "--sig", "*fp32", "--const", "BLOCK=1024").returncode == 64
    assert run_module(f"{file}:add_kernel", "--sig", "*fp32,*fp32,*fp32,i32").returncode == 64
    assert run_module(f"{file}:nobody", "--sig", "i32").returncode == 64


@pytest.mark.parametrize(
    "kind,formula,unsigned",
    [("u8", "(x_ptr + y_ptr) % 256", True), ("i8", "wrap8(", False), ("i32", "wrap32(", False)],
)
def test_types_of_a_signature_say_whether_there_is_a_sign(kind, formula, unsigned):
    file = f"{ROOT}/tests/package/kernels.py"
    done = run_module(f"{file}:add_kernel", "--sig", f"*{kind},*{kind},*{kind},i32", "--const", "BLOCK=1024")
    assert done.returncode == 0 and formula in done.stdout, done.stdout + done.stderr
    assert (f"x_ptr: {kind}" in done.stdout) == unsigned, done.stdout


def test_the_example_ends_in_five_verdicts():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "from_python.py"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
        check=False,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 5 and all("proved   safety proved" in line for line in lines), done.stdout + done.stderr


@pytest.mark.skipif(
    tuple(int(part) for part in triton.__version__.split(".")[:2]) < (3, 2),
    reason="Triton 3.1 writes this type of float8 as another one",
)
def test_element_types_of_later_devices():
    x = torch.empty(100).to(torch.float8_e4m3fn)
    result = assay.trace(kernels.float8_kernel)[(2,)](x, torch.empty(100), 100, BLOCK=64)
    assert (result.verdict, result.formula) == ("proved", "2 * x_ptr"), result


def test_host_code_may_ask_the_driver_for_its_device():
    import triton

    with assay.capture(multiprocessors=5) as launches:
        properties = triton.runtime.driver.active.utils.get_device_properties(0)
        kernels.add_kernel[(properties["multiprocessor_count"],)](
            torch.ones(80), torch.ones(80), torch.empty(80), 80, BLOCK=16
        )
    assert launches.bound[0].grid == (5,)
