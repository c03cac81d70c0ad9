/* Makes the right sides of a chunk of matches, node by node: all matches' first node, then all matches'
 * second, so that the hash-table misses of a chunk overlap. Hashes are computed and slots fetched in one
 * pass; in the next, each node is found or appended.
 *
 * The root of a right side that is new goes straight into the class of the left side: no class is made
 * only to be merged. */
#include "internal.h"

#include <stdlib.h>

typedef struct {
  EGraph *graph;
  Rule *rule;
  uint32_t count;
  uint32_t whys[CHUNK]; /* with explanations: the record of each match, made when first needed */
  uint64_t hashes[CHUNK];
} Chunk;

static uint32_t *column_of(const Rule *rule, uint32_t source) {
  uint32_t at = source & RESULT ? rule->variable_count + rule->atom_count + (source & ~RESULT) : source;
  return rule->columns + (size_t)at * CHUNK;
}
static uint32_t *result_terms(const Rule *rule, uint32_t result) {
  return rule->columns + (size_t)(rule->variable_count + rule->atom_count + rule->result_count + result) * CHUNK;
}

/* The term that a variable stands for in explanations: as it was when the matched node was added. */
static uint32_t variable_term(const Chunk *chunk, uint32_t number, uint32_t k) {
  const EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  const Variable *variable = &rule->variables[number];
  if (variable->kind == VARIABLE_CONSTANT) return row_at(table_at(graph, 0), node_find(graph, variable->op, NULL))[2];
  if (rule->atoms[variable->atom].op == NONE) return words(&graph->creator)[rule->columns[number * CHUNK + k]];
  uint32_t term = rule->columns[(rule->variable_count + variable->atom) * CHUNK + k];
  if (variable->column == NONE) return term;
  return words(&graph->creator)[term_word(graph, term, 3 + variable->column)];
}

/* Records which nodes a match was made of. Space was reserved for the whole chunk. */
static uint32_t chunk_why(Chunk *chunk, uint32_t k) {
  EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  if (!graph->explain || chunk->whys[k] != WHY_NONE) return chunk->whys[k];
  uint32_t why = chunk->whys[k] = graph->log_words, *log = words(&graph->log) + why;
  *log++ = rule->id;
  for (uint32_t i = 0; i < rule->atom_count; i++)
    *log++ = rule->atoms[i].op == NONE ? words(&graph->creator)[rule->columns[rule->atoms[i].out * CHUNK + k]]
                                       : rule->columns[(rule->variable_count + i) * CHUNK + k];
  for (uint32_t i = 0; i < rule->result_count; i++) *log++ = result_terms(rule, i)[k];
  graph->log_words = (uint32_t)(log - words(&graph->log));
  return why;
}

/* Notes a result's term, also in a record that was made for an earlier result of the same match. */
static void result_note(Chunk *chunk, uint32_t number, uint32_t k, uint32_t term) {
  result_terms(chunk->rule, number)[k] = term;
  if (chunk->whys[k] != WHY_NONE)
    words(&chunk->graph->log)[chunk->whys[k] + 1 + chunk->rule->atom_count + number] = term;
}

static void class_join(Chunk *chunk, uint32_t k, uint32_t target, uint32_t class, uint32_t term) {
  EGraph *graph = chunk->graph;
  uint32_t a = find(graph, column_of(chunk->rule, target)[k]), b = find(graph, class);
  if (a == b) return;
  uint32_t from = graph->explain ? variable_term(chunk, target, k) : 0;
  class_union(graph, a, b, from, term, chunk_why(chunk, k));
}

static bool chunk_reserve(Chunk *chunk) {
  EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  uint32_t records = rule->atom_count + rule->result_count + 1;
  return !graph->explain ||
         ((size_t)graph->log_words + (size_t)records * chunk->count < NONE &&
          region_reserve(&graph->memory, &graph->log,
                         ((size_t)graph->log_words + (size_t)records * chunk->count) * sizeof(uint32_t)));
}

