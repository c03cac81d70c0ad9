"""gelu, lifted by Assay."""
import mlx.core as mx


def gelu(*, x_ptr):
    """x_ptr = gelu(x_ptr)

    Shapes:
        x_ptr: (n,), bf16, old contents; returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = mx.result_type(x_ptr.dtype, mx.float32)
    x_ptr = mx.array(x_ptr).astype(dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (n,)")
    result = (x_ptr * (mx.erf(x_ptr / 2 ** 0.5) + 1) * 0.5).astype(mx.bfloat16)
    return {"x_ptr": result}
