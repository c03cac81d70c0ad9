/* Runs rules: search and apply, rebuild, again, until a reason to stop. With back-off a rule that matches too
 * often is left out for some iterations, with limit and length doubling each time (egg's BackoffScheduler). */
#include "internal.h"

#include <stdlib.h>
#include <time.h>

static double clock_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double cpu_seconds(void) { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds(void) { return clock_seconds(CLOCK_MONOTONIC); }

const char *egraph_stop_name(EGraphStop stop) {
  switch (stop) {
  case EGRAPH_STOP_SATURATED: return "saturated";
  case EGRAPH_STOP_ITERATIONS: return "iterations";
  case EGRAPH_STOP_NODES: return "nodes";
  case EGRAPH_STOP_TIME: return "time";
  case EGRAPH_STOP_MEMORY: return "memory";
  case EGRAPH_STOP_FAILED: return "failed";
  }
  return "unknown";
}

static EGraphStop stop_of(EGraphStatus status) {
  if (status == EGRAPH_NODE_LIMIT) return EGRAPH_STOP_NODES;
  if (status == EGRAPH_TIME_LIMIT) return EGRAPH_STOP_TIME;
  return status == EGRAPH_MEMORY_LIMIT ? EGRAPH_STOP_MEMORY : EGRAPH_STOP_FAILED;
}

static size_t shifted(size_t value, size_t bans) { return bans > 40 ? SIZE_MAX / 4 : value << bans; }

/* Which rules take part now. Returns whether some are left out. */
static bool rules_enable(EGraphRules *rules, const EGraphRunOptions *options, size_t iteration, bool *enabled) {
  bool some_disabled = false;
  for (uint32_t i = 0; i < rules->count; i++) {
    Rule *rule = &rules->rules[i];
    enabled[i] = !options->backoff || rule->banned_until <= iteration;
    rule->held_limit = options->backoff ? shifted(options->backoff_limit, rule->bans) : 0;
    some_disabled |= !enabled[i];
  }
  return some_disabled;
}

static void rules_ban(EGraphRules *rules, const EGraphRunOptions *options, size_t iteration, const bool *enabled) {
  for (uint32_t i = 0; i < rules->count; i++) {
    Rule *rule = &rules->rules[i];
    if (!enabled[i] || !rule->held_limit || rule->held_count <= rule->held_limit) continue;
    rule->banned_until = iteration + shifted(options->backoff_length, rule->bans) + 1;
    rule->bans++;
  }
}

/* When nothing changed because of bans, the bans that end first end now. */
static void bans_shorten(EGraphRules *rules, size_t iteration) {
  size_t soonest = SIZE_MAX;
  for (uint32_t i = 0; i < rules->count; i++)
    if (rules->rules[i].banned_until > iteration && rules->rules[i].banned_until < soonest)
      soonest = rules->rules[i].banned_until;
  for (uint32_t i = 0; i < rules->count && soonest != SIZE_MAX; i++)
    if (rules->rules[i].banned_until > iteration) rules->rules[i].banned_until -= soonest - iteration - 1;
}

static EGraphStatus rebuild_timed(EGraph *graph, EGraphReport *report) {
  double start = cpu_seconds();
  EGraphStatus status = egraph_rebuild(graph);
  report->rebuild_seconds += cpu_seconds() - start;
  return status;
}

/* One iteration. Returns whether to go on. */
static bool iterate(EGraphReport *report, EGraph *graph, EGraphRules *rules, const EGraphRunOptions *options,
                    double deadline, bool *enabled) {
  bool some_disabled = rules_enable(rules, options, report->iterations, enabled);
  size_t unions = graph->unions;
  size_t classes = graph->class_total, rows = 0, rows_after = 0;
  for (uint32_t t = 0; t < graph->table_count; t++) rows += table_at(graph, t)->rows_used;
  SearchResult result = search_run(graph, rules, enabled, deadline);
  report->search_seconds += result.search_seconds;
  report->apply_seconds += result.apply_seconds;
  report->matches += result.matches;
  rules_ban(rules, options, report->iterations, enabled);
  for (uint32_t t = 0; t < graph->table_count; t++) rows_after += table_at(graph, t)->rows_used;
  bool changed = graph->unions != unions || graph->class_total != classes || rows != rows_after;
  EGraphStatus status = rebuild_timed(graph, report);
  if (result.status != EGRAPH_OK) status = result.status;
  report->iterations++;
  if (status != EGRAPH_OK)
    report->stop = stop_of(status);
  else if (changed)
    return true;
  else if (some_disabled || result.banned) {
    bans_shorten(rules, report->iterations);
    return true;
  } else
    report->stop = EGRAPH_STOP_SATURATED;
  return false;
}

void egraph_run(EGraphReport *report, EGraph *graph, EGraphRules *rules, const EGraphRunOptions *options) {
  EGraphRunOptions defaults = EGRAPH_RUN_OPTIONS_INIT;
  if (!options) options = &defaults;
  *report = (EGraphReport){.stop = EGRAPH_STOP_ITERATIONS};
  size_t unions = graph->unions;
  double deadline = cpu_seconds() + options->seconds;
  if (rules->graph != graph) {
    report->stop = EGRAPH_STOP_FAILED;
    return;
  }
  bool *enabled = calloc(rules->count + 1, sizeof *enabled);
  EGraphStatus status = enabled ? rebuild_timed(graph, report) : EGRAPH_MEMORY_LIMIT;
  for (uint32_t i = 0; i < rules->count; i++) rules->rules[i].banned_until = rules->rules[i].bans = 0;
  if (status != EGRAPH_OK)
    report->stop = stop_of(status);
  else
    while (report->iterations < options->iterations) {
      if (cpu_seconds() > deadline) {
        report->stop = EGRAPH_STOP_TIME;
        break;
      }
      if (!iterate(report, graph, rules, options, deadline, enabled)) break;
    }
  free(enabled);
  report->unions = graph->unions - unions;
}