/* -- one node of the right side for all matches ------------------------------------------------------------ */

static uint32_t row_new(Chunk *chunk, Table *table, uint32_t number, uint32_t k, const uint32_t *key, uint32_t slot) {
  EGraph *graph = chunk->graph;
  const Result *result = &chunk->rule->results[number];
  uint32_t class = result->into == NONE ? class_new(graph) : column_of(chunk->rule, result->into)[k];
  uint32_t row = table_append(graph, table, key, chunk->hashes[k], slot, class);
  if (!graph->explain) return row;
  uint32_t term = term_new(graph, result->op, key, result->count, NONE, WHY_NONE);
  result_note(chunk, number, k, term);
  row_at(table, row)[table->arity + 1] = term;
  if (result->into == NONE)
    words(&graph->creator)[class] = term;
  else { /* the record is made after the term is known: it names it */
    uint32_t from = variable_term(chunk, result->into, k), why = chunk_why(chunk, k);
    uint32_t *cells = words(&graph->terms) + words(&graph->term_at)[term];
    cells[1] = from;
    cells[2] = why;
  }
  return row;
}

static EGraphStatus leaf_make(Chunk *chunk, uint32_t number) {
  EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  EGraphOperator op = rule->results[number].op;
  uint32_t row = node_find(graph, op, NULL);
  if (row == NONE) {
    EGraphClass class;
    EGraphStatus status = egraph_add(&class, graph, op, NULL);
    if (status != EGRAPH_OK) return status;
    row = node_find(graph, op, NULL);
  }
  uint32_t *cells = row_at(table_at(graph, 0), row), class = cells[1], term = graph->explain ? cells[2] : 0;
  uint32_t *out = column_of(rule, number | RESULT);
  for (uint32_t k = 0; k < chunk->count; k++) {
    out[k] = class;
    if (graph->explain) result_note(chunk, number, k, term);
  }
  return EGRAPH_OK;
}

/* Classes merged since the search began get their new names: this halves the rows that rebuilding would find
 * to be equal. */
static void sources_update(const EGraph *graph, uint32_t *source, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (!is_root(graph, source[k])) source[k] = find(graph, source[k]);
}

static void hashes_make(Chunk *chunk, const Table *table, uint32_t *const *sources) {
  if (table->arity == 2) {
    const uint32_t *a = sources[0], *b = sources[1];
    for (uint32_t k = 0; k < chunk->count; k++) {
      chunk->hashes[k] = hash_mix(a[k] | (uint64_t)b[k] << 32);
      slot_prefetch(table, chunk->hashes[k]);
    }
    return;
  }
  uint32_t key[64];
  for (uint32_t k = 0; k < chunk->count; k++) {
    for (uint32_t i = 0; i < table->arity; i++) key[i] = sources[i][k];
    chunk->hashes[k] = key_hash(key, table->arity);
    slot_prefetch(table, chunk->hashes[k]);
  }
}

static EGraphStatus node_make(Chunk *chunk, uint32_t number) {
  EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  const Result *result = &rule->results[number];
  if (result->count == 0) return leaf_make(chunk, number);
  Table *table = table_at(graph, operator_at(graph, result->op)->table);
  if (table->arity > 64) return EGRAPH_BAD_INPUT;
  if (!table_reserve(graph, table, chunk->count) || !class_reserve(graph, chunk->count) ||
      !term_reserve(graph, chunk->count, table->arity))
    return EGRAPH_MEMORY_LIMIT;
  uint32_t *sources[64], key[64], *out = column_of(rule, number | RESULT);
  for (uint32_t i = 0; i < table->arity; i++) sources[i] = column_of(rule, rule->arguments[result->arguments + i]);
  for (uint32_t i = 0; i < table->arity; i++) sources_update(graph, sources[i], chunk->count);
  hashes_make(chunk, table, sources);
  for (uint32_t k = 0; k < chunk->count; k++) {
    for (uint32_t i = 0; i < table->arity; i++) key[i] = sources[i][k];
    uint32_t slot, row = table_find_slot(table, key, chunk->hashes[k], &slot);
    if (row == NONE) {
      if (graph->rows_live >= graph->node_limit) return EGRAPH_NODE_LIMIT;
      row = row_new(chunk, table, number, k, key, slot);
    } else if (graph->explain)
      result_note(chunk, number, k, row_at(table, row)[table->arity + 1]);
    out[k] = row_at(table, row)[table->arity];
  }
  return EGRAPH_OK;
}

