/* Which of the functions that are read stand in which module: math.softmax is none, and np.relu is an error where the
 * reference is run.
 *
 * And whose methods a value has, in a file that imports PyTorch and NumPy: x.std() divides by n - 1 in one and by n in
 * the other. */
#include <string.h>

#include "reference/internal.h"

/* Of PyTorch 2 and NumPy 2; "": methods of their tensors. */
static const struct {
  const char *module, *names;
} modules[] = {
    {"torch", "abs absolute acos acosh add addcdiv addcmul addmm all amax amin any arange arccos arccosh arcsin "
              "arcsinh arctan arctan2 arctanh argmax argmin "
              "as_tensor asarray asin asinh atan atan2 atanh baddbmm batch_norm binary_cross_entropy_with_logits "
              "bitwise_and bitwise_left_shift bitwise_not "
              "bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to cat ceil celu chunk clamp clamp_max "
              "clamp_min clip clone concat concatenate cos cosh "
              "cosine_similarity count_nonzero cummax cummin cumprod cumsum detach div divide dot dropout einsum "
              "embedding eq equal erf erfc erfinv exp exp2 expm1 "
              "eye fix flatten flip float_power floor floor_divide fmax fmin fmod frac from_numpy full full_like "
              "gather ge greater greater_equal group_norm gt "
              "hardshrink hstack hypot index_select inner is_floating_point isfinite isinf isnan isneginf isposinf "
              "kl_div layer_norm le lerp less less_equal lgamma "
              "log log10 log1p log2 log_softmax logaddexp logical_and logical_not logical_or logical_xor logit "
              "logsumexp lt masked_fill matmul max maximum mean min "
              "minimum mm moveaxis movedim mul multiply mv narrow ne neg negative norm not_equal numel ones ones_like "
              "outer permute pow prod ravel reciprocal relu "
              "remainder repeat_interleave reshape rms_norm round rsqrt selu sgn sigmoid sign sin sinh softmax split "
              "sqrt square squeeze stack std std_mean sub "
              "subtract sum swapaxes swapdims t take take_along_dim tan tanh tensor threshold transpose tril triu "
              "true_divide trunc unsqueeze var var_mean vdot where "
              "xlogy zeros zeros_like"},
    {"torch.nn.functional", "batch_norm binary_cross_entropy binary_cross_entropy_with_logits celu cosine_similarity "
                            "cross_entropy dropout elu embedding gelu glu group_norm "
                            "hardshrink hardsigmoid hardswish hardtanh huber_loss instance_norm kl_div l1_loss "
                            "layer_norm leaky_relu "
                            "linear log_softmax logsigmoid mish mse_loss nll_loss "
                            "normalize one_hot pad relu relu6 rms_norm scaled_dot_product_attention selu sigmoid silu "
                            "smooth_l1_loss softmax softmin softplus softshrink softsign tanh "
                            "tanhshrink threshold"},
    {"torch.special", "erf erfc erfinv exp2 expit expm1 gammaln log1p log_softmax logit logsumexp round softmax xlogy"},
    {"torch.linalg", "matmul norm vector_norm"},
    {"numpy", "abs absolute acos acosh add all amax amin any arange arccos arccosh arcsin arcsinh arctan arctan2 "
              "arctanh argmax argmin array asarray "
              "ascontiguousarray asin asinh astype atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not "
              "bitwise_or bitwise_right_shift bitwise_xor bool "
              "broadcast_to ceil clip concat concatenate copy cos cosh count_nonzero cumprod cumsum divide dot double "
              "einsum equal exp exp2 expand_dims expm1 eye "
              "fabs fix flip float32 float64 float_power floor floor_divide fmax fmin fmod full full_like greater "
              "greater_equal half hstack hypot inner int32 int64 "
              "isfinite isinf isnan isneginf isposinf less less_equal log log10 log1p log2 logaddexp logical_and "
              "logical_not logical_or logical_xor long matmul max "
              "maximum mean min minimum mod moveaxis multiply negative not_equal ones ones_like outer pow power prod "
              "ravel reciprocal remainder repeat reshape rint "
              "round short sign sin sinh size split sqrt square squeeze stack std subtract sum swapaxes take "
              "take_along_axis tan tanh transpose tril triu true_divide "
              "trunc var vdot where zeros zeros_like"},
    {"numpy.linalg", "matmul norm outer vector_norm"},
    {"math", "acos acosh asin asinh atan atan2 atanh ceil cos cosh erf erfc exp exp2 expm1 fabs floor fmod hypot "
             "isfinite isinf isnan lgamma log log10 log1p log2 "
             "pow prod remainder sin sinh sqrt tan tanh trunc"},
    {"scipy.special", "exp2 expit erf erfc erfinv expm1 gammaln log1p logit log_softmax logsumexp round softmax xlogy"},
    {"", "abs absolute acos acosh add addcdiv addcmul addmm all amax amin any arccos arccosh arcsin arcsinh arctan "
         "arctan2 arctanh argmax argmin asin asinh "
         "astype atan atan2 atanh baddbmm bfloat16 bitwise_and bitwise_left_shift bitwise_not bitwise_or "
         "bitwise_right_shift bitwise_xor bmm bool broadcast_to "
         "ceil chunk clamp clamp_max clamp_min clip clone contiguous copy cos cosh count_nonzero cpu cuda cummax "
         "cummin cumprod cumsum detach dim div divide dot "
         "double eq equal erf erfc erfinv exp exp2 expand expand_as expm1 fix flatten flip float float_power floor "
         "floor_divide fmax fmin fmod frac gather ge "
         "greater greater_equal gt half hardshrink hypot index_select inner int is_floating_point isfinite isinf isnan "
         "isneginf isposinf item le lerp less "
         "less_equal lgamma log log10 log1p log2 log_softmax logaddexp logical_and logical_not logical_or logical_xor "
         "logit logsumexp long lt masked_fill matmul "
         "max maximum mean min minimum mm moveaxis movedim mul multiply mv narrow ndimension ne neg negative norm "
         "not_equal numel numpy outer permute pow prod "
         "ravel reciprocal relu remainder repeat repeat_interleave requires_grad_ reshape round rsqrt sgn short "
         "sigmoid sign sin sinh size softmax split sqrt "
         "square squeeze std sub subtract sum swapaxes swapdims t take take_along_dim tan tanh to transpose tril triu "
         "true_divide trunc type type_as unsqueeze "
         "var vdot view where xlogy"},
};

