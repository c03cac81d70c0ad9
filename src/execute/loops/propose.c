/* Closed forms that deduction does not find, proposed from a few steps of the recurrence.
 *
 * Two values that depend on each other, linearly and by numbers alone (a two-term recurrence), are run from the initial
 * values (1, 0) and (0, 1). Either sequence is fitted by a polynomial of the counter (its differences vanish) or by
 * powers of one or two rational numbers (it is a combination of its own next members, whose characteristic polynomial
 * has these roots). Three further members have to agree. A proposal is kept where one step takes it at t to it at
 * t + 1; the prover's induction decides, as for every closed form. */
#include <string.h>

#include "execute/loops/loop.h"
#include "laws/laws.h"

enum { PAIR = 2, MEMBERS = 8, DEGREE = 3, POWERS = 8 };

/* base ** t, a symbol until the proposal is checked: one step multiplies it by its base. */
typedef struct Powers {
  uint32_t count;
  Rational base[POWERS];
  Term symbol[POWERS];
} Powers;

static Term power_of(Loop *loop, Powers *powers, Rational base) {
  if (base.num == base.den) return loop->tt->one;
  for (uint32_t i = 0; i < powers->count; i++)
    if (rational_equal(powers->base[i], base)) return powers->symbol[i];
  if (powers->count == POWERS) return 0;
  powers->base[powers->count] = base;
  return powers->symbol[powers->count++] = term_symbol_fresh(loop->tt, "p", SORT_REAL, SYMBOL_SCALAR);
}

/* The product of t equal factors, as a loop that multiplies has it. */
static Term as_product(Loop *loop, Rational base) {
  TermTable *tt = loop->tt;
  Term last = term_sub(tt, loop->t, tt->one);
  Term j = term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), tt->zero, last);
  return term_fold(tt, FOLD_PROD, j, tt->zero, loop->t, tt->true_, term_new_rat(tt, base));
}

/* Newton's form, if the differences beyond DEGREE vanish; 0: they do not. */
static Term as_polynomial(Loop *loop, const Rational *members) {
  TermTable *tt = loop->tt;
  Guard *guard = tt->arena->guard;
  Rational difference[MEMBERS];
  Term sum = tt->zero, binomial = tt->one;
  memcpy(difference, members, sizeof difference);
  for (int order = 0; order < MEMBERS; order++) {
    if (order > DEGREE && difference[0].num) return 0;
    if (order <= DEGREE) sum = term_add(tt, sum, term_scale(tt, difference[0], binomial));
    binomial =
        term_scale(tt, (Rational){1, order + 1}, term_mul(tt, binomial, term_sub(tt, loop->t, term_int(tt, order))));
    for (int k = 0; k + 1 < MEMBERS - order; k++) difference[k] = rational_sub(guard, difference[k + 1], difference[k]);
  }
  return sum;
}

/* members[k + 2] = p * members[k + 1] + q * members[k], whose characteristic polynomial has two rational roots: the
 * combination of their powers; 0: it is none. */
static Term as_powers(Loop *loop, Powers *powers, const Rational *m) {
  TermTable *tt = loop->tt;
  Guard *guard = tt->arena->guard;
#define TIMES(a, b) rational_mul(guard, a, b)
#define MINUS(a, b) rational_sub(guard, a, b)
#define OVER(a, b) rational_div(guard, a, b)
  Rational det = MINUS(TIMES(m[1], m[1]), TIMES(m[0], m[2])), root;
  if (!det.num) return 0;
  Rational p = OVER(MINUS(TIMES(m[1], m[2]), TIMES(m[0], m[3])), det);
  Rational q = OVER(MINUS(TIMES(m[1], m[3]), TIMES(m[2], m[2])), det);
  for (int k = 0; k + 2 < MEMBERS; k++)
    if (!rational_equal(m[k + 2], rational_add(guard, TIMES(p, m[k + 1]), TIMES(q, m[k])))) return 0;
  Rational square = rational_add(guard, TIMES(p, p), TIMES(rational_int(4), q));
  if (square.num <= 0 || !rational_sqrt(square, &root)) return 0;
  Rational half = {1, 2}, r = TIMES(half, rational_add(guard, p, root)), s = TIMES(half, MINUS(p, root));
  if (!r.num || !s.num) return 0;
  Rational a = OVER(MINUS(m[1], TIMES(s, m[0])), MINUS(r, s)), b = MINUS(m[0], a);
#undef TIMES
#undef MINUS
#undef OVER
  Term first = power_of(loop, powers, r), second = power_of(loop, powers, s);
  return first && second ? term_add(tt, term_scale(tt, a, first), term_scale(tt, b, second)) : 0;
}

