/* Expressions of references: names, numbers, operators, attributes. */
#include <math.h>
#include <string.h>

#include "read/formula/formula.h"
#include "reference/internal.h"

enum { MAX_STEPS = 100000, MAX_NESTING = 6000 };

/* ---- names ---- */

const Value *scope_own(const Scope *scope, const char *name) {
  for (uint32_t i = scope->count; i-- > 0;)
    if (!strcmp(scope->data[i].name, name)) return scope->data[i].value;
  return NULL;
}

const Value *scope_find(Evaluator *e, const char *name) {
  const Value *v = NULL;
  for (const Scope *scope = e->locals; scope && !v; scope = scope->around) v = scope_own(scope, name);
  return v ? v : scope_own(&e->globals, name);
}

/* True if the statement, or target, gives that name a value in its function. */
static bool gives_value(const PyNode *n, const char *name) {
  if (n->kind == PY_DEF) return !strcmp(n->text, name);
  if (n->kind == PY_IMPORT) return !strcmp(n->ops[0], name);
  bool is_target = n->kind == PY_NAME || n->kind == PY_TUPLE || n->kind == PY_LIST || n->kind == PY_STAR;
  if (n->kind == PY_NAME) return !strcmp(n->text, name);
  uint32_t begin = 0, end = n->count, by = 1;
  switch (n->kind) {
  case PY_ASSIGN: end = n->count - 1; break;
  case PY_AUGMENTED: end = 1; break;
  case PY_FOR: by = 2; break; /* its target and block; its `else` is refused */
  case PY_WITH: begin = 1, by = 2; break;
  case PY_IF:
  case PY_WHILE: begin = 1; break;
  default:
    if (n->kind != PY_BLOCK && !is_target) return false;
  }
  for (uint32_t i = begin; i < end; i += by)
    if (gives_value(n->args[i], name)) return true;
  return n->kind == PY_WITH && gives_value(n->args[n->count - 1], name);
}

/* A name in a function: its own, or those around it. NULL and a diagnostic, or without one if there is none. */
static const Value *find_local(Evaluator *e, const PyNode *n) {
  for (const Scope *scope = e->locals; scope; scope = scope->around) {
    const Value *v = scope_own(scope, n->text);
    if (v) return v;
    if (scope->def && gives_value(scope->def->args[scope->def->count - 1], n->text))
      return reference_fail(e, n, "reference.name", NULL, "%s has no value here: %s gives it one elsewhere", n->text,
                            scope->def->text);
  }
  return NULL;
}

static const Value *pi(Evaluator *e) {
  return value_number(e,
                      value_tensor(e, op2(e, TENSOR_MUL, tensor_of_int(e, 4), fn1(e, FN_ATAN, tensor_of_int(e, 1)))));
}

/* Constants of modules; NULL if the name is none. */
const Value *reference_constant(Evaluator *e, const char *text) {
  const char *dot = strrchr(text, '.');
  if (!dot || (strncmp(text, "torch.", 6) && strncmp(text, "numpy.", 6) && strncmp(text, "math.", 5)) ||
      strchr(text, '.') != dot)
    return NULL;
  if (!strcmp(dot, ".pi")) return pi(e);
  if (!strcmp(dot, ".e")) return value_number(e, value_tensor(e, fn1(e, FN_EXP, tensor_of_int(e, 1))));
  if (!strcmp(dot, ".inf") || !strcmp(dot, ".Inf"))
    return value_number(e, value_tensor(e, tensor_const(e->tt, e->tt->inf)));
  if (!strcmp(dot, ".newaxis")) return value_none(e);
  return NULL;
}

/* A part of the formula that has a name; NULL without a word if there is none. It is evaluated where it is first met.
 */
static const Value *part_value(Evaluator *e, const char *name) {
  Reference *r = e->r;
  for (uint32_t i = 0; e->is_formula && r->lets && i < r->lets->count; i++) {
    const FormulaLet *let = &r->lets->data[i];
    if (strcmp(let->name, name) || let->parameters.count) continue;
    if (!r->let_values) r->let_values = arena_array(r->arena, const TensorExpr *, r->lets->count);
    if (r->let_values[i]) return value_tensor(e, r->let_values[i]);
    const Value *v = evaluate(e, let->value);
    if (v && v->kind == VALUE_TENSOR) r->let_values[i] = v->tensor;
    return v;
  }
  return NULL;
}

