/* Equality of terms (see equal.h). */
#include "prove/equal.h"

#include "laws/fraction.h"
#include "laws/laws.h"
#include "term/cons.h"

enum { CASE_DEPTH = 7, STRUCTURE_DEPTH = 40, MOST_SUMMANDS = 60, WRAP_DEPTH = 12 };

const char *equal_engine_name(EqualEngine engine) {
  static const char *const names[] = {"none", "identity", "normal-form", "cases", "induction", "explanation", "smt"};
  return names[engine];
}

/* An integer that is not 0 is at least 1 where it is not negative, and at most -1 where it is not positive. */
static void push_side_of_zero(TermTable *tt, Term fact) {
  Term equality = term_arg(tt, fact, 0);
  if (term_kind(tt, equality) != TERM_EQ || term_count(tt, equality) != 1) return;
  Term e = term_arg(tt, equality, 0);
  if (term_sort(tt, e) != SORT_INT) return;
  Term side = term_prove_le(tt, tt->zero, e)   ? term_le(tt, tt->one, e)
              : term_prove_le(tt, e, tt->zero) ? term_lt(tt, e, tt->zero)
                                               : tt->true_;
  if (side != tt->true_ && side != fact) term_push_fact(tt, side);
}

void equal_push(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) != TERM_AND) {
    if (condition == tt->true_) return;
    term_push_fact(tt, condition);
    if (term_kind(tt, condition) == TERM_NOT) push_side_of_zero(tt, condition);
    return;
  }
  for (int last = 0; last < 2; last++) /* what is excluded last: the other facts tell on which side the rest lies */
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++)
      if ((term_kind(tt, term_arg(tt, condition, i)) == TERM_NOT) == last) equal_push(tt, term_arg(tt, condition, i));
}

static bool same(TermTable *tt, Term a, Term b, uint32_t depth);

/* ---- structure ---- */

/* Each conjunct of the condition holds where the other one does: x < n where x = i, an index below n. */
static bool follows(TermTable *tt, Term condition, Term other) {
  uint32_t facts = tt->facts.count, n = term_conjunct_count(tt, condition);
  bool good = true;
  equal_push(tt, other);
  for (uint32_t i = 0; i < n && good; i++) good = term_prove_true(tt, n > 1 ? term_arg(tt, condition, i) : condition);
  term_pop_facts(tt, facts);
  return good;
}

static bool same_guard(TermTable *tt, Term a, Term b, uint32_t depth) {
  return same(tt, a, b, depth) || (follows(tt, a, b) && follows(tt, b, a));
}

static bool same_fold(TermTable *tt, Term a, Term b, uint32_t depth) {
  FoldParts p = term_fold_open(tt, a), q = term_fold_open(tt, b);
  Term there = p.symbol; /* the place in b's range that stands for p's */
  if (!same(tt, p.lo, q.lo, depth) || !same(tt, p.hi, q.hi, depth)) {
    if (p.op == FOLD_ARGMAX || p.op == FOLD_ARGMIN) return false;
    Term shift = term_sub(tt, q.lo, p.lo); /* the same range elsewhere */
    if (term_node(tt, shift)->flags & (TERM_HAS_UNDEF | TERM_HAS_INF))
      return false; /* what is undefined swallows the other bound */
    if (!same(tt, term_add(tt, p.hi, shift), q.hi, depth)) return false;
    there = term_add(tt, p.symbol, shift);
  }
  Term guard = term_replace(tt, q.guard, q.symbol, there), body = term_replace(tt, q.body, q.symbol, there);
  uint32_t facts = tt->facts.count;
  bool equal = same_guard(tt, p.guard, guard, depth);
  if (equal) {
    equal_push(tt, p.guard);
    equal = same(tt, p.body, body, depth);
    term_pop_facts(tt, facts);
  }
  return equal;
}

/* By induction on the steps: the values begin alike, and a step makes equal ones of equal ones, at each lane. */
static bool same_recurrence(TermTable *tt, Term a, Term b, uint32_t depth) {
  uint32_t lanes = term_recur_lanes(tt, a), n = 0;
  bool equal = same(tt, term_arg(tt, a, 0), term_arg(tt, b, 0), depth);
  for (uint32_t d = 0; d < lanes && equal; d++)
    equal = term_recur_lane(tt, a, d, 1) == term_recur_lane(tt, b, d, 1) &&
            same(tt, term_recur_lane(tt, a, d, 2), term_recur_lane(tt, b, d, 2), depth);
  if (!equal) return false;
  RecurParts p = term_recur_open(tt, a), q = term_recur_open(tt, b);
  Term from[RECUR_STATES + RECUR_LANES + 1], to[RECUR_STATES + RECUR_LANES + 1];
  from[n] = q.index, to[n++] = p.index;
  for (uint32_t d = 0; d < lanes; d++) from[n] = q.lane[d], to[n++] = p.lane[d];
  for (uint32_t i = 0; i < p.n; i++) from[n] = term_arg(tt, q.state[i], 0), to[n++] = term_arg(tt, p.state[i], 0);
  for (uint32_t i = 0; i < p.n && equal; i++) {
    Term state = term_substitute(tt, q.state[i], (TermMap){n, from, to});
    equal = state == p.state[i] && same(tt, p.init[i], term_substitute(tt, q.init[i], (TermMap){n, from, to}), depth) &&
            same(tt, p.next[i], term_substitute(tt, q.next[i], (TermMap){n, from, to}), depth);
  }
  return equal;
}

