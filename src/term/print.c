/* The text form of terms: pointwise formulas as a person writes them.
 *
 *   expression := sum of products; a / b, sqrt(a), a ** b, a // b, a % b, min(a, b), max(a, b), where(c, a, b)
 *   fold       := sum[lo <= k < hi, guard](body)     lo is left out when it is 0, the guard when it is true
 *   read       := T[i, j]
 *
 * Factors and summands are ordered by their text, so that the order does not depend on how a term came about. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "term/cons.h"

enum { PREC_OR = 1, PREC_AND, PREC_NOT, PREC_COMPARE, PREC_SUM, PREC_PRODUCT, PREC_UNARY, PREC_POWER, PREC_ATOM };
enum { TEXT_LIMIT = 200000, TEXT_START = 20 };

static const char *render(TermTable *tt, Term t, int precedence);

const char *term_fold_name(TermFoldOp op) {
  static const char *const names[] = {"sum", "prod", "max", "min", "any", "all", "xor", "argmax", "argmin"};
  return names[op];
}

const char *term_fn_name(TermFn fn) { return term_fn_info(fn)->text; }

uint32_t term_fn_arity(TermFn fn) { return term_fn_info(fn)->arity; }

static const char *wrap(TermTable *tt, const char *text, int own, int wanted) {
  return own < wanted ? arena_format(tt->arena, "(%s)", text) : text;
}

static const char *number(TermTable *tt, Rational r, int precedence) {
  Text text = text_new(tt->arena);
  rational_print(r, true, &text);
  const char *s = text_string(&text);
  bool fraction = strchr(s, '/') != NULL;
  int own = fraction ? PREC_PRODUCT : s[0] == '-' ? PREC_UNARY : PREC_ATOM;
  return wrap(tt, s, own, precedence);
}

static int compare_texts(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  bool fx = strchr(x, '(') != NULL, fy = strchr(y, '(') != NULL; /* plain names before calls */
  if (fx != fy) return fx - fy;
  return message_compare(x, y);
}

static void join(Text *out, const char **parts, uint32_t n, const char *separator) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) text_add(out, separator);
    text_add(out, parts[i]);
  }
}

static const char *power_text(TermTable *tt, Term base, Rational e) { /* e > 0 */
  if (e.num == 1 && e.den == 1) return render(tt, base, PREC_UNARY);
  if (e.num == 1 && e.den == 2) return arena_format(tt->arena, "sqrt(%s)", render(tt, base, 0));
  return arena_format(tt->arena, "%s ** %s", render(tt, base, PREC_ATOM), number(tt, e, PREC_POWER));
}

/* |k| * product, as numerator / denominator. */
static const char *product(TermTable *tt, Rational k, Term t) {
  const char *up[64], *down[64];
  uint32_t ups = 0, downs = 0, n = term_kind(tt, t) == TERM_MUL && !term_part_name(tt, t) ? term_count(tt, t) : 0;
  double far;
  if (n == 2 && term_is_far(tt, t, &far)) return term_far_text(tt, rational_to_double(k) * far);
  bool unit = k.num == 1 && k.den == 1,
       is_division = term_kind(tt, t) == TERM_FLOORDIV; /* 4*(a // b) is not 4*a // b */
  if (t == tt->one)
    n = 0;
  else if (!n)
    up[ups++] = render(tt, t, is_division && !unit ? PREC_UNARY : PREC_PRODUCT + (term_kind(tt, t) == TERM_ADD));
  for (uint32_t i = 0; i < n && ups < 63 && downs < 63; i += 2) {
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    Term base = term_arg(tt, t, i);
    if (e.num > 0)
      up[ups++] = power_text(tt, base, e);
    else
      down[downs++] = power_text(tt, base, rational_neg(e));
  }
  qsort(up, ups, sizeof *up, compare_texts);
  qsort(down, downs, sizeof *down, compare_texts);
  Text out = text_new(tt->arena);
  if (!unit && k.num == 1 && ups && !downs && k.den < 1000000 && term_sort(tt, t) == SORT_INT) {
    join(&out, up, ups, "*");
    text_format(&out, " / %s", number(tt, (Rational){k.den, 1}, PREC_ATOM));
    return text_string(&out);
  }
  if (!unit || !ups) text_add(&out, number(tt, k, downs || ups ? PREC_POWER : PREC_PRODUCT));
  if (!unit && ups) text_char(&out, '*');
  join(&out, up, ups, "*");
  if (downs) {
    text_add(&out, " / ");
    if (downs > 1) text_char(&out, '(');
    join(&out, down, downs, "*");
    if (downs > 1) text_char(&out, ')');
  }
  return text_string(&out);
}

