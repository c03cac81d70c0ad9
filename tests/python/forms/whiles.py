"""Loops that are ended by a flag, whose counters double, halve or go down by an argument, and those that have no closed form but a bound:
bisection, merging, powers. Wrong neighbours do not end, or leave another value behind."""

import triton
import triton.language as tl


@triton.jit
def found(x_ptr, y_ptr, n, HOW: tl.constexpr):
    """Where the first negative element is."""
    row = tl.program_id(0)
    k = 0
    going = True
    while going & (k < n):
        if tl.load(x_ptr + row * n + k) < 0:
            going = False
            if HOW == "behind":
                k += 1
        else:
            k += 1
    tl.store(y_ptr + row, k)


@triton.jit
def below_limit(x_ptr, y_ptr, n, limit, HOW: tl.constexpr):
    """As many elements as their sum stays below a limit."""
    row = tl.program_id(0)
    k = 0
    total = 0.0
    done = False
    while (k < n) & (not done):
        x = tl.load(x_ptr + row * n + k)
        if total + x > limit:
            done = True
            if HOW == "with it":
                total += x
        else:
            total += x
            k += 1
    tl.store(y_ptr + row, total)


@triton.jit
def doubled(x_ptr, y_ptr, n, FIRST: tl.constexpr, FACTOR: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    k = FIRST
    while k < n:
        total += tl.load(x_ptr + row * n + k)
        k *= FACTOR
    tl.store(y_ptr + row, total)


@triton.jit
def halvings(x_ptr, y_ptr, LAST: tl.constexpr, HOW: tl.constexpr):
    """The logarithm of an integer."""
    row = tl.program_id(0)
    v = tl.load(x_ptr + row)
    count = 0
    while v > LAST:
        v = v >> 1 if HOW == "shift" else v // 2
        count += 1
    tl.store(y_ptr + row, count)


@triton.jit
def down(x_ptr, y_ptr, n, step, HOW: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    k = n - 1
    while k >= 0:
        total += tl.load(x_ptr + row * n + k)
        if HOW == "by step":
            k -= step
        else:
            k -= 2
    tl.store(y_ptr + row, total)


@triton.jit
def bisect(x_ptr, key_ptr, y_ptr, n, HOW: tl.constexpr):
    row = tl.program_id(0)
    key = tl.load(key_ptr + row)
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if tl.load(x_ptr + middle) < key:
            low = middle if HOW == "stays" else middle + 1
        else:
            high = middle
    tl.store(y_ptr + row, low)


@triton.jit
def merged(a_ptr, b_ptr, y_ptr, n, m, HOW: tl.constexpr):
    row = tl.program_id(0)
    i = 0
    j = 0
    total = 0.0
    while (i < n) & (j < m):
        a = tl.load(a_ptr + row * n + i)
        b = tl.load(b_ptr + row * m + j)
        if a < b:
            i += 1
        else:
            if HOW == "stays":
                j += (a > b).to(tl.int32)
            else:
                j += 1
            total += b
    tl.store(y_ptr + row, total)


@triton.jit
def power(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    base = tl.load(x_ptr + row)
    left = n
    result = 1.0
    while left > 0:
        if left % 2 == 1:
            result *= base
        base *= base
        left //= 2
    tl.store(y_ptr + row, result)


def form(kernel, arguments, constexprs, **more):
    return {"kernel": kernel, "types": dict(a.split(":") for a in arguments.split()), "constexprs": constexprs, **more}


ROWS = "x_ptr:*fp32 y_ptr:*{} n:i32"
FORMS = {
    "found": form(
        found,
        ROWS.format("i32"),
        {"HOW": ""},
        formula=(
            "minimum(min(where(x_ptr[:, :n - 1] < 0, index(n - 1) + 1, inf), axis=1), n) -"
            " where(take_along_axis(x_ptr, minimum(min(where(x_ptr[:, :n - 1] < 0, index(n - 1) + 1, inf), axis=1), n)"
            " - 1, axis=1) < 0, 1, 0)"
        ),
    ),
    "found_behind": form(
        found,
        ROWS.format("i32"),
        {"HOW": "behind"},
        formula=(
            "minimum(min(where(x_ptr[:, :n - 1] < 0, index(n - 1) + 1, inf), axis=1), n) -"
            " where(take_along_axis(x_ptr, minimum(min(where(x_ptr[:, :n - 1] < 0, index(n - 1) + 1, inf), axis=1), n)"
            " - 1, axis=1) < 0, 1, 0)"
        ),
        wrong=["formula"],
    ),
    "below_limit": form(
        below_limit,
        ROWS.format("fp32") + " limit:fp32",
        {"HOW": ""},
        formula=(
            "where(sum(where(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1) > index(n), x_ptr[:, :n], 0), axis=1) > limit, sum(where(minimum(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1), n) >= index(n - 1) + 2, x_ptr[:, :n - 1], 0), axis=1), sum(where(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1) > index(n), x_ptr[:, :n], 0), axis=1))"
        ),
    ),
    "below_limit_with_it": form(
        below_limit,
        ROWS.format("fp32") + " limit:fp32",
        {"HOW": "with it"},
        formula=(
            "where(sum(where(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1) > index(n), x_ptr[:, :n], 0), axis=1) > limit, sum(where(minimum(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1), n) >= index(n - 1) + 2, x_ptr[:, :n - 1], 0), axis=1), sum(where(min(where(cumsum(x_ptr[:, :n - 1], axis=1) > limit, index(n - 1) + 1, inf), axis=1) > index(n), x_ptr[:, :n], 0), axis=1))"
        ),
        wrong=["formula"],
    ),
    "doubled": form(
        doubled,
        ROWS.format("fp32"),
        {"FIRST": 1, "FACTOR": 2},
        formula="y_ptr[i] = sum[k2 < min(31, min[k2 < 31, n <= prod[k < k2](2)](k2))](x_ptr[i, prod[k < k2](2)])",
    ),
    "by_four": form(
        doubled,
        ROWS.format("fp32"),
        {"FIRST": 3, "FACTOR": 4},
        formula="y_ptr[i] = sum[k2 < min(15, min[k2 < 15, n <= 3*prod[k < k2](4)](k2))](x_ptr[i, 3*prod[k < k2](4)])",
    ),
    "doubled_from_0": form(doubled, ROWS.format("fp32"), {"FIRST": 0, "FACTOR": 2}, wrong=["verdict"]),
    "doubled_by_1": form(doubled, ROWS.format("fp32"), {"FIRST": 1, "FACTOR": 1}, wrong=["verdict"]),
    "logarithm": form(
        halvings,
        "x_ptr:*i32 y_ptr:*i32",
        {"LAST": 1, "HOW": ""},
        formula=("min(where(x_ptr // 2 ** column(index(32)) <= 1, column(index(32)), inf), axis=0)"),
    ),
    "logarithm_by_shifts": form(
        halvings,
        "x_ptr:*i32 y_ptr:*i32",
        {"LAST": 1, "HOW": "shift"},
        formula=("min(where(x_ptr // 2 ** column(index(32)) <= 1, column(index(32)), inf), axis=0)"),
    ),
    "logarithm_below_0": form(halvings, "x_ptr:*i32 y_ptr:*i32", {"LAST": -1, "HOW": "shift"}, wrong=["verdict"]),
    "down": form(
        down,
        ROWS.format("fp32") + " step:i32",
        {"HOW": "by 2"},
        formula="sum(x_ptr[:, n - 2 * ((n + 1) // 2) + 1::2], axis=1)",
    ),
    "down_by_step": form(
        down,
        ROWS.format("fp32") + " step:i32",
        {"HOW": "by step"},
        formula="sum(take(x_ptr, step * index((n - 1) // step + 1) + (n - 1) % step, axis=1), axis=1)",
    ),
    "bisect": form(
        bisect,
        "x_ptr:*fp32 key_ptr:*fp32 y_ptr:*i32 n:i32",
        {"HOW": ""},
        formula=(
            "y_ptr[i] = recur[k < 31, s, u](0, high, where(s < u and x_ptr[(s + u) // 2] < key_ptr[i], (s + u) // 2 +"
            " 1, s), where(s < u, where(x_ptr[(s + u) // 2] < key_ptr[i], u, (s + u) // 2), u))"
        ),
    ),
    "bisect_stays": form(bisect, "x_ptr:*fp32 key_ptr:*fp32 y_ptr:*i32 n:i32", {"HOW": "stays"}, wrong=["verdict"]),
    "merged": form(
        merged,
        "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 n:i32 m:i32",
        {"HOW": ""},
        formula=(
            "y_ptr[i] = recur[k < m + n - 1, s, u, v, v](0, 0, 0, where(a_ptr[i, s] < b_ptr[i, u] and s < n and u < m,"
            " s + 1, s), where(s < n and u < m, where(a_ptr[i, s] < b_ptr[i, u], u, u + 1), u), where(s < n and u < m,"
            " where(a_ptr[i, s] < b_ptr[i, u], v, b_ptr[i, u] + v), v))"
        ),
    ),
    "merged_stays": form(
        merged, "a_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 n:i32 m:i32", {"HOW": "stays"}, wrong=["verdict"]
    ),
    "power": form(
        power,
        ROWS.format("fp32"),
        {},
        formula=(
            "y_ptr[i] = recur[k < 31, s, u, v, v](x_ptr[i], n, 1, where(u > 0, s ** 2, s), where(u > 0, u // 2, u),"
            " where(u % 2 == 1 and u > 0, s*v, v))"
        ),
    ),
}