const char *name_last_part(const char *text) {
  const char *dot = strrchr(text, '.');
  return dot ? dot + 1 : text;
}

static bool is_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

bool reference_module_has(const char *module, const char *name) {
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (!strcmp(modules[i].module, module)) return is_word(modules[i].names, name);
  return false;
}

bool reference_changes(const char *name) {
  return is_word("abs add addcdiv addcmul bitwise_and bitwise_or bitwise_xor ceil clamp clamp_max clamp_min clip cos "
                 "div divide erf exp exp2 expm1 floor fmod lerp log log1p log2 "
                 "masked_fill mul multiply neg negative pow reciprocal relu remainder round rsqrt sigmoid sin sqrt "
                 "square sub subtract tanh tril triu trunc xlogy",
                 name);
}

bool reference_is_known(const char *text) {
  const char *dot = strrchr(text, '.');
  char module[40];
  if (reference_is_module(text) || !strncmp(text, "builtins.", 9) || !strncmp(text, "dtype.", 6) ||
      !strcmp(text, "device"))
    return true;
  if (!dot || (size_t)(dot - text) >= sizeof module) return false;
  memcpy(module, text, (size_t)(dot - text));
  module[dot - text] = 0;
  bool has_types = !strcmp(module, "torch") || !strcmp(module, "numpy");
  return *module && ((has_types && reference_type_kind(text)) || reference_module_has(module, dot + 1));
}

