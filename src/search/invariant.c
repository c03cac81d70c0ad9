/* Closed forms of recurrences, which are the invariants of their loops.
 *
 * A loop is run for SEARCH_STEPS steps at all sizes: the values before it are symbols, what it reads are elements at
 * numbers. The value after t steps is then a family over t, and is split as any other (top_down.c): into sums over the
 * steps done, and numbers that are sequences (sequence.c). The first value may look otherwise. What is found is a
 * proposal: random evaluation and the prover, by induction on the steps, decide. */
#include <string.h>

#include "laws/fraction.h"
#include "laws/laws.h"
#include "search/family.h"

enum {
  LARGEST = 400, /* nodes of a value, before it is multiplied out */
  WIDEST = 600,  /* summands of what is multiplied out */
  MOST_OPEN = 3  /* 1 more than the first values that are left out */
};

typedef struct Steps {
  Search *s;
  Term recurrence, found;
} Steps;

static uint32_t size_of(Search *s, Term t, Memo *seen) {
  uint32_t n = 1;
  if (memo_find(seen, s->tt, t)) return 0;
  memo_put(seen, s->scratch, s->tt, t, 1);
  for (uint32_t i = 0; i < term_count(s->tt, t); i++) n += size_of(s, term_arg(s->tt, t, i), seen);
  return n;
}

static uint64_t width_of(Search *s, Term t, Memo *seen);

static uint64_t width_of_power(Search *s, Term product, uint32_t i, Memo *seen) {
  Rational e = term_rat(s->tt, term_arg(s->tt, product, i + 1));
  uint64_t base = width_of(s, term_arg(s->tt, product, i), seen), width = 1;
  for (Int128 k = e.num < 0 ? -e.num : e.num; base > 1 && k > 0 && width <= WIDEST; k -= e.den) width *= base;
  return width;
}

/* What a sum is divided by in its summands, and is multiplied by when they get one denominator. */
static uint64_t width_of_denominators(Search *s, Term sum, Memo *seen) {
  uint64_t width = 1;
  for (uint32_t i = 2; i < term_count(s->tt, sum); i += 2) {
    Term part = term_arg(s->tt, sum, i);
    for (uint32_t k = 0; term_kind(s->tt, part) == TERM_MUL && k < term_count(s->tt, part) && width <= WIDEST; k += 2)
      if (term_rat(s->tt, term_arg(s->tt, part, k + 1)).num < 0) width *= width_of_power(s, part, k, seen);
  }
  return width;
}

/* About how many summands the term has when it is multiplied out, or the widest in it; more than WIDEST: too many. */
static uint64_t width_of(Search *s, Term t, Memo *seen) {
  TermTable *tt = s->tt;
  const MemoSlot *known = memo_find(seen, tt, t);
  TermKind kind = term_kind(tt, t);
  uint64_t width = 1;
  if (known) return known->value;
  guard_depth(tt->arena->guard);
  if (kind == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t) && width <= WIDEST; i += 2) width *= width_of_power(s, t, i, seen);
  else if (kind == TERM_ADD) {
    for (uint32_t i = 2; i < term_count(tt, t); i += 2) width += width_of(s, term_arg(tt, t, i), seen);
    if (width <= WIDEST) width *= width_of_denominators(s, t, seen);
  } else
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (width_of(s, term_arg(tt, t, i), seen) > WIDEST) width = WIDEST + 1;
  if (width > WIDEST) width = WIDEST + 1;
  memo_put(seen, s->scratch, tt, t, width);
  return width;
}

/* Values that are no numbers, as symbols of their own. */
static void name_first(Search *s, const RecurParts *p, Term *first) {
  for (uint32_t i = 0; i < p->n; i++) {
    first[i] = p->init[i];
    if (term_is_rat(s->tt, p->init[i])) continue;
    first[i] = term_symbol_fresh(s->tt, "first", term_sort(s->tt, p->init[i]), SYMBOL_SCALAR);
    term_symbol(s->tt, first[i])->axis = SYMBOL_IS_NUMBER | SYMBOL_IS_FINITE;
  }
}

