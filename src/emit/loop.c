/* Terms as C (see loop.h). A fold becomes a loop before the statement that uses it, a recurrence one with its values
 * side by side, and what is computed under a condition alone an `if`. Integers are computed in 64 bits, reals in
 * double. */
#include <inttypes.h>
#include <string.h>

#include "emit/loop.h"
#include "emit/lower.h"

enum { LARGEST_TEXT = 1 << 18 };

_Noreturn void loop_give_up(Loop *w, const char *what) {
  guard_throw(w->arena->guard, GUARD_LIMIT, "%s has no %s", w->target, what);
}

void loop_line(Loop *w, const char *text) {
  text_format(w->body, "%*s%s\n", (int)(2 * w->indent), "", text);
  if (w->body->count > LARGEST_TEXT) loop_give_up(w, "function of that length");
}

/* ---- names ---- */

static bool is_reserved(const char *name) {
  static const char *const words[] = {
      "auto",   "break",  "case",     "char",   "const",     "continue", "default", "do",       "double", "else",
      "enum",   "extern", "float",    "for",    "goto",      "if",       "inline",  "int",      "long",   "register",
      "return", "short",  "signed",   "sizeof", "static",    "struct",   "switch",  "typedef",  "union",  "unsigned",
      "void",   "while",  "restrict", "old",    "floor_div", "power",    "wrap",    "volatile", "bool",   "main"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], name)) return true;
  return false;
}

static bool is_taken(const Loop *w, const char *name) {
  for (uint32_t i = 0; i < w->names.count; i++)
    if (!strcmp(w->names.data[i].text, name)) return true;
  return is_reserved(name);
}

const char *loop_identifier(Loop *w, const char *name) {
  char *text = arena_copy(w->arena, name, strlen(name));
  for (char *c = text; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c)) *c = '_';
  if (*text >= '0' && *text <= '9') text = arena_format(w->arena, "_%s", text);
  while (is_taken(w, text)) text = arena_format(w->arena, "%s_", text);
  return text;
}

const char *loop_name(Loop *w, Term symbol) {
  for (uint32_t i = 0; i < w->names.count; i++)
    if (w->names.data[i].term == symbol) return w->names.data[i].text;
  const char *text = loop_identifier(w, term_name(w->tt, symbol));
  array_push(w->arena, &w->names, (LoopName){symbol, text});
  return text;
}

const char *loop_fresh(Loop *w, const char *stem) { return arena_format(w->arena, "%s%u", stem, w->fresh++); }

/* ---- types ---- */

const char *loop_type(Loop *w, const char *dtype) {
  static const char *const rows[][2] = {
      {"f32", "float"},    {"f64", "double"},   {"f80", "long double"}, {"i1", "bool"},    {"i8", "int8_t"},
      {"i16", "int16_t"},  {"i32", "int32_t"},  {"i64", "int64_t"},     {"u8", "uint8_t"}, {"u16", "uint16_t"},
      {"u32", "uint32_t"}, {"u64", "uint64_t"}, {"index", "int64_t"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i][0], dtype)) return rows[i][1];
  if (*dtype == 'f' || *dtype == 'b') return "float"; /* C has no shorter floats */
  loop_give_up(w, "type of these elements");
}

const char *loop_type_of_sort(const Loop *w, TermSort sort) {
  return sort == SORT_REAL ? w->is_wide ? "long double" : "double" : sort == SORT_BOOL ? "bool" : "int64_t";
}

/* ---- numbers ---- */

static const char *number(Loop *w, Rational r, bool real) {
  if (r.den == 1 && !real && (r.num > INT64_MAX || r.num < INT64_MIN)) loop_give_up(w, "integers of more than 64 bits");
  if (r.den == 1 && !real && r.num == INT64_MIN) return "INT64_MIN"; /* no literal of C has this value */
  if (r.den == 1 && !real) return arena_format(w->arena, "%" PRId64, (int64_t)r.num);
  const char *text = w->is_wide ? arena_format(w->arena, "%.21Lg", (long double)r.num / (long double)r.den)
                                : arena_format(w->arena, "%.17g", rational_to_double(r));
  return arena_format(w->arena, "%s%s%s", text, strpbrk(text, ".en") ? "" : ".0", w->is_wide ? "L" : "");
}

/* A name, number, call or element: what nothing binds closer than. */
static bool is_closest(const char *text) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
  const char *at = text + strspn(text, word);
  int depth = 0;
  if (at == text && *text != '(') return false;
  for (; *at; at++) {
    if (!depth && !strchr("([", *at)) return false;
    if (strchr("([", *at)) depth++;
    if (strchr(")]", *at)) depth--;
  }
  return true;
}

const char *loop_factor_text(Loop *w, const char *text) {
  return is_closest(text) ? text : arena_format(w->arena, "(%s)", text);
}

const char *loop_factor(Loop *w, Term t) { return loop_factor_text(w, loop_expression(w, t)); }

