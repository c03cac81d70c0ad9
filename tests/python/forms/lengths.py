"""Loops whose ends are in memory: lengths of rows, begin and end of ranges. The bound is a read, and the sum goes to it."""

import triton
import triton.language as tl


@triton.jit
def row_sums(x_ptr, len_ptr, y_ptr, stride):
    row = tl.program_id(0)
    total = 0.0
    for k in range(tl.load(len_ptr + row)):
        total += tl.load(x_ptr + row * stride + k)
    tl.store(y_ptr + row, total)


@triton.jit
def row_sums_tiles(x_ptr, len_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    length = tl.load(len_ptr + row)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, length, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < length, other=0.0)
    tl.store(y_ptr + row, tl.sum(total, axis=0))


@triton.jit
def row_sums_capped(x_ptr, len_ptr, y_ptr, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    length = tl.minimum(tl.load(len_ptr + row), N)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, length, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < length, other=0.0)
    tl.store(y_ptr + row, tl.sum(total, axis=0))


@triton.jit
def segments(x_ptr, starts_ptr, y_ptr):
    seg = tl.program_id(0)
    total = 0.0
    for k in range(tl.load(starts_ptr + seg), tl.load(starts_ptr + seg + 1)):
        total += tl.load(x_ptr + k)
    tl.store(y_ptr + seg, total)


@triton.jit
def segments_short(x_ptr, starts_ptr, y_ptr):
    """Without the last one."""
    seg = tl.program_id(0)
    total = 0.0
    for k in range(tl.load(starts_ptr + seg), tl.load(starts_ptr + seg + 1) - 1):
        total += tl.load(x_ptr + k)
    tl.store(y_ptr + seg, total)


@triton.jit
def row_sums_other(x_ptr, len_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    """Tiles as many as the next row has."""
    row = tl.program_id(0)
    length = tl.load(len_ptr + row)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, tl.load(len_ptr + row + 1), BLOCK):
        cols = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < length, other=0.0)
    tl.store(y_ptr + row, tl.sum(total, axis=0))


def form(kernel, types, formula=None, **more):
    constexprs = {"BLOCK": 64} if "BLOCK" in kernel.arg_names else {}
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


ROWS, RANGES = "x_ptr:*fp32 len_ptr:*i32 y_ptr:*fp32 stride:i32", "x_ptr:*fp32 starts_ptr:*i32 y_ptr:*fp32"
ROW_SUM = "y_ptr[i] = sum[k < len_ptr[i]](x_ptr[i, k])"
SEGMENT_SUM = "y_ptr[i] = sum[k < starts_ptr[i + 1] - starts_ptr[i]](x_ptr[k + starts_ptr[i]])"
FORMS = {
    "row_sums": form(row_sums, ROWS, ROW_SUM, safety="unknown"),
    "row_sums_tiles": form(row_sums_tiles, ROWS, ROW_SUM, safety="unknown"),
    "row_sums_capped": form(
        row_sums_capped,
        "x_ptr:*fp32 len_ptr:*i32 y_ptr:*fp32 N:i32 stride:i32",
        "sum(where(column(len_ptr) > index(N), x_ptr, 0), axis=1)",
    ),
    "segments": form(segments, RANGES, SEGMENT_SUM, safety="unknown"),
    "segments_short": form(segments_short, RANGES, SEGMENT_SUM, wrong=True),
    "row_sums_other": form(row_sums_other, ROWS, ROW_SUM, wrong=True),
}
