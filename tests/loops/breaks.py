"""Loops that `break` ends."""


def sum_until(a):
    s = 0
    for v in a:
        if v < 0:
            break
        s += v
    return s


def find(a, x):
    place = -1
    for i in range(len(a)):
        if a[i] == x:
            place = i
            break
    return place


def first(a, x):
    i = 0
    while i < len(a):
        if a[i] == x:
            break
        i += 1
    return i


def is_sorted(a):
    ok = True
    for i in range(len(a) - 1):
        if a[i] > a[i + 1]:
            ok = False
            break
    return ok


def nested(m):
    c = 0
    for row in m:
        for v in row:
            if v < 0:
                break
            c += 1
    return c


def last_before(a):
    for i in range(len(a)):
        if a[i] > 3:
            break
    return i


def pairs(a, b):
    s = 0
    for i, (x, y) in enumerate(zip(a, b)):
        if x == y:
            break
        s += i * (x - y)
    return s


def halving(n: int):
    steps = 0
    for k in range(64):
        if n < 2**k:
            break
        steps += 1
    return steps
