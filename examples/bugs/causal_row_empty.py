"""Causal bound strict: the first query sees no key at all, so its row is exp((-inf) - (-inf))."""

import triton
import triton.language as tl

SPEC = {
    "kind": "undefined",
    "types": "s_ptr:*fp32 p_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 32},
    "assume": ["n <= 32"],
    "tensors": {"s": ("f32", "n", "n"), "p": ("f32", "n", "n")},
    "grid": ["n"],
    "sample": {"n": 9},
}


@triton.jit
def causal_row_empty_bug(s_ptr, p_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + row * n + cols, mask=(cols < n) & (cols < row), other=-float("inf"))
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(p_ptr + row * n + cols, e / tl.sum(e, axis=0), mask=cols < n)


@triton.jit
def causal_row_empty_fixed(s_ptr, p_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    s = tl.load(s_ptr + row * n + cols, mask=(cols < n) & (cols <= row), other=-float("inf"))
    e = tl.exp(s - tl.max(s, axis=0))
    tl.store(p_ptr + row * n + cols, e / tl.sum(e, axis=0), mask=cols < n)
