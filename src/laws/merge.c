/* Laws of folds over ranges: joining a fold with its next element, and two nested folds over tiles into one.
 *
 *   op[j < t](f(j)) op f(t)                     = op[j < t+1](f(j))
 *   a(t) * sum[j < t](x(j) * prod[j < u < t](a(u))) + x(t) = sum[j < t+1](x(j) * prod[j < u < t+1](a(u)))
 *   op[t < T](op[l < B](f(B*t + l)))            = op[k < B*T](f(k))
 *   op[l < B](op[t < T](f(B*t + l)))            = op[k < B*T](f(k))
 *   op[t < T](op[l < B](f(t, B*t + l)))         = op[k < B*T](f(k // B, k))                  where that is asked for
 *   op[t](op[l, g(t) and h](f))                 = op[t, g(t)](op[l, h](f))
 *   op[t, g(t)](op[l < h(t)](f))                = op[t](op[l < h(t)](f)), where h(t) <= 0 unless g(t)
 *   op[t](op[a](op[l](f)))                      = op[t](op[l](op[a](f)))
 *   op[a](op[b](f))                             = op[b](op[a](f)), whichever comes first
 *   op[a <= j < b](op[lo <= k < h(j)](f(k)))    = op[lo <= k < h(b - 1)](f(k)), where h grows with j and op is max,
 * min, any or all op[l < n](f(-l))                            = op[l < n](f(l - n + 1)), where all that is read is read
 * downwards; where some is, if that is shorter
 *
 * The tail masks of tiles are bounds such as min(B, n - B*t) or (n - 1 - l) // B + 1; each must become a bound of k
 * alone. */
#include "laws/laws.h"
#include "term/cons.h"

/* ---- one more element ---- */

/* 0: there is none, or the range may end before it begins: then it is empty with one more element, too. */
static Term next_element(TermTable *tt, Term fold) {
  FoldParts p = term_fold_open(tt, fold);
  Term identity = term_fold_identity(tt, p.op, term_sort(tt, p.body));
  if (!identity || !term_prove_le(tt, p.lo, p.hi)) return 0;
  return term_select(tt, term_replace(tt, p.guard, p.symbol, p.hi), term_replace(tt, p.body, p.symbol, p.hi), identity);
}

static Term extended(TermTable *tt, Term fold) {
  FoldParts p = term_fold_open(tt, fold);
  Term hi = term_add(tt, p.hi, tt->one);
  term_symbol_range(tt, p.symbol, p.lo, p.hi);
  return term_fold(tt, p.op, p.symbol, p.lo, hi, p.guard, p.body);
}

/* max(fold, f(hi), ...) = max(fold one longer, ...); likewise min. */
static Term extend_extremum(TermTable *tt, Term t) {
  bool is_max = term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    Term fold = term_arg(tt, t, i);
    if (term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != (is_max ? FOLD_MAX : FOLD_MIN)) continue;
    Term next = next_element(tt, fold), joined = !next ? 0 : is_max ? term_max(tt, t, next) : term_min(tt, t, next);
    if (joined != t) continue; /* the next element is not among the arguments */
    Term result = extended(tt, fold);
    bool taken = false; /* else another argument outdoes the next element, and would outdo the one after it too */
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      Term other = term_arg(tt, t, k);
      bool part = other == next;
      if (term_kind(tt, next) == term_kind(tt, t))
        for (uint32_t j = 0; j < term_count(tt, next); j++) part |= term_arg(tt, next, j) == other;
      taken |= k != i && part;
      if (k != i && !part) result = is_max ? term_max(tt, result, other) : term_min(tt, result, other);
    }
    if (taken) return result;
  }
  return t;
}

/* c*fold + c*f(hi) + ... = c*(fold one longer) + ... */
static Term extend_sum(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term fold = term_arg(tt, t, i + 1);
    if (term_kind(tt, fold) != TERM_FOLD || term_aux(tt, fold) != FOLD_SUM) continue;
    Rational c = term_rat(tt, term_arg(tt, t, i));
    Term next = next_element(tt, fold), without = next ? term_sub(tt, t, term_scale(tt, c, next)) : 0;
    if (!next) continue;
    if (term_kind(tt, without) != TERM_ADD && without != fold) continue; /* an infinite element: no sum is left */
    uint32_t had = term_count(tt, t), has = term_kind(tt, without) == TERM_ADD ? term_count(tt, without) : 1;
    if (has >= had || next == tt->zero) continue;
    return term_add(tt, term_sub(tt, without, term_scale(tt, c, fold)), term_scale(tt, c, extended(tt, fold)));
  }
  return t;
}

