"""The cases of examples/kernels/loops (kernels with loops, and operators of several kernels).

INPUTS[name] yields at least 20 dicts of keyword arguments for the host function `name` of that
file: sizes 1, 2, primes, one less and one more than a block, several blocks; REFERENCES[name]
computes the same outputs in float64 with PyTorch or NumPy, in the textbook form, sharing no code
with the kernel. The table CASES at the end says how each kernel is compiled.
"""

import itertools
import math

import torch

from triton_tools.case import Case, Kernel

LONG = (1, 2, 3, 7, 31, 63, 64, 65, 97, 127, 128, 129, 131, 191, 192, 193, 255, 256, 257, 300, 331)
ROWS = (1, 2, 3, 5)
INPUTS = {}
REFERENCES = {}


def inputs(function):
    INPUTS[function.__name__.removesuffix("_cases")] = function
    return function


def reference(function):
    REFERENCES[function.__name__.removesuffix("_reference")] = function
    return function


def normal(*shape, dtype=torch.float32, scale=1.0):
    return (torch.randn(*shape, dtype=torch.float64) * scale).to(dtype)


def strided(rows, cols, dtype=torch.float32):
    """A matrix whose rows are further apart than they are long."""
    return normal(rows, cols + rows + 3, dtype=dtype)[:, :cols]


def f64(*tensors):
    return [tensor.double() for tensor in tensors]


# Rows of any length.


def long_rows(**extra):
    for index, cols in enumerate(LONG):
        yield dict(x=strided(ROWS[index % 4], cols), **extra)


@inputs
def softmax_looped_cases():
    return (
        {**case, "x": case["x"].contiguous()} if index % 3 else case for index, case in enumerate(long_rows(block=64))
    )


@inputs
def softmax_online_cases():
    return long_rows(block=64)


@inputs
def softmax_online_lanes_cases():
    return long_rows(block=64)


@reference
def softmax_looped_reference(x, block):
    return {"y_ptr": torch.softmax(x.double(), dim=1)}


REFERENCES["softmax_online"] = REFERENCES["softmax_online_lanes"] = softmax_looped_reference


@inputs
def sum_long_cases():
    return long_rows(block=64)


@reference
def sum_long_reference(x, block):
    return {"out_ptr": x.double().sum(dim=1)}


@inputs
def max_long_cases():
    return long_rows(block=64)


@reference
def max_long_reference(x, block):
    return {"out_ptr": x.double().amax(dim=1)}


@inputs
def logsumexp_online_cases():
    return long_rows(block=64)


@reference
def logsumexp_online_reference(x, block):
    return {"out_ptr": torch.logsumexp(x.double(), dim=1)}


@inputs
def cumsum_cases():
    return long_rows(block=64)


@reference
def cumsum_reference(x, block):
    return {"y_ptr": x.double().cumsum(dim=1)}


@inputs
def argmax_long_cases():
    for index, cols in enumerate(LONG):
        x = strided(ROWS[index % 4], cols)
        yield dict(x=x.round() if index % 2 else x, block=64)  # rounded: many ties


@reference
def argmax_long_reference(x, block):
    best = x.double().amax(dim=1, keepdim=True)
    first = [int(torch.nonzero(row)[0]) for row in x.double() == best]
    return {"out_ptr": torch.tensor(first)}


def norm_rows(block):
    for index, cols in enumerate(LONG):
        x = normal(ROWS[index % 4], cols, scale=2.0) + index % 3
        yield dict(x=x, w=normal(cols), b=normal(cols), eps=1e-5 if index % 2 else 1e-3, block=block)


@inputs
def layer_norm_looped_cases():
    return norm_rows(64)


@inputs
def layer_norm_welford_cases():
    return norm_rows(64)


@inputs
def layer_norm_lanes_cases():
    return norm_rows(32)


@reference
def layer_norm_welford_reference(x, w, b, eps, block):
    x, w, b = f64(x, w, b)
    return {"y_ptr": torch.nn.functional.layer_norm(x, x.shape[1:], w, b, eps)}


REFERENCES["layer_norm_lanes"] = layer_norm_welford_reference


@reference
def layer_norm_looped_reference(x, w, b, eps, block):
    rows = x.double()
    rstd = 1 / torch.sqrt(rows.var(dim=1, unbiased=False) + eps)
    return {**layer_norm_welford_reference(x, w, b, eps, block), "mean_ptr": rows.mean(dim=1), "rstd_ptr": rstd}


@inputs
def rms_norm_residual_cases():
    for index, cols in enumerate(LONG):
        rows = ROWS[index % 4]
        yield dict(x=strided(rows, cols), residual=normal(rows, cols), w=normal(cols), eps=1e-6, block=64)


@reference
def rms_norm_residual_reference(x, residual, w, eps, block):
    s = x.double() + residual.double()
    return {"residual_ptr": s, "y_ptr": s / torch.sqrt((s * s).mean(dim=1, keepdim=True) + eps) * w.double()}


# Whole vectors.


