"""What a program stores in one shape and reads in another, or through other lanes.

Which thread holds an element is then not said, and a barrier is needed.
"""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "t": "*fp32", "y": "*fp32"}


@triton.jit
def through_memory(x, t, y, STORED: tl.constexpr, READ: tl.constexpr, WAITS: tl.constexpr, N: tl.constexpr):
    """A block of N * N elements of t that goes in and comes back, as one of: rows, columns, flat, a transposed tile."""
    r = tl.program_id(0)
    i = tl.arange(0, N)[:, None]
    j = tl.arange(0, N)[None, :]
    flat = tl.arange(0, N * N)
    tile = i * N + j
    base = t + r * N * N
    v = tl.load(x + r * N * N + tile)
    w = tl.load(x + r * N * N + flat)
    if STORED == "tile":
        tl.store(base + tile, v)
    elif STORED == "flat":
        tl.store(base + flat, w)
    elif STORED == "transposed":
        tl.store(base + i + j * N, v)
    elif STORED == "turned":
        tl.store(tl.trans(base + tile), v)
    elif STORED == "reshaped":
        tl.store(base + tl.reshape(flat, (N, N)), v)
    elif STORED == "split":
        a, b = tl.split(tl.reshape(flat, (N * N // 2, 2)))
        c, d = tl.split(tl.reshape(w, (N * N // 2, 2)))
        tl.store(base + a, c)
        tl.store(base + b, d)
    elif STORED == "halves":
        h = tl.arange(0, N * N // 2)
        tl.store(base + h, tl.load(x + r * N * N + h))
        tl.store(base + N * N // 2 + h, tl.load(x + r * N * N + N * N // 2 + h))
    if WAITS:
        tl.debug_barrier()
    if READ == "tile":
        tl.store(y + r * N * N + tile, tl.load(base + tile))
    elif READ == "flat":
        tl.store(y + r * N * N + flat, tl.load(base + flat))
    elif READ == "transposed":
        tl.store(y + r * N * N + tile, tl.load(base + i + j * N))
    elif READ == "reshaped":
        tl.store(y + r * N * N + tile, tl.load(base + tl.reshape(flat, (N, N))))
    elif READ == "joined":
        h = tl.arange(0, N * N // 2)
        tl.store(y + r * N * N + flat, tl.reshape(tl.load(base + tl.join(h * 2, h * 2 + 1)), (N * N,)))
    elif READ == "first":
        h = tl.arange(0, N)
        tl.store(y + r * N + h, tl.load(base + h))


@triton.jit
def vector(x, t, y, HOW: tl.constexpr, WAITS: tl.constexpr, N: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, N)
    i = c[:, None]
    j = tl.arange(0, 16)[None, :]
    k = c[None, :]
    v = tl.load(x + r * N + c)
    base = t + r * N
    if HOW == "row_as_column":
        tl.store(base + c, v)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + (r * N + i) * 16 + j, tl.load(base + i) + j)
    elif HOW == "row_as_row":
        tl.store(base + c, v)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + (r * 16 + tl.arange(0, 16)[:, None]) * N + k, tl.load(base + k) + tl.arange(0, 16)[:, None])
    elif HOW == "column_as_row":
        tl.store(base + i, v[:, None])
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + c, tl.load(base + c))
    elif HOW == "column_again":
        tl.store(base + i, v[:, None])
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i) * 2)
    elif HOW == "read_as_column_before":
        u = tl.load(base + i)
        if WAITS:
            tl.debug_barrier()
        tl.store(base + c, v)
        tl.store(y + (r * N + i) * 16 + j, u + j)
    elif HOW == "written_twice":
        tl.store(base + c, v)
        if WAITS:
            tl.debug_barrier()
        tl.store(base + i, v[:, None] * 2)
    elif HOW == "sums_as_column":
        m = tl.load(x + (r * N + i) * 16 + j)
        tl.store(base + c, tl.sum(m, 1))
        if WAITS:
            tl.debug_barrier()
        tl.store(y + (r * N + i) * 16 + j, m * tl.load(base + i))
    elif HOW == "sums_again":
        m = tl.load(x + (r * N + i) * 16 + j)
        tl.store(base + c, tl.sum(m, 1))
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + c, tl.load(base + c) * 2)
    elif HOW == "last_iteration":
        for step in range(100):
            tl.store(t + (r * 101 + step + 1) * N + c, v + step)
            if WAITS:
                tl.debug_barrier()
            tl.store(y + (r * 100 + step) * N + i, tl.load(t + (r * 101 + step + 1) * N + i))
    elif HOW == "last_iteration_again":
        for step in range(100):
            tl.store(t + (r * 101 + step + 1) * N + c, v + step)
            if WAITS:
                tl.debug_barrier()
            tl.store(y + (r * 100 + step) * N + c, tl.load(t + (r * 101 + step + 1) * N + c))
    elif HOW == "one_lane":
        tl.store(base + c, v, mask=c == 0)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + c, tl.load(base) * v)
    elif HOW == "added_as_column":
        for step in range(4):
            tl.store(base + i, tl.load(base + c)[:, None] + 1.0)
    elif HOW == "gathered":
        tl.store(base + c, v)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + c, tl.load(base + tl.gather(c, N - 1 - c, 0)))
    elif HOW == "all_lanes_before":
        u = tl.load(t + r + c * 0)
        if WAITS:
            tl.debug_barrier()
        tl.store(t + r + c * 0, 5.0 + c * 0.0)
        tl.store(y + r * N + c, u)
    elif HOW == "pairs_before":
        u = tl.load(t + r * N + c // 2)
        if WAITS:
            tl.debug_barrier()
        tl.store(t + r * N + c // 2, 5.0 + c * 0.0)
        tl.store(y + r * N + c, u)
    elif HOW == "two_values_of_all_lanes":
        tl.store(t + r + c * 0, 5.0 + c * 0.0)
        if WAITS:
            tl.debug_barrier()
        tl.store(t + r + c * 0, 7.0 + c * 0.0)
    elif HOW == "column_into_vector":
        u = tl.load(base + i)
        if WAITS:
            tl.debug_barrier()
        tl.store(base + c, tl.reshape(u, (N,)) * 2)
    elif HOW == "one_in_both":
        tl.store(base + c, v, mask=c < 32)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i, mask=i >= 31, other=0.0))
    elif HOW == "none_in_both":
        tl.store(base + c, v, mask=c < 32)
        tl.store(y + r * N + i, tl.load(base + i, mask=i >= 32, other=0.0))
    elif HOW == "behind_a_sum":
        tl.store(base + c, v)
        s = tl.sum(v)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i) * s)
    elif HOW == "sum_before":
        s = tl.sum(tl.load(base + i))
        tl.store(base + c, v * s)
    elif HOW == "block_pointer":
        tl.store(tl.make_block_ptr(t, (4096,), (1,), (r * N,), (N,), (0,)), v)
        if WAITS:
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i))
    elif HOW == "block_pointer_again":
        tl.store(tl.make_block_ptr(t, (4096,), (1,), (r * N,), (N,), (0,)), v)
        tl.store(y + r * N + c, tl.load(base + c))
    elif HOW == "waits_in_some":
        tl.store(base + c, v)
        if r > 3:
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i))
    elif HOW == "waits_in_a_loop":
        tl.store(base + c, v)
        for step in range(0, r):
            tl.debug_barrier()
        tl.store(y + r * N + i, tl.load(base + i))
    elif HOW == "iteration_before":
        for step in range(1, 5):
            w = tl.load(t + (r * 5 + step - 1) * N + c)
            tl.store(t + (r * 5 + step) * N + c, w + v)
    elif HOW == "added_up":
        for step in range(5):
            tl.store(base + c, tl.load(base + c) + tl.sum(tl.load(x + ((r * 5 + step) * N + i) * 16 + j), 1))
    elif HOW == "overlapping_steps":
        for step in range(5):
            tl.store(t + r * (N + 8) + step + c, v * 0.0 + 1.0)
            w = tl.load(t + r * (N + 8) + step + c)
            tl.store(y + (r * 5 + step) * N + c, w)


