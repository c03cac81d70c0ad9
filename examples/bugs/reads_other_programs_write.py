"""Each program stores its partial sum and reads that of the program before it, which may not have run."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "x_ptr:*fp32 part_ptr:*fp32 out_ptr:*fp32 n:i32",
    "constexprs": {"BLOCK": 16},
    "tensors": {"x": ("f32", "n"), "part": ("f32", "cdiv(n,16)"), "out": ("f32", "cdiv(n,16)")},
    "grid": ["cdiv(n,16)"],
    "sample": {"n": 50},
}


@triton.jit
def reads_other_programs_write_bug(x_ptr, part_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    index = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + index, mask=index < n, other=0.0), axis=0)
    tl.store(part_ptr + pid, total)
    before = tl.load(part_ptr + pid - 1, mask=pid > 0, other=0.0)
    tl.store(out_ptr + pid, before + total)


@triton.jit
def reads_other_programs_write_fixed(x_ptr, part_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    index = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + index, mask=index < n, other=0.0), axis=0)
    tl.store(part_ptr + pid, total)
    earlier = index - BLOCK
    before = tl.sum(tl.load(x_ptr + earlier, mask=(earlier >= 0) & (earlier < n), other=0.0), axis=0)
    tl.store(out_ptr + pid, before + total)
