/* Recurrences: carried values of a loop in closed form.
 *
 * The yielded terms are solved one after the other in order of dependency (coupling is triangular in practice):
 *   c' = c                       c(t) = c0
 *   c' = c + b(t)                c(t) = c0 + sum[j < t](b(j))                    counters, pointers, accumulators
 *   c' = max(c, d(t))            c(t) = max(c0, max[j < t](d(j)))                also min, and, or
 *   c' = max(c + a(t), b(t))     c(t) = max(c0 + sum[i < t](a(i)), max[j < t](b(j) + sum[j < i < t](a(i)))); also min
 *   c' = exp(E(t)) c + b(t)      c(t) = exp(-P(t)) (c0 exp(P(0)) + sum[j < t](b(j) exp(P(j+1)))),
 *                                E(t) = P(t) - P(t+1)
 *   c' = (E(t) < 0 ? exp(E(t)) : 1) c + b(t)   the same, of u - v = E as u - max(u, v)
 *   c' = h(t)/h(t+1) c + b(t)    c(t) = sum[j < t](b(j) h(j+1)) / h(t) for t > 0, where h(0) = 0 or c0 = 0
 *   c' = (g(t) ? 0 : c) + b(t)   c(t) = (any[j < t](g(j)) ? 0 : c0) + sum[j < t, all[j < i < t](not g(i))](b(j)),
 *                                segmented sums
 *   c' = log(a(t) exp(c) + b(t)) c(t) = log of the form below for exp(c)
 *   c' = a(t) c + b(t)           c(t) = c0 prod[i < t](a(i)) + sum[j < t](b(j) prod[j < i < t](a(i)))
 *   c' = c // d, d > 0           c(t) = c0 // prod[i < t](d)
 *   c' = g(t) ? wrap(c + b(t)) : c   c(t) = wrap(c0 + sum[j < t, g(j)](b(j))), if wrap(c0) = c0; mod m too
 *   c' = q(t) or c and p(t)      c(t) = c0 and all[i < t](p(i)) or any[j < t](q(j) and all[j < i < t](p(i)))
 *   c' = g(t) ? v(t) : c         the value of the last j < t with g(j), else c0
 *   c' = better(d(t), i(t)) ? i(t) : c   the least (greatest) i(j) of those j < t that have the best d(j), which is
 *                                carried too
 *   c' = v(t)                    t = 0 ? c0 : v(t - 1)
 *   a', b', ... = b, c, ..., a   the value that stood t % n places on
 *   c' = t = 0 ? x : f(t, c)     that of f, begun with 0, 1 or an infinity of which f makes x; at t = 0 it is c0
 *   c' = c xor d(t)              c(t) = c0 xor xor[j < t](d(j))
 *   c' = c | (g(t) ? m : 0)      c(t) = c0 | (any[j < t](g(j)) ? m : 0); likewise & by all
 *
 * The exponential case is online softmax: P is the running maximum, and the factor goes into the folds of b. Each
 * closed form is an equality by induction on t; the record of the loop lets the prover check it again. */
#include <string.h>

#include "execute/loops/additive.h"
#include "execute/loops/loop.h"
#include "laws/laws.h"

/* ---- substitution of closed forms ---- */

static Term put_closed(TermTable *tt, Term t, void *payload) {
  Loop *loop = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    bool now = term_arg(tt, t, 0) == c->symbol;
    if ((!now && term_arg(tt, t, 0) != c->following) || !c->closed) continue;
    Term at[TYPE_MAX_RANK],
        closed = now ? c->closed : term_replace(tt, c->closed, loop->t, term_add(tt, loop->t, tt->one));
    for (uint32_t k = 0; k < c->rank; k++) at[k] = term_arg(tt, t, k + 1);
    return c->rank ? term_substitute(tt, closed, (TermMap){c->rank, c->lanes, at}) : closed;
  }
  return t;
}

/* A value that uses what another one becomes in this step gets that one's closed form at t + 1 as it stands, and not
 * the step from its closed form at t, which may look different in the context of a fold. */
Term loop_with_closed(Loop *loop, Term t) {
  TermTable *tt = loop->tt;
  uint32_t order[MAX_CARRIED], n = 0;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    if (!c->closed || c->step == c->self || !loop_mentions(loop, c->step, i)) continue;
    uint32_t at = n++; /* a step that holds another one comes first */
    for (; at && term_node(tt, loop->carried[order[at - 1]].step)->depth < term_node(tt, c->step)->depth; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    Carried *c = &loop->carried[order[i]];
    if (!c->following) c->following = term_symbol_fresh(tt, "next", term_sort(tt, c->self), SYMBOL_CARRY);
    Term marker = term_read(tt, c->following, term_sort(tt, c->self), c->rank, c->lanes);
    t = term_substitute(tt, t, (TermMap){1, &c->step, &marker});
    if (c->made_again != c->step) t = term_substitute(tt, t, (TermMap){1, &c->made_again, &marker});
  }
  return term_transform(tt, t, put_closed, loop);
}

/* Folds joined with their next elements, and made again until nothing changes: what was built in different ways is one
 * term. */
static Term with_joined_folds(TermTable *tt, Term t) {
  for (int round = 0; round < 4; round++) {
    Term again = term_transform(tt, t, term_extend_folds, NULL);
    if (again == t) break;
    t = again;
  }
  return t;
}

/* ---- shapes of a step ---- */

/* y = a*c + b with a, b free of c. */
static bool linear_step(TermTable *tt, Term y, Term c, Term symbol, Term *a, Term *b) {
  *a = tt->zero, *b = y;
  if (y == c) {
    *a = tt->one, *b = tt->zero;
    return true;
  }
  if (!term_has_symbol(tt, y, symbol)) return true;
  Term a1, b1, a2, b2;
  TermKind kind = term_kind(tt, y);
  if (kind == TERM_ADD) {
    Term slope = tt->zero, rest = term_arg(tt, y, 0);
    for (uint32_t i = 1; i < term_count(tt, y); i += 2) {
      Rational k = term_rat(tt, term_arg(tt, y, i));
      if (!linear_step(tt, term_arg(tt, y, i + 1), c, symbol, &a1, &b1)) return false;
      slope = term_add(tt, slope, term_scale(tt, k, a1));
      rest = term_add(tt, rest, term_scale(tt, k, b1));
    }
    *a = slope, *b = rest;
    return true;
  }
  if (kind == TERM_MUL) {
    Term others = tt->one, factor = 0;
    for (uint32_t i = 0; i < term_count(tt, y); i += 2) {
      Term base = term_arg(tt, y, i);
      Rational e = term_rat(tt, term_arg(tt, y, i + 1));
      if (!term_has_symbol(tt, base, symbol))
        others = term_mul(tt, others, term_power(tt, base, e));
      else if (!factor && e.num == 1 && e.den == 1)
        factor = base;
      else
        return false;
    }
    if (!linear_step(tt, factor, c, symbol, &a1, &b1)) return false;
    *a = term_mul(tt, others, a1), *b = term_mul(tt, others, b1);
    return true;
  }
  if (kind == TERM_SELECT) {
    Term g = term_arg(tt, y, 0);
    if (term_has_symbol(tt, g, symbol) || !linear_step(tt, term_arg(tt, y, 1), c, symbol, &a1, &b1) ||
        !linear_step(tt, term_arg(tt, y, 2), c, symbol, &a2, &b2))
      return false;
    *a = term_select(tt, g, a1, a2), *b = term_select(tt, g, b1, b2);
    return true;
  }
  return false;
}

/* The arguments of an n-ary y other than c; 0 when c is not among them or another mentions it. */
static Term other_arguments(TermTable *tt, Term y, Term c, Term symbol) {
  Term rest = 0;
  bool found = false;
  for (uint32_t i = 0; i < term_count(tt, y); i++) {
    Term x = term_arg(tt, y, i);
    if (x == c)
      found = true;
    else if (term_has_symbol(tt, x, symbol))
      return 0;
    else if (!rest)
      rest = x;
    else
      rest = term_binary(tt, term_kind(tt, y), rest, x);
  }
  return found ? rest : 0;
}

static Term index_below(TermTable *tt, Term lo, Term hi) {
  return term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
}

/* y = max(c + a, b, ...) or min with a and b free of c; false: another form. */
static bool extremum_step(TermTable *tt, Term y, Term c, Term symbol, Term *a, Term *b) {
  bool max = term_kind(tt, y) == TERM_MAX;
  *a = *b = 0;
  for (uint32_t i = 0; i < term_count(tt, y); i++) {
    Term x = term_arg(tt, y, i), rest;
    if (!term_has_symbol(tt, x, symbol))
      *b = !*b ? x : max ? term_max(tt, *b, x) : term_min(tt, *b, x);
    else if (*a || term_has_symbol(tt, rest = term_sub(tt, x, c), symbol))
      return false;
    else
      *a = rest;
  }
  return *a && *b && term_is_finite(tt, *a);
}

