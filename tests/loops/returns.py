"""Returns within loops, `else` of loops, loops that fill and end early, functions in functions."""


def place_of(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1


def any_negative(a):
    for v in a:
        if v < 0:
            return True
    return False


def share_one(a, b):
    for v in a:
        for w in b:
            if v == w:
                return 1
    return 0


def sum_beyond(a, most):
    t = 0
    for v in a:
        t += v
        if t > most:
            return t
    return 2 * t


def first_above(a, x):
    k = 0
    for i in range(len(a)):
        if a[i] > x:
            k = i
            break
    else:
        k = len(a)
    return k


def with_else(a):
    t = 0
    for v in a:
        t += v
    else:
        t += 1
    return t


def count_up(n):
    i = 0
    while True:
        if i >= n:
            break
        i += 1
    return i


def copy_until(a):
    y = [0] * len(a)
    for i in range(len(a)):
        if a[i] < 0:
            break
        y[i] = a[i]
    return y


def by_lambda(a):
    f = lambda x, by=2: x * by + 1  # noqa: E731
    return [f(x) for x in a]


def by_helper(a, b):
    def find(x):
        for i in range(len(a)):
            if a[i] == x:
                return i
        return -1

    t = 0
    for x in b:
        t += find(x)
    return t
