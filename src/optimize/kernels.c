/* Two kernels from one (kernels.h).
 *
 * A partial result is the accumulator over one part of the loop's class: a tensor with the parts as its first axis.
 * Sums, maxima and minima of parts are sums, maxima and minima of what the parts gave; a sum that a running maximum m
 * rescales is worth exp(m of the part - m of all) as much. Everything behind the loop is computed again from there. */
#include "optimize/kernels.h"

#include <string.h>

/* ---- temporary tensors ---- */

Pointwise *kernels_tensors(Arena *arena, const Problem *p) {
  Pointwise *all = arena_new(arena, Pointwise);
  *all = *p->pointwise;
  all->tensors.data = NULL, all->tensors.count = all->tensors.capacity = 0;
  for (uint32_t i = 0; i < p->pointwise->tensors.count; i++)
    array_push(arena, &all->tensors, p->pointwise->tensors.data[i]);
  return all;
}

static bool is_tensor(const Pointwise *all, const char *name) {
  for (uint32_t i = 0; i < all->tensors.count; i++)
    if (!strcmp(all->tensors.data[i].name, name)) return true;
  return false;
}

uint32_t kernels_add_tensor(Pointwise *all, const Problem *p, PointwiseTensor t) {
  const char *name = t.name;
  for (uint32_t n = 2; is_tensor(all, t.name); n++) t.name = arena_format(p->arena, "%s%u", name, n);
  t.symbol = term_symbol_new(p->tt, intern_text(p->tt->names, t.name), t.sort, SYMBOL_TENSOR);
  Term stride = p->tt->one;
  for (uint32_t k = t.rank; k-- > 0; stride = term_mul(p->tt, stride, t.extent[k])) t.stride[k] = stride;
  array_push(p->arena, &all->tensors, t);
  return all->tensors.count - 1;
}

ProblemOutput kernels_add_temporary(Pointwise *all, const Problem *p, uint32_t node, ClassSet classes, ClassSet places,
                                    uint8_t first) {
  ProblemOutput out = {.tensor = all->tensors.count, .node = node};
  PointwiseTensor t = {.name = "T", .dtype = "f32", .sort = SORT_REAL};
  ClassSet left = classes | places;
  if (first != PROBLEM_NONE) out.axes[out.rank++] = first, left &= ~(1u << first);
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].rank; k++) {
      uint8_t axis = p->outputs.data[i].axes[k];
      if (axis != PROBLEM_NONE && (left >> axis & 1)) out.axes[out.rank++] = axis, left &= ~(1u << axis);
    }
  for (uint8_t c = 0; c < p->class_count; c++)
    if (left >> c & 1) out.axes[out.rank++] = c;
  for (uint32_t k = 0; k < out.rank; k++)
    if (out.axes[k] != first && !(classes >> out.axes[k] & 1)) out.axes[k] = PROBLEM_NONE;
  t.rank = out.rank;
  for (uint32_t k = 0; k < t.rank; k++) t.extent[k] = out.axes[k] == PROBLEM_NONE ? p->tt->one : p->length[out.axes[k]];
  kernels_add_tensor(all, p, t);
  return out;
}

/* ---- splitting ---- */

typedef struct Split {
  Arena *arena;
  const Problem *p; /* of the candidate that is split */
  const SearchCandidate *c;
  Problem *first, *second;
  SearchCandidate out; /* the second kernel */
  uint8_t parts;       /* class of the parts */
  uint32_t *partial;   /* 1 + a node of `second`: what was saved of an accumulator */
  uint32_t *known;     /* 1 + a value of `out` */
  uint32_t *weight;    /* 1 + exp(m - max m), by maximum */
} Split;

static bool is_accumulator(const SearchValue *v) {
  return v->kind == SEARCH_REDUCE && v->part == FINGERPRINT_OVER_TILES;
}

