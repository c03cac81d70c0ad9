/* Folds over an index that only one value of passes the guard:
 *
 *   op[lo <= k < hi, g(k)](f(k)) = where(lo <= K < hi and g(K), f(K), identity)      where g(k) implies k = K
 *
 * K is found by comparing monomials: a comparison of the guard that has c*k*m beside -c*x*m, for a symbol x, holds at
 * x if anywhere, as in k*m <= i*m + j < k*m + m with 0 <= j < m; or an equation c*k + r = 0; or K + 1 is a bound, as in
 * k < x // m + 1 with x < k*m + m; or k is the row of a place, k*m <= x < k*m + m. That no other k passes is then asked
 * of the ranges, never assumed. Where a block of indices passes, k // s = q, the fold goes over that alone. */
#include "laws/one_point.h"

#include "laws/row.h"
#include "term/cons.h"

enum { MOST_PROPOSED = 3, MOST_PARTS = 16 };

/* The coefficient c and the factor m of the monomial c*k*m of k in a sum; false: k occurs otherwise, or not at all. */
static bool factor_of(TermTable *tt, Term monomial, Term k, Term *factor) {
  if (monomial == k) {
    *factor = tt->one;
    return true;
  }
  if (term_kind(tt, monomial) != TERM_MUL) return false;
  *factor = tt->one;
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, monomial); i += 2) {
    Term base = term_arg(tt, monomial, i);
    Rational power = term_rat(tt, term_arg(tt, monomial, i + 1));
    if (base == k && power.num == 1 && power.den == 1) {
      found = true;
      continue;
    }
    if (term_has_symbol(tt, base, k)) return false;
    *factor = term_mul(tt, *factor, term_power(tt, base, power));
  }
  return found;
}

/* x of a monomial x*m for a symbol x; 0: it has none. */
static Term symbol_beside(TermTable *tt, Term monomial, Term factor) {
  if (factor == tt->one) return term_kind(tt, monomial) == TERM_SYM ? monomial : 0;
  if (term_kind(tt, monomial) != TERM_MUL) return 0;
  for (uint32_t i = 0; i < term_count(tt, monomial); i += 2) {
    Term base = term_arg(tt, monomial, i);
    if (term_kind(tt, base) == TERM_SYM && term_mul(tt, base, factor) == monomial) return base;
  }
  return 0;
}

/* k of an equation c*k + r = 0 for an integer c: the only k for which it may hold. 0: it is no such equation. */
static Term root_of(TermTable *tt, Term sum, Term k) {
  if (term_kind(tt, sum) != TERM_ADD) return sum == k ? tt->zero : 0;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Rational c = term_rat(tt, term_arg(tt, sum, i));
    if (term_arg(tt, sum, i + 1) != k || c.den != 1) continue;
    Term rest = term_sub(tt, sum, term_scale(tt, c, k));
    if (term_has_symbol(tt, rest, k) || term_sort(tt, rest) != SORT_INT) return 0;
    Rational sign = rational_int(c.num > 0 ? -1 : 1), size = {c.num > 0 ? c.num : -c.num, 1};
    return term_floordiv(tt, term_scale(tt, sign, rest), term_new_rat(tt, size));
  }
  return 0;
}

static Term candidate_in(TermTable *tt, Term sum, Term k) {
  if (term_kind(tt, sum) != TERM_ADD) return 0;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term factor;
    Rational c = term_rat(tt, term_arg(tt, sum, i));
    if (!factor_of(tt, term_arg(tt, sum, i + 1), k, &factor)) continue;
    for (uint32_t j = 1; j < term_count(tt, sum); j += 2) {
      Rational d = term_rat(tt, term_arg(tt, sum, j));
      Term x = j != i && d.num == -c.num && d.den == c.den ? symbol_beside(tt, term_arg(tt, sum, j + 1), factor) : 0;
      if (x && x != k) return x;
    }
  }
  return 0;
}