/* Sums, products and extrema: the parts that both have may go; of the few that are left each must find its equal. */
static bool same_parts(TermTable *tt, Term a, Term b, uint32_t depth) {
  enum { MOST_LEFT = 4 };
  TermKind kind = term_kind(tt, a);
  uint32_t step = kind == TERM_MUL || kind == TERM_ADD ? 2 : 1, first = kind == TERM_ADD ? 1 : 0,
           value = kind == TERM_ADD ? 1 : 0, counts[2] = {0, 0};
  uint32_t left[2][MOST_LEFT];
  if (first && term_arg(tt, a, 0) != term_arg(tt, b, 0)) return false;
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = first; i < term_count(tt, a); i += step) {
      Term u = side ? b : a, v = side ? a : b;
      bool found = false;
      for (uint32_t k = first; k < term_count(tt, v) && !found; k += step)
        found =
            term_arg(tt, u, i) == term_arg(tt, v, k) && (step == 1 || term_arg(tt, u, i + 1) == term_arg(tt, v, k + 1));
      if (found) continue;
      if (counts[side] == MOST_LEFT) return false;
      left[side][counts[side]++] = i;
    }
  if (counts[0] != counts[1]) return false;
  for (uint32_t i = 0; i < counts[0]; i++) {
    bool found = false;
    for (uint32_t k = i; k < counts[1] && !found; k++) {
      uint32_t x = left[0][i], y = left[1][k];
      bool fits =
          step == 1 || term_arg(tt, a, x + 1 - value) == term_arg(tt, b, y + 1 - value); /* coefficient or exponent */
      found = fits && same(tt, term_arg(tt, a, x + value), term_arg(tt, b, y + value), depth + 1);
      if (found) left[1][k] = left[1][i];
    }
    if (!found) return false;
  }
  return true;
}

static uint32_t summand_count(const TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_ADD ? (term_count(tt, t) + 1) / 2 : 1;
}

static Term unwrapped(TermTable *tt, uint32_t width, Term t, uint32_t depth);

static Term unwrapped_product(TermTable *tt, uint32_t width, Term t, uint32_t depth) {
  Term product = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = unwrapped(tt, width, term_arg(tt, t, i), depth);
    int64_t power;
    if (term_sort(tt, base) != SORT_INT || !term_is_int(tt, term_arg(tt, t, i + 1), &power) || power < 1) return t;
    for (; power; power--) {
      if (summand_count(tt, product) * summand_count(tt, base) > MOST_SUMMANDS) return t;
      product = term_mul(tt, product, base);
    }
  }
  return product;
}

/* The same modulo 2^width, where nothing wraps inside sums and products that are not long. */
static Term unwrapped(TermTable *tt, uint32_t width, Term t, uint32_t depth) {
  if (depth == WRAP_DEPTH || term_sort(tt, t) != SORT_INT) return t;
  if (term_kind(tt, t) == TERM_WRAP && term_aux(tt, t) >= width)
    return unwrapped(tt, width, term_arg(tt, t, 0), depth + 1);
  if (term_kind(tt, t) == TERM_MUL) return unwrapped_product(tt, width, t, depth + 1);
  if (term_kind(tt, t) != TERM_ADD) return t;
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    if (term_rat(tt, term_arg(tt, t, i)).den != 1) return t;
    sum = term_add(
        tt, sum,
        term_scale(tt, term_rat(tt, term_arg(tt, t, i)), unwrapped(tt, width, term_arg(tt, t, i + 1), depth + 1)));
  }
  return sum;
}

/* a = b modulo 2^width. */
static bool same_modulo(TermTable *tt, uint32_t width, Term a, Term b) {
  Term x = unwrapped(tt, width, a, 0), y = unwrapped(tt, width, b, 0);
  return (x != a || y != b) && term_wrap(tt, width, term_sub(tt, x, y)) == tt->zero;
}