/* F = sum[j < t](x(j) * prod[j < u < t](a(u))), beside a factor a(t): F one longer, and *next = x(t). 0: F is no such
 * sum. */
static Term recurrence_longer(TermTable *tt, Term fold, Term factor, Term *next) {
  FoldParts p = term_fold_open(tt, fold);
  bool is_plain = p.op == FOLD_SUM && p.guard == tt->true_ && term_kind(tt, p.body) == TERM_MUL;
  if (!is_plain || !term_prove_le(tt, p.lo, p.hi)) return 0;
  for (uint32_t i = 0; i < term_count(tt, p.body); i += 2) {
    Term product = term_arg(tt, p.body, i);
    if (term_kind(tt, product) != TERM_FOLD || term_aux(tt, product) != FOLD_PROD ||
        term_arg(tt, p.body, i + 1) != tt->one)
      continue;
    FoldParts q = term_fold_open(tt, product);
    if (q.guard != tt->true_ || q.hi != p.hi || term_sub(tt, q.lo, p.symbol) != tt->one ||
        term_has_symbol(tt, q.body, p.symbol) || term_replace(tt, q.body, q.symbol, q.hi) != factor)
      continue;
    Term x = term_without_factor(tt, p.body, i), hi = term_add(tt, p.hi, tt->one);
    *next = term_replace(tt, x, p.symbol, p.hi);
    term_symbol_range(tt, p.symbol, p.lo, p.hi), term_symbol_range(tt, q.symbol, q.lo, p.hi);
    Term longer = term_fold(tt, FOLD_PROD, q.symbol, q.lo, hi, q.guard, q.body);
    return term_fold(tt, FOLD_SUM, p.symbol, p.lo, hi, p.guard, term_mul(tt, x, longer));
  }
  return 0;
}