/* True if C has fewer bits for it than it is to be computed in. Elements of narrow arrays, and choices among them. */
static bool is_narrow(Loop *w, Term t) {
  TermTable *tt = w->tt;
  if (term_sort(tt, t) != SORT_INT) return false;
  if (term_kind(tt, t) == TERM_SELECT) return is_narrow(w, term_arg(tt, t, 1)) || is_narrow(w, term_arg(tt, t, 2));
  if (term_kind(tt, t) == TERM_FN) return true; /* of bits */
  const PointwiseTensor *tensor = term_kind(tt, t) == TERM_READ ? pointwise_tensor(w->p, term_arg(tt, t, 0)) : NULL;
  return tensor && strcmp(loop_type(w, tensor->dtype), "int64_t") != 0;
}

/* The function of C that rounds so, which gives a float; NULL: the term is another. */
static const char *rounding(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  return kind == TERM_FLOOR   ? "floor"
         : kind == TERM_CEIL  ? "ceil"
         : kind == TERM_ROUND ? "nearbyint"
         : kind == TERM_TRUNC ? "trunc"
                              : NULL;
}

/* As the first operand, which decides in which type C computes. A float that is rounded may be beyond all integers. */
static const char *widened(Loop *w, Term t, bool real) {
  const char *round = real ? rounding(w->tt, t) : NULL;
  if (round) return arena_format(w->arena, "%s(%s)", round, loop_expression(w, term_arg(w->tt, t, 0)));
  const char *text = loop_factor(w, t);
  if (real && term_sort(w->tt, t) == SORT_INT && !term_is_rat(w->tt, t))
    return arena_format(w->arena, "(%s)%s", loop_type_of_sort(w, SORT_REAL), text);
  return !real && is_narrow(w, t) ? arena_format(w->arena, "(int64_t)%s", text) : text;
}

static const char *operand(Loop *w, Term t, bool first, bool real) {
  return first || (real && rounding(w->tt, t)) ? widened(w, t, real) : loop_factor(w, t);
}

const char *loop_stored(Loop *w, Term t, const char *type) {
  bool real = !strcmp(type, "float") || !strcmp(type, "double");
  return real && rounding(w->tt, t) ? widened(w, t, real) : loop_expression(w, t);
}

/* One more summand: k * part, or the number k. */
static void add_part(Loop *w, Text *text, Rational k, const char *part, bool real) {
  bool minus = k.num < 0;
  if (minus) k.num = -k.num;
  text_add(text, text->count ? minus ? " - " : " + " : minus ? "-" : "");
  bool one = k.num == 1 && k.den == 1;
  if (!part || !one) text_add(text, number(w, k, real));
  if (part) text_format(text, "%s%s", one ? "" : " * ", part);
}

static const char *sum(Loop *w, Term t) {
  TermTable *tt = w->tt;
  if (lower_leaves_64_bits(tt, t)) loop_give_up(w, "integers of more than 64 bits");
  bool real = term_sort(tt, t) == SORT_REAL;
  Int128 all = 1; /* an integer with fractions, n*(n + 1)/2: over one denominator */
  Text text = text_new(w->arena);
  Rational constant = term_rat(tt, term_arg(tt, t, 0));
  if (!real) all = constant.den;
  for (uint32_t i = 1; !real && i < term_count(tt, t); i += 2) {
    Int128 den = term_rat(tt, term_arg(tt, t, i)).den;
    if (all % den) all *= den;
  }
  if (!real) constant = (Rational){constant.num * (all / constant.den), 1};
  bool is_first = true;                     /* after a number nothing is wide yet */
  for (int minus = 0; minus < 2; minus++) { /* what is added, then what is taken away */
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      if (!real) k = (Rational){k.num * (all / k.den), 1};
      if ((k.num < 0) != minus) continue;
      bool first = !text.count || k.num != (minus ? -1 : 1) || k.den != 1 || is_first;
      add_part(w, &text, k, operand(w, term_arg(tt, t, i + 1), first, real), real);
      is_first = false;
    }
    if (constant.num && (constant.num < 0) == minus) add_part(w, &text, constant, NULL, real);
  }
  return all == 1 ? text_string(&text) : arena_format(w->arena, "(%s) / %" PRId64, text_string(&text), (int64_t)all);
}

static bool has_fraction(const TermTable *tt, Term sum) {
  for (uint32_t i = 0; i < term_count(tt, sum); i += i ? 2 : 1)
    if (term_rat(tt, term_arg(tt, sum, i)).den != 1) return true;
  return false;
}

static const char *to_power(Loop *w, const char *base, Rational e) {
  if (e.num == 1 && e.den == 1) return base;
  if (e.num == 1 && e.den == 2) return arena_format(w->arena, "sqrt(%s)", base);
  if (e.den != 1) return arena_format(w->arena, "pow(%s, %s)", base, number(w, e, true));
  if (e.num == 2) return arena_format(w->arena, "%s * %s", loop_factor_text(w, base), loop_factor_text(w, base));
  return arena_format(w->arena, "pow(%s, %d)", base, (int)e.num);
}

