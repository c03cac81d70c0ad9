/* Parts of programs (cuts.h). */
#include "optimize/cuts.h"

#include <string.h>

#include "base/pool.h"

typedef const TensorExpr *Expr;

enum { MOST_SIZE = 4000, MOST_PASSES = 2, NONE = CUTS_MOST };

typedef struct Known {
  const char *text, *answer;
  double seconds;
  bool is_used;
} Known;

typedef struct Wanted {
  const char *text;
  const Pointwise *part;
} Wanted;

typedef struct Cutter {
  Arena *arena;
  TermTable *tt;
  const Pointwise *whole;
  const CutsCost *cost;
  uint32_t count; /* arguments before their uses */
  Expr node[CUTS_MOST], leaf[CUTS_MOST];
  bool is_kept[CUTS_MOST], is_full;
  Array(Known) known;
  Array(Wanted) wanted; /* of processes */
} Cutter;

/* ---- where to cut ---- */

static bool may_cut(Expr e) {
  bool folds = e->op == TENSOR_MATMUL || e->op == TENSOR_REDUCE ||
               (e->op == TENSOR_IDIOM && (e->idiom > TENSOR_GELU_TANH || e->rank != e->args[0]->rank));
  return folds && e->sort == SORT_REAL && e->rank && e->rank <= POINTWISE_MAX_RANK;
}

static uint32_t number_of(const Cutter *c, Expr e) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->node[i] == e ||
        (c->node[i]->op == e->op && c->node[i]->size == e->size && tensor_equal(c->tt, c->node[i], e)))
      return i;
  return NONE;
}

static bool is_tensor(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, name)) return true;
  return false;
}

static void collect(Cutter *c, Expr e, bool is_root) {
  if (!is_root && may_cut(e) && number_of(c, e) != NONE) return;
  for (uint32_t i = 0; i < e->count; i++) collect(c, e->args[i], false);
  if (is_root || !may_cut(e)) return;
  if (c->count == CUTS_MOST) {
    c->is_full = true;
    return;
  }
  uint32_t n = c->count + 1;
  const char *name = arena_format(c->arena, "T%u", n);
  while (is_tensor(c->whole, name)) name = arena_format(c->arena, "%s_", name);
  Term symbol = term_symbol_new(c->tt, intern_text(c->tt->names, name), SORT_REAL, SYMBOL_TENSOR);
  c->leaf[c->count] =
      tensor_input(c->tt, symbol, name, c->whole->tensors.count + c->count, SORT_REAL, e->rank, e->shape);
  c->is_kept[c->count] = true;
  c->node[c->count++] = e;
}

/* ---- parts ---- */

/* With the tensors that are kept in place of what they are. */
static Expr body_of(Cutter *c, Expr e, bool is_root) {
  uint32_t number = is_root || !may_cut(e) ? NONE : number_of(c, e);
  Expr args[TENSOR_MAX_RANK];
  bool is_new = false;
  guard_tick(c->arena->guard);
  if (number != NONE && c->is_kept[number]) return c->leaf[number];
  if (!e->count || e->count > TENSOR_MAX_RANK) return e;
  for (uint32_t i = 0; i < e->count; i++) {
    args[i] = body_of(c, e->args[i], false);
    if (!args[i]) return NULL;
    is_new |= args[i] != e->args[i];
  }
  return is_new ? tensor_with_args(c->tt, e, args) : e;
}

static Pointwise *with_temporaries(Cutter *c) {
  Pointwise *p = arena_new(c->arena, Pointwise);
  *p = *c->whole;
  memset(&p->tensors, 0, sizeof p->tensors), memset(&p->outputs, 0, sizeof p->outputs);
  for (uint32_t i = 0; i < c->whole->tensors.count; i++) array_push(c->arena, &p->tensors, c->whole->tensors.data[i]);
  for (uint32_t i = 0; i < c->count; i++) {
    if (!c->is_kept[i]) continue;
    PointwiseTensor t = {.symbol = c->leaf[i]->symbol, .name = c->leaf[i]->name, .dtype = "f32", .sort = SORT_REAL};
    Term stride = c->tt->one;
    t.rank = c->leaf[i]->rank;
    for (uint32_t k = t.rank; k-- > 0; stride = term_mul(c->tt, stride, t.extent[k]))
      t.extent[k] = c->leaf[i]->shape[k], t.stride[k] = stride;
    array_push(c->arena, &p->tensors, t);
  }
  return p;
}