static const Value *name_value(Evaluator *e, const PyNode *n) {
  static const char *const builtins[] = {"abs", "min",  "max",   "sum",   "pow",  "round", "len", "float",
                                         "int", "bool", "range", "tuple", "list", "slice", "any", "all"};
  uint32_t errors = e->r->diagnostics->error_count;
  const Value *v = find_local(e, n);
  if (!v && e->r->diagnostics->error_count > errors) return NULL;
  if (!v) v = scope_own(&e->globals, n->text);
  if (v && v->kind == VALUE_UNREAD)
    return reference_fail(e, n, "reference.name", NULL, "what the file makes of %s is not read: %s", n->text, v->text);
  if (!v) v = part_value(e, n->text);
  if (v || e->r->diagnostics->error_count > errors) return v;
  if (!strcmp(n->text, "True") || !strcmp(n->text, "False"))
    return value_number(e, value_tensor(e, tensor_const(e->tt, n->text[0] == 'T' ? e->tt->true_ : e->tt->false_)));
  if (!strcmp(n->text, "None")) return value_none(e);
  if (!strcmp(n->text, "...")) {
    Value *dots = arena_new(e->arena, Value);
    dots->kind = VALUE_ELLIPSIS;
    return dots;
  }
  if (e->is_formula && !strcmp(n->text, "inf")) return value_tensor(e, tensor_const(e->tt, e->tt->inf));
  if (e->is_formula && !strcmp(n->text, "pi")) return value_tensor(e, tensor_idiom(e->tt, TENSOR_PI, NULL, 0, NULL));
  if (e->is_formula)
    return reference_fail(e, n, "reference.name",
                          "declare it (`tensor x: f32[n, m]`), or use the names of the other side (see --json)",
                          "unknown name '%s'", n->text);
  if (e->star)
    return reference_fail(e, n, "reference.name", "import it by its name", "%s may be a name of line %u: import *",
                          n->text, source_locate(e->r->source, e->star->span.begin).line);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (!strcmp(builtins[i], n->text)) return value_name(e, arena_format(e->arena, "builtins.%s", n->text));
  return reference_fail(e, n, "reference.name", NULL, "unknown name '%s'", n->text);
}

/* ---- literals ---- */

static const Value *number(Evaluator *e, const PyNode *n) {
  double value;
  int64_t integer;
  Rational r;
  if (e->is_formula && formula_number(e->arena->guard, n->text, &r))
    return value_tensor(e, tensor_const(e->tt, term_new_rat(e->tt, r)));
  switch (python_number(n->text, &value, &integer)) {
  case PY_NUMBER_INT: return value_tensor(e, tensor_of_int(e, integer));
  case PY_NUMBER_REAL: break;
  case PY_NUMBER_UNREAD:
    if (strspn(n->text, "0123456789") == strlen(n->text) && formula_number(e->arena->guard, n->text, &r))
      return value_tensor(e, tensor_const(e->tt, term_new_rat(e->tt, r)));
    return reference_fail(e, n, "reference.number", NULL, "this number is not read");
  }
  const TensorExpr *t = tensor_of_double(e, value);
  return t ? value_typed(e, value_tensor(e, t), 'f')
           : reference_fail(e, n, "reference.number", NULL, "this number is out of range");
}

/* A key that stands twice has its first place and its last value. Returns the new count. */
static uint32_t last_of_each_key(const Value **items, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i + 1 < count; i += 2) {
    uint32_t at = 0;
    while (at < kept && !(items[at]->kind == VALUE_STRING && items[i]->kind == VALUE_STRING &&
                          !strcmp(items[at]->text, items[i]->text)))
      at += 2;
    if (at == kept) kept += 2, items[at] = items[i];
    items[at + 1] = items[i + 1];
  }
  return kept;
}

static const Value *sequence(Evaluator *e, const PyNode *n) {
  const Value **items = arena_array(e->arena, const Value *, n->count + 1);
  for (uint32_t i = 0; i < n->count; i++)
    if (!(items[i] = evaluate(e, n->args[i]))) return NULL;
  uint32_t count = n->kind == PY_DICT ? last_of_each_key(items, n->count) : n->count;
  Value *v = (Value *)value_tuple(e, count, items);
  if (v && n->kind == PY_DICT) v->kind = VALUE_DICT;
  if (v) v->is_list = n->kind == PY_LIST;
  return v;
}

static const Value *slice(Evaluator *e, const PyNode *n) {
  const Value *items[3];
  for (uint32_t i = 0; i < 3; i++) {
    items[i] = n->args[i]->kind == PY_EMPTY ? value_none(e) : evaluate(e, n->args[i]);
    if (!items[i]) return NULL;
  }
  Value *v = (Value *)value_tuple(e, 3, items);
  v->kind = VALUE_SLICE;
  return v;
}

/* ---- operators ---- */