static const char *product(Loop *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL;
  Text above = text_new(w->arena), below = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    Text *to = e.num < 0 ? &below : &above;
    bool first = !to->count || e.num * e.num != 1 || e.den != 1;
    const char *base = operand(w, term_arg(tt, t, i), first, real);
    if (e.num < 0) e.num = -e.num;
    if (!real && (e.den != 1 || to == &below)) loop_give_up(w, "such power of integers");
    uint32_t times = !real ? (uint32_t)e.num : 1;
    if (times > 16) loop_give_up(w, "such power of integers");
    const char *part = real ? loop_factor_text(w, to_power(w, base, e)) : base;
    for (uint32_t k = 0; k < times; k++) text_format(to, "%s%s", to->count ? " * " : "", part);
  }
  if (!below.count) return text_string(&above);
  return arena_format(w->arena, "%s / %s", above.count ? text_string(&above) : "1.0",
                      loop_factor_text(w, text_string(&below)));
}

/* ---- memory ---- */

const char *loop_place(Loop *w, const PointwiseTensor *t, const Term *index) {
  Text text = text_new(w->arena);
  for (uint32_t k = 0; k < t->rank; k++) {
    const char *at = loop_expression(w, index[k]);
    if (!k)
      text_add(&text, at);
    else {
      const char *before = arena_copy(w->arena, text.data, text.count);
      text.count = 0;
      text_format(&text, "%s * %s + %s", loop_factor_text(w, before), loop_factor(w, t->extent[k]),
                  loop_factor_text(w, at));
    }
  }
  return t->rank ? text_string(&text) : "0";
}

static const char *state_element(Loop *w, PointwiseTensor state, const Term *at) {
  return arena_format(w->arena, "%s[%s]", state.name, loop_place(w, &state, at));
}

static uint32_t number_of(const Loop *w, const PointwiseTensor *t) { return (uint32_t)(t - w->p->tensors.data); }

static const char *read_element(Loop *w, Term t) {
  TermTable *tt = w->tt;
  for (uint32_t i = w->names.count; i-- > 0;)
    if (w->names.data[i].term == t) return w->names.data[i].text; /* what a recurrence has so far */
  for (uint32_t i = 0; i < w->states.count; i++)
    if (w->states.data[i].symbol == term_arg(tt, t, 0)) {
      Term at[RECUR_LANES];
      for (uint32_t k = 1; k < term_count(tt, t); k++) at[k - 1] = term_arg(tt, t, k);
      return state_element(w, w->states.data[i], at);
    }
  const PointwiseTensor *tensor = pointwise_tensor(w->p, term_arg(tt, t, 0));
  Term index[POINTWISE_MAX_RANK];
  if (!tensor || term_count(tt, t) != tensor->rank + 1) loop_give_up(w, "view of this tensor");
  bool own = w->output && &w->p->tensors.data[w->output->tensor] == tensor;
  for (uint32_t k = 0; k < tensor->rank; k++) {
    index[k] = term_arg(tt, t, k + 1);
    own = own && index[k] == w->output->index[k];
  }
  if (own) return "old";
  bool is_copy = number_of(w, tensor) < 64 && w->copies[number_of(w, tensor)];
  const char *name = loop_name(w, tensor->symbol);
  bool is_widened = w->is_wide && *tensor->dtype == 'f' && strcmp(tensor->dtype, "f80") != 0;
  return arena_format(w->arena, "%s%s%s[%s]", is_widened ? "(long double)" : "", name, is_copy ? "_old" : "",
                      loop_place(w, tensor, index));
}

/* ---- conditions, choices ---- */

void loop_sides(TermTable *tt, Term t, Term *left, Term *right) {
  *left = term_arg(tt, t, 0), *right = term_count(tt, t) > 1 ? term_arg(tt, t, 1) : tt->zero;
  if (*right != tt->zero || term_kind(tt, *left) != TERM_ADD || lower_split_sides(tt, *left, left, right)) return;
  Term a = term_arg(tt, *left, 0), b = tt->zero;
  if (term_rat(tt, a).num < 0) b = term_neg(tt, a), a = tt->zero;
  for (uint32_t i = 1; i < term_count(tt, *left); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, *left, i));
    Term part = term_scale(tt, k, term_arg(tt, *left, i + 1));
    if (k.num < 0)
      b = term_sub(tt, b, part);
    else
      a = term_add(tt, a, part);
  }
  *left = a, *right = b;
}

