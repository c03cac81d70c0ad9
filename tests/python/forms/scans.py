"""Scans by regions that are no monoid of numbers: proved associative, folded from the left, and proved by induction along the axis."""

import triton
import triton.language as tl


@triton.jit
def segmented(f, v, g, w):
    return f | g, tl.where(g, w, v + w)


@triton.jit
def not_associative(f, v, g, w):
    return f | g, tl.where(f, w, v + w)


@triton.jit
def last_valid(f, v, g, w):
    return f | g, tl.where(g, w, v)


@triton.jit
def later_best(a, i, b, j):
    later = b >= a
    return tl.where(later, b, a), tl.where(later, j, i)


@triton.jit
def first_best(a, i, b, j):
    later = b > a
    return tl.where(later, b, a), tl.where(later, j, i)


@triton.jit
def not_best(a, i, b, j):
    later = b > a
    return tl.where(later, b, a), tl.where(later, i, j)


@triton.jit
def max_plus(a, b, c, d):
    return a + c, tl.maximum(b + c, d)


@triton.jit
def not_max_plus(a, b, c, d):
    return a + c, tl.maximum(b + a, d)


@triton.jit
def rescaled(m, s, n, t):
    top = tl.maximum(m, n)
    return top, s * tl.exp(m - top) + t * tl.exp(n - top)


@triton.jit
def not_rescaled(m, s, n, t):
    top = tl.maximum(m, n)
    return top, s * tl.exp(m - top) + t


@triton.jit
def log_add_exp(a, b):
    top = tl.maximum(a, b)
    return top + tl.log(tl.exp(a - top) + tl.exp(b - top))


@triton.jit
def no_log_add_exp(a, b):
    top = tl.maximum(a, b)
    return top + tl.log(tl.exp(a - top) + 2 * tl.exp(b - top))


@triton.jit
def log_add_exp_of_padding(a, b):
    top = tl.maximum(a, b)
    return tl.where(top == float("-inf"), top, top + tl.log(tl.exp(a - top) + tl.exp(b - top)))


@triton.jit
def log_add_exp_from_zero(a, b):
    top = tl.maximum(a, b)
    return tl.where(top == float("-inf"), 0.0, top + tl.log(tl.exp(a - top) + tl.exp(b - top)))


@triton.jit
def of_larger_size(a, b):
    return tl.where(tl.abs(a) > tl.abs(b), a, b)


@triton.jit
def of_larger_size_then_value(a, b):
    return tl.where((tl.abs(a) > tl.abs(b)) | ((tl.abs(a) == tl.abs(b)) & (a > b)), a, b)


@triton.jit
def of_larger_size_than_the_other(a, b):
    return tl.where(tl.abs(a) > b, a, b)


@triton.jit
def of_padding(x_ptr, y_ptr, n, KIND: tl.constexpr, REDUCE: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=float("-inf"))
    if KIND == 0:
        y = tl.reduce(x, 0, log_add_exp) if REDUCE else tl.associative_scan(x, 0, log_add_exp)
    elif KIND == 1:
        y = tl.reduce(x, 0, log_add_exp_of_padding) if REDUCE else tl.associative_scan(x, 0, log_add_exp_of_padding)
    else:
        y = tl.reduce(x, 0, log_add_exp_from_zero) if REDUCE else tl.associative_scan(x, 0, log_add_exp_from_zero)
    if REDUCE:
        tl.store(y_ptr + row, y)
    else:
        tl.store(y_ptr + row * n + i, y, mask=i < n)


