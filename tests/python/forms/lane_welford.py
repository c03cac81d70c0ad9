"""Welford's mean and squares of each lane, over tiles of which the last one is masked, put together behind the loop by sums."""

import triton
import triton.language as tl


@triton.jit
def masked(
    x_ptr, y_ptr, mean_ptr, n, STEP: tl.constexpr, COUNT: tl.constexpr, MERGE: tl.constexpr, BLOCK: tl.constexpr
):
    """A lane that has met nothing divides by 1. STEP, COUNT and MERGE: how, or what is wrong."""
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    mean = tl.zeros([BLOCK], tl.float32)
    m2 = tl.zeros([BLOCK], tl.float32)
    count = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        at = start + lane
        mask = at < n
        x = tl.load(x_ptr + row * n + at, mask=mask, other=0.0)
        if COUNT == "mask":
            new_count = count + mask.to(tl.float32)
        elif COUNT == "where":
            new_count = tl.where(mask, count + 1, count)
        else:
            new_count = count + 1
        delta = x - mean
        if STEP == "weight":
            weight = tl.where(mask, 1.0, 0.0)
            new_mean = mean + delta * weight / tl.maximum(new_count, 1.0)
            m2 += delta * (x - new_mean) * weight
        elif STEP == "squares":
            new_mean = tl.where(mask, mean + delta / tl.maximum(new_count, 1.0), mean)
            m2 = tl.where(mask, m2 + delta * delta, m2)
        else:
            new_mean = tl.where(mask, mean + delta / tl.maximum(new_count, 1.0), mean)
            m2 = tl.where(mask, m2 + delta * (x - new_mean), m2)
        mean = new_mean
        count = new_count
    total = tl.sum(mean * count, 0) / n
    if MERGE == "squares":
        squares = tl.sum(m2 + count * (mean - total) * (mean - total), 0)
    elif MERGE == "moments":
        squares = tl.sum(m2 + count * mean * mean, 0) - n * total * total
    else:
        squares = tl.sum(m2, 0)
    tl.store(mean_ptr + row, total)
    tl.store(y_ptr + row, squares / n)


TYPES = {"x_ptr": "*fp32", "y_ptr": "*fp32", "mean_ptr": "*fp32", "n": "i32"}
BOTH = ["mean(x_ptr, axis=1)", "var(x_ptr, axis=1)"]


def of_masks(step, count="mask", merge="squares", **more):
    return {
        "kernel": masked,
        "types": TYPES,
        "constexprs": {"STEP": step, "COUNT": count, "MERGE": merge, "BLOCK": 64},
        "formula": BOTH,
        **more,
    }


FORMS = {
    "masked": of_masks("where"),
    "masked_counts": of_masks("where", count="where"),
    "masked_weights": of_masks("weight"),
    "masked_moments": of_masks("where", merge="moments"),
    "counts_all": of_masks("where", count="all", wrong=True),
    "squares_before": of_masks("squares", wrong=True),
    "not_merged": of_masks("where", merge="none", wrong=True),
}
