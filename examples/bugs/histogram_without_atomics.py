"""Counts are loaded, increased and stored: two programs with the same bin lose one count."""

import triton
import triton.language as tl

SPEC = {
    "kind": "race",
    "types": "bins_ptr:*i32 count_ptr:*i32 n_bins:i32",
    "constexprs": {},
    "tensors": {"bins": ("i32", "n"), "count": ("i32", "n_bins")},
    "grid": ["n"],
    "sample": {"n": 5, "n_bins": 4, "bins": [0, 3, 3, 1, 0]},
}


@triton.jit
def histogram_without_atomics_bug(bins_ptr, count_ptr, n_bins):
    bin = tl.load(bins_ptr + tl.program_id(0))
    known = (bin >= 0) & (bin < n_bins)
    old = tl.load(count_ptr + bin, mask=known, other=0)
    tl.store(count_ptr + bin, old + 1, mask=known)


@triton.jit
def histogram_without_atomics_fixed(bins_ptr, count_ptr, n_bins):
    bin = tl.load(bins_ptr + tl.program_id(0))
    tl.atomic_add(count_ptr + bin, 1, mask=(bin >= 0) & (bin < n_bins), sem="relaxed")