@inputs
def sum_two_launch_cases():
    for n in LONG + (1000, 1025, 1087):
        yield dict(x=normal(n), block=64, final_block=16)


@reference
def sum_two_launch_reference(x, **_):
    return {"out_ptr": x.double().sum().reshape(1)}


@inputs
def max_two_launch_cases():
    return sum_two_launch_cases()


@reference
def max_two_launch_reference(x, **_):
    return {"out_ptr": x.double().amax().reshape(1)}


@inputs
def sum_atomic_cases():
    for index, n in enumerate(LONG):
        yield dict(x=normal(n), block=32, programs=(1, 3, 4)[index % 3])


REFERENCES["sum_atomic"] = sum_two_launch_reference


@inputs
def max_atomic_cases():
    for index, cols in enumerate(LONG):
        yield dict(x=torch.randint(-1000, 1000, (ROWS[index % 4], cols), dtype=torch.int32), block=64)


@reference
def max_atomic_reference(x, block):
    return {"out_ptr": x.amax(dim=1)}


@inputs
def adam_cases():
    for index, n in enumerate(LONG):
        yield dict(
            param=normal(n), grad=normal(n), m=normal(n, scale=0.1), v=normal(n).abs(), step=1 + index, block=64
        )


@reference
def adam_reference(param, grad, m, v, step, block, lr=1e-2, beta1=0.9, beta2=0.99, eps=1e-8, weight_decay=0.1):
    param, grad, m, v = f64(param, grad, m, v)
    m = m + (grad - m) * (1 - beta1)
    v = v + (grad**2 - v) * (1 - beta2)
    step_size = m / (1 - beta1**step) / (torch.sqrt(v / (1 - beta2**step)) + eps)
    return {"param_ptr": param * (1 - lr * weight_decay) - lr * step_size, "m_ptr": m, "v_ptr": v}


# Matrix products.

SHAPES = (
    (1, 1, 1),
    (2, 3, 5),
    (16, 32, 16),
    (17, 33, 15),
    (15, 31, 17),
    (32, 32, 32),
    (33, 31, 64),
    (7, 65, 2),
    (64, 1, 13),
    (1, 64, 47),
    (31, 37, 41),
    (48, 20, 33),
    (65, 65, 1),
    (50, 70, 30),
    (40, 96, 16),
    (5, 5, 129),
    (97, 3, 7),
    (96, 64, 48),
    (63, 64, 31),
    (34, 98, 50),
)


def products(**extra):
    for m, n, k in SHAPES:
        yield dict(a=normal(m, k), b=normal(k, n), **extra)


@inputs
def matmul_cases():
    for index, case in enumerate(products(block=(32, 32, 16))):
        if index % 4 == 0:
            case["b"] = case["b"].t().contiguous().t()
        yield case


@reference
def matmul_reference(a, b, **_):
    return {"c_ptr": a.double() @ b.double()}


@inputs
def matmul_grouped_gelu_cases():
    for index, case in enumerate(products(block=(16, 16, 16))):
        bias = normal(case["b"].shape[1], dtype=case["b"].dtype)
        yield dict(case, bias=bias, group=(1, 2, 3)[index % 3])


@reference
def matmul_grouped_gelu_reference(a, b, bias, **_):
    return {"c_ptr": torch.nn.functional.gelu(a.double() @ b.double() + bias.double(), approximate="tanh")}


@inputs
def matmul_persistent_cases():
    return ({**case, "programs": 1 + index % 5} for index, case in enumerate(products(block=(16, 32, 16))))


@inputs
def matmul_split_k_cases():
    return ({**case, "split_k": 1 + index % 4} for index, case in enumerate(products(block=(16, 32, 16))))


REFERENCES["matmul_persistent"] = REFERENCES["matmul_split_k"] = matmul_reference


@inputs
def matmul_quantised_cases():
    for index, (m, n, k) in enumerate(SHAPES):
        group = (1, 3, 8, 32)[index % 4]
        groups = -(-k // group)
        yield dict(
            a=normal(m, k),
            q=torch.randint(-128, 128, (k, n), dtype=torch.int8),
            scale=normal(groups, n, dtype=torch.float16, scale=0.01),
            zero=torch.randint(-8, 8, (groups, n), dtype=torch.int8),
            group_size=group,
            block=(16, 32, 16),
        )


@reference
def matmul_quantised_reference(a, q, scale, zero, group_size, block):
    k = q.shape[0]
    wide = [t.double().repeat_interleave(group_size, dim=0)[:k] for t in (zero, scale)]
    return {"c_ptr": a.double() @ ((q.double() - wide[0]) * wide[1])}


@inputs
def fused_linear_cross_entropy_cases():
    for tokens, vocab, hidden in SHAPES:
        yield dict(
            x=normal(tokens, hidden),
            w=normal(vocab, hidden),
            labels=torch.randint(0, vocab, (tokens,)),
            block=(16, 32, 16),
        )


@reference
def fused_linear_cross_entropy_reference(x, w, labels, block):
    return {"loss_ptr": torch.nn.functional.cross_entropy(x.double() @ w.double().t(), labels, reduction="none")}


# Attention.

TOKENS = (
    (1, 1),
    (2, 3),
    (16, 16),
    (15, 17),
    (17, 15),
    (31, 33),
    (33, 31),
    (32, 64),
    (7, 65),
    (65, 7),
    (41, 43),
    (1, 70),
    (64, 1),
    (50, 50),
    (47, 61),
    (3, 97),
    (63, 64),
    (48, 32),
    (20, 40),
    (37, 5),
)


def heads_of(queries, keys, head_dim, heads=2):
    return dict(
        q=normal(heads, queries, head_dim),
        k=normal(heads, keys, head_dim),
        v=normal(heads, keys, head_dim),
        scale=1 / math.sqrt(head_dim),
    )


def attend(q, k, v, scale, bias=0.0, causal=False):
    q, k, v = f64(q, k, v)
    scores = q @ k.transpose(-1, -2) * scale + bias
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -math.inf)
    return torch.softmax(scores, dim=-1) @ v, torch.logsumexp(scores, dim=-1)


