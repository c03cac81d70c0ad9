"""Maxima and minima of floats by atomics: Triton makes two atomics on bits of each. Wrong neighbours take one of the two, leave out the sign, use
what the atomic returns, or mix it with another kind."""

import triton
import triton.language as tl


@triton.jit
def whole(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if HOW == "min":
        tl.atomic_min(y_ptr, tl.min(tl.load(x_ptr + cols, mask=cols < n, other=float("inf")), 0))
    elif HOW == "padded by 0":
        tl.atomic_max(y_ptr, tl.max(tl.load(x_ptr + cols, mask=cols < n, other=0.0), 0))
    else:
        x = tl.load(x_ptr + cols, mask=cols < n, other=-float("inf"))
        if HOW == "with a sum":
            tl.atomic_add(y_ptr, tl.max(x, 0))
        tl.atomic_max(y_ptr, tl.max(x, 0))


@triton.jit
def columns(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0)
    if HOW == "":
        tl.atomic_max(y_ptr + cols, x, mask=cols < n)
    elif HOW == "used":
        before = tl.atomic_max(y_ptr + cols, x, mask=cols < n)
        tl.store(x_ptr + row * n + cols, before, mask=cols < n)
    else:
        bits = x.to(tl.int32, bitcast=True)
        places = (y_ptr + cols).to(tl.pointer_type(tl.int32), bitcast=True)
        if HOW == "signed alone":
            tl.atomic_max(places, bits, mask=cols < n)
        else:  # by the value: -0.0 is not below 0, and its bits are the least
            tl.atomic_max(places, bits, mask=(cols < n) & (x >= 0))
            tl.atomic_min(
                places.to(tl.pointer_type(tl.uint32), bitcast=True),
                bits.to(tl.uint32, bitcast=True),
                mask=(cols < n) & (x < 0),
            )


def form(kernel, how, **more):
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": 32},
        **more,
    }


FORMS = {
    "max": form(whole, "", formula="maximum(y_ptr, max(x_ptr))"),
    "min": form(whole, "min", formula="minimum(y_ptr, min(x_ptr))"),
    "max_padded_by_0": form(whole, "padded by 0", formula="maximum(y_ptr, max(x_ptr))", wrong=True),
    "max_with_a_sum": form(whole, "with a sum", wrong=True),
    "columns": form(columns, "", formula="maximum(y_ptr, max(x_ptr, axis=0))"),
    "columns_used": form(columns, "used", wrong=True),
    "columns_signed_alone": form(columns, "signed alone", wrong=True),
    "columns_by_value": form(columns, "by value", wrong=True),
}
