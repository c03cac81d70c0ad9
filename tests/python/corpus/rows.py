"""Kernels that reduce a row (or a tile) of one block."""

import torch
from torch.nn import functional as F
from triton_tools.case import Case
from triton_tools.random_inputs import few, integers, matrix, padded, row_length, tensor

VERSIONS = ("3.1.0", "3.6.0", "3.8.0")
BLOCK = {"BLOCK": 1024}
OTHER = ({"BLOCK": 256}, {"BLOCK": 4096})
HALF, BRAIN = 2e-3, 1.2e-2
STACK = {"BLOCK_M": 8, "BLOCK_N": 256}
OTHER_STACK = ({"BLOCK_M": 2, "BLOCK_N": 64}, {"BLOCK_M": 32, "BLOCK_N": 1024})


def rows(rng, i, dtype=torch.float32, **range_):
    """A matrix of few rows of an awkward length, its rows padded in every other case."""
    data = tensor(rng, few(rng, i), row_length(rng, i), dtype=dtype, **range_)
    return padded(data) if i % 2 else data


def stacks(rng, i, per_program=8, dtype=torch.float32):
    """A matrix for kernels that take several rows a program: around one and several such groups."""
    m = [1, 2, per_program - 1, per_program, per_program + 1, 3 * per_program + 1, 13][i % 7]
    return m, row_length(rng, i, 256)


def gradient(function, dy, x):
    x = x.double().requires_grad_()
    return torch.autograd.grad(function(x), x, dy.double())[0]


def softmax_backward_inputs(rng, i):
    x = rows(rng, i, torch.float16)
    return {"dy": padded(tensor(rng, *x.shape, dtype=torch.float16)), "y": torch.softmax(x.float(), 1).half()}


def norm_inputs(rng, i, dtype, names, contiguous=True):
    x = tensor(rng, few(rng, i), row_length(rng, i), dtype=dtype) + 1
    x = x if contiguous or i % 2 else padded(x)
    return {names[0]: x, **{name: tensor(rng, x.shape[1], dtype=dtype) for name in names[1:]}}


def layer_norm_reference(x, weight, bias):
    x = x.double()
    y, mean, rstd = torch.native_layer_norm(x, (x.shape[1],), weight.double(), bias.double(), 1e-5)
    return {"y_ptr": y, "mean_ptr": mean[:, 0], "rstd_ptr": rstd[:, 0]}


def rms_norm_reference(X, W):
    X = X.double()
    return {
        "Y_ptr": F.rms_norm(X, (X.shape[1],), W.double() + 1, 1e-6),
        "RSTD_ptr": 1 / (X.pow(2).mean(1) + 1e-6).sqrt(),
    }


def rms_norm_backward_inputs(rng, i):
    x = rows(rng, i)
    return {
        "dy": tensor(rng, *x.shape),
        "x": x,
        "weight": tensor(rng, x.shape[1]),
        "rstd": (x.pow(2).mean(1) + 1e-6).rsqrt(),
    }


def rms_norm_backward_reference(dy, x, weight, rstd):
    return {"dx_ptr": gradient(lambda x: F.rms_norm(x, (x.shape[1],), weight.double(), 1e-6), dy, x)}


def layer_norm_backward_inputs(rng, i):
    x = tensor(rng, few(rng, i), max(2, row_length(rng, i)))
    return {
        "dy": tensor(rng, *x.shape),
        "x": x,
        "weight": tensor(rng, x.shape[1]),
        "mean": x.mean(1),
        "rstd": (x.var(1, correction=0) + 0.1).rsqrt(),
    }


def layer_norm_backward_reference(dy, x, weight, mean, rstd):
    return {"DX": gradient(lambda x: F.layer_norm(x, (x.shape[1],), weight.double(), None, 0.1), dy, x)}


def cross_entropy_inputs(rng, i):
    logits = rows(rng, i, torch.float16)
    return {"logits": logits, "labels": integers(rng, 0, logits.shape[1], logits.shape[0], dtype=torch.int64)}


def cross_entropy_reference(logits, labels):
    logits = logits.double()
    return {"loss_ptr": F.cross_entropy(logits, labels, reduction="none"), "lse_ptr": logits.logsumexp(1)}