/* c*a(t)*F + c*x(t) + ... = c*(F one longer) + ... */
Term term_extend_recurrences(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_ADD || !(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  uint32_t had = term_count(tt, t);
  for (uint32_t i = 1; i < had; i += 2) {
    Term product = term_arg(tt, t, i + 1), next = 0;
    for (uint32_t j = 0; term_kind(tt, product) == TERM_MUL && j < term_count(tt, product); j += 2) {
      Term fold = term_arg(tt, product, j);
      if (term_kind(tt, fold) != TERM_FOLD || term_arg(tt, product, j + 1) != tt->one) continue;
      Term longer = recurrence_longer(tt, fold, term_without_factor(tt, product, j), &next);
      Rational c = term_rat(tt, term_arg(tt, t, i));
      Term without = longer && next != tt->zero ? term_sub(tt, t, term_scale(tt, c, next)) : 0;
      uint32_t has = !without ? had : term_kind(tt, without) == TERM_ADD ? term_count(tt, without) : 1;
      if (has >= had || (term_kind(tt, without) != TERM_ADD && without != product)) continue;
      return term_add(tt, term_sub(tt, without, term_scale(tt, c, product)), term_scale(tt, c, longer));
    }
  }
  return t;
}

static Term below(TermTable *tt, Term x, Term h);

/* where(a < h, F op f(a), F) with F = op[j < min(a, h)](f(j)): one element longer, min(a + 1, h). */
static Term extend_select(TermTable *tt, Term t) {
  Term c = term_arg(tt, t, 0), x = term_arg(tt, t, 1), fold = term_arg(tt, t, 2);
  if (term_kind(tt, fold) != TERM_FOLD || term_kind(tt, term_fold_hi(tt, fold)) != TERM_MIN) return t;
  FoldParts p = term_fold_open(tt, fold);
  for (uint32_t i = 0; i < term_count(tt, p.hi); i++) {
    Term a = term_arg(tt, p.hi, i), longer = term_add(tt, a, tt->one),
         condition = term_replace(tt, p.guard, p.symbol, a);
    for (uint32_t k = 0; k < term_count(tt, p.hi); k++) {
      if (k == i) continue;
      condition = term_and(tt, condition, term_le(tt, below(tt, a, term_arg(tt, p.hi, k)), tt->zero));
      longer = term_min(tt, longer, term_arg(tt, p.hi, k));
    }
    if (condition != c || !term_prove_le(tt, p.lo, a)) continue;
    if (p.op != FOLD_SUM && p.op != FOLD_MAX && p.op != FOLD_MIN) return t;
    Term joined = term_fold_combine(tt, p.op, fold, term_replace(tt, p.body, p.symbol, a));
    if (joined != x) continue;
    term_symbol_range(tt, p.symbol, p.lo, term_sub(tt, longer, tt->one));
    return term_fold(tt, p.op, p.symbol, p.lo, longer, p.guard, p.body);
  }
  return t;
}

Term term_extend_folds(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (!(term_node(tt, t)->flags & TERM_HAS_FOLD)) return t;
  if (term_kind(tt, t) == TERM_MAX || term_kind(tt, t) == TERM_MIN) return extend_extremum(tt, t);
  if (term_kind(tt, t) == TERM_ADD) return extend_sum(tt, t);
  if (term_kind(tt, t) == TERM_SELECT) return extend_select(tt, t);
  return t;
}

/* lo <= x, each of the bounds by itself. */
static Term at_least(TermTable *tt, Term x, Term lo) {
  Term all = tt->true_;
  for (uint32_t i = 0; i < (term_kind(tt, lo) == TERM_MAX ? term_count(tt, lo) : 1); i++)
    all = term_and(tt, all, term_le(tt, term_kind(tt, lo) == TERM_MAX ? term_arg(tt, lo, i) : lo, x));
  return all;
}

/* op[j < t + 1](f(j)) = op[j < t](f(j)) op f(t), or op[j < t](f(j)) where t is not in the range. */
Term term_peel_folds(TermTable *tt, Term t, void *payload) {
  Term end = *(Term *)payload;
  if (term_kind(tt, t) == TERM_RECUR && term_arg(tt, t, 0) == end && term_prove_lt(tt, tt->zero, end))
    return term_recur_peel(tt, t);
  if (term_kind(tt, t) != TERM_FOLD || term_fold_hi(tt, t) != end) return t;
  FoldParts p = term_fold_open(tt, t);
  Term last = term_sub(tt, end, tt->one);
  bool reached = term_prove_le(tt, p.lo, last); /* else there may be no element at all */
  if (!reached && term_kind(tt, p.lo) != TERM_MAX) return t;
  term_symbol_narrow(tt, p.symbol, p.lo, term_sub(tt, last, tt->one));
  Term before = term_fold(tt, p.op, p.symbol, p.lo, last, p.guard, p.body);
  Term guard = term_replace(tt, p.guard, p.symbol, last), element = term_replace(tt, p.body, p.symbol, last);
  if (p.op == FOLD_ARGMAX || p.op == FOLD_ARGMIN) { /* the first of the best stays */
    if (p.guard != tt->true_ || !term_prove_lt(tt, p.lo, last)) return t;
    bool max = p.op == FOLD_ARGMAX;
    Term best = term_fold(tt, max ? FOLD_MAX : FOLD_MIN, p.symbol, p.lo, last, p.guard, p.body);
    return term_select(tt, max ? term_lt(tt, best, element) : term_lt(tt, element, best), last, before);
  }
  if (!reached) guard = term_and(tt, at_least(tt, last, p.lo), guard);
  if (p.op == FOLD_ANY) return term_or(tt, before, term_and(tt, guard, element));
  if (p.op == FOLD_ALL) return term_and(tt, before, term_or(tt, term_not(tt, guard), element));
  return term_select(tt, guard, term_fold_combine(tt, p.op, before, element), before);
}

/* ---- tiles ---- */

/* x < h as a condition: a floor division in h is multiplied out. */
static Term below(TermTable *tt, Term x, Term h) {
  Term c = term_new_rat(tt, term_constant_part(tt, h)), q = term_sub(tt, h, c);
  if (term_kind(tt, q) == TERM_FLOORDIV && term_prove_lt(tt, tt->zero, term_arg(tt, q, 1))) {
    /* x - c + 1 <= floor(a / b) iff b*(x - c + 1) <= a */
    Term left = term_mul(tt, term_arg(tt, q, 1), term_add(tt, term_sub(tt, x, c), tt->one));
    return term_sub(tt, left, term_arg(tt, q, 0));
  }
  return term_add(tt, term_sub(tt, x, h), tt->one);
}

typedef struct Tile {
  FoldParts outer, inner;
  bool by_quotients;
} Tile;

/* k = B*high + low with low in [0, B): `low` is replaced by k - B*high everywhere; `high` must disappear, or is k // B.
 * `bound[]` are the other conditions (terms <= 0) on the two. */
static Term join_tiles(TermTable *tt, const Tile *tile, Term high, Term low, Term size, Term high_lo, Term high_hi,
                       const Term *bounds, uint32_t bound_count) {
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  Term lo = term_mul(tt, size, high_lo), hi = term_mul(tt, size, high_hi);
  if (term_has_symbol(tt, high_lo, low) || term_has_symbol(tt, high_hi, low) || !term_prove_le(tt, tt->zero, size))
    return 0;
  term_symbol_range(tt, k, lo, term_sub(tt, hi, tt->one));
  Term by = term_sub(tt, k, term_mul(tt, size, high));
  Term body = term_replace(tt, tile->inner.body, low, by);
  if (term_has_symbol(tt, body, high) && term_sort(tt, body) == SORT_REAL) body = term_expand_all(tt, body);
  if (tile->by_quotients && term_is_rat(tt, size) && size != tt->zero)
    body = term_replace(tt, body, high, term_floordiv(tt, k, size));
  if (term_has_symbol(tt, body, high)) return 0;
  Term guard = term_replace(tt, term_and(tt, tile->outer.guard, tile->inner.guard), low, by);
  if (term_has_symbol(tt, guard, high)) return 0;
  for (uint32_t i = 0; i < bound_count; i++) {
    Term b = term_replace(tt, bounds[i], low, by);
    if (term_has_symbol(tt, b, high)) return 0;
    guard = term_and(tt, guard, term_le(tt, b, tt->zero));
  }
  return term_fold(tt, tile->inner.op, k, lo, hi, guard, body);
}

enum { MAX_BOUNDS = 12 };

/* The arguments of a min, or the term itself. */
static uint32_t minimum_parts(TermTable *tt, Term h, Term *parts) {
  if (term_kind(tt, h) != TERM_MIN) {
    parts[0] = h;
    return 1;
  }
  uint32_t n = term_count(tt, h);
  for (uint32_t i = 0; i < n && i < MAX_BOUNDS; i++) parts[i] = term_arg(tt, h, i);
  return n < MAX_BOUNDS ? n : 0;
}

/* Inner lanes [0, B) of outer tiles. */
static Term join_inner_lanes(TermTable *tt, const Tile *tile) {
  Term parts[MAX_BOUNDS], bounds[MAX_BOUNDS];
  uint32_t n = minimum_parts(tt, tile->inner.hi, parts);
  if (tile->inner.lo != tt->zero) return 0;
  for (uint32_t i = 0; i < n; i++) {
    if (term_has_symbol(tt, parts[i], tile->outer.symbol)) continue;
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) bounds[count++] = below(tt, tile->inner.symbol, parts[k]);
    Term joined = join_tiles(tt, tile, tile->outer.symbol, tile->inner.symbol, parts[i], tile->outer.lo, tile->outer.hi,
                             bounds, count);
    if (joined) return joined;
  }
  return 0;
}

