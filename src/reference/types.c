/* Types of elements: what a value holds, casts, and x.dtype.
 *
 * A tensor expression knows numbers over the reals, integers and truth values by what they are; a type is how they are
 * kept. Whole numbers may be kept as real ones (x.floor(), i.float(), 2.0), and one byte may be an integer or a truth
 * value: `type` of a value says so where the sort of its elements does not. The types of results are found here for all
 * calls: that of the arguments together, unless the function has its own. */
#include <string.h>

#include "reference/internal.h"

typedef const TensorExpr *Expr;

/* ---- what a value holds ---- */

char value_type(const Value *v) {
  if (!v || v->kind != VALUE_TENSOR) return 0;
  if (v->tensor->sort == SORT_BOOL) return 'b';
  return v->type ? v->type : v->tensor->sort == SORT_REAL ? 'f' : 'i';
}

const Value *value_typed(Evaluator *e, const Value *v, char type) {
  if (!v || !type || v->type == type) return v;
  Value *typed = arena_new(e->arena, Value);
  *typed = *v;
  if (v->kind == VALUE_TENSOR && v->tensor->sort != SORT_BOOL) typed->type = type;
  if (v->kind == VALUE_TUPLE) {
    typed->items = arena_array(e->arena, const Value *, v->count + 1);
    for (uint32_t i = 0; i < v->count; i++)
      typed->items[i] = v->items[i] && !v->items[i]->type ? value_typed(e, v->items[i], type) : v->items[i];
  }
  return typed;
}

const Value *value_like(Evaluator *e, const Value *v, const Value *of) {
  if (!v || v->kind != VALUE_TENSOR || of->kind != VALUE_TENSOR) return v;
  Value *like = arena_new(e->arena, Value);
  *like = *v, like->library = of->library;
  if (v->tensor->sort != SORT_BOOL) like->type = value_type(of), like->dtype = of->dtype;
  return like;
}

char type_of_both(char a, char b) {
  if (!a || !b) return a ? a : b;
  static const char from_least[] = "b?nif";
  return strchr(from_least, a) > strchr(from_least, b) ? a : b;
}

/* Of values that meet: the types of tensors, of those of rank 0, which give way to them, and of numbers, which give way
 * to both. */
typedef struct Types {
  char strong, middle, weak;
} Types;

static void add_types(Types *types, const Value *v) {
  bool yields = v && value_yields(v);
  char *type = !yields ? &types->strong : v->is_number ? &types->weak : &types->middle;
  *type = type_of_both(*type, value_type(v));
  for (uint32_t i = 0; v && v->kind == VALUE_TUPLE && i < v->count; i++) add_types(types, v->items[i]);
}

static int kind_of(char type) { return type == 'f' ? 2 : type != 'b'; }

static char type_beside(char weak, char strong) {
  if (!strong || !weak) return strong ? strong : weak;
  return kind_of(weak) > kind_of(strong) ? weak : strong;
}

static char type_of_types(Types t) { return type_beside(type_beside(t.weak, t.middle), t.strong); }

static char type_of_all(const Value *v) {
  Types types = {0};
  add_types(&types, v);
  return type_of_types(types);
}

char type_of_pair(const Value *a, const Value *b) {
  Types types = {0};
  add_types(&types, a), add_types(&types, b);
  return type_of_types(types);
}

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}
#define IS_AMONG(name, names) is_among(name, names, sizeof names / sizeof *names)

static bool is_of(const LibraryFunction *table, const char *name) {
  for (; table->name; table++)
    if (table->name == name) return true;
  return false;
}

