"""(-inf) - (-inf), 0 * inf and inf / inf count where they decide a choice, a mask, a branch or a loop, not only where they are stored."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "n": "i32", "w": "i32"}


@triton.jit
def row(x, y, n, w, HOW: tl.constexpr, EMPTY: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < n
    if EMPTY:  # of a row whose window lies before it there is nothing
        mask = mask & (r - c >= w)
    v = tl.load(x + r * n + c, mask=c < n, other=0.0)
    s = tl.where(mask, v, -float("inf"))
    m = tl.max(s, 0)
    t = -float("inf") - m
    if HOW == "chosen":
        tl.store(y + r, tl.where(t < 0, 1.0, 2.0))
    elif HOW == "chosen_twice":
        tl.store(y + r, tl.where((t < 0) & (n > 3), 1.0, 2.0))
    elif HOW == "branch":
        if t < 0:
            tl.store(y + r, 1.0)
        else:
            tl.store(y + r, 2.0)
    elif HOW == "masked":
        tl.store(y + r, 1.0, mask=t < 0)
    elif HOW == "product":
        tl.store(y + r, tl.where(m * 0.0 == 0.0, 1.0, 2.0))
    elif HOW == "guard":
        e = tl.exp(s - m)
        tl.store(y + r, tl.sum(tl.where(e != e, 0.0, e), 0))
    elif HOW == "number":
        tl.store(y + r, (t < 0).to(tl.float32))
    elif HOW == "guarded_before":
        safe = tl.where(m == -float("inf"), 0.0, m)
        tl.store(y + r, tl.sum(tl.exp(s - safe), 0))
    elif HOW == "padding_only":
        e = tl.exp(s - m)
        tl.store(y + r, tl.sum(e, 0))


@triton.jit
def online(x, y, n, w, HOW: tl.constexpr, EMPTY: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    m = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        mask = c < n
        if EMPTY:
            mask = mask & (c >= w)
        s = tl.where(mask, tl.load(x + r * n + c, mask=c < n, other=0.0), -float("inf"))
        new = tl.maximum(m, tl.max(s, 0))
        if HOW == "plain":
            total = total * tl.exp(m - new) + tl.sum(tl.exp(s - new), 0)
        elif HOW == "nan_guard":
            scale = tl.exp(m - new)
            scale = tl.where(scale != scale, 0.0, scale)
            e = tl.exp(s - new)
            total = total * scale + tl.sum(tl.where(e != e, 0.0, e), 0)
        else:
            safe = tl.where(new == -float("inf"), 0.0, new)
            total = total * tl.exp(m - safe) + tl.sum(tl.exp(s - safe), 0)
        m = new
    tl.store(y + r, total)


def form(kernel, codes, how, empty):
    return {"kernel": kernel, "types": TYPES, "constexprs": {"HOW": how, "EMPTY": empty, "BLOCK": 16}, "codes": codes}


FORMS = {
    **{
        f"{how}_empty": form(row, [1, 2], how, True)
        for how in ("chosen", "chosen_twice", "branch", "masked", "product", "guard", "number")
    },
    **{how: form(row, [0], how, False) for how in ("chosen", "chosen_twice", "number", "guard", "padding_only")},
    "product": form(row, [0, 2], "product", False),
    "branch": form(row, [0, 2], "branch", False),
    "guarded_before": form(row, [0, 2], "guarded_before", True),
    "online": form(online, [0], "plain", False),
    "online_empty": form(online, [1, 2], "plain", True),
    "online_nan_guard": form(online, [0, 2], "nan_guard", False),
    "online_nan_guard_empty": form(online, [1, 2], "nan_guard", True),
    "online_safe_empty": form(online, [0, 2], "safe", True),
}