/* A copy whose lists are its own, with one more class. */
static Problem *with_parts(Arena *arena, const Problem *p, const Pointwise *all, const SearchCandidate *c,
                           int64_t part) {
  Problem *out = arena_new(arena, Problem);
  *out = *p;
  out->pointwise = all;
  memset(&out->nodes, 0, sizeof out->nodes), memset(&out->uses, 0, sizeof out->uses);
  for (uint32_t i = 0; i < p->nodes.count; i++) array_push(arena, &out->nodes, p->nodes.data[i]);
  for (uint32_t i = 0; i < p->uses.count; i++) array_push(arena, &out->uses, p->uses.data[i]);
  out->parts = (uint8_t)out->class_count++, out->part = part;
  out->length[out->parts] = term_cdiv(p->tt, p->length[c->loop], term_int(p->tt, part));
  return out;
}

static uint32_t input_node(Problem *p, const ProblemOutput *o) {
  ProblemUse use = {.tensor = o->tensor, .rank = o->rank};
  ProblemNode n = {.op = PROBLEM_INPUT, .axis = PROBLEM_NONE, .detail = p->uses.count};
  memcpy(use.axes, o->axes, sizeof use.axes);
  for (uint32_t k = 0; k < o->rank; k++) n.classes |= o->axes[k] == PROBLEM_NONE ? 0 : 1u << o->axes[k];
  array_push(p->arena, &p->uses, use);
  array_push(p->arena, &p->nodes, n);
  return p->nodes.count - 1;
}

static void find_stage(const Split *s, SearchValue *v) {
  bool accumulates = is_accumulator(v), after = accumulates;
  for (uint32_t i = 0; i < v->count && v->kind != SEARCH_SHIFTED; i++)
    after |= s->out.values[v->args[i]].stage == SEARCH_AFTER;
  ClassSet all = v->fingerprint.elements | v->fingerprint.tiles;
  bool loops = s->out.loop != PROBLEM_NONE && (all >> s->out.loop & 1);
  v->stage = loops ? SEARCH_IN_LOOP : after ? SEARCH_AFTER : SEARCH_BEFORE;
}

static uint32_t add_value(Split *s, SearchValue v, ClassSet elements, ClassSet tiles) {
  v.fingerprint = (Fingerprint){.elements = elements, .tiles = tiles};
  find_stage(s, &v);
  s->out.values[s->out.count] = v;
  return s->out.count++;
}

static uint32_t add_leaf(Split *s, uint32_t node) {
  const ProblemNode *n = &s->second->nodes.data[node];
  SearchValue v = {.kind = SEARCH_LEAF, .op = n->op, .axis = PROBLEM_NONE, .detail = node};
  return add_value(s, v, n->classes, 0);
}

/* By the loop over the parts, if the kernel has that one; `rescale`: 1 + the maximum. */
static uint32_t add_over_parts(Split *s, ProblemOp op, uint32_t of, uint32_t rescale) {
  ClassSet bit = 1u << s->parts, elements = s->out.values[of].fingerprint.elements & ~bit;
  SearchValue v = {
      .kind = SEARCH_REDUCE, .op = op, .part = FINGERPRINT_ALL, .axis = s->parts, .count = 1, .args = {of}};
  if (s->out.loop != s->parts) return add_value(s, v, elements, 0);
  v.part = FINGERPRINT_IN_TILES, v.args[0] = add_value(s, v, elements, bit);
  v.part = FINGERPRINT_OVER_TILES, v.rescale = rescale;
  return add_value(s, v, elements, 0);
}

static uint32_t add_operation(Split *s, SearchKind kind, ProblemOp op, uint32_t count, uint32_t a, uint32_t b) {
  SearchValue v = {.kind = kind, .op = op, .axis = PROBLEM_NONE, .count = count, .args = {a, b}};
  ClassSet elements = s->out.values[a].fingerprint.elements;
  return add_value(s, v, count > 1 ? elements | s->out.values[b].fingerprint.elements : elements, 0);
}

static uint32_t combined(Split *s, uint32_t i);

