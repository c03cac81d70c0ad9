/* Depth-first search over prefixes of block graphs (search.h).
 *
 * A running maximum is used within its loop only as exp(x - m). Over the reals that value is worth what it is with the
 * last maximum in place of the running one, once every sum of it is rescaled: so expressions and fingerprints take the
 * last one, and a mark on the value makes its accumulator one that rescales. */
#include "optimize/search.h"

#include <string.h>

typedef struct Search {
  Arena *arena, *scratch;
  const Problem *p;
  const Abstract *abstract;
  const Field *field;
  const SearchOptions *options;
  SearchResult *out;
  uint8_t loop;
  ClassSet reduced;
  SearchValue values[SEARCH_MAX_VALUES];
  uint64_t keys[SEARCH_MAX_VALUES];
  uint32_t count, leaves, ops;
  bool has[PROBLEM_OP_COUNT];
  Fingerprint targets[SEARCH_MAX_OUTPUTS];
  const Fingerprint *nodes; /* of the problem */
} Search;

static void extend(Search *s);

ClassSet problem_reduced(const Problem *p) {
  ClassSet all = 0;
  for (uint32_t i = 0; i < p->nodes.count; i++)
    if (p->nodes.data[i].op >= PROBLEM_SUM) all |= 1u << p->nodes.data[i].axis;
  return all;
}

ClassSet problem_written(const Problem *p) {
  ClassSet all = 0;
  for (uint32_t i = 0; i < p->outputs.count; i++) all |= p->nodes.data[p->outputs.data[i].node].classes;
  return all;
}

/* ---- looking at values ---- */

static bool in_loop(const Search *s, const SearchValue *v) {
  return s->loop != PROBLEM_NONE && ((v->fingerprint.elements | v->fingerprint.tiles) >> s->loop & 1);
}

static bool is_constant(const Search *s, const SearchValue *v) {
  return v->kind == SEARCH_LEAF && s->p->nodes.data[v->detail].op == PROBLEM_CONST;
}

static bool is_maximum(const Search *s, const SearchValue *v) {
  return v->kind == SEARCH_REDUCE && v->op == PROBLEM_REDUCE_MAX && v->part == FINGERPRINT_OVER_TILES &&
         v->axis == s->loop;
}

/* ---- what is wanted ---- */

static bool is_output(const Search *s, const SearchValue *v, uint32_t o) {
  const ProblemOutput *out = &s->p->outputs.data[o];
  if (v->fingerprint.elements != s->p->nodes.data[out->node].classes || v->fingerprint.tiles || v->is_shifted ||
      v->stage == SEARCH_IN_LOOP)
    return false;
  if (!s->options->no_expressions && v->abstract != abstract_node(s->abstract, out->node)) return false;
  return s->options->no_fingerprints || fingerprint_equal(&v->fingerprint, &s->targets[o]);
}

/* Every output has a value, and every value is used or an output. */
static bool is_complete(Search *s, SearchCandidate *c) {
  bool is_out[SEARCH_MAX_VALUES] = {false};
  for (uint32_t o = 0; o < s->p->outputs.count; o++) {
    uint32_t i = s->count;
    while (i-- > s->leaves)
      if (is_output(s, &s->values[i], o)) break;
    if (i < s->leaves || i == UINT32_MAX) return false;
    c->outputs[o] = i, is_out[i] = true;
  }
  for (uint32_t i = s->leaves; i < s->count; i++)
    if (!s->values[i].uses && !is_out[i]) return false;
  return true;
}

bool search_contracts(uint8_t axis, ClassSet a, ClassSet b) {
  ClassSet bit = 1u << axis;
  return (a & bit) && (b & bit) && (a & ~b) && (b & ~a);
}

/* Sums of products of rows and columns are products of matrices: what a device has units for. */
static void contract(SearchCandidate *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    SearchValue *v = &c->values[i];
    if (v->kind != SEARCH_REDUCE || v->op != PROBLEM_SUM || v->part == FINGERPRINT_OVER_TILES) continue;
    const SearchValue *of = &c->values[v->args[0]];
    if (of->kind != SEARCH_OPERATION || of->op != PROBLEM_MUL ||
        !search_contracts(v->axis, c->values[of->args[0]].fingerprint.elements,
                          c->values[of->args[1]].fingerprint.elements))
      continue;
    v->kind = SEARCH_MATMUL, v->count = 2;
    memcpy(v->args, of->args, sizeof v->args);
  }
}

