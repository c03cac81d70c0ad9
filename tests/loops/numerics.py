"""Loops that go beyond maps and folds: linear algebra, stencils, windows, gathers, triangles, statistics."""

import numpy as np


def ger(x, y, A):
    m, n = A.shape
    for i in range(m):
        for j in range(n):
            A[i, j] += x[i] * y[j]


def gemm(alpha, beta, A, B, C):
    n, k = A.shape
    m = B.shape[1]
    for i in range(n):
        for j in range(m):
            C[i, j] *= beta
            for p in range(k):
                C[i, j] += alpha * A[i, p] * B[p, j]


def gemm_nt(M, N, K, ALPHA, A, lda, B, ldb, C, ldc):
    for i in range(M):
        for j in range(N):
            total = 0
            for k in range(K):
                total += ALPHA * A[i * lda + k] * B[j * ldb + k]
            C[i * ldc + j] += total


def gemm_nn(M, N, K, ALPHA, A, lda, B, ldb, C, ldc):
    for i in range(M):
        for k in range(K):
            part = ALPHA * A[i * lda + k]
            for j in range(N):
                C[i * ldc + j] += part * B[k * ldb + j]


def matinit(n, m, v):
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = v
    return out


def vfill(v, n, a):
    for i in range(n):
        a[i] = v


def lerp(al, x, y, n):
    return [al * x[i] + (1 - al) * y[i] for i in range(n)]


def histogram(image, bins):
    hist = np.zeros(bins)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            hist[image[i, j]] += 1
    return hist


def dct(block, cos1, cos2):
    n = len(block)
    temp = np.zeros((n, n))
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += block[i][k] * cos2[k][j]
            temp[i, j] = total
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += cos1[i][k] * temp[k, j]
            out[i, j] = round(total)
    return out


def mult(a, b):
    n, m = a.shape
    k = b.shape[1]
    c = np.zeros((n, k))
    for i in range(n):
        for j in range(k):
            for p in range(m):
                c[i, j] += a[i, p] * b[p, j]
    return c


def two_mm(alpha, beta, A, B, C, D):
    ni, nk = A.shape
    nj = B.shape[1]
    nl = C.shape[1]
    tmp = np.zeros((ni, nj))
    for i in range(ni):
        for j in range(nj):
            for k in range(nk):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    for i in range(ni):
        for j in range(nl):
            D[i, j] *= beta
            for k in range(nj):
                D[i, j] += tmp[i, k] * C[k, j]


def atax(A, x):
    m, n = A.shape
    y = np.zeros(n)
    for i in range(m):
        tmp = 0.0
        for j in range(n):
            tmp += A[i, j] * x[j]
        for j in range(n):
            y[j] += A[i, j] * tmp
    return y


def bicg(A, p, r):
    n, m = A.shape
    s = np.zeros(m)
    q = np.zeros(n)
    for i in range(n):
        for j in range(m):
            s[j] += r[i] * A[i, j]
            q[i] += A[i, j] * p[j]
    return s, q


def mvt(x1, x2, y1, y2, A):
    n = len(x1)
    for i in range(n):
        for j in range(n):
            x1[i] += A[i][j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] += A[j][i] * y2[j]


def gesummv(alpha, beta, A, B, x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        tmp = 0.0
        acc = 0.0
        for j in range(n):
            tmp += A[i, j] * x[j]
            acc += B[i, j] * x[j]
        y[i] = alpha * tmp + beta * acc
    return y


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    n = len(x)
    for i in range(n):
        for j in range(n):
            A[i, j] += u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] += beta * A[j, i] * y[j]
    for i in range(n):
        x[i] += z[i]
    for i in range(n):
        for j in range(n):
            w[i] += alpha * A[i, j] * x[j]


def syrk(alpha, beta, A, C):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]


def syr2k(alpha, beta, A, B, C):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]


def trmm(alpha, A, B):
    m, n = B.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]


def symm(alpha, beta, A, B, C):
    m, n = C.shape
    for i in range(m):
        for j in range(n):
            temp2 = 0.0
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                temp2 += B[k, j] * A[i, k]
            C[i, j] = beta * C[i, j] + alpha * B[i, j] * A[i, i] + alpha * temp2


def doitgen(A, C4):
    nr, nq, width = A.shape
    total = np.zeros(width)
    for r in range(nr):
        for q in range(nq):
            for p in range(width):
                total[p] = 0.0
                for s in range(width):
                    total[p] += A[r, q, s] * C4[s, p]
            for p in range(width):
                A[r, q, p] = total[p]


