"""One call of each operator of liger-kernel, forward and backward, on small CPU tensors.

Sizes are small, pairwise different where operators allow it, and never 1, so that no argument is specialised
away by accident. `operator` is the class under which the table counts the kernel.
"""

import torch

from liger_kernel.ops import *  # noqa: F401,F403

CALLS = []
ROWS, COLS = 6, 80


def call(operator):
    def add(function):
        function.operator = operator
        CALLS.append(function)
        return function

    return add


def rand(*shape, dtype=torch.float32, grad=True):
    return (torch.rand(shape) - 0.5).to(dtype).requires_grad_(grad)


def leaf_free(tensor):
    """Not a leaf, so that an operator may write into it."""
    return tensor * 1.0


def back(*outputs):
    total = 0
    for output in outputs:
        if isinstance(output, torch.Tensor) and output.requires_grad:
            total = total + (output.float() * (torch.rand(output.shape) + 0.5)).sum()
    if isinstance(total, torch.Tensor):
        total.backward()


def rows_of(dtype=torch.float32):
    return leaf_free(rand(ROWS, COLS, dtype=dtype))


@call("elementwise")
def geglu():
    from liger_kernel.ops.geglu import LigerGELUMulFunction

    back(LigerGELUMulFunction.apply(rows_of(), rows_of()))


@call("elementwise")
def geglu_f16():
    from liger_kernel.ops.geglu import LigerGELUMulFunction

    back(LigerGELUMulFunction.apply(rows_of(torch.float16), rows_of(torch.float16)))


@call("elementwise")
def swiglu():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction

    back(LigerSiLUMulFunction.apply(rows_of(), rows_of()))


@call("elementwise")
def swiglu_multiplier():
    from liger_kernel.ops.swiglu import LigerSiLUMulFunction

    back(LigerSiLUMulFunction.apply(rows_of(), rows_of(), 1.5, 0.5))


@call("elementwise")
def swiglu_tiled():
    """Wide rows on the newest devices take other kernels."""
    from liger_kernel.ops import swiglu as module

    kept, module.infer_device_arch = module.infer_device_arch, lambda: "blackwell"
    try:
        back(module.LigerSiLUMulFunction.apply(leaf_free(rand(2, 8200)), leaf_free(rand(2, 8200))))
    finally:
        module.infer_device_arch = kept


@call("elementwise")
def swiglu_fused_gate_up():
    from liger_kernel.ops.swiglu import LigerFusedGateUpSiLUMulFunction

    back(LigerFusedGateUpSiLUMulFunction.apply(rows_of()))


@call("elementwise")
def relu_squared():
    from liger_kernel.ops.relu_squared import LigerReLUSquaredFunction

    back(LigerReLUSquaredFunction.apply(rows_of()))


@call("elementwise")
def dyt():
    from liger_kernel.ops.dyt import LigerDyTFunction

    back(LigerDyTFunction.apply(rows_of(), rand(1), rand(COLS), rand(COLS)))


@call("elementwise")
def dyt_no_beta():
    from liger_kernel.ops.dyt import LigerDyTFunction

    back(LigerDyTFunction.apply(rows_of(), rand(1), rand(COLS), None))


@call("elementwise")
def element_mul():
    from liger_kernel.ops.cross_entropy import cross_entropy_backward

    cross_entropy_backward(rand(ROWS, COLS, grad=False), torch.tensor(0.5))


@call("norm")
def rms_norm():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction

    for casting in ("llama", "gemma", "none"):
        back(LigerRMSNormFunction.apply(rows_of(), rand(COLS), 1e-6, 0.0, casting, True, True))


@call("norm")
def rms_norm_bf16():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction

    back(
        LigerRMSNormFunction.apply(
            rows_of(torch.bfloat16), rand(COLS, dtype=torch.bfloat16), 1e-6, 1.0, "gemma", False, True
        )
    )


@call("norm")
def rms_norm_block():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction

    back(LigerRMSNormFunction.apply(leaf_free(rand(40, COLS)), rand(COLS), 1e-6, 0.0, "llama", True, None))
    back(LigerRMSNormFunction.apply(leaf_free(rand(4096 * 9, 16)), rand(16), 1e-6, 0.0, "gemma", True, None))


@call("norm")
def rms_norm_no_weight():
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction

    back(LigerRMSNormFunction.apply(rows_of(), None, 1e-6, 0.0, "llama", True, True))


