"""What a program stores as a scalar and loads again: all lanes load it, the first one has stored it."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "t": "*fp32", "y": "*fp32"}


@triton.jit
def one_scalar(x, t, y, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * BLOCK + c)
    if HOW == "to_lanes":
        tl.store(t + r, tl.sum(v))
        s = tl.load(t + r + c * 0)
    elif HOW == "to_lanes_behind_barrier":
        tl.store(t + r, tl.sum(v))
        tl.debug_barrier()
        s = tl.load(t + r + c * 0)
    elif HOW == "to_all":
        tl.store(t + r, tl.sum(v))
        s = tl.load(t + r)
    elif HOW == "to_all_behind_barrier":
        tl.store(t + r, tl.sum(v))
        tl.debug_barrier()
        s = tl.load(t + r)
    elif HOW == "one_to_all":
        one = t + r + tl.arange(0, 1)
        tl.store(one, tl.sum(v))
        s = tl.load(one)
    elif HOW == "one_to_all_behind_barrier":
        one = t + r + tl.arange(0, 1)
        tl.store(one, tl.sum(v))
        tl.debug_barrier()
        s = tl.load(one)
    elif HOW == "one_to_the_first":
        one = t + r + tl.arange(0, 1)
        tl.store(one, tl.sum(v))
        tl.store(one, tl.load(one) * 2)
        s = 1.0
    elif HOW == "to_the_first":
        tl.store(t + r, tl.sum(v))
        tl.store(t + r, tl.load(t + r) * 2)
        s = 1.0
    elif HOW == "to_a_branch":
        tl.store(t + r, tl.sum(v))
        s = 1.0
        if tl.load(t + r) > 0:
            s = 2.0
    elif HOW == "before":
        s = tl.load(t + r)
        tl.store(t + r, s + 1.0)
    elif HOW == "before_a_sum":
        s = tl.load(t + r)
        tl.store(t + r, s + tl.sum(v))
    elif HOW == "lanes_before":
        s = tl.load(t + r + c * 0)
        tl.store(t + r, 1.0)
    elif HOW == "lanes_before_a_sum":
        s = tl.load(t + r + c * 0)
        tl.store(t + r, tl.sum(s))
    elif HOW == "lanes_before_another_sum":
        s = tl.load(t + r + c * 0)
        tl.store(t + r, tl.sum(v))
    elif HOW == "lanes_before_a_small_sum":
        s = tl.load(t + r + c * 0)
        tl.store(t + r, tl.sum(tl.load(x + r * BLOCK + tl.arange(0, 16))))
    elif HOW == "before_a_small_sum":
        s = tl.load(t + r)
        tl.store(t + r, tl.sum(tl.load(x + r * BLOCK + tl.arange(0, 16))))
    elif HOW == "lanes_before_a_sum_of_sums":
        s = tl.load(t + r + c * 0)
        tl.store(t + r, tl.sum(tl.sum(tl.reshape(s, (4, BLOCK // 4)), 1), 0))
    elif HOW == "first_lane":
        tl.store(t + r, tl.sum(v))
        s = tl.load(t + r + c, mask=c == 0, other=1.0)
    elif HOW == "elsewhere":
        tl.store(t + 2 * r, tl.sum(v))
        s = tl.load(t + 2 * r + 1)
    elif HOW == "added_up":
        tl.store(t + r, 0.0)
        for k in range(4):
            tl.store(t + r, tl.load(t + r) + tl.sum(tl.load(x + r * BLOCK + c)))
        s = 1.0
    tl.store(y + r * BLOCK + c, v * s)


@triton.jit
def rows_of(x, t, y, HOW: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    i = tl.arange(0, BLOCK)[:, None]
    j = tl.arange(0, 16)[None, :]
    v = tl.load(x + (r * BLOCK + i) * 16 + j)
    if HOW == "column":
        tl.store(t + r * BLOCK + tl.arange(0, BLOCK), tl.sum(v, 1))
        v += tl.load(t + r * BLOCK + i + j * 0)
    elif HOW == "column_behind_barrier":
        tl.store(t + r * BLOCK + tl.arange(0, BLOCK), tl.sum(v, 1))
        tl.debug_barrier()
        v += tl.load(t + r * BLOCK + i + j * 0)
    tl.store(y + (r * BLOCK + i) * 16 + j, v)


@triton.jit
def few_lanes(x, t, y, HOW: tl.constexpr, LANES: tl.constexpr):
    """A tensor of fewer lanes than there are threads: every warp loads it, and one stores it."""
    r = tl.program_id(0)
    c = tl.arange(0, LANES)
    d = tl.arange(0, 256)
    place = t + r * LANES + c
    if HOW == "in_place":
        tl.store(place, tl.load(place) * 2)
    elif HOW == "elsewhere_too":
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + r * LANES + c, u)
    elif HOW == "fold_in_place":
        u = tl.exp(tl.load(place))
        tl.store(place, u / tl.sum(u))
    elif HOW == "fold_of_rows_in_place":
        tile = t + r * LANES * 4 + tl.arange(0, 4)[:, None] * LANES + c[None, :]
        u = tl.exp(tl.load(tile))
        tl.store(tile, u / tl.sum(u, 1)[:, None])
    elif HOW == "fold_to_a_scalar":
        u = tl.load(place)
        tl.store(y + r, tl.sum(u))
        tl.store(place, u * 2)
    elif HOW == "added_up":
        tl.store(place, c * 0.0)
        for k in range(4):
            tl.store(place, tl.load(place) + tl.load(x + (r * 4 + k) * LANES + c))
    elif HOW == "fold_to_more_lanes":
        u = tl.load(place)
        s = tl.sum(u)
        tl.store(place, u * 2)
        tl.store(y + r * 256 + d, d + s)
    elif HOW == "fold_behind_the_store":
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + r, tl.sum(u))
    elif HOW == "fold_behind_the_store_and_barrier":
        u = tl.load(place)
        tl.debug_barrier()
        tl.store(place, u * 2)
        tl.store(y + r, tl.sum(u))
    elif HOW == "other_shape":
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + (r * LANES + c[:, None]) * 16 + tl.arange(0, 16)[None, :], u[:, None] + tl.arange(0, 16)[None, :])
    elif HOW == "other_shape_behind_barrier":
        u = tl.load(place)
        tl.debug_barrier()
        tl.store(place, u * 2)
        tl.store(y + (r * LANES + c[:, None]) * 16 + tl.arange(0, 16)[None, :], u[:, None] + tl.arange(0, 16)[None, :])
    elif HOW == "stored_before":
        tl.store(place, tl.load(x + r * LANES + c))
        u = tl.load(place)
        tl.store(y + (r * LANES + c[:, None]) * 16 + tl.arange(0, 16)[None, :], u[:, None] + tl.arange(0, 16)[None, :])
    elif HOW == "sum_of_steps":
        for k in range(4):
            u = tl.load(place)
            tl.store(place, u * 2)
            tl.store(y + r * 4 + k, tl.sum(u))
    elif HOW == "reversed":
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + r * LANES + c, tl.gather(u, LANES - 1 - c, 0))
    elif HOW == "other_row":
        u = tl.load(t + 2 * r * LANES + c)
        tl.store(t + (2 * r + 1) * LANES + c, u * 2)
        tl.store(y + r * 256 + d, d + tl.sum(u))


def few(how, codes, lanes=16):
    return {"kernel": few_lanes, "constexprs": {"HOW": how, "LANES": lanes}, "types": TYPES, "codes": codes}


def form(how, codes, **more):
    return {"kernel": one_scalar, "constexprs": {"HOW": how, "BLOCK": 64}, "types": TYPES, "codes": codes, **more}


RACE = {"finding": "with no barrier between", "verdicts": ["proved"]}
FORMS = {
    "to_lanes": form("to_lanes", [1], **RACE),
    "to_lanes_behind_barrier": form("to_lanes_behind_barrier", [0]),
    "to_all": form("to_all", [1, 2]),
    "to_all_behind_barrier": form("to_all_behind_barrier", [0]),
    "one_to_all": form("one_to_all", [1, 2]),
    "one_to_all_behind_barrier": form("one_to_all_behind_barrier", [0]),
    "one_to_the_first": form("one_to_the_first", [0]),
    "to_the_first": form("to_the_first", [0]),
    "to_a_branch": form("to_a_branch", [1, 2]),
    "before": form("before", [1, 2]),
    "before_a_sum": form("before_a_sum", [0]),
    "lanes_before": form("lanes_before", [1], **RACE),
    "lanes_before_a_sum": form("lanes_before_a_sum", [0]),
    "lanes_before_another_sum": form("lanes_before_another_sum", [0]),
    "lanes_before_a_small_sum": form("lanes_before_a_small_sum", [1, 2]),
    "before_a_small_sum": form("before_a_small_sum", [1, 2]),
    "lanes_before_a_sum_of_sums": form("lanes_before_a_sum_of_sums", [0]),
    "first_lane": form("first_lane", [0, 2]),
    "elsewhere": form("elsewhere", [0]),
    "added_up": form("added_up", [0]),
    "column": {**form("column", [1], **RACE), "kernel": rows_of},
    "column_behind_barrier": {**form("column_behind_barrier", [0]), "kernel": rows_of},
    **{how: few(how, [0]) for how in ("in_place", "elsewhere_too", "fold_in_place", "fold_of_rows_in_place")},
    **{how: few(how, [0]) for how in ("fold_to_a_scalar", "other_row")},
    "few_added_up": few("added_up", [0]),
    "fold_in_place_of_64": few("fold_in_place", [0], 64),
    "fold_to_a_scalar_of_64": few("fold_to_a_scalar", [0], 64),
    "fold_to_more_lanes": few("fold_to_more_lanes", [1, 2]),
    "fold_to_more_lanes_of_128": few("fold_to_more_lanes", [0], 128),
    "fold_behind_the_store": few("fold_behind_the_store", [0]),  # one warp has all lanes
    "fold_behind_the_store_of_64": few("fold_behind_the_store", [1, 2], 64),
    "fold_behind_the_store_of_256": few("fold_behind_the_store", [0], 256),
    "fold_behind_the_store_and_barrier": few("fold_behind_the_store_and_barrier", [0], 64),
    "other_shape": few("other_shape", [1, 2]),
    "other_shape_behind_barrier": few("other_shape_behind_barrier", [0]),
    "stored_before": few("stored_before", [1, 2]),
    "sum_of_steps": few("sum_of_steps", [1, 2], 64),
    "reversed": few("reversed", [1, 2]),
}
