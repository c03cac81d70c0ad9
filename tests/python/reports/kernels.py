"""Kernels after public bug reports, right and wrong, as launches: `tensors` (shape, or shape and strides), `grid`, `args`; `codes`: the exit
codes that are right; `never`: the value must not be proved; `finding`: a part of what a refuted obligation says."""

import triton
import triton.language as tl


@triton.jit
def clipped(x, y, T, TILE: tl.constexpr, STEP: tl.constexpr, BLOCK: tl.constexpr, LESS: tl.constexpr):
    """A tile of TILE elements, or up to the end, as layer-norm backward has it."""
    o = tl.program_id(0) * STEP + tl.arange(0, BLOCK)
    inside = o < min(tl.program_id(0) * STEP + TILE, T - LESS)
    tl.store(y + o, tl.load(x + o, mask=inside, other=0.0), mask=inside)


@triton.jit
def strip(x, y, T, P: tl.constexpr, B: tl.constexpr, LESS: tl.constexpr):
    end = min(tl.program_id(0) * P + P - LESS, T)
    for start in range(tl.program_id(0) * P, end, B):
        o = start + tl.arange(0, B)
        tl.store(y + o, tl.load(x + o, mask=o < end, other=0.0), mask=o < end)


@triton.jit
def persistent(x, y, M, N, S: tl.constexpr, B: tl.constexpr):
    columns = tl.cdiv(N, B)
    for t in range(tl.program_id(0), tl.cdiv(M, B) * columns, S):
        om, on = (t // columns) * B + tl.arange(0, B), (t % columns) * B + tl.arange(0, B)
        inside = (om[:, None] < M) & (on[None, :] < N)
        at = om[:, None] * N + on[None, :]
        tl.store(y + at, tl.load(x + at, mask=inside, other=0.0) + 1, mask=inside)


@triton.jit
def rows(x, y, n_rows, n_cols, BLOCK: tl.constexpr, STRIDED: tl.constexpr):
    c = tl.arange(0, BLOCK)
    if STRIDED:
        for row in range(tl.program_id(0), n_rows, tl.num_programs(0)):
            tl.store(
                y + row * n_cols + c, 2 * tl.load(x + row * n_cols + c, mask=c < n_cols, other=0.0), mask=c < n_cols
            )
    else:
        row = tl.program_id(0)
        if row < n_rows:
            tl.store(
                y + row * n_cols + c, 2 * tl.load(x + row * n_cols + c, mask=c < n_cols, other=0.0), mask=c < n_cols
            )


@triton.jit
def scaled(x, y, N, BLOCK: tl.constexpr, HOW: tl.constexpr, Q: tl.constexpr):
    """Quantised by the greatest magnitude of the row, or by what is none."""
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * N + c, mask=c < N, other=0.0)
    if HOW == "magnitude":
        most = tl.maximum(tl.max(tl.abs(v), axis=0), 1e-10)
    elif HOW == "eps":
        most = tl.max(tl.abs(v), axis=0) + 1e-8
    elif HOW == "sum":
        most = tl.sum(tl.abs(v), axis=0) + 1e-8
    elif HOW == "signed":
        most = tl.maximum(tl.max(v, axis=0), 1e-10)
    elif HOW == "least":
        most = tl.maximum(tl.min(tl.abs(v), axis=0), 1e-10)
    elif HOW == "part":
        most = tl.maximum(tl.max(tl.where(c < N - 1, tl.abs(v), 0.0), axis=0), 1e-10)
    else:
        most = tl.maximum(tl.max(tl.abs(v), axis=0), 1e-10) - 1e-10
    tl.store(y + row * N + c, (v / (most / Q)).to(tl.int8), mask=c < N)


