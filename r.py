import torch
import torch.nn.functional as F


def softmax(x):
    return torch.softmax(x, dim=-1)


def unsafe(x):
    e = torch.exp(x)
    return e / e.sum(-1, keepdim=True)


def wrong(x):
    return torch.log_softmax(x, dim=-1)


def smaller(x):
    return torch.softmax(x, dim=-1)[:, 1:]


def unread(x):
    y = torch.fft.fft(x)
    return y


def partial(x):
    return x + 0 * torch.log(x)


def two(a, b):
    return a + b


def rows(x, y):
    M, N = x.shape
    return x + y.reshape(M, N)


class Other(object:  # what is not asked for may be anything
    pass
