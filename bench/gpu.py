"""Emitted Triton on a GPU against eager PyTorch, torch.compile and a library call, with results held against float64.

    python bench/gpu.py [--assay build/assay] [--target sm_80] [WORKLOAD ..]

For each workload the formula of tests/optimize is optimized at the sizes below; every candidate that is listed (so: proved)
is imported, checked and timed, and so are the others. The table is in Markdown, as docs/optimize.md shows it; a result
that is farther from float64 than eager PyTorch's by more than the tolerance is marked, and its time counts for nothing."""
from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[1]
TOLERANCE = 2e-2  # of the largest absolute value of the result


@dataclass
class Workload:
    """A formula, its sizes, inputs by shape, the reference, and the call of a library that does the same, if one does."""

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
            "mha", dict(B=1, H=32, M=queries, S=4096), dict(Q=(1, 32, queries, 64), K=(1, 32, 4096, 64), V=(1, 32, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K.mT / 8, -1) @ V), lambda Q, K, V: dict(O=attention(Q, K, V)))
        found[f"GQA, {queries} queries"] = Workload(
            "attention_softmax", dict(B=2, M=8 * queries, S=4096), dict(Q=(2, 8 * queries, 64), K=(2, 64, 4096), V=(2, 4096, 64)),
            lambda Q, K, V: dict(O=torch.softmax(Q @ K, -1) @ V), lambda Q, K, V: dict(O=attention(Q, K.mT, V, scale=1.0)))
    for batch in (1, 8):
        m = 8 * batch
        found[f"RMSNorm + matmul, batch {batch}"] = Workload(
            "rms_matmul", dict(M=2 * batch, K=4096, N=6144), dict(X=(2 * batch, 4096), W=(4096, 6144)), lambda X, W: dict(Y=rms(X) @ W))
        found[f"GatedMLP, batch {batch}"] = Workload(
            "gated_mlp", dict(M=m, K=4096, N=4096), dict(X=(m, 4096), W1=(4096, 4096), W2=(4096, 4096)),
            lambda X, W1, W2: dict(Y=F.silu(X @ W1) * (X @ W2)))
        found[f"LoRA, batch {batch}"] = Workload(
            "lora", dict(M=2 * m, K=256, N=4096), dict(X=(2 * m, 256), W=(256, 4096), A=(256, 16), B=(16, 4096)),
            lambda X, W, A, B: dict(Y=X @ W + (X @ A) @ B))
        found[f"adapter MLP, batch {batch}"] = Workload(
            "adapter", dict(M=2 * m, K=4096), dict(X=(2 * m, 4096), W1=(4096, 16), W2=(16, 4096)),
            lambda X, W1, W2: dict(Y=X + F.relu(X @ W1) @ W2))
        found[f"nTrans, batch {batch}"] = Workload(
            "ntrans", dict(M=batch, K=4096), {name: (batch, 4096) for name in ("H", "X", "alpha")},
            lambda H, X, alpha: dict(Y=norm(X + alpha * (norm(H) + X))))
    found["QKNorm + attention"] = Workload(
        "qknorm", dict(B=2, M=256, S=4096), dict(Q=(2, 256, 64), K=(2, 4096, 64), V=(2, 4096, 64)),
        lambda Q, K, V: dict(O=torch.softmax(norm(Q) @ norm(K).mT, -1) @ V))
    found["softmax"] = Workload("softmax_rows", dict(M=4096, N=4096), dict(X=(4096, 4096)), lambda X: dict(Y=torch.softmax(X, -1)),
                                lambda X: dict(Y=F.softmax(X, -1)))
    found["layer norm"] = Workload(
        "layer_norm_rows", dict(M=4096, N=4096), dict(X=(4096, 4096), g=(4096,), b=(4096,)),
        lambda X, g, b: dict(Y=(X - X.mean(-1, keepdim=True)) / (X.var(-1, keepdim=True, unbiased=False) + 1e-5).sqrt() * g + b),
        lambda X, g, b: dict(Y=F.layer_norm(X, (4096,), g, b)))
    return found