/* Outer lanes [0, B) of inner tiles. */
static Term join_outer_lanes(TermTable *tt, const Tile *tile) {
  Term parts[MAX_BOUNDS], bounds[MAX_BOUNDS];
  uint32_t n = minimum_parts(tt, tile->inner.hi, parts);
  if (tile->outer.lo != tt->zero || term_has_symbol(tt, tile->inner.lo, tile->outer.symbol)) return 0;
  for (uint32_t i = 0; i < n; i++) {
    if (term_has_symbol(tt, parts[i], tile->outer.symbol)) continue;
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
      if (k != i) bounds[count++] = below(tt, tile->inner.symbol, parts[k]);
    return join_tiles(tt, tile, tile->inner.symbol, tile->outer.symbol, tile->outer.hi, tile->inner.lo, parts[i],
                      bounds, count);
  }
  /* every bound depends on the lane: (n - 1 - l) // B + 1 alone. The number of tiles is that of lane 0. */
  if (n == 1) {
    Term most = term_replace(tt, tile->inner.hi, tile->outer.symbol, tt->zero);
    bounds[0] = below(tt, tile->inner.symbol, tile->inner.hi);
    if (term_prove_le(tt, tile->inner.hi, most))
      return join_tiles(tt, tile, tile->inner.symbol, tile->outer.symbol, tile->outer.hi, tile->inner.lo, most, bounds,
                        1);
  }
  return 0;
}

/* Runs the outer index backwards. */
static Tile reversed(TermTable *tt, const Tile *tile) {
  Tile r = *tile;
  Term s = tile->outer.symbol,
       by = term_sub(tt, term_add(tt, tile->outer.lo, tile->outer.hi), term_add(tt, s, tt->one));
  r.outer.guard = term_replace(tt, r.outer.guard, s, by);
  r.inner.lo = term_replace(tt, r.inner.lo, s, by), r.inner.hi = term_replace(tt, r.inner.hi, s, by);
  r.inner.guard = term_replace(tt, r.inner.guard, s, by), r.inner.body = term_replace(tt, r.inner.body, s, by);
  return r;
}

