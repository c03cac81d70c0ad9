/* Equality of terms under facts: identity, the same made again, congruence, cases of choices, the solver on integers.
 *
 * Congruence is sound for any function: operands are shown equal one by one, folds under one index. Cases go by the
 * first condition of a choice that either side has; in each case both are made again under it. */
#include "refine/internal.h"

#include <string.h>

#include "solve/solve.h"

enum {
  MOST_CASES = 10,
  MOST_DEPTH = 40,
  FUEL = 4000,
  MOST_WRAPS = 6,
  MOST_IMPOSSIBLE = 4,
  MOST_IN_VAIN = 6,
  MOST_UNWRAPPED = 2,
  MOST_SUMMANDS = 41,
  MOST_PARTS = 9,
  MOST_LEAVES = 6,
  MOST_PATHS = 24,
  PRICE = 30
};

typedef struct Equal {
  TermTable *tt;
  uint32_t fuel, cases, depth;
  uint32_t impossible; /* cases for which the solver may still be asked whether they are */
  uint32_t patience;   /* questions that the solver may still leave open */
  uint32_t wraps;      /* wrapped sums that may still be taken apart */
  bool turned;         /* nested sums were interchanged */
} Equal;

static Equal equal_new(TermTable *tt) {
  return (Equal){
      .tt = tt, .fuel = FUEL, .impossible = MOST_IMPOSSIBLE, .patience = MOST_IN_VAIN, .wraps = MOST_UNWRAPPED};
}

static bool is_solved(Equal *e, Term condition) {
  if (!e->patience) return false;
  SolveAnswer answer = solve_find(e->tt, term_not(e->tt, condition), 0.3, 0, NULL, NULL);
  e->patience -= answer == SOLVE_UNKNOWN;
  return answer == SOLVE_NONE;
}

static bool equal(Equal *e, Term a, Term b);

static bool is_leaf_integer(const TermTable *tt, Term t) {
  TermKind k = term_kind(tt, t);
  return term_sort(tt, t) == SORT_INT && (k == TERM_ADD || k == TERM_MUL || k == TERM_SYM || k == TERM_RAT ||
                                          k == TERM_FLOORDIV || k == TERM_MIN || k == TERM_MAX || k == TERM_READ);
}

/* Integers that arithmetic is made of: ranges, then the solver. */
static bool equal_integers(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (!is_leaf_integer(tt, a) || !is_leaf_integer(tt, b)) return false;
  if (term_kind(tt, a) == TERM_READ && term_kind(tt, b) == TERM_READ) return false;
  Term difference = term_sub(tt, a, b);
  if (difference == tt->zero) return true;
  if (term_is_rat(tt, difference)) return false;
  if (term_prove_nonpositive(tt, difference) && term_prove_nonpositive(tt, term_neg(tt, difference))) return true;
  if (term_is_refuted(tt, difference) || term_is_refuted(tt, term_neg(tt, difference))) return false;
  return is_solved(e, term_eq(tt, a, b));
}

static bool equal_arguments(Equal *e, Term a, Term b) {
  for (uint32_t i = 0; i < term_count(e->tt, a); i++)
    if (!equal(e, term_arg(e->tt, a, i), term_arg(e->tt, b, i))) return false;
  return true;
}

/* Of two operands that may change places. */
static bool equal_either_way(Equal *e, Term a, Term b) {
  Term a0 = term_arg(e->tt, a, 0), a1 = term_arg(e->tt, a, 1), b0 = term_arg(e->tt, b, 0), b1 = term_arg(e->tt, b, 1);
  return (equal(e, a0, b0) && equal(e, a1, b1)) || (equal(e, a0, b1) && equal(e, a1, b0));
}

/* Of parts that stand in an order that depends on what they are made of: a partner for each. */
static bool equal_in_any_order(Equal *e, Term a, Term b) {
  uint32_t n = term_count(e->tt, a);
  bool used[MOST_PARTS] = {false};
  if (n != term_count(e->tt, b) || n > MOST_PARTS) return false;
  for (uint32_t i = 0; i < n; i++) {
    bool found = false;
    for (uint32_t d = 0; d < n && !found; d++) { /* first the one at the same place */
      uint32_t k = (i + d) % n;
      found = !used[k] && equal(e, term_arg(e->tt, a, i), term_arg(e->tt, b, k));
      used[k] |= found;
    }
    if (!found) return false;
  }
  return true;
}

