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
  bool has_torch_names;                 /* of functions; else those of NumPy (term/functions.def) */
  bool multiplies_integers;             /* matrices of them */
  bool has_numbers_last;                /* bits and masks: array & number, never number & array */
  const char *integer, *real, *boolean; /* types in which is computed */
  const char *types;                    /* before the names of other types */
  const char *const (*other_types)[2];  /* that are not called so: "f*" for all floats; up to a NULL */
  const char *calls[CALL_COUNT];
  const char *function[FN_COUNT]; /* that are called otherwise, with their arguments as $0, or have no code: "" */
  const char *const *helpers;     /* definitions of functions `_name` of the rows, up to a NULL */
} Framework;

extern const char helper_wrap[], helper_divide[], helper_sqrt[], helper_power[]; /* of numbers of Python */

void python_module(const Pointwise *p, const EmitHeader *header, const Framework *framework, Text *out);

#endif
