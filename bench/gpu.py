"""Emitted Triton and CUDA C on a GPU against eager PyTorch, torch.compile and a library call, with results held against
float64.

    python bench/gpu.py [--assay build/assay] [--target sm_80] [--top 4] [--seconds 330] [WORKLOAD ..]

For each workload the formula of tests/optimize is optimized at the sizes below; the first candidates that are listed
(so: proved) are imported, checked and timed in each of their configurations, and so are the others; their CUDA C too,
where nvcc is installed. The table is in Markdown, as docs/optimize.md shows it; a result that is farther from float64
than eager PyTorch's by more than the tolerance is counted in its last column, and its time counts for nothing.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import ctypes
import importlib.util
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[1]
TOLERANCE = 2e-2  # of the largest absolute value of the result
CUDA_TOP = 2  # candidates whose CUDA C is compiled, which takes nvcc seconds each


@dataclass
class Workload:
    """A formula, its sizes, inputs by shape, the reference, and a library's call that does the same, if one does."""

    formula: str
    sizes: dict[str, int]
    inputs: dict[str, tuple]
    reference: Callable
    library: Callable | None = None
    scales: dict[str, float] = field(default_factory=dict)  # inputs are within +-1/2 times that, 0 to 1 where it is 0

    def types(self) -> dict[str, str]:
        """The element types that the formula declares."""
        return dict(re.findall(r"^tensor (\w+): (\w+)\[", self.path().read_text(), re.MULTILINE))

    def path(self) -> Path:
        return ROOT / "tests" / "optimize" / f"{self.formula}.formula"


def rms(x):
    return x / (x * x).mean(-1, keepdim=True).sqrt()


def norm(x, eps=1e-5):
    return x / ((x * x).mean(-1, keepdim=True) + eps).sqrt()


def rotated(x, cosines, sines):
    import torch

    return x * cosines + torch.cat([-x[..., 32:], x[..., :32]], -1) * sines


def transformer_block(X, Wq, Wk, Wv, Wo, W1, W2, W3):
    import torch

    n = norm(X)
    r = X + (torch.softmax((n @ Wq) @ (n @ Wk).mT / 4, -1) @ (n @ Wv) @ Wo).sum(0)
    return dict(Y=r + (torch.nn.functional.silu(norm(r) @ W1) * (norm(r) @ W2)) @ W3)


def adam(p, g, m, v):
    first, second = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
    return dict(po=p - 0.001 * first / (second.sqrt() + 1e-8), mo=first, vo=second)


