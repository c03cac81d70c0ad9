/* NumPy: everything in float64, integers in int64. */
#include "emit/framework.h"

static const char *const types[][2] = {
    {"i1", "bool"}, {"u*", "np.int64"}, {"f*", "np.float64"}, {"bf16", "np.float64"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    "def _erf(x):\n"
    "    \"\"\"2/sqrt(pi) times the integral of exp(-t*t) from 0 to x, by Gauss-Legendre quadrature.\"\"\"\n"
    "    points, weights = np.polynomial.legendre.leggauss(48)\n"
    "    half = np.clip(x, -6.0, 6.0) / 2\n"
    "    total = 0.0\n"
    "    for point, weight in zip(points, weights):\n"
    "        total = total + weight * np.exp(-(half * (point + 1)) ** 2)\n"
    "    return 2 / np.sqrt(np.pi) * half * total\n",
    "def _erfinv(y):\n"
    "    \"\"\"The inverse of erf: Winitzki's approximation, then Newton's method.\"\"\"\n"
    "    y = np.asarray(y, dtype=np.float64)\n"
    "    log = np.log1p(-y * y)\n"
    "    part = 2 / (np.pi * 0.147) + log / 2\n"
    "    x = np.sign(y) * np.sqrt(np.sqrt(part * part - log / 0.147) - part)\n"
    "    for _ in range(4):\n"
    "        x = np.where(np.isfinite(x), x - (_erf(x) - y) * np.sqrt(np.pi) / 2 * np.exp(x * x), x)\n"
    "    return x\n",
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
    "def _power(x, exponent):\n"
    "    return np.power(np.float64(x), exponent)\n",
    HELPER_FILLED("np.ones(shape, x.dtype)"),
    HELPER_CHUNKS("", "np.arange(first, min(first + step, stop))"),
    NULL,
};

static const Framework numpy = {
    .name = "NumPy",
    .module = "np",
    .import = "import numpy as np",
    .decorator = "@np.errstate(all=\"ignore\")  # lanes that a mask leaves out",
    .is_only_for_warnings = true,
    .inf = "np.inf",
    .nan = "np.nan",
    .keepdims = ", keepdims=True",
    .functions = "np.",
    .multiplies_integers = true,
    .integer = "np.int64",
    .real = "np.float64",
    .boolean = "bool",
    .types = "np.",
    .other_types = types,
    .function = {[FN_ERF] = "_erf($0)", [FN_ERFINV] = "_erfinv($0)", [FN_LGAMMA] = "_lgamma($0)"},
    .helpers = helpers,
    .calls =
        {
            NUMPY_ROWS("np"),
            [CALL_RANGE] = "np.arange($0)",
            [CALL_ROUND] = "np.rint($0)",
            [CALL_XOR] = "np.bitwise_xor.reduce($0, axis=$1)",
            [CALL_ARGMAX] = "np.argmax($0, axis=$1)",
            [CALL_ARGMIN] = "np.argmin($0, axis=$1)",
            [CALL_MAX_OR_NONE] = "np.max($0, axis=$1$2, initial=-np.inf)",
            [CALL_MIN_OR_NONE] = "np.min($0, axis=$1$2, initial=np.inf)",
            [CALL_MAXIMA] = "np.maximum.accumulate($0, axis=$1)",
            [CALL_MINIMA] = "np.minimum.accumulate($0, axis=$1)",
            [CALL_EINSUM] = "np.einsum($0, $1, optimize=True)",
            [CALL_DIVIDE_NUMBERS] = "np.divide($0, $1)",
            [CALL_SQRT_NUMBER] = "np.sqrt($0)",
            [CALL_POWER_NUMBER] = "_power($0, $1)",
            [CALL_EXACT] = "$0.astype(object)",
            [CALL_RESHAPE] = "$0.reshape($1)",
            [CALL_START] = "np.full($0, $1)",
            [CALL_STATE] = "np.full($1, $0)",
            [CALL_STATE_REAL] = "np.full($1, $0, dtype=np.float64)",
            [CALL_FROM_INT] = "np.asarray($0, dtype=np.int64)",
            [CALL_FROM_BYTE] = "np.asarray($0).astype(np.int8).astype(np.int64)",
            [CALL_FROM_BOOL] = "np.asarray($0, dtype=bool)",
            [CALL_FROM_REAL] = "np.asarray($0, dtype=np.float64)",
            [CALL_OLD_INT] = "np.asarray($0).astype(np.int64)",
            [CALL_OLD_BOOL] = "np.asarray($0).astype(bool)",
            [CALL_ZEROS_REAL] = "np.zeros($0)",
            [CALL_COPY] = "$0.copy()",
            [CALL_RESULT_NUMBER] = "np.array($0, dtype=$1)",
            [CALL_RESULT_BROADCAST] = "np.array(np.broadcast_to($0, $1), dtype=$2)",
        },
};

void emit_numpy(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &numpy, out); }
