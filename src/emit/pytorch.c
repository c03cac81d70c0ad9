/* PyTorch: in the inputs' type, at least float32; on the inputs' device. */
#include "emit/framework.h"

static const char *const types[][2] = {{"i1", "torch.bool"}, {NULL, NULL}};

static const char *const helpers[] = {
    helper_wrap,
    "def _xor(x, dim):\n"
    "    result = torch.zeros_like(x.sum(dim))\n"
    "    for part in x.unbind(dim):\n"
    "        result = result ^ part\n"
    "    return result\n",
    "def _largest(x, dim, keepdim=False):\n"
    "    \"\"\"The largest along dim; of nothing, -inf.\"\"\"\n"
    "    if 0 in (x.shape[d] for d in dim):\n"
    "        return torch.full_like(x.sum(dim, keepdim=keepdim), -torch.inf)\n"
    "    return x.amax(dim, keepdim=keepdim)\n",
    "def _smallest(x, dim, keepdim=False):\n"
    "    \"\"\"The smallest along dim; of nothing, inf.\"\"\"\n"
    "    if 0 in (x.shape[d] for d in dim):\n"
    "        return torch.full_like(x.sum(dim, keepdim=keepdim), torch.inf)\n"
    "    return x.amin(dim, keepdim=keepdim)\n",
    "def _divide(x, y):\n"
    "    \"\"\"x / y of numbers, also where y is 0.\"\"\"\n"
    "    return (torch.as_tensor(x, dtype=torch.float64) / y).item()\n",
    "def _sqrt(x):\n"
    "    \"\"\"The root of a number, nan where it is negative.\"\"\"\n"
    "    return torch.as_tensor(x, dtype=torch.float64).sqrt().item()\n",
    "def _power(x, exponent):\n"
    "    return (torch.as_tensor(x, dtype=torch.float64) ** exponent).item()\n",
    HELPER_FILLED("x.new_ones(shape)"),
    HELPER_CHUNKS(", device", "torch.arange(first, min(first + step, stop), device=device)"),
    NULL,
};

static const Framework pytorch = {
    .name = "PyTorch",
    .module = "torch",
    .import = "import torch",
    .inf = "torch.inf",
    .nan = "torch.nan",
    .keepdims = ", keepdim=True",
    .functions = "torch.",
    .has_torch_names = true,
    .integer = "torch.int64",
    .real = "dtype",
    .boolean = "torch.bool",
    .types = "torch.",
    .other_types = types,
    .helpers = helpers,
    .calls =
        {
            [CALL_WHERE] = "torch.where($0, $1, $2)",
            [CALL_WHERE_REALS] = "torch.where($0, $1, $2).to(dtype)",
            [CALL_MASK] = "torch.tensor($0)",
            [CALL_RANGE] = "torch.arange($0, device=device)",
            [CALL_PERMUTE] = "torch.permute($0, ($1))",
            [CALL_MATRIX_TRANSPOSE] = "$0.T",
            [CALL_CLIP] = "torch.clamp($0, 0, $1 - 1)",
            [CALL_FILLED] = "_filled($0)",
            [CALL_MAXIMUM] = "torch.maximum($0, $1)",
            [CALL_MINIMUM] = "torch.minimum($0, $1)",
            [CALL_MAXIMUM_NUMBER] = "torch.clamp($0, min=$1)",
            [CALL_MINIMUM_NUMBER] = "torch.clamp($0, max=$1)",
            [CALL_ABS] = "torch.abs($0)",
            [CALL_SQRT] = "torch.sqrt($0)",
            [CALL_FLOOR] = "torch.floor($0)",
            [CALL_CEIL] = "torch.ceil($0)",
            [CALL_TRUNC] = "torch.trunc($0)",
            [CALL_ROUND] = "torch.round($0)",
            [CALL_TRUNCDIV] = "torch.div($0, $1, rounding_mode=\"trunc\")",
            [CALL_WHOLE] = "$0.to(torch.int64)",
            [CALL_IS_NAN] = "torch.isnan($0)",
            [CALL_IS_INF] = "torch.isposinf($0)",
            [CALL_IS_NEG_INF] = "torch.isneginf($0)",
            [CALL_SUM] = "torch.sum($0, dim=$1$2)",
            [CALL_PROD] = "torch.prod($0, dim=$1)",
            [CALL_MAX] = "torch.amax($0, dim=$1$2)",
            [CALL_MIN] = "torch.amin($0, dim=$1$2)",
            [CALL_ANY] = "torch.any($0, dim=$1$2)",
            [CALL_ALL] = "torch.all($0, dim=$1$2)",
            [CALL_XOR] = "_xor($0, $1)",
            [CALL_ARGMAX] = "torch.argmax($0, dim=$1)",
            [CALL_ARGMIN] = "torch.argmin($0, dim=$1)",
            [CALL_MAX_OR_NONE] = "_largest($0, $3$2)",
            [CALL_MIN_OR_NONE] = "_smallest($0, $3$2)",
            [CALL_LARGEST] = "torch.max($0)",
            [CALL_SMALLEST] = "torch.min($0)",
            [CALL_SIZE] = "$0.numel()",
            [CALL_SUMS] = "torch.cumsum($0, dim=$1)",
            [CALL_PRODUCTS] = "torch.cumprod($0, dim=$1)",
            [CALL_MAXIMA] = "torch.cummax($0, dim=$1).values",
            [CALL_MINIMA] = "torch.cummin($0, dim=$1).values",
            [CALL_EINSUM] = "torch.einsum($0, $1)",
            [CALL_NUMBER] = "torch.tensor($0, dtype=torch.float64)",
            [CALL_DIVIDE_NUMBERS] = "_divide($0, $1)",
            [CALL_SQRT_NUMBER] = "_sqrt($0)",
            [CALL_POWER_NUMBER] = "_power($0, $1)",
            [CALL_WRAP] = "_wrap($0, $1)",
            [CALL_BROADCAST] = "torch.broadcast_to($0, $1)",
            [CALL_RESHAPE] = "$0.reshape($1)",
            [CALL_CHUNKS] = "_chunks($0, $1, $2, device)",
            [CALL_START] = "torch.full($0, $1, device=device)",
            [CALL_START_NUMBER] = "torch.full($0, $1, device=device)",
            [CALL_STATE] = "torch.broadcast_to(torch.as_tensor($0, device=device), $1).clone()",
            [CALL_STATE_REAL] = "torch.broadcast_to(torch.as_tensor($0, dtype=dtype, device=device), $1).clone()",
            [CALL_FROM_INT] = "$0.to(torch.int64)",
            [CALL_FROM_BYTE] = "$0.to(torch.int8).to(torch.int64)",
            [CALL_FROM_BOOL] = "$0.to(torch.bool)",
            [CALL_FROM_REAL] = "$0.to(dtype)",
            [CALL_PROMOTE] = "torch.promote_types($0, $1)",
            [CALL_ZEROS] = "torch.zeros($0, dtype=$1, device=device)",
            [CALL_FULL] = "torch.full($0, $1, dtype=$2, device=device)",
            [CALL_CAST] = "$0.to($1)",
            [CALL_CAST_COPY] = "$0.to($1).clone()",
        },
};

void emit_pytorch(const Pointwise *p, const EmitHeader *header, Text *out) { python_module(p, header, &pytorch, out); }
