/* Which of the functions that are read stand in which module: math.softmax is none, and np.relu is an error where the reference is run. */
#include <string.h>

#include "reference/internal.h"

/* Of PyTorch 2 and NumPy 2; "": methods of their tensors. */
static const struct { const char *module, *names; } modules[] = {
    {"torch",
     "abs absolute acos acosh add addcdiv addcmul addmm all amax amin any arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin "
     "as_tensor asarray asin asinh atan atan2 atanh baddbmm batch_norm binary_cross_entropy_with_logits bmm broadcast_to cat ceil celu chunk clamp clamp_min "
     "clip clone concat concatenate cos cosh cosine_similarity count_nonzero cummax cummin cumprod cumsum detach div divide dot dropout einsum embedding eq "
     "equal erf erfc erfinv exp exp2 expm1 fix flatten flip float_power floor floor_divide fmax fmin fmod frac full full_like gather ge greater "
     "greater_equal group_norm gt hardshrink hstack hypot index_select inner isfinite isinf isnan isneginf isposinf kl_div layer_norm le lerp less "
     "less_equal lgamma log log10 log1p log2 log_softmax logaddexp logical_and logical_not logical_or logit logsumexp lt masked_fill matmul max maximum mean "
     "min minimum mm moveaxis movedim mul multiply mv narrow ne neg negative norm not_equal numel ones ones_like outer permute pow prod ravel reciprocal "
     "relu remainder repeat_interleave reshape rms_norm round rsqrt selu sgn sigmoid sign sin sinh softmax split sqrt square squeeze stack std std_mean sub "
     "subtract sum swapaxes swapdims t take take_along_dim tan tanh tensor threshold transpose tril triu true_divide trunc unsqueeze var var_mean vdot where "
     "xlogy zeros zeros_like"},
    {"torch.nn.functional",
     "batch_norm binary_cross_entropy binary_cross_entropy_with_logits celu cosine_similarity cross_entropy dropout elu embedding gelu glu group_norm "
     "hardshrink hardsigmoid hardswish hardtanh huber_loss kl_div l1_loss layer_norm leaky_relu linear log_softmax logsigmoid mish mse_loss nll_loss "
     "normalize one_hot relu relu6 rms_norm scaled_dot_product_attention selu sigmoid silu smooth_l1_loss softmax softmin softplus softshrink softsign tanh "
     "tanhshrink threshold"},
    {"torch.special",
     "erf erfc erfinv exp2 expit expm1 gammaln log1p log_softmax logit logsumexp round softmax xlogy"},
    {"torch.linalg",
     "matmul norm vector_norm"},
    {"numpy",
     "abs absolute acos acosh add all amax amin any arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin array asarray "
     "ascontiguousarray asin asinh astype atan atan2 atanh bool broadcast_to ceil clip concat concatenate copy cos cosh count_nonzero cumprod cumsum divide "
     "dot double einsum equal exp exp2 expand_dims expm1 fabs fix flip float32 float64 float_power floor floor_divide fmax fmin fmod full full_like greater "
     "greater_equal half hstack hypot inner int32 int64 isfinite isinf isnan isneginf isposinf less less_equal log log10 log1p log2 logaddexp logical_and "
     "logical_not logical_or long matmul max maximum mean min minimum mod moveaxis multiply negative not_equal ones ones_like outer pow power prod ravel "
     "reciprocal remainder repeat reshape rint round short sign sin sinh size split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis "
     "tan tanh transpose tril triu true_divide trunc var vdot where zeros zeros_like"},
    {"numpy.linalg",
     "matmul norm outer vector_norm"},
    {"math",
     "acos acosh asin asinh atan atan2 atanh ceil cos cosh erf erfc exp exp2 expm1 fabs floor fmod hypot isfinite isinf isnan lgamma log log10 log1p log2 "
     "pow prod remainder sin sinh sqrt tan tanh trunc"},
    {"scipy.special",
     "exp2 expit erf erfc erfinv expm1 gammaln log1p logit log_softmax logsumexp round softmax xlogy"},
    {"",
     "abs absolute acos acosh add addcdiv addcmul addmm all amax amin any arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin asin asinh "
     "astype atan atan2 atanh baddbmm bfloat16 bmm bool broadcast_to ceil chunk clamp clamp_min clip clone contiguous copy cos cosh count_nonzero cpu cuda "
     "cummax cummin cumprod cumsum detach dim div divide dot double eq equal erf erfc erfinv exp exp2 expand expand_as expm1 fix flatten flip float "
     "float_power floor floor_divide fmax fmin fmod frac gather ge greater greater_equal gt half hardshrink hypot index_select inner int isfinite isinf "
     "isnan isneginf isposinf item le lerp less less_equal lgamma log log10 log1p log2 log_softmax logaddexp logical_and logical_not logical_or logit "
     "logsumexp long lt masked_fill matmul max maximum mean min minimum mm moveaxis movedim mul multiply mv narrow ndimension ne neg negative norm not_equal "
     "numel outer permute pow prod ravel reciprocal relu remainder repeat repeat_interleave requires_grad_ reshape round rsqrt sgn short sigmoid sign sin "
     "sinh size softmax split sqrt square squeeze std sub subtract sum swapaxes swapdims t take take_along_dim tan tanh to transpose tril triu true_divide "
     "trunc type type_as unsqueeze var vdot view where xlogy"},
};

static bool is_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

bool reference_module_has(const char *module, const char *name) {
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) if (!strcmp(modules[i].module, module)) return is_word(modules[i].names, name);
  return false;
}

bool reference_is_known(const char *text) {
  const char *dot = strrchr(text, '.');
  char module[40];
  if (reference_is_module(text) || !strncmp(text, "builtins.", 9) || !strncmp(text, "dtype.", 6) || !strcmp(text, "device")) return true;
  if (!dot || (size_t)(dot - text) >= sizeof module) return false;
  memcpy(module, text, (size_t)(dot - text));
  module[dot - text] = 0;
  bool has_types = !strcmp(module, "torch") || !strcmp(module, "numpy");
  return *module && ((has_types && reference_type_kind(text)) || reference_module_has(module, dot + 1));
}

bool reference_is_module(const char *text) {
  static const char *const others[] = {"torch.nn", "torch.fft", "scipy"};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) if (*text && !strcmp(modules[i].module, text)) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) if (!strcmp(others[i], text)) return true;
  return false;
}
