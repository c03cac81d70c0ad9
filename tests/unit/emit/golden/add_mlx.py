"""add, lifted by Assay."""
import mlx.core as mx


def add(*, x_ptr, y_ptr, n, scale, out_ptr=None):
    """out_ptr = x_ptr + scale*y_ptr

    Shapes:
        x_ptr: (N,), f32
        y_ptr: (N,), f16
        out_ptr: (N,), f16, old contents (zero if not given); returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = mx.float32
    for tensor in (x_ptr, y_ptr):
        dtype = mx.result_type(dtype, tensor.dtype)
    x_ptr = mx.array(x_ptr).astype(dtype)
    y_ptr = mx.array(y_ptr).astype(dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (N,)")
    N = x_ptr.shape[0]
    if y_ptr.shape != (N,):
        raise ValueError(f"y_ptr has the shape {tuple(y_ptr.shape)}, not (N = {N},)")
    if out_ptr is None:
        out_ptr = mx.zeros((N,), dtype=dtype)
    out_ptr = mx.array(out_ptr).astype(dtype)
    if out_ptr.shape != (N,):
        raise ValueError(f"out_ptr has the shape {tuple(out_ptr.shape)}, not (N = {N},)")
    result = mx.where(mx.arange(N, dtype=mx.int64) < n, x_ptr + y_ptr * scale, out_ptr).astype(mx.float16)
    return {"out_ptr": result}
