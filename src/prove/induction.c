/* Loops by induction on the counter t: the closed form of every carried value holds at t = 0, and one run of the body
 * takes the closed forms at t to the closed forms at t + 1. The closed forms are hints; what they replace is what
 * the body was executed on. */
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

static const char *value_name(const Prover *p, const LoopValue *v) {
  const char *name = program_arg_name(p->ex->program, v->arg);
  return name ? name : "a carried value";
}

static bool prove_loop(Prover *p, LoopRecord *loop) {
  TermTable *tt = p->tt;
  const char *where = execute_where(p->ex, loop->op);
  bool good = true;
  for (uint32_t i = 0; i < loop->values.count && good; i++) {
    const LoopValue *v = &loop->values.data[i];
    Term start = term_replace(tt, v->closed, loop->counter, tt->zero);
    good = prove_equal(p, v->init, start, "loop at %s: %s starts as its invariant says (initial)", where, value_name(p, v));
    if (!good) break;
    /* the counter runs from 0 while iterations are left */
    Term end = term_add(tt, loop->counter, tt->one);
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, term_lt(tt, loop->counter, loop->trips));
    Term step = term_transform(tt, v->step, put_closed, loop);
    Term after = term_replace(tt, v->closed, loop->counter, end);
    good = prove_step(p, step, after, end, "loop at %s: one iteration keeps the invariant of %s (step)", where, value_name(p, v));
    term_pop_facts(tt, facts);
  }
  if (good && loop->go_on) {
    Term last = term_symbol(tt, loop->counter)->hi; /* while it is known, the condition is true by itself: at trips it is not */
    term_symbol_range(tt, loop->counter, tt->zero, 0);
    Term go_on = term_transform(tt, loop->go_on, put_closed, loop), stop = term_not(tt, term_replace(tt, go_on, loop->counter, loop->trips));
    term_symbol_range(tt, loop->counter, tt->zero, last);
    uint32_t facts = tt->facts.count;
    term_push_fact(tt, term_lt(tt, loop->counter, loop->trips));
    good = term_assume(tt, go_on, tt->true_) == tt->true_ || term_prove_true(tt, term_rebuild(tt, go_on));
    term_pop_facts(tt, facts);
    good = prove_goal(p, good && term_prove_true(tt, stop), EQUAL_NONE, "loop at %s: it ends after %s iterations (exit)", where, term_text(tt, loop->trips));
  }
  return good;
}

bool prove_loops(Prover *p) {
  bool good = true;
  for (uint32_t i = 0; i < p->ex->loops.count && good; i++) good = prove_loop(p, &p->ex->loops.data[i]);
  return good;
}
