/* What tells one array library from another: a row for each call, words, and small functions.
 *
 * A row is a template: `$0`, `$1`, .. are its arguments; one that a dot or a bracket follows gets parentheses where it
 * needs them. A row that is missing has a substitute (calls.def), or the operation has no code there. */
#ifndef ASSAY_EMIT_FRAMEWORK_H
#define ASSAY_EMIT_FRAMEWORK_H

#include "emit/array.h"

typedef enum Call {
#define CALL(call) CALL_##call,
#include "emit/calls.def"
#undef CALL
  CALL_COUNT
} Call;

typedef struct Framework {
  const char *name;                     /* of it, in messages: "NumPy" */
  const char *module, *import;          /* "np", "import numpy as np" */
  const char *decorator;                /* a line before the function */
  bool is_only_for_warnings;            /* the decorator: where an operation may warn */
  const char *inf, *nan;                /* numbers */
  const char *keepdims;                 /* ", keepdims=True" */
  const char *functions;                /* before the names of functions: "np." */
  bool has_torch_names;                 /* of functions; else those of NumPy (base/functions.def) */
  bool multiplies_integers;             /* matrices of them */
  bool has_numbers_last;                /* bits and masks: array & number, never number & array */
  const char *integer, *real, *boolean; /* types in which is computed */
  const char *types;                    /* before the names of other types */
  const char *const (*other_types)[2];  /* that are not called so: "f*" for all floats; up to a NULL */
  const char *calls[CALL_COUNT];
  const char *function[FN_COUNT]; /* that are called otherwise, with their arguments as $0, or have no code: "" */
  const char *const *helpers;     /* definitions of functions `_name` of the rows, up to a NULL */
} Framework;

/* Rows of libraries that have NumPy's names, under the module `m`. */
#define NUMPY_ROWS(m)                                                                                                  \
  [CALL_WHERE] = m ".where($0, $1, $2)", [CALL_PERMUTE] = m ".transpose($0, ($1))", [CALL_MATRIX_TRANSPOSE] = "$0.T",  \
  [CALL_CLIP] = m ".clip($0, 0, $1 - 1)", [CALL_FILLED] = "_filled($0)", [CALL_MAXIMUM] = m ".maximum($0, $1)",        \
  [CALL_MINIMUM] = m ".minimum($0, $1)", [CALL_ABS] = m ".abs($0)", [CALL_SQRT] = m ".sqrt($0)",                       \
  [CALL_FLOOR] = m ".floor($0)", [CALL_CEIL] = m ".ceil($0)", [CALL_TRUNC] = m ".trunc($0)",                           \
  [CALL_WHOLE] = "$0.astype(" m ".int64)", [CALL_IS_NAN] = m ".isnan($0)", [CALL_IS_INF] = m ".isposinf($0)",          \
  [CALL_IS_NEG_INF] = m ".isneginf($0)", [CALL_SUM] = m ".sum($0, axis=$1$2)", [CALL_PROD] = m ".prod($0, axis=$1$2)", \
  [CALL_MAX] = m ".max($0, axis=$1$2)", [CALL_MIN] = m ".min($0, axis=$1$2)", [CALL_ANY] = m ".any($0, axis=$1$2)",    \
  [CALL_ALL] = m ".all($0, axis=$1$2)", [CALL_LARGEST] = m ".max($0)", [CALL_SMALLEST] = m ".min($0)",                 \
  [CALL_SIZE] = "$0.size", [CALL_SUMS] = m ".cumsum($0, axis=$1)", [CALL_PRODUCTS] = m ".cumprod($0, axis=$1)",        \
  [CALL_WRAP] = "_wrap($0, $1)", [CALL_BROADCAST] = m ".broadcast_to($0, $1)", [CALL_CHUNKS] = "_chunks($0, $1, $2)",  \
  [CALL_FULL] = m ".full($0, $1, dtype=$2)", [CALL_ZEROS] = m ".zeros($0, dtype=$1)", [CALL_CAST] = "$0.astype($1)"

/* Definition of a helper that yields `range` for what CALL_CHUNKS asks; `device` is ", device" or nothing. */
#define HELPER_CHUNKS(device, range)                                                                                   \
  "def _chunks(start, stop, cells" device "):\n"                                                                       \
  "    \"\"\"The indices start..stop-1 in pieces, one at least, each bringing in so many cells per index: memory "     \
  "stays bounded.\"\"\"\n"                                                                                             \
  "    step = max(1, 2 ** 24 // max(1, cells))\n"                                                                      \
  "    for first in range(start, max(stop, start + 1), step):\n"                                                       \
  "        yield " range "\n"

/* Definition of a helper that makes `ones` of the shape where CALL_FILLED needs an element. */
#define HELPER_FILLED(ones)                                                                                            \
  "def _filled(x):\n"                                                                                                  \
  "    \"\"\"x; with an element of 1 along each axis that has none, for lanes that a mask leaves out.\"\"\"\n"         \
  "    shape = [max(int(n), 1) for n in x.shape]\n"                                                                    \
  "    return " ones " if 0 in x.shape else x\n"

extern const char helper_wrap[], helper_divide[], helper_sqrt[], helper_power[]; /* of numbers of Python */

void python_module(const Pointwise *p, const EmitHeader *header, const Framework *framework, Text *out);

#endif
