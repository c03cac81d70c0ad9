"""softmax, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def softmax(*, x_ptr):
    """y_ptr = softmax(x_ptr, axis=1)

    Shapes:
        x_ptr: (grid_x, n_cols), f32
        y_ptr: (grid_x, n_cols), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.promote_types(x_ptr.dtype, jnp.float32)
    x_ptr = jnp.asarray(x_ptr, dtype=dtype)
    if x_ptr.ndim != 2:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (grid_x, n_cols)")
    e = jnp.exp(x_ptr - jnp.max(x_ptr, axis=1, keepdims=True))
    return {"y_ptr": (e / jnp.sum(e, axis=1, keepdims=True)).astype(jnp.float32)}
