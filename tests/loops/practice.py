"""Loops as they stand in code that people write: images, signals, inference, statistics, finance."""

import math

import numpy as np


def rmsnorm(x, w):
    ss = sum(v * v for v in x) / len(x) + 1e-5
    return [wi * (xi / math.sqrt(ss)) for wi, xi in zip(w, x)]


def attention(q, K, V):
    d = len(q)
    scores = []
    for k in K:
        scores.append(sum(a * b for a, b in zip(q, k)) / math.sqrt(d))
    m = max(scores)
    e = [math.exp(s - m) for s in scores]
    z = sum(e)
    out = [0.0] * len(V[0])
    for t in range(len(V)):
        for j in range(len(V[0])):
            out[j] += e[t] / z * V[t][j]
    return out


def blur(img):
    h, w = img.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            acc = 0.0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    acc += img[i + di, j + dj]
            out[i, j] = acc / 9
    return out


def gray(img):
    out = np.zeros((img.shape[0], img.shape[1]))
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            r, g, b = img[i, j]
            out[i, j] = 0.299 * r + 0.587 * g + 0.114 * b
    return out


def clip(x, lo, hi):
    out = []
    for v in x:
        if v < lo:
            out.append(lo)
        elif v > hi:
            out.append(hi)
        else:
            out.append(v)
    return out


def threshold(img, t):
    h = len(img)
    w = len(img[0])
    return [[255 if img[y][x] > t else 0 for x in range(w)] for y in range(h)]


def early(a, n):
    if n == 0:
        return 0
    s = 0
    for i in range(n):
        s += a[i]
    return s / n


def helper(a):
    def square(x):
        return x * x

    return [square(x) for x in a]


def diffs(a):
    return [b - c for b, c in zip(a[1:], a)]


def matmul(A, B):
    n, m, p = len(A), len(B), len(B[0])
    C = [[0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            for k in range(m):
                C[i][j] += A[i][k] * B[k][j]
    return C


def norm(A: np.ndarray) -> float:
    s = 0.0
    for row in A:
        for v in row:
            s += v**2
    return s**0.5


def stats(a):
    n = len(a)
    mean = sum(a) / n
    var = 0
    for x in a:
        var += (x - mean) ** 2
    return mean, var / n


def dequant(q: list[int], scale: float, zero: int):
    return [(x - zero) * scale for x in q]


def lap(u):
    n, m = u.shape
    v = np.copy(u)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4
    return v


def powers_of_rows(x, k):
    out = np.ones((len(x), k))
    for i in range(len(x)):
        for j in range(1, k):
            out[i, j] = out[i, j - 1] * x[i]
    return out


def fibonacci(n):
    f = [0, 1]
    for i in range(2, n):
        f.append(f[i - 1] + f[i - 2])
    return f


def fibonacci_in_place(n):
    f = [0] * (n + 2)
    f[1] = 1
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f


def from_behind(d):
    n = len(d)
    x = np.zeros(n)
    x[n - 1] = d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - x[i + 1]
    return x


def tridiagonal(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    x = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x[n - 1] = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x
