"""Layer norm with Welford's update in each lane, element by element, merged over lanes at the end."""

import torch
import triton
import triton.language as tl


@triton.jit
def merge_welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / tl.maximum(count, 1.0))
    delta = mean_b - mean_a
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def layer_norm_lanes_kernel(x_ptr, w_ptr, b_ptr, y_ptr, stride_x, stride_y, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_row = x_ptr + row * stride_x
    y_row = y_ptr + row * stride_y
    lanes = tl.arange(0, BLOCK)
    mean = tl.zeros((BLOCK,), dtype=tl.float32)
    m2 = tl.zeros((BLOCK,), dtype=tl.float32)
    count = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK):
        mask = start + lanes < n_cols
        x = tl.load(x_row + start + lanes, mask=mask, other=0.0).to(tl.float32)
        new_count = count + 1.0
        delta = x - mean
        new_mean = mean + delta / new_count
        new_m2 = m2 + delta * (x - new_mean)
        mean = tl.where(mask, new_mean, mean)
        m2 = tl.where(mask, new_m2, m2)
        count = tl.where(mask, new_count, count)
    row_mean, row_m2, row_count = tl.reduce((mean, m2, count), 0, merge_welford)
    rstd = tl.rsqrt(row_m2 / row_count + eps)
    for start in range(0, n_cols, BLOCK):
        cols = start + lanes
        mask = cols < n_cols
        x = tl.load(x_row + cols, mask=mask, other=0.0).to(tl.float32)
        w = tl.load(w_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(b_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        tl.store(y_row + cols, (x - row_mean) * rstd * w + b, mask=mask)


def layer_norm_lanes(x, w, b, eps=1e-5, block=32):
    rows, n_cols = x.shape
    y = torch.empty_like(x)
    layer_norm_lanes_kernel[(rows,)](x, w, b, y, x.stride(0), y.stride(0), n_cols, eps, block)
    return {"y_ptr": y}