Term one_point_root(TermTable *tt, Term condition, Term k) {
  if (term_kind(tt, condition) == TERM_OR) { /* one for all */
    Term root = one_point_root(tt, term_arg(tt, condition, 0), k);
    for (uint32_t i = 1; i < term_count(tt, condition) && root; i++)
      if (one_point_root(tt, term_arg(tt, condition, i), k) != root) root = 0;
    return root;
  }
  bool several = term_kind(tt, condition) == TERM_AND;
  for (uint32_t i = 0; i < (several ? term_count(tt, condition) : 1); i++) {
    Term part = several ? term_arg(tt, condition, i) : condition;
    bool is_equation = term_kind(tt, part) == TERM_EQ && term_count(tt, part) == 1;
    Term root = is_equation ? root_of(tt, term_arg(tt, part, 0), k) : 0;
    if (root) return root;
  }
  return 0;
}

/* The one of that number of those that comparisons of the guard propose; 0: there are fewer, whose number is taken
 * away. */
static Term proposed_by(TermTable *tt, Term guard, Term k, bool equations, uint32_t *number) {
  TermKind kind = term_kind(tt, guard);
  for (uint32_t i = 0; (kind == TERM_AND || kind == TERM_OR) && i < term_count(tt, guard); i++) {
    Term found = proposed_by(tt, term_arg(tt, guard, i), k, equations, number);
    if (found) return found;
  }
  if (term_count(tt, guard) != 1 || !(kind == TERM_EQ || (kind == TERM_LE && !equations))) return 0;
  Term sum = term_arg(tt, guard, 0), found = equations ? root_of(tt, sum, k) : candidate_in(tt, sum, k);
  return found && (*number)-- == 0 ? found : 0;
}

/* Symbols before other terms. */
static Term proposed(TermTable *tt, Term guard, Term k, uint32_t number) {
  Term symbol = proposed_by(tt, guard, k, false, &number);
  return symbol ? symbol : proposed_by(tt, guard, k, true, &number);
}

Term one_point_of(TermTable *tt, Term guard, Term k) { return proposed(tt, guard, k, 0); }

/* What walks (program ids, lanes, counters, indices), and the number of the row or tile in which it is. */
static bool may_be_witness(TermTable *tt, Term t) {
  if (term_sort(tt, t) != SORT_INT || term_node(tt, t)->free_mask >> 48) return false; /* below a fold: its index */
  if (term_kind(tt, t) == TERM_FLOORDIV) return true;
  if (term_kind(tt, t) != TERM_SYM) return false;
  SymbolRole role = term_symbol(tt, t)->role;
  return role == SYMBOL_PID || role == SYMBOL_COUNTER || role == SYMBOL_INDEX || role == SYMBOL_LANE;
}

/* True if e mod s is not 0 for a symbol s, as in n*a + i - j where 0 < i - j < n: e is not 0 either. */
static bool is_no_multiple(TermTable *tt, Term e) {
  TermList symbols = {0};
  term_symbols(tt, e, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    Term s = symbols.data[i];
    if (term_sort(tt, s) != SORT_INT || term_symbol(tt, s)->role != SYMBOL_SIZE) continue;
    if (term_prove_lt(tt, tt->zero, term_sub(tt, e, term_mul(tt, s, term_floordiv(tt, e, s))))) return true;
  }
  return false;
}

static bool is_false(TermTable *tt, Term condition) {
  TermKind kind = term_kind(tt, condition);
  if (kind == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, condition); i++)
      if (!is_false(tt, term_arg(tt, condition, i))) return false;
    return true;
  }
  if (kind == TERM_AND) { /* each where those before it hold */
    uint32_t facts = tt->facts.count, i = 0;
    for (; i < term_count(tt, condition) && !is_false(tt, term_arg(tt, condition, i)); i++)
      term_push_fact(tt, term_arg(tt, condition, i));
    term_pop_facts(tt, facts);
    return i < term_count(tt, condition);
  }
  bool equation =
      kind == TERM_EQ && term_count(tt, condition) == 1 && term_sort(tt, term_arg(tt, condition, 0)) == SORT_INT;
  if (!equation) return term_prove_true(tt, term_not(tt, condition));
  Term e = term_arg(tt, condition, 0);
  return term_prove_lt(tt, e, tt->zero) || term_prove_lt(tt, tt->zero, e) || is_no_multiple(tt, e);
}

/* True if the guard is false wherever the fact holds, or the fact itself is. */
static bool excludes(TermTable *tt, Term fact, Term guard) {
  if (term_prove_true(tt, term_not(tt, fact))) return true;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, fact);
  bool out = is_false(tt, guard) || is_false(tt, term_rebuild(tt, guard)); /* quotients may be known there */
  term_pop_facts(tt, facts);
  return out;
}

