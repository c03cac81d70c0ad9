"""What the kernels of examples/kernels compute, each as one obvious line of PyTorch: the right side of `assay check`.

    assay check softmax.ttir examples/references/operators.py:softmax

Parameters have the names of the kernels' arguments (a `_ptr` may be left out)."""
import torch
import torch.nn.functional as F


def abs(x):
    return x.abs()


def add(x, y):
    return x + y


def sub(x, y):
    return x - y


def mul(x, y):
    return x * y


def div(x, y):
    return x / y


def neg(x):
    return -x


def reciprocal(x):
    return torch.reciprocal(x)


def exp(x):
    return torch.exp(x)


def sin(x):
    return torch.sin(x)


def cos(x):
    return torch.cos(x)


def log(x):
    return torch.log(x)


def rsqrt(x):
    return torch.rsqrt(x)


def tanh(x):
    return torch.tanh(x)


def relu(x):
    return F.relu(x)


def leaky_relu(x, negative_slope):
    return F.leaky_relu(x, negative_slope)


def squared_relu(x):
    return F.relu(x) ** 2


def gelu(x):
    return F.gelu(x)


def sigmoid(x):
    return torch.sigmoid(x)


def silu(x):
    return F.silu(x)


def softmax(x):
    return torch.softmax(x, dim=-1)


def log_softmax(x):
    return F.log_softmax(x, dim=-1)


def layer_norm(x, w, b, eps):
    y = F.layer_norm(x, x.shape[-1:], w, b, eps)
    mean = x.mean(-1)
    rstd = torch.rsqrt(x.var(-1, unbiased=False) + eps)
    return {"y": y, "mean": mean, "rstd": rstd}


def logsumexp(x):
    return torch.logsumexp(x, dim=-1)


def sum(x):
    return x.sum(-1)


def max(x):
    return x.max(dim=-1).values
