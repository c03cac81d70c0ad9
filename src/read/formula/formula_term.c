/* Terms from their text: the inverse of src/term/print.c.
 *
 * Operators and functions go through the term constructors, so that what is read is in canonical form. `sum[lo <= k <
 * hi, guard](body)` binds k; a name is looked up among the indices around it, then the arguments, then the sizes. */
#include "read/formula/formula_term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/formula/formula.h"

enum { DEPTH_LIMIT = 5000 }; /* of the syntax, parts in the place of their names */

static Term term(FormulaTerms *f, const PyNode *n, bool is_integer);

static Term complain(FormulaTerms *f, const PyNode *n, const char *help, const char *message) {
  diagnostic_add(f->diagnostics, SEVERITY_ERROR, "formula.term", f->source, n->span, help, "%s", message);
  return 0;
}

/* ---- names ---- */

static PointwiseTensor *find_in(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, name)) return &p->tensors.data[i];
  return NULL;
}

PointwiseTensor *formula_find_tensor(FormulaTerms *f, const char *name) {
  PointwiseTensor *own = find_in(f->pointwise, name), *known = !own && f->known ? find_in(f->known, name) : NULL;
  if (!known) return own;
  PointwiseTensor copy = *known;
  copy.is_read = copy.is_written = false;
  array_push(f->arena, &f->pointwise->tensors, copy);
  return find_in(f->pointwise, name);
}

/* x_d0 of a tensor that has no declaration: the size of that name, if there is one; no two names are alike. */
static Term extent_of(FormulaTerms *f, const char *tensor, uint32_t axis) {
  const char *name = arena_format(f->arena, "%s_d%u", tensor, axis);
  for (;; name = arena_format(f->arena, "%s_", name)) {
    Term known = formula_find_scalar(f, name, NULL);
    if (!known) return formula_add_size(f, name, true);
    if (term_sort(f->tt, known) == SORT_INT && term_kind(f->tt, known) == TERM_SYM) return known;
  }
}

void formula_add_tensor(FormulaTerms *f, const char *name, const char *dtype, TermSort sort, uint32_t rank) {
  TermTable *tt = f->tt;
  PointwiseTensor t = {.name = name, .dtype = dtype, .sort = sort, .rank = rank};
  t.symbol = term_symbol_new(tt, intern_text(tt->names, name), sort, SYMBOL_TENSOR);
  long width = dtype && sort == SORT_INT && (*dtype == 'u' || *dtype == 'i') ? strtol(dtype + 1, NULL, 10) : 0;
  Int128 count = width > 1 && width <= 64 ? (Int128)1 << width : 0, lo = dtype && *dtype == 'u' ? 0 : -(count / 2);
  if (count)
    term_symbol_range(tt, t.symbol, term_new_rat(tt, (Rational){lo, 1}),
                      term_new_rat(tt, (Rational){lo + count - 1, 1}));
  for (uint32_t k = 0; k < rank; k++) t.extent[k] = extent_of(f, name, k);
  Term stride = tt->one;
  for (uint32_t k = rank; k-- > 0; stride = term_mul(tt, stride, t.extent[k])) t.stride[k] = stride;
  for (uint32_t k = 0; k < rank; k++) t.dim_name[k] = term_name(tt, t.extent[k]);
  array_push(f->arena, &f->pointwise->tensors, t);
}

void formula_add_scalar(FormulaTerms *f, Term symbol, const char *name, const char *dtype) {
  array_push(f->arena, &f->pointwise->scalars, (PointwiseScalar){symbol, name, dtype, NULL, false});
}

Term formula_add_size(FormulaTerms *f, const char *name, bool is_positive) {
  Term symbol = term_symbol_new(f->tt, intern_text(f->tt->names, name), SORT_INT, SYMBOL_SIZE);
  if (is_positive) term_symbol_range(f->tt, symbol, f->tt->one, 0);
  array_push(f->arena, &f->sizes, (FormulaBound){name, symbol});
  return symbol;
}

/* A size of the other side: among the symbols of its extents. */
static Term find_known_size(FormulaTerms *f, const char *name) {
  TermTable *tt = f->tt;
  for (uint32_t i = 0; f->known && i < f->known->tensors.count; i++)
    for (uint32_t k = 0; k < f->known->tensors.data[i].rank; k++) {
      TermList symbols = {0};
      term_symbols(tt, f->known->tensors.data[i].extent[k], &symbols);
      for (uint32_t s = 0; s < symbols.count; s++)
        if (!strcmp(term_name(tt, symbols.data[s]), name)) return symbols.data[s];
    }
  return 0;
}

