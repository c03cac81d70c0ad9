/* JAX: in the inputs' type, at least float32; integers in 64 bits, which JAX has where it is asked for. */
#include "emit/framework.h"

static const char *const types[][2] = {{"i1", "jnp.bool_"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    "def _chunks(start, stop, cells):\n"
    "    \"\"\"The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory "
    "stays "
    "bounded.\"\"\"\n"
    "    step = max(1, 2 ** 24 // max(1, cells))\n"
    "    for first in range(start, max(stop, start + 1), step):\n"
    "        yield jnp.arange(first, min(first + step, stop))\n",
    NULL,
};

static const Framework jax = {
    .name = "JAX",
    .module = "jnp",
    .import = "import jax\nimport jax.numpy as jnp",
    .decorator = "@jax.enable_x64(True)",
    .inf = "jnp.inf",
    .nan = "jnp.nan",
    .keepdims = ", keepdims=True",
    .functions = "jnp.",
    .multiplies_integers = true,
    .integer = "jnp.int64",
    .real = "dtype",
    .boolean = "jnp.bool_",
    .types = "jnp.",
    .other_types = types,
    .function = {[FN_ERF] = "jax.scipy.special.erf($0)",
                 [FN_ERFINV] = "jax.scipy.special.erfinv($0)",
                 [FN_LGAMMA] = "jax.scipy.special.gammaln($0)"},
    .helpers = helpers,
    .calls =
        {
            [CALL_WHERE] = "jnp.where($0, $1, $2)",
            [CALL_RANGE] = "jnp.arange($0)",
            [CALL_PERMUTE] = "jnp.transpose($0, ($1))",
            [CALL_MATRIX_TRANSPOSE] = "$0.T",
            [CALL_CLIP] = "jnp.clip($0, 0, $1 - 1)",
            [CALL_MAXIMUM] = "jnp.maximum($0, $1)",
            [CALL_MINIMUM] = "jnp.minimum($0, $1)",
            [CALL_ABS] = "jnp.abs($0)",
            [CALL_SQRT] = "jnp.sqrt($0)",
            [CALL_FLOOR] = "jnp.floor($0)",
            [CALL_CEIL] = "jnp.ceil($0)",
            [CALL_TRUNC] = "jnp.trunc($0)",
            [CALL_ROUND] = "jnp.rint($0)",
            [CALL_WHOLE] = "$0.astype(jnp.int64)",
            [CALL_IS_NAN] = "jnp.isnan($0)",
            [CALL_IS_INF] = "jnp.isposinf($0)",
            [CALL_IS_NEG_INF] = "jnp.isneginf($0)",
            [CALL_SUM] = "jnp.sum($0, axis=$1$2)",
            [CALL_PROD] = "jnp.prod($0, axis=$1$2)",
            [CALL_MAX] = "jnp.max($0, axis=$1$2)",
            [CALL_MIN] = "jnp.min($0, axis=$1$2)",
            [CALL_ANY] = "jnp.any($0, axis=$1$2)",
            [CALL_ALL] = "jnp.all($0, axis=$1$2)",
            [CALL_XOR] = "jnp.bitwise_xor.reduce($0, axis=$1)",
            [CALL_ARGMAX] = "jnp.argmax($0, axis=$1)",
            [CALL_ARGMIN] = "jnp.argmin($0, axis=$1)",
            [CALL_MAX_OR_NONE] = "jnp.max($0, axis=$1$2, initial=-jnp.inf)",
            [CALL_MIN_OR_NONE] = "jnp.min($0, axis=$1$2, initial=jnp.inf)",
            [CALL_LARGEST] = "jnp.max($0)",
            [CALL_SMALLEST] = "jnp.min($0)",
            [CALL_SIZE] = "$0.size",
            [CALL_SUMS] = "jnp.cumsum($0, axis=$1)",
            [CALL_PRODUCTS] = "jnp.cumprod($0, axis=$1)",
            [CALL_MAXIMA] = "jax.lax.cummax($0, axis=$1)",
            [CALL_MINIMA] = "jax.lax.cummin($0, axis=$1)",
            [CALL_EINSUM] = "jnp.einsum($0, $1)",
            [CALL_DIVIDE_NUMBERS] = "jnp.divide($0, $1)",
            [CALL_SQRT_NUMBER] = "jnp.sqrt($0)",
            [CALL_POWER_NUMBER] = "jnp.power(jnp.float64($0), $1)",
            [CALL_WRAP] = "_wrap($0, $1)",
            [CALL_BROADCAST] = "jnp.broadcast_to($0, $1)",
            [CALL_RESHAPE] = "jnp.reshape($0, $1)",
            [CALL_CHUNKS] = "_chunks($0, $1, $2)",
            [CALL_STATE] = "jnp.full($1, $0)",
            [CALL_STATE_REAL] = "jnp.full($1, $0, dtype=dtype)",
            [CALL_FROM_INT] = "jnp.asarray($0, dtype=jnp.int64)",
            [CALL_FROM_BYTE] = "jnp.asarray($0).astype(jnp.int8).astype(jnp.int64)",
            [CALL_FROM_BOOL] = "jnp.asarray($0, dtype=jnp.bool_)",
            [CALL_FROM_REAL] = "jnp.asarray($0, dtype=dtype)",
            [CALL_PROMOTE] = "jnp.promote_types($0, $1)",
            [CALL_ZEROS] = "jnp.zeros($0, dtype=$1)",
            [CALL_FULL] = "jnp.full($0, $1, dtype=$2)",
            [CALL_CAST] = "$0.astype($1)",
            [CALL_RESULT_NUMBER] = "jnp.asarray($0, dtype=$1)",
        },
};

void emit_jax(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &jax, out); }