static bool commutes(const TermTable *tt, Term t) {
  if (term_count(tt, t) < 2) return false;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FN)
    return term_aux(tt, t) == FN_BITAND || term_aux(tt, t) == FN_BITOR || term_aux(tt, t) == FN_BITXOR;
  if (kind != TERM_OPAQUE) return false;
  const char *name = intern_string(tt->names, term_aux(tt, t));
  static const char *const names[] = {"addf.", "mulf.", "maximumf.", "minimumf."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(names[i], name, strlen(names[i]))) return true;
  return false;
}

static bool equal_opaque(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (term_aux(tt, a) != term_aux(tt, b) || term_count(tt, a) != term_count(tt, b)) return false;
  if (!commutes(tt, a)) return equal_arguments(e, a, b);
  if (term_count(tt, a) > 2 && !equal(e, term_arg(tt, a, 2), term_arg(tt, b, 2))) return false;
  return term_count(tt, a) < 4 && equal_either_way(e, a, b);
}

static bool equal_bodies(Equal *e, const FoldParts *p, const FoldParts *q, Term index) {
  TermTable *tt = e->tt;
  return equal(e, p->guard, term_replace(tt, q->guard, q->symbol, index)) &&
         equal(e, p->body, term_replace(tt, q->body, q->symbol, index));
}

/* Two sums, one inside of the other over a range that is its own, the other way round; 0: they are none. */
static Term interchanged(TermTable *tt, const FoldParts *p) {
  if (p->op != FOLD_SUM || term_kind(tt, p->body) != TERM_FOLD || term_aux(tt, p->body) != FOLD_SUM) return 0;
  FoldParts inner = term_fold_open(tt, p->body);
  if (term_has_symbol(tt, inner.lo, p->symbol) || term_has_symbol(tt, inner.hi, p->symbol)) return 0;
  Term first = term_fold(tt, FOLD_SUM, p->symbol, p->lo, p->hi, term_and(tt, p->guard, inner.guard), inner.body);
  return term_fold(tt, FOLD_SUM, inner.symbol, inner.lo, inner.hi, tt->true_, first);
}

static bool equal_folds(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (term_aux(tt, a) != term_aux(tt, b)) return false;
  FoldParts p = term_fold_open(tt, a), q = term_fold_open(tt, b);
  if (equal(e, p.lo, q.lo) && equal(e, p.hi, q.hi)) {
    if (equal_bodies(e, &p, &q, p.symbol)) return true;
    bool any_order = p.op != FOLD_ARGMAX && p.op != FOLD_ARGMIN;
    Term last = term_sub(tt, term_add(tt, p.lo, p.hi), tt->one); /* downwards */
    if (any_order && equal_bodies(e, &p, &q, term_sub(tt, last, p.symbol))) return true;
  }
  Term other = e->turned ? 0 : interchanged(tt, &q);
  if (!other || other == b) return false;
  e->turned = true;
  bool good = equal(e, a, other);
  e->turned = false;
  return good;
}

/* Of a fact that says one of several, the one that is left where sizes are positive, as the condition or a fact says.
 */
static void push_remaining(TermTable *tt, Term condition) {
  for (uint32_t i = 0, count = tt->facts.count; i < count; i++) {
    Term fact = tt->facts.data[i], left = tt->false_;
    if (term_kind(tt, fact) != TERM_OR) continue;
    for (uint32_t k = 0; k < term_count(tt, fact); k++) {
      Term part = term_arg(tt, fact, k), size = term_kind(tt, part) == TERM_LE ? term_arg(tt, part, 0) : 0;
      bool is_size = size && term_count(tt, part) == 1 && term_kind(tt, size) == TERM_SYM;
      if (is_size && mlir_holds(tt, term_not(tt, part))) continue;
      if (is_size && mlir_implies_positive(tt, condition, size))
        term_push_fact(tt, term_not(tt, part));
      else
        left = term_or(tt, left, part);
    }
    if (left != fact && term_kind(tt, left) != TERM_OR) term_push_fact(tt, left);
  }
}

