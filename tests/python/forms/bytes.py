"""Arithmetic on bytes in 32 bits: no sum of them wraps there, and their unsigned readings are no negative numbers."""

import triton
import triton.language as tl


@triton.jit
def dequantise(q_ptr, z_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + row * n + i, mask=i < n, other=0)
    zero = tl.load(z_ptr + row)
    tl.store(
        y_ptr + row * n + i, (q.to(tl.int32) - zero.to(tl.int32)).to(tl.float32) * tl.load(s_ptr + row), mask=i < n
    )


@triton.jit
def dequantise_bytes(q_ptr, z_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """The difference of two bytes is taken as a byte: it wraps."""
    row = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + row * n + i, mask=i < n, other=0)
    tl.store(y_ptr + row * n + i, (q - tl.load(z_ptr + row)).to(tl.float32) * tl.load(s_ptr + row), mask=i < n)


@triton.jit
def count(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    tl.store(y_ptr + tl.program_id(0), tl.sum(tl.where(x > 0, 1, 0), 0))


@triton.jit
def third(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + i, (x // 3 < 80).to(tl.int32), mask=i < n)


@triton.jit
def total(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=0)
    tl.store(y_ptr + tl.program_id(0), tl.sum(x.to(tl.int32), 0))


@triton.jit
def total_of_words(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A sum of 32-bit numbers does wrap."""
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * n + i, mask=i < n, other=0)
    tl.store(y_ptr + tl.program_id(0), tl.sum(x, 0))


def form(kernel, types, formula, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128},
        "formula": formula,
        **more,
    }


QUANTISED = "q_ptr:*i8 z_ptr:*i8 s_ptr:*fp32 y_ptr:*fp32 n:i32"
FORMS = {
    "dequantise": form(dequantise, QUANTISED, "(q_ptr - column(z_ptr)) * column(s_ptr)"),
    "dequantise_bytes": form(dequantise_bytes, QUANTISED, "(q_ptr - column(z_ptr)) * column(s_ptr)", wrong=True),
    "count": form(count, "x_ptr:*fp32 y_ptr:*i32 n:i32", "sum(where(x_ptr > 0, 1, 0), axis=1)"),
    "count_in_bytes": form(
        count, "x_ptr:*fp32 y_ptr:*i8 n:i32", "sum(where(x_ptr > 0, 1, 0), axis=1)", wrong=True
    ),  # 128 of them are -128
    "third": form(third, "x_ptr:*u8 y_ptr:*i32 n:i32", "where(x_ptr <= 239, 1, 0)"),
    "total": form(total, "x_ptr:*i8 y_ptr:*i32 n:i32", "sum(x_ptr, axis=1)"),
    "total_of_words": form(total_of_words, "x_ptr:*i32 y_ptr:*i32 n:i32", "sum(x_ptr, axis=1)", wrong=True),
}
