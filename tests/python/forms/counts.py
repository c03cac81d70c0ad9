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


@triton.jit
def dealt(x_ptr, y_ptr, n, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    """Sums by four places, to which programs are dealt: what each holds depends on the number of programs."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.atomic_add(y_ptr + tl.program_id(0) % 4, tl.sum(x + x if TWICE else x, 0))


@triton.jit
def lowest(y_ptr, K, BLOCK: tl.constexpr):
    """A maximum over as many zeros as there are iterations, perhaps none."""
    a = tl.full((BLOCK,), -float("inf"), tl.float32)
    for k in range(BLOCK, K, BLOCK):
        a = tl.maximum(a, 0.0)
    tl.store(y_ptr + tl.arange(0, BLOCK), a)


COUNT = {"x_ptr": "*fp32", "y_ptr": "*fp32", "count_ptr": "*i32", "n": "i32"}
DEALT = "y_ptr[i] += sum[k2 < grid_x_d0](sum[k < min(128, n - 128*i - 512*k2)]({}x_ptr[128*i + 512*k2 + k]))"
FORMS = {
    "dealt": {"kernel": dealt, "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}, "constexprs": {"TWICE": False, "BLOCK": 128}, "formula": DEALT.format(""), "other": "counts.dealt_twice"},
    "dealt_twice": {"kernel": dealt, "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"}, "constexprs": {"TWICE": True, "BLOCK": 128}, "formula": DEALT.format("2*"), "other": "counts.dealt"},
    "lowest": {"kernel": lowest, "types": {"y_ptr": "*fp32", "K": "i32"}, "constexprs": {"BLOCK": 16}, "formula": "where((K + 15) // 16 >= 2, 0, -inf)"},
    "programs": {"kernel": beside_a_store, "types": COUNT, "constexprs": {"HOW": "", "BLOCK": 128}, "formula": ["2 * x_ptr", "count_ptr + (n + 127) // 128"]},
    "maximum": {"kernel": beside_a_store, "types": COUNT, "constexprs": {"HOW": "max", "BLOCK": 128}, "formula": ["2 * x_ptr", "maximum(count_ptr, 7)"]},
    "bias": {"kernel": bias, "types": {"x_ptr": "*fp32", "y_ptr": "*fp32", "bias_ptr": "*fp32", "total_ptr": "*fp32", "n": "i32"}, "constexprs": {"BLOCK": 128},
             "formula": ["2 * x_ptr", "total_ptr + (n + 127) // 128 * bias_ptr"]},
}