/* op[j < hi](f(j)), f given over t. */
Term loop_fold_steps(Loop *loop, TermFoldOp op, Term f, Term hi, Term guard) {
  TermTable *tt = loop->tt;
  Term one = op == FOLD_SUM && guard == tt->true_ ? loop_sum_at_place(loop, f, hi) : 0;
  if (one) return one;
  Term j = index_below(tt, tt->zero, hi);
  return term_fold(tt, op, j, tt->zero, hi, term_replace(tt, guard, loop->t, j), term_replace(tt, f, loop->t, j));
}

/* Within the steps that run, the counter has its upper bound. */
static bool finite_in_range(Loop *loop, Term d) {
  TermTable *tt = loop->tt;
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
  bool finite = term_is_finite(tt, term_rebuild(tt, d));
  term_symbol_range(tt, loop->t, tt->zero, 0);
  return finite;
}

/* max distributes over the sums that are added behind. */
static Term solve_extremum(Loop *loop, TermFoldOp op, Term init, Term a, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t, j = index_below(tt, tt->zero, t), i = index_below(tt, term_add(tt, j, tt->one), t);
  Term since = term_fold(tt, FOLD_SUM, i, term_add(tt, j, tt->one), t, tt->true_, term_replace(tt, a, t, i));
  Term fold = term_fold(tt, op, j, tt->zero, t, tt->true_, term_add(tt, term_replace(tt, b, t, j), since));
  Term start = term_add(tt, init, loop_fold_steps(loop, FOLD_SUM, a, t, tt->true_));
  return op == FOLD_MAX ? term_max(tt, start, fold) : term_min(tt, start, fold);
}

/* ---- exponential recurrences ---- */

/* b * exp(x), with the factor moved into sums and joined with the exponentials there. */
static Term times_exp(TermTable *tt, Term b, Term x) {
  if (b == tt->zero || x == tt->zero) return b;
  TermKind kind = term_kind(tt, b);
  if (kind == TERM_FOLD) {
    if (term_aux(tt, b) == FOLD_SUM) {
      FoldParts p = term_fold_open(tt, b);
      return term_fold(tt, FOLD_SUM, p.symbol, p.lo, p.hi, p.guard, times_exp(tt, p.body, x));
    }
  } else if (kind == TERM_SELECT)
    return term_select(tt, term_arg(tt, b, 0), times_exp(tt, term_arg(tt, b, 1), x),
                       times_exp(tt, term_arg(tt, b, 2), x));
  else if (kind == TERM_ADD) {
    Term sum = times_exp(tt, term_arg(tt, b, 0), x);
    for (uint32_t i = 1; i < term_count(tt, b); i += 2)
      sum =
          term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, b, i)), times_exp(tt, term_arg(tt, b, i + 1), x)));
    return sum;
  } else if (kind == TERM_FN) {
    if (term_aux(tt, b) == FN_EXP)
      return term_fn1(tt, FN_EXP, term_flatten(tt, term_expand(tt, term_add(tt, term_arg(tt, b, 0), x))));
  } else if (kind == TERM_MUL) {
    Term rest = tt->one;
    bool joined = false;
    for (uint32_t i = 0; i < term_count(tt, b); i += 2) {
      Term base = term_arg(tt, b, i);
      Rational e = term_rat(tt, term_arg(tt, b, i + 1));
      bool plain = e.num == 1 && e.den == 1, is_exp = term_kind(tt, base) == TERM_FN && term_aux(tt, base) == FN_EXP;
      bool is_sum = term_kind(tt, base) == TERM_FOLD && term_aux(tt, base) == FOLD_SUM;
      if (!joined && plain && (is_exp || is_sum)) {
        rest = term_mul(tt, rest, times_exp(tt, base, x));
        joined = true;
      } else
        rest = term_mul(tt, rest, term_power(tt, base, e));
    }
    if (joined) return rest;
  }
  return term_mul(tt, b, term_fn1(tt, FN_EXP, x));
}

/* a = exp(E) times constants and selects without... : E, or 0. Of where(g, exp(E), 1) too, which leaves what it is of
 * as it is. */
static Term exponent_of(TermTable *tt, Term a) {
  if (term_kind(tt, a) == TERM_SELECT && term_arg(tt, a, 2) == tt->one)
    a = term_arg(tt, a, 1);
  else if (term_kind(tt, a) == TERM_SELECT && term_arg(tt, a, 1) == tt->one)
    a = term_arg(tt, a, 2);
  if (term_kind(tt, a) == TERM_FN && term_aux(tt, a) == FN_EXP) return term_arg(tt, a, 0);
  if (term_kind(tt, a) != TERM_MUL) return 0;
  Term sum = tt->zero;
  for (uint32_t i = 0; i < term_count(tt, a); i += 2) {
    Term base = term_arg(tt, a, i);
    if (term_kind(tt, base) != TERM_FN || term_aux(tt, base) != FN_EXP) return 0;
    sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, a, i + 1)), term_arg(tt, base, 0)));
  }
  return sum;
}

/* E(t) = P(t) - P(t+1) + rest: the summands of E whose image under t -> t+1 stands there with the opposite sign. */
static Term potential(Loop *loop, Term e, Term *rest) {
  TermTable *tt = loop->tt;
  Term p = tt->zero, next = term_add(tt, loop->t, tt->one), parts[64];
  uint32_t n = 0;
  if (term_kind(tt, e) != TERM_ADD)
    parts[n++] = e;
  else
    for (uint32_t i = 1; i < term_count(tt, e) && n < 64; i += 2)
      parts[n++] = term_scale(tt, term_rat(tt, term_arg(tt, e, i)), term_arg(tt, e, i + 1));
  for (uint32_t i = 0; i < n; i++) {
    Term image = term_neg(tt, with_joined_folds(tt, term_replace(tt, parts[i], loop->t, next)));
    for (uint32_t k = 0; k < n; k++)
      if (k != i && parts[k] == image) {
        p = term_add(tt, p, parts[i]);
        break;
      }
  }
  Term moved = with_joined_folds(tt, term_replace(tt, p, loop->t, next));
  *rest = term_add(tt, term_sub(tt, e, p), moved);
  return p;
}

static Term at_step(Loop *loop, Term f, Term t) {
  return with_joined_folds(loop->tt, term_replace(loop->tt, f, loop->t, t));
}

/* init exp(P(0) - P(t)) + sum: nothing has been multiplied before the first step, where P may be infinite. */
static Term with_start(Loop *loop, Term init, Term p, Term sum) {
  TermTable *tt = loop->tt;
  Term at_start = term_replace(tt, p, loop->t, tt->zero);
  if (init == tt->zero) return sum;
  Term start = times_exp(tt, init, term_sub(tt, at_start, p));
  if (term_node(tt, at_start)->flags & TERM_HAS_INF)
    start = term_select(tt, term_le(tt, loop->t, tt->zero), init, start);
  return term_add(tt, sum, start);
}

/* What is left of E beside its potential is summed over the steps. */
static Term solve_exponential(Loop *loop, Term init, Term e, Term b) {
  TermTable *tt = loop->tt;
  Term rest, p = potential(loop, e, &rest), t = loop->t, j = index_below(tt, tt->zero, t);
  if (rest != tt->zero && !finite_in_range(loop, rest)) return 0; /* no sum of differences of infinities */
  if (rest != tt->zero) p = term_sub(tt, p, loop_fold_steps(loop, FOLD_SUM, rest, t, tt->true_));
  Term shift = term_sub(tt, at_step(loop, p, term_add(tt, j, tt->one)), p);
  Term body = times_exp(tt, term_replace(tt, b, t, j), shift);
  return with_start(loop, init, p, term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, body));
}

/* a = where(E < 0, exp(E), 1), as a maximum that is kept by a branch rescales: E = u - v, and a = exp(u - max(u, v)),
 * whose potential P is the maximum. P(j+1) is P(j) - E(j) in the one arm of b, and P(j) in the other. */
