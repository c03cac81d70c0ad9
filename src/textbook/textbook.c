/* Laws of textbooks are asked of the prover, element by element, before a formula is shown in their form.
 *
 * What is assumed of a literal holds for its multiples: 2 * 0.70710678 is 2 / sqrt(2) where 0.70710678 is 1 / sqrt(2).
 * So each number of both sides that is a simple multiple of such a literal, or of one over it, is written as that of
 * the constant. */
#include "textbook/textbook.h"

#include "laws/compare_laws.h"
#include "prove/equal.h"
#include "prove/rewrite.h"
#include "safety/definedness.h"

enum { MOST_BITS_OF_LITERAL = 60, MOST_BITS_OF_RATIO = 20, MOST_DIVISORS = 4 };

typedef struct Question {
  TermTable *tt;
  const TensorExpr *before, *after;
  const TensorConstants *constants;
  const Claim *claim; /* whose formula it is; NULL: nothing is known of its inputs */
  bool is_shown, assumes;
  const char *hole;
} Question;

static bool is_short(Rational r, uint32_t bits) {
  return rational_bits((Rational){r.num, 1}) <= bits && rational_bits((Rational){r.den, 1}) <= bits;
}

/* The number as a multiple of a constant; 0: it is none. */
static Term multiple(TermTable *tt, const TensorConstants *constants, Rational k) {
  Term best = 0;
  uint32_t least = rational_bits(k); /* a half is no multiple of anything */
  if (k.den == 1 || !is_short(k, MOST_BITS_OF_LITERAL)) return 0;
  for (uint32_t i = 0; i < constants->count; i++) {
    const TensorConstant *c = &constants->data[i];
    if (!is_short(c->literal, MOST_BITS_OF_LITERAL)) continue;
    for (int side = 0; side < 2; side++) {
      Rational over = rational_div(tt->arena->guard, (Rational){1, 1}, c->literal);
      Rational ratio = rational_mul(tt->arena->guard, k, side ? c->literal : over);
      uint32_t bits = rational_bits(ratio);
      if (!is_short(ratio, MOST_BITS_OF_RATIO) || bits >= least) continue;
      Term value = tensor_meaning(tt, c->expression, NULL);
      best = term_scale(tt, ratio, side ? term_div(tt, tt->one, value) : value), least = bits;
    }
  }
  return best;
}

static Term idealise(TermTable *tt, Term t, void *payload) {
  const TensorConstants *constants = payload;
  TermKind kind = term_kind(tt, t);
  Term number = kind == TERM_RAT ? multiple(tt, constants, term_rat(tt, t)) : 0;
  if (kind != TERM_ADD || term_sort(tt, t) != SORT_REAL) return number ? number : t;
  number = multiple(tt, constants, term_rat(tt, term_arg(tt, t, 0)));
  Term sum = number ? number : term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, t, i));
    Term part = term_arg(tt, t, i + 1);
    number = multiple(tt, constants, k);
    sum = term_add(tt, sum, number ? term_mul(tt, number, part) : term_scale(tt, k, part));
  }
  return sum;
}

/* ---- divisors ---- */

typedef struct Divisors {
  Term from[MOST_DIVISORS], to[MOST_DIVISORS];
  uint32_t count;
} Divisors;

/* A number where the element at that place counts: extrema have one then of which it is one. */
static bool is_finite_at(TermTable *tt, Term t, Term place) {
  TermKind kind = term_kind(tt, t);
  if (term_is_finite(tt, t)) return true;
  if (kind == TERM_FOLD && (term_aux(tt, t) == FOLD_MAX || term_aux(tt, t) == FOLD_MIN)) {
    FoldParts p = term_fold_open(tt, t);
    return term_prove_le(tt, p.lo, place) && term_prove_lt(tt, place, p.hi) && term_is_finite(tt, p.body) &&
           term_prove_true(tt, term_replace(tt, p.guard, p.symbol, place));
  }
  if (kind != TERM_ADD && !(kind == TERM_FN && term_aux(tt, t) == FN_EXP)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!is_finite_at(tt, term_arg(tt, t, i), place)) return false;
  return true;
}

static bool is_sum(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_FOLD && term_aux(tt, t) == FOLD_SUM; }

static bool is_finite_divisor(TermTable *tt, Term t) {
  if (term_is_finite(tt, t)) return true;
  if (!is_sum(tt, t)) return false;
  FoldParts p = term_fold_open(tt, t);
  uint32_t facts = tt->facts.count;
  equal_push(tt, p.guard);
  bool is_finite = is_finite_at(tt, p.body, p.symbol);
  term_pop_facts(tt, facts);
  return is_finite;
}

static void find_divisors(TermTable *tt, Term product, Divisors *found) {
  for (uint32_t i = 0; term_kind(tt, product) == TERM_MUL && i < term_count(tt, product); i += 2) {
    Term base = term_arg(tt, product, i);
    if (term_rat(tt, term_arg(tt, product, i + 1)).num >= 0 || term_kind(tt, base) == TERM_SYM ||
        found->count == MOST_DIVISORS || !is_finite_divisor(tt, base))
      continue;
    found->from[found->count] = base;
    found->to[found->count++] = term_symbol_fresh(tt, "s", SORT_REAL, SYMBOL_SCALAR);
  }
}