static void keep(Search *s, SearchCandidate c) {
  if (s->out->candidates.count == SEARCH_MAX_CANDIDATES) return;
  c.loop = s->loop, c.count = s->count;
  c.values = arena_array(s->arena, SearchValue, s->count);
  memcpy(c.values, s->values, sizeof *c.values * s->count);
  for (uint32_t i = 0; i < c.count; i++) c.values[i].fingerprint.p = c.values[i].fingerprint.q = NULL;
  contract(&c);
  array_push(s->arena, &s->out->candidates, c);
}

/* ---- adding a value ---- */

static uint64_t key_of(const SearchValue *v) {
  uint32_t most = 0, rest = 0;
  for (uint32_t i = 0; i < v->count; i++)
    if (v->args[i] > most) most = v->args[i];
  for (uint32_t i = 0; i < v->count; i++) rest = rest * SEARCH_MAX_VALUES + v->args[i];
  return (uint64_t)most << 48 | (uint64_t)rest << 24 | (uint64_t)v->kind << 20 | (uint64_t)v->op << 14 |
         (uint64_t)v->part << 12 | (uint64_t)(v->axis & 15) << 8 | (v->detail & 255);
}

static bool is_repeated(const Search *s, const SearchValue *v) {
  for (uint32_t i = 0; i < s->count; i++) {
    const SearchValue *o = &s->values[i];
    bool alike = o->fingerprint.elements == v->fingerprint.elements && o->fingerprint.tiles == v->fingerprint.tiles;
    if (alike && (s->options->no_fingerprints ? v->abstract != ABSTRACT_NONE && o->abstract == v->abstract
                                              : fingerprint_equal(&o->fingerprint, &v->fingerprint)))
      return true;
  }
  return false;
}

/* Each operation that is left takes one unused value away at most. */
static bool can_finish(const Search *s) {
  uint32_t unused = 0;
  for (uint32_t i = s->leaves; i < s->count; i++) unused += !s->values[i].uses;
  return unused <= s->p->outputs.count + (s->options->max_ops - s->ops);
}

static void push(Search *s, const SearchValue *v) {
  s->values[s->count] = *v;
  s->keys[s->count++] = key_of(v);
  for (uint32_t i = 0; i < v->count; i++) s->values[v->args[i]].uses++;
}

static void pop(Search *s) {
  const SearchValue *v = &s->values[--s->count];
  for (uint32_t i = 0; i < v->count; i++) s->values[v->args[i]].uses--;
}

/* With one operation more than before. */
static void descend(Search *s) {
  SearchCandidate c = {0};
  s->ops++;
  s->out->stats.states++;
  if (is_complete(s, &c))
    keep(s, c);
  else if (s->ops < s->options->max_ops && s->count < SEARCH_MAX_VALUES && can_finish(s))
    extend(s);
  s->ops--;
  if (s->out->stats.states >= s->options->max_states) s->out->stats.is_cut = true;
}

static Fingerprint evaluate(Search *s, const SearchValue *v) {
  const Fingerprint *x[3];
  for (uint32_t i = 0; i < v->count; i++) x[i] = &s->values[v->args[i]].fingerprint;
  s->out->stats.fingerprints++;
  switch (v->kind) {
  case SEARCH_LEAF: break;
  case SEARCH_SHIFTED: {
    Fingerprint d = fingerprint_binary(s->scratch, s->field, PROBLEM_SUB, x[0], x[1]);
    return fingerprint_unary(s->scratch, s->field, PROBLEM_EXP, 0, &d);
  }
  case SEARCH_REDUCE: return fingerprint_reduce(s->scratch, s->field, v->op, v->axis, v->part, x[0]);
  case SEARCH_MATMUL: return fingerprint_matmul(s->scratch, s->field, v->axis, v->part, x[0], x[1]);
  case SEARCH_OPERATION:
    if (v->count == 1) return fingerprint_unary(s->scratch, s->field, v->op, v->detail, x[0]);
    if (v->count == 2) return fingerprint_binary(s->scratch, s->field, v->op, x[0], x[1]);
    return fingerprint_where(s->scratch, s->field, x[0], x[1], x[2]);
  }
  return (Fingerprint){0};
}