def candidates(assay: str, workload: Workload, target: str, folder: Path) -> tuple[str, list[dict]]:
    """What `assay optimize` lists: only what is proved."""
    sets = [part for name, value in workload.sizes.items() for part in ("--set", f"{name}={value}")]
    done = subprocess.run([assay, "optimize", ROOT / "tests" / "optimize" / f"{workload.formula}.formula", "--json", "--target", target,
                           "--emit", "triton", "-o", folder, "--timeout", "300", *sets], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    answer = json.loads(done.stdout)
    return answer["kernel"], [c for c in answer["candidates"] if any(f.endswith(".py") for f in c["files"])]


def host_function(path: Path, name: str) -> Callable:
    spec = importlib.util.spec_from_file_location(f"emitted_{abs(hash(str(path)))}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def error_of(found: dict, exact: dict) -> float:
    """The largest difference, relative to the largest value."""
    return max(((found[key].double() - value).abs().max() / value.abs().max().clamp_min(1e-30)).item() for key, value in exact.items())


def microseconds(call: Callable) -> float:
    from triton.testing import do_bench
    return 1e3 * do_bench(call, warmup=50, rep=200, return_mode="median")


def measure(assay: str, name: str, workload: Workload, target: str) -> str:
    import torch
    generator = torch.Generator(device="cuda").manual_seed(1)
    inputs = {k: torch.rand(shape, generator=generator, device="cuda").sub_(0.5).half() for k, shape in workload.inputs.items()}
    exact = workload.reference(**{k: v.double() for k, v in inputs.items()})
    eager = lambda: workload.reference(**inputs)  # noqa: E731
    allowed = max(TOLERANCE, 2 * error_of(eager(), exact))
    row = [microseconds(eager)]
    compiled = torch.compile(workload.reference, mode="max-autotune-no-cudagraphs")
    row.append(microseconds(lambda: compiled(**inputs)))
    row.append(microseconds(lambda: workload.library(**inputs)) if workload.library else None)
    best, wrong = None, 0
    with tempfile.TemporaryDirectory() as folder:
        kernel, listed = candidates(assay, workload, target, Path(folder))
        for candidate in listed:
            call = host_function(Path(folder) / next(f for f in candidate["files"] if f.endswith(".py")), kernel)
            try:
                wrong += (bad := error_of(call(**inputs), exact) > allowed)
                time = None if bad else microseconds(lambda: call(**inputs))
            except Exception as error:  # a candidate that this device cannot launch
                print(f"{name}: rank {candidate['rank']}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
                continue
            if time and (not best or time < best[0]):
                best = (time, candidate["rank"], candidate["kernels"], 1e6 * candidate["cost"]["seconds"])
    cells = [f"{value:.1f}" if value else "-" for value in row]
    found = f"{best[0]:.1f} | {best[1]} | {best[2]} | {best[3]:.1f}" if best else "- | - | - | -"
    return f"| {name} | {' | '.join(cells)} | {found} | {min(v for v in row if v) / best[0]:.2f} | {wrong} |" if best \
        else f"| {name} | {' | '.join(cells)} | {found} | - | {wrong} |"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--assay", default=str(ROOT / "build" / "assay"))
    parser.add_argument("--target", default="sm_80")
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
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, Triton {triton.__version__}; medians in microseconds\n")
    print("| workload | eager | torch.compile | library | ours | rank | kernels | predicted | against the best | wrong |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, workload in workloads().items():
        if options.workloads and not any(wanted.lower() in name.lower() for wanted in options.workloads):
            continue
        try:
            print(measure(options.assay, name, workload, options.target), flush=True)
        except Exception as error:
            print(f"| {name} | {type(error).__name__}: {str(error)[:120]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
