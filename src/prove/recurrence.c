/* A recurrence in closed form: a = b where a holds one recurrence and b none, by induction on the steps.
 *
 * b, with t for the number of steps, is the claim about the value that is asked for. What it says of the other values
 * follows: the step of a value that is known gives one that is not, where it is a multiple of it and of what is known.
 * Nothing of that needs to be believed. Shown is that each value begins as its closed form at 0, and that one step
 * takes the closed forms at t to those at t + 1, read from left to right: wherever a value has been reached, its closed
 * form is it. Where b is on the left, each step has to have a value whatever there is before it. */
#include "laws/laws.h"
#include "prove/equal.h"

typedef struct Induction {
  TermTable *tt;
  RecurParts p;
  Term closed[RECUR_STATES]; /* over p.index */
} Induction;

/* The first summand that is a recurrence of numbers; 0: there is none. */
static Term recurrence_of(TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_RECUR) return term_recur_lanes(tt, t) ? 0 : t;
  for (uint32_t i = 2; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i);
    if (term_kind(tt, part) == TERM_RECUR && !term_recur_lanes(tt, part)) return part;
  }
  return 0;
}

/* t = k * part + rest, for a number k; false: that is 0, and the rest is not touched. */
static bool take_out(TermTable *tt, Term t, Term part, Rational *k, Term *rest) {
  *k = rational_int(t == part);
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t); i += 2)
    if (term_arg(tt, t, i + 1) == part) *k = term_rat(tt, term_arg(tt, t, i));
  if (!k->num) return false;
  *rest = term_sub(tt, t, term_scale(tt, *k, part));
  return true;
}

static Term over(TermTable *tt, Term t, Rational k) {
  return term_scale(tt, rational_div(tt->arena->guard, rational_int(1), k), t);
}

/* A value that is made of the values before a step, made of those one step earlier. */
static Term after_another(const Induction *in, Term t) {
  Term from[RECUR_STATES + 1], to[RECUR_STATES + 1], end = term_add(in->tt, in->p.index, in->tt->one);
  for (uint32_t i = 0; i < in->p.n; i++) from[i] = in->p.state[i], to[i] = in->p.next[i];
  from[in->p.n] = in->p.index, to[in->p.n] = end;
  return term_substitute(in->tt, t, (TermMap){in->p.n + 1, from, to});
}

static Term with_closed(const Induction *in, Term t) {
  Term from[RECUR_STATES], to[RECUR_STATES];
  uint32_t n = 0;
  for (uint32_t i = 0; i < in->p.n; i++)
    if (in->closed[i]) from[n] = in->p.state[i], to[n++] = in->closed[i];
  return n ? term_substitute(in->tt, t, (TermMap){n, from, to}) : t;
}

/* At t + 1, over folds up to t. */
static Term at_next(const Induction *in, Term closed) {
  Term end = term_add(in->tt, in->p.index, in->tt->one);
  return equal_peel(in->tt, term_replace(in->tt, closed, in->p.index, end), end);
}

/* What the value that is known becomes in each further step is an equation for the others, as they are before it:
 * value[which] after m steps = sum of factor[m][i] * state[i] + rest[m]. False: it is no sum of multiples of them, or
 * does not say what they are. */
static bool find_others(Induction *in) {
  TermTable *tt = in->tt;
  Guard *guard = tt->arena->guard;
  uint32_t n = in->p.n, w = in->p.which, unknown[RECUR_STATES], count = 0;
  Rational factor[RECUR_STATES][RECUR_STATES];
  Term rest[RECUR_STATES], made = in->p.next[w], closed = in->closed[w];
  for (uint32_t i = 0; i < n; i++)
    if (i != w) unknown[count++] = i;
  for (uint32_t m = 0; m < count; m++) {
    Term left = made = term_flatten(tt, term_expand(tt, made));
    closed = at_next(in, closed);
    for (uint32_t i = 0; i < count; i++)
      if (!take_out(tt, left, in->p.state[unknown[i]], &factor[m][i], &left)) factor[m][i] = rational_int(0);
    for (uint32_t i = 0; i < count; i++)
      if (term_has_symbol(tt, left, in->p.state[unknown[i]])) return false;
    rest[m] = term_sub(tt, closed, with_closed(in, left));
    made = after_another(in, made);
  }
  for (uint32_t c = 0; c < count; c++) {
    uint32_t pivot = c;
    while (pivot < count && !factor[pivot][c].num) pivot++;
    if (pivot == count) return false;
    Term swap = rest[c];
    rest[c] = rest[pivot], rest[pivot] = swap;
    for (uint32_t i = 0; i < count; i++) {
      Rational own = factor[c][i];
      factor[c][i] = factor[pivot][i], factor[pivot][i] = own;
    }
    for (uint32_t m = 0; m < count; m++) {
      if (m == c) continue;
      Rational k = rational_div(guard, factor[m][c], factor[c][c]);
      for (uint32_t i = 0; i < count; i++)
        factor[m][i] = rational_sub(guard, factor[m][i], rational_mul(guard, k, factor[c][i]));
      rest[m] = term_sub(tt, rest[m], term_scale(tt, k, rest[c]));
    }
  }
  for (uint32_t i = 0; i < count; i++) in->closed[unknown[i]] = over(tt, rest[i], factor[i][i]);
  return true;
}