/* Of integers, `a + 1 <= b` is `a < b`: a + 1 may be too large. */
static const char *compare(Loop *w, Term t, const char *op) {
  TermTable *tt = w->tt;
  Term left, right;
  loop_sides(tt, t, &left, &right);
  bool is_sum = term_kind(tt, left) == TERM_ADD && term_sort(tt, left) == SORT_INT;
  if (is_sum && term_kind(tt, t) == TERM_LE && term_rat(tt, term_arg(tt, left, 0)).num == 1)
    left = term_sub(tt, left, tt->one), op = "<";
  return arena_format(w->arena, "%s %s %s", loop_factor(w, left), op, loop_factor(w, right));
}

/* An expression with the statements that it needs, apart. */
static const char *apart(Loop *w, Term t, Text *statements) {
  Text *outer = w->body;
  uint32_t known = w->folds.count;
  *statements = text_new(w->arena);
  w->body = statements, w->indent++;
  const char *text = loop_expression(w, t);
  w->body = outer, w->indent--;
  w->folds.count = known;
  return text;
}

static const char *choose(Loop *w, TermSort sort, const char *condition, Term yes, Term no) {
  Text a, b;
  const char *x = apart(w, yes, &a), *y = apart(w, no, &b);
  if (!a.count && !b.count)
    return arena_format(w->arena, "%s ? %s : %s", loop_factor_text(w, condition), loop_factor_text(w, x),
                        loop_factor_text(w, y));
  const char *name = loop_fresh(w, "chosen");
  loop_line(w, arena_format(w->arena, "%s %s;", loop_type_of_sort(w, sort), name));
  loop_line(w, arena_format(w->arena, "if (%s) {", condition));
  text_add(w->body, text_string(&a));
  loop_line(w, arena_format(w->arena, "  %s = %s;", name, x));
  loop_line(w, "} else {");
  text_add(w->body, text_string(&b));
  loop_line(w, arena_format(w->arena, "  %s = %s;", name, y));
  loop_line(w, "}");
  return name;
}

/* All or any of the parts, each computed only where those before it leave it open. */
static const char *join(Loop *w, Term t, bool all) {
  TermTable *tt = w->tt;
  Text text = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Text statements;
    const char *part = apart(w, term_arg(tt, t, i), &statements);
    if (statements.count && i) {
      const char *name = loop_fresh(w, "holds");
      loop_line(w, arena_format(w->arena, "bool %s = %s;", name, text_string(&text)));
      loop_line(w, arena_format(w->arena, "if (%s%s) {", all ? "" : "!", name));
      text_add(w->body, text_string(&statements));
      loop_line(w, arena_format(w->arena, "  %s = %s;", name, part));
      loop_line(w, "}");
      text.count = 0;
      text_add(&text, name);
      continue;
    }
    if (statements.count) part = loop_expression(w, term_arg(tt, t, i));
    text_format(&text, "%s%s", i ? all ? " && " : " || " : "", loop_factor_text(w, part));
  }
  return text_string(&text);
}

/* ---- folds ---- */

