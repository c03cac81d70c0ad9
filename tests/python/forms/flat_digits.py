"""Channels, rows and columns out of one flat index: (i // HW) % C lies in 0 .. C - 1, and is a place in a tensor of C."""

import triton
import triton.language as tl


@triton.jit
def bias(x_ptr, b_ptr, y_ptr, n, C, HW, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = (i // HW) % C
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x + tl.load(b_ptr + c, mask=i < n), mask=i < n)


@triton.jit
def bias_and_scale(x_ptr, b_ptr, w_ptr, y_ptr, n, C, H, W, BLOCK: tl.constexpr):
    """A second tensor for columns."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    c, h = (i // (H * W)) % C, (i // W) % H
    x = tl.load(x_ptr + i, mask=mask)
    tl.store(y_ptr + i, x * tl.load(w_ptr + h, mask=mask) + tl.load(b_ptr + c, mask=mask), mask=mask)


@triton.jit
def beyond(x_ptr, b_ptr, y_ptr, n, C, HW, BLOCK: tl.constexpr):
    """Without % C: as many channels as it takes."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = i // HW
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x + tl.load(b_ptr + c, mask=i < n), mask=i < n)


@triton.jit
def channels_last(x_ptr, y_ptr, n, C, H, W, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n * C * H * W
    c, w, h, b = i % C, (i // C) % W, (i // (C * W)) % H, i // (C * W * H)
    tl.store(y_ptr + i, tl.load(x_ptr + ((b * C + c) * H + h) * W + w, mask=mask), mask=mask)


@triton.jit
def channels_mixed(x_ptr, y_ptr, n, C, H, W, BLOCK: tl.constexpr):
    """Rows counted by C, not by W: the places leave their axes."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n * C * H * W
    c, w, h, b = i % C, (i // C) % W, (i // W) % H, i // (C * W * H)
    tl.store(y_ptr + i, tl.load(x_ptr + ((b * C + c) * H + h) * C + w, mask=mask), mask=mask)


def form(kernel, types, formula=None, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128} if constexprs is None else constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


BIAS, IMAGES = (
    "x_ptr:*fp32 b_ptr:*fp32 y_ptr:*fp32 n:i32 C:i32 HW:i32",
    "x_ptr:*fp32 y_ptr:*fp32 n:i32 C:i32 H:i32 W:i32",
)
FORMS = {
    "bias": form(
        bias, BIAS, "x_ptr + take(b_ptr, index(n) // HW % C, axis=0)", inputs={"x_ptr": ["n"], "b_ptr": ["C"]}
    ),
    "bias_and_scale": form(
        bias_and_scale,
        "x_ptr:*fp32 b_ptr:*fp32 w_ptr:*fp32 y_ptr:*fp32 n:i32 C:i32 H:i32 W:i32",
        "x_ptr * take(w_ptr, index(n) // W % H, axis=0) + take(b_ptr, index(n) // (H * W) % C, axis=0)",
        inputs={"b_ptr": ["C"], "w_ptr": ["H"]},
    ),
    "beyond": form(
        beyond,
        BIAS,
        "x_ptr + take(b_ptr, index(n) // HW, axis=0)",
        safety="unknown",
        inputs={"b_ptr": ["(n - 1) // HW + 1"]},
    ),
    "channels_last": form(
        channels_last,
        IMAGES,
        "transpose(x_ptr, 0, 2, 1)",
        shape=["n", "H*W", "C"],
        inputs={"x_ptr": ["n", "C", "H*W"]},
    ),
    "channels_mixed": form(
        channels_mixed,
        IMAGES,
        "x_ptr[C * (index(C * H * W * n) // W) + index(C * H * W * n) // C % W + C * H * (index(C * H * W * n) + C *"
        " (index(C * H * W * n) // (C * H * W)) - C * (index(C * H * W * n) // C) - index(C * H * W * n) // (H * W))]",
        safety="unknown",
    ),
}