typedef struct Summand {
  const char *text;
  bool negative, constant;
  bool is_division; /* -(a // b) is not -a // b */
} Summand;

static int compare_summands(const void *a, const void *b) {
  const Summand *x = a, *y = b;
  if (x->negative != y->negative) return x->negative - y->negative;
  if (x->constant != y->constant) return x->constant - y->constant;
  return compare_texts(&x->text, &y->text);
}

/* a - b*(a // b) inside the sum t: prints a % b and leaves the rest. */
static bool find_mod(TermTable *tt, Term t, Term *a, Term *b, Rational *m, Term *rest) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1), q = 0;
    uint32_t n = term_kind(tt, part) == TERM_MUL ? term_count(tt, part) : 0;
    if (term_kind(tt, part) == TERM_FLOORDIV) q = part;
    for (uint32_t j = 0; j < n && !q; j += 2)
      if (term_kind(tt, term_arg(tt, part, j)) == TERM_FLOORDIV) q = term_arg(tt, part, j);
    if (!q) continue;
    if (term_remainder_of_quotient(tt, t, i, q, a, b, m, rest)) return true;
    *a = term_arg(tt, q, 0), *b = term_arg(tt, q, 1);
    Term whole = term_mul(tt, *b, q), one; /* m such that the summand is -m*b*q */
    Rational k = term_coefficient(tt, whole, &one), c = term_rat(tt, term_arg(tt, t, i));
    if (one != part) continue;
    *m = rational_neg(rational_div(tt->arena->guard, c, k));
    if (m->den != 1) continue;
    Term without = term_add(tt, t, term_scale(tt, *m, whole));
    *rest = term_sub(tt, without, term_scale(tt, *m, *a));
    uint32_t had = term_count(tt, t), has = term_kind(tt, *rest) == TERM_ADD ? term_count(tt, *rest)
                                            : term_is_rat(tt, *rest)         ? 1
                                                                             : 3;
    uint32_t cost = term_kind(tt, *a) == TERM_ADD ? term_count(tt, *a) : 3;
    if (has + 2 < had || (has < had && cost <= 3)) return true;
  }
  return false;
}

static const char *sum(TermTable *tt, Term t, int precedence) {
  uint32_t n = 0, room = term_count(tt, t) / 2 + 3;
  Summand *parts = arena_array(tt->arena, Summand, room);
  Term rest = t, a, b, next;
  Rational m;
  if (term_sort(tt, t) == SORT_INT)
    while (n + 2 < room && term_kind(tt, rest) == TERM_ADD && find_mod(tt, rest, &a, &b, &m, &next)) {
      const char *mod = arena_format(tt->arena, "%s %% %s", render(tt, a, PREC_UNARY), render(tt, b, PREC_UNARY));
      Rational size = m.num < 0 ? rational_neg(m) : m;
      bool unit = size.num == 1;
      parts[n++] = (Summand){unit ? mod : arena_format(tt->arena, "%s*(%s)", number(tt, size, PREC_POWER), mod),
                             m.num < 0, false, unit};
      rest = next;
    }
  Rational constant = term_constant_part(tt, rest);
  if (term_kind(tt, rest) == TERM_ADD)
    for (uint32_t i = 1; i < term_count(tt, rest) && n < room; i += 2) {
      Rational k = term_rat(tt, term_arg(tt, rest, i));
      Term part = term_arg(tt, rest, i + 1);
      parts[n++] = (Summand){product(tt, k.num < 0 ? rational_neg(k) : k, part), k.num < 0, false,
                             term_kind(tt, part) == TERM_FLOORDIV};
    }
  else if (!term_is_rat(tt, rest))
    parts[n++] = (Summand){.text = render(tt, rest, PREC_PRODUCT)};
  if (constant.num)
    parts[n++] = (Summand){number(tt, constant.num < 0 ? rational_neg(constant) : constant, PREC_PRODUCT),
                           constant.num < 0, true, false};
  qsort(parts, n, sizeof *parts, compare_summands);
  Text out = text_new(tt->arena);
  for (uint32_t i = 0; i < n; i++) {
    text_add(&out, i ? parts[i].negative ? " - " : " + " : parts[i].negative ? "-" : "");
    text_format(&out, !i && parts[i].negative && parts[i].is_division ? "(%s)" : "%s", parts[i].text);
  }
  bool is_product = strpbrk(parts[0].text, "*/%"); /* a % -4*b is (a % -4)*b */
  int own = n > 1 ? PREC_SUM : parts[0].negative && !is_product ? PREC_UNARY : PREC_PRODUCT;
  return wrap(tt, text_string(&out), own, precedence);
}