/* a // b and a % b of real numbers, by floor. */
static const TensorExpr *floor_quotient(Evaluator *e, const PyNode *n, const Value *a, const Value *b, bool is_mod) {
  a = number_beside(e, a, b), b = number_beside(e, b, a);
  const TensorExpr *x = tensor_number(e, a->tensor), *y = tensor_number(e, b->tensor);
  if (x->sort == SORT_INT && y->sort == SORT_INT) return op2(e, is_mod ? TENSOR_MOD : TENSOR_FLOORDIV, x, y);
  const Value *quotient = value_tensor(e, op2(e, TENSOR_DIV, x, y));
  if (quotient && a->is_number && b->is_number) quotient = value_number(e, quotient);
  const TensorExpr *q = quotient ? number_jump(e, n, TENSOR_FLOOR, quotient) : NULL;
  return is_mod ? op2(e, TENSOR_SUB, x, op2(e, TENSOR_MUL, y, q)) : q;
}

static const TensorExpr *bitwise(Evaluator *e, const char *op, const TensorExpr *a, const TensorExpr *b) {
  bool one = a->sort == SORT_BOOL || b->sort == SORT_BOOL,
       truths = e->is_formula ? one : a->sort == SORT_BOOL && b->sort == SORT_BOOL;
  if (truths && *op == '&') return op2(e, TENSOR_AND, a, b);
  if (truths && *op == '|') return op2(e, TENSOR_OR, a, b);
  if (truths && *op == '^') return op2(e, TENSOR_NE, tensor_number(e, a), tensor_number(e, b));
  if (truths) return NULL;
  a = tensor_number(e, a), b = tensor_number(e, b); /* with an integer, True is 1 */
  const TensorExpr *args[2] = {a, b};
  if (a->sort != SORT_INT || b->sort != SORT_INT) return NULL;
  TermFn fn = *op == '&' ? FN_BITAND : *op == '|' ? FN_BITOR : *op == '^' ? FN_BITXOR : *op == '<' ? FN_SHL : FN_SHR;
  return tensor_folded(e, tensor_fn(e->tt, fn, 2, args));
}

/* The type of a OP b; 0 after a diagnostic, where Python raises an error or the meaning hangs on a type that is not
 * known. */
static char type_of_operator(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b) {
  char both = type_of_pair(a, b);
  bool of_numbers = a->is_number && b->is_number, is_bitwise = strchr("&|^<>", *op) != NULL;
  const char *error = NULL, *help = NULL;
  if (both == '?' && strcmp(op, "/") && !narrow_is_kept(e, op, a, b))
    error = "of bytes, which may be truth values, is not read", help = "convert them first";
  else if (both == 'n' && strcmp(op, "/") && !narrow_is_kept(e, op, a, b))
    error = "of integers of 8 or 16 bits, which wraps, is not read", help = "convert them first: x.int()";
  else if (!strcmp(op, "@") && both == 'b')
    error = "of truth values is not read", help = "convert them first";
  else if (is_bitwise && both == 'f')
    error = "of real numbers";
  else if (!strcmp(op, "-") && both == 'b' && !of_numbers)
    error = "of truth values", help = "use ^";
  else if (!strcmp(op, "**") && both == 'b' && !of_numbers)
    error = "of truth values is not read", help = "convert them first";
  else if (!strcmp(op, "**") && both != 'f' && !of_numbers) {
    Term k;
    bool is_negative = term_value(e, b, &k) && term_prove_le(e->tt, k, e->tt->minus_one);
    if (is_negative) error = "of integers with an exponent below 0 is an error", help = "convert the base to float";
  }
  if (error) return reference_fail(e, n, "reference.operator", help, "'%s' %s", op, error), (char)0;
  if (!strcmp(op, "/")) return 'f';
  return both == '?' && (!is_bitwise || value_yields(a) || value_yields(b)) ? 'n' : both;
}

const Value *part_of_list(Evaluator *e, const Value *list, uint32_t begin, uint32_t end) {
  Value *part = (Value *)value_tuple(e, end - begin, list->items + begin);
  if (part) part->is_list = list->is_list;
  return part;
}

static const Value *join_lists(Evaluator *e, const Value *a, const Value *b) {
  const Value **items = arena_array(e->arena, const Value *, a->count + b->count + 1);
  for (uint32_t i = 0; i < a->count; i++) items[i] = a->items[i];
  for (uint32_t i = 0; i < b->count; i++) items[a->count + i] = b->items[i];
  Value *both = (Value *)value_tuple(e, a->count + b->count, items);
  if (both) both->is_list = a->is_list;
  return both;
}

/* The two lengths that would have to be one for shapes to fit: from the last axis; of a product of matrices, inside. */
static bool unequal_lengths(Evaluator *e, const char *op, const TensorExpr *x, const TensorExpr *y, Term *a, Term *b) {
  bool product = !strcmp(op, "@");
  for (uint32_t k = 0; x->rank && y->rank && k < x->rank && k < y->rank; k++) {
    *a = x->shape[x->rank - 1 - k], *b = y->shape[y->rank - 1 - k];
    if (product) *a = x->shape[x->rank - 1], *b = y->shape[y->rank > 1 ? y->rank - 2 : 0];
    bool stretches = !product && (*a == e->tt->one || *b == e->tt->one);
    if (*a != *b && !stretches) return true;
    if (product) return false;
  }
  return false;
}