/* Functions whose results are integers for integers; others of elementwise.c make real numbers of them. */
static bool keeps_integers(const Call *c) {
  static const char *const names[] = {"abs",
                                      "absolute",
                                      "floor",
                                      "ceil",
                                      "round",
                                      "rint",
                                      "trunc",
                                      "fix",
                                      "neg",
                                      "negative",
                                      "square",
                                      "sign",
                                      "sgn",
                                      "multiply",
                                      "mul",
                                      "maximum",
                                      "fmax",
                                      "minimum",
                                      "fmin",
                                      "floor_divide",
                                      "remainder",
                                      "mod",
                                      "add",
                                      "sub",
                                      "subtract",
                                      "pow",
                                      "power",
                                      "fmod",
                                      "where",
                                      "masked_fill",
                                      "clamp",
                                      "clip",
                                      "clamp_min",
                                      "clamp_max",
                                      "bitwise_and",
                                      "bitwise_or",
                                      "bitwise_xor",
                                      "bitwise_not",
                                      "bitwise_left_shift",
                                      "bitwise_right_shift",
                                      "addcmul",
                                      "relu",
                                      "relu6",
                                      "hardtanh",
                                      "threshold",
                                      "frac",
                                      "dropout"};
  bool by_mode = (!strcmp(c->name, "div") || !strcmp(c->name, "divide")) && has(c, 2);
  return by_mode || IS_AMONG(c->name, names);
}

static bool is_real_result(const Call *c) {
  static const char *const reductions[] = {"mean",      "var",     "std",         "var_mean",
                                           "std_mean",  "norm",    "linalg_norm", "vector_norm",
                                           "logsumexp", "softmax", "log_softmax", "softmin"};
  static const char *const made[] = {"float", "float32", "float64", "scaled_dot_product_attention"};
  if (is_of(reference_elementwise, c->name)) return !keeps_integers(c);
  if (is_of(reference_layers, c->name)) return strcmp(c->name, "embedding");
  bool is_filled = !strcmp(c->name, "zeros") || !strcmp(c->name, "ones") || !strcmp(c->name, "eye");
  return is_filled ? !c->dtype : IS_AMONG(c->name, reductions) || IS_AMONG(c->name, made);
}

/* Functions whose results may be larger than their arguments. */
static bool is_arithmetic(const Call *c) {
  static const char *const names[] = {"abs",    "absolute", "neg",      "negative", "square", "multiply", "mul",
                                      "add",    "sub",      "subtract", "pow",      "power",  "addcmul",  "div",
                                      "divide", "fmod",     "sum",      "prod",     "cumsum", "cumprod"};
  return IS_AMONG(c->name, names) || is_of(reference_linear, c->name);
}

/* Layers and means of integers are errors, or cut numbers beside them to integers. */
static bool is_of_integers(const Call *c, Types types) {
  static const char *const reals[] = {"mean",        "var",         "std",     "var_mean",    "std_mean", "norm",
                                      "linalg_norm", "vector_norm", "softmax", "log_softmax", "softmin"};
  static const char *const of_integers[] = {"embedding", "one_hot"};
  if (!types.strong || types.strong == 'f' || c->is_numpy || c->dtype) return false;
  if (is_of(reference_linear, c->name)) return types.weak == 'f';
  return IS_AMONG(c->name, reals) || (is_of(reference_layers, c->name) && !IS_AMONG(c->name, of_integers));
}

/* Whether elements of the result may be those of the argument i: indices, and tensors that give a shape, are none. */
static bool gives_elements(const Call *c, uint32_t i) {
  static const char *const of_first[] = {"masked_fill",     "zeros_like",     "ones_like",    "full_like",
                                         "expand_as",       "relu",           "relu6",        "gather",
                                         "take_along_axis", "take_along_dim", "index_select", "take"};
  return !strcmp(c->name, "embedding") ? i == 1 : !i || !IS_AMONG(c->name, of_first);
}

/* The result of a call with the type of its elements: that of its arguments together, unless the function or its dtype
 * says another. */
