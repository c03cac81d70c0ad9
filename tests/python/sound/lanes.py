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
    elif HOW == "scan_in_place":
        tl.store(place, tl.cumsum(tl.load(place), 0))
    elif HOW == "scan_behind_the_store":
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + r * LANES + c, tl.cumsum(u, 0))
    elif HOW == "reversed_in_place":
        tl.store(place, tl.flip(tl.load(place), 0))
    elif HOW == "turned_in_place":
        tile = t + r * LANES + tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
        tl.store(tile, tl.trans(tl.load(tile)))
    elif HOW == "sum_with_all_warps_behind_the_store":
        u = tl.load(place)
        tl.store(place, u * 2)
        w = tl.load(x + tl.arange(0, 256)[:, None] * LANES + c[None, :])
        tl.store(y + r, tl.sum(tl.sum(w * u[None, :], 1), 0))
    elif HOW == "with_its_turn_in_place":
        tile = t + r * LANES + tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
        u = tl.load(tile)
        tl.store(tile, (u + tl.trans(u)) * 0.5)
    elif HOW == "by_sums_of_a_tile":
        s = tl.sum(tl.load(x + c[:, None] * 64 + tl.arange(0, 64)[None, :]), 1)
        u = tl.load(place)
        tl.store(place, u * 2)
        tl.store(y + r * LANES + c, u * s)
    elif HOW == "fold_by_sums_of_a_tile":
        s = tl.sum(tl.load(x + tl.arange(0, 4)[:, None] * LANES + c[None, :]), 0)
        u = tl.load(place)
        s = tl.sum(u * s)
        tl.store(place, u * 0.9)
        tl.store(y + r, s)
    elif HOW == "fold_in_a_wider_fold":
        u = tl.load(place)
        s = tl.max(u)
        tl.store(place, u - s)
        tl.store(y + r, tl.sum((tl.load(x + d) > s).to(tl.float32)))
    elif HOW == "branch_with_sums_of_a_tile":
        w = tl.sum(tl.load(x + c[:, None] * 64 + tl.arange(0, 64)[None, :]), 1)
        u = tl.load(place)
        s = tl.sum(u * u)
        tl.store(place, u * 0.5)
        if s > 1:
            tl.store(y + r * LANES + c, w / s)
        else:
            tl.store(y + r * LANES + c, w)
    elif HOW == "rotated_in_place":
        a, b = tl.split(tl.reshape(tl.load(place), (LANES // 2, 2)))
        tl.store(place, tl.reshape(tl.join(-b, a), (LANES,)))
    elif HOW == "rotated_elsewhere_too":
        a, b = tl.split(tl.reshape(tl.load(place), (LANES // 2, 2)))
        u = tl.reshape(tl.join(-b, a), (LANES,))
        tl.store(place, u)
        tl.store(y + r * LANES + c, u)
    elif HOW == "if_the_sum_is_positive":
        u = tl.load(place)
        s = tl.sum(u)
        if s > 0:
            tl.store(place, u / s)
    elif HOW == "more_lanes_if_the_sum_is_positive":
        u = tl.load(place)
        s = tl.sum(u)
        tl.store(place, u * 2)
        if s > 0:
            tl.store(y + r * 256 + d, d + 1.0)
    elif HOW == "one_of_two_factors":
        u = tl.load(place)
        f = 2.0
        if tl.sum(u) > 0:
            f = 3.0
        tl.store(place, u * f)
    elif HOW == "twice":
        for k in range(2):
            u = tl.load(place)
            tl.store(place, u - tl.sum(u))
    elif HOW == "row_by_row":
        for k in range(2):
            u = tl.load(t + (r * 2 + k) * LANES + c)
            tl.store(t + (r * 2 + k) * LANES + c, u / tl.sum(tl.exp(u)))
    elif HOW == "sum_of_the_row_before" or HOW == "sum_of_many_rows_before":
        u = c * 0.0
        for k in range(2 if HOW == "sum_of_the_row_before" else 100):
            s = tl.sum(u)
            u = tl.load(t + (r * 100 + k) * LANES + c)
            tl.store(t + (r * 100 + k) * LANES + c, u + s)
    elif HOW == "scanned_twice":
        for k in range(2):
            tl.store(place, tl.cumsum(tl.load(place), 0))
    elif HOW == "other_row":
        u = tl.load(t + 2 * r * LANES + c)
        tl.store(t + (2 * r + 1) * LANES + c, u * 2)
        tl.store(y + r * 256 + d, d + tl.sum(u))


@triton.jit
def small_tile(x, t, y, HOW: tl.constexpr, LANES: tl.constexpr):
    """Which axis is contiguous says which warp holds a lane: threads go along it first."""
    r = tl.program_id(0)
    i = tl.arange(0, 8)[:, None]
    j = tl.arange(0, LANES)[None, :]
    tile = t + (r * 8 + i) * LANES + j
    u = tl.load(tile)
    if HOW == "transposed_elsewhere_behind_barrier":
        tl.debug_barrier()
    tl.store(tile, u * 2)
    if HOW == "elsewhere_too":
        tl.store(y + (r * 8 + i) * 16 + j, u)
    else:
        tl.store(y + (r * LANES + j) * 8 + i, u)


def tile(how, codes):
    return {**few(how, codes, 8), "kernel": small_tile}


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
    "scan_in_place": few("scan_in_place", [0], 64),
    "scan_behind_the_store": few("scan_behind_the_store", [1, 2], 64),
    "reversed_in_place": few("reversed_in_place", [1, 2], 64),
    "rotated_in_place": few("rotated_in_place", [1, 2], 64),
    "turned_in_place": few("turned_in_place", [1, 2], 64),
    "sum_with_all_warps_behind_the_store": few("sum_with_all_warps_behind_the_store", [1, 2], 16),
    "with_its_turn_in_place": few("with_its_turn_in_place", [1, 2], 64),
    "by_sums_of_a_tile": few("by_sums_of_a_tile", [1, 2], 16),
    "fold_by_sums_of_a_tile": few("fold_by_sums_of_a_tile", [1, 2], 64),
    "fold_in_a_wider_fold": few("fold_in_a_wider_fold", [1, 2], 16),
    "branch_with_sums_of_a_tile": few("branch_with_sums_of_a_tile", [1, 2], 16),
    "rotated_elsewhere_too": few("rotated_elsewhere_too", [1, 2], 64),
    "if_the_sum_is_positive": few("if_the_sum_is_positive", [0], 64),
    "more_lanes_if_the_sum_is_positive": few("more_lanes_if_the_sum_is_positive", [1, 2], 64),
    "one_of_two_factors": few("one_of_two_factors", [0], 64),
    "twice": few("twice", [1, 2], 64),
    "row_by_row": few("row_by_row", [0], 64),
    "sum_of_the_row_before": few("sum_of_the_row_before", [1, 2], 64),
    "sum_of_many_rows_before": few("sum_of_many_rows_before", [1, 2], 64),
    "scanned_twice": few("scanned_twice", [1, 2], 64),
    "tile_transposed_elsewhere": tile("transposed_elsewhere", [1, 2]),
    "tile_transposed_elsewhere_behind_barrier": tile("transposed_elsewhere_behind_barrier", [0]),
    "tile_elsewhere_too": tile("elsewhere_too", [0]),
}
