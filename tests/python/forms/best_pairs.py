"""The best and its place as one pair, with the tie rule in the region: as compiled code of arg max has it, tests for NaN included, put together from lanes and tiles."""

import triton
import triton.language as tl


@triton.jit
def largest(a, i, b, j):
    better, equal = a > b, a == b
    a_is_nan, b_is_nan = a != a, b != b
    better |= a_is_nan & (not b_is_nan)
    equal |= a_is_nan & b_is_nan
    better |= equal & (i < j)
    return tl.where(better, a, b), tl.where(better, i, j)


@triton.jit
def smallest(a, i, b, j):
    better = (a < b) | ((a == b) & (i < j))
    return tl.where(better, a, b), tl.where(better, i, j)


@triton.jit
def largest_of_last(a, i, b, j):
    better = (a > b) | ((a == b) & (i > j))
    return tl.where(better, a, b), tl.where(better, i, j)


@triton.jit
def tied_by_order(a, i, b, j):
    better = (a > b) | ((a == b) & (i < j))
    return tl.where(better, a, b), tl.where(a > b, i, j)


@triton.jit
def of_lanes(x_ptr, y_ptr, n, LEAST: tl.constexpr, REGION: tl.constexpr, NONE: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    nothing: tl.constexpr = float("inf") if LEAST else float("-inf")
    best, place = tl.full((BLOCK,), nothing, tl.float32), tl.full((BLOCK,), NONE, tl.int32)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + row * n + start + i, mask=start + i < n, other=nothing)
        better = x < best if LEAST else x > best
        place = tl.where(better, start + i, place)
        best = tl.where(better, x, best)
    if REGION == "largest":
        _, y = tl.reduce((best, place), 0, largest)
    elif REGION == "smallest":
        _, y = tl.reduce((best, place), 0, smallest)
    elif REGION == "last":
        _, y = tl.reduce((best, place), 0, largest_of_last)
    else:
        _, y = tl.reduce((best, place), 0, tied_by_order)
    tl.store(y_ptr + row, y)


@triton.jit
def of_tiles(x_ptr, y_ptr, z_ptr, n, COMBINE: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    best, place = float("-inf"), 2147483647
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + row * n + start + i, mask=start + i < n, other=float("-inf"))
        tile, inside = tl.reduce((x, start + i), 0, largest)
        if COMBINE == "so far and tile":
            best, place = largest(best, place, tile, inside)
        elif COMBINE == "tile and so far":
            best, place = largest(tile, inside, best, place)
        else:
            best, place = largest_of_last(best, place, tile, inside)
    tl.store(y_ptr + row, best)
    tl.store(z_ptr + row, place)


@triton.jit
def compiled(x_ptr, y_ptr, m, n, MASKED: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row, lane = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None], tl.arange(0, BLOCK)[None, :]
    best = tl.full([ROWS, BLOCK], float("-inf"), tl.float32)
    place = tl.full([ROWS, BLOCK], 2147483647, tl.int32)
    for start in range(0, n, BLOCK):
        column = start + lane
        inside = (column < n) & (row < m)
        x = tl.broadcast_to(tl.load(x_ptr + (column + n * row), inside, other=0.0), [ROWS, BLOCK])
        next_best, next_place = largest(best, place, x, tl.broadcast_to(column, [ROWS, BLOCK]))
        best = tl.where(inside, next_best, best) if MASKED else next_best
        place = tl.where(inside, next_place, place) if MASKED else next_place
    _, y = tl.reduce((best, place), 1, largest)
    tl.store(y_ptr + row, y[:, None].to(tl.int64), row < m)


def tiles(combine, formula, **form):
    return {
        "kernel": of_tiles,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "z_ptr": "*i32", "n": "i32"},
        "constexprs": {"COMBINE": combine, "BLOCK": 16},
        "formula": formula,
        **form,
    }


def compiled_sum(masked, formula, **form):
    return {
        "kernel": compiled,
        "types": {"x_ptr": "*fp32", "y_ptr": "*i64", "m": "i32", "n": "i32"},
        "constexprs": {"MASKED": masked, "ROWS": 4, "BLOCK": 16},
        "formula": formula,
        **form,
    }


def lanes(region, formula, least=False, none=2147483647, **form):
    return {
        "kernel": of_lanes,
        "types": {"x_ptr": "*fp32", "y_ptr": "*i32", "n": "i32"},
        "constexprs": {"LEAST": least, "REGION": region, "NONE": none, "BLOCK": 16},
        "formula": formula,
        **form,
    }


FORMS = {
    "arg_max": lanes("largest", "argmax(x_ptr, axis=1)"),
    "arg_max_from_zero": lanes("largest", "argmax(x_ptr, axis=1)", none=0),
    "arg_min": lanes("smallest", "argmin(x_ptr, axis=1)", least=True),
    "largest_of_the_least": lanes("largest", "argmin(x_ptr, axis=1)", least=True, wrong=True),
    "first_of_lanes_last_of_all": lanes("last", "argmax(x_ptr, axis=1)", wrong=True),
    "tiles": tiles("so far and tile", ["max(x_ptr, axis=1)", "argmax(x_ptr, axis=1)"]),
    "tiles_turned": tiles("tile and so far", ["max(x_ptr, axis=1)", "argmax(x_ptr, axis=1)"]),
    "last_of_tiles": tiles("last", "argmax(x_ptr, axis=1)", wrong=True),
    "compiled": compiled_sum(True, "argmax(x_ptr, axis=1)"),
    "compiled_without_mask": compiled_sum(False, "argmax(x_ptr, axis=1)", wrong=True),
    "ties_by_order": lanes("by order", "", says=["depends on the order"]),
}