Term formula_find_scalar(FormulaTerms *f, const char *name, const PointwiseScalar **scalar) {
  for (int side = 0; side < 2; side++) {
    const Pointwise *p = side ? f->known : f->pointwise;
    for (uint32_t i = 0; p && i < p->scalars.count; i++) {
      if (strcmp(p->scalars.data[i].name, name)) continue;
      if (scalar) *scalar = &p->scalars.data[i];
      if (side) array_push(f->arena, &f->pointwise->scalars, p->scalars.data[i]);
      return p->scalars.data[i].symbol;
    }
  }
  for (uint32_t i = 0; i < f->sizes.count; i++)
    if (!strcmp(f->sizes.data[i].name, name)) return f->sizes.data[i].symbol;
  return find_known_size(f, name);
}

/* ---- named parts ---- */

static uint32_t find_let(const FormulaTerms *f, const char *name) {
  uint32_t count = f->lets ? f->lets->count : 0, i = 0;
  while (i < count && strcmp(f->lets->data[i].name, name)) i++;
  return i < count ? i : UINT32_MAX;
}

/* The value of a `let`: its syntax, over its parameters alone. It is remembered, as parts stand on parts. */
static Term let_value(FormulaTerms *f, const PyNode *n, uint32_t number, uint32_t count, const Term *args,
                      bool is_integer) {
  const FormulaLet *let = &f->lets->data[number];
  FormulaTerms inner = *f;
  if (count != let->parameters.count)
    return complain(f, n, NULL, arena_format(f->arena, "%s has %u parameters", let->name, let->parameters.count));
  for (uint32_t i = f->values.count; i-- > 0;)
    if (f->values.data[i].let == number && (!count || !memcmp(f->values.data[i].args, args, sizeof *args * count)))
      return f->values.data[i].value;
  memset(&inner.bounds, 0, sizeof inner.bounds);
  inner.outside = f;
  for (uint32_t i = 0; i < count; i++)
    array_push(f->arena, &inner.bounds, (FormulaBound){let->parameters.data[i], args[i]});
  Term value = term(&inner, let->value, is_integer);
  f->sizes.data = inner.sizes.data, f->sizes.count = inner.sizes.count, f->sizes.capacity = inner.sizes.capacity;
  f->values.data = inner.values.data, f->values.count = inner.values.count, f->values.capacity = inner.values.capacity;
  if (!value) return 0;
  Term *own = arena_array(f->arena, Term, count + 1);
  for (uint32_t i = 0; i < count; i++) own[i] = args[i];
  array_push(f->arena, &f->values, (FormulaKnown){number, own, value});
  return value;
}

static Term name_term(FormulaTerms *f, const PyNode *n, bool is_integer) {
  TermTable *tt = f->tt;
  uint32_t let = find_let(f, n->text);
  for (uint32_t i = f->bounds.count; i-- > 0;)
    if (!strcmp(f->bounds.data[i].name, n->text)) {
      Term bound = f->bounds.data[i].symbol;
      if (term_kind(tt, bound) != TERM_READ || term_count(tt, bound) == 1) return bound;
      return complain(f, n, "write s[i]", "an array stands without indices");
    }
  Term found = formula_find_scalar(f, n->text, NULL);
  if (found) return found;
  if (let != UINT32_MAX) return let_value(f, n, let, 0, NULL, is_integer);
  if (!strcmp(n->text, "inf")) return tt->inf;
  if (!strcmp(n->text, "nan")) return term_float(tt, __builtin_nan(""));
  if (!strcmp(n->text, "true") || !strcmp(n->text, "True")) return tt->true_;
  if (!strcmp(n->text, "false") || !strcmp(n->text, "False")) return tt->false_;
  if (!strcmp(n->text, "undefined")) return term_undef(tt, SORT_REAL, 0);
  if (formula_find_tensor(f, n->text)) return complain(f, n, "write x[i, j]", "a tensor stands without indices");
  for (const FormulaTerms *outer = f->outside; outer; outer = outer->outside)
    for (uint32_t i = 0; i < outer->bounds.count; i++)
      if (!strcmp(outer->bounds.data[i].name, n->text))
        return complain(f, n, "write `let t(i) = ...`, and t(i) where it stands",
                        "this index is no parameter of the part");
  if (!strcmp(n->text, "...")) return complain(f, n, NULL, "this has no meaning in a formula");
  if (is_integer) return formula_add_size(f, n->text, true);
  return complain(f, n, "declare it: `scalar NAME: f32`", "unknown name");
}

/* ---- numbers ---- */

/* Digits as an exact integer, if they fit. */
static bool exact_integer(const char *text, Rational *out) {
  Int128 value = 0;
  for (; *text; text++) {
    if (*text < '0' || *text > '9' || value > (Int128)1 << 120) return false;
    value = value * 10 + (*text - '0');
  }
  *out = (Rational){value, 1};
  return true;
}

