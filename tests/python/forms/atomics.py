"""Atomics over the blocks of a row: the least grid that covers what is combined is assumed, as one that covers an output is.
Padding of a maximum of integers by the least of all is
none; sums of i32 are modulo 2^32."""

import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, y_ptr, n, stride, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    block = tl.program_id(1)
    cols = block * BLOCK + tl.arange(0, BLOCK)
    if HOW == "overlap":
        cols = block * (BLOCK // 2) + tl.arange(0, BLOCK)
    elif HOW == "gap":
        cols = block * (2 * BLOCK) + tl.arange(0, BLOCK)
    mask = cols < n
    if HOW == "max":
        tl.atomic_max(y_ptr + row, tl.max(tl.load(x_ptr + row * stride + cols, mask=mask, other=-2147483648), 0))
    elif HOW == "max of positive":
        tl.atomic_max(y_ptr + row, tl.max(tl.load(x_ptr + row * stride + cols, mask=mask, other=0), 0))
    elif HOW == "min":
        tl.atomic_min(y_ptr + row, tl.min(tl.load(x_ptr + row * stride + cols, mask=mask, other=2147483647), 0))
    else:
        tl.atomic_add(y_ptr + row, tl.sum(tl.load(x_ptr + row * stride + cols, mask=mask, other=0), 0))


@triton.jit
def in_two_branches(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """The least grid of the first blocks is not that of the others."""
    block = tl.program_id(0)
    cols = block * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(1) * n + cols, mask=cols < n, other=0)
    total = tl.sum(x, 0)
    if block < 2:
        tl.atomic_add(y_ptr, total)
    else:
        tl.atomic_add(y_ptr, total)


@triton.jit
def columns(x_ptr, y_ptr, m, n, stride, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + i[:, None] * stride + j[None, :], mask=(i[:, None] < m) & (j[None, :] < n), other=0.0)
    tl.atomic_add(y_ptr + j, tl.sum(x, 0), mask=j < n)


@triton.jit
def before(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    old = tl.atomic_add(y_ptr + i, 1, mask=i < n)
    if HOW == "own":
        tl.store(x_ptr + i, old, mask=i < n)
    elif HOW == "of each y":
        tl.store(x_ptr + i, old + tl.program_id(1), mask=i < n)
    else:
        tl.store(x_ptr + i % BLOCK, old, mask=i < n)


@triton.jit
def tickets(x_ptr, y_ptr, n, HOW: tl.constexpr):
    """Each iteration gets another old value, of a y that is each program's own."""
    row = tl.program_id(0)
    total = 0
    if HOW == "exchange":
        for _ in range(3):
            total = tl.atomic_xchg(y_ptr + row, total + 1)
    elif HOW == "few":
        for _ in range(3):
            total += tl.atomic_add(y_ptr + row, 1)
    elif HOW == "masked":
        total = tl.atomic_add(y_ptr + row, 1, mask=tl.load(x_ptr + row) > 0)
    elif HOW == "masked and chosen":
        more = tl.load(x_ptr + row) > 0
        total = tl.where(more, tl.atomic_add(y_ptr + row, 1, mask=more), 0)
    elif HOW == "once":
        total = 3 * tl.atomic_add(y_ptr + row, 1)
    elif HOW == "nested":
        for _ in range(2):
            for _ in range(n):
                total += tl.atomic_add(y_ptr + row, 1)
    tl.store(x_ptr + row, total)


@triton.jit
def counted(y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """What adds the same in each iteration, lane and program."""
    row = tl.program_id(0)
    if HOW == "steps":
        for _ in range(n):
            tl.atomic_add(y_ptr + row, 3.0)
    elif HOW == "lanes":
        tl.atomic_add(y_ptr + row + 0 * tl.arange(0, BLOCK), 3.0)
    elif HOW == "both":
        for _ in range(n):
            tl.atomic_add(y_ptr + 0 * tl.arange(0, BLOCK), 3.0)
    elif HOW == "largest":
        for _ in range(n):
            tl.atomic_max(y_ptr + row, 3)


@triton.jit
def held(x_ptr, y_ptr, HOW: tl.constexpr):
    """Memory of i32 holds the sum modulo 2^32, whoever adds."""
    row = tl.program_id(0)
    x = tl.load(x_ptr + row)
    if HOW == "stored":
        tl.store(y_ptr + row, tl.load(y_ptr + row) + x)
    elif HOW == "twice":
        tl.atomic_add(y_ptr + row, x)
        tl.atomic_add(y_ptr + row, x)
    else:
        tl.atomic_add(y_ptr + row, x)


@triton.jit
def largest(x_ptr, y_ptr):
    """Of the elements above 100, of which there may be none."""
    x = tl.load(x_ptr + tl.program_id(0))
    tl.atomic_max(y_ptr, x, mask=x > 100)


def types(element, integers):
    return {"x_ptr": element, "y_ptr": element, **{name: "i32" for name in integers.split()}}


def form(how, element="*i32", block=64, **more):
    return {"kernel": rows, "types": types(element, "n stride"), "constexprs": {"HOW": how, "BLOCK": block}, **more}


def own(how, *formula):
    return {"kernel": tickets, "types": types("*i32", "n"), "constexprs": {"HOW": how}, "formula": list(formula)}


def same(how, formula, element="*fp32", **more):
    return {
        "kernel": counted,
        "types": {"y_ptr": element, "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": 16},
        "formula": formula,
        **more,
    }


BRANCHES = [
    f"sum[{blocks}](sum[k2 < grid_y](wrap32(sum[k < min(16, n - 16*k3)](x_ptr[k2, 16*k3 + k]))))"
    for blocks in ("k3 < min(2, grid_x)", "2 <= k3 < grid_x")
]


def in_branches(formula, **more):
    return {
        "kernel": in_two_branches,
        "types": types("*i32", "n"),
        "constexprs": {"BLOCK": 16},
        "formula": f"y_ptr += {formula}",
        **more,
    }


FORMS = {
    "sum": form("", "*fp32", formula="column(y_ptr) + sum(x_ptr, axis=1)"),
    "sum_by_1024": form("", "*fp32", block=1024, formula="column(y_ptr) + sum(x_ptr, axis=1)"),
    "max": form("max", formula="maximum(column(y_ptr), max(x_ptr, axis=1))"),
    "min": form("min", formula="minimum(column(y_ptr), min(x_ptr, axis=1))"),
    "columns": {
        "kernel": columns,
        "types": types("*fp32", "m n stride"),
        "constexprs": {"BLOCK_M": 16, "BLOCK_N": 32},
        "formula": "y_ptr + sum(x_ptr, axis=0)",
    },
    "columns_of_other_tiles": {
        "kernel": columns,
        "types": types("*fp32", "m n stride"),
        "constexprs": {"BLOCK_M": 64, "BLOCK_N": 8},
        "formula": "y_ptr + sum(x_ptr, axis=0)",
    },
    "in_two_branches": in_branches("; += ".join(BRANCHES)),
    "in_one_branch_alone": in_branches(
        "sum[k3 < 2](sum[k2 < grid_y](wrap32(sum[k < min(16, n - 16*k3)](x_ptr[k2, 16*k3 + k])))); += 0",
        wrong="formula",
    ),
    "overlap": form("overlap", "*fp32", formula="column(y_ptr) + sum(x_ptr, axis=1)", wrong=True),
    "gap": form("gap", "*fp32", formula="column(y_ptr) + sum(x_ptr, axis=1)", wrong=True),
    "sum_that_wraps": form("", formula="column(y_ptr) + sum(x_ptr, axis=1)", wrong=True),
    "max_of_positive": form("max of positive", formula="maximum(column(y_ptr), max(x_ptr, axis=1))", wrong=True),
    "before": {
        "kernel": before,
        "types": types("*i32", "n"),
        "constexprs": {"HOW": "own", "BLOCK": 16},
        "formula": ["wrap32(y_ptr + 1)", "x_ptr[i] = atomic_15(i // 16, 0, 0, i % 16)"],
        "verdict": "unknown",
        "states": "grid_y = 1",
    },
    "before_of_each_y": {
        "kernel": before,
        "types": types("*i32", "n"),
        "constexprs": {"HOW": "of each y", "BLOCK": 16},
        "unproved": True,
    },
    "before_of_other_programs": {
        "kernel": before,
        "types": types("*i32", "n"),
        "constexprs": {"HOW": "wrong", "BLOCK": 16},
        "unproved": True,
    },
    "tickets_of_few_steps": own(
        "few",
        "wrap32(y_ptr + 3)",
        "x_ptr[i] = wrap32(atomic_11(i, pid_y, pid_z, 0) + atomic_11(i, pid_y, pid_z, 1) + atomic_11(i, pid_y,"
        " pid_z, 2))",
    ),
    "tickets_of_one": own("once", "wrap32(y_ptr + 1)", "x_ptr[i] = wrap32(3*atomic_9(i, pid_y, pid_z))"),
    "tickets_of_some": {
        "kernel": tickets,
        "types": types("*i32", "n"),
        "constexprs": {"HOW": "masked"},
        "undefined": "refuted",
    },  # what was not done has no result
    "tickets_of_some_chosen": own(
        "masked and chosen",
        "wrap32(y_ptr + where(x_ptr > 0, 1, 0))",
        "x_ptr[i] = where(x_ptr[i] > 0, atomic_11(i, pid_y, pid_z), 0)",
    ),
    "largest_of_some": {
        "kernel": largest,
        "types": types("*i32", ""),
        "constexprs": {},
        "formula": "maximum(y_ptr, max(where(x_ptr >= 101, x_ptr, -inf)))",
    },
    "tickets_of_nested": own(
        "nested",
        "wrap32(y_ptr + 2 * maximum(n, 0))",
        "x_ptr[i] = wrap32(sum[k < n](atomic_12(i, pid_y, pid_z, 0, k)) + sum[k < n](atomic_12(i, pid_y, pid_z, 1,"
        " k)))",
    ),
    "exchanged": own(
        "exchange",
        "y_ptr[i] = 1; = wrap32(atomic_12(i, pid_y, pid_z, 0) + 1); = wrap32(atomic_12(i, pid_y, pid_z, 1) + 1)",
        "x_ptr[i] = atomic_12(i, pid_y, pid_z, 2)",
    ),
    "same_of_each_step": same("steps", "y_ptr + 3 * maximum(n, 0)"),
    "same_of_each_lane": same("lanes", "48 + y_ptr"),
    "same_of_each_step_and_lane": same("both", "y_ptr + 48 * maximum(n, 0)"),
    "largest_of_each_step": same("largest", "maximum(y_ptr, 3)", "*i32"),
    "same_of_one_step": same("steps", "y_ptr + 3", wrong=True),
    "held": {"kernel": held, "types": types("*i32", ""), "constexprs": {"HOW": ""}, "formula": "wrap32(y_ptr + x_ptr)"},
    "held_by_store": {
        "kernel": held,
        "types": types("*i32", ""),
        "constexprs": {"HOW": "stored"},
        "formula": "wrap32(x_ptr + y_ptr)",
    },
    "held_of_two": {
        "kernel": held,
        "types": types("*i32", ""),
        "constexprs": {"HOW": "twice"},
        "formula": "wrap32(y_ptr + 2 * x_ptr)",
    },
    "held_not_wrapped": {
        "kernel": held,
        "types": types("*i32", ""),
        "constexprs": {"HOW": ""},
        "formula": "y_ptr + x_ptr",
        "wrong": True,
    },
    "held_of_floats": {
        "kernel": held,
        "types": types("*fp32", ""),
        "constexprs": {"HOW": ""},
        "formula": "y_ptr + x_ptr",
    },
}