/* Sums, summand by summand in any order. */
static bool equal_sums(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  Term difference = term_sub(tt, a, b);
  bool used[MOST_SUMMANDS] = {false};
  if (difference == tt->zero) return true;
  if (term_kind(tt, difference) != TERM_ADD || term_arg(tt, difference, 0) != tt->zero) return false;
  uint32_t n = term_count(tt, difference);
  if (n > MOST_SUMMANDS || n % 4 != 1) return false;
  for (uint32_t i = 1; i < n; i += 2) {
    Term k = term_arg(tt, difference, i), part = term_arg(tt, difference, i + 1);
    bool found = used[i];
    for (uint32_t o = i + 2; o < n && !found; o += 2) {
      if (used[o] || term_arg(tt, difference, o) != term_neg(tt, k)) continue;
      found = used[o] = equal(e, part, term_arg(tt, difference, o + 1));
    }
    if (!found) return false;
  }
  return true;
}

static bool equal_recurrences(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (term_aux(tt, a) != term_aux(tt, b) || !equal(e, term_arg(tt, a, 0), term_arg(tt, b, 0))) return false;
  if (term_recur_lanes(tt, a) || term_recur_lanes(tt, b)) return false; /* arrays are compared by prove/equal.c */
  RecurParts p = term_recur_open(tt, a), q = term_recur_open(tt, b);
  Term from[RECUR_STATES + 1], to[RECUR_STATES + 1];
  for (uint32_t i = 0; i < p.n; i++) {
    if (!equal(e, p.init[i], q.init[i])) return false;
    from[i] = q.state[i], to[i] = p.state[i];
  }
  from[p.n] = q.index, to[p.n] = p.index;
  uint32_t facts = tt->facts.count; /* there is a step */
  if (!mlir_holds(tt, term_lt(tt, tt->zero, p.steps))) term_push_fact(tt, term_lt(tt, tt->zero, p.steps));
  push_remaining(tt, tt->true_);
  bool good = true;
  for (uint32_t i = 0; i < p.n && good; i++) {
    Term next = q.next[i];
    for (uint32_t k = 0; k <= p.n; k++) next = term_replace(tt, next, from[k], to[k]);
    good = equal(e, p.next[i], next);
  }
  term_pop_facts(tt, facts);
  return good;
}

static bool equal_under(Equal *e, Term a, Term b, Term condition);

/* What is chosen where the condition holds need be equal there alone. */
static bool equal_choices(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  Term condition = term_arg(tt, a, 0), x = term_arg(tt, a, 1), y = term_arg(tt, b, 1);
  return equal(e, condition, term_arg(tt, b, 0)) && equal(e, term_arg(tt, a, 2), term_arg(tt, b, 2)) &&
         (equal(e, x, y) || equal_under(e, x, y, condition));
}

static bool congruent(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (term_sort(tt, a) == SORT_INT && (term_kind(tt, a) == TERM_ADD || term_kind(tt, b) == TERM_ADD))
    return equal_sums(e, a, b);
  if (term_kind(tt, a) != term_kind(tt, b)) return false;
  TermKind kind = term_kind(tt, a);
  if (kind == TERM_OPAQUE) return equal_opaque(e, a, b);
  if (kind == TERM_READ)
    return term_arg(tt, a, 0) == term_arg(tt, b, 0) && term_count(tt, a) == term_count(tt, b) &&
           equal_arguments(e, a, b);
  if (kind == TERM_FN) {
    if (term_aux(tt, a) != term_aux(tt, b)) return false;
    return commutes(tt, a) ? equal_either_way(e, a, b) : equal_arguments(e, a, b);
  }
  if (kind == TERM_WRAP) return term_aux(tt, a) == term_aux(tt, b) && equal_arguments(e, a, b);
  if (kind == TERM_FOLD) return equal_folds(e, a, b);
  if (kind == TERM_RECUR) return equal_recurrences(e, a, b);
  if (kind == TERM_NOT || term_kind_is_comparison(kind) || kind == TERM_ABS || kind == TERM_MUL ||
      kind == TERM_FLOORDIV)
    return term_count(tt, a) == term_count(tt, b) && equal_arguments(e, a, b);
  if (kind == TERM_SELECT) return equal_choices(e, a, b);
  if (kind == TERM_ADD) return equal_sums(e, a, b);
  if (kind == TERM_AND || kind == TERM_OR || term_kind_is_extremum(kind)) return equal_in_any_order(e, a, b);
  return false;
}

