"""Rows of which a mask leaves a few lanes, beside a condition on the program: the extent is what they write. The least grid is the one that
makes every store, also those that one program alone makes."""

import triton
import triton.language as tl


@triton.jit
def few(x_ptr, y_ptr, STEP: tl.constexpr, LANES: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    if pid < ROWS:
        x = tl.load(x_ptr + pid * STEP + lane, mask=lane < LANES, other=0.0)
        tl.store(y_ptr + pid * STEP + lane, 2 * x, mask=lane < LANES)


@triton.jit
def counted(x_ptr, y_ptr, rows, STEP: tl.constexpr, LANES: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    if pid < rows:
        x = tl.load(x_ptr + pid * STEP + lane, mask=lane < LANES, other=0.0)
        tl.store(y_ptr + pid * STEP + lane, 2 * x, mask=lane < LANES)


@triton.jit
def parts(x_ptr, y_ptr, z_ptr, rows, HOW: tl.constexpr, BLOCK: tl.constexpr):
    """A row for each of the first programs, and what the next one and the last one do."""
    pid = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    if pid < rows:
        x = tl.load(x_ptr + pid + lane, mask=lane < 1, other=0.0)
        tl.store(y_ptr + pid + lane, 2 * x, mask=lane < 1)
    elif pid == rows:
        tl.store(z_ptr + lane, 3.0, mask=lane < 4)
    elif pid == rows + 1:
        tl.store(z_ptr + (4 if HOW != "apart_wrong" else 5), 5.0)


POINTERS = {"x_ptr": "*fp32", "y_ptr": "*fp32"}


def form(step, lanes, shape=None, **more):
    return {
        "kernel": few,
        "types": POINTERS,
        "constexprs": {"STEP": step, "LANES": lanes, "ROWS": 4, "BLOCK": 128},
        "formula": "2 * x_ptr",
        **({"shape": shape, "inputs": {"x_ptr": shape}} if shape else {}),
        **more,
    }


PARTS = {"kernel": parts, "types": {**POINTERS, "z_ptr": "*fp32", "rows": "i32"}}
FORMS = {
    "one": form(1, 1, ["4"]),
    "three": form(3, 3, ["4", "3"]),
    "one_counted": {
        "kernel": counted,
        "types": {**POINTERS, "rows": "i32"},
        "constexprs": {"STEP": 1, "LANES": 1, "BLOCK": 128},
        "formula": "2 * x_ptr",
        "shape": ["rows"],
    },
    "parts": {
        **PARTS,
        "constexprs": {"HOW": "", "BLOCK": 128},
        "formula": ["2 * x_ptr", "where(index(5) == 4, 5, 3)"],
        "shape": ["rows"],
    },
    "parts_apart_wrong": {**PARTS, "constexprs": {"HOW": "apart_wrong", "BLOCK": 128}, "unproved": True},
    "two_in_one": form(1, 2, unproved=True),
}
