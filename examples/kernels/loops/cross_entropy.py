"""Cross entropy over a long vocabulary, forward and gradient in one kernel.

The logits are overwritten with their gradient (in place). The first loop finds maximum and sum of
exponentials online, and the plain sum of logits for label smoothing; the second writes
(softmax - target distribution) * grad_scale. Rows whose label is ignore_index get zeros.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(
    logits_ptr, labels_ptr, loss_ptr, stride, n_classes, ignore_index, grad_scale, smoothing, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    logits = logits_ptr + row * stride
    label = tl.load(labels_ptr + row)
    if label == ignore_index:
        for start in range(0, n_classes, BLOCK):
            cols = start + tl.arange(0, BLOCK)
            tl.store(logits + cols, 0.0, mask=cols < n_classes)
        tl.store(loss_ptr + row, 0.0)
        return
    m = float("-inf")
    d = 0.0
    total = 0.0
    for start in range(0, n_classes, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(logits + cols, mask=cols < n_classes, other=float("-inf")).to(tl.float32)
        block_max = tl.max(x, axis=0)
        m_new = tl.maximum(m, block_max)
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m = m_new
        total += tl.sum(tl.where(cols < n_classes, x, 0.0), axis=0)
    lse = m + tl.log(d)
    label_logit = tl.load(logits + label).to(tl.float32)
    even = smoothing / n_classes
    loss = (1.0 - smoothing) * (lse - label_logit) + smoothing * lse - even * total
    tl.store(loss_ptr + row, loss)
    tl.debug_barrier()
    for start in range(0, n_classes, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(logits + cols, mask=cols < n_classes, other=float("-inf")).to(tl.float32)
        grad = tl.exp(x - m) / d - even
        grad = tl.where(cols == label, grad - (1.0 - smoothing), grad)
        tl.store(logits + cols, (grad * grad_scale).to(logits_ptr.dtype.element_ty), mask=cols < n_classes)


def cross_entropy(logits, labels, ignore_index=-100, grad_scale=0.5, smoothing=0.1, block=64):
    rows, n_classes = logits.shape
    grad = logits.clone()
    loss = torch.empty((rows,), dtype=torch.float32)
    cross_entropy_kernel[(rows,)](
        grad, labels, loss, grad.stride(0), n_classes, ignore_index, grad_scale, smoothing, block
    )
    return {"logits_ptr": grad, "loss_ptr": loss}