/* The shorter text first: which of the two a term begins with depends on how it came about. */
static bool is_later(const char *a, const char *b) {
  size_t m = message_length(a), n = message_length(b);
  return m != n ? m > n : message_compare(a, b) > 0;
}

/* k*(a % b) + c == 0 as k*(a % b) == -c; NULL: no such sum. */
static const char *remainder_equation(TermTable *tt, Term t, const char *equal) {
  Term a, b, rest, sum = term_arg(tt, t, 0);
  Rational m;
  if (term_kind(tt, sum) != TERM_ADD || term_sort(tt, sum) != SORT_INT || !find_mod(tt, sum, &a, &b, &m, &rest) ||
      !term_is_rat(tt, rest))
    return NULL;
  bool negative = m.num < 0;
  Term left = negative ? term_sub(tt, rest, sum) : term_sub(tt, sum, rest),
       right = negative ? rest : term_neg(tt, rest);
  return arena_format(tt->arena, "%s %s %s", render(tt, left, PREC_SUM), equal, render(tt, right, PREC_SUM));
}

/* t <= 0 as left <= right with the negative summands moved over. */
static const char *comparison(TermTable *tt, Term t, const char *equal, int precedence) {
  TermKind kind = term_kind(tt, t);
  Term left = term_arg(tt, t, 0), right = tt->zero;
  const char *remainder = kind == TERM_EQ && term_count(tt, t) == 1 ? remainder_equation(tt, t, equal) : NULL;
  if (remainder) return wrap(tt, remainder, PREC_COMPARE, precedence);
  if (term_count(tt, t) == 2)
    right = term_arg(tt, t, 1);
  else if (term_kind(tt, left) == TERM_ADD) {
    Term all = left;
    left = tt->zero;
    for (uint32_t i = 1; i < term_count(tt, all); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, all, i));
      Term part = term_scale(tt, k.num < 0 ? rational_neg(k) : k, term_arg(tt, all, i + 1));
      if (k.num < 0)
        right = term_add(tt, right, part);
      else
        left = term_add(tt, left, part);
    }
    Rational c = term_rat(tt, term_arg(tt, all, 0));
    if (kind == TERM_LE && c.num == 1 && c.den == 1 && term_sort(tt, all) == SORT_INT)
      kind = TERM_LT;
    else if (c.num > 0 && left != tt->zero && right == tt->zero)
      right = term_new_rat(tt, rational_neg(c));
    else if (c.num > 0)
      left = term_add(tt, left, term_new_rat(tt, c));
    else
      right = term_add(tt, right, term_new_rat(tt, rational_neg(c)));
  }
  bool flip = left == tt->zero || term_is_rat(tt, left);
  const char *op = kind == TERM_EQ ? equal : kind == TERM_LE ? (flip ? ">=" : "<=") : flip ? ">" : "<";
  const char *first = render(tt, flip ? right : left, PREC_SUM), *second = render(tt, flip ? left : right, PREC_SUM);
  if (kind == TERM_EQ && !flip && !term_is_rat(tt, right) && is_later(first, second)) {
    const char *other = first;
    first = second, second = other;
  }
  const char *text = arena_format(tt->arena, "%s %s %s", first, op, second);
  return wrap(tt, text, PREC_COMPARE, precedence);
}

