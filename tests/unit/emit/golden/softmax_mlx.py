"""softmax, lifted by Assay."""
import mlx.core as mx


def softmax(*, x_ptr):
    """y_ptr = softmax(x_ptr, axis=1)

    Shapes:
        x_ptr: (grid_x, n_cols), f32
        y_ptr: (grid_x, n_cols), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = mx.result_type(x_ptr.dtype, mx.float32)
    x_ptr = mx.array(x_ptr).astype(dtype)
    if x_ptr.ndim != 2:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (grid_x, n_cols)")
    e = mx.exp(x_ptr - mx.max(x_ptr, axis=1, keepdims=True))
    return {"y_ptr": (e / mx.sum(e, axis=1, keepdims=True)).astype(mx.float32)}
