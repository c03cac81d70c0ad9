"""Races of each kind: what is said of them, and that the script of --emit replay shows them again."""

import triton
import triton.language as tl


@triton.jit
def lanes(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if HOW == "two stores":
        tl.store(y_ptr + 2 * i, x, mask=i < n)
        tl.store(y_ptr + 2 * i + 2, x, mask=i < n)
    elif HOW == "one store":
        tl.store(y_ptr + i // 2, x, mask=i < n)
    else:
        tl.store(x_ptr + i, tl.load(x_ptr + i + 1, mask=i + 1 < n, other=0.0), mask=i < n)


@triton.jit
def sums(x_ptr, y_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)
    if HOW == "stored":
        if pid == 0:
            tl.store(y_ptr, 0.0)
    if HOW == "read":
        total += tl.load(y_ptr)
    tl.atomic_add(y_ptr, total)


def form(kernel, how, says):
    return {
        "kernel": kernel,
        "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"HOW": how, "BLOCK": 16},
        "replay": says,
    }


FORMS = {
    "two_stores": form(lanes, "two stores", "two lanes of program 0 write different values"),
    "one_store": form(lanes, "one store", "two lanes of program 0 write different values"),
    "neighbour": form(lanes, "neighbour", "write and read x_ptr"),
    "atomic_and_store": form(sums, "stored", "programs 0 and 1 both touch y_ptr"),
    "atomic_and_read": form(sums, "read", "both touch y_ptr"),
}