def workloads() -> dict[str, Workload]:
    import torch

    F = torch.nn.functional
    attention = F.scaled_dot_product_attention
    found = {}
    for queries in (1, 32, 512):
        found[f"MHA, {queries} queries"] = Workload(
            "mha",
            dict(B=1, H=32, M=queries, S=4096),
            dict(Q=(1, 32, queries, 64), K=(1, 32, 4096, 64), V=(1, 32, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K.mT / 8, -1) @ V),
            lambda Q, K, V: dict(O=attention(Q, K, V)),
        )
        found[f"GQA, {queries} queries"] = Workload(
            "attention_softmax",
            dict(B=2, M=8 * queries, S=4096),
            dict(Q=(2, 8 * queries, 64), K=(2, 64, 4096), V=(2, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K, -1) @ V),
            lambda Q, K, V: dict(O=attention(Q, K.mT, V, scale=1.0)),
        )
    for batch in (1, 8):
        m = 8 * batch
        found[f"RMSNorm + matmul, batch {batch}"] = Workload(
            "rms_matmul",
            dict(M=2 * batch, K=4096, N=6144),
            dict(X=(2 * batch, 4096), W=(4096, 6144)),
            lambda X, W: dict(Y=rms(X) @ W),
            lambda X, W: dict(Y=F.rms_norm(X, (4096,)) @ W),
        )
        found[f"GatedMLP, batch {batch}"] = Workload(
            "gated_mlp",
            dict(M=m, K=4096, N=4096),
            dict(X=(m, 4096), W1=(4096, 4096), W2=(4096, 4096)),
            lambda X, W1, W2: dict(Y=F.silu(X @ W1) * (X @ W2)),
        )
        found[f"LoRA, batch {batch}"] = Workload(
            "lora",
            dict(M=2 * m, K=256, N=4096),
            dict(X=(2 * m, 256), W=(256, 4096), A=(256, 16), B=(16, 4096)),
            lambda X, W, A, B: dict(Y=X @ W + (X @ A) @ B),
        )
        found[f"LoRA, concatenated, batch {batch}"] = Workload(
            "lora_concat",
            dict(M=2 * m, K=256, N=4096),
            dict(X=(2 * m, 256), W=(256, 4096), A=(256, 16), B=(16, 4096)),
            lambda X, W, A, B: dict(Y=torch.cat([X, X @ A], 1) @ torch.cat([W, B], 0)),
        )
        found[f"adapter MLP, batch {batch}"] = Workload(
            "adapter",
            dict(M=2 * m, K=4096),
            dict(X=(2 * m, 4096), W1=(4096, 16), W2=(16, 4096)),
            lambda X, W1, W2: dict(Y=X + F.relu(X @ W1) @ W2),
        )
        found[f"nTrans, batch {batch}"] = Workload(
            "ntrans",
            dict(M=batch, K=4096),
            {name: (batch, 4096) for name in ("H", "X", "alpha")},
            lambda H, X, alpha: dict(Y=norm(X + alpha * (norm(H) + X))),
        )
        found[f"QKNorm + attention, batch {batch}"] = Workload(
            "qknorm",
            dict(B=2 * batch, M=256, S=4096),
            dict(Q=(2 * batch, 256, 64), K=(2 * batch, 4096, 64), V=(2 * batch, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(norm(Q) @ norm(K).mT, -1) @ V),
            lambda Q, K, V: dict(O=attention(F.rms_norm(Q, (64,)), F.rms_norm(K, (64,)), V, scale=1.0)),
        )
        found[f"MoE, batch {batch}"] = Workload(
            "moe",
            dict(M=m, K=4096, N=4096, P=4096),
            dict(X=(8, m, 4096), A=(8, 4096, 4096), B=(8, 4096, 4096)),
            lambda X, A, B: dict(Y=torch.exp(X @ A) @ B),
            scales=dict(A=0.1),
        )
    found["softmax"] = Workload(
        "softmax_rows",
        dict(M=4096, N=4096),
        dict(X=(4096, 4096)),
        lambda X: dict(Y=torch.softmax(X, -1)),
        lambda X: dict(Y=F.softmax(X, -1)),
    )
    found["layer norm"] = Workload(
        "layer_norm_rows",
        dict(M=4096, N=4096),
        dict(X=(4096, 4096), g=(4096,), b=(4096,)),
        lambda X, g, b: dict(
            Y=(X - X.mean(-1, keepdim=True)) / (X.var(-1, keepdim=True, unbiased=False) + 1e-5).sqrt() * g + b
        ),
        lambda X, g, b: dict(Y=F.layer_norm(X, (4096,), g, b)),
    )
    for rows in (1, 32, 512):
        found[f"MQA, {rows} queries"] = Workload(
            "attention_softmax",
            dict(B=1, M=16 * rows, S=4096),
            dict(Q=(1, 16 * rows, 64), K=(1, 64, 4096), V=(1, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K, -1) @ V),
            lambda Q, K, V: dict(O=attention(Q, K.mT, V, scale=1.0)),
        )
    found["causal attention"] = Workload(
        "causal",
        dict(B=32, M=1024),
        {name: (32, 1024, 64) for name in "QKV"},
        lambda Q, K, V: dict(
            O=torch.softmax(
                (Q @ K.mT).masked_fill(torch.ones(1024, 1024, dtype=torch.bool, device=Q.device).triu(1), -torch.inf),
                -1,
            )
            @ V
        ),
        lambda Q, K, V: dict(O=attention(Q, K, V, is_causal=True, scale=1.0)),
    )
    found["matmul + bias + gelu + residual"] = Workload(
        "gelu_bias",
        dict(M=1024, K=1024, N=4096),
        dict(X=(1024, 1024), W=(1024, 4096), b=(4096,), R=(1024, 4096)),
        lambda X, W, b, R: dict(Y=F.gelu(X @ W + b) + R),
    )
    found["log-sum-exp"] = Workload(
        "logsumexp_rows", dict(M=4096, N=4096), dict(X=(4096, 4096)), lambda X: dict(Y=torch.logsumexp(X, -1))
    )
    found["two matmuls"] = Workload(
        "chain",
        dict(M=1024, K=1024, N=1024),
        dict(X=(1024, 1024), A=(1024, 64), B=(64, 1024)),
        lambda X, A, B: dict(Y=(X @ A) @ B),
    )
    product = dict(M=2048, K=1024, N=32768)
    found["log-sum-exp of a matmul"] = Workload(
        "xent", product, dict(X=(2048, 1024), W=(1024, 32768)), lambda X, W: dict(Y=torch.logsumexp(X @ W, -1))
    )
    found["cross entropy of a matmul"] = Workload(
        "cross_entropy",
        product,
        dict(X=(2048, 1024), W=(1024, 32768), label=(2048,)),
        lambda X, W, label: dict(
            Y=torch.logsumexp(logits := X @ W, -1) - logits.gather(1, label.long()[:, None]).squeeze(1)
        ),
        lambda X, W, label: dict(Y=F.cross_entropy(X @ W, label.long(), reduction="none")),
    )
    found["rotary embedding + scores"] = Workload(
        "rotary",
        dict(H=32, M=1024, S=1024),
        {x: (32, 1024, 64) for x in "QK"} | {x: (1024, 64) for x in ("qc", "qs", "kc", "ks")},
        lambda Q, K, qc, qs, kc, ks: dict(P=rotated(Q, qc, qs) @ rotated(K, kc, ks).mT / 8),
    )
    found["Adam"] = Workload("adam", dict(n=1 << 24), {x: (1 << 24,) for x in "pgmv"}, adam, scales=dict(v=0))
    heads, wide = (4, 64, 16), (64, 128)
    found["transformer block"] = Workload(
        "transformer_block",
        dict(M=1024, H=4),
        dict(X=(1024, 64), Wq=heads, Wk=heads, Wv=heads, Wo=(4, 16, 64), W1=wide, W2=wide, W3=(128, 64)),
        transformer_block,
    )
    return found


def candidates(assay: str, workload: Workload, target: str, folder: Path) -> tuple[str, list[dict]]:
    """What `assay optimize` lists: only what is proved."""
    sets = [part for name, value in workload.sizes.items() for part in ("--set", f"{name}={value}")]
    done = subprocess.run(
        [
            assay,
            "optimize",
            workload.path(),
            "--json",
            "--target",
            target,
            "--emit",
            "triton,cuda",
            "-o",
            folder,
            "--timeout",
            "150",
            *sets,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    answer = json.loads(done.stdout)
    return answer["kernel"], [c for c in answer["candidates"] if any(f.endswith(".py") for f in c["files"])]


def host_functions(path: Path, name: str) -> list[tuple[dict, Callable]]:
    """The host function in each configuration that the module lists."""
    spec = importlib.util.spec_from_file_location(f"emitted_{abs(hash(str(path)))}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [(c, partial(getattr(module, name), configuration=c)) for c in module.CONFIGURATIONS]


def compiled_cuda(path: Path) -> Path:
    """A library made of an emitted file, for the device at hand."""
    import torch

    library = path.with_suffix(".so")
    architecture = "-arch=sm_{}{}".format(*torch.cuda.get_device_capability())
    command = ["nvcc", "-O3", architecture, "-shared", "-Xcompiler", "-fPIC", "-o", library, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"nvcc: {done.stderr}")
    return library


def launcher(library: Path, name: str, exact: dict, inputs: dict) -> Callable:
    """What calls the launcher of an emitted file, whose sizes are all numbers; outputs are made as Triton's are."""
    import torch

    types = {"float": torch.float32, "__half": torch.float16, "__nv_bfloat16": torch.bfloat16}
    text = library.with_suffix(".cu").read_text()
    parameters = re.search(rf"cudaError_t {name}_launch\((.*), cudaStream_t", text)[1]
    tensors = re.findall(r"(\w+) \*(\w+)", parameters)
    function = getattr(ctypes.CDLL(str(library)), f"{name}_launch")

    def call(**given):
        made = {
            n: torch.empty(exact[n].shape, dtype=types[kind], device="cuda") for kind, n in tensors if n not in given
        }
        pointers = [ctypes.c_void_p((given | made)[n].data_ptr()) for _, n in tensors]
        if error := function(*pointers, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)):
            raise RuntimeError(f"CUDA error {error}")
        return made

    return partial(call, **inputs)


def error_of(found: dict, exact: dict) -> float:
    """The largest difference, relative to the largest value."""
    return max(
        ((found[key].double() - value).abs().max() / value.abs().max().clamp_min(1e-30)).item()
        for key, value in exact.items()
    )


def microseconds(call: Callable) -> float:
    from triton.testing import do_bench

    return 1e3 * do_bench(call, warmup=10, rep=50, return_mode="median")


def prepare(workload: Workload) -> tuple[dict, dict]:
    """Inputs, and the outputs in float64."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(1)
    kinds = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
    types, inputs = workload.types(), {}
    for name, shape in workload.inputs.items():
        scale = workload.scales.get(name, 1)
        if types[name] in kinds:
            drawn = torch.rand(shape, generator=generator, device="cuda")
            inputs[name] = ((drawn - 0.5) * scale if scale else drawn).to(kinds[types[name]])
        else:  # places in the last axis
            drawn = torch.randint(0, workload.sizes["N"], shape, generator=generator, device="cuda")
            inputs[name] = drawn.to(torch.int32)
    wide = {k: v.double() if v.is_floating_point() else v for k, v in inputs.items()}
    return inputs, workload.reference(**wide)


@dataclass
class Found:
    """A candidate with what of it runs on this device."""

    candidate: dict
    path: Path
    configurations: list[dict]
    library: Path | None


def find(assay: str, name: str, target: str, folder: Path, top: int) -> tuple[str, list[Found]]:
    """The first candidates, each compiled and launched once, in a process that may fail: Triton and PyTorch keep on the
    disk what they have compiled."""
    import torch

    workload = workloads()[name]
    inputs, exact = prepare(workload)
    kernel, listed = candidates(assay, workload, target, folder)
    torch.compile(workload.reference)(**inputs)

    def runs(what: str, make: Callable) -> bool:
        try:
            make()()
            torch.cuda.synchronize()
            return True
        except Exception as error:  # one that this device cannot launch, or that does not compile
            print(f"{name}: {what}: {str(error)[-300:]}", file=sys.stderr)
            return False

    found = []
    for c in listed[:top]:
        path = folder / next(f for f in c["files"] if f.endswith(".py"))
        cuda = [folder / f for f in c["files"] if f.endswith(".cu")]
        where = f"rank {c['rank']}"
        good = [
            own
            for own, call in host_functions(path, kernel)
            if runs(f"{where}, {own}", lambda: partial(call, **inputs))
        ]
        one = Found(c, path, good, None)
        if cuda and shutil.which("nvcc") and len(found) < CUDA_TOP:
            if runs(f"{where}, CUDA", lambda: launcher(compiled_cuda(cuda[0]), kernel, exact, inputs)):
                one.library = cuda[0].with_suffix(".so")
        found.append(one)
    return kernel, found


def measure(name: str, workload: Workload, kernel: str, found: list[Found]) -> str:
    import torch

    inputs, exact = prepare(workload)
    eager = partial(workload.reference, **inputs)
    allowed = max(TOLERANCE, 2 * error_of(eager(), exact))
    wrong = 0

    def timed(call: Callable) -> float:
        """Infinite where the result is wrong, which is counted."""
        nonlocal wrong
        if error_of(call(), exact) <= allowed:
            return microseconds(call)
        wrong += 1
        return float("inf")

    others = [microseconds(eager), microseconds(partial(torch.compile(workload.reference), **inputs))]
    if workload.library:
        others.append(timed(partial(workload.library, **inputs)))
    ours, cuda = [], []
    for one in found:
        for configuration, call in host_functions(one.path, kernel):
            if configuration in one.configurations:
                ours.append((timed(partial(call, **inputs)), one.candidate, configuration["num_warps"]))
        if one.library:
            cuda.append(timed(launcher(one.library, kernel, exact, inputs)))
    cells = [f"{t:.1f}" for t in others] + ["-"] * (3 - len(others))
    ratio = "-"
    if ours:
        best, candidate, warps = min(ours, key=lambda row: row[0])
        cells += [f"{best:.1f}", str(candidate["rank"]), str(candidate["kernels"]), str(warps)]
        cells += [f"{1e6 * candidate['cost']['seconds']:.1f}"]
        ratio = f"{min(others) / best:.2f}"
    else:
        cells += ["-"] * 5
    cells += [f"{min(cuda):.1f}" if cuda else "-", ratio, str(wrong)]
    return f"| {name} | {' | '.join(cells)} |"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--assay", default=str(ROOT / "build" / "assay"))
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--top", type=int, default=4, help="candidates that are timed")
    parser.add_argument("--jobs", type=int, default=8, help="processes that search and compile")
    parser.add_argument("--seconds", type=float, default=3600, help="then what is not timed yet is left out")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # the workloads are compiled beside each other
    try:
        import torch
        import triton
    except ImportError as error:
        print(f"bench/gpu.py needs PyTorch and Triton: {error}", file=sys.stderr)
        return 2
    if not torch.cuda.is_available():
        print("bench/gpu.py: no GPU", file=sys.stderr)
        return 2
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, Triton {triton.__version__}; "
        "medians in microseconds\n"
    )
    print(
        "| workload | eager | torch.compile | library | ours | rank | kernels | warps | predicted | CUDA C"
        " | best other / ours | wrong |"
    )
    print("|---" * 12 + "|", flush=True)
    names = [
        name
        for name in workloads()
        if not options.workloads or any(w.lower() in name.lower() for w in options.workloads)
    ]
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as top,
        ProcessPoolExecutor(options.jobs, spawn, max_tasks_per_child=1) as pool,  # a fault ends with its process
    ):
        folders = [Path(top) / str(i) for i in range(len(names))]
        for folder in folders:
            folder.mkdir()
        jobs = [pool.submit(find, options.assay, n, options.target, f, options.top) for n, f in zip(names, folders)]
        concurrent.futures.wait(
            jobs, options.seconds / 2
        )  # nothing else runs while it is timed, but what takes longer
        for name, job in zip(names, jobs):
            try:
                left = options.seconds - (time.monotonic() - start)
                if left < 0 or not job.done():
                    print(f"| {name} | not within {options.seconds:.0f} s |", flush=True)
                    job.cancel()
                    continue
                print(measure(name, workloads()[name], *job.result()), flush=True)
            except Exception as error:
                print(f"| {name} | {type(error).__name__}: {str(error)[-200:]} |", flush=True)
        print(f"\n{time.monotonic() - start:.0f} s")
        sys.stdout.flush()
        for process in multiprocessing.active_children():  # what is still compiled is not waited for
            process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
