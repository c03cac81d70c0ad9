/* Parts of a problem: what some nodes need, with one node as an input of its own; and chains of elementwise operations
 * with constants as one function, which is computed value by value anyway. */
#include "optimize/problem.h"

#include <string.h>

/* ---- parts ---- */

/* `cut`, by node: it is an input. */
static void mark(const Problem *p, uint32_t node, const ProblemOutput **cut, bool *needed) {
  if (needed[node]) return;
  needed[node] = true;
  for (uint32_t i = 0; i < problem_op_arity(p->nodes.data[node].op) && !cut[node]; i++)
    mark(p, p->nodes.data[node].args[i], cut, needed);
}

static ProblemNode input_of(Problem *out, const ProblemOutput *cut, ClassSet classes) {
  ProblemUse use = {.tensor = cut->tensor, .rank = cut->rank};
  memcpy(use.axes, cut->axes, sizeof use.axes);
  array_push(out->arena, &out->uses, use);
  return (ProblemNode){.op = PROBLEM_INPUT, .axis = PROBLEM_NONE, .detail = out->uses.count - 1, .classes = classes};
}

Problem *problem_part(const Problem *p, const Pointwise *pointwise, uint32_t count, const ProblemOutput *outputs,
                      uint32_t cut_count, const ProblemOutput *cuts) {
  Problem *out = arena_new(p->arena, Problem);
  bool *needed = arena_array(p->arena, bool, p->nodes.count + 1);
  uint32_t *now = arena_array(p->arena, uint32_t, p->nodes.count + 1);
  const ProblemOutput **cut = arena_array(p->arena, const ProblemOutput *, p->nodes.count + 1);
  *out = *p;
  out->pointwise = pointwise;
  memset(&out->nodes, 0, sizeof out->nodes), memset(&out->outputs, 0, sizeof out->outputs);
  memset(&out->uses, 0, sizeof out->uses);
  for (uint32_t i = 0; i < p->uses.count; i++) array_push(p->arena, &out->uses, p->uses.data[i]);
  for (uint32_t i = 0; i < cut_count; i++) cut[cuts[i].node] = &cuts[i];
  for (uint32_t i = 0; i < count; i++) mark(p, outputs[i].node, cut, needed);
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    if (!needed[i]) continue;
    ProblemNode n = cut[i] ? input_of(out, cut[i], p->nodes.data[i].classes) : p->nodes.data[i];
    for (uint32_t k = 0; k < problem_op_arity(n.op); k++) n.args[k] = now[n.args[k]];
    array_push(p->arena, &out->nodes, n);
    now[i] = out->nodes.count - 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    ProblemOutput o = outputs[i];
    o.node = now[o.node];
    array_push(p->arena, &out->outputs, o);
  }
  return out;
}

/* ---- chains ---- */

/* A function of one value: text before and after it. NULL: it is none that may be hidden in another one. */
static bool function_of(const Problem *p, const ProblemNode *n, uint32_t *argument, ProblemFunction *out) {
  uint32_t a = n->args[0], b = n->args[1];
  *argument = a;
  if (n->op == PROBLEM_FN) return *out = p->functions.data[n->detail], true;
  if (n->op == PROBLEM_SQRT) return *out = (ProblemFunction){"sqrt(", ")"}, true;
  if (n->op == PROBLEM_NEG) return *out = (ProblemFunction){"(-", ")"}, true;
  if (n->op < PROBLEM_ADD || n->op > PROBLEM_DIV) return false;
  bool left = p->nodes.data[a].op == PROBLEM_CONST, right = p->nodes.data[b].op == PROBLEM_CONST;
  if (left == right) return false;
  const ProblemNode *c = &p->nodes.data[left ? a : b];
  const char *number = term_kind(p->tt, c->value) == TERM_SYM ? term_name(p->tt, c->value)
                                                              : tensor_text(p->tt, tensor_const(p->tt, c->value));
  const char *op = problem_op_text(n->op);
  *argument = left ? b : a;
  *out = left ? (ProblemFunction){arena_format(p->arena, "(%s %s ", number, op), ")"}
              : (ProblemFunction){"(", arena_format(p->arena, " %s %s)", op, number)};
  return true;
}

static uint32_t number_of_function(Problem *p, ProblemFunction f) {
  for (uint32_t i = 0; i < p->functions.count; i++)
    if (!strcmp(p->functions.data[i].open, f.open) && !strcmp(p->functions.data[i].close, f.close)) return i;
  array_push(p->arena, &p->functions, f);
  return p->functions.count - 1;
}

static uint32_t uses_of(const Problem *p, uint32_t node) {
  uint32_t uses = 0;
  for (uint32_t i = 0; i < p->nodes.count; i++)
    for (uint32_t k = 0; k < problem_op_arity(p->nodes.data[i].op); k++) uses += p->nodes.data[i].args[k] == node;
  for (uint32_t i = 0; i < p->outputs.count; i++) uses += p->outputs.data[i].node == node;
  return uses;
}

void problem_fuse(Problem *p) {
  for (uint32_t i = 0; i < p->nodes.count; i++) {
    ProblemNode *n = &p->nodes.data[i];
    uint32_t inner, argument;
    ProblemFunction outer, f;
    if (!function_of(p, n, &inner, &outer) || uses_of(p, inner) != 1 ||
        !function_of(p, &p->nodes.data[inner], &argument, &f))
      continue;
    ProblemFunction both = {arena_format(p->arena, "%s%s", outer.open, f.open),
                            arena_format(p->arena, "%s%s", f.close, outer.close)};
    *n = (ProblemNode){.op = PROBLEM_FN,
                       .args = {argument},
                       .detail = number_of_function(p, both),
                       .axis = PROBLEM_NONE,
                       .classes = n->classes};
    p->nodes.data[inner].op = PROBLEM_CONST, p->nodes.data[inner].value = p->tt->zero;
    p->nodes.data[inner].classes = 0;
  }
}