/* op[t](op[l, g(t) and h](f)) = op[t, g(t)](op[l, h](f)): an empty fold is neutral. */
static Term hoist_guard(TermTable *tt, Term t, Tile *tile) {
  Term out = tt->true_, rest = tt->true_, guard = tile->inner.guard;
  uint32_t n = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_conjunct(tt, guard, i);
    if (part != tt->true_ && !term_has_symbol(tt, part, tile->inner.symbol))
      out = term_and(tt, out, part);
    else
      rest = term_and(tt, rest, part);
  }
  if (out == tt->true_) return t;
  Term inner =
      term_fold(tt, tile->inner.op, tile->inner.symbol, tile->inner.lo, tile->inner.hi, rest, tile->inner.body);
  return term_fold(tt, tile->outer.op, tile->outer.symbol, tile->outer.lo, tile->outer.hi,
                   term_and(tt, tile->outer.guard, out), inner);
}

/* From facts q <= r and x <= c*q of one quotient q, c > 0: x <= c*r. Among those from `first` on. */
static void join_facts(TermTable *tt, uint32_t first) {
  for (uint32_t i = first, n = tt->facts.count; i < n; i++)
    for (uint32_t k = first; k < n; k++) {
      Term bound = tt->facts.data[i], fact = tt->facts.data[k];
      if (i == k || term_kind(tt, bound) != TERM_LE || term_kind(tt, fact) != TERM_LE || term_count(tt, bound) != 1 ||
          term_count(tt, fact) != 1)
        continue;
      Term t = term_arg(tt, bound, 0), r = term_new_rat(tt, rational_neg(term_constant_part(tt, t))),
           q = term_add(tt, t, r), x = term_arg(tt, fact, 0);
      if (term_kind(tt, q) != TERM_FLOORDIV || term_kind(tt, x) != TERM_ADD) continue;
      for (uint32_t j = 1; j < term_count(tt, x); j += 2) {
        Rational c = term_rat(tt, term_arg(tt, x, j));
        if (term_arg(tt, x, j + 1) == q && c.num < 0)
          term_push_fact(
              tt, term_le(tt, term_add(tt, term_sub(tt, x, term_scale(tt, c, q)), term_scale(tt, c, r)), tt->zero));
      }
    }
}

/* Parts of the outer guard that say no more than that the inner fold has elements: an empty one is neutral. */
static Term drop_guard(TermTable *tt, Term t, const Tile *tile) {
  Term guard = tile->outer.guard, rest = tt->true_;
  bool several = term_kind(tt, guard) == TERM_AND;
  for (uint32_t i = 0; i < (several ? term_count(tt, guard) : 1); i++) {
    Term part = several ? term_arg(tt, guard, i) : guard, not = term_not(tt, part);
    uint32_t facts = tt->facts.count;
    if (!(term_node(tt, part)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) && part != tt->true_) {
      for (uint32_t k = 0; k < (term_kind(tt, not ) == TERM_AND ? term_count(tt, not ) : 1); k++)
        term_push_fact(tt, term_kind(tt, not ) == TERM_AND ? term_arg(tt, not, k) : not );
      join_facts(tt, facts);
      bool empty = term_prove_le(tt, tile->inner.hi, tile->inner.lo);
      term_pop_facts(tt, facts);
      if (empty) continue;
    }
    rest = term_and(tt, rest, part);
  }
  return rest == guard ? t
                       : term_fold(tt, tile->outer.op, tile->outer.symbol, tile->outer.lo, tile->outer.hi, rest,
                                   tile->outer.body);
}

/* op[t](op[a](op[l](f))) as op[t](op[l](op[a](f))), for a range of l that does not depend on a: rows and columns of
 * tiles in two loops around. */
static bool exchange_inner(TermTable *tt, Tile *tile) {
  if (term_kind(tt, tile->inner.body) != TERM_FOLD || term_aux(tt, tile->inner.body) != tile->inner.op) return false;
  FoldParts last = term_fold_open(tt, tile->inner.body);
  if (term_has_symbol(tt, last.lo, tile->inner.symbol) || term_has_symbol(tt, last.hi, tile->inner.symbol))
    return false;
  Term guard = term_and(tt, tile->inner.guard, last.guard);
  last.body = term_fold(tt, last.op, tile->inner.symbol, tile->inner.lo, tile->inner.hi, guard, last.body);
  last.guard = tt->true_;
  tile->inner = last;
  return true;
}

/* Ranges that only grow, or only shrink, with the outer index: the largest of them holds all others, and taking an
 * element again changes nothing of a maximum. The best of a running maximum is such a fold. */
