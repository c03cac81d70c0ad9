"""Flat outputs whose elements are told by rows of rows: the formula is that of the rows, reshaped once."""

import triton
import triton.language as tl


@triton.jit
def scaled_groups(x_ptr, s_ptr, y_ptr, GROUP: tl.constexpr):
    g = tl.program_id(0)
    i = g * GROUP + tl.arange(0, GROUP)
    tl.store(y_ptr + i, tl.load(x_ptr + i) * tl.load(s_ptr + g))


@triton.jit
def gates(p_ptr, d_ptr, y_ptr, E: tl.constexpr):
    i = tl.program_id(0) * E + tl.arange(0, E)
    p = tl.load(p_ptr + i)
    pd = p * tl.load(d_ptr + i)
    tl.store(y_ptr + i, pd - p * tl.sum(pd, axis=0))


@triton.jit
def chunk(q_ptr, k_ptr, v_ptr, s_ptr, y_ptr, T: tl.constexpr, D: tl.constexpr):
    h = tl.program_id(0)
    t = tl.arange(0, T)
    d = tl.arange(0, D)
    at = h * T * D + t[:, None] * D + d[None, :]
    q = tl.load(q_ptr + at)
    s = tl.load(s_ptr + h * D * D + d[:, None] * D + d[None, :])
    a = tl.dot(q, tl.trans(tl.load(k_ptr + at)))
    a = tl.where(t[:, None] >= t[None, :], a, 0.0)
    tl.store(y_ptr + at, tl.dot(q, s) + tl.dot(a, tl.load(v_ptr + at)))


@triton.jit
def group_norm_silu(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, G: tl.constexpr, C: tl.constexpr, BLOCK: tl.constexpr):
    g = tl.program_id(1)
    c = g * C + tl.arange(0, C)
    i = tl.arange(0, BLOCK)
    m = (i < n)[None, :]
    at = (tl.program_id(0) * G * C + c)[:, None] * n + i[None, :]
    x = tl.load(x_ptr + at, mask=m, other=0.0)
    d = tl.where(m, x - tl.sum(tl.sum(x, axis=1), axis=0) / (C * n), 0.0)
    var = tl.sum(tl.sum(d * d, axis=1), axis=0) / (C * n)
    y = d / tl.sqrt(var + eps) * tl.load(w_ptr + c)[:, None] + tl.load(b_ptr + c)[:, None]
    tl.store(y_ptr + at, y * tl.sigmoid(y), mask=m)


def form(kernel, pointers, formula, ints=(), floats=(), **constexprs):
    types = {**{p: "*fp32" for p in pointers}, **{i: "i32" for i in ints}, **{f: "fp32" for f in floats}}
    return {"kernel": kernel, "types": types, "constexprs": constexprs, "formula": formula}


FORMS = {
    "scaled_groups": form(
        scaled_groups,
        ["x_ptr", "s_ptr", "y_ptr"],
        "reshape(reshape(x_ptr, grid_x, 128) * column(s_ptr), 128 * grid_x)",
        GROUP=128,
    ),
    "gates": form(
        gates,
        ["p_ptr", "d_ptr", "y_ptr"],
        "reshape(reshape(p_ptr, grid_x, 64) * (reshape(d_ptr, grid_x, 64) - "
        "sum(reshape(p_ptr * d_ptr, grid_x, 64), axis=1)), 64 * grid_x)",
        E=64,
    ),
    "chunk": form(
        chunk,
        ["q_ptr", "k_ptr", "v_ptr", "s_ptr", "y_ptr"],
        "reshape(reshape(q_ptr, grid_x, 64, 64) @ reshape(s_ptr, grid_x, 64, 64) + where(index(64) <= "
        "column(index(64)), reshape(q_ptr, grid_x, 64, 64) @ transpose(reshape(k_ptr, grid_x, 64, 64), 0, 2, 1), 0) @ "
        "reshape(v_ptr, grid_x, 64, 64), 4096 * grid_x)",
        T=64,
        D=64,
    ),
    "group_norm_silu": form(
        group_norm_silu,
        ["x_ptr", "w_ptr", "b_ptr", "y_ptr"],
        "reshape(silu(layer_norm(reshape(x_ptr, grid_x, 8, 4, n), axis=(2, 3), eps=eps) * "
        "expand(reshape(w_ptr, 8, 4), 2) + expand(reshape(b_ptr, 8, 4), 2)), 32 * grid_x, n)",
        ["n"],
        ["eps"],
        G=8,
        C=4,
        BLOCK=1024,
    ),
}