@triton.jit
def of_sizes(x_ptr, y_ptr, n, KIND: tl.constexpr, REDUCE: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    if KIND == 0:
        y = tl.reduce(x, 0, of_larger_size) if REDUCE else tl.associative_scan(x, 0, of_larger_size)
    elif KIND == 1:
        y = (
            tl.reduce(x, 0, of_larger_size_then_value)
            if REDUCE
            else tl.associative_scan(x, 0, of_larger_size_then_value)
        )
    else:
        y = (
            tl.reduce(x, 0, of_larger_size_than_the_other)
            if REDUCE
            else tl.associative_scan(x, 0, of_larger_size_than_the_other)
        )
    if REDUCE:
        tl.store(y_ptr + row, y)
    else:
        tl.store(y_ptr + row * n + i, y, mask=i < n)


@triton.jit
def flags_of_integers(f, v, g, w):
    return f | g, tl.where(g != 0, w, v + w)


@triton.jit
def of_numbers(x_ptr, flag_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    flag = tl.load(flag_ptr + row * n + i, mask=i < n, other=0)
    if KIND == 0:
        y = tl.associative_scan(x, 0, log_add_exp)
    elif KIND == 1:
        y = tl.associative_scan(x, 0, no_log_add_exp)
    else:
        _, y = tl.associative_scan((flag, x), 0, flags_of_integers)
    tl.store(y_ptr + row * n + i, y, mask=i < n)


@triton.jit
def by_flags(x_ptr, flag_ptr, y_ptr, n, KIND: tl.constexpr, REVERSE: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    flag = tl.load(flag_ptr + row * n + i, mask=i < n, other=0) != 0
    if KIND == 0:
        _, y = tl.associative_scan((flag, x), 0, segmented, reverse=REVERSE)
    elif KIND == 1:
        _, y = tl.associative_scan((flag, x), 0, not_associative, reverse=REVERSE)
    else:
        _, y = tl.associative_scan((flag, x), 0, last_valid, reverse=REVERSE)
    tl.store(y_ptr + row * n + i, y, mask=i < n)


@triton.jit
def with_places(x_ptr, y_ptr, n, PAD: tl.constexpr, KIND: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=(i < n) & (i >= PAD), other=float("-inf"))
    if KIND == 0:
        _, y = tl.associative_scan((x, i), 0, later_best)
    elif KIND == 1:
        _, y = tl.associative_scan((x, i), 0, first_best)
    else:
        _, y = tl.associative_scan((x, i), 0, not_best)
    tl.store(y_ptr + row * n + i, y, mask=i < n)


@triton.jit
def of_rows(x_ptr, y_ptr, m, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    inside = (row < m) & (i < n)
    x = tl.load(x_ptr + row * n + i, mask=inside, other=0.0)
    _, y = tl.associative_scan((x, tl.broadcast_to(i, (ROWS, BLOCK))), 1, first_best)
    tl.store(y_ptr + row * n + i, y, mask=inside)


@triton.jit
def of_pairs(x_ptr, z_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
    z = tl.load(z_ptr + row * n + i, mask=i < n, other=0.0)
    if KIND == 0:
        _, y = tl.associative_scan((x, z), 0, max_plus)
    elif KIND == 1:
        _, y = tl.associative_scan((x, z), 0, not_max_plus)
    elif KIND == 2:
        _, y = tl.associative_scan((x, z), 0, rescaled)
    else:
        _, y = tl.associative_scan((x, z), 0, not_rescaled)
    tl.store(y_ptr + row * n + i, y, mask=i < n)


def flags(kind, formula, reverse=False, **more):
    return {
        "kernel": by_flags,
        "types": {"x_ptr": "*fp32", "flag_ptr": "*i32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"KIND": kind, "REVERSE": reverse, "BLOCK": 128},
        "formula": formula,
        **more,
    }


def numbers(kind, formula, **more):
    return {
        "kernel": of_numbers,
        "types": {"x_ptr": "*fp32", "flag_ptr": "*i32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"KIND": kind, "BLOCK": 128},
        "formula": formula,
        **more,
    }


def padding(kind, formula, reduce=False, kernel=of_padding, **more):
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"KIND": kind, "REDUCE": reduce, "BLOCK": 16},
        "formula": formula,
        **more,
    }


def places(kind, formula, pad=0, **more):
    return {
        "kernel": with_places,
        "types": {"x_ptr": "*fp32", "y_ptr": "*i32", "n": "i32"},
        "constexprs": {"PAD": pad, "KIND": kind, "BLOCK": 128},
        "formula": formula,
        **more,
    }


def pairs(kind, formula, **more):
    return {
        "kernel": of_pairs,
        "types": {"x_ptr": "*fp32", "z_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"KIND": kind, "BLOCK": 128},
        "formula": formula,
        **more,
    }


SEGMENTS = (
    "y_ptr[i, j] = sum[k2 < j, all[k2 + 1 <= k < j](flag_ptr[i, k + 1] == 0)](x_ptr[i, k2 + 1]) + where(all[k <"
    " j](flag_ptr[i, k + 1] == 0), x_ptr[i, 0], 0)"
)
SEGMENTS_BACK = (
    "y_ptr[i, j] = sum[k2 < 127 - j - max(0, 127 - n), all[k < k2](flag_ptr[i, j + k] == 0)](x_ptr[i, j + k2]) +"
    " where(n >= 128 and all[k < 127 - j](flag_ptr[i, j + k] == 0 or n <= j + k), x_ptr[i, 127], 0)"
)
VALID = (
    "where(any((expand(flag_ptr[:, 1:], 1) != 0) & (index(n - 1) < column(index(n))), axis=2),"
    " x_ptr[expand(column(index(grid_x)), 2), max(where((expand(flag_ptr[:, 1:], 1) != 0) & (index(n - 1) <"
    " column(index(n))), index(n - 1), -inf), axis=2) + 1], expand(column(x_ptr[:, 0]), 2))"
)
LATER = (
    "max(where((expand(x_ptr, 1) == cummax(expand(x_ptr, 2), axis=1)) & (index(n) <= column(index(n))), index(n),"
    " -inf), axis=2)"
)
PLUS = (
    "max(where(index(n) <= expand(column(index(n)), 2), sum(where((index(n) <= column(index(n - 1))) & expand(index(n"
    " - 1) < column(index(n)), 2), expand(expand(x_ptr[:, 1:], 1), 3), 0), axis=2) + expand(expand(z_ptr, 1),"
    " 2), -inf), axis=3)"
)
RESCALED = (
    "sum(where(index(n) <= column(index(n)), exp(expand(x_ptr, 1) - cummax(expand(x_ptr, 2), axis=1)) * expand(z_ptr,"
    " 1), 0), axis=2)"
)
FIRST = "argmax(where(index(n) <= column(index(n)), expand(x_ptr, 1), -inf), axis=2)"
SIZES = "y_ptr[i, j] = recur[k < j, s](x_ptr[i, 0], where(abs(x_ptr[i, k + 1]) < abs(s), s, x_ptr[i, k + 1]))"
SIZES_THEN_VALUES = (
    "y_ptr[i, j] = recur[k < j, s](x_ptr[i, 0], where(abs(x_ptr[i, k + 1]) < abs(s) or x_ptr[i, k + 1] < s and abs(s)"
    " == abs(x_ptr[i, k + 1]), s, x_ptr[i, k + 1]))"
)
FORMS = {
    "log_add_exp": numbers(0, "log(cumsum(exp(x_ptr), axis=1))"),
    "log_add_exp_of_padding": padding(0, "log(cumsum(exp(x_ptr), axis=1))"),
    "log_add_exp_where_padding_is_asked_for": padding(1, "log(cumsum(exp(x_ptr), axis=1))"),
    "log_add_exp_of_padding_from_zero": padding(2, "log(cumsum(exp(x_ptr), axis=1))"),
    "log_add_exp_reduced": padding(1, "logsumexp(x_ptr, axis=1)", reduce=True),
    "two_that_are_padding_have_no_sum": padding(0, "", reduce=True, unsafe=True),
    "two_that_are_padding_are_zero": padding(2, "logsumexp(x_ptr, axis=1)", reduce=True, wrong=True),
    "of_larger_size": padding(0, SIZES, kernel=of_sizes),
    "of_larger_size_reduced": padding(
        0, "", kernel=of_sizes, reduce=True, says=["depends on the order", "f(1, -1) = -1"]
    ),
    "of_larger_size_then_value": padding(1, SIZES_THEN_VALUES, kernel=of_sizes),
    "of_larger_size_then_value_is_not_size": padding(1, SIZES, kernel=of_sizes, wrong=True),
    "of_larger_size_than_value": padding(2, "", kernel=of_sizes, wrong=True),
    "no_log_add_exp": numbers(1, "", wrong=True),
    "flags_of_integers": numbers(2, SEGMENTS),
    "segmented": flags(0, SEGMENTS),
    "segmented_reversed": flags(0, SEGMENTS_BACK, reverse=True),
    "segmented_the_other_way": flags(0, SEGMENTS, reverse=True, wrong=True),
    "not_associative": flags(1, "", says=["depends on the order", "f(f("]),
    "last_valid": flags(2, VALID),
    "last_valid_is_no_sum": flags(2, SEGMENTS, wrong=True),
    "later_best": places(0, LATER),
    "first_best": places(1, FIRST),
    "later_is_not_first": places(0, FIRST, wrong=True),
    "later_of_rows_that_begin_with_padding": places(0, LATER, pad=3, wrong=True),
    "of_rows": {
        "kernel": of_rows,
        "types": {"x_ptr": "*fp32", "y_ptr": "*i32", "m": "i32", "n": "i32"},
        "constexprs": {"ROWS": 4, "BLOCK": 128},
        "formula": FIRST,
    },
    "not_best": places(2, FIRST, wrong=True),
    "max_plus": pairs(0, PLUS),
    "not_max_plus": pairs(1, "", says=["depends on the order"]),
    "rescaled": pairs(2, RESCALED),
    "not_rescaled": pairs(3, "", wrong=True),
}
