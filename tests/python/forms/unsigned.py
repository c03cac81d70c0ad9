"""Bytes and words without sign. Triton's IR has no signs in its types: what reads the elements of a pointer tells, and they are shown so."""

import triton
import triton.language as tl


@triton.jit
def scaled(q_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + i, q.to(tl.float32) * tl.load(s_ptr), mask=i < n)


@triton.jit
def zero_points(q_ptr, z_ptr, s_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    q = tl.load(q_ptr + row * stride + i, mask=i < n)
    y = (q.to(tl.float32) - tl.load(z_ptr + row).to(tl.float32)) * tl.load(s_ptr + row)
    tl.store(y_ptr + row * stride + i, y, mask=i < n)


@triton.jit
def halves(q_ptr, low_ptr, high_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n, other=0)
    tl.store(low_ptr + i, (q & 15).to(tl.float32), mask=i < n)
    tl.store(high_ptr + i, (q >> 4).to(tl.float32), mask=i < n)


@triton.jit
def bit_by_bit(q_ptr, r_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n, other=0)
    r = tl.load(r_ptr + i, mask=i < n, other=255)
    y = tl.maximum(q, r).to(tl.int32) + (q // 3) + (q ^ r).to(tl.int32) + (q | 16).to(tl.int32) + (q & r).to(tl.int32)
    tl.store(y_ptr + i, y, mask=i < n)


@triton.jit
def chosen(q_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n, other=0)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    q = tl.where(x > 0, q, 200)
    tl.store(y_ptr + i, tl.where((q > 128) & (q != 255), x, q.to(tl.float32)), mask=i < n)


@triton.jit
def walked(q_ptr, s_ptr, y_ptr, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = q_ptr + row * K + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, K, BLOCK):
        total += tl.load(at, mask=k + tl.arange(0, BLOCK) < K, other=0).to(tl.float32)
        at += BLOCK
    tl.store(y_ptr + row, tl.sum(total) * tl.load(s_ptr))


@triton.jit
def mixed(q_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + i, q.to(tl.float32), mask=i < n)
    tl.store(z_ptr + i, q.to(tl.int8, bitcast=True).to(tl.float32), mask=i < n)


@triton.jit
def in_place(q_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(q_ptr + i, mask=i < n)
    tl.store(q_ptr + i, q // 2, mask=i < n)


@triton.jit
def overlapping(q_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i // 2, tl.load(q_ptr + i, mask=i < n).to(tl.float32), mask=i < n)


@triton.jit
def quantise(x_ptr, q_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(q_ptr + i, tl.minimum(tl.maximum(x, 0.0), 255.0).to(tl.uint8), mask=i < n)


def form(kernel, types, formula=None, **more):
    more = more | ({} if formula is None else {"formula": formula})
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128},
        **more,
    }


def scaling(element):
    return f"q_ptr:*{element} s_ptr:*fp32 y_ptr:*fp32 n:i32"


ROWS = "q_ptr:*{0} z_ptr:*{0} s_ptr:*fp32 y_ptr:*fp32 n:i32 stride:i32"
SIGNED = "where({0} < 0, {0} + 256, {0})".format("q_ptr")
FORMS = {
    "scaled": form(
        scaled,
        scaling("u8"),
        "q_ptr * s_ptr",
        dtypes={"q_ptr": "u8"},
        against="def textbook(q, s): return q.float() * s",
    ),
    "scaled_u16": form(
        scaled,
        scaling("u16"),
        "q_ptr * s_ptr",
        dtypes={"q_ptr": "u16"},
        against="def textbook(q, s): return q.float() * s",
    ),
    "scaled_u32": form(
        scaled,
        scaling("u32"),
        "q_ptr * s_ptr",
        dtypes={"q_ptr": "u32"},
        against="def textbook(q, s): return q.float() * s",
    ),
    "scaled_u64": form(
        scaled,
        scaling("u64"),
        "where(q_ptr < 0, q_ptr + 18446744073709551616, q_ptr) * s_ptr",
        dtypes={"q_ptr": "i64"},
    ),
    "scaled_i8": form(scaled, scaling("i8"), "q_ptr * s_ptr", dtypes={"q_ptr": "i8"}),
    "zero_points": form(
        zero_points,
        ROWS.format("u8"),
        "(q_ptr - column(z_ptr)) * column(s_ptr)",
        dtypes={"q_ptr": "u8", "z_ptr": "u8"},
        against="def textbook(q, z, s): return (q.float() - z.float()[:, None]) * s[:, None]",
    ),
    "halves": form(
        halves,
        "q_ptr:*u8 low_ptr:*fp32 high_ptr:*fp32 n:i32",
        ["q_ptr % 16", "q_ptr // 16"],
        dtypes={"q_ptr": "u8"},
        against="def textbook(q):\n    low, high = (q & 15).float(), (q >> 4).float()\n    return low, high",
    ),
    "halves_i8": form(
        halves, "q_ptr:*i8 low_ptr:*fp32 high_ptr:*fp32 n:i32", ["q_ptr % 16", "q_ptr // 16"], dtypes={"q_ptr": "i8"}
    ),
    "bit_by_bit": form(
        bit_by_bit,
        "q_ptr:*u8 r_ptr:*u8 y_ptr:*i32 n:i32",
        "bitand(q_ptr, r_ptr) + bitxor(q_ptr, r_ptr) + bitor(q_ptr, 16) + maximum(q_ptr, r_ptr) + q_ptr // 3",
        dtypes={"q_ptr": "u8", "r_ptr": "u8"},
    ),
    "chosen": form(
        chosen,
        "q_ptr:*u8 x_ptr:*fp32 y_ptr:*fp32 n:i32",
        "where(((q_ptr != 255) | (x_ptr <= 0)) & ((q_ptr >= 129) | (x_ptr <= 0)), x_ptr, where(x_ptr > 0, q_ptr,"
        " 200))",
        dtypes={"q_ptr": "u8"},
        against=(
            "def textbook(q, x):\n    q = torch.where(x > 0, q.int(), 200)\n    return torch.where((q > 128) & (q !="
            " 255), x, q.float())"
        ),
    ),
    "walked": form(
        walked, "q_ptr:*u8 s_ptr:*fp32 y_ptr:*fp32 K:i32", "sum(q_ptr, axis=1) * s_ptr", dtypes={"q_ptr": "u8"}
    ),
    "mixed": form(mixed, "q_ptr:*u8 y_ptr:*fp32 z_ptr:*fp32 n:i32", [SIGNED, "q_ptr"], dtypes={"q_ptr": "i8"}),
    "in_place": form(in_place, "q_ptr:*u8 n:i32", "q_ptr // 2 + where(q_ptr < 0, 128, 0)", dtypes={"q_ptr": "i8"}),
    "overlapping": form(overlapping, "q_ptr:*u8 y_ptr:*fp32 n:i32", race="refuted", replay="y_ptr"),
    "quantise": form(quantise, "x_ptr:*fp32 q_ptr:*u8 n:i32", "wrap8(trunc(clamp(x_ptr, 0, 255)))"),
}
