/* Snapshots: the arrays are flat, so that a snapshot is a copy of each. Restoring copies back into the blocks
 * that the graph has, which are at least as large. What each rule has seen goes back as well, so that what follows is
 * what followed the first time. Rules, registered callbacks and analyses are not part of a snapshot; operators added
 * since stay known. */
#include "internal.h"

#include <stdlib.h>

typedef struct {
  Table table; /* the numbers; its regions are not used */
  Region rows, slots, touched;
} SavedTable;

struct EGraphSnapshot {
  Memory memory;
  const EGraph *graph;
  EGraph state; /* the numbers; its regions are not used */
  SavedTable *tables;
  uint32_t *rules_seen; /* by the number of a rule */
  Region parent, merged, values, valid, changed, seen, absorbed, term_at, terms, creator, lost, log, reasons;
};

static bool region_copy(Memory *memory, Region *to, const Region *from, size_t size) {
  if (size == 0) return true;
  if (!region_reserve(memory, to, size)) return false;
  memcpy(to->data, from->data, size);
  return true;
}

/* Each array of the graph, its place in a snapshot, and the bytes in use. */
#define ARRAYS(graph, each)                                                                                            \
  each(parent, (size_t)(graph)->class_total * 4) each(merged, bits_size((graph)->class_total))                         \
      each(values, (size_t)(graph)->class_total *(graph)->value_stride)                                                \
          each(valid, (graph)->analysis_count ? bits_size((graph)->class_total) : 0)                                   \
              each(changed, (graph)->analysis_count ? bits_size((graph)->class_total) : 0)                             \
                  each(seen, (graph)->analysis_count ? bits_size((graph)->class_total) : 0)                            \
                      each(absorbed, (graph)->analysis_count ? bits_size((graph)->class_total) : 0)                    \
                          each(term_at, (size_t)(graph)->term_count * 4) each(terms, (size_t)(graph)->term_words * 4)  \
                              each(creator, (graph)->explain ? (size_t)(graph)->class_total * 4 : 0)                   \
                                  each(lost, (graph)->explain ? (size_t)(graph)->class_total * sizeof(Edge) : 0)       \
                                      each(log, (graph)->explain ? (size_t)(graph)->log_words * 4 : 0)                 \
                                          each(reasons, (graph)->reasons_used)

void egraph_snapshot_destroy(EGraphSnapshot *snapshot) {
  if (!snapshot) return;
  for (uint32_t t = 0; snapshot->tables && t < snapshot->state.table_count; t++) {
    region_free(&snapshot->memory, &snapshot->tables[t].rows);
    region_free(&snapshot->memory, &snapshot->tables[t].slots);
    region_free(&snapshot->memory, &snapshot->tables[t].touched);
  }
#define FREE(array, size) region_free(&snapshot->memory, &snapshot->array);
  ARRAYS(&snapshot->state, FREE)
  free(snapshot->tables);
  free(snapshot->rules_seen);
  free(snapshot);
}

EGraphStatus egraph_snapshot_take(EGraphSnapshot **out, EGraph *graph) {
  *out = NULL;
  EGraphSnapshot *snapshot = calloc(1, sizeof *snapshot);
  if (!snapshot) return EGRAPH_MEMORY_LIMIT;
  snapshot->memory.limit = graph->memory.limit;
  snapshot->graph = graph;
  snapshot->state = *graph;
  bool good = (snapshot->tables = calloc(graph->table_count, sizeof *snapshot->tables)) != NULL;
  for (uint32_t t = 0; good && t < graph->table_count; t++) {
    const Table *table = table_at(graph, t);
    SavedTable *saved = &snapshot->tables[t];
    saved->table = *table;
    good = region_copy(&snapshot->memory, &saved->rows, &table->rows, (size_t)table->rows_used * table->stride * 4) &&
           region_copy(&snapshot->memory, &saved->slots, &table->slots, sizeof(uint32_t) << table->slot_bits) &&
           region_copy(&snapshot->memory, &saved->touched, &table->touched, bits_size(table->rows_used));
  }
  good = good && (snapshot->rules_seen = calloc((size_t)graph->rule_total + 1, sizeof *snapshot->rules_seen)) != NULL;
  for (const EGraphRules *rules = graph->rules; good && rules; rules = rules->next)
    for (uint32_t i = 0; i < rules->count; i++) snapshot->rules_seen[rules->rules[i].id] = rules->rules[i].seen;
#define SAVE(array, size) good = good && region_copy(&snapshot->memory, &snapshot->array, &graph->array, size);
  ARRAYS(graph, SAVE)
  if (!good) {
    egraph_snapshot_destroy(snapshot);
    return EGRAPH_MEMORY_LIMIT;
  }
  *out = snapshot;
  return EGRAPH_OK;
}

