"""Operators as they are written every day, in PyTorch: inputs of `assay optimize` (test_optimize.py)."""

import torch
import torch.nn.functional as F


def bias_gelu(x, b):
    return F.gelu(x + b)


def residual_layer_norm(x, r, g, b):
    return F.layer_norm(x + r, (x.shape[-1],), g, b)


def swiglu_mlp(x, w1, w2, w3):
    return (F.silu(x @ w1) * (x @ w2)) @ w3


def logsumexp_loss(z):
    return torch.logsumexp(z, dim=-1).mean()


def alibi(q, k, v, slopes):
    scores = q @ k.transpose(-2, -1) * 0.125
    i, j = torch.arange(q.shape[-2]), torch.arange(k.shape[-2])
    return torch.softmax(scores + slopes[:, None, None] * (j[None, :] - i[:, None]), dim=-1) @ v


def cosine(a, b):
    return F.cosine_similarity(a, b, dim=-1)


def batched(a, b):
    return torch.bmm(a, b)


def pool_linear(x, w, b):
    return F.linear(x.mean(dim=1), w, b)


def tempered_softmax(x):
    return F.softmax(x / 0.7, dim=-1)


def length(x):
    return torch.linalg.norm(x, dim=-1)


def geglu(x, w1, w2):
    return F.gelu(x @ w1) * (x @ w2)


def rotary_attention(q, k, v, cos, sin):
    def turned(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat((-second, first), dim=-1)

    return F.scaled_dot_product_attention(q * cos + turned(q) * sin, k * cos + turned(k) * sin, v)


def focal_loss(z, t):
    p = torch.sigmoid(z)
    loss = F.binary_cross_entropy_with_logits(z, t, reduction="none")
    return (loss * (1 - (p * t + (1 - p) * (1 - t))) ** 2).mean()


def class_loss(z, t):
    return F.cross_entropy(z, t)


def smoothed_loss(z, t):
    return F.cross_entropy(z, t, label_smoothing=0.1)


def chosen(z, t):
    return torch.log_softmax(z, dim=-1).gather(-1, t[:, None]).squeeze(-1)


def grouped_norm(x, w, b):
    return F.group_norm(x, 4, w, b)


def channel_affine(x, w, b):
    return F.silu(x * w[:, None, None] + b[:, None, None])


def batched_heads(a, b):
    return a @ b.transpose(-2, -1)


def gelu_images(x, y):
    return F.gelu(x + y)


def mlp(x, w1, b1, w2, b2):
    return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)


def cosine_scores(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T


def grouped_queries(q, k, v, bias):
    scores = torch.einsum("bhmd,bnd->bhmn", q, k) * 0.125 + bias
    return torch.einsum("bhmn,bnd->bhmd", scores.softmax(-1), v)


def gated_attention(q, k, v, x, w):
    return F.scaled_dot_product_attention(q, k, v) * torch.sigmoid(x @ w)


def masked_mean(x, mask):
    m = mask.unsqueeze(-1)
    return (x * m).sum(dim=1) / m.sum(dim=1).clamp(min=1.0)