/* Equal operators with equal arguments, argument by argument. */
static bool same_structure(TermTable *tt, Term a, Term b, uint32_t depth) {
  const TermNode *x = term_node(tt, a), *y = term_node(tt, b);
  if (x->kind == TERM_RECUR && y->kind != TERM_RECUR && y->count) return equal_by_induction(tt, a, b);
  if (depth > STRUCTURE_DEPTH || x->kind != y->kind || x->aux != y->aux || x->count != y->count || !x->count)
    return false;
  TermKind kind = term_kind(tt, a);
  if (kind == TERM_FOLD) return same_fold(tt, a, b, depth + 1);
  if (kind == TERM_RECUR) return same_recurrence(tt, a, b, depth + 1);
  if (kind == TERM_ADD || kind == TERM_MUL || term_kind_is_extremum(kind)) return same_parts(tt, a, b, depth);
  if (!(kind == TERM_READ || kind == TERM_FN || kind == TERM_OPAQUE || kind == TERM_SELECT ||
        term_kind_is_rounding(kind) || kind == TERM_ABS || kind == TERM_WRAP || kind == TERM_NOT))
    return false;
  bool equal = true;
  for (uint32_t i = 0; equal && i < term_node(tt, a)->count; i++)
    equal = same(tt, term_arg(tt, a, i), term_arg(tt, b, i), depth + 1);
  return equal ||
         (term_kind(tt, a) == TERM_WRAP && same_modulo(tt, term_aux(tt, a), term_arg(tt, a, 0), term_arg(tt, b, 0)));
}

static bool same(TermTable *tt, Term a, Term b, uint32_t depth) {
  guard_tick(tt->arena->guard);
  if (a == b) return true;
  if (term_sort(tt, a) == SORT_INT && term_sort(tt, b) == SORT_INT && term_prove_le(tt, a, b) &&
      term_prove_le(tt, b, a))
    return true;
  return same_structure(tt, a, b, depth);
}

/* ---- normal forms ---- */

Term equal_peel(TermTable *tt, Term t, Term end) {
  for (Term before = 0; end && before != t;) { /* an inner fold may be cut only after an outer one was */
    before = t;
    t = term_transform(tt, t, term_peel_folds, &end);
  }
  return t;
}

static Term normal(TermTable *tt, Term t, Term end) {
  if (!end) t = term_transform(tt, term_transform(tt, t, term_merge_tiles, NULL), term_order_folds, NULL);
  return term_normalize(tt, t);
}

/* Ranges that adjoin as one, tiles of them and the element behind a range too. */
static Term joined(TermTable *tt, Term t) {
  for (int i = 0; i < 3; i++) {
    Term next = term_transform(tt, term_transform(tt, t, term_join_ranges, NULL), term_merge_tiles, NULL);
    next = term_transform(tt, term_transform(tt, next, term_extend_folds, NULL), term_extend_recurrences, NULL);
    if (next == t) break;
    t = next;
  }
  return t;
}

/* ---- logarithms ---- */

/* log(x) + r = log(y) + s where x exp(r) = y exp(s): if the left is a number, x and so y are positive. */
static bool same_exponential(TermTable *tt, Term a, Term b, Term end) {
  Term x = term_exponential(tt, a), y = x ? term_exponential(tt, b) : 0;
  if (!x) return false;
  if (!y) y = term_fn1(tt, FN_EXP, b);
  return same(tt, x, normal(tt, y, end), 0);
}

/* ---- cases ---- */

typedef struct Candidates {
  Term data[16];
  uint32_t count;
} Candidates;

static bool is_closed(const TermTable *tt, Term t) { return !(term_node(tt, t)->free_mask >> 48); }

static void add_candidate(TermTable *tt, Candidates *c, Term condition) {
  if (term_kind(tt, condition) == TERM_TRUE || term_kind(tt, condition) == TERM_FALSE || !is_closed(tt, condition) ||
      c->count == 16)
    return;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->data[i] == condition || c->data[i] == term_not(tt, condition)) return;
  c->data[c->count++] = condition;
}

/* The parts of a condition, innermost first: a conjunction within a disjunction is decided by its own. */
static void add_parts(TermTable *tt, Candidates *c, Term condition, int depth) {
  TermKind kind = term_kind(tt, condition);
  if (!depth || (kind != TERM_AND && kind != TERM_OR)) {
    add_candidate(tt, c, condition);
    return;
  }
  for (uint32_t i = 0; i < term_count(tt, condition); i++) add_parts(tt, c, term_arg(tt, condition, i), depth - 1);
}

static void find_in_bound(TermTable *tt, Term bound, Candidates *c) {
  if (term_kind(tt, bound) == TERM_MIN || term_kind(tt, bound) == TERM_MAX)
    for (uint32_t i = 0; i < term_count(tt, bound); i++)
      for (uint32_t k = i + 1; k < term_count(tt, bound); k++)
        add_candidate(tt, c, term_le(tt, term_arg(tt, bound, i), term_arg(tt, bound, k)));
}

