"""Stable forms that people write in many ways, and the textbook's form of each: base two beside a literal, tanh by its sign, choices
that are a relu, a stack of two, the expert of a gate."""

import triton
import triton.language as tl


@triton.jit
def online(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf"))
        higher = tl.maximum(top, tl.max(x, 0))
        if HOW == "base two":
            total = total * tl.exp2((top - higher) * 1.44269504) + tl.sum(tl.exp2((x - higher) * 1.44269504), 0)
        elif HOW == "two bases":
            total = total * tl.exp2(top - higher) + tl.sum(tl.exp2((x - higher) * 1.44269504), 0)
        else:
            total = total * tl.exp(2 * (top - higher)) + tl.sum(tl.exp(2 * (x - higher)), 0)
        top = higher
    tl.store(y_ptr + row, top + tl.log(total) / (2 if HOW == "twice" else 1))


@triton.jit
def elementwise(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    if HOW == "geglu" or HOW == "geglu of even":
        z = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        e = tl.exp(-2.0 * tl.abs(z))
        tanh = (1 - e) / (1 + e)
        y = 0.5 * x * (1 + (tl.where(z < 0, -tanh, tanh) if HOW == "geglu" else tanh))
    elif HOW == "fast gelu":
        y = x / (1.0 + tl.exp(-1.5957691216 * x * (1.0 + 0.044715 * x * x)))
    elif HOW == "softplus":
        y = tl.maximum(x, 0.0) + tl.log(1 + tl.exp(-tl.abs(x)))
    elif HOW == "softplus of less":
        y = tl.maximum(x, 0.0) - tl.log(1 + tl.exp(-tl.abs(x)))
    elif HOW == "mish":
        squared = (1 + tl.exp(x)) * (1 + tl.exp(x))
        y = x * (squared - 1) / (squared + 1)
    elif HOW == "mish with a threshold":
        plus = tl.where(x > 20.0, x, tl.log(1 + tl.exp(x)))
        y = x * (2 * tl.sigmoid(2 * plus) - 1)
    else:
        margin = 1 - x
        y = tl.where(margin > 0, margin, 0.0)
    tl.store(y_ptr + at, y, mask=at < n)


@triton.jit
def gate(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    padding = -float("inf") if HOW == "gate" else 0.0
    x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=padding)
    e = tl.exp(x - tl.max(x, 0)) if HOW == "gate" else x
    tl.store(y_ptr + row, tl.argmax(e / (tl.sum(e, 0) if HOW == "gate" else 1.0), 0))


@triton.jit
def pairs(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x_ptr + 2 * at, mask=at < n)
    b = tl.load(x_ptr + 2 * at + 1, mask=at < n)
    tl.store(y_ptr + 2 * at, tl.cos(a) - tl.sin(b), mask=at < n)
    tl.store(y_ptr + 2 * at + 1, tl.sin(a) + tl.cos(b), mask=at < n)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "stride": "i32"}


def form(kernel, how, formula, **more):
    types = {**TYPES, "y_ptr": "*i32"} if kernel is gate else TYPES
    return {"kernel": kernel, "types": types, "constexprs": {"HOW": how, "BLOCK": 64}, "formula": formula, **more}


FORMS = {
    "online": form(online, "base two", "logsumexp(x_ptr, axis=1)"),
    "online_twice": form(online, "twice", "0.5 * logsumexp(2 * x_ptr, axis=1)"),
    "online_mixed": form(online, "two bases", "logsumexp(x_ptr, axis=1)", wrong=True),
    "geglu": form(elementwise, "geglu", "gelu_tanh(x_ptr)"),
    "geglu_even": form(elementwise, "geglu of even", "gelu_tanh(x_ptr)", wrong=True),
    "fast_gelu": form(elementwise, "fast gelu", "gelu_tanh(x_ptr)"),
    "softplus": form(elementwise, "softplus", "log(1 + exp(x_ptr))"),
    "softplus_less": form(elementwise, "softplus of less", "log(1 + exp(x_ptr))", wrong=True),
    "mish": form(elementwise, "mish", "x_ptr * tanh(log(1 + exp(x_ptr)))"),
    "mish_threshold": form(
        elementwise, "mish with a threshold", "x_ptr * tanh(where(x_ptr > 20, x_ptr, log(1 + exp(x_ptr))))"
    ),
    "hinge": form(elementwise, "hinge", "relu(1 - x_ptr)"),
    "gate": form(gate, "gate", "argmax(x_ptr, axis=1)"),
    "gate_of_any": form(gate, "any", "argmax(x_ptr, axis=1)", wrong=True),
    "pairs": form(
        pairs,
        "",
        "stack(cos(x_ptr[::2]) - sin(x_ptr[1::2]), sin(x_ptr[::2]) + cos(x_ptr[1::2]), axis=1)",
    ),
}