const Value *call_typed(Call *c, const Value *result) {
  static const char *const integers[] = {"argmax",     "argmin", "size",          "numel",  "dim",
                                         "ndimension", "len",    "count_nonzero", "one_hot"};
  static const char *const sums[] = {"sum", "prod", "cumsum", "cumprod"};
  if (!result || c->e->is_formula) return result;
  if (result->kind == VALUE_TENSOR && result->type) return result;
  Types types = {0};
  for (uint32_t i = 0; i < CALL_MAX_ARGS; i++) {
    if (gives_elements(c, i)) add_types(&types, c->args[i]);
    if (i < c->extra_count) add_types(&types, c->extra[i]);
  }
  char type = type_of_types(types);
  if (is_of_integers(c, types))
    return call_fail(c, "convert them first: x.float()", "%s of integers is not read", c->name);
  if (IS_AMONG(c->name, integers))
    type = 'i';
  else if (is_real_result(c))
    type = 'f';
  else if (type_is_narrow(type) && IS_AMONG(c->name, sums))
    type = 'i'; /* of 64 bits */
  if (c->is_numpy && !strcmp(c->name, "rint")) type = 'f';
  if (c->is_math && (!strcmp(c->name, "floor") || !strcmp(c->name, "ceil") || !strcmp(c->name, "trunc"))) type = 'i';
  result = value_typed(c->e, result, type == 'b' ? 'i' : type);
  for (uint32_t i = 0; type_is_narrow(type) && is_of(reference_elementwise, c->name) && i < CALL_MAX_ARGS; i++)
    if (c->args[i] && !narrow_beside(c->e, c->node, c->args[i], result)) return NULL;
  return !is_arithmetic(c) || integers_fit(c->e, c->node, c->name, result) ? result : NULL;
}

/* ---- names of types ---- */

/* x.dtype is "dtype." and what is known of it: "float" and "int" are any type of that kind, "=float32" that type, "?"
 * one of less than 32 bits. */
static const char *type_of(const Value *v) {
  if (v->kind != VALUE_NAME) return NULL;
  return !strncmp(v->text, "dtype.", 6)                                     ? v->text + 6
         : !strncmp(v->text, "torch.", 6) || !strncmp(v->text, "numpy.", 6) ? v->text + 6
                                                                            : NULL;
}

/* "float32", "dtype.=float32", "torch.float32" */
static const char *bare_name(const char *text) {
  const char *dot = strrchr(text, '.');
  if (dot) text = dot + 1;
  return *text == '=' ? text + 1 : text;
}

char reference_type_kind(const char *type) {
  type = bare_name(type);
  static const char *const reals[] = {"float", "float16", "float32", "float64", "bfloat16", "half", "double"};
  static const char *const integers[] = {"int",    "int8",   "int16",  "int32", "int64", "uint8",
                                         "uint16", "uint32", "uint64", "short", "long",  "?"};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    if (!strcmp(reals[i], type)) return 'f';
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
    if (!strcmp(integers[i], type)) return 'i';
  return !strcmp(type, "bool") ? 'b' : 0;
}

