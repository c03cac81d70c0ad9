"""One comparison of unsigned numbers for 0 <= i < n, and an index that a counter takes below what the mask speaks of."""

import triton
import triton.language as tl


@triton.jit
def neighbour(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """y[i] = x[i - 1], and 0 where there is none."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = i - 1
    if HOW == "below":
        inside = j.to(tl.uint32) < n.to(tl.uint32)
    elif HOW == "not above":
        inside = ~(j.to(tl.uint32) > (n - 1).to(tl.uint32))
    else:
        inside = j < n  # signed: -1 is below n too
    tl.store(y_ptr + i, tl.load(x_ptr + j, mask=inside, other=0.0), mask=i < n)


@triton.jit
def window(x_ptr, w_ptr, y_ptr, n, K, GUARDED: tl.constexpr, BLOCK: tl.constexpr):
    """A causal convolution: the mask is about i, the index i - k."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for k in range(K):
        inside = (i - k >= 0) & (i < n) if GUARDED else i < n
        acc += tl.load(x_ptr + i - k, mask=inside, other=0.0) * tl.load(w_ptr + k)
    tl.store(y_ptr + i, acc, mask=i < n)


def near(how, **wanted):
    return {
        "kernel": neighbour,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": 64},
    } | wanted


def taps(guarded, **wanted):
    return {
        "kernel": window,
        "types": {"x_ptr": "*fp32", "w_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "K": "i32"},
        "constexprs": {"GUARDED": guarded, "BLOCK": 64},
    } | wanted


SHIFTED = {"formula": "concat(broadcast(0, 1), x_ptr[:n - 1], axis=0)", "flags": ["--shape", "x_ptr=n"]}
FORMS = {
    "below": near("below", **SHIFTED),
    "not_above": near("not above", **SHIFTED),
    "signed": near("signed", unproved="bounds"),
    "window": taps(
        True,
        formula="sum(where(index(K) <= column(index(n)), x_ptr[column(index(n)) - index(K)] * w_ptr, 0), axis=1)",
        inputs={"x_ptr": ["n"], "w_ptr": ["K"]},
    ),
    "window_unguarded": taps(False, unproved="bounds"),
}
