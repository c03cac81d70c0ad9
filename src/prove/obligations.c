/* The safety report (see obligations.h). */
#include "prove/obligations.h"

#include <string.h>

static Obligation *add(Recovery *recovery, ObligationKind kind, int verdict, OpId op, const char *tensor, const char *detail) {
  Arena *arena = recovery->ex->arena;
  array_push(arena, &recovery->obligations, (Obligation){.kind = kind, .op = op, .verdict = verdict, .tensor = tensor, .detail = detail});
  return &recovery->obligations.data[recovery->obligations.count - 1];
}

/* ---- refutations ---- */

static void add_events(Recovery *recovery, const WitnessEvents *events) {
  for (uint32_t i = 0; i < events->count; i++) {
    WitnessEvent *e = &events->data[i];
    Obligation *o = add(recovery, e->kind, OBLIGATION_REFUTED, e->op, e->tensor, e->detail);
    o->witness = &e->witness;
    o->run = e->run;
  }
}

/* Conditions over the arguments alone that were assumed. */
static Term *conditions_on_arguments(const Recovery *recovery, uint32_t *count) {
  TermTable *tt = recovery->ex->tt;
  Term *out = arena_array(recovery->ex->arena, Term, recovery->assumptions.count + 1);
  *count = 0;
  for (uint32_t i = 0; i < recovery->assumptions.count; i++) {
    const Assumption *a = &recovery->assumptions.data[i];
    TermList symbols = {0};
    bool arguments = !strcmp(a->kind, "cover");
    if (!arguments) continue;
    term_symbols(tt, a->condition, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      bool param = false;
      for (uint32_t p = 0; p < recovery->ex->params.count; p++) param |= recovery->ex->params.data[p].symbol == symbols.data[k];
      arguments &= param;
    }
    if (arguments) out[(*count)++] = a->condition;
  }
  return out;
}

/* Where one block covers an axis that is what the caller promises, unless the launch says otherwise. */
static void search_launches(Recovery *recovery, const LaunchModel *launch, WitnessEvents *events) {
  uint32_t count = 0;
  Term *required = conditions_on_arguments(recovery, &count);
  if (!witness_search(recovery->ex->arena, recovery->ex, launch, required, count, events) && count)
    witness_search(recovery->ex->arena, recovery->ex, launch, NULL, 0, events);
}

/* ---- the verdict ---- */

static const char *kind_name(ObligationKind kind) {
  static const char *const names[] = {"bounds", "race", "coverage", "overflow", "undefined", "division", "alias"};
  return names[kind];
}

static bool is_strict(const Options *options, ObligationKind kind) {
  for (uint32_t i = 0; i < options->strict.count; i++) if (!strcmp(options->strict.data[i], kind_name(kind))) return true;
  return false;
}

/* --allow KIND or KIND@LINE. */
static bool is_allowed(const Options *options, const Obligation *o, const char *where) {
  const char *name = kind_name(o->kind), *line = strrchr(where, ':');
  size_t n = strlen(name);
  for (uint32_t i = 0; i < options->allow.count; i++) {
    const char *text = options->allow.data[i];
    if (strncmp(text, name, n) || (text[n] && text[n] != '@')) continue;
    if (!text[n] || (line && !strcmp(text + n + 1, line + 1))) return true;
  }
  return false;
}

static Verdict safety_of(const Recovery *recovery, const Options *options) {
  Verdict worst = VERDICT_PROVED;
  if (recovery->stop_code || !recovery->obligations.count) worst = VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < recovery->obligations.count; i++) {
    const Obligation *o = &recovery->obligations.data[i];
    bool conditional = o->verdict == OBLIGATION_PROVED && o->under.count;
    bool refuted = o->verdict == OBLIGATION_REFUTED || (conditional && is_strict(options, o->kind));
    if (refuted && is_allowed(options, o, execute_where(recovery->ex, o->op))) continue;
    if (refuted) return VERDICT_REFUTED;
    if (o->verdict != OBLIGATION_PROVED) worst = VERDICT_UNKNOWN;
  }
  return worst;
}

Verdict obligations_find(Arena *arena, Recovery *recovery, const SampleResult *sample, const Operation *operation, const Options *options) {
  const char *why = NULL;
  if (options->no_prove) return VERDICT_UNKNOWN;
  LaunchModel *launch = launch_model(arena, recovery, operation, options, &why);
  WitnessEvents *events = arena_new(arena, WitnessEvents);
  (void)sample;
  if (launch) search_launches(recovery, launch, events);
  add_events(recovery, events);
  return safety_of(recovery, options);
}
