"""Loops that end where something is found: `while` with a condition that reads memory, flags that end a loop, and the last place
where something was seen."""

import triton
import triton.language as tl


@triton.jit
def first_zero(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    i = 0
    while (i < n) & (tl.load(x_ptr + row * stride + i, mask=i < n, other=0) != 0):
        i += 1
    tl.store(y_ptr + row, i)


@triton.jit
def found_one(x_ptr, y_ptr, key, n):
    """One search in all of the tensor, for a value that is given; reads one element past the rows."""
    i = 0
    v = tl.load(x_ptr)
    while (v != key) & (i < n):
        i += 1
        v = tl.load(x_ptr + i)
    tl.store(y_ptr, i)


@triton.jit
def second_zero(x_ptr, y_ptr, n, stride):
    """Looks at every other element only."""
    row = tl.program_id(0)
    i = 0
    while (i < n) & (tl.load(x_ptr + row * stride + i, mask=i < n, other=0) != 0):
        i += 2
    tl.store(y_ptr + row, i)


@triton.jit
def first_zero_or_more(x_ptr, y_ptr, n, stride):
    """One too far where there is none."""
    row = tl.program_id(0)
    i = 0
    while (i <= n) & (tl.load(x_ptr + row * stride + i, mask=i < n, other=1) != 0):
        i += 1
    tl.store(y_ptr + row, i)


@triton.jit
def unbounded(x_ptr, y_ptr, n, stride):
    """Nothing says that there is a zero."""
    row = tl.program_id(0)
    i = 0
    while tl.load(x_ptr + row * stride + i) != 0:
        i += 1
    tl.store(y_ptr + row, i)


@triton.jit
def marks(x_ptr, y_ptr, n, stride):
    """What the condition reads next is what the body stores."""
    row = tl.program_id(0)
    i = 0
    while (i < n) & (tl.load(x_ptr + row * stride + i, mask=i < n, other=0) != 0):
        tl.store(x_ptr + row * stride + i + 1, 0)
        i += 1
    tl.store(y_ptr + row, i)


@triton.jit
def break_behind(x_ptr, y_ptr, n, stride):
    """The sum up to the first negative element, with it."""
    row = tl.program_id(0)
    i = 0
    done = 0
    total = 0.0
    while (done == 0) & (i < n):
        x = tl.load(x_ptr + row * stride + i)
        total += x
        if x < 0:
            done = 1
        i += 1
    tl.store(y_ptr + row, total)


@triton.jit
def break_before(x_ptr, y_ptr, n, stride):
    """Without it."""
    row = tl.program_id(0)
    i = 0
    done = 0
    total = 0.0
    while (done == 0) & (i < n):
        x = tl.load(x_ptr + row * stride + i)
        if x < 0:
            done = 1
        else:
            total += x
        i += 1
    tl.store(y_ptr + row, total)


@triton.jit
def at_most_100(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    i = 0
    go = 1
    total = 0.0
    while (go == 1) & (i < n):
        total += tl.load(x_ptr + row * stride + i)
        i += 1
        if i >= 100:
            go = 0
    tl.store(y_ptr + row, total)


@triton.jit
def bound_in_memory(x_ptr, n_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    """The bound is asked for each time."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    k = 0
    while k < tl.load(n_ptr + row):
        cols = k + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < tl.load(n_ptr + row), other=0.0)
        k += BLOCK
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def bound_of_next(x_ptr, n_ptr, y_ptr, stride, BLOCK: tl.constexpr):
    """Masked by the bound of another row."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    k = 0
    while k < tl.load(n_ptr + row):
        cols = k + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * stride + cols, mask=cols < tl.load(n_ptr + row + 1), other=0.0)
        k += BLOCK
    tl.store(y_ptr + row, tl.sum(total))


@triton.jit
def last_positive(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    last = -1
    for k in range(n):
        if tl.load(x_ptr + row * stride + k) > 0:
            last = k
    tl.store(y_ptr + row, last)


@triton.jit
def first_positive(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    first = -1
    for k in range(n):
        if (first < 0) & (tl.load(x_ptr + row * stride + k) > 0):
            first = k
    tl.store(y_ptr + row, first)


@triton.jit
def last_minimum(x_ptr, y_ptr, n, stride):
    row = tl.program_id(0)
    best = float("inf")
    place = 0
    for k in range(n):
        x = tl.load(x_ptr + row * stride + k)
        place = tl.where(x <= best, k, place)
        best = tl.minimum(best, x)
    tl.store(y_ptr + row, place)


def form(kernel, types, formula=None, **more):
    return {
        "kernel": kernel,
        "types": dict(pair.split(":") for pair in types.split()),
        "constexprs": {"BLOCK": 32} if kernel in (bound_in_memory, bound_of_next) else {},
        **({"formula": formula} if formula else {}),
        **more,
    }


INTS, REALS, ROWS = (
    "x_ptr:*i32 y_ptr:*i32 n:i32 stride:i32",
    "x_ptr:*fp32 y_ptr:*fp32 n:i32 stride:i32",
    "x_ptr:*fp32 y_ptr:*i32 n:i32 stride:i32",
)
READ = "x_ptr:*fp32 n_ptr:*i32 y_ptr:*fp32 stride:i32"
KEY, FOUND = "x_ptr:*i32 y_ptr:*i32 key:i32 n:i32", "minimum(min(where(x_ptr[:n] == key, index(n), inf)), n)"
FIRST = "minimum(min(where(x_ptr != 0, inf, index(n)), axis=1), n)"
BEHIND = "sum(where(min(where(x_ptr[:, :n] < 0, index(n) + 1, inf), axis=1) > index(n), x_ptr[:, :n], 0), axis=1)"
LAST = "where(any(x_ptr > 0, axis=1), max(where(x_ptr > 0, index(n), -inf), axis=1), -1)"
MINIMUM = "max(where(x_ptr == min(x_ptr, axis=1), index(n), -inf), axis=1)"
LENGTHS = "y_ptr[i] = sum[k < n_ptr[i]](x_ptr[i, k])"
FORMS = {
    "first_zero": form(first_zero, INTS, FIRST),
    "found_one": form(found_one, KEY, "minimum(min(where(x_ptr[:n] == key, index(n), inf)), n)", safety="unknown"),
    "found_one_shaped": form(found_one, KEY, FOUND, flags=["--shape", "x_ptr=n + 1"]),
    "found_one_short": form(
        found_one,
        KEY,
        "minimum(min(where(x_ptr == key, index(n), inf)), n)",
        safety="refuted",
        flags=["--shape", "x_ptr=n"],
    ),
    "every_other_place_is_no_first": form(second_zero, INTS, FIRST, wrong=True),
    "one_too_far_is_no_first": form(first_zero_or_more, INTS, FIRST, wrong=True),
    "search_without_end": form(unbounded, INTS, wrong=True),
    "search_in_what_it_stores": form(marks, INTS, wrong=True),
    "break_behind": form(break_behind, REALS, BEHIND),
    "break_before_is_not_behind": form(break_before, REALS, BEHIND, wrong=True),
    "at_most_100": form(at_most_100, REALS, "sum(x_ptr, axis=1)", safety="unknown"),
    "bound_in_memory": form(bound_in_memory, READ, LENGTHS, safety="unknown"),
    "bound_of_another_row": form(bound_of_next, READ, LENGTHS, wrong=True),
    "last_positive": form(last_positive, ROWS, LAST),
    "first_positive_is_not_last": form(first_positive, ROWS, LAST, wrong=True),
    "last_minimum": form(last_minimum, ROWS, MINIMUM),
}
