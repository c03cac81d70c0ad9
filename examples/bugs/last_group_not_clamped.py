"""Grouped order of tiles without the smaller last group: its tiles get rows beyond the matrix, and others nobody
computes.
"""

import triton
import triton.language as tl

SPEC = {
    "kind": "coverage",
    "types": "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32",
    "constexprs": {"BLOCK": 4, "GROUP": 2},
    "tensors": {"x": ("f32", "M", "N"), "y": ("f32", "M", "N")},
    "grid": ["cdiv(M,4)*cdiv(N,4)"],
    "sample": {"M": 9, "N": 7},
}


@triton.jit
def last_group_not_clamped_bug(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    in_group = GROUP * tl.cdiv(N, BLOCK)
    pid_m = pid // in_group * GROUP + pid % in_group % GROUP
    pid_n = pid % in_group // GROUP
    rows = pid_m.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = pid_n.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], -x, mask=mask)


@triton.jit
def last_group_not_clamped_fixed(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    in_group = GROUP * tl.cdiv(N, BLOCK)
    first = pid // in_group * GROUP
    size = min(tl.cdiv(M, BLOCK) - first, GROUP)
    pid_m = first + pid % in_group % size
    pid_n = pid % in_group // size
    rows = pid_m.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cols = pid_n.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + rows[:, None] * N + cols[None, :], -x, mask=mask)
