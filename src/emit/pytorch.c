/* PyTorch: in the inputs' type, at least float32; on the inputs' device. */
#include "emit/array.h"

static const Dialect pytorch = {
    .module = "torch",
    .import = "import torch",
    .is_torch = true,
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
