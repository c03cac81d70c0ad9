/* Loops by induction on the counter t: the closed form of every carried value holds at t = 0, and one run of the body
 * takes the closed forms at t to the closed forms at t + 1. The closed forms are hints; what they replace is what
 * the body was executed on. */
#include "laws/one_point.h"
#include "lift/source_text.h"
#include "prove/prove_internal.h"

/* READs of carried values become their closed forms, at the lanes that are read. */
static Term put_closed(TermTable *tt, Term t, void *payload) {
  const LoopRecord *loop = payload;
  if (term_kind(tt, t) != TERM_READ) return t;
  for (uint32_t i = 0; i < loop->values.count; i++) {
    const LoopValue *v = &loop->values.data[i];
    if (term_arg(tt, t, 0) != v->symbol) continue;
    Term at[TYPE_MAX_RANK];
    for (uint32_t k = 0; k < v->rank; k++) at[k] = term_arg(tt, t, k + 1);
    return v->rank ? term_substitute(tt, v->closed, (TermMap){v->rank, v->lanes, at}) : v->closed;
  }
  return t;
}

/* ---- the exit of a loop ---- */

static Term part_of(const TermTable *tt, Term t, TermKind kind, uint32_t i) {
  return term_kind(tt, t) == kind ? term_arg(tt, t, i) : t;
}
static uint32_t parts_of(const TermTable *tt, Term t, TermKind kind) {
  return term_kind(tt, t) == kind ? term_count(tt, t) : 1;
}

/* min[lo <= k < hi, g(k)](k + after), the first k that is searched for, or the step behind it. */
typedef struct Search {
  FoldParts fold;
  bool after;
} Search;

static bool is_search(TermTable *tt, Term t, Search *s) {
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) != FOLD_MIN) return false;
  s->fold = term_fold_open(tt, t);
  s->after = s->fold.body == term_add(tt, s->fold.symbol, tt->one);
  return s->after || s->fold.body == s->fold.symbol;
}

/* lo <= k < hi and g(k) */
static Term is_hit(TermTable *tt, const FoldParts *f, Term k) {
  Term range = term_and(tt, term_le(tt, f->lo, k), term_lt(tt, k, f->hi));
  return term_and(tt, range, term_replace(tt, f->guard, f->symbol, k));
}

/* What is known at a counter below the first hit: it is none, or none is before it. */
static Term no_hit_yet(TermTable *tt, const Search *s, Term counter) {
  if (!s->after) return term_not(tt, is_hit(tt, &s->fold, counter));
  Term j = term_symbol_range(tt, term_symbol_fresh(tt, "j", SORT_INT, SYMBOL_INDEX), tt->zero,
                             term_sub(tt, counter, tt->one));
  Term all = term_fold(tt, FOLD_ALL, j, tt->zero, counter, tt->true_, term_not(tt, is_hit(tt, &s->fold, j)));
  return term_and(tt, all,
                  term_not(tt, term_fold(tt, FOLD_ANY, j, tt->zero, counter, tt->true_, is_hit(tt, &s->fold, j))));
}

/* The condition is false at that end of the loop, where `given`. */
static bool stops_at(TermTable *tt, Term go_on, Term counter, Term end, Term given) {
  uint32_t facts = tt->facts.count;
  Term there = term_replace(tt, go_on, counter, end);
  if (term_prove_true(tt, term_not(tt, there))) return true;
  equal_push(tt, given);
  there = term_rebuild(tt, there);
  bool good = term_assume(tt, there, given) == tt->false_; /* as the search has it */
  if (!good) there = term_assume(tt, equal_peel(tt, there, end), given);
  good = good || there == tt->false_ || term_prove_true(tt, term_not(tt, there));
  term_pop_facts(tt, facts);
  return good;
}

/* The loop ends at max(0, min(bounds and searches)): wherever that minimum is attained, and nowhere before. A search
 * that finds nothing is infinite, and another argument is the least; one at least is no search. */
