"""Atomics that add the same in every program: as often as there are programs. A maximum of the same is that once."""

import triton
import triton.language as tl


@triton.jit
def beside_a_store(x_ptr, y_ptr, count_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)
    if HOW == "max":
        tl.atomic_max(count_ptr, 7)
    else:
        tl.atomic_add(count_ptr, 1)


@triton.jit
def bias(x_ptr, y_ptr, bias_ptr, total_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)
    lanes = tl.arange(0, 16)
    tl.atomic_add(total_ptr + lanes, tl.load(bias_ptr + lanes))


@triton.jit
def dealt(x_ptr, y_ptr, n, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    """Sums by four places, to which programs are dealt: what each holds depends on the number of programs."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.atomic_add(y_ptr + tl.program_id(0) % 4, tl.sum(x + x if TWICE else x, 0))


@triton.jit
def rows_dealt(x_ptr, y_ptr, n, H, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """A row for each program, added to those of its place in a group of H, or of its group."""
    p = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + p * n + o, mask=o < n, other=0.0)
    tl.atomic_add(y_ptr + (p // H if HOW == "groups" else p % H) * n + o, x, mask=o < n)


@triton.jit
def leaders(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """One of four programs stores: the last group need not be whole."""
    p = tl.program_id(0)
    o = p * BLOCK + tl.arange(0, BLOCK)
    s = tl.sum(tl.load(x_ptr + o, mask=o < n, other=0.0))
    if p % 4 == 0:
        tl.store(y_ptr + p // 4, s)


@triton.jit
def lowest(y_ptr, K, BLOCK: tl.constexpr):
    """A maximum over as many zeros as there are iterations, perhaps none."""
    a = tl.full((BLOCK,), -float("inf"), tl.float32)
    for k in range(BLOCK, K, BLOCK):
        a = tl.maximum(a, 0.0)
    tl.store(y_ptr + tl.arange(0, BLOCK), a)


COUNT = {"x_ptr": "*fp32", "y_ptr": "*fp32", "count_ptr": "*i32", "n": "i32"}
PART, PLACE = (
    "column(index((grid_x + 3) // 4))",
    "128 * index(4) + expand(column(index(128)), 2) + 512 * column(index((grid_x + 3) // 4))",
)
DEALT = (
    f"y_ptr + {{}}sum(where({PART} < (grid_x - index(4) + 3) // 4, sum(where({PLACE} < n, x_ptr[{PLACE}], 0), axis=0),"
    " 0), axis=1)"
)
DEALT_ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "H": "i32"}
FORMS = {
    "dealt": {
        "kernel": dealt,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"TWICE": False, "BLOCK": 128},
        "formula": DEALT.format(""),
        "other": "counts.dealt_twice",
    },
    "dealt_twice": {
        "kernel": dealt,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"TWICE": True, "BLOCK": 128},
        "formula": DEALT.format("2 * "),
        "other": "counts.dealt",
    },
    "rows_dealt": {
        "kernel": rows_dealt,
        "types": DEALT_ROWS,
        "constexprs": {"HOW": "places", "BLOCK": 128},
        "safety": "unknown",
        "formula": (
            "y_ptr + sum(where(expand(column(index((grid_x - 1) // H + 1)) <= (grid_x - index(H) - 1) // H, 2),"
            " x_ptr, 0), axis=0)"
        ),
    },
    "rows_dealt_whole": {
        "kernel": rows_dealt,
        "types": DEALT_ROWS,
        "constexprs": {"HOW": "places", "BLOCK": 128},
        "flags": ["--shape", "x_ptr=B,H,n", "--shape", "y_ptr=H,n"],
        "formula": "y_ptr + sum(x_ptr, axis=0)",
    },
    "groups_whole": {
        "kernel": rows_dealt,
        "types": DEALT_ROWS,
        "constexprs": {"HOW": "groups", "BLOCK": 128},
        "flags": ["--shape", "x_ptr=B,H,n", "--shape", "y_ptr=B,n"],
        "formula": "expand(y_ptr, 1) + sum(x_ptr, axis=1)",
    },
    "groups_of_others": {
        "kernel": rows_dealt,
        "types": DEALT_ROWS,
        "constexprs": {"HOW": "groups", "BLOCK": 128},
        "flags": ["--shape", "x_ptr=B,H,n", "--shape", "y_ptr=H,n"],
        "formula": "y_ptr + sum(x_ptr, axis=0)",
        "wrong": "formula",
    },
    "leaders": {
        "kernel": leaders,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 128},
        "safety": "unknown",
        "shape": ["(grid_x + 3) // 4"],
        "formula": (
            "sum(where(index(128) + 512 * column(index((grid_x + 3) // 4)) < n, x_ptr[index(128) + 512 *"
            " column(index((grid_x + 3) // 4))], 0), axis=1)"
        ),
    },
    "lowest": {
        "kernel": lowest,
        "types": {"y_ptr": "*fp32", "K": "i32"},
        "constexprs": {"BLOCK": 16},
        "formula": "where(K >= 17, 0, -inf)",
    },
    "programs": {
        "kernel": beside_a_store,
        "types": COUNT,
        "constexprs": {"HOW": "", "BLOCK": 128},
        "formula": ["2 * x_ptr", "wrap32(count_ptr + (n + 127) // 128)"],
    },
    "maximum": {
        "kernel": beside_a_store,
        "types": COUNT,
        "constexprs": {"HOW": "max", "BLOCK": 128},
        "formula": ["2 * x_ptr", "maximum(count_ptr, 7)"],
    },
    "bias": {
        "kernel": bias,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "bias_ptr": "*fp32", "total_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 128},
        "formula": ["2 * x_ptr", "total_ptr + (n + 127) // 128 * bias_ptr"],
    },
}
