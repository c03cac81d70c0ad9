/* Shards as JSON (optimize_shard.h). Costs are written with all their digits, so that the order of candidates is the
 * one of a single search. */
#include "optimize_shard.h"

#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/render.h"

enum { COSTS = 6 };

static void list_costs(Cost *c, const char *names[COSTS], double *at[COSTS]) {
  static const char *const all[COSTS] = {"bytes", "flops", "seconds", "blocks", "shared", "widest"};
  double *const places[COSTS] = {&c->bytes, &c->flops, &c->seconds, &c->blocks, &c->shared, &c->widest};
  memcpy(names, all, sizeof all);
  memcpy(at, places, sizeof places);
}

static void list_stats(SearchStats *s, const char *names[3], uint64_t *at[3]) {
  names[0] = "states", names[1] = "pruned", names[2] = "fingerprints";
  at[0] = &s->states, at[1] = &s->pruned, at[2] = &s->fingerprints;
}

static void add_entry(Text *out, const OptimizeEntry *e) {
  Cost cost = e->cost;
  const char *names[COSTS];
  double *at[COSTS];
  list_costs(&cost, names, at);
  text_format(out, "{\"unit\": %u, \"launches\": %u", e->unit, cost.launches);
  for (int i = 0; i < COSTS; i++) text_format(out, ", \"%s\": %.17g", names[i], *at[i]);
  text_add(out, ", \"graph\": ");
  render_json_string(out, e->text);
  text_char(out, '}');
}

const char *optimize_shard_text(Arena *arena, const OptimizeSearch *search, const char *formula,
                                const Options *options) {
  Text out = text_new(arena);
  SearchStats stats = search->stats;
  const char *names[3];
  uint64_t *at[3];
  list_stats(&stats, names, at);
  text_format(&out, "{\"schema\": 1, \"shard\": %u, \"shards\": %u, \"formula\": ", options->shard, options->shards);
  render_json_string(&out, formula);
  for (int i = 0; i < 3; i++) text_format(&out, ", \"%s\": %llu", names[i], (unsigned long long)*at[i]);
  text_format(&out, ", \"cut\": %d, \"found\": %u, \"candidates\": [", stats.is_cut, search->found);
  for (uint32_t i = 0, shown = 0; i < search->entries.count; i++) {
    if (search->entries.data[i].is_input) continue;
    if (shown++) text_add(&out, ", ");
    text_char(&out, '\n');
    add_entry(&out, &search->entries.data[i]);
  }
  text_add(&out, "]}\n");
  return text_string(&out);
}

/* ---- merging ---- */

typedef struct Merge {
  Arena *arena;
  DiagnosticList *diagnostics;
  const Source *source; /* the part at hand */
  OptimizeSearch *out;
  bool *seen; /* by shard */
} Merge;

static bool wrong(Merge *m, const Json *at, const char *message) {
  diagnostic_add(m->diagnostics, SEVERITY_ERROR, "optimize.part", m->source, at ? at->span : (Span){0, 0},
                 "parts are written by --shard I/N of the same input and options", "%s", message);
  return false;
}

static bool number_of(Merge *m, const Json *object, const char *key, double *out) {
  const Json *value = json_get(object, key);
  if (!value || value->kind != JSON_NUMBER) return wrong(m, value ? value : object, "this is no part of a search");
  *out = strtod(value->text, NULL);
  return *out >= 0 && *out < 1e300 ? true : wrong(m, value, "this number is none of a part");
}

static bool count_of(Merge *m, const Json *object, const char *key, uint64_t *out) {
  double value;
  if (!number_of(m, object, key, &value)) return false;
  if (value > 1e15) return wrong(m, object, "this number is none of a part");
  *out = (uint64_t)value;
  return true;
}

static bool read_entry(Merge *m, const Json *json) {
  OptimizeEntry e = {0};
  const char *names[COSTS];
  double *at[COSTS];
  uint64_t unit, launches;
  list_costs(&e.cost, names, at);
  e.text = json_get_string(json, "graph");
  if (!e.text) return wrong(m, json, "this is no candidate");
  for (int i = 0; i < COSTS; i++)
    if (!number_of(m, json, names[i], at[i])) return false;
  if (!count_of(m, json, "unit", &unit) || !count_of(m, json, "launches", &launches)) return false;
  e.unit = (uint32_t)unit, e.cost.launches = (uint32_t)launches;
  array_push(m->arena, &m->out->entries, e);
  return true;
}

static bool read_part(Merge *m, const Options *options, const char *formula, uint64_t *shards) {
  const Json *json = json_read_whole(m->arena, m->source, m->diagnostics), *list = json_get(json, "candidates");
  const char *names[3], *own = json_get_string(json, "formula");
  uint64_t *at[3], shard, count, found, cut;
  SearchStats stats;
  list_stats(&stats, names, at);
  if (!json) return false;
  if (!own || !list || list->kind != JSON_ARRAY) return wrong(m, json, "this is no part of a search");
  if (strcmp(own, formula)) return wrong(m, json_get(json, "formula"), "this is a part of another search");
  if (!count_of(m, json, "shard", &shard) || !count_of(m, json, "shards", &count)) return false;
  if (count != options->parts.count || (*shards && *shards != count) || shard >= count || m->seen[shard])
    return wrong(m, json_get(json, "shard"), "each part is given once, and all of them are");
  m->seen[shard] = true, *shards = count;
  for (int i = 0; i < 3; i++)
    if (!count_of(m, json, names[i], at[i])) return false;
  if (!count_of(m, json, "found", &found) || !count_of(m, json, "cut", &cut)) return false;
  m->out->stats.states += stats.states, m->out->stats.pruned += stats.pruned;
  m->out->stats.fingerprints += stats.fingerprints, m->out->stats.is_cut |= cut != 0;
  m->out->found += (uint32_t)found;
  for (uint32_t i = 0; i < list->count; i++)
    if (!read_entry(m, list->members[i].value)) return false;
  return true;
}

static int compare_units(const void *a, const void *b) {
  const OptimizeEntry *x = a, *y = b;
  if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

bool optimize_shard_merge(Arena *arena, const Options *options, const char *formula, DiagnosticList *diagnostics,
                          OptimizeSearch *out) {
  Merge m = {.arena = arena, .diagnostics = diagnostics, .out = out};
  uint64_t shards = 0;
  m.seen = arena_array(arena, bool, options->parts.count + 1);
  for (uint32_t i = 0; i < options->parts.count; i++) {
    m.source = options->parts.data[i];
    if (!read_part(&m, options, formula, &shards)) return false;
  }
  for (uint32_t i = 0; i < out->entries.count; i++) out->entries.data[i].number = i;
  if (out->entries.count) qsort(out->entries.data, out->entries.count, sizeof *out->entries.data, compare_units);
  return true;
}