static bool identity_of(TermTable *tt, TermFoldOp op, Term *identity) {
  switch (op) {
  case FOLD_SUM: *identity = tt->zero; return true;
  case FOLD_PROD: *identity = tt->one; return true;
  case FOLD_MAX: *identity = tt->neg_inf; return true;
  case FOLD_MIN: *identity = tt->inf; return true;
  case FOLD_ANY: *identity = tt->false_; return true;
  case FOLD_ALL: *identity = tt->true_; return true;
  case FOLD_XOR: *identity = tt->zero; return true;
  case FOLD_ARGMAX:
  case FOLD_ARGMIN:
  case FOLD_OP_COUNT: return false;
  }
  return false;
}

/* op[k](op[j, g(k) and h(j, k)](f)) = op[k, g(k)](op[j, h(j, k)](f)) */
static Term pull_guard(TermTable *tt, TermFoldOp op, Term body, Term *guard) {
  if (term_kind(tt, body) != TERM_FOLD || (TermFoldOp)term_aux(tt, body) != op) return body;
  FoldParts inner = term_fold_open(tt, body);
  Term inside = pull_guard(tt, op, inner.body, &inner.guard);
  bool several = term_kind(tt, inner.guard) == TERM_AND;
  Term kept = tt->true_, pulled = tt->true_;
  for (uint32_t i = 0, n = several ? term_count(tt, inner.guard) : 1; i < n; i++) {
    Term part = several ? term_arg(tt, inner.guard, i) : inner.guard;
    Term *to = term_has_symbol(tt, part, inner.symbol) ? &kept : &pulled;
    *to = term_and(tt, *to, part);
  }
  if (pulled == tt->true_ && inside == inner.body) return body;
  *guard = term_and(tt, *guard, pulled);
  return term_fold(tt, op, inner.symbol, inner.lo, inner.hi, kept, inside);
}

/* Where an element of the fold is not its identity: for folds within, at any index. */
static Term guard_within(TermTable *tt, TermFoldOp op, Term identity, Term body) {
  if (term_kind(tt, body) == TERM_FOLD && (TermFoldOp)term_aux(tt, body) == op) {
    FoldParts inner = term_fold_open(tt, body);
    return term_and(tt, inner.guard, guard_within(tt, op, identity, inner.body));
  }
  if (op == FOLD_ANY) return body;
  if (op == FOLD_ALL) return term_not(tt, body);
  if (term_kind(tt, body) != TERM_SELECT) return term_bool(tt, body != identity);
  Term c = term_arg(tt, body, 0), yes = guard_within(tt, op, identity, term_arg(tt, body, 1)),
       no = guard_within(tt, op, identity, term_arg(tt, body, 2));
  return term_or(tt, term_and(tt, c, yes), term_and(tt, term_not(tt, c), no));
}

/* True if the symbols of a are all symbols of t: no index of a fold within t is. */
static bool occurs_in(TermTable *tt, Term a, Term t) {
  TermList symbols = {0};
  bool all = true;
  term_symbols(tt, a, &symbols);
  for (uint32_t i = 0; i < symbols.count && all; i++) all = term_has_symbol(tt, t, symbols.data[i]);
  return all;
}

/* True if no k but `at` passes, or lies within the bounds. */
static bool is_only(TermTable *tt, const FoldParts *p, Term guard, Term at) {
  Term k = p->symbol;
  if (!at || term_has_symbol(tt, at, k) || !excludes(tt, term_lt(tt, k, at), guard)) return false;
  return term_prove_le(tt, p->hi, term_add(tt, at, tt->one)) || excludes(tt, term_lt(tt, at, k), guard);
}

/* The row of a place, of which there is one (row.h); 0: the guard says of no place that it lies in row k. */
static Term row_as_only(TermTable *tt, Term guard, Term k) {
  uint32_t n = term_conjunct_count(tt, guard);
  LawRow row;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      bool is_row = i != j && law_row(tt, term_conjunct(tt, guard, i), term_conjunct(tt, guard, j), k, &row) &&
                    term_prove_le(tt, row.width, row.length) &&
                    (term_prove_lt(tt, tt->zero, row.length) || term_prove_lt(tt, tt->zero, row.width));
      if (is_row) return term_floordiv(tt, row.place, row.length);
    }
  return 0;
}

