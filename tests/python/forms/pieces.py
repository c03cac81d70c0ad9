"""Stores that are written as several, and loads between them: one store under the union of the masks, where that is shown, and
what a load sees behind the first of them."""

import triton
import triton.language as tl


@triton.jit
def thirds(x_ptr, y_ptr, n, ORDER: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    i = tl.program_id(0) * BLOCK + lanes
    mask = i < n
    x = 2 * tl.load(x_ptr + i, mask=mask)
    low = lanes < BLOCK // 4
    middle = (lanes >= BLOCK // 4) & (lanes < BLOCK // 2)
    high = lanes >= BLOCK // 2
    for k in tl.static_range(3):
        if (k + ORDER) % 3 == 0:
            tl.store(y_ptr + i, x, mask=mask & low)
        elif (k + ORDER) % 3 == 1:
            tl.store(y_ptr + i, x, mask=mask & (high if ORDER >= 3 else middle))
        else:
            tl.store(y_ptr + i, x, mask=mask & (middle if ORDER >= 3 else high))


@triton.jit
def parts(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    i = tl.program_id(0) * BLOCK + lanes
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    if HOW == "overlap":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes < 100))
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes >= 50))
    if HOW == "parity":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes % 2 == 0))
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes % 2 == 1))
    if HOW == "argument":
        tl.store(y_ptr + i, 2 * x, mask=i < min(n, n // 2))
        tl.store(y_ptr + i, 2 * x, mask=mask & (i >= n // 2))
    if HOW == "data":
        tl.store(y_ptr + i, 2 * x, mask=mask & (x < 0))
        tl.store(y_ptr + i, 2 * x, mask=mask & (x >= 0))
    if HOW == "program":
        if tl.program_id(0) % 2 == 0:
            tl.store(y_ptr + i, 2 * x, mask=mask)
        else:
            tl.store(y_ptr + i, 2 * x, mask=mask)
    if HOW == "ranges":
        half = tl.arange(0, BLOCK // 2)
        j = tl.program_id(0) * BLOCK + half
        tl.store(y_ptr + j, 2 * tl.load(x_ptr + j, mask=j < n), mask=j < n)
        k = j + BLOCK // 2
        tl.store(y_ptr + k, 2 * tl.load(x_ptr + k, mask=k < n), mask=k < n)
    if HOW == "value":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes < BLOCK // 2))
        tl.store(y_ptr + i, 3 * x, mask=mask & (lanes >= BLOCK // 2))
    if HOW == "between":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes < BLOCK // 2))
        tl.store(y_ptr + i, 3 * x, mask=mask)
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes >= BLOCK // 2))
    if HOW == "gap":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes < BLOCK // 2))
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes > BLOCK // 2))
    if HOW == "place":
        tl.store(y_ptr + i, 2 * x, mask=mask & (lanes < BLOCK // 2))
        tl.store(y_ptr + i + 1, 2 * x, mask=mask & (lanes >= BLOCK // 2) & (i + 1 < n))


@triton.jit
def ranges(y_ptr, n, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    """Two ranges of lanes, of a value that has no tensor form."""
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK // 2)
    k = j + BLOCK // 2
    tl.store(y_ptr + j, tl.umulhi(j * -2, 12345), mask=j < n)
    tl.store(y_ptr + k, tl.umulhi(k * -2, 12345 + OTHER), mask=k < n)


@triton.jit
def tile(x_ptr, y_ptr, M, N, stride_x, stride_y, HOW: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    r = tl.arange(0, BLOCK_M)[:, None]
    c = tl.arange(0, BLOCK_N)[None, :]
    row = tl.program_id(0) * BLOCK_M + r
    col = tl.program_id(1) * BLOCK_N + c
    mask = (row < M) & (col < N)
    x = 2 * tl.load(x_ptr + row * stride_x + col, mask=mask)
    y = y_ptr + row * stride_y + col
    if HOW == "rows":
        tl.store(y, x, mask=mask & (r < BLOCK_M // 2))
        tl.store(y, x, mask=mask & (r >= BLOCK_M // 2))
    else:
        tl.store(y, x, mask=mask & (r < BLOCK_M // 2) & (c < BLOCK_N // 2))
        tl.store(y, x, mask=mask & (r >= BLOCK_M // 2) & (c >= BLOCK_N // 2))
        tl.store(y, x, mask=mask & (r >= BLOCK_M // 2) & (c < BLOCK_N // 2))
        if HOW == "quarters":
            tl.store(y, x, mask=mask & (r < BLOCK_M // 2) & (c >= BLOCK_N // 2))


@triton.jit
def in_place(x_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    start = tl.program_id(0) * BLOCK
    i = start + lanes
    mask = i < n
    low = mask & (lanes < BLOCK // 2)
    high = mask & (lanes >= BLOCK // 2)
    x = tl.load(x_ptr + i, mask=low if HOW == "range" else mask)
    tl.store(x_ptr + i, 2 * x, mask=low)
    if HOW == "half":  # the other lanes: old
        tl.store(x_ptr + i, 2 * tl.load(x_ptr + i, mask=high), mask=high)
    if HOW == "both":  # new in the lower half, old in the upper one
        z = tl.load(x_ptr + i, mask=mask)
        tl.store(x_ptr + i, 2 * z, mask=high)
    if HOW == "twice":
        z = tl.load(x_ptr + i, mask=mask)
        tl.store(x_ptr + i, 2 * z, mask=mask)
    if HOW == "range":  # by another range, of which the first store does not touch any element
        k = start + BLOCK // 2 + tl.arange(0, BLOCK // 2)
        tl.store(x_ptr + k, 2 * tl.load(x_ptr + k, mask=k < n), mask=k < n)
    if HOW == "other":  # what the lower lanes stored
        z = tl.load(x_ptr + i - BLOCK // 2, mask=high)
        tl.store(x_ptr + i, z, mask=high)


@triton.jit
def folded(x_ptr, y_ptr, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """Lanes that share elements: the upper ones read what the lower ones stored."""
    lanes = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + lanes % (BLOCK // 2)
    tl.store(x_ptr + at, 1.0 + lanes, mask=lanes < BLOCK // 2)
    z = tl.load(x_ptr + at, mask=lanes >= BLOCK // 2, other=0.0)
    tl.store(y_ptr + tl.program_id(0) * BLOCK + lanes, z)


@triton.jit
def waiting(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """Between the halves of a store, all lanes wait, and the upper ones read what the lower ones stored, or would store next."""
    lanes = tl.arange(0, BLOCK)
    i = tl.program_id(0) * BLOCK + lanes
    mask = i < n
    low = mask & (lanes < BLOCK // 2)
    high = mask & (lanes >= BLOCK // 2)
    x = tl.load(x_ptr + i, mask=mask)
    tl.store(x_ptr + i, 2 * x, mask=low)
    if HOW != "wait":
        tl.debug_barrier()
    if HOW == "swap" or HOW == "early":
        z = tl.load(x_ptr + (i + BLOCK // 2), mask=(i + BLOCK // 2 < n) & (lanes < BLOCK // 2), other=0.0)
    else:
        z = tl.load(x_ptr + (i - BLOCK // 2), mask=high, other=0.0)
    if HOW != "late" and HOW != "early":
        tl.debug_barrier()
    tl.store(x_ptr + i, 2 * x, mask=high)
    tl.store(y_ptr + i, z, mask=mask)


@triton.jit
def neighbour(x_ptr, y_ptr, STEP: tl.constexpr):
    """Another program's element, which that one may have stored by then."""
    p = tl.program_id(0)
    tl.store(x_ptr + p, 1.0)
    tl.store(y_ptr + p, tl.load(x_ptr + p + STEP))


@triton.jit
def rows_in_place(x_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    x_row = x_ptr + tl.program_id(0) * n_cols
    y_row = y_ptr + tl.program_id(0) * n_cols
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        mask = cols < n_cols
        low = mask & (lanes < BLOCK // 2)
        high = mask & (lanes >= BLOCK // 2)
        x = 2 * tl.load(x_row + cols, mask=mask, other=0.0)
        tl.store(x_row + cols, x, mask=low)
        if HOW == "between":
            x = tl.where(lanes < BLOCK // 2, x, 2 * tl.load(x_row + cols, mask=high, other=0.0))
        tl.store(x_row + cols, x if HOW != "value" else x + 1, mask=high)
        total += x
    scale = tl.sum(total, axis=0)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        mask = cols < n_cols
        tl.store(y_row + cols, scale * tl.load(x_row + cols, mask=mask, other=0.0), mask=mask)


@triton.jit
def second_pass(x_ptr, y_ptr, n_cols, FROM: tl.constexpr, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    """The second pass begins with a tile of its own, or reads other tiles than the loop before stored in the same iteration."""
    x_row = x_ptr + tl.program_id(0) * n_cols
    y_row = y_ptr + tl.program_id(0) * n_cols
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        x = 2 * tl.load(x_row + cols, mask=cols < n_cols, other=0.0)
        tl.store(x_row + cols, x, mask=cols < n_cols)
        total += x
    scale = tl.sum(total, axis=0)
    if FROM > 0:
        x = tl.load(x_row + lanes, mask=lanes < n_cols, other=0.0)
        tl.store(y_row + lanes, scale * x, mask=lanes < n_cols)
    for start in range(FROM * BLOCK, n_cols, BLOCK):
        cols = start + lanes
        x = tl.load(x_row + (cols + SHIFT), mask=cols + SHIFT < n_cols, other=0.0)
        tl.store(y_row + cols, scale * x, mask=cols < n_cols)


@triton.jit
def after(x_ptr, y_ptr, n, STEP: tl.constexpr, BACK: tl.constexpr, BLOCK: tl.constexpr):
    """Behind a loop, what one of its last iterations stored; where STEP < BLOCK, in part."""
    lanes = tl.arange(0, BLOCK)
    for t in range(0, n):
        tl.store(x_ptr + STEP * t + lanes, 1.0 * t + 2.0 * lanes)
    tl.store(y_ptr + lanes, tl.load(x_ptr + STEP * (n - BACK) + lanes))


def types(pointers, integers=""):
    return {**{name: "*fp32" for name in pointers.split()}, **{name: "i32" for name in integers.split()}}


def form(kernel, signature, formula, **more):
    constexprs = {name: more.pop(name) for name in list(more) if name.isupper()}
    said = {} if formula is None else {"formula": formula}
    return {"kernel": kernel, "types": signature, "constexprs": constexprs, **said, **more}


FLAT, ALONE = types("x_ptr y_ptr", "n"), types("x_ptr", "n")
TILE = types("x_ptr y_ptr", "M N stride_x stride_y")
ROWS = types("x_ptr y_ptr", "n_cols")
UPPER = "128 * (index(n_cols) // 128) + 64 <= index(n_cols)"
SECOND = "128 * (index(n) // 128) + 64 <= index(n)"
FIRST = "(index(n) + 65 <= n) & (index(n) <= 128 * (index(n) // 128) + 63)"
LATER = "index(n_cols) + 129 <= n_cols"
NEXT = f"2 * sum(x_ptr, axis=1) * where({LATER}, 2 * x_ptr[column(index(grid_x)), index(n_cols) + 128], 0)"
FORMS = {
    **{f"thirds_{order}": form(thirds, FLAT, "2 * x_ptr", ORDER=order, BLOCK=128) for order in range(6)},
    **{
        how: form(parts, FLAT, "2 * x_ptr", HOW=how, BLOCK=128)
        for how in ("overlap", "parity", "argument", "data", "program", "ranges")
    },
    **{
        f"other_{how}": form(parts, FLAT, "2 * x_ptr", HOW=how, BLOCK=128, wrong=True)
        for how in ("value", "between", "place")
    },
    "gap": form(parts, FLAT, "2 * x_ptr", HOW="gap", BLOCK=128, safety="unknown"),
    "two_ranges": form(
        ranges, {"y_ptr": "*i32", "n": "i32"}, "wrap32(mulhi(-2 * index(n), 12345))", OTHER=0, BLOCK=128
    ),
    "two_ranges_other": form(
        ranges, {"y_ptr": "*i32", "n": "i32"}, "wrap32(mulhi(-2 * index(n), 12345))", OTHER=1, BLOCK=128, wrong=True
    ),
    "tile_rows": form(tile, TILE, "2 * x_ptr", HOW="rows", BLOCK_M=16, BLOCK_N=32),
    "tile_quarters": form(tile, TILE, "2 * x_ptr", HOW="quarters", BLOCK_M=16, BLOCK_N=32),
    **{f"in_place_{how}": form(in_place, ALONE, "2 * x_ptr", HOW=how, BLOCK=128) for how in ("half", "both", "range")},
    **{
        f"in_place_{how}": form(in_place, ALONE, "2 * x_ptr", HOW=how, BLOCK=128, wrong=True)
        for how in ("twice", "other")
    },
    "tile_three_quarters": form(tile, TILE, "2 * x_ptr", HOW="", BLOCK_M=16, BLOCK_N=32, safety="unknown"),
    "rows_in_place": form(rows_in_place, ROWS, ["2 * x_ptr", "4 * x_ptr * sum(x_ptr, axis=1)"], HOW="", BLOCK=128),
    "rows_in_place_between": form(
        rows_in_place, ROWS, ["2 * x_ptr", "4 * x_ptr * sum(x_ptr, axis=1)"], HOW="between", BLOCK=128
    ),
    "rows_in_place_value": form(
        rows_in_place,
        ROWS,
        [
            f"where({UPPER}, 1 + 2 * x_ptr, 2 * x_ptr)",
            f"2 * sum(x_ptr, axis=1) * where({UPPER}, 1 + 2 * x_ptr, 2 * x_ptr)",
        ],
        HOW="value",
        BLOCK=128,
    ),
    **{
        name: form(second_pass, ROWS, ["2 * x_ptr", "4 * x_ptr * sum(x_ptr, axis=1)"], FROM=peeled, SHIFT=0, BLOCK=128)
        for name, peeled in (("second_pass", 0), ("second_pass_peeled", 1))
    },
    "after": form(
        after,
        FLAT,
        ["2 * index(64 * n) - 127 * (index(64 * n) // 64)", "2 * index(64) + n - 1"],
        STEP=64,
        BACK=1,
        BLOCK=64,
    ),
    "after_apart": form(
        after, FLAT, ["column(index(n)) + 2 * index(64)", "2 * index(64) + n - 1"], STEP=100, BACK=1, BLOCK=64
    ),
    "after_overlap": form(after, FLAT, None, STEP=16, BACK=2, BLOCK=64, wrong=True),
    "second_pass_next": form(second_pass, ROWS, ["2 * x_ptr", NEXT], FROM=0, SHIFT=128, BLOCK=128),
    "second_pass_lane": form(second_pass, ROWS, None, FROM=0, SHIFT=1, BLOCK=64, wrong=True),
    **{
        f"waiting_{how or 'twice'}": form(
            waiting, FLAT, ["2 * x_ptr", f"where({SECOND}, 2 * x_ptr[index(n) - 64], 0)"], HOW=how, BLOCK=128
        )
        for how in ("", "late")
    },
    "waiting_swap": form(
        waiting, FLAT, ["2 * x_ptr", f"where({FIRST}, x_ptr[index(n) + 64], 0)"], HOW="swap", BLOCK=128
    ),
    **{f"waiting_{how}": form(waiting, FLAT, None, HOW=how, BLOCK=128, wrong=True) for how in ("wait", "early")},
    "folded": form(folded, types("x_ptr y_ptr"), None, HOW="", BLOCK=128, wrong=True),
    "neighbour": form(neighbour, types("x_ptr y_ptr"), None, STEP=1, wrong=True),
}