/* The first condition that a choice depends on, not inside of folds. */
static Term find_condition(Equal *e, Term t, uint32_t *fuel) {
  TermTable *tt = e->tt;
  if (!*fuel || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_RECUR) return 0;
  --*fuel;
  if (term_kind(tt, t) == TERM_SELECT) {
    Term inner = find_condition(e, term_arg(tt, t, 0), fuel), c = inner ? inner : term_arg(tt, t, 0);
    while (term_kind(tt, c) == TERM_NOT || term_kind(tt, c) == TERM_AND || term_kind(tt, c) == TERM_OR)
      c = term_arg(tt, c, 0);
    return c;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = find_condition(e, term_arg(tt, t, i), fuel);
    if (c) return c;
  }
  return 0;
}

static bool is_contradicted(TermTable *tt, Term condition) {
  return condition == tt->false_ || term_prove_true(tt, term_not(tt, condition));
}

/* Where a condition says what a symbol or an element is, and that does not depend on it: that in its place. */
static void put_equal(TermTable *tt, Term condition, Term *x, Term *y) {
  if (term_kind(tt, condition) != TERM_EQ || term_count(tt, condition) != 1) return;
  Term e = term_arg(tt, condition, 0);
  bool is_sum = term_kind(tt, e) == TERM_ADD;
  for (uint32_t i = is_sum ? term_count(tt, e) : 0; i > 1; i -= 2) {
    Rational k = term_rat(tt, term_arg(tt, e, i - 2));
    Term part = term_arg(tt, e, i - 1);
    bool is_whole = k.den == 1 && (k.num == 1 || k.num == -1) && term_sort(tt, part) == SORT_INT;
    if (!is_whole || (term_kind(tt, part) != TERM_SYM && term_kind(tt, part) != TERM_READ)) continue;
    Term value = term_scale(tt, rational_int(k.num > 0 ? -1 : 1), term_sub(tt, e, term_scale(tt, k, part)));
    if (term_has_part(tt, value, part)) continue;
    *x = term_replace_part(tt, *x, part, value), *y = term_replace_part(tt, *y, part, value);
    return;
  }
}

static bool equal_under(Equal *e, Term a, Term b, Term condition) {
  TermTable *tt = e->tt;
  if (is_contradicted(tt, condition)) return true;
  uint32_t facts = tt->facts.count;
  Term x = term_assume(tt, a, condition), y = term_assume(tt, b, condition);
  put_equal(tt, condition, &x, &y);
  if (x == y) return true;
  Term divisor = mlir_positive_divisor(tt, condition);
  if (divisor) term_push_fact(tt, term_lt(tt, tt->zero, divisor));
  for (uint32_t i = 0; i < term_conjunct_count(tt, condition); i++) term_push_fact(tt, term_conjunct(tt, condition, i));
  push_remaining(tt, condition);
  bool good = equal(e, term_rebuild(tt, x), term_rebuild(tt, y));
  term_pop_facts(tt, facts);
  if (!good && e->impossible) { /* there may be no case at all */
    e->impossible--;
    good = is_solved(e, term_not(tt, condition));
  }
  return good;
}

/* A symbol that is a number or is not. */
static bool is_choice_of_number(TermTable *tt, Term c) {
  if (term_kind(tt, c) != TERM_EQ || term_count(tt, c) != 1) return false;
  Term e = term_arg(tt, c, 0);
  if (term_kind(tt, e) != TERM_ADD || term_count(tt, e) != 3) return term_kind(tt, e) == TERM_SYM;
  return term_kind(tt, term_arg(tt, e, 2)) == TERM_SYM;
}