/* K of a bound K + 1, or of the smallest of several, where only that k passes; 0: there is none. */
static Term last_as_only(TermTable *tt, const FoldParts *p, Term guard) {
  bool several = term_kind(tt, p->hi) == TERM_MIN;
  for (uint32_t i = 0; i < (several ? term_count(tt, p->hi) : 1); i++) {
    Term at = term_sub(tt, several ? term_arg(tt, p->hi, i) : p->hi, tt->one);
    if (term_kind(tt, at) == TERM_FLOORDIV && is_only(tt, p, guard, at)) return at;
  }
  return 0;
}

/* r <= min(a, b) as r <= a and r <= b. */
static Term without_minimum(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1) return condition;
  Term sum = term_arg(tt, condition, 0);
  if (term_kind(tt, sum) != TERM_ADD) return condition;
  for (uint32_t i = 1; i < term_count(tt, sum); i += 2) {
    Term least = term_arg(tt, sum, i + 1), all = tt->true_;
    Rational c = term_rat(tt, term_arg(tt, sum, i));
    if (term_kind(tt, least) != TERM_MIN || c.num >= 0) continue;
    for (uint32_t k = 0; k < term_count(tt, least); k++) {
      Term own = term_add(tt, term_sub(tt, sum, term_scale(tt, c, least)), term_scale(tt, c, term_arg(tt, least, k)));
      all = term_and(tt, all, without_minimum(tt, term_le(tt, own, tt->zero)));
    }
    return all;
  }
  return condition;
}

/* The conjunction without the parts that follow from the others. */
static Term without_implied(TermTable *tt, Term conjunction) {
  bool several = term_kind(tt, conjunction) == TERM_AND, implied[MOST_PARTS] = {false};
  uint32_t count = several ? term_count(tt, conjunction) : 1, facts = tt->facts.count;
  Term kept = tt->true_;
  if (!several || count > MOST_PARTS) return conjunction;
  for (uint32_t i = count; i-- > 0;) {
    for (uint32_t k = 0; k < count; k++)
      if (k != i && !implied[k]) term_push_fact(tt, term_arg(tt, conjunction, k));
    implied[i] = term_prove_true(tt, term_arg(tt, conjunction, i));
    term_pop_facts(tt, facts);
    if (!implied[i]) kept = term_and(tt, kept, term_arg(tt, conjunction, i));
  }
  return kept;
}

static Term simpler(TermTable *tt, Term condition) {
  bool several = term_kind(tt, condition) == TERM_AND;
  Term all = tt->true_;
  for (uint32_t i = 0; i < (several ? term_count(tt, condition) : 1); i++)
    all = term_and(tt, all, without_minimum(tt, several ? term_arg(tt, condition, i) : condition));
  return without_implied(tt, all);
}

/* op[lo <= k < hi, (k + r) // s = q and g(k)](f(k)), for s > 0, goes over the s indices k = s*q - r + j that there are:
 * op[j < s, lo <= k < hi and g(k)](f(k)). The fold itself where the guard names no such block. */
static Term over_block(TermTable *tt, Term t, const FoldParts *p) {
  for (uint32_t i = 0, n = term_conjunct_count(tt, p->guard); i < n; i++) {
    Term c = term_conjunct(tt, p->guard, i);
    bool equates = term_kind(tt, c) == TERM_EQ && term_count(tt, c) == 1 && term_has_symbol(tt, c, p->symbol);
    Term e = equates ? term_arg(tt, c, 0) : 0;
    bool several = e && term_kind(tt, e) == TERM_ADD;
    for (uint32_t m = several; e && m < (several ? term_count(tt, e) : 1); m += 2) {
      Term floor = several ? term_arg(tt, e, m + 1) : e, sign = several ? term_arg(tt, e, m) : tt->one;
      if (term_kind(tt, floor) != TERM_FLOORDIV || (sign != tt->one && sign != tt->minus_one)) continue;
      Term q = term_mul(tt, sign, term_sub(tt, term_mul(tt, sign, floor), e)), s = term_arg(tt, floor, 1);
      Term r = term_sub(tt, term_arg(tt, floor, 0), p->symbol);
      if (term_has_symbol(tt, q, p->symbol) || term_has_symbol(tt, s, p->symbol) || term_has_symbol(tt, r, p->symbol) ||
          !term_prove_lt(tt, tt->zero, s))
        continue;
      Term j =
          term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, s, tt->one));
      Term k = term_add(tt, term_sub(tt, term_mul(tt, s, q), r), j), guard = tt->true_;
      Term ends[] = {term_le(tt, p->lo, k), term_lt(tt, k, p->hi)};
      for (uint32_t end = 0; end < 2; end++)
        if (!term_prove_true(tt, ends[end])) guard = term_and(tt, guard, ends[end]);
      guard = term_and(tt, guard, term_replace(tt, p->guard, p->symbol, k));
      return term_fold(tt, p->op, j, tt->zero, s, guard, term_replace(tt, p->body, p->symbol, k));
    }
  }
  return t;
}