/* Of a condition that is compared itself, the masks in it. */
static void add_masks(TermTable *tt, Term t, int depth, Candidates *c) {
  TermKind kind = term_kind(tt, t);
  if (term_sort(tt, t) != SORT_BOOL) return;
  if ((kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ) &&
      !(term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_FOLD)))
    add_candidate(tt, c, t);
  for (uint32_t i = 0; (kind == TERM_AND || kind == TERM_OR) && depth && i < term_count(tt, t); i++)
    add_masks(tt, term_arg(tt, t, i), depth - 1, c);
}

/* First whether extrema are empty (what = 0), then the other conditions (1), and those inside of them (2). */
static void find_cases(TermTable *tt, Term t, int what, Candidates *c) {
  if (tt->marks.data[t] == tt->epoch || c->count == 16) return;
  tt->marks.data[t] = tt->epoch;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT && what) {
    add_parts(tt, c, term_arg(tt, t, 0), what);
  }
  if ((kind == TERM_MIN || kind == TERM_MAX) && what) {
    if (term_sort(tt, t) == SORT_INT) find_in_bound(tt, t, c);
  }
  if (kind == TERM_FN && !what && term_aux(tt, t) == FN_LOG && term_kind(tt, term_arg(tt, t, 0)) == TERM_FOLD &&
      term_aux(tt, term_arg(tt, t, 0)) == FOLD_SUM && !term_is_finite(tt, t)) {
    Term sum = term_arg(tt, t, 0); /* of nothing it is -inf */
    add_candidate(tt, c, term_lt(tt, term_fold_lo(tt, sum), term_fold_hi(tt, sum)));
  }
  if (kind == TERM_FOLD && !what) {
    uint32_t op = term_aux(tt, t);
    bool may_be_empty = (op == FOLD_SUM && term_sort(tt, t) == SORT_INT) || op == FOLD_MAX || op == FOLD_MIN ||
                        op == FOLD_ARGMAX || op == FOLD_ARGMIN;
    if (may_be_empty && !term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)))
      add_candidate(tt, c, term_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)));
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_cases(tt, term_arg(tt, t, i), what, c);
}

/* Facts "x or y" of which the other facts leave only one alternative. */
static void refine_alternatives(TermTable *tt) {
  for (uint32_t i = 0, n = tt->facts.count; i < n; i++) {
    Term fact = tt->facts.data[i], left = tt->false_;
    if (term_kind(tt, fact) != TERM_OR) continue;
    for (uint32_t k = 0; k < term_count(tt, fact); k++) {
      Term x = term_arg(tt, fact, k);
      if (!term_prove_true(tt, term_not(tt, x))) left = term_or(tt, left, term_rebuild(tt, x));
    }
    if (left != fact && term_kind(tt, left) != TERM_OR) equal_push(tt, left);
  }
}

typedef struct Decided {
  Term from, to;
} Decided;

static bool is_index(const TermTable *tt, Term t) {
  SymbolRole role = term_kind(tt, t) == TERM_SYM ? term_symbol(tt, t)->role : SYMBOL_SIZE;
  return role == SYMBOL_LANE || role == SYMBOL_COUNTER;
}

/* lane == counter: the one is the other. `t` is 0. */
static bool find_same_index(TermTable *tt, Term t, Decided *out) {
  *out = (Decided){t, tt->zero};
  if (is_index(tt, t)) return true;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term s = term_arg(tt, t, i + 1);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (!is_index(tt, s) || k.den != 1 || (k.num != 1 && k.num != -1)) continue;
    Term rest = term_sub(tt, t, term_scale(tt, k, s));
    *out = (Decided){s, term_scale(tt, rational_int(-(int64_t)k.num), rest)};
    return !term_has_symbol(tt, rest, s) && is_closed(tt, rest);
  }
  return false;
}

/* t <= 0 and -t <= 0 hold: t is 0, and so one element or place in it is known. A counter stays, at which folds end. */
static bool find_decided(TermTable *tt, Decided *out) {
  Term newest = tt->facts.count ? tt->facts.data[tt->facts.count - 1] : 0;
  if (!newest || (term_kind(tt, newest) != TERM_EQ && term_kind(tt, newest) != TERM_LE) || term_count(tt, newest) != 1)
    return false;
  Term t = term_arg(tt, newest, 0), turned;
  if (term_sort(tt, t) == SORT_INT)
    return (term_kind(tt, newest) == TERM_EQ || term_prove_le(tt, tt->zero, t)) && find_same_index(tt, t, out) &&
           (term_kind(tt, newest) == TERM_EQ || term_symbol(tt, out->from)->role == SYMBOL_LANE);
  if (term_kind(tt, newest) != TERM_LE || term_sort(tt, t) != SORT_REAL) return false;
  turned = term_le(tt, term_neg(tt, t), tt->zero);
  bool both = false;
  for (uint32_t i = 0; i < tt->facts.count && !both; i++) both = tt->facts.data[i] == turned;
  for (uint32_t i = 2; both && term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i);
    if (term_sort(tt, part) != SORT_REAL || (term_kind(tt, part) != TERM_READ && term_kind(tt, part) != TERM_SYM))
      continue;
    Term rest = term_sub(tt, t, term_scale(tt, term_rat(tt, term_arg(tt, t, i - 1)), part));
    *out = (Decided){
        part,
        term_scale(tt, rational_div(tt->arena->guard, rational_int(-1), term_rat(tt, term_arg(tt, t, i - 1))), rest)};
    return is_closed(tt, rest);
  }
  *out = (Decided){t, tt->zero};
  return both && (term_kind(tt, t) == TERM_READ || term_kind(tt, t) == TERM_SYM);
}

