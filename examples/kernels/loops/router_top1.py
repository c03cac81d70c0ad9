"""Top-1 router of a mixture of experts: softmax over few experts, best expert and its weight, tokens per expert."""

import torch
import triton
import triton.language as tl


@triton.jit
def router_top1_kernel(
    logits_ptr,
    weight_ptr,
    expert_ptr,
    count_ptr,
    n_tokens,
    n_experts,
    stride,
    BLOCK_T: tl.constexpr,
    BLOCK_E: tl.constexpr,
):
    tokens = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    experts = tl.arange(0, BLOCK_E)
    in_tokens = tokens < n_tokens
    in_experts = experts[None, :] < n_experts
    x = tl.load(
        logits_ptr + tokens[:, None] * stride + experts[None, :],
        mask=in_tokens[:, None] & in_experts,
        other=float("-inf"),
    ).to(tl.float32)
    x = tl.where(in_tokens[:, None], x, 0.0)
    best, index = tl.max(x, axis=1, return_indices=True)
    total = tl.sum(tl.where(in_experts, tl.exp(x - best[:, None]), 0.0), axis=1)
    tl.store(weight_ptr + tokens, 1.0 / total, mask=in_tokens)
    tl.store(expert_ptr + tokens, index, mask=in_tokens)
    tl.atomic_add(count_ptr + index, 1, mask=in_tokens, sem="relaxed")


def router_top1(logits, block=16):
    n_tokens, n_experts = logits.shape
    weight = torch.empty((n_tokens,), dtype=torch.float32)
    expert = torch.empty((n_tokens,), dtype=torch.int32)
    count = torch.zeros((n_experts,), dtype=torch.int32)
    router_top1_kernel[(triton.cdiv(n_tokens, block),)](
        logits, weight, expert, count, n_tokens, n_experts, logits.stride(0), block, triton.next_power_of_2(n_experts)
    )
    return {"weight_ptr": weight, "expert_ptr": expert, "count_ptr": count}
