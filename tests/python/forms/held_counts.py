"""Means over a count that is held above or below a bound: their steps add up on one side of it alone."""

import triton
import triton.language as tl


@triton.jit
def of_tiles(x_ptr, y_ptr, n, BOUND: tl.constexpr, COUNT: tl.constexpr, LANES: tl.constexpr, BLOCK: tl.constexpr):
    """COUNT: before or after the step, or held below the bound. LANES: a mean of each, else of the sums of the tiles."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    mean = tl.zeros([BLOCK], tl.float32) if LANES else 0.0
    count = 0.0
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
        if not LANES:
            x = tl.sum(x, 0)
        if COUNT == "below":
            held = tl.minimum(count + 1, BOUND)
        elif COUNT == "before":
            held = tl.maximum(count, BOUND)
        else:
            held = tl.maximum(count + 1, BOUND)
        mean += (x - mean) / held
        count += 1
    if LANES:
        tl.store(y_ptr + row * BLOCK + lane, mean)
    else:
        tl.store(y_ptr + row, mean)


def tiles(bound, count="after", lanes=False, block=64, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}
    return {
        "kernel": of_tiles,
        "types": types,
        "constexprs": {"BOUND": bound, "COUNT": count, "LANES": lanes, "BLOCK": block},
        **more,
    }


def sums(later, own, block=64):
    """The sum of each tile t over its divisor `own`, times what the steps `later`, at tiles s, leave of it."""
    t, lane = f"index((n + {block - 1}) // {block})", f"column(index({block}))"
    s = f"column({t})"
    tile = (
        f"sum(where({lane} + {block} * {t} < n, x_ptr[expand(column(index(grid_x)), 2), {lane} + {block} * {t}], 0),"
        " axis=1)"
    )
    return f"sum({tile} * prod(where({t} < {s}, 1 - 1 / {later.format(s)}, 1), axis=0) / {own.format(t)}, axis=2)"


ABOVE, BELOW = sums("({} + 1)", "maximum({} + 1, 2)"), sums("minimum({} + 1, 100)", "minimum({} + 1, 100)")
MEAN = "sum(x_ptr, axis=1) / ((n + 63) // 64)"
FORMS = {
    "sums": tiles(1.0, formula=MEAN),
    "sums_above": tiles(2.0, formula=ABOVE),
    "sums_above_large": tiles(2.0, block=1024, formula=sums("({} + 1)", "maximum({} + 1, 2)", 1024)),
    "sums_before": tiles(2.0, "before", formula=sums("maximum({}, 2)", "maximum({}, 2)")),
    "sums_below": tiles(100.0, "below", formula=BELOW),
    "above_for_below": tiles(100.0, wrong=True, formula=BELOW),
    "before_for_after": tiles(2.0, "before", wrong=True, formula=ABOVE),
    "below_is_no_mean": tiles(1.0, "below", wrong=True, formula=MEAN),
    "before_is_no_mean": tiles(1.0, "before", wrong=True, formula=MEAN),
    "lanes_are_no_mean": tiles(2.0, lanes=True, wrong=True, formula=MEAN),
}
