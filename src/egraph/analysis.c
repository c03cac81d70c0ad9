/* One value per class and analysis, kept as egg's e-class analyses (Willsey et al., POPL 2021): the value of
 * a class joins what `make` gives for each of its e-nodes.
 *
 * Values are brought up to date together after congruence is restored: values of merged classes are joined,
 * `make` runs once over the new rows of each table, and rows with a changed child are made again until
 * nothing changes. Then `modify` sees each changed class, and may start another round. */
#include "internal.h"

static void *value_at(const Analysis *analysis, uint32_t class) {
  return (char *)analysis->values.data + (size_t)class * analysis->ops.size;
}

EGraphStatus egraph_analysis_add(unsigned *out, EGraph *graph, const EGraphAnalysis *ops) {
  if (graph->analysis_count == ANALYSES || ops->size == 0 || ops->size > 4096) return EGRAPH_BAD_INPUT;
  Analysis *analysis = &graph->analyses[graph->analysis_count++];
  *analysis = (Analysis){.ops = *ops};
  if (!class_reserve(graph, 0) || !region_reserve(&graph->memory, &analysis->valid, 8) ||
      !region_reserve(&graph->memory, &analysis->changed, 8)) {
    region_free(&graph->memory, &analysis->values);
    region_free(&graph->memory, &analysis->valid);
    region_free(&graph->memory, &analysis->changed);
    region_free(&graph->memory, &analysis->seen);
    graph->analysis_count--;
    return EGRAPH_MEMORY_LIMIT;
  }
  for (uint32_t t = 0; t < graph->table_count; t++) table_at(graph, t)->analysed = 0;
  graph->classes_analysed = 0;
  *out = graph->analysis_count - 1;
  return egraph_rebuild(graph);
}

const void *egraph_analysis_value(const EGraph *graph, unsigned number, EGraphClass class) {
  const Analysis *analysis = &graph->analyses[number];
  uint32_t root = egraph_find(graph, class);
  if (root == NONE || !bit_get(&analysis->valid, root)) return NULL;
  return value_at(analysis, root);
}

/* Joins a value into a class's. A class that did not exist at the last update and gets its first value need
 * not be spread: no row was made without it, unless new_rows_make says so. */
static bool value_join(EGraph *graph, Analysis *analysis, uint32_t class, const void *value) {
  bool first = !bit_get(&analysis->valid, class);
  if (first) {
    bit_set(&analysis->valid, class);
    memcpy(value_at(analysis, class), value, analysis->ops.size);
  } else if (!analysis->ops.merge(value_at(analysis, class), value, analysis->ops.payload)) return false;
  if (analysis->ops.modify) bit_set(&analysis->seen, class);
  if (!first || class < graph->classes_analysed) bit_set(&analysis->changed, class);
  return true;
}

/* Makes one row's value. Returns false when a child has no value yet: a cycle not yet reached. */
static bool row_make(EGraph *graph, Analysis *analysis, const Table *table, uint32_t row, void *scratch,
                     bool *changed) {
  const uint32_t *cells = row_at(table, row);
  bool leaf = table->op == NONE;
  const void *children[64];
  uint32_t arity = leaf ? 0 : table->arity;
  if (arity > 64) return true;
  for (uint32_t i = 0; i < arity; i++) {
    uint32_t child = is_root(graph, cells[i]) ? cells[i] : find(graph, cells[i]);
    if (!bit_get(&analysis->valid, child)) return false;
    children[i] = value_at(analysis, child);
  }
  uint32_t class = cells[table->arity];
  if (!is_root(graph, class)) class = find(graph, class);
  EGraphNode node = {leaf ? cells[0] : table->op, class, arity, cells};
  analysis->ops.make(graph, &node, children, scratch, analysis->ops.payload);
  *changed |= value_join(graph, analysis, class, scratch);
  return true;
}

void analyses_make_row(EGraph *graph, Table *table, uint32_t row) {
  _Alignas(16) char scratch[4096];
  bool changed = false;
  for (unsigned i = 0; i < graph->analysis_count; i++)
    row_make(graph, &graph->analyses[i], table, row, scratch, &changed);
}

static void merged_join(EGraph *graph, Analysis *analysis) {
  const uint64_t *merged = graph->merged.data, *absorbed = graph->absorbed.data;
  for (uint32_t w = 0; w * 64 < graph->class_total; w++)
    for (uint64_t bits = merged[w] & ~absorbed[w]; bits; bits &= bits - 1) {
      uint32_t class = w * 64 + (uint32_t)__builtin_ctzll(bits);
      if (bit_get(&analysis->valid, class)) value_join(graph, analysis, find(graph, class), value_at(analysis, class));
    }
}