static bool is_exit(TermTable *tt, Term go_on, Term counter, Term trips) {
  Term end = 0;
  for (uint32_t i = 0; i < parts_of(tt, trips, TERM_MAX); i++) { /* max(0, end) */
    Term x = part_of(tt, trips, TERM_MAX, i);
    if (x == tt->zero) continue;
    if (end) return false;
    end = x;
  }
  if (!end) return false;
  uint32_t facts = tt->facts.count;
  bool bounded = false, stops = true;
  for (uint32_t i = 0; i < parts_of(tt, end, TERM_MIN) && stops; i++) {
    Term x = part_of(tt, end, TERM_MIN, i);
    Search s;
    if (!is_search(tt, x, &s)) {
      bounded = true;
      stops = stops_at(tt, go_on, counter, term_max(tt, x, tt->zero), tt->true_);
      continue;
    }
    Term hit = s.fold.symbol,
         at = s.after ? term_add(tt, hit, tt->one) : hit; /* the symbol is in the range of the fold */
    stops = term_prove_le(tt, tt->zero, s.fold.lo) && stops_at(tt, go_on, counter, at, s.fold.guard);
  }
  if (!bounded || !stops) return false;
  term_push_fact(tt, term_lt(tt, counter, trips));
  for (uint32_t i = 0; i < parts_of(tt, end, TERM_MIN); i++) {
    Search s;
    Term x = part_of(tt, end, TERM_MIN, i);
    if (is_search(tt, x, &s))
      equal_push(tt, no_hit_yet(tt, &s, counter));
    else
      term_push_fact(tt, term_lt(tt, counter, x));
  }
  Term there = term_rebuild(tt, go_on);
  for (uint32_t i = facts; i < tt->facts.count; i++) there = term_assume(tt, there, tt->facts.data[i]);
  bool goes_on = there == tt->true_ || term_prove_true(tt, there);
  term_pop_facts(tt, facts);
  return goes_on;
}

static Term find_choice(TermTable *tt, Term t, void *found) {
  if (!*(Term *)found && term_kind(tt, t) == TERM_SELECT) *(Term *)found = term_arg(tt, t, 0);
  return t;
}

/* Where the condition does not hold, the end is reached: it holds before that. */
static bool ends_without(TermTable *tt, Term go_on, Term counter, Term trips) {
  uint32_t facts = tt->facts.count;
  equal_push(tt, term_not(tt, go_on));
  bool good = term_prove_le(tt, trips, counter);
  term_pop_facts(tt, facts);
  return good;
}

/* The condition goes on before the end, and stops there; by the cases of a choice in the end, if need be. */
static bool is_end(TermTable *tt, Term go_on, Term stop, Term counter, Term trips, uint32_t depth) {
  uint32_t facts = tt->facts.count;
  Term choice = 0;
  term_push_fact(tt, term_lt(tt, counter, trips));
  bool goes_on = term_assume(tt, go_on, tt->true_) == tt->true_ || term_prove_true(tt, term_rebuild(tt, go_on));
  term_pop_facts(tt, facts);
  goes_on = goes_on || ends_without(tt, go_on, counter, trips);
  if ((goes_on && term_prove_true(tt, stop)) || is_exit(tt, go_on, counter, trips)) return true;
  if (depth) term_transform(tt, trips, find_choice, &choice);
  if (!choice || term_node(tt, choice)->free_mask >> 48 || term_has_symbol(tt, choice, counter)) return false;
  bool good = true;
  for (int side = 0; side < 2 && good; side++) {
    Term given = side ? term_not(tt, choice) : choice, last = term_symbol(tt, counter)->hi;
    equal_push(tt, given);
    term_symbol_range(tt, counter, tt->zero, 0); /* as below */
    Term on = term_assume(tt, go_on, given), off = term_assume(tt, stop, given);
    term_symbol_range(tt, counter, tt->zero, last);
    good = is_end(tt, on, off, counter, term_assume(tt, trips, given), depth - 1);
    term_pop_facts(tt, facts);
  }
  return good;
}

