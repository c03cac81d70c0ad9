"""Elementwise kernels of examples/kernels/, and those that only move elements."""

import torch
from torch.nn import functional as F
from triton_tools.case import Case
from triton_tools.random_inputs import few, integers, length, matrix, padded, row_length, tensor

VERSIONS = ("3.1.0", "3.6.0", "3.8.0")
FLAT = {"BLOCK": 1024}
OTHER = ({"BLOCK": 256}, {"BLOCK": 4096})
TILE = {"BLOCK_M": 64, "BLOCK_N": 64}
OTHER_TILE = ({"BLOCK_M": 16, "BLOCK_N": 32}, {"BLOCK_M": 128, "BLOCK_N": 16})
HALF, BRAIN = 2e-3, 1.2e-2  # relative error of f16 and bf16 outputs
SIDES = [1, 2, 3, 63, 64, 65, 7, 31, 97, 127, 129, 150]


def flat(*names, dtype=torch.float32, **range_):
    """Inputs: tensors of these names, all of one awkward length."""

    def make(rng, i):
        n = length(rng, i)
        return {name: tensor(rng, n, dtype=dtype, **range_) for name in names}

    return make


def tiles(*names, dtype=torch.float32, transposed=True, **range_):
    """Inputs: matrices of one awkward shape; contiguous, padded or transposed by turns."""

    def make(rng, i):
        m, n = SIDES[i % len(SIDES)], SIDES[(5 * i + 3) % len(SIDES)]
        return {
            name: matrix(rng, i + k if transposed else (i + k) % 2, m, n, dtype, **range_)
            for k, name in enumerate(names)
        }

    return make


def rows(*names, dtype=torch.float32, any_length=False, pad=True):
    """Inputs: matrices of few rows; a row fits in one block, or has any length."""

    def make(rng, i):
        shape = few(rng, i), (length if any_length else row_length)(rng, i)
        return {
            name: padded(tensor(rng, *shape, dtype=dtype)) if pad and (i + k) % 2 else tensor(rng, *shape, dtype=dtype)
            for k, name in enumerate(names)
        }

    return make


def cat_inputs(rng, i):
    m = few(rng, i)
    a, b = length(rng, i), length(rng, 19 - i)
    return {"a": tensor(rng, m, a), "b": padded(tensor(rng, m, b))}


def embedding_inputs(rng, i):
    n, dim, vocabulary = length(rng, i, 32), length(rng, i + 1, 64), 1 + i * 7
    return {
        "table": tensor(rng, vocabulary, dim, dtype=torch.float16),
        "index": integers(rng, 0, vocabulary, n, dtype=torch.int64),
    }


def rotary_inputs(rng, i):
    positions, heads, half = few(rng, i), few(rng, i + 2), row_length(rng, i, 128)
    angle = tensor(rng, positions, half)
    return {"x": tensor(rng, positions, heads, 2 * half), "cos": angle.cos(), "sin": padded(angle.sin(), 0)}


def rotary_reference(x, cos, sin):
    half = x.shape[2] // 2
    turned = (
        torch.complex(x[..., :half].double(), x[..., half:].double())
        * torch.complex(cos.double(), sin.double())[:, None, :]
    )
    return {"out_ptr": torch.cat([turned.real, turned.imag], 2)}


def masked_fill_inputs(rng, i):
    n = length(rng, i)
    return {"x": tensor(rng, n), "mask": integers(rng, 0, 2, n, dtype=torch.bool), "value": -1.5 - i}


def dropout_inputs(rng, i):
    n = length(rng, i)
    return {"x": tensor(rng, n), "keep": integers(rng, 0, 2, n, dtype=torch.int8), "p": 0.1 + 0.04 * i}


def batch_norm_inputs(rng, i):
    channels = 1 + i % 5
    return {
        "x": tensor(rng, 1 + i % 3, channels, length(rng, i), dtype=torch.float16),
        "mean": tensor(rng, channels),
        "var": tensor(rng, channels, low=0.1, high=3),
        "weight": tensor(rng, channels),
        "bias": tensor(rng, channels),
    }


def batch_norm_reference(x, mean, var, weight, bias):
    return {
        "y_ptr": F.batch_norm(
            x.double(), mean.double(), var.double(), weight.double(), bias.double(), False, 0.0, 1e-5
        )
    }


def pool_inputs(rng, i):
    return {"x": tensor(rng, 1 + i % 3, 3 + i % 7, 2 + length(rng, i, 64))}


