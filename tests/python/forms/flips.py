"""tl.flip, which Triton makes of exclusive ors over pairs of lanes on the bits of floats."""

import triton
import triton.language as tl


@triton.jit
def flip(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + cols, mask=cols < n, other=0.0)
    if HOW == "rows":
        tl.store(y_ptr + row * n + cols - (BLOCK - n), tl.flip(x, 0), mask=cols >= BLOCK - n)
    elif HOW == "sums":
        tl.store(y_ptr + row * n + cols, tl.flip(tl.cumsum(tl.flip(x, 0), 0), 0), mask=cols < n)
    elif HOW == "what follows":  # 0 at the end, where the sums cancel but for their rounding
        tl.store(y_ptr + row * n + cols, tl.sum(x, 0) - tl.cumsum(x, 0), mask=cols < n)
    elif HOW == "twice":
        tl.store(y_ptr + row * n + cols, tl.flip(tl.flip(x, 0), 0), mask=cols < n)
    elif HOW == "not_shifted":
        tl.store(y_ptr + row * n + cols, tl.flip(x, 0), mask=cols < n)


@triton.jit
def tiles(x_ptr, y_ptr, DIM: tl.constexpr):
    """16 by 8, of which rows or columns are reversed."""
    at = tl.arange(0, 16)[:, None] * 8 + tl.arange(0, 8)[None, :]
    tl.store(y_ptr + at, tl.flip(tl.load(x_ptr + at), DIM))


@triton.jit
def either(a, b):
    return a ^ b


@triton.jit
def crossed(x_ptr, y_ptr, AXIS: tl.constexpr):
    """The exclusive or of a row beside a column of two, and the other way round."""
    at = tl.arange(0, 2)[:, None] * 2 + tl.arange(0, 2)[None, :]
    x = (tl.load(x_ptr + at) == 12345678).to(tl.int32)
    both = tl.reduce(x, AXIS, either)
    if AXIS == 1:
        tl.store(y_ptr + at, x ^ both[None, :])
    else:
        tl.store(y_ptr + at, x ^ both[:, None])


@triton.jit
def narrowed(x_ptr, y_ptr, BLOCK: tl.constexpr):
    """The exclusive or has lost its upper bits."""
    at = tl.arange(0, 2)[:, None] * 2 + tl.arange(0, 2)[None, :]
    x = (tl.load(x_ptr + at) == 12345678).to(tl.int32) * 256
    tl.store(y_ptr + at, x ^ tl.reduce(x, 1, either).to(tl.int8).to(tl.int32)[:, None])


def form(how, element="fp32", **more):
    return {
        "kernel": flip,
        "types": {"x_ptr": f"*{element}", "y_ptr": f"*{element}", "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": 16},
        **more,
    }


INTEGERS = {"x_ptr": "*i32", "y_ptr": "*i32"}
FORMS = {
    "rows": form("rows", formula="x_ptr[:, ::-1]"),
    "rows_f16": form("rows", "fp16", formula="y_ptr[i, j] = bitcast_f16(bitcast_f16_i16(x_ptr[i, n - j - 1]))"),
    "rows_bf16": form("rows", "bf16", formula="y_ptr[i, j] = bitcast_bf16(bitcast_bf16_i16(x_ptr[i, n - j - 1]))"),
    "rows_i32": form("rows", "i32", formula="x_ptr[:, ::-1]"),
    "sums": form("sums", formula="cumsum(x_ptr[:, ::-1], axis=1)[:, ::-1]"),
    "what_follows": form("what follows", formula="sum(x_ptr, axis=1) - cumsum(x_ptr, axis=1)"),
    "twice": form("twice", formula="x_ptr"),
    "not_shifted": form("not_shifted", formula="x_ptr[:, ::-1]", wrong=True),
    "tile_rows": {
        "kernel": tiles,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32"},
        "constexprs": {"DIM": 0},
        "formula": "x_ptr[2 * (index(128) % 8) - index(128) + 120]",
    },
    "tile_columns": {
        "kernel": tiles,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32"},
        "constexprs": {"DIM": 1},
        "formula": "x_ptr[index(128) - 2 * (index(128) % 8) + 7]",
    },
    "crossed_rows": {
        "kernel": crossed,
        "types": INTEGERS,
        "constexprs": {"AXIS": 1},
        "formula": (
            "reshape(bitxor(where(reshape(x_ptr, 2, 2) == 12345678, 1, 0), "
            "transpose(xor(where(reshape(x_ptr, 2, 2) == 12345678, 1, 0), axis=1), 1, 0)), 4)"
        ),
    },
    "crossed_columns": {
        "kernel": crossed,
        "types": INTEGERS,
        "constexprs": {"AXIS": 0},
        "formula": (
            "reshape(bitxor(where(reshape(x_ptr, 2, 2) == 12345678, 1, 0), "
            "transpose(xor(where(reshape(x_ptr, 2, 2) == 12345678, 1, 0), axis=0), 1, 0)), 4)"
        ),
    },
    "narrowed": {
        "kernel": narrowed,
        "types": INTEGERS,
        "constexprs": {"BLOCK": 2},
        "formula": (
            "reshape(bitxor(wrap8(xor(256 * where(reshape(x_ptr, 2, 2) == 12345678, 1, 0), axis=1)), "
            "256 * where(reshape(x_ptr, 2, 2) == 12345678, 1, 0)), 4)"
        ),
    },
}
