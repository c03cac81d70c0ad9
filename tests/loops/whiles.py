"""Loops that go on while a condition on counters holds, and change the array that they read."""


def turned(x: list[float]):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]


def met(x: list[float]):
    i, j = 0, len(x) - 1
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1


def met_by_hand(x: list[int]):
    i = 0
    j = len(x) - 1
    while i < j:
        t = x[i]
        x[i] = x[j]
        x[j] = t
        i += 1
        j -= 1
    return x


def from_the_end(x):
    for i in range(len(x) // 2):
        x[i], x[-i - 1] = x[-i - 1], x[i]


def complement(x):
    for i in range(len(x) // 2):
        x[i], x[~i] = x[~i], x[i]


def summed(x: list[float]):
    i = 1
    while i < len(x):
        x[i] += x[i - 1]
        i += 1


def twice_each(x, y):
    i = 0
    while i < len(x):
        y[i] = x[i]
        y[i] += x[i] * x[i]
        i += 1


def rows_summed(a):
    n, m = len(a), len(a[0])
    i = 0
    while i < n:
        j = 1
        while j < m:
            a[i][j] += a[i][j - 1]
            j += 1
        i += 1


def exchanged(a: list[float]):
    n = len(a)
    b = a.copy()
    for _ in range(3):
        for i in range(1, n - 1):
            b[i] = 0.5 * (a[i - 1] + a[i + 1])
        a, b = b, a
    return a
