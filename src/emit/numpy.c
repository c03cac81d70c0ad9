/* NumPy: everything in float64, integers in int64. */
#include "emit/array.h"

static const Dialect numpy = {
    .module = "np",
    .import = "import numpy as np",
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
