"""The place of an extremum, written as the least index that has it: in one block, and carried over tiles beside the best so far."""

import triton
import triton.language as tl


@triton.jit
def block(x_ptr, y_ptr, s, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + at, mask=at < n, other=float("-inf"))
    tl.store(y_ptr + row, tl.min(tl.where(x == tl.max(x), at, BLOCK if HOW != "early_wrong" else 1)))


@triton.jit
def tiles(x_ptr, y_ptr, s, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * stride
    m = float("-inf")
    best = 0
    for i in range(0, n, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=float("-inf"))
        if HOW == "scaled":
            x = tl.where(at < n, s * x, float("-inf"))
        if HOW == "capped":
            x = tl.where(at < n, s * tl.extra.cuda.libdevice.tanh(x / s), float("-inf"))
        top = tl.max(x)
        found = tl.min(tl.where(x == (top if HOW != "of_all_wrong" else m), at, n))
        if HOW == "last_wrong":
            best = tl.where(top >= m, found, best)
        else:
            best = tl.where(top > m, found, best)
        m = tl.maximum(m, top)
    tl.store(y_ptr + row, best)


@triton.jit
def least(x_ptr, y_ptr, s, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * stride
    m = float("inf")
    best = 0
    for i in range(0, n, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=float("inf"))
        low = tl.min(x)
        found = tl.min(tl.where(x == low, at, 2147483647))
        best = tl.where(low < m, found, best)
        m = tl.minimum(m, low)
    tl.store(y_ptr + row, best)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*i32", "s": "fp32", "n": "i32", "stride": "i32"}


def form(kernel, how="", formula="argmax(x_ptr, axis=1)", **more):
    return {"kernel": kernel, "types": TYPES, "constexprs": {"HOW": how, "BLOCK": 64}, "formula": formula, **more}


FORMS = {
    "block": form(block),
    "block_early_wrong": form(block, "early_wrong", wrong="formula"),
    "tiles": form(tiles),
    "scaled": form(tiles, "scaled", "argmax(s * x_ptr, axis=1)"),
    "capped": form(tiles, "capped", "argmax(s * tanh(x_ptr / s), axis=1)"),
    "least": form(least, formula="argmin(x_ptr, axis=1)"),
    "of_all_wrong": form(tiles, "of_all_wrong", wrong="formula"),
    "last_wrong": form(tiles, "last_wrong", wrong="formula"),
}
