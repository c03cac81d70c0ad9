/* MLX: in the inputs' type, at least float32; integers in int64. Matrix products are of floats there, and an array
 * without elements has no largest one. */
#include "emit/framework.h"

static const char *const types[][2] = {{"i1", "mx.bool_"}, {"f8*", "mx.float32"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    helper_divide,
    helper_sqrt,
    helper_power,
    "def _xor(x, axis):\n"
    "    result = mx.zeros_like(mx.sum(x, axis=axis))\n"
    "    for i in range(x.shape[axis]):\n"
    "        result = result ^ mx.take(x, i, axis=axis)\n"
    "    return result\n",
    "def _largest(x, axis, keepdims=False):\n"
    "    \"\"\"The largest along axis; of nothing, -inf.\"\"\"\n"
    "    if 0 in (x.shape[d] for d in axis):\n"
    "        return mx.sum(x, axis=axis, keepdims=keepdims) - mx.inf\n"
    "    return mx.max(x, axis=axis, keepdims=keepdims)\n",
    "def _smallest(x, axis, keepdims=False):\n"
    "    \"\"\"The smallest along axis; of nothing, inf.\"\"\"\n"
    "    if 0 in (x.shape[d] for d in axis):\n"
    "        return mx.sum(x, axis=axis, keepdims=keepdims) + mx.inf\n"
    "    return mx.min(x, axis=axis, keepdims=keepdims)\n",
    HELPER_FILLED("mx.ones(shape, x.dtype)"),
    HELPER_CHUNKS("", "mx.arange(first, min(first + step, stop), dtype=mx.int64)"),
    NULL,
};

static const Framework mlx = {
    .name = "MLX",
    .module = "mx",
    .import = "import mlx.core as mx",
    .inf = "mx.inf",
    .nan = "mx.nan",
    .keepdims = ", keepdims=True",
    .functions = "mx.",
    .has_numbers_last = true,
    .integer = "mx.int64",
    .real = "dtype",
    .boolean = "mx.bool_",
    .types = "mx.",
    .other_types = types,
    .function = {[FN_ERF] = "mx.erf($0)", [FN_ERFINV] = "mx.erfinv($0)", [FN_FMOD] = ""},
    .helpers = helpers,
    .calls =
        {
            NUMPY_ROWS("mx"),
            [CALL_WHERE_INTS] = "mx.where($0, $1, $2).astype(mx.int64)",
            [CALL_WHERE_REALS] = "mx.where($0, $1, $2).astype(dtype)",
            [CALL_RANGE] = "mx.arange($0, dtype=mx.int64)",
            [CALL_ROUND] = "mx.round($0)",
            [CALL_XOR] = "_xor($0, $1)",
            [CALL_ARGMAX] = "mx.argmax($0, axis=$1).astype(mx.int64)",
            [CALL_ARGMIN] = "mx.argmin($0, axis=$1).astype(mx.int64)",
            [CALL_MAX_OR_NONE] = "_largest($0, $3$2)",
            [CALL_MIN_OR_NONE] = "_smallest($0, $3$2)",
            [CALL_MAXIMA] = "mx.cummax($0, axis=$1)",
            [CALL_MINIMA] = "mx.cummin($0, axis=$1)",
            [CALL_EINSUM] = "mx.einsum($0, $1)",
            [CALL_SHIFT_LEFT] = "mx.left_shift($0, $1)",
            [CALL_SHIFT_RIGHT] = "mx.right_shift($0, $1)",
            [CALL_NUMBER] = "mx.array($0, dtype)",
            [CALL_DIVIDE_NUMBERS] = "_divide($0, $1)",
            [CALL_SQRT_NUMBER] = "_sqrt($0)",
            [CALL_POWER_NUMBER] = "_power($0, $1)",
            [CALL_RESHAPE] = "mx.reshape($0, $1)",
            [CALL_STATE] = "mx.full($1, $0, dtype=mx.int64)",
            [CALL_STATE_REAL] = "mx.full($1, $0, dtype=dtype)",
            [CALL_FROM_INT] = "mx.array($0).astype(mx.int64)",
            [CALL_FROM_BYTE] = "mx.array($0).astype(mx.int8).astype(mx.int64)",
            [CALL_FROM_BOOL] = "mx.array($0).astype(mx.bool_)",
            [CALL_FROM_REAL] = "mx.array($0).astype(dtype)",
            [CALL_PROMOTE] = "mx.result_type($0, $1)",
        },
};

void emit_mlx(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &mlx, out); }
