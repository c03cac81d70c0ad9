/* Extraction: a cheapest term of a class.
 *
 * Tree cost is a least fixpoint: passes over all rows lower the cost of each class until nothing changes. DAG
 * cost, where a shared subterm is paid once, is NP-hard. It starts from the tree solution, improves it by
 * changing one class at a time, and then searches all choices by branch and bound: a needed class that has no
 * node yet costs at least its cheapest operator. Costs are read once per operator. Ties go to the row that
 * comes first, so that the same graph gives the same term. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_LIMIT ((size_t)256 << 20)

typedef struct {
  uint32_t table, row;
} Place;

typedef struct {
  const EGraph *graph;
  double *operator_costs;
  double *costs; /* of a class's best term; INFINITY: none yet */
  Place *best;
} Costs;

static EGraphOperator place_operator(const EGraph *graph, Place place) {
  const Table *table = table_at(graph, place.table);
  return place.table ? table->op : row_at(table, place.row)[0];
}
static uint32_t place_arity(const EGraph *graph, Place place) {
  return place.table ? table_at(graph, place.table)->arity : 0;
}
static uint32_t place_child(const EGraph *graph, Place place, uint32_t i) {
  return find(graph, row_at(table_at(graph, place.table), place.row)[i]);
}

static void costs_free(Costs *costs) {
  free(costs->operator_costs);
  free(costs->costs);
  free(costs->best);
}

static void operators_price(Costs *costs, EGraphCost *cost, void *payload) {
  for (uint32_t op = 0; op < costs->graph->operator_count; op++) {
    double own = cost ? cost(costs->graph, op, payload) : 1.0;
    costs->operator_costs[op] = own > 0 && own < INFINITY ? own : INFINITY;
  }
}

static bool costs_pass(Costs *costs) {
  const EGraph *graph = costs->graph;
  bool changed = false;
  for (uint32_t t = 0; t < graph->table_count; t++) {
    const Table *table = table_at(graph, t);
    for (uint32_t row = 0; row < table->rows_used; row++) {
      if (!row_live(table, row)) continue;
      Place place = {t, row};
      double total = costs->operator_costs[place_operator(graph, place)];
      for (uint32_t i = 0; i < place_arity(graph, place); i++) total += costs->costs[place_child(graph, place, i)];
      uint32_t class = find(graph, row_at(table, row)[table->arity]);
      if (!(total < costs->costs[class])) continue;
      costs->costs[class] = total;
      costs->best[class] = place;
      changed = true;
    }
  }
  return changed;
}

static bool costs_make(Costs *costs, const EGraph *graph, EGraphCost *cost, void *payload) {
  *costs = (Costs){graph, malloc((graph->operator_count + 1) * sizeof(double)),
                   malloc(((size_t)graph->class_total + 1) * sizeof(double)),
                   calloc((size_t)graph->class_total + 1, sizeof(Place))};
  if (!costs->operator_costs || !costs->costs || !costs->best) return false;
  operators_price(costs, cost, payload);
  for (uint32_t class = 0; class < graph->class_total; class ++) costs->costs[class] = INFINITY;
  while (costs_pass(costs)) {
  }
  return true;
}

/* -- text --------------------------------------------------------------------------------------------------- */

typedef struct {
  char *text;
  size_t used, capacity;
  bool failed;
} Text;

static void text_put(Text *text, const char *piece) {
  size_t length = strlen(piece);
  if (text->used + length + 1 > text->capacity) {
    size_t capacity = text->capacity * 2 + length + 64;
    char *more = capacity < TEXT_LIMIT && !text->failed ? realloc(text->text, capacity) : NULL;
    if (!more) {
      text->failed = true;
      return;
    }
    text->text = more;
    text->capacity = capacity;
  }
  memcpy(text->text + text->used, piece, length + 1);
  text->used += length;
}

static EGraphStatus text_give(char **out, Text *text) {
  *out = text->text;
  if (!text->failed && text->text) return EGRAPH_OK;
  free(text->text);
  *out = NULL;
  return EGRAPH_MEMORY_LIMIT;
}

typedef struct {
  uint32_t class, child;
} Frame;

