/* JAX: in the inputs' type, at least float32; integers in 64 bits, which JAX has where it is asked for. */
#include "emit/framework.h"

static const char *const types[][2] = {{"i1", "jnp.bool_"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    HELPER_FILLED("jnp.ones(shape, x.dtype)"),
    HELPER_CHUNKS("", "jnp.arange(first, min(first + step, stop))"),
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
            NUMPY_ROWS("jnp"),
            [CALL_RANGE] = "jnp.arange($0)",
            [CALL_ROUND] = "jnp.rint($0)",
            [CALL_XOR] = "jnp.bitwise_xor.reduce($0, axis=$1)",
            [CALL_ARGMAX] = "jnp.argmax($0, axis=$1)",
            [CALL_ARGMIN] = "jnp.argmin($0, axis=$1)",
            [CALL_MAX_OR_NONE] = "jnp.max($0, axis=$1$2, initial=-jnp.inf)",
            [CALL_MIN_OR_NONE] = "jnp.min($0, axis=$1$2, initial=jnp.inf)",
            [CALL_MAXIMA] = "jax.lax.cummax($0, axis=$1)",
            [CALL_MINIMA] = "jax.lax.cummin($0, axis=$1)",
            [CALL_EINSUM] = "jnp.einsum($0, $1)",
            [CALL_DIVIDE_NUMBERS] = "jnp.divide($0, $1)",
            [CALL_SQRT_NUMBER] = "jnp.sqrt($0)",
            [CALL_POWER_NUMBER] = "jnp.power(jnp.float64($0), $1)",
            [CALL_RESHAPE] = "jnp.reshape($0, $1)",
            [CALL_STATE] = "jnp.full($1, $0)",
            [CALL_STATE_REAL] = "jnp.full($1, $0, dtype=dtype)",
            [CALL_FROM_INT] = "jnp.asarray($0, dtype=jnp.int64)",
            [CALL_FROM_BYTE] = "jnp.asarray($0).astype(jnp.int8).astype(jnp.int64)",
            [CALL_FROM_BOOL] = "jnp.asarray($0, dtype=jnp.bool_)",
            [CALL_FROM_REAL] = "jnp.asarray($0, dtype=dtype)",
            [CALL_PROMOTE] = "jnp.promote_types($0, $1)",
            [CALL_RESULT_NUMBER] = "jnp.asarray($0, dtype=$1)",
        },
};

void emit_jax(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &jax, out); }
