"""Two stores with different steps: y + 2*i beside y + 2*i + 1 are pairs; beside y + i it tells of no rows, and the two meet."""

import triton
import triton.language as tl


@triton.jit
def steps(x_ptr, y_ptr, n, BLOCK: tl.constexpr, STEP: tl.constexpr, OTHER: tl.constexpr, FIRST: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + STEP * i, x, mask=i < n)
    tl.store(y_ptr + OTHER * i + FIRST, -x, mask=i < n)


def form(step, other, first, **more):
    return {
        "kernel": steps,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 64, "STEP": step, "OTHER": other, "FIRST": first},
        **more,
    }


FORMS = {
    "pairs": form(2, 2, 1, formula="stack(x_ptr, -x_ptr, axis=1)", shape=["n", "2"]),
    "every_second": form(1, 2, 0, race="refuted"),
    "every_third": form(3, 1, 0, wrong=["verdict"]),
}
