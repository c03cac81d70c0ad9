"""Two launches, the second of which takes the logarithm of what the first leaves: always a number above 0, which the second alone does not know."""

import triton
import triton.language as tl


@triton.jit
def exponentials(x_ptr, p_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(p_ptr + row * N + i, tl.exp(tl.load(x_ptr + row * N + i, mask=i < N)) + 1.0, mask=i < N)


@triton.jit
def logarithm(p_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.log(tl.sum(tl.load(p_ptr + row * N + i, mask=i < N, other=0.0), 0)))


FORMS = {
    "exponentials": {
        "kernel": exponentials,
        "types": {"x_ptr": "*fp32", "p_ptr": "*fp32", "N": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "1 + exp(x_ptr)",
    },
    "logarithm": {
        "kernel": logarithm,
        "types": {"p_ptr": "*fp32", "y_ptr": "*fp32", "N": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "log(sum(p_ptr, axis=1))",
        "safety": "refuted",
    },
}
