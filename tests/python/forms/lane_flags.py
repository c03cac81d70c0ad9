"""A flag for each lane, set by `or` (or kept by `and`) in a loop over tiles, and put together behind it: one any, or one all, of the row."""

import triton
import triton.language as tl


@triton.jit
def _or(a, b):
    return a | b


@triton.jit
def flagged(x_ptr, y_ptr, n, v, HOW: tl.constexpr, END: tl.constexpr, LESS: tl.constexpr, BLOCK: tl.constexpr):
    """HOW the flag is kept from tile to tile, and at the END for all lanes."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    if HOW == "int":
        found = tl.zeros([BLOCK], tl.int32)
    else:
        found = tl.zeros([BLOCK], tl.int1)
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + row * n + at, mask=at < n - LESS, other=float("inf"))
        if HOW == "or":
            found = found | (x < v)
        elif HOW == "where":
            found = tl.where(x < v, True, found)
        elif HOW == "int":
            found = found | (x < v).to(tl.int32)
        elif HOW == "last":
            found = x < v
    if END == "max":
        tl.store(y_ptr + row, tl.max(found.to(tl.int32), 0))
    elif END == "positive":
        tl.store(y_ptr + row, (tl.max(found.to(tl.int32), 0) > 0).to(tl.int32))
    elif END == "sum":
        tl.store(y_ptr + row, (tl.sum(found.to(tl.int32), 0) > 0).to(tl.int32))
    elif END == "or":
        tl.store(y_ptr + row, tl.reduce(found, 0, _or).to(tl.int32))


@triton.jit
def kept(x_ptr, y_ptr, n, v, END: tl.constexpr, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    good = tl.full([BLOCK], 1, tl.int1)
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=OTHER)
        good = good & (x < v)
    if END == "min":
        tl.store(y_ptr + row, tl.min(good.to(tl.int32), 0))
    elif END == "max":
        tl.store(y_ptr + row, tl.max(good.to(tl.int32), 0))
    elif END == "not":
        tl.store(y_ptr + row, 1 - tl.max((~good).to(tl.int32), 0))


@triton.jit
def scalar(x_ptr, y_ptr, n, v, LESS: tl.constexpr, BLOCK: tl.constexpr):
    """One flag: each tile is put together by itself."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    found = False
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + row * n + at, mask=at < n - LESS, other=float("inf"))
        found = found | (tl.max((x < v).to(tl.int32), 0) > 0)
    tl.store(y_ptr + row, found.to(tl.int32))


TYPES = {"x_ptr": "*fp32", "y_ptr": "*i32", "n": "i32", "v": "fp32"}
SHAPE = ("--shape", "x_ptr=M,n")
ANY = "where(any(x_ptr < v, axis=1), 1, 0)"
ALL = "where(all(x_ptr < v, axis=1), 1, 0)"


def flag(how, end, less=0, **more):
    return {
        "kernel": flagged,
        "types": TYPES,
        "constexprs": {"HOW": how, "END": end, "LESS": less, "BLOCK": 64},
        "formula": ANY,
        "flags": SHAPE,
        **more,
    }


def of_all(end, other=float("-inf"), **more):
    return {
        "kernel": kept,
        "types": TYPES,
        "constexprs": {"END": end, "OTHER": other, "BLOCK": 64},
        "formula": ALL,
        "flags": SHAPE,
        **more,
    }


def of_tiles(less=0, **more):
    return {
        "kernel": scalar,
        "types": TYPES,
        "constexprs": {"LESS": less, "BLOCK": 64},
        "formula": ANY,
        "flags": SHAPE,
        **more,
    }


FORMS = {
    "or_max": flag("or", "max"),
    "or_positive": flag("or", "positive"),
    "or_sum": flag("or", "sum"),
    "or_or": flag("or", "or"),
    "where_max": flag("where", "max"),
    "int_max": flag("int", "max"),
    "or_less": flag("or", "max", less=1, wrong=True),
    "last_max": flag("last", "max", wrong=True),
    "and_min": of_all("min"),
    "and_not": {**of_all("not"), "formula": "1 - where(all(x_ptr < v, axis=1), 0, 1)"},
    "and_max": of_all("max", wrong=True),
    "and_padding": of_all("min", other=float("inf"), wrong=True),
    "tiles": of_tiles(),
    "tiles_less": of_tiles(less=1, wrong=True),
}
