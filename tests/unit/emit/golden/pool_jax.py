"""pool, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def pool(*, x):
    """pool

    Shapes:
        x: (2*H, W + 2), f32
        y: (H, W), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.promote_types(x.dtype, jnp.float32)
    x = jnp.asarray(x, dtype=dtype)
    if x.ndim != 2:
        raise ValueError(f"x has the shape {tuple(x.shape)}, not (2*H, W + 2)")
    H = x.shape[0] // 2
    W = x.shape[1] - 2
    n = ((2 * jnp.arange(H))[:, None] + jnp.arange(2))[:, None, :, None]
    total = jnp.sum(x[n, (jnp.arange(3) + jnp.arange(W)[:, None])[:, None, :]], axis=(2, 3))
    return {"y": (total / 6).astype(jnp.float32)}