@call("norm")
def fused_add_rms_norm():
    from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction

    for casting in ("llama", "gemma"):
        back(*LigerFusedAddRMSNormFunction.apply(rows_of(), rows_of(), rand(COLS), 1e-6, 0.0, casting))


@call("norm")
def modulated_rms_norm():
    from liger_kernel.ops.modulated_rms_norm import LigerModulatedRMSNormFunction

    back(
        LigerModulatedRMSNormFunction.apply(
            leaf_free(rand(2, 3, COLS)), rand(COLS), rand(2, COLS), rand(2, COLS), 1e-6
        )
    )
    back(LigerModulatedRMSNormFunction.apply(rows_of(), None, rand(ROWS, COLS), None, 1e-6))


@call("norm")
def layer_norm():
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction

    back(LigerLayerNormFunction.apply(rows_of(), rand(COLS), rand(COLS), 1e-5))


@call("norm")
def group_norm():
    from liger_kernel.ops.group_norm import LigerGroupNormFunction

    back(LigerGroupNormFunction.apply(leaf_free(rand(2, 6, 35)), rand(6), rand(6), 6, 3, 1e-5))


@call("norm")
def poly_norm():
    from liger_kernel.ops.poly_norm import LigerPolyNormFunction

    back(LigerPolyNormFunction.apply(rows_of(), rand(3), rand(), 1e-6))


@call("norm")
def attn_res():
    from liger_kernel.ops.attn_res import LigerAttnResFunction

    back(LigerAttnResFunction.apply(leaf_free(rand(3, 2, 5, COLS)), rand(COLS), rand(COLS), 1e-6))


@call("softmax")
def softmax():
    from liger_kernel.ops.softmax import LigerSoftmaxFunction

    back(LigerSoftmaxFunction.apply(rows_of()))


# softmax.py also has kernels for rows of several blocks: no host code launches them (calculate_settings gives one block
# or raises), and Triton 3.6.0 does not compile them ("'dtype' object is not callable").


@call("softmax")
def sparsemax():
    from liger_kernel.ops.sparsemax import LigerSparsemaxFunction

    back(LigerSparsemaxFunction.apply(rows_of(), -1))


@call("attention")
def multi_token_attention():
    from liger_kernel.ops.multi_token_attention import LigerMultiTokenAttentionFunction

    for sparse in (False, True):
        back(
            LigerMultiTokenAttentionFunction.apply(
                leaf_free(rand(2, 3, 20, 20)), rand(3, 3, 3, 3), rand(3), 1, 1, 1, 1, sparse
            )
        )


@call("attention")
def neighborhood_attention():
    from liger_kernel.ops.fused_neighborhood_attention import LigerFusedNeighborhoodAttentionFunction as function

    back(
        function.apply(
            leaf_free(rand(2, 3, 20, 16)), leaf_free(rand(2, 3, 20, 16)), leaf_free(rand(2, 3, 20, 16)), 3, 2
        )
    )


def labels(classes=COLS):
    target = torch.randint(0, classes, (ROWS,))
    target[2] = -100
    return target


@call("cross entropy")
def cross_entropy():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as function

    back(function.apply(rows_of(), labels(), None)[0])
    back(function.apply(rows_of(), labels(), None, -100, 0.0, 0.1, "sum")[0])
    back(function.apply(rows_of(), labels(), None, -100, 1e-4, 0.0, "none", None, True)[0])
    back(
        function.apply(
            rows_of(), labels(), rand(COLS, grad=False) + 1, -100, 0.0, 0.1, "mean", 30.0, False, True, True
        )[0]
    )


@call("cross entropy")
def cross_entropy_forward_only():
    from liger_kernel.ops.cross_entropy import LigerCrossEntropyFunction as function

    function.apply(rand(ROWS, COLS, dtype=torch.bfloat16, grad=False), labels(), None)


@call("cross entropy")
def fused_linear_cross_entropy():
    from liger_kernel.ops.fused_linear_cross_entropy import LigerFusedLinearCrossEntropyFunction as function

    back(function.apply(leaf_free(rand(ROWS, 24)), rand(COLS, 24), labels(), rand(COLS))[0])


@call("cross entropy")
def vocab_parallel_cross_entropy():
    from liger_kernel.ops.vocab_parallel_cross_entropy import LigerVocabParallelCEFunction as function

    back(function.apply(leaf_free(rand(3, 2, COLS)), labels(), None, -100, 0.0, "pytorch", "global"))


