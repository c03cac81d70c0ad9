"""argmax, lifted by Assay."""
import numpy as np


def argmax(*, x):
    """argmax

    Shapes:
        x: (rows, n), f32
        value: (rows,), f32, returned
        place: (rows,), i32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows = x.shape[0]
    place2 = np.argmax(x, axis=1)
    value = x[np.arange(rows), place2]
    place = place2.astype(np.int32)
    return {"value": value, "place": place}
