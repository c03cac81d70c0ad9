"""Kernels for operations of several launches (test_given.py), where arguments of one name are different numbers."""
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def scale(x_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, s * tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def zero(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 0.0, mask=i < n)


@triton.jit
def add_up(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))


@triton.jit
def turn(x_ptr, y_ptr, M, N, sx, tx, sy, ty, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    mask = (i < M) & (j < N)
    tl.store(y_ptr + i * sy + j * ty, tl.load(x_ptr + i * sx + j * tx, mask=mask), mask=mask)


@triton.jit
def whole(x_ptr, y_ptr, HOW: tl.constexpr):
    """Integers, one element for each program."""
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    if HOW == "add":
        tl.atomic_add(y_ptr + i, x)
    elif HOW == "most":
        tl.atomic_max(y_ptr + i, x)
    elif HOW == "sign":
        tl.store(y_ptr + i, (x > 0).to(tl.int32))
    else:
        tl.store(y_ptr + i, x)


def integers(how, formula):
    return {"kernel": whole, "types": {"x_ptr": "*i32", "y_ptr": "*i32"}, "constexprs": {"HOW": how}, "formula": formula}


def form(kernel, formula):
    return {"kernel": kernel, "types": {name: "*fp32" if name.endswith("ptr") else "fp32" if name == "s" else "i32" for name in kernel.arg_names if name != "BLOCK"}, "constexprs": {"BLOCK": 32}, "formula": formula}


FORMS = {"copy": form(copy, "x_ptr"), "scale": form(scale, "s * x_ptr"), "zero": form(zero, "0"), "add_up": form(add_up, "y_ptr + sum(x_ptr)"), "turn": form(turn, "x_ptr"),
         "add": integers("add", "y_ptr[i] += x_ptr[i]"), "most": integers("most", "maximum(y_ptr, x_ptr)"), "sign": integers("sign", "where(x_ptr > 0, 1, 0)"), "same": integers("same", "x_ptr")}
