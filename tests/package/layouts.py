"""Kernels whose arguments are what people hand over: tuples, descriptors, flags, views."""

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def tuple_kernel(pointers, scales, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(pointers[0] + place, place < n) * scales[1]
    if pointers[2] is not None:
        value += tl.load(pointers[2] + place, place < n)
    tl.store(pointers[1] + place, value, place < n)


@triton.jit
def descriptor_kernel(source, target, scale, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    target.store([row, 0], source.load([row, 0]) * scale)


@triton.jit
def flag_kernel(x_ptr, out_ptr, factor_ptr, n, negate, shift, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + place, place < n) * tl.load(factor_ptr) + shift
    if negate:
        value = -value
    tl.store(out_ptr + place, value, place < n)


@triton.jit
def rows_kernel(x_ptr, out_ptr, x_row, x_col, out_row, out_col, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    value = tl.load(x_ptr + row * x_row + cols * x_col, mask)
    tl.store(out_ptr + row * out_row + cols * out_col, value * 2, mask)


@triton.jit
def annotated_kernel(x_ptr, out_ptr, n: tl.int64, scale: tl.float32, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place, place < n) * scale, place < n)


@triton.jit(do_not_specialize=["n"])
def unspecialised_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place, place < n) + 1, place < n)


@triton.jit
def first_half_kernel(x_ptr, out_ptr, x_row, WIDTH: tl.constexpr):
    cols = tl.arange(0, WIDTH)
    row = tl.program_id(0)
    tl.store(out_ptr + row * WIDTH + cols, tl.load(x_ptr + row * x_row + cols) * 2)