def covariance(data, float_n):
    n, m = data.shape
    mean = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= float_n
    for i in range(n):
        for j in range(m):
            data[i, j] -= mean[j]
    cov = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            for k in range(n):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= float_n - 1.0
            cov[j, i] = cov[i, j]
    return cov


def outer(a, b):
    out = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = a[i] * b[j]
    return out


def mask(a, t):
    out = []
    for x in a:
        out.append(1 if x > t else 0)
    return out


def derivative(f, h):
    out = np.zeros(len(f))
    for i in range(1, len(f) - 1):
        out[i] = (f[i + 1] - f[i - 1]) / (2 * h)
    return out


def mean(a):
    total = 0
    for x in a:
        total += x
    return total / len(a)


def argmax(a):
    best, place = a[0], 0
    for i in range(1, len(a)):
        if a[i] > best:
            best = a[i]
            place = i
    return place


def gather(a, idx):
    out = []
    for i in idx:
        out.append(a[i])
    return out


def window_sums(a, width):
    out = []
    for i in range(len(a) - width + 1):
        s = 0
        for k in range(width):
            s += a[i + k]
        out.append(s)
    return out


def sum3(A):
    total = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for k in range(A.shape[2]):
                total += A[i, j, k]
    return total


def reduce4(A):
    out = np.zeros((A.shape[0], A.shape[3]))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for k in range(A.shape[2]):
                for l in range(A.shape[3]):
                    out[i, l] += A[i, j, k, l]
    return out


def powers(x, n):
    out = np.ones(n)
    for i in range(1, n):
        out[i] = out[i - 1] * x
    return out


def cumsum(a):
    out = []
    s = 0
    for x in a:
        s += x
        out.append(s)
    return out


def lower_sum(A):
    s = 0
    for i in range(len(A)):
        for j in range(i):
            s += A[i][j]
    return s


def conv(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(h - kh + 1):
        for j in range(w - kw + 1):
            for p in range(kh):
                for q in range(kw):
                    out[i, j] += image[i + p, j + q] * kernel[p, q]
    return out


def pairwise(x):
    n, d = x.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(d):
                s += (x[i, k] - x[j, k]) ** 2
            out[i, j] = np.sqrt(s)
    return out


def transpose(A):
    return [[A[i][j] for i in range(len(A))] for j in range(len(A[0]))]


def jacobi(A, B):
    n = len(A)
    for i in range(1, n - 1):
        B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3
    for i in range(1, n - 1):
        A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3


def softmax(x):
    m = max(x)
    e = [np.exp(v - m) for v in x]
    s = sum(e)
    return [v / s for v in e]


def trace(A):
    t = 0
    for i in range(len(A)):
        t += A[i][i]
    return t


def count(a, v):
    c = 0
    for x in a:
        if x == v:
            c += 1
    return c


def variance(a):
    n = len(a)
    m = sum(a) / n
    return sum((x - m) ** 2 for x in a) / n


def reverse(a):
    out = [0] * len(a)
    for i in range(len(a)):
        out[len(a) - 1 - i] = a[i]
    return out


def onehot(labels, k):
    out = np.zeros((len(labels), k))
    for i in range(len(labels)):
        out[i, labels[i]] = 1
    return out


def polyval(c, x):
    y = 0
    for v in c:
        y = y * x + v
    return y


def relu(A):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] < 0:
                A[i, j] = 0


def maxpool(x):
    n = len(x) // 2
    out = []
    for i in range(n):
        out.append(max(x[2 * i], x[2 * i + 1]))
    return out


def colsum(A):
    out = np.zeros(A.shape[1])
    for row in A:
        for j in range(A.shape[1]):
            out[j] += row[j]
    return out


def three_mm(A, B, C, D):
    E = np.zeros((A.shape[0], B.shape[1]))
    F = np.zeros((C.shape[0], D.shape[1]))
    G = np.zeros((A.shape[0], D.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                E[i, j] += A[i, k] * B[k, j]
    for i in range(C.shape[0]):
        for j in range(D.shape[1]):
            for k in range(C.shape[1]):
                F[i, j] += C[i, k] * D[k, j]
    for i in range(A.shape[0]):
        for j in range(D.shape[1]):
            for k in range(B.shape[1]):
                G[i, j] += E[i, k] * F[k, j]
    return G