/* Names of one type: those of PyTorch that have two. */
static const char *one_name(const char *type) {
  static const char *const same[][2] = {
      {"half", "float16"}, {"double", "float64"}, {"short", "int16"}, {"long", "int64"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (!strcmp(same[i][0], type)) return same[i][1];
  return type;
}

/* 1 if these types are one, 0 if they are two. -1: it is not known. An integer of no known width may hold truth
 * values. */
int reference_compare_types(const Value *a, const Value *b) {
  const char *x = type_of(a), *y = type_of(b);
  if (x && y && strncmp(a->text, b->text, 5) && strncmp(a->text, "dtype", 5) && strncmp(b->text, "dtype", 5))
    return -1; /* of PyTorch and of NumPy */
  bool known_x = strncmp(a->text, "dtype.", 6), known_y = strncmp(b->text, "dtype.", 6);
  if (!x || !y) return -1;
  if (!strncmp(x, "=", 1)) x++, known_x = true;
  if (!strncmp(y, "=", 1)) y++, known_y = true;
  if (known_x && !strcmp(x, "float")) x = "float32"; /* torch.float, torch.int */
  if (known_y && !strcmp(y, "float")) y = "float32";
  if (known_x && !strcmp(x, "int")) x = "int32";
  if (known_y && !strcmp(y, "int")) y = "int32";
  char p = reference_type_kind(x), q = reference_type_kind(y);
  if (!p || !q) return -1;
  if (*x == '?' || *y == '?') return p == q ? -1 : p == 'f' || q == 'f' ? 0 : -1;
  if (known_x && known_y) return !strcmp(one_name(x), one_name(y));
  if (p == 'f' || q == 'f') return p == q ? -1 : 0;
  return p == 'b' && q == 'b' ? 1 : -1;
}

/* ---- casts ---- */

/* True if x is at most the limit (side 1), or at least the limit (side -1), by minimum and maximum alone. */
static bool is_limited(Evaluator *e, Expr x, int side, int64_t limit) {
  bool either = x->op == (side > 0 ? TENSOR_MINIMUM : TENSOR_MAXIMUM),
       both = x->op == (side > 0 ? TENSOR_MAXIMUM : TENSOR_MINIMUM);
  if (x->op == TENSOR_CONST)
    return term_is_rat(e->tt, x->value) && (side > 0 ? term_prove_le(e->tt, x->value, term_int(e->tt, limit))
                                                     : term_prove_le(e->tt, term_int(e->tt, limit), x->value));
  if (x->op == TENSOR_WHERE) return is_limited(e, x->args[1], side, limit) && is_limited(e, x->args[2], side, limit);
  if (x->op == TENSOR_ROUND || x->op == TENSOR_TRUNC || x->op == TENSOR_FLOOR || x->op == TENSOR_CEIL ||
      x->op == TENSOR_SLICE || x->op == TENSOR_RESHAPE || x->op == TENSOR_TRANSPOSE || x->op == TENSOR_EXPAND ||
      x->op == TENSOR_SQUEEZE || x->op == TENSOR_BROADCAST)
    return is_limited(e, x->args[0], side, limit);
  for (uint32_t i = 0; i < x->count && (either || both); i++)
    if (is_limited(e, x->args[i], side, limit) == either) return either;
  return both;
}

static int narrow_bits(const char *dtype) {
  if (strstr(dtype, "16") || !strcmp(dtype, "short")) return 16;
  return strchr(dtype, '8') || !strcmp(dtype, "byte") || !strcmp(dtype, "char") ? 8 : 0;
}

/* Integers cut to a few bits: x mod 2^bits, or the same from -2^(bits - 1) on. */
static Expr narrowed(Call *c, Expr x, const char *dtype) {
  bool is_unsigned = dtype[0] == 'u' || !strcmp(dtype, "byte");
  int bits = narrow_bits(dtype);
  if (!bits) return x;
  int64_t least = is_unsigned ? 0 : -((int64_t)1 << (bits - 1)), greatest = least + ((int64_t)1 << bits) - 1;
  if (is_limited(c->e, x, 1, greatest) && is_limited(c->e, x, -1, least)) return x;
  Expr half = tensor_of_int(c->e, is_unsigned ? 0 : (int64_t)1 << (bits - 1));
  return op2(c->e, TENSOR_SUB,
             op2(c->e, TENSOR_MOD, op2(c->e, TENSOR_ADD, x, half), tensor_of_int(c->e, (int64_t)1 << bits)), half);
}

static bool is_wide(const char *dtype) {
  return strstr(dtype, "64") || !strcmp(dtype, "long") || strstr(dtype, "intp") || !strcmp(dtype, "int_");
}

/* Whole numbers x of v, made integers of 32 or 64 bits: true if they may be too large, or below 0 where there is no
 * sign. */
static bool may_not_fit(Call *c, const Value *v, Expr x, const char *dtype) {
  char type = value_type(v);
  const int64_t most = INT32_MAX;
  bool is_unsigned = dtype[0] == 'u';
  if (v->is_number || type == 'b' || x->place >= TENSOR_PLACE_INDEX) return false;
  if (type != 'f' && !is_unsigned && (is_wide(dtype) || type_is_narrow(type))) return false;
  if (type != 'f' && narrow_bits(dtype)) return false; /* the wrap is read */
  return !is_limited(c->e, x, 1, most) || !is_limited(c->e, x, -1, is_unsigned ? 0 : -most - 1);
}

/* "float32" of torch.float, "dtype.=float32", "half"; NULL if the name leaves it open. */
static const char *known_name(const char *text) {
  const char *name = one_name(bare_name(text));
  if (!strncmp(text, "builtins.", 9) || !strcmp(text, "dtype.float") || !strcmp(text, "dtype.int")) return NULL;
  return !strcmp(name, "float") ? "float32" : !strcmp(name, "int") ? "int32" : name;
}

/* NULL without a word if that is no type. */
const Value *reference_cast(Call *c, const Value *v, const char *text) {
  static const char *const integers[] = {"int8",   "int16",  "int32",  "int64", "int",  "long", "short", "uint8",
                                         "uint16", "uint32", "uint64", "byte",  "char", "intp", "int_"};
  static const char *const reals[] = {"float",   "double",  "half",   "bfloat16", "float16",
                                      "float32", "float64", "float_", "tf32"};
  const char *dtype = bare_name(text);
  Expr x = v->tensor;
  bool of_module = !strncmp(text, "torch.", 6) || !strncmp(text, "numpy.", 6) || !strncmp(text, "builtins.", 9) ||
                   !strncmp(text, "dtype.", 6);
  if (strchr(text, '.') && (!of_module || strchr(text, '.') != strrchr(text, '.'))) return NULL;
  bool is_real = IS_AMONG(dtype, reals), is_integer = IS_AMONG(dtype, integers);
  if (!strcmp(dtype, "bool") || !strcmp(dtype, "bool_")) return call_result(c, tensor_truth(c->e, x));
  if (!strcmp(dtype, "?"))
    return call_fail(c, "name the type", "a conversion to a type of one or two bytes that is not known");
  if (!is_real && !is_integer) return NULL;
  Expr result = is_real                ? tensor_number(c->e, x)
                : x->sort == SORT_REAL ? number_jump(c->e, c->node, TENSOR_TRUNC, v)
                                       : tensor_number(c->e, x);
  c->e->r->is_wide |= is_integer && is_wide(dtype);
  if (is_integer && result) c->e->r->may_wrap |= may_not_fit(c, v, result, dtype), result = narrowed(c, result, dtype);
  Value *cast = (Value *)call_result(c, result);
  if (!cast) return NULL;
  cast->type = is_real ? 'f' : narrow_bits(dtype) ? 'n' : 'i', cast->dtype = known_name(text);
  if (is_real && (!cast->dtype || strcmp(cast->dtype, "float32") != 0))
    c->e->has_other_reals |= !v->is_number || strcmp(text, "float") != 0;
  if (is_real && (!cast->dtype || !strcmp(cast->dtype, "float64")))
    c->e->has_double |= strcmp(text, "dtype.float") != 0;
  return cast;
}

/* What x.dtype is. */
const char *reference_type_text(Evaluator *e, const Value *v) {
  char type = value_type(v);
  if (type_is_narrow(type) && (!v->dtype || !strcmp(v->dtype, "?"))) return "dtype.?";
  if (v->dtype) return arena_format(e->arena, "dtype.=%s", v->dtype);
  return type == 'f' ? "dtype.float" : type == 'i' ? "dtype.int" : "dtype.bool";
}

/* x.to(dtype), x.to(device), x.to(another tensor), x.type(dtype), x.astype(dtype) */
static const Value *convert(Call *c) {
  const Value *x = tensor_arg(c, 0) ? c->args[0] : NULL;
  for (uint32_t i = 1; x && i < 3; i++) {
    const Value *v = c->args[i];
    if (v && v->kind == VALUE_TENSOR && !strncmp(c->name, "to", 2))
      return reference_cast(c, x, reference_type_text(c->e, v));
    if (!v || (v->kind != VALUE_NAME && v->kind != VALUE_STRING)) continue;
    const Value *result = reference_cast(c, x, v->text);
    if (result || c->e->r->diagnostics->error_count > c->errors) return result;
    if (v->kind == VALUE_NAME && !reference_is_known(v->text) && strncmp(v->text, "torch.", 6))
      return call_fail(c, NULL, "what %s is, is not known", v->text);
    bool is_text = v->kind == VALUE_STRING && (c->is_numpy || strcmp(c->name, "to")),
         is_type = is_text || !strncmp(v->text, "torch.", 6) || !strncmp(v->text, "numpy.", 6);
    if (is_type && !strstr(v->text, "float8") && !strstr(v->text, "format") && !strstr(v->text, "device"))
      return call_fail(c, NULL, "the type %s is not read", v->text);
  }
  return x ? value_like(c->e, value_tensor(c->e, x->tensor), x) : NULL; /* a device */
}

/* input, other */
static const Value *type_as(Call *c) {
  return tensor_arg(c, 0) && tensor_arg(c, 1) ? reference_cast(c, c->args[0], reference_type_text(c->e, c->args[1]))
                                              : NULL;
}

/* What the argument `dtype` makes of a result: creation is of that type; a sum would be of other summands. */
const Value *reference_as_type(Call *c, const Value *result) {
  static const char *const made[] = {"zeros",  "ones",   "eye",   "full",    "empty",
                                     "arange", "tensor", "array", "asarray", "as_tensor"};
  const char *text =
                 c->dtype && (c->dtype->kind == VALUE_NAME || c->dtype->kind == VALUE_STRING) ? c->dtype->text : NULL,
             *dtype = text ? bare_name(text) : "";
  if (c->dtype && !text && c->dtype->kind != VALUE_NONE && !c->e->is_formula)
    return call_fail(c, NULL, "this dtype of %s is not read", c->name);
  if (!text || !result || result->kind != VALUE_TENSOR || c->e->is_formula) return result;
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    if (!strncmp(c->name, made[i], strlen(made[i]))) return reference_cast(c, result, text);
  if (is_of(reference_casts, c->name)) return result;
  if (reference_type_kind(dtype) == 'f' || strstr(dtype, "float8"))
    return result->tensor->sort == SORT_BOOL
               ? call_fail(c, "convert its result", "%s with dtype=%s is not read", c->name, dtype)
               : reference_cast(c, result, text);
  bool is_truth = strstr(dtype, "bool") != NULL,
       is_narrow = strchr(dtype, '8') || strstr(dtype, "16") || strchr(dtype, '?') || !strcmp(dtype, "short");
  c->e->r->is_wide |= is_wide(dtype);
  if (is_truth ? result->tensor->sort == SORT_BOOL
               : result->tensor->sort == SORT_INT && !is_narrow && type_of_all(c->args[0]) != 'f')
    return result;
  return call_fail(c, "convert its argument, or its result", "%s with dtype=%s is not read", c->name, dtype);
}

static const Value *cast_by_name(Call *c) { return tensor_arg(c, 0) ? reference_cast(c, c->args[0], c->name) : NULL; }

#define X "input|x|a|self|tensor"
const LibraryFunction reference_casts[] = {{"to", convert, X ",dtype|other,!device,!copy,!non_blocking"},
                                           {"type", convert, X ",dtype"},
                                           {"astype", convert, X ",dtype,!copy"},
                                           {"type_as", type_as, X ",other"},
                                           {"half", cast_by_name, X},
                                           {"double", cast_by_name, X},
                                           {"bfloat16", cast_by_name, X},
                                           {"long", cast_by_name, X},
                                           {"short", cast_by_name, X},
                                           {NULL, NULL, NULL}};
