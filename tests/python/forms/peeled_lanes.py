"""Online statistics of each lane, in a loop over whole tiles, and the last tile behind it with a mask: in a loop of its own that runs
once, or not at all, or as straight code. Lanes are put together at the end, and may have met nothing."""

import triton
import triton.language as tl


@triton.jit
def joined(m, l, x, RESCALE: tl.constexpr):
    new = tl.maximum(m, x)
    nothing = new == float("-inf")
    if RESCALE:
        l = tl.where(nothing, l, l * tl.exp(m - new) + tl.exp(x - new))
    else:
        l = tl.where(nothing, l, l + tl.exp(x - new))
    return new, l


@triton.jit
def peeled(
    x_ptr,
    y_ptr,
    n,
    HOW: tl.constexpr,
    BACK: tl.constexpr,
    LESS: tl.constexpr,
    RESCALE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """HOW: the last tile always has an element (`up`), or is left out where there is none (`down`), or is looked at all the same (`tail`).
    BACK: the result is written from the last tile on."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    x_ptr += row * n
    y_ptr += row * n
    m = tl.full([BLOCK], float("-inf"), tl.float32)
    l = tl.zeros([BLOCK], tl.float32)
    if HOW == "up":
        whole = tl.cdiv(n, BLOCK) * BLOCK - BLOCK
    else:
        whole = n // BLOCK * BLOCK
    for start in range(0, whole, BLOCK):
        m, l = joined(m, l, tl.load(x_ptr + start + lane), RESCALE)
    if HOW == "tail":
        m, l = joined(m, l, tl.load(x_ptr + whole + lane, mask=whole + lane < n - LESS, other=float("-inf")), RESCALE)
    else:
        for start in range(whole, n, BLOCK):
            m, l = joined(
                m, l, tl.load(x_ptr + start + lane, mask=start + lane < n - LESS, other=float("-inf")), RESCALE
            )
    largest = tl.max(m, 0)
    total = tl.sum(l * tl.exp(m - largest), 0)
    if BACK:
        last = tl.cdiv(n, BLOCK) * BLOCK - BLOCK
        x = tl.load(x_ptr + last + lane, mask=last + lane < n, other=float("-inf"))
        tl.store(y_ptr + last + lane, tl.exp(x - largest) / total, mask=last + lane < n)
        for start in range(BLOCK, n, BLOCK):
            x = tl.load(x_ptr + last - start + lane)
            tl.store(y_ptr + last - start + lane, tl.exp(x - largest) / total)
    else:
        for start in range(0, n, BLOCK):
            x = tl.load(x_ptr + start + lane, mask=start + lane < n)
            tl.store(y_ptr + start + lane, tl.exp(x - largest) / total, mask=start + lane < n)


@triton.jit
def conditional(x_ptr, y_ptr, n, LESS: tl.constexpr, RESCALE: tl.constexpr, BLOCK: tl.constexpr):
    """One maximum and one sum for all lanes, and a last tile if there is one."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    x_ptr += row * n
    m = -float("inf")
    l = 0.0
    whole = n // BLOCK * BLOCK
    for start in range(0, whole, BLOCK):
        x = tl.load(x_ptr + start + lane)
        new = tl.maximum(m, tl.max(x, 0))
        l = l * tl.exp(m - new) + tl.sum(tl.exp(x - new), 0)
        m = new
    if whole < n:
        x = tl.load(x_ptr + whole + lane, mask=whole + lane < n - LESS, other=float("-inf"))
        new = tl.maximum(m, tl.max(x, 0))
        if RESCALE:
            l = l * tl.exp(m - new)
        l += tl.sum(tl.exp(x - new), 0)
        m = new
    tl.store(y_ptr + row, m + tl.log(l))


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}


def form(how, back=False, less=0, rescale=True, **more):
    return {
        "kernel": peeled,
        "types": TYPES,
        "constexprs": {"HOW": how, "BACK": back, "LESS": less, "RESCALE": rescale, "BLOCK": 64},
        "formula": "softmax(x_ptr, axis=1)",
        "against": "def textbook(x_ptr):\n    return torch.softmax(x_ptr, dim=1)\n",
        **more,
    }


def of_condition(less=0, rescale=True, **more):
    return {
        "kernel": conditional,
        "types": TYPES,
        "constexprs": {"LESS": less, "RESCALE": rescale, "BLOCK": 64},
        "formula": "logsumexp(x_ptr, axis=1)",
        **more,
    }


FORMS = {
    "up": form("up"),
    "up_back": form("up", back=True),
    "down": form("down"),
    "down_back": form("down", back=True),
    "tail": form("tail"),
    "up_less": form("up", less=1, wrong=True),
    "down_less": form("down", less=1, wrong=True),
    "tail_less": form("tail", less=1, wrong=True),
    "up_not_rescaled": form("up", rescale=False, wrong=True),
    "down_not_rescaled": form("down", rescale=False, wrong=True),
    "conditional": of_condition(),
    "conditional_less": of_condition(less=1, wrong=True),
    "conditional_not_rescaled": of_condition(rescale=False, wrong=True),
}