def tile(stored, read, waits, codes, **more):
    constexprs = {"STORED": stored, "READ": read, "WAITS": waits, "N": 16}
    return {"kernel": through_memory, "constexprs": constexprs, "types": TYPES, "codes": codes} | more


def form(how, waits, codes, **more):
    constexprs = {"HOW": how, "WAITS": waits, "N": 64}
    return {"kernel": vector, "constexprs": constexprs, "types": TYPES, "codes": codes, **more}


PAIRS = [
    ("tile", "flat"),
    ("tile", "transposed"),
    ("tile", "first"),
    ("flat", "tile"),
    ("flat", "joined"),
    ("flat", "first"),
    ("transposed", "tile"),
    ("turned", "tile"),
    ("reshaped", "flat"),
    ("halves", "flat"),
    ("halves", "first"),
]
SAME = [
    ("tile", "tile"),
    ("tile", "reshaped"),
    ("flat", "flat"),
    ("transposed", "transposed"),
    ("turned", "transposed"),
    ("reshaped", "reshaped"),
    ("reshaped", "tile"),
]
RACES = {
    "row_as_column": [1],
    "row_as_row": [1, 2],
    "column_as_row": [1],
    "read_as_column_before": [1],
    "written_twice": [1],
    "sums_as_column": [1],
    "last_iteration": [1],
    "one_lane": [1, 2],
    "gathered": [1, 2],
    "all_lanes_before": [1],
    "pairs_before": [1],
    "two_values_of_all_lanes": [1],
    "column_into_vector": [1],
    "one_in_both": [1],
    "behind_a_sum": [1],
    "block_pointer": [1],
}
NOT_DETERMINED = ("all_lanes_before", "pairs_before", "two_values_of_all_lanes")  # which lane stores: `probable`
ALWAYS = ["added_as_column", "waits_in_some", "waits_in_a_loop", "overlapping_steps"]
SAFE = [
    "column_again",
    "sums_again",
    "last_iteration_again",
    "none_in_both",
    "sum_before",
    "block_pointer_again",
    "iteration_before",
]
RACE = {"finding": "lanes of program"}


def racing(codes):
    return RACE if codes == [1] else {}


FORMS = {
    **{f"{a}_{b}": tile(a, b, False, [1, 2]) for a, b in [*PAIRS, ("split", "flat")]},
    **{f"{a}_{b}_behind_barrier": tile(a, b, True, [0]) for a, b in PAIRS},
    **{f"{a}_{b}": tile(a, b, False, [0]) for a, b in SAME},
    # narrow elements are loaded by more to a thread, and what goes with them as well
    "flat_flat_of_f16": tile("flat", "flat", False, [2], types={**TYPES, "x": "*fp16"}),
    "flat_flat_of_f16_behind_barrier": tile("flat", "flat", True, [0], types={**TYPES, "x": "*fp16"}),
    **{how: form(how, False, codes, **racing(codes)) for how, codes in RACES.items()},
    # lanes that go with the sums of a tile may be loaded as these lie, which other warps stored before
    "added_up": form("added_up", False, [2]),
    **{f"{how}_behind_barrier": form(how, True, [0, 2] if how in NOT_DETERMINED else [0]) for how in RACES},
    **{how: form(how, False, [1], **RACE) for how in ALWAYS},
    **{how: form(how, False, [0]) for how in SAFE},
}
