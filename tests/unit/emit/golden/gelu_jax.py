"""gelu, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def gelu(*, x_ptr):
    """x_ptr = gelu(x_ptr)

    Shapes:
        x_ptr: (n,), bf16, old contents; returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.promote_types(x_ptr.dtype, jnp.float32)
    x_ptr = jnp.asarray(x_ptr, dtype=dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (n,)")
    result = (0.5 * x_ptr * (jax.scipy.special.erf(x_ptr / 2 ** 0.5) + 1)).astype(jnp.bfloat16)
    return {"x_ptr": result}
