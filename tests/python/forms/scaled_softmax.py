"""Softmax whose padding of -inf is multiplied by an argument: only where that is positive is it padding, so `scale > 0` is assumed.
Not where the factor is read from memory, or is a difference of arguments, and not where exp never comes."""

import triton
import triton.language as tl


@triton.jit
def one_block(x_ptr, scale_ptr, y_ptr, n, stride, scale, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    if HOW == "where":
        x = tl.where(mask, tl.load(x_ptr + row * stride + cols, mask=mask, other=0.0), -float("inf")) * scale
    elif HOW == "zeros":
        x = tl.load(x_ptr + row * stride + cols, mask=mask, other=0.0) * scale
    elif HOW == "divided":
        x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")) / scale
    elif HOW == "memory":
        x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")) * tl.load(scale_ptr)
    elif HOW == "negative":
        x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")) * -scale
    else:
        x = tl.load(x_ptr + row * stride + cols, mask=mask, other=-float("inf")) * scale
    top = tl.max(x, 0)
    if HOW == "max":
        tl.store(y_ptr + row, top)
    elif HOW == "logsumexp":
        tl.store(y_ptr + row, top + tl.log(tl.sum(tl.exp(x - top), 0)))
    else:
        e = tl.exp(x - top)
        tl.store(y_ptr + row * stride + cols, e / tl.sum(e, 0), mask=mask)


@triton.jit
def online(x_ptr, scale_ptr, y_ptr, n, stride, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf")) * scale
        higher = tl.maximum(top, tl.max(x, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(x - higher), 0)
        top = higher
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + cols, mask=cols < n, other=-float("inf")) * scale
        tl.store(y_ptr + row * stride + cols, tl.exp(x - top) / total, mask=cols < n)


TYPES = {**{name: "*fp32" for name in ("x_ptr", "scale_ptr", "y_ptr")}, "n": "i32", "stride": "i32", "scale": "fp32"}
POSITIVE = [("positive", "scale > 0")]


def form(how, **more):
    return {"kernel": one_block, "types": TYPES, "constexprs": {"HOW": how, "BLOCK": 128}, **more}


FORMS = {
    "load": form("", formula="softmax(scale * x_ptr, axis=1)", assumes=POSITIVE),
    "where": form("where", formula="softmax(scale * x_ptr, axis=1)", assumes=POSITIVE),
    "divided": form("divided", formula="softmax(x_ptr / scale, axis=1)", assumes=POSITIVE),
    "logsumexp": form("logsumexp", formula="logsumexp(scale * x_ptr, axis=1)", assumes=POSITIVE),
    "online": {
        "kernel": online,
        "types": TYPES,
        "constexprs": {"BLOCK": 128},
        "formula": "softmax(scale * x_ptr, axis=1)",
        "assumes": POSITIVE,
    },
    "zeros": form("zeros", formula="softmax(scale * x_ptr, axis=1)", wrong=True, assumes=[]),
    "memory": form("memory", formula="softmax(scale_ptr * x_ptr, axis=1)", wrong=True, assumes=[]),
    "negative": form("negative", formula="softmax(-scale * x_ptr, axis=1)", wrong=True, assumes=[]),
    "max": form("max", formula="max(scale * x_ptr, axis=1)", wrong=True, assumes=[]),
}
