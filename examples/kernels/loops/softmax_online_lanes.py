"""Softmax with one online maximum and sum per lane, merged after the loop.

The second pass walks the row backwards, so that it starts with what the cache still holds. A lane
that has met no column yet has maximum -inf; the select keeps (-inf) - (-inf) away from its sum.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_online_lanes_kernel(x_ptr, y_ptr, stride_x, stride_y, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * stride_x
    y_row = y_ptr + row * stride_y
    lanes = tl.arange(0, BLOCK)
    lane_max = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    lane_sum = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        x = tl.load(x_row + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float32)
        new_max = tl.maximum(lane_max, x)
        seen = new_max > float("-inf")
        lane_sum = tl.where(seen, lane_sum * tl.exp(lane_max - new_max) + tl.exp(x - new_max), lane_sum)
        lane_max = new_max
    row_max = tl.max(lane_max, axis=0)
    total = tl.sum(lane_sum * tl.exp(lane_max - row_max), axis=0)
    last = (tl.cdiv(n_cols, BLOCK) - 1) * BLOCK
    for start in range(0, n_cols, BLOCK):
        cols = last - start + lanes
        x = tl.load(x_row + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        tl.store(y_row + cols, tl.exp(x - row_max) / total, mask=cols < n_cols)


def softmax_online_lanes(x, block=64):
    y = torch.empty_like(x)
    softmax_online_lanes_kernel[(x.shape[0],)](x, y, x.stride(0), y.stride(0), x.shape[1], block)
    return {"y_ptr": y}
