"""What a kernel states: it holds where it is executed, under the path to there; of programs and lanes it is held against every program."""

import triton
import triton.language as tl

TYPES = {"x": "*fp32", "y": "*fp32", "k": "*i32", "n": "i32", "m": "i32"}


@triton.jit
def stated(x, y, k, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if HOW == "positive_id":
        tl.assume(pid > 0)
    elif HOW == "no_negative_id":
        tl.assume(pid >= 0)
    elif HOW == "id_below_grid":
        tl.assume(pid < tl.num_programs(0))
    elif HOW == "id_below_argument":
        tl.assume(pid < m)
    elif HOW == "size":
        tl.assume(n <= 64)
    elif HOW == "multiple":
        tl.assume(n % 16 == 0)
    elif HOW == "asserted":
        tl.device_assert(n <= 64)
    elif HOW == "never":
        tl.assume(n * 0 == 1)
    o = pid * BLOCK + tl.arange(0, BLOCK)
    if HOW == "lanes":
        tl.device_assert(o < n)
    elif HOW == "masked_lanes":
        tl.device_assert((o < n) | (o >= n))
    elif HOW == "tile":
        tl.assume(pid * BLOCK < n)
    v = tl.load(x + o, mask=o < n, other=0.0)
    if HOW == "branch_of_program":
        if pid > 2:
            tl.assume(pid != 3)
    elif HOW == "branch_of_program_right":
        if pid > 2:
            tl.assume(pid != 2)
    elif HOW == "loop":
        for t in range(m):
            tl.assume(t < 5)
            v += t
    elif HOW == "loop_right":
        for t in range(m):
            tl.assume(t < m)
            v += t
    elif HOW == "loop_of_size":
        for t in range(m):
            tl.assume(n <= 64)
            v += t
    elif HOW == "static_loop":
        for t in tl.static_range(2):
            tl.assume(n <= 64 * (t + 1))
            v += t
    elif HOW == "branch_of_size":
        if m > 5:
            tl.assume(n <= 64)
            v = v * 2
    tl.store(y + o, v, mask=o < n)


@triton.jit
def gathered(x, y, k, n, m, HOW: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = tl.load(k + o, mask=o < n, other=0)
    if HOW == "asserted":
        tl.device_assert((place >= 0) & (place < m))
    elif HOW == "asserted_below":
        tl.device_assert(place < m)
    elif HOW == "never":
        tl.device_assert(place < place)
    v = tl.load(x + place, mask=o < n, other=0.0)
    tl.store(y + o, v, mask=o < n)


def form(kernel, how, codes, *flags, **more):
    return {
        "kernel": kernel,
        "types": TYPES,
        "constexprs": {"HOW": how, "BLOCK": 16},
        "codes": codes,
        "options": {"debug": True, "sanitize_overflow": False},
        "flags": ["--shape", "y=n", *flags],
        **more,
    }


SHAPE = ["--shape", "x=n"]
FORMS = {
    "positive_id": form(stated, "positive_id", [1], *SHAPE, finding="false in program 0"),
    "no_negative_id": form(stated, "no_negative_id", [0], *SHAPE),
    "id_below_grid": form(stated, "id_below_grid", [0], *SHAPE),
    "id_below_argument": form(stated, "id_below_argument", [1], *SHAPE, finding="the kernel states"),
    "size": form(stated, "size", [0], *SHAPE, states=[("stated", "n <= 64")]),
    "multiple": form(stated, "multiple", [0], *SHAPE),
    "asserted": form(stated, "asserted", [0], *SHAPE, states=[("stated", "n <= 64")]),
    "never": form(stated, "never", [1], *SHAPE, finding="the kernel states"),
    "lanes": form(stated, "lanes", [1], *SHAPE, finding="the kernel states"),
    "masked_lanes": form(stated, "masked_lanes", [0], *SHAPE),
    "tile": form(stated, "tile", [0], *SHAPE),
    "branch_of_program": form(stated, "branch_of_program", [1], *SHAPE, finding="false in program 3"),
    "branch_of_program_right": form(stated, "branch_of_program_right", [0], *SHAPE),
    "loop": form(stated, "loop", [1], *SHAPE, finding="the kernel states", never="t < 5"),
    "loop_right": form(stated, "loop_right", [0], *SHAPE),
    "loop_of_size": form(stated, "loop_of_size", [0], *SHAPE, never="n <= 64"),
    "static_loop": form(stated, "static_loop", [0], *SHAPE, states=[("stated", "n <= 64")]),
    "branch_of_size": form(stated, "branch_of_size", [0], *SHAPE, never="n <= 64"),
    "memory": form(gathered, "asserted", [0], "--shape", "k=n", "--shape", "x=m", stated="k"),
    "memory_below": form(gathered, "asserted_below", [1, 2], "--shape", "k=n", "--shape", "x=m"),
    "memory_never": form(gathered, "never", [1], "--shape", "k=n", "--shape", "x=m", finding="the kernel states"),
}
