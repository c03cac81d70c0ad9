"""distance, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def distance(*, a, b):
    """distance

    Shapes:
        a: (M, K), f32
        b: (N, K), f32
        out: (M, N), f32, returned

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
        raise ValueError(f"a has the shape {tuple(a.shape)}, not (M, K)")
    if b.ndim != 2:
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (N, K)")
    M, K = a.shape
    N = b.shape[0]
    if b.shape != (*b.shape[0:1], K):
        raise ValueError(f"b has the shape {tuple(b.shape)}, not (N, K = {K})")
    largest = jnp.max(a, axis=1)[:, None, None]
    total = 0
    for k in _chunks(0, K, M * N):
        total = total + jnp.sum(jnp.abs(b[:, k] + largest - a[:, k][:, None, :]), axis=2)
    return {"out": (total / K).astype(jnp.float32)}


def _chunks(start, stop, cells):
    """The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory stays bounded."""
    step = max(1, 2 ** 24 // max(1, cells))
    for first in range(start, max(stop, start + 1), step):
        yield jnp.arange(first, min(first + step, stop))
