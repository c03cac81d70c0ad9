/* Launches that are run to be looked at (see visit.h). */
#include "sample/visit.h"

#include <math.h>
#include <string.h>

#include "sample/witness_internal.h"

enum { TRIALS = 48 };
static const uint64_t step_budget = 20000000;
static const double noise = 1e-9; /* relative, of contents */

/* ---- launches ---- */

/* To its end, and nothing was found: then what it leaves is what the kernel computes. */
static bool run_clean(Search *s) { return witness_interpret(s) && !s->run.result.findings.count; }

uint32_t visit_launches(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                        uint32_t most, bool (*visit)(void *payload, const VisitedLaunch *launch), void *payload) {
  Search *s = arena_new(arena, Search);
  uint32_t visited = 0;
  *s = (Search){.arena = arena, .ex = ex, .model = model, .required = required, .pattern = PATTERN_ANY};
  Random draws = {23};
  uint32_t trials = TRIALS + witness_count_sizes(s);
  witness_find_candidates(s);
  witness_find_covers(s);
  for (uint32_t trial = 0; trial < trials && visited < most && s->steps < step_budget; trial++) {
    guard_tick(arena->guard);
    ArenaMark mark = arena_mark(arena);
    s->random = draws;
    witness_draw_values(s, trial);
    draws = s->random;
    s->seed = trial + 1;
    bool goes_on = true;
    if (witness_make_launch(s) && witness_is_covered(s) && run_clean(s)) {
      visited++;
      goes_on = visit(payload, &(VisitedLaunch){&s->run, model, s->values, s->pad, s});
    }
    if (!goes_on) break;
    arena_reset(arena, mark);
  }
  return visited;
}

bool visit_again(const VisitedLaunch *launch, uint64_t seed, WitnessRun *out) {
  Search *s = launch->search;
  const WitnessRun before = s->run;
  WitnessTensor *tensors = arena_array(s->arena, WitnessTensor, before.tensor_count + 1);
  Random random = {seed * 77 + 5};
  for (uint32_t i = 0; i < before.tensor_count; i++) {
    WitnessTensor *t = &tensors[i];
    *t = before.tensors[i];
    t->before = arena_array(s->arena, InterpretCell, t->count + 1);
    t->after = arena_array(s->arena, InterpretCell, t->count + 1);
    for (int64_t e = 0; e < t->count; e++) {
      t->before[e] = before.tensors[i].before[e];
      if (t->is_float) t->before[e].real *= 1 + noise * (2 * random_unit(&random) - 1);
      t->after[e] = t->before[e];
    }
  }
  s->run.tensors = tensors;
  bool good = run_clean(s);
  *out = s->run, s->run = before;
  return good;
}

/* ---- the same launch of another kernel ---- */

static bool has_values(Search *s, const VisitedLaunch *like) {
  for (uint32_t i = 0; i < s->model->names.count; i++) {
    const LaunchName *name = &s->model->names.data[i];
    uint32_t k = 0;
    while (k < like->model->names.count && strcmp(like->model->names.data[k].name, name->name)) k++;
    if (k == like->model->names.count && !name->is_stride) return false;
    s->values[i] = k < like->model->names.count ? like->values[k] : 1;
  }
  return true;
}

bool visit_next(const WitnessTensor *t, int64_t *index) {
  for (uint32_t k = t->rank; k-- > 0; index[k] = 0)
    if (++index[k] < t->extent[k]) return true;
  return false;
}

int64_t visit_offset(const WitnessTensor *t, const int64_t *index) {
  int64_t offset = 0;
  for (uint32_t k = 0; k < t->rank; k++) offset += index[k] * t->stride[k];
  return offset;
}

static bool copy_contents(const WitnessTensor *from, WitnessTensor *to) {
  int64_t index[POINTWISE_MAX_RANK] = {0};
  if (from->rank != to->rank || from->is_float != to->is_float) return false;
  for (uint32_t k = 0; k < to->rank; k++)
    if (from->extent[k] != to->extent[k]) return false;
  if (!to->count) return true;
  do {
    int64_t offset = visit_offset(to, index);
    to->before[offset] = to->after[offset] = from->before[visit_offset(from, index)];
  } while (visit_next(to, index));
  return true;
}

bool visit_like(Arena *arena, const Effects *ex, const LaunchModel *model, WitnessConditions required,
                const VisitedLaunch *like, const WitnessRun *contents, const VisitPartners *partners, WitnessRun *out) {
  Search *s = arena_new(arena, Search);
  *s = (Search){.arena = arena, .ex = ex, .model = model, .required = required, .pad = like->pad};
  s->pattern = PATTERN_ANY, s->seed = 1;
  if (!has_values(s, like) || !witness_make_launch(s)) return false;
  witness_find_covers(s);
  if (!witness_is_covered(s)) return false;
  for (uint32_t i = 0; i < s->run.tensor_count; i++) {
    int32_t partner = partners->tensor[i];
    if (partner >= 0 && !copy_contents(&contents->tensors[partner], &s->run.tensors[i])) return false;
  }
  for (uint32_t i = 0; i < s->run.argument_count; i++)
    if (s->run.arguments[i].is_real && partners->argument[i] >= 0)
      s->run.arguments[i].real = contents->arguments[partners->argument[i]].real;
  bool good = run_clean(s);
  *out = s->run;
  return good;
}
