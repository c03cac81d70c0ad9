"""gather, lifted by Assay."""
import jax
import jax.numpy as jnp


@jax.enable_x64(True)
def gather(*, table, lambda_):
    """gather

    Shapes:
        table: (V, D), f32
        lambda: (n,), i64
        out: (n, D), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    dtype = jnp.promote_types(table.dtype, jnp.float32)
    table = jnp.asarray(table, dtype=dtype)
    lambda_ = jnp.asarray(lambda_, dtype=jnp.int64)
    if table.ndim != 2:
        raise ValueError(f"table has the shape {tuple(table.shape)}, not (V, D)")
    if lambda_.ndim != 1:
        raise ValueError(f"lambda_ has the shape {tuple(lambda_.shape)}, not (n,)")
    part = table[jnp.clip(lambda_, 0, table.shape[0] - 1), :]
    out = jnp.where((lambda_ >= 0)[:, None], part, 0).astype(jnp.float32)
    return {"out": out}
