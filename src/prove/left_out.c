/* What the constructors of terms leave out (see left_out.h). */
#include "prove/left_out.h"

enum { MOST_PARTS = 48, MOST_VISITED = 4000 };

/* Divisors and arguments of roots and logarithms below a term. */
typedef struct Parts {
  Term data[MOST_PARTS];
  uint32_t count, visited;
  bool all;
} Parts;

static void add_part(Parts *p, Term t) {
  for (uint32_t i = 0; i < p->count; i++) if (p->data[i] == t) return;
  if (p->count < MOST_PARTS) p->data[p->count++] = t;
  else p->all = false;
}

/* A function that is not defined everywhere. */
static bool is_partial(TermFn fn) {
  return fn == FN_LOG || fn == FN_POW || fn == FN_TAN || fn == FN_ASIN || fn == FN_ACOS || fn == FN_ACOSH || fn == FN_ATANH || fn == FN_ERFINV || fn == FN_LGAMMA || fn == FN_FMOD;
}

static void find_parts(const TermTable *tt, Term t, Parts *p, uint8_t *seen) {
  if (seen[t] || ++p->visited > MOST_VISITED) {
    p->all &= p->visited <= MOST_VISITED;
    return;
  }
  seen[t] = 1;
  if (term_kind(tt, t) == TERM_READ) return;
  if (term_sort(tt, t) == SORT_INT && !(term_node(tt, t)->flags & (TERM_HAS_REAL | TERM_HAS_READ))) return;
  if (term_kind(tt, t) == TERM_MUL)
    for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i + 1));
      if (e.num < 0 || e.den != 1) add_part(p, term_arg(tt, t, i));
    }
  if (term_kind(tt, t) == TERM_FN && is_partial((TermFn)term_aux(tt, t))) add_part(p, term_arg(tt, t, term_aux(tt, t) == FN_FMOD));
  if (term_kind(tt, t) == TERM_FLOORDIV) add_part(p, term_arg(tt, t, 1));
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_parts(tt, term_arg(tt, t, i), p, seen);
}

static Parts parts_of(Arena *arena, const TermTable *tt, uint32_t count, const Term *terms) {
  Parts p = {.all = true};
  ArenaMark mark = arena_mark(arena);
  uint8_t *seen = arena_array(arena, uint8_t, tt->nodes.count + 1);
  for (uint32_t i = 0; i < count; i++) if (terms[i]) find_parts(tt, terms[i], &p, seen);
  arena_reset(arena, mark);
  return p;
}

static bool has_part(const Parts *p, Term t) {
  for (uint32_t i = 0; i < p->count; i++) if (p->data[i] == t) return true;
  return false;
}

static bool is_one_of(const Parts *few, const Parts *many) {
  for (uint32_t i = 0; i < few->count; i++) if (!has_part(many, few->data[i])) return false;
  return few->all && many->all;
}

/* Is the divisor nowhere any more? That of a quotient of reals is in its factors, unless the quotient is 0. */
static bool is_without_divisor(const TermTable *tt, TermStep step, const Parts *kept) {
  if (step.kind != TERM_STEP_QUOTIENT || term_is_rat(tt, step.b) || has_part(kept, step.b)) return false;
  return step.a == tt->zero || term_sort(tt, step.b) == SORT_INT;
}

bool left_out_some(Domain *d, TermStep step) {
  Term both[] = {step.a, step.b}, zero = d->tt->zero;
  Parts parts = parts_of(d->s->arena, d->tt, 2, both), kept = parts_of(d->s->arena, d->tt, 1, &step.result);
  switch (step.kind) { /* an infinity may be left out too */
  case TERM_STEP_QUOTIENT: if (is_without_divisor(d->tt, step, &kept)) return true; break;
  case TERM_STEP_DIFFERENCE: if (step.a == step.b) return true; break;
  case TERM_STEP_PRODUCT: if (step.a == zero || step.b == zero) return true; break;
  case TERM_STEP_SUM: case TERM_STEP_OTHER: break;
  }
  return !is_one_of(&parts, &kept);
}

static bool is_number(Domain *d, Term t) { return !t || (domain_is_defined(d, t) && domain_is_finite(d, t)); }

bool left_out_is_defined(Domain *d, TermStep step) {
  bool good = is_number(d, step.a) && is_number(d, step.b);
  if (good && step.kind == TERM_STEP_QUOTIENT) good = domain_is_nonzero(d, step.b) || domain_blame(d, step.b, "a division by what may be 0");
  if (!good && !d->culprit) domain_blame(d, step.result, "an operation that may be on infinities");
  return good;
}

