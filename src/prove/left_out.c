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

bool left_out_some(Domain *d, TermStep step) {
  Term both[] = {step.a, step.b}, zero = d->tt->zero;
  Parts parts = parts_of(d->s->arena, d->tt, 2, both), kept = parts_of(d->s->arena, d->tt, 1, &step.result);
  switch (step.kind) { /* an infinity may be left out too */
  case TERM_STEP_QUOTIENT: if (step.a == zero && !has_part(&kept, step.b)) return true; break;
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

/* Integers: domain.c takes them to be numbers. */
static bool divides_by_zero(Domain *d, const Parts *parts, const Parts *kept) {
  for (uint32_t i = 0; i < parts->count; i++) {
    Term t = parts->data[i];
    if (term_sort(d->tt, t) != SORT_INT || has_part(kept, t) || !(term_node(d->tt, t)->flags & TERM_HAS_READ)) continue;
    if (!domain_is_nonzero(d, t)) return domain_blame(d, t, "a division by what may be 0"), true;
  }
  return false;
}

const char *left_out_of_steps(Arena *arena, TermTable *tt, const TermSteps *steps, uint32_t count, const Term *kept) {
  Execution none = {.tt = tt};
  Recovery on = {.ex = &none};
  Safety s = {.arena = arena, .tt = tt, .on = &on, .report = &on};
  Parts known = parts_of(arena, tt, count, kept);
  for (uint32_t i = 0; i < steps->count; i++) {
    TermStep step = steps->data[i];
    Domain d = {.s = &s, .tt = tt, .assumes_nothing = true};
    guard_tick(arena->guard);
    if (!left_out_some(&d, step)) continue;
    Term both[] = {step.a, step.b};
    Parts parts = parts_of(arena, tt, 2, both), here = parts_of(arena, tt, 1, &step.result);
    bool is_of_zero = step.kind == TERM_STEP_QUOTIENT && step.a == tt->zero && !has_part(&known, step.b);
    if (parts.count && is_one_of(&parts, &known) && !is_of_zero) continue; /* what it asks for is asked for all the same */
    if (left_out_is_defined(&d, step) && !divides_by_zero(&d, &parts, &here)) continue;
    return arena_format(arena, "%s: %.160s", d.why, term_text(tt, d.culprit));
  }
  return NULL;
}
