"""Heads that share keys in groups, whose size the kernel makes of two arguments: with fewer heads than keys it divides by 0, and is said to."""

import triton
import triton.language as tl


@triton.jit
def copied(x_ptr, y_ptr, heads, kv_heads, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    head = tl.program_id(0)
    if HOW == "inline":
        kv = head // (heads // kv_heads)
    elif HOW == "other":
        kv = head // kv_heads
    else:
        group = heads // kv_heads
        if HOW == "remainder":
            kv = head % group
        else:
            kv = head // group
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + head * n + at, tl.load(x_ptr + kv * n + at, mask=at < n), mask=at < n)


@triton.jit
def attended(
    q_ptr,
    k_ptr,
    v_ptr,
    y_ptr,
    heads,
    kv_heads,
    n,
    q_stride,
    y_stride,
    scale,
    HOW: tl.constexpr,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """One query of each head."""
    head = tl.program_id(0)
    group = heads // kv_heads
    kv = head // group
    if HOW == "two":
        v_head = head % group
    else:
        v_head = kv
    d = tl.arange(0, D)
    q = tl.load(q_ptr + head * q_stride + d)
    m = -float("inf")
    l = 0.0
    acc = tl.zeros([D], tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < n
        k = tl.load(k_ptr + (kv * n + at[:, None]) * D + d[None, :], mask=inside[:, None], other=0.0)
        s = tl.where(inside, tl.sum(k * q[None, :], 1) * scale, -float("inf"))
        new = tl.maximum(m, tl.max(s, 0))
        p = tl.exp(s - new)
        alpha = tl.exp(m - new)
        v = tl.load(v_ptr + (v_head * n + at[:, None]) * D + d[None, :], mask=inside[:, None], other=0.0)
        acc = acc * alpha + tl.sum(p[:, None] * v, 0)
        l = l * alpha + tl.sum(p, 0)
        m = new
    tl.store(y_ptr + head * y_stride + d, acc / l)


KV = "index(grid_x) // (heads // kv_heads), axis=0)"
SCORES = f"scale * sum(expand(q_ptr, 1) * take(k_ptr, {KV}, axis=2)"
ATTENDED = (
    f"sum(exp({SCORES} - max({SCORES}, axis=1)) * take(v_ptr, {KV}, axis=1) / sum(exp({SCORES} - max({SCORES},"
    " axis=1)), axis=1)"
)


def copy(how, **more):
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "heads": "i32", "kv_heads": "i32", "n": "i32"}
    return {
        "kernel": copied,
        "types": types,
        "constexprs": {"HOW": how, "BLOCK": 64},
        "formula": "take(x_ptr, index(grid_x) // (heads // kv_heads), axis=0)",
        "safety": "refuted",
        **more,
    }


def attend(how, **more):
    types = {name: "*fp32" for name in ("q_ptr", "k_ptr", "v_ptr", "y_ptr")} | {
        "heads": "i32",
        "kv_heads": "i32",
        "n": "i32",
        "q_stride": "i32",
        "y_stride": "i32",
        "scale": "fp32",
    }
    return {
        "kernel": attended,
        "types": types,
        "constexprs": {"HOW": how, "D": 16, "BLOCK": 64},
        "formula": ATTENDED,
        "safety": "refuted",
        **more,
    }


def shaped(assumed, formula="x_ptr[column(index(heads)) // (heads // kv_heads), index(n)]", **more):
    return copy(
        "named",
        flags=["--shape", "x_ptr=kv_heads,n", "--shape", "y_ptr=heads,n", "--assume", assumed],
        formula=formula,
        **more,
    )


FORMS = {
    "inline": copy("inline"),
    "named": copy("named"),
    "remainder": copy("remainder", wrong=True),
    "other": copy("other", wrong=True),
    "whole_groups": shaped(
        "heads % kv_heads == 0", "take(x_ptr, index(heads) // (heads // kv_heads), axis=0)", safety="proved"
    ),
    "groups_and_one": shaped("heads % kv_heads == 1"),
    "groups_of_keys": shaped("kv_heads % heads == 0"),
    "attended": attend("one"),
    "attended_by_others": attend("two", wrong=True),
}
