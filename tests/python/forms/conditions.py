"""Conditions that a loop carries: set once and kept, kept while something holds, set again where a mask ends."""

import triton
import triton.language as tl


@triton.jit
def differs(d_ptr, t_ptr, y_ptr, N, stride):
    row = tl.program_id(0)
    found = False
    for k in range(N):
        if not found:
            found = tl.load(d_ptr + row * stride + k) != tl.load(t_ptr + row * stride + k)
    tl.store(y_ptr + row, found.to(tl.int32))


@triton.jit
def accepted(d_ptr, t_ptr, y_ptr, N, stride):
    """How many there are up to the first difference, with it."""
    row = tl.program_id(0)
    found = False
    count = 0
    for k in range(N):
        if not found:
            count += 1
            found = tl.load(d_ptr + row * stride + k) != tl.load(t_ptr + row * stride + k)
    tl.store(y_ptr + row, count)


@triton.jit
def equal(d_ptr, t_ptr, y_ptr, N, stride):
    row = tl.program_id(0)
    same = True
    for k in range(N):
        same = same & (tl.load(d_ptr + row * stride + k) == tl.load(t_ptr + row * stride + k))
    tl.store(y_ptr + row, same.to(tl.int32))


@triton.jit
def forgets(d_ptr, t_ptr, y_ptr, N, stride):
    """Only the last pair counts."""
    row = tl.program_id(0)
    found = False
    for k in range(N):
        found = tl.load(d_ptr + row * stride + k) != tl.load(t_ptr + row * stride + k)
    tl.store(y_ptr + row, found.to(tl.int32))


@triton.jit
def toggles(d_ptr, t_ptr, y_ptr, N, stride):
    """Each difference turns it round."""
    row = tl.program_id(0)
    found = False
    for k in range(N):
        found = found ^ (tl.load(d_ptr + row * stride + k) != tl.load(t_ptr + row * stride + k))
    tl.store(y_ptr + row, found.to(tl.int32))


@triton.jit
def absent(x_ptr, q_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """Whether a value is in no place of a list, in tiles. The lanes beyond the end of the list are as they were."""
    row = tl.program_id(0)
    q = tl.load(q_ptr + row)
    none = tl.full((BLOCK,), 1, tl.int1)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < N, other=0)
        none = none & ((x != q) | (cols >= N))
    tl.store(y_ptr + row, tl.min(none.to(tl.int32), axis=0))


@triton.jit
def absent_forgetful(x_ptr, q_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """The lanes beyond the end forget what they saw before."""
    row = tl.program_id(0)
    q = tl.load(q_ptr + row)
    none = tl.full((BLOCK,), 1, tl.int1)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < N, other=0)
        none = tl.where(cols < N, none & (x != q), True)
    tl.store(y_ptr + row, tl.min(none.to(tl.int32), axis=0))


def form(kernel, types, formula=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 32} if kernel in (absent, absent_forgetful) else {},
        **({"formula": formula} if formula else {}),
        **more,
    }


PAIRS, LIST = "d_ptr:*i32 t_ptr:*i32 y_ptr:*i32 N:i32 stride:i32", "x_ptr:*i32 q_ptr:*i32 y_ptr:*i32 N:i32"
ANY = "where(any(d_ptr != t_ptr, axis=1), 1, 0)"
NONE = "where(all(x_ptr != column(q_ptr), axis=1), 1, 0)"
FORMS = {
    "differs": form(differs, PAIRS, ANY),
    "accepted": form(
        accepted,
        PAIRS,
        "sum(where(any((d_ptr[:, :N - 1] != t_ptr[:, :N - 1]) & (index(N - 1) < expand(column(index(N)), 2)), axis=2),"
        " 0, 1), axis=0)",
    ),
    "equal": form(equal, PAIRS, "where(all(d_ptr == t_ptr, axis=1), 1, 0)"),
    "absent": form(absent, LIST, NONE),
    "forgets": form(forgets, PAIRS, ANY, wrong=True),
    "toggles": form(toggles, PAIRS, ANY, wrong=True),
    "absent_forgetful": form(absent_forgetful, LIST, NONE, wrong=True),
}