static Term put_divisor(TermTable *tt, Term t, void *payload) {
  const Divisors *divisors = payload;
  (void)tt;
  for (uint32_t i = 0; i < divisors->count; i++)
    if (t == divisors->from[i]) return divisors->to[i];
  return t;
}

/* a = b whatever number it is that a is divided by: where it is 0, a has no value. */
static bool is_equal_for_all_divisors(TermTable *tt, Term a, Term b) {
  Divisors divisors = {0};
  find_divisors(tt, a, &divisors);
  for (uint32_t i = 1; term_kind(tt, a) == TERM_ADD && i < term_count(tt, a); i += 2)
    find_divisors(tt, term_arg(tt, a, i + 1), &divisors);
  return divisors.count && equal_prove(tt, term_transform(tt, a, put_divisor, &divisors),
                                       term_transform(tt, b, put_divisor, &divisors)) != EQUAL_NONE;
}

/* max(k * x) = k * max(x) for a number k > 0, of nothing too: k * -inf = -inf */
static Term scaled_extremum(TermTable *tt, Term t, void *unused) {
  Term inner;
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || (term_aux(tt, t) != FOLD_MAX && term_aux(tt, t) != FOLD_MIN)) return t;
  FoldParts p = term_fold_open(tt, t);
  Rational k = term_sort(tt, p.body) == SORT_REAL ? term_coefficient(tt, p.body, &inner) : rational_int(1);
  if (k.num <= 0 || (k.num == 1 && k.den == 1)) return t;
  return term_scale(tt, k, term_fold(tt, p.op, p.symbol, p.lo, p.hi, p.guard, inner));
}

static bool is_equal_by(TermTable *tt, Term a, Term b, CompareLaw law) {
  Term x = compare_law(tt, a, law, true), y = compare_law(tt, b, law, false);
  return (x != a || y != b) && equal_prove(tt, x, y) != EQUAL_NONE;
}

static bool is_equal(TermTable *tt, Term a, Term b) {
  if (equal_prove(tt, a, b) != EQUAL_NONE || is_equal_for_all_divisors(tt, a, b)) return true;
  Term u = term_transform(tt, a, scaled_extremum, NULL), v = term_transform(tt, b, scaled_extremum, NULL);
  if ((u != a || v != b) && equal_prove(tt, u, v) != EQUAL_NONE) return true;
  return is_equal_by(tt, a, b, COMPARE_SMOOTH) || rewrite_prove(tt, a, b, NULL) ||
         is_equal_by(tt, a, b, COMPARE_TILES) || is_equal_by(tt, a, b, COMPARE_EXPONENTS);
}

/* sum(..) / sum(..) over one range has no value where the range is empty: 0 / 0. */
static void assume_not_empty(TermTable *tt, Term product) {
  for (uint32_t i = 0; term_kind(tt, product) == TERM_MUL && i < term_count(tt, product); i += 2)
    for (uint32_t j = 0; j < term_count(tt, product); j += 2) {
      Term over = term_arg(tt, product, i), under = term_arg(tt, product, j);
      if (term_rat(tt, term_arg(tt, product, i + 1)).num > 0 && term_rat(tt, term_arg(tt, product, j + 1)).num < 0 &&
          is_sum(tt, over) && is_sum(tt, under) && term_fold_lo(tt, over) == term_fold_lo(tt, under) &&
          term_fold_hi(tt, over) == term_fold_hi(tt, under))
        equal_push(tt, term_lt(tt, term_fold_lo(tt, under), term_fold_hi(tt, under)));
    }
}

static void find_indices(const Question *q, Term *index) {
  TermTable *tt = q->tt;
  for (uint32_t i = 0; i < q->before->rank; i++) {
    index[i] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, index[i], tt->zero, term_sub(tt, q->before->shape[i], tt->one));
  }
}

static void prove(void *payload) {
  Question *q = payload;
  TermTable *tt = q->tt;
  uint32_t facts = tt->facts.count;
  Term index[TENSOR_MAX_RANK];
  find_indices(q, index);
  Term a = tensor_meaning(tt, q->before, index), b = tensor_meaning(tt, q->after, index);
  if (a && b && q->constants && q->constants->count && a != b) {
    a = term_transform(tt, a, idealise, (void *)(uintptr_t)q->constants);
    b = term_transform(tt, b, idealise, (void *)(uintptr_t)q->constants);
  }
  if (a) assume_not_empty(tt, a);
  q->is_shown = a && b && is_equal(tt, a, b);
  term_pop_facts(tt, facts);
}

bool textbook_prove(TermTable *tt, const TensorExpr *before, const TensorExpr *after, const TensorConstants *constants,
                    void *unused) {
  Question q = {.tt = tt, .before = before, .after = after, .constants = constants};
  (void)unused;
  return term_attempt(tt, 1, prove, &q) && q.is_shown;
}

