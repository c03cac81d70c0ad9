"""matmul, lifted by Assay."""
import numpy as np


def matmul(*, a_ptr, b_ptr, bias):
    """c_ptr = maximum(0.5*matmul(a_ptr, transpose(b_ptr, 1, 0)) + bias, 0)

    Shapes:
        a_ptr: (M, K), f16
        b_ptr: (N, K), f16
        bias: (N,), f32
        c_ptr: (M, N), f16, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    a_ptr = np.asarray(a_ptr, dtype=np.float64)
    b_ptr = np.asarray(b_ptr, dtype=np.float64)
    bias = np.asarray(bias, dtype=np.float64)
    return {"c_ptr": np.maximum(bias + 0.5 * (a_ptr @ b_ptr.T), 0)}