/* Where no element passes a guard, a fold over those that do is one over none. */
static Term put_none(TermTable *tt, Term t, void *payload) {
  Term any = *(Term *)payload;
  if (term_kind(tt, t) != TERM_FOLD || term_fold_guard(tt, t) == tt->true_) return t;
  FoldParts p = term_fold_open(tt, t);
  if (term_fold(tt, FOLD_ANY, p.symbol, p.lo, p.hi, tt->true_, p.guard) != any) return t;
  return term_fold(tt, p.op, p.symbol, p.lo, p.lo, p.guard, p.body);
}

static Term without_elements(TermTable *tt, Term t, Term condition) {
  Term any = term_kind(tt, condition) == TERM_NOT ? term_arg(tt, condition, 0) : 0;
  bool is_any = any && term_kind(tt, any) == TERM_FOLD && term_aux(tt, any) == FOLD_ANY;
  return is_any ? term_transform(tt, t, put_none, &any) : t;
}

/* e <= 0 of integers of which e != 0 is a fact: e <= -1. */
static Term with_stronger(TermTable *tt, Term c) {
  if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT) return c;
  Term e = term_arg(tt, c, 0), differs = term_not(tt, term_eq(tt, e, tt->zero));
  for (uint32_t i = 0; i < tt->facts.count; i++)
    if (tt->facts.data[i] == differs) return term_and(tt, c, term_lt(tt, e, tt->zero));
  return c;
}

/* t < 0, and so t <= 0 (and t != 0): facts are compared by identity. An integer >= 0 that is not 0 is at least 1. */
static Term with_weaker(TermTable *tt, Term c, bool places) {
  if (term_kind(tt, c) == TERM_LE) return with_stronger(tt, c);
  if (term_kind(tt, c) == TERM_NOT && term_kind(tt, term_arg(tt, c, 0)) == TERM_EQ &&
      term_count(tt, term_arg(tt, c, 0)) == 1) {
    Term t = term_arg(tt, term_arg(tt, c, 0), 0);
    if (term_sort(tt, t) != SORT_INT) return c;
    if (term_prove_le(tt, tt->zero, t)) return term_and(tt, c, term_le(tt, tt->one, t));
    return term_prove_le(tt, t, tt->zero) ? term_and(tt, c, term_lt(tt, t, tt->zero)) : c;
  }
  if (term_kind(tt, c) != TERM_LT || (term_count(tt, c) != 1 && !places)) return c;
  Term x = term_arg(tt, c, 0), y = term_count(tt, c) == 2 ? term_arg(tt, c, 1) : tt->zero;
  c = term_and(tt, c, term_le(tt, x, y));
  return places ? term_and(tt, c, term_not(tt, term_eq(tt, x, y))) : c;
}

/* Lanes, counters and sizes that can have one value only are that value: where the mask leaves one lane, say. */
static Term put_only_values(TermTable *tt, Term t, Term about) {
  TermList symbols = {0};
  term_symbols(tt, about, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if (s->lo && (s->role == SYMBOL_LANE || s->role == SYMBOL_COUNTER || term_is_rat(tt, s->lo)) &&
        term_prove_le(tt, symbols.data[i], s->lo))
      t = term_replace(tt, t, symbols.data[i], s->lo);
  }
  return t;
}

/* Masks come first, which decide bounds; what is asked of data is asked where they hold. */
static int rank_of_case(const TermTable *tt, Term t) {
  if (term_node(tt, t)->flags & TERM_HAS_READ) return 2;
  if (term_kind(tt, t) == TERM_FLOORDIV) return 1;
  int rank = 0;
  for (uint32_t i = 0; i < term_count(tt, t) && !rank; i++) rank = rank_of_case(tt, term_arg(tt, t, i));
  return rank;
}

static void put_masks_first(const TermTable *tt, Candidates *c) {
  Candidates sorted = {0};
  for (int rank = 0; rank < 3; rank++)
    for (uint32_t i = 0; i < c->count; i++)
      if (rank_of_case(tt, c->data[i]) == rank) sorted.data[sorted.count++] = c->data[i];
  *c = sorted;
}

