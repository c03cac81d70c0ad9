/* All terms of Effects, in one place: what goes through them (a substitution, a count, a printer) says of which parts.
 */
#include "execute/effects.h"

typedef struct Map {
  EffectsVisit visit;
  void *payload;
} Map;

static void one(const Map *m, Term *t) {
  if (*t) *t = m->visit(*t, m->payload);
}

static void several(const Map *m, Term *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) one(m, &terms[i]);
}

static void map_accesses(Effects *e, const Map *m, uint32_t first) {
  for (uint32_t i = first; i < e->accesses.count; i++) {
    Access *a = &e->accesses.data[i];
    one(m, &a->offset), one(m, &a->mask), one(m, &a->value);
  }
}

static void map_old(Effects *e, const Map *m, uint32_t first) {
  for (uint32_t i = first; i < e->accesses.count; i++) one(m, &e->accesses.data[i].old);
}

static void map_needs(Effects *e, const Map *m, EffectsMarks from) {
  for (uint32_t i = from.ranges; i < e->ranges.count; i++)
    one(m, &e->ranges.data[i].exact), one(m, &e->ranges.data[i].path);
  for (uint32_t i = from.divisions; i < e->divisions.count; i++)
    one(m, &e->divisions.data[i].divisor), one(m, &e->divisions.data[i].path);
  for (uint32_t i = from.required; i < e->required.count; i++)
    one(m, &e->required.data[i].condition), one(m, &e->required.data[i].path);
}

static void map_executed(Effects *e, const Map *m, EffectsMarks from) {
  for (uint32_t i = from.executed; i < e->executed.count; i++) {
    ExecutedOp *x = &e->executed.data[i];
    one(m, &x->path), one(m, &x->result), several(m, x->operands, x->operand_count);
  }
  for (uint32_t i = from.regions; i < e->regions.count; i++) {
    RegionNeed *r = &e->regions.data[i];
    several(m, r->a, r->n), several(m, r->b, r->n), several(m, r->result, r->n), several(m, r->lane, r->n);
  }
}

static void map_loops(Effects *e, const Map *m, uint32_t first) {
  for (uint32_t l = first; l < e->loops.count; l++) {
    LoopRecord *loop = &e->loops.data[l];
    one(m, &loop->trips), one(m, &loop->go_on);
    for (uint32_t i = 0; i < loop->values.count; i++) {
      LoopValue *v = &loop->values.data[i];
      one(m, &v->init), one(m, &v->step), one(m, &v->closed);
    }
  }
}

static void map_launch(Effects *e, const Map *m) {
  for (uint32_t i = 0; i < e->sums.count; i++) {
    SumRecord *s = &e->sums.data[i];
    several(m, s->state, s->n), several(m, s->functional, s->n), several(m, s->part, s->n), several(m, s->sum, s->n);
  }
  for (uint32_t i = 0; i < e->grids.count; i++) one(m, &e->grids.data[i].count);
  for (uint32_t i = 0; i < e->lane_bounds.count; i++)
    one(m, &e->lane_bounds.data[i].most), one(m, &e->lane_bounds.data[i].bound);
  several(m, e->assumed.data, e->assumed.count);
  for (uint32_t i = 0; i < e->given.count; i++)
    one(m, &e->given.data[i].condition), one(m, &e->given.data[i].of_contents);
}

void effects_map(Effects *e, uint32_t parts, EffectsMarks from, EffectsVisit visit, void *payload) {
  Map m = {visit, payload};
  if (parts & EFFECTS_ACCESSES) map_accesses(e, &m, from.accesses);
  if (parts & EFFECTS_OLD) map_old(e, &m, from.accesses);
  if (parts & EFFECTS_NEEDS) map_needs(e, &m, from);
  if (parts & EFFECTS_EXECUTED) map_executed(e, &m, from);
  if (parts & EFFECTS_LOOPS) map_loops(e, &m, from.loops);
  if (parts & EFFECTS_LAUNCH) map_launch(e, &m);
}

typedef struct Replacement {
  TermTable *tt;
  Term from, to;
} Replacement;

static Term replace(Term t, void *payload) {
  const Replacement *r = payload;
  return term_replace(r->tt, t, r->from, r->to);
}

void effects_replace(Effects *e, uint32_t parts, Term from, Term to) {
  Replacement r = {e->tt, from, to};
  effects_map(e, parts, (EffectsMarks){0}, replace, &r);
}

static Term rebuild(Term t, void *tt) { return term_rebuild(tt, t); }

void effects_rebuild(Effects *e, uint32_t parts) { effects_map(e, parts, (EffectsMarks){0}, rebuild, e->tt); }
