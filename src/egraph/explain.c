/* Explanations: a certificate that two terms are equal, line by line.
 *
 * While the graph runs it records edges between terms: one for each merge of two classes, one for each node that
 * was put into an existing class. They form a forest whose trees are the classes (Nieuwenhuis and Oliveras,
 * Proof-producing congruence closure, RTA 2005). Here the forest is given roots, so that the path between two
 * terms can be walked. Paths only use edges that are older than whatever asks for the path, which is why the
 * recursion ends. An edge by a rule was recorded with the nodes it matched and made; the instance of the rule
 * differs from them by congruence, which is proved in turn. Each proof is written once and referred to. */
#include "internal.h"

#include <stdarg.h>
#include <stdlib.h>

#define DEPTH 3000
#define SAME UINT32_MAX      /* a proof that is not needed */
#define REVERSED 0x80000000u /* a line used from right to left */

typedef struct {
  char *text;
  size_t used, capacity;
} Text;

typedef struct {
  uint64_t key;
  uint32_t value;
  bool used;
} Slot;

typedef struct {
  Slot *slots;
  size_t used, capacity;
} Map;

typedef struct {
  EGraph *graph;
  uint32_t *up, *why, *depth; /* forest: parent term, reason and distance to the root */
  bool *toward;               /* the edge goes from the term to its parent */
  uint32_t *local_of;         /* certificate number + 1 of a term */
  Region nodes;               /* certificate terms: [op, children..] */
  Region node_at;
  uint32_t node_count, node_words, *node_hash, node_bits;
  uint32_t *edge_line; /* line + 1 of a term's edge to its parent */
  Map paths;
  Text text;
  uint32_t lines;
  unsigned depth_now;
  Memory memory;
  bool failed;
} Proof;

static void text_add(Proof *proof, const char *format, ...) {
  Text *text = &proof->text;
  va_list arguments;
  va_start(arguments, format);
  for (;;) {
    va_list copy;
    va_copy(copy, arguments);
    int length = text->capacity ? vsnprintf(text->text + text->used, text->capacity - text->used, format, copy) : 0;
    va_end(copy);
    if (text->capacity && text->used + (size_t)length < text->capacity) {
      text->used += (size_t)length;
      break;
    }
    size_t capacity = text->capacity * 2 + (size_t)length + 4096;
    char *more = realloc(text->text, capacity);
    if (!more) {
      proof->failed = true;
      break;
    }
    text->text = more;
    text->capacity = capacity;
  }
  va_end(arguments);
}

/* -- a map from pairs of terms to lines ------------------------------------------------------------------- */

static Slot *map_slot(Map *map, uint64_t key) {
  size_t at = (size_t)hash_mix(key ^ key >> 29) & (map->capacity - 1);
  while (map->slots[at].used && map->slots[at].key != key) at = (at + 1) & (map->capacity - 1);
  return &map->slots[at];
}