static Term solve_branched_exponential(Loop *loop, Term init, Term a, Term b) {
  TermTable *tt = loop->tt;
  if (term_kind(tt, a) != TERM_SELECT) return 0;
  Term g = term_arg(tt, a, 0), t = loop->t, j = index_below(tt, tt->zero, t);
  bool turned = term_arg(tt, a, 1) == tt->one, compares = term_kind(tt, g) == TERM_LT || term_kind(tt, g) == TERM_LE;
  Term e = exponent_of(tt, a), below = compares ? term_arg(tt, g, 0) : 0;
  if (!e || !below || term_kind(tt, e) != TERM_ADD || (turned ? term_neg(tt, below) : below) != e) return 0;
  bool chooses = term_kind(tt, b) == TERM_SELECT && term_arg(tt, b, 0) == g;
  for (uint32_t i = 1; i < term_count(tt, e); i += 2) {
    Rational k = term_rat(tt, term_arg(tt, e, i));
    Term u = term_scale(tt, k, term_arg(tt, e, i + 1)), rest;
    if (k.num < 0) continue;
    Term p = potential(loop, with_joined_folds(tt, term_sub(tt, u, term_max(tt, u, term_sub(tt, u, e)))), &rest);
    if (rest != tt->zero) continue;
    Term kept = term_sub(tt, term_replace(tt, p, t, j), p), moved = term_sub(tt, kept, term_replace(tt, e, t, j));
    Term arm[2];
    for (int n = 0; n < 2; n++)
      arm[n] = times_exp(tt, term_replace(tt, chooses ? term_arg(tt, b, 1 + (uint32_t)n) : b, t, j),
                         (n == 0) == turned ? kept : moved);
    Term body = term_select(tt, term_replace(tt, g, t, j), arm[0], arm[1]);
    return with_start(loop, init, p, term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, body));
  }
  return 0;
}

/* ---- factors that telescope ---- */

/* 1 - 1/d = (d - 1)/d: a sum over one denominator as a product. */
static Term over_denominator(TermTable *tt, Term a) {
  Term d = 0, upper = tt->zero;
  if (term_kind(tt, a) != TERM_ADD) return a;
  for (uint32_t i = 1; i < term_count(tt, a) && !d; i += 2) {
    Term part = term_arg(tt, a, i + 1);
    for (uint32_t k = 0; term_kind(tt, part) == TERM_MUL && k < term_count(tt, part); k += 2)
      if (term_arg(tt, part, k + 1) == tt->minus_one) d = term_arg(tt, part, k);
  }
  if (!d) return a;
  for (uint32_t i = 0; i < term_count(tt, a); i += i ? 2 : 1) {
    Term whole = additive_cancel(tt, term_mul(tt, i ? term_arg(tt, a, i + 1) : term_arg(tt, a, 0), d), NULL);
    upper = term_add(tt, upper, i ? term_scale(tt, term_rat(tt, term_arg(tt, a, i)), whole) : whole);
  }
  return term_mul(tt, upper, term_power(tt, d, rational_int(-1)));
}

enum { MOST_FACTORS = 32 };

/* a = h(t) / h(t + 1) * rest: h, or 0 if no factor is the image of another. Exponentials are left to `potential`. */
static Term telescope(Loop *loop, Term a, Term *rest) {
  TermTable *tt = loop->tt;
  Term h = tt->one, next = term_add(tt, loop->t, tt->one);
  bool used[MOST_FACTORS] = {false};
  if (term_kind(tt, a) != TERM_MUL || term_count(tt, a) > 2 * MOST_FACTORS) return 0;
  for (uint32_t i = 0; i < term_count(tt, a); i += 2) {
    Term base = term_arg(tt, a, i);
    Rational e = term_rat(tt, term_arg(tt, a, i + 1));
    if (e.num <= 0 || exponent_of(tt, base) || !term_has_symbol(tt, base, loop->t)) continue;
    Term image = with_joined_folds(tt, term_replace(tt, base, loop->t, next));
    for (uint32_t k = 0; k < term_count(tt, a) && !used[i / 2]; k += 2) {
      if (used[k / 2] || with_joined_folds(tt, term_arg(tt, a, k)) != image ||
          !rational_equal(term_rat(tt, term_arg(tt, a, k + 1)), rational_neg(e)))
        continue;
      used[i / 2] = used[k / 2] = true;
      h = term_mul(tt, h, term_power(tt, base, e));
    }
  }
  *rest = tt->one;
  for (uint32_t i = 0; i < term_count(tt, a); i += 2)
    if (!used[i / 2])
      *rest = term_mul(tt, *rest, term_power(tt, term_arg(tt, a, i), term_rat(tt, term_arg(tt, a, i + 1))));
  return h == tt->one ? 0 : h;
}

static Term solve_linear(Loop *loop, Term init, Term a, Term b);

/* c h is summed without the factor, and divided by h at the end: what the body divides by in each step. Nothing is
 * divided before the first. */
static Term solve_telescoping(Loop *loop, Term init, Term h, Term rest, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t, after = with_joined_folds(tt, term_replace(tt, h, t, term_add(tt, t, tt->one)));
  Term whole = term_transform(tt, term_mul(tt, with_joined_folds(tt, b), after), additive_cancel, NULL); /* x / d * d */
  Term scaled = term_transform(tt, term_expand(tt, whole), additive_cancel, NULL);
  Term closed = solve_linear(loop, tt->zero, rest, scaled);
  if (!closed) return 0;
  closed = term_mul(tt, closed, term_power(tt, h, rational_int(-1)));
  return term_select(tt, term_le(tt, t, tt->zero), init, closed);
}

/* a = where(g, 0, 1): a sum that begins anew where g; 0: it is not. */
static Term restarted(TermTable *tt, Term a) {
  if (term_kind(tt, a) != TERM_SELECT) return 0;
  Term yes = term_arg(tt, a, 1), no = term_arg(tt, a, 2);
  if (yes == tt->zero && no == tt->one) return term_arg(tt, a, 0);
  return yes == tt->one && no == tt->zero ? term_not(tt, term_arg(tt, a, 0)) : 0;
}

static Term solve_restarted(Loop *loop, Term init, Term g, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t, kept = term_not(tt, g), j = index_below(tt, tt->zero, t),
       i = index_below(tt, term_add(tt, j, tt->one), t);
  Term since = term_fold(tt, FOLD_ALL, i, term_add(tt, j, tt->one), t, tt->true_, term_replace(tt, kept, t, i));
  Term start = term_select(tt, loop_fold_steps(loop, FOLD_ALL, kept, t, tt->true_), init, tt->zero);
  return term_add(tt, start, term_fold(tt, FOLD_SUM, j, tt->zero, t, since, term_replace(tt, b, t, j)));
}

/* A scan begins with its first element, which is b(-1) of c' = a c + b (a(-1) of c' = a c): sum[k < t + 1](b(k - 1)
 * prod[k < i < t + 1](a(i - 1))). 0: this one begins with something else. */
static Term solve_scanned(Loop *loop, Term init, Term a, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t, hi = term_add(tt, t, tt->one), k = index_below(tt, tt->zero, hi),
       i = index_below(tt, b == tt->zero ? tt->zero : term_add(tt, k, tt->one), hi);
  Term first = b == tt->zero ? a : b, factor = term_replace(tt, a, t, term_sub(tt, i, tt->one));
  if (term_replace(tt, first, t, tt->minus_one) != init) return 0;
  if (b == tt->zero) return term_fold(tt, FOLD_PROD, i, tt->zero, hi, tt->true_, factor);
  Term tail = term_fold(tt, FOLD_PROD, i, term_add(tt, k, tt->one), hi, tt->true_, factor);
  return term_fold(tt, FOLD_SUM, k, tt->zero, hi, tt->true_,
                   term_mul(tt, term_replace(tt, b, t, term_sub(tt, k, tt->one)), tail));
}

static Term solve_linear(Loop *loop, Term init, Term a, Term b) {
  TermTable *tt = loop->tt;
  Term t = loop->t, restart = restarted(tt, a);
  if (restart) return solve_restarted(loop, init, restart, b);
  if (a == tt->one && term_is_rat(tt, b))
    return term_add(tt, init, term_mul(tt, t, b)); /* else b may be an error where t is 0 */
  if (a == tt->one) return term_add(tt, init, loop_fold_steps(loop, FOLD_SUM, b, t, tt->true_));
  Term rest, over = over_denominator(tt, a), h = telescope(loop, over, &rest),
             at_start = h ? term_replace(tt, h, t, tt->zero) : 0;
  Term telescoped = h && (init == tt->zero || at_start == tt->zero) ? solve_telescoping(loop, init, h, rest, b) : 0;
  if (telescoped) return telescoped;
  Term e = exponent_of(tt, a), branched = solve_branched_exponential(loop, init, a, b);
  if (branched) return branched;
  Term exponential = e ? solve_exponential(loop, init, term_flatten(tt, term_expand(tt, e)), b) : 0;
  if (exponential) return exponential;
  if (loop->is_scan) {
    Term scanned = solve_scanned(loop, init, a, b);
    if (scanned) return scanned;
  }
  Term all = loop_fold_steps(loop, FOLD_PROD, a, t, tt->true_);
  Term result = term_mul(tt, init, all);
  if (b == tt->zero) return result;
  if (loop->may_recur && term_has_kind(tt, a, TERM_RECUR)) return 0; /* a step of a recurrence says it in fewer words */
  Term j = index_below(tt, tt->zero, t), i = index_below(tt, term_add(tt, j, tt->one), t);
  Term tail = term_fold(tt, FOLD_PROD, i, term_add(tt, j, tt->one), t, tt->true_, term_replace(tt, a, t, i));
  return term_add(tt, result,
                  term_fold(tt, FOLD_SUM, j, tt->zero, t, tt->true_, term_mul(tt, term_replace(tt, b, t, j), tail)));
}