@call("cross entropy")
def fused_ce_tvd():
    from liger_kernel.ops.fused_ce_tvd import LigerFusedCETVDFunction as function

    back(*function.apply(rows_of(), rand(ROWS, COLS, grad=False), labels()))


@call("divergence")
def kl_div():
    from liger_kernel.ops.kl_div import LigerKLDivLossFunction as function

    for reduction, log_target in (("batchmean", False), ("none", True), ("sum", False), ("mean", True)):
        back(
            function.apply(
                torch.log_softmax(rows_of(), -1),
                torch.softmax(rand(ROWS, COLS, grad=False), -1),
                reduction,
                log_target,
            )
        )


@call("divergence")
def jsd():
    from liger_kernel.ops.jsd import LigerJSDFunction as function

    for beta in (0.5, 0.0, 1.0):
        back(
            function.apply(
                torch.log_softmax(rows_of(), -1), torch.log_softmax(rand(ROWS, COLS, grad=False), -1), labels(), beta
            )
        )


@call("divergence")
def tvd():
    from liger_kernel.ops.tvd import LigerTVDLossFunction as function

    for reduction in ("batchmean", "none"):
        back(
            function.apply(
                torch.softmax(rows_of(), -1), torch.softmax(rand(ROWS, COLS, grad=False), -1), labels(), reduction
            )
        )


@call("divergence")
def fused_linear_jsd():
    from liger_kernel.ops.fused_linear_jsd import LigerFusedLinearJSDFunction as function

    back(
        function.apply(
            leaf_free(rand(ROWS, 24)), rand(COLS, 24), rand(ROWS, 40, grad=False), rand(COLS, 40, grad=False), labels()
        )
    )


@call("divergence")
def fused_linear_kl_div():
    from liger_kernel.ops.fused_linear_kl_div import LigerFusedLinearKLDivFunction as function

    back(function.apply(leaf_free(rand(ROWS, 24)), rand(COLS, 24), torch.softmax(rand(ROWS, COLS, grad=False), -1)))


@call("reinforcement")
def grpo():
    from liger_kernel.ops.grpo_loss import GrpoLossFunction as function

    b, length = 2, 5

    def run(loss_type, beta, level="token", old=True, **more):
        logp = -torch.rand(b, length)
        mask = torch.ones(b, length)
        mask[1, 3:] = 0
        back(
            *function.apply(
                leaf_free(rand(b, length + 1, COLS)),
                logp if old else None,
                -torch.rand(b, length) if beta else None,
                torch.randint(0, COLS, (b, length)),
                torch.rand(b) - 0.5,
                mask,
                0.9,
                beta,
                0.2,
                0.3,
                False,
                loss_type,
                None,
                True,
                level,
                *more.values(),
            )
        )

    run("grpo", 0.04)
    run("dapo", 0.0)
    run("cispo", 0.0)
    run("sapo", 0.04)
    run("grpo", 0.04, level="sequence")


@call("reinforcement")
def selective_log_softmax():
    from liger_kernel.ops.grpo_loss import fused_selective_log_softmax

    fused_selective_log_softmax(rand(2, 6, COLS, grad=False), torch.randint(0, COLS, (2, 5)), 0.9, torch.ones(2, 5))