/* May it be 0 by a choice, so that a proof by cases takes the product with it for 0? */
static bool may_choose_zero(const TermTable *tt, Term t, uint32_t *steps) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT || kind == TERM_MAX || kind == TERM_MIN || ++*steps > MOST_VISITED) return true;
  if (kind == TERM_READ || !(term_node(tt, t)->flags & TERM_HAS_READ)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++) if (may_choose_zero(tt, term_arg(tt, t, i), steps)) return true;
  return false;
}

/* Is t in the value? `asked`: for each element of it, and not only where a select chooses it. */
static bool is_in(const TermTable *tt, Term value, Term t, bool asked, uint32_t *steps) {
  if (value == t) return true;
  if (term_kind(tt, value) == TERM_READ || ++*steps > MOST_VISITED) return false;
  uint32_t count = asked && term_kind(tt, value) == TERM_SELECT ? 1 : term_count(tt, value);
  for (uint32_t i = 0; i < count; i++) if (is_in(tt, term_arg(tt, value, i), t, asked, steps)) return true;
  return false;
}

static bool is_in_one(const TermTable *tt, const TermList *values, Term t, bool asked) {
  uint32_t steps = 0;
  for (uint32_t i = 0; i < values->count; i++) if (values->data[i] && is_in(tt, values->data[i], t, asked, &steps)) return true;
  return false;
}

/* Of a product with a factor that may be 0 by a choice: may the other one be no number where that is 0, and the left asks for none? */
static bool hides_other(Domain *d, TermStep step, Term chosen, Term other, const TermList *left) {
  TermTable *tt = d->tt;
  bool divides = step.kind == TERM_STEP_QUOTIENT && other == step.b;
  uint32_t steps = 0;
  if (!(term_node(tt, other)->flags & TERM_HAS_READ) || !may_choose_zero(tt, chosen, &steps)) return false;
  Parts parts = parts_of(d->s->arena, tt, 1, &other);
  if (divides) add_part(&parts, other);
  bool good = parts.all;
  for (uint32_t i = 0; i < parts.count && good; i++) good = !(term_node(tt, parts.data[i])->flags & TERM_HAS_READ) || is_in_one(tt, left, parts.data[i], true);
  if (good || is_in_one(tt, left, step.result, false)) return false;
  return !domain_is_defined(d, other) || (divides && !domain_is_nonzero(d, other) && !domain_blame(d, other, "a division by what may be 0"));
}

static bool hides_some(Domain *d, TermStep step, const TermList *left) {
  if (step.kind != TERM_STEP_PRODUCT && step.kind != TERM_STEP_QUOTIENT) return false;
  return hides_other(d, step, step.a, step.b, left) || (step.kind == TERM_STEP_PRODUCT && hides_other(d, step, step.b, step.a, left));
}

/* Integers: domain.c takes them to be numbers. */
static bool divides_by_zero(Domain *d, const Parts *parts, const Parts *kept) {
  for (uint32_t i = 0; i < parts->count; i++) {
    Term t = parts->data[i];
    if (term_sort(d->tt, t) != SORT_INT || has_part(kept, t) || !(term_node(d->tt, t)->flags & TERM_HAS_READ)) continue;
    if (!domain_is_nonzero(d, t)) return domain_blame(d, t, "a division by what may be 0"), true;
  }
  return false;
}

/* Is something left out that neither value asks for? */
static bool loses_some(Domain *d, TermStep step, const Parts *known) {
  if (!left_out_some(d, step)) return false;
  Term both[] = {step.a, step.b};
  Parts parts = parts_of(d->s->arena, d->tt, 2, both), here = parts_of(d->s->arena, d->tt, 1, &step.result);
  if ((parts.count || term_sort(d->tt, step.a) == SORT_INT) && is_one_of(&parts, known) && !is_without_divisor(d->tt, step, known)) return false;
  return !left_out_is_defined(d, step) || divides_by_zero(d, &parts, &here);
}

const char *left_out_of_steps(Arena *arena, TermTable *tt, const TermSteps *steps, const TermList *right, const TermList *left) {
  Execution none = {.tt = tt};
  Recovery on = {.ex = &none};
  Safety s = {.arena = arena, .tt = tt, .on = &on, .report = &on};
  TermList both = {0};
  for (uint32_t i = 0; i < right->count; i++) array_push(arena, &both, right->data[i]);
  for (uint32_t i = 0; i < left->count; i++) array_push(arena, &both, left->data[i]);
  Parts known = parts_of(arena, tt, both.count, both.data);
  for (uint32_t i = 0; i < steps->count; i++) {
    Domain d = {.s = &s, .tt = tt, .assumes_nothing = true};
    guard_tick(arena->guard);
    if (loses_some(&d, steps->data[i], &known) || hides_some(&d, steps->data[i], left)) return arena_format(arena, "%s: %.160s", d.why, term_text(tt, d.culprit));
  }
  return NULL;
}
