/* The graph itself: operators, classes, e-nodes, union, and reading it back.
 *
 * Adding reserves all space first and then cannot fail half way. A union only records itself: rebuild.c
 * restores congruence later, for many unions at once (Willsey et al., egg, POPL 2021). */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static void rules_free_all(EGraph *graph);

static EGraphStatus graph_start(EGraph *graph) {
  if (!region_reserve(&graph->memory, &graph->tables, 16 * sizeof(Table))) return EGRAPH_MEMORY_LIMIT;
  graph->operator_bits = 6;
  graph->log_words = 2; /* WHY_NONE and WHY_CONGRUENCE are no offsets */
  if (!region_reserve(&graph->memory, &graph->operator_slots, sizeof(uint32_t) << graph->operator_bits) ||
      !class_reserve(graph, 1) || !region_reserve(&graph->memory, &graph->log, 64) ||
      !table_init(graph, table_at(graph, 0), NONE, 1))
    return EGRAPH_MEMORY_LIMIT;
  graph->table_count = 1;
  return EGRAPH_OK;
}

EGraphStatus egraph_create(EGraph **out, const EGraphOptions *options) {
  EGraphOptions defaults = EGRAPH_OPTIONS_INIT;
  if (!options) options = &defaults;
  *out = NULL;
  EGraph *graph = calloc(1, sizeof *graph);
  if (!graph) return EGRAPH_MEMORY_LIMIT;
  graph->memory.limit = options->memory_limit;
  graph->node_limit = options->node_limit;
  graph->explain = options->explain;
  graph->clean = true;
  if (graph_start(graph) != EGRAPH_OK) {
    egraph_destroy(graph);
    return EGRAPH_MEMORY_LIMIT;
  }
  *out = graph;
  return EGRAPH_OK;
}

void egraph_destroy(EGraph *graph) {
  if (!graph) return;
  rules_free_all(graph);
  if (graph->tables.data)
    for (uint32_t i = 0; i <= graph->table_count && i * sizeof(Table) < graph->tables.size; i++)
      table_free(graph, table_at(graph, i));
  Region *regions[] = {&graph->parent,         &graph->merged,    &graph->tables,  &graph->operators, &graph->names,
                       &graph->operator_slots, &graph->absorbed,  &graph->values,  &graph->valid,     &graph->changed,
                       &graph->seen,           &graph->callbacks, &graph->term_at, &graph->terms,     &graph->creator,
                       &graph->lost,           &graph->log,       &graph->reasons};
  for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) region_free(&graph->memory, regions[i]);
  free(graph);
}

void rules_free(EGraphRules *rules) {
  for (uint32_t i = 0; i < rules->count; i++) rule_free(&rules->rules[i]);
  free(rules->rules);
  free(rules);
}

static void rules_free_all(EGraph *graph) {
  while (graph->rules) {
    EGraphRules *rules = graph->rules;
    graph->rules = rules->next;
    rules_free(rules);
  }
}

/* Explanations name rules, so that a graph that explains keeps them. */
void egraph_rules_destroy(EGraphRules *rules) {
  if (!rules || rules->released) return;
  rules->released = true;
  if (rules->graph->explain) return;
  for (EGraphRules **at = &rules->graph->rules; *at; at = &(*at)->next)
    if (*at == rules) {
      *at = rules->next;
      break;
    }
  rules_free(rules);
}

/* -- operators --------------------------------------------------------------------------------------- */

static uint64_t name_hash(const char *name, size_t length, uint32_t arity) {
  uint64_t h = arity;
  for (size_t i = 0; i < length; i++) h = hash_mix(h ^ (h >> 31) ^ (unsigned char)name[i]);
  return hash_mix(h ^ length);
}

static bool name_integer(const char *name, size_t length, int64_t *value) {
  if (length == 0 || length > 20 || !(name[length - 1] >= '0' && name[length - 1] <= '9')) return false;
  if (name[0] != '-' && !(name[0] >= '0' && name[0] <= '9')) return false;
  char text[24];
  memcpy(text, name, length);
  text[length] = 0;
  char *end;
  errno = 0;
  long long parsed = strtoll(text, &end, 10);
  if (errno || *end) return false;
  *value = parsed;
  return true;
}

static uint32_t *operator_slot(const EGraph *graph, const char *name, size_t length, uint32_t arity) {
  uint32_t mask = (UINT32_C(1) << graph->operator_bits) - 1;
  uint32_t at = (uint32_t)(name_hash(name, length, arity) >> (64 - graph->operator_bits));
  for (;; at = (at + 1) & mask) {
    uint32_t *slot = words(&graph->operator_slots) + at;
    if (*slot == 0) return slot;
    const Operator *op = operator_at(graph, *slot - 1);
    const char *known = (const char *)graph->names.data + op->name;
    if (op->arity == arity && strncmp(known, name, length) == 0 && known[length] == 0) return slot;
  }
}