@triton.jit
def offset_lse(K, Out, S, NQ, B: tl.constexpr, HOW: tl.constexpr):
    """The keys up to the query's own, S of them before the first query; or rows that see none."""
    om = tl.program_id(0) * B + tl.arange(0, B)
    m, l = tl.full([B], float("-inf"), tl.float32), tl.zeros([B], tl.float32)
    for start in range(0, min(S + tl.program_id(0) * B + B, S + NQ), B):
        n = start + tl.arange(0, B)
        k = tl.load(K + n, mask=n < S + NQ, other=0.0)
        seen = (
            S + om[:, None] >= n[None, :]
            if HOW == 0
            else om[:, None] >= n[None, :] + S if HOW == 1 else om[:, None] > n[None, :]
        )
        s = tl.where(seen & (n[None, :] < S + NQ), k[None, :], float("-inf"))
        largest = tl.maximum(m, tl.max(s, axis=1))
        l = l * tl.exp(m - largest) + tl.sum(tl.exp(s - largest[:, None]), axis=1)
        m = largest
    tl.store(Out + om, m + tl.log(l), mask=om < NQ)


@triton.jit
def from_end(h, y, T, D, LEAST: tl.constexpr, B: tl.constexpr):
    """The last W columns of a row are what follows it: slots W + t - T, from the end."""
    od, ot = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    slot = ot + 4 - T
    inside = (slot[:, None] >= LEAST) & (ot[:, None] < T) & (od[None, :] < D)
    v = tl.load(h + od[None, :] * 4 + slot[:, None], mask=inside, other=0.0)
    tl.store(y + ot[:, None] * D + od[None, :], v, mask=(ot[:, None] < T) & (od[None, :] < D))


@triton.jit
def gathered(x, idx, y, stride, n_rows, HOW: tl.constexpr):
    """Rows that memory names, in i32: kept in range by a mask, by a clamp, or from above alone."""
    p, d = tl.program_id(0), tl.arange(0, 16)
    row = tl.load(idx + p)
    inside = (row >= 0) & (row < n_rows)
    if HOW == "clamped":
        row = tl.minimum(tl.maximum(row, 0), n_rows - 1)
        inside = row >= 0
    elif HOW == "above":
        inside = row < n_rows
    tl.store(y + p.to(tl.int64) * 16 + d, tl.load(x + row * stride + d, mask=inside & (d < 16), other=0.0))


@triton.jit
def strided(x, y, n, sx, sy, USES: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o * sx, mask=o < n, other=0.0)
    tl.store(y + (o * sy if USES else o), v, mask=o < n)


@triton.jit
def plane(x, y, M, N, sxm, sxn, sym, syn, B: tl.constexpr):
    om, on = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    inside = (om[:, None] < M) & (on[None, :] < N)
    v = tl.load(x + om[:, None] * sxm + on[None, :] * sxn, mask=inside, other=0.0)
    tl.store(y + om[:, None] * sym + on[None, :] * syn, -v, mask=inside)


def form(kernel, constexprs, codes, tensors, grid, args, dtypes=None, **more):
    dtypes = dtypes or {}
    types = {
        name: (
            "*" + {"f32": "fp32"}.get(dtypes.get(name, "f32"), dtypes.get(name, "f32")) if value in tensors else "i32"
        )
        for name, value in args.items()
    }
    given = {
        name: (
            ({"shape": shape} if not isinstance(shape, tuple) else {"shape": shape[0], "strides": shape[1]})
            | {"dtype": dtypes.get(name, "f32")}
        )
        for name, shape in tensors.items()
    }
    return {
        "kernel": kernel,
        "types": types,
        "constexprs": constexprs,
        "codes": codes,
        "tensors": given,
        "grid": grid,
        "args": args,
    } | more


def flat(kernel, constexprs, codes, grid, size="T", number=None, **more):
    extent = number or size
    return form(
        kernel, constexprs, codes, {"x": [extent], "y": [extent]}, grid, {"x": "x", "y": "y", size: extent}, **more
    )


def table(kernel, constexprs, codes, m, n, grid, names=("M", "N"), **more):
    return form(
        kernel,
        constexprs,
        codes,
        {"x": [m, n], "y": [m, n]},
        grid,
        {"x": "x", "y": "y", names[0]: m, names[1]: n},
        **more,
    )


