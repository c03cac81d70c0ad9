"""A load and a store at one address term are not one element in every iteration: bins repeat. Where there is a formula it counts them."""

import triton
import triton.language as tl

TYPES = {"x": "*i32", "h": "*i32", "n": "i32"}


@triton.jit
def count(x, h, n, HOW: tl.constexpr):
    for i in range(n):
        if HOW == "bins":
            place = tl.load(x + i)
        elif HOW == "shifted":
            place = tl.load(x + i) + 3
        elif HOW == "remainder":
            place = i % 4
        elif HOW == "quotient":
            place = i // 4
        elif HOW == "reversed":
            place = n - 1 - i
        else:
            place = 2 * i
        value = tl.load(h + place)
        tl.store(h + place, value + (tl.load(x + i) if HOW == "weighted" or HOW == "reversed" else 1))


@triton.jit
def lanes(x, h, n, HOW: tl.constexpr):
    j = tl.arange(0, 8)
    for i in range(n):
        place = tl.load(x + i) * 8 + j
        tl.store(h + place, tl.load(h + place) + 1)


@triton.jit
def while_loop(x, h, n, HOW: tl.constexpr):
    i = 0
    while i < n:
        place = tl.load(x + i)
        tl.store(h + place, tl.load(h + place) + 1)
        i += 1


def form(kernel, how, codes):
    return {
        "kernel": kernel,
        "types": TYPES,
        "constexprs": {"HOW": how},
        "codes": codes,
        "verdicts": ["unknown", "probable"] if 0 not in codes else ["proved"],
    }


FORMS = {
    **{
        how: {**form(count, how, [1, 2]), "verdicts": ["unknown", "probable", "proved"], "counts": "sum"}
        for how in ("bins", "shifted", "remainder")
    },
    "quotient": {**form(count, "quotient", [1, 2]), "verdicts": ["proved"], "counts": "min(4, n - 4*i)"},
    **{how: form(count, how, [0, 2]) for how in ("even", "reversed")},
    "lanes": form(lanes, "", [1, 2]),
    "while_loop": {**form(while_loop, "", [1, 2]), "verdicts": ["proved"]},
}
