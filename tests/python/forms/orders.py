"""Elements in an order that the compiler chooses, by tl.cat and by a reshape with can_reorder: a reduction of all of them does not see it,
and whatever else depends on it is not lifted."""

import triton
import triton.language as tl


@triton.jit
def joined(x_ptr, y_ptr, z_ptr, B: tl.constexpr, HOW: tl.constexpr):
    lane = tl.arange(0, B)
    both = tl.cat(tl.load(x_ptr + lane), tl.load(y_ptr + lane), can_reorder=True)
    if HOW == "max":
        tl.store(z_ptr, tl.max(both, 0))
    elif HOW == "squares":
        tl.store(z_ptr, tl.sum(tl.exp(both) * both + 1.0, 0))
    elif HOW == "argmax":
        tl.store(z_ptr, tl.argmax(both, 0))
    elif HOW == "scan":
        tl.store(z_ptr + tl.arange(0, 2 * B), tl.cumsum(both, 0))
    elif HOW == "weighted":
        tl.store(z_ptr, tl.sum(both * tl.arange(0, 2 * B), 0))
    else:
        tl.store(z_ptr + tl.arange(0, 2 * B), both)


@triton.jit
def viewed(x_ptr, y_ptr, B: tl.constexpr, HOW: tl.constexpr):
    z = tl.reshape(tl.load(x_ptr + tl.arange(0, B)), (B // 4, 4), can_reorder=True)
    if HOW == "sum":
        tl.store(y_ptr, tl.sum(tl.sum(z, 1), 0))
    elif HOW == "rows":
        tl.store(y_ptr + tl.arange(0, B // 4), tl.sum(z, 1))
    elif HOW == "sum of largest":
        tl.store(y_ptr, tl.sum(tl.max(z, 1), 0))
    else:
        tl.store(y_ptr + tl.arange(0, B // 4)[:, None] * 4 + tl.arange(0, 4)[None, :], z)


def form(kernel, how, formula="", element="fp32", **more):
    names = ("x_ptr", "y_ptr", "z_ptr") if kernel is joined else ("x_ptr", "y_ptr")
    types = {name: "*fp32" for name in names[:-1]} | {names[-1]: f"*{element}"}
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"B": 16, "HOW": how},
        **({"formula": formula} if formula else {}),
        **more,
    }


FORMS = {
    "largest": form(joined, "max", "max(concat(x_ptr, y_ptr, axis=0))"),
    "squares": form(joined, "squares", "sum(1 + concat(x_ptr, y_ptr, axis=0) * exp(concat(x_ptr, y_ptr, axis=0)))"),
    "place": form(joined, "argmax", element="i32", wrong=True),
    "running": form(joined, "scan", wrong=True),
    "weighted": form(joined, "weighted", wrong=True),
    "stored": form(joined, "", wrong=True),
    "view_sum": form(viewed, "sum", "sum(x_ptr)"),
    "view_rows": form(viewed, "rows", wrong=True),
    "view_sum_of_largest": form(viewed, "sum of largest", wrong=True),
    "view_stored": form(viewed, "", wrong=True),
}