/* Writes the term with a stack of its own: terms may be deep. */
static void tree_write(Text *text, const Costs *costs, uint32_t root) {
  const EGraph *graph = costs->graph;
  size_t height = 1, capacity = 64;
  Frame *stack = malloc(capacity * sizeof *stack);
  if (!stack)
    text->failed = true;
  else
    stack[0] = (Frame){root, 0};
  while (height && !text->failed) {
    Frame *top = &stack[height - 1];
    Place place = costs->best[top->class];
    uint32_t arity = place_arity(graph, place);
    if (top->child == 0) {
      if (arity) text_put(text, "(");
      text_put(text, egraph_operator_name(graph, place_operator(graph, place)));
    }
    if (top->child == arity) {
      if (arity) text_put(text, ")");
      height--;
      continue;
    }
    text_put(text, " ");
    Frame next = {place_child(graph, place, top->child++), 0};
    if (height == capacity) {
      Frame *more = realloc(stack, (capacity *= 2) * sizeof *stack);
      if (!more) {
        text->failed = true;
        break;
      }
      stack = more;
    }
    stack[height++] = next;
  }
  free(stack);
}

EGraphStatus egraph_extract_tree(char **out, double *total, const EGraph *graph, EGraphClass root, EGraphCost *cost,
                                 void *payload) {
  *out = NULL;
  *total = INFINITY;
  if (root >= graph->class_total) return EGRAPH_BAD_INPUT;
  Costs costs;
  Text text = {0};
  root = find(graph, root);
  EGraphStatus status = EGRAPH_MEMORY_LIMIT;
  if (costs_make(&costs, graph, cost, payload)) {
    *total = costs.costs[root];
    status = EGRAPH_NOT_FOUND;
    if (*total < INFINITY) {
      tree_write(&text, &costs, root);
      status = text_give(out, &text);
    }
  }
  costs_free(&costs);
  return status;
}

/* -- DAG cost ------------------------------------------------------------------------------------------------ */

typedef struct {
  uint32_t first, count; /* choices */
  double least;          /* cheapest operator */
} Local;

/* The part of the graph below the root, with classes numbered anew, root 0. */
typedef struct {
  const Costs *costs;
  Local *locals;
  uint32_t local_count;
  uint32_t *number;        /* class -> local + 1 */
  uint32_t *classes;       /* local -> class */
  Place *choices;          /* grouped by local */
  uint32_t *chosen, *best; /* local -> choice + 1 (0: none yet) */
  uint32_t *mark, stamp;   /* visits */
  uint32_t *stack;
  uint32_t *pending; /* needed locals without a choice */
  uint32_t pending_count;
  double cost, bound, best_cost;
  size_t effort;
} Dag;

static double choice_cost(const Dag *dag, uint32_t choice) {
  return dag->costs->operator_costs[place_operator(dag->costs->graph, dag->choices[choice])];
}
static uint32_t choice_arity(const Dag *dag, uint32_t choice) {
  return place_arity(dag->costs->graph, dag->choices[choice]);
}
static uint32_t choice_child(const Dag *dag, uint32_t choice, uint32_t i) {
  return dag->number[place_child(dag->costs->graph, dag->choices[choice], i)] - 1;
}

static bool place_usable(const Costs *costs, Place place) {
  double total = costs->operator_costs[place_operator(costs->graph, place)];
  for (uint32_t i = 0; i < place_arity(costs->graph, place); i++)
    total += costs->costs[place_child(costs->graph, place, i)];
  return total < INFINITY;
}

static void local_number(Dag *dag, uint32_t class) {
  if (dag->number[class]) return;
  dag->classes[dag->local_count] = class;
  dag->number[class] = ++dag->local_count;
}

/* Groups all usable rows by class, then numbers the classes that the root reaches. */
static bool dag_make(Dag *dag, const Costs *costs, uint32_t root) {
  const EGraph *graph = costs->graph;
  size_t classes = (size_t)graph->class_total + 2;
  uint32_t *start = calloc(classes, 4);
  Place *places = malloc((graph->rows_live + 1) * sizeof *places);
  dag->costs = costs;
  dag->number = calloc(classes, 4), dag->classes = malloc(classes * 4), dag->locals = calloc(classes, sizeof(Local));
  dag->choices = places;
  bool good = start && places && dag->number && dag->classes && dag->locals;
  for (int pass = 0; good && pass < 2; pass++) {
    for (uint32_t t = 0; t < graph->table_count; t++) {
      const Table *table = table_at(graph, t);
      for (uint32_t row = 0; row < table->rows_used; row++) {
        Place place = {t, row};
        if (!row_live(table, row) || !place_usable(costs, place)) continue;
        uint32_t class = find(graph, row_at(table, row)[table->arity]);
        if (pass == 0)
          start[class + 1]++;
        else
          places[start[class]++] = place;
      }
    }
    for (size_t i = 1; pass == 0 && i < classes; i++) start[i] += start[i - 1];
  }
  if (good) local_number(dag, root);
  for (uint32_t local = 0; good && local < dag->local_count; local++) {
    uint32_t class = dag->classes[local];
    Local *item = &dag->locals[local];
    item->first = class ? start[class - 1] : 0; /* the second pass moved each start to its end */
    item->count = start[class] - item->first;
    item->least = INFINITY;
    for (uint32_t c = item->first; c < item->first + item->count; c++) {
      if (choice_cost(dag, c) < item->least) item->least = choice_cost(dag, c);
      for (uint32_t i = 0; i < choice_arity(dag, c); i++) local_number(dag, place_child(graph, places[c], i));
    }
  }
  free(start);
  size_t n = (size_t)dag->local_count + 1;
  dag->chosen = calloc(n, 4), dag->best = calloc(n, 4), dag->mark = calloc(n, 4), dag->stack = malloc(n * 4);
  dag->pending = malloc(n * 4);
  return good && dag->chosen && dag->best && dag->mark && dag->stack && dag->pending;
}

