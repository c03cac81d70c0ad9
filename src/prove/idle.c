/* Programs beyond the least grid that covers the output.
 *
 * A launch may have more programs than there is work for: masks, early returns or loops without an iteration leave the
 * others idle. Then the least grid is a lower bound, and no equation, of what is claimed of values: the others store
 * nothing. Of bounds and divisions too, if they access and divide nothing either, as far as their own index arithmetic
 * does not wrap, which would make them take part again. */
#include "prove/prove_internal.h"

static bool excludes(Prover *p, Term condition, Term pid, Term count, Term most) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  if (most) equal_push(tt, term_lt(tt, pid, most));
  equal_push(tt, condition);
  bool idle = true; /* pid < min(a, b) is pid < a and pid < b */
  for (uint32_t i = 0; i < (term_kind(tt, count) == TERM_MIN ? term_count(tt, count) : 1) && idle; i++)
    idle = equal_prove_true(tt, term_lt(tt, pid, term_kind(tt, count) == TERM_MIN ? term_arg(tt, count, i) : count));
  term_pop_facts(tt, facts);
  return idle;
}

/* True if the condition holds of no program with an id of `count` or more, and less than `most` (0: any). One conjunct
 * may say so, which others would only hide. */
static bool is_idle_where(Prover *p, Term condition, Term pid, Term count, Term most) {
  bool idle = false;
  for (uint32_t i = 0; term_kind(p->tt, condition) == TERM_AND && i < term_count(p->tt, condition) && !idle; i++) {
    Term part = term_arg(p->tt, condition, i);
    idle = term_has_symbol(p->tt, part, pid) && excludes(p, part, pid, count, most);
  }
  return idle || excludes(p, condition, pid, count, most);
}

/* max(0, n) iterations are some where n is at least 1. */
static Term has_iterations(TermTable *tt, Term trips) {
  Term n = trips;
  if (term_kind(tt, trips) == TERM_MAX && term_count(tt, trips) == 2)
    for (uint32_t i = 0; i < 2; i++)
      if (term_arg(tt, trips, i) == tt->zero) n = term_arg(tt, trips, 1 - i);
  return term_le(tt, tt->one, n);
}

/* An access is made where its mask holds and the loops around it have an iteration. */
static Term made_where(Prover *p, const Access *a) {
  TermTable *tt = p->tt;
  Term where = a->mask;
  for (uint32_t i = 0; i < a->counter_count; i++)
    for (uint32_t k = 0; k < p->ex->loops.count; k++)
      if (p->ex->loops.data[k].counter == a->counters[i] && !p->ex->loops.data[k].go_on)
        where = term_and(tt, where, has_iterations(tt, p->ex->loops.data[k].trips));
  return where;
}

static bool are_idle(Prover *p, bool loads_too, Term pid, Term count, Term most) {
  bool idle = true;
  for (uint32_t i = 0; i < p->ex->accesses.count && idle; i++) {
    const Access *a = &p->ex->accesses.data[i];
    if (a->is_store || loads_too) idle = is_idle_where(p, made_where(p, a), pid, count, most);
  }
  return idle;
}

static bool divide_nothing(Prover *p, Term pid, Term count, Term most) {
  bool good = true;
  for (uint32_t i = 0; i < p->ex->divisions.count && good; i++) {
    const DivisionNeed *d = &p->ex->divisions.data[i];
    bool differs = term_has_symbol(p->tt, d->divisor, pid) || term_has_symbol(p->tt, d->path, pid) || d->is_statement;
    good = !differs || is_idle_where(p, d->path, pid, count, most);
  }
  return good;
}

static bool asks_for_grid(const Prover *p) {
  for (OpId id = p->ex->extent.first_op; id < p->ex->extent.end_op; id++)
    if (program_get_op(p->ex->program, id)->code == OP_TT_GET_NUM_PROGRAMS) return true;
  return false;
}

/* The greatest value over program ids, lanes and counters, as a term over sizes and grids; 0: not known. */
static Term greatest(Prover *p, Term t, Term pid, Term grid, uint32_t depth) {
  TermTable *tt = p->tt;
  TermList symbols = {0};
  if (depth > 16) return 0;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = symbols.count; i-- > 0;) {
    Term v = symbols.data[i], by = 0;
    SymbolRole role = term_symbol(tt, v)->role;
    if (role != SYMBOL_PID && role != SYMBOL_LANE && role != SYMBOL_COUNTER && role != SYMBOL_INDEX) continue;
    Term step = term_sub(tt, term_replace(tt, t, v, term_add(tt, v, tt->one)), t);
    if (term_prove_le(tt, tt->zero, step))
      by = v == pid ? term_sub(tt, grid, tt->one) : term_symbol(tt, v)->hi;
    else if (term_prove_le(tt, step, tt->zero))
      by = term_symbol(tt, v)->lo;
    return by ? greatest(p, term_replace(tt, t, v, by), pid, grid, depth + 1) : 0;
  }
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF) ? 0 : t;
}