bool formula_number(Guard *guard, const char *text, Rational *out) {
  double value;
  int64_t integer;
  (void)guard;
  if (exact_integer(text, out)) return true;
  switch (python_number(text, &value, &integer)) {
  case PY_NUMBER_INT: *out = rational_int(integer); return true;
  case PY_NUMBER_UNREAD: return false;
  case PY_NUMBER_REAL: break;
  }
  uint32_t digits = 0;
  bool leading = true;
  for (const char *at = text; *at && *at != 'e' && *at != 'E'; at++) {
    if (*at == '0' && leading) continue;
    if (*at < '0' || *at > '9') continue;
    leading = false;
    digits++;
  }
  if (digits <= 9) value = (double)strtof(text, NULL);
  return rational_from_double(value, out);
}

static Term number(FormulaTerms *f, const PyNode *n) {
  Rational value;
  if (formula_number(f->arena->guard, n->text, &value)) return term_new_rat(f->tt, value);
  double far = strtod(n->text, NULL), single = (double)(float)far; /* printed as the shortest decimal of a float */
  if (!isfinite(far) || far == 0) return complain(f, n, NULL, "this number is out of range");
  return term_float(f->tt, isfinite(single) && single != 0 && strlen(n->text) < 16 ? single : far);
}

/* ---- operators ---- */

static bool is_number(const FormulaTerms *f, Term t) {
  return term_sort(f->tt, t) == SORT_INT || term_sort(f->tt, t) == SORT_REAL;
}

/* 1 / n, factor by factor: a power of a sum of integers below the line is one, and above it is multiplied out. 0 after
 * a diagnostic. */
static Term inverse(FormulaTerms *f, const PyNode *whole, const PyNode *n, bool is_integer) {
  TermTable *tt = f->tt;
  if (n->kind == PY_BINARY && !strcmp(n->text, "*")) {
    Term a = inverse(f, whole, n->args[0], is_integer), b = a ? inverse(f, whole, n->args[1], is_integer) : 0;
    return b ? term_mul(tt, a, b) : 0;
  }
  bool is_power = n->kind == PY_BINARY && !strcmp(n->text, "**");
  Term base = term(f, is_power ? n->args[0] : n, is_integer),
       e = base && is_power ? term(f, n->args[1], is_integer) : tt->one;
  if (!base || !e) return 0;
  if (!is_number(f, base) || !term_is_rat(tt, e)) return complain(f, whole, NULL, "expected numbers on both sides");
  if (base == tt->zero) return complain(f, whole, NULL, "'/' has no meaning here");
  return term_made(tt, TERM_STEP_OTHER, base, 0, term_power(tt, base, rational_neg(term_rat(tt, e))));
}

static bool is_literal(const PyNode *n) {
  if (n->kind == PY_UNARY && n->text[0] == '-') n = n->args[0];
  return n->kind == PY_NUMBER;
}

/* 2*(a + b)/c is 2*((a + b)/c): a number before a sum would be multiplied out. */
static Term scaled_quotient(FormulaTerms *f, const PyNode *n, bool is_integer) {
  const PyNode *product = n->args[0];
  Term k = term(f, product->args[0], is_integer), a = k ? term(f, product->args[1], is_integer) : 0,
       by = a ? inverse(f, n, n->args[1], is_integer) : 0;
  if (!a || !by) return 0;
  if (!is_number(f, a)) return complain(f, n, NULL, "expected numbers on both sides");
  Term own = term_made(f->tt, TERM_STEP_PRODUCT, a, by, term_mul(f->tt, a, by));
  return term_made(f->tt, TERM_STEP_PRODUCT, k, own, term_mul(f->tt, k, own));
}

static Term quotient(FormulaTerms *f, const PyNode *n, bool is_integer) {
  const PyNode *left = n->args[0];
  if (left->kind == PY_BINARY && !strcmp(left->text, "*") && is_literal(left->args[0]))
    return scaled_quotient(f, n, is_integer);
  bool negative = left->kind == PY_UNARY && left->text[0] == '-'; /* -a/b is -(a/b): sums stay whole */
  Term a = term(f, negative ? left->args[0] : left, is_integer), by = a ? inverse(f, n, n->args[1], is_integer) : 0;
  if (!a || !by) return 0;
  if (!is_number(f, a)) return complain(f, n, NULL, "expected numbers on both sides");
  Term product = term_made(f->tt, TERM_STEP_PRODUCT, a, by, term_mul(f->tt, a, by));
  return negative ? term_neg(f->tt, product) : product;
}