static void dag_free(Dag *dag) {
  free(dag->locals), free(dag->number), free(dag->classes), free(dag->choices), free(dag->chosen), free(dag->best);
  free(dag->mark), free(dag->stack), free(dag->pending);
}

/* Whether `goal` can be reached from `from` through the choices made. */
static bool dag_reaches(Dag *dag, uint32_t from, uint32_t goal) {
  uint32_t height = 0;
  dag->stamp++;
  dag->mark[from] = dag->stamp;
  dag->stack[height++] = from;
  while (height) {
    uint32_t local = dag->stack[--height];
    if (local == goal) return true;
    uint32_t choice = dag->chosen[local];
    for (uint32_t i = 0; choice && i < choice_arity(dag, choice - 1); i++) {
      uint32_t child = choice_child(dag, choice - 1, i);
      if (dag->mark[child] == dag->stamp) continue;
      dag->mark[child] = dag->stamp;
      dag->stack[height++] = child;
    }
  }
  return false;
}

static bool choice_cyclic(Dag *dag, uint32_t local, uint32_t choice) {
  for (uint32_t i = 0; i < choice_arity(dag, choice); i++)
    if (dag_reaches(dag, choice_child(dag, choice, i), local)) return true;
  return false;
}

/* What the present choices cost below the root. Every class has one. */
static double dag_price(Dag *dag) {
  double total = 0;
  uint32_t height = 0;
  dag->stamp++;
  dag->mark[0] = dag->stamp;
  dag->stack[height++] = 0;
  while (height) {
    uint32_t choice = dag->chosen[dag->stack[--height]] - 1;
    total += choice_cost(dag, choice);
    for (uint32_t i = 0; i < choice_arity(dag, choice); i++) {
      uint32_t child = choice_child(dag, choice, i);
      if (dag->mark[child] == dag->stamp) continue;
      dag->mark[child] = dag->stamp;
      dag->stack[height++] = child;
    }
  }
  return total;
}

static void dag_start(Dag *dag) {
  for (uint32_t local = 0; local < dag->local_count; local++) {
    const Local *item = &dag->locals[local];
    Place best = dag->costs->best[dag->classes[local]];
    for (uint32_t c = item->first; c < item->first + item->count; c++)
      if (dag->choices[c].table == best.table && dag->choices[c].row == best.row) dag->chosen[local] = c + 1;
  }
  dag->best_cost = dag_price(dag);
  memcpy(dag->best, dag->chosen, dag->local_count * sizeof *dag->best);
}

/* Changes one class at a time while that helps. */
static void dag_climb(Dag *dag, size_t *effort) {
  for (bool better = true; better;) {
    better = false;
    for (uint32_t local = 0; local < dag->local_count; local++) {
      const Local *item = &dag->locals[local];
      for (uint32_t c = item->first; c < item->first + item->count; c++) {
        uint32_t old = dag->chosen[local];
        size_t work = 1 + dag->local_count / 8;
        if (c + 1 == old) continue;
        if (*effort < work) return;
        *effort -= work;
        if (choice_cyclic(dag, local, c)) continue;
        dag->chosen[local] = c + 1;
        double cost = dag_price(dag);
        if (cost < dag->best_cost) {
          dag->best_cost = cost;
          better = true;
        } else
          dag->chosen[local] = old;
      }
    }
  }
}

/* The choice's children that have no choice yet join the pending ones. */
static void children_wait(Dag *dag, uint32_t choice) {
  for (uint32_t i = 0; i < choice_arity(dag, choice); i++) {
    uint32_t child = choice_child(dag, choice, i);
    bool waiting = dag->chosen[child] != 0;
    for (uint32_t k = 0; k < dag->pending_count && !waiting; k++) waiting = dag->pending[k] == child;
    if (waiting) continue;
    dag->pending[dag->pending_count++] = child;
    dag->bound += dag->locals[child].least;
  }
}

static bool dag_search(Dag *dag, size_t *effort, unsigned depth);