static Term put_even_powers(TermTable *tt, Term t, void *unused) {
  (void)unused;
  if (term_kind(tt, t) != TERM_MUL) return t;
  Term product = tt->one;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term base = term_arg(tt, t, i);
    Rational e = term_rat(tt, term_arg(tt, t, i + 1));
    bool is_even = term_kind(tt, base) == TERM_ABS && e.den == 1 && e.num % 2 == 0;
    product = term_mul(tt, product, term_power(tt, is_even ? term_arg(tt, base, 0) : base, e));
  }
  return product;
}

/* Multiplied out, without quotients of quotients. */
static Term flat(TermTable *tt, Term t) {
  t = term_transform(tt, fraction_flat(tt, t), put_even_powers, NULL);
  return term_flatten(tt, term_normalize(tt, term_expand(tt, t)));
}

/* element[t]: the value after t steps. False: a value of the loop becomes too large, as squares of squares do. */
static bool run(Search *s, const RecurParts *p, const Term *first, Term *element) {
  TermTable *tt = s->tt;
  Term now[RECUR_STATES + 1], from[RECUR_STATES + 1];
  memcpy(from, p->state, sizeof *from * p->n), memcpy(now, first, sizeof *now * p->n);
  from[p->n] = p->index;
  for (int64_t k = 0;; k++) {
    Term next[RECUR_STATES];
    Memo wide = {0};
    element[k] = now[p->which], now[p->n] = term_int(tt, k);
    if (k + 1 == SEARCH_STEPS) return true;
    for (uint32_t i = 0; i < p->n; i++) {
      Memo seen = {0};
      next[i] = term_substitute(tt, p->next[i], (TermMap){p->n + 1, from, now});
      if (size_of(s, next[i], &seen) > LARGEST || width_of(s, next[i], &wide) > WIDEST) return false;
      next[i] = flat(tt, next[i]);
    }
    memcpy(now, next, sizeof *now * p->n);
  }
}

/* The closed form over the symbol t. The first values may look otherwise, and one may be all that does not fit. */
static Term close(Search *s, Term t, Term *element) {
  TermTable *tt = s->tt;
  Family f = {.rank = 1, .cells = SEARCH_STEPS, .element = element};
  Term first = element[0], found = 0;
  f.axis[0] = (SearchAxis){t, t, SEARCH_STEPS};
  for (uint32_t open = 0; open < MOST_OPEN && !found; open++) {
    if (open) element[open - 1] = 0;
    s->steps = 0, s->failed.count = 0;
    found = search_top_down(s, &f);
  }
  if (!found || element[0] || flat(tt, term_replace(tt, found, t, tt->zero)) == first) return found;
  return term_select(tt, term_lt(tt, t, tt->one), first, found);
}

static void close_recurrence(void *payload) {
  Steps *steps = payload;
  Search *s = steps->s;
  TermTable *tt = s->tt;
  RecurParts p = term_recur_open(tt, steps->recurrence);
  Term first[RECUR_STATES], element[SEARCH_STEPS], found, t = term_symbol_fresh(tt, "t", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, t, tt->zero, 0);
  if (p.lanes || term_sort(tt, steps->recurrence) != SORT_REAL) return;
  name_first(s, &p, first);
  if (!run(s, &p, first, element) || !(found = close(s, t, element))) return;
  for (uint32_t i = 0; i < p.n; i++)
    if (first[i] != p.init[i]) found = term_replace(tt, found, first[i], p.init[i]);
  search_note(s, "after t of %s steps: %s", term_text(tt, p.steps), term_text(tt, found));
  steps->found = term_replace(tt, found, t, term_max(tt, p.steps, tt->zero));
}

static Term put_closed(TermTable *tt, Term t, void *payload) {
  Steps steps = {payload, t, 0};
  if (term_kind(tt, t) != TERM_RECUR) return t;
  ArenaMark mark = arena_mark(steps.s->scratch);
  bool done = term_attempt(tt, 1, close_recurrence, &steps); /* numbers may become too large */
  arena_reset(steps.s->scratch, mark);
  return done && steps.found ? steps.found : t;
}

Term search_invariants(Search *s, Term value) {
  s->is_of_steps = true, s->size_count = 0;
  Term found = term_transform(s->tt, value, put_closed, s);
  s->is_of_steps = false;
  return found;
}
