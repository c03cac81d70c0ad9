"""attention, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def attention(*, q, k, v, scale):
    """attention

    Shapes:
        q: (n, d), f32
        k: (n, d), f32
        v: (n, d), f32
        out: (n, d), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.float32
    for tensor in (q, k, v):
        dtype = jnp.promote_types(dtype, tensor.dtype)
    q = jnp.asarray(q, dtype=dtype)
    k = jnp.asarray(k, dtype=dtype)
    v = jnp.asarray(v, dtype=dtype)
    if q.ndim != 2:
        raise ValueError(f"q has the shape {tuple(q.shape)}, not (n, d)")
    n = q.shape[0]
    if k.shape != (n, q.shape[1]):
        raise ValueError(f"k has the shape {tuple(k.shape)}, not (n = {n}, d = {q.shape[1]})")
    if v.shape != (n, q.shape[1]):
        raise ValueError(f"v has the shape {tuple(v.shape)}, not (n = {n}, d = {q.shape[1]})")
    k4 = jnp.arange(n)
    mask = k4 <= k4[:, None]
    t = scale * (q @ k.T)
    e = jnp.exp(t - jnp.max(jnp.where(mask, t, -jnp.inf), axis=1, keepdims=True))
    t2 = jnp.where(mask, e, 0)
    out = (t2 @ v / jnp.sum(t2, axis=1, keepdims=True)).astype(jnp.float32)
    return {"out": out}