/* The first values, and one step of each from whatever is there before it. */
static bool is_total(const Induction *in) {
  for (uint32_t i = 0; i < in->p.n; i++)
    if (!term_is_total(in->tt, in->p.init[i]) || !term_is_total(in->tt, in->p.next[i])) return false;
  return true;
}

static bool holds(Induction *in) {
  TermTable *tt = in->tt;
  Term end = term_add(tt, in->p.index, tt->one);
  for (uint32_t i = 0; i < in->p.n; i++)
    if (!equal_prove(tt, in->p.init[i], term_replace(tt, in->closed[i], in->p.index, tt->zero))) return false;
  bool good = true;
  uint32_t facts = tt->facts.count;
  term_push_fact(tt, term_lt(tt, in->p.index, in->p.steps));
  for (uint32_t i = 0; i < in->p.n && good; i++)
    good = equal_prove_step(tt, with_closed(in, in->p.next[i]), at_next(in, in->closed[i]), end) != EQUAL_NONE;
  term_pop_facts(tt, facts);
  return good;
}

/* What is replaced, and what it is in the meantime. */
typedef struct Hidden {
  Term from, to;
} Hidden;

static Term hide_in_read(TermTable *tt, Term t, void *payload) {
  const Hidden *h = payload;
  return term_kind(tt, t) == TERM_READ ? term_substitute(tt, t, (TermMap){1, &h->from, &h->to}) : t;
}

/* b with t for the number of steps: for s + c of one symbol s, that is t - c. A size may be among indices as well, of
 * what is read: `reads` says whether it is the number of steps there. */
static Term generalised(TermTable *tt, Term b, Term steps, Term t, bool reads) {
  Term symbol = term_kind(tt, steps) == TERM_ADD && term_count(tt, steps) == 3 ? term_arg(tt, steps, 2) : steps, rest;
  Rational k;
  Hidden h = {steps, term_symbol_fresh(tt, "s", SORT_INT, SYMBOL_INDEX)};
  if (term_kind(tt, symbol) == TERM_SYM && take_out(tt, steps, symbol, &k, &rest) && k.num == 1 && k.den == 1)
    h.from = symbol, t = term_sub(tt, t, rest);
  if (!reads) b = term_transform(tt, b, hide_in_read, &h);
  b = term_substitute(tt, b, (TermMap){1, &h.from, &t});
  return reads ? b : term_substitute(tt, b, (TermMap){1, &h.to, &h.from});
}

/* True if the recurrence is the value that is `closed` after its last step. */
static bool has_closed_form(Induction *in, Term value, Term closed) {
  TermTable *tt = in->tt;
  for (uint32_t i = 0; i < in->p.n; i++) in->closed[i] = i == in->p.which ? closed : 0;
  return equal_prove(tt, term_replace(tt, closed, in->p.index, in->p.steps), value) && find_others(in) && holds(in);
}

bool equal_by_induction(TermTable *tt, Term a, Term b) {
  Term recurrence = recurrence_of(tt, a), rest;
  Rational k;
  bool turned = !recurrence;
  if (turned) {
    Term other = a;
    a = b, b = other;
    recurrence = recurrence_of(tt, a);
  }
  if (!recurrence || !take_out(tt, a, recurrence, &k, &rest) || term_has_kind(tt, rest, TERM_RECUR) ||
      term_has_kind(tt, b, TERM_RECUR))
    return false;
  Induction in = {.tt = tt, .p = term_recur_open(tt, recurrence)};
  for (uint32_t i = 0; i < in.p.n; i++)
    if (term_sort(tt, in.p.state[i]) != SORT_REAL) return false;
  Term value = over(tt, term_sub(tt, b, rest), k);
  if (!term_prove_le(tt, tt->zero, in.p.steps) || (turned && !(is_total(&in) && term_is_total(tt, rest)))) return false;
  for (int reads = 0; reads < 2; reads++) {
    Term closed = generalised(tt, value, in.p.steps, in.p.index, reads);
    Term behind = term_select(tt, term_lt(tt, in.p.index, tt->one), in.p.init[in.p.which], closed);
    if (has_closed_form(&in, value, closed) || has_closed_form(&in, value, behind)) return true;
  }
  return false;
}