static Term largest_range(TermTable *tt, const Tile *tile) {
  TermFoldOp op = tile->inner.op;
  const FoldParts *o = &tile->outer, *n = &tile->inner;
  Term s = o->symbol, next = term_add(tt, s, tt->one);
  if ((op != FOLD_MAX && op != FOLD_MIN && op != FOLD_ANY && op != FOLD_ALL) || o->guard != tt->true_ ||
      term_has_symbol(tt, n->body, s) || term_has_symbol(tt, n->guard, s))
    return 0;
  if (!term_prove_lt(tt, o->lo, o->hi)) return 0;
  bool up = term_prove_le(tt, n->hi, term_replace(tt, n->hi, s, next)) &&
            term_prove_le(tt, term_replace(tt, n->lo, s, next), n->lo);
  bool down = !up && term_prove_le(tt, term_replace(tt, n->hi, s, next), n->hi) &&
              term_prove_le(tt, n->lo, term_replace(tt, n->lo, s, next));
  if (!up && !down) return 0;
  Term at = up ? term_sub(tt, o->hi, tt->one) : o->lo, lo = term_replace(tt, n->lo, s, at),
       hi = term_replace(tt, n->hi, s, at);
  Term k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
  return term_fold(tt, op, k, lo, hi, term_replace(tt, n->guard, n->symbol, k),
                   term_replace(tt, n->body, n->symbol, k));
}

enum { MAX_COPIES = 8 };

/* op[k < n](f(k) op f(k + n)) = op[k < 2*n](f(k)): lanes of an accumulator for each of several tiles. */
static Term join_copies(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  TermKind kind = op == FOLD_SUM ? TERM_ADD : op == FOLD_MAX ? TERM_MAX : op == FOLD_MIN ? TERM_MIN : TERM_NONE;
  if (kind == TERM_NONE || term_kind(tt, term_fold_body(tt, t)) != kind || term_fold_lo(tt, t) != tt->zero ||
      term_fold_guard(tt, t) != tt->true_)
    return t;
  int64_t lanes;
  if (!term_is_int(tt, term_fold_hi(tt, t), &lanes)) return t;
  FoldParts p = term_fold_open(tt, t);
  Term part[MAX_COPIES], half = 0, next = term_add(tt, p.symbol, p.hi);
  uint32_t n = 0, first = op == FOLD_SUM, step = op == FOLD_SUM ? 2 : 1;
  if (term_kind(tt, p.body) != kind || (op == FOLD_SUM && term_arg(tt, p.body, 0) != tt->zero)) return t;
  for (uint32_t i = first; i < term_count(tt, p.body); i += step) {
    Term x = op == FOLD_SUM ? term_scale(tt, term_rat(tt, term_arg(tt, p.body, i)), term_arg(tt, p.body, i + 1))
                            : term_arg(tt, p.body, i);
    if (n == MAX_COPIES || !term_has_symbol(tt, x, p.symbol)) return t;
    part[n++] = x;
  }
  bool used[MAX_COPIES] = {false};
  if (n % 2) return t;
  for (uint32_t i = 0; i < n; i++) {
    Term moved = term_replace(tt, part[i], p.symbol, next);
    for (uint32_t k = 0; k < n && !used[i]; k++) {
      if (k == i || used[k] || part[k] != moved) continue;
      used[i] = used[k] = true;
      half = !half            ? part[i]
             : op == FOLD_SUM ? term_add(tt, half, part[i])
             : op == FOLD_MAX ? term_max(tt, half, part[i])
                              : term_min(tt, half, part[i]);
    }
  }
  for (uint32_t i = 0; i < n; i++)
    if (!used[i]) return t;
  Term hi = term_scale(tt, rational_int(2), p.hi),
       k = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero,
                             term_sub(tt, hi, tt->one));
  return term_fold(tt, op, k, tt->zero, hi, tt->true_, term_replace(tt, half, p.symbol, k));
}

static Term merge_fold(TermTable *tt, Term t) {
  TermFoldOp op = (TermFoldOp)term_aux(tt, t);
  Term copies = join_copies(tt, t);
  if (copies != t) return copies;
  Term body = term_fold_body(tt, t);
  if (op == FOLD_SUM && term_kind(tt, body) != TERM_FOLD) return term_sum_lanes(tt, t);
  if (op > FOLD_ALL || term_kind(tt, body) != TERM_FOLD || term_aux(tt, body) != op) return t;
  Tile tile = {0};
  tile.outer = term_fold_open(tt, t);
  tile.inner = term_fold_open(tt, tile.outer.body);
  Term hoisted = hoist_guard(tt, t, &tile);
  if (hoisted != t) return hoisted;
  Term freed = tile.outer.guard == tt->true_ ? t : drop_guard(tt, t, &tile);
  if (freed != t) return freed;
  Term joined = largest_range(tt, &tile);
  if (!joined) joined = join_inner_lanes(tt, &tile);
  if (!joined) joined = join_outer_lanes(tt, &tile);
  if (!joined) {
    Tile back = reversed(tt, &tile);
    joined = join_inner_lanes(tt, &back);
  }
  if (!joined && exchange_inner(tt, &tile)) {
    joined = join_inner_lanes(tt, &tile);
    if (!joined) joined = join_outer_lanes(tt, &tile);
  }
  return joined ? joined : t;
}

