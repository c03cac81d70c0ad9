"""Fields of packed words that become floats: the words are too large for one, and the fields are not."""

import triton
import triton.language as tl


@triton.jit
def field(w_ptr, z_ptr, y_ptr, n, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    w = tl.load(w_ptr + i, mask=i < n, other=0)
    z = tl.load(z_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, ((w >> SHIFT) & 15).to(tl.float32) - z, mask=i < n)


@triton.jit
def low_bits(w_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, (tl.load(w_ptr + i, mask=i < n, other=0) & 1023).to(tl.float32) * 0.5, mask=i < n)


@triton.jit
def ones(w_ptr, y_ptr, n, BITS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    w = tl.load(w_ptr + i, mask=i < n, other=0)
    count = tl.zeros((BLOCK,), tl.int32)
    for k in range(BITS):
        count += (w >> k) & 1
    tl.store(y_ptr + i, count, mask=i < n)


def ones_of(bits):
    """A long sum of quotients, and many questions about ranges on the way."""
    quotients = sorted(f" - w_ptr // {2**k}" for k in range(1, bits))
    return f"wrap32(w_ptr{''.join(quotients)} - 2 * (w_ptr // {2**bits}))"


def counted(bits, **more):
    return {
        "kernel": ones,
        "types": {"w_ptr": "*i32", "y_ptr": "*i32", "n": "i32"},
        "constexprs": {"BITS": bits, "BLOCK": 16},
        "formula": ones_of(32),
        **more,
    }


FORMS = {
    "ones": counted(32),
    "ones_but_the_sign": counted(31, wrong=True),
    "field": {
        "kernel": field,
        "types": {"w_ptr": "*i32", "z_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"SHIFT": 8, "BLOCK": 64},
        "formula": "w_ptr // 256 - 16 * (w_ptr // 4096) - z_ptr",
    },
    "low_bits": {
        "kernel": low_bits,
        "types": {"w_ptr": "*i64", "y_ptr": "*fp32", "n": "i32"},
        "constexprs": {"BLOCK": 64},
        "formula": "0.5 * w_ptr - 512 * (w_ptr // 1024)",
    },
}
