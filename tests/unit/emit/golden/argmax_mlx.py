"""argmax, lifted by Assay."""
import mlx.core as mx


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
    dtype = mx.result_type(x.dtype, mx.float32)
    x = mx.array(x).astype(dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows = x.shape[0]
    place2 = mx.argmax(x, axis=1).astype(mx.int64)
    value = x[mx.arange(rows, dtype=mx.int64), place2].astype(mx.float32)
    place = place2.astype(mx.int32)
    return {"value": value, "place": place}
