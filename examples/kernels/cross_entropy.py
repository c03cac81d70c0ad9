"""Cross entropy of each row of logits with the label of the row; the row fits in one block."""

import torch
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(logits_ptr, labels_ptr, loss_ptr, lse_ptr, logits_row_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    logits_row = logits_ptr + row.to(tl.int64) * logits_row_stride
    cols = tl.arange(0, BLOCK)
    logits = tl.load(logits_row + cols, mask=cols < n_cols, other=-float("inf")).to(tl.float32)
    largest = tl.max(logits, axis=0)
    lse = tl.log(tl.sum(tl.exp(logits - largest), axis=0)) + largest
    label = tl.load(labels_ptr + row)
    picked = tl.load(logits_row + label).to(tl.float32)
    tl.store(lse_ptr + row, lse)
    tl.store(loss_ptr + row, lse - picked)


def cross_entropy(logits, labels):
    n_rows, n_cols = logits.shape
    loss = torch.empty((n_rows,), dtype=torch.float32)
    lse = torch.empty((n_rows,), dtype=torch.float32)
    cross_entropy_kernel[(n_rows,)](
        logits, labels, loss, lse, logits.stride(0), n_cols, BLOCK=max(1024, triton.next_power_of_2(n_cols))
    )
    return loss, lse