static Term binary(FormulaTerms *f, const PyNode *n, bool is_integer) {
  TermTable *tt = f->tt;
  const char *op = n->text;
  const PyNode *left = n->args[0];
  if (!strcmp(op, "/")) return quotient(f, n, is_integer);
  bool negative =
      left->kind == PY_UNARY && left->text[0] == '-' && !strcmp(op, "*"); /* -a*b is -(a*b): sums stay whole */
  Term a = term(f, negative ? left->args[0] : left, is_integer), b = a ? term(f, n->args[1], is_integer) : 0;
  if (!a || !b) return 0;
  if (!is_number(f, a) || !is_number(f, b)) return complain(f, n, NULL, "expected numbers on both sides");
  bool is_end = a == tt->inf || a == tt->neg_inf; /* of an empty maximum of integers */
  bool whole = (is_end || term_sort(tt, a) == SORT_INT) && term_sort(tt, b) == SORT_INT;
  if (!strcmp(op, "+")) return term_made(tt, TERM_STEP_SUM, a, b, term_add(tt, a, b));
  if (!strcmp(op, "-")) return term_made(tt, TERM_STEP_DIFFERENCE, a, b, term_sub(tt, a, b));
  if (!strcmp(op, "*")) {
    Term product = term_made(tt, TERM_STEP_PRODUCT, a, b, term_mul(tt, a, b));
    return negative ? term_neg(tt, product) : product;
  }
  if (!strcmp(op, "//") && whole && b != tt->zero)
    return term_made(tt, TERM_STEP_QUOTIENT, a, b, term_floordiv(tt, a, b));
  if (!strcmp(op, "%") && whole && b != tt->zero) return term_made(tt, TERM_STEP_QUOTIENT, a, b, term_mod(tt, a, b));
  if (!strcmp(op, "**") && term_is_rat(tt, b))
    return term_made(tt, TERM_STEP_OTHER, a, 0, term_power(tt, a, term_rat(tt, b)));
  return complain(f, n, NULL, arena_format(f->arena, "'%s' has no meaning here", op));
}

static Term comparison(FormulaTerms *f, const PyNode *n, bool is_integer) {
  TermTable *tt = f->tt;
  Term result = tt->true_;
  for (uint32_t i = 0; i + 1 < n->count; i++) {
    Term a = term(f, n->args[i], is_integer), b = a ? term(f, n->args[i + 1], is_integer) : 0, c = 0;
    const char *op = n->ops[i];
    if (!a || !b) return 0;
    bool truths = term_sort(tt, a) == SORT_BOOL && term_sort(tt, b) == SORT_BOOL && !strcmp(op, "==");
    if (!truths && (!is_number(f, a) || !is_number(f, b)))
      return complain(f, n, NULL, "expected numbers on both sides");
    if (!strcmp(op, "<="))
      c = term_le(tt, a, b);
    else if (!strcmp(op, "<"))
      c = term_lt(tt, a, b);
    else if (!strcmp(op, ">="))
      c = term_le(tt, b, a);
    else if (!strcmp(op, ">"))
      c = term_lt(tt, b, a);
    else if (!strcmp(op, "=="))
      c = term_eq(tt, a, b);
    else if (!strcmp(op, "!="))
      c = term_not(tt, term_eq(tt, a, b));
    else
      return complain(f, n, NULL, arena_format(f->arena, "'%s' has no meaning here", op));
    result = term_and(tt, result, term_made(tt, TERM_STEP_OTHER, a, b, c));
  }
  return result;
}

static Term junction(FormulaTerms *f, const PyNode *n, bool is_integer) {
  TermTable *tt = f->tt;
  Term result = term_bool(tt, n->kind == PY_AND);
  for (uint32_t i = 0; i < n->count; i++) {
    Term c = term(f, n->args[i], is_integer);
    if (!c) return 0;
    if (term_sort(tt, c) != SORT_BOOL) return complain(f, n->args[i], NULL, "expected a condition");
    result =
        term_made(tt, TERM_STEP_JOIN, result, c, n->kind == PY_AND ? term_and(tt, result, c) : term_or(tt, result, c));
  }
  return result;
}

static Term unary(FormulaTerms *f, const PyNode *n, bool is_integer) {
  Term a = term(f, n->args[0], is_integer);
  bool is_not = !strcmp(n->text, "not") || !strcmp(n->text, "~");
  if (!a) return 0;
  if (is_not != (term_sort(f->tt, a) == SORT_BOOL))
    return complain(f, n, NULL, is_not ? "expected a condition" : "expected a number");
  return is_not ? term_not(f->tt, a) : n->text[0] == '-' ? term_neg(f->tt, a) : a;
}

/* ---- reads ---- */

/* An integer, or what stands for none: an empty maximum in a branch that is not taken. */
static bool is_place(const TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_SELECT) return is_place(tt, term_arg(tt, t, 1)) && is_place(tt, term_arg(tt, t, 2));
  return term_sort(tt, t) == SORT_INT || term_kind(tt, t) == TERM_INF || term_kind(tt, t) == TERM_NEG_INF ||
         term_kind(tt, t) == TERM_FLOORDIV;
}

static bool is_recurrence(const PyNode *n) {
  const PyNode *callee = n->args[0];
  return callee->kind == PY_SUBSCRIPT && callee->args[0]->kind == PY_NAME && !strcmp(callee->args[0]->text, "recur");
}

static Term recurrence(FormulaTerms *f, const PyNode *n, const PyNode *at);