/* ---- guarded replacement ---- */

/* g as a comparison of a fold, the best so far, with d: fold < d, or fold <= d (!strict); of a minimum the other way
 * round. */
typedef struct Better {
  Term fold, d;
  bool max, strict;
} Better;

static bool is_better(TermTable *tt, Term g, Better *out) {
  if (term_kind(tt, g) != TERM_LT && term_kind(tt, g) != TERM_LE) return false;
  Term low = term_arg(tt, g, 0), high = term_count(tt, g) == 2 ? term_arg(tt, g, 1) : 0;
  if (!high) { /* k*(x - y) < 0 */
    if (term_kind(tt, low) != TERM_ADD || term_count(tt, low) != 5 || term_arg(tt, low, 0) != tt->zero) return false;
    Rational k = term_rat(tt, term_arg(tt, low, 1)), l = term_rat(tt, term_arg(tt, low, 3));
    if (k.num != -l.num || k.den != l.den) return false;
    Term x = term_arg(tt, low, 2), y = term_arg(tt, low, 4);
    low = k.num > 0 ? x : y, high = k.num > 0 ? y : x;
  }
  out->strict = term_kind(tt, g) == TERM_LT;
  out->max = term_kind(tt, low) == TERM_FOLD && term_aux(tt, low) == FOLD_MAX;
  if (!out->max && (term_kind(tt, high) != TERM_FOLD || term_aux(tt, high) != FOLD_MIN)) return false;
  out->fold = out->max ? low : high, out->d = out->max ? high : low;
  return true;
}

/* The best so far is op[k < t + shift](d(k - shift)): with shift = 1 the loop began with the first of them. */
static Term best_of_shifted(Loop *loop, const Better *b, int shift) {
  TermTable *tt = loop->tt;
  Term by = term_int(tt, shift), hi = term_add(tt, loop->t, by), k = index_below(tt, tt->zero, hi);
  return term_fold(tt, b->max ? FOLD_MAX : FOLD_MIN, k, tt->zero, hi, tt->true_,
                   term_replace(tt, b->d, loop->t, term_sub(tt, k, by)));
}

/* The last j < t with g(j), g = (best so far < d), is where the first of the best stands, and with <= where the last
 * does; behind the first `shift` of them. `some`: there is one. 0: g is no such condition. */
static Term best_place(Loop *loop, Term g, int *shift, Term *some) {
  TermTable *tt = loop->tt;
  Better b = {0};
  Term rest = tt->true_; /* where(c, x, -inf) is better where c and x is */
  for (uint32_t i = 0, n = term_conjunct_count(tt, g); i < n; i++) {
    Term part = term_conjunct(tt, g, i);
    if (b.fold || !is_better(tt, part, &b)) rest = term_and(tt, rest, part);
  }
  if (!b.fold || term_sort(tt, b.d) == SORT_BOOL || !term_is_number(tt, b.d)) return 0;
  bool finite = finite_in_range(loop, b.d); /* then any that passes the masks is better than nothing */
  b.d = term_select(tt, rest, b.d, b.max ? tt->neg_inf : tt->inf);
  *some = term_lt(tt, tt->zero, loop->t);
  for (*shift = 0; *shift < 2; ++*shift) {
    if (best_of_shifted(loop, &b, *shift) != b.fold) continue;
    /* -inf is no better than nothing, and no worse than -inf */
    if (*shift ? rest != tt->true_ && !b.strict && !term_is_finite(tt, term_replace(tt, b.d, loop->t, tt->minus_one))
               : (b.strict || rest != tt->true_) && !finite_in_range(loop, b.d)) {
      if (*shift || !finite || rest == tt->true_) continue;
      *some = loop_fold_steps(loop, FOLD_ANY, rest, loop->t, tt->true_);
    }
    Term by = term_int(tt, *shift), hi = term_add(tt, loop->t, by), k = index_below(tt, tt->zero, hi),
         key = term_replace(tt, b.d, loop->t, term_sub(tt, k, by));
    if (b.strict) return term_fold(tt, b.max ? FOLD_ARGMAX : FOLD_ARGMIN, k, tt->zero, hi, tt->true_, key);
    return term_fold(tt, FOLD_MAX, k, tt->zero, hi, term_eq(tt, key, b.fold), k);
  }
  return 0;
}

/* The conjuncts in which the counter does not stand; `with`: the others. */
static Term without_counter(const Loop *loop, Term g, Term *with) {
  TermTable *tt = loop->tt;
  uint32_t n = term_conjunct_count(tt, g);
  Term without = *with = tt->true_;
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_conjunct(tt, g, i);
    if (term_has_symbol(tt, part, loop->t))
      *with = term_and(tt, *with, part);
    else
      without = term_and(tt, without, part);
  }
  return without;
}

/* The last of some steps, which is nowhere if there is none: where it is, if it is anywhere. */
static Term where_it_is(TermTable *tt, Term last) {
  if (term_kind(tt, last) != TERM_SELECT) return last;
  Term yes = where_it_is(tt, term_arg(tt, last, 1)), no = where_it_is(tt, term_arg(tt, last, 2));
  if (yes == tt->neg_inf) return no;
  return no == tt->neg_inf ? yes : term_select(tt, term_arg(tt, last, 0), yes, no);
}

static Term solve_replacement(Loop *loop, Term init, Term g, Term v) {
  TermTable *tt = loop->tt;
  int shift;
  Term t = loop->t, some, last = best_place(loop, g, &shift, &some);
  if (last && shift) {
    if (term_replace(tt, v, t, tt->minus_one) == init) return term_replace(tt, v, t, term_sub(tt, last, tt->one));
    some = term_lt(tt, tt->zero, last), last = term_sub(tt, last, tt->one);
  } else if (!last) {
    Term moves, stays = without_counter(loop, g, &moves); /* the same in every step, or asked of each */
    last = loop_fold_steps(loop, FOLD_MAX, t, t, moves);
    some = loop_fold_steps(loop, FOLD_ANY, moves, t, tt->true_);
    last = where_it_is(tt, term_assume(tt, last, some));
    some = term_and(tt, stays, some);
  }
  if (loop->trips) v = term_assume(tt, v, term_lt(tt, t, loop->trips)); /* a step that is done */
  return term_select(tt, some, term_replace(tt, v, t, last), init);
}

/* ---- updates in place ---- */

typedef struct InPlace {
  const Carried *c;
  Term g;
  bool reads_own, reads_other;
} InPlace;

/* What is read at the place that the step writes is what was there at first, as no other step writes it. */
static Term own_element(TermTable *tt, Term t, void *payload) {
  InPlace *in = payload;
  const Carried *c = in->c;
  if (term_kind(tt, t) != TERM_READ || term_arg(tt, t, 0) != c->symbol) return t;
  for (uint32_t k = 0; k < c->rank; k++)
    if (term_assume(tt, term_eq(tt, term_arg(tt, t, k + 1), c->lanes[k]), in->g) != tt->true_) {
      in->reads_other = true;
      return t;
    }
  in->reads_own = true;
  return c->init;
}

/* True if the condition names one step, lane == t + .., for each lane. */
static bool names_one_step(TermTable *tt, Term g, Term t) {
  if (term_kind(tt, g) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, g); i++)
      if (names_one_step(tt, term_arg(tt, g, i), t)) return true;
    return false;
  }
  if (term_kind(tt, g) != TERM_EQ || term_count(tt, g) != 1 || term_sort(tt, term_arg(tt, g, 0)) != SORT_INT)
    return false;
  Term e = term_arg(tt, g, 0), step = term_sub(tt, term_replace(tt, e, t, term_add(tt, t, tt->one)), e);
  return step == tt->one || step == tt->minus_one;
}

/* c' = where(lane == t + .., f(c[t + ..], t), c): each element is written once, from what it was. 0: it is not that. */
static Term solve_in_place(Loop *loop, const Carried *c, Term g, Term v) {
  InPlace in = {.c = c, .g = g};
  if (!c->rank || !names_one_step(loop->tt, g, loop->t)) return 0;
  v = term_transform(loop->tt, v, own_element, &in);
  return in.reads_own && !in.reads_other ? solve_replacement(loop, c->init, g, v) : 0;
}

/* ---- the best and its place, one tie rule for both ---- */

