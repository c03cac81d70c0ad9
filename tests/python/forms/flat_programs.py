"""One program id for batches, rows and columns of tiles, divided twice: by the tiles of a batch, and what is left by those of a row."""

import triton
import triton.language as tl


@triton.jit
def tiles(
    x_ptr,
    y_ptr,
    B,
    M,
    N,
    stride_xb,
    stride_xm,
    stride_xn,
    stride_yb,
    stride_ym,
    stride_yn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    HOW: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    batch = pid // (tiles_m * tiles_n)
    tile = pid % (tiles_m * tiles_n)
    if HOW == "nested":
        pid_m, pid_n = pid // tiles_n % tiles_m, pid % tiles_n
    elif HOW == "columns":
        pid_m, pid_n = tile % tiles_m, tile // tiles_m
    elif HOW == "mixed":  # wrong: divided by the rows where the columns count
        pid_m, pid_n = tile // tiles_m, tile % tiles_n
    else:
        pid_m, pid_n = tile // tiles_n, tile % tiles_n
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + batch * stride_xb + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask)
    tl.store(y_ptr + batch * stride_yb + rows[:, None] * stride_ym + cols[None, :] * stride_yn, 2 * x, mask=mask)


TYPES = {
    "x_ptr": "*fp32",
    "y_ptr": "*fp32",
    **{name: "i32" for name in "B M N stride_xb stride_xm stride_xn stride_yb stride_ym stride_yn".split()},
}


def form(how, **more):
    return {
        "kernel": tiles,
        "types": TYPES,
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "HOW": how},
        "formula": "2 * x_ptr",
        **more,
    }


FORMS = {
    "rows": form("rows", shape=["grid_x_d0", "M", "N"]),
    "nested": form("nested", shape=["grid_x_d0", "M", "N"]),
    "columns": form("columns", shape=["grid_x_d0", "M", "N"]),
    "mixed": form("mixed", wrong=True),
}