@inputs
def attention_cases():
    for index, (queries, keys) in enumerate(TOKENS):
        yield dict(heads_of(queries, keys, (16, 5, 8, 20)[index % 4]), block=(16, 32))


@reference
def attention_reference(q, k, v, scale, block):
    return {"out_ptr": attend(q, k, v, scale)[0]}


@inputs
def attention_causal_cases():
    for index, (n_ctx, _) in enumerate(TOKENS):
        dim = (16, 7, 8, 18)[index % 4]
        qkv = normal(2, n_ctx, 3, 2, dim).permute(2, 0, 3, 1, 4)  # views of one projection
        yield dict(q=qkv[0], k=qkv[1], v=qkv[2], scale=0.3, block=(32, 16) if index % 2 else (16, 32))


@reference
def attention_causal_reference(q, k, v, scale, block):
    return {"out_ptr": attend(q, k, v, scale, causal=True)[0]}


@inputs
def attention_exp2_lse_cases():
    for causal, (queries, keys) in itertools.product((False, True), TOKENS):
        yield dict(heads_of(queries, max(queries, keys) if causal else keys, 16), causal=causal, block=(16, 16))


@reference
def attention_exp2_lse_reference(q, k, v, scale, causal, block):
    out, lse = attend(q, k, v, scale, causal=causal)
    return {"out_ptr": out, "lse_ptr": lse}


@inputs
def attention_bias_cases():
    for queries, keys in TOKENS:
        yield dict(heads_of(queries, keys, 16), bias=normal(2, queries, keys), block=(16, 32))


@reference
def attention_bias_reference(q, k, v, bias, scale, block):
    return {"out_ptr": attend(q, k, v, scale, bias.double())[0]}


@inputs
def attention_gqa_cases():
    for index, (queries, keys) in enumerate(TOKENS):
        kv, group = (1, 2)[index % 2], (1, 2, 3)[index % 3]
        yield dict(
            q=normal(2, queries, kv * group, 16),
            k=normal(2, keys, kv, 16),
            v=normal(2, keys, kv, 16),
            scale=0.25,
            block=(16, 32),
        )


@reference
def attention_gqa_reference(q, k, v, scale, block):
    group = q.shape[2] // k.shape[2]
    k, v = (t.repeat_interleave(group, dim=2).transpose(1, 2) for t in (k, v))
    return {"out_ptr": attend(q.transpose(1, 2), k, v, scale)[0].transpose(1, 2)}


