"""Conditions on quotients and remainders by literals: two halves told apart by a quotient are a concat, every second place is asked by
its remainder, and an axis that runs backwards is x[::-1]."""

import triton
import triton.language as tl


@triton.jit
def joined(x_ptr, y_ptr, out_ptr, HOW: tl.constexpr, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, PARTS * BLOCK)
    part, place = i // BLOCK, i % BLOCK
    x, y = tl.load(x_ptr + place), tl.load(y_ptr + place)
    if HOW == "first":
        first = part == 0
    elif HOW == "last":
        first = part == PARTS - 1
    else:
        first = part == 1
    tl.store(out_ptr + i, tl.where(first, x, y))


@triton.jit
def dealt(x_ptr, y_ptr, out_ptr, n, EVERY: tl.constexpr, REST: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + i, mask=i < n), tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, tl.where(i % EVERY == REST, x, y), mask=i < n)


@triton.jit
def turned(x_ptr, out_ptr, n, stride, AXIS: tl.constexpr, LAST: tl.constexpr, BLOCK: tl.constexpr):
    row, rows = tl.program_id(0), tl.num_programs(0)
    i = tl.arange(0, BLOCK)
    if AXIS == 0:
        x = tl.load(x_ptr + (rows - LAST - row) * stride + i, mask=i < n)
    else:
        x = tl.load(x_ptr + row * stride + n - LAST - i, mask=i < n)
    tl.store(out_ptr + row * n + i, x, mask=i < n)


POINTERS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "out_ptr": "*fp32"}
ROWS = {"x_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32", "stride": "i32"}


def parts(count, how, formula, **more):
    return {
        "kernel": joined,
        "types": POINTERS,
        "constexprs": {"HOW": how, "PARTS": count, "BLOCK": 16},
        "formula": formula,
        **more,
    }


def every(many, rest, formula, **more):
    return {
        "kernel": dealt,
        "types": {**POINTERS, "n": "i32"},
        "constexprs": {"EVERY": many, "REST": rest, "BLOCK": 64},
        "formula": formula,
        **more,
    }


def backwards(axis, last, formula, **more):
    return {
        "kernel": turned,
        "types": ROWS,
        "constexprs": {"AXIS": axis, "LAST": last, "BLOCK": 64},
        "formula": formula,
        **more,
    }


FORMS = {
    "two": parts(2, "first", "concat(x_ptr, y_ptr, axis=0)"),
    "two_turned": parts(2, "last", "concat(y_ptr, x_ptr, axis=0)"),
    "two_confused": parts(2, "last", "concat(x_ptr, y_ptr, axis=0)", wrong=True),
    "first": parts(4, "first", "concat(x_ptr, take(y_ptr, index(48) % 16, axis=0), axis=0)"),
    "last": parts(4, "last", "concat(take(y_ptr, index(48) % 16, axis=0), x_ptr, axis=0)"),
    "not_first": parts(4, "second", "concat(x_ptr, take(y_ptr, index(48) % 16, axis=0), axis=0)", wrong=True),
    "second_place": every(2, 1, "where(index(n) % 2 == 1, x_ptr, y_ptr)"),
    "third_place": every(3, 0, "where(index(n) % 3 == 0, x_ptr, y_ptr)"),
    "other_place": every(3, 1, "where(index(n) % 3 == 0, x_ptr, y_ptr)", wrong=True),
    "rows": backwards(0, 1, "x_ptr[::-1]"),
    "columns": backwards(1, 1, "x_ptr[:, ::-1]"),
    "columns_beyond": backwards(1, 0, "x_ptr[:, ::-1]", wrong=True),
}
