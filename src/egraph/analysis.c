/* One value per class and analysis, kept as egg's e-class analyses (Willsey et al., POPL 2021): the value of
 * a class joins what `make` gives for each of its e-nodes.
 *
 * The values of all analyses of a class lie side by side, and are made together. They are brought up to date
 * after congruence is restored: values of merged classes are joined, rows with a renamed child are made again, the new
 * rows of each table are made once, with the values they need fetched ahead, and rows with a changed child are made
 * again until nothing changes. Then `modify` sees each changed class, and may start another round. */
#include "internal.h"

#define AHEAD 24

static void *record_at(const EGraph *graph, uint32_t class) {
  return (char *)graph->values.data + (size_t) class * graph->value_stride;
}

EGraphStatus egraph_analysis_add(unsigned *out, EGraph *graph, const EGraphAnalysis *ops) {
  if (graph->analysis_count == ANALYSES || ops->size == 0 || ops->size > VALUE_LIMIT) return EGRAPH_BAD_INPUT;
  uint32_t offset = 0, align = 1;
  for (unsigned i = 0; i <= graph->analysis_count; i++) {
    size_t size = i < graph->analysis_count ? graph->analyses[i].ops.size : ops->size;
    uint32_t unit = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
    offset = (offset + unit - 1) / unit * unit;
    if (unit > align) align = unit;
    graph->analyses[i].offset = offset;
    offset += (uint32_t)size;
  }
  graph->modifies |= ops->modify != NULL;
  uint32_t old_stride = graph->value_stride;
  graph->analyses[graph->analysis_count++].ops = *ops;
  graph->value_stride = (offset + align - 1) / align * align;
  if (!class_reserve(graph, 1)) {
    graph->analysis_count--;
    graph->value_stride = old_stride;
    return EGRAPH_MEMORY_LIMIT;
  }
  /* Everything is made again: the records have another shape. */
  if (graph->valid.size) memset(graph->valid.data, 0, graph->valid.size);
  if (graph->changed.size) memset(graph->changed.data, 0, graph->changed.size);
  for (uint32_t t = 0; t < graph->table_count; t++) table_at(graph, t)->analysed = 0;
  graph->classes_analysed = 0;
  *out = graph->analysis_count - 1;
  return egraph_rebuild(graph);
}

const void *egraph_analysis_value(const EGraph *graph, unsigned number, EGraphClass class) {
  uint32_t root = egraph_find(graph, class);
  if (number >= graph->analysis_count || root == NONE || !bit_get(&graph->valid, root)) return NULL;
  return (const char *)record_at(graph, root) + graph->analyses[number].offset;
}

/* Joins a record into a class's. A class that did not exist at the last update and gets its first record need
 * not be spread: no row was made without it, unless new_rows_make says so. */
static bool record_join(EGraph *graph, uint32_t class, const void *record) {
  char *own = record_at(graph, class);
  bool first = !bit_get(&graph->valid, class), changed = first;
  if (first) {
    bit_set(&graph->valid, class);
    memcpy(own, record, graph->value_stride);
  } else
    for (unsigned i = 0; i < graph->analysis_count; i++) {
      const Analysis *analysis = &graph->analyses[i];
      changed |=
          analysis->ops.merge(own + analysis->offset, (const char *)record + analysis->offset, analysis->ops.payload);
    }
  if (!changed) return false;
  if (graph->modifies) bit_set(&graph->seen, class);
  if (!first || class < graph->classes_analysed) bit_set(&graph->changed, class);
  return true;
}

/* Makes one row's values; congruence holds, so that all its classes are roots. Returns false when a child has none
 * yet. */
static bool row_make(EGraph *graph, const Table *table, uint32_t row, bool *changed) {
  _Alignas(16) char record[ANALYSES * VALUE_LIMIT];
  const uint32_t *cells = row_at(table, row);
  bool leaf = table->op == NONE;
  const char *records[64];
  const void *children[64];
  uint32_t arity = leaf ? 0 : table->arity;
  if (arity > 64) return true;
  for (uint32_t i = 0; i < arity; i++) {
    if (!bit_get(&graph->valid, cells[i])) return false;
    records[i] = record_at(graph, cells[i]);
  }
  uint32_t class = cells[table->arity];
  EGraphNode node = {leaf ? cells[0] : table->op, class, arity, cells};
  for (unsigned i = 0; i < graph->analysis_count; i++) {
    const Analysis *analysis = &graph->analyses[i];
    for (uint32_t c = 0; c < arity; c++) children[c] = records[c] + analysis->offset;
    analysis->ops.make(graph, &node, children, record + analysis->offset, analysis->ops.payload);
  }
  *changed |= record_join(graph, class, record);
  return true;
}

