"""Runs emitted modules in a framework, in a process of its own (test_frameworks.py).

    run_framework.py FRAMEWORK CALLS RESULTS

CALLS is a pickled list of (path of the module, function, keywords with NumPy arrays); RESULTS gets, for each of them, a
dict of NumPy arrays or the text of the exception, and whether an input was changed.
"""

import importlib.util
import pickle
import sys
import traceback
from pathlib import Path

import numpy as np


def to_arrays(framework):
    """From NumPy's arrays to the framework's own, and back."""
    if framework == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)  # so that an int64 of the test arrives as one
        return jax.numpy.asarray, lambda x: np.asarray(x.astype(np.float32) if x.dtype.kind not in "biuf" else x)
    if framework == "tensorflow":
        import tensorflow as tf

        return tf.convert_to_tensor, lambda x: (tf.cast(x, tf.float32) if x.dtype == tf.bfloat16 else x).numpy()
    import mlx.core as mx

    def back(x):
        x = x.astype(mx.float32) if x.dtype == mx.bfloat16 else x
        return np.array(x)

    def to(x):
        return mx.array(x, mx.float64) if x.dtype == np.float64 else mx.array(x)

    mx.set_default_device(mx.cpu)
    return to, back


def unknown(x):
    """That of test_c_loops.py, for functions that are arguments."""
    return (x & 7) + 1


def load(path, known={}):
    if path not in known:
        spec = importlib.util.spec_from_file_location(Path(path).stem, path)
        known[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(known[path])
    return known[path]


def main():
    framework, calls, results = sys.argv[1:]
    to, back = to_arrays(framework)
    out = []
    for path, function, keywords in pickle.loads(Path(calls).read_bytes()):
        try:
            arguments = {
                k: to(v) if isinstance(v, np.ndarray) else unknown if isinstance(v, str) else v
                for k, v in keywords.items()
            }
            got = {k: back(v) for k, v in getattr(load(path), function)(**arguments).items()}
            changed = [
                k
                for k, v in keywords.items()
                if isinstance(v, np.ndarray) and not np.array_equal(back(arguments[k]), v, equal_nan=True)
            ]
            out.append((got, changed))
        except Exception:  # noqa: BLE001
            out.append((traceback.format_exc(), []))
    Path(results).write_bytes(pickle.dumps(out))


main()
