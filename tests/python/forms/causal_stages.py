"""Causal attention in two loops: whole tiles of keys before the diagonal without a mask, then the tiles on it with one."""

import triton
import triton.language as tl


@triton.jit
def step(
    q,
    k_ptr,
    v_ptr,
    acc,
    l,
    m,
    head,
    start,
    rows,
    n,
    scale,
    HOW: tl.constexpr,
    MASKED: tl.constexpr,
    D: tl.constexpr,
    N: tl.constexpr,
):
    """HOW: nothing is special, or a bias grows with the distance, or what is wrong."""
    at = start + tl.arange(0, N)
    d = tl.arange(0, D)
    inside = at[:, None] < n
    k = tl.load(k_ptr + (head * n + at[:, None]) * D + d[None, :], mask=inside, other=0.0)
    v = tl.load(v_ptr + (head * n + at[:, None]) * D + d[None, :], mask=inside, other=0.0)
    s = tl.dot(q, tl.trans(k)) * scale
    if HOW == "bias" or HOW == "bias_late":
        s += scale * (at[None, :] - rows[:, None])
    if MASKED:
        if HOW == "before":
            s = tl.where(at[None, :] < rows[:, None], s, float("-inf"))
        else:
            s = tl.where(at[None, :] <= rows[:, None], s, float("-inf"))
    new = tl.maximum(m, tl.max(s, 1))
    p = tl.exp(s - new[:, None])
    alpha = tl.exp(m - new)
    l = l * alpha + tl.sum(p, 1)
    if HOW != "unscaled":
        acc = acc * alpha[:, None]
    return acc + tl.dot(p, v), l, new


@triton.jit
def staged(
    q_ptr,
    k_ptr,
    v_ptr,
    y_ptr,
    n,
    scale,
    HOW: tl.constexpr,
    END: tl.constexpr,
    D: tl.constexpr,
    M: tl.constexpr,
    N: tl.constexpr,
):
    block = tl.program_id(0)
    head = tl.program_id(1)
    rows = block * M + tl.arange(0, M)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (head * n + rows[:, None]) * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    m = tl.full([M], float("-inf"), tl.float32)
    l = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    for start in range(0, block * M, N):
        acc, l, m = step(q, k_ptr, v_ptr, acc, l, m, head, start, rows, n, scale, HOW, False, D, N)
    if END:
        end = tl.minimum((block + 1) * M, n)
    else:
        end = (block + 1) * M
    first = block * M
    if HOW == "late" or HOW == "bias_late":
        first = block * M + N
    for start in range(first, end, N):
        acc, l, m = step(q, k_ptr, v_ptr, acc, l, m, head, start, rows, n, scale, HOW, True, D, N)
    tl.store(y_ptr + (head * n + rows[:, None]) * D + d[None, :], acc / l[:, None], mask=rows[:, None] < n)


TYPES = {"q_ptr": "*fp32", "k_ptr": "*fp32", "v_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "scale": "fp32"}
CAUSAL = (
    "softmax(where(index(n) <= column(index(n)), scale * (q_ptr @ transpose(k_ptr, 0, 2, 1)), -inf), axis=2) @ v_ptr"
)

BIASED = (
    "softmax(where(index(n) <= column(index(n)), scale * (q_ptr @ transpose(k_ptr, 0, 2, 1) + index(n) -"
    " column(index(n))), -inf), axis=2) @ v_ptr"
)
TEXTBOOK = """def textbook(q_ptr, k_ptr, v_ptr, scale):
    n = q_ptr.shape[1]
    i = torch.arange(n)
    scores = scale * (q_ptr @ k_ptr.transpose(1, 2))
    return torch.softmax(torch.where(i[None, :] <= i[:, None], scores, float("-inf")), dim=2) @ v_ptr
"""
BIASED_TEXTBOOK = TEXTBOOK.replace("    return", "    scores = scores + scale * (i[None, :] - i[:, None])\n    return")


def form(how="", end=True, rows=32, keys=32, **more):
    return {
        "kernel": staged,
        "types": TYPES,
        "constexprs": {"HOW": how, "END": end, "D": 16, "M": rows, "N": keys},
        "formula": CAUSAL,
        "against": TEXTBOOK,
        **more,
    }


FORMS = {
    "square": form(),
    "square_to_the_end": form(end=False),
    "wide": form(rows=64),
    "wide_to_the_end": form(rows=64, end=False),
    "bias": {**form("bias"), "formula": BIASED, "against": BIASED_TEXTBOOK},
    "bias_late": {**form("bias_late", rows=64, wrong=True), "formula": BIASED, "against": BIASED_TEXTBOOK},
    "before": form("before", wrong=True),
    "late": form("late", rows=64, wrong=True),
    "unscaled": form("unscaled", wrong=True),
}