/* An element of an array that a recurrence carries, `state` at its own lanes, which has none elsewhere. */
static Term inside_lanes(TermTable *tt, Term state, const Term *index, Term value) {
  Term inside = tt->true_;
  for (uint32_t k = 0; k + 1 < term_count(tt, state); k++) {
    Term last = term_symbol(tt, term_arg(tt, state, k + 1))->hi;
    if (!term_prove_le(tt, tt->zero, index[k])) inside = term_and(tt, inside, term_le(tt, tt->zero, index[k]));
    if (!term_prove_le(tt, index[k], last)) inside = term_and(tt, inside, term_le(tt, index[k], last));
  }
  return inside == tt->true_ ? value : term_select(tt, inside, value, term_undef(tt, term_sort(tt, value), 0));
}

static Term read_element(FormulaTerms *f, const PyNode *n) {
  const PyNode *name = n->args[0], *at = n->args[1];
  bool many = at->kind == PY_TUPLE;
  uint32_t count = many ? at->count : 1;
  Term index[POINTWISE_MAX_RANK];
  if (name->kind == PY_CALL && is_recurrence(name)) return recurrence(f, name, at);
  if (name->kind != PY_NAME) return complain(f, name, NULL, "expected the name of a tensor");
  if (count > POINTWISE_MAX_RANK) return complain(f, at, NULL, "too many indices");
  for (uint32_t i = 0; i < count; i++) {
    const PyNode *part = many ? at->args[i] : at;
    index[i] = term(f, part, true);
    if (!index[i]) return 0;
    if (!is_place(f->tt, index[i])) return complain(f, part, NULL, "an index is an integer");
  }
  for (uint32_t i = f->bounds.count; i-- > 0;) { /* of an array that a recurrence carries */
    Term state = f->bounds.data[i].symbol;
    if (strcmp(f->bounds.data[i].name, name->text)) continue;
    if (term_kind(f->tt, state) != TERM_READ || term_count(f->tt, state) != count + 1)
      return complain(f, n, NULL, "this is no array of that rank");
    return inside_lanes(f->tt, state, index,
                        term_read(f->tt, term_arg(f->tt, state, 0), term_sort(f->tt, state), count, index));
  }
  if (!formula_find_tensor(f, name->text)) formula_add_tensor(f, name->text, "f32", SORT_REAL, count);
  PointwiseTensor *t = formula_find_tensor(f, name->text);
  if (t->rank != count) return complain(f, n, NULL, arena_format(f->arena, "%s has rank %u", t->name, t->rank));
  t->is_read = true;
  return term_read(f->tt, t->symbol, t->sort, count, index);
}

/* ---- functions ---- */

static bool fold_named(const char *name, TermFoldOp *op) {
  for (int i = 0; i < FOLD_OP_COUNT; i++)
    if (!strcmp(term_fold_name((TermFoldOp)i), name)) {
      *op = (TermFoldOp)i;
      return true;
    }
  return false;
}

/* op[lo <= k < hi, guard](body) */
static Term fold(FormulaTerms *f, const PyNode *n, TermFoldOp op) {
  TermTable *tt = f->tt;
  const PyNode *head = n->args[0]->args[1], *range = head->kind == PY_TUPLE && head->count ? head->args[0] : head;
  const PyNode *guard = head->kind == PY_TUPLE && head->count == 2 ? head->args[1] : NULL;
  bool chained = range->kind == PY_COMPARE && range->count == 3;
  bool good =
      range->kind == PY_COMPARE && (head->kind != PY_TUPLE || head->count <= 2) && range->count <= 3 && n->count == 2;
  const PyNode *name = good ? range->args[chained] : NULL;
  if (!good || name->kind != PY_NAME || strcmp(range->ops[range->count - 2], "<") ||
      (chained && strcmp(range->ops[0], "<=")))
    return complain(f, n, "write `sum[0 <= k < n](x[i, k])`", "expected the range of a fold");
  Term lo = chained ? term(f, range->args[0], true) : tt->zero,
       hi = lo ? term(f, range->args[range->count - 1], true) : 0;
  if (!hi) return 0;
  if (term_sort(tt, lo) != SORT_INT || term_sort(tt, hi) != SORT_INT)
    return complain(f, range, NULL, "the range of a fold is given by integers");
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, k, lo, term_sub(tt, hi, tt->one));
  array_push(f->arena, &f->bounds, (FormulaBound){name->text, k});
  Term condition = guard ? term(f, guard, true) : tt->true_, body = condition ? term(f, n->args[1], false) : 0;
  f->bounds.count--;
  if (!body) return 0;
  bool truths = op == FOLD_ANY || op == FOLD_ALL;
  if (term_sort(tt, condition) != SORT_BOOL) return complain(f, guard, NULL, "expected a condition");
  if ((term_sort(tt, body) == SORT_BOOL) != truths)
    return complain(f, n->args[1], NULL, truths ? "expected a condition" : "expected a number");
  return term_fold(tt, op, k, lo, hi, condition, body);
}

