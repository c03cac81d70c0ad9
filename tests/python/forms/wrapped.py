"""Integers that begin with data wrap, whatever carries them: loops, cells, `while`, regions of reductions and scans. As i64, so that the
32 bits show."""

import triton
import triton.language as tl


@triton.jit
def scaled(x_ptr, y_ptr, n, BY: tl.constexpr):
    row = tl.program_id(0)
    s = tl.load(x_ptr + row)
    for _ in range(n):
        s = s * BY
    tl.store(y_ptr + row, s.to(tl.int64))


@triton.jit
def shifted(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    s = tl.load(x_ptr + row)
    for _ in range(n):
        s = s << 1
    tl.store(y_ptr + row, s.to(tl.int64))


@triton.jit
def scaled_wide(x_ptr, y_ptr, n, BY: tl.constexpr):
    row = tl.program_id(0)
    s = tl.load(x_ptr + row).to(tl.int64)
    for _ in range(n):
        s = s * BY
    tl.store(y_ptr + row, s)


@triton.jit
def scaled_while(x_ptr, y_ptr, n, BY: tl.constexpr):
    row = tl.program_id(0)
    s = tl.load(x_ptr + row)
    k = 0
    while k < n:
        s = s * BY
        k += 1
    tl.store(y_ptr + row, s.to(tl.int64))


@triton.jit
def congruential(x_ptr, y_ptr, n, steps, ADD: tl.constexpr, BLOCK: tl.constexpr):
    """So many steps that the factor is beyond all doubles."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(x_ptr + i, mask=i < n, other=0)
    for _ in range(steps):
        s = s * 1664525 + ADD
    tl.store(y_ptr + i, s, mask=i < n)


@triton.jit
def plus_one(a, b):
    return a + b + 1


@triton.jit
def sums_plus_one(x_ptr, y_ptr, B: tl.constexpr):
    lane = tl.arange(0, B)
    tl.store(y_ptr + lane, tl.associative_scan(tl.load(x_ptr + lane), 0, plus_one).to(tl.int64))


@triton.jit
def chosen(x_ptr, y_ptr, n, AT: tl.constexpr, BY: tl.constexpr):
    """What data chooses among literals is data, though no random value meets AT."""
    row = tl.program_id(0)
    s = tl.where(tl.load(x_ptr + row) == AT, BY, 1)
    tl.store(y_ptr + row, (s * s).to(tl.int64))


@triton.jit
def doubled_and_counted(x_ptr, y_ptr, n, AT: tl.constexpr):
    row = tl.program_id(0)
    count = 0
    for k in range(n):
        count = 2 * count + tl.where(tl.load(x_ptr + row * n + k) == AT, 1, 0)
    tl.store(y_ptr + row, count.to(tl.int64))


@triton.jit
def grown_where(x_ptr, y_ptr, n, AT: tl.constexpr, BY: tl.constexpr):
    row = tl.program_id(0)
    count = 1
    for k in range(n):
        if tl.load(x_ptr + row * n + k) == AT:
            count = count * BY
    tl.store(y_ptr + row, count.to(tl.int64))


@triton.jit
def counted(x_ptr, y_ptr, n, AT: tl.constexpr):
    row = tl.program_id(0)
    count = 0
    for k in range(n):
        count += tl.where(tl.load(x_ptr + row * n + k) == AT, 1, 0)
    tl.store(y_ptr + row, count.to(tl.int64))


@triton.jit
def as_often_as_data_says(x_ptr, y_ptr, n, HOW: tl.constexpr):
    """What is carried has the size that data gives it, and wraps; the counter does not."""
    row = tl.program_id(0)
    times = tl.load(x_ptr + row)
    value = 1
    for k in range(times):
        if HOW == "power":
            value = value * 3
        elif HOW == "counters":
            value += k
        elif HOW == "size":
            value += n
        elif HOW == "squares":  # 46341 of them, and a square wraps
            value += (k * k) >> 16
        elif HOW == "behind":
            value += (k + 1) >> 1
    tl.store(y_ptr + row, value.to(tl.int64))


@triton.jit
def while_data_says(x_ptr, y_ptr):
    row = tl.program_id(0)
    times = tl.load(x_ptr + row)
    value = 0
    k = 0
    while k < times:
        value += (k * k) >> 16
        k += 1
    tl.store(y_ptr + row, value.to(tl.int64))


def form(kernel, formula, constexprs=None, elements=("i32", "i64"), size=True, **more):
    types = {"x_ptr": f"*{elements[0]}", "y_ptr": f"*{elements[1]}"} | ({"n": "i32"} if size else {})
    return {"kernel": kernel, "types": types, "constexprs": constexprs or {}, "formula": formula, **more}


TRIPLED, DOUBLED = "wrap32(3 ** maximum(n, 0) * x_ptr)", "wrap32(2 ** maximum(n, 0) * x_ptr)"
STEPS = (
    "wrap32(1664525 ** maximum(steps, 0) * x_ptr + 1013904223 * sum(1664525 ** (steps - index(steps) - 1)))"
)


OFTEN = {
    "power": "y_ptr[i] = wrap32(prod[k < x_ptr[i]](3))",
    "counters": "y_ptr[i] = wrap32(sum[k < x_ptr[i]](k) + 1)",
    "size": "wrap32(n * maximum(x_ptr, 0) + 1)",
    "squares": "y_ptr[i] = wrap32(sum[k < x_ptr[i]](wrap32(k ** 2) // 65536) + 1)",
    "behind": "y_ptr[i] = wrap32(sum[k < x_ptr[i]]((k + 1) // 2) + 1)",
}


def steps(add, block, **more):
    return {
        "kernel": congruential,
        "types": {"x_ptr": "*i32", "y_ptr": "*i32", "n": "i32", "steps": "i32"},
        "constexprs": {"ADD": add, "BLOCK": block},
        "formula": STEPS,
        **more,
    }


FORMS = {
    "chosen": form(
        chosen, "wrap32(where(x_ptr == 1234577, 65536, 1) ** 2)", {"AT": 1234577, "BY": 65536}
    ),
    "doubled_and_counted": form(
        doubled_and_counted,
        "wrap32(sum(where(x_ptr == 1293840123, 2 ** (n - index(n) - 1), 0), axis=1))",
        {"AT": 1293840123},
    ),
    "grown_where": form(
        grown_where,
        "y_ptr[i] = recur[k < n, s](1, where(x_ptr[i, k] == 1293840123, wrap32(1000*s), s))",
        {"AT": 1293840123, "BY": 1000},
    ),
    "counted": form(counted, "sum(where(x_ptr == 1293840123, 1, 0), axis=1)", {"AT": 1293840123}),
    "congruential": steps(1013904223, 16),
    "congruential_by_256": steps(1013904223, 256),
    "congruential_with_another": steps(1013904225, 256, wrong=True),
    "scaled": form(scaled, TRIPLED, {"BY": 3}),
    "scaled_by_another": form(scaled, TRIPLED, {"BY": 5}, wrong=True),
    "not_wrapped": form(scaled, "y_ptr[i] = x_ptr[i]*prod[k < n](3)", {"BY": 3}, wrong=True),
    "shifted": form(shifted, DOUBLED),
    "scaled_wide": form(scaled_wide, TRIPLED, {"BY": 3}, wrong=True),
    "scaled_while": form(scaled_while, TRIPLED, {"BY": 3}),
    "scan": form(sums_plus_one, "wrap32(x_ptr[0] + sum(where(index(15) < column(index(16)), x_ptr[1:] + 1, 0), axis=1))", {"B": 16}, size=False),
    "scan_not_wrapped": form(
        sums_plus_one,
        "x_ptr[0] + sum(where(index(15) < column(index(16)), x_ptr[1:] + 1, 0), axis=1)",
        {"B": 16},
        size=False,
        wrong=True,
    ),
    **{f"often_{how}": form(as_often_as_data_says, formula, {"HOW": how}) for how, formula in OFTEN.items()},
    "often_not_wrapped": form(as_often_as_data_says, "y_ptr[i] = prod[k < x_ptr[i]](3)", {"HOW": "power"}, wrong=True),
    "often_squares_as_they_are": form(
        as_often_as_data_says, OFTEN["squares"].replace("wrap32(k ** 2)", "k ** 2"), {"HOW": "squares"}, wrong=True
    ),
    "while_data_says": form(
        while_data_says, "y_ptr[i] = sum[k < x_ptr[i]]((k ** 2) // 65536)", size=False, safety="unknown"
    ),
    "often_by_more": form(as_often_as_data_says, OFTEN["power"].replace("(3)", "(5)"), {"HOW": "power"}, wrong=True),
}
