/* NumPy: everything in float64, integers in int64. */
#include "emit/array.h"

static const Dialect numpy = {
    .module = "np",
    .import = "import numpy as np",
    .functions = {[FN_EXP] = "exp",
                  [FN_LOG] = "log",
                  [FN_SIN] = "sin",
                  [FN_COS] = "cos",
                  [FN_TAN] = "tan",
                  [FN_ASIN] = "arcsin",
                  [FN_ACOS] = "arccos",
                  [FN_ATAN] = "arctan",
                  [FN_ATAN2] = "arctan2",
                  [FN_SINH] = "sinh",
                  [FN_COSH] = "cosh",
                  [FN_TANH] = "tanh",
                  [FN_ASINH] = "arcsinh",
                  [FN_ACOSH] = "arccosh",
                  [FN_ATANH] = "arctanh",
                  [FN_POW] = "power",
                  [FN_FMOD] = "fmod"},
    .reductions = {[FOLD_SUM] = "sum",
                   [FOLD_PROD] = "prod",
                   [FOLD_MAX] = "max",
                   [FOLD_MIN] = "min",
                   [FOLD_ANY] = "any",
                   [FOLD_ALL] = "all",
                   [FOLD_XOR] = "bitwise_xor.reduce",
                   [FOLD_ARGMAX] = "argmax",
                   [FOLD_ARGMIN] = "argmin"},
};

void emit_numpy(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &numpy, out); }