bool reference_is_module(const char *text) {
  static const char *const others[] = {"torch.nn", "torch.fft", "scipy"};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (*text && !strcmp(modules[i].module, text)) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(others[i], text)) return true;
  return false;
}

/* ---- whose methods ---- */

const Value *value_of_library(Evaluator *e, const Value *v, ValueLibrary library) {
  if (!v || !e->has_both || (v->kind != VALUE_TENSOR && v->kind != VALUE_TUPLE) ||
      (v->kind == VALUE_TENSOR && v->library == library))
    return v;
  Value *own = arena_new(e->arena, Value);
  *own = *v, own->library = library;
  if (v->count) own->items = arena_array(e->arena, const Value *, v->count);
  for (uint32_t i = 0; i < v->count; i++) own->items[i] = value_of_library(e, v->items[i], library);
  return own;
}

/* Of values that meet. Numbers say nothing, nor do NumPy's beside something that has axes. */
typedef struct Libraries {
  bool has[3], has_number;
} Libraries;

static void add_library(Libraries *all, const Value *v) {
  if (v->kind == VALUE_TENSOR && !v->is_number)
    *(v->library == LIBRARY_ARRAY && !v->tensor->rank ? &all->has_number : &all->has[v->library]) = true;
  for (uint32_t i = 0; v->kind == VALUE_TUPLE && i < v->count; i++) add_library(all, v->items[i]);
}

static ValueLibrary library_of(Libraries all) {
  if (all.has[LIBRARY_EITHER] || (all.has[LIBRARY_FILE] && all.has[LIBRARY_ARRAY])) return LIBRARY_EITHER;
  return all.has[LIBRARY_ARRAY] || (all.has_number && !all.has[LIBRARY_FILE]) ? LIBRARY_ARRAY : LIBRARY_FILE;
}

ValueLibrary library_of_pair(const Value *a, const Value *b) {
  Libraries all = {0};
  add_library(&all, a), add_library(&all, b);
  return library_of(all);
}

ValueLibrary library_of_arguments(const Arguments *args) {
  Libraries all = {0};
  for (uint32_t i = 0; i < args->count; i++) add_library(&all, args->values[i]);
  return library_of(all);
}

/* Of a tensor of PyTorch some functions of NumPy make an array, and most a tensor. */
ValueLibrary library_of_function(Evaluator *e, const char *name, const Arguments *args) {
  Libraries all = {0};
  bool makes =
      e->has_both && (!strcmp(name, "asarray") || !strcmp(name, "array") || !strcmp(name, "ascontiguousarray"));
  for (uint32_t i = 0; i < args->count && !makes; i++) add_library(&all, args->values[i]);
  return all.has[LIBRARY_FILE] || all.has[LIBRARY_EITHER] ? LIBRARY_EITHER : LIBRARY_ARRAY;
}

/* A keyword that one of the libraries alone has. */
static bool has_keyword(const Arguments *args, const char *words) {
  for (uint32_t i = 0; i < args->count; i++)
    if (args->names[i] && is_word(words, args->names[i])) return true;
  return false;
}

bool method_is_numpy(Evaluator *e, const PyNode *n, const Value *method, const Arguments *args, bool *out) {
  ValueLibrary library = method->items[0]->library;
  bool has_no_axes = false;
  *out = e->is_numpy || library == LIBRARY_ARRAY || (library == LIBRARY_EITHER && has_keyword(args, "ddof"));
  if (library != LIBRARY_EITHER || *out || has_keyword(args, "dim keepdim unbiased")) return true;
  for (uint32_t i = 1; i < args->count; i++)
    has_no_axes |= args->values[i]->kind == VALUE_TUPLE && !args->values[i]->count;
  if (!has_no_axes && !is_word("std var take dot size repeat view", method->text) &&
      (args->count == 1 || !is_word("max min round transpose", method->text)))
    return true;
  return reference_fail(e, n, "reference.unsupported", "np.asarray(x) makes an array, torch.as_tensor(x) a tensor",
                        "%s, of what may be an array of NumPy or a tensor of PyTorch, is not read", method->text),
         false;
}
