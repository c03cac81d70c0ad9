"""The faults of Triton's interpreter that interpret.py mends are mended."""

import math

import numpy as np
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton_tools import interpret  # noqa: F401: mends on import


@triton.jit
def round_kernel(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out_ptr + i, tl.load(x_ptr + i).to(tl.bfloat16))


@triton.jit
def dot_kernel(a_ptr, b_ptr, c_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    tl.store(c_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at)))


@triton.jit
def libdevice_kernel(x_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, libdevice.tanh(x) + libdevice.pow(x, 2.0) * libdevice.erf(x))


def test_bf16_is_rounded_to_nearest_even():
    x = torch.tensor(np.random.default_rng(1).standard_normal(256), dtype=torch.float32)
    out = torch.empty(256, dtype=torch.bfloat16)
    round_kernel[(1,)](x, out, N=256)
    assert torch.equal(out, x.bfloat16())


def test_dot_of_bf16_multiplies_numbers():
    a, b = (torch.tensor(np.random.default_rng(k).standard_normal((16, 16))).bfloat16() for k in (1, 2))
    c = torch.empty(16, 16)
    dot_kernel[(1,)](a, b, c, N=16)
    assert torch.allclose(c, a.float() @ b.float(), atol=1e-5)


def test_libdevice_functions_have_a_meaning():
    x = torch.linspace(-2, 2, 16)
    out = torch.empty(16)
    libdevice_kernel[(1,)](x, out, N=16)
    assert torch.allclose(out, x.tanh() + x**2 * x.erf(), atol=1e-6)
    assert math.isclose(float(out[0]), math.tanh(-2) + 4 * math.erf(-2), rel_tol=1e-5)