static const char *identity(Loop *w, TermFoldOp op, bool real) {
  switch (op) {
  case FOLD_SUM: return real ? "0.0" : "0";
  case FOLD_PROD: return real ? "1.0" : "1";
  case FOLD_MAX: return real ? "-INFINITY" : "INT64_MIN";
  case FOLD_MIN: return real ? "INFINITY" : "INT64_MAX";
  case FOLD_ANY: return "false";
  case FOLD_ALL: return "true";
  case FOLD_XOR: return "0";
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  loop_give_up(w, "such reduction");
}

const char *loop_combine(Loop *w, TermFoldOp op, const char *acc, const char *value) {
  static const char *const signs[] = {[FOLD_SUM] = "+", [FOLD_PROD] = "*", [FOLD_XOR] = "^"};
  switch (op) {
  case FOLD_SUM:
  case FOLD_PROD:
  case FOLD_XOR: return arena_format(w->arena, "%s %s= %s;", acc, signs[op], value);
  case FOLD_MAX: return arena_format(w->arena, "if (%s > %s) %s = %s;", value, acc, acc, value);
  case FOLD_MIN: return arena_format(w->arena, "if (%s < %s) %s = %s;", value, acc, acc, value);
  case FOLD_ANY: return arena_format(w->arena, "%s = %s || %s;", acc, acc, value);
  case FOLD_ALL: return arena_format(w->arena, "%s = %s && %s;", acc, acc, value);
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: break;
  }
  loop_give_up(w, "such reduction");
}

static void fold_step(Loop *w, const FoldParts *f, const char *acc, const char *best, const char *index) {
  const char *value = loop_expression(w, f->body), *type = loop_type_of_sort(w, term_sort(w->tt, f->body));
  if (f->op == FOLD_MAX || f->op == FOLD_MIN || best) {
    const char *name = loop_fresh(w, "x");
    loop_line(w, arena_format(w->arena, "const %s %s = %s;", type, name, value));
    value = name;
  } else {
    value = loop_factor_text(w, value);
  }
  if (!best) {
    loop_line(w, loop_combine(w, f->op, acc, value));
    return;
  }
  loop_line(w, arena_format(w->arena, "if (%s < 0 || %s %s %s) %s = %s, %s = %s;", acc, value,
                            f->op == FOLD_ARGMAX ? ">" : "<", best, acc, index, best, value));
}

/* Recurrences of arrays of which each turn of the fold asks for another element stand before it. */
static void make_arrays(Loop *w, const FoldParts *f) {
  if (f->guard != w->tt->true_ || !term_prove_lt(w->tt, f->lo, f->hi)) return;
  TermList before = loop_invariants_of(w, f->body, 1, &f->symbol);
  for (uint32_t i = 0; i < before.count; i++)
    if (term_kind(w->tt, before.data[i]) == TERM_RECUR && term_recur_lanes(w->tt, before.data[i]))
      loop_expression(w, before.data[i]);
}

static const char *fold(Loop *w, Term t) {
  TermTable *tt = w->tt;
  for (uint32_t i = 0; i < w->folds.count; i++)
    if (w->folds.data[i].term == t) return w->folds.data[i].text;
  Term stepwise = lower_stepwise(tt, t);
  if (stepwise != t) {
    const char *text = loop_expression(w, stepwise);
    array_push(w->arena, &w->folds, (LoopName){t, text});
    return text;
  }
  FoldParts f = term_fold_open(tt, t);
  bool arg = f.op == FOLD_ARGMAX || f.op == FOLD_ARGMIN;
  TermSort sort = term_sort(tt, f.body);
  static const char *const stems[] = {"sum", "product", "greatest", "least", "any", "all", "bits", "place", "place"};
  const char *acc = loop_fresh(w, stems[f.op]), *best = arg ? loop_fresh(w, "best") : NULL, *k = loop_fresh(w, "k");
  const char *lo = loop_expression(w, f.lo), *hi = loop_expression(w, f.hi);
  array_push(w->arena, &w->names, (LoopName){f.symbol, k});
  loop_line(w, arena_format(w->arena, "%s %s = %s;", arg ? "int64_t" : loop_type_of_sort(w, sort), acc,
                            arg ? "-1" : identity(w, f.op, sort == SORT_REAL)));
  if (arg) loop_line(w, arena_format(w->arena, "%s %s = 0;", loop_type_of_sort(w, sort), best));
  make_arrays(w, &f);
  loop_line(w, arena_format(w->arena, "for (int64_t %s = %s; %s < %s; %s++) {", k, lo, k, loop_factor_text(w, hi), k));
  uint32_t known = w->folds.count;
  w->indent++;
  if (f.guard != tt->true_) {
    const char *guard = loop_expression(w, f.guard);
    loop_line(w, arena_format(w->arena, "if (!(%s)) continue;", guard));
  }
  fold_step(w, &f, acc, best, k);
  w->indent--;
  w->folds.count = known;
  loop_line(w, "}");
  array_push(w->arena, &w->folds, (LoopName){t, acc});
  return acc;
}

/* ---- recurrences ---- */

enum { MOST_ELEMENTS = 1 << 17 }; /* of all arrays of a function: they lie on the stack */

/* The place of a lane of the state among all lanes. */
static uint32_t lane_of(const TermTable *tt, const RecurParts *p, uint32_t state, uint32_t k) {
  uint32_t d = 0;
  while (p->lane[d] != term_arg(tt, p->state[state], k + 1)) d++;
  return d;
}

/* One name in all loops over it. */
static const char *lane_name(Loop *w, Term lane) {
  for (uint32_t i = 0; i < w->names.count; i++)
    if (w->names.data[i].term == lane) return w->names.data[i].text;
  const char *name = loop_fresh(w, "i");
  array_push(w->arena, &w->names, (LoopName){lane, name});
  return name;
}

/* An array for all elements of a value, each of which is the term's; what does not depend on a lane stands before the
 * loop over it. */
static PointwiseTensor define_array(Loop *w, const RecurParts *p, uint32_t i, const char *stem, Term value) {
  TermTable *tt = w->tt;
  PointwiseTensor to = {.symbol = term_arg(tt, p->state[i], 0), .name = loop_fresh(w, stem)};
  Term lanes[RECUR_LANES];
  int64_t elements = 1, extent;
  uint32_t known = w->folds.count;
  to.rank = term_count(tt, p->state[i]) - 1;
  for (uint32_t k = 0; k < to.rank; k++) {
    lanes[k] = term_arg(tt, p->state[i], k + 1), to.extent[k] = p->extent[lane_of(tt, p, i, k)];
    if (!term_is_int(tt, to.extent[k], &extent) || extent < 1 || extent > (MOST_ELEMENTS - w->elements) / elements)
      loop_give_up(w, "arrays that a loop carries whose length is no number, or large");
    elements *= extent;
  }
  w->elements += elements;
  const char *type = loop_type_of_sort(w, term_sort(tt, p->state[i]));
  loop_line(w, arena_format(w->arena, "%s %s[%lld];", type, to.name, (long long)elements));
  for (uint32_t k = 0; k < to.rank; k++) {
    TermList before = loop_invariants_of(w, value, to.rank - k, lanes + k);
    for (uint32_t n = 0; n < before.count; n++) loop_expression(w, before.data[n]);
    const char *lane = lane_name(w, lanes[k]), *end = loop_expression(w, to.extent[k]);
    loop_line(w, arena_format(w->arena, "for (int64_t %s = 0; %s < %s; %s++) {", lane, lane, end, lane));
    w->indent++;
  }
  const char *text = loop_expression(w, value);
  loop_line(w, arena_format(w->arena, "%s = %s;", state_element(w, to, lanes), text));
  for (uint32_t k = 0; k < to.rank; k++) w->indent--, loop_line(w, "}");
  w->folds.count = known;
  return to;
}

/* A variable for a value that is carried, or before it is. */
static PointwiseTensor define(Loop *w, const RecurParts *p, uint32_t i, bool is_next, Term value) {
  if (term_count(w->tt, p->state[i]) > 1) return define_array(w, p, i, is_next ? "next" : "state", value);
  const char *text = loop_expression(w, value), *type = loop_type_of_sort(w, term_sort(w->tt, p->state[i]));
  PointwiseTensor to = {.symbol = term_arg(w->tt, p->state[i], 0), .name = loop_fresh(w, is_next ? "next" : "state")};
  loop_line(w, arena_format(w->arena, "%s%s %s = %s;", is_next ? "const " : "", type, to.name, text));
  return to;
}

/* What the last step left: a value, or an element of an array. */
static const char *result(Loop *w, const RecurParts *p, PointwiseTensor state) {
  Term at[RECUR_LANES];
  for (uint32_t k = 0; k < state.rank; k++) at[k] = p->at[lane_of(w->tt, p, p->which, k)];
  return state.rank ? state_element(w, state, at) : state.name;
}

/* One that was computed already; NULL: there is none. */
static const char *find_recurrence(Loop *w, const RecurParts *p, Term t) {
  for (uint32_t i = 0; i < w->folds.count; i++) {
    if (w->folds.data[i].term == t && !p->lanes) return w->folds.data[i].text;
    if (!loop_is_same_array(w->tt, w->folds.data[i].term, t)) continue;
    PointwiseTensor state = {.name = w->folds.data[i].text, .rank = term_count(w->tt, p->state[p->which]) - 1};
    for (uint32_t k = 0; k < state.rank; k++) state.extent[k] = p->extent[lane_of(w->tt, p, p->which, k)];
    return result(w, p, state);
  }
  return NULL;
}

/* All values at once, as each step takes those before it. */
static const char *recurrence(Loop *w, Term t) {
  TermTable *tt = w->tt;
  RecurParts p = term_recur_open(tt, t);
  const char *made = find_recurrence(w, &p, t), *k = made ? NULL : loop_fresh(w, "k");
  if (made) return made;
  PointwiseTensor state[RECUR_STATES], next[RECUR_STATES];
  for (uint32_t i = 0; i < p.n; i++) state[i] = define(w, &p, i, false, p.init[i]);
  const char *steps = loop_expression(w, p.steps);
  for (uint32_t i = 0; i < p.n; i++)
    if (state[i].rank)
      array_push(w->arena, &w->states, state[i]);
    else
      array_push(w->arena, &w->names, (LoopName){p.state[i], state[i].name});
  array_push(w->arena, &w->names, (LoopName){p.index, k});
  loop_line(w, arena_format(w->arena, "for (int64_t %s = 0; %s < %s; %s++) {", k, k, loop_factor_text(w, steps), k));
  uint32_t known = w->folds.count;
  w->indent++;
  if (p.n == 1 && !state[0].rank) { /* nothing reads what was there before */
    const char *value = loop_expression(w, p.next[0]);
    loop_line(w, arena_format(w->arena, "%s = %s;", state[0].name, value));
  } else {
    for (uint32_t i = 0; i < p.n; i++) next[i] = define(w, &p, i, true, p.next[i]);
    for (uint32_t i = 0; i < p.n; i++)
      loop_line(w, arena_format(w->arena, state[i].rank ? "memcpy(%s, %s, sizeof %s);" : "%s = %s;", state[i].name,
                                next[i].name, state[i].name));
  }
  w->indent--;
  w->folds.count = known;
  loop_line(w, "}");
  for (uint32_t i = 0; i < p.n; i++) { /* each of its values, which others may ask for */
    RecurParts part = p;
    part.which = i;
    Term own = term_recur_of(tt, part);
    bool is_array = term_kind(tt, own) == TERM_RECUR && term_recur_lanes(tt, own) == p.lanes;
    /* a recurrence that needs fewer values may have fewer lanes: it is one element of this array then, or a part */
    if (!state[i].rank || is_array) array_push(w->arena, &w->folds, (LoopName){own, state[i].name});
  }
  array_push(w->arena, &w->folds, (LoopName){t, state[p.which].name});
  return result(w, &p, state[p.which]);
}

/* ---- functions that are arguments ---- */

static const char *unknown(Loop *w, Term t) {
  TermTable *tt = w->tt;
  const char *name = NULL;
  for (uint32_t i = 0; i < w->functions.count && !name; i++)
    if (term_aux(tt, w->functions.data[i].term) == term_aux(tt, t)) {
      name = w->functions.data[i].text;
      if (term_count(tt, w->functions.data[i].term) != term_count(tt, t))
        loop_give_up(w, "function of now so many and now so many arguments");
    }
  if (!name) {
    name = loop_identifier(w, intern_string(tt->names, term_aux(tt, t)));
    array_push(w->arena, &w->names, (LoopName){0, name});
    array_push(w->arena, &w->functions, (LoopName){t, name});
  }
  Text arguments = text_new(w->arena);
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    text_format(&arguments, "%s%s", i ? ", " : "", loop_expression(w, term_arg(tt, t, i)));
  return arena_format(w->arena, "%s(%s)", name, text_string(&arguments));
}

/* ---- integers modulo powers of two ---- */

/* An integer in 64 bits without sign, where nothing overflows. */
static const char *modular(Loop *w, Term t) {
  TermTable *tt = w->tt;
  Text text = text_new(w->arena);
  if (term_kind(tt, t) == TERM_MUL) {
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.den != 1 || e.num < 1 || e.num > 16) loop_give_up(w, "such power of integers");
      for (Int128 k = 0; k < e.num; k++)
        text_format(&text, "%s%s", text.count ? " * " : "", loop_factor_text(w, modular(w, term_arg(tt, t, i))));
    }
    return text_string(&text);
  }
  if (term_kind(tt, t) == TERM_ADD && !has_fraction(tt, t)) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, t, i));
      text_format(&text, "%s%" PRIu64 "u * %s", i > 1 ? " + " : "", (uint64_t)k.num,
                  loop_factor_text(w, modular(w, term_arg(tt, t, i + 1))));
    }
    Rational c = term_rat(tt, term_arg(tt, t, 0));
    if (c.num) text_format(&text, " + %" PRIu64 "u", (uint64_t)c.num);
    return text_string(&text);
  }
  return arena_format(w->arena, "(uint64_t)%s", loop_factor(w, t));
}