/* A fold that ends at the counter, or one behind it, whatever its bound looks like. */
static Term put_end(TermTable *tt, Term t, void *payload) {
  Term end = *(Term *)payload, hi = term_kind(tt, t) == TERM_FOLD ? term_fold_hi(tt, t) : end;
  if (term_kind(tt, t) != TERM_FOLD || hi == end || term_kind(tt, hi) == TERM_RAT ||
      !(term_node(tt, t)->flags & TERM_HAS_READ))
    return t;
  for (int before = 1; before >= 0; before--) {
    Term at = before ? term_sub(tt, end, tt->one) : end;
    if (hi == at || !term_prove_le(tt, hi, at) || !term_prove_le(tt, at, hi)) continue;
    FoldParts p = term_fold_open(tt, t);
    return term_fold(tt, p.op, p.symbol, p.lo, at, p.guard, p.body);
  }
  return t;
}

/* `ahead`: folds that end there are peeled before; 0: none. `places`: what the best so far has, before and after one
 * more, is decided. */
static EqualEngine decide(TermTable *tt, Term a, Term b, Term end, Term ahead, bool places, uint32_t depth) {
  guard_tick(tt->arena->guard);
  if (places) a = term_transform(tt, a, put_end, &end), b = term_transform(tt, b, put_end, &end);
  if (ahead) a = equal_peel(tt, a, ahead), b = equal_peel(tt, b, ahead);
  a = equal_peel(tt, a, end), b = equal_peel(tt, b, end); /* before cases: what they settle may come from here */
  if (places)
    a = term_transform(tt, a, term_normalise_places, NULL), b = term_transform(tt, b, term_normalise_places, NULL);
  if (same(tt, a, b, 0)) return EQUAL_IDENTITY;
  Term newest = tt->facts.count ? tt->facts.data[tt->facts.count - 1] : 0; /* in a case: those that it speaks of */
  if (depth == CASE_DEPTH || newest)
    a = put_only_values(tt, a, depth == CASE_DEPTH ? a : newest),
    b = put_only_values(tt, b, depth == CASE_DEPTH ? b : newest);
  Term x = normal(tt, a, end), y = normal(tt, b, end);
  if (same(tt, x, y, 0) || fraction_same(tt, x, y) || same_exponential(tt, a, b, end)) return EQUAL_NORMAL;
  if (newest &&
      (term_has_kind(tt, x, TERM_RECUR) || term_has_kind(tt, y, TERM_RECUR))) { /* where a case says of steps */
    Term u = term_transform(tt, x, term_recur_without_copies, NULL),
         v = term_transform(tt, y, term_recur_without_copies, NULL);
    if ((u != x || v != y) && same(tt, normal(tt, u, end), normal(tt, v, end), 0)) return EQUAL_NORMAL;
  }
  if (depth == CASE_DEPTH && !end && ((term_node(tt, x)->flags | term_node(tt, y)->flags) & TERM_HAS_FOLD)) {
    Term u = joined(tt, term_transform(tt, x, term_turn_folds, NULL)),
         v = joined(tt, term_transform(tt, y, term_turn_folds, NULL));
    if ((u != x || v != y) && same(tt, normal(tt, u, 0), normal(tt, v, 0), 0)) return EQUAL_NORMAL;
    u = joined(tt, term_transform(tt, a, term_turn_folds, NULL)),
    v = joined(tt, term_transform(tt, b, term_turn_folds, NULL)); /* before powers of folds are multiplied out */
    if ((u != a || v != b) && same(tt, normal(tt, u, 0), normal(tt, v, 0), 0)) return EQUAL_NORMAL;
  }
  if (!depth) return EQUAL_NONE;
  Candidates cases = {0};
  for (int kind = 0; kind < 2; kind++) {
    int what = kind && places ? 2 : kind;
    term_marks_begin(tt);
    find_cases(tt, a, what, &cases);
    find_cases(tt, b, what, &cases);
    find_cases(tt, x, what, &cases);
    find_cases(tt, y, what, &cases);
  }
  for (uint32_t i = 0; i < 2 && cases.count < 3; i++) /* what is a flag itself is decided by its masks alone */
    if (i ? term_sort(tt, b) == SORT_BOOL : depth == CASE_DEPTH || term_sort(tt, a) == SORT_BOOL)
      add_masks(tt, i ? b : a, 2, &cases);
  if (places) put_masks_first(tt, &cases);
  for (uint32_t i = 0; i < cases.count && i < 3; i++) {
    bool both = true;
    for (int side = 0; side < 2 && both; side++) {
      Term condition = with_weaker(tt, side ? term_not(tt, cases.data[i]) : cases.data[i], places);
      uint32_t facts = tt->facts.count;
      if (term_prove_true(tt, term_not(tt, condition))) continue; /* never so */
      Term left = without_elements(tt, term_assume(tt, a, condition), condition),
           right = without_elements(tt, term_assume(tt, b, condition), condition);
      Decided decided;
      Term here = end, before = ahead;
      equal_push(tt, condition);
      if (find_decided(tt, &decided)) {
        left = term_replace_part(tt, left, decided.from, decided.to);
        right = term_replace_part(tt, right, decided.from, decided.to);
        if (here) here = term_replace_part(tt, here, decided.from, decided.to);
        if (before) before = term_replace_part(tt, before, decided.from, decided.to);
      }
      refine_alternatives(tt);
      both = decide(tt, left, right, here, before, places, i ? depth / 2 : depth - 1) != EQUAL_NONE;
      term_pop_facts(tt, facts);
    }
    if (both) return EQUAL_CASES;
  }
  bool choose = depth == CASE_DEPTH && term_kind(tt, a) == TERM_SELECT && term_kind(tt, b) == TERM_SELECT;
  for (uint32_t i = 1; choose && i < 3; i++) choose = same(tt, term_arg(tt, a, i), term_arg(tt, b, i), 0);
  if (choose && decide(tt, term_arg(tt, a, 0), term_arg(tt, b, 0), end, ahead, places, CASE_DEPTH) != EQUAL_NONE)
    return EQUAL_CASES; /* between the same two, by conditions that are one */
  return EQUAL_NONE;
}