EGraphOperator operator_find(const EGraph *graph, const char *name, size_t length, uint32_t arity) {
  return *operator_slot(graph, name, length, arity) - 1; /* an empty slot is 0, and NONE is -1 */
}

static void operator_slots_fill(EGraph *graph) {
  memset(graph->operator_slots.data, 0, sizeof(uint32_t) << graph->operator_bits);
  for (uint32_t i = 0; i < graph->operator_count; i++) {
    const Operator *op = operator_at(graph, i);
    const char *name = (const char *)graph->names.data + op->name;
    *operator_slot(graph, name, strlen(name), op->arity) = i + 1;
  }
}

static bool operator_slots_grow(EGraph *graph) {
  Region old = graph->operator_slots;
  graph->operator_slots = (Region){0};
  if (!region_reserve(&graph->memory, &graph->operator_slots, sizeof(uint32_t) << (graph->operator_bits + 1))) {
    graph->operator_slots = old;
    return false;
  }
  graph->operator_bits++;
  operator_slots_fill(graph);
  region_free(&graph->memory, &old);
  return true;
}

EGraphStatus operator_intern(EGraphOperator *out, EGraph *graph, const char *name, size_t length, uint32_t arity) {
  uint32_t *slot = operator_slot(graph, name, length, arity);
  if (*slot) {
    *out = *slot - 1;
    return EGRAPH_OK;
  }
  if ((graph->operator_count + 1) * 2 > UINT32_C(1) << graph->operator_bits && !operator_slots_grow(graph))
    return EGRAPH_MEMORY_LIMIT;
  if (!region_reserve(&graph->memory, &graph->operators, (graph->operator_count + 1) * sizeof(Operator)) ||
      !region_reserve(&graph->memory, &graph->names, graph->names_used + length + 1) ||
      !region_reserve(&graph->memory, &graph->tables, (graph->table_count + 2) * sizeof(Table)))
    return EGRAPH_MEMORY_LIMIT;
  Operator op = {.name = graph->names_used, .arity = arity};
  if (arity == 0)
    op.is_integer = name_integer(name, length, &op.value);
  else {
    Table *table = table_at(graph, graph->table_count);
    if (!table_init(graph, table, graph->operator_count, arity)) {
      table_free(graph, table);
      return EGRAPH_MEMORY_LIMIT;
    }
    op.table = graph->table_count++;
  }
  char *text = (char *)graph->names.data + graph->names_used;
  memcpy(text, name, length);
  text[length] = 0;
  graph->names_used += (uint32_t)length + 1;
  *operator_at(graph, graph->operator_count) = op;
  *operator_slot(graph, name, length, arity) = graph->operator_count + 1;
  *out = graph->operator_count++;
  return EGRAPH_OK;
}

void operators_forget(EGraph *graph, uint32_t count) {
  if (count == graph->operator_count) return;
  for (uint32_t op = count; op < graph->operator_count; op++)
    if (operator_at(graph, op)->arity) table_free(graph, table_at(graph, --graph->table_count));
  graph->names_used = operator_at(graph, count)->name;
  graph->operator_count = count;
  operator_slots_fill(graph);
}

EGraphStatus egraph_operator_intern(EGraphOperator *out, EGraph *graph, const char *name, unsigned arity) {
  size_t length = strlen(name);
  *out = NONE;
  if (length == 0 || length > 1000 || arity > 64 || strcspn(name, " \t\r\n;(),") != length || name[0] == '?' ||
      name[0] == '@' || name[length - 1] == ':')
    return EGRAPH_BAD_INPUT;
  return operator_intern(out, graph, name, strlen(name), arity);
}
const char *egraph_operator_name(const EGraph *graph, EGraphOperator op) {
  return (const char *)graph->names.data + operator_at(graph, op)->name;
}
unsigned egraph_operator_arity(const EGraph *graph, EGraphOperator op) { return operator_at(graph, op)->arity; }
bool egraph_operator_integer(const EGraph *graph, EGraphOperator op, int64_t *value) {
  *value = operator_at(graph, op)->value;
  return operator_at(graph, op)->is_integer;
}

/* -- classes and terms --------------------------------------------------------------------------------- */