static const char *call(TermTable *tt, const char *name, Term t, uint32_t first) {
  Text out = text_new(tt->arena);
  text_format(&out, "%s(", name);
  for (uint32_t i = first; i < term_count(tt, t); i++) {
    if (i > first) text_add(&out, ", ");
    text_add(&out, render(tt, term_arg(tt, t, i), 0));
  }
  text_char(&out, ')');
  return text_string(&out);
}

/* |x| = |-x| */
static const char *absolute(TermTable *tt, Term x) {
  const char *text = render(tt, x, 0), *other = term_kind(tt, x) == TERM_ADD ? render(tt, term_neg(tt, x), 0) : text;
  return arena_format(tt->arena, "abs(%s)", is_later(text, other) ? other : text);
}

static const char *sorted_call(TermTable *tt, const char *name, const char *separator, Term t, int inner) {
  uint32_t n = term_count(tt, t);
  const char **parts = arena_array(tt->arena, const char *, n);
  for (uint32_t i = 0; i < n; i++) parts[i] = render(tt, term_arg(tt, t, i), inner);
  qsort(parts, n, sizeof *parts, compare_texts);
  Text out = text_new(tt->arena);
  if (name) text_format(&out, "%s(", name);
  join(&out, parts, n, separator);
  if (name) text_char(&out, ')');
  return text_string(&out);
}

static const char *fold(TermTable *tt, Term t) {
  Text out = text_new(tt->arena);
  const char *k = render(tt, term_fold_bound(tt, t), 0);
  text_format(&out, "%s[", term_fold_name((TermFoldOp)term_aux(tt, t)));
  if (term_fold_lo(tt, t) != tt->zero) text_format(&out, "%s <= ", render(tt, term_fold_lo(tt, t), PREC_SUM));
  text_format(&out, "%s < %s", k, render(tt, term_fold_hi(tt, t), PREC_SUM));
  if (term_fold_guard(tt, t) != tt->true_) text_format(&out, ", %s", render(tt, term_fold_guard(tt, t), 0));
  text_format(&out, "](%s)", render(tt, term_fold_body(tt, t), 0));
  return text_string(&out);
}

/* k, k2, k3 by level; k_, k2_ where an argument has that name. */
static const char *level_name(TermTable *tt, const char *letter, uint32_t level) {
  const char *text = level == 1 ? letter : arena_format(tt->arena, "%s%u", letter, level);
  Name name = intern_text(tt->names, text);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    if (tt->symbols.data[i].name != name || tt->symbols.data[i].role == SYMBOL_INDEX) continue;
    text = arena_format(tt->arena, "%s_", text);
    name = intern_text(tt->names, text);
    i = UINT32_MAX; /* again from the first */
  }
  return text;
}

static const char *bound_name(TermTable *tt, uint32_t level) { return level_name(tt, "k", level); }

static const char *state_name(TermTable *tt, uint32_t aux) {
  static const char *const letters[RECUR_STATES] = {"s", "u", "v", "w", "p", "q", "r", "z"};
  return level_name(tt, letters[aux % RECUR_STATES], aux / RECUR_STATES);
}

/* [index, ...] of the arguments from `first` on, in brackets; nothing if there are none. */
static const char *subscript(TermTable *tt, Term t, uint32_t first) {
  const char *text = call(tt, "", t, first);
  return first == term_count(tt, t) ? "" : arena_format(tt->arena, "[%.*s]", (int)strlen(text) - 2, text + 1);
}

static const char *state(TermTable *tt, Term t) {
  return arena_format(tt->arena, "%s%s", state_name(tt, term_aux(tt, t)), subscript(tt, t, 0));
}