/* ---- definedness ---- */

static Term with_constants(const Question *q, Term t) {
  if (!t || !q->constants || !q->constants->count) return t;
  return term_transform(q->tt, t, idealise, (void *)(uintptr_t)q->constants);
}

/* What the operations of the form leave out of its value counts too, as 0 * log(x) does. */
static void find_hole(void *payload) {
  Question *q = payload;
  TermTable *tt = q->tt;
  uint32_t facts = tt->facts.count;
  Term index[TENSOR_MAX_RANK];
  TermSteps steps = {0};
  TermList own = {0}, known = {0}, none = {0};
  for (uint32_t i = 0; q->assumes && i < q->claim->assumptions.count; i++) {
    const Assumption *a = &q->claim->assumptions.data[i];
    if (a->condition) equal_push(tt, a->condition);
    if (a->of_values) equal_push(tt, a->of_values);
  }
  find_indices(q, index);
  Term before = with_constants(q, tensor_meaning(tt, q->before, index));
  tt->made = &steps;
  Term after = with_constants(q, tensor_meaning(tt, q->after, index));
  tt->made = NULL;
  const Pointwise *tensors = q->claim ? q->claim->pointwise : NULL;
  q->hole = "an element has no meaning";
  if (before && after) {
    assume_not_empty(tt, before);
    array_push(tt->arena, &own, after);
    array_push(tt->arena, &known, before);
    for (uint32_t i = 0; i < steps.count; i++) {
      TermStep *s = &steps.data[i];
      *s =
          (TermStep){s->kind, with_constants(q, s->a), with_constants(q, s->b), with_constants(q, s->result), s->under};
    }
    definedness_push_asked(tt->arena, tt, tensors, before);
    q->hole = definedness_of_steps(tt->arena, tt, tensors, &steps, &none, &own, &known);
    if (!q->hole) q->hole = definedness_of_value(tt->arena, tt, tensors, after, before);
  }
  term_pop_facts(tt, facts);
}

/* Why the form may have no value where the formula has one; NULL: it has one there, by proof. Questions about ranges
 * are harder with all that is assumed, so that without is tried first. */
static const char *hole(TermTable *tt, const Claim *claim, const TensorExpr *before, const TensorExpr *after,
                        const TensorConstants *constants) {
  enum { MOST_SIZE = 10000 };
  static const char too_large[] = "the form is too large to be looked through";
  Question q = {.tt = tt, .before = before, .after = after, .constants = constants, .claim = claim};
  if (before->size > MOST_SIZE) return too_large;
  do {
    q.hole = too_large;
    term_attempt(tt, 1, find_hole, &q);
    tt->made = NULL, tt->made_under = 0;
    q.assumes = !q.assumes && claim;
  } while (q.hole && q.assumes);
  return q.hole;
}

/* ---- the formula ---- */

static const TensorExpr *by_laws(TermTable *tt, const TensorExpr *e, const TensorLaws *laws) {
  enum { MOST_ROUNDS = 3 };
  for (int round = 0; round < MOST_ROUNDS; round++) {
    const TensorExpr *textbook = tensor_textbook(tt, e, laws);
    e = tensor_search(tt, textbook, laws);
    if (e == textbook) break;
  }
  return e;
}

/* The first law that was applied where less is defined by it, a row of which no element counts, say; NULL: none. */
static const char *partial_law(TermTable *tt, const Claim *claim, const TensorLaws *laws) {
  for (uint32_t i = 0; i < laws->steps->count; i++) {
    const TensorStep *s = &laws->steps->data[i];
    if (hole(tt, claim, s->before, s->after, laws->constants)) return s->law;
  }
  return NULL;
}

const TensorExpr *textbook_simplify(TermTable *tt, const Claim *claim, const TensorExpr *formula, TensorLaws laws) {
  enum { MOST_LEFT_OUT = 8, MOST_SIZE = 4000 }; /* size: of what is tried again */
  NameList without = {0};
  for (uint32_t i = 0; i < laws.without.count; i++) array_push(tt->arena, &without, laws.without.data[i]);
  laws.prove = textbook_prove, laws.without = without;
  for (int i = 0; i < MOST_LEFT_OUT; i++) {
    const TensorExpr *e = by_laws(tt, formula, &laws);
    if (e == formula || !hole(tt, claim, formula, e, laws.constants)) return e;
    const char *partial = formula->size > MOST_SIZE ? NULL : partial_law(tt, claim, &laws);
    laws.steps->count = laws.constants->count = 0;
    if (!partial) break;
    array_push(tt->arena, &laws.without, partial);
  }
  return formula;
}

const TensorExpr *textbook_named(TermTable *tt, const Claim *claim, const TensorExpr *textbook, TensorLaws laws) {
  laws.prove = textbook_prove, laws.steps = NULL, laws.constants = NULL;
  const TensorExpr *named = tensor_named(tt, textbook, &laws);
  return named == textbook || hole(tt, claim, textbook, named, NULL) ? textbook : named;
}