bool class_reserve(EGraph *graph, uint32_t extra) {
  size_t total = (size_t)graph->class_total + extra;
  Memory *memory = &graph->memory;
  if (total >= NONE / 2 || !region_reserve(memory, &graph->parent, total * sizeof(uint32_t)) ||
      !region_reserve(memory, &graph->merged, bits_size(total)))
    return false;
  if (graph->explain && (!region_reserve(memory, &graph->creator, total * sizeof(uint32_t)) ||
                         !region_reserve(memory, &graph->lost, total * sizeof(Edge))))
    return false;
  size_t bits = bits_size(total);
  if (graph->analysis_count &&
      (!region_reserve(memory, &graph->values, total * graph->value_stride) ||
       !region_reserve(memory, &graph->valid, bits) || !region_reserve(memory, &graph->changed, bits) ||
       !region_reserve(memory, &graph->seen, bits) || !region_reserve(memory, &graph->absorbed, bits)))
    return false;
  return true;
}

uint32_t class_new(EGraph *graph) {
  uint32_t class = graph->class_total++;
  words(&graph->parent)[class] = class;
  return class;
}

bool term_reserve(EGraph *graph, uint32_t extra, uint32_t arity) {
  if (!graph->explain) return true;
  size_t total = (size_t)graph->term_words + (size_t)extra * (arity + 3);
  return total < NONE && region_reserve(&graph->memory, &graph->terms, total * sizeof(uint32_t)) &&
         region_reserve(&graph->memory, &graph->term_at, ((size_t)graph->term_count + extra) * sizeof(uint32_t));
}

uint32_t term_new(EGraph *graph, EGraphOperator op, const uint32_t *children, uint32_t arity, uint32_t from,
                  uint32_t why) {
  uint32_t term = graph->term_count++;
  words(&graph->term_at)[term] = graph->term_words;
  uint32_t *cells = words(&graph->terms) + graph->term_words;
  cells[0] = op;
  cells[1] = from;
  cells[2] = why;
  for (uint32_t i = 0; i < arity; i++) cells[i + 3] = children[i];
  graph->term_words += arity + 3;
  return term;
}

/* The older class wins: it tends to have more parents, and its name is already known. */
void class_union(EGraph *graph, uint32_t a, uint32_t b, uint32_t term_a, uint32_t term_b, uint32_t why) {
  uint32_t winner = a < b ? a : b, loser = a < b ? b : a;
  words(&graph->parent)[loser] = winner;
  bit_set(&graph->merged, loser);
  graph->class_merged++;
  graph->last_loser = loser;
  graph->unions++;
  graph->clean = false;
  if (graph->explain) ((Edge *)graph->lost.data)[loser] = (Edge){term_a, term_b, why};
}

/* -- adding ---------------------------------------------------------------------------------------------- */

uint32_t node_find(const EGraph *graph, EGraphOperator op, const uint32_t *children) {
  const Operator *info = operator_at(graph, op);
  const Table *table = table_at(graph, info->table);
  const uint32_t *key = info->arity ? children : &op;
  return table_find(table, key, key_hash(key, table->arity));
}

EGraphStatus egraph_add(EGraphClass *out, EGraph *graph, EGraphOperator op, const EGraphClass *children) {
  EGraphClass result = NONE; /* out may be one of the children */
  if (op >= graph->operator_count) {
    *out = NONE;
    return EGRAPH_BAD_INPUT;
  }
  const Operator *info = operator_at(graph, op);
  Table *table = table_at(graph, info->table);
  uint32_t local[16], *key = local;
  if (info->arity > 16 && !(key = malloc(info->arity * sizeof *key))) {
    *out = NONE;
    return EGRAPH_MEMORY_LIMIT;
  }
  EGraphStatus status = EGRAPH_OK;
  key[0] = op;
  for (uint32_t i = 0; i < info->arity; i++) {
    if (children[i] >= graph->class_total) {
      status = EGRAPH_BAD_INPUT;
      break;
    }
    key[i] = find(graph, children[i]);
  }
  if (status == EGRAPH_OK) {
    uint64_t hash = key_hash(key, table->arity);
    uint32_t slot, row = table_find(table, key, hash);
    if (row != NONE)
      result = find(graph, row_at(table, row)[table->arity]);
    else if (graph->rows_live >= graph->node_limit)
      status = EGRAPH_NODE_LIMIT;
    else if (!table_reserve(graph, table, 1) || !class_reserve(graph, 1) || !term_reserve(graph, 1, info->arity))
      status = EGRAPH_MEMORY_LIMIT;
    else {
      result = class_new(graph);
      table_find_slot(table, key, hash, &slot); /* reserving may have laid the slots anew */
      row = table_append(graph, table, key, hash, slot, result);
      if (graph->explain) {
        uint32_t term = term_new(graph, op, children, info->arity, NONE, WHY_NONE);
        row_at(table, row)[table->arity + 1] = term;
        words(&graph->creator)[result] = term;
      }
      if (graph->analysis_count && graph->clean && table->analysed == row) {
        analyses_make_row(graph, table, row);
        table->analysed++;
      }
    }
  }
  if (key != local) free(key);
  *out = result;
  return status;
}