/* True if the value itself has that lane. Where it has not, no index is said. */
static bool has_lane(const TermTable *tt, Term t, uint32_t d) {
  Term own = term_arg(tt, t, 2 * term_recur_count(tt, t) + 2 + term_aux(tt, t) % RECUR_STATES);
  for (uint32_t i = 0; i < term_count(tt, own); i++)
    if (term_arg(tt, own, i) == term_recur_lane(tt, t, d, 0)) return true;
  return false;
}

static const char *recurrence(TermTable *tt, Term t) {
  uint32_t n = term_recur_count(tt, t), which = term_aux(tt, t) % RECUR_STATES, lanes = term_recur_lanes(tt, t);
  Text out = text_new(tt->arena);
  text_format(&out, "recur[%s < %s", render(tt, term_recur_bound(tt, t), 0), render(tt, term_arg(tt, t, 0), PREC_SUM));
  for (uint32_t d = 0; d < lanes; d++)
    text_format(&out, ", %s < %s", render(tt, term_recur_lane(tt, t, d, 0), 0),
                render(tt, term_recur_lane(tt, t, d, 1), PREC_SUM));
  for (uint32_t i = 0; i < n; i++) text_format(&out, ", %s", state(tt, term_arg(tt, t, 2 * n + 2 + i)));
  if (which) text_format(&out, ", %s", state(tt, term_arg(tt, t, 2 * n + 2 + which)));
  text_add(&out, "](");
  for (uint32_t i = 0; i < 2 * n; i++) text_format(&out, "%s%s", i ? ", " : "", render(tt, term_arg(tt, t, 1 + i), 0));
  text_char(&out, ')');
  const char *separator = "[";
  for (uint32_t d = 0; d < lanes; d++) {
    if (!has_lane(tt, t, d)) continue;
    text_format(&out, "%s%s", separator, render(tt, term_recur_lane(tt, t, d, 2), 0));
    separator = ", ";
  }
  if (*separator == ',') text_char(&out, ']');
  return text_string(&out);
}

/* An argument, a grid, a tensor: what a launch may give another name. */
static bool is_given(const TermTable *tt, Term symbol) {
  SymbolRole role = term_symbol(tt, symbol)->role;
  return role == SYMBOL_SIZE || role == SYMBOL_SCALAR || role == SYMBOL_GRID || role == SYMBOL_TENSOR;
}

static const char *symbol_text(TermTable *tt, Term symbol) {
  const char *name = term_name(tt, symbol);
  return tt->marks_names && is_given(tt, symbol) ? message_name(tt->arena, name) : name;
}

static const char *opaque_text(TermTable *tt, Term t) {
  const char *name = intern_string(tt->names, term_aux(tt, t));
  return call(tt, tt->marks_names ? message_name(tt->arena, name) : name, t, 0);
}

