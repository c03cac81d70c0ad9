/* Restores congruence after unions: every row gets canonical children, equal rows are merged, and the
 * unions this causes are treated the same way until there are none.
 *
 * A round scans the flat rows of every table against a bitmap of merged classes, which stays in the cache;
 * only rows with a merged child are hashed again, a chunk at a time so that their slots are fetched together.
 * For a few unions in a large graph, or long chains of consequences, scanning would be wasteful: after a
 * number of rounds with little work each, the rows are listed by child once, and only parents of merged
 * classes are visited. Rebuilding needs no memory that it cannot do without, so that it also succeeds at the
 * memory limit. */
#include "internal.h"

static uint32_t row_term(const EGraph *graph, const Table *table, uint32_t row) {
  return graph->explain ? row_at(table, row)[table->arity + 1] : 0;
}

static void row_kill(EGraph *graph, Table *table, uint32_t row) {
  uint32_t *cells = row_at(table, row);
  cells[table->arity] = NONE;
  table->rows_dead++;
  graph->rows_live--;
}

/* Gives one row canonical children, or merges it into the row that has them already. */
static void row_repair(EGraph *graph, Table *table, uint32_t row) {
  uint32_t *cells = row_at(table, row), arity = table->arity;
  if (cells[arity] == NONE) return;
  uint32_t dirty = 0;
  for (uint32_t i = 0; i < arity; i++) dirty |= !is_root(graph, cells[i]);
  if (!dirty) return;
  for (uint32_t i = 0; i < arity; i++) cells[i] = find(graph, cells[i]);
  uint64_t hash = key_hash(cells, arity);
  uint32_t class = cells[arity];
  cells[arity] = NONE; /* not to find itself through an old slot */
  uint32_t other = table_find(table, cells, hash);
  cells[arity] = class;
  if (other == NONE) {
    bit_set(&table->touched, row);
    table_rekey(graph, table, row, hash);
    return;
  }
  uint32_t a = find(graph, class), b = find(graph, row_at(table, other)[arity]);
  if (a != b) class_union(graph, a, b, row_term(graph, table, row), row_term(graph, table, other), WHY_CONGRUENCE);
  row_kill(graph, table, row);
}

static void rows_repair(EGraph *graph, Table *table, const uint32_t *rows, uint32_t count) {
  uint32_t *key = NULL, local[16];
  key = local;
  if (table->arity <= 16)
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t *cells = row_at(table, rows[k]);
      for (uint32_t i = 0; i < table->arity; i++) key[i] = find(graph, cells[i]);
      slot_prefetch(table, key_hash(key, table->arity));
    }
  for (uint32_t k = 0; k < count; k++) row_repair(graph, table, rows[k]);
}

/* One scan. Inlined for each small number of children, which is most of the speed of a scan. */
static inline __attribute__((always_inline)) void rows_scan(EGraph *graph, Table *table, uint32_t arity, bool leaves) {
  uint32_t pending[CHUNK], count = 0;
  uint32_t *cells = row_at(table, 0);
  for (uint32_t row = 0; row < table->rows_used; row++, cells += table->stride) {
    if (cells[arity] == NONE) continue;
    uint32_t dirty = 0;
    if (!leaves) {
      dirty = !is_root(graph, cells[0]);
      for (uint32_t i = 1; i < arity; i++) dirty |= !is_root(graph, cells[i]);
    }
    if (!is_root(graph, cells[arity])) {
      cells[arity] = find(graph, cells[arity]);
      bit_set(&table->touched, row);
    }
    if (!dirty) continue;
    pending[count++] = row;
    if (count == CHUNK) {
      rows_repair(graph, table, pending, count);
      count = 0;
    }
  }
  if (!leaves) rows_repair(graph, table, pending, count);
}

static void table_scan(EGraph *graph, Table *table) {
  if (table->op == NONE)
    rows_scan(graph, table, 1, true);
  else if (table->arity == 1)
    rows_scan(graph, table, 1, false);
  else if (table->arity == 2)
    rows_scan(graph, table, 2, false);
  else
    rows_scan(graph, table, table->arity, false);
}

/* -- by parents: for long chains -------------------------------------------------------------------------- */

typedef struct {
  Region start, table, row; /* uses of a class as a child: [start[c], start[c + 1]) */
  Region queue;             /* merged classes whose uses must be visited */
  Region next, tail;        /* lists of classes that became one */
} Uses;