typedef struct Ordered {
  Term less, more, equal;
} Ordered;

/* x < y, x > y and x = y of two numbers, each as all that it says of the others. */
static Ordered orders_of(TermTable *tt, Term x, Term y) {
  Term less = term_lt(tt, x, y), more = term_lt(tt, y, x), equal = term_eq(tt, x, y);
  return (Ordered){term_and(tt, less, term_and(tt, term_not(tt, equal), term_not(tt, more))),
                   term_and(tt, more, term_and(tt, term_not(tt, equal), term_not(tt, less))),
                   term_and(tt, equal, term_and(tt, term_not(tt, less), term_not(tt, more)))};
}

/* A choice that another carried value takes part in, while both sides of it need no such choice. */
static void untangle_choices(Loop *loop) {
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    bool other = false;
    for (uint32_t k = 0; k < loop->count; k++) other |= k != i && loop_mentions(loop, c->next, k);
    if (!other || term_kind(loop->tt, c->next) != TERM_SELECT) continue;
    Term g = term_arg(loop->tt, c->next, 0),
         next = term_select(loop->tt, g, term_assume(loop->tt, term_arg(loop->tt, c->next, 1), g),
                            term_assume(loop->tt, term_arg(loop->tt, c->next, 2), term_not(loop->tt, g)));
    next = term_transform(loop->tt, next, term_normalise_places, NULL);
    other = false;
    for (uint32_t k = 0; k < loop->count; k++) other |= k != i && loop_mentions(loop, next, k);
    if (!other) c->next = next;
  }
}

/* What uses the maximum that this step makes, under the same mask, gets it as the step makes it: a sum that is rescaled
 * by it. */
static void share_steps(Loop *loop) {
  TermTable *tt = loop->tt;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (c->closed || term_kind(tt, c->next) != TERM_SELECT || term_arg(tt, c->next, 2) != c->self) continue;
    Term mask = term_arg(tt, c->next, 0), y = term_arg(tt, c->next, 1);
    for (uint32_t k = 0; k < loop->count; k++) {
      const Carried *m = &loop->carried[k];
      if (k == i || term_kind(tt, m->made_again) != TERM_SELECT || term_arg(tt, m->made_again, 0) != mask ||
          term_arg(tt, m->made_again, 2) != m->self)
        continue;
      Term made = term_arg(tt, m->made_again, 1), under = term_assume(tt, made, mask);
      if (term_kind(tt, under) != TERM_MAX && term_kind(tt, under) != TERM_MIN) continue;
      y = term_substitute(tt, y, (TermMap){1, &made, &m->made_again});
      if (under != made) y = term_substitute(tt, y, (TermMap){1, &under, &m->made_again});
    }
    c->next = term_select(tt, mask, y, c->self);
  }
}

/* Masks once, and choices that are a maximum as one; false: nothing new. */
static bool simplify_choices(Loop *loop) {
  TermTable *tt = loop->tt;
  bool any = false;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (c->closed || c->base || c->block) continue;
    Term next = term_transform(tt, c->next, term_normalise_places, NULL);
    any |= next != c->next;
    c->next = next;
  }
  if (!any) return false;
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (!c->closed && !c->base && !c->block) c->made_again = c->next;
  }
  share_steps(loop);
  return true;
}

/* A comparison in t of the best before the step, a fold of d over the steps, with d, where the mask holds; whole: the
 * fold as it is. */
static bool find_best(Loop *loop, Term t, Term rest, Better *out, Term *whole) {
  TermTable *tt = loop->tt;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_LT || kind == TERM_LE || kind == TERM_EQ) {
    Term x = term_arg(tt, t, 0), y = term_count(tt, t) == 2 ? term_arg(tt, t, 1) : 0;
    if (!y && (term_kind(tt, x) != TERM_ADD || term_count(tt, x) != 5 || term_arg(tt, x, 0) != tt->zero ||
               !rational_equal(term_rat(tt, term_arg(tt, x, 1)), rational_neg(term_rat(tt, term_arg(tt, x, 3))))))
      return false;
    if (!y) y = term_arg(tt, x, 4), x = term_arg(tt, x, 2);
    for (int side = 0; side < 2; side++) {
      Better b = {.fold = side ? y : x, .d = side ? x : y};
      if (term_kind(tt, b.fold) != TERM_FOLD || (term_aux(tt, b.fold) != FOLD_MAX && term_aux(tt, b.fold) != FOLD_MIN))
        continue;
      b.max = term_aux(tt, b.fold) == FOLD_MAX;
      Better padded = b;
      padded.d = term_select(tt, rest, b.d, b.max ? tt->neg_inf : tt->inf);
      *whole = best_of_shifted(loop, &padded, 0);
      if (*whole != b.fold && term_assume(tt, *whole, rest) != b.fold) continue;
      *out = b;
      return true;
    }
    return false;
  }
  if (kind == TERM_FOLD || kind == TERM_READ) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (find_best(loop, term_arg(tt, t, i), rest, out, whole)) return true;
  return false;
}

/* c' = where(v(t) is better, c, v's place): the least (greatest) place of those steps that have the best. 0: it is no
 * such choice. */
static Term solve_place(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Term y = c->next, rest = tt->true_, whole;
  Better b;
  if (term_sort(tt, y) != SORT_INT || term_kind(tt, y) != TERM_SELECT) return 0;
  for (uint32_t side = 1; side <= 2; side++) { /* masks, which keep what there is */
    Term g = term_arg(tt, y, 0), mask = side == 2 ? g : term_not(tt, g);
    if (term_arg(tt, y, side) != c->self || loop_mentions(loop, g, i)) continue;
    rest = mask, y = term_assume(tt, term_arg(tt, y, 3 - side), mask);
    break;
  }
  if (!find_best(loop, y, rest, &b, &whole) || !finite_in_range(loop, b.d)) return 0;
  Ordered o = orders_of(tt, b.fold, b.d);
  Term v = term_assume(tt, y, b.max ? o.less : o.more), kept = term_assume(tt, y, b.max ? o.more : o.less),
       tie = term_assume(tt, y, o.equal);
  if (kept != c->self || loop_mentions(loop, v, i)) return 0;
  bool least = tie == term_min(tt, c->self, v) || tie == term_select(tt, term_lt(tt, c->self, v), c->self, v) ||
               tie == term_select(tt, term_le(tt, c->self, v), c->self, v);
  bool greatest = tie == term_max(tt, c->self, v) || tie == term_select(tt, term_lt(tt, v, c->self), c->self, v) ||
                  tie == term_select(tt, term_le(tt, v, c->self), c->self, v);
  if (!least && !greatest) return 0;
  Term place,
      k = index_below(tt, tt->zero, loop->t),
      has = term_and(tt, term_replace(tt, rest, loop->t, k), term_eq(tt, term_replace(tt, b.d, loop->t, k), whole));
  place = term_fold(tt, least ? FOLD_MIN : FOLD_MAX, k, tt->zero, loop->t, has, term_replace(tt, v, loop->t, k));
  return term_select(tt, loop_fold_steps(loop, FOLD_ANY, rest, loop->t, tt->true_), place, c->init);
}

/* ---- conditions ---- */

/* A condition that a step makes p(t) where it was true, and q(t) where it was not, if q implies p: set, kept, and
 * reset. */
static Term solve_condition(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Term t = loop->t, p = term_substitute(tt, c->next, (TermMap){1, &c->self, &tt->true_}),
       q = term_substitute(tt, c->next, (TermMap){1, &c->self, &tt->false_});
  if (term_has_symbol(tt, p, c->symbol) || term_has_symbol(tt, q, c->symbol)) return 0;
  if (q != tt->false_ && term_assume(tt, p, q) != tt->true_) return 0;
  Term kept = p == tt->true_ ? c->init : term_and(tt, c->init, loop_fold_steps(loop, FOLD_ALL, p, t, tt->true_));
  if (q == tt->false_) return kept;
  if (p == tt->true_) return term_or(tt, kept, loop_fold_steps(loop, FOLD_ANY, q, t, tt->true_));
  Term j = index_below(tt, tt->zero, t), k = index_below(tt, term_add(tt, j, tt->one), t);
  Term since = term_fold(tt, FOLD_ALL, k, term_add(tt, j, tt->one), t, tt->true_, term_replace(tt, p, t, k));
  return term_or(tt, kept,
                 term_fold(tt, FOLD_ANY, j, tt->zero, t, tt->true_, term_and(tt, term_replace(tt, q, t, j), since)));
}

/* ---- logarithms of sums ---- */

typedef struct Raised {
  Term value, h;
} Raised;

