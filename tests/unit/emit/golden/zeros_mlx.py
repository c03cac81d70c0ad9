"""zeros, lifted by Assay."""
import mlx.core as mx


def zeros(*, n):
    """out = 0

    Shapes:
        out: (n,), f32, returned

    Assumptions:
        inputs are finite

    Verdict: probable
    """
    return {"out": mx.zeros((n,), dtype=mx.float32)}
