"""Arrays of NumPy's types: what is written to one of narrow integers wraps there."""

import numpy as np


def inverted(x):
    out = np.empty(len(x), dtype=np.uint8)
    for i in range(len(x)):
        out[i] = np.int64(255 - x[i])
    return out


def tripled(x):
    out = np.full(len(x), 7, dtype="int16")
    for i in range(len(x)):
        if x[i] > 0:
            out[i] += np.int64(x[i] * 1000)
    return out


def differences(x, y):
    out = np.zeros((len(x), len(y)), np.int8)
    for i in range(len(x)):
        for j in range(len(y)):
            out[i, j] = np.int64(x[i])
            out[i, j] -= np.int64(y[j])
    return out


def halves(x):
    out = np.zeros_like(x, dtype=np.float32)
    for i in range(len(x)):
        out[i] = x[i] / 2
    return out
