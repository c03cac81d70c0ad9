"""Programs in groups of rows, with the whole program id in `pid % size`: in a group that is not full the tiles of each column
are rotated. First written so in an early tutorial, and copied from there."""

import triton
import triton.language as tl


@triton.jit
def product(
    a_ptr,
    b_ptr,
    c_ptr,
    pid_m,
    pid_n,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (rows % M)[:, None] * stride_am + inner[None, :] * stride_ak
    b_ptrs = b_ptr + inner[:, None] * stride_bk + (cols % N)[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=inner[None, :] < K - k * BLOCK_K, other=0.0)
        b = tl.load(b_ptrs, mask=inner[:, None] < K - k * BLOCK_K, other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    tl.store(
        c_ptr + stride_cm * rows[:, None] + stride_cn * cols[None, :],
        acc,
        mask=(rows[:, None] < M) & (cols[None, :] < N),
    )


@triton.jit
def rows_whole_id(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    in_group = GROUP * tl.cdiv(N, BLOCK_N)
    first = pid // in_group * GROUP
    group_rows = min(tiles_m - first, GROUP)
    pid_m = first + pid % group_rows
    pid_n = pid % in_group // group_rows
    product(
        a_ptr,
        b_ptr,
        c_ptr,
        pid_m,
        pid_n,
        M,
        N,
        K,
        stride_am,
        stride_ak,
        stride_bk,
        stride_bn,
        stride_cm,
        stride_cn,
        BLOCK_M,
        BLOCK_N,
        BLOCK_K,
    )


@triton.jit
def rows_rest(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    in_group = GROUP * tl.cdiv(N, BLOCK_N)
    first = pid // in_group * GROUP
    group_rows = min(tiles_m - first, GROUP)
    pid_m = first + pid % in_group % group_rows
    pid_n = pid % in_group // group_rows
    product(
        a_ptr,
        b_ptr,
        c_ptr,
        pid_m,
        pid_n,
        M,
        N,
        K,
        stride_am,
        stride_ak,
        stride_bk,
        stride_bn,
        stride_cm,
        stride_cn,
        BLOCK_M,
        BLOCK_N,
        BLOCK_K,
    )


@triton.jit
def columns_whole_id(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP * tl.cdiv(M, BLOCK_M)
    first = pid // in_group * GROUP
    group_columns = min(tiles_n - first, GROUP)
    pid_n = first + pid % group_columns
    pid_m = pid % in_group // group_columns
    product(
        a_ptr,
        b_ptr,
        c_ptr,
        pid_m,
        pid_n,
        M,
        N,
        K,
        stride_am,
        stride_ak,
        stride_bk,
        stride_bn,
        stride_cm,
        stride_cn,
        BLOCK_M,
        BLOCK_N,
        BLOCK_K,
    )


@triton.jit
def batch_whole_id(
    x_ptr,
    y_ptr,
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
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    batch = tl.program_id(1)
    width = GROUP * tl.cdiv(N, BLOCK_N)
    group = pid // width
    size = min(tl.cdiv(M, BLOCK_M) - group * GROUP, GROUP)
    rows = (group * GROUP + (pid % size)) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = (pid % width) // size * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + batch * stride_xb + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask)
    tl.store(y_ptr + batch * stride_yb + rows[:, None] * stride_ym + cols[None, :] * stride_yn, 2 * x, mask=mask)


@triton.jit
def persistent(
    x_ptr,
    y_ptr,
    M,
    N,
    stride_xm,
    stride_xn,
    stride_ym,
    stride_yn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    width = GROUP * tl.cdiv(N, BLOCK_N)
    for tile in range(tl.program_id(0), tiles_m * tl.cdiv(N, BLOCK_N), tl.num_programs(0)):
        first = tile // width * GROUP
        size = min(tiles_m - first, GROUP)
        rows = (first + tile % size) * BLOCK_M + tl.arange(0, BLOCK_M)
        cols = tile % width // size * BLOCK_N + tl.arange(0, BLOCK_N)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        x = tl.load(x_ptr + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask)
        tl.store(y_ptr + rows[:, None] * stride_ym + cols[None, :] * stride_yn, 2 * x, mask=mask)


@triton.jit
def added(
    x_ptr,
    y_ptr,
    M,
    N,
    stride_xm,
    stride_xn,
    stride_ym,
    stride_yn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    width = GROUP * tl.cdiv(N, BLOCK_N)
    first = pid // width * GROUP
    size = min(tl.cdiv(M, BLOCK_M) - first, GROUP)
    rows = (first + pid % size) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid % width // size * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask, other=0.0)
    tl.atomic_add(y_ptr + rows[:, None] * stride_ym + cols[None, :] * stride_yn, x, mask=mask)


@triton.jit
def wrong_size(
    x_ptr,
    y_ptr,
    M,
    N,
    stride_xm,
    stride_xn,
    stride_ym,
    stride_yn,
    HOW: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
):
    pid = tl.program_id(0)
    width = GROUP * tl.cdiv(N, BLOCK_N)
    group = pid // width
    left = tl.cdiv(M, BLOCK_M) - group * GROUP
    size = min(left, GROUP + 1 if HOW == "more" else GROUP)
    if HOW == "rows":
        row = pid % GROUP
    elif HOW == "twice":
        row = 2 * pid % size
    else:
        row = pid % size
    if HOW == "columns":
        column = pid % width // GROUP
    elif HOW == "left":
        column = pid % width // left
    else:
        column = pid % width // size
    rows = (group * GROUP + row) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = column * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask)
    tl.store(y_ptr + rows[:, None] * stride_ym + cols[None, :] * stride_yn, 2 * x, mask=mask)


@triton.jit
def downwards(
    x_ptr,
    y_ptr,
    M,
    N,
    stride_xm,
    stride_xn,
    stride_ym,
    stride_yn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
    HOW: tl.constexpr,
):
    """The rows of a group from the last to the first."""
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    in_group = GROUP * tl.cdiv(N, BLOCK_N)
    first = pid // in_group * GROUP
    size = min(tiles_m - first, GROUP)
    last = size - 1
    if HOW == "group":
        last = GROUP - 1  # of a group that is whole: one that is shorter goes beyond the end
    if HOW == "late":
        last = size
    if HOW == "twice":
        last = (size - 1) // 2 * 2
    pid_m = first + last - (pid % in_group) % size
    pid_n = (pid % in_group) // size
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] >= 0) & (rows[:, None] < M) & (cols[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * stride_xm + cols[None, :] * stride_xn, mask=mask)
    tl.store(y_ptr + rows[:, None] * stride_ym + cols[None, :] * stride_yn, 2 * x, mask=mask)


@triton.jit
def product_of_columns(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_ak, stride_bk, stride_cm, BLOCK: tl.constexpr, GROUP: tl.constexpr
):
    """The first matrix is transposed: its rows, which wrap, have elements beside each other."""
    pid = tl.program_id(0)
    count_m, per_group = tl.cdiv(M, BLOCK), GROUP * tl.cdiv(N, BLOCK)
    first = pid // per_group * GROUP
    size = tl.minimum(count_m - first, GROUP)
    pid_m, pid_n = first + (pid % per_group) % size, (pid % per_group) // size
    m, n, k = (pid_m * BLOCK + tl.arange(0, BLOCK)) % M, (pid_n * BLOCK + tl.arange(0, BLOCK)) % N, tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, K, BLOCK):
        a = tl.load(a_ptr + m[:, None] + (start + k)[None, :] * stride_ak, mask=(start + k)[None, :] < K, other=0.0)
        b = tl.load(b_ptr + (start + k)[:, None] * stride_bk + n[None, :], mask=(start + k)[:, None] < K, other=0.0)
        acc += tl.dot(a, b)
    m, n = pid_m * BLOCK + tl.arange(0, BLOCK), pid_n * BLOCK + tl.arange(0, BLOCK)
    tl.store(c_ptr + m[:, None] * stride_cm + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


def types(pointers, integers):
    return {**{name: "*fp32" for name in pointers.split()}, **{name: "i32" for name in integers.split()}}


PRODUCT = types("a_ptr b_ptr c_ptr", "M N K stride_am stride_ak stride_bk stride_bn stride_cm stride_cn")
SCALED = types("x_ptr y_ptr", "M N stride_xm stride_xn stride_ym stride_yn")
TILES = {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP": 8}
FORMS = {
    "product_of_columns": {
        "kernel": product_of_columns,
        "types": types("a_ptr b_ptr c_ptr", "M N K stride_ak stride_bk stride_cm"),
        "constexprs": {"BLOCK": 32, "GROUP": 2},
        "formula": "transpose(a_ptr, 1, 0) @ b_ptr",
    },
    "rows_whole_id": {"kernel": rows_whole_id, "types": PRODUCT, "constexprs": TILES, "formula": "a_ptr @ b_ptr"},
    "rows_whole_id_of_3": {
        "kernel": rows_whole_id,
        "types": PRODUCT,
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 16, "BLOCK_K": 16, "GROUP": 3},
        "formula": "a_ptr @ b_ptr",
    },
    "rows_whole_id_of_1": {
        "kernel": rows_whole_id,
        "types": PRODUCT,
        "constexprs": {**TILES, "GROUP": 1},
        "formula": "a_ptr @ b_ptr",
    },
    "rows_rest": {"kernel": rows_rest, "types": PRODUCT, "constexprs": TILES, "formula": "a_ptr @ b_ptr"},
    "columns_whole_id": {
        "kernel": columns_whole_id,
        "types": PRODUCT,
        "constexprs": TILES,
        "formula": "a_ptr @ b_ptr",
    },
    "batch_whole_id": {
        "kernel": batch_whole_id,
        "types": types("x_ptr y_ptr", "M N stride_xb stride_xm stride_xn stride_yb stride_ym stride_yn"),
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 4},
        "formula": "2 * x_ptr",
    },
    "persistent": {
        "kernel": persistent,
        "types": SCALED,
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 8},
        "formula": "2 * x_ptr",
    },
    "added": {
        "kernel": added,
        "types": SCALED,
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 8},
        "formula": "y_ptr + x_ptr",
    },
    "right_size": {
        "kernel": wrong_size,
        "types": SCALED,
        "constexprs": {"HOW": "", "BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 4},
        "formula": "2 * x_ptr",
    },
    **{
        f"wrong_{how}": {
            "kernel": wrong_size,
            "types": SCALED,
            "constexprs": {"HOW": how, "BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 4},
            "wrong": True,
        }
        for how in ("more", "rows", "twice", "columns", "left")
    },
    "downwards": {
        "kernel": downwards,
        "types": SCALED,
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 8, "HOW": ""},
        "formula": "2 * x_ptr",
    },
    "downwards_of_3": {
        "kernel": downwards,
        "types": SCALED,
        "constexprs": {"BLOCK_M": 32, "BLOCK_N": 32, "GROUP": 3, "HOW": ""},
        "formula": "2 * x_ptr",
    },
    **{
        f"downwards_{how}": {
            "kernel": downwards,
            "types": SCALED,
            "constexprs": {"BLOCK_M": 64, "BLOCK_N": 32, "GROUP": 8, "HOW": how},
            "formula": "2 * x_ptr",
            "wrong": True,
        }
        for how in ("group", "late", "twice")
    },
}