Term equal_split(TermTable *tt, Term a, Term b, EqualProve prove, void *payload) {
  Candidates cases = {0};
  term_marks_begin(tt);
  find_cases(tt, a, 1, &cases);
  find_cases(tt, b, 1, &cases);
  if (!cases.count) return 0;
  for (int side = 0; side < 2; side++) {
    Term condition = with_weaker(tt, side ? term_not(tt, cases.data[0]) : cases.data[0], false);
    uint32_t facts = tt->facts.count;
    Decided decided;
    if (term_prove_true(tt, term_not(tt, condition))) continue; /* never so */
    Term left = without_elements(tt, term_assume(tt, a, condition), condition),
         right = without_elements(tt, term_assume(tt, b, condition), condition);
    equal_push(tt, condition);
    if (find_decided(tt, &decided)) {
      left = term_replace_part(tt, left, decided.from, decided.to),
      right = term_replace_part(tt, right, decided.from, decided.to);
      Rational behind = term_constant_part(tt, decided.to); /* a fold up to the place behind a counter has one more */
      Term end = behind.num == 1 ? decided.to : behind.num == -1 ? term_add(tt, decided.to, tt->one) : 0;
      left = equal_peel(tt, left, end), right = equal_peel(tt, right, end);
    }
    bool good = prove(tt, left, right, condition, payload);
    term_pop_facts(tt, facts);
    if (!good) return 0;
  }
  return cases.data[0];
}

EqualEngine equal_prove(TermTable *tt, Term a, Term b) {
  if ((term_kind(tt, a) == TERM_RECUR) != (term_kind(tt, b) == TERM_RECUR) && equal_by_induction(tt, a, b))
    return EQUAL_INDUCTION;
  EqualEngine engine = decide(tt, a, b, 0, 0, false, CASE_DEPTH);
  return engine != EQUAL_NONE || !equal_by_induction(tt, a, b) ? engine : EQUAL_INDUCTION;
}

/* Sets *found if t is a place among those that pass a condition. */
static Term find_place(TermTable *tt, Term t, void *found) {
  if (term_kind(tt, t) == TERM_FOLD && term_sort(tt, t) == SORT_INT &&
      (term_aux(tt, t) == FOLD_MIN || term_aux(tt, t) == FOLD_MAX) &&
      (term_node(tt, term_fold_guard(tt, t))->flags & TERM_HAS_READ))
    *(bool *)found = true;
  return t;
}

static EqualEngine prove_step_of_places(TermTable *tt, Term a, Term b, Term end) {
  Term u = equal_peel(tt, term_rebuild(tt, a), end), v = equal_peel(tt, term_rebuild(tt, b), end);
  if (term_transform(tt, u, term_normalise_places, NULL) == u &&
      term_transform(tt, v, term_normalise_places, NULL) == v)
    return EQUAL_NONE;
  return decide(tt, term_rebuild(tt, a), term_rebuild(tt, b), end, 0, true, CASE_DEPTH);
}

/* A loop that runs once, or not at all: in its one step the counter is 0. */
static EqualEngine prove_only_step(TermTable *tt, Term a, Term b, Term end) {
  Term counter = term_sub(tt, end, tt->one);
  if (term_kind(tt, counter) != TERM_SYM || !term_prove_le(tt, counter, tt->zero)) return EQUAL_NONE;
  return decide(tt, term_replace(tt, a, counter, tt->zero), term_replace(tt, b, counter, tt->zero), tt->one, 0, true,
                CASE_DEPTH);
}