static bool map_put(Map *map, uint64_t key, uint32_t value) {
  if ((map->used + 1) * 2 > map->capacity) {
    Map bigger = {NULL, map->used, map->capacity ? map->capacity * 2 : 256};
    if (!(bigger.slots = calloc(bigger.capacity, sizeof(Slot)))) return false;
    for (size_t i = 0; i < map->capacity; i++)
      if (map->slots[i].used) *map_slot(&bigger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = bigger;
  }
  *map_slot(map, key) = (Slot){key, value, true};
  map->used++;
  return true;
}

/* -- the forest ---------------------------------------------------------------------------------------------- */

typedef struct {
  uint32_t *start, *other, *why;
  bool *toward;
} Links;

static void link_count(Links *links, uint32_t a, uint32_t b) { links->start[a + 2]++, links->start[b + 2]++; }
static void link_put(Links *links, uint32_t a, uint32_t b, uint32_t why) {
  uint32_t i = links->start[a + 1]++, j = links->start[b + 1]++;
  links->other[i] = b, links->why[i] = why, links->toward[i] = true;
  links->other[j] = a, links->why[j] = why, links->toward[j] = false;
}

static void links_each(const EGraph *graph, Links *links, bool put) {
  for (uint32_t term = 0; term < graph->term_count; term++) {
    uint32_t from = term_word(graph, term, 1), why = term_word(graph, term, 2);
    if (from == NONE) continue;
    if (put)
      link_put(links, from, term, why);
    else
      link_count(links, from, term);
  }
  for (uint32_t class = 0; class < graph->class_total; class ++) {
    if (is_root(graph, class)) continue;
    const Edge *edge = (const Edge *)graph->lost.data + class;
    if (put)
      link_put(links, edge->left, edge->right, edge->why);
    else
      link_count(links, edge->left, edge->right);
  }
}

/* Breadth first from the oldest term of each tree. */
static void forest_root(Proof *proof, const Links *links, uint32_t *queue) {
  for (uint32_t root = 0; root < proof->graph->term_count; root++) {
    if (proof->depth[root] != NONE) continue;
    uint32_t from = 0, to = 0;
    proof->depth[root] = 0;
    proof->up[root] = NONE;
    queue[to++] = root;
    while (from < to) {
      uint32_t term = queue[from++];
      for (uint32_t i = links->start[term]; i < links->start[term + 1]; i++) {
        uint32_t other = links->other[i];
        if (proof->depth[other] != NONE) continue;
        proof->depth[other] = proof->depth[term] + 1;
        proof->up[other] = term;
        proof->why[other] = links->why[i];
        proof->toward[other] = !links->toward[i];
        queue[to++] = other;
      }
    }
  }
}

static bool forest_build(Proof *proof) {
  size_t terms = proof->graph->term_count, edges = 2 * (terms + proof->graph->class_total) + 2;
  Links links = {calloc(terms + 3, 4), malloc(edges * 4), malloc(edges * 4), malloc(edges)};
  uint32_t *queue = malloc((terms + 1) * 4);
  bool good = links.start && links.other && links.why && links.toward && queue;
  if (good) {
    links_each(proof->graph, &links, false);
    for (size_t i = 0; i < terms + 1; i++) links.start[i + 2] += links.start[i + 1];
    links_each(proof->graph, &links, true);
    for (size_t i = 0; i < terms; i++) proof->depth[i] = NONE;
    forest_root(proof, &links, queue);
  }
  free(links.start), free(links.other), free(links.why), free(links.toward), free(queue);
  return good;
}

/* -- terms of the certificate ---------------------------------------------------------------------------------- */

static uint32_t *node_cells(const Proof *proof, uint32_t node) {
  return words(&proof->nodes) + words(&proof->node_at)[node];
}

static uint32_t node_arity(const Proof *proof, uint32_t node) {
  return operator_at(proof->graph, node_cells(proof, node)[0])->arity;
}

static bool node_hash_grow(Proof *proof) {
  uint32_t bits = proof->node_bits ? proof->node_bits + 1 : 8, mask = (UINT32_C(1) << bits) - 1;
  uint32_t *hash = calloc((size_t)mask + 1, 4);
  if (!hash) return false;
  for (uint32_t node = 0; node < proof->node_count; node++) {
    uint32_t at = (uint32_t)key_hash(node_cells(proof, node), node_arity(proof, node) + 1) & mask;
    while (hash[at]) at = (at + 1) & mask;
    hash[at] = node + 1;
  }
  free(proof->node_hash);
  proof->node_hash = hash;
  proof->node_bits = bits;
  return true;
}

/* Finds or writes a term; cells is [op, children..] in certificate numbers. */
static uint32_t node_intern(Proof *proof, const uint32_t *cells, uint32_t arity) {
  if ((proof->node_count + 1) * 2 > (proof->node_bits ? UINT32_C(1) << proof->node_bits : 0) && !node_hash_grow(proof))
    proof->failed = true;
  if (proof->failed || !region_reserve(&proof->memory, &proof->nodes, ((size_t)proof->node_words + arity + 1) * 4) ||
      !region_reserve(&proof->memory, &proof->node_at, ((size_t)proof->node_count + 1) * 4)) {
    proof->failed = true;
    return 0;
  }
  uint32_t mask = (UINT32_C(1) << proof->node_bits) - 1, at = (uint32_t)key_hash(cells, arity + 1) & mask;
  for (; proof->node_hash[at]; at = (at + 1) & mask) {
    uint32_t node = proof->node_hash[at] - 1;
    if (node_cells(proof, node)[0] == cells[0] && key_equal(node_cells(proof, node), cells, arity + 1)) return node;
  }
  uint32_t node = proof->node_count++;
  proof->node_hash[at] = node + 1;
  words(&proof->node_at)[node] = proof->node_words;
  memcpy(node_cells(proof, node), cells, ((size_t)arity + 1) * 4);
  proof->node_words += arity + 1;
  text_add(proof, "t%u = %s%s", node, arity ? "(" : "", egraph_operator_name(proof->graph, cells[0]));
  for (uint32_t i = 0; i < arity; i++) text_add(proof, " t%u", cells[i + 1]);
  text_add(proof, arity ? ")\n" : "\n");
  return node;
}

static uint32_t term_arity(const EGraph *graph, uint32_t term) {
  return operator_at(graph, term_word(graph, term, 0))->arity;
}
static uint32_t term_child(const EGraph *graph, uint32_t term, uint32_t i) {
  return words(&graph->creator)[term_word(graph, term, 3 + i)];
}

/* The certificate number of a term; children are older than their parent. */
static uint32_t term_local(Proof *proof, uint32_t term) {
  const EGraph *graph = proof->graph;
  Region stack = {0};
  uint32_t height = 0, cells[65];
  if (proof->local_of[term]) return proof->local_of[term] - 1;
  if (!region_reserve(&proof->memory, &stack, 64))
    proof->failed = true;
  else
    words(&stack)[height++] = term;
  while (height && !proof->failed) {
    uint32_t top = words(&stack)[height - 1], arity = term_arity(graph, top), missing = 0;
    if (arity > 64 || !region_reserve(&proof->memory, &stack, ((size_t)height + arity + 1) * 4)) {
      proof->failed = true;
      break;
    }
    cells[0] = term_word(graph, top, 0);
    for (uint32_t i = 0; i < arity; i++) {
      uint32_t child = term_child(graph, top, i);
      if (proof->local_of[child])
        cells[i + 1] = proof->local_of[child] - 1;
      else
        words(&stack)[height + missing++] = child;
    }
    height += missing;
    if (missing) continue;
    proof->local_of[top] = node_intern(proof, cells, arity) + 1;
    height--;
  }
  region_free(&proof->memory, &stack);
  return proof->failed ? 0 : proof->local_of[term] - 1;
}

/* -- lines ------------------------------------------------------------------------------------------------------ */

static void reference_add(Proof *proof, uint32_t reference) {
  if (reference == SAME)
    text_add(proof, " -");
  else
    text_add(proof, " %sp%u", reference & REVERSED ? "~" : "", reference & ~REVERSED);
}

static uint32_t reversed(uint32_t reference) { return reference == SAME ? SAME : reference ^ REVERSED; }

/* A line that joins proofs end to end. */
static uint32_t chain(Proof *proof, uint32_t left, uint32_t right, const uint32_t *parts, uint32_t count) {
  uint32_t needed = 0, only = SAME;
  for (uint32_t i = 0; i < count; i++)
    if (parts[i] != SAME) needed++, only = parts[i];
  if (needed <= 1) return only;
  text_add(proof, "p%u: t%u = t%u by chain", proof->lines, left, right);
  for (uint32_t i = 0; i < count; i++)
    if (parts[i] != SAME) reference_add(proof, parts[i]);
  text_add(proof, "\n");
  return proof->lines++;
}

static uint32_t congruence(Proof *proof, uint32_t left, uint32_t right, const uint32_t *parts, uint32_t arity) {
  if (left == right) return SAME;
  text_add(proof, "p%u: t%u = t%u by congruence", proof->lines, left, right);
  for (uint32_t i = 0; i < arity; i++) reference_add(proof, parts[i]);
  text_add(proof, "\n");
  return proof->lines++;
}

static uint32_t prove(Proof *proof, uint32_t a, uint32_t b);

/* -- rule steps --------------------------------------------------------------------------------------------------- */

typedef struct {
  Proof *proof;
  const Rule *rule;
  const uint32_t *record; /* terms of atoms, then of results */
} Step;

typedef struct {
  uint32_t node, proof; /* an instance, and why the recorded term equals it */
} Instance;

static const Rule *rule_named(const EGraph *graph, uint32_t id) {
  for (const EGraphRules *rules = graph->rules; rules; rules = rules->next)
    for (uint32_t i = 0; i < rules->count; i++)
      if (rules->rules[i].id == id) return &rules->rules[i];
  return NULL;
}

/* The term that stands for a variable. */
static uint32_t step_term(const Step *step, uint32_t number) {
  const EGraph *graph = step->proof->graph;
  const Variable *variable = &step->rule->variables[number];
  if (variable->kind == VARIABLE_CONSTANT) return row_at(table_at(graph, 0), node_find(graph, variable->op, NULL))[2];
  uint32_t term = step->record[variable->atom];
  return variable->column == NONE ? term : term_child(graph, term, variable->column);
}

/* The instance of a left pattern's node, and the proof that the term that was matched equals it. */
static Instance atom_instance(const Step *step, uint32_t number) {
  Proof *proof = step->proof;
  const Atom *atom = &step->rule->atoms[number];
  uint32_t term = step->record[number], cells[65], parts[64];
  cells[0] = atom->op;
  if (atom->count > 64) proof->failed = true;
  for (uint32_t i = 0; i < atom->count && !proof->failed; i++) {
    uint32_t variable = step->rule->arguments[atom->arguments + i], child = term_child(proof->graph, term, i);
    const Variable *v = &step->rule->variables[variable];
    uint32_t meant = step_term(step, variable);
    parts[i] = prove(proof, child, meant);
    cells[i + 1] = term_local(proof, meant);
    if (v->kind == VARIABLE_CONSTANT || v->name[0] || v->column != NONE) continue;
    Instance inner = atom_instance(step, v->atom);
    uint32_t both[2] = {parts[i], inner.proof};
    parts[i] = chain(proof, term_local(proof, child), inner.node, both, 2);
    cells[i + 1] = inner.node;
  }
  if (proof->failed) return (Instance){0, SAME};
  uint32_t local = term_local(proof, term), node = node_intern(proof, cells, atom->count);
  return (Instance){node, congruence(proof, local, node, parts, atom->count)};
}

static Instance result_instance(const Step *step, uint32_t number) {
  Proof *proof = step->proof;
  const Result *result = &step->rule->results[number];
  uint32_t term = step->record[step->rule->atom_count + number], cells[65], parts[64];
  cells[0] = result->op;
  if (result->count > 64) proof->failed = true;
  for (uint32_t i = 0; i < result->count && !proof->failed; i++) {
    uint32_t source = step->rule->arguments[result->arguments + i], child = term_child(proof->graph, term, i);
    if (source & RESULT) {
      Instance inner = result_instance(step, source & ~RESULT);
      uint32_t made = step->record[step->rule->atom_count + (source & ~RESULT)];
      uint32_t both[2] = {prove(proof, child, made), inner.proof};
      parts[i] = chain(proof, term_local(proof, child), inner.node, both, 2);
      cells[i + 1] = inner.node;
    } else {
      parts[i] = prove(proof, child, step_term(step, source));
      cells[i + 1] = term_local(proof, step_term(step, source));
    }
  }
  if (proof->failed) return (Instance){0, SAME};
  uint32_t local = term_local(proof, term), node = node_intern(proof, cells, result->count);
  return (Instance){node, congruence(proof, local, node, parts, result->count)};
}

/* The action whose sides an edge joined. */
static Instance right_instance(const Step *step, uint32_t left, uint32_t right, uint32_t *target) {
  const Rule *rule = step->rule;
  *target = rule->dynamic_target;
  if (rule->dynamic.callback != NONE) return (Instance){term_local(step->proof, right), SAME};
  for (uint32_t i = 0; i < rule->action_count; i++) {
    uint32_t source = rule->actions[i].source;
    uint32_t term = source & RESULT ? step->record[rule->atom_count + (source & ~RESULT)] : step_term(step, source);
    *target = rule->actions[i].target;
    if (term != right || step_term(step, *target) != left) continue;
    if (source & RESULT) return result_instance(step, source & ~RESULT);
    return (Instance){term_local(step->proof, term), SAME};
  }
  step->proof->failed = true;
  return (Instance){0, SAME};
}

/* left = left side's instance = right side's instance = right. */
static uint32_t rule_line(Proof *proof, uint32_t left, uint32_t right, uint32_t why) {
  const uint32_t *record = words(&proof->graph->log) + why;
  Step step = {proof, rule_named(proof->graph, record[0]), record + 1};
  if (!step.rule) proof->failed = true;
  if (proof->failed) return SAME;
  const Rule *rule = step.rule;
  uint32_t target, premises[64], premise_count = 0, parts[3];
  Instance after = right_instance(&step, left, right, &target), before = {term_local(proof, left), SAME};
  const Variable *root = &rule->variables[target];
  if (root->kind == VARIABLE_FREE && !root->name[0]) before = atom_instance(&step, root->atom);
  for (uint32_t i = 0; i < rule->atom_count && premise_count < 64; i++)
    if (rule->atoms[i].op != NONE && rule->variables[rule->atoms[i].out].name[0]) {
      /* the variable stands for the term of its first pattern */
      Instance instance = atom_instance(&step, i);
      uint32_t meant = step_term(&step, rule->atoms[i].out);
      uint32_t both[2] = {prove(proof, meant, step.record[i]), instance.proof};
      premises[premise_count++] = chain(proof, term_local(proof, meant), instance.node, both, 2);
    }
  if (proof->failed) return SAME;
  for (uint32_t i = 0; i < rule->variable_count; i++)
    if (rule->variables[i].name[0]) term_local(proof, step_term(&step, i));
  parts[0] = before.proof;
  parts[1] = before.node == after.node ? SAME : proof->lines;
  parts[2] = reversed(after.proof);
  if (parts[1] != SAME) {
    text_add(proof, "p%u: t%u = t%u by rule %s", proof->lines++, before.node, after.node, rule->name);
    for (uint32_t i = 0; i < rule->variable_count; i++)
      if (rule->variables[i].name[0])
        text_add(proof, " %s=t%u", rule->variables[i].name, term_local(proof, step_term(&step, i)));
    if (premise_count) text_add(proof, " with");
    for (uint32_t i = 0; i < premise_count; i++) reference_add(proof, premises[i]);
    text_add(proof, "\n");
  }
  return chain(proof, term_local(proof, left), term_local(proof, right), parts, 3);
}

/* -- edges and paths --------------------------------------------------------------------------------------------------
 */

static uint32_t congruence_line(Proof *proof, uint32_t left, uint32_t right) {
  uint32_t arity = term_arity(proof->graph, left), parts[64];
  if (arity > 64) proof->failed = true;
  for (uint32_t i = 0; i < arity && !proof->failed; i++)
    parts[i] = prove(proof, term_child(proof->graph, left, i), term_child(proof->graph, right, i));
  if (proof->failed) return SAME;
  uint32_t a = term_local(proof, left), b = term_local(proof, right);
  return congruence(proof, a, b, parts, arity);
}

static uint32_t given_line(Proof *proof, uint32_t left, uint32_t right, const char *reason) {
  uint32_t a = term_local(proof, left), b = term_local(proof, right);
  if (a == b) return SAME;
  text_add(proof, "p%u: t%u = t%u by given %s\n", proof->lines, a, b, reason);
  return proof->lines++;
}

/* The proof of the edge from a term to its parent, in that direction. */
static uint32_t edge_prove(Proof *proof, uint32_t term) {
  uint32_t up = proof->up[term], why = proof->why[term];
  bool toward = proof->toward[term];
  if (proof->edge_line[term]) return proof->edge_line[term] - 1;
  uint32_t left = toward ? term : up, right = toward ? up : term, line;
  const uint32_t *log = words(&proof->graph->log);
  if (why == WHY_CONGRUENCE)
    line = congruence_line(proof, left, right);
  else if (log[why] == NONE)
    line = given_line(proof, left, right, (const char *)proof->graph->reasons.data + log[why + 1]);
  else
    line = rule_line(proof, left, right, why);
  if (!toward) line = reversed(line);
  proof->edge_line[term] = line + 1;
  return line;
}

static uint32_t path_prove(Proof *proof, uint32_t a, uint32_t b) {
  uint32_t x = a, y = b, count = 0, top = 0, steps = 0;
  while (x != y && x != NONE && y != NONE) {
    if (proof->depth[x] >= proof->depth[y])
      x = proof->up[x];
    else
      y = proof->up[y];
    steps++;
  }
  if (x == NONE || y == NONE) proof->failed = true; /* not equal: the caller checked */
  uint32_t meet = x, *parts = malloc(((size_t)steps + 1) * sizeof *parts);
  if (!parts) proof->failed = true;
  if (proof->failed) {
    free(parts);
    return SAME;
  }
  for (x = a; x != meet && !proof->failed; x = proof->up[x]) parts[count++] = edge_prove(proof, x);
  top = steps;
  for (y = b; y != meet && !proof->failed; y = proof->up[y]) parts[--top] = reversed(edge_prove(proof, y));
  uint32_t line = SAME;
  if (!proof->failed) line = chain(proof, term_local(proof, a), term_local(proof, b), parts, steps);
  free(parts);
  return line;
}

static uint32_t prove(Proof *proof, uint32_t a, uint32_t b) {
  if (a == b || proof->failed) return SAME;
  if (a > b) return reversed(prove(proof, b, a));
  uint64_t key = (uint64_t)a << 32 | b;
  if (proof->paths.capacity) {
    const Slot *slot = map_slot(&proof->paths, key);
    if (slot->used) return slot->value;
  }
  if (++proof->depth_now > DEPTH) proof->failed = true;
  uint32_t line = proof->failed ? SAME : path_prove(proof, a, b);
  proof->depth_now--;
  if (!proof->failed && !map_put(&proof->paths, key, line)) proof->failed = true;
  return line;
}

static void proof_free(Proof *proof) {
  free(proof->up), free(proof->why), free(proof->depth), free(proof->toward), free(proof->local_of);
  free(proof->edge_line), free(proof->node_hash), free(proof->paths.slots);
  region_free(&proof->memory, &proof->nodes);
  region_free(&proof->memory, &proof->node_at);
}

/* -- the two terms as they were written -------------------------------------------------------------------------------
 */

typedef struct {
  uint32_t class, term;
  uint32_t node, proof; /* the term as written, and why the graph's term equals it */
} Written;

typedef struct {
  Proof *proof;
  Region written;
  uint32_t count;
} Writing;

/* Finds the e-node of a subterm; the children it was added with equal the written ones. */
static EGraphStatus written_fold(uint32_t *out, EGraph *graph, EGraphOperator op, const uint32_t *children,
                                 void *payload) {
  Writing *writing = payload;
  Proof *proof = writing->proof;
  if (!region_reserve(&proof->memory, &writing->written, ((size_t)writing->count + 1) * sizeof(Written)))
    return EGRAPH_MEMORY_LIMIT;
  Written *written = writing->written.data;
  const Table *table = table_at(graph, operator_at(graph, op)->table);
  uint32_t classes[64], cells[65], parts[64], arity = operator_at(graph, op)->arity;
  for (uint32_t i = 0; i < arity; i++) classes[i] = written[children[i]].class;
  uint32_t row = node_find(graph, op, classes);
  if (row == NONE) return EGRAPH_NOT_FOUND;
  uint32_t term = row_at(table, row)[table->arity + 1], local = term_local(proof, term);
  cells[0] = op;
  for (uint32_t i = 0; i < arity; i++) {
    const Written *child = &written[children[i]];
    uint32_t recorded = term_child(graph, term, i);
    uint32_t both[2] = {prove(proof, recorded, child->term), child->proof};
    parts[i] = chain(proof, term_local(proof, recorded), child->node, both, 2);
    cells[i + 1] = child->node;
  }
  uint32_t node = node_intern(proof, cells, arity);
  if (proof->failed) return EGRAPH_MEMORY_LIMIT;
  written[writing->count] = (Written){find(graph, row_at(table, row)[table->arity]), term, node,
                                      congruence(proof, local, node, parts, arity)};
  *out = writing->count++;
  return EGRAPH_OK;
}

static EGraphStatus terms_prove(Writing *writing, const char *left, const char *right) {
  Proof *proof = writing->proof;
  uint32_t a, b;
  EGraphStatus status = term_read_each(&a, proof->graph, left, false, written_fold, writing, NULL);
  if (status == EGRAPH_OK) status = term_read_each(&b, proof->graph, right, false, written_fold, writing, NULL);
  if (status != EGRAPH_OK) return status;
  Written from = ((Written *)writing->written.data)[a], to = ((Written *)writing->written.data)[b];
  if (from.class != to.class) return EGRAPH_NOT_FOUND;
  uint32_t parts[3] = {reversed(from.proof), prove(proof, from.term, to.term), to.proof};
  text_add(proof, "p%u: t%u = t%u by chain", proof->lines, from.node, to.node);
  for (int i = 0; i < 3; i++)
    if (parts[i] != SAME) reference_add(proof, parts[i]);
  text_add(proof, "\n");
  return proof->failed ? EGRAPH_MEMORY_LIMIT : EGRAPH_OK;
}

EGraphStatus egraph_explain(char **text, EGraph *graph, const char *left, const char *right) {
  *text = NULL;
  if (!graph->explain || !graph->clean) return EGRAPH_BAD_INPUT;
  size_t terms = (size_t)graph->term_count + 1;
  Proof proof = {.graph = graph, .memory = {0, 0, SIZE_MAX}};
  proof.up = malloc(terms * 4), proof.why = malloc(terms * 4), proof.depth = malloc(terms * 4);
  proof.toward = malloc(terms), proof.local_of = calloc(terms, 4), proof.edge_line = calloc(terms, 4);
  bool good = proof.up && proof.why && proof.depth && proof.toward && proof.local_of && proof.edge_line;
  Writing writing = {&proof, {0}, 0};
  EGraphStatus status = EGRAPH_MEMORY_LIMIT;
  if (good && forest_build(&proof)) status = terms_prove(&writing, left, right);
  region_free(&proof.memory, &writing.written);
  proof_free(&proof);
  if (status == EGRAPH_OK)
    *text = proof.text.text;
  else
    free(proof.text.text);
  return status;
}