/* exp(m of the part - m of all) */
static uint32_t weight_of(Split *s, uint32_t maximum) {
  if (s->weight[maximum]) return s->weight[maximum] - 1;
  bool loops = s->out.loop == s->parts;
  uint32_t all = combined(s, maximum), own = s->out.values[all].args[0], weight;
  if (loops) {
    own = s->out.values[own].args[0];
    weight = add_operation(s, SEARCH_SHIFTED, PROBLEM_EXP, 2, own, all);
  } else {
    uint32_t shift = add_operation(s, SEARCH_OPERATION, PROBLEM_SUB, 2, own, all);
    weight = add_operation(s, SEARCH_OPERATION, PROBLEM_EXP, 1, shift, 0);
  }
  s->weight[maximum] = weight + 1;
  return weight;
}

/* A value of the candidate, in the second kernel. */
static uint32_t combined(Split *s, uint32_t i) {
  const SearchValue *v = &s->c->values[i];
  uint32_t now;
  if (s->known[i]) return s->known[i] - 1;
  if (is_accumulator(v)) {
    uint32_t weight = v->rescale ? weight_of(s, v->rescale - 1) : 0, part = add_leaf(s, s->partial[i] - 1);
    if (v->rescale) part = add_operation(s, SEARCH_OPERATION, PROBLEM_MUL, 2, part, weight);
    now = add_over_parts(s, v->op, part, v->rescale ? s->known[v->rescale - 1] : 0);
  } else {
    SearchValue own = *v;
    if (v->kind == SEARCH_LEAF) {
      array_push(s->arena, &s->second->nodes, s->p->nodes.data[v->detail]);
      own.detail = s->second->nodes.count - 1;
    }
    for (uint32_t a = 0; a < v->count; a++) own.args[a] = combined(s, v->args[a]);
    now = add_value(s, own, v->fingerprint.elements, 0);
  }
  s->known[i] = now + 1;
  return now;
}

/* The other kernel's values, with the combined result where it reads the tensor `joint`. */
static void follow(Split *s, const LowerPart *b, uint32_t joint, uint32_t result) {
  uint32_t *now = arena_array(s->arena, uint32_t, b->c->count + 1);
  for (uint32_t i = 0; i < b->c->count; i++) {
    SearchValue v = b->c->values[i];
    const ProblemNode *n = v.kind == SEARCH_LEAF ? &b->p->nodes.data[v.detail] : NULL;
    if (n && n->op == PROBLEM_INPUT && b->p->uses.data[n->detail].tensor == joint) {
      now[i] = result;
      continue;
    }
    for (uint32_t a = 0; a < v.count; a++) v.args[a] = now[v.args[a]];
    if (v.rescale) v.rescale = now[v.rescale - 1] + 1;
    if (b->c->loop == PROBLEM_NONE) find_stage(s, &v);
    now[i] = s->out.count;
    s->out.values[s->out.count++] = v;
  }
  for (uint32_t o = 0; o < b->p->outputs.count; o++) s->out.outputs[o] = now[b->c->outputs[o]];
}

static void mark(const SearchCandidate *c, uint32_t i, bool *needed) {
  if (needed[i]) return;
  needed[i] = true;
  if (c->values[i].rescale && is_accumulator(&c->values[i])) mark(c, c->values[i].rescale - 1, needed);
  for (uint32_t a = 0; a < c->values[i].count && !is_accumulator(&c->values[i]); a++)
    mark(c, c->values[i].args[a], needed);
}

/* The first kernel saves each accumulator that something behind the loop needs. */
static bool save_accumulators(Split *s, Pointwise *all, SearchCandidate *c) {
  bool *needed = arena_array(s->arena, bool, s->c->count + 1);
  s->first->outputs.data = NULL, s->first->outputs.count = s->first->outputs.capacity = 0;
  ClassSet places = 0;
  for (uint32_t o = 0; o < s->p->outputs.count; o++) mark(s->c, s->c->outputs[o], needed);
  for (uint32_t i = 0; i < s->c->count; i++)
    if (needed[i] && is_accumulator(&s->c->values[i])) places |= s->c->values[i].fingerprint.elements;
  for (uint32_t i = 0; i < s->c->count; i++) {
    const SearchValue *v = &s->c->values[i];
    if (!needed[i] || !is_accumulator(v)) continue;
    if (s->first->outputs.count == SEARCH_MAX_OUTPUTS) return false;
    ProblemOutput o = kernels_add_temporary(all, s->first, 0, v->fingerprint.elements, places, s->parts);
    o.node = input_node(s->first, &o);
    s->partial[i] = input_node(s->second, &o) + 1;
    c->outputs[s->first->outputs.count] = i;
    array_push(s->arena, &s->first->outputs, o);
  }
  return s->first->outputs.count > 0;
}

