"""Two kernels: each has its own grid and its own names, and where the left stays inside of the shapes that are given, the right does."""

import triton
import triton.language as tl


@triton.jit
def copied(x, y, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if HOW == "masked":
        tl.store(y + o, tl.load(x + o, mask=o < n), mask=o < n)
    elif HOW == "load_unmasked":
        tl.store(y + o, tl.load(x + o), mask=o < n)
    elif HOW == "store_unmasked":
        tl.store(y + o, tl.load(x + o, mask=o < n))
    elif HOW == "one_more":
        tl.store(y + o, tl.load(x + o, mask=o < n + 1), mask=o < n + 1)
    else:
        v = tl.load(x + o, mask=o < n)
        tl.store(y + o, v, mask=o < n)
        tl.store(y + n + o, v, mask=o < n)


@triton.jit
def rows(x, y, M, N, HOW: tl.constexpr, BLOCK: tl.constexpr):
    for k in tl.static_range(1 if HOW == "one" else 2):
        r = tl.program_id(0) if HOW == "one" else 2 * tl.program_id(0) + k
        for begin in range(0, N, BLOCK):
            c = begin + tl.arange(0, BLOCK)
            mask = c < N if HOW == "one" or HOW == "two_unmasked" else (c < N) & (r < M)
            tl.store(y + r * N + c, tl.load(x + r * N + c, mask=mask), mask=mask)


@triton.jit
def less(p, q, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(p + o, mask=o < n) - tl.load(q + o, mask=o < n), mask=o < n)


@triton.jit
def less_than(p, v, y, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + o, tl.load(p + o, mask=o < n) - tl.load(v + o, mask=o < n), mask=o < n)


@triton.jit
def gathered(x, idx, jdx, y, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """Both load what jdx says, without a guard; what idx says is guarded, or chosen afterwards."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = tl.load(idx + o, mask=o < m, other=0)
    j = tl.load(jdx + o, mask=o < m, other=0)
    inside = (i >= 0) & (i < n)
    if HOW == "guarded":
        v = tl.load(x + i, mask=(o < m) & inside, other=0.0)
    else:
        v = tl.where(inside, tl.load(x + i, mask=o < m, other=0.0), 0.0)
    tl.store(y + o, v + tl.load(x + j, mask=o < m, other=0.0), mask=o < m)


@triton.jit
def sums_of_rows(x, y, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    for k in range(ROWS):
        r = ROWS * tl.program_id(0) + k
        total = tl.zeros([BLOCK], tl.float32)
        for begin in range(0, n, BLOCK):
            c = begin + tl.arange(0, BLOCK)
            total += tl.load(x + r * n + c, mask=c < n, other=0.0)
        tl.store(y + r, tl.sum(total))


POINTERS = {"x": "*fp32", "y": "*fp32"}


def copy(how, codes, equals=None, **more):
    form = {"kernel": copied, "types": {**POINTERS, "n": "i32"}, "constexprs": {"HOW": how, "BLOCK": 16}}
    against = {"equals": f"kernels.{equals}"} if equals else {}
    return {**form, **against, "codes": codes, "flags": ["--shape", "x=n", "--shape", "y=n"], **more}


def copy_of_rows(how, codes, equals=None, **more):
    form = {"kernel": rows, "types": {**POINTERS, "M": "i32", "N": "i32"}, "constexprs": {"HOW": how, "BLOCK": 16}}
    against = {"equals": f"kernels.{equals}"} if equals else {}
    return {**form, **against, "codes": codes, **more}


def gather(how, codes, **more):
    types = {"x": "*fp32", "idx": "*i32", "jdx": "*i32", "y": "*fp32", "n": "i32", "m": "i32"}
    return {"kernel": gathered, "types": types, "constexprs": {"HOW": how, "BLOCK": 16}, "codes": codes, **more}


def row_sums(rows_of_each, codes, **more):
    constexprs = {"ROWS": rows_of_each, "BLOCK": 16}
    return {
        "kernel": sums_of_rows,
        "types": {**POINTERS, "n": "i32"},
        "constexprs": constexprs,
        "codes": codes,
        **more,
    }


ROWS = ["--shape", "x=M,N", "--shape", "y=M,N"]
BEYOND = ("load_unmasked", "store_unmasked", "one_more", "twice")
FORMS = {
    **{how: copy(how, [1]) for how in BEYOND},
    "masked": copy("masked", [0], equals="masked"),
    **{f"masked_against_{how}": copy("masked", [1, 2], equals=how, verdicts=("unknown", "refuted")) for how in BEYOND},
    "one": copy_of_rows("one", [0]),
    "two": copy_of_rows("two", [0, 2]),
    "two_unmasked": copy_of_rows("two_unmasked", [0, 2]),
    "one_against_two": copy_of_rows("one", [2], equals="two"),
    "one_against_two_by_shape": copy_of_rows("one", [0], equals="two", flags=ROWS),
    "one_against_two_unmasked": copy_of_rows("one", [2], equals="two_unmasked", flags=ROWS),
    "chosen_again": gather("chosen", [2], verdicts=("proved",), equals="kernels.chosen_again"),
    "guarded_against_chosen": gather("guarded", [2], verdicts=("unknown",), equals="kernels.chosen_again"),
    "sums_of_two_rows": row_sums(2, [0, 2]),
    "sums_against_two_rows": row_sums(1, [2], equals="kernels.sums_of_two_rows"),
    "less_than": {"kernel": less_than, "types": {"p": "*fp32", "v": "*fp32", "y": "*fp32", "n": "i32"}, "codes": [0]},
    "less": {
        "kernel": less,
        "types": {"p": "*fp32", "q": "*fp32", "y": "*fp32", "n": "i32"},
        "codes": [0],
        "equals": "kernels.less_than",
    },
}
for name in ("less_than", "less"):
    FORMS[name]["constexprs"] = {"BLOCK": 16}