@triton.jit
def tiles_kernel(
    x_ptr,
    out_ptr,
    x0,
    x1,
    x2,
    out0,
    out1,
    out2,
    s0,
    s1,
    s2,
    SWAPPED: tl.constexpr,
    T0: tl.constexpr,
    T1: tl.constexpr,
    T2: tl.constexpr,
):
    tile = tl.program_id(0)
    n1, n2 = tl.cdiv(s1, T1), tl.cdiv(s2, T2)
    if SWAPPED:
        n1, n2 = n2, n1
    i = (tile // (n1 * n2)) * T0 + tl.arange(0, T0)[:, None, None]
    j = (tile // n2 % n1) * T1 + tl.arange(0, T1)[None, :, None]
    k = (tile % n2) * T2 + tl.arange(0, T2)[None, None, :]
    mask = (i < s0) & (j < s1) & (k < s2)
    value = tl.load(x_ptr + i * x0 + j * x1 + k * x2, mask)
    tl.store(out_ptr + i * out0 + j * out1 + k * out2, value * 2, mask)


@triton.jit
def rows_of_heads_kernel(
    x_ptr, out_ptr, T, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, SHORT: tl.constexpr
):
    first, head = tl.program_id(0) * BLOCK, tl.program_id(1)
    if first >= T:
        return
    row = first + tl.arange(0, BLOCK)
    place = row[:, None] * (H * D) + (head % H) * D + tl.arange(0, D)[None, :] + (head // H) * T * (H * D)
    mask = (row < T - SHORT)[:, None]
    tl.store(out_ptr + place, tl.load(x_ptr + place, mask) * 2, mask)


@triton.jit
def planes_kernel(x_ptr, out_ptr, x0, x2, n, BLOCK: tl.constexpr):
    row, cols = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x_ptr + row * x0 + cols * x2, cols < n)
    tl.store(out_ptr + row * n + cols, value * 2, cols < n)


@triton.jit
def middle_kernel(x_ptr, out_ptr, B, C, BLOCK: tl.constexpr):
    a, c, j = tl.program_id(0), tl.program_id(1), tl.arange(0, BLOCK)
    value = tl.load(x_ptr + a * B * C + j * C + c, j < B, other=0.0)
    tl.store(out_ptr + a * C + c, tl.sum(value, 0))


@triton.jit
def late_return_kernel(x_ptr, scale_ptr, out_ptr, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    scale = tl.load(scale_ptr + tl.program_id(0))
    if first >= n:
        return
    place = first + tl.arange(0, BLOCK)
    tl.store(out_ptr + place, tl.load(x_ptr + place, place < n) * scale, place < n)


@triton.jit
def tiles_of_heads_kernel(
    x_ptr, out_ptr, T, H: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, PART: tl.constexpr
):
    pid, head = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    row = pid // (D // PART) * BLOCK + tl.arange(0, BLOCK)
    col = pid % (D // PART) * PART + tl.arange(0, PART)
    mask = (row < T)[:, None] & (col < D)[None, :]
    place = (head // H * T * H + head % H) * D + row[:, None] * (H * D) + col[None, :]
    tl.store(out_ptr + place, tl.load(x_ptr + place, mask) * 2, mask)


@triton.jit
def flat_chunks_kernel(x_ptr, out_ptr, stride_b, stride_s, S, D, chunk_size, BLOCK: tl.constexpr):
    batch, chunk = tl.program_id(0), tl.program_id(1)
    first = chunk * chunk_size
    count = (tl.minimum(first + chunk_size, S) - first) * D
    for start in range(0, count, BLOCK):
        place = start + tl.arange(0, BLOCK)
        at = batch * stride_b + (first + place // D) * stride_s + place % D
        tl.store(out_ptr + at, tl.load(x_ptr + at, place < count) * 2, place < count)


@triton.jit
def less_sums_kernel(x_ptr, out_ptr, M, N, K, FORGETS: tl.constexpr, BLOCK: tl.constexpr, TILE: tl.constexpr):
    """[M, N, K] less the sums along its middle axis; where FORGETS, all programs along x take the first rows."""
    rows = (0 if FORGETS else tl.program_id(0) * BLOCK) + tl.arange(0, BLOCK)[:, None]
    last = tl.program_id(1)
    total = tl.zeros((BLOCK, 1), tl.float32)
    for start in range(0, N, TILE):
        place = start + tl.arange(0, TILE)[None, :]
        mask = (rows < M) & (place < N)
        total += tl.sum(tl.load(x_ptr + (rows * N + place) * K + last, mask, 0.0), 1, keep_dims=True)
    for start in range(0, N, TILE):
        place = start + tl.arange(0, TILE)[None, :]
        mask = (rows < M) & (place < N)
        at = (rows * N + place) * K + last
        tl.store(out_ptr + at, tl.load(x_ptr + at, mask, 0.0) - total, mask)


@triton.jit
def null_kernel(x_ptr, w_ptr, out_ptr, n, ASKS: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + place, place < n)
    if ASKS == "odd":
        given = w_ptr.to(tl.int64, bitcast=True) % 2 == 1
    else:
        given = (w_ptr.to(tl.int64, bitcast=True) == 0) == (ASKS == "absent")
    if given:
        value += tl.load(w_ptr + place, place < n)
    tl.store(out_ptr + place, value, place < n)


@triton.jit
def flat_cut_kernel(x_ptr, out_ptr, rows, cols, x_row, out_row, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, col = place // cols % rows, place % cols
    tl.store(out_ptr + row * out_row + col, 2 * tl.load(x_ptr + row * x_row + col, place < n), place < n)


@triton.jit
def shifted_kernel(x_ptr, out_ptr, start, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + start + place, 2 * tl.load(x_ptr + place, place < n), place < n)


@triton.jit
def skipped_kernel(x_ptr, out_ptr, start, skip, n, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = place < n
    tl.store(out_ptr + start + place, 2 * tl.load(x_ptr + skip + place, at & (skip + place >= 0), 0.0), at)


@triton.jit
def picked_kernel(x_ptr, index_ptr, out_ptr, n, ALL: tl.constexpr, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + lane, lane < 1, 0)
    valid = (lane < 1) & (index >= 0) & (index < n)
    value = tl.load(x_ptr + index, valid)
    tl.store(out_ptr + lane, value, (lane < 1) if ALL else valid)


@triton.jit
def partial_kernel(x_ptr, out_ptr, partial_ptr, n, COLS: tl.constexpr, BLOCK: tl.constexpr):
    col = tl.program_id(1)
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + rows * COLS + col, rows < n, 0.0)
    tl.store(out_ptr + rows * COLS + col, 2 * value, rows < n)
    tl.store(partial_ptr + tl.program_id(0) * COLS + col, tl.sum(value))


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, n_rows, n_cols, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n_cols
    row = tl.load(index_ptr + batch * n_cols + cols, mask, 0) + SHIFT
    value = tl.load(x_ptr + batch * n_rows * n_cols + row * n_cols + cols, mask)
    tl.store(out_ptr + batch * n_cols + cols, value, mask)


@triton.jit
def chunk_states_kernel(x_ptr, out_ptr, n, H: tl.constexpr, D: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr):
    """Sums of the chunks before each, of sequences that lie behind each other; the first one of each is left as it is."""
    sequence, head = tl.program_id(0) // H, tl.program_id(0) % H
    chunks = tl.cdiv(n, CHUNK)
    d = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for chunk in range(chunks - 1):
        place = ((sequence * chunks + chunk) * H + head) * D + d
        total += tl.load(x_ptr + place, d < D, 0.0)
        tl.store(out_ptr + place + H * D, total, d < D)


@triton.jit
def all_but_the_last_kernel(x_ptr, out_ptr, n, stride, CHUNK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for chunk in range(tl.cdiv(n, CHUNK) - 1):
        total += tl.load(x_ptr + row * stride + chunk)
    tl.store(out_ptr + row, total)


@triton.jit
def chunk_means_kernel(x_ptr, out_ptr, n, H: tl.constexpr, D: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr):
    """The mean of each chunk of each sequence; two programs share a chunk's columns."""
    part, chunk = tl.program_id(0) % 2, tl.program_id(0) // 2
    batch, head = tl.program_id(1) // H, tl.program_id(1) % H
    t, d = chunk * CHUNK + tl.arange(0, CHUNK), part * BLOCK + tl.arange(0, BLOCK)
    places = ((batch * n + t[:, None]) * H + head) * D + d[None, :]
    x = tl.load(x_ptr + places, mask=(t[:, None] < n) & (d[None, :] < D), other=0.0)
    mean = tl.sum(x, axis=0) / tl.minimum(n - chunk * CHUNK, CHUNK)
    tl.store(out_ptr + ((batch * tl.cdiv(n, CHUNK) + chunk) * H + head) * D + d, mean, mask=d < D)


@triton.jit
def states_before_kernel(x_ptr, out_ptr, last_ptr, n, D: tl.constexpr, CHUNK: tl.constexpr):
    """The sum of the chunk before each chunk of each sequence, zero before the first, and that of the last one."""
    chunk, batch, d = tl.program_id(0), tl.program_id(1), tl.arange(0, D)
    chunks = tl.cdiv(n, CHUNK)
    t = chunk * CHUNK + tl.arange(0, CHUNK)
    out = out_ptr + (batch * chunks + chunk) * D + d
    if chunk == 0:
        tl.store(out, tl.zeros([D], tl.float32))
    total = tl.sum(tl.load(x_ptr + (batch * n + t[:, None]) * D + d[None, :], mask=t[:, None] < n, other=0.0), axis=0)
    if chunk < chunks - 1:
        tl.store(out + D, total)
    else:
        tl.store(last_ptr + batch * D + d, total)


@triton.jit
def interleaved_kernel(x_ptr, cos_ptr, out_ptr, T, D: tl.constexpr, BT: tl.constexpr, BD: tl.constexpr):
    """Pairs of columns that share a factor; the block of columns ends at the pair that is masked."""
    t, d = tl.program_id(0) * BT + tl.arange(0, BT), tl.arange(0, BD)
    mask = (t[:, None] < T) & (d[None, :] // 2 < D // 2)
    cos = tl.load(cos_ptr + t[:, None] * (D // 2) + d[None, :] // 2, mask=mask, other=1.0)
    places = (tl.program_id(1) * T + t[:, None]) * D + d[None, :]
    tl.store(out_ptr + places, tl.load(x_ptr + places, mask=mask, other=0.0) * cos, mask=mask)


@triton.jit
def two_flat_kernel(x_ptr, dx_ptr, dy_ptr, stride, T, D: tl.constexpr, B: tl.constexpr):
    """All elements in blocks, of rows that a stride has apart."""
    places = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + places, mask=places < T, other=0.0)
    at = places // D * stride + places % D
    tl.store(dx_ptr + at, 2 * x, mask=places < T)
    tl.store(dy_ptr + at, 3 * x, mask=places < T)


@triton.jit
def from_behind_kernel(x_ptr, out_ptr, T, D: tl.constexpr, BT: tl.constexpr):
    """Sums of what follows within the chunk, from its end on; as many iterations as there are rows in the chunk."""
    chunk, batch, d = tl.program_id(0), tl.program_id(1), tl.arange(0, D)
    count = tl.minimum(BT, T - chunk * BT)
    at = (batch * T + chunk * BT + count - 1) * D + d
    total = tl.zeros([D], tl.float32)
    for _ in range(count):
        total += tl.load(x_ptr + at)
        tl.store(out_ptr + at, total)
        at -= D


@triton.jit
def differences_kernel(x_ptr, out_ptr, T, D: tl.constexpr, BD: tl.constexpr):
    """What follows less what is there, which stands for itself in the last row."""
    batch, t, d = tl.program_id(0), tl.program_id(1), tl.arange(0, BD)
    places = (batch * T + t) * D + d
    x = tl.load(x_ptr + places, mask=d < D)
    if t == T - 1:
        out = -x
    else:
        out = tl.load(x_ptr + places + D, mask=d < D) - x
    tl.store(out_ptr + places, out, mask=d < D)


@triton.jit
def softcap_kernel(x_ptr, y_ptr, n, cap, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, cap * (1 - 2 / (tl.exp(2 * (x / cap)) + 1)), mask=i < n)


def softcap(x, cap):
    return cap * np.tanh(x / cap)


@triton.jit
def every_other_kernel(x, y, sx, sy, n, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * sx + 2 * c, mask=c < n, other=0.0)
    tl.store(y + row * sy + (n - 1 - c), v / tl.sum(v, axis=0), mask=c < n)


def of_its_sum(x):
    return np.flip(x / x.sum(axis=1, keepdims=True), 1)


def of_its_sum_forward(x):
    return x / x.sum(axis=1, keepdims=True)


@triton.jit
def every_column_kernel(x, y, sx, sy, n, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * sx + c, mask=c < n, other=0.0)
    tl.store(y + row * sy + c, v / tl.sum(v, axis=0), mask=c < n)


@triton.jit
def beyond_rows_kernel(x, w, y, s, n, B: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((B,), tl.float32)
    for begin in range(0, n, B):
        total += tl.load(x + row * s + begin + tl.arange(0, B))
    for begin in range(0, n, B):
        c = begin + tl.arange(0, B)
        v = tl.load(x + row * s + c, mask=c < n, other=0.0)
        tl.store(y + row * s + c, (v - tl.sum(total) / n) * tl.load(w + c, mask=c < n), mask=c < n)


def centered(x, w):
    return (x - x.mean(axis=1, keepdims=True)) * w


def centered_by_nothing(x, w):
    return (x - x.mean(axis=1, keepdims=True)) * np.no_such_function(w)


@triton.jit
def partial_sums_kernel(x, mid, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(mid + tl.program_id(0), tl.sum(tl.load(x + o, mask=o < n, other=0.0)))


@triton.jit
def last_sum_kernel(mid, y, K, B: tl.constexpr):
    total = tl.zeros((B,), tl.float32)
    for begin in range(0, K, B):
        k = begin + tl.arange(0, B)
        total += tl.load(mid + k, mask=k < K, other=0.0)
    tl.store(y, tl.sum(total))


def sum_in_two_steps(x, y, B, left_out=0):
    n, mid = x.shape[0], torch.empty(triton.cdiv(x.shape[0], B))
    partial_sums_kernel[(mid.shape[0] - left_out,)](x, mid, n, B=B)
    last_sum_kernel[(1,)](mid, y, mid.shape[0] - left_out, B=4)


def total(x):
    y = x.sum()
    return y


@triton.jit
def softmax_of_rows_kernel(x_ptr, out_ptr, x_row, out_row, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * x_row + cols, mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * out_row + cols, e / tl.sum(e, 0), mask)


@triton.jit
def softmax_of_memory_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    places = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + places, places < n, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + places, e / tl.sum(e, 0), places < n)


def softmax_of_last(x):
    return torch.softmax(x, dim=-1)


def softmax_of_first(x):
    return torch.softmax(x, dim=0)


def softmax_of_all(x):
    return torch.softmax(x.flatten(), dim=0).reshape(x.shape)


def softmax_of_all_but_first(x):
    return torch.softmax(x.flatten(1), dim=-1).reshape(x.shape)


@triton.jit
def copy_flat_kernel(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n), mask=o < n)


def first_rows(x):
    return x[:1]


def first_columns(x):
    return x[:, :1]


def sums_of_columns(x):
    return x.sum(0, keepdim=True)


def as_it_is(x):
    return x * 1


@triton.jit
def side_by_side_kernel(x, y, out, n, PLACE: tl.constexpr, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + 2 * o, tl.load(x + o, mask=o < n), mask=o < n)
    tl.store(out + 2 * o + PLACE, tl.load(y + o, mask=o < n), mask=o < n)


def side_by_side(x, y):
    return torch.stack([x, y], 1)


@triton.jit
def rows_of_numbers_kernel(x, y, D: tl.constexpr):
    at = tl.program_id(0) * D + tl.arange(0, D)
    v = tl.load(x + at)
    tl.store(y + at, v / tl.sum(v, axis=0))


@triton.jit
def sum_of_tiles_kernel(x, y, out, M, N, xm, ym, om, BM: tl.constexpr, BN: tl.constexpr):
    i = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    j = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (i < M) & (j < N)
    value = tl.load(x + i * xm + j, mask) + tl.load(y + i * ym + j, mask)
    tl.store(out + i * om + j, value, mask)


def sum_of_both(x, y):
    return x + y


def difference_of_both(x, y):
    return x - y


def sum_of_others(p, q):
    return p + q


@triton.jit
def heads_last_kernel(x, y, sb, sh, ss, sd, H, S, D: tl.constexpr, BS: tl.constexpr):
    b, h = tl.program_id(2), tl.program_id(1)
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    d = tl.arange(0, D)
    value = tl.load(x + b * sb + h * sh + s[:, None] * ss + d[None, :] * sd, s[:, None] < S)
    tl.store(y + ((b * S + s[:, None]) * H + h) * D + d[None, :], value, s[:, None] < S)


def heads_last(x):
    return x.permute(0, 2, 1, 3)


def heads_first(x):
    return x.reshape(x.shape[0], x.shape[2], x.shape[1], x.shape[3])


@triton.jit
def times_table_kernel(x, table, y, xs, ts, ys, S, H: tl.constexpr, D: tl.constexpr, HB: tl.constexpr):
    row = tl.program_id(0)
    h, d = tl.arange(0, HB), tl.arange(0, D)
    factor = tl.load(table + row % S * ts + d)
    place = h[:, None] * D + d[None, :]
    mask = (h < H)[:, None]
    tl.store(y + row * ys + place, tl.load(x + row * xs + place, mask) * factor[None, :], mask)


def times_table(x, table):
    return x * table[None, :, None, :]


def times_table_from_behind(x, table):
    return x * table.flip(0)[None, :, None, :]


@triton.jit
def means_kernel(x, mean, N, C, L, B: tl.constexpr):
    c, l = tl.program_id(0), tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for n in range(N):
        for first in range(0, L, B):
            total += tl.load(x + (n * C + c) * L + first + l, first + l < L, 0.0)
    tl.store(mean + c, tl.sum(total, 0) / (N * L))


@triton.jit
def less_mean_kernel(x, mean, y, C, L, OTHER: tl.constexpr, B: tl.constexpr):
    n, c, l = tl.program_id(0), tl.program_id(1), tl.program_id(2) * B + tl.arange(0, B)
    at = (n * C + c) * L + l
    value = tl.load(x + at, l < L) - tl.load(mean + (n if OTHER else c))
    tl.store(y + at, value, l < L)


def less_means(x, mean, y, other=False):
    """Two launches, with C programs along x in the first and along y in the second."""
    N, C, L = x.shape
    means_kernel[(C,)](x, mean, N, C, L, B=32)
    less_mean_kernel[(N, C, triton.cdiv(L, 32))](x, mean, y, C, L, OTHER=other, B=32)


def less_mean_of_channels(x):
    return {"mean": x.mean(dim=(0, 2)), "y": x - x.mean(dim=(0, 2), keepdim=True)}


@triton.jit
def scale_rows_kernel(x, s, y, stride, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    value = tl.load(x + row * stride + j, j < n) * tl.load(s + row)
    tl.store(y + row * stride + j, value, j < n)


@triton.jit
def sum_rows_kernel(x, total, R, n, BR: tl.constexpr, B: tl.constexpr):
    j = tl.program_id(0) * B + tl.arange(0, B)
    found = tl.zeros([BR, B], tl.float32)
    for first in range(0, R, BR):
        r = first + tl.arange(0, BR)
        mask = (r[:, None] < R) & (j[None, :] < n)
        found += tl.load(x + r[:, None] * n + j[None, :], mask, 0.0)
    tl.store(total + j, tl.sum(found, 0), j < n)


def scale_and_sum(x, s, y, total):
    R, n = x.shape
    scale_rows_kernel[(R,)](x, s, y, x.stride(0), n, B=64)
    sum_rows_kernel[(triton.cdiv(n, 32),)](x, total, R, n, BR=16, B=32)


def scaled_and_summed(x, s):
    return {"y": x * s[:, None], "total": x.sum(0)}


def scaled_and_averaged(x, s):
    return {"y": x * s[:, None], "total": x.mean(0)}


@triton.jit
def gated_halves_kernel(x, y, x_row, y_row, n, B: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, B)
    a = tl.load(x + row * x_row + j, j < n)
    b = tl.load(x + row * x_row + n + j, j < n)
    tl.store(y + row * y_row + j, a * tl.sigmoid(a) * b, j < n)


def gated_halves(x):
    a, b = x.chunk(2, dim=-1)
    return torch.nn.functional.silu(a) * b


def gated_halves_the_other_way(x):
    b, a = x.chunk(2, dim=-1)
    return torch.nn.functional.silu(a) * b


@triton.jit
def window_kernel(x, y, N, W, sx, sy, B: tl.constexpr):
    """Of a row those from W before the diagonal on."""
    r, c = tl.program_id(0), tl.arange(0, B)
    tl.store(y + r * sy + c, tl.load(x + r * sx + c, (c < N) & (c >= r - W), 0.0), c < N)


def window(x, W):
    return torch.where(torch.arange(x.shape[1]) >= torch.arange(x.shape[0])[:, None] - W, x, 0)


def window_without_its_first(x, W):
    return torch.where(torch.arange(x.shape[1]) > torch.arange(x.shape[0])[:, None] - W, x, 0)


@triton.jit
def weighted_halves_kernel(x, y, D, B: tl.constexpr):
    """Of each two rows of D the sum of the first and twice the second."""
    t, j = tl.program_id(0), tl.arange(0, B)
    a = tl.load(x + t * 2 * D + j, j < D, 0.0)
    b = tl.load(x + t * 2 * D + D + j, j < D, 0.0)
    tl.store(y + t, tl.sum(a + 2 * b, 0))


def weighted_halves(x):
    return x[:, 0].sum(-1) + 2 * x[:, 1].sum(-1)


def halves_weighted_the_other_way(x):
    return 2 * x[:, 0].sum(-1) + x[:, 1].sum(-1)


@triton.jit
def mixed_experts_kernel(x, w, y, K: tl.constexpr, D, B: tl.constexpr):
    t, j = tl.program_id(0), tl.program_id(1) * B + tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for k in tl.static_range(K):
        total += tl.load(x + (t * K + k) * D + j, j < D, 0.0) * tl.load(w + t * K + k)
    tl.store(y + t * D + j, total, j < D)


def mixed_experts(x, w):
    return (x * w[..., None]).sum(1)


def averaged_experts(x, w):
    return (x * w[..., None]).mean(1)
