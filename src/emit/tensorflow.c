/* TensorFlow: in the inputs' type, at least float32; integers in int64. Types are never mixed there, brackets take
 * slices only, and products of matrices and vectors have names of their own. */
#include "emit/framework.h"

static const char *const types[][2] = {{"i1", "tf.bool"}, {"f8*", "tf.float32"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    helper_divide,
    helper_sqrt,
    helper_power,
    "def _take(x, axis, *indices):\n"
    "    \"\"\"The elements at these indices of the dimensions axis, axis + 1, ..\"\"\"\n"
    "    flat = indices[0]\n"
    "    for place, index in enumerate(indices[1:], axis + 1):\n"
    "        flat = flat * x.shape[place] + index\n"
    "    shape = (*x.shape[:axis], -1, *x.shape[axis + len(indices):])\n"
    "    return tf.gather(tf.reshape(x, shape), flat, axis=axis)\n",
    "def _running(f, x, axis):\n"
    "    \"\"\"f of each prefix along the axis.\"\"\"\n"
    "    parts = tf.unstack(x, axis=axis)\n"
    "    for i in range(1, len(parts)):\n"
    "        parts[i] = f(parts[i - 1], parts[i])\n"
    "    return tf.stack(parts, axis=axis) if parts else x\n",
    "def _xor(x, axis):\n"
    "    result = tf.zeros_like(tf.reduce_sum(x, axis=axis))\n"
    "    for part in tf.unstack(x, axis=axis):\n"
    "        result = result ^ part\n"
    "    return result\n",
    HELPER_FILLED("tf.ones(shape, x.dtype)"),
    HELPER_CHUNKS("", "tf.range(first, max(first, min(first + step, stop)), dtype=tf.int64)"),
    NULL,
};

static const Framework tensorflow = {
    .name = "TensorFlow",
    .module = "tf",
    .import = "import tensorflow as tf",
    .inf = "float(\"inf\")",
    .nan = "float(\"nan\")",
    .keepdims = ", keepdims=True",
    .functions = "tf.math.",
    .has_torch_names = true,
    .multiplies_integers = true,
    .integer = "tf.int64",
    .real = "dtype",
    .boolean = "tf.bool",
    .types = "tf.",
    .other_types = types,
    .function = {[FN_FMOD] = "tf.truncatemod($0)"},
    .helpers = helpers,
    .calls =
        {
            [CALL_WHERE] = "tf.where($0, $1, $2)",
            [CALL_WHERE_INTS] = "tf.where($0, tf.constant($1, tf.int64), $2)",
            [CALL_WHERE_REALS] = "tf.where($0, tf.constant($1, dtype), $2)",
            [CALL_RANGE] = "tf.range($0, dtype=tf.int64)",
            [CALL_PERMUTE] = "tf.transpose($0, ($1))",
            [CALL_MATRIX_TRANSPOSE] = "tf.transpose($0)",
            [CALL_TAKE] = "_take($0, $1, $2)",
            [CALL_CLIP] = "tf.clip_by_value($0, 0, $1 - 1)",
            [CALL_FILLED] = "_filled($0)",
            [CALL_MAXIMUM] = "tf.maximum($0, $1)",
            [CALL_MINIMUM] = "tf.minimum($0, $1)",
            [CALL_ABS] = "tf.abs($0)",
            [CALL_SQRT] = "tf.sqrt($0)",
            [CALL_FLOOR] = "tf.floor($0)",
            [CALL_CEIL] = "tf.math.ceil($0)",
            [CALL_TRUNC] = "tf.cast($0, tf.int64)",
            [CALL_ROUND] = "tf.round($0)",
            [CALL_TRUNCDIV] = "tf.truncatediv($0, $1)",
            [CALL_WHOLE] = "tf.cast($0, tf.int64)",
            [CALL_REAL] = "tf.cast($0, dtype)",
            [CALL_IS_NAN] = "tf.math.is_nan($0)",
            [CALL_IS_INF] = "($0 == float(\"inf\"))",
            [CALL_IS_NEG_INF] = "($0 == -float(\"inf\"))",
            [CALL_SUM] = "tf.reduce_sum($0, axis=$1$2)",
            [CALL_PROD] = "tf.reduce_prod($0, axis=$1$2)",
            [CALL_MAX] = "tf.reduce_max($0, axis=$1$2)",
            [CALL_MIN] = "tf.reduce_min($0, axis=$1$2)",
            [CALL_ANY] = "tf.reduce_any($0, axis=$1$2)",
            [CALL_ALL] = "tf.reduce_all($0, axis=$1$2)",
            [CALL_XOR] = "_xor($0, $1)",
            [CALL_ARGMAX] = "tf.argmax($0, axis=$1)",
            [CALL_ARGMIN] = "tf.argmin($0, axis=$1)",
            [CALL_LARGEST] = "tf.reduce_max($0)",
            [CALL_SMALLEST] = "tf.reduce_min($0)",
            [CALL_SIZE] = "tf.size($0)",
            [CALL_SUMS] = "tf.cumsum($0, axis=$1)",
            [CALL_PRODUCTS] = "tf.math.cumprod($0, axis=$1)",
            [CALL_MAXIMA] = "_running(tf.maximum, $0, $1)",
            [CALL_MINIMA] = "_running(tf.minimum, $0, $1)",
            [CALL_MATRIX_VECTOR] = "tf.linalg.matvec($0, $1)",
            [CALL_VECTOR_MATRIX] = "tf.linalg.matvec($1, $0, transpose_a=True)",
            [CALL_VECTOR_VECTOR] = "tf.tensordot($0, $1, 1)",
            [CALL_EINSUM] = "tf.einsum($0, $1)",
            [CALL_SHIFT_LEFT] = "tf.bitwise.left_shift($0, $1)",
            [CALL_SHIFT_RIGHT] = "tf.bitwise.right_shift($0, $1)",
            [CALL_NUMBER] = "tf.constant($0, dtype)",
            [CALL_CALLED] = "tf.cast($0, $1)",
            [CALL_DIVIDE_NUMBERS] = "_divide($0, $1)",
            [CALL_SQRT_NUMBER] = "_sqrt($0)",
            [CALL_POWER_NUMBER] = "_power($0, $1)",
            [CALL_WRAP] = "_wrap($0, $1)",
            [CALL_BROADCAST] = "tf.broadcast_to($0, $1)",
            [CALL_RESHAPE] = "tf.reshape($0, $1)",
            [CALL_CHUNKS] = "_chunks($0, $1, $2)",
            [CALL_STATE] = "tf.broadcast_to(tf.cast($0, tf.int64), $1)",
            [CALL_STATE_REAL] = "tf.broadcast_to(tf.cast($0, dtype), $1)",
            [CALL_FROM_INT] = "tf.cast($0, tf.int64)",
            [CALL_FROM_BYTE] = "tf.cast(tf.cast($0, tf.int8), tf.int64)",
            [CALL_FROM_BOOL] = "tf.cast($0, tf.bool)",
            [CALL_FROM_REAL] = "tf.cast($0, dtype)",
            [CALL_PROMOTE] = "tf.float64 if tf.float64 in ($0, $1) else tf.float32",
            [CALL_ZEROS] = "tf.zeros($0, dtype=$1)",
            [CALL_FULL] = "tf.fill($0, tf.cast($1, $2))",
            [CALL_CAST] = "tf.cast($0, $1)",
        },
};

void emit_tensorflow(const Pointwise *p, const EmitHeader *header, Text *out) {
  python_module(p, header, &tensorflow, out);
}
