"""Assumptions that exclude each other, by ranges, remainders or relations: what follows from them is worth nothing."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "n": "i32", "m": "i32", "a": "fp32"}


@triton.jit
def stated(x, y, n, m, a, HOW: tl.constexpr, BLOCK: tl.constexpr):
    if HOW == "ranges":
        tl.assume(n < 4)
        tl.assume(n > 8)
    elif HOW == "remainders":
        tl.assume(n % 6 == 3)
        tl.assume(n % 4 == 2)
    elif HOW == "relations":
        tl.assume(n < m)
        tl.assume(m < n)
    elif HOW == "circle":
        tl.assume(n + 2 < m)
        tl.assume(m * 2 < n)
    elif HOW == "no_size":
        tl.assume(n <= 0)
    elif HOW == "floats":
        tl.assume(a < 0.0)
        tl.assume(a > 1.0)
    elif HOW == "floats_right":
        tl.assume(a < -1.0)
        tl.assume(a > -2.0)
    elif HOW == "remainders_right":
        tl.assume(n % 16 == 0)
        tl.assume(n % 32 == 16)
    elif HOW == "odd_remainders_right":
        tl.assume(n % 1024 == 0)
        tl.assume(n % 3 == 0)
    elif HOW == "relations_right":
        tl.assume(n < m)
        tl.assume(m < 2 * n)
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, a + tl.load(x + o, mask=o < n, other=0.0), mask=o < n)


@triton.jit
def rows(x, y, n, m, a, HOW: tl.constexpr, BLOCK: tl.constexpr):
    if HOW == "whole":
        tl.assume(n >= BLOCK)
    elif HOW == "negative_scale":
        tl.assume(a < 0.0)
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + o, mask=o < n, other=-float("inf")) * a
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + o, e / tl.sum(e, 0), mask=o < n)


def form(kernel, how, codes):
    return {
        "kernel": kernel,
        "types": TYPES,
        "constexprs": {"HOW": how, "BLOCK": 16},
        "codes": codes,
        **({} if 0 in codes else {"reason": "no-launch"}),
    }


FORMS = {
    **{how: form(stated, how, [2]) for how in ("ranges", "remainders", "relations", "circle", "no_size", "floats")},
    **{how: form(stated, how, [0]) for how in ("floats_right", "odd_remainders_right", "relations_right")},
    "remainders_right": {**form(stated, "remainders_right", [0, 2]), "no_reason": "no-launch"},
    "whole": form(rows, "whole", [0]),
    "negative_scale": form(rows, "negative_scale", [2]),
}
