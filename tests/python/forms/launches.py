"""Kernels for operations of several launches (test_given.py), where arguments of one name are different numbers."""

import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def scale(x_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, s * tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def zero(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 0.0, mask=i < n)


@triton.jit
def add_up(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))


@triton.jit
def turn(x_ptr, y_ptr, M, N, sx, tx, sy, ty, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    mask = (i < M) & (j < N)
    tl.store(y_ptr + i * sy + j * ty, tl.load(x_ptr + i * sx + j * tx, mask=mask), mask=mask)


@triton.jit
def rows(x_ptr, y_ptr, M, N, sx, sy, BLOCK: tl.constexpr):
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + tl.program_id(0) * sy + j, 3 * tl.load(x_ptr + tl.program_id(0) * sx + j, mask=j < N), mask=j < N)


@triton.jit
def parts(x_ptr, y_ptr, n, sx, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + i // sx, mask=i < n)


@triton.jit
def paired(x_ptr, y_ptr, n, sx, sy, BLOCK: tl.constexpr):
    """Rows that two axes of the grid count."""
    row = 2 * tl.program_id(0) + tl.program_id(1)
    j = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + row * sy + j, 3 * tl.load(x_ptr + row * sx + j, mask=j < n), mask=j < n)


@triton.jit
def quarters(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """Blocks of which several programs do a part each."""
    o = 4 * BLOCK * tl.program_id(0) + BLOCK * (tl.program_id(1) // 2) + tl.arange(0, BLOCK)
    if tl.program_id(1) % 2 == 0:
        tl.store(y_ptr + o, 3 * tl.load(x_ptr + o, mask=o < n), mask=o < n)


@triton.jit
def sub_blocks(x_ptr, y_ptr, T, BLOCK: tl.constexpr):
    """[batch, T, 2, 32], in blocks of 64 rows, of which each program does a part of 16 by 16."""
    r = 64 * tl.program_id(0) + 16 * (tl.program_id(1) // 2) + tl.arange(0, 16)[:, None]
    c = 16 * (tl.program_id(1) % 2) + tl.arange(0, 16)[None, :]
    o = ((tl.program_id(2) // 2 * T + r) * 2 + tl.program_id(2) % 2) * 32 + c
    tl.store(y_ptr + o, 3 * tl.load(x_ptr + o, mask=r < T), mask=r < T)


@triton.jit
def halves(x_ptr, y_ptr, T, BLOCK: tl.constexpr):
    """[batch, T, 2, 32], in blocks of 32 rows that are stored by halves."""
    r = 32 * tl.program_id(0) + tl.arange(0, 16)[:, None]
    o = ((tl.program_id(1) // 2 * T + r) * 2 + tl.program_id(1) % 2) * 32 + tl.arange(0, 32)[None, :]
    tl.store(y_ptr + o, 3 * tl.load(x_ptr + o, mask=r < T), mask=r < T)
    o += 16 * 64
    tl.store(y_ptr + o, 3 * tl.load(x_ptr + o, mask=r + 16 < T), mask=r + 16 < T)


@triton.jit
def within(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """A flat index that is cut, though it ends there."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + o % n, 3 * tl.load(x_ptr + o % n, mask=o < n), mask=o < n)


@triton.jit
def beyond(x_ptr, y_ptr, n, m, BLOCK: tl.constexpr):
    """The same, of an index that goes on."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + o % n, 3 * tl.load(x_ptr + o, mask=o < m), mask=o < m)


@triton.jit
def cut_short(a_ptr, b_ptr, y_ptr, K, sa, BLOCK: tl.constexpr):
    """A product of a matrix and a vector, of which the last element is left out."""
    total = 0.0
    for k0 in range(0, K, BLOCK):
        k = k0 + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + tl.program_id(0) * sa + k, mask=k < K, other=0.0)
        total += tl.sum(a * tl.load(b_ptr + k, mask=k < K - 1, other=0.0), axis=0)
    tl.store(y_ptr + tl.program_id(0), total)


@triton.jit
def stated(x_ptr, y_ptr, n, m, BLOCK: tl.constexpr):
    tl.assume(n < m)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def products(y_ptr, M, N, Q, sy, ty, BLOCK: tl.constexpr):
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.store(
        y_ptr + tl.program_id(2) * sy + tl.program_id(0) * ty + j, (tl.program_id(0) * M) // 7 + 0.0 * j, mask=j < N
    )


@triton.jit
def cut(x_ptr, y_ptr, n, A, B, xi, xj, xk, yi, yj, yk, BLOCK: tl.constexpr):
    """A flat index that is cut into those of three axes."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i, j, k = o // B // A, o // B % A, o % B
    tl.store(y_ptr + i * yi + j * yj + k * yk, tl.load(x_ptr + i * xi + j * xj + k * xk, mask=o < n), mask=o < n)


@triton.jit
def whole(x_ptr, y_ptr, HOW: tl.constexpr):
    """Integers, one element for each program."""
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    if HOW == "add":
        tl.atomic_add(y_ptr + i, x)
    elif HOW == "most":
        tl.atomic_max(y_ptr + i, x)
    elif HOW == "ticket":
        tl.store(y_ptr + i, tl.atomic_add(x_ptr + i, 1))
    elif HOW == "sign":
        tl.store(y_ptr + i, (x > 0).to(tl.int32))
    elif HOW == "zero":
        tl.store(y_ptr + i, 0)
    elif HOW == "place":
        tl.store(y_ptr + i, i)
    else:
        tl.store(y_ptr + i, x)


@triton.jit
def negate(x_ptr):
    i = tl.program_id(0)
    tl.store(x_ptr + i, -tl.load(x_ptr + i))


@triton.jit
def number():
    """Of a program, in a grid of three axes."""
    return (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * tl.num_programs(2) + tl.program_id(2)


@triton.jit
def tickets(x_ptr, y_ptr):
    i = number()
    tl.store(y_ptr + i, tl.atomic_add(x_ptr + i, 1))


@triton.jit
def both(x_ptr, y_ptr, z_ptr, HOW: tl.constexpr):
    i = number()
    y = tl.load(y_ptr + i)
    if HOW == "pick":
        tl.store(z_ptr + i, tl.load(x_ptr + y))
    elif HOW == "quotient":
        tl.store(z_ptr + i, tl.load(x_ptr + i) // y)
    else:
        tl.store(z_ptr + i, (tl.load(x_ptr + i) == y).to(tl.int32))


def integers(how, formula, kernel=whole, **given):
    types = {name: "*i32" for name in kernel.arg_names if name != "HOW"}
    return {"kernel": kernel, "types": types, "constexprs": {"HOW": how} if how else {}, "formula": formula, **given}


def form(kernel, formula, **more):
    return {
        "kernel": kernel,
        "types": {
            name: "*fp32" if name.endswith("ptr") else "fp32" if name == "s" else "i32"
            for name in kernel.arg_names
            if name != "BLOCK"
        },
        "constexprs": {"BLOCK": 32},
        "formula": formula,
        **more,
    }


FORMS = {
    "copy": form(copy, "x_ptr"),
    "scale": form(scale, "s * x_ptr"),
    "zero": form(zero, "0"),
    "add_up": form(add_up, "y_ptr + sum(x_ptr)"),
    "turn": form(turn, "x_ptr"),
    "rows": form(rows, "3 * x_ptr"),
    "paired": form(paired, "3 * x_ptr", states="grid_y = 2"),
    "quarters": form(quarters, "3 * x_ptr", states="grid_y = 8"),
    "sub_blocks": form(sub_blocks, "3 * x_ptr", states="grid_y = 8"),
    "halves": form(halves, "3 * x_ptr"),
    "within": form(within, "3 * x_ptr"),
    "beyond": form(beyond, "", unproved=True),
    "cut_short": form(cut_short, "sum(a_ptr[:, :K - 1] * b_ptr, axis=1)", safety="unknown"),
    "stated": form(stated, "x_ptr"),
    "parts": form(parts, "x_ptr + trunc(index(n) / sx)", safety="refuted"),
    "products": form(
        products,
        "trunc(M * column(index(grid_x)) / 7)",
    ),
    "cut": form(cut, "x_ptr[:, :y_ptr_d1]", safety="unknown"),
    "add": integers("add", "wrap32(y_ptr + x_ptr)"),
    "most": integers("most", "maximum(y_ptr, x_ptr)"),
    "sign": integers("sign", "where(x_ptr > 0, 1, 0)"),
    "same": integers("same", "x_ptr"),
    "ticket": integers("ticket", ["wrap32(x_ptr + 1)", "y_ptr[i] = atomic_9(i, pid_y, pid_z)"]),
    "tickets": integers("", ["wrap32(x_ptr + 1)", "y_ptr[i, j, l] = atomic_17(i, j, l)"], tickets),
    "equal": integers("equal", "where(x_ptr == y_ptr, 1, 0)", both),
    "zeros": integers("zero", "0"),
    "negate": integers("", "wrap32(-x_ptr)", negate),
    "place": integers("place", "index(grid_x)"),
    "pick": integers("pick", "take(x_ptr, y_ptr, axis=0)", both, safety="unknown"),
    "quotient": integers(
        "quotient",
        "trunc(x_ptr / y_ptr)",
        both,
        safety="refuted",
    ),
}
