"""Emitted Triton on a GPU against eager PyTorch, torch.compile and a library call, with results held against float64.

    python bench/gpu.py [--assay build/assay] [--target sm_80] [--top 4] [WORKLOAD ..]

For each workload the formula of tests/optimize is optimized at the sizes below; the first candidates that are listed
(so: proved) are imported, checked and timed in each of their configurations, and so are the others. The table is in
Markdown, as docs/optimize.md shows it; a result that is farther from float64 than eager PyTorch's by more than the
tolerance is marked, and its time counts for nothing.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib.util
import json
import multiprocessing
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[1]
TOLERANCE = 2e-2  # of the largest absolute value of the result


@dataclass
class Workload:
    """A formula, its sizes, inputs by shape, the reference, and a library's call that does the same, if one does."""

    formula: str
    sizes: dict[str, int]
    inputs: dict[str, tuple]
    reference: Callable
    library: Callable | None = None
    name: str | None = None


def rms(x):
    return x / (x * x).mean(-1, keepdim=True).sqrt()


def norm(x, eps=1e-5):
    return x / ((x * x).mean(-1, keepdim=True) + eps).sqrt()


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
    found["QKNorm + attention"] = Workload(
        "qknorm",
        dict(B=2, M=256, S=4096),
        dict(Q=(2, 256, 64), K=(2, 4096, 64), V=(2, 4096, 64)),
        lambda Q, K, V: dict(O=torch.softmax(norm(Q) @ norm(K).mT, -1) @ V),
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
    for rows in (1, 32):
        found[f"MQA, {rows} queries"] = Workload(
            "attention_softmax",
            dict(B=1, M=32 * rows, S=4096),
            dict(Q=(1, 32 * rows, 64), K=(1, 64, 4096), V=(1, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K, -1) @ V),
            lambda Q, K, V: dict(O=attention(Q, K.mT, V, scale=1.0)),
        )
    for batch in (1, 8):
        m = 8 * batch
        found[f"MoE, batch {batch}"] = Workload(
            "moe",
            dict(M=m, K=256, N=1024, P=256),
            dict(X=(8, m, 256), A=(8, 256, 1024), B=(8, 1024, 256)),
            lambda X, A, B: dict(Y=torch.exp(X @ A) @ B),
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
    return found


def candidates(assay: str, workload: Workload, target: str, folder: Path) -> tuple[str, list[dict]]:
    """What `assay optimize` lists: only what is proved."""
    sets = [part for name, value in workload.sizes.items() for part in ("--set", f"{name}={value}")]
    done = subprocess.run(
        [
            assay,
            "optimize",
            ROOT / "tests" / "optimize" / f"{workload.formula}.formula",
            "--json",
            "--target",
            target,
            "--emit",
            "triton",
            "-o",
            folder,
            "--timeout",
            "300",
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


def error_of(found: dict, exact: dict) -> float:
    """The largest difference, relative to the largest value."""
    return max(
        ((found[key].double() - value).abs().max() / value.abs().max().clamp_min(1e-30)).item()
        for key, value in exact.items()
    )


def microseconds(call: Callable) -> float:
    from triton.testing import do_bench

    return 1e3 * do_bench(call, warmup=25, rep=100, return_mode="median")


def prepare(workload: Workload) -> tuple[dict, dict]:
    """Inputs, and the outputs in float64."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(1)
    inputs = {
        k: torch.rand(shape, generator=generator, device="cuda").sub_(0.5).half()
        for k, shape in workload.inputs.items()
    }
    return inputs, workload.reference(**{k: v.double() for k, v in inputs.items()})


def find(assay: str, name: str, target: str, folder: Path, top: int) -> tuple[str, list[tuple[dict, Path]]]:
    """The first candidates with their files, each compiled (Triton keeps what it has compiled on the disk)."""
    import torch

    workload = workloads()[name]
    inputs, _ = prepare(workload)
    kernel, listed = candidates(assay, workload, target, folder)
    found = [(c, folder / next(f for f in c["files"] if f.endswith(".py"))) for c in listed[:top]]
    for candidate, path in found:
        for configuration, call in host_functions(path, kernel):
            try:
                call(**inputs)
                torch.cuda.synchronize()
            except Exception as error:  # one that this device cannot launch
                print(f"{name}: rank {candidate['rank']}, {configuration}: {str(error)[:120]}", file=sys.stderr)
    return kernel, found


def measure(name: str, workload: Workload, kernel: str, found: list[tuple[dict, Path]]) -> str:
    import torch

    inputs, exact = prepare(workload)
    eager = lambda: workload.reference(**inputs)  # noqa: E731
    allowed = max(TOLERANCE, 2 * error_of(eager(), exact))
    row = [microseconds(eager)]
    compiled = torch.compile(workload.reference)
    row.append(microseconds(lambda: compiled(**inputs)))
    row.append(microseconds(lambda: workload.library(**inputs)) if workload.library else None)
    best, wrong = None, 0
    for candidate, path in found:
        for configuration, call in host_functions(path, kernel):
            try:
                wrong += (bad := not error_of(call(**inputs), exact) <= allowed)
                time = None if bad else microseconds(lambda: call(**inputs))
            except Exception:  # said by find
                continue
            if time and (not best or time < best[0]):
                best = (
                    time,
                    candidate["rank"],
                    candidate["kernels"],
                    configuration["num_warps"],
                    1e6 * candidate["cost"]["seconds"],
                )
    cells = [f"{value:.1f}" if value else "-" for value in row]
    mine = f"{best[0]:.1f} | {best[1]} | {best[2]} | {best[3]} | {best[4]:.1f}" if best else "- | - | - | - | -"
    ratio = f"{min(v for v in row if v) / best[0]:.2f}" if best else "-"
    return f"| {name} | {' | '.join(cells)} | {mine} | {ratio} | {wrong} |"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--assay", default=str(ROOT / "build" / "assay"))
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--top", type=int, default=4, help="candidates that are timed")
    parser.add_argument("--jobs", type=int, default=8, help="processes that search and compile")
    options = parser.parse_args(arguments)
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
        "| workload | eager | torch.compile | library | ours | rank | kernels | warps | predicted | best other / ours"
        " | wrong |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    names = [
        name
        for name in workloads()
        if not options.workloads or any(w.lower() in name.lower() for w in options.workloads)
    ]
    with (
        tempfile.TemporaryDirectory() as top,
        ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool,
    ):
        folders = [Path(top) / str(i) for i in range(len(names))]
        for folder in folders:
            folder.mkdir()
        jobs = [pool.submit(find, options.assay, n, options.target, f, options.top) for n, f in zip(names, folders)]
        concurrent.futures.wait(jobs)  # nothing else runs while it is timed
        for name, job in zip(names, jobs):
            try:
                print(measure(name, workloads()[name], *job.result()), flush=True)
            except Exception as error:
                print(f"| {name} | {type(error).__name__}: {str(error)[:120]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
