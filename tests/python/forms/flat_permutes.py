"""Flat indices that are cut into digits and put together in another order: transposes, permutes of images, pixel shuffle. Pushed
from the place of the input, or pulled to the place of the output."""

import triton
import triton.language as tl


@triton.jit
def pushed(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N
    tl.store(y_ptr + i % N * M + i // N, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def pulled(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N
    tl.store(y_ptr + i, tl.load(x_ptr + i % M * N + i // M, mask=mask), mask=mask)


@triton.jit
def by_rows(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    """The remainder by the wrong size."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N
    tl.store(y_ptr + i % M * M + i // N, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def by_columns(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    """Rows of the output as long as those of the input."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N
    tl.store(y_ptr + i % N * N + i // N, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def without_last(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N - 1
    tl.store(y_ptr + i % N * M + i // N, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def one_too_many(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i <= M * N
    tl.store(y_ptr + i % N * M + i // N, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def pulled_by_rows(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < M * N
    tl.store(y_ptr + i, tl.load(x_ptr + i % N * N + i // M, mask=mask), mask=mask)


@triton.jit
def to_channels_last(x_ptr, y_ptr, N, C, H, W, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * H * W
    w = i % W
    h = i // W % H
    c = i // (W * H) % C
    n = i // (W * H * C)
    tl.store(y_ptr + ((n * H + h) * W + w) * C + c, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def to_channels_last_by_height(x_ptr, y_ptr, N, C, H, W, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * H * W
    w = i % W
    h = i // W % H
    c = i // (W * H) % C
    n = i // (W * H * C)
    tl.store(y_ptr + ((n * H + h) * H + w) * C + c, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def to_channels_first(x_ptr, y_ptr, N, C, H, W, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * H * W
    c = i % C
    w = i // C % W
    h = i // (C * W) % H
    n = i // (C * W * H)
    tl.store(y_ptr + n * C * H * W + c * H * W + h * W + w, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def last_first(x_ptr, y_ptr, A, B, C, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = i < A * B * C
    c = i % C
    b = i // C % B
    a = i // C // B
    tl.store(y_ptr + (c * A + a) * B + b, tl.load(x_ptr + i, mask=mask) * 2.0, mask=mask)


@triton.jit
def heads(x_ptr, y_ptr, B, T, H, D: tl.constexpr, BLOCK: tl.constexpr):
    """(B, T, H, D) to (B, H, T, D)."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < B * T * H * D
    d = i % D
    h = i // D % H
    t = i // (D * H) % T
    b = i // (D * H * T)
    tl.store(y_ptr + ((b * H + h) * T + t) * D + d, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def heads_by_heads(x_ptr, y_ptr, B, T, H, D: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < B * T * H * D
    d = i % D
    h = i // D % H
    t = i // (D * H) % H
    b = i // (D * H * T)
    tl.store(y_ptr + ((b * H + h) * T + t) * D + d, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def shuffled(x_ptr, y_ptr, N, C, H, W, R: tl.constexpr, BLOCK: tl.constexpr):
    """y[n, c, R*h + a, R*w + b] = x[n, R*R*c + R*a + b, h, w]"""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * R * R * H * W
    w = i % W
    h = i // W % H
    k = i // (H * W) % (C * R * R)
    n = i // (C * R * R * H * W)
    out = ((n * C + k // (R * R)) * H * R + h * R + k // R % R) * W * R + w * R + k % R
    tl.store(y_ptr + out, tl.load(x_ptr + i, mask=mask), mask=mask)


@triton.jit
def shuffled_pulled(x_ptr, y_ptr, N, C, H, W, R: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * R * R * H * W
    w = i % (W * R)
    h = i // (W * R) % (H * R)
    c = i // (W * R * H * R) % C
    n = i // (W * R * H * R * C)
    k = c * R * R + h % R * R + w % R
    tl.store(y_ptr + i, tl.load(x_ptr + ((n * C * R * R + k) * H + h // R) * W + w // R, mask=mask), mask=mask)


@triton.jit
def shuffled_mixed(x_ptr, y_ptr, N, C, H, W, R: tl.constexpr, BLOCK: tl.constexpr):
    """Rows and columns of the little squares change places."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < N * C * R * R * H * W
    w = i % (W * R)
    h = i // (W * R) % (H * R)
    c = i // (W * R * H * R) % C
    n = i // (W * R * H * R * C)
    k = c * R * R + w % R * R + h % R
    tl.store(y_ptr + i, tl.load(x_ptr + ((n * C * R * R + k) * H + h // R) * W + w // R, mask=mask), mask=mask)


def form(kernel, types, formula=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128, **more.pop("constexprs", {})},
        **({"formula": formula} if formula else {}),
        **more,
    }


MATRIX, IMAGES, HEADS = (
    "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32",
    "x_ptr:*fp32 y_ptr:*fp32 N:i32 C:i32 H:i32 W:i32",
    "x_ptr:*fp32 y_ptr:*fp32 B:i32 T:i32 H:i32",
)
SHUFFLED = "reshape(transpose(reshape(x_ptr, C * N, 2, 2, H, W), 0, 3, 1, 4, 2), C * N, 2 * H, 2 * W)"
SQUARES = {"constexprs": {"R": 2}, "shape": ["C*N", "2*H", "2*W"], "inputs": {"x_ptr": ["4*C*N", "H", "W"]}}
FORMS = {
    "pushed": form(pushed, MATRIX, "transpose(x_ptr, 1, 0)", shape=["N", "M"], inputs={"x_ptr": ["M", "N"]}),
    "pulled": form(pulled, MATRIX, "transpose(x_ptr, 1, 0)", shape=["N", "M"], inputs={"x_ptr": ["M", "N"]}),
    "by_rows": form(by_rows, MATRIX, wrong="verdict"),
    "by_columns": form(by_columns, MATRIX, wrong="verdict"),
    "without_last": form(
        without_last,
        MATRIX,
        "transpose(x_ptr, 1, 0)",
        safety="unknown",
        shape=["min(M*N - 2, N - 1) + 1", "-2 // N + M + 1"],
    ),
    "one_too_many": form(one_too_many, MATRIX, wrong="verdict"),
    "pulled_by_rows": form(pulled_by_rows, MATRIX, "transpose(x_ptr, 1, 0)", wrong="formula"),
    "to_channels_last": form(to_channels_last, IMAGES, "transpose(x_ptr, 0, 2, 1)", shape=["N", "H*W", "C"]),
    "to_channels_last_by_height": form(to_channels_last_by_height, IMAGES, wrong="verdict"),
    "to_channels_first": form(to_channels_first, IMAGES, "transpose(x_ptr, 0, 2, 1)", shape=["N", "C", "H*W"]),
    "last_first": form(
        last_first, "x_ptr:*fp32 y_ptr:*fp32 A:i32 B:i32 C:i32", "transpose(2 * x_ptr, 1, 0)", shape=["C", "A*B"]
    ),
    "heads": form(
        heads,
        HEADS,
        "reshape(transpose(reshape(x_ptr, B, T, H, 64), 0, 2, 1, 3), B, H, 64 * T)",
        constexprs={"D": 64},
    ),
    "heads_by_heads": form(heads_by_heads, HEADS, wrong="verdict", constexprs={"D": 64}),
    "shuffled": form(shuffled, IMAGES, SHUFFLED, **SQUARES),
    "shuffled_pulled": form(shuffled_pulled, IMAGES, SHUFFLED, **SQUARES),
    "shuffled_mixed": form(shuffled_mixed, IMAGES, SHUFFLED, wrong="formula", constexprs={"R": 2}),
}
