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


def layer_norm_y(x, w, b, eps):
    return F.layer_norm(x, x.shape[-1:], w, b, eps)


def logsumexp(x):
    return torch.logsumexp(x, dim=-1)


def sum(x):
    return x.sum(-1)


def max(x):
    return x.max(dim=-1).values


def argmax(x):
    values, indices = torch.max(x, dim=1)
    return values, indices


def argmin(x):
    return x.argmin(-1)


def cat(a, b):
    return torch.cat([a, b], dim=1)


def concat_select(a, b):
    return torch.cat([a, b])


def cosine_similarity(a, b, eps):
    return F.cosine_similarity(a, b, dim=1, eps=eps)


def cross_entropy(logits, labels):
    lse = torch.logsumexp(logits, dim=-1)
    loss = lse - logits.gather(1, labels[:, None]).squeeze(1)
    return {"lse": lse, "loss": loss}


def dropout(x, keep, p):
    return torch.where(keep != 0, x / (1 - p), 0.0)


def embedding(table, index):
    return F.embedding(index, table)


def gelu_backward(dy, x):
    cdf = 0.5 * (1 + torch.erf(x / 2**0.5))
    pdf = torch.exp(-0.5 * x * x) / (2 * torch.pi) ** 0.5
    return dy * (cdf + x * pdf)


def gelu_mul(a, b):
    return F.gelu(a, approximate="tanh") * b


def huber_loss(x, target, delta):
    return F.huber_loss(x, target, reduction="none", delta=delta)


def kl_div(log_q, p, eps):
    return (p * (torch.log(p.clamp(min=eps)) - log_q)).sum(-1)


def layer_norm_backward(DY, X, W, Mean, Rstd):
    xhat = (X - Mean[:, None]) * Rstd[:, None]
    wdy = W * DY
    c1 = (xhat * wdy).mean(-1, keepdim=True)
    c2 = wdy.mean(-1, keepdim=True)
    return (wdy - (xhat * c1 + c2)) * Rstd[:, None]


def masked_fill(x, mask, value):
    return x.masked_fill(mask != 0, value)


def matmul_tile(a, b):
    return torch.bmm(a, b)


def matmul(a, b):
    return a @ b


def quantize_rows_int8(x, eps):
    scale = x.abs().amax(-1).clamp(min=eps) / 127
    q = torch.round(x / scale[:, None]).clamp(-128, 127).to(torch.int8)
    return {"q": q, "scale": scale}


def rms_norm(X, W, eps, offset):
    RSTD = torch.rsqrt(X.pow(2).mean(-1) + eps)
    Y = F.rms_norm(X, X.shape[-1:], W + offset, eps)
    return {"RSTD": RSTD, "Y": Y}


def rms_norm_backward(dy, x, w, rstd):
    m = dy * w
    r = rstd[:, None]
    return r * m - r**3 * x * (m * x).mean(-1, keepdim=True)


def rotary_embedding(x, cos, sin):
    half = x.shape[-1] // 2
    x1, x2 = x[..., :half], x[..., half:]
    c, s = cos[:, None, :], sin[:, None, :]
    return torch.cat([x1 * c - x2 * s, x2 * c + x1 * s], dim=-1)


def silu_backward(dy, x):
    s = torch.sigmoid(x)
    return dy * s * (1 + x * (1 - s))


def silu_mul(a, b):
    return F.silu(a) * b


def softmax_backward(dy, y):
    return y * (dy - (y * dy).sum(-1, keepdim=True))


def swiglu(x):
    gate, up = x.chunk(2, dim=-1)
    return F.silu(gate) * up


def swiglu_backward(dc, a, b):
    s = torch.sigmoid(a)
    return {"a": dc * b * (s + a * s * (1 - s)), "b": dc * F.silu(a)}


def transpose(x):
    return x.T


def zeros(M, N):
    return torch.zeros(M, N)


def attention(q, k, v, scale):
    return F.scaled_dot_product_attention(q, k, v, scale=scale)


def attention_causal(q, k, v, scale):
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
    return out


def attention_lse(q, k, v, scale):
    scores = torch.einsum("bqd,bkd->bqk", q, k) * scale
    return {"lse": torch.logsumexp(scores, dim=-1), "out": torch.softmax(scores, dim=-1) @ v}


def attention_bias(q, k, v, bias, scale):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale)


def adam(param, grad, m, v, lr, beta1, beta2, eps, weight_decay, bias1, bias2):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad**2
    param = param - lr * (m / bias1 / (torch.sqrt(v / bias2) + eps) + weight_decay * param)
    return param, m, v


def cumsum(x):
    return torch.cumsum(x, dim=1)


def group_norm(x, w, b, eps):
    mean = x.mean((-2, -1), keepdim=True)
    var = x.var((-2, -1), keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(var + eps) * w[..., None] + b[..., None]


def matmul_gelu(a, b, bias):
    return F.gelu(a @ b + bias, approximate="tanh")


def rms_norm_residual(x, residual, w, eps):
    residual = x + residual
    return {"residual": residual, "y": F.rms_norm(residual, residual.shape[-1:], w, eps)}


def router_top1(logits):
    probabilities = torch.softmax(logits, dim=-1)
    weight, expert = probabilities.max(dim=-1)
    return {"weight": weight, "expert": expert}


def matmul_accumulated(a, b, c):
    return c + a @ b


def sum_accumulated(x, out):
    return out + x.sum()


def max_accumulated(x, out):
    return torch.maximum(out, x.amax(-1))


def argmax_index(x):
    return x.argmax(-1)


def sum_all(x):
    return x.sum()


def max_all(x):
    return x.max()


def layer_norm_backward_dw_db(x, dy, mean, rstd):
    xhat = (x - mean[:, None]) * rstd[:, None]
    return {"dw": (dy * xhat).sum(0), "db": dy.sum(0)}


def attention_backward(q, k, v, out, dout, lse, scale):
    p = torch.exp(scale * (q @ k.mT) - lse[..., None])
    delta = (out * dout).sum(-1, keepdim=True)
    ds = p * (dout @ v.mT - delta)
    return {"dq": scale * (ds @ k), "dk": scale * (ds.mT @ q), "dv": p.mT @ dout}