static const Value *fail_shapes(Evaluator *e, const PyNode *n, const char *op, const TensorExpr *x,
                                const TensorExpr *y) {
  Term a, b;
  const char *shapes = arena_format(e->arena, "%s and %s", reference_shape_text(e, x), reference_shape_text(e, y));
  if (!unequal_lengths(e, op, x, y, &a, &b))
    return reference_fail(e, n, "reference.operator", NULL, "'%s' of shapes %s is not read", op, shapes);
  bool plain = term_kind(e->tt, a) == TERM_SYM && term_kind(e->tt, b) == TERM_SYM;
  if (plain && !e->r->diagnostics->condition)
    e->r->diagnostics->condition = arena_format(e->arena, "%s == %s", term_name(e->tt, a), term_name(e->tt, b));
  return reference_fail(e, n, "reference.operator", NULL,
                        "'%s' of shapes %s, which do not fit: %s is not seen to be %s", op, shapes, term_text(e->tt, a),
                        term_text(e->tt, b));
}

static const Value *binary(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b) {
  static const struct {
    const char *op;
    TensorOp code;
  } table[] = {{"+", TENSOR_ADD}, {"-", TENSOR_SUB}, {"*", TENSOR_MUL}, {"/", TENSOR_DIV}};
  if (a->kind == VALUE_TUPLE && b->kind == VALUE_TUPLE && !strcmp(op, "+")) return join_lists(e, a, b);
  int64_t times;
  if (a->kind == VALUE_TUPLE && !strcmp(op, "*") && int_value(e, b, &times) && times >= 0 && times * a->count <= 64) {
    const Value *all = part_of_list(e, a, 0, 0);
    while (times--) all = join_lists(e, all, a);
    return all;
  }
  if (a->kind != VALUE_TENSOR || b->kind != VALUE_TENSOR)
    return reference_fail(e, n, "reference.operator", NULL, "'%s' of these is not read", op);
  const TensorExpr *x = a->tensor, *y = b->tensor, *result = NULL;
  uint32_t errors = e->r->diagnostics->error_count;
  char type = e->is_formula ? 'f' : type_of_operator(e, n, op, a, b);
  if (!type || !numbers_combine(e, n, op, a, b)) return NULL;
  if (!e->is_formula && x->sort == SORT_BOOL && y->sort == SORT_BOOL &&
      !(a->is_number && b->is_number)) /* of truth values + is or, * is and */
    op = !strcmp(op, "+") ? "|" : !strcmp(op, "*") ? "&" : op;
  result = e->is_formula ? NULL : number_arithmetic(e, op, a, b);
  for (size_t i = 0; !result && i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].op, op)) result = op2(e, table[i].code, x, y);
  if (!strcmp(op, "//") || !strcmp(op, "%")) result = floor_quotient(e, n, a, b, *op == '%');
  if (!result && !strcmp(op, "**")) result = power_of(e, x, y);
  if (!strcmp(op, "@")) result = matrix_product(e, x, y);
  if (strchr("&|^<>", *op) && !number_bits_fit(e, op, a, b))
    return reference_fail(e, n, "reference.number", NULL, "integers beyond 62 bits are not read here");
  if (strchr("&|^<>", *op)) result = bitwise(e, op, x, y);
  const Value *value = result ? value_tensor(e, result) : NULL;
  if (value && !e->is_formula) value = value_typed(e, value, type == 'b' ? 'i' : type);
  if (value && a->is_number && b->is_number)
    return e->is_formula || !type_is_narrow(type) || integers_fit(e, n, arena_format(e->arena, "'%s'", op), value)
               ? value_number(e, value)
               : NULL;
  bool may_wrap = value && !e->is_formula && (strchr("+-*@<", *op) || (!strcmp(op, "//") && type == 'i')) &&
                  !integers_fit(e, n, arena_format(e->arena, "'%s'", op), value);
  if (value) return may_wrap ? NULL : value;
  if (e->r->diagnostics->error_count > errors) return NULL;
  return fail_shapes(e, n, op, x, y);
}

const Value *reference_binary(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b) {
  const Value *result = binary(e, n, op, a, b);
  return result && result->kind == VALUE_TENSOR ? value_of_library(e, result, library_of_pair(a, b)) : result;
}