/* exp(c + r) = h exp(r) */
static Term put_raised(TermTable *tt, Term t, void *payload) {
  const Raised *raised = payload;
  if (term_kind(tt, t) != TERM_FN || term_aux(tt, t) != FN_EXP || !term_has_symbol(tt, t, raised->value)) return t;
  Term rest = term_sub(tt, term_arg(tt, t, 0), raised->value);
  return term_has_symbol(tt, rest, raised->value) ? t : term_mul(tt, raised->h, term_fn1(tt, FN_EXP, rest));
}

/* exp(t), of a choice too; 0: it is no exponential of something. */
static Term exponential_of(TermTable *tt, Term t, const Raised *raised) {
  if (t == raised->value) return raised->h;
  if (term_kind(tt, t) == TERM_SELECT && !term_has_symbol(tt, term_arg(tt, t, 0), raised->value)) {
    Term yes = exponential_of(tt, term_arg(tt, t, 1), raised),
         no = yes ? exponential_of(tt, term_arg(tt, t, 2), raised) : 0;
    return no ? term_select(tt, term_arg(tt, t, 0), yes, no) : 0;
  }
  Term e = term_exponential(tt, t);
  return e ? term_transform(tt, e, put_raised, (void *)(uintptr_t)raised) : 0;
}

/* c' = log(a exp(c) + b): the exponential of c is a linear recurrence. log(exp(c) + exp(x)) however it is written. */
static Term solve_logarithm(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Raised raised = {term_symbol_fresh(tt, "c", SORT_REAL, SYMBOL_SCALAR),
                   term_symbol_fresh(tt, "h", SORT_REAL, SYMBOL_SCALAR)};
  if (loop->steps)
    term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one)); /* of the steps that are done */
  Term e = exponential_of(tt, term_rebuild(tt, term_substitute(tt, c->next, (TermMap){1, &c->self, &raised.value})),
                          &raised),
       a, b;
  term_symbol_range(tt, loop->t, tt->zero, 0);
  if (!e || term_has_symbol(tt, e, c->symbol)) return 0;
  if (term_has_symbol(tt, e, raised.value) || !linear_step(tt, e, raised.h, raised.h, &a, &b) ||
      term_has_symbol(tt, a, raised.h) || term_has_symbol(tt, b, raised.h))
    return 0;
  bool nothing = c->init == tt->neg_inf;
  Term h = solve_linear(loop, nothing ? tt->zero : term_fn1(tt, FN_EXP, c->init), a, b);
  if (!h) return 0;
  Term closed = term_fn1(tt, FN_LOG, h);
  return nothing ? term_select(tt, term_le(tt, loop->t, tt->zero), c->init, closed) : closed;
}

/* ---- one carried value ---- */

/* max(c0, max[j < t](d(j))), where a scan begins with c0 = d(-1) as one fold. */
static Term solve_simple(Loop *loop, TermFoldOp op, Term init, Term d) {
  TermTable *tt = loop->tt;
  if (loop->begins_with_element && term_replace(tt, d, loop->t, tt->minus_one) == init) {
    Term hi = term_add(tt, loop->t, tt->one), k = index_below(tt, tt->zero, hi);
    return term_fold(tt, op, k, tt->zero, hi, tt->true_, term_replace(tt, d, loop->t, term_sub(tt, k, tt->one)));
  }
  Term fold = loop_fold_steps(loop, op, d, loop->t, tt->true_);
  return op == FOLD_MAX ? term_max(tt, init, fold) : term_min(tt, init, fold);
}

/* Bits that some steps set, or none clears: c | (g(t) ? m : 0), c & (g(t) ? m : 0) for a c that has no others than
 * those of m. 0: it is neither. */
static Term solve_bits(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  bool sets = term_aux(tt, c->next) == FN_BITOR;
  if (!sets && term_aux(tt, c->next) != FN_BITAND) return 0;
  Term x = term_arg(tt, c->next, 0), y = term_arg(tt, c->next, 1), d = x == c->self ? y : y == c->self ? x : 0;
  if (!d || loop_mentions(loop, d, i) || term_kind(tt, d) != TERM_SELECT) return 0;
  Term g = term_arg(tt, d, 0), m = term_arg(tt, d, 1);
  if (m == tt->zero)
    g = term_not(tt, g), m = term_arg(tt, d, 2);
  else if (term_arg(tt, d, 2) != tt->zero)
    return 0;
  if (term_has_symbol(tt, m, loop->t)) return 0;
  if (sets)
    return term_fn(
        tt, FN_BITOR, 2,
        (Term[]){c->init, term_select(tt, loop_fold_steps(loop, FOLD_ANY, g, loop->t, tt->true_), m, tt->zero)});
  if (term_fn(tt, FN_BITAND, 2, (Term[]){c->init, m}) != c->init) return 0;
  return term_select(tt, loop_fold_steps(loop, FOLD_ALL, g, loop->t, tt->true_), c->init, tt->zero);
}

/* c' = max(c, d), max(|c|, d), max(c + a, b), or the minimum. */
static Term solve_extremum_of_itself(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next, a, b, d = other_arguments(tt, y, c->self, c->symbol);
  TermFoldOp op = term_kind(tt, y) == TERM_MAX ? FOLD_MAX : FOLD_MIN;
  if (d) return solve_simple(loop, op, c->init, d);
  Term size = term_unary(tt, TERM_ABS, c->self);
  if (op == FOLD_MAX && (d = other_arguments(tt, y, size, c->symbol))) {
    /* the largest size: none but the first may be negative */
    Term all = term_max(tt, term_unary(tt, TERM_ABS, c->init), loop_fold_steps(loop, op, d, loop->t, tt->true_));
    return term_select(tt, term_le(tt, loop->t, tt->zero), c->init, all);
  }
  return extremum_step(tt, y, c->self, c->symbol, &a, &b) ? solve_extremum(loop, op, c->init, a, b) : 0;
}

static Term solve_junction(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  TermKind kind = term_kind(tt, c->next);
  Term d = other_arguments(tt, c->next, c->self, c->symbol);
  if (!d) return 0;
  d = loop_fold_steps(loop, kind == TERM_AND ? FOLD_ALL : FOLD_ANY, d, loop->t, tt->true_);
  return term_binary(tt, kind, c->init, d);
}

static Term solve_choice(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next, g = term_arg(tt, y, 0), yes = term_arg(tt, y, 1), no = term_arg(tt, y, 2), d;
  Term other = no == c->self ? yes : yes == c->self ? no : 0;
  if (other && !loop_mentions(loop, other, i)) { /* a maximum or minimum written as a select on the comparison */
    bool up = g == term_lt(tt, no, yes) || g == term_le(tt, no, yes),
         down = g == term_lt(tt, yes, no) || g == term_le(tt, yes, no);
    if (up) return solve_simple(loop, FOLD_MAX, c->init, other);
    if (down) return solve_simple(loop, FOLD_MIN, c->init, other);
  }
  Term place = solve_place(loop, i);
  if (place) return place;
  if (loop_mentions(loop, g, i)) return 0;
  Term in_place = no == c->self ? solve_in_place(loop, c, g, yes) : 0;
  if (in_place) return in_place;
  if (no == c->self && !loop_mentions(loop, yes, i)) return solve_replacement(loop, c->init, g, yes);
  if (yes == c->self && !loop_mentions(loop, no, i)) return solve_replacement(loop, c->init, term_not(tt, g), no);
  if (term_kind(tt, yes) != TERM_MAX || no != c->self || !(d = other_arguments(tt, yes, c->self, c->symbol))) return 0;
  return term_max(tt, c->init, loop_fold_steps(loop, FOLD_MAX, term_select(tt, g, d, tt->neg_inf), loop->t, tt->true_));
}

/* Quotients of quotients. */
static Term solve_quotient(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next, d = term_arg(tt, y, 1);
  if (term_arg(tt, y, 0) != c->self || loop_mentions(loop, d, i) || !term_prove_lt(tt, tt->zero, d)) return 0;
  return term_floordiv(tt, c->init, loop_fold_steps(loop, FOLD_PROD, d, loop->t, tt->true_));
}

static Term solve_function(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next;
  if (term_aux(tt, y) == FN_BITXOR && (term_arg(tt, y, 0) == c->self || term_arg(tt, y, 1) == c->self)) {
    Term d = term_arg(tt, y, term_arg(tt, y, 0) == c->self ? 1 : 0);
    if (!loop_mentions(loop, d, i))
      return term_fn(tt, FN_BITXOR, 2, (Term[]){c->init, loop_fold_steps(loop, FOLD_XOR, d, loop->t, tt->true_)});
  }
  return solve_bits(loop, i);
}

