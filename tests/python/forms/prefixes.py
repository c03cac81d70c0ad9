"""Prefixes over rows of several tiles: a scan in each tile and a carry from tile to tile, however the carry is made, is one fold over the whole row."""

import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def affine(a, b, c, d):
    return a * c, c * b + d


@triton.jit
def maxima(x_ptr, y_ptr, n, CARRY: tl.constexpr, ZERO: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    carry = 0.0 if ZERO else float("-inf")
    for start in range(0, n, BLOCK):
        inside = start + i < n
        x = tl.load(x_ptr + row * n + start + i, mask=inside, other=float("-inf"))
        scan = tl.associative_scan(x, 0, larger)
        y = tl.maximum(scan, carry)
        tl.store(y_ptr + row * n + start + i, y, mask=inside)
        if CARRY == "best of the scan":
            carry = tl.max(y, 0)
        elif CARRY == "best of the tile":
            carry = tl.maximum(carry, tl.max(x, 0))
        elif CARRY == "last lane":
            carry = tl.sum(tl.where(i == BLOCK - 1, y, 0.0), 0)
        elif CARRY == "last lane of the tile":
            carry = tl.maximum(carry, tl.max(tl.where(i == BLOCK - 1, scan, float("-inf")), 0))
        elif CARRY == "forgotten":
            carry = tl.max(x, 0)
        elif CARRY == "first lane":
            carry = tl.min(y, 0)


@triton.jit
def maxima_of_rows(x_ptr, y_ptr, m, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    carry = tl.full((ROWS, 1), float("-inf"), tl.float32)
    for start in range(0, n, BLOCK):
        inside = (row < m) & (start + i < n)
        x = tl.load(x_ptr + row * n + start + i, mask=inside, other=float("-inf"))
        y = tl.maximum(tl.associative_scan(x, 1, larger), carry)
        tl.store(y_ptr + row * n + start + i, y, mask=inside)
        carry = tl.max(y, 1)[:, None]


@triton.jit
def products(x_ptr, y_ptr, n, CARRY: tl.constexpr, PAD: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    carry = 1.0
    for start in range(0, n, BLOCK):
        inside = start + i < n
        x = tl.load(x_ptr + row * n + start + i, mask=inside, other=PAD)
        y = carry * tl.cumprod(x, 0)
        tl.store(y_ptr + row * n + start + i, y, mask=inside)
        if CARRY == "of the tile":
            carry *= tl.reduce(x, 0, product)
        elif CARRY == "last lane":
            carry = tl.sum(tl.where(i == BLOCK - 1, y, 0.0), 0)
        else:
            carry = tl.reduce(x, 0, product)


@triton.jit
def recurrences(a_ptr, x_ptr, y_ptr, n, CARRY: tl.constexpr, PAD: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    carry = 0.0
    for start in range(0, n, BLOCK):
        inside = start + i < n
        a = tl.load(a_ptr + row * n + start + i, mask=inside, other=PAD)
        x = tl.load(x_ptr + row * n + start + i, mask=inside, other=0.0)
        factor, sums = tl.associative_scan((a, x), 0, affine)
        y = factor * carry + sums
        tl.store(y_ptr + row * n + start + i, y, mask=inside)
        if CARRY == "last lane":
            carry = tl.sum(tl.where(i == BLOCK - 1, y, 0.0), 0)
        elif CARRY == "of the tile":
            carry = carry * tl.sum(tl.where(i == BLOCK - 1, factor, 0.0), 0) + tl.sum(
                tl.where(i == BLOCK - 1, sums, 0.0), 0
            )
        elif CARRY == "forgotten":
            carry = tl.sum(tl.where(i == BLOCK - 1, sums, 0.0), 0)


@triton.jit
def log_add_exp(a, b):
    top = tl.maximum(a, b)
    return top + tl.log(tl.exp(a - top) + tl.exp(b - top))


@triton.jit
def log_add_exp_of_padding(a, b):
    top = tl.maximum(a, b)
    return tl.where(top == float("-inf"), top, top + tl.log(tl.exp(a - top) + tl.exp(b - top)))


@triton.jit
def logarithms(x_ptr, y_ptr, n, CARRY: tl.constexpr, ZERO: tl.constexpr, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    carry = 0.0 if ZERO else float("-inf")
    for start in range(0, n, BLOCK):
        inside = start + i < n
        x = tl.load(x_ptr + row * n + start + i, mask=inside, other=float("-inf"))
        if GUARDED:
            scan = tl.associative_scan(x, 0, log_add_exp_of_padding)
            y = log_add_exp_of_padding(scan, carry)
        else:
            scan = tl.associative_scan(x, 0, log_add_exp)
            y = log_add_exp(scan, carry)
        tl.store(y_ptr + row * n + start + i, y, mask=inside)
        if CARRY == "last lane":
            carry = tl.sum(tl.where(i == BLOCK - 1, y, 0.0), 0)
        elif CARRY == "of the tile":
            top = tl.max(x, 0)
            carry = log_add_exp(carry, top + tl.log(tl.sum(tl.exp(x - top), 0)))
        else:
            carry = tl.sum(tl.where(i == BLOCK - 1, scan, 0.0), 0)


@triton.jit
def step_by_step(a_ptr, x_ptr, y_ptr, n):
    row = tl.program_id(0)
    y = 0.0
    for i in range(n):
        y = tl.load(a_ptr + row * n + i) * y + tl.load(x_ptr + row * n + i)
        tl.store(y_ptr + row * n + i, y)


def one(kernel, carry, formula, more=(), **form):
    types = {name: "*fp32" for name in ("a_ptr", "x_ptr", "y_ptr") if name != "a_ptr" or kernel is recurrences}
    constants = {"CARRY": carry, "BLOCK": 16, **dict(more)}
    return {"kernel": kernel, "types": {**types, "n": "i32"}, "constexprs": constants, "formula": formula, **form}


def maximum(carry, formula="cummax(x_ptr, axis=1)", zero=False, **form):
    return one(maxima, carry, formula, {"ZERO": zero}, **form)


def logs(carry, zero=False, guarded=True, **form):
    return one(logarithms, carry, "log(cumsum(exp(x_ptr), axis=1))", {"ZERO": zero, "GUARDED": guarded}, **form)


LINEAR = "recurrence(a_ptr, x_ptr, 0, axis=1)"
FORMS = {
    "maximum": maximum("best of the scan"),
    "maximum_of_tiles": maximum("best of the tile"),
    "maximum_in_the_last_lane": maximum("last lane"),
    "maximum_in_the_last_lane_of_the_tile": maximum("last lane of the tile"),
    "maximum_from_zero": maximum("best of the scan", zero=True, formula="relu(cummax(x_ptr, axis=1))"),
    "maximum_from_zero_is_another_one": maximum("best of the tile", zero=True, wrong=True),
    "maximum_forgotten": maximum("forgotten", wrong=True),
    "maximum_of_the_first_lane": maximum("first lane", wrong=True),
    "maximum_of_rows": {
        "kernel": maxima_of_rows,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "m": "i32", "n": "i32"},
        "constexprs": {"ROWS": 4, "BLOCK": 16},
        "formula": "cummax(x_ptr, axis=1)",
    },
    "product": one(products, "of the tile", "cumprod(x_ptr, axis=1)", {"PAD": 1.0}),
    "product_in_the_last_lane": one(products, "last lane", "cumprod(x_ptr, axis=1)", {"PAD": 1.0}),
    "product_of_the_tile_alone": one(products, "forgotten", "cumprod(x_ptr, axis=1)", {"PAD": 1.0}, wrong=True),
    "recurrence": one(recurrences, "last lane", LINEAR, {"PAD": 1.0}),
    "recurrence_of_tiles": one(recurrences, "of the tile", LINEAR, {"PAD": 1.0}),
    "recurrence_padded_with_zeros": one(recurrences, "last lane", LINEAR, {"PAD": 0.0}),
    "recurrence_of_the_tile_alone": one(recurrences, "forgotten", LINEAR, {"PAD": 1.0}, wrong=True),
    "logarithm": logs("last lane"),
    "logarithm_of_tiles": logs("of the tile"),
    "logarithm_of_padding": logs("last lane", guarded=False),
    "logarithm_of_tiles_of_padding": logs("of the tile", guarded=False),
    "logarithm_from_zero": logs("last lane", zero=True, wrong=True),
    "logarithm_forgotten": logs("scan", wrong=True),
    "step_by_step": {
        "kernel": step_by_step,
        "types": {"a_ptr": "*fp32", "x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {},
        "formula": LINEAR,
    },
}