/* A table goes back; one that did not exist yet becomes empty. */
static bool table_restore(EGraph *graph, Table *table, const SavedTable *saved) {
  uint32_t bits = saved ? saved->table.slot_bits : table->slot_bits;
  if (!region_reserve(&graph->memory, &table->slots, sizeof(uint32_t) << bits)) return false;
  if (saved && !region_reserve(&graph->memory, &table->rows, (size_t)saved->table.rows_used * table->stride * 4))
    return false;
  table->slot_bits = bits;
  table->rows_used = saved ? saved->table.rows_used : 0;
  table->rows_dead = saved ? saved->table.rows_dead : 0;
  table->slots_used = saved ? saved->table.slots_used : 0;
  table->analysed = saved ? saved->table.analysed : 0;
  table->fresh_from = saved ? saved->table.fresh_from : 0;
  memset(table->touched.data, 0, table->touched.size);
  if (saved && saved->touched.data) memcpy(table->touched.data, saved->touched.data, bits_size(table->rows_used));
  if (!saved)
    memset(table->slots.data, 0, sizeof(uint32_t) << bits);
  else {
    memcpy(table->slots.data, saved->slots.data, sizeof(uint32_t) << bits);
    if (table->rows_used) memcpy(table->rows.data, saved->rows.data, (size_t)table->rows_used * table->stride * 4);
  }
  return true;
}

/* Every block is reserved before anything is changed. */
static bool restore_reserve(EGraph *graph, const EGraphSnapshot *snapshot) {
  bool good = true;
  for (uint32_t t = 0; t < snapshot->state.table_count && good; t++) {
    Table *table = table_at(graph, t);
    const Table *saved = &snapshot->tables[t].table;
    good = region_reserve(&graph->memory, &table->slots, sizeof(uint32_t) << saved->slot_bits) &&
           region_reserve(&graph->memory, &table->rows, (size_t)saved->rows_used * table->stride * 4) &&
           region_reserve(&graph->memory, &table->touched, bits_size(saved->rows_used));
  }
#define RESERVE(array, size) good = good && region_reserve(&graph->memory, &graph->array, size);
  ARRAYS(&snapshot->state, RESERVE)
  return good;
}

EGraphStatus egraph_snapshot_restore(EGraph *graph, const EGraphSnapshot *snapshot) {
  const EGraph *state = &snapshot->state;
  if (snapshot->graph != graph || graph->analysis_count != state->analysis_count) return EGRAPH_BAD_INPUT;
  if (!restore_reserve(graph, snapshot)) return EGRAPH_MEMORY_LIMIT;
  for (uint32_t t = 0; t < graph->table_count; t++)
    table_restore(graph, table_at(graph, t), t < state->table_count ? &snapshot->tables[t] : NULL);
  memset(graph->merged.data, 0, graph->merged.size);
  Region *bits[] = {&graph->valid, &graph->changed, &graph->seen, &graph->absorbed};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
    if (bits[i]->data) memset(bits[i]->data, 0, bits[i]->size);
#define LOAD(array, size)                                                                                              \
  if (snapshot->array.data) memcpy(graph->array.data, snapshot->array.data, size);
  ARRAYS(state, LOAD)
  graph->clean = state->clean;
  graph->class_total = state->class_total;
  graph->class_merged = state->class_merged;
  graph->rows_live = state->rows_live;
  graph->unions = state->unions;
  graph->classes_analysed = state->classes_analysed;
  graph->term_count = state->term_count;
  graph->term_words = state->term_words;
  graph->log_words = state->log_words;
  graph->reasons_used = state->reasons_used;
  graph->searches = state->searches;
  for (EGraphRules *rules = graph->rules; rules; rules = rules->next)
    for (uint32_t i = 0; i < rules->count; i++) {
      Rule *rule = &rules->rules[i];
      rule->seen = rule->id < state->rule_total ? snapshot->rules_seen[rule->id] : 0;
    }
  return EGRAPH_OK;
}
