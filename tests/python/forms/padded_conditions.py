"""Conditions on what a masked load gives: padding that does not meet them is not there, and padding that does is counted."""

import triton
import triton.language as tl


@triton.jit
def count(x_ptr, y_ptr, n, PAD: tl.constexpr, KIND: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=PAD)
    if KIND == "more":
        chosen = x > 0
    elif KIND == "less":
        chosen = x < 1
    elif KIND == "twice":
        chosen = 2 * x - 3 > 1
    else:
        chosen = x != 0
    tl.store(y_ptr + tl.program_id(0), tl.sum(chosen.to(tl.float32), 0))


@triton.jit
def mean_of_positive(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    number = tl.sum((x > 0).to(tl.float32), 0)
    tl.store(y_ptr + tl.program_id(0), tl.where(number > 0, tl.sum(tl.maximum(x, 0.0), 0) / number, 0.0))


@triton.jit
def masked_softmax(x_ptr, mask_ptr, y_ptr, n, PAD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * n
    keep = tl.load(mask_ptr + row + i, mask=i < n, other=PAD)
    x = tl.where(keep != 0, tl.load(x_ptr + row + i, mask=i < n, other=0.0), -float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def without_padding(x_ptr, y_ptr, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    """Lanes beyond n hold anything: two conditions on one of them are not each other's opposites."""
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n)
    if KIND == "more":
        chosen = x > 0
    elif KIND == "other":
        chosen = x != 0
    elif KIND == "between":
        chosen = (x > 0) & ~(x > 5)
    elif KIND == "outside":
        chosen = (x > 0) | ~(x > 5)
    else:
        chosen = (x > 0) ^ (x > 5)
    if KIND == "kept":
        chosen = (x > 0) & (i < n)
    tl.store(y_ptr + tl.program_id(0), tl.sum(chosen.to(tl.float32), 0))


def form(kernel, formula, **more):
    keep = {"mask_ptr": "*i32"} if kernel is masked_softmax else {}
    constants = {key: more.pop(key) for key in ("PAD", "KIND") if key in more}
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", **keep, "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {**constants, "BLOCK": 128},
        "formula": formula,
        **more,
    }


MORE, LESS = "sum(where(x_ptr > 0, 1, 0), axis=1)", "sum(where(x_ptr < 1, 1, 0), axis=1)"
SOFTMAX = "softmax(where(mask_ptr != 0, x_ptr, -inf), axis=1)"
FORMS = {
    **{
        f"nothing_{kind}{name}": {
            "kernel": without_padding,
            "types": {"x_ptr": f"*{dtype}", "y_ptr": "*fp32", "n": "i32"},
            "constexprs": {"KIND": kind, "BLOCK": 128},
            "unsafe": True,
        }
        for kind in ("more", "other", "between", "outside", "either")
        for name, dtype in (("", "fp32"), ("_whole", "i32"))
    },
    "more": form(count, MORE, PAD=0.0, KIND="more"),
    "more_negative": form(count, MORE, PAD=-1.0, KIND="more"),
    "less": form(count, LESS, PAD=5.0, KIND="less"),
    "twice": form(count, "sum(where(x_ptr > 2, 1, 0), axis=1)", PAD=0.5, KIND="twice"),
    "not_zero": form(count, "sum(where(x_ptr != 0, 1, 0), axis=1)", PAD=0.0, KIND="not_zero"),
    "mean_of_positive": form(mean_of_positive, f"where({MORE} > 0, sum(relu(x_ptr), axis=1) / {MORE}, 0)"),
    "masked_softmax": form(masked_softmax, SOFTMAX, PAD=0, safety="refuted"),  # a row may be masked as a whole
    "more_counts_padding": form(count, MORE, PAD=1.0, KIND="more", wrong=True),
    "less_counts_padding": form(count, LESS, PAD=0.0, KIND="less", wrong=True),
    "twice_counts_padding": form(count, "sum(where(x_ptr > 2, 1, 0), axis=1)", PAD=2.5, KIND="twice", wrong=True),
    "not_zero_counts_padding": form(
        count, "sum(where(x_ptr != 0, 1, 0), axis=1)", PAD=-1.0, KIND="not_zero", wrong=True
    ),
    "softmax_with_padding": form(masked_softmax, SOFTMAX, PAD=1, wrong=True),
}
