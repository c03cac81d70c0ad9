"""zeros, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def zeros(*, n):
    """out = 0

    Shapes:
        out: (n,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    return {"out": jnp.zeros((n,), dtype=jnp.float32)}
