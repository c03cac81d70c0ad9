"""One AdamW step in place: parameters and both moments are updated where they lie."""

import torch
import triton
import triton.language as tl


@triton.jit
def adam_kernel(
    param_ptr, grad_ptr, m_ptr, v_ptr, n, lr, beta1, beta2, eps, weight_decay, bias1, bias2, BLOCK: tl.constexpr
):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    p = tl.load(param_ptr + index, mask=mask, other=0.0).to(tl.float32)
    g = tl.load(grad_ptr + index, mask=mask, other=0.0).to(tl.float32)
    m = tl.load(m_ptr + index, mask=mask, other=0.0)
    v = tl.load(v_ptr + index, mask=mask, other=0.0)
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    step = (m / bias1) / (tl.sqrt(v / bias2) + eps)
    p = p - lr * (step + weight_decay * p)
    tl.store(param_ptr + index, p.to(param_ptr.dtype.element_ty), mask=mask)
    tl.store(m_ptr + index, m, mask=mask)
    tl.store(v_ptr + index, v, mask=mask)


def adam(param, grad, m, v, step, lr=1e-2, beta1=0.9, beta2=0.99, eps=1e-8, weight_decay=0.1, block=64):
    param, m, v = param.clone(), m.clone(), v.clone()
    n = param.numel()
    adam_kernel[(triton.cdiv(n, block),)](
        param, grad, m, v, n, lr, beta1, beta2, eps, weight_decay, 1 - beta1**step, 1 - beta2**step, block
    )
    return {"param_ptr": param, "m_ptr": m, "v_ptr": v}