static bool equal_by_cases(Equal *e, Term a, Term b) {
  uint32_t fuel = 200;
  Term c = find_condition(e, a, &fuel);
  if (!c) c = find_condition(e, b, &fuel);
  if (!c || e->cases >= MOST_CASES || term_sort(e->tt, c) != SORT_BOOL) return false;
  bool is_number = is_choice_of_number(e->tt, c); /* of many of these, each is settled at once */
  e->cases += !is_number;
  e->fuel -= e->fuel > PRICE ? PRICE : e->fuel;
  bool good = equal_under(e, a, b, c) && equal_under(e, a, b, term_not(e->tt, c));
  e->cases -= !is_number;
  return good;
}

/* The first wrapped sum that is beyond its range once at most, not inside of folds. */
static Term find_wrap(Equal *e, Term t, Int128 *low, Int128 *high, uint32_t *fuel) {
  TermTable *tt = e->tt;
  if (!*fuel || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_RECUR) return 0;
  --*fuel;
  uint32_t width = term_kind(tt, t) == TERM_WRAP ? term_aux(tt, t) : 0;
  if (width > 1 && width <= 64 && term_interval_of_symbols(tt, term_arg(tt, t, 0), low, high)) {
    Int128 half = (Int128)1 << (width - 1);
    if (*low >= -3 * half && *high < 3 * half) return t;
  }
  Term found = 0;
  for (uint32_t i = 0; i < term_count(tt, t) && !found; i++) found = find_wrap(e, term_arg(tt, t, i), low, high, fuel);
  return found;
}

/* A sum fits, or is 2^w above or below of what it wraps to. */
static bool equal_by_wraps(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  uint32_t fuel = 200, left = e->fuel, patience = e->patience, impossible = e->impossible;
  Int128 low, high;
  if (e->cases || !e->wraps) return false;
  Term wrap = find_wrap(e, a, &low, &high, &fuel);
  if (!wrap) wrap = find_wrap(e, b, &low, &high, &fuel);
  if (!wrap) return false;
  Int128 limit = (Int128)1 << (term_aux(tt, wrap) - 1);
  Term x = term_arg(tt, wrap, 0), half = term_new_rat(tt, (Rational){limit, 1});
  Term below = term_lt(tt, x, term_neg(tt, half)), above = term_le(tt, half, x);
  Term where[3] = {term_and(tt, term_not(tt, below), term_not(tt, above)), below, above};
  bool good = true;
  e->cases++, e->wraps--;
  for (int i = 0; i < 3 && good; i++) {
    Term own = term_add(tt, x, term_scale(tt, rational_int(i == 0 ? 0 : i == 1 ? 2 : -2), half));
    good = equal_under(e, term_replace_part(tt, a, wrap, own), term_replace_part(tt, b, wrap, own), where[i]);
  }
  e->cases--;
  if (!good) e->fuel = left, e->patience = patience, e->impossible = impossible; /* for the other ways */
  return good;
}

/* Conditions of integers, before they are taken apart. */
static bool equal_conditions(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  if (e->cases || term_sort(tt, a) != SORT_BOOL) return false;
  TermKind k = term_kind(tt, a), n = term_kind(tt, b);
  if (k != TERM_AND && k != TERM_OR && n != TERM_AND && n != TERM_OR) return false;
  return is_solved(e, term_or(tt, term_and(tt, a, b), term_and(tt, term_not(tt, a), term_not(tt, b))));
}

typedef struct Leaves { /* of choices: each value, and where it is chosen */
  Term value[MOST_LEAVES], condition[MOST_LEAVES];
  uint32_t count, paths;
} Leaves;

static bool add_leaves(TermTable *tt, Term t, Term path, Leaves *l) {
  if (path == tt->false_) return true;
  if (term_kind(tt, t) == TERM_SELECT) {
    Term c = term_arg(tt, t, 0);
    return add_leaves(tt, term_arg(tt, t, 1), term_and(tt, path, c), l) &&
           add_leaves(tt, term_arg(tt, t, 2), term_and(tt, path, term_not(tt, c)), l);
  }
  uint32_t i = 0;
  while (i < l->count && l->value[i] != t) i++;
  if (i == MOST_LEAVES || ++l->paths > MOST_PATHS) return false;
  l->condition[i] = i < l->count ? term_or(tt, l->condition[i], path) : path;
  l->value[i] = t, l->count += i == l->count;
  return true;
}