/* ---- contents of tensors ---- */

typedef struct Written {
  Term place, counter, at;
} Written;

static Term find_written(TermTable *tt, Term t, void *payload) {
  Written *w = payload;
  if (term_kind(tt, t) != TERM_SELECT || w->at) return t;
  Term at = one_point_root(tt, term_arg(tt, t, 0), w->place);
  if (at && term_has_symbol(tt, at, w->counter) && !term_has_symbol(tt, at, w->place)) w->at = at;
  return t;
}

/* The step of a content, at the place that the iteration writes, before it and behind it: there the place is a symbol
 * of its own no more, so that what is read before it and behind it is seen to be. */
static bool prove_places(TermTable *tt, const LoopRecord *loop, Term place, Term step, Term after, Term end) {
  Written w = {place, loop->counter, 0};
  term_transform(tt, step, find_written, &w);
  Term at = w.at;
  if (!at) return false;
  Term here = term_rebuild(tt, term_replace(tt, step, place, at));
  if (!equal_prove_step(tt, here, term_rebuild(tt, term_replace(tt, after, place, at)), end)) return false;
  Term side[] = {term_lt(tt, place, at), term_lt(tt, at, place)};
  bool good = true;
  for (int i = 0; i < 2 && good; i++) {
    uint32_t facts = tt->facts.count;
    equal_push(tt, side[i]);
    Term x = term_assume(tt, term_rebuild(tt, step), side[i]), y = term_assume(tt, term_rebuild(tt, after), side[i]);
    good = equal_prove_step(tt, x, y, end) != EQUAL_NONE;
    term_pop_facts(tt, facts);
  }
  return good;
}

static bool prove_loop(Prover *p, LoopRecord *loop) {
  TermTable *tt = p->tt;
  const char *where = execute_where(p->ex, loop->op);
  bool good = true;
  for (uint32_t i = 0; i < loop->values.count && good; i++) {
    const LoopValue *v = &loop->values.data[i];
    Term start = term_replace(tt, v->closed, loop->counter, tt->zero);
    good = prove_equal(p, v->init, start, "loop at %s: %s starts as its invariant says (initial)", where,
                       source_carried(p->ex, v));
    if (!good) break;
    /* the counter runs from 0 while iterations are left */
    Term end = term_add(tt, loop->counter, tt->one);
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, term_lt(tt, loop->counter, loop->trips));
    Term step = term_transform(tt, v->step, put_closed, loop);
    Term after = term_replace(tt, v->closed, loop->counter, end);
    bool shown = false;
    for (uint32_t k = 0; v->content && k < v->rank && !shown; k++)
      shown = prove_places(tt, loop, v->lanes[k], step, after, end);
    if (shown)
      good = prove_goal(p, true, EQUAL_CASES, "loop at %s: one iteration keeps the invariant of %s (step)", where,
                        source_carried(p->ex, v));
    else
      good = prove_step(p, step, after, end, "loop at %s: one iteration keeps the invariant of %s (step)", where,
                        source_carried(p->ex, v));
    term_pop_facts(tt, facts);
  }
  if (good && loop->go_on) {
    Term last =
        term_symbol(tt, loop->counter)->hi; /* while it is known, the condition is true by itself: at trips it is not */
    term_symbol_range(tt, loop->counter, tt->zero, 0);
    Term go_on = term_transform(tt, loop->go_on, put_closed, loop),
         stop = term_not(tt, term_replace(tt, go_on, loop->counter, loop->trips));
    term_symbol_range(tt, loop->counter, tt->zero, last);
    good = prove_goal(p, is_end(tt, go_on, stop, loop->counter, loop->trips, 2), EQUAL_NONE,
                      "loop at %s: it ends after %s iterations (exit)", where, term_text(tt, loop->trips));
  }
  return good;
}

bool prove_loops(Prover *p) {
  bool good = true;
  for (uint32_t i = 0; i < p->ex->loops.count && good; i++) good = prove_loop(p, &p->ex->loops.data[i]);
  return good;
}
