/* A bound on the number of iterations of a loop whose values have no closed form.
 *
 * A condition e <= 0 over integers is a measure m = 1 - e, at least 1 while it holds. If a step that leaves the loop
 * going makes it smaller, the loop ends after m at its start; if it halves it, after as many iterations as m has
 * digits. What a step does to m is shown by cases over the choices in it, from the condition and from bounds on values
 * that are shown to hold all along. */
#include "execute/loops/loop.h"

enum { MOST_CHOICES = 6 };

static Term choice_in(TermTable *tt, Term t, uint32_t depth) {
  if (term_kind(tt, t) == TERM_SELECT) return term_arg(tt, t, 0);
  Term found = 0;
  for (uint32_t i = 0;
       i < term_count(tt, t) && !found && depth < 40 && term_kind(tt, t) != TERM_FOLD && term_kind(tt, t) != TERM_RECUR;
       i++)
    found = choice_in(tt, term_arg(tt, t, i), depth + 1);
  return found;
}

static void push(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) == TERM_AND)
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++) term_push_fact(tt, term_arg(tt, condition, i));
  else if (condition != tt->true_)
    term_push_fact(tt, condition);
}

/* The claim where `given`, by cases. */
static bool is_shown(TermTable *tt, Term claim, Term given, uint32_t choices) {
  if (given == tt->false_ || claim == tt->true_) return true;
  uint32_t facts = tt->facts.count;
  push(tt, given);
  bool good = term_prove_true(tt, term_rebuild(tt, claim));
  term_pop_facts(tt, facts);
  Term c = good || choices == MOST_CHOICES ? 0 : choice_in(tt, claim, 0);
  if (!c && !good && choices < MOST_CHOICES) c = choice_in(tt, given, 0);
  if (good || !c) return good;
  good = true;
  for (int yes = 0; yes < 2 && good; yes++) {
    Term side = yes ? c : term_not(tt, c);
    push(tt, side);
    good = is_shown(tt, term_assume(tt, claim, side), term_assume(tt, given, side), choices + 1);
    term_pop_facts(tt, facts);
  }
  return good;
}

/* t after a step. */
static Term after_step(Loop *loop, Term t) {
  Term from[MAX_CARRIED], to[MAX_CARRIED];
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count; i++)
    if (!loop->carried[i].rank) from[n] = loop->carried[i].self, to[n++] = loop->carried[i].next;
  return term_substitute(loop->tt, t, (TermMap){n, from, to});
}

static Term at_start(Loop *loop, Term t) {
  Term from[MAX_CARRIED], to[MAX_CARRIED];
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count; i++) from[n] = loop->carried[i].self, to[n++] = loop->carried[i].init;
  return term_substitute(loop->tt, t, (TermMap){n, from, to});
}

enum { KINDS = 3 };

/* What may hold of a value in all steps: that it is not negative, or never above or below what it begins with. */
static Term candidate(TermTable *tt, const Carried *c, uint32_t kind, Term value) {
  if (kind == 0) return term_le(tt, tt->zero, value);
  return kind == 1 ? term_le(tt, value, c->init) : term_le(tt, c->init, value);
}

/* What holds of the values at the start, and after a step if it did before it and the condition does. */
static Term find_invariant(Loop *loop, Term condition) {
  TermTable *tt = loop->tt;
  bool holds[MAX_CARRIED][KINDS] = {{false}}, changed = true;
  Term all = tt->true_;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    if (term_sort(tt, c->self) != SORT_INT || c->rank || c->base || c->block || c->next == c->self) continue;
    for (uint32_t k = 0; k < KINDS; k++) holds[i][k] = k || term_prove_le(tt, tt->zero, c->init);
  }
  while (changed) {
    changed = false, all = tt->true_;
    for (uint32_t i = 0; i < loop->count; i++)
      for (uint32_t k = 0; k < KINDS; k++)
        if (holds[i][k]) all = term_and(tt, all, candidate(tt, &loop->carried[i], k, loop->carried[i].self));
    push(tt, all);
    for (uint32_t i = 0; i < loop->count; i++)
      for (uint32_t k = 0; k < KINDS; k++) {
        const Carried *c = &loop->carried[i];
        if (!holds[i][k] || is_shown(tt, candidate(tt, c, k, c->next), condition, 0)) continue;
        holds[i][k] = false, changed = true;
      }
    term_pop_facts(tt, facts);
  }
  return all;
}

/* 2^digits - 1 >= m: the least digits of those that numbers have; 0: more. */
static Term count_digits(TermTable *tt, Term m) {
  static const int widths[] = {7, 8, 15, 16, 31, 32, 33, 63, 64, 65};
  for (uint32_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    Int128 most = ((Int128)1 << widths[i]) - 1;
    if (term_prove_le(tt, m, term_new_rat(tt, (Rational){most, 1}))) return term_int(tt, widths[i]);
  }
  return 0;
}

/* 1 - e of e <= 0 over integers; 0: the condition is none. */
static Term measure_of(TermTable *tt, Term condition) {
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return 0;
  return term_sub(tt, tt->one, term_arg(tt, condition, 0));
}

Term loop_bound_steps(Loop *loop, Term condition, Term *invariant) {
  TermTable *tt = loop->tt;
  bool several = term_kind(tt, condition) == TERM_AND;
  uint32_t n = several ? term_count(tt, condition) : 1, facts = tt->facts.count;
  Term bound = 0, then = after_step(loop, condition), sum = tt->zero;
  *invariant = find_invariant(loop, condition);
  push(tt, *invariant);
  push(tt, condition);
  for (uint32_t k = 0; k < n && !bound; k++) {
    Term part = several ? term_arg(tt, condition, k) : condition;
    Term m = measure_of(tt, part), next = m ? after_step(loop, m) : 0, start = m ? at_start(loop, m) : 0;
    if (!m || next == m) continue;
    sum = term_add(tt, sum, term_sub(tt, m, tt->one));
    if (is_shown(tt, term_le(tt, term_scale(tt, rational_int(2), next), m), tt->true_, 0))
      bound = count_digits(tt, start);
    if (!bound && is_shown(tt, term_lt(tt, next, m), then, 0)) bound = start;
  }
  Term both = term_add(tt, sum, tt->one); /* one of several counters moves: the sum of what is left */
  if (!bound && is_shown(tt, term_lt(tt, after_step(loop, both), both), then, 0)) bound = at_start(loop, both);
  term_pop_facts(tt, facts);
  return bound;
}