const Value *reference_invert(Evaluator *e, const PyNode *n, const Value *v) {
  const TensorExpr *t = v->tensor;
  char type = value_type(v);
  if (type == '?' && !e->is_formula)
    return reference_fail(e, n, "reference.operator", "convert them first: t.bool()",
                          "'~' of bytes, which may be truth values, is not read");
  if (type == 'n' && (!v->dtype || strncmp(v->dtype, "int", 3)))
    return reference_fail(e, n, "reference.operator", "convert them first: x.int()",
                          "'~' of integers that may have no sign is not read");
  if (t->sort == SORT_BOOL && (!v->is_number || e->is_formula)) return value_tensor(e, op1(e, TENSOR_NOT, t));
  if (type == 'f') return reference_fail(e, n, "reference.operator", NULL, "'~' of real numbers");
  t = tensor_number(e, t);
  const Value *result = value_tensor(e, op2(e, TENSOR_SUB, op1(e, TENSOR_NEG, t), tensor_of_int(e, 1)));
  return v->is_number ? value_number(e, result) : result ? value_like(e, result, v) : NULL;
}

static const Value *unary(Evaluator *e, const PyNode *n, const Value *v) {
  bool truth;
  if (!strcmp(n->text, "not")) {
    if (value_is_truth(e, v, &truth))
      return value_number(e, value_tensor(e, tensor_const(e->tt, truth ? e->tt->false_ : e->tt->true_)));
    if (v->kind == VALUE_TENSOR && !v->tensor->rank)
      return value_number(e, value_tensor(e, op1(e, TENSOR_NOT, v->tensor)));
    return reference_fail(e, n, "reference.operator", NULL, "this condition is not known");
  }
  if (v->kind != VALUE_TENSOR)
    return reference_fail(e, n, "reference.operator", NULL, "'%s' of this is not read", n->text);
  if (n->text[0] == '~') return reference_invert(e, n, v);
  const TensorExpr *t = v->tensor;
  char type = value_type(v);
  if (t->sort == SORT_BOOL && !v->is_number && !e->is_formula)
    return reference_fail(e, n, "reference.operator", "use ~", "'%s' of truth values", n->text);
  const Value *result = value_tensor(e, n->text[0] == '-' ? op1(e, TENSOR_NEG, t) : tensor_number(e, t));
  if (!e->is_formula) result = value_typed(e, result, type == 'b' ? 'i' : type);
  if (n->text[0] == '-' && result && !v->is_number && !integers_fit(e, n, "'-'", result)) return NULL;
  return v->is_number ? value_number(e, result) : n->text[0] == '+' ? value_view(e, result, v) : result;
}

/* ---- comparisons ---- */

/* 1 if these two names that are read are one object, 0 if they are two. -1: it is not known. Some functions have two
 * names. */
static int compare_names(const Value *a, const Value *b) {
  if (!reference_is_known(a->text) || !reference_is_known(b->text)) return -1;
  if (!strcmp(a->text, b->text)) return 1;
  return !strncmp(a->text, "torch", 5) && !strncmp(b->text, "torch", 5) &&
                 strcmp(name_last_part(a->text), name_last_part(b->text))
             ? 0
             : -1;
}

/* `is`, `in`, and == of what is no tensor: decided here; -1 if it cannot be. */
static int compare_values(Evaluator *e, const char *op, const Value *a, const Value *b) {
  bool negated = !strcmp(op, "is not") || !strcmp(op, "!=") || !strcmp(op, "not in");
  if (!strcmp(op, "in") || !strcmp(op, "not in")) {
    for (uint32_t i = 0; b->kind == VALUE_TUPLE && i < b->count; i++) {
      int same = compare_values(e, "==", a, b->items[i]);
      if (same) return same < 0 ? same : !negated;
    }
    return b->kind == VALUE_TUPLE ? negated : -1;
  }
  if (*op == '<' || *op == '>') return -1;
  if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) return !strcmp(a->text, b->text) != negated;
  const Value *other = a->kind == VALUE_NONE ? b : a; /* of None */
  bool is_open = (other->kind == VALUE_NAME && !reference_is_known(other->text)) ||
                 (other->kind == VALUE_METHOD && !reference_module_has("", other->text)); /* x.grad */
  if (a->kind == VALUE_NONE || b->kind == VALUE_NONE) return is_open ? -1 : (a->kind == b->kind) != negated;
  bool are_names = a->kind == VALUE_NAME && b->kind == VALUE_NAME;
  if (are_names && (!strncmp(a->text, "dtype.", 6) || !strncmp(b->text, "dtype.", 6) ||
                    (reference_type_kind(a->text) && reference_type_kind(b->text)))) {
    int same = reference_compare_types(a, b);
    return same < 0 ? same : same != negated;
  }
  if (are_names) {
    int same = compare_names(a, b);
    return same < 0 ? same : same != negated;
  }
  if (!strncmp(op, "is", 2)) { /* True and False are one each; other numbers and tensors are more */
    bool truths = a->kind == VALUE_TENSOR && b->kind == VALUE_TENSOR &&
                  (value_type(a) == 'b' || value_type(b) == 'b') && a->is_number && b->is_number;
    if (!truths) return -1;
    if (value_type(a) != value_type(b)) return negated;
  }
  if (a->kind == VALUE_TENSOR && b->kind == VALUE_TENSOR && !a->tensor->rank && !b->tensor->rank) {
    bool truth;
    const Value *equal = value_tensor(e, op2(e, TENSOR_EQ, a->tensor, b->tensor));
    if (equal && value_is_truth(e, equal, &truth)) return truth != negated;
  }
  return -1;
}