static const char *render_node(TermTable *tt, Term t, int precedence) {
  switch (term_kind(tt, t)) {
  case TERM_NONE:
  case TERM_KIND_COUNT: return "?";
  case TERM_RAT: return number(tt, term_rat(tt, t), precedence);
  case TERM_INF: return "inf";
  case TERM_NEG_INF: return wrap(tt, "-inf", PREC_UNARY, precedence);
  case TERM_NAN: return "nan";
  case TERM_TRUE: return "true";
  case TERM_FALSE: return "false";
  case TERM_SYM: return symbol_text(tt, t);
  case TERM_BOUND: return bound_name(tt, term_aux(tt, t));
  case TERM_UNDEF: return "undefined";
  case TERM_READ: {
    const char *text = call(tt, "", t, 1);
    return arena_format(tt->arena, "%s[%.*s]", symbol_text(tt, term_arg(tt, t, 0)), (int)strlen(text) - 2, text + 1);
  }
  case TERM_PTR:
    return arena_format(tt->arena, "&%s[%s]", symbol_text(tt, term_arg(tt, t, 0)), render(tt, term_arg(tt, t, 1), 0));
  case TERM_ADD: return sum(tt, t, precedence);
  case TERM_MUL: return wrap(tt, product(tt, rational_int(1), t), PREC_PRODUCT, precedence);
  case TERM_FLOORDIV:
    return wrap(tt,
                arena_format(tt->arena, "%s // %s", render(tt, term_arg(tt, t, 0), PREC_UNARY),
                             render(tt, term_arg(tt, t, 1), PREC_UNARY)),
                PREC_PRODUCT, precedence);
  case TERM_MIN: return sorted_call(tt, "min", ", ", t, 0);
  case TERM_MAX: return sorted_call(tt, "max", ", ", t, 0);
  case TERM_ABS: return absolute(tt, term_arg(tt, t, 0));
  case TERM_FLOOR: return call(tt, "floor", t, 0);
  case TERM_CEIL: return call(tt, "ceil", t, 0);
  case TERM_ROUND: return call(tt, "round", t, 0);
  case TERM_TRUNC: return call(tt, "trunc", t, 0);
  case TERM_LE:
  case TERM_LT:
  case TERM_EQ: return comparison(tt, t, "==", precedence);
  case TERM_IS_INF: return call(tt, "isposinf", t, 0);
  case TERM_IS_NEG_INF: return call(tt, "isneginf", t, 0);
  case TERM_IS_NAN: return call(tt, "isnan", t, 0);
  case TERM_NOT: {
    Term a = term_arg(tt, t, 0);
    if (term_kind(tt, a) != TERM_EQ)
      return wrap(tt, arena_format(tt->arena, "not %s", render(tt, a, PREC_NOT)), PREC_NOT, precedence);
    return comparison(tt, a, "!=", precedence);
  }
  case TERM_AND: return wrap(tt, sorted_call(tt, NULL, " and ", t, PREC_AND + 1), PREC_AND, precedence);
  case TERM_OR: return wrap(tt, sorted_call(tt, NULL, " or ", t, PREC_OR + 1), PREC_OR, precedence);
  case TERM_SELECT: return call(tt, "where", t, 0);
  case TERM_FN: return call(tt, term_fn_name((TermFn)term_aux(tt, t)), t, 0);
  case TERM_OPAQUE: return opaque_text(tt, t);
  case TERM_WRAP: return arena_format(tt->arena, "wrap%u(%s)", term_aux(tt, t), render(tt, term_arg(tt, t, 0), 0));
  case TERM_FOLD: return fold(tt, t);
  case TERM_STATE: return state(tt, t);
  case TERM_RECUR: return recurrence(tt, t);
  }
  return "?";
}

static const char *render(TermTable *tt, Term t, int precedence) {
  guard_tick(tt->arena->guard);
  if (tt->depth > 2000) return "...";
  const char *part = term_part_name(tt, t);
  if (part) return part;
  if (tt->text_depth && tt->depth >= TEXT_START + tt->text_depth && term_count(tt, t)) return "..";
  tt->depth++;
  const char *text = render_node(tt, t, precedence);
  tt->depth--;
  return strlen(text) > TEXT_LIMIT && message_length(text) > TEXT_LIMIT ? "..." : text;
}

const char *term_text(TermTable *tt, Term t) {
  uint32_t depth = tt->depth; /* printing asks no range questions of its own */
  tt->depth = TEXT_START;
  const char *text = render(tt, t, 0);
  tt->depth = depth;
  return text;
}

const char *term_text_within(TermTable *tt, Term t, uint32_t most) {
  const char *text = term_text(tt, t);
  for (uint32_t depth = 12; message_length(text) > most && depth; depth--) {
    tt->text_depth = depth;
    text = term_text(tt, t);
    tt->text_depth = 0;
  }
  return text;
}

const char *term_message_within(TermTable *tt, Term t, uint32_t most) {
  tt->marks_names = true;
  const char *text = term_text_within(tt, t, most);
  tt->marks_names = false;
  return text;
}

const char *term_message(TermTable *tt, Term t) { return term_message_within(tt, t, UINT32_MAX); }

void term_print(TermTable *tt, Term t, Text *out) { text_add(out, term_text(tt, t)); }
