def f(a):
    break
    return a[0]