/* New rows in the order of their tables, so that a child may come after its parent: then once more. */
static void new_rows_make(EGraph *graph, Analysis *analysis, void *scratch) {
  for (bool again = true; again;) {
    bool late = false, changed = false;
    for (uint32_t t = 0; t < graph->table_count; t++) {
      Table *table = table_at(graph, t);
      for (uint32_t row = table->analysed; row < table->rows_used; row++)
        if (row_live(table, row)) late |= !row_make(graph, analysis, table, row, scratch, &changed);
    }
    again = late && changed;
  }
}

static bool any_bit(const Region *bits, uint32_t count) {
  const uint64_t *words64 = bits->data;
  for (uint32_t i = 0; i * 64 < count; i++)
    if (words64[i]) return true;
  return false;
}

/* Rows with a changed child are made again, until no value changes. */
static bool changes_spread(EGraph *graph, Analysis *analysis, void *scratch) {
  Region front = {0};
  size_t size = bits_size(graph->class_total);
  if (!region_reserve(&graph->memory, &front, size)) return false;
  bool changed = false;
  while (any_bit(&analysis->changed, graph->class_total)) {
    memcpy(front.data, analysis->changed.data, size);
    memset(analysis->changed.data, 0, size);
    for (uint32_t t = 1; t < graph->table_count; t++) {
      Table *table = table_at(graph, t);
      for (uint32_t row = 0; row < table->rows_used; row++) {
        const uint32_t *cells = row_at(table, row);
        if (cells[table->arity] == NONE) continue;
        uint32_t hit = 0;
        for (uint32_t i = 0; i < table->arity; i++) hit |= bit_get(&front, cells[i]);
        if (hit) row_make(graph, analysis, table, row, scratch, &changed);
      }
    }
  }
  region_free(&graph->memory, &front);
  return true;
}

static EGraphStatus classes_modify(EGraph *graph, unsigned number) {
  Analysis *analysis = &graph->analyses[number];
  char value[4096];
  uint32_t classes = graph->class_total;
  for (uint32_t w = 0; w * 64 < classes; w++) {
    uint64_t bits = ((uint64_t *)analysis->seen.data)[w];
    ((uint64_t *)analysis->seen.data)[w] = 0;
    for (; bits; bits &= bits - 1) {
      uint32_t class = w * 64 + (uint32_t)__builtin_ctzll(bits);
      if (!is_root(graph, class)) continue; /* the class it went into has changed too, if there was news */
      memcpy(value, value_at(analysis, class), analysis->ops.size); /* the callback may move the values */
      EGraphStatus status = analysis->ops.modify(graph, class, value, analysis->ops.payload);
      if (status != EGRAPH_OK) return status;
    }
  }
  return EGRAPH_OK;
}

static EGraphStatus analysis_update(EGraph *graph, unsigned number) {
  Analysis *analysis = &graph->analyses[number];
  _Alignas(16) char scratch[4096];
  merged_join(graph, analysis);
  new_rows_make(graph, analysis, scratch);
  return changes_spread(graph, analysis, scratch) ? EGRAPH_OK : EGRAPH_MEMORY_LIMIT;
}

bool analyses_pending(const EGraph *graph) {
  for (uint32_t t = 0; t < graph->table_count; t++)
    if (table_at(graph, t)->analysed < table_at(graph, t)->rows_used) return true;
  return false;
}

/* Every analysis sees the same rows and merged classes; what modify adds or merges comes in the next round. */
EGraphStatus analyses_update(EGraph *graph) {
  for (unsigned i = 0; i < graph->analysis_count; i++) {
    EGraphStatus status = analysis_update(graph, i);
    if (status != EGRAPH_OK) return status;
  }
  for (uint32_t t = 0; t < graph->table_count; t++) table_at(graph, t)->analysed = table_at(graph, t)->rows_used;
  memcpy(graph->absorbed.data, graph->merged.data, bits_size(graph->class_total));
  graph->classes_analysed = graph->class_total;
  for (unsigned i = 0; i < graph->analysis_count; i++) {
    if (!graph->analyses[i].ops.modify) continue;
    EGraphStatus status = classes_modify(graph, i);
    if (status != EGRAPH_OK) return status;
  }
  return EGRAPH_OK;
}