void analyses_make_row(EGraph *graph, Table *table, uint32_t row) {
  bool changed = false;
  row_make(graph, table, row, &changed);
}

static void merged_join(EGraph *graph) {
  const uint64_t *merged = graph->merged.data, *absorbed = graph->absorbed.data;
  for (uint32_t w = 0; w * 64 < graph->class_total; w++)
    for (uint64_t bits = merged[w] & ~absorbed[w]; bits; bits &= bits - 1) {
      uint32_t class = w * 64 + (uint32_t)__builtin_ctzll(bits);
      if (bit_get(&graph->valid, class)) record_join(graph, find(graph, class), record_at(graph, class));
    }
}

/* Old rows that a merge gave other children are made again: their new child's value may say more than the old one's
 * did, even where the merge changed nothing for the class that remained. */
static void renamed_rows_make(EGraph *graph) {
  for (uint32_t t = 1; t < graph->table_count; t++) {
    Table *table = table_at(graph, t);
    const uint64_t *touched = table->touched.data;
    for (uint32_t w = 0; w * 64 < table->analysed; w++)
      for (uint64_t bits = touched[w]; bits; bits &= bits - 1) {
        uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(bits);
        bool changed = false;
        if (row < table->analysed && row_live(table, row)) row_make(graph, table, row, &changed);
      }
  }
}

static void row_prefetch(const EGraph *graph, const Table *table, uint32_t row) {
  const uint32_t *cells = row_at(table, row);
  if (row >= table->rows_used || cells[table->arity] == NONE || table->op == NONE) return;
  for (uint32_t i = 0; i <= table->arity; i++) __builtin_prefetch(record_at(graph, cells[i]));
}

/* Makes the rows of a table from its cursor on, up to one that has a child without a value. */
static bool table_make(EGraph *graph, Table *table) {
  uint32_t row = table->cursor;
  bool changed = false;
  for (; row < table->rows_used; row++) {
    row_prefetch(graph, table, row + AHEAD);
    if (row_live(table, row) && !row_make(graph, table, row, &changed)) break;
  }
  bool moved = row > table->cursor;
  table->cursor = row;
  return moved;
}

typedef struct {
  Region rows; /* table, row */
  uint32_t count;
} Late;

/* Puts the row that each table is stopped at aside. Returns whether there was one. */
static bool late_add(EGraph *graph, Late *late, bool *good) {
  uint32_t before = late->count;
  for (uint32_t t = 0; t < graph->table_count && *good; t++) {
    Table *table = table_at(graph, t);
    if (table->cursor == table->rows_used) continue;
    *good = region_reserve(&graph->memory, &late->rows, ((size_t)late->count + 1) * 8);
    if (!*good) break;
    words(&late->rows)[2 * late->count] = t;
    words(&late->rows)[2 * late->count++ + 1] = table->cursor++;
  }
  return late->count > before;
}

static void late_make(EGraph *graph, Late *late) {
  uint32_t before;
  do {
    before = late->count;
    late->count = 0;
    for (uint32_t i = 0; i < before; i++) {
      uint32_t t = words(&late->rows)[2 * i], row = words(&late->rows)[2 * i + 1];
      bool changed = false;
      if (row_make(graph, table_at(graph, t), row, &changed)) continue;
      words(&late->rows)[2 * late->count] = t;
      words(&late->rows)[2 * late->count++ + 1] = row;
    }
  } while (late->count && late->count < before);
}

/* Rows are appended after what they are made of, so that turning from table to table, each as far as it goes,
 * makes nearly all new rows once. The rest come after a merged class or before a younger row of their child:
 * they wait until all others are made. */
