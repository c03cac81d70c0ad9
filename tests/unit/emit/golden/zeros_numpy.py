"""zeros, lifted by Assay."""
import numpy as np


def zeros(*, n):
    """out = 0

    Shapes:
        out: (n,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    return {"out": np.zeros((n,))}
