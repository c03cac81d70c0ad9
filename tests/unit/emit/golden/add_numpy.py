"""add, lifted by Assay."""
import numpy as np


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
    x_ptr = np.asarray(x_ptr, dtype=np.float64)
    y_ptr = np.asarray(y_ptr, dtype=np.float64)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (N,)")
    N = x_ptr.shape[0]
    if y_ptr.shape != (N,):
        raise ValueError(f"y_ptr has the shape {tuple(y_ptr.shape)}, not (N = {N},)")
    if out_ptr is None:
        out_ptr = np.zeros((N,), dtype=np.float64)
    out_ptr = np.asarray(out_ptr, dtype=np.float64)
    if out_ptr.shape != (N,):
        raise ValueError(f"out_ptr has the shape {tuple(out_ptr.shape)}, not (N = {N},)")
    return {"out_ptr": np.where(np.arange(N) < n, scale * y_ptr + x_ptr, out_ptr)}