EqualEngine equal_prove_step(TermTable *tt, Term a, Term b, Term end) {
  bool places = false;
  term_transform(tt, b, find_place, &places);
  EqualEngine engine = places ? prove_step_of_places(tt, a, b, end) : EQUAL_NONE;
  if (engine == EQUAL_NONE) engine = decide(tt, a, b, end, 0, false, CASE_DEPTH);
  if (engine == EQUAL_NONE && !places) engine = prove_step_of_places(tt, a, b, end);
  if (engine == EQUAL_NONE) engine = prove_only_step(tt, a, b, end);
  if (engine != EQUAL_NONE) return engine;
  Term u = term_transform(tt, equal_peel(tt, a, end), term_recur_without_copies, NULL),
       v = term_transform(tt, equal_peel(tt, b, end), term_recur_without_copies, NULL);
  bool recurs = term_has_kind(tt, u, TERM_RECUR) || term_has_kind(tt, v, TERM_RECUR);
  if (recurs) engine = decide(tt, u, v, end, 0, false, CASE_DEPTH);
  if (engine != EQUAL_NONE) return engine;
  a = term_transform(tt, term_transform(tt, a, term_extremum_of_select, NULL), term_spread_extrema, NULL);
  b = term_transform(tt, term_transform(tt, b, term_extremum_of_select, NULL), term_spread_extrema, NULL);
  return decide(tt, a, b, end, term_add(tt, end, tt->one), false, CASE_DEPTH); /* folds that are one element ahead */
}

/* What a select in t depends on, outside of folds and of what is read; 0: there is none. */
static Term find_select(TermTable *tt, Term t, uint32_t depth) {
  if (term_kind(tt, t) == TERM_SELECT) return term_arg(tt, t, 0);
  if (!depth || term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_READ) return 0;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term c = find_select(tt, term_arg(tt, t, i), depth - 1);
    if (c) return c;
  }
  return 0;
}

static bool holds(TermTable *tt, Term condition, uint32_t depth, uint32_t first);

/* where(i < n, i, 0) < n: in both cases. */
static bool holds_in_cases(TermTable *tt, Term condition, Term c, uint32_t depth, uint32_t first) {
  for (int side = 0; side < 2; side++) {
    Term given = side ? term_not(tt, c) : c;
    uint32_t facts = tt->facts.count;
    Term left = term_assume(tt, condition, given);
    if (left == condition) return false;
    equal_push(tt, given);
    bool good = holds(tt, left, depth, first);
    term_pop_facts(tt, facts);
    if (!good) return false;
  }
  return true;
}

static bool holds(TermTable *tt, Term condition, uint32_t depth, uint32_t first) {
  if (term_prove_true(tt, condition)) return true;
  if (term_kind(tt, condition) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, condition); i++)
      if (!holds(tt, term_arg(tt, condition, i), depth, first)) return false;
    return true;
  }
  for (uint32_t i = 0, n = term_kind(tt, condition) == TERM_OR && depth ? term_count(tt, condition) : 0; i < n;
       i++) { /* one of them, where the others do not hold */
    uint32_t facts = tt->facts.count;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) equal_push(tt, term_not(tt, term_arg(tt, condition, k)));
    bool good = term_prove_true(tt, term_rebuild(tt, term_arg(tt, condition, i)));
    term_pop_facts(tt, facts);
    if (good) return true;
  }
  Term c = depth ? find_select(tt, condition, 4) : 0;
  if (c && holds_in_cases(tt, condition, c, depth - 1, first)) return true;
  for (uint32_t i = first; i < tt->facts.count && depth; i++) { /* a fact "x or y": in both cases */
    Term fact = tt->facts.data[i];
    if (term_kind(tt, fact) != TERM_OR) continue;
    bool all = true;
    for (uint32_t k = 0; k < term_count(tt, fact) && all; k++) {
      uint32_t facts = tt->facts.count;
      equal_push(tt, term_arg(tt, fact, k));
      all = holds(tt, term_rebuild(tt, condition), depth - 1, i + 1);
      term_pop_facts(tt, facts);
    }
    return all;
  }
  return false;
}

enum { PATIENCE = 4000 };

bool equal_prove_true(TermTable *tt, Term condition) {
  if (holds(tt, condition, 3, 0)) return true;
  uint32_t patience = tt->patience;
  tt->patience = PATIENCE;
  bool good = holds(tt, term_rebuild(tt, condition), 3, 0);
  tt->patience = patience;
  return good;
}

bool equal_prove_false(TermTable *tt, Term condition) {
  if (term_prove_true(tt, term_not(tt, condition))) return true;
  uint32_t n = term_kind(tt, condition) == TERM_AND ? term_count(tt, condition) : 0;
  for (uint32_t i = 0; i < n; i++)
    if (equal_prove_true(tt, term_not(tt, term_arg(tt, condition, i)))) return true;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t facts = tt->facts.count;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) equal_push(tt, term_arg(tt, condition, k));
    bool good = equal_prove_true(tt, term_not(tt, term_arg(tt, condition, i)));
    term_pop_facts(tt, facts);
    if (good) return true;
  }
  return false;
}
