/* Small functions that a module needs where its framework lacks them. They follow the public function. */
#include "emit/python.h"

static const char *const numpy_helpers[HELPER_COUNT] = {
    [HELPER_WRAP] = "def _wrap(x, bits):\n"
                    "    \"\"\"x as a signed number of so many bits.\"\"\"\n"
                    "    half = 1 << bits - 1\n"
                    "    return (x + half & 2 * half - 1) - half\n",
    [HELPER_ERF] =
        "def _erf(x):\n"
        "    \"\"\"2/sqrt(pi) times the integral of exp(-t*t) from 0 to x, by Gauss-Legendre quadrature.\"\"\"\n"
        "    points, weights = np.polynomial.legendre.leggauss(48)\n"
        "    half = np.clip(x, -6.0, 6.0) / 2\n"
        "    total = 0.0\n"
        "    for point, weight in zip(points, weights):\n"
        "        total = total + weight * np.exp(-(half * (point + 1)) ** 2)\n"
        "    return 2 / np.sqrt(np.pi) * half * total\n",
    [HELPER_ERFINV] =
        "def _erfinv(y):\n"
        "    \"\"\"The inverse of erf: Winitzki's approximation, then Newton's method.\"\"\"\n"
        "    y = np.asarray(y, dtype=np.float64)\n"
        "    log = np.log1p(-y * y)\n"
        "    part = 2 / (np.pi * 0.147) + log / 2\n"
        "    x = np.sign(y) * np.sqrt(np.sqrt(part * part - log / 0.147) - part)\n"
        "    for _ in range(4):\n"
        "        x = np.where(np.isfinite(x), x - (_erf(x) - y) * np.sqrt(np.pi) / 2 * np.exp(x * x), x)\n"
        "    return x\n",
    [HELPER_LGAMMA] =
        "def _lgamma(x):\n"
        "    \"\"\"log |gamma(x)|, by Lanczos' approximation and the reflection formula.\"\"\"\n"
        "    c = (0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, "
        "-176.61502916214059,\n"
        "         12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)\n"
        "    x = np.asarray(x, dtype=np.float64)\n"
        "    z = np.where(x < 0.5, 1 - x, x) - 1\n"
        "    series = c[0] + sum(c[i] / (z + i) for i in range(1, 9))\n"
        "    t = z + 7.5\n"
        "    value = np.log(2 * np.pi) / 2 + (z + 0.5) * np.log(t) - t + np.log(series)\n"
        "    value = np.where(x < 0.5, np.log(np.pi / np.abs(np.sin(np.pi * x))) - value, value)\n"
        "    return np.where((x <= 0) & (x == np.floor(x)), np.inf, value)\n",
    [HELPER_POWER] = "def _power(x, exponent):\n"
                     "    return np.power(np.float64(x), exponent)\n",
    [HELPER_CHUNKS] = "def _chunks(start, stop, cells):\n"
                      "    \"\"\"The indices start..stop-1 in pieces, one at least, each bringing in so many cells per "
                      "index: memory stays bounded.\"\"\"\n"
                      "    step = max(1, 2 ** 24 // max(1, cells))\n"
                      "    for first in range(start, max(stop, start + 1), step):\n"
                      "        yield np.arange(first, min(first + step, stop))\n",
};

static const char *const torch_helpers[HELPER_COUNT] = {
    [HELPER_WRAP] = "def _wrap(x, bits):\n"
                    "    \"\"\"x as a signed number of so many bits.\"\"\"\n"
                    "    half = 1 << bits - 1\n"
                    "    return (x + half & 2 * half - 1) - half\n",
    [HELPER_XOR] = "def _xor(x, dim):\n"
                   "    result = torch.zeros_like(x.sum(dim))\n"
                   "    for part in x.unbind(dim):\n"
                   "        result = result ^ part\n"
                   "    return result\n",
    [HELPER_LARGEST] = "def _largest(x, dim, keepdim=False):\n"
                       "    \"\"\"The largest along dim; of nothing, -inf.\"\"\"\n"
                       "    if 0 in (x.shape[d] for d in dim):\n"
                       "        return torch.full_like(x.sum(dim, keepdim=keepdim), -torch.inf)\n"
                       "    return x.amax(dim, keepdim=keepdim)\n",
    [HELPER_SMALLEST] = "def _smallest(x, dim, keepdim=False):\n"
                        "    \"\"\"The smallest along dim; of nothing, inf.\"\"\"\n"
                        "    if 0 in (x.shape[d] for d in dim):\n"
                        "        return torch.full_like(x.sum(dim, keepdim=keepdim), torch.inf)\n"
                        "    return x.amin(dim, keepdim=keepdim)\n",
    [HELPER_DIVIDE] = "def _divide(x, y):\n"
                      "    \"\"\"x / y of numbers, also where y is 0.\"\"\"\n"
                      "    return (torch.as_tensor(x, dtype=torch.float64) / y).item()\n",
    [HELPER_ROOT] = "def _sqrt(x):\n"
                    "    \"\"\"The root of a number, nan where it is negative.\"\"\"\n"
                    "    return torch.as_tensor(x, dtype=torch.float64).sqrt().item()\n",
    [HELPER_POWER] = "def _power(x, exponent):\n"
                     "    return (torch.as_tensor(x, dtype=torch.float64) ** exponent).item()\n",
    [HELPER_CHUNKS] = "def _chunks(start, stop, cells, device):\n"
                      "    \"\"\"The indices start..stop-1 in pieces, one at least, each bringing in so many cells per "
                      "index: memory stays bounded.\"\"\"\n"
                      "    step = max(1, 2 ** 24 // max(1, cells))\n"
                      "    for first in range(start, max(stop, start + 1), step):\n"
                      "        yield torch.arange(first, min(first + step, stop), device=device)\n",
};

void python_helpers(const Python *py, Text *out) {
  for (uint32_t i = 0; i < HELPER_COUNT; i++) {
    const char *text = py->dialect->is_torch ? torch_helpers[i] : numpy_helpers[i];
    if (py->helpers[i] && text) text_format(out, "\n\n%s", text);
  }
}
