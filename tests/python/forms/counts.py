"""Atomics that add the same in every program: as often as there are programs. A maximum of the same is that once."""
import triton
import triton.language as tl


@triton.jit
def beside_a_store(x_ptr, y_ptr, count_ptr, n, HOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)
    if HOW == "max":
        tl.atomic_max(count_ptr, 7)
    else:
        tl.atomic_add(count_ptr, 1)


@triton.jit
def bias(x_ptr, y_ptr, bias_ptr, total_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2 * tl.load(x_ptr + at, mask=at < n), mask=at < n)
    lanes = tl.arange(0, 16)
    tl.atomic_add(total_ptr + lanes, tl.load(bias_ptr + lanes))


COUNT = {"x_ptr": "*fp32", "y_ptr": "*fp32", "count_ptr": "*i32", "n": "i32"}
FORMS = {
    "programs": {"kernel": beside_a_store, "types": COUNT, "constexprs": {"HOW": "", "BLOCK": 128}, "formula": ["2 * x_ptr", "count_ptr + (n + 127) // 128"]},
    "maximum": {"kernel": beside_a_store, "types": COUNT, "constexprs": {"HOW": "max", "BLOCK": 128}, "formula": ["2 * x_ptr", "maximum(count_ptr, 7)"]},
    "bias": {"kernel": bias, "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "bias_ptr": "*fp32", "total_ptr": "*fp32", "n": "i32"}, "constexprs": {"BLOCK": 128},
             "formula": ["2 * x_ptr", "total_ptr + (n + 127) // 128 * bias_ptr"]},
}