/* The next members of both values, from these at step k; 0: they depend on more. */
static Term after(Loop *loop, const uint32_t *pair, uint32_t i, const Term *now, Term t) {
  Term self[PAIR] = {loop->carried[pair[0]].self, loop->carried[pair[1]].self};
  Term next = term_replace(loop->tt, loop_with_closed(loop, loop->carried[pair[i]].next), loop->t, t);
  for (int k = 0; k < PAIR; k++) next = term_replace(loop->tt, next, self[k], now[k]);
  return next;
}

/* members[k][i]: value i after k steps from the initial values `start` */
static bool run(Loop *loop, const uint32_t *pair, const Term *start, Rational members[PAIR][MEMBERS]) {
  Term now[PAIR] = {start[0], start[1]};
  for (int k = 0; k < MEMBERS; k++) {
    Term next[PAIR];
    for (uint32_t i = 0; i < PAIR; i++) {
      if (!term_is_rat(loop->tt, now[i])) return false;
      members[i][k] = term_rat(loop->tt, now[i]);
      next[i] = after(loop, pair, i, now, term_int(loop->tt, k));
    }
    memcpy(now, next, sizeof now);
  }
  return true;
}

typedef struct Proposal {
  Loop *loop;
  uint32_t pair[PAIR];
  Term closed[PAIR]; /* 0: nothing is proposed */
} Proposal;

static void propose(void *payload) {
  Proposal *proposal = payload;
  Loop *loop = proposal->loop;
  const uint32_t *pair = proposal->pair;
  TermTable *tt = loop->tt;
  const Term unit[PAIR][PAIR] = {{tt->one, tt->zero}, {tt->zero, tt->one}};
  Term closed[PAIR] = {tt->zero, tt->zero};
  Powers powers = {.count = 0};
  for (uint32_t u = 0; u < PAIR; u++) {
    Rational members[PAIR][MEMBERS];
    if (!run(loop, pair, unit[u], members)) return;
    for (uint32_t i = 0; i < PAIR; i++) {
      Term part = as_polynomial(loop, members[i]);
      if (!part) part = as_powers(loop, &powers, members[i]);
      if (!part) return;
      closed[i] = term_add(tt, closed[i], term_mul(tt, loop->carried[pair[u]].init, part));
    }
  }
  for (uint32_t i = 0; i < PAIR; i++) {
    Term end = term_replace(tt, closed[i], loop->t, term_add(tt, loop->t, tt->one));
    for (uint32_t k = 0; k < powers.count; k++)
      end = term_replace(tt, end, powers.symbol[k], term_scale(tt, powers.base[k], powers.symbol[k]));
    if (term_normalize(tt, after(loop, pair, i, closed, loop->t)) != term_normalize(tt, end)) return;
  }
  for (uint32_t i = 0; i < PAIR; i++) {
    for (uint32_t k = 0; k < powers.count; k++)
      closed[i] = term_replace(tt, closed[i], powers.symbol[k], as_product(loop, powers.base[k]));
  }
  memcpy(proposal->closed, closed, sizeof closed);
}

uint32_t loop_propose(Loop *loop) {
  Proposal proposal = {.loop = loop};
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    if (c->closed) continue;
    if (n == PAIR || c->rank || c->base || c->block || c->content || term_sort(loop->tt, c->self) != SORT_REAL)
      return 0;
    proposal.pair[n++] = i;
  }
  /* numbers that grow beyond 127 bits end the proposal, and nothing else */
  if (n != PAIR || !term_attempt(loop->tt, 1, propose, &proposal) || !proposal.closed[0]) return 0;
  for (uint32_t i = 0; i < PAIR; i++) loop->carried[proposal.pair[i]].closed = proposal.closed[i];
  return PAIR;
}