/* Everything below one choice for a class, and back. Returns false when the effort is used up. */
static bool choice_search(Dag *dag, uint32_t local, uint32_t choice, size_t *effort, unsigned depth) {
  uint32_t pending = dag->pending_count, *copy;
  double cost = dag->cost, bound = dag->bound;
  bool complete = true;
  dag->cost += choice_cost(dag, choice);
  dag->chosen[local] = choice + 1;
  children_wait(dag, choice);
  if (dag->cost + dag->bound < dag->best_cost) {
    complete = (copy = malloc(((size_t)pending + 1) * sizeof *copy)) != NULL; /* the search reorders them */
    if (copy) {
      memcpy(copy, dag->pending, pending * sizeof *copy);
      complete = dag_search(dag, effort, depth + 1);
      memcpy(dag->pending, copy, pending * sizeof *copy);
      free(copy);
    }
  }
  dag->pending_count = pending;
  dag->cost = cost;
  dag->bound = bound;
  dag->chosen[local] = 0;
  return complete;
}

/* Branch and bound over the pending classes. */
static bool dag_search(Dag *dag, size_t *effort, unsigned depth) {
  if (depth > 4000 || *effort == 0) return false;
  --*effort;
  if (dag->pending_count == 0) {
    if (dag->cost < dag->best_cost) {
      dag->best_cost = dag->cost;
      memcpy(dag->best, dag->chosen, dag->local_count * sizeof *dag->best);
    }
    return true;
  }
  uint32_t local = dag->pending[--dag->pending_count];
  const Local item = dag->locals[local];
  bool complete = true;
  dag->bound -= item.least;
  for (uint32_t c = item.first; c < item.first + item.count && complete; c++)
    if (!choice_cyclic(dag, local, c)) complete = choice_search(dag, local, c, effort, depth);
  dag->bound += item.least;
  dag->pending[dag->pending_count++] = local;
  return complete;
}

/* Lines, children first. */
static void dag_write(Text *text, Dag *dag) {
  uint32_t height = 0, lines = 0, *line = calloc(dag->local_count + 1, 4);
  char piece[32];
  if (!line) text->failed = true;
  dag->pending[height++] = 0;
  while (height && !text->failed) {
    uint32_t local = dag->pending[height - 1], choice = dag->best[local] - 1, arity = choice_arity(dag, choice), i = 0;
    while (i < arity && line[choice_child(dag, choice, i)]) i++;
    if (i < arity) {
      dag->pending[height++] = choice_child(dag, choice, i);
      continue;
    }
    snprintf(piece, sizeof piece, "t%u = %s", lines, arity ? "(" : "");
    text_put(text, piece);
    text_put(text, egraph_operator_name(dag->costs->graph, place_operator(dag->costs->graph, dag->choices[choice])));
    for (i = 0; i < arity; i++) {
      snprintf(piece, sizeof piece, " t%u", line[choice_child(dag, choice, i)] - 1);
      text_put(text, piece);
    }
    text_put(text, arity ? ")\n" : "\n");
    line[local] = ++lines;
    height--;
  }
  free(line);
}

static EGraphStatus dag_extract(char **out, double *total, bool *optimal, const Costs *costs, uint32_t root,
                                size_t effort) {
  Dag dag = {0};
  Text text = {0};
  EGraphStatus status = EGRAPH_MEMORY_LIMIT;
  if (dag_make(&dag, costs, root)) {
    size_t climb = effort / 2, search = effort - climb;
    dag_start(&dag);
    dag_climb(&dag, &climb);
    memcpy(dag.best, dag.chosen, dag.local_count * sizeof *dag.best);
    memset(dag.chosen, 0, dag.local_count * sizeof *dag.chosen);
    dag.pending[dag.pending_count++] = 0;
    dag.bound = dag.locals[0].least;
    *optimal = dag_search(&dag, &search, 0);
    *total = dag.best_cost;
    dag_write(&text, &dag);
    status = text_give(out, &text);
  }
  dag_free(&dag);
  return status;
}

EGraphStatus egraph_extract_dag(char **out, double *total, bool *optimal, const EGraph *graph, EGraphClass root,
                                EGraphCost *cost, void *payload, size_t effort) {
  *out = NULL;
  *total = INFINITY;
  *optimal = false;
  if (root >= graph->class_total) return EGRAPH_BAD_INPUT;
  Costs costs;
  EGraphStatus status = EGRAPH_MEMORY_LIMIT;
  root = find(graph, root);
  if (costs_make(&costs, graph, cost, payload))
    status = costs.costs[root] < INFINITY ? dag_extract(out, total, optimal, &costs, root, effort) : EGRAPH_NOT_FOUND;
  costs_free(&costs);
  return status;
}