static Pointwise *part_of(Cutter *c, const Pointwise *tensors, Term symbol, Expr body) {
  Pointwise *p = arena_new(c->arena, Pointwise);
  PointwiseOutput out = {.rank = body->rank, .formula = body};
  *p = *tensors;
  while (p->tensors.data[out.tensor].symbol != symbol) out.tensor++;
  for (uint32_t k = 0; k < out.rank; k++) {
    out.index[k] = term_symbol_fresh(c->tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(c->tt, out.index[k], c->tt->zero, term_sub(c->tt, body->shape[k], c->tt->one));
  }
  array_push(c->arena, &out.pieces, (PointwisePiece){.region = c->tt->true_, .value = c->tt->zero});
  array_push(c->arena, &p->outputs, out);
  return p;
}

static Known *find_known(Cutter *c, const char *text) {
  for (uint32_t i = 0; i < c->known.count; i++)
    if (!strcmp(c->known.data[i].text, text)) return &c->known.data[i];
  return NULL;
}

static double seconds_of(Cutter *c, const Pointwise *tensors, Term symbol, Expr body) {
  const char *text = tensor_text(c->tt, body);
  if (!find_known(c, text)) {
    const char *answer = c->cost->answer(part_of(c, tensors, symbol, body), c->cost->payload);
    array_push(c->arena, &c->known, ((Known){.text = text, .answer = answer}));
  }
  Known *known = find_known(c, text);
  if (!known->is_used) known->seconds = c->cost->seconds(known->answer, c->cost->payload);
  known->is_used = true;
  return known->seconds;
}

static Term symbol_at(const Cutter *c, uint32_t i) {
  return i < c->count ? c->leaf[i]->symbol : c->whole->tensors.data[c->whole->outputs.data[i - c->count].tensor].symbol;
}

static Expr body_at(Cutter *c, uint32_t i) {
  return body_of(c, i < c->count ? c->node[i] : c->whole->outputs.data[i - c->count].formula, true);
}

/* Of the tensors that are kept and of the outputs: what all cost; negative: one has no kernel. `out`: NULL, or for the
 * parts. */
static double total(Cutter *c, Cuts *out) {
  const Pointwise *tensors = with_temporaries(c);
  double all = 0;
  if (out) out->tensors = tensors;
  for (uint32_t i = 0; i < c->count + c->whole->outputs.count; i++) {
    if (i < c->count && !c->is_kept[i]) continue;
    Term symbol = symbol_at(c, i);
    Expr body = body_at(c, i);
    double seconds = body ? seconds_of(c, tensors, symbol, body) : -1;
    if (seconds < 0) return -1;
    all += seconds;
    if (out) array_push(c->arena, &out->parts, part_of(c, tensors, symbol, body));
  }
  return all;
}

/* ---- parts in processes of their own ---- */

static void want(Cutter *c) {
  const Pointwise *tensors = with_temporaries(c);
  for (uint32_t i = 0; i < c->count + c->whole->outputs.count; i++) {
    if (i < c->count && !c->is_kept[i]) continue;
    Expr body = body_at(c, i);
    const char *text = body ? tensor_text(c->tt, body) : NULL;
    bool has = !text || find_known(c, text);
    for (uint32_t k = 0; k < c->wanted.count && !has; k++) has = !strcmp(c->wanted.data[k].text, text);
    if (!has) array_push(c->arena, &c->wanted, ((Wanted){text, part_of(c, tensors, symbol_at(c, i), body)}));
  }
}

static bool wants_answer(void *payload, uint32_t piece) { return piece < ((Cutter *)payload)->wanted.count; }

static const char *make_answer(void *payload, uint32_t piece) {
  Cutter *c = payload;
  return c->cost->answer(c->wanted.data[piece].part, c->cost->payload);
}

static void take_answer(void *payload, uint32_t piece, const char *text) {
  Cutter *c = payload;
  if (text) array_push(c->arena, &c->known, ((Known){.text = c->wanted.data[piece].text, .answer = text}));
}

/* What the total needs; and where that is less than there are processes, what the next ones will need if this one is
 * not taken: parts that are larger than they have to be are the dearest. */
static void prepare(Cutter *c, uint32_t at) {
  bool kept[CUTS_MOST];
  if (c->cost->jobs < 2) return;
  c->wanted.count = 0;
  want(c);
  memcpy(kept, c->is_kept, sizeof kept);
  for (uint32_t i = at; i + 1 < c->count && c->wanted.count < c->cost->jobs; i++) {
    c->is_kept[i] = i == at || kept[i];
    c->is_kept[i + 1] = false;
    if (kept[i + 1]) want(c);
  }
  memcpy(c->is_kept, kept, sizeof kept);
  if (c->wanted.count < 2) return;
  pool_run(c->arena, &(PoolWork){c, c->wanted.count, c->cost->jobs, wants_answer, make_answer, take_answer});
}

bool cuts_find(Arena *arena, const Pointwise *whole, const CutsCost *cost, Cuts *out) {
  Cutter *c = arena_new(arena, Cutter);
  *c = (Cutter){.arena = arena, .tt = whole->tt, .whole = whole, .cost = cost};
  for (uint32_t i = 0; i < whole->outputs.count; i++) {
    Expr e = whole->outputs.data[i].formula;
    if (!e || e->size > MOST_SIZE) return false;
    collect(c, e, true);
  }
  if (!c->count || c->is_full) return false;
  prepare(c, CUTS_MOST);
  double least = total(c, NULL);
  for (uint32_t pass = 0; pass < MOST_PASSES && least >= 0; pass++)
    for (uint32_t i = 0; i < c->count; i++) {
      if (!c->is_kept[i]) continue;
      c->is_kept[i] = false;
      prepare(c, i);
      double now = total(c, NULL);
      c->is_kept[i] = now < 0 || now >= least;
      if (!c->is_kept[i]) least = now;
    }
  memset(out, 0, sizeof *out);
  return least >= 0 && total(c, out) >= 0;
}