static uint32_t expression(Search *s, const SearchValue *v) {
  uint32_t x[3] = {0};
  for (uint32_t i = 0; i < v->count; i++) x[i] = s->values[v->args[i]].abstract;
  switch (v->kind) {
  case SEARCH_LEAF: return abstract_node(s->abstract, v->detail);
  case SEARCH_SHIFTED:
    return abstract_operation(s->abstract, PROBLEM_EXP, 0,
                              abstract_operation(s->abstract, PROBLEM_SUB, 0, x[0], x[1], 0), 0, 0);
  case SEARCH_REDUCE: return abstract_reduce(s->abstract, v->op, v->axis, v->part, x[0]);
  case SEARCH_MATMUL:
    return abstract_reduce(s->abstract, PROBLEM_SUM, v->axis, v->part,
                           abstract_operation(s->abstract, PROBLEM_MUL, 0, x[0], x[1], 0));
  case SEARCH_OPERATION: return abstract_operation(s->abstract, v->op, v->detail, x[0], x[1], x[2]);
  }
  return ABSTRACT_NONE;
}

/* Loop and rest of the kernel: what is of the loop is accumulated before it meets what stands behind. */
static bool find_stage(const Search *s, SearchValue *v) {
  bool loops = false, after = false;
  for (uint32_t i = 0; i < v->count; i++) {
    const SearchValue *x = &s->values[v->args[i]];
    bool running = v->kind == SEARCH_SHIFTED && i == 1;
    loops |= in_loop(s, x);
    after |= x->stage == SEARCH_AFTER && !running;
  }
  bool accumulates = v->kind == SEARCH_REDUCE && v->part == FINGERPRINT_OVER_TILES;
  v->stage = accumulates ? SEARCH_AFTER : loops ? SEARCH_IN_LOOP : after ? SEARCH_AFTER : SEARCH_BEFORE;
  return !(loops && after);
}

/* A shift stays with products, quotients and sums of what has it. */
static bool find_shift(const Search *s, SearchValue *v) {
  uint32_t shifted = 0, which = 0;
  if (v->kind == SEARCH_SHIFTED) return v->rescale = 1 + v->args[1], v->is_shifted = true;
  for (uint32_t i = 0; i < v->count; i++) {
    const SearchValue *x = &s->values[v->args[i]];
    if (!x->is_shifted) continue;
    shifted |= 1u << i;
    if (which && which != x->rescale) return false;
    which = x->rescale;
  }
  if (!shifted) return true;
  bool is_sum = v->kind == SEARCH_REDUCE && v->op == PROBLEM_SUM;
  bool fits = is_sum || ((v->kind == SEARCH_MATMUL || v->op == PROBLEM_MUL) && shifted != 3) ||
              (v->op == PROBLEM_DIV && shifted == 1) ||
              ((v->op == PROBLEM_ADD || v->op == PROBLEM_SUB) && shifted == 3);
  v->rescale = which;
  v->is_shifted = !(is_sum && v->part == FINGERPRINT_OVER_TILES);
  return fits && v->kind != SEARCH_LEAF;
}

static bool is_canonical(const Search *s, const SearchValue *v) {
  return s->options->no_canonical || s->count == s->leaves || key_of(v) > s->keys[s->count - 1];
}

/* Stage and fingerprint of a value; false: it has no place here. */
static bool find_place(Search *s, SearchValue *v) {
  if (!find_stage(s, v) || !find_shift(s, v)) return false;
  v->fingerprint = evaluate(s, v);
  return v->fingerprint.is_defined;
}

static bool is_part(Search *s, SearchValue *v) {
  v->abstract = s->options->no_expressions ? ABSTRACT_NONE : expression(s, v);
  if (!s->options->no_expressions && v->abstract == ABSTRACT_NONE) return s->out->stats.pruned++, false;
  return true;
}

static void try(Search *s, SearchValue *v) {
  ArenaMark mark = arena_mark(s->scratch);
  guard_tick(s->arena->guard);
  if (s->out->stats.is_cut || !is_canonical(s, v)) return;
  if (is_part(s, v) && find_place(s, v) && !is_repeated(s, v)) {
    push(s, v);
    descend(s);
    pop(s);
  }
  arena_reset(s->scratch, mark);
}

/* ---- regions ---- */

