"""Loops whose values have closed forms that are no plain folds."""

import triton
import triton.language as tl


@triton.jit
def polynomial_hash(x_ptr, y_ptr, n, START: tl.constexpr, FACTOR: tl.constexpr):
    row = tl.program_id(0)
    h = START
    for i in range(0, n):
        h = h * FACTOR + tl.load(x_ptr + row * n + i)
    tl.store(y_ptr + row, h)


@triton.jit
def exclusive_or(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    h = 0
    for i in range(0, n):
        h = h ^ tl.load(x_ptr + row * n + i)
    tl.store(y_ptr + row, h)


@triton.jit
def two_places(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    a, b = tl.load(x_ptr + 2 * row), tl.load(x_ptr + 2 * row + 1)
    for _ in range(0, n):
        a, b = b, a
    tl.store(y_ptr + row, a)


@triton.jit
def three_places(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    a, b, c = tl.load(x_ptr + 3 * row), tl.load(x_ptr + 3 * row + 1), tl.load(x_ptr + 3 * row + 2)
    for _ in range(0, n):
        a, b, c = b, c, a
    tl.store(y_ptr + row, a)


@triton.jit
def three_places_back(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    a, b, c = tl.load(x_ptr + 3 * row), tl.load(x_ptr + 3 * row + 1), tl.load(x_ptr + 3 * row + 2)
    for _ in range(0, n):
        a, b, c = c, a, b
    tl.store(y_ptr + row, a)


@triton.jit
def waiting_time(x_ptr, y_ptr, n, FLOOR: tl.constexpr):
    row = tl.program_id(0)
    s = 0.0
    for i in range(0, n):
        s = tl.maximum(s + tl.load(x_ptr + row * n + i), FLOOR)
    tl.store(y_ptr + row, s)


@triton.jit
def clipped_sum(x_ptr, y_ptr, n, LOW: tl.constexpr):
    row = tl.program_id(0)
    s = 0.0
    for i in range(0, n):
        s = tl.minimum(tl.maximum(s + tl.load(x_ptr + row * n + i), LOW), 1.0)
    tl.store(y_ptr + row, s)


@triton.jit
def clipped_at_each_step(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    s = 0.0
    for i in range(0, n):
        s = tl.minimum(tl.maximum(s + tl.load(x_ptr + row * n + i), -1.0), 1.0)
        tl.store(y_ptr + row * n + i, s)


@triton.jit
def mixed_hash(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    h = 17
    for i in range(0, n):
        h = (h ^ tl.load(x_ptr + row * n + i)) * 16777619
    tl.store(y_ptr + row, h)


@triton.jit
def hash_mixed_later(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    h = 17
    for i in range(0, n):
        h = (h * 16777619) ^ tl.load(x_ptr + row * n + i)
    tl.store(y_ptr + row, h)


@triton.jit
def halving(x_ptr, y_ptr, n, UP: tl.constexpr):
    """The square root of x, between 0 and 1."""
    row = tl.program_id(0)
    x, low, high = tl.load(x_ptr + row), 0.0, 1.0
    for _ in range(0, n):
        middle = 0.5 * (low + high)
        below = middle * middle < x
        low = tl.where(below == UP, middle, low)
        high = tl.where(below == UP, high, middle)
    tl.store(y_ptr + row, low)


@triton.jit
def two_clipped(x_ptr, y_ptr, n):
    """The second value goes its own way, and the first takes it at each step."""
    row = tl.program_id(0)
    s, factor = 0.0, 1.0
    for i in range(0, n):
        x = tl.load(x_ptr + row * n + i)
        s = tl.minimum(s * factor + x, 1.0)
        factor = tl.maximum(tl.minimum(0.5 * factor + x, 2.0), -2.0)
    tl.store(y_ptr + row, s)


@triton.jit
def newton(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row)
    s = x
    for _ in range(0, n):
        s = 0.5 * (s + x / s)
    tl.store(y_ptr + row, s)


@triton.jit
def replaced_once(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    first = -1
    for i in range(0, n):
        if first < 0:
            if tl.load(x_ptr + row * n + i) > 0:
                first = i
    tl.store(y_ptr + row, first)


@triton.jit
def log_add_exp(x_ptr, y_ptr, n, WRONG: tl.constexpr):
    row = tl.program_id(0)
    s = tl.load(x_ptr + row * n)
    for i in range(1, n):
        x = tl.load(x_ptr + row * n + i)
        top = tl.maximum(s, x)
        s = top + tl.log(tl.exp(s - top) + tl.exp(x - (s if WRONG else top)))
    tl.store(y_ptr + row, s)


@triton.jit
def decayed_log_add_exp(x_ptr, y_ptr, n):
    row = tl.program_id(0)
    s = float("-inf")
    for i in range(0, n):
        x = tl.load(x_ptr + row * n + i)
        top = tl.maximum(s, x)
        s = top + tl.log(0.5 * tl.exp(s - top) + tl.exp(x - top))
    tl.store(y_ptr + row, s)


def form(kernel, dtype, formula, **more):
    constexprs = more.pop("constexprs", {})
    return {
        "kernel": kernel,
        "types": {"x_ptr": f"*{dtype}", "y_ptr": f"*{dtype}", "n": "i32"},
        "constexprs": constexprs,
        "formula": formula,
        **more,
    }


HASH = "wrap32(sum(x_ptr * 31 ** (n - index(n) - 1), axis=1) + 7 * 31 ** n)"
TURN = "where(maximum(n, 0) % 3 == 0, x_ptr[::3], where(maximum(n, 0) % 3 == 1, x_ptr[1::3], x_ptr[2::3]))"
WAIT = "max(sum(where(expand(column(index(n + 1)), 2) <= index(n), x_ptr, 0), axis=2), axis=0)"
CLIPPED = "y_ptr[i] = recur[k < n, s](0, min(1, max(-1, s + x_ptr[i, k])))"
EACH = "y_ptr[i, j] = recur[k < j + 1, s](0, min(1, max(-1, s + x_ptr[i, k])))"
MIXED = "y_ptr[i] = recur[k < n, s](17, wrap32(16777619*bitxor(s, x_ptr[i, k])))"
HALVED = (
    "y_ptr[i] = recur[k < n, s, u](0, 1, where(0.25*(s + u) ** 2 < x_ptr[i], 0.5*(s + u), s), where(0.25*(s + u) ** 2"
    " < x_ptr[i], u, 0.5*(s + u)))"
)
FORMS = {
    "log_add_exp": form(log_add_exp, "fp32", "logsumexp(x_ptr, axis=1)", constexprs={"WRONG": False}),
    "no_log_add_exp": form(log_add_exp, "fp32", "logsumexp(x_ptr, axis=1)", constexprs={"WRONG": True}, wrong=True),
    "decayed_log_add_exp": form(
        decayed_log_add_exp,
        "fp32",
        "log(sum(exp(x_ptr) * 0.5 ** (n - index(n) - 1), axis=1))",
    ),
    "clipped": form(clipped_sum, "fp32", CLIPPED, constexprs={"LOW": -1.0}),
    "clipped_elsewhere": form(clipped_sum, "fp32", CLIPPED, constexprs={"LOW": -2.0}, wrong=True),
    "clipped_at_each_step": form(clipped_at_each_step, "fp32", EACH),
    "mixed_hash": form(mixed_hash, "i32", MIXED),
    "hash_mixed_later": form(hash_mixed_later, "i32", MIXED, wrong=True),
    "halving": form(halving, "fp32", HALVED, constexprs={"UP": True}),
    "halving_away": form(halving, "fp32", HALVED, constexprs={"UP": False}, wrong=True),
    "two_clipped": form(
        two_clipped,
        "fp32",
        "y_ptr[i] = recur[k2 < n, s2](0, min(1, x_ptr[i, k2] + s2*recur[k < k2, s](1, max(-2, min(0.5*s + x_ptr[i, k],"
        " 2)))))",
    ),
    "newton": form(newton, "fp32", "", unproved=True),
    "replaced_once": form(
        replaced_once, "i32", "y_ptr[i] = recur[k < n, s](-1, where(s < 0 and x_ptr[i, k] > 0, k, s))"
    ),
    "hash": form(polynomial_hash, "i32", HASH, constexprs={"START": 7, "FACTOR": 31}),
    "hash_from_nothing": form(
        polynomial_hash,
        "i32",
        "wrap32(sum(x_ptr * 131 ** (n - index(n) - 1), axis=1))",
        constexprs={"START": 0, "FACTOR": 131},
    ),
    "another_hash": form(polynomial_hash, "i32", HASH, constexprs={"START": 7, "FACTOR": 33}, wrong=True),
    "exclusive_or": form(exclusive_or, "i32", "xor(x_ptr, axis=1)"),
    "two_places": form(two_places, "fp32", "where(maximum(n, 0) % 2 == 0, x_ptr[::2], x_ptr[1::2])"),
    "three_places": form(three_places, "fp32", TURN),
    "three_places_back": form(three_places_back, "fp32", TURN, wrong=True),
    "waiting_time": form(waiting_time, "fp32", WAIT, constexprs={"FLOOR": 0.0}),
    "waiting_time_from_below": form(waiting_time, "fp32", WAIT, constexprs={"FLOOR": -1.0}, wrong=True),
}