/* With the numbers of the sample; false: they do not say. */
static bool number_in_sample(Prover *p, Term t, Int128 *number) {
  TermTable *tt = p->tt;
  const ExecuteOptions *options = &p->ex->options;
  for (uint32_t i = 0; i < p->ex->params.count && options->samples; i++)
    if (options->samples[i].is_known)
      t = term_replace(tt, t, p->ex->params.data[i].symbol, term_int(tt, options->samples[i].value));
  for (uint32_t i = 0; i < 3; i++)
    if (options->grid_sample[i]) t = term_replace(tt, t, p->ex->grid[i], term_int(tt, options->grid_sample[i]));
  if (!term_is_rat(tt, t) || term_rat(tt, t).den != 1) return false;
  *number = term_rat(tt, t).num;
  return true;
}

/* Arithmetic of a loop that idle programs do not enter. */
static bool is_in_idle_loop(Prover *p, Term exact, Term pid, Term count, Term most) {
  for (uint32_t i = 0; i < p->ex->loops.count; i++) {
    const LoopRecord *loop = &p->ex->loops.data[i];
    if (!loop->go_on && term_has_symbol(p->tt, exact, loop->counter) &&
        is_idle_where(p, has_iterations(p->tt, loop->trips), pid, count, most))
      return true;
  }
  return false;
}

/* A term as it is in programs with an id of `count` or more, and less than `most`. */
static Term in_idle_programs(Prover *p, Term t, Term pid, Term count, Term most) {
  TermTable *tt = p->tt;
  uint32_t facts = tt->facts.count;
  bool is_min = term_kind(tt, count) == TERM_MIN && term_count(tt, count) == 2;
  for (uint32_t i = 0; i < 2 && is_min && most; i++)
    if (term_arg(tt, count, i) == most) count = term_arg(tt, count, 1 - i);
  equal_push(tt, term_le(tt, count, pid));
  t = term_rebuild(tt, t);
  term_pop_facts(tt, facts);
  return t;
}

/* Index arithmetic of all programs of the sample stays in its type: what that asks of launches is a text. */
static bool note_ranges(Prover *p, Assumption *a, Term pid, Term grid, Term count) {
  TermTable *tt = p->tt;
  for (uint32_t i = 0; i < p->ex->ranges.count; i++) {
    const RangeNeed *need = &p->ex->ranges.data[i];
    Int128 half = (Int128)1 << (need->width - 1), number;
    Term most = term_new_rat(tt, (Rational){half - 1, 1}), least = term_new_rat(tt, (Rational){-half, 1});
    if (!term_has_symbol(tt, need->exact, pid) || is_in_idle_loop(p, need->exact, pid, count, a->most_programs) ||
        is_idle_where(p, need->path, pid, count, a->most_programs))
      continue;
    Term exact = in_idle_programs(p, need->exact, pid, count, a->most_programs);
    if (!term_prove_le(tt, tt->zero, exact) && !term_prove_le(tt, least, exact)) return false;
    if (term_prove_le(tt, exact, need->width > 32 ? term_int(tt, INT32_MAX) : most)) continue; /* as a remainder does */
    Term top = greatest(p, exact, pid, grid, 0);
    if (!top) return false;
    if (term_prove_le(tt, top, most)) continue;
    if (!number_in_sample(p, top, &number) || number >= half) return false;
    array_push(p->arena, &a->ranges, arena_format(p->arena, "%s <= %s", term_message(tt, top), term_message(tt, most)));
  }
  return true;
}

/* Of a persistent kernel, min(8, tiles) programs, more are idle up to the number by which programs go through the
 * tiles. */
void prove_idle_programs(Prover *p, Assumption *a, Term grid, Term count) {
  Term pid = 0;
  uint32_t axis = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (p->ex->grid[i] == grid) pid = p->ex->pid[i], axis = i;
  a->more_is_idle = a->is_enough = a->is_harmless = false, a->most_programs = 0, a->ranges.count = 0;
  if (!pid || asks_for_grid(p)) return;
  a->more_is_idle = are_idle(p, false, pid, count, 0);
  for (uint32_t i = 0; term_kind(p->tt, count) == TERM_MIN && !a->more_is_idle && i < term_count(p->tt, count); i++) {
    int64_t number;
    Term most = term_arg(p->tt, count, i);
    if (!term_is_int(p->tt, most, &number)) continue;
    a->more_is_idle = are_idle(p, false, pid, count, most), a->most_programs = most;
  }
  a->is_enough = a->more_is_idle && p->ex->options.grid_sample[axis] && note_ranges(p, a, pid, grid, count);
  a->is_harmless = a->is_enough && are_idle(p, true, pid, count, a->most_programs) &&
                   divide_nothing(p, pid, count, a->most_programs);
}