static bool uses_build(EGraph *graph, Uses *uses) {
  size_t total = 0;
  for (uint32_t t = 1; t < graph->table_count; t++)
    total += (size_t)table_at(graph, t)->rows_used * table_at(graph, t)->arity;
  Memory *memory = &graph->memory;
  if (total >= NONE || !region_reserve(memory, &uses->start, ((size_t)graph->class_total + 2) * 4) ||
      !region_reserve(memory, &uses->table, total * 4 + 4) || !region_reserve(memory, &uses->row, total * 4 + 4) ||
      !region_reserve(memory, &uses->queue, (size_t)graph->class_total * 4) ||
      !region_reserve(memory, &uses->next, (size_t)graph->class_total * 4) ||
      !region_reserve(memory, &uses->tail, (size_t)graph->class_total * 4))
    return false;
  uint32_t *start = words(&uses->start);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t t = 1; t < graph->table_count; t++) {
      Table *table = table_at(graph, t);
      for (uint32_t row = 0; row < table->rows_used; row++) {
        if (!row_live(table, row)) continue;
        for (uint32_t i = 0; i < table->arity; i++) {
          uint32_t class = row_at(table, row)[i];
          if (pass == 0) {
            start[class + 1]++;
            continue;
          }
          words(&uses->table)[start[class]] = t;
          words(&uses->row)[start[class]++] = row;
        }
      }
    }
    if (pass == 0)
      for (uint32_t c = 0; c < graph->class_total; c++) start[c + 1] += start[c];
  }
  for (uint32_t c = graph->class_total; c > 0; c--) start[c] = start[c - 1];
  start[0] = 0;
  return true;
}

/* Joins the list of uses of a merged class to its root's: the list of class c is c, next[c], .. tail[c]. */
static void uses_join(uint32_t *next, uint32_t *tail, uint32_t winner, uint32_t loser) {
  next[tail[winner]] = loser;
  tail[winner] = tail[loser];
}

/* Visits the uses of each merged class; a merge that this causes puts its loser in the queue. */
static void uses_visit(EGraph *graph, const Uses *uses) {
  uint32_t *next = words(&uses->next), *tail = words(&uses->tail), *queue = words(&uses->queue);
  uint32_t from = 0, to = 0;
  for (uint32_t c = 0; c < graph->class_total; c++) tail[c] = c;
  for (uint32_t c = 0; c < graph->class_total; c++)
    if (!is_root(graph, c)) {
      uses_join(next, tail, find(graph, c), c);
      queue[to++] = c;
    }
  while (from < to) {
    uint32_t loser = queue[from++];
    for (uint32_t at = loser;; at = next[at]) {
      for (uint32_t k = words(&uses->start)[at]; k < words(&uses->start)[at + 1]; k++) {
        uint32_t merged = graph->class_merged;
        row_repair(graph, table_at(graph, words(&uses->table)[k]), words(&uses->row)[k]);
        if (graph->class_merged == merged) continue;
        uses_join(next, tail, words(&graph->parent)[graph->last_loser], graph->last_loser);
        queue[to++] = graph->last_loser;
      }
      if (at == tail[loser]) break;
    }
  }
}

static bool chains_repair(EGraph *graph) {
  Uses uses = {0};
  bool built = uses_build(graph, &uses);
  if (built) uses_visit(graph, &uses);
  Region *regions[] = {&uses.start, &uses.table, &uses.row, &uses.queue, &uses.next, &uses.tail};
  for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) region_free(&graph->memory, regions[i]);
  return built;
}

/* -- all of it ---------------------------------------------------------------------------------------------- */

#define ROUNDS_BEFORE_CHAINS 12

static void congruence_close(EGraph *graph) {
  bool may_chain = true;
  for (unsigned round = 0; !graph->clean; round++) {
    uint32_t merged = graph->class_merged;
    for (uint32_t t = 0; t < graph->table_count; t++) table_scan(graph, table_at(graph, t));
    graph->clean = graph->class_merged == merged;
    if (round >= ROUNDS_BEFORE_CHAINS && may_chain && !graph->clean) may_chain = chains_repair(graph);
  }
}

EGraphStatus egraph_rebuild(EGraph *graph) {
  EGraphStatus status = EGRAPH_OK;
  do {
    congruence_close(graph);
    for (uint32_t t = 0; t < graph->table_count; t++) {
      Table *table = table_at(graph, t);
      if (table->rows_dead > table->rows_used / 4) table_compact(graph, table);
    }
    if (graph->analysis_count && status == EGRAPH_OK) status = analyses_update(graph);
  } while (!graph->clean || (graph->analysis_count && status == EGRAPH_OK && analyses_pending(graph)));
  return status;
}