/* The operation of a node, on the values that its arguments are. */
static SearchValue value_of_node(const Search *s, uint32_t node, const uint32_t *values) {
  const ProblemNode *n = &s->p->nodes.data[node];
  SearchValue v = {.kind = n->op >= PROBLEM_SUM ? SEARCH_REDUCE : SEARCH_OPERATION,
                   .op = n->op,
                   .axis = n->axis,
                   .detail = n->detail,
                   .count = problem_op_arity(n->op)};
  for (uint32_t i = 0; i < v.count && values; i++) v.args[i] = values[n->args[i]];
  return v;
}

/* The value that is a constant, or is worth the same as `v`; `count`: there is none. */
static uint32_t find_equal(const Search *s, const SearchValue *v, uint32_t node) {
  uint32_t i = 0;
  while (i < s->count && (v->count ? !fingerprint_equal(&s->values[i].fingerprint, &v->fingerprint)
                                   : s->values[i].kind != SEARCH_LEAF || s->values[i].detail != node))
    i++;
  return i;
}

/* All operations of a region on the value `a`; false: not all of them have a place. */
static bool push_region(Search *s, const ProblemRegion *region, uint32_t a) {
  uint32_t nodes[SEARCH_MAX_VALUES], *values = arena_array(s->scratch, uint32_t, s->p->nodes.count + 1);
  uint32_t count = region_nodes(s->p, region, nodes, SEARCH_MAX_VALUES), before = s->count;
  if (region->entry != REGION_TENSORS) values[region->entry] = a;
  for (uint32_t i = 0; i < count; i++) {
    SearchValue v = value_of_node(s, nodes[i], values);
    if (s->count + 1 >= SEARCH_MAX_VALUES || (v.count && !find_place(s, &v))) return false;
    v.abstract = s->options->no_expressions ? ABSTRACT_NONE : abstract_node(s->abstract, nodes[i]);
    uint32_t known = find_equal(s, &v, nodes[i]);
    values[nodes[i]] = known;
    if (known < s->count) continue;
    if (!v.count || (s->count == before && !is_canonical(s, &v))) return false; /* a constant is a leaf */
    push(s, &v);
    s->keys[s->count - 1] = s->keys[before]; /* the region has its place by what it begins with */
  }
  return s->count > before && count < SEARCH_MAX_VALUES;
}

static void try_region(Search *s, const ProblemRegion *region, uint32_t a) {
  ArenaMark mark = arena_mark(s->scratch);
  uint32_t before = s->count;
  if (push_region(s, region, a)) descend(s);
  while (s->count > before) pop(s);
  arena_reset(s->scratch, mark);
}

static void try_regions(Search *s, uint32_t a) {
  for (uint32_t r = 0; r < s->options->region_count && !s->out->stats.is_cut; r++) {
    const ProblemRegion *region = &s->options->regions[r];
    if (region->entry != REGION_TENSORS && fingerprint_equal(&s->values[a].fingerprint, &s->nodes[region->entry]))
      try_region(s, region, a);
  }
}

/* They begin with an operation on leaves, so in order they come before all that does not. */
static void try_regions_of_tensors(Search *s) {
  bool comes = s->options->no_canonical || s->count == s->leaves || s->keys[s->count - 1] >> 48 < s->leaves;
  for (uint32_t r = 0; r < s->options->region_count && comes && !s->out->stats.is_cut; r++)
    if (s->options->regions[r].entry == REGION_TENSORS) try_region(s, &s->options->regions[r], 0);
}

/* ---- the operations on a prefix ---- */

static void try_operation(Search *s, ProblemOp op, uint32_t detail, uint32_t count, uint32_t a, uint32_t b) {
  bool all_constant = is_constant(s, &s->values[a]) && (count < 2 || is_constant(s, &s->values[b]));
  if (all_constant) return;
  SearchValue v = {
      .kind = SEARCH_OPERATION, .op = op, .detail = detail, .axis = PROBLEM_NONE, .count = count, .args = {a, b}};
  try(s, &v);
}

static void try_unary(Search *s, uint32_t a) {
  for (ProblemOp op = PROBLEM_NEG; op < PROBLEM_FN; op++)
    if (s->has[op]) try_operation(s, op, 0, 1, a, 0);
  for (uint32_t f = 0; f < s->p->functions.count; f++) try_operation(s, PROBLEM_FN, f, 1, a, 0);
}

