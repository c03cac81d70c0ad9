"""argmax, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
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
    dtype = jnp.promote_types(x.dtype, jnp.float32)
    x = jnp.asarray(x, dtype=dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows = x.shape[0]
    place2 = jnp.argmax(x, axis=1)
    value = x[jnp.arange(rows), place2].astype(jnp.float32)
    place = place2.astype(jnp.int32)
    return {"value": value, "place": place}