/* The first floordiv by a number in t of which t is the remainder; 0: there is none. */
static Term remainder_of(TermTable *tt, Term t) {
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term q = term_arg(tt, t, i + 1);
    if (term_kind(tt, q) == TERM_FLOORDIV && term_is_rat(tt, term_arg(tt, q, 1)) &&
        term_prove_lt(tt, tt->zero, term_arg(tt, q, 1)) && t == term_mod(tt, term_arg(tt, q, 0), term_arg(tt, q, 1)))
      return q;
  }
  return 0;
}

/* How a step wraps: to so many bits, or modulo a number. */
typedef struct Wrap {
  uint32_t bits;
  Term modulus;
} Wrap;

static Term wrap_of(TermTable *tt, Wrap wrap, Term t) {
  return wrap.modulus ? term_mod(tt, t, wrap.modulus) : term_wrap(tt, wrap.bits, t);
}

/* y without the wraps in its arms, all of which are one. 0: an arm is neither such a wrap nor c. */
static Term without_wrap(TermTable *tt, Term y, Term c, Wrap *wrap) {
  if (y == c) return y;
  if (term_kind(tt, y) == TERM_SELECT) {
    Term yes = without_wrap(tt, term_arg(tt, y, 1), c, wrap),
         no = yes ? without_wrap(tt, term_arg(tt, y, 2), c, wrap) : 0;
    return no ? term_select(tt, term_arg(tt, y, 0), yes, no) : 0;
  }
  Term q = term_kind(tt, y) == TERM_WRAP ? y : remainder_of(tt, y);
  if (!q) return 0;
  Wrap own = q == y ? (Wrap){term_aux(tt, y), 0} : (Wrap){0, term_arg(tt, q, 1)};
  if ((wrap->bits || wrap->modulus) && (wrap->bits != own.bits || wrap->modulus != own.modulus)) return 0;
  *wrap = own;
  return term_arg(tt, q, 0);
}

/* Sums and counts that wrap, in some steps only too. c is what the sum wraps to from the first step that wraps on, and
 * before it if c0 is. */
static Term solve_wrapped(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  const Carried *c = &loop->carried[i];
  Wrap wrap = {0};
  Term a, b, sum = term_sort(tt, c->next) == SORT_INT ? without_wrap(tt, c->next, c->self, &wrap) : 0;
  if (!sum || (!wrap.bits && !wrap.modulus)) return 0;
  bool in_range = wrap_of(tt, wrap, c->init) == c->init;
  if (!in_range && term_kind(tt, c->next) == TERM_SELECT) return 0;
  if (!linear_step(tt, sum, c->self, c->symbol, &a, &b) || a != tt->one || term_has_symbol(tt, b, c->symbol)) return 0;
  Term wrapped = wrap_of(tt, wrap, solve_linear(loop, c->init, a, b));
  return in_range ? wrapped : term_select(tt, term_le(tt, loop->t, tt->zero), c->init, wrapped);
}

static Term solve(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term y = c->next, a, b;
  if (y == c->self) return c->init;
  if (!loop_mentions(loop, y, i)) {
    Term previous = term_replace(tt, y, loop->t, term_sub(tt, loop->t, tt->one));
    return term_select(tt, term_le(tt, loop->t, tt->zero), c->init, previous);
  }
  Term d = loop_solve_content(loop, i);
  if (d) return d;
  if ((d = solve_wrapped(loop, i))) return d;
  TermKind kind = term_kind(tt, y);
  if (kind == TERM_WRAP) { /* linear integer recurrences modulo 2^w: wrap once at the end */
    if (!linear_step(tt, term_arg(tt, y, 0), c->self, c->symbol, &a, &b) || term_has_symbol(tt, a, c->symbol) ||
        term_has_symbol(tt, b, c->symbol))
      return 0;
    return term_wrap(tt, term_aux(tt, y), solve_linear(loop, c->init, a, b));
  }
  d = term_kind_is_extremum(kind)           ? solve_extremum_of_itself(loop, i)
      : kind == TERM_AND || kind == TERM_OR ? solve_junction(loop, i)
      : kind == TERM_SELECT                 ? solve_choice(loop, i)
      : kind == TERM_FLOORDIV               ? solve_quotient(loop, i)
      : kind == TERM_FN                     ? solve_function(loop, i)
                                            : 0;
  if (d) return d;
  if (term_sort(tt, y) == SORT_BOOL) return solve_condition(loop, i);
  if (!linear_step(tt, y, c->self, c->symbol, &a, &b) || term_has_symbol(tt, a, c->symbol) ||
      term_has_symbol(tt, b, c->symbol))
    return solve_logarithm(loop, i);
  return solve_linear(loop, c->init, a, b);
}

/* ---- the first iteration written apart ---- */

static Term at_first_step(Loop *loop, Term t) {
  Term from[MAX_CARRIED + 1], to[MAX_CARRIED + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count; i++) from[n] = loop->carried[i].self, to[n++] = loop->carried[i].init;
  from[n] = loop->t, to[n++] = loop->tt->zero;
  return term_substitute(loop->tt, t, (TermMap){n, from, to});
}

/* t == 0 ? x : f(carried) is f(carried) where f(initial values) at t = 0 is x. */
static Term peel(TermTable *tt, Term t, void *payload) {
  Loop *loop = payload;
  if (term_kind(tt, t) != TERM_SELECT) return t;
  Term c = term_arg(tt, t, 0), x = term_arg(tt, t, 1), f = term_arg(tt, t, 2);
  if (c != term_eq(tt, loop->t, tt->zero) && c != term_le(tt, loop->t, tt->zero)) return t;
  Term first = term_expand(tt, at_first_step(loop, f));
  return first == term_expand(tt, term_replace(tt, x, loop->t, tt->zero)) ? f : t;
}

static void peel_first_steps(Loop *loop) {
  for (uint32_t i = 0; i < loop->count; i++)
    loop->carried[i].next = term_transform(loop->tt, loop->carried[i].next, peel, loop);
}

/* The step as t == 0 ? x : f(c); also where c starts as a NaN and its step asks for that, as what f makes of a number
 * is no NaN. false: it is another. */
static bool is_first_apart(const Loop *loop, const Carried *c, Term *x, Term *f) {
  TermTable *tt = loop->tt;
  Term nan = term_unary(tt, TERM_IS_NAN, c->self);
  if (term_kind(tt, c->init) == TERM_NAN && term_kind(tt, nan) == TERM_IS_NAN) {
    *x = term_assume(tt, c->next, nan), *f = term_assume(tt, c->next, term_not(tt, nan));
    return *x != *f;
  }
  Term g = term_kind(tt, c->next) == TERM_SELECT ? term_arg(tt, c->next, 0) : 0;
  if (!g || (g != term_eq(tt, loop->t, tt->zero) && g != term_le(tt, loop->t, tt->zero))) return false;
  *x = term_arg(tt, c->next, 1), *f = term_arg(tt, c->next, 2);
  return true;
}

/* c' = (t == 0 ? x : f(c)): that of f alone, were it to begin with a value that f makes x of. 0: it is none of those
 * that change nothing. */
static Term other_start(const Loop *loop, const Carried *c, Term *f) {
  TermTable *tt = loop->tt;
  Term x, starts[] = {tt->zero, tt->one, tt->neg_inf, tt->inf};
  if (c->base || c->block || term_sort(tt, c->self) == SORT_BOOL || !is_first_apart(loop, c, &x, f)) return 0;
  if (term_has_symbol(tt, x, c->symbol) || !term_has_symbol(tt, *f, c->symbol)) return 0;
  x = term_expand(tt, at_first_step((Loop *)loop, x));
  for (uint32_t i = 0; i < (term_sort(tt, c->self) == SORT_REAL ? 4 : 2); i++) {
    Term first = at_first_step((Loop *)loop, term_substitute(tt, *f, (TermMap){1, &c->self, &starts[i]}));
    if (term_expand(tt, first) == x) return starts[i];
  }
  return 0;
}

/* solve, of a value whose first step is another one too. */
static Term solve_from_start(Loop *loop, uint32_t i) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[i];
  Term f, start = loop->begins_with_element ? 0 : other_start(loop, c, &f), init = c->init, next = c->next, closed = 0;
  if (!start) return solve(loop, i);
  c->init = start, c->next = f;
  closed = solve(loop, i);
  c->init = init, c->next = next;
  return closed ? term_select(tt, term_le(tt, loop->t, tt->zero), init, closed) : solve(loop, i);
}

Term loop_solve_alone(Loop *loop, uint32_t i) { return solve_from_start(loop, i); }

/* ---- values that change places ---- */

enum { LONGEST_ROTATION = 8 };

