"""cumsum, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def cumsum(*, x):
    """cumsum

    Shapes:
        x: (rows, n), f32
        y: (rows, n), f32, returned
        below: (rows, n), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.promote_types(x.dtype, jnp.float32)
    x = jnp.asarray(x, dtype=dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (rows, n)")
    rows, n = x.shape
    y = jnp.cumsum(x, axis=1).astype(jnp.float32)
    j = jnp.arange(n)[:, None]
    total = 0
    for k in _chunks(1, n, n * rows):
        total = total + jnp.sum(jnp.where(j < k, x[:, k][:, None, :], 0), axis=2)
    below = total.astype(jnp.float32)
    return {"y": y, "below": below}


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield jnp.arange(first, min(first + step, stop))