/* ---- recurrences ---- */

typedef struct RecurHead {
  const PyNode *const *args; /* k < n, lanes: i < m, ..., values: s or s[i], ... */
  uint32_t lanes, values;
} RecurHead;

static bool is_range(const PyNode *n) {
  return n->kind == PY_COMPARE && n->count == 2 && !strcmp(n->ops[0], "<") && n->args[0]->kind == PY_NAME;
}

static const PyNode *value_name(const PyNode *n) { return n->kind == PY_SUBSCRIPT ? n->args[0] : n; }

static bool read_head(const PyNode *n, RecurHead *out) {
  const PyNode *head = n->args[0]->args[1];
  uint32_t count = (n->count - 1) / 2;
  if (head->kind != PY_TUPLE || !head->count || !(n->count % 2) || !count || count > RECUR_STATES) return false;
  *out = (RecurHead){.args = (const PyNode *const *)head->args};
  while (out->lanes + 1 < head->count && is_range(head->args[out->lanes + 1])) out->lanes++;
  out->values = head->count - 1 - out->lanes;
  bool good = is_range(head->args[0]) && out->lanes <= RECUR_LANES && out->values - count <= 1;
  for (uint32_t i = 1 + out->lanes; good && i < head->count; i++) good = value_name(head->args[i])->kind == PY_NAME;
  return good;
}

/* The element of an array, at its own lanes, that stands for it; 0: it has another index, or too many. */
static Term carried(FormulaTerms *f, const RecurParts *p, const RecurHead *head, const PyNode *n, TermSort sort) {
  const PyNode *at = n->kind == PY_SUBSCRIPT ? n->args[1] : NULL;
  uint32_t rank = !at ? 0 : at->kind == PY_TUPLE ? at->count : 1;
  Term lane[RECUR_LANES];
  if (rank > RECUR_LANES) return 0;
  for (uint32_t k = 0; k < rank; k++) {
    const PyNode *name = at->kind == PY_TUPLE ? at->args[k] : at;
    lane[k] = 0;
    for (uint32_t d = 0; d < p->lanes && name->kind == PY_NAME; d++)
      if (!strcmp(head->args[1 + d]->args[0]->text, name->text)) lane[k] = p->lane[d];
    for (uint32_t j = 0; j < k; j++)
      if (lane[j] == lane[k]) lane[k] = 0;
    if (!lane[k]) return 0;
  }
  return term_read(f->tt, term_symbol_fresh(f->tt, "state", sort, SYMBOL_CARRY), sort, rank, lane);
}

/* A value speaks of its own lanes alone, unless as the index of a fold. */
static bool has_other_lane(FormulaTerms *f, const RecurParts *p, uint32_t i) {
  for (uint32_t d = 0; d < p->lanes; d++)
    if (!term_has_symbol(f->tt, p->state[i], p->lane[d]) &&
        (term_has_symbol(f->tt, p->init[i], p->lane[d]) || term_has_symbol(f->tt, p->next[i], p->lane[d])))
      return true;
  return false;
}

/* Where the value that is asked for is read: an index for each of its lanes. */
static bool read_place(FormulaTerms *f, RecurParts *p, const PyNode *at, Term *index) {
  TermTable *tt = f->tt;
  Term own = p->state[p->which];
  uint32_t rank = !at ? 0 : at->kind == PY_TUPLE ? at->count : 1;
  for (uint32_t d = 0; d < p->lanes; d++) p->at[d] = tt->zero;
  if (rank != term_count(tt, own) - 1) return false;
  for (uint32_t k = 0; k < rank; k++) {
    index[k] = term(f, at->kind == PY_TUPLE ? at->args[k] : at, true);
    if (!index[k] || !is_place(tt, index[k])) return false;
    for (uint32_t d = 0; d < p->lanes; d++)
      if (p->lane[d] == term_arg(tt, own, k + 1)) p->at[d] = index[k];
  }
  return true;
}

/* recur[k < n, s, u](s0, u0, f(k, s, u), g(k, s, u)): s after n steps; of u with u once more behind the others. Of
 * arrays: recur[k < n, i < m, s[i]](s0(i), f(k, i, s))[a]. */