static void try_reductions(Search *s, uint32_t a) {
  const Fingerprint *f = &s->values[a].fingerprint;
  ClassSet elements = f->elements, tiles = f->tiles;
  for (uint8_t c = 0; c < s->p->class_count; c++) {
    bool has = elements >> c & 1, over = tiles >> c & 1;
    if (!(s->reduced >> c & 1) || (!has && !over)) continue;
    FingerprintPart part = over ? FINGERPRINT_OVER_TILES : c == s->loop ? FINGERPRINT_IN_TILES : FINGERPRINT_ALL;
    for (ProblemOp op = PROBLEM_SUM; op <= PROBLEM_REDUCE_MIN; op++)
      if (s->has[op])
        try(s, &(SearchValue){.kind = SEARCH_REDUCE, .op = op, .part = part, .axis = c, .count = 1, .args = {a}});
  }
}

static void try_matmuls(Search *s, uint32_t a, uint32_t b) {
  const Fingerprint *x = &s->values[a].fingerprint, *y = &s->values[b].fingerprint;
  for (uint8_t c = 0; c < s->p->class_count && a != b; c++) {
    if (!(s->reduced >> c & 1) || !s->has[PROBLEM_MUL] || !s->has[PROBLEM_SUM]) continue;
    if (!search_contracts(c, x->elements, y->elements)) continue;
    try(s, &(SearchValue){.kind = SEARCH_MATMUL,
                          .op = PROBLEM_SUM,
                          .part = c == s->loop ? FINGERPRINT_IN_TILES : FINGERPRINT_ALL,
                          .axis = c,
                          .count = 2,
                          .args = {a, b}});
  }
}

static bool commutes(ProblemOp op) {
  return op == PROBLEM_ADD || op == PROBLEM_MUL || op == PROBLEM_MAXIMUM || op == PROBLEM_MINIMUM || op == PROBLEM_EQ ||
         op == PROBLEM_NE || op == PROBLEM_AND || op == PROBLEM_OR;
}

static void try_binary(Search *s, uint32_t a, uint32_t b) {
  for (ProblemOp op = PROBLEM_ADD; op < PROBLEM_WHERE; op++) {
    if (!s->has[op] || (op == PROBLEM_MUL && a == b)) continue;
    try_operation(s, op, 0, 2, a, b);
    if (a != b && (!commutes(op) || s->options->no_canonical)) try_operation(s, op, 0, 2, b, a);
  }
}

static void try_shifted(Search *s, uint32_t x, uint32_t m) {
  if (x == m || !s->has[PROBLEM_EXP] || !is_maximum(s, &s->values[m]) || !in_loop(s, &s->values[x])) return;
  try(s, &(SearchValue){.kind = SEARCH_SHIFTED, .op = PROBLEM_EXP, .axis = PROBLEM_NONE, .count = 2, .args = {x, m}});
}

static void try_where(Search *s, uint32_t top) {
  for (uint32_t c = 0; c <= top && s->has[PROBLEM_WHERE]; c++)
    for (uint32_t a = 0; a <= top; a++)
      for (uint32_t b = 0; b <= top; b++)
        if (c == top || a == top || b == top)
          try(s,
              &(SearchValue){
                  .kind = SEARCH_OPERATION, .op = PROBLEM_WHERE, .axis = PROBLEM_NONE, .count = 3, .args = {c, a, b}});
}

static void extend(Search *s) {
  uint32_t count = s->count;
  try_regions_of_tensors(s);
  for (uint32_t top = 0; top < count && !s->out->stats.is_cut; top++) {
    if (!s->options->no_canonical && count > s->leaves && (uint64_t)(top + 1) << 48 <= s->keys[count - 1]) continue;
    try_regions(s, top);
    try_unary(s, top);
    try_reductions(s, top);
    for (uint32_t other = 0; other <= top; other++) {
      try_matmuls(s, other, top);
      try_binary(s, other, top);
      try_shifted(s, top, other);
      try_shifted(s, other, top);
    }
    try_where(s, top);
  }
}

/* ---- the formula as it is written ---- */

/* What stands for a node: a value, and what is free of the loop and comes behind it: a factor and a divisor, which
 * leave sums, or a running maximum that is subtracted, which goes into exp(x - m). NO_VALUE: none. */
typedef struct Written {
  uint32_t value, factor, divisor, maximum;
} Written;

#define NO_VALUE UINT32_MAX

static bool is_plain(const Written *w) {
  return w->factor == NO_VALUE && w->divisor == NO_VALUE && w->maximum == NO_VALUE;
}

