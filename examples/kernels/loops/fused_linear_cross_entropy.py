"""Loss of a linear layer followed by cross entropy, without the logits in memory.

One program owns a block of tokens, walks over the vocabulary in chunks (online log-sum-exp) and
over the hidden size inside; the label's logit is picked out of the chunk that contains it.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def fused_linear_cross_entropy_kernel(
    x_ptr,
    w_ptr,
    labels_ptr,
    loss_ptr,
    n_tokens,
    vocab,
    hidden,
    stride_x,
    stride_w,
    BLOCK_T: tl.constexpr,
    BLOCK_V: tl.constexpr,
    BLOCK_H: tl.constexpr,
):
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    in_tokens = tokens < n_tokens
    labels = tl.load(labels_ptr + tokens, mask=in_tokens, other=0)
    m = tl.full((BLOCK_T,), float("-inf"), dtype=tl.float32)
    s = tl.zeros((BLOCK_T,), dtype=tl.float32)
    picked = tl.zeros((BLOCK_T,), dtype=tl.float32)
    for first in range(0, vocab, BLOCK_V):
        words = first + tl.arange(0, BLOCK_V)
        logits = tl.zeros((BLOCK_T, BLOCK_V), dtype=tl.float32)
        for start in range(0, hidden, BLOCK_H):
            inner = start + tl.arange(0, BLOCK_H)
            x = tl.load(
                x_ptr + tokens[:, None] * stride_x + inner[None, :],
                mask=in_tokens[:, None] & (inner[None, :] < hidden),
                other=0.0,
            )
            w = tl.load(
                w_ptr + words[:, None] * stride_w + inner[None, :],
                mask=(words[:, None] < vocab) & (inner[None, :] < hidden),
                other=0.0,
            )
            logits = tl.dot(x, tl.trans(w), logits)
        logits = tl.where(words[None, :] < vocab, logits, float("-inf"))
        m_new = tl.maximum(m, tl.max(logits, axis=1))
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(logits - m_new[:, None]), axis=1)
        picked += tl.sum(tl.where(words[None, :] == labels[:, None], logits, 0.0), axis=1)
        m = m_new
    tl.store(loss_ptr + tokens, m + tl.log(s) - picked, mask=in_tokens)


def fused_linear_cross_entropy(x, w, labels, block=(16, 32, 16)):
    n_tokens, hidden = x.shape
    vocab = w.shape[0]
    loss = torch.empty((n_tokens,), dtype=torch.float32)
    fused_linear_cross_entropy_kernel[(triton.cdiv(n_tokens, block[0]),)](
        x, w, labels, loss, n_tokens, vocab, hidden, x.stride(0), w.stride(0), *block
    )
    return {"loss_ptr": loss}