static const char *wrapped(Loop *w, Term t) {
  Term inside = term_arg(w->tt, t, 0);
  bool plain = term_kind(w->tt, inside) != TERM_ADD && term_kind(w->tt, inside) != TERM_MUL;
  return arena_format(w->arena, plain ? "wrap(%s, %u)" : "wrap((int64_t)(%s), %u)",
                      plain ? loop_expression(w, inside) : modular(w, inside), term_aux(w->tt, t));
}

/* ---- all of them ---- */

static const char *call(Loop *w, Term t) {
  TermTable *tt = w->tt;
  TermFn fn = (TermFn)term_aux(tt, t);
  static const char *const signs[] = {[FN_BITAND] = "&", [FN_BITOR] = "|", [FN_BITXOR] = "^", [FN_SHR] = ">>"};
  const char *a = loop_expression(w, term_arg(tt, t, 0)),
             *b = term_count(tt, t) > 1 ? loop_expression(w, term_arg(tt, t, 1)) : "";
  if (fn == FN_BITAND || fn == FN_BITOR || fn == FN_BITXOR || fn == FN_SHR)
    return arena_format(w->arena, "%s %s %s", loop_factor_text(w, a), signs[fn], loop_factor_text(w, b));
  if (fn == FN_SHL)
    return arena_format(w->arena, "(int64_t)((uint64_t)%s << %s)", loop_factor_text(w, a), loop_factor_text(w, b));
  if (fn == FN_MULHI)
    return arena_format(w->arena, "(int64_t)((uint64_t)(uint32_t)%s * (uint32_t)%s >> 32)", loop_factor_text(w, a),
                        loop_factor_text(w, b));
  if (fn == FN_ERFINV) return arena_format(w->arena, "inverse_erf(%s)", a);
  return term_count(tt, t) > 1 ? arena_format(w->arena, "%s(%s, %s)", term_fn_name(fn), a, b)
                               : arena_format(w->arena, "%s(%s)", term_fn_name(fn), a);
}

