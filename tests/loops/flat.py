"""Arrays of one axis that hold the rows of a table, as old code has them."""


def doubled(y, x, n, m):
    for i in range(n):
        for j in range(m):
            y[i * m + j] = 2 * x[i * m + j]


def doubled_part(y, x, n, m, ld):
    for i in range(n):
        for j in range(m):
            y[i * ld + j] = 2 * x[i * ld + j]


def padded(y, x, n, m):
    for i in range(n):
        for j in range(m):
            y[i * (m + 1) + j] = x[j * n + i]


def next_of_volume(volume, x, n, m, k):
    for i in range(n):
        for j in range(m):
            for l in range(k):
                volume[i * m * k + j * k + l] = x[i] + 1


def neighbours(y, x, n, m):
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            y[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1]


def transposed(y, x, n, m):
    for i in range(n):
        for j in range(m):
            y[j * n + i] = x[i * m + j]


def negative(volume, pixels, n, m):
    for i in range(n):
        for j in range(m):
            for c in range(3):
                volume[(i * m + j) * 3 + c] = 255 - pixels[(i * m + j) * 3 + c]


def planes(volume, pixels, n, m):
    for i in range(n):
        for j in range(m):
            for c in range(3):
                volume[c * n * m + i * m + j] = pixels[(i * m + j) * 3 + c]


def every(x, n, step):
    total = 0
    for i in range(n):
        total += x[i * step]
    return total


def product(c, a, b, n, m, k):
    for i in range(n):
        for j in range(m):
            for p in range(k):
                c[i * m + j] += a[i * k + p] * b[p * m + j]


def spread(y, x, n, ld, lag):
    for i in range(n):
        y[lag + i * ld] = x[i]
