/* One operator's e-nodes: rows in a flat array, found by an open-addressing table of 32-bit slots.
 *
 * A slot holds the row number and, in the bits that the row does not need, a piece of the hash, so that a
 * miss seldom touches a row. Nothing is ever removed from the slots: a slot whose row died or got another key
 * fails the comparison, and is swept out when the slots are laid anew. An index groups rows by one or more
 * columns with a counting sort; it is built when a search first needs it. */
#include "internal.h"

bool table_init(EGraph *graph, Table *table, EGraphOperator op, uint32_t arity) {
  *table = (Table){.op = op, .arity = arity, .stride = arity + 1 + (graph->explain ? 1 : 0), .slot_bits = 3};
  return region_reserve(&graph->memory, &table->slots, sizeof(uint32_t) << table->slot_bits) &&
         region_reserve(&graph->memory, &table->touched, 8);
}

void table_free(EGraph *graph, Table *table) {
  table_drop_indexes(graph, table);
  region_free(&graph->memory, &table->rows);
  region_free(&graph->memory, &table->slots);
  region_free(&graph->memory, &table->touched);
  region_free(&graph->memory, &table->indexes);
}

void slot_insert(Table *table, uint64_t hash, uint32_t row) {
  uint32_t *slots = words(&table->slots);
  uint32_t mask = (UINT32_C(1) << table->slot_bits) - 1;
  uint32_t at = hash_bucket(table, hash);
  while (slots[at] != 0) at = (at + 1) & mask;
  slots[at] = hash_tag(table, hash) | (row + 1);
  table->slots_used++;
}

/* Lays every live row into the (zeroed) slots, with several rows in flight. */
static void slots_fill(Table *table) {
  uint64_t hashes[CHUNK];
  uint32_t rows[CHUNK];
  table->slots_used = 0;
  for (uint32_t row = 0; row < table->rows_used;) {
    uint32_t n = 0;
    for (; n < CHUNK && row < table->rows_used; row++) {
      if (!row_live(table, row)) continue;
      hashes[n] = key_hash(row_at(table, row), table->arity);
      slot_prefetch(table, hashes[n]);
      rows[n++] = row;
    }
    for (uint32_t i = 0; i < n; i++) slot_insert(table, hashes[i], rows[i]);
  }
}

void table_reslot(Table *table) {
  memset(table->slots.data, 0, sizeof(uint32_t) << table->slot_bits);
  slots_fill(table);
}

/* The old slots go before the new ones are filled: rows alone suffice to make them. */
static bool slots_grow(EGraph *graph, Table *table, uint32_t bits) {
  Region slots = {0};
  if (bits > 31 || !region_reserve(&graph->memory, &slots, sizeof(uint32_t) << bits)) return false;
  region_free(&graph->memory, &table->slots);
  table->slots = slots;
  table->slot_bits = bits;
  slots_fill(table);
  return true;
}

bool table_reserve(EGraph *graph, Table *table, uint32_t extra) {
  size_t rows = (size_t)table->rows_used + extra;
  if (!region_reserve(&graph->memory, &table->rows, rows * table->stride * sizeof(uint32_t)) ||
      !region_reserve(&graph->memory, &table->touched, bits_size(rows)))
    return false;
  size_t capacity = (size_t)1 << table->slot_bits;
  if (rows + 1 < capacity && (size_t)table->slots_used + extra <= capacity / 4 * 3) return true;
  size_t live = (size_t)table->rows_used - table->rows_dead + extra;
  if (rows + 1 < capacity && live <= capacity / 2) {
    table_reslot(table);
    return true;
  }
  uint32_t bits = table->slot_bits + 1;
  while (((size_t)1 << bits) <= rows + 1 || live > ((size_t)1 << bits) / 4 * 3) bits++;
  return slots_grow(graph, table, bits);
}

void table_reserve_slots(EGraph *graph, Table *table, size_t rows) {
  uint32_t bits = table->slot_bits;
  while (rows > ((size_t)1 << bits) / 4 * 3) bits++;
  if (bits > table->slot_bits) slots_grow(graph, table, bits);
}

void table_rekey(EGraph *graph, Table *table, uint32_t row, uint64_t hash) {
  size_t capacity = (size_t)1 << table->slot_bits;
  if (table->slots_used >= capacity - capacity / 8) {
    size_t live = table->rows_used - table->rows_dead;
    if (live <= capacity / 8 * 5 || !slots_grow(graph, table, table->slot_bits + 1)) table_reslot(table);
    return; /* the row already has its new key, so that it has been laid as well */
  }
  slot_insert(table, hash, row);
}