bool kernels_split(Arena *arena, const LowerPart *a, const LowerPart *b, uint32_t joint, int64_t part,
                   LowerPart out[2]) {
  const LowerPart *rest = b ? b : a;
  if (a->c->loop == PROBLEM_NONE || a->p->class_count == PROBLEM_MAX_CLASSES || a->p->outputs.count > 1 + !b)
    return false;
  Pointwise *all = kernels_tensors(arena, a->p);
  if (b) all->tensors.count = joint; /* which is the last one */
  Split s = {.arena = arena, .p = a->p, .c = a->c};
  SearchCandidate *first = arena_new(arena, SearchCandidate), *second = arena_new(arena, SearchCandidate);
  uint32_t most = 8 * a->c->count + rest->c->count + 1;
  *first = *a->c;
  s.first = with_parts(arena, a->p, all, a->c, part), s.second = with_parts(arena, rest->p, all, a->c, part);
  s.parts = s.first->parts, s.second->part = 0;
  s.partial = arena_array(arena, uint32_t, a->c->count + 1), s.known = arena_array(arena, uint32_t, a->c->count + 1);
  s.weight = arena_array(arena, uint32_t, a->c->count + 1), s.out.values = arena_array(arena, SearchValue, most);
  s.out.loop = b && b->c->loop != PROBLEM_NONE ? b->c->loop : s.parts; /* one loop at most */
  if (!save_accumulators(&s, all, first)) return false;
  for (uint32_t o = 0; o < a->p->outputs.count; o++) s.out.outputs[o] = combined(&s, a->c->outputs[o]);
  if (b) follow(&s, b, joint, s.out.outputs[0]);
  *second = s.out;
  out[0] = (LowerPart){.p = s.first, .c = first}, out[1] = (LowerPart){.p = s.second, .c = second};
  return true;
}

/* ---- sums by atomics ---- */

/* Over parts of the loop, the value is the sum of what it is over each of them. */
static bool is_sum_of_parts(const SearchCandidate *c, uint32_t i) {
  const SearchValue *v = &c->values[i];
  bool left = false, right = false, is_free = true;
  if (v->stage != SEARCH_AFTER) return false;
  if (is_accumulator(v)) return v->op == PROBLEM_SUM && !v->rescale;
  if (v->kind != SEARCH_OPERATION || !v->count || v->count > 2) return false;
  left = is_sum_of_parts(c, v->args[0]);
  if (v->count == 2) {
    right = is_sum_of_parts(c, v->args[1]);
    is_free = c->values[v->args[left]].stage == SEARCH_BEFORE; /* the other one */
  }
  if (v->op == PROBLEM_NEG) return left;
  if (v->op == PROBLEM_ADD || v->op == PROBLEM_SUB) return left && right;
  return (v->op == PROBLEM_MUL && left != right && is_free) || (v->op == PROBLEM_DIV && left && is_free);
}

bool kernels_add_parts(Arena *arena, const LowerPart *a, int64_t part, LowerPart *out) {
  if (a->c->loop == PROBLEM_NONE || a->p->class_count == PROBLEM_MAX_CLASSES || a->p->parts != PROBLEM_NONE)
    return false;
  for (uint32_t o = 0; o < a->p->outputs.count; o++) {
    const char *type = a->p->pointwise->tensors.data[a->p->outputs.data[o].tensor].dtype;
    if ((strcmp(type, "f32") != 0 && strcmp(type, "f64") != 0) || !is_sum_of_parts(a->c, a->c->outputs[o]))
      return false;
  }
  Problem *p = with_parts(arena, a->p, a->p->pointwise, a->c, part);
  p->adds = true;
  *out = (LowerPart){.p = p, .c = a->c};
  return true;
}
