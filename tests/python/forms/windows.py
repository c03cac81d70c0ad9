"""Windows with a mask for each element: rows are counted by H, so that two of them are no row of twice the length."""

import triton
import triton.language as tl


@triton.jit
def average(x_ptr, y_ptr, H, W, OH, OW, ROWS: tl.constexpr, COLS: tl.constexpr, EXTRA: tl.constexpr):
    oh = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    ow = tl.program_id(1) * COLS + tl.arange(0, COLS)[None, :]
    c = tl.program_id(2)
    mask = (oh < OH) & (ow < OW)
    total = tl.zeros((ROWS, COLS), tl.float32)
    for dh in tl.static_range(2):
        for dw in tl.static_range(2):
            h, w = 2 * oh + dh, 2 * ow + dw
            total += tl.load(x_ptr + (c * H + h) * W + w, mask=mask & (h < H + EXTRA) & (w < W), other=0.0)
    tl.store(y_ptr + (c * OH + oh) * OW + ow, total * 0.25, mask=mask)


@triton.jit
def gated(x_ptr, y_ptr, W, BLOCK: tl.constexpr):
    """Two halves of a row: nothing counts rows of W."""
    row, cols = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x_ptr + row * 2 * W + cols, mask=cols < W)
    b = tl.load(x_ptr + row * 2 * W + W + cols, mask=cols < W)
    tl.store(y_ptr + row * W + cols, a * b, mask=cols < W)


def form(kernel, types, formula=None, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 128} if constexprs is None else constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


IMAGES, SHAPES = "x_ptr:*fp32 y_ptr:*fp32 H:i32 W:i32 OH:i32 OW:i32", (
    "--shape",
    "x_ptr=C,H,W",
    "--shape",
    "y_ptr=C,OH,OW",
    "--grid",
    "cdiv(OH,8),cdiv(OW,16),C",
)
C, H, W = "expand(column(index(C)), 2)", "2 * column(index(OH))", "2 * index(OW)"
WINDOW = (
    f"0.25 * (where(({W} < W) & ({H} < H), x_ptr[{C}, {H}, {W}], 0) + where(({W} < W) & ({H} + 2 <= H), x_ptr[{C}, {H}"
    f" + 1, {W}], 0) + where(({H} < H) & ({W} + 2 <= W), x_ptr[{C}, {H}, {W} + 1], 0) + where(({W} + 2 <= W) & ({H} +"
    f" 2 <= H), x_ptr[{C}, {H} + 1, {W} + 1], 0))"
)
BEYOND = (
    "y_ptr[i, j, l] = 0.25*(where(2*j < H and 2*l + 2 <= W, x_ptr[2*W*j + 2*l + H*W*i + W + 1], 0) + where(2*j < H and"
    " 2*l < W, x_ptr[2*W*j + 2*l + H*W*i + W], 0) + where(2*j <= H and 2*l + 2 <= W, x_ptr[2*W*j + 2*l + H*W*i + 1],"
    " 0) + where(2*j <= H and 2*l < W, x_ptr[2*W*j + 2*l + H*W*i], 0))"
)
FORMS = {
    "average": form(
        average, IMAGES, WINDOW, {"ROWS": 8, "COLS": 16, "EXTRA": 0}, flags=SHAPES, inputs={"x_ptr": ["C", "H", "W"]}
    ),
    "average_beyond": form(
        average, IMAGES, BEYOND, {"ROWS": 8, "COLS": 16, "EXTRA": 1}, flags=SHAPES, safety="refuted"
    ),
    "gated": form(
        gated, "x_ptr:*fp32 y_ptr:*fp32 W:i32", "x_ptr[:, :W] * x_ptr[:, W:]", inputs={"x_ptr": ["grid_x", "2*W"]}
    ),
}
