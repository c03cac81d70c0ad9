"""What the text of a stage has to say, and how it must stay the same when it was read back."""

import triton
import triton.language as tl


@triton.jit
def assembly(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < N)
    r = tl.inline_asm_elementwise("rcp.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y_ptr + i, r * x, mask=i < N)


@triton.jit
def assembly_twice(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """Two texts are two functions."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < N)
    r = tl.inline_asm_elementwise("rcp.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1)
    q = tl.inline_asm_elementwise("popc.b32 $0, $1;", "=r,r", [i], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y_ptr + i, r * q, mask=i < N)


@triton.jit
def last_row(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    """The last of several stores to one place."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for m in range(0, M):
        tl.store(y_ptr + i, tl.load(x_ptr + m * N + i, mask=i < N), mask=i < N)


@triton.jit
def last_tile(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    """Each program writes the same row: what stays is the last one's, of a tile that may be cut."""
    m = tl.program_id(0) * 16 + tl.arange(0, 16)
    n = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N), other=0.0)
    tl.store(y_ptr + n, tl.sum(x, axis=0), mask=n < N)


@triton.jit
def border(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    """Written in two places that overlap."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i * N, tl.load(x_ptr + i * N, mask=i < N), mask=i < N)
    tl.store(y_ptr + i, -tl.load(x_ptr + i, mask=i < N), mask=i < N)


@triton.jit
def grids(x_ptr, y_ptr, BLOCK: tl.constexpr):
    """Sizes that are no arguments, several of them."""
    i, j = tl.program_id(1), tl.program_id(0)
    n = tl.arange(0, BLOCK)
    base = (i * tl.num_programs(0) + j) * BLOCK
    tl.store(y_ptr + base + n, tl.abs(tl.load(x_ptr + base + n) - 1.0))


def form(kernel, types, formula=None, constexprs=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 64} if constexprs is None else constexprs,
        **({"formula": formula} if formula else {}),
        **more,
    }


VECTOR, ROWS = "x_ptr:*fp32 y_ptr:*fp32 N:i32", "x_ptr:*fp32 y_ptr:*fp32 M:i32 N:i32"
FORMS = {
    "assembly": form(assembly, VECTOR, "y_ptr[i] = x_ptr[i]*asm_92a64f84(x_ptr[i])"),
    "assembly_twice": form(assembly_twice, VECTOR, "y_ptr[i] = asm_01db3213(i)*asm_92a64f84(x_ptr[i])"),
    "last_row": form(last_row, ROWS, "x_ptr[M - 1]", verdict="probable", safety="unknown"),
    "last_tile": form(
        last_tile,
        ROWS,
        "sum(x_ptr[16 * grid_x - 16:16 * grid_x + minimum(M - 16 * grid_x + 16, 16) - 16], axis=0)",
        verdict="probable",
        safety="refuted",
    ),
    "border": form(border, VECTOR, "where(column(index(N)) == 0, -x_ptr[0], column(x_ptr[:, 0]))", safety="unknown"),
    "grids": form(grids, "x_ptr:*fp32 y_ptr:*fp32", wrong=True),
}
