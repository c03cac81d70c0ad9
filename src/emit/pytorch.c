/* PyTorch: in the inputs' type, at least float32; on the inputs' device. */
#include "emit/array.h"

static const Dialect pytorch = {
    .module = "torch",
    .import = "import torch",
    .is_torch = true,
    .functions =
        {[FN_EXP] = "exp",   [FN_LOG] = "log",       [FN_SIN] = "sin",       [FN_COS] = "cos",     [FN_TAN] = "tan",
         [FN_ASIN] = "asin", [FN_ACOS] = "acos",     [FN_ATAN] = "atan",     [FN_ATAN2] = "atan2", [FN_SINH] = "sinh",
         [FN_COSH] = "cosh", [FN_TANH] = "tanh",     [FN_ASINH] = "asinh",   [FN_ACOSH] = "acosh", [FN_ATANH] = "atanh",
         [FN_ERF] = "erf",   [FN_ERFINV] = "erfinv", [FN_LGAMMA] = "lgamma", [FN_POW] = "pow",     [FN_FMOD] = "fmod"},
    .reductions = {[FOLD_SUM] = "sum",
                   [FOLD_PROD] = "prod",
                   [FOLD_MAX] = "amax",
                   [FOLD_MIN] = "amin",
                   [FOLD_ANY] = "any",
                   [FOLD_ALL] = "all",
                   [FOLD_ARGMAX] = "argmax",
                   [FOLD_ARGMIN] = "argmin"},
};

void emit_pytorch(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &pytorch, out); }
