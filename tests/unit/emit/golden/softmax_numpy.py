"""softmax, lifted by Assay."""
import numpy as np


@np.errstate(all="ignore")  # lanes that a mask leaves out
def softmax(*, x_ptr):
    """y_ptr = softmax(x_ptr, axis=1)

    Shapes:
        x_ptr: (grid_x, n_cols), f32
        y_ptr: (grid_x, n_cols), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    x_ptr = np.asarray(x_ptr, dtype=np.float64)
    if x_ptr.ndim != 2:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (grid_x, n_cols)")
    e = np.exp(x_ptr - np.max(x_ptr, axis=1, keepdims=True))
    return {"y_ptr": e / np.sum(e, axis=1, keepdims=True)}
