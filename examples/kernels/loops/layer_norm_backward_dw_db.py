"""Gradients of layer norm's weight and bias in two launches, without locks.

First launch: program p sums rows p, p + programs, ... of dy * x_hat and of dy into row p of two
partial tensors. Second launch: a block of columns per program, summed over the partial rows.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dw_db_partial_kernel(
    x_ptr, dy_ptr, mean_ptr, rstd_ptr, dw_part_ptr, db_part_ptr, stride, n_rows, n_cols, BLOCK: tl.constexpr
):
    program = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n_cols
    dw = tl.zeros((BLOCK,), dtype=tl.float32)
    db = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(program, n_rows, tl.num_programs(0)):
        base = tl.cast(row, tl.int64) * stride
        x = tl.load(x_ptr + base + cols, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + base + cols, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        dw += dy * ((x - mean) * rstd)
        db += dy
    tl.store(dw_part_ptr + program * n_cols + cols, dw, mask=mask)
    tl.store(db_part_ptr + program * n_cols + cols, db, mask=mask)


@triton.jit
def dw_db_final_kernel(
    dw_part_ptr, db_part_ptr, dw_ptr, db_ptr, parts, n_cols, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    dw = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    db = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, parts, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < parts) & (cols[None, :] < n_cols)
        offsets = rows[:, None] * n_cols + cols[None, :]
        dw += tl.load(dw_part_ptr + offsets, mask=mask, other=0.0)
        db += tl.load(db_part_ptr + offsets, mask=mask, other=0.0)
    tl.store(dw_ptr + cols, tl.sum(dw, axis=0), mask=cols < n_cols)
    tl.store(db_ptr + cols, tl.sum(db, axis=0), mask=cols < n_cols)


def layer_norm_backward_dw_db(x, dy, mean, rstd, programs=5, block=32, final_block=(8, 16)):
    n_rows, n_cols = x.shape
    parts = min(programs, n_rows)
    dw_part = torch.empty((parts, n_cols), dtype=torch.float32)
    db_part = torch.empty((parts, n_cols), dtype=torch.float32)
    dw = torch.empty((n_cols,), dtype=torch.float32)
    db = torch.empty((n_cols,), dtype=torch.float32)
    dw_db_partial_kernel[(parts, triton.cdiv(n_cols, block))](
        x, dy, mean, rstd, dw_part, db_part, x.stride(0), n_rows, n_cols, block
    )
    dw_db_final_kernel[(triton.cdiv(n_cols, final_block[1]),)](dw_part, db_part, dw, db, parts, n_cols, *final_block)
    return {"dw_ptr": dw, "db_ptr": db}
