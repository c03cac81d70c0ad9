"""gelu, lifted by Assay."""
import numpy as np


@np.errstate(all="ignore")  # lanes that a mask leaves out
def gelu(*, x_ptr):
    """x_ptr = gelu(x_ptr)

    Shapes:
        x_ptr: (n,), bf16, old contents; returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    x_ptr = np.asarray(x_ptr, dtype=np.float64)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (n,)")
    return {"x_ptr": 0.5 * x_ptr * (_erf(x_ptr / 2 ** 0.5) + 1)}


def _erf(x):
    """2/sqrt(pi) times the integral of exp(-t*t) from 0 to x, by Gauss-Legendre quadrature."""
    points, weights = np.polynomial.legendre.leggauss(48)
    half = np.clip(x, -6.0, 6.0) / 2
    total = 0.0
    for point, weight in zip(points, weights):
        total = total + weight * np.exp(-(half * (point + 1)) ** 2)
    return 2 / np.sqrt(np.pi) * half * total
