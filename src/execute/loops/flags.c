/* Loops that a flag ends: while (k < n) & (not found).
 *
 * A flag is a condition of its own in the condition of a loop, made false by a step that found something; that step may
 * leave other values as they were, which steps before it all move: `if hit: going = False  else: k += 1`. Up to the
 * last step every step kept the flag, so that values are solved for a body that does,
 *
 *   next'_i = next_i where the flags stay true      closed forms that hold before the last step, of the flags behind it
 * too
 *
 * and after the loop they are what the whole last step makes of them. A flag that is a number (`pos < 0`, `found == 0`)
 * and is kept or replaced is carried as the condition itself; others are left to be solved like any value, if they can
 * be. */
#include "execute/loops/loop.h"

/* The one carried value in a condition; loop->count: there is none, or there are several. */
static uint32_t only_carried(const Loop *loop, Term condition) {
  uint32_t found = loop->count;
  for (uint32_t i = 0; i < loop->count; i++) {
    if (!loop_mentions(loop, condition, i)) continue;
    if (found < loop->count) return loop->count;
    found = i;
  }
  return found;
}

static bool may_stay(TermTable *tt, Term next, Term self) {
  if (term_kind(tt, next) != TERM_SELECT) return next == self;
  return may_stay(tt, term_arg(tt, next, 1), self) || may_stay(tt, term_arg(tt, next, 2), self);
}

/* The condition of the value `next` in place of `self`, by cases. */
static Term condition_of(TermTable *tt, Term condition, Term self, Term next, Term given) {
  if (term_kind(tt, next) != TERM_SELECT)
    return term_assume(tt, term_substitute(tt, condition, (TermMap){1, &self, &next}), given);
  Term c = term_arg(tt, next, 0), yes = condition_of(tt, condition, self, term_arg(tt, next, 1), given),
       no = condition_of(tt, condition, self, term_arg(tt, next, 2), given);
  return term_or(tt, term_and(tt, c, yes), term_and(tt, term_not(tt, c), no));
}

/* A body runs where the condition holds. */
static void assume_all(Loop *loop, Term condition) {
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    c->next = term_assume(loop->tt, c->next, condition);
    c->step = term_assume(loop->tt, c->step, condition);
    c->made_again = term_assume(loop->tt, c->made_again, condition);
  }
}

/* The condition as a value of its own, which is `next` after a step. */
static Term carry_condition(Loop *loop, uint32_t of, Term condition, Term next) {
  TermTable *tt = loop->tt;
  Carried *c = &loop->carried[loop->count++];
  const Carried *flag = &loop->carried[of];
  *c = (Carried){.arg = flag->arg, .place = flag->place, .next = next, .step = next, .made_again = next};
  c->init = term_substitute(tt, condition, (TermMap){1, &flag->self, &flag->init});
  c->symbol = term_symbol_fresh(tt, "carry", SORT_BOOL, SYMBOL_CARRY);
  c->self = term_read(tt, c->symbol, SORT_BOOL, 0, NULL);
  return c->self;
}

Term loop_find_flags(Loop *loop, Term condition, bool bools) {
  TermTable *tt = loop->tt;
  bool several = term_kind(tt, condition) == TERM_AND, is_flag[MAX_CARRIED] = {false};
  uint32_t n = several ? term_count(tt, condition) : 1, values = loop->count;
  Term stays = tt->true_, carried = tt->true_;
  assume_all(loop, condition);
  for (uint32_t k = 0; k < n; k++) {
    Term part = several ? term_arg(tt, condition, k) : condition;
    uint32_t i = only_carried(loop, part);
    const Carried *c = &loop->carried[i];
    if (several && i < values && !c->rank && !c->base && !c->block && loop->count < MAX_CARRIED) {
      Term next = condition_of(tt, part, c->self, c->next, condition);
      if (term_sort(tt, c->self) == SORT_BOOL) {
        if (bools) is_flag[i] = true, stays = term_and(tt, stays, next);
      } else if ((bools || term_kind(tt, part) == TERM_LE) && term_sort(tt, c->self) == SORT_INT &&
                 may_stay(tt, c->next, c->self) && !loop_mentions(loop, next, i)) {
        stays = term_and(tt, stays, next);
        part = carry_condition(loop, i, part, next);
      }
    }
    carried = term_and(tt, carried, part);
  }
  for (uint32_t i = 0; i < values && stays != tt->true_; i++) {
    Carried *c = &loop->carried[i];
    Term next = term_assume(tt, c->next, stays);
    if (is_flag[i] || next == c->next) continue;
    c->last = c->step;
    c->next = next, c->step = term_assume(tt, c->step, stays), c->made_again = term_assume(tt, c->made_again, stays);
  }
  return carried;
}

/* t after the loop, over the carried values. */
Term loop_after(Loop *loop, Term t) {
  TermTable *tt = loop->tt;
  Term from[MAX_CARRIED], to[MAX_CARRIED], before = term_sub(tt, loop->trips, tt->one);
  uint32_t n = 0;
  for (uint32_t i = 0; i < loop->count; i++) {
    const Carried *c = &loop->carried[i];
    if (!c->last || !loop_mentions(loop, t, i)) continue;
    from[n] = c->self;
    to[n++] = term_select(tt, term_le(tt, loop->trips, tt->zero), c->init,
                          term_replace(tt, loop_with_closed(loop, c->last), loop->t, before));
  }
  t = term_substitute(tt, t, (TermMap){n, from, to});
  return term_replace(tt, loop_with_closed(loop, t), loop->t, loop->trips);
}