@inputs
def attention_staged_cases():
    for index, (causal, infinite) in itertools.product(range(20), ((False, True), (True, True), (True, False))):
        block = ((16, 16), (32, 16))[index // 4 % 2]
        n_ctx = block[0] * (1 + index % 4)
        q, k, v = (normal(1 + index % 2, 1 + index % 3, n_ctx, 16) for _ in range(3))
        yield dict(q=q, k=k, v=v, scale=0.25, causal=causal, infinite=infinite, block=block)


@reference
def attention_staged_reference(q, k, v, scale, causal, infinite, block):
    out, lse = attend(q, k, v, scale, causal=causal)
    return {"out_ptr": out, "lse_ptr": lse / math.log(2)}


@inputs
def attention_backward_cases():
    for causal, (index, (queries, keys)) in itertools.product((False, True), enumerate(TOKENS)):
        case = heads_of(queries, queries if causal else keys, 16)
        out, lse = attend(**case, causal=causal)
        yield dict(
            case,
            out=out.float(),
            dout=normal(2, queries, 16),
            lse=lse.float(),
            causal=causal,
            block=((16, 32), (32, 16))[index // 2 % 2],
        )


@reference
def attention_backward_reference(q, k, v, out, dout, lse, scale, causal, block):
    q, k, v = (t.double().requires_grad_() for t in (q, k, v))
    result = attend(q, k, v, scale, causal=causal)[0]
    dq, dk, dv = torch.autograd.grad(result, (q, k, v), dout.double())
    return {"delta_ptr": (result * dout.double()).sum(-1).detach(), "dq_ptr": dq, "dk_ptr": dk, "dv_ptr": dv}


# Losses, norms, gradients.


@inputs
def cross_entropy_cases():
    for index, classes in enumerate(LONG):
        labels = torch.randint(0, classes, (4,))
        labels[index % 4] = -100
        yield dict(
            logits=normal(4, classes, scale=3.0),
            labels=labels,
            ignore_index=-100,
            grad_scale=0.25,
            smoothing=(0.0, 0.1, 0.3)[index % 3],
            block=64,
        )


@reference
def cross_entropy_reference(logits, labels, ignore_index, grad_scale, smoothing, block):
    logits = logits.double().requires_grad_()
    loss = torch.nn.functional.cross_entropy(
        logits, labels, ignore_index=ignore_index, label_smoothing=smoothing, reduction="none"
    )
    (grad,) = torch.autograd.grad(loss.sum() * grad_scale, logits)
    return {"logits_ptr": grad, "loss_ptr": loss.detach()}


@inputs
def layer_norm_backward_dw_db_cases():
    for index, cols in enumerate(LONG):
        rows = (1, 2, 4, 5, 6, 13)[index % 6]
        x = normal(rows, cols)
        rstd = 1 / torch.sqrt(x.var(dim=1, unbiased=False) + 1e-5)
        yield dict(
            x=x,
            dy=normal(rows, cols),
            mean=x.mean(dim=1),
            rstd=rstd,
            programs=1 + index % 5,
            block=32,
            final_block=(4, 16),
        )


@reference
def layer_norm_backward_dw_db_reference(x, dy, mean, rstd, **_):
    x, dy, mean, rstd = f64(x, dy, mean, rstd)
    return {"dw_ptr": torch.einsum("ij,ij->j", dy, (x - mean[:, None]) * rstd[:, None]), "db_ptr": dy.sum(dim=0)}


@inputs
def group_norm_cases():
    for index in range(20):
        groups, per_group = 1 + index % 3, (1, 2, 4, 5)[index % 4]
        channels = groups * per_group
        yield dict(
            x=normal(1 + index % 2, channels, (1, 3, 31, 32, 33, 64, 70)[index % 7]) + 0.5,
            w=normal(channels),
            b=normal(channels),
            groups=groups,
            eps=1e-3,
            block=32,
        )


@reference
def group_norm_reference(x, w, b, groups, eps, block):
    x, w, b = f64(x, w, b)
    grouped = x.reshape(x.shape[0], groups, -1)
    spread = torch.sqrt(grouped.var(dim=2, unbiased=False, keepdim=True) + eps)
    normal_form = ((grouped - grouped.mean(dim=2, keepdim=True)) / spread).reshape(x.shape)
    return {"y_ptr": normal_form * w[:, None] + b[:, None]}


@inputs
def embedding_backward_cases():
    for index in range(20):
        tokens, dim, vocab = LONG[index % 9], LONG[(3 * index) % 10], (1, 2, 5, 11)[index % 4]
        yield dict(ids=torch.randint(0, vocab, (tokens,)), dy=normal(tokens, dim), vocab=vocab, block=(8, 16))


@reference
def embedding_backward_reference(ids, dy, vocab, block):
    one_hot = torch.nn.functional.one_hot(ids, vocab).double()
    return {"dw_ptr": one_hot.t() @ dy.double()}


# Sequences.


@inputs
def conv1d_causal_depthwise_cases():
    for index in range(20):
        channels, width = (1, 3, 15, 16, 17, 33)[index % 6], 1 + index % 5
        yield dict(
            x=normal(1 + index % 2, (1, 2, 15, 16, 17, 40)[(index * 5 + index // 6) % 6], channels),
            w=normal(channels, width),
            bias=normal(channels),
            block=(16, 16),
        )


@reference
def conv1d_causal_depthwise_reference(x, w, bias, block):
    x, w, bias = f64(x, w, bias)
    padded = torch.nn.functional.pad(x.transpose(1, 2), (w.shape[1] - 1, 0))
    return {"y_ptr": torch.nn.functional.conv1d(padded, w[:, None, :], bias, groups=w.shape[0]).transpose(1, 2)}


@inputs
def linear_recurrence_cases():
    for index in range(20):
        batch, length, channels = 1 + index % 2, (1, 2, 3, 7, 12)[index % 5], (1, 5, 31, 32, 33, 70)[index % 6]
        yield dict(
            a=torch.rand(batch, length, channels),
            x=normal(batch, length, channels),
            h0=normal(batch, channels),
            block=32,
        )


@reference
def linear_recurrence_reference(a, x, h0, block):
    a, x, h0 = f64(a, x, h0)
    length = a.shape[1]
    out = torch.zeros_like(x)
    for t in range(length):  # h[t] = prod(a[0..t]) h0 + sum_s prod(a[s+1..t]) x[s]
        out[:, t] = a[:, : t + 1].prod(dim=1) * h0
        for s in range(t + 1):
            out[:, t] += a[:, s + 1 : t + 1].prod(dim=1) * x[:, s]
    return {"h_ptr": out}


@inputs
def selective_scan_cases():
    for index in range(20):
        batch, length, channels, states = (
            1 + index % 2,
            (1, 2, 5, 9)[index % 4],
            (1, 15, 16, 17, 33)[index % 5],
            (1, 3, 4, 16)[index // 2 % 4],
        )
        yield dict(
            u=normal(batch, length, channels),
            delta=torch.rand(batch, length, channels),
            a=-torch.rand(channels, states),
            b=normal(batch, length, states),
            c=normal(batch, length, states),
            d=normal(channels),
            block=16,
        )


@reference
def selective_scan_reference(u, delta, a, b, c, d, block):
    u, delta, a, b, c, d = f64(u, delta, a, b, c, d)
    length = u.shape[1]
    total = delta.cumsum(dim=1)
    y = u * d
    for t in range(length):
        for s in range(t + 1):  # exp(A * sum of delta over s+1..t)
            decay = torch.exp((total[:, t] - total[:, s])[:, :, None] * a)
            y[:, t] += torch.einsum("bdn,bn,bn->bd", decay, b[:, s], c[:, t]) * delta[:, s] * u[:, s]
    return {"y_ptr": y}


@inputs
def dropout_philox_cases():
    for index, n in enumerate(LONG):
        yield dict(x=normal(n) + 5.0, p=(0.1, 0.5, 0.9)[index % 3], seed=123 + index, block=64)


def philox_bits(seed, n):
    """Philox 4x32-10 of the counters 0..n-1: the first word, signed."""
    import numpy as np

    mask = np.uint64(0xFFFFFFFF)
    c = [np.arange(n, dtype=np.uint64), *(np.zeros(n, dtype=np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        low, high = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(high >> np.uint64(32)) ^ c[1] ^ key[0], high & mask, (low >> np.uint64(32)) ^ c[3] ^ key[1], low & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    return torch.from_numpy(c[0].astype(np.uint32).astype(np.int32).astype(np.int64))


def philox_uniform(seed, n):
    """These words in [0, 1), as Triton's documentation maps them."""
    signed = philox_bits(seed, n)
    return torch.where(signed < 0, -signed - 1, signed).double() * 4.6566127342e-10


@reference
def dropout_philox_reference(x, p, seed, block):
    keep = philox_uniform(seed, x.numel()) > p
    return {"y_ptr": torch.where(keep, x.double() / (1 - p), 0.0)}


@inputs
def router_top1_cases():
    for index in range(20):
        yield dict(logits=normal((1, 2, 7, 15, 16, 17, 40)[index % 7], (1, 2, 3, 5, 8, 9)[index % 6]), block=16)


@reference
def router_top1_reference(logits, block):
    weight, expert = torch.softmax(logits.double(), dim=1).max(dim=1)
    return {"weight_ptr": weight, "expert_ptr": expert, "count_ptr": torch.bincount(expert, minlength=logits.shape[1])}


# How each kernel is compiled. Strides that are always 1 on real launches stand among the constexprs.

DTYPES = {"*fp16": torch.float16, "*bf16": torch.bfloat16}


def cast_inputs(inputs, kinds):
    """The inputs in the element types for which the kernel is compiled: input x is argument x_ptr."""
    for name, value in inputs.items():
        dtype = DTYPES.get(kinds.get(name + "_ptr"))
        if dtype and isinstance(value, torch.Tensor):
            inputs[name] = torch.empty_strided(value.shape, value.stride(), dtype=dtype).copy_(value)
    return inputs


def looped(name, types, constexprs=None, tolerance=1e-5, host="", only=None, **options):
    """A Case of this folder; a variant has the inputs and the file of `host`, where `only` holds."""
    base = host or name

    def chosen():
        return (case for case in INPUTS[base]() if all(case[key] == value for key, value in (only or {}).items()))

    def make_inputs(rng, index):
        torch.manual_seed(int(rng.integers(2**31)))
        return cast_inputs(next(itertools.islice(chosen(), index, None)), kinds)

    kernels = types if isinstance(types, tuple) else (Kernel("", types),)
    kinds = {name: kind for kernel in reversed(kernels) for name, kind in kernel.signature().items()}
    count = sum(1 for _ in chosen())
    reference = REFERENCES[base]
    several = {"kernels": types} if isinstance(types, tuple) else {"types": types, "constexprs": constexprs}
    return Case(
        "loops/" + name,
        **several,
        make_inputs=make_inputs,
        reference=reference,
        module="loops/" + base,
        host=base,
        cases=count,
        tolerance=tolerance,
        **{"kernel": base + "_kernel" if not isinstance(types, tuple) else "", **options},
    )


TILES = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
SMALL_TILES = {"BLOCK_M": 32, "BLOCK_N": 16, "BLOCK_K": 16}
HEADS = {"BLOCK_M": 64, "BLOCK_N": 32, "HEAD_DIM": 64}
SMALL_HEADS = {"BLOCK_M": 32, "BLOCK_N": 32, "HEAD_DIM": 64}
BLOCKS = ({"BLOCK": 64}, {"BLOCK": 4096})
ALL_VERSIONS = ("3.1.0", "3.6.0", "3.8.0")

ROW = "x_ptr:*{0} y_ptr:*{0} stride_x:i32 stride_y:i32 n_cols:i32"
NORM = "x_ptr:*{0} w_ptr:*{0} b_ptr:*{0} y_ptr:*{0} stride_x:i32 stride_y:i32 n_cols:i32 eps:fp32"
PRODUCT = "a_ptr:*{0} b_ptr:*{0} c_ptr:*{1} M:i32 N:i32 K:i32 stride_am:i32 stride_bk:i32 stride_cm:i32"
HEAD_STRIDES = "stride_qh:i32 stride_qm:i32 stride_kh:i32 stride_kn:i32 stride_vh:i32 stride_vn:i32"
STAGED = (
    "q_ptr:*fp16 k_ptr:*fp16 v_ptr:*fp16 out_ptr:*fp16 lse_ptr:*fp32 scale:fp32 stride_qb:i32 stride_qh:i32 "
    "stride_qm:i32 stride_kb:i32 stride_kh:i32 stride_kn:i32 stride_vb:i32 stride_vh:i32 stride_vn:i32 "
    "stride_ob:i32 stride_oh:i32 stride_om:i32 n_heads:i32 n_ctx:i32"
)
BACKWARD = (
    "q_ptr:*{0} k_ptr:*{0} v_ptr:*{0} dout_ptr:*{0} lse_ptr:*fp32 delta_ptr:*fp32 {1} scale:fp32 "
    "n_queries:i32 n_keys:i32 stride_qh:i32 stride_qm:i32 stride_kh:i32 stride_kn:i32"
)


def backward(causal, dtype):
    constexprs = {**HEADS, "CAUSAL": causal}
    return (
        Kernel(
            "attention_delta_kernel",
            f"out_ptr:*{dtype} dout_ptr:*{dtype} delta_ptr:*fp32 n_queries:i32 stride_h:i32 stride_m:i32",
            {"BLOCK_M": 64, "HEAD_DIM": 64},
        ),
        Kernel("attention_dk_dv_kernel", BACKWARD.format(dtype, f"dk_ptr:*{dtype} dv_ptr:*{dtype}"), constexprs),
        Kernel("attention_dq_kernel", BACKWARD.format(dtype, f"dq_ptr:*{dtype}"), constexprs),
    )


CASES = [
    # The rest of the paper's operators, and long rows.
    looped(
        "matmul",
        "a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 M:i32 N:i32 K:i32 stride_am:i32 stride_ak:i32 stride_bk:i32 "
        "stride_bn:i32 stride_cm:i32 stride_cn:i32",
        TILES,
        2e-3,
        other_blocks=(SMALL_TILES,),
        versions=ALL_VERSIONS,
        paper=True,
    ),
    looped(
        "attention",
        "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 out_ptr:*fp32 scale:fp32 n_queries:i32 n_keys:i32 "
        f"head_dim:i32 {HEAD_STRIDES} stride_oh:i32 stride_om:i32",
        {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_D": 64},
        2e-3,
        other_blocks=({"BLOCK_M": 32, "BLOCK_N": 64, "BLOCK_D": 64},),
        versions=ALL_VERSIONS,
        paper=True,
    ),
    looped(
        "softmax_looped", ROW.format("fp32"), {"BLOCK": 1024}, other_blocks=BLOCKS, versions=ALL_VERSIONS, paper=True
    ),
    looped("sum_long", "x_ptr:*fp16 out_ptr:*fp32 stride_x:i32 n_cols:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped("max_long", "x_ptr:*fp32 out_ptr:*fp32 stride_x:i32 n_cols:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    # Other implementations of the same.
    looped("softmax_online", ROW.format("fp16"), {"BLOCK": 1024}, 1e-3, other_blocks=BLOCKS, versions=ALL_VERSIONS),
    looped("softmax_online_lanes", ROW.format("fp32"), {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped(
        "layer_norm_looped",
        "x_ptr:*fp32 w_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 mean_ptr:*fp32 rstd_ptr:*fp32 stride:i32 n_cols:i32 eps:fp32",
        {"BLOCK": 1024},
        other_blocks=BLOCKS,
    ),
    looped("layer_norm_welford", NORM.format("bf16"), {"BLOCK": 1024}, 1e-2, other_blocks=BLOCKS),
    looped("layer_norm_lanes", NORM.format("fp32"), {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped(
        "rms_norm_residual",
        "x_ptr:*bf16 residual_ptr:*fp32 w_ptr:*bf16 y_ptr:*bf16 stride_x:i32 stride_r:i32 "
        "stride_y:i32 n_cols:i32 eps:fp32",
        {"BLOCK": 1024},
        1e-2,
        other_blocks=BLOCKS,
    ),
    looped(
        "sum_two_launch",
        (
            Kernel("sum_partial_kernel", "x_ptr:*fp32 partial_ptr:*fp32 n:i32", {"BLOCK": 1024}),
            Kernel("sum_final_kernel", "partial_ptr:*fp32 out_ptr:*fp32 count:i32", {"BLOCK": 256}),
        ),
    ),
    looped(
        "max_two_launch",
        (
            Kernel("max_partial_kernel", "x_ptr:*fp32 partial_ptr:*fp32 n:i32", {"BLOCK": 1024}),
            Kernel("max_final_kernel", "partial_ptr:*fp32 out_ptr:*fp32 count:i32", {"BLOCK": 256}),
        ),
    ),
    looped("sum_atomic", "x_ptr:*fp32 out_ptr:*fp32 n:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped("max_atomic", "x_ptr:*i32 out_ptr:*i32 stride_x:i32 n_cols:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped(
        "matmul_grouped_gelu",
        "a_ptr:*fp16 b_ptr:*fp16 bias_ptr:*fp16 c_ptr:*fp16 M:i32 N:i32 K:i32 stride_am:i32 "
        "stride_bk:i32 stride_cm:i32",
        {"stride_ak": 1, "stride_bn": 1, "stride_cn": 1, **TILES, "GROUP_M": 8},
        2e-3,
        other_blocks=({**SMALL_TILES, "GROUP_M": 4},),
        versions=ALL_VERSIONS,
    ),
    looped("matmul_persistent", PRODUCT.format("fp16", "fp16"), TILES, 2e-3, other_blocks=(SMALL_TILES,)),
    looped(
        "matmul_split_k",
        PRODUCT.format("fp16", "fp32"),
        {**TILES, "SPLIT_K": 4},
        2e-3,
        other_blocks=({**SMALL_TILES, "SPLIT_K": 2},),
    ),
    looped(
        "attention_causal",
        "q_ptr:*fp16 k_ptr:*fp16 v_ptr:*fp16 out_ptr:*fp16 scale:fp32 n_heads:i32 n_ctx:i32 "
        "head_dim:i32 stride_qb:i32 stride_qh:i32 stride_qm:i32 stride_kb:i32 stride_kh:i32 stride_kn:i32 "
        "stride_vb:i32 stride_vh:i32 stride_vn:i32 stride_ob:i32 stride_oh:i32 stride_om:i32",
        {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_D": 64},
        2e-3,
        versions=ALL_VERSIONS,
    ),
    *(
        looped(
            "attention_exp2_lse" + suffix,
            "q_ptr:*fp16 k_ptr:*fp16 v_ptr:*fp16 out_ptr:*fp16 lse_ptr:*fp32 scale:fp32 "
            f"n_queries:i32 n_keys:i32 {HEAD_STRIDES} stride_oh:i32 stride_om:i32 stride_lh:i32",
            {**HEADS, "CAUSAL": causal},
            2e-3,
            host="attention_exp2_lse",
            only={"causal": causal},
        )
        for suffix, causal in (("", False), ("_causal", True))
    ),
    looped(
        "attention_bias",
        "q_ptr:*fp32 k_ptr:*fp32 v_ptr:*fp32 bias_ptr:*fp32 out_ptr:*fp32 scale:fp32 n_queries:i32 "
        f"n_keys:i32 {HEAD_STRIDES} stride_bh:i32 stride_bm:i32 stride_oh:i32 stride_om:i32",
        HEADS,
        2e-3,
        other_blocks=(SMALL_HEADS,),
    ),
    looped(
        "attention_gqa",
        "q_ptr:*fp16 k_ptr:*fp16 v_ptr:*fp16 out_ptr:*fp16 scale:fp32 n_queries:i32 n_keys:i32 group_size:i32"
        " stride_qb:i32 stride_qm:i32 stride_qh:i32 stride_kb:i32 stride_kn:i32 stride_kh:i32 stride_vb:i32"
        " stride_vn:i32 stride_vh:i32 stride_ob:i32 stride_om:i32 stride_oh:i32",
        HEADS,
        2e-3,
        other_blocks=(SMALL_HEADS,),
    ),
    *(
        looped(
            "attention_staged" + suffix,
            STAGED,
            {**HEADS, "CAUSAL": causal, "INFINITE": infinite},
            2e-3,
            host="attention_staged",
            only={"causal": causal, "infinite": infinite},
        )
        for suffix, causal, infinite in (("_full", False, True), ("_causal", True, True), ("_causal_1e6", True, False))
    ),
    # Beyond the paper.
    looped(
        "cross_entropy",
        "logits_ptr:*bf16 labels_ptr:*i64 loss_ptr:*fp32 stride:i32 n_classes:i32 ignore_index:i32 "
        "grad_scale:fp32 smoothing:fp32",
        {"BLOCK": 1024},
        1e-2,
        other_blocks=BLOCKS,
        versions=ALL_VERSIONS,
    ),
    looped("attention_backward", backward(False, "fp32"), tolerance=2e-3, only={"causal": False}),
    looped(
        "attention_backward_causal",
        backward(True, "fp16"),
        tolerance=1e-2,
        host="attention_backward",
        only={"causal": True},
    ),
    looped(
        "layer_norm_backward_dw_db",
        (
            Kernel(
                "dw_db_partial_kernel",
                "x_ptr:*fp16 dy_ptr:*fp16 mean_ptr:*fp32 rstd_ptr:*fp32 dw_part_ptr:*fp32 "
                "db_part_ptr:*fp32 stride:i32 n_rows:i32 n_cols:i32",
                {"BLOCK": 128},
            ),
            Kernel(
                "dw_db_final_kernel",
                "dw_part_ptr:*fp32 db_part_ptr:*fp32 dw_ptr:*fp32 db_ptr:*fp32 parts:i32 n_cols:i32",
                {"BLOCK_M": 32, "BLOCK_N": 128},
            ),
        ),
    ),
    looped(
        "group_norm",
        "x_ptr:*fp16 w_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp16 n_channels:i32 channels_per_group:i32 positions:i32 eps:fp32",
        {"BLOCK": 512},
        2e-3,
        other_blocks=BLOCKS,
    ),
    looped("cumsum", ROW.format("fp32"), {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped("argmax_long", "x_ptr:*fp32 out_ptr:*i32 stride_x:i32 n_cols:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped(
        "embedding_backward",
        "ids_ptr:*i64 dy_ptr:*fp16 dw_ptr:*fp32 n_tokens:i32 dim:i32 stride_dy:i32 stride_dw:i32",
        {"BLOCK_T": 32, "BLOCK_D": 64},
        other_blocks=({"BLOCK_T": 1, "BLOCK_D": 256},),
    ),
    looped(
        "conv1d_causal_depthwise",
        "x_ptr:*fp16 w_ptr:*fp16 bias_ptr:*fp16 y_ptr:*fp16 length:i32 channels:i32 width:i32 "
        "stride_xb:i32 stride_xt:i32 stride_yb:i32 stride_yt:i32",
        {"BLOCK_T": 64, "BLOCK_C": 32},
        2e-3,
        other_blocks=({"BLOCK_T": 16, "BLOCK_C": 128},),
    ),
    looped(
        "matmul_quantised",
        "a_ptr:*fp16 q_ptr:*i8 scale_ptr:*fp16 zero_ptr:*i8 c_ptr:*fp16 M:i32 N:i32 K:i32 "
        "group_size:i32 stride_am:i32 stride_qk:i32 stride_sg:i32 stride_zg:i32 stride_cm:i32",
        TILES,
        1e-2,
        other_blocks=(SMALL_TILES,),
    ),
    looped("dropout_philox", "x_ptr:*fp32 y_ptr:*fp32 n:i32 p:fp32 seed:i32", {"BLOCK": 1024}, other_blocks=BLOCKS),
    looped(
        "linear_recurrence",
        "a_ptr:*fp32 x_ptr:*fp32 h0_ptr:*fp32 h_ptr:*fp32 length:i32 channels:i32 stride_b:i32 stride_t:i32",
        {"BLOCK": 128},
        other_blocks=BLOCKS,
    ),
    looped(
        "selective_scan",
        "u_ptr:*fp32 delta_ptr:*fp32 a_ptr:*fp32 b_ptr:*fp32 c_ptr:*fp32 d_ptr:*fp32 y_ptr:*fp32 "
        "length:i32 channels:i32 states:i32",
        {"BLOCK_D": 64, "BLOCK_N": 16},
        other_blocks=({"BLOCK_D": 16, "BLOCK_N": 16},),
    ),
    looped(
        "logsumexp_online", "x_ptr:*fp32 out_ptr:*fp32 stride_x:i32 n_cols:i32", {"BLOCK": 1024}, other_blocks=BLOCKS
    ),
    looped(
        "fused_linear_cross_entropy",
        "x_ptr:*fp16 w_ptr:*fp16 labels_ptr:*i64 loss_ptr:*fp32 n_tokens:i32 vocab:i32 "
        "hidden:i32 stride_x:i32 stride_w:i32",
        {"BLOCK_T": 64, "BLOCK_V": 128, "BLOCK_H": 32},
        2e-3,
        other_blocks=({"BLOCK_T": 16, "BLOCK_V": 64, "BLOCK_H": 32},),
    ),
    looped(
        "adam",
        "param_ptr:*bf16 grad_ptr:*bf16 m_ptr:*fp32 v_ptr:*fp32 n:i32 lr:fp32 beta1:fp32 beta2:fp32 eps:fp32 "
        "weight_decay:fp32 bias1:fp32 bias2:fp32",
        {"BLOCK": 1024},
        1e-2,
        other_blocks=BLOCKS,
    ),
    looped(
        "router_top1",
        "logits_ptr:*fp32 weight_ptr:*fp32 expert_ptr:*i32 count_ptr:*i32 n_tokens:i32 n_experts:i32 stride:i32",
        {"BLOCK_T": 64, "BLOCK_E": 16},
        other_blocks=({"BLOCK_T": 16, "BLOCK_E": 16},),
    ),
]