static const Value *comparison(Evaluator *e, const PyNode *n) {
  static const struct {
    const char *op;
    TensorOp code;
  } table[] = {{"<", TENSOR_LT},  {"<=", TENSOR_LE}, {">", TENSOR_GT},
               {">=", TENSOR_GE}, {"==", TENSOR_EQ}, {"!=", TENSOR_NE}};
  const TensorExpr *result = NULL;
  const Value *left = evaluate(e, n->args[0]);
  bool numbers = true; /* of Python, whose == is a number of Python */
  ValueLibrary library = LIBRARY_FILE;
  for (uint32_t i = 0; left && i + 1 < n->count; i++) {
    const Value *right = evaluate(e, n->args[i + 1]);
    const TensorExpr *step = NULL;
    if (right)
      numbers = numbers && (left->kind != VALUE_TENSOR || left->is_number) &&
                (right->kind != VALUE_TENSOR || right->is_number);
    if (!right || !value_is_current(e, n->args[i], left)) return NULL;
    if (left->kind == VALUE_TENSOR && right->kind == VALUE_TENSOR && !numbers_are_apart(e, n, left, right)) return NULL;
    if (right->kind == VALUE_TENSOR && left->kind == VALUE_TENSOR &&
        (!narrow_beside(e, n, left, right) || !narrow_beside(e, n, right, left)))
      return NULL;
    const Value *own = right;
    library = i && library != library_of_pair(left, right) ? LIBRARY_EITHER : library_of_pair(left, right);
    left = number_beside(e, left, right), right = number_beside(e, right, left);
    if (left->kind == VALUE_TENSOR && right->kind == VALUE_TENSOR)
      for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strcmp(table[k].op, n->ops[i])) continue;
        if (!equality_is_known(e, n, table[k].code, left->tensor, right->tensor)) return NULL;
        step = op2(e, table[k].code, left->tensor, right->tensor);
      }
    int decided = step ? -1 : compare_values(e, n->ops[i], left, right);
    if (decided >= 0) step = tensor_const(e->tt, decided ? e->tt->true_ : e->tt->false_);
    if (!step) return reference_fail(e, n, "reference.operator", NULL, "'%s' of these is not read", n->ops[i]);
    if (n->count > 2 && step->rank && !e->is_formula)
      return reference_fail(e, n, "reference.operator", "(a < b) & (b < c)",
                            "'%s' in a chain, which holds all elements for one condition", n->ops[i]);
    result = result ? op2(e, TENSOR_AND, result, step) : step;
    left = own;
  }
  if (!left) return NULL;
  return numbers ? value_number(e, value_tensor(e, result)) : value_of_library(e, value_tensor(e, result), library);
}

/* One of the two by Python, which computes only that. */
static const TensorExpr *branch_of(Evaluator *e, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b) {
  TensorExpr *chosen = (TensorExpr *)choose(e, c, a, b);
  if (chosen && chosen->op == TENSOR_WHERE) chosen->is_branch = !e->is_formula;
  return chosen;
}

/* What is evaluated from here on is where the condition, a number, holds or does not; the state before is kept. */
typedef struct Under {
  const TensorExpr *under;
  Term made_under;
} Under;

static Under begin_under(Evaluator *e, const Value *condition, bool holds) {
  Under before = {e->under, e->tt->made_under};
  const TensorExpr *here =
      condition->kind == VALUE_TENSOR && !condition->tensor->rank ? tensor_truth(e, condition->tensor) : NULL;
  if (!here) return before;
  if (!holds) here = op1(e, TENSOR_NOT, here);
  e->under = e->under ? op2(e, TENSOR_AND, e->under, here) : here;
  if (e->tt->made) e->tt->made_under = tensor_meaning(e->tt, e->under, &e->tt->zero);
  return before;
}

static void end_under(Evaluator *e, Under before) { e->under = before.under, e->tt->made_under = before.made_under; }

