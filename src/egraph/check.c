/* Tests every invariant of internal.h; and draws the graph. */
#include "internal.h"

#include <stdlib.h>

static const char *classes_check(const EGraph *graph) {
  uint32_t merged = 0;
  for (uint32_t class = 0; class < graph->class_total; class ++) {
    uint32_t parent = words(&graph->parent)[class];
    if (parent > class) return "a parent is younger than its class";
    if ((parent != class) == is_root(graph, class)) return "a merged bit is wrong";
    merged += parent != class;
  }
  return merged == graph->class_merged ? NULL : "the count of merged classes is wrong";
}

static const char *table_check(const EGraph *graph, const Table *table, bool leaves, size_t *live) {
  uint32_t dead = 0, used = 0;
  for (uint32_t i = 0; i < UINT32_C(1) << table->slot_bits; i++) used += words(&table->slots)[i] != 0;
  if (used != table->slots_used) return "the count of used slots is wrong";
  for (uint32_t row = 0; row < table->rows_used; row++) {
    const uint32_t *cells = row_at(table, row);
    if (!row_live(table, row)) {
      dead++;
      continue;
    }
    ++*live;
    if (cells[table->arity] >= graph->class_total) return "a row has no class";
    if (table_find(table, cells, key_hash(cells, table->arity)) != row) return "a row is not found by its key";
    if (!graph->clean) continue;
    if (!is_root(graph, cells[table->arity])) return "a row has a merged class";
    for (uint32_t i = 0; i < table->arity && !leaves; i++)
      if (cells[i] >= graph->class_total || !is_root(graph, cells[i])) return "a row has a merged child";
  }
  return dead == table->rows_dead ? NULL : "the count of dead rows is wrong";
}

const char *egraph_check(const EGraph *graph) {
  size_t live = 0;
  const char *problem = classes_check(graph);
  for (uint32_t t = 0; t < graph->table_count && !problem; t++)
    problem = table_check(graph, table_at(graph, t), t == 0, &live);
  if (problem) return problem;
  if (live != graph->rows_live) return "the count of e-nodes is wrong";
  if (graph->memory.used > graph->memory.limit && graph->memory.peak == graph->memory.used) return "over the limit";
  return NULL;
}

/* -- Graphviz ------------------------------------------------------------------------------------------------ */

static void name_write(FILE *file, const char *name) {
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') putc('\\', file);
    putc(*name, file);
  }
}

typedef struct {
  const EGraph *graph;
  FILE *file;
  uint32_t *first; /* a node of each class + 1 */
  uint32_t count;
  bool edges;
} Picture;

static bool node_draw(const EGraphNode *node, void *payload) {
  Picture *picture = payload;
  uint32_t id = picture->count++;
  if (!picture->edges) {
    if (!picture->first[node->eclass]) picture->first[node->eclass] = id + 1;
    fprintf(picture->file, "  subgraph cluster_%u { style=dotted; n%u [label=\"", node->eclass, id);
    name_write(picture->file, egraph_operator_name(picture->graph, node->op));
    fprintf(picture->file, "\"]; }\n");
    return true;
  }
  for (unsigned i = 0; i < node->arity; i++) {
    uint32_t class = find(picture->graph, node->children[i]);
    if (!picture->first[class]) continue; /* no node of it is left to point at */
    fprintf(picture->file, "  n%u -> n%u [", id, picture->first[class] - 1);
    if (class != node->eclass) fprintf(picture->file, "lhead=cluster_%u, ", class); /* not from inside the cluster */
    fprintf(picture->file, "taillabel=%u];\n", i);
  }
  return true;
}

void egraph_write_dot(const EGraph *graph, FILE *file) {
  Picture picture = {graph, file, calloc((size_t)graph->class_total + 1, sizeof(uint32_t)), 0, false};
  if (!picture.first) return;
  fprintf(file, "digraph egraph {\n  compound=true; clusterrank=local; node [shape=box];\n");
  egraph_visit(graph, node_draw, &picture);
  picture.edges = true;
  picture.count = 0;
  egraph_visit(graph, node_draw, &picture);
  fprintf(file, "}\n");
  free(picture.first);
}