static Term recurrence(FormulaTerms *f, const PyNode *n, const PyNode *at) {
  TermTable *tt = f->tt;
  RecurHead head;
  if (!read_head(n, &head))
    return complain(f, n, "write `recur[k < n, s](0, max(s + x[k], 0))`", "expected a recurrence");
  RecurParts p = {.n = (n->count - 1) / 2, .lanes = head.lanes};
  const PyNode *const *values = head.args + 1 + p.lanes;
  if (head.values == p.n + 1)
    while (p.which + 1 < p.n && strcmp(value_name(values[p.which])->text, value_name(values[p.n])->text)) p.which++;
  for (uint32_t d = 0; d <= p.lanes; d++) { /* the steps, then the extents */
    Term end = term(f, head.args[d]->args[1], true);
    if (!end) return 0;
    if (term_sort(tt, end) != SORT_INT)
      return complain(f, head.args[d], NULL, "the range of a recurrence is given by integers");
    *(d ? &p.extent[d - 1] : &p.steps) = end;
  }
  TermSort sort[RECUR_STATES] = {SORT_INT}; /* what begins as an integer may become a real */
  for (bool fits = false, first = true; !fits; first = false) {
    uint32_t bounds = f->bounds.count;
    for (uint32_t d = 0; d < p.lanes; d++) {
      p.lane[d] = term_symbol_range(tt, term_symbol_fresh(tt, "lane", SORT_INT, SYMBOL_INDEX), tt->zero,
                                    term_sub(tt, p.extent[d], tt->one));
      array_push(f->arena, &f->bounds, (FormulaBound){head.args[1 + d]->args[0]->text, p.lane[d]});
    }
    for (uint32_t i = 0; i < p.n; i++) {
      if (!(p.init[i] = term(f, n->args[1 + i], false))) return 0;
      if (first) sort[i] = term_sort(tt, p.init[i]);
    }
    p.index = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero,
                                term_sub(tt, p.steps, tt->one));
    array_push(f->arena, &f->bounds, (FormulaBound){head.args[0]->args[0]->text, p.index});
    for (uint32_t i = 0; i < p.n; i++) {
      if (!(p.state[i] = carried(f, &p, &head, values[i], sort[i])))
        return complain(f, values[i], "write s[i] for a lane `i < m` of the recurrence", "an index is no lane");
      array_push(f->arena, &f->bounds, (FormulaBound){value_name(values[i])->text, p.state[i]});
    }
    fits = true;
    for (uint32_t i = 0; i < p.n; i++) {
      if (!(p.next[i] = term(f, n->args[1 + p.n + i], false))) return 0;
      if ((term_sort(tt, p.next[i]) == SORT_BOOL) != (sort[i] == SORT_BOOL))
        return complain(f, n->args[1 + p.n + i], NULL, "a value becomes what it was not");
      if (term_sort(tt, p.next[i]) != SORT_REAL || sort[i] != SORT_INT) continue;
      sort[i] = SORT_REAL, fits = false;
    }
    f->bounds.count = bounds;
  }
  for (uint32_t i = 0; i < p.n; i++)
    if (has_other_lane(f, &p, i))
      return complain(f, values[i], "write s[i]", "a value has a lane that it does not name");
  Term index[RECUR_LANES];
  if (!read_place(f, &p, at, index))
    return complain(f, n, "write `recur[..](..)[a]`", "an array is read at an index for each lane");
  return inside_lanes(tt, p.state[p.which], index, term_recur_of(tt, p));
}

typedef struct Unary {
  const char *name;
  TermKind kind;
} Unary;
static const Unary unaries[] = {
    {"abs", TERM_ABS},     {"floor", TERM_FLOOR},     {"ceil", TERM_CEIL},           {"round", TERM_ROUND},
    {"trunc", TERM_TRUNC}, {"isposinf", TERM_IS_INF}, {"isneginf", TERM_IS_NEG_INF}, {"isnan", TERM_IS_NAN}};

static Term extremum(FormulaTerms *f, bool is_max, const Term *args, uint32_t count) {
  Term result = args[0];
  for (uint32_t i = 1; i < count; i++)
    result = term_made(f->tt, TERM_STEP_OTHER, result, args[i],
                       is_max ? term_max(f->tt, result, args[i]) : term_min(f->tt, result, args[i]));
  return result;
}

/* `undefined` has the sort of what stands beside it. */
static Term fit_undefined(TermTable *tt, Term t, Term beside) {
  return term_kind(tt, t) == TERM_UNDEF && term_sort(tt, t) != term_sort(tt, beside)
             ? term_undef(tt, term_sort(tt, beside), term_aux(tt, t))
             : t;
}