def quantised(how, q, codes):
    return form(
        scaled,
        {"BLOCK": 64, "HOW": how, "Q": q},
        codes,
        {"x": ["R", "N"], "y": ["R", "N"]},
        ["R"],
        {"x": "x", "y": "y", "N": "N"},
        {"y": "i8"},
    )


def page(how, codes, **more):
    return form(
        gathered,
        {"HOW": how},
        codes,
        {"x": (["P", 16], ["SX", 1]), "idx": ["R"], "y": ["R", 16]},
        ["R"],
        {"x": "x", "idx": "idx", "y": "y", "stride": "SX", "n_rows": "P"},
        {"idx": "i32"},
        **more,
    )


def turned(codes, x, y, strides, **more):
    return form(
        plane,
        {"B": 16},
        codes,
        {"x": x, "y": y},
        [1, 1],
        dict(zip(["x", "y", "M", "N", "sxm", "sxn", "sym", "syn"], ["x", "y", 7, 5, *strides])),
        **more,
    )


FORMS = {
    "clipped": flat(clipped, {"TILE": 4, "STEP": 4, "BLOCK": 16, "LESS": 0}, [0], ["cdiv(T,4)"]),
    "clipped_whole": flat(clipped, {"TILE": 32, "STEP": 32, "BLOCK": 32, "LESS": 0}, [0], ["cdiv(T,32)"]),
    "clipped_overlaps": flat(clipped, {"TILE": 6, "STEP": 4, "BLOCK": 16, "LESS": 0}, [1, 2], ["cdiv(T,4)"]),
    "clipped_gap": flat(clipped, {"TILE": 3, "STEP": 4, "BLOCK": 16, "LESS": 0}, [1, 2], ["cdiv(T,4)"]),
    "clipped_last": flat(clipped, {"TILE": 4, "STEP": 4, "BLOCK": 16, "LESS": 1}, [1, 2], ["cdiv(T,4)"]),
    "strip_16_16": flat(strip, {"P": 16, "B": 16, "LESS": 0}, [0], ["cdiv(T,16)"]),
    "strip_32_16": flat(strip, {"P": 32, "B": 16, "LESS": 0}, [0], ["cdiv(T,32)"]),
    "strip_64_16": flat(strip, {"P": 64, "B": 16, "LESS": 0}, [0], ["cdiv(T,64)"]),
    "strip_gap": flat(strip, {"P": 16, "B": 16, "LESS": 1}, [1, 2], ["cdiv(T,16)"]),
    "strip_few_programs": flat(strip, {"P": 16, "B": 16, "LESS": 0}, [1, 2], ["cdiv(T,32)"]),
    "persistent": table(persistent, {"S": 8, "B": 16}, [0], "M", "N", [8]),
    "persistent_fewer": table(persistent, {"S": 8, "B": 16}, [1, 2], "M", "N", [7]),
    "persistent_more": table(persistent, {"S": 8, "B": 16}, [1, 2], "M", "N", [9]),
    "persistent_idle": table(persistent, {"S": 8, "B": 16}, [0], 20, 20, [8]),
    "persistent_idle_more": table(persistent, {"S": 8, "B": 16}, [1, 2], 20, 20, [9]),
    "rows_strided": table(rows, {"BLOCK": 128, "STRIDED": True}, [0], 30, 100, [64], ("n_rows", "n_cols")),
    "rows_more": table(rows, {"BLOCK": 128, "STRIDED": False}, [0], 30, 100, [64], ("n_rows", "n_cols")),
    "rows_fewer": table(rows, {"BLOCK": 128, "STRIDED": False}, [1, 2], 30, 100, [20], ("n_rows", "n_cols")),
    "q_magnitude": quantised("magnitude", 127.0, [0]),
    "q_eps": quantised("eps", 127.0, [0]),
    "q_sum": quantised("sum", 127.0, [0]),
    "q_too_far": quantised("magnitude", 130.0, [1, 2]),
    "q_signed": quantised("signed", 127.0, [1, 2]),
    "q_least": quantised("least", 127.0, [1, 2]),
    "q_part": quantised("part", 127.0, [1, 2]),
    "q_less": quantised("less", 127.0, [1, 2]),
    "offset": form(
        offset_lse,
        {"B": 16, "HOW": 0},
        [0],
        {"K": ["S+NQ"], "Out": ["NQ"]},
        ["cdiv(NQ,16)"],
        {"K": "K", "Out": "Out", "S": "S", "NQ": "NQ"},
    ),
    "offset_turned": form(
        offset_lse,
        {"B": 16, "HOW": 1},
        [1, 2],
        {"K": ["S+NQ"], "Out": ["NQ"]},
        ["cdiv(NQ,16)"],
        {"K": "K", "Out": "Out", "S": "S", "NQ": "NQ"},
    ),
    "offset_strict": form(
        offset_lse,
        {"B": 16, "HOW": 2},
        [1, 2],
        {"K": ["S+NQ"], "Out": ["NQ"]},
        ["cdiv(NQ,16)"],
        {"K": "K", "Out": "Out", "S": "S", "NQ": "NQ"},
    ),
    "from_end": form(
        from_end,
        {"LEAST": 0, "B": 16},
        [0],
        {"h": ["D", 4], "y": ["T", "D"]},
        ["cdiv(D,16)", "cdiv(T,16)"],
        {"h": "h", "y": "y", "T": "T", "D": "D"},
    ),
    "from_end_before": form(
        from_end,
        {"LEAST": -1, "B": 16},
        [1, 2],
        {"h": ["D", 4], "y": ["T", "D"]},
        ["cdiv(D,16)", "cdiv(T,16)"],
        {"h": "h", "y": "y", "T": "T", "D": "D"},
    ),
    "page": page("masked", [0], limit="wraps from"),
    "page_clamped": page("clamped", [0], limit="wraps from"),
    "page_above": page("above", [1, 2]),
    "stride_2": form(
        strided,
        {"USES": True, "BLOCK": 64},
        [0],
        {"x": ["N"], "y": (["N"], [2])},
        ["cdiv(N,64)"],
        {"x": "x", "y": "y", "n": "N", "sx": 1, "sy": 2},
    ),
    "stride_3": form(
        strided,
        {"USES": True, "BLOCK": 64},
        [0],
        {"x": (["N"], [5]), "y": (["N"], [3])},
        ["cdiv(N,64)"],
        {"x": "x", "y": "y", "n": "N", "sx": 5, "sy": 3},
    ),
    "stride_unused": form(
        strided,
        {"USES": False, "BLOCK": 64},
        [1],
        {"x": ["N"], "y": (["N"], [2])},
        ["cdiv(N,64)"],
        {"x": "x", "y": "y", "n": "N", "sx": 1, "sy": 2},
    ),
    "stride_other": form(
        strided,
        {"USES": True, "BLOCK": 64},
        [1, 2],
        {"x": ["N"], "y": (["N"], [2])},
        ["cdiv(N,64)"],
        {"x": "x", "y": "y", "n": "N", "sx": 1, "sy": 3},
    ),
    "rows_apart": form(
        rows,
        {"BLOCK": 128, "STRIDED": True},
        [1],
        {"x": (["M", "N"], ["2*N", 1]), "y": ["M", "N"]},
        ["M"],
        {"x": "x", "y": "y", "n_rows": "M", "n_cols": "N"},
    ),
    "rows_apart_32": form(
        rows,
        {"BLOCK": 128, "STRIDED": True},
        [1],
        {"x": (["M", 32], [64, 1]), "y": ["M", 32]},
        ["M"],
        {"x": "x", "y": "y", "n_rows": "M", "n_cols": 32},
    ),
    "turned": turned([0], ([7, 5], [1, 7]), [7, 5], [1, 7, 5, 1]),
    "turned_both": turned([0], ([7, 5], [1, 7]), ([7, 5], [1, 7]), [1, 7, 1, 7]),
    "turned_forgotten": turned([1, 2], ([7, 5], [1, 7]), [7, 5], [5, 1, 5, 1]),
}