/* By their ranges alone, whatever is folded; two of one range by the term that they make. */
static bool is_before(TermTable *tt, const FoldParts *a, const FoldParts *b, Term if_a, Term if_b) {
  int order = term_order(tt, a->lo, b->lo);
  if (!order) order = term_order(tt, a->hi, b->hi);
  if (!order) order = term_order(tt, if_a, if_b);
  return order < 0;
}

/* The folds within are in order, so the outer one moves inwards to its place among them. */
Term term_order_folds(TermTable *tt, Term t, void *unused) {
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) > FOLD_ALL || term_kind(tt, term_fold_body(tt, t)) != TERM_FOLD)
    return t;
  Tile tile = {0};
  tile.outer = term_fold_open(tt, t);
  if (term_kind(tt, tile.outer.body) != TERM_FOLD || term_aux(tt, tile.outer.body) != tile.outer.op) return t;
  tile.inner = term_fold_open(tt, tile.outer.body);
  Term outer = tile.outer.symbol;
  if (term_has_symbol(tt, tile.inner.lo, outer) || term_has_symbol(tt, tile.inner.hi, outer)) return t;
  Term body = term_fold(tt, tile.outer.op, outer, tile.outer.lo, tile.outer.hi,
                        term_and(tt, tile.outer.guard, tile.inner.guard), tile.inner.body);
  Term other = term_fold(tt, tile.inner.op, tile.inner.symbol, tile.inner.lo, tile.inner.hi, tt->true_, body);
  if (!is_before(tt, &tile.inner, &tile.outer, other, t)) return t;
  Term ordered = term_order_folds(tt, body, unused);
  return ordered == body
             ? other
             : term_fold(tt, tile.inner.op, tile.inner.symbol, tile.inner.lo, tile.inner.hi, tt->true_, ordered);
}

/* B*a + argmax[l < h](f(B*a + l)) with a = argmax[t < T](max[l < h](f(B*t + l))) = argmax[k](f(k)): the first of the
 * best. */
static Term merge_argument(TermTable *tt, Term t) {
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    for (uint32_t k = 1; k < term_count(tt, t); k += 2) {
      Term high = term_arg(tt, t, i + 1), low = term_arg(tt, t, k + 1), size = term_arg(tt, t, i);
      if (i == k || term_arg(tt, t, k) != tt->one || term_kind(tt, high) != TERM_FOLD ||
          term_kind(tt, low) != TERM_FOLD)
        continue;
      TermFoldOp op = (TermFoldOp)term_aux(tt, high);
      if ((op != FOLD_ARGMAX && op != FOLD_ARGMIN) || term_aux(tt, low) != op) continue;
      Tile tile = {0};
      tile.outer = term_fold_open(tt, high);
      Term inner = tile.outer.body;
      if (term_kind(tt, inner) != TERM_FOLD || term_aux(tt, inner) != (op == FOLD_ARGMAX ? FOLD_MAX : FOLD_MIN))
        continue;
      tile.inner = term_fold_open(tt, inner);
      Term as_arg =
          term_fold(tt, op, tile.inner.symbol, tile.inner.lo, tile.inner.hi, tile.inner.guard, tile.inner.body);
      if (term_replace(tt, as_arg, tile.outer.symbol, high) != low) continue;
      tile.inner = term_fold_open(tt, inner);
      tile.inner.op = op;
      Term joined = join_inner_lanes(tt, &tile), rest;
      if (!joined) continue;
      rest = term_sub(tt, term_sub(tt, t, low), term_mul(tt, size, high));
      return term_add(tt, rest, joined);
    }
  return t;
}

Term term_merge_tiles(TermTable *tt, Term t, void *unused) {
  (void)unused;
  Term normalised = term_normalise_flags(tt, t);
  if (normalised != t) return term_transform(tt, normalised, term_merge_tiles, NULL);
  if (term_kind(tt, t) == TERM_ADD && term_sort(tt, t) == SORT_INT && (term_node(tt, t)->flags & TERM_HAS_FOLD))
    return merge_argument(tt, t);
  if (term_kind(tt, t) == TERM_FOLD && term_sort(tt, t) == SORT_INT &&
      (term_aux(tt, t) == FOLD_MIN || term_aux(tt, t) == FOLD_MAX) && term_fold_guard(tt, t) != tt->true_)
    t = term_merge_places(tt, t);
  for (int i = 0; i < 6 && term_kind(tt, t) == TERM_FOLD; i++) {
    Term merged = merge_fold(tt, t);
    if (merged == t) break;
    t = merged;
  }
  return t;
}

