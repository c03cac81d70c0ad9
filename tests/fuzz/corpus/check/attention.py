import torch
import torch.nn.functional as F
def f(x):
    n = x.shape[1]
    s = torch.einsum("ij,kj->ik", x, x) / n ** 0.5
    mask = torch.arange(n)[None, :] <= torch.arange(n)[:, None]
    s = s.masked_fill(~mask, float("-inf"))
    return (torch.softmax(s, -1) @ x).mean(1)