static bool new_rows_make(EGraph *graph) {
  Late late = {{0}, 0};
  bool good = true;
  for (uint32_t t = 0; t < graph->table_count; t++) table_at(graph, t)->cursor = table_at(graph, t)->analysed;
  do {
    for (bool moved = true; moved;) {
      moved = false;
      for (uint32_t t = 0; t < graph->table_count; t++) moved |= table_make(graph, table_at(graph, t));
    }
  } while (late_add(graph, &late, &good));
  late_make(graph, &late);
  region_free(&graph->memory, &late.rows);
  return good;
}

static bool any_bit(const Region *bits, uint32_t count) {
  const uint64_t *words64 = bits->data;
  for (uint32_t i = 0; i * 64 < count; i++)
    if (words64[i]) return true;
  return false;
}

static inline __attribute__((always_inline)) void rows_spread(EGraph *graph, const Table *table, uint32_t arity,
                                                              Region *front) {
  const uint32_t *cells = words(&table->rows);
  for (uint32_t row = 0; row < table->rows_used; row++, cells += table->stride) {
    uint32_t hit = 0;
    if (cells[arity] == NONE) continue;
    for (uint32_t i = 0; i < arity; i++) hit |= bit_get(front, cells[i]);
    if (!hit) continue;
    bool changed = false;
    row_make(graph, table, row, &changed);
    if (changed) bit_set(front, cells[arity]); /* rows further on see it in this round */
  }
}

/* Rows with a changed child are made again, until no value changes. */
static bool changes_spread(EGraph *graph) {
  Region front = {0};
  size_t size = bits_size(graph->class_total);
  if (!any_bit(&graph->changed, graph->class_total)) return true;
  if (!region_reserve(&graph->memory, &front, size)) return false;
  do {
    memcpy(front.data, graph->changed.data, size);
    memset(graph->changed.data, 0, size);
    for (uint32_t t = 1; t < graph->table_count; t++) {
      Table *table = table_at(graph, t);
      if (table->arity == 2)
        rows_spread(graph, table, 2, &front);
      else
        rows_spread(graph, table, table->arity, &front);
    }
  } while (any_bit(&graph->changed, graph->class_total));
  region_free(&graph->memory, &front);
  return true;
}

static EGraphStatus class_modify(EGraph *graph, uint32_t class) {
  char value[VALUE_LIMIT];
  for (unsigned i = 0; i < graph->analysis_count && is_root(graph, class); i++) {
    const Analysis *analysis = &graph->analyses[i];
    if (!analysis->ops.modify) continue;
    const char *own = (const char *)record_at(graph, class) + analysis->offset;
    memcpy(value, own, analysis->ops.size); /* the callback may move the records */
    EGraphStatus status = analysis->ops.modify(graph, class, value, analysis->ops.payload);
    if (status != EGRAPH_OK) return status;
  }
  return EGRAPH_OK;
}

/* Calls modify for each class that changed. A merged one is skipped: the class it went into has changed too,
 * if there was news. After a failure the rest stay marked. */
static EGraphStatus classes_modify(EGraph *graph) {
  uint32_t classes = graph->class_total;
  for (uint32_t w = 0; w * 64 < classes; w++) {
    uint64_t bits = ((uint64_t *)graph->seen.data)[w];
    ((uint64_t *)graph->seen.data)[w] = 0;
    for (; bits; bits &= bits - 1) {
      EGraphStatus status = class_modify(graph, w * 64 + (uint32_t)__builtin_ctzll(bits));
      if (status == EGRAPH_OK) continue;
      ((uint64_t *)graph->seen.data)[w] |= bits;
      return status;
    }
  }
  return EGRAPH_OK;
}

bool analyses_pending(const EGraph *graph) {
  for (uint32_t t = 0; t < graph->table_count; t++)
    if (table_at(graph, t)->analysed < table_at(graph, t)->rows_used) return true;
  return false;
}

EGraphStatus analyses_update(EGraph *graph) {
  merged_join(graph);
  renamed_rows_make(graph);
  if (!new_rows_make(graph) || !changes_spread(graph)) return EGRAPH_MEMORY_LIMIT;
  for (uint32_t t = 0; t < graph->table_count; t++) table_at(graph, t)->analysed = table_at(graph, t)->rows_used;
  memcpy(graph->absorbed.data, graph->merged.data, bits_size(graph->class_total));
  graph->classes_analysed = graph->class_total;
  return graph->modifies ? classes_modify(graph) : EGRAPH_OK;
}