Term law_one_point(TermTable *tt, Term t, void *unused) {
  (void)unused;
  Term identity;
  if (term_kind(tt, t) != TERM_FOLD || !identity_of(tt, (TermFoldOp)term_aux(tt, t), &identity)) return t;
  FoldParts p = term_fold_open(tt, t);
  Term guard = p.guard, body = p.body, k = p.symbol;
  bool nested = term_kind(tt, body) == TERM_FOLD && (TermFoldOp)term_aux(tt, body) == p.op;
  Term passed = term_and(tt, guard, guard_within(tt, p.op, identity, body)), at = 0;
  if (!nested) guard = passed;
  if (p.op == FOLD_ANY && !nested) body = tt->true_; /* any of what passes */
  if (p.op == FOLD_ALL && !nested) body = tt->false_;
  body = pull_guard(tt, p.op, body, &guard);
  for (uint32_t i = 0; i < MOST_PROPOSED && !at; i++) {
    Term x = proposed(tt, passed, k, i);
    if (!x) break;
    if (occurs_in(tt, x, t) && is_only(tt, &p, passed, x)) at = x;
  }
  if (!at && passed != tt->true_) at = last_as_only(tt, &p, passed);
  if (!at && (at = row_as_only(tt, passed, k)) && !occurs_in(tt, at, t)) at = 0;
  if (!at) return over_block(tt, t, &p);
  Term in = term_and(tt, term_le(tt, p.lo, at), term_lt(tt, at, p.hi));
  in = term_and(tt, in, term_replace(tt, guard, k, at));
  in = term_prove_true(tt, in) ? tt->true_ : simpler(tt, in);
  Term there = term_replace(tt, body, k, at);
  if (nested) there = term_transform(tt, there, law_one_point, NULL); /* where one index is known, others may be */
  return term_select(tt, in, there, identity);
}

/* ---- witnesses ---- */

/* They are collected before one is tried: inside a fold its guard is a fact, which it is not of the fold. */
static void collect_witnesses(TermTable *tt, Term t, TermList *out) {
  if (tt->marks.data[t] == tt->epoch) return;
  tt->marks.data[t] = tt->epoch;
  if (may_be_witness(tt, t)) array_push(tt->arena, out, t);
  for (uint32_t i = 0; i < term_count(tt, t); i++) collect_witnesses(tt, term_arg(tt, t, i), out);
}

Term law_any_witness(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) != FOLD_ANY) return t;
  FoldParts fold = term_fold_open(tt, t);
  Term condition = term_and(tt, fold.guard, fold.body);
  TermList witnesses = {0};
  term_marks_begin(tt);
  collect_witnesses(tt, condition, &witnesses);
  for (uint32_t i = 0; i < witnesses.count; i++) {
    Term w = witnesses.data[i];
    if (term_has_symbol(tt, w, fold.symbol)) continue;
    Term in = term_and(tt, term_le(tt, fold.lo, w), term_lt(tt, w, fold.hi));
    Term there = term_replace(tt, condition, fold.symbol, w);
    if (term_node(tt, there)->flags & TERM_HAS_FOLD)
      there = term_transform(tt, there, law_any_witness, NULL); /* of two */
    if (term_prove_true(tt, term_and(tt, in, there))) return tt->true_;
  }
  return t;
}
