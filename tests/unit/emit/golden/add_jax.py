"""add, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def add(*, x_ptr, y_ptr, n, scale, out_ptr=None):
    """out_ptr = x_ptr + scale*y_ptr

    Shapes:
        x_ptr: (N,), f32
        y_ptr: (N,), f16
        out_ptr: (N,), f16, old contents (zero if not given); returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.float32
    for tensor in (x_ptr, y_ptr):
        dtype = jnp.promote_types(dtype, tensor.dtype)
    x_ptr = jnp.asarray(x_ptr, dtype=dtype)
    y_ptr = jnp.asarray(y_ptr, dtype=dtype)
    if x_ptr.ndim != 1:
        raise ValueError(f"x_ptr has the shape {tuple(x_ptr.shape)}, not (N,)")
    N = x_ptr.shape[0]
    if y_ptr.shape != (N,):
        raise ValueError(f"y_ptr has the shape {tuple(y_ptr.shape)}, not (N = {N},)")
    if out_ptr is None:
        out_ptr = jnp.zeros((N,), dtype=dtype)
    out_ptr = jnp.asarray(out_ptr, dtype=dtype)
    if out_ptr.shape != (N,):
        raise ValueError(f"out_ptr has the shape {tuple(out_ptr.shape)}, not (N = {N},)")
    result = jnp.where(jnp.arange(N) < n, scale * y_ptr + x_ptr, out_ptr).astype(jnp.float16)
    return {"out_ptr": result}