def gelu_tanh(x):
    return F.gelu(x.double(), approximate="tanh")


def gradient(function, dy, *inputs):
    """Gradients by PyTorch's own differentiation, in float64."""
    inputs = [x.double().requires_grad_() for x in inputs]
    return torch.autograd.grad(function(*inputs), inputs, dy.double())


def swiglu_gradients(dc, a, b):
    da, db = gradient(lambda a, b: F.silu(a) * b, dc, a, b)
    return {"a_ptr": da, "b_ptr": db}


X_OUT = "x_ptr:*fp32 out_ptr:*fp32 n_elements:i32"
X_OUT_HALF = "x_ptr:*fp16 out_ptr:*fp16 n_elements:i32"
A_B_C = "a_ptr:*fp16 b_ptr:*fp16 c_ptr:*fp16"

CASES = [
    Case(
        "add",
        "x_ptr:*fp32 y_ptr:*fp32 out_ptr:*fp32 n_elements:i32",
        FLAT,
        flat("x", "y"),
        lambda x, y: {"out_ptr": x.double() + y.double()},
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "sub",
        "x_ptr:*fp32 y_ptr:*fp32 out_ptr:*fp32 M:i32 N:i32 stride_xm:i32 stride_xn:i32 stride_ym:i32 stride_yn:i32"
        " stride_om:i32 stride_on:i32",
        TILE,
        tiles("x", "y"),
        lambda x, y: {"out_ptr": x.double() - y.double()},
        other_blocks=OTHER_TILE,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "mul",
        "x_ptr:*fp16 y_ptr:*fp16 out_ptr:*fp16 x_row_stride:i32 y_row_stride:i32 out_row_stride:i32 n_cols:i32",
        FLAT,
        rows("x", "y", dtype=torch.float16, any_length=True),
        lambda x, y: {"out_ptr": x.double() * y.double()},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "div",
        "x_ptr:*fp32 y_ptr:*fp32 out_ptr:*fp32 n_elements:i32",
        FLAT,
        flat("x", "y", low=0.5, high=2),
        lambda x, y: {"out_ptr": x.double() / y.double()},
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "neg",
        X_OUT,
        FLAT,
        flat("x"),
        lambda x: {"out_ptr": -x.double()},
        other_blocks=OTHER,
        paper=True,
        versions=VERSIONS,
    ),
    Case(
        "reciprocal",
        "in_ptr:*fp32 out_ptr:*fp32 n_rows:i32 n_cols:i32 in_stride:i32 out_stride:i32",
        {"BLOCK_R": 32, "BLOCK_C": 128},
        tiles("x", transposed=False, low=0.5, high=2),
        lambda x: {"out_ptr": x.double().reciprocal()},
        other_blocks=({"BLOCK_R": 8, "BLOCK_C": 16}, {"BLOCK_R": 64, "BLOCK_C": 64}),
        paper=True,
    ),
    Case(
        "zeros",
        "out_ptr:*fp16 M:i32 N:i32 stride_m:i32",
        TILE,
        lambda rng, i: {"m": SIDES[i % 12], "n": SIDES[(5 * i + 3) % 12]},
        lambda m, n: {"out_ptr": torch.zeros(m, n)},
        other_blocks=OTHER_TILE,
        paper=True,
    ),
    Case(
        "exp",
        X_OUT_HALF,
        FLAT,
        flat("x", dtype=torch.float16),
        lambda x: {"out_ptr": x.double().exp()},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "sin",
        X_OUT,
        {"BLOCK": 512, "PARTS": 2},
        flat("x"),
        lambda x: {"out_ptr": x.double().sin()},
        other_blocks=({"BLOCK": 256, "PARTS": 2}, {"BLOCK": 512, "PARTS": 3}),
        paper=True,
    ),
    Case("cos", X_OUT, FLAT, flat("x"), lambda x: {"out_ptr": x.double().cos()}, other_blocks=OTHER, paper=True),
    Case(
        "log",
        "x_ptr:*fp32 out_ptr:*fp32 x_stride:i32 out_stride:i32 n:i32",
        FLAT,
        lambda rng, i: {"x": tensor(rng, (1 + i % 3) * length(rng, i), low=0.1, high=9)[:: 1 + i % 3]},
        lambda x: {"out_ptr": x.double().log()},
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "abs",
        "x_ptr:*fp32 n_elements:i32",
        FLAT,
        flat("x"),
        lambda x: {"x_ptr": x.double().abs()},
        host="abs_",
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "rsqrt",
        "x_ptr:*bf16 out_ptr:*bf16 numel:i32",
        FLAT,
        flat("x", dtype=torch.bfloat16, low=0.1, high=9),
        lambda x: {"out_ptr": x.double().rsqrt()},
        tolerance=BRAIN,
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "tanh",
        "x_ptr:*fp16 out_ptr:*fp16 n_cols:i32 numel:i32 stride_xm:i32 stride_xn:i32",
        FLAT,
        tiles("x", dtype=torch.float16),
        lambda x: {"out_ptr": x.double().tanh()},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case("relu", X_OUT, FLAT, flat("x"), lambda x: {"out_ptr": F.relu(x.double())}, other_blocks=OTHER, paper=True),
    Case(
        "leaky_relu",
        "x_ptr:*bf16 out_ptr:*bf16 negative_slope:fp32 n_elements:i32",
        FLAT,
        flat("x", dtype=torch.bfloat16),
        lambda x: {"out_ptr": F.leaky_relu(x.double(), 0.01)},
        tolerance=BRAIN,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "squared_relu",
        "x_ptr:*fp16 out_ptr:*fp16 stride:i32 n_cols:i32",
        FLAT,
        rows("x", dtype=torch.float16),
        lambda x: {"out_ptr": F.relu(x.double()) ** 2},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "gelu",
        X_OUT_HALF,
        FLAT,
        flat("x", dtype=torch.float16),
        lambda x: {"out_ptr": F.gelu(x.double())},
        tolerance=HALF,
        other_blocks=OTHER,
        versions=VERSIONS,
        paper=True,
    ),
    Case(
        "sigmoid",
        X_OUT,
        FLAT,
        flat("x"),
        lambda x: {"out_ptr": torch.sigmoid(x.double())},
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "silu",
        "x_ptr:*fp16 out_ptr:*fp16 M:i32 N:i32 stride_xm:i32 stride_xn:i32 stride_om:i32 stride_on:i32",
        TILE,
        tiles("x", dtype=torch.float16),
        lambda x: {"out_ptr": F.silu(x.double())},
        tolerance=HALF,
        other_blocks=OTHER_TILE,
        paper=True,
    ),
    Case(
        "swiglu",
        "x_ptr:*bf16 out_ptr:*bf16 x_row_stride:i32 out_row_stride:i32 n_cols:i32",
        FLAT,
        lambda rng, i: {"x": tensor(rng, few(rng, i), 2 * length(rng, i), dtype=torch.bfloat16)},
        lambda x: {"out_ptr": F.silu(x.double().chunk(2, 1)[0]) * x.double().chunk(2, 1)[1]},
        tolerance=BRAIN,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "gelu_mul",
        A_B_C + " stride:i32 n_cols:i32",
        FLAT,
        rows("a", "b", dtype=torch.float16),
        lambda a, b: {"c_ptr": gelu_tanh(a) * b.double()},
        tolerance=2 * HALF,
        other_blocks=OTHER,
        paper=True,
        versions=VERSIONS,
    ),
    Case(
        "silu_mul",
        A_B_C + " a_stride:i32 b_stride:i32 c_stride:i32 n_cols:i32",
        FLAT,
        rows("a", "b", dtype=torch.float16),
        lambda a, b: {"c_ptr": F.silu(a.double()) * b.double()},
        tolerance=HALF,
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "cat",
        "a_ptr:*fp32 b_ptr:*fp32 out_ptr:*fp32 a_cols:i32 b_cols:i32 a_stride:i32 b_stride:i32 out_stride:i32",
        FLAT,
        cat_inputs,
        lambda a, b: {"out_ptr": torch.cat([a, b], 1)},
        other_blocks=OTHER,
        paper=True,
    ),
    Case(
        "gelu_backward",
        "dy_ptr:*fp16 x_ptr:*fp16 dx_ptr:*fp16 n_elements:i32",
        FLAT,
        flat("dy", "x", dtype=torch.float16),
        lambda dy, x: {"dx_ptr": gradient(F.gelu, dy, x)[0]},
        tolerance=HALF,
        other_blocks=OTHER,
    ),
    Case(
        "silu_backward",
        "dy_ptr:*fp32 x_ptr:*fp32 dx_ptr:*fp32 n_elements:i32",
        FLAT,
        flat("dy", "x"),
        lambda dy, x: {"dx_ptr": gradient(F.silu, dy, x)[0]},
        other_blocks=OTHER,
    ),
    Case(
        "swiglu_backward",
        "dc_ptr:*fp16 a_ptr:*fp16 b_ptr:*fp16 stride:i32 n_cols:i32",
        FLAT,
        rows("dc", "a", "b", dtype=torch.float16, pad=False),
        swiglu_gradients,
        tolerance=2 * HALF,
        other_blocks=OTHER,
    ),
    Case(
        "embedding",
        "table_ptr:*fp16 index_ptr:*i64 out_ptr:*fp16 n_indices:i32 dim:i32",
        {"BLOCK_M": 32, "BLOCK_N": 64},
        embedding_inputs,
        lambda table, index: {"out_ptr": F.embedding(index, table.double())},
        tolerance=0,
        other_blocks=({"BLOCK_M": 8, "BLOCK_N": 32}, {"BLOCK_M": 64, "BLOCK_N": 128}),
    ),
    Case(
        "rotary_embedding",
        "x_ptr:*fp32 cos_ptr:*fp32 sin_ptr:*fp32 out_ptr:*fp32 seq_stride:i32 head_stride:i32 table_stride:i32"
        " half:i32",
        {"BLOCK": 128},
        rotary_inputs,
        rotary_reference,
        other_blocks=({"BLOCK": 32}, {"BLOCK": 256}),
    ),
    Case(
        "masked_fill",
        "x_ptr:*fp32 mask_ptr:*i1 out_ptr:*fp32 value:fp32 n_elements:i32",
        FLAT,
        masked_fill_inputs,
        lambda x, mask, value: {"out_ptr": x.double().masked_fill(mask, value)},
        other_blocks=OTHER,
    ),
    Case(
        "dropout",
        "x_ptr:*fp32 keep_ptr:*i8 out_ptr:*fp32 n_elements:i32 p:fp32",
        FLAT,
        dropout_inputs,
        lambda x, keep, p: {"out_ptr": x.double() * keep / (1 - p)},
        other_blocks=OTHER,
    ),
    Case(
        "batch_norm_inference",
        "x_ptr:*fp16 y_ptr:*fp16 mean_ptr:*fp32 var_ptr:*fp32 weight_ptr:*fp32 bias_ptr:*fp32 n_channels:i32"
        " n_places:i32 eps:fp32",
        FLAT,
        batch_norm_inputs,
        batch_norm_reference,
        tolerance=2 * HALF,
        other_blocks=OTHER,
    ),
    Case(
        "avg_pool",
        "x_ptr:*fp32 out_ptr:*fp32 height:i32 width:i32 out_height:i32 out_width:i32",
        {"KERNEL": 3, "STRIDE": 2, "BLOCK": 64},
        pool_inputs,
        lambda x: {"out_ptr": F.avg_pool2d(x.double()[None], 3, 2)[0]},
        other_blocks=({"BLOCK": 16}, {"BLOCK": 256}),
    ),
    Case(
        "transpose",
        "x_ptr:*fp32 out_ptr:*fp32 M:i32 N:i32 stride_xm:i32 stride_on:i32",
        {"BLOCK_M": 64, "BLOCK_N": 32},
        tiles("x", transposed=False),
        lambda x: {"out_ptr": x.double().T},
        tolerance=0,
        other_blocks=OTHER_TILE,
        versions=VERSIONS,
    ),
    Case(
        "concat_select",
        "a_ptr:*fp32 b_ptr:*fp32 out_ptr:*fp32 n_a:i32 n_b:i32",
        FLAT,
        lambda rng, i: {"a": tensor(rng, length(rng, i)), "b": tensor(rng, length(rng, 19 - i))},
        lambda a, b: {"out_ptr": torch.cat([a, b])},
        tolerance=0,
        other_blocks=OTHER,
    ),
    Case(
        "huber_loss",
        "x_ptr:*fp32 target_ptr:*fp32 loss_ptr:*fp32 delta:fp32 n_elements:i32",
        FLAT,
        lambda rng, i: {**flat("x", "target")(rng, i), "delta": 0.25 + 0.1 * i},
        lambda x, target, delta: {
            "loss_ptr": F.huber_loss(x.double(), target.double(), reduction="none", delta=delta)
        },
        other_blocks=OTHER,
    ),
]
