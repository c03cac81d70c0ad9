"""Atomics on tiles in groups of rows, the last of which may be short: the element tells the program, over a quotient of the index. What does
not deal the tiles one to one is not proved."""

import triton
import triton.language as tl


@triton.jit
def tile_of(pid, rows, columns, HOW: tl.constexpr, GROUP: tl.constexpr):
    if HOW == "columns":
        per = GROUP * rows
        first = pid // per * GROUP
        size = min(columns - first, GROUP)
        return pid % per // size, first + pid % per % size
    per = (GROUP + 1 if HOW == "apart_wrong" else GROUP) * columns
    first = pid // per * GROUP
    size = min(rows - first, GROUP)
    if HOW == "whole":  # with more programs, some of which have no tile
        size = GROUP
    if HOW == "row_major":
        return first + pid % per // columns, pid % columns
    if HOW == "swapped_wrong":
        return first + pid % per // size, pid % per % size
    return first + pid % per % size, pid % per // size


@triton.jit
def split_k(
    x_ptr,
    w_ptr,
    y_ptr,
    M,
    N,
    K,
    HOW: tl.constexpr,
    GROUP: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    m, n = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), HOW, GROUP)
    rows, columns = m * BM + tl.arange(0, BM), n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(tl.program_id(1) * BK, K, tl.num_programs(1) * BK):
        at = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rows[:, None] * K + at[None, :], mask=(rows[:, None] < M) & (at[None, :] < K), other=0.0)
        w = tl.load(
            w_ptr + at[:, None] * N + columns[None, :], mask=(at[:, None] < K) & (columns[None, :] < N), other=0.0
        )
        acc += tl.dot(x, w, input_precision="ieee")
    tl.atomic_add(y_ptr + rows[:, None] * N + columns[None, :], acc, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def added(x_ptr, y_ptr, M, N, stride, HOW: tl.constexpr, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), HOW, GROUP)
    rows, columns = m * BM + tl.arange(0, BM), n * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    x = tl.load(x_ptr + (tl.program_id(1) * M + rows[:, None]) * N + columns[None, :], mask=mask, other=0.0)
    tl.atomic_add(y_ptr + rows[:, None] * stride + columns[None, :], x, mask=mask)


SIZES = {"M": "i32", "N": "i32"}


def form(kernel, types, how, formula, group=4, **more):
    blocks = {"BM": 16, "BN": 32} | ({"BK": 16} if kernel is split_k else {})
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", **types},
        "constexprs": {"HOW": how, "GROUP": group, **blocks},
        "formula": formula,
        **more,
    }


W, S, SUM = (
    {"w_ptr": "*fp32", "y_ptr": "*fp32", **SIZES, "K": "i32"},
    {"y_ptr": "*fp32", **SIZES, "stride": "i32"},
    "y_ptr + sum(x_ptr, axis=0)",
)
FORMS = {
    "split_k": form(split_k, W, "rows", "y_ptr + x_ptr @ w_ptr"),
    "rows": form(added, S, "rows", SUM),
    "columns": form(added, S, "columns", SUM),
    "row_major": form(added, S, "row_major", SUM),
    "groups_of_six": form(added, S, "rows", SUM, 6),
    "whole": form(added, S, "whole", SUM),
    "apart_wrong": form(added, S, "apart_wrong", SUM, wrong="formula"),
    "swapped_wrong": form(added, S, "swapped_wrong", SUM, wrong="formula"),
}