static Term apply(FormulaTerms *f, const PyNode *n, const char *name, const Term *args, uint32_t count) {
  TermTable *tt = f->tt;
  bool numbers = true;
  for (uint32_t i = 0; i < count; i++) numbers &= is_number(f, args[i]);
  if (!strcmp(name, "where") && count == 3 && term_sort(tt, args[0]) == SORT_BOOL)
    return term_made(
        tt, TERM_STEP_CHOICE, args[0], 0,
        term_select(tt, args[0], fit_undefined(tt, args[1], args[2]), fit_undefined(tt, args[2], args[1])));
  if (numbers && count && (!strcmp(name, "max") || !strcmp(name, "maximum"))) return extremum(f, true, args, count);
  if (numbers && count && (!strcmp(name, "min") || !strcmp(name, "minimum"))) return extremum(f, false, args, count);
  if (numbers && count == 1 && !strcmp(name, "sqrt"))
    return term_made(tt, TERM_STEP_OTHER, args[0], 0, term_power(tt, args[0], (Rational){1, 2}));
  for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++)
    if (numbers && count == 1 && !strcmp(unaries[i].name, name))
      return term_made(tt, TERM_STEP_OTHER, args[0], 0, term_unary(tt, unaries[i].kind, args[0]));
  for (int i = 0; i < FN_COUNT; i++)
    if (numbers && !strcmp(term_fn_name((TermFn)i), name) && term_fn_arity((TermFn)i) == count)
      return term_made(tt, TERM_STEP_OTHER, args[0], count > 1 ? args[1] : 0, term_fn(tt, (TermFn)i, count, args));
  if (!strncmp(name, "wrap", 4) && count == 1) {
    int width = atoi(name + 4);
    bool is_end = args[0] == tt->inf || args[0] == tt->neg_inf; /* of an empty maximum of integers */
    if (width > 0 && width <= 64 && (is_end || term_sort(tt, args[0]) == SORT_INT))
      return term_wrap(tt, (uint32_t)width, args[0]);
  }
  return complain(f, n, NULL, arena_format(f->arena, "there is no function %s of such arguments", name));
}

/* The declared function of that name, which may have dots; NULL: there is none. */
static const FormulaOpaque *find_opaque(const FormulaTerms *f, const PyNode *callee) {
  size_t length = callee->span.end - callee->span.begin;
  for (uint32_t i = 0; i < f->opaques.count; i++)
    if (strlen(f->opaques.data[i].name) == length &&
        !memcmp(f->source->text + callee->span.begin, f->opaques.data[i].name, length))
      return &f->opaques.data[i];
  return NULL;
}

static Term call(FormulaTerms *f, const PyNode *n, bool is_integer) {
  const PyNode *callee = n->args[0];
  const FormulaOpaque *opaque = find_opaque(f, callee);
  TermFoldOp op;
  Term args[64];
  if (callee->kind == PY_SUBSCRIPT && callee->args[0]->kind == PY_NAME && fold_named(callee->args[0]->text, &op))
    return fold(f, n, op);
  if (is_recurrence(n)) return recurrence(f, n, NULL);
  if (callee->kind != PY_NAME && !opaque) return complain(f, callee, NULL, "expected the name of a function");
  if (n->count > 65) return complain(f, n, NULL, "too many arguments");
  /* what decides where a conditional goes may be real though the whole is an index */
  for (uint32_t i = 1; i < n->count; i++) {
    if (n->args[i]->kind == PY_KEYWORD || n->args[i]->kind == PY_STAR)
      return complain(f, n->args[i], NULL, "expected a plain argument");
    args[i - 1] = term(f, n->args[i], is_integer);
    if (!args[i - 1]) return 0;
  }
  uint32_t let = opaque ? UINT32_MAX : find_let(f, callee->text);
  if (let != UINT32_MAX) return let_value(f, n, let, n->count - 1, args, is_integer);
  if (opaque) return term_opaque(f->tt, intern_text(f->tt->names, opaque->name), opaque->sort, n->count - 1, args);
  return apply(f, n, callee->text, args, n->count - 1);
}

static Term term_inside(FormulaTerms *f, const PyNode *n, bool is_integer) {
  switch (n->kind) {
  case PY_NAME: return name_term(f, n, is_integer);
  case PY_NUMBER: return number(f, n);
  case PY_UNARY: return unary(f, n, is_integer);
  case PY_BINARY: return binary(f, n, is_integer);
  case PY_COMPARE: return comparison(f, n, is_integer);
  case PY_AND:
  case PY_OR: return junction(f, n, is_integer);
  case PY_SUBSCRIPT: return read_element(f, n);
  case PY_CALL: return call(f, n, is_integer);
  case PY_STRING:
  case PY_TUPLE:
  case PY_LIST:
  case PY_DICT:
  case PY_KEYWORD:
  case PY_STAR:
  case PY_ATTRIBUTE:
  case PY_SLICE:
  case PY_EMPTY:
  case PY_CHOICE:
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
  case PY_COMPREHENSION:
  case PY_LAMBDA:
  case PY_CLAUSE:
  case PY_WHILE:
  case PY_BREAK:
  case PY_CONTINUE:
  case PY_RAISE:
  case PY_OTHER: break;
  }
  return complain(f, n, NULL, "this has no meaning in a formula");
}

static Term term(FormulaTerms *f, const PyNode *n, bool is_integer) {
  guard_tick(f->arena->guard);
  if (f->depth >= DEPTH_LIMIT) return complain(f, n, NULL, "nested too deeply: parts that stand on themselves?");
  f->depth++;
  Term value = term_inside(f, n, is_integer);
  f->depth--;
  return value;
}

Term formula_term(FormulaTerms *f, const PyNode *syntax, bool is_integer) { return term(f, syntax, is_integer); }
