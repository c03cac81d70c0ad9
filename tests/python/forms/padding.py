"""Lanes behind the mask that hold 0 or -inf and become no number before they are summed: refuted, with a size below the block and
inputs that are in the domain of every operator. Where only the inputs may leave that domain, it is no fault of the kernel's."""
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, z_ptr, y_ptr, n_cols, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    at = row * n_cols + cols
    zero = tl.load(x_ptr + at, mask=mask, other=0.0)
    low = tl.load(x_ptr + at, mask=mask, other=-float("inf"))
    other = tl.load(z_ptr + at, mask=mask, other=0.0)
    if HOW == "difference":
        y = tl.exp(low - tl.load(z_ptr + at, mask=mask, other=-float("inf")))
    elif HOW == "product":
        y = low * other
    elif HOW == "gelu":
        y = low * (1 + tl.erf(low))
    elif HOW == "silu":
        y = low / (1 + tl.exp(-low))
    elif HOW == "quotient":
        y = zero / other
    elif HOW == "rsqrt":
        y = zero * tl.rsqrt(other * other)
    elif HOW == "log":
        y = zero * tl.log(other)
    elif HOW == "quotient_filled":
        y = zero / tl.where(mask, other, 1.0)
    elif HOW == "log_filled":
        y = zero * tl.log(tl.where(mask, other, 1.0))
    elif HOW == "root_inputs":
        y = tl.sqrt(1 - zero * zero)
    elif HOW == "log_inputs":
        y = tl.log(zero - 2 + 4 * (1 - mask.to(tl.float32)))
    elif HOW == "scaled_inputs":
        y = tl.exp(low * tl.load(z_ptr))
    tl.store(y_ptr + row, tl.sum(y, 0))


TYPES = {"x_ptr": "*fp32", "z_ptr": "*fp32", "y_ptr": "*fp32", "n_cols": "i32"}
REFUTED = ["difference", "product", "gelu", "silu", "quotient", "rsqrt", "log"]
INPUTS = ["quotient_filled", "log_filled", "root_inputs", "log_inputs", "scaled_inputs"]
FORMS = {how: {"kernel": rows, "types": TYPES, "constexprs": {"HOW": how, "BLOCK": 128}, "undefined": "refuted" if how in REFUTED else "unknown"} for how in REFUTED + INPUTS}