static bool is_same(const SearchValue *a, const SearchValue *b) {
  return a->kind == b->kind && a->op == b->op && a->part == b->part && a->axis == b->axis && a->detail == b->detail &&
         a->count == b->count && !memcmp(a->args, b->args, sizeof *a->args * a->count);
}

/* The value, new or written already; NO_VALUE: it has no place. That another one is worth the same says nothing here:
 * conditions may decide alike at the few values that fingerprints are made of. */
static uint32_t write_value(Search *s, SearchValue v) {
  uint32_t known = s->leaves;
  if (s->count == SEARCH_MAX_VALUES || !find_place(s, &v)) return NO_VALUE;
  while (known < s->count && !is_same(&s->values[known], &v)) known++;
  if (known == s->count) push(s, &v);
  return known;
}

static uint32_t write_operation(Search *s, ProblemOp op, uint32_t a, uint32_t b) {
  if (a == NO_VALUE) return op == PROBLEM_MUL ? b : NO_VALUE;
  if (b == NO_VALUE) return a;
  return write_value(
      s, (SearchValue){.kind = SEARCH_OPERATION, .op = op, .axis = PROBLEM_NONE, .count = 2, .args = {a, b}});
}

static bool is_after(const Search *s, const Written *w) {
  return is_plain(w) && s->values[w->value].stage == SEARCH_AFTER;
}

/* x * f, x / f, x - m, where x is of the loop and f and m come behind it. */
static bool defer(Search *s, ProblemOp op, const Written *x, const Written *f, Written *out) {
  if (x->maximum != NO_VALUE || !in_loop(s, &s->values[x->value]) || !is_after(s, f)) return false;
  *out = *x;
  if (op == PROBLEM_MUL) out->factor = write_operation(s, PROBLEM_MUL, x->factor, f->value);
  if (op == PROBLEM_DIV) out->divisor = write_operation(s, PROBLEM_MUL, x->divisor, f->value);
  if (op == PROBLEM_SUB) out->maximum = f->value;
  return op == PROBLEM_MUL || op == PROBLEM_DIV ||
         (op == PROBLEM_SUB && is_plain(x) && is_maximum(s, &s->values[f->value]));
}

static bool has_class(const Search *s, uint32_t value, uint8_t axis) {
  return value != NO_VALUE && s->values[value].fingerprint.elements >> axis & 1;
}

/* Within tiles, then over them, where the loop is over that axis. */
static bool write_reduction(Search *s, SearchValue v, const Written *x, Written *out) {
  bool is_own = v.axis == s->loop && has_class(s, x->value, v.axis);
  if (x->maximum != NO_VALUE || (v.op != PROBLEM_SUM && !is_plain(x)) || has_class(s, x->factor, v.axis) ||
      has_class(s, x->divisor, v.axis))
    return false;
  *out = *x;
  v.args[0] = x->value, v.part = is_own ? FINGERPRINT_IN_TILES : FINGERPRINT_ALL;
  v.args[0] = out->value = write_value(s, v), v.part = FINGERPRINT_OVER_TILES;
  if (is_own && out->value != NO_VALUE) out->value = write_value(s, v);
  if (out->value == NO_VALUE || s->values[out->value].stage != SEARCH_AFTER) return out->value != NO_VALUE;
  if (x->factor != NO_VALUE) out->value = write_operation(s, PROBLEM_MUL, out->value, x->factor);
  if (x->divisor != NO_VALUE && out->value != NO_VALUE)
    out->value = write_operation(s, PROBLEM_DIV, out->value, x->divisor);
  out->factor = out->divisor = NO_VALUE;
  return out->value != NO_VALUE;
}

static bool write_product(Search *s, const Written *a, const Written *b, Written *out) {
  out->value = write_operation(s, PROBLEM_MUL, a->value, b->value);
  out->factor = write_operation(s, PROBLEM_MUL, a->factor, b->factor);
  out->divisor = write_operation(s, PROBLEM_MUL, a->divisor, b->divisor);
  return out->value != NO_VALUE;
}

