"""concat, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def concat(*, a, b):
    """out = concat(transpose(a, 1, 0), b, axis=1)

    Shapes:
        a: (N, M), f32
        b: (M, K), f32
        out: (M, K + N), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.float32
    for tensor in (a, b):
        dtype = jnp.promote_types(dtype, tensor.dtype)
    a = jnp.asarray(a, dtype=dtype)
    b = jnp.asarray(b, dtype=dtype)
    if a.ndim != 2:
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (N, M)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M, K)")
    N = a.shape[0]
    K = b.shape[1]
    if b.shape != (a.shape[1], *b.shape[1:2]):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (M = {a.shape[1]}, K)")
    j = jnp.arange(K + N)
    part = b[:, jnp.clip(j - N, 0, b.shape[1] - 1)]
    out = jnp.where(N <= j, part, a[jnp.clip(j, 0, a.shape[0] - 1), :].T).astype(jnp.float32)
    return {"out": out}
