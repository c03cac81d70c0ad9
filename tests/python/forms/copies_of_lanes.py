"""Accumulators for each of several tiles, added at the end, and loops whose first step is another one: what the plain loop computes. Wrong neighbours
leave a lane out, subtract, or begin with something else."""

import triton
import triton.language as tl


@triton.jit
def two(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    a = tl.zeros((BLOCK,), tl.float32)
    b = tl.zeros((BLOCK,), tl.float32)
    behind = BLOCK + 1 if HOW == "gap" else BLOCK
    for start in range(0, n, 2 * BLOCK):
        a += tl.load(x_ptr + row * n + start + lanes, mask=start + lanes < n, other=0.0)
        b += tl.load(x_ptr + row * n + start + behind + lanes, mask=start + behind + lanes < n, other=0.0)
    tl.store(y_ptr + row, tl.sum(a - b if HOW == "minus" else a + b, 0))


@triton.jit
def four(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    a = tl.full((BLOCK,), -float("inf"), tl.float32)
    b = a
    c = a
    d = a
    for start in range(0, n, 4 * BLOCK):
        cols = start + lanes
        a = tl.maximum(a, tl.load(x_ptr + row * n + cols, mask=cols < n, other=-float("inf")))
        b = tl.maximum(b, tl.load(x_ptr + row * n + cols + BLOCK, mask=cols + BLOCK < n, other=-float("inf")))
        c = tl.maximum(c, tl.load(x_ptr + row * n + cols + 2 * BLOCK, mask=cols + 2 * BLOCK < n, other=-float("inf")))
        d = tl.maximum(d, tl.load(x_ptr + row * n + cols + 3 * BLOCK, mask=cols + 3 * BLOCK < n, other=-float("inf")))
    both = tl.maximum(a, b) if HOW == "three" else tl.maximum(tl.maximum(a, b), d)
    tl.store(y_ptr + row, tl.max(tl.maximum(both, c), 0))


@triton.jit
def first_step(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = 1.0
    for k in range(0, n):
        x = tl.load(x_ptr + row * n + k)
        if HOW == "max":
            best = tl.where(k == 0, x, tl.maximum(best, x))
        elif HOW == "sum":
            best = tl.where(k == 0, x, best + x)
        elif HOW == "twice":
            best = tl.where(k == 0, 2 * x, best + x)
        elif HOW == "second":
            best = tl.where(k == 1, x, best + x)
        else:
            if k == 0:
                best = x
            else:
                best = tl.minimum(best, x)
    tl.store(y_ptr + row, best)


@triton.jit
def first_product(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK)):
        inner = k * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(
            a_ptr + rows[:, None] * K + inner[None, :], mask=(rows[:, None] < M) & (inner[None, :] < K), other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None] * N + cols[None, :], mask=(inner[:, None] < K) & (cols[None, :] < N), other=0.0
        )
        if k == 0:
            acc = tl.dot(a, b)
        else:
            acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


def form(kernel, how, block=16, **more):
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": block},
        **more,
    }


SUM, MAX, MIN = "sum(x_ptr, axis=1)", "max(x_ptr, axis=1)", "min(x_ptr, axis=1)"
FORMS = {
    "two": form(two, "", formula=SUM),
    "two_of_128": form(two, "", 128, formula=SUM),
    "two_with_a_gap": form(two, "gap", formula=SUM, wrong=True),
    "two_subtracted": form(two, "minus", formula=SUM, wrong=True),
    "four": form(four, "", 32, formula=MAX),
    "three_of_four": form(four, "three", 32, formula=MAX, wrong=True),
    "first_of_max": form(first_step, "max", formula=MAX),
    "first_of_sum": form(first_step, "sum", formula=SUM),
    "first_of_min": form(first_step, "min", formula=MIN),
    "first_twice": form(first_step, "twice", formula=SUM, wrong=True),
    "second_is_no_first": form(first_step, "second", formula=SUM, wrong=True),
    "first_product": {
        "kernel": first_product,
        "types": {"a_ptr": "*fp32", "b_ptr": "*fp32", "c_ptr": "*fp32", "M": "i32", "N": "i32", "K": "i32"},
        "constexprs": {"BLOCK": 16},
        "formula": "a_ptr @ b_ptr",
    },
}