def quantize_reference(x):
    scale = x.abs().amax(1).clamp(min=1e-10) / 127
    return {"q_ptr": (x / scale[:, None]).round().clamp(-128, 127), "scale_ptr": scale}


def kl_div_inputs(rng, i):
    x = rows(rng, i)
    p = torch.softmax(tensor(rng, *x.shape), 1)
    p[p < 0.2 / x.shape[1]] = 0
    return {"log_q": torch.log_softmax(x, 1), "p": p}


def cosine_inputs(rng, i):
    a = rows(rng, i, torch.float16)
    return {"a": a, "b": tensor(rng, *a.shape, dtype=torch.float16)}


def matmul_tile_inputs(rng, i):
    sides = [1, 2, 3, 63, 64, 7, 31, 33, 17, 5]
    m, n, k = sides[i % 10], sides[(3 * i + 1) % 10], sides[(7 * i + 2) % 10]
    return {
        "a": tensor(rng, few(rng, i), m, k, dtype=torch.float16),
        "b": tensor(rng, few(rng, i), k, n, dtype=torch.float16),
    }


X_OUT = "x_ptr:*fp32 out_ptr:*fp32"

CASES = [
    Case(
        "softmax",
        "out_ptr:*fp32 x_ptr:*fp32 x_row_stride:i32 out_row_stride:i32 n_cols:i32",
        BLOCK,
        lambda rng, i: {"x": rows(rng, i)},
        lambda x: {"out_ptr": torch.softmax(x.double(), 1)},
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "log_softmax",
        "out_ptr:*fp16 x_ptr:*fp16 x_row_stride:i32 out_row_stride:i32 n_cols:i32",
        BLOCK,
        lambda rng, i: {"x": rows(rng, i, torch.float16)},
        lambda x: {"out_ptr": torch.log_softmax(x.double(), 1)},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "sum",
        "x_ptr:*fp16 out_ptr:*fp32 M:i32 N:i32 stride_m:i32 stride_n:i32",
        {"BLOCK_M": 16, "BLOCK_N": 256},
        lambda rng, i: {"x": matrix(rng, i, *stacks(rng, i, 16), dtype=torch.float16)},
        lambda x: {"out_ptr": x.double().sum(1)},
        host="row_sum",
        other_blocks=OTHER_STACK,
        paper=True,
    ),
    Case(
        "max",
        X_OUT + " x_row_stride:i32 n_cols:i32",
        BLOCK,
        lambda rng, i: {"x": rows(rng, i)},
        lambda x: {"out_ptr": x.double().amax(1)},
        host="row_max",
        tolerance=0,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "layer_norm",
        "x_ptr:*fp16 y_ptr:*fp16 w_ptr:*fp16 b_ptr:*fp16 mean_ptr:*fp32 rstd_ptr:*fp32 stride:i32 n_cols:i32 eps:fp32",
        BLOCK,
        lambda rng, i: norm_inputs(rng, i, torch.float16, ("x", "weight", "bias")),
        layer_norm_reference,
        tolerance=5e-3,
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "rms_norm",
        "Y_ptr:*bf16 Y_row_stride:i32 X_ptr:*bf16 X_row_stride:i32 W_ptr:*bf16 RSTD_ptr:*fp32 n_cols:i32 eps:fp32"
        " offset:fp32",
        BLOCK,
        lambda rng, i: norm_inputs(rng, i, torch.bfloat16, ("X", "W"), contiguous=False),
        rms_norm_reference,
        tolerance=BRAIN,
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "softmax_backward",
        "dx_ptr:*fp16 dy_ptr:*fp16 y_ptr:*fp16 dx_stride:i32 dy_stride:i32 y_stride:i32 n_cols:i32",
        BLOCK,
        softmax_backward_inputs,
        lambda dy, y: {"dx_ptr": y.double() * (dy.double() - (y.double() * dy.double()).sum(1, keepdim=True))},
        tolerance=HALF,
        other_blocks=OTHER,
    ),
    Case(
        "rms_norm_backward",
        "dy_ptr:*fp32 dx_ptr:*fp32 x_ptr:*fp32 w_ptr:*fp32 rstd_ptr:*fp32 dy_stride:i32 dx_stride:i32 x_stride:i32"
        " n_cols:i32",
        BLOCK,
        rms_norm_backward_inputs,
        rms_norm_backward_reference,
        tolerance=5e-5,
        other_blocks=OTHER,
    ),
    Case(
        "layer_norm_backward",
        "DX:*fp32 DY:*fp32 X:*fp32 W:*fp32 Mean:*fp32 Rstd:*fp32 stride:i32 N:i32",
        BLOCK,
        layer_norm_backward_inputs,
        layer_norm_backward_reference,
        tolerance=5e-5,
        other_blocks=OTHER,
        versions=VERSIONS,
    ),
    Case(
        "cross_entropy",
        "logits_ptr:*fp16 labels_ptr:*i64 loss_ptr:*fp32 lse_ptr:*fp32 logits_row_stride:i32 n_cols:i32",
        BLOCK,
        cross_entropy_inputs,
        cross_entropy_reference,
        other_blocks=OTHER,
        versions=VERSIONS,
    ),
    Case(
        "quantize_rows_int8",
        "x_ptr:*fp32 q_ptr:*i8 scale_ptr:*fp32 x_stride:i32 q_stride:i32 n_cols:i32 eps:fp32",
        BLOCK,
        lambda rng, i: {"x": rows(rng, i)},
        quantize_reference,
        other_blocks=OTHER,
    ),
    Case(
        "kl_div",
        "log_q_ptr:*fp32 p_ptr:*fp32 loss_ptr:*fp32 log_q_stride:i32 p_stride:i32 n_cols:i32 eps:fp32",
        BLOCK,
        kl_div_inputs,
        lambda log_q, p: {"loss_ptr": F.kl_div(log_q.double(), p.double(), reduction="none").sum(1)},
        other_blocks=OTHER,
    ),
    Case(
        "logsumexp",
        X_OUT + " M:i32 N:i32 stride_m:i32",
        STACK,
        lambda rng, i: {"x": matrix(rng, i % 2, *stacks(rng, i))},
        lambda x: {"out_ptr": x.double().logsumexp(1)},
        other_blocks=OTHER_STACK,
    ),
    Case(
        "cosine_similarity",
        "a_ptr:*fp16 b_ptr:*fp16 out_ptr:*fp32 a_stride:i32 b_stride:i32 n_cols:i32 eps:fp32",
        BLOCK,
        cosine_inputs,
        lambda a, b: {"out_ptr": F.cosine_similarity(a.double(), b.double(), 1)},
        other_blocks=OTHER,
    ),
    Case(
        "argmax",
        "x_ptr:*fp32 value_ptr:*fp32 index_ptr:*i64 x_stride:i32 n_cols:i32",
        BLOCK,
        lambda rng, i: {"x": rows(rng, i).mul(2).round()},
        lambda x: {"value_ptr": x.amax(1), "index_ptr": x.numpy().argmax(1)},
        tolerance=0,
        other_blocks=OTHER,
    ),
    Case(
        "argmin",
        "x_ptr:*fp32 index_ptr:*i32 M:i32 N:i32 stride_m:i32",
        STACK,
        lambda rng, i: {"x": matrix(rng, i % 2, *stacks(rng, i)).mul(2).round()},
        lambda x: {"index_ptr": x.numpy().argmin(1)},
        tolerance=0,
        other_blocks=OTHER_STACK,
        versions=VERSIONS,
    ),
    Case(
        "matmul_tile",
        "a_ptr:*fp16 b_ptr:*fp16 c_ptr:*fp16 M:i32 N:i32 K:i32 stride_ab:i32 stride_am:i32 stride_bb:i32 stride_bk:i32"
        " stride_cb:i32 stride_cm:i32",
        {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 64},
        matmul_tile_inputs,
        lambda a, b: {"c_ptr": a.double() @ b.double()},
        tolerance=HALF,
        other_blocks=({"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 16}, {"BLOCK_M": 16, "BLOCK_N": 128, "BLOCK_K": 64}),
        versions=VERSIONS,
    ),
]