/* a, b = b, a: after t steps a value is what stood t places on, round and round. */
static bool close_rotation(Loop *loop, uint32_t first) {
  TermTable *tt = loop->tt;
  uint32_t place[LONGEST_ROTATION], n = 0;
  for (uint32_t at = first; n < LONGEST_ROTATION;) {
    uint32_t next = 0;
    place[n++] = at;
    while (next < loop->count && loop->carried[next].self != loop->carried[at].next) next++;
    if (next == loop->count || loop->carried[next].base != loop->carried[at].base || loop->carried[next].closed)
      return false;
    if (next == first) break;
    at = next;
    if (n == LONGEST_ROTATION) return false;
  }
  if (n < 2) return false;
  Term turn = term_mod(tt, loop->t, term_int(tt, n));
  for (uint32_t i = 0; i < n; i++) {
    Term value = loop->carried[place[(i + n - 1) % n]].init;
    for (uint32_t k = n - 1; k-- > 0;)
      value = term_select(tt, term_eq(tt, turn, term_int(tt, k)), loop->carried[place[(i + k) % n]].init, value);
    loop->carried[place[i]].closed = value;
  }
  return true;
}

/* ---- values without a closed form ---- */

/* The values that are not closed and that those in the group depend on. */
static void grow_group(const Loop *loop, bool *in) {
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < loop->count; i++)
      for (uint32_t k = 0; k < loop->count && in[i]; k++)
        if (!in[k] && !loop->carried[k].closed && loop_mentions(loop, loop->carried[i].next, k)) in[k] = grown = true;
  }
}

/* For is_read_as_itself, which is true if the value is read at its own lanes alone. */
static Term put_nothing(TermTable *tt, Term t, void *self) { return t == *(Term *)self ? tt->zero : t; }

static bool is_read_as_itself(const Loop *loop, Term t, const Carried *c) {
  Term self = c->self;
  return !term_has_symbol(loop->tt, t, c->symbol) ||
         !term_has_symbol(loop->tt, term_transform(loop->tt, t, put_nothing, &self), c->symbol);
}

/* The lanes of all values of the group; false: they are too many. An extent that is not known is 0. */
static bool collect_lanes(const Loop *loop, const Carried *c, RecurParts *p) {
  for (uint32_t k = 0; k < c->rank; k++) {
    uint32_t d = 0;
    while (d < p->lanes && p->lane[d] != c->lanes[k]) d++;
    if (d < p->lanes) continue;
    Term last = term_symbol(loop->tt, c->lanes[k])->hi;
    if (d == RECUR_LANES) return false;
    p->lane[d] = p->at[d] = c->lanes[k], p->extent[d] = last ? term_add(loop->tt, last, loop->tt->one) : 0;
    p->lanes++;
  }
  return true;
}

/* One more than the greatest index along the first axis at which the loop accesses the tensor; 0: it is not known. It
 * is proposed alone: what is read or written beyond it makes the induction fail. */
static Term extent_of_content(Loop *loop, const Carried *c) {
  Machine *ex = loop->ex;
  TermTable *tt = loop->tt;
  const Content *content = NULL;
  Term extent = 0, last = term_symbol(tt, loop->t)->hi;
  for (uint32_t i = 0; i < loop->content_count; i++)
    if (loop->contents[i]->tensor == c->content) content = loop->contents[i];
  if (!content || !loop->steps) return 0;
  term_symbol_range(tt, loop->t, tt->zero, term_sub(tt, loop->steps, tt->one));
  bool known = true;
  for (uint32_t i = loop->first_access; i < ex->effects->accesses.count && known; i++) {
    const Access *a = &ex->effects->accesses.data[i];
    Term index[CONTENT_RANK], end = 0;
    if (a->tensor != c->content) continue;
    if (contents_indices(ex, content, a, index)) end = execute_greatest(ex, term_add(tt, index[0], tt->one));
    known = end != 0;
    if (known) extent = extent ? term_max(tt, extent, end) : end;
  }
  term_symbol_range(tt, loop->t, tt->zero, last);
  return known ? extent : 0;
}

/* Extents of lanes along which a step reads another one's value; false: one is not known. *inside: where the places of
 * contents are within what is proposed. */
static bool find_extents(Loop *loop, const uint32_t *place, RecurParts *p, Term *inside) {
  TermTable *tt = loop->tt;
  bool crosses = false;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t k = 0; k < p->n; k++) crosses |= !is_read_as_itself(loop, p->next[i], &loop->carried[place[k]]);
  for (uint32_t d = 0; d < p->lanes && crosses; d++) {
    for (uint32_t i = 0; i < p->n && !p->extent[d]; i++) {
      const Carried *c = &loop->carried[place[i]];
      if (!c->content || c->lanes[0] != p->lane[d]) continue;
      p->extent[d] = extent_of_content(loop, c);
      if (!p->extent[d]) return false;
      inside[i] = term_and(tt, term_le(tt, tt->zero, p->lane[d]), term_lt(tt, p->lane[d], p->extent[d]));
    }
    if (!p->extent[d]) return false;
  }
  return true;
}

/* The group as one recurrence, over the counter; false: it is none of numbers, or of arrays of them. */
static bool close_as_recurrence(Loop *loop, const bool *in) {
  TermTable *tt = loop->tt;
  uint32_t place[RECUR_STATES];
  Term inside[RECUR_STATES] = {0};
  RecurParts p = {.steps = loop->t};
  for (uint32_t i = 0; i < loop->count; i++) {
    if (!in[i]) continue;
    if (p.n == RECUR_STATES || loop->carried[i].base || loop->carried[i].block) return false;
    place[p.n++] = i;
  }
  p.index = term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), tt->zero,
                              term_sub(tt, loop->t, tt->one));
  for (uint32_t i = 0; i < p.n; i++) {
    const Carried *c = &loop->carried[place[i]];
    Term step = term_replace(tt, loop_with_closed(loop, c->next), loop->t, p.index);
    if (!collect_lanes(loop, c, &p) || term_node(tt, step)->flags & (TERM_HAS_UNDEF | TERM_HAS_OPAQUE)) return false;
    p.init[i] = c->init, p.next[i] = step, p.state[i] = c->self;
  }
  if (!find_extents(loop, place, &p, inside)) return false;
  for (p.which = 0; p.which < p.n; p.which++) {
    Carried *c = &loop->carried[place[p.which]];
    Term all = term_recur_of(tt, p);
    c->closed = inside[p.which] ? term_select(tt, inside[p.which], all, c->init) : all;
  }
  return true;
}

/* The smallest group of values that depend on each other, all others being closed. 0: there is none, or it is no
 * recurrence. */
static uint32_t close_group(Loop *loop) {
  uint32_t least = UINT32_MAX;
  bool best[MAX_CARRIED] = {false};
  for (uint32_t i = 0; i < loop->count; i++) {
    bool in[MAX_CARRIED] = {false};
    uint32_t size = 0;
    if (loop->carried[i].closed) continue;
    in[i] = true;
    grow_group(loop, in);
    for (uint32_t k = 0; k < loop->count; k++) size += in[k];
    if (size < least) least = size, memcpy(best, in, sizeof best);
  }
  return least != UINT32_MAX && close_as_recurrence(loop, best) ? least : 0;
}

bool loop_solve_as_one(Loop *loop) {
  bool all[MAX_CARRIED];
  for (uint32_t i = 0; i < MAX_CARRIED; i++) all[i] = i < loop->count;
  return close_as_recurrence(loop, all);
}

/* Triangular order: a value whose step mentions only itself and solved ones. */
bool loop_solve(Loop *loop) {
  uint32_t left = loop->count;
  for (uint32_t i = 0; i < loop->count; i++) loop_decide_places(loop, i);
  for (uint32_t i = 0; i < loop->count; i++) loop_read_untouched(loop, i), loop_read_ahead(loop, i);
  peel_first_steps(loop);
  untangle_choices(loop);
  share_steps(loop);
  loop_solve_coupled(loop);
  for (uint32_t i = 0; i < loop->count; i++)
    if (!loop->carried[i].closed && loop->carried[i].next != loop->carried[i].self) close_rotation(loop, i);
  for (uint32_t i = 0; i < loop->count; i++) left -= loop->carried[i].closed != 0;
  while (left) {
    bool progress = false;
    for (uint32_t i = 0; i < loop->count; i++) {
      Carried *c = &loop->carried[i];
      if (c->closed) continue;
      bool ready = true;
      for (uint32_t k = 0; k < loop->count; k++)
        ready &= k == i || loop->carried[k].closed || !loop_mentions(loop, c->next, k);
      if (!ready) continue;
      c->next = with_joined_folds(loop->tt, loop_with_closed(loop, c->next));
      Term closed = solve_from_start(loop, i);
      if (!closed) continue;
      c->closed = closed;
      progress = true;
      left--;
    }
    if (progress || simplify_choices(loop)) continue;
    uint32_t closed = loop_propose(loop);
    if (!closed && loop->may_recur) closed = close_group(loop);
    if (!closed) return false;
    left -= closed;
  }
  return true;
}