EGraphStatus egraph_add_integer(EGraphClass *out, EGraph *graph, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  EGraphOperator op;
  EGraphStatus status = egraph_operator_intern(&op, graph, text, 0);
  return status != EGRAPH_OK ? status : egraph_add(out, graph, op, NULL);
}

/* Reasons are text in the log: [NONE, offset in reasons]. */
static uint32_t reason_record(EGraph *graph, const char *reason) {
  size_t length = strlen(reason) + 1;
  if (!region_reserve(&graph->memory, &graph->reasons, graph->reasons_used + length) ||
      !region_reserve(&graph->memory, &graph->log, ((size_t)graph->log_words + 2) * sizeof(uint32_t)))
    return WHY_NONE;
  char *text = (char *)graph->reasons.data + graph->reasons_used;
  memcpy(text, reason, length);
  for (size_t i = 0; i + 1 < length; i++)
    if (text[i] == '\n' || text[i] == '\r') text[i] = ' '; /* a certificate has a line for it */
  uint32_t why = graph->log_words;
  words(&graph->log)[why] = NONE;
  words(&graph->log)[why + 1] = graph->reasons_used;
  graph->log_words += 2;
  graph->reasons_used += (uint32_t)length;
  return why;
}

EGraphStatus terms_union(EGraph *graph, const uint32_t class[2], const uint32_t term[2], const char *reason) {
  uint32_t x = find(graph, class[0]), y = find(graph, class[1]);
  if (x == y) return EGRAPH_OK;
  uint32_t why = graph->explain ? reason_record(graph, reason ? reason : "assumed") : 0;
  if (graph->explain && why == WHY_NONE) return EGRAPH_MEMORY_LIMIT;
  class_union(graph, x, y, term[0], term[1], why);
  return EGRAPH_OK;
}

EGraphStatus egraph_union(EGraph *graph, EGraphClass a, EGraphClass b, const char *reason) {
  if (a >= graph->class_total || b >= graph->class_total) return EGRAPH_BAD_INPUT;
  uint32_t term[2] = {0};
  if (graph->explain) term[0] = words(&graph->creator)[a], term[1] = words(&graph->creator)[b];
  return terms_union(graph, (uint32_t[]){a, b}, term, reason);
}

/* -- reading --------------------------------------------------------------------------------------------- */

EGraphClass egraph_find(const EGraph *graph, EGraphClass class) {
  return class < graph->class_total ? find(graph, class) : NONE;
}
bool egraph_equal(const EGraph *graph, EGraphClass a, EGraphClass b) {
  return egraph_find(graph, a) == egraph_find(graph, b);
}
size_t egraph_node_count(const EGraph *graph) { return graph->rows_live; }
size_t egraph_class_count(const EGraph *graph) { return graph->class_total - graph->class_merged; }
size_t egraph_memory(const EGraph *graph) { return graph->memory.used; }
size_t egraph_memory_peak(const EGraph *graph) { return graph->memory.peak; }
void egraph_limit(EGraph *graph, size_t node_limit, size_t memory_limit) {
  graph->node_limit = node_limit;
  graph->memory.limit = memory_limit;
}

static bool visit_rows(const EGraph *graph, uint32_t class, EGraphVisit *visit, void *payload) {
  for (uint32_t i = 0; i < graph->table_count; i++) {
    const Table *table = table_at(graph, i);
    for (uint32_t row = 0; row < table->rows_used; row++) {
      const uint32_t *cells = row_at(table, row);
      if (cells[table->arity] == NONE) continue;
      uint32_t root = find(graph, cells[table->arity]);
      if (class != NONE && root != class) continue;
      EGraphNode node = {i ? table->op : cells[0], root, i ? table->arity : 0, cells};
      if (!visit(&node, payload)) return false;
    }
  }
  return true;
}

void egraph_visit(const EGraph *graph, EGraphVisit *visit, void *payload) { visit_rows(graph, NONE, visit, payload); }
void egraph_visit_class(const EGraph *graph, EGraphClass class, EGraphVisit *visit, void *payload) {
  visit_rows(graph, egraph_find(graph, class), visit, payload);
}