Term term_merge_tiles_by_quotients(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) > FOLD_ALL || term_kind(tt, term_fold_body(tt, t)) != TERM_FOLD)
    return t;
  Tile tile = {.outer = term_fold_open(tt, t), .by_quotients = true};
  if (term_kind(tt, tile.outer.body) != TERM_FOLD || term_aux(tt, tile.outer.body) != tile.outer.op) return t;
  tile.inner = term_fold_open(tt, tile.outer.body);
  Term joined = join_inner_lanes(tt, &tile);
  return joined ? joined : t;
}

static bool has_leaf(const TermTable *tt, Term t, Term leaf) {
  if (t == leaf) return true;
  if (!(term_node(tt, t)->free_mask & term_node(tt, leaf)->free_mask)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_leaf(tt, term_arg(tt, t, i), leaf)) return true;
  return false;
}

enum { UP = 2, DOWN = 1, OTHERWISE = 4 };

/* The direction in which an index moves with the leaf. */
static uint32_t direction(const TermTable *tt, Term index, Term leaf) {
  bool sum = term_kind(tt, index) == TERM_ADD;
  uint32_t found = 0;
  for (uint32_t i = 1; i < (sum ? term_count(tt, index) : 2); i += 2) {
    Term part = sum ? term_arg(tt, index, i + 1) : index;
    if (!has_leaf(tt, part, leaf)) continue;
    uint32_t times = part == leaf;
    for (uint32_t k = 0; term_kind(tt, part) == TERM_MUL && k < term_count(tt, part); k += 2) {
      if (has_leaf(tt, term_arg(tt, part, k), leaf))
        times += term_arg(tt, part, k) == leaf && term_arg(tt, part, k + 1) == tt->one ? 1 : 2;
    }
    found |= times != 1 ? OTHERWISE : sum && term_rat(tt, term_arg(tt, index, i)).num < 0 ? DOWN : UP;
  }
  return found;
}

/* Those of all that is read. */
static uint32_t directions(const TermTable *tt, Term t, Term leaf, uint32_t depth) {
  uint32_t found = 0;
  if (!has_leaf(tt, t, leaf)) return 0;
  if (depth > 40) return OTHERWISE;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    found |= term_kind(tt, t) == TERM_READ ? direction(tt, term_arg(tt, t, i), leaf)
                                           : directions(tt, term_arg(tt, t, i), leaf, depth + 1);
  return found;
}

/* The fold the other way round, from 0 on. */
static Term turned(TermTable *tt, Term t) {
  FoldParts p = term_fold_open(tt, t);
  Term k = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), length = term_sub(tt, p.hi, p.lo),
       by = term_sub(tt, p.hi, term_add(tt, k, tt->one));
  term_symbol_range(tt, k, tt->zero, term_sub(tt, length, tt->one));
  return term_fold(tt, p.op, k, tt->zero, length, term_replace(tt, p.guard, p.symbol, by),
                   term_replace(tt, p.body, p.symbol, by));
}

/* Minima and maxima in t that are not marked yet. */
static uint32_t extrema_in(TermTable *tt, Term t) {
  if (tt->marks.data[t] == tt->epoch) return 0;
  tt->marks.data[t] = tt->epoch;
  uint32_t found = term_kind(tt, t) == TERM_MIN || term_kind(tt, t) == TERM_MAX;
  for (uint32_t i = 0; i < term_count(tt, t); i++) found += extrema_in(tt, term_arg(tt, t, i));
  return found;
}

static uint32_t count_extrema(TermTable *tt, Term t) {
  term_marks_begin(tt);
  return extrema_in(tt, t);
}

Term term_turn_folds(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) > FOLD_ALL) return t;
  Term body = term_fold_body(tt, t);
  uint32_t found = directions(tt, body, term_fold_bound(tt, t), 0);
  if (found == DOWN) return term_merge_tiles(tt, turned(tt, t), NULL);
  if (found != (UP | DOWN)) return t;
  /* one tensor upwards and one downwards, as a convolution has them: from the end that makes places shorter */
  Term other = term_transform(tt, turned(tt, t), term_spread_extrema, NULL);
  if (term_kind(tt, other) != TERM_FOLD) return t;
  uint32_t own = count_extrema(tt, body), there = count_extrema(tt, term_fold_body(tt, other));
  return there < own || (there == own && term_order(tt, other, t) < 0) ? other : t;
}