static const Value *evaluate_under(Evaluator *e, const PyNode *n, const Value *condition, bool holds) {
  Under before = begin_under(e, condition, holds);
  const Value *v = evaluate(e, n);
  end_under(e, before);
  return v;
}

/* `a and b` is a or b: the last one, unless one before it decides. `open`: of those before, at which that is not known.
 */
static const Value *junction(Evaluator *e, const PyNode *n) {
  bool is_and = n->kind == PY_AND;
  const Value *open = NULL, *v = NULL;
  bool numbers = true;
  for (uint32_t i = 0; i < n->count; i++) {
    bool truth;
    Under before = open ? begin_under(e, open, is_and) : (Under){e->under, e->tt->made_under};
    v = evaluate(e, n->args[i]);
    bool known = v && value_is_truth(e, v, &truth);
    end_under(e, before);
    if (!v) return NULL;
    numbers = numbers && v->is_number;
    bool is_number = v->kind == VALUE_TENSOR && !v->tensor->rank;
    if (open && is_number) {
      const TensorExpr *a = open->tensor, *b = v->tensor;
      open = value_tensor(e, is_and ? branch_of(e, a, b, a) : branch_of(e, a, a, b)); /* & and | compute both */
    } else if (!known && is_number)
      open = v;
    else if (!known || open)
      return reference_fail(e, n, "reference.operator", "use & and | for tensors", "this condition is not known");
    if (known && truth != is_and) break;
  }
  return numbers ? value_number(e, open ? open : v) : open ? open : v;
}

static const Value *choice(Evaluator *e, const PyNode *n) {
  const Value *condition = evaluate(e, n->args[0]);
  bool truth;
  if (!condition) return NULL;
  if (value_is_truth(e, condition, &truth)) return evaluate(e, n->args[truth ? 1 : 2]);
  const Value *a = evaluate_under(e, n->args[1], condition, true),
              *b = a ? evaluate_under(e, n->args[2], condition, false) : NULL;
  if (!b) return NULL;
  if (condition->kind != VALUE_TENSOR || condition->tensor->rank || a->kind != VALUE_TENSOR || b->kind != VALUE_TENSOR)
    return reference_fail(e, n, "reference.branch", "use where for tensors", "this condition is not known");
  if (!value_is_current(e, n->args[1], a)) return NULL;
  if (type_is_narrow(value_type(a)) != type_is_narrow(value_type(b)))
    return reference_fail(e, n, "reference.branch", "convert it first: x.int()",
                          "one of these two is an integer of 8 or 16 bits");
  const Value *either =
      value_typed(e, value_tensor(e, branch_of(e, condition->tensor, a->tensor, b->tensor)),
                  value_type(a) == value_type(b) ? value_type(a) : type_of_both(value_type(a), value_type(b)));
  if (a->is_number && b->is_number) return value_number(e, either);
  return value_of_library(e, value_view(e, value_view(e, either, a), b), library_of_pair(a, b));
}

/* ---- attributes ---- */

const Value *reference_attribute(Evaluator *e, const PyNode *n, const Value *value, const char *name) {
  if (value->kind == VALUE_NAME) {
    const char *text = arena_format(e->arena, "%s.%s", value->text, name);
    const Value *known = reference_constant(e, text);
    if (!strncmp(value->text, "dtype.", 6) || !strcmp(value->text, "device")) {
      char kind = strcmp(name, "is_floating_point") || value->text[1] != 't' ? 0 : reference_type_kind(value->text);
      if (kind) return value_tensor(e, tensor_const(e->tt, kind == 'f' ? e->tt->true_ : e->tt->false_));
      return reference_fail(e, n, "reference.name", NULL, "the attribute '%s' is not read", name);
    }
    return known ? known : value_name(e, text);
  }
  if (value->kind == VALUE_TUPLE && value->fields)
    for (uint32_t i = 0; i < value->count; i++)
      if (!strcmp(value->fields[i], name)) return value->items[i];
  if (value->kind == VALUE_TENSOR) {
    const TensorExpr *t = value->tensor;
    uint8_t axes[TENSOR_MAX_RANK];
    for (uint8_t i = 0; i < t->rank; i++) axes[i] = (uint8_t)(t->rank - 1 - i);
    if (!strcmp(name, "shape")) return value_shape(e, t);
    if (!strcmp(name, "ndim")) return value_number(e, value_tensor(e, tensor_of_int(e, t->rank)));
    if (!strcmp(name, "size") && (e->is_numpy || value->library == LIBRARY_ARRAY)) {
      Term count = e->tt->one;
      for (uint32_t i = 0; i < t->rank; i++) count = term_mul(e->tt, count, t->shape[i]);
      return value_number(e, value_tensor(e, tensor_of_size(e, count)));
    }
    if (!strcmp(name, "T"))
      return value_view(e, value_like(e, value_tensor(e, tensor_transpose(e->tt, t, axes)), value), value);
    if (!strcmp(name, "mT") && t->rank >= 2)
      return value_view(e, value_like(e, value_tensor(e, swap_axes(e, t, t->rank - 2u, t->rank - 1u)), value), value);
    if (!strcmp(name, "dtype")) return value_name(e, reference_type_text(e, value));
    if (!strcmp(name, "device")) return value_name(e, "device");
    if (!strcmp(name, "data")) return value;
  }
  if (value->kind == VALUE_TENSOR || value->kind == VALUE_TUPLE || value->kind == VALUE_DICT) {
    Value *method = arena_new(e->arena, Value);
    method->kind = VALUE_METHOD, method->text = name, method->count = 1;
    method->items = arena_array(e->arena, const Value *, 1);
    method->items[0] = value;
    return method;
  }
  return reference_fail(e, n, "reference.name", NULL, "the attribute '%s' is not read", name);
}