/* Closes the gaps of dead rows. The order of the others stays. */
void table_compact(EGraph *graph, Table *table) {
  uint32_t to = 0, fresh_from = table->rows_used, analysed = table->rows_used;
  uint64_t *touched = table->touched.data;
  bool fresh_known = false, analysed_known = false;
  for (uint32_t row = 0; row < table->rows_used; row++) {
    if (!fresh_known && row >= table->fresh_from) fresh_from = to, fresh_known = true;
    if (!analysed_known && row >= table->analysed) analysed = to, analysed_known = true;
    if (!row_live(table, row)) continue;
    bool bit = bit_get(&table->touched, row);
    if (to != row) memcpy(row_at(table, to), row_at(table, row), table->stride * sizeof(uint32_t));
    touched[to >> 6] = (touched[to >> 6] & ~(UINT64_C(1) << (to & 63))) | (uint64_t)bit << (to & 63);
    to++;
  }
  table->fresh_from = fresh_known ? fresh_from : to;
  table->analysed = analysed_known ? analysed : to;
  for (uint32_t row = to; row < table->rows_used; row++) touched[row >> 6] &= ~(UINT64_C(1) << (row & 63));
  table->rows_used = to;
  table->rows_dead = 0;
  table_reslot(table);
  (void)graph;
}

static uint32_t row_bucket(const Table *table, const Index *index, uint32_t row) {
  const uint32_t *cells = row_at(table, row);
  if (index->count == 1) return cells[index->columns[0]] & index->mask;
  uint32_t values[INDEX_COLUMNS] = {0};
  for (uint32_t i = 0; i < index->count; i++) values[i] = cells[index->columns[i]];
  return index_bucket(index, values);
}

/* A counting sort, in row order. Several values may share a bucket, so that a reader compares them as well. */
static bool index_fill(EGraph *graph, const Table *table, Index *index) {
  uint32_t bits = 4;
  while ((UINT32_C(1) << bits) < graph->class_total && (UINT32_C(1) << bits) / 2 < table->frozen) bits++;
  index->mask = (UINT32_C(1) << bits) - 1;
  if (!region_reserve(&graph->memory, &index->start, ((size_t)index->mask + 3) * sizeof(uint32_t)) ||
      !region_reserve(&graph->memory, &index->order, ((size_t)table->frozen + 1) * sizeof(uint32_t)))
    return false;
  uint32_t *start = words(&index->start), *order = words(&index->order);
  for (uint32_t row = 0; row < table->frozen; row++)
    if (row_live(table, row)) start[row_bucket(table, index, row) + 2]++;
  double squares = 0;
  for (uint32_t i = 0; i <= index->mask; i++) {
    squares += (double)start[i + 2] * start[i + 2];
    start[i + 2] += start[i + 1];
  }
  index->width = squares / (table->frozen + 1.0);
  for (uint32_t row = 0; row < table->frozen; row++)
    if (row_live(table, row)) order[start[row_bucket(table, index, row) + 1]++] = row;
  return true;
}

uint32_t table_index(EGraph *graph, Table *table, const uint32_t *columns, uint32_t count) {
  Index wanted = {.count = count};
  memcpy(wanted.columns, columns, count * sizeof *columns);
  for (uint32_t i = 0; i < table->index_count; i++) {
    const Index *known = (const Index *)table->indexes.data + i;
    if (known->count == count && memcmp(known->columns, wanted.columns, sizeof wanted.columns) == 0) return i;
  }
  if (!region_reserve(&graph->memory, &table->indexes, (table->index_count + 1) * sizeof wanted)) return NONE;
  bool good = index_fill(graph, table, &wanted);
  ((Index *)table->indexes.data)[table->index_count++] = wanted; /* also when it failed: dropping frees it */
  return good ? table->index_count - 1 : NONE;
}

void table_drop_indexes(EGraph *graph, Table *table) {
  for (uint32_t i = 0; i < table->index_count; i++) {
    Index *index = (Index *)table->indexes.data + i;
    region_free(&graph->memory, &index->start);
    region_free(&graph->memory, &index->order);
  }
  table->index_count = 0;
}
