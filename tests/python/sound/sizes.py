"""Only what bounds an index over a whole axis is at least 1 without being asked: not positions, limits, windows, ends of ranges, divisors of values."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "n": "i32", "m": "i32"}


@triton.jit
def bounded(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n
    if HOW == "position":
        mask = mask & (c <= m)
    elif HOW == "position_at_least_1":
        mask = mask & (c <= tl.maximum(m, 1))
    elif HOW == "limit":
        mask = mask & (c < m)
    elif HOW == "limit_at_least_1":
        mask = mask & (c < tl.maximum(m, 1))
    elif HOW == "least":
        mask = c < tl.minimum(n, m)
    elif HOW == "least_at_least_1":
        mask = c < tl.minimum(n, tl.maximum(m, 1))
    elif HOW == "window":
        mask = mask & (row - c < m) & (c <= row)
    elif HOW == "window_at_least_1":
        mask = mask & (row - c < tl.maximum(m, 1)) & (c <= row)
    v = tl.load(x + row * n + c, mask=mask, other=0.0)
    if HOW == "chosen":
        v = tl.where(c < m, v, 0.0)
    elif HOW == "chosen_at_least_1":
        v = tl.where(c < tl.maximum(m, 1), v, 0.0)
    tl.store(y + row, tl.sum(v, 0))


@triton.jit
def up_to(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    end = tl.maximum(m, 1) if HOW == "at_least_1" else m
    for start in range(0, tl.cdiv(end + 1, BLOCK)):
        c = start * BLOCK + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * n + c, mask=(c < n) & (c <= end), other=0.0), 0)
    tl.store(y + row, total)


@triton.jit
def between(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n, other=0.0)
    end = tl.maximum(m, 1) if HOW == "at_least_1" else m
    for t in range(n, end):
        v += t
    tl.store(y + o, v, mask=o < n)


@triton.jit
def divided(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if HOW == "value":
        tl.store(y + o, (o // m).to(tl.float32), mask=o < n)
    else:
        tl.store(y + o, tl.load(x + o // m, mask=o < n, other=0.0), mask=o < n)


@triton.jit
def windowed(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + c, mask=(c <= i) & (c > i - m), other=0.0)
    tl.store(y + i, tl.sum(v, 0) / tl.minimum(m, i + 1))


@triton.jit
def repeated(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """m counts steps of arithmetic, or blocks that become a value: it is no length of an axis."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n, other=0.0)
    end = m if HOW == "steps" or HOW == "blocks" or HOW == "steps_of_blocks" else tl.maximum(m, 1)
    if HOW == "blocks" or HOW == "blocks_at_least_1":
        v = v * tl.cdiv(end, 8)
    elif HOW == "steps_of_blocks" or HOW == "steps_of_blocks_at_least_1":
        for _ in range(tl.cdiv(end, 8)):
            v = v * 0.5
    else:
        for _ in range(end):
            v = v * 0.5
    tl.store(y + o, v, mask=o < n)


@triton.jit
def counted(x, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """The same with a `while`, and with loops whose steps load, store and carry the same, or stand in a branch."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n, other=0.0)
    is_bare = HOW == "while" or HOW == "loads" or HOW == "branches" or HOW == "stores" or HOW == "carries"
    is_bare = is_bare or HOW == "guards" or HOW == "masks" or HOW == "turns"
    end = m if is_bare else tl.maximum(m, 1)
    if HOW == "while" or HOW == "while_at_least_1":
        i = 0
        while i < end:
            v = v * 0.5
            i += 1
    elif HOW == "branches" or HOW == "branches_at_least_1":
        for i in range(8):
            if i < end:
                v = v * 0.5
    elif HOW == "guards" or HOW == "guards_at_least_1":
        for i in range(8):
            if i < end:
                v += tl.load(x + o, mask=o < n, other=0.0)
    elif HOW == "masks" or HOW == "masks_at_least_1":
        for i in range(8):
            v += tl.load(x + o, mask=(o < n) & (i < end), other=0.0)
    elif HOW == "turns" or HOW == "turns_at_least_1":
        for i in range(end):
            v += tl.load(x + o, mask=(o < n) & (i < 3), other=0.0)
    elif HOW == "stores" or HOW == "stores_at_least_1":
        for _ in range(end):
            tl.store(y + o, v * 0.5, mask=o < n)
    elif HOW == "carries" or HOW == "carries_at_least_1":
        w = tl.zeros([BLOCK], tl.int32)
        for _ in range(end):
            w = w * 3 + 1
        v = v * w
    else:
        for _ in range(end):
            v = tl.load(x + o, mask=o < n, other=0.0) * 0.5
    if HOW != "stores" and HOW != "stores_at_least_1":
        tl.store(y + o, v, mask=o < n)


def pair(kernel, how, other, name, *flags):
    """A limit of 0 is not one of 1."""
    form = {"kernel": kernel, "types": TYPES}
    return {
        name: {
            **form,
            "constexprs": {"HOW": how, "BLOCK": 16},
            "codes": [1],
            "equals": f"sizes.{name}_1",
            "flags": flags,
            "never": "m >= 1",
        },
        f"{name}_1": {
            **form,
            "constexprs": {"HOW": other, "BLOCK": 16},
            "codes": [0, 2],
            "never": "m >= 1",
            "flags": flags,
        },
    }


SHAPE = ("--shape", "x=grid_x,n")
FORMS = {
    **{
        name: form
        for how in ("position", "limit", "least", "window", "chosen")
        for name, form in pair(bounded, how, f"{how}_at_least_1", how, *SHAPE).items()
    },
    **pair(up_to, "", "at_least_1", "up_to", *SHAPE),
    **pair(repeated, "steps", "steps_at_least_1", "repeated"),
    **{
        name: form
        for how in ("while", "loads", "branches", "stores", "carries", "guards", "masks", "turns")
        for name, form in pair(counted, how, f"{how}_at_least_1", how).items()
    },
    **pair(repeated, "blocks", "blocks_at_least_1", "blocks_as_value"),
    **pair(repeated, "steps_of_blocks", "steps_of_blocks_at_least_1", "steps_of_blocks"),
    "between": {
        "kernel": between,
        "types": TYPES,
        "constexprs": {"HOW": "", "BLOCK": 16},
        "codes": [0],
        "never": "m >= 1",
    },
    "window_divides": {
        "kernel": windowed,
        "types": TYPES,
        "constexprs": {"HOW": "", "BLOCK": 16},
        "codes": [1, 2],
        "never": "m >= 1",
    },
    "value_divided": {
        "kernel": divided,
        "types": TYPES,
        "constexprs": {"HOW": "value", "BLOCK": 16},
        "codes": [1, 2],
        "never": "m >= 1",
    },
    "place_divided": {"kernel": divided, "types": TYPES, "constexprs": {"HOW": "place", "BLOCK": 16}, "codes": [0, 2]},
}