/* Choices among the same values: each is chosen where the other side chooses it, whatever the order of the questions.
 */
static bool equal_leaves(Equal *e, Term a, Term b) {
  TermTable *tt = e->tt;
  Leaves left = {.count = 0}, right = {.count = 0};
  if (e->cases || term_kind(tt, a) != TERM_SELECT || term_kind(tt, b) != TERM_SELECT) return false;
  if (!add_leaves(tt, a, tt->true_, &left) || !add_leaves(tt, b, tt->true_, &right)) return false;
  for (uint32_t i = 0; i < left.count; i++) {
    uint32_t k = 0;
    while (k < right.count && right.value[k] != left.value[i]) k++;
    if (k == right.count || left.count != right.count) return false;
    Term x = left.condition[i], y = right.condition[k];
    if (x != y && !is_solved(e, term_or(tt, term_and(tt, x, y), term_and(tt, term_not(tt, x), term_not(tt, y)))))
      return false;
  }
  return true;
}

static bool equal(Equal *e, Term a, Term b) {
  if (a == b) return true;
  if (!e->fuel || (term_sort(e->tt, a) == SORT_BOOL) != (term_sort(e->tt, b) == SORT_BOOL) || e->depth == MOST_DEPTH)
    return false;
  e->fuel--, e->depth++;
  bool good = equal_integers(e, a, b) || congruent(e, a, b) || equal_conditions(e, a, b) || equal_leaves(e, a, b) ||
              equal_by_wraps(e, a, b) || equal_by_cases(e, a, b);
  e->depth--;
  return good;
}

/* A wrap of what the facts keep in range, which takes two of them at a time: the solver is asked. */
static Term drop_wrap(TermTable *tt, Term t, void *left) {
  uint32_t *most = left;
  if (term_kind(tt, t) != TERM_WRAP || !*most || term_node(tt, t)->free_mask >> 48) return t;
  Term exact = term_arg(tt, t, 0), half = term_new_rat(tt, (Rational){(Int128)1 << (term_aux(tt, t) - 1), 1});
  --*most;
  Term inside = term_and(tt, term_le(tt, term_neg(tt, half), exact), term_lt(tt, exact, half));
  return solve_condition(tt, inside, 0.3) ? exact : t;
}

static Term without_wraps(TermTable *tt, Term t) {
  uint32_t most = MOST_WRAPS;
  return tt->facts.count ? term_transform(tt, t, drop_wrap, &most) : t;
}

bool refine_equal(TermTable *tt, Term a, Term b) {
  Equal e = equal_new(tt);
  if (a == b) return true;
  a = term_rebuild(tt, a), b = term_rebuild(tt, b);
  if (equal(&e, a, b)) return true;
  Term x = without_wraps(tt, a), y = without_wraps(tt, b);
  e = equal_new(tt);
  return (x != a || y != b) && equal(&e, x, y);
}

bool refine_equal_sums(TermTable *tt, Term a, Term b) {
  Term x = term_rebuild(tt, without_wraps(tt, a)), y = term_rebuild(tt, without_wraps(tt, b));
  for (int form = 0; form < REFINE_FORM_COUNT; form++) {
    a = refine_sums(tt, x, (RefineForm)form), b = refine_sums(tt, y, (RefineForm)form);
    Equal e = equal_new(tt);
    if ((a != x || b != y) && equal(&e, a, b)) return true;
    if (form != REFINE_JOINED) x = a, y = b;
  }
  return false;
}

bool refine_holds(TermTable *tt, Term condition) {
  if (condition == tt->true_ || term_prove_true(tt, condition)) return true;
  Term again = term_rebuild(tt, condition);
  if (again == tt->true_ || term_prove_true(tt, again)) return true;
  if (again == tt->false_) return false;
  if (term_kind(tt, again) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, again); i++)
      if (!refine_holds(tt, term_arg(tt, again, i))) return false;
    return true;
  }
  Term exact = without_wraps(tt, again);
  if (exact != again && (exact == tt->true_ || term_prove_true(tt, exact))) return true;
  return solve_condition(tt, exact, 0.3);
}