def rotary(length, dim):
    angles = torch.rand(length, dim // 2)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos()[None], angles.sin()[None]


@call("rotary")
def rope():
    from liger_kernel.ops.rope import LigerRopeFunction

    cos, sin = rotary(5, 16)
    back(*LigerRopeFunction.apply(leaf_free(rand(2, 4, 5, 16)), leaf_free(rand(2, 2, 5, 16)), cos, sin))


@call("rotary")
def qwen2vl_mrope():
    from liger_kernel.ops.qwen2vl_mrope import LigerQwen2VLMRopeFunction

    angles = torch.rand(3, 2, 5, 16)
    back(
        *LigerQwen2VLMRopeFunction.apply(
            leaf_free(rand(2, 4, 5, 16)), leaf_free(rand(2, 2, 5, 16)), angles.cos(), angles.sin(), [2, 3, 3]
        )
    )


@call("rotary")
def llama4_rope():
    from liger_kernel.ops.llama4_rope import LigerLlama4RopeFunction

    freqs = torch.polar(torch.ones(5, 8), torch.rand(5, 8))
    back(*LigerLlama4RopeFunction.apply(leaf_free(rand(2, 5, 4, 16)), leaf_free(rand(2, 5, 2, 16)), freqs))


@call("embedding")
def embedding():
    from liger_kernel.ops.experimental.embedding import LigerEmbeddingFunction

    back(LigerEmbeddingFunction.apply(rand(12, 40), torch.randint(0, 12, (7,))))


@call("matmul")
def mm_int8int2():
    from liger_kernel.ops.experimental.mm_int8int2 import matmul, pack_weights

    weights = pack_weights(torch.randint(-1, 2, (1024, 32)), 2)
    matmul(torch.randint(-128, 128, (40, 1024), dtype=torch.int8), weights)


@call("matmul")
def gemm_swiglu():
    from liger_kernel.ops import mlp

    weights = [rand(48, 32, grad=False) for _ in range(2)]
    x = rand(2, 20, 32, grad=False)
    mlp.gemm_swiglu(x, *weights, 1.5, False)
    agu, config = mlp.gemm_swiglu(x, *weights, 1.5, True)
    mlp.swiglu_backward_dGU(rand(2, 20, 32, grad=False), rand(32, 48, grad=False), agu, config, 1.5, 0.5)
    mlp.swiglu_backward_dI(*weights, agu)


@call("mixture of experts")
def fused_moe():
    from liger_kernel.ops import fused_moe as module

    original = module.compute_routing_metadata

    def routing(index, experts, block=module.BLOCK_M_TOKEN):
        """Where kernels are only compiled, the router's results are zeros: make them here, for the launches that follow."""
        result = original(index, experts, block)
        if len(result[5]):
            return result
        order = torch.argsort(index.flatten(), stable=True)
        counts = torch.bincount(index.flatten(), minlength=experts)
        starts = torch.cat([torch.zeros(1, dtype=torch.long), counts.cumsum(0)])
        tiles = [(int(starts[e]) + at, e) for e in range(experts) for at in range(0, int(counts[e]), block)]
        made = (counts, starts, order // index.shape[1], order, torch.argsort(order), *map(torch.tensor, zip(*tiles)))
        return tuple(part.int() for part in made)

    module.compute_routing_metadata = routing
    tokens, hidden, inner, experts, top = 10, 32, 48, 4, 2
    index = torch.stack([torch.randperm(experts)[:top] for _ in range(tokens)]).int()
    back(
        module.LigerFusedMoEFunction.apply(
            leaf_free(rand(tokens, hidden)),
            rand(experts, 2 * inner, hidden),
            rand(experts, hidden, inner),
            index,
            leaf_free(rand(tokens, top)),
        )
    )


@call("hyper-connections")
def mhc_coefficients():
    from liger_kernel.ops.mhc import LigerMHCCoeffsFunction

    streams, width = 4, 24
    outputs = streams * streams + 2 * streams
    for grad in (True, False):
        back(
            *LigerMHCCoeffsFunction.apply(
                leaf_free(rand(5, streams, width, grad=grad)),
                rand(streams * width, outputs, grad=grad),
                rand(outputs, grad=grad),
                rand(grad=grad),
                rand(grad=grad),
                rand(grad=grad),
                True,
                5,
                1e-6,
                1e-4,
                1e-6,
                2.0,
            )
        )


@call("hyper-connections")
def mhc_sinkhorn_backward():
    """Without the saved iterations, which the autograd function always keeps."""
    from liger_kernel.ops import mhc

    streams = 4
    outputs = streams * streams + 2 * streams
    mix, bias, scale = rand(5, outputs, grad=False), rand(outputs, grad=False), rand(grad=False)
    mhc.mhc_sinkhorn_bwd(mix, bias, scale, rand(5, streams, streams, grad=False), tmax=5, sinkhorn_eps=1e-6)


@call("hyper-connections")
def mhc_apply():
    from liger_kernel.ops.mhc import LigerMHCPostResFunction, LigerMHCPreFunction

    back(LigerMHCPreFunction.apply(leaf_free(rand(5, 4, 24)), leaf_free(rand(5, 4))))
    back(
        LigerMHCPostResFunction.apply(
            leaf_free(rand(5, 4, 24)), leaf_free(rand(5, 24)), leaf_free(rand(5, 4)), leaf_free(rand(5, 4, 4))
        )
    )
