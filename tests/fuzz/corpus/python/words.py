from math import exp, sqrt
import numpy as np
N = 4


def weights(x, radius: int, table: list[list[float]]):
    def at(i, j=0):
        return table[i][j] if i < len(table) else -1.0

    total, best = 0, float("-inf")
    out = [[0.0] * N for _ in range(len(x))]
    for i, (v, w) in enumerate(zip(x, reversed(x)), start=1):
        if v != v or i % 2 == 0:
            continue
        best = max(best, abs(v) ** 2 // 3, min(x))
        for k in range(N - 1, -1, -1):
            out[i - 1][k] += at(i, k) * exp(-v) + sum(u * u for u in x[:i] if u > 0)
        total += w << 2 if False else w
    k = 0
    while k < radius and not total > 10:
        k += 1
        total = total + x[-k] / sqrt(k)
    if not out:
        raise ValueError("nothing")
    assert radius > 0, "positive"
    return out, total, best


def arrays(A, idx):
    m, n = A.shape
    B = np.zeros_like(A)
    c = np.full((m, 2), 7, dtype=int)
    for i in range(0, m, 2):
        B[i, :] = A[i]
        B[i, 1:] += 1
        c[i, 0] = A[i, idx[i]] > 0
        row = B[i]
        row[0] = np.dot(A[i, :n - 1], A[i, 1:])
    return B, c, any(v > 1 for v in A[:, 0]), A[::2, ::-1].sum()
