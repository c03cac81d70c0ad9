import torch
import torch.nn.functional as F


def gated(x, w1, w2):
    return F.silu(x @ w1) * (x @ w2)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def masked_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / 8
    seen = torch.tril(torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool))
    return torch.softmax(scores.masked_fill(~seen, float("-inf")), dim=-1) @ v


def rotary(q, k, cos, sin):
    def turned(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat((-second, first), dim=-1)

    return (q * cos + turned(q) * sin) @ (k * cos + turned(k) * sin).mT


def repeated(x, w):
    return x.repeat_interleave(4, dim=0) @ w


def neighbours(x):
    return x[:, 1:-1] * 2 + x[:, 2:]


def adamw(p, g, m, v):
    mean = 0.9 * m + 0.1 * g
    square = 0.999 * v + 0.001 * g * g
    return p * (1 - 0.001 * 0.01) - 0.001 * mean / (torch.sqrt(square) + 1e-8), mean, square


def kept(x, mask, other):
    return torch.where((mask != 0) & ~(other < x) | (x == 0), x / 0.9, 0.0).sum(-1)


def gates(x, w, a, b, c, d):
    h = torch.tanh(x @ w) * a + b
    h = F.silu(h) * c - torch.exp(-h * h) * d
    h = h / (1 + torch.abs(h)) + torch.sigmoid(h * a) * b
    return h * torch.rsqrt(h * h + 1) + torch.cos(h) * c - d * h


def long_attention(q, k, v, gq, gk, g):
    q = q * torch.rsqrt((q * q).mean(-1, keepdim=True) + 1e-6) * gq
    k = k * torch.rsqrt((k * k).mean(-1, keepdim=True) + 1e-6) * gk
    p = torch.softmax(50 * torch.tanh(q @ k.mT * 0.125 / 50), -1)
    return (p @ v) * torch.sigmoid(g)