static const char *extreme(Loop *w, Term t) {
  TermTable *tt = w->tt;
  Term joined = lower_joined(tt, t);
  if (joined != t) return loop_expression(w, joined);
  bool real = term_sort(tt, t) == SORT_REAL, max = term_kind(tt, t) == TERM_MAX;
  const char *text = loop_expression(w, term_arg(tt, t, 0));
  const char *name = real ? max ? "fmax" : "fmin" : max ? "larger" : "smaller";
  for (uint32_t i = 1; i < term_count(tt, t); i++)
    text = arena_format(w->arena, "%s(%s, %s)", name, text, loop_expression(w, term_arg(tt, t, i)));
  return text;
}

static const char *of_one(Loop *w, const char *before, Term t, const char *behind) {
  return arena_format(w->arena, "%s%s%s", before, loop_expression(w, term_arg(w->tt, t, 0)), behind);
}

const char *loop_expression(Loop *w, Term t) {
  TermTable *tt = w->tt;
  bool real = term_sort(tt, t) == SORT_REAL;
  guard_tick(w->arena->guard);
  switch (term_kind(tt, t)) {
  case TERM_RAT: return number(w, term_rat(tt, t), real || term_rat(tt, t).den != 1);
  case TERM_INF: return real ? "INFINITY" : "INT64_MAX";
  case TERM_NEG_INF: return real ? "-INFINITY" : "INT64_MIN";
  case TERM_NAN: return "NAN";
  case TERM_TRUE: return "true";
  case TERM_FALSE: return "false";
  case TERM_SYM: return loop_name(w, t);
  case TERM_UNDEF: return "0";
  case TERM_READ: return read_element(w, t);
  case TERM_ADD: return sum(w, t);
  case TERM_MUL: return product(w, t);
  case TERM_FLOORDIV:
    return arena_format(w->arena, "floor_div(%s, %s)", loop_expression(w, term_arg(tt, t, 0)),
                        loop_expression(w, term_arg(tt, t, 1)));
  case TERM_MIN:
  case TERM_MAX: return extreme(w, t);
  case TERM_ABS: return of_one(w, real ? "fabs(" : "llabs(", t, ")");
  case TERM_FLOOR:
  case TERM_CEIL:
  case TERM_ROUND:
  case TERM_TRUNC: return of_one(w, arena_format(w->arena, "(int64_t)%s(", rounding(tt, t)), t, ")");
  case TERM_LE: return compare(w, t, "<=");
  case TERM_LT: return compare(w, t, "<");
  case TERM_EQ: return compare(w, t, "==");
  case TERM_IS_INF: return arena_format(w->arena, "%s == INFINITY", loop_factor(w, term_arg(tt, t, 0)));
  case TERM_IS_NEG_INF: return arena_format(w->arena, "%s == -INFINITY", loop_factor(w, term_arg(tt, t, 0)));
  case TERM_IS_NAN: return of_one(w, "isnan(", t, ")");
  case TERM_NOT: return arena_format(w->arena, "!(%s)", loop_expression(w, term_arg(tt, t, 0)));
  case TERM_AND: return join(w, t, true);
  case TERM_OR: return join(w, t, false);
  case TERM_SELECT: {
    Term a, b;
    if (term_is_truncdiv(tt, t, &a, &b))
      return arena_format(w->arena, "%s / %s", widened(w, a, false), loop_factor(w, b));
    const char *condition = loop_expression(w, term_arg(tt, t, 0));
    return choose(w, term_sort(tt, t), condition, term_arg(tt, t, 1), term_arg(tt, t, 2));
  }
  case TERM_FN: return call(w, t);
  case TERM_WRAP: return wrapped(w, t);
  case TERM_FOLD: return fold(w, t);
  case TERM_RECUR: return recurrence(w, t);
  case TERM_OPAQUE: return unknown(w, t);
  case TERM_NONE:
  case TERM_BOUND:
  case TERM_PTR:
  case TERM_STATE:
  case TERM_KIND_COUNT: break;
  }
  loop_give_up(w, "such expression");
}

/* ---- what a module calls ---- */

void loop_helpers(const char *module, Text *out) {
  static const char *const helpers[][2] = {
      {"floor_div(",
       "int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }\n"},
      {"larger(", "int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }\n"},
      {"smaller(", "int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }\n"},
      {"wrap(", "int64_t wrap(int64_t a, unsigned width) {\n"
                "  const uint64_t half = (uint64_t)1 << (width - 1), mask = half | (half - 1);\n"
                "  return (int64_t)((((uint64_t)a & mask) ^ half) - half);\n}\n"},
      {"inverse_erf(",
       "double inverse_erf(double y) { /* Winitzki's approximation, then Newton's method */\n"
       "  const double log_part = log1p(-y * y), part = 2 / (3.14159265358979323846 * 0.147) + log_part / 2;\n"
       "  double x = copysign(sqrt(sqrt(part * part - log_part / 0.147) - part), y);\n"
       "  for (int i = 0; i < 4 && isfinite(x); i++)\n"
       "    x -= (erf(x) - y) * 0.88622692545275801365 * exp(x * x);\n"
       "  return x;\n}\n"},
  };
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (strstr(module, helpers[i][0])) text_format(out, "static inline %s", helpers[i][1]);
}
