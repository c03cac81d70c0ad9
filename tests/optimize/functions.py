import torch
import torch.nn.functional as F


def gated(x, w1, w2):
    return F.silu(x @ w1) * (x @ w2)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def rotary(q, k, cos, sin):
    def turned(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat((-second, first), dim=-1)

    return (q * cos + turned(q) * sin) @ (k * cos + turned(k) * sin).mT


def adamw(p, g, m, v):
    mean = 0.9 * m + 0.1 * g
    square = 0.999 * v + 0.001 * g * g
    return p * (1 - 0.001 * 0.01) - 0.001 * mean / (torch.sqrt(square) + 1e-8), mean, square
