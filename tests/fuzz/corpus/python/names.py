import numpy as np
def shared_rows(n, m):
    g = [[0] * n] * m
    g[0][0] = 1
    return g
def kept_row(a, n):
    row = [0] * n
    out = []
    for i in range(n):
        row[0] = a[i]
        out.append(row)
    return out
def later(a, n):
    out = []
    for i in range(n):
        row = [a[i]]
        out.append(row)
        row[0] = 7
    return out
def alias(a):
    b = a
    b[0] = 5
    return a[0]
def alias2(a, n):
    b = [0] * n
    c = b
    for i in range(n):
        c[i] = a[i]
    return b
def slice_copy(a: list[float]):
    b = a[:]
    b[0] = 9
    return a[0]
def slice_view(a: np.ndarray):
    b = a[1:]
    b[0] = 9
    return a[1]
def rows_swap(n):
    g = [[1, 2], [3, 4]]
    g[0], g[1] = g[1], g[0]
    return g
def swap(a):
    a[0], a[1] = a[1], a[0]
def row_alias(g):
    r = g[0]
    r[1] = 3.5
    return g[0][1]
def two_lists(n):
    r = [1, 2]
    a = [r]
    b = [r]
    b[0][0] = 5
    return a
def read_moved(n):
    r = [1, 2]
    a = [r]
    a[0][0] = 5
    return r
def loop_alias(a, n):
    out = []
    for i in range(n):
        out.append(a)
    a[0] = 3
    return out
def rebind(a, n):
    u = [x for x in a]
    for t in range(n):
        new = [2 * x for x in u]
        u = new
    return u
def default(a, x=[]):
    x.append(a)
    return x
def neg(a, i: int):
    return a[-i]
def prev(a, n):
    out = []
    for i in range(n):
        out.append(a[i] - a[i - 1])
    return out
def big(n: int):
    x = n * n * n * n
    return x * x * x
def fl(a: int, b: int):
    return a // b, a % b
def shadow(a):
    sum = 0
    for x in a:
        sum += x
    return sum
def late(a, n):
    for i in range(n):
        x = a[i]
    return x