/* ---- all of them ---- */

/* An index with an array among it makes a new tensor, others a view. */
static bool takes_places(const Value *index) {
  if (index->kind == VALUE_TENSOR) return index->tensor->rank > 0;
  for (uint32_t i = 0; index->kind == VALUE_TUPLE && !index->is_list && i < index->count; i++)
    if (takes_places(index->items[i])) return true;
  return index->kind == VALUE_TUPLE && index->is_list;
}

static const Value *evaluate_inside(Evaluator *e, const PyNode *n) {
  switch (n->kind) {
  case PY_NAME: return name_value(e, n);
  case PY_NUMBER: return value_number(e, number(e, n));
  case PY_STRING:
    return n->error ? reference_fail(e, n, "reference.unsupported", NULL, "%s", n->error) : value_string(e, n->text);
  case PY_TUPLE:
  case PY_LIST:
  case PY_DICT: return sequence(e, n);
  case PY_CALL: return evaluate_call(e, n);
  case PY_ATTRIBUTE: {
    const Value *v = evaluate(e, n->args[0]);
    return v ? reference_attribute(e, n, v, n->text) : NULL;
  }
  case PY_SUBSCRIPT: {
    const Value *v = evaluate(e, n->args[0]), *index = v ? evaluate(e, n->args[1]) : NULL;
    if (!index || !value_is_current(e, n->args[0], v)) return NULL;
    const Value *part = reference_subscript(e, n, v, index);
    if (v->kind == VALUE_TENSOR && part && !e->is_formula) part = value_like(e, part, v);
    return v->kind == VALUE_TENSOR && !takes_places(index) ? value_view(e, part, v) : part;
  }
  case PY_SLICE: return slice(e, n);
  case PY_UNARY: {
    const Value *v = evaluate(e, n->args[0]), *result = v ? unary(e, n, v) : NULL;
    return result ? value_of_library(e, result, v->library) : NULL;
  }
  case PY_BINARY: {
    const Value *a = evaluate(e, n->args[0]), *b = a ? evaluate(e, n->args[1]) : NULL;
    return b && value_is_current(e, n->args[0], a) ? reference_binary(e, n, n->text, a, b) : NULL;
  }
  case PY_COMPARE: return comparison(e, n);
  case PY_AND:
  case PY_OR: return junction(e, n);
  case PY_CHOICE: return choice(e, n);
  case PY_COMPREHENSION:
  case PY_LAMBDA:
  case PY_CLAUSE:
  case PY_WHILE:
  case PY_BREAK:
  case PY_CONTINUE:
  case PY_RAISE:
  case PY_KEYWORD:
  case PY_STAR:
  case PY_EMPTY:
  case PY_BLOCK:
  case PY_EXPRESSION:
  case PY_ASSIGN:
  case PY_AUGMENTED:
  case PY_RETURN:
  case PY_IF:
  case PY_FOR:
  case PY_WITH:
  case PY_ASSERT:
  case PY_PASS:
  case PY_DEF:
  case PY_PARAM:
  case PY_IMPORT:
  case PY_OTHER: break;
  }
  return reference_fail(e, n, "reference.unsupported", NULL, "%s",
                        n->error ? n->error : "this is not read in a reference");
}

const Value *evaluate(Evaluator *e, const PyNode *n) {
  guard_tick(e->arena->guard);
  if (++e->steps > MAX_STEPS) return reference_fail(e, n, "reference.limit", NULL, "the reference is too long");
  if (e->nesting >= MAX_NESTING)
    return reference_fail(e, n, "reference.limit", NULL, "nested too deeply: parts that stand on themselves?");
  e->nesting++;
  const Value *v = evaluate_inside(e, n);
  e->nesting--;
  return v && value_is_current(e, n, v) ? v : NULL;
}
