"""Lanes that have met no element yet: what they carry is -inf, and a test for that is a condition on the sizes."""

import triton
import triton.language as tl


@triton.jit
def guarded(x_ptr, y_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    lane_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        new_max = tl.maximum(lane_max, x)
        seen = new_max > float("-inf")
        lane_sum = tl.where(seen, lane_sum * tl.exp(lane_max - new_max) + tl.exp(x - new_max), lane_sum)
        lane_max = new_max
    tl.store(y_ptr + row, tl.sum(lane_sum * tl.exp(lane_max - tl.max(lane_max, axis=0)), axis=0))


@triton.jit
def unguarded(x_ptr, y_ptr, n_cols, stride, BLOCK: tl.constexpr):
    """Without the select: (-inf) - (-inf) in the lanes behind a short row."""
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    lane_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        new_max = tl.maximum(lane_max, x)
        lane_sum = lane_sum * tl.exp(lane_max - new_max) + tl.exp(x - new_max)
        lane_max = new_max
    tl.store(y_ptr + row, tl.sum(lane_sum * tl.exp(lane_max - tl.max(lane_max, axis=0)), axis=0))


@triton.jit
def refuge(x_ptr, y_ptr, n_cols, stride, BLOCK: tl.constexpr):
    """0 in the place of a maximum of nothing: exp((-inf) - 0) is 0."""
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    lane_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        new_max = tl.maximum(lane_max, x)
        safe = tl.where(new_max == float("-inf"), 0.0, new_max)
        lane_sum = lane_sum * tl.exp(lane_max - safe) + tl.exp(x - safe)
        lane_max = new_max
    tl.store(y_ptr + row, tl.sum(lane_sum * tl.exp(lane_max - tl.max(lane_max, axis=0)), axis=0))


@triton.jit
def refuge_of_rows(x_ptr, y_ptr, n_cols, stride, OLD: tl.constexpr, BLOCK: tl.constexpr):
    """OLD: the maximum before is looked at, so that the first tile is never rescaled."""
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    m = -float("inf")
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        new_max = tl.maximum(m, tl.max(x, axis=0))
        if OLD:
            safe = tl.where(m == float("-inf"), 0.0, new_max)
        else:
            safe = tl.where(new_max == float("-inf"), 0.0, new_max)
        total = total * tl.exp(m - safe) + tl.sum(tl.exp(x - safe), axis=0)
        m = new_max
    tl.store(y_ptr + row, m + tl.log(total))


@triton.jit
def counted(x_ptr, y_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        lane_max = tl.maximum(lane_max, x)
    tl.store(y_ptr + row, tl.sum(tl.where(lane_max > float("-inf"), 1.0, 0.0), axis=0))


@triton.jit
def unseen(x_ptr, y_ptr, n_cols, stride, BLOCK: tl.constexpr):
    """What is kept where nothing was seen is something else: it must not be lost."""
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    count = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        x = tl.load(x_ptr + row * stride + start + lanes, mask=start + lanes < n_cols, other=float("-inf"))
        lane_max = tl.maximum(lane_max, x)
        count = tl.where(lane_max > float("-inf"), count + 1.0, 777.0)
    tl.store(y_ptr + row, tl.sum(count, axis=0))


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32", "stride": "i32"}
BLOCK = {"BLOCK": 64}
ONLINE = "sum(exp(x_ptr - max(x_ptr, axis=1)), axis=1)"
TILE = "column(index((n_cols + 63) // 64))"
FORMS = {
    "guarded": {"kernel": guarded, "types": TYPES, "constexprs": BLOCK, "formula": ONLINE},
    "unguarded": {"kernel": unguarded, "types": TYPES, "constexprs": BLOCK, "formula": ONLINE, "safety": "refuted"},
    "refuge": {"kernel": refuge, "types": TYPES, "constexprs": BLOCK, "formula": ONLINE},
    "refuge_of_rows": {
        "kernel": refuge_of_rows,
        "types": TYPES,
        "constexprs": {"OLD": False, **BLOCK},
        "formula": "logsumexp(x_ptr, axis=1)",
    },
    "refuge_of_old": {
        "kernel": refuge_of_rows,
        "types": TYPES,
        "constexprs": {"OLD": True, **BLOCK},
        "formula": "logsumexp(x_ptr, axis=1)",
        "wrong": True,
    },
    "counted": {"kernel": counted, "types": TYPES, "constexprs": BLOCK, "formula": "minimum(n_cols, 64)"},
    "unseen": {
        "kernel": unseen,
        "types": TYPES,
        "constexprs": BLOCK,
        "formula": f"sum(where(({TILE} > 0) | (index(64) + 64 * {TILE} < n_cols), 1, 777))",
    },
}
