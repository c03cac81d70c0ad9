"""Shapes that are given with other axes than the kernel's own: rows of heads as one axis or as two, planes of pixels. What they are as memory is
cut again, and the least grid is that of the axes which make up the kernel's own."""

import triton
import triton.language as tl


@triton.jit
def heads(x_ptr, y_ptr, T, H, BLOCK: tl.constexpr):
    """[B, T, H, 64] to [B, H, T, 64], a program for each row."""
    p, d = tl.program_id(0), tl.arange(0, 64)
    h, t, b = p % H, (p // H) % T, p // (H * T)
    tl.store(y_ptr + ((b * H + h) * T + t) * 64 + d, tl.load(x_ptr + p * 64 + d))


@triton.jit
def blocks_of_heads(x_ptr, y_ptr, T, H, FROM: tl.constexpr, BLOCK: tl.constexpr):
    """Blocks of the rows of T*64 elements that a head has."""
    bh, i = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    b, h, inside = bh // H, bh % H, i < T * 64
    x = tl.load(
        x_ptr + b * T * H * 64 + (i // 64) * H * 64 + (h * 64 + i % 64 if FROM == 0 else (H - 1 - h) * 64 + i % 64),
        mask=inside,
    )
    tl.store(y_ptr + bh * T * 64 + i, x, mask=inside)


@triton.jit
def channels_last(x_ptr, y_ptr, N, C, H, W, TURNED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < N * C * H * W
    c, w, h, n = i % C, (i // C) % W, (i // (C * W)) % H, i // (C * W * H)
    at = ((n * C + c) * W + w) * H + h if TURNED else ((n * C + c) * H + h) * W + w
    tl.store(y_ptr + i, tl.load(x_ptr + at, mask=inside), mask=inside)


@triton.jit
def strided_transpose(x_ptr, y_ptr, M, N, MORE: tl.constexpr, BLOCK: tl.constexpr):
    for begin in range(tl.program_id(0) * BLOCK, M * N, tl.num_programs(0) * BLOCK):
        i = begin + tl.arange(0, BLOCK)
        inside = i < M * N + MORE
        tl.store(y_ptr + i, tl.load(x_ptr + (i % M) * N + i // M, mask=inside), mask=inside)


@triton.jit
def two_axes(x_ptr, y_ptr, BLOCK: tl.constexpr):
    """Rows of 8 in tiles of 4 rows and 8 columns: a second program along y would write the rows behind."""
    rows, columns = tl.program_id(0) * 4 + tl.arange(0, 4), tl.program_id(1) * 8 + tl.arange(0, 8)
    at = rows[:, None] * 8 + columns[None, :]
    tl.store(y_ptr + at, tl.load(x_ptr + at))


@triton.jit
def three_axes(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * 64 + tl.program_id(1) * 8 + tl.program_id(2) * 4 + tl.arange(0, 4)
    tl.store(y_ptr + at, tl.load(x_ptr + at))


@triton.jit
def in_place(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * n + i
    tl.store(x_ptr + at, 2 * tl.load(x_ptr + at, mask=i < n), mask=i < n)


@triton.jit
def multiples(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    """Rows without a mask: right where n is a multiple of 16."""
    for k in range(0, n, 16):
        at = tl.program_id(0) * stride + k + tl.arange(0, 16)
        tl.store(y_ptr + at, -tl.load(x_ptr + at))


@triton.jit
def named_grid(x_ptr, y_ptr, grid_x, n, BLOCK: tl.constexpr):
    """An argument that has the name of the number of programs goes by its place."""
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * n + i
    tl.store(y_ptr + at, grid_x * tl.load(x_ptr + at, mask=i < n) - tl.num_programs(0), mask=i < n)


@triton.jit
def named_axis(x_ptr, h_ptr, h_ptr_d0, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(h_ptr + tl.load(x_ptr + i, mask=i < n, other=0), h_ptr_d0, mask=i < n)


def form(kernel, formula=None, flags=(), shape=None, **constexprs):
    more = {key: constexprs.pop(key) for key in ("safety", "unproved", "wrong") if key in constexprs}
    types = {
        name: "*fp32" if name.endswith("ptr") else "i32"
        for name in kernel.arg_names
        if name not in ("BLOCK", *constexprs)
    }
    flags = [word for flag in flags for word in ("--shape", flag)]
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": {"BLOCK": 64, **constexprs},
        **({"formula": formula} if formula else {}),
        **({"flags": flags} if flags else {}),
        **({"shape": shape} if shape else {}),
        **more,
    }


HEADS = ["x_ptr=B,T,H,64", "y_ptr=B,H,T,64"]
TURNED, LAST = "transpose(x_ptr, 0, 2, 1, 3)", "transpose(x_ptr, 0, 2, 3, 1)"
CUT = TURNED.replace("x_ptr", "reshape(x_ptr, B, T, H, 64)")
FORMS = {
    "heads": form(heads, CUT, ["y_ptr=B,H,T,64"], ["B", "H", "T", "64"]),
    "heads_both": form(heads, TURNED, HEADS, ["B", "H", "T", "64"]),
    "blocks_of_heads": form(blocks_of_heads, CUT, HEADS, ["B", "H", "T", "64"], FROM=0),
    "blocks_of_other_heads": form(blocks_of_heads, CUT, HEADS, FROM=1, wrong="formula"),
    "blocks_of_heads_as_other_axes": form(
        blocks_of_heads, "transpose(x_ptr, 0, 2, 1, 3)", ["x_ptr=B,T,H,64", "y_ptr=B,T,H,64"], FROM=0, wrong="formula"
    ),
    "channels_last": form(channels_last, LAST, ["x_ptr=N,C,H,W", "y_ptr=N,H,W,C"], ["N", "H", "W", "C"], TURNED=False),
    "channels_last_turned": form(
        channels_last, LAST, ["x_ptr=N,C,H,W", "y_ptr=N,H,W,C"], TURNED=True, wrong="formula"
    ),
    "strided_transpose": form(strided_transpose, "transpose(x_ptr, 1, 0)", (), ["N", "M"], MORE=0),
    "strided_transpose_given": form(strided_transpose, "transpose(x_ptr, 1, 0)", ["y_ptr=N,M"], ["N", "M"], MORE=0),
    "two_axes": form(two_axes, "reshape(x_ptr, 4 * grid_x, 8)", shape=["4*grid_x", "8"]),
    "three_axes": form(three_axes, "x_ptr"),
    "multiples": form(multiples, unproved=True),
    "named_grid": form(named_grid, "arg2 * x_ptr - grid_x"),
    "named_axis": {
        "kernel": named_axis,
        "types": {"x_ptr": "*i32", "h_ptr": "*i32", "h_ptr_d0": "i32", "n": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "wrap32(column(h_ptr) + sum(where(x_ptr[:minimum(n, 64 * grid_x)] == column(index(h_ptr_d0_)), h_ptr_d0, 0), axis=1))",
        "safety": "unknown",
    },
    "in_place": form(in_place, "2 * x_ptr"),
    "strided_transpose_of_more": form(strided_transpose, MORE=1, unproved=True),
}
