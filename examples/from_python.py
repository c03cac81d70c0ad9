"""Five kernels in the structure of Triton's tutorials, from Python: unmodified host code is captured, without a GPU, and
each kernel is compared with a line of PyTorch.

    pip install . triton torch
    python examples/from_python.py

Every cell (# %%) runs by itself in a notebook; there a result shows its formula.
"""

# %%
import importlib.util
from pathlib import Path

import torch
import torch.nn.functional as F

import assay

HERE = Path(__file__).resolve().parent


def load(name):
    """The host function of examples/kernels/NAME.py."""
    spec = importlib.util.spec_from_file_location(Path(name).name, HERE / "kernels" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, Path(name).name)


def show(name, launches, reference):
    result = launches.check(reference)
    print(f"{name:12} {result.verdict:8} safety {result.safety:8} {result.formula}")
    return result


# %% Vector add
def add(x, y):
    return x + y


with assay.capture() as launches:
    load("add")(torch.randn(1000), torch.randn(1000))
show("vector add", launches, add)


# %% Fused softmax
def softmax(x):
    return torch.softmax(x, dim=1)


with assay.capture() as launches:
    load("softmax")(torch.randn(33, 200))
show("softmax", launches, softmax)


# %% Matrix multiplication
def matmul(a, b):
    return a @ b


with assay.capture() as launches:
    load("loops/matmul")(torch.randn(70, 50), torch.randn(50, 90))
show("matmul", launches, matmul)


# %% Layer norm
def layer_norm(x, w, b, eps):
    mean = x.mean(dim=1, keepdim=True)
    rstd = torch.rsqrt(x.var(dim=1, keepdim=True, unbiased=False) + eps)
    return {"y": (x - mean) * rstd * w + b, "mean": mean[:, 0], "rstd": rstd[:, 0]}


with assay.capture() as launches:
    load("layer_norm")(torch.randn(20, 300), torch.randn(300), torch.randn(300))
show("layer norm", launches, layer_norm)


# %% Attention
def attention(q, k, v, scale):
    return F.scaled_dot_product_attention(q, k, v, scale=scale)


with assay.capture() as launches:
    load("loops/attention")(torch.randn(4, 70, 32), torch.randn(4, 90, 32), torch.randn(4, 90, 32), 0.125)
show("attention", launches, attention)