static bool write_node(Search *s, uint32_t node, Written *all) {
  const ProblemNode *n = &s->p->nodes.data[node];
  const Written *a = &all[n->args[0]], *b = &all[n->args[1]], *c = &all[n->args[2]];
  Written *out = &all[node];
  const uint32_t values[] = {a->value, b->value, c->value};
  SearchValue v = value_of_node(s, node, NULL);
  *out = (Written){NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
  if (!v.count) return (out->value = find_equal(s, &v, node)) < s->count;
  memcpy(v.args, values, sizeof values);
  if (v.kind == SEARCH_REDUCE) return write_reduction(s, v, a, out);
  if (v.count == 2 && (defer(s, n->op, a, b, out) || (n->op == PROBLEM_MUL && defer(s, n->op, b, a, out)))) return true;
  if (n->op == PROBLEM_EXP && a->maximum != NO_VALUE) {
    v.kind = SEARCH_SHIFTED, v.count = 2, v.args[1] = a->maximum;
    return (out->value = write_value(s, v)) != NO_VALUE;
  }
  if (n->op == PROBLEM_MUL && a->maximum == NO_VALUE && b->maximum == NO_VALUE) return write_product(s, a, b, out);
  for (uint32_t i = 0; i < v.count; i++)
    if (!is_plain(&all[n->args[i]])) return false;
  return (out->value = write_value(s, v)) != NO_VALUE;
}

/* A graph of the operations of the problem in its order, however many they are. */
static void write_problem(Search *s) {
  Written *all = arena_array(s->scratch, Written, s->p->nodes.count + 1);
  SearchCandidate c = {0};
  for (uint32_t i = 0; i < s->p->nodes.count; i++)
    if (!write_node(s, i, all)) return;
  for (uint32_t o = 0; o < s->p->outputs.count; o++) {
    const Written *w = &all[s->p->outputs.data[o].node];
    bool is_saved_late = s->loop != PROBLEM_NONE && s->reduced >> s->loop & 1; /* all of the loop's axis is summed up */
    if (!is_plain(w) || (is_saved_late && s->values[w->value].stage == SEARCH_IN_LOOP) || w->value < s->leaves) return;
    c.outputs[o] = w->value;
  }
  keep(s, c);
}

/* ---- the whole ---- */

static void add_leaves(Search *s, uint64_t seed) {
  for (uint32_t i = 0; i < s->p->nodes.count && s->count < SEARCH_MAX_VALUES; i++) {
    const ProblemNode *n = &s->p->nodes.data[i];
    if (problem_op_arity(n->op)) {
      s->has[n->op] = true;
      continue;
    }
    SearchValue v = {.kind = SEARCH_LEAF, .op = n->op, .axis = PROBLEM_NONE, .detail = i};
    v.fingerprint = fingerprint_leaf(s->arena, s->field, s->p, n, seed);
    v.abstract = s->options->no_expressions ? ABSTRACT_NONE : abstract_node(s->abstract, i);
    s->values[s->count] = v;
    v.stage = s->values[s->count].stage = in_loop(s, &v) ? SEARCH_IN_LOOP : SEARCH_BEFORE;
    s->count++;
  }
  s->leaves = s->count;
}

static Search *search_new(Arena *arena, const Problem *p, const Abstract *abstract, const Field *field, uint8_t loop,
                          const SearchOptions *options, SearchResult *out) {
  enum { SEED = 20260 };
  Search *s = arena_new(arena, Search);
  *s = (Search){.arena = arena,
                .p = p,
                .abstract = abstract,
                .field = field,
                .options = options,
                .out = out,
                .loop = loop,
                .reduced = problem_reduced(p)};
  s->scratch = arena_new_child(arena);
  Fingerprint *all = fingerprint_problem(arena, field, p, SEED);
  for (uint32_t o = 0; o < p->outputs.count; o++) s->targets[o] = all[p->outputs.data[o].node];
  s->nodes = all;
  add_leaves(s, SEED);
  return s;
}

void search_blocks(Arena *arena, const Problem *p, const Abstract *abstract, const Field *field, uint8_t loop,
                   const SearchOptions *options, SearchResult *out) {
  if (p->outputs.count > SEARCH_MAX_OUTPUTS) return;
  Search *s = search_new(arena, p, abstract, field, loop, options, out);
  extend(s);
  arena_destroy(s->scratch);
}

void search_written(Arena *arena, const Problem *p, const Field *field, uint8_t loop, SearchResult *out) {
  const SearchOptions options = {.no_expressions = true};
  if (p->outputs.count > SEARCH_MAX_OUTPUTS) return;
  Search *s = search_new(arena, p, NULL, field, loop, &options, out);
  write_problem(s);
  arena_destroy(s->scratch);
}
