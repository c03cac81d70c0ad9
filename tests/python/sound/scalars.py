"""What is assumed of float arguments: the weakest that will do, nothing of two of them, nothing that is stated or guarded otherwise."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "n": "i32", "a": "fp32", "b": "fp32"}


@triton.jit
def scaled(x, y, n, a, b, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if HOW == "stated_negative":
        tl.assume(a < 0.0)
    elif HOW == "stated_zero":
        tl.assume(a == 0.0)
    elif HOW == "stated_root":
        tl.assume(a < 0.0)
    v = tl.load(x + o, mask=o < n, other=0.0)
    if HOW == "divided" or HOW == "stated_negative" or HOW == "stated_zero":
        v = v / a
    elif HOW == "two":
        v = v / a / b
    elif HOW == "product":
        v = v / (a * b)
    elif HOW == "difference":
        v = v / (a - b)
    elif HOW == "sum":
        v = v / (a + b)
    elif HOW == "keep":
        v = v / (1.0 - a)
    elif HOW == "absolute":
        v = v / tl.abs(a)
    elif HOW == "square":
        v = v / (a * a)
    elif HOW == "root" or HOW == "stated_root":
        v = v * tl.sqrt(a)
    elif HOW == "root_of_sum":
        v = tl.sqrt(v * v + a)
    elif HOW == "eps":
        v = v / tl.sqrt(v * v + a)
    elif HOW == "guarded":
        v = tl.where(a != 0.0, v / a, v)
    elif HOW == "guarded_above":
        if a > 0.0:
            v = v / a
    elif HOW == "guarded_root":
        if a < 0.0:
            v = v * tl.sqrt(a)
    elif HOW == "guarded_between":
        if a > 1.0:
            v = v / (a - 1.0)
        else:
            v = v / (a - 2.0)
    elif HOW == "eps_and_log":
        v = tl.log(v) + v / a
    tl.store(y + o, v, mask=o < n)


def form(how, codes, *signs, **more):
    return {
        "kernel": scaled,
        "types": TYPES,
        "constexprs": {"HOW": how, "BLOCK": 16},
        "codes": codes,
        "signs": list(signs),
        **more,
    }


FORMS = {
    "divided": form("divided", [0], "a != 0"),
    "two": form("two", [0], "a != 0", "b != 0"),
    "product": form("product", [0], "a != 0", "b != 0"),
    "difference": form("difference", [1, 2]),
    "sum": form("sum", [0], "a >= 0", "b > 0"),  # each by itself: no relation of the two
    "keep": form("keep", [0], "1 - a != 0"),
    "absolute": form("absolute", [0], "a != 0"),
    "square": form("square", [0], "a != 0"),
    "root": form("root", [0], "a >= 0"),
    "root_of_sum": form("root_of_sum", [0], "a >= 0"),
    "eps": form("eps", [0], "a > 0"),
    "guarded": form("guarded", [0]),
    "guarded_above": form("guarded_above", [0]),
    "guarded_root": form("guarded_root", [1, 2]),
    "guarded_between": form("guarded_between", [0]),
    "stated_negative": form("stated_negative", [0]),
    "stated_zero": form("stated_zero", [1, 2]),
    "stated_root": form("stated_root", [1, 2]),
    "eps_and_log": form("eps_and_log", [1, 2]),
}