/* -- whole matches ------------------------------------------------------------------------------------------- */

/* Drops the matches for which a condition fails. */
static void conditions_filter(Chunk *chunk) {
  const Rule *rule = chunk->rule;
  uint32_t kept = 0, width = rule->variable_count + rule->atom_count;
  for (uint32_t k = 0; k < chunk->count; k++) {
    bool holds = true;
    for (uint32_t c = 0; c < rule->condition_count && holds; c++) {
      const Call *call = &rule->conditions[c];
      const Callback *callback = (Callback *)chunk->graph->callbacks.data + call->callback;
      EGraphClass arguments[64];
      for (uint32_t i = 0; i < call->count && i < 64; i++)
        arguments[i] = column_of(rule, rule->arguments[call->arguments + i])[k];
      holds = callback->condition(chunk->graph, arguments, call->count, callback->payload);
    }
    if (!holds) continue;
    for (uint32_t i = 0; i < width; i++) rule->columns[i * CHUNK + kept] = rule->columns[i * CHUNK + k];
    kept++;
  }
  chunk->count = kept;
}

static EGraphStatus dynamic_apply(Chunk *chunk) {
  EGraph *graph = chunk->graph;
  const Rule *rule = chunk->rule;
  for (uint32_t k = 0; k < chunk->count; k++) {
    const Callback callback = ((Callback *)graph->callbacks.data)[rule->dynamic.callback];
    EGraphClass arguments[64], made = NONE;
    for (uint32_t i = 0; i < rule->dynamic.count && i < 64; i++)
      arguments[i] = column_of(rule, rule->arguments[rule->dynamic.arguments + i])[k];
    EGraphStatus status = callback.function(&made, graph, arguments, rule->dynamic.count, callback.payload);
    if (status == EGRAPH_NOT_FOUND) continue;
    if (status != EGRAPH_OK) return status;
    if (made >= graph->class_total) return EGRAPH_BAD_INPUT;
    class_join(chunk, k, rule->dynamic_target, made, graph->explain ? words(&graph->creator)[made] : 0);
  }
  return EGRAPH_OK;
}

EGraphStatus apply_chunk(EGraph *graph, Rule *rule, uint32_t count) {
  Chunk chunk;
  chunk.graph = graph;
  chunk.rule = rule;
  chunk.count = count;
  if (graph->explain) memset(chunk.whys, 0, sizeof chunk.whys);
  if (!chunk_reserve(&chunk)) return EGRAPH_MEMORY_LIMIT;
  if (!graph->explain) memset(chunk.whys, 0, sizeof chunk.whys);
  if (rule->condition_count) conditions_filter(&chunk);
  if (rule->dynamic.callback != NONE) return dynamic_apply(&chunk);
  for (uint32_t i = 0; i < rule->result_count; i++) {
    EGraphStatus status = node_make(&chunk, i);
    if (status != EGRAPH_OK) return status;
  }
  for (uint32_t i = 0; i < rule->action_count; i++) {
    const Action *action = &rule->actions[i];
    const uint32_t *target = column_of(rule, action->target), *source = column_of(rule, action->source);
    for (uint32_t k = 0; k < chunk.count; k++)
      if (target[k] != source[k]) {
        uint32_t term = 0;
        if (graph->explain)
          term = action->source & RESULT ? result_terms(rule, action->source & ~RESULT)[k]
                                         : variable_term(&chunk, action->source, k);
        class_join(&chunk, k, action->target, source[k], term);
      }
  }
  return EGRAPH_OK;
}
