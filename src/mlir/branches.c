/* scf.while, and regions of several blocks: what branches that form ifs and counted loops do.
 *
 * Blocks run in an order in which each comes behind those that branch to it, under the condition that one of them does;
 * arguments that several pass are chosen by it. A block that a later one branches back to is the head of a loop. Loops
 * go on while a counter, which each iteration moves by a step that stays, has not come to a bound that stays, from
 * below or from above: their number of iterations is known, and they are executed as scf.for is. */
#include "mlir/carried.h"

enum { MOST_BLOCKS = 256 };

static bool is_named(const Mlir *m, const Op *op, const char *name) {
  return !strcmp(intern_string(m->p->names, op->name), name);
}

/* ---- counters ---- */

typedef struct Counter {
  uint32_t number; /* of the variable */
  ValueId bound, step;
  bool is_inclusive, is_unsigned, is_down;
  bool is_either;     /* it goes on while they differ */
  bool is_difference; /* the step is subtracted */
  bool is_nuw;        /* the sum of counter and step is poison where it wraps as an unsigned number */
  ValueId next;       /* that is compared instead: the counter after the step; 0: the counter itself */
  TypeId type;
} Counter;

static const Op *definition_of(const Mlir *m, ValueId id) {
  const Value *v = program_get_value(m->p, id);
  return v->op ? program_get_op(m->p, v->op) : NULL;
}

static const char *opposite(const char *predicate) {
  static const char *const pairs[][2] = {{"slt", "sge"}, {"sle", "sgt"}, {"ult", "uge"}, {"ule", "ugt"}, {"eq", "ne"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int k = 0; k < 2; k++)
      if (!strcmp(predicate, pairs[i][k])) return pairs[i][!k];
  return predicate;
}

/* The variable that the value is the sum of with something; count: of none. */
static uint32_t stepped_variable(const Mlir *m, ValueId id, ValueId first, uint32_t count) {
  const Op *op = definition_of(m, id);
  bool steps = op && (is_named(m, op, "arith.addi") || is_named(m, op, "index.add") || is_named(m, op, "arith.subi") ||
                      is_named(m, op, "index.sub"));
  for (uint32_t i = 0; steps && i < op->operand_count; i++)
    if (op->operands[i] >= first && op->operands[i] < first + count) return op->operands[i] - first;
  return count;
}

/* The condition as `counter < bound`, `counter > bound` or `counter != bound`, or its opposite. */
static bool read_condition(const Mlir *m, ValueId condition, bool negated, ValueId first, uint32_t count, Counter *c) {
  const Op *op = definition_of(m, condition);
  if (!op || (!is_named(m, op, "arith.cmpi") && !is_named(m, op, "index.cmp"))) return false;
  const char *p = negated ? opposite(mlir_predicate(m, op)) : mlir_predicate(m, op);
  bool either = !strcmp(p, "ne");
  bool less = !strcmp(p, "slt") || !strcmp(p, "sle") || !strcmp(p, "ult") || !strcmp(p, "ule");
  bool greater = !strcmp(p, "sgt") || !strcmp(p, "sge") || !strcmp(p, "ugt") || !strcmp(p, "uge");
  if (!less && !greater && !either) return false;
  bool is_variable[2];
  for (int i = 0; i < 2; i++) is_variable[i] = op->operands[i] >= first && op->operands[i] < first + count;
  bool is_next = !is_variable[0] && !is_variable[1];
  for (int i = 0; is_next && i < 2; i++) is_variable[i] = stepped_variable(m, op->operands[i], first, count) < count;
  if (!is_variable[0] && !is_variable[1]) return false;
  bool second = is_variable[0] && is_variable[1] ? greater : is_variable[1];
  ValueId counter = op->operands[second];
  *c = (Counter){.number = is_next ? stepped_variable(m, counter, first, count) : counter - first,
                 .next = is_next ? counter : 0,
                 .bound = op->operands[!second],
                 .is_inclusive = !either && p[2] == 'e',
                 .is_unsigned = p[0] == 'u',
                 .is_down = greater != second && !either,
                 .is_either = either,
                 .type = program_get_value(m->p, counter)->type};
  return true;
}

/* `next` as the sum of the counter, which is `now` there, and the step, or their difference. */
static bool read_step(const Mlir *m, ValueId next, ValueId now, Counter *c) {
  const Value *v = program_get_value(m->p, next);
  const Op *op = v->op ? program_get_op(m->p, v->op) : NULL;
  if (!op) return false;
  bool sum = is_named(m, op, "arith.addi") || is_named(m, op, "index.add");
  c->is_difference = is_named(m, op, "arith.subi") || is_named(m, op, "index.sub");
  if (!sum && !c->is_difference) return false;
  if (op->operands[0] != now && (op->operands[1] != now || c->is_difference)) return false;
  c->step = op->operands[op->operands[0] == now];
  c->is_nuw = mlir_has_flag(m, op, "nuw");
  return true;
}

/* A value that is the same in all iterations: one of outside, which was executed, or a constant. */
static bool is_constant(Mlir *m, ValueId id) {
  const Value *v = program_get_value(m->p, id);
  const Op *op = v->op ? program_get_op(m->p, v->op) : NULL;
  return op && (is_named(m, op, "arith.constant") || is_named(m, op, "index.constant")) && mlir_constant_op(m, op);
}

/* True if the counter is on its way to the bound. Where it goes on while they differ, in steps of 1, which side it
 * comes from is to be seen. */
static bool is_on_its_way(Mlir *m, Counter *c, Term lower, Term upper, Term step) {
  TermTable *tt = m->tt;
  if (!c->is_either) return mlir_holds(tt, c->is_down ? term_lt(tt, step, tt->zero) : term_lt(tt, tt->zero, step));
  c->is_down = step == tt->minus_one;
  return (c->is_down && mlir_holds(tt, term_le(tt, upper, lower))) ||
         (step == tt->one && mlir_holds(tt, term_le(tt, lower, upper)));
}

/* How often the counter has not come to the bound; the value that it then has. false: not known, or it may wrap. */
static bool count_trips(Mlir *m, Counter *c, const MlirValue *init, Term *trips, Term *step) {
  TermTable *tt = m->tt;
  const MlirValue *bound = mlir_value(m, c->bound), *by = mlir_value(m, c->step);
  uint32_t width = mlir_width(m, c->type);
  if (init->kind != MLIR_SCALAR || bound->kind != MLIR_SCALAR || by->kind != MLIR_SCALAR || width == 1) return false;
  if (by->cell.poison != tt->false_) return false;
  Term lower = init->cell.value, upper = bound->cell.value;
  *step = c->is_difference ? term_neg(tt, by->cell.value) : by->cell.value;
  if (c->next) lower = term_add(tt, lower, *step); /* what is compared first */
  if (!is_on_its_way(m, c, lower, upper, *step) || (c->is_nuw && (c->is_down || c->is_difference || c->next)))
    return false;
  if (c->is_unsigned &&
      (!mlir_holds(tt, term_le(tt, tt->zero, lower)) || !mlir_holds(tt, term_le(tt, tt->zero, upper))))
    return false;
  Term sign = c->is_down ? tt->minus_one : tt->one, size = term_mul(tt, sign, *step);
  if (c->is_inclusive) upper = term_add(tt, upper, sign);
  Term span = term_mul(tt, sign, term_sub(tt, upper, lower));
  *trips = term_max(tt, tt->zero, size == tt->one ? span : term_cdiv(tt, span, size));
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (width - 1), 1});
  Term most = c->is_down && c->is_unsigned ? tt->zero : c->is_down ? half : term_sub(tt, half, tt->one);
  Term last = size == tt->one ? upper : term_add(tt, upper, *step); /* at most, and not wrapped */
  Term end = term_add(tt, lower, term_mul(tt, *trips, *step));
  if (!mlir_holds(tt, term_le(tt, term_mul(tt, sign, last), most)) &&
      !mlir_holds(tt, term_le(tt, term_mul(tt, sign, end), most)))
    return false;
  if (c->next && !mlir_holds(tt, term_le(tt, term_mul(tt, sign, lower), most))) return false;
  mlir_undefined_at(m, init->cell), mlir_undefined_at(m, bound->cell);
  if (c->is_nuw) /* from -1 to 0, and then the condition is poison */
    mlir_undefined(m, term_and(tt, term_lt(tt, lower, tt->zero), term_le(tt, tt->zero, end)));
  return true;
}

/* ---- loops ---- */

typedef struct While {
  Counter counter;
  Term lower, step;
  uint32_t count; /* of variables, the counter among them */
  /* Runs an iteration with these variables, so that the next ones are `yielded`. */
  bool (*iterate)(Mlir *m, const Op *op, const MlirValue *variables, void *payload);
  void *payload;
} While;

/* Between all variables and those without the counter. */
static void with_counter(Mlir *m, const While *w, Term iterations, const MlirValue *others, MlirValue *all) {
  Term now = term_add(m->tt, w->lower, term_mul(m->tt, iterations, w->step));
  for (uint32_t i = 0, k = 0; i < w->count; i++)
    all[i] = i == w->counter.number ? mlir_scalar((Cell){now, m->tt->false_}, w->counter.type) : others[k++];
}

static bool while_body(Mlir *m, const Op *op, Term iteration, const MlirValue *variables, void *payload) {
  const While *w = payload;
  MlirValue all[MOST_VARIABLES];
  with_counter(m, w, iteration, variables, all);
  if (!w->iterate(m, op, all, w->payload)) return false;
  if (m->yield_count != w->count) return mlir_unsupported(m, op);
  for (uint32_t i = w->counter.number; i + 1 < w->count; i++) m->yielded[i] = m->yielded[i + 1];
  m->yield_count--;
  return true;
}

/* The variables after all iterations. */
static bool run_while(Mlir *m, const Op *op, While *w, const MlirValue *init, MlirValue *out) {
  LoopSpec *s = arena_new(m->arena, LoopSpec);
  MlirValue rest[MOST_VARIABLES];
  *s = (LoopSpec){.op = op, .count = w->count - 1, .body = while_body, .payload = w};
  w->lower = init[w->counter.number].cell.value;
  if (!count_trips(m, &w->counter, &init[w->counter.number], &s->trips, &w->step))
    return mlir_stop(m, op, REASON_LOOP_MEMORY, "how often this loop runs is not known");
  for (uint32_t i = 0, k = 0; i < w->count; i++)
    if (i != w->counter.number) s->init[k++] = init[i];
  if (!mlir_run_loop(m, s, rest)) return false;
  with_counter(m, w, s->trips, rest, out);
  return true;
}

/* ---- scf.while ---- */

/* True if it is defined in one of the regions of the operation. */
static bool is_inside(const Mlir *m, ValueId id, const Op *op) {
  const Value *v = program_get_value(m->p, id);
  BlockId at = v->op ? program_get_op(m->p, v->op)->block : v->block;
  while (at) {
    const Op *parent = program_get_op(m->p, program_get_region(m->p, program_get_block(m->p, at)->region)->parent);
    if (parent == op) return true;
    at = parent->block;
  }
  return false;
}

static const Op *last_of(const Mlir *m, const Block *b) {
  return b->ops.count ? program_get_op(m->p, b->ops.data[b->ops.count - 1]) : NULL;
}

static const Block *only_block(const Mlir *m, const Op *op, uint32_t region) {
  const Region *r = program_get_region(m->p, op->regions[region]);
  return r->blocks.count == 1 ? program_get_block(m->p, r->blocks.data[0]) : NULL;
}

bool mlir_condition(Mlir *m, const Op *op) {
  m->yield_count = 0;
  if (op->operand_count > sizeof m->yielded / sizeof *m->yielded) return mlir_unsupported(m, op);
  for (uint32_t i = 1; i < op->operand_count; i++) m->yielded[m->yield_count++] = *mlir_operand(m, op, i);
  return true;
}

static bool iterate_regions(Mlir *m, const Op *op, const MlirValue *variables, void *payload) {
  MlirValue passed[16];
  (void)payload;
  if (!mlir_run_region(m, op, 0, variables, op->operand_count)) return false;
  uint32_t count = m->yield_count;
  memcpy(passed, m->yielded, count * sizeof *passed);
  return mlir_run_region(m, op, 1, passed, count);
}

/* True if it is a constant, whose lowest bit that is. */
static bool is_bit(Mlir *m, ValueId id, bool *bit) {
  int64_t number;
  if (!is_constant(m, id)) return false;
  Term t = mlir_as_int(m->tt, mlir_value(m, id)->cell.value);
  return term_is_int(m->tt, t, &number) && (*bit = number & 1, true);
}

/* What the regions of the scf.if yield for the result; false: it is the result of none. */
static bool yielded_by_if(const Mlir *m, ValueId id, const Op **op, ValueId *values) {
  *op = definition_of(m, id);
  if (!*op || !is_named(m, *op, "scf.if") || (*op)->region_count != 2) return false;
  for (uint32_t r = 0; r < 2; r++) {
    const Block *b = only_block(m, *op, r);
    const Op *yield = b ? last_of(m, b) : NULL;
    if (!yield || yield->operand_count != (*op)->result_count) return false;
    values[r] = yield->operands[id - (*op)->first_result];
  }
  return true;
}

/* The comparison that a condition is made of: branches that were lifted pass it on as a number that an scf.if yields.
 */
static ValueId compared(Mlir *m, ValueId id, bool *negated) {
  for (uint32_t depth = 0; depth < 8; depth++) {
    const Op *op = definition_of(m, id), *branch;
    ValueId values[2];
    bool bits[2];
    if (op && is_named(m, op, "arith.xori") && is_bit(m, op->operands[1], &bits[0])) {
      *negated ^= bits[0], id = op->operands[0];
      continue;
    }
    ValueId from = op && is_named(m, op, "arith.trunci") ? op->operands[0] : id;
    if (!yielded_by_if(m, from, &branch, values) || !is_bit(m, values[0], &bits[0]) || !is_bit(m, values[1], &bits[1]))
      break;
    if (mlir_width(m, program_get_value(m->p, id)->type) != 1 || bits[0] == bits[1]) break;
    *negated ^= bits[1], id = branch->operands[0];
  }
  return id;
}

typedef struct GoingOn { /* an scf.while where its condition holds */
  const Op *condition, *yield;
  const Block *after;
  ValueId compared;
  bool negated;
} GoingOn;

/* The value that it is there: what the condition passes, and what an scf.if yields that has the same condition. */
static ValueId going_on(Mlir *m, const GoingOn *g, ValueId id) {
  for (uint32_t depth = 0; depth < 64; depth++) {
    const Op *branch;
    ValueId values[2];
    bool negated = false;
    if (id >= g->after->first_arg && id < g->after->first_arg + g->after->arg_count)
      id = g->condition->operands[1 + id - g->after->first_arg];
    else if (yielded_by_if(m, id, &branch, values) && compared(m, branch->operands[0], &negated) == g->compared)
      id = values[negated != g->negated];
    else
      break;
  }
  return id;
}

static bool counter_of_regions(Mlir *m, const Op *op, const Block *before, const Block *after, Counter *c) {
  GoingOn g = {.condition = last_of(m, before), .yield = last_of(m, after), .after = after};
  if (!g.condition || !g.yield || !is_named(m, g.condition, "scf.condition")) return false;
  g.compared = compared(m, g.condition->operands[0], &g.negated);
  if (!read_condition(m, g.compared, g.negated, before->first_arg, before->arg_count, c)) return false;
  if (g.yield->operand_count != before->arg_count || g.condition->operand_count != after->arg_count + 1) return false;
  ValueId next = going_on(m, &g, g.yield->operands[c->number]);
  const Op *step = definition_of(m, next);
  bool found = false;
  for (uint32_t i = 0; step && i < step->operand_count && !found; i++)
    found =
        going_on(m, &g, step->operands[i]) == before->first_arg + c->number && read_step(m, next, step->operands[i], c);
  return found && (!c->next || c->next == next) && (!is_inside(m, c->bound, op) || is_constant(m, c->bound)) &&
         (!is_inside(m, c->step, op) || is_constant(m, c->step));
}

bool mlir_while(Mlir *m, const Op *op) {
  const Block *before = op->region_count == 2 ? only_block(m, op, 0) : NULL;
  const Block *after = before ? only_block(m, op, 1) : NULL;
  While w = {.count = op->operand_count, .iterate = iterate_regions};
  MlirValue init[MOST_VARIABLES], out[MOST_VARIABLES];
  if (!after || op->operand_count > 16 || before->arg_count != op->operand_count ||
      !counter_of_regions(m, op, before, after, &w.counter))
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) init[i] = *mlir_operand(m, op, i);
  if (!run_while(m, op, &w, init, out)) return false;
  if (!mlir_run_region(m, op, 0, out, op->operand_count)) return false; /* where the condition does not hold */
  if (m->yield_count != op->result_count) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, m->yielded[i]);
  return true;
}

/* ---- regions of several blocks ---- */

typedef struct Entry { /* what branches to a block say */
  Term condition;      /* 0: none of them was run */
  MlirValue args[16];
} Entry;

typedef struct Graph {
  const Op *op; /* that has the region */
  uint32_t count;
  const BlockId *blocks;
  uint32_t order[MOST_BLOCKS];           /* each behind those that branch to it, but for back edges */
  uint32_t latch[MOST_BLOCKS];           /* 1 + the block that branches back to it */
  uint8_t state[MOST_BLOCKS];            /* 1: being visited, 2: done */
  bool inside[MOST_BLOCKS][MOST_BLOCKS]; /* of a head: the blocks of its loop, itself included */
  Entry *entry;
  uint32_t placed;
} Graph;

static uint32_t number_of(const Graph *g, BlockId id) {
  uint32_t i = 0;
  while (i < g->count && g->blocks[i] != id) i++;
  return i;
}

static const Op *terminator(const Mlir *m, const Graph *g, uint32_t b) {
  return last_of(m, program_get_block(m->p, g->blocks[b]));
}

static bool visit(const Mlir *m, Graph *g, uint32_t b) {
  const Op *end = terminator(m, g, b);
  g->state[b] = 1;
  for (uint32_t i = 0; end && i < end->successor_count; i++) {
    uint32_t to = number_of(g, end->successors[i].block);
    if (to == g->count) return false;
    if (g->state[to] == 1) {
      if (g->latch[to] && g->latch[to] != b + 1) return false;
      g->latch[to] = b + 1;
    } else if (!g->state[to] && !visit(m, g, to)) {
      return false;
    }
  }
  g->state[b] = 2;
  g->order[g->count - ++g->placed] = b;
  return true;
}

/* The blocks from which the latch is reached without the head. */
static void fill_loop(const Mlir *m, Graph *g, uint32_t head) {
  bool *in = g->inside[head], grows = true;
  in[head] = in[g->latch[head] - 1] = true;
  while (grows) {
    grows = false;
    for (uint32_t b = 0; b < g->count; b++) {
      const Op *end = terminator(m, g, b);
      for (uint32_t i = 0; !in[b] && end && i < end->successor_count; i++) {
        uint32_t to = number_of(g, end->successors[i].block);
        if (to != head && in[to]) in[b] = grows = true;
      }
    }
  }
}

/* All other blocks stay in the loop, and are entered by way of the head. */
static bool is_natural(const Mlir *m, const Graph *g, uint32_t head) {
  const bool *in = g->inside[head];
  for (uint32_t b = 0; b < g->count; b++) {
    const Op *end = terminator(m, g, b);
    if (!end) return false;
    for (uint32_t i = 0; i < end->successor_count; i++) {
      uint32_t to = number_of(g, end->successors[i].block);
      if (in[b] && b != head && !in[to]) return false;
      if (!in[b] && in[to] && to != head) return false;
    }
    if (in[b] && !end->successor_count) return false;
  }
  const Op *end = terminator(m, g, head);
  return end->successor_count == 2 &&
         in[number_of(g, end->successors[0].block)] != in[number_of(g, end->successors[1].block)];
}

/* A branch, taken under the condition. */
static bool deliver(Mlir *m, Graph *g, const Successor *to, Term condition) {
  Entry *e = &g->entry[number_of(g, to->block)];
  const Block *b = program_get_block(m->p, to->block);
  if (to->arg_count != b->arg_count || to->arg_count > 16) return mlir_unsupported(m, g->op);
  for (uint32_t i = 0; i < to->arg_count; i++) {
    const MlirValue *own = &m->values[to->args[i]];
    if (!e->condition)
      e->args[i] = *own;
    else if (!mlir_join(m, condition, own, &e->args[i], &e->args[i]))
      return mlir_unsupported(m, g->op);
  }
  e->condition = e->condition ? term_or(m->tt, e->condition, condition) : condition;
  return true;
}

static bool run_blocks(Mlir *m, Graph *g, const bool *inside, uint32_t head);

static void enter(Mlir *m, const Graph *g, uint32_t b, const MlirValue *args) {
  const Block *block = program_get_block(m->p, g->blocks[b]);
  for (uint32_t i = 0; i < block->arg_count; i++) m->values[block->first_arg + i] = args[i];
}

/* Which way out of the head stays in the loop. */
static bool way_in(const Mlir *m, const Graph *g, uint32_t head) {
  return !g->inside[head][number_of(g, terminator(m, g, head)->successors[0].block)];
}

typedef struct BlockLoop {
  Graph *g;
  uint32_t head;
} BlockLoop;

static bool iterate_blocks(Mlir *m, const Op *op, const MlirValue *variables, void *payload) {
  const BlockLoop *l = payload;
  Graph *g = l->g;
  const Op *end = terminator(m, g, l->head);
  Entry outer = g->entry[l->head];
  for (uint32_t b = 0; b < g->count; b++)
    if (g->inside[l->head][b]) g->entry[b].condition = 0;
  enter(m, g, l->head, variables);
  if (!mlir_run_block(m, g->blocks[l->head])) return false;
  if (!deliver(m, g, &end->successors[way_in(m, g, l->head)], m->tt->true_)) return false;
  if (!run_blocks(m, g, g->inside[l->head], l->head)) return false;
  Entry *back = &g->entry[l->head];
  if (!back->condition) return mlir_unsupported(m, op);
  m->yield_count = program_get_block(m->p, g->blocks[l->head])->arg_count;
  memcpy(m->yielded, back->args, m->yield_count * sizeof *m->yielded);
  g->entry[l->head] = outer;
  return true;
}

/* True if the value is defined in a block of the loop. */
static bool is_of_loop(const Mlir *m, const Graph *g, uint32_t head, ValueId id) {
  const Value *v = program_get_value(m->p, id);
  BlockId at = v->op ? program_get_op(m->p, v->op)->block : v->block;
  while (at) {
    uint32_t b = number_of(g, at);
    if (b < g->count) return g->inside[head][b];
    at = program_get_op(m->p, program_get_region(m->p, program_get_block(m->p, at)->region)->parent)->block;
  }
  return false;
}

/* What the only branch to a block of the loop passes for an argument of it. */
static ValueId passed_value(const Mlir *m, const Graph *g, uint32_t head, ValueId id) {
  const Value *v = program_get_value(m->p, id);
  uint32_t at = v->op ? g->count : number_of(g, v->block), count = 0;
  ValueId found = id;
  if (at == g->count || at == head || !g->inside[head][at]) return id;
  for (uint32_t b = 0; b < g->count; b++) {
    const Op *end = terminator(m, g, b);
    for (uint32_t i = 0; i < end->successor_count; i++)
      if (end->successors[i].block == v->block && v->index < end->successors[i].arg_count)
        found = end->successors[i].args[v->index], count++;
  }
  return count == 1 ? passed_value(m, g, head, found) : id;
}

static bool counter_of_blocks(Mlir *m, const Graph *g, uint32_t head, Counter *c) {
  const Block *b = program_get_block(m->p, g->blocks[head]);
  const Op *end = terminator(m, g, head), *back = terminator(m, g, g->latch[head] - 1);
  if (!is_named(m, end, "cf.cond_br") || (back != end && !is_named(m, back, "cf.br"))) return false;
  bool negated = way_in(m, g, head);
  ValueId condition = compared(m, end->operands[0], &negated);
  if (!read_condition(m, condition, negated, b->first_arg, b->arg_count, c)) return false;
  const Successor *again = &back->successors[back == end ? way_in(m, g, head) : 0];
  if (again->arg_count != b->arg_count) return false;
  ValueId next = passed_value(m, g, head, again->args[c->number]);
  const Value *v = program_get_value(m->p, next);
  bool found = false;
  for (uint32_t i = 0; v->op && i < program_get_op(m->p, v->op)->operand_count && !found; i++) {
    ValueId now = program_get_op(m->p, v->op)->operands[i];
    found = passed_value(m, g, head, now) == b->first_arg + c->number && read_step(m, next, now, c);
  }
  return found && (!c->next || c->next == next) && (!is_of_loop(m, g, head, c->bound) || is_constant(m, c->bound)) &&
         (!is_of_loop(m, g, head, c->step) || is_constant(m, c->step));
}

/* The loop, and then the branch that leaves it. */
static bool run_block_loop(Mlir *m, Graph *g, uint32_t head, Term condition) {
  BlockLoop l = {g, head};
  const Block *b = program_get_block(m->p, g->blocks[head]);
  const Op *end = terminator(m, g, head);
  While w = {.count = b->arg_count, .iterate = iterate_blocks, .payload = &l};
  MlirValue init[MOST_VARIABLES], out[MOST_VARIABLES];
  fill_loop(m, g, head);
  if (!is_natural(m, g, head) || !counter_of_blocks(m, g, head, &w.counter)) return mlir_unsupported(m, end);
  memcpy(init, g->entry[head].args, b->arg_count * sizeof *init);
  if (!run_while(m, end, &w, init, out)) return false;
  enter(m, g, head, out);
  return mlir_run_block(m, g->blocks[head]) && deliver(m, g, &end->successors[!way_in(m, g, head)], condition);
}

static bool branch(Mlir *m, Graph *g, const Op *end, Term condition) {
  if (is_named(m, end, "cf.br")) return deliver(m, g, &end->successors[0], condition);
  const MlirValue *c = mlir_operand(m, end, 0);
  mlir_undefined_at(m, c->cell);
  Term holds = mlir_as_bool(m->tt, c->cell.value);
  return deliver(m, g, &end->successors[0], term_and(m->tt, condition, holds)) &&
         deliver(m, g, &end->successors[1], term_and(m->tt, condition, term_not(m->tt, holds)));
}

/* What follows a block that branches: a loop, of which it is the head, or the blocks it branches to. */
static bool go_on(Mlir *m, Graph *g, uint32_t b, Term condition) {
  const Block *block = program_get_block(m->p, g->blocks[b]);
  bool top = mlir_is_top(m, g->op);
  Term before = m->ub;
  if (top) m->ub = m->tt->false_;
  bool good = g->latch[b] ? run_block_loop(m, g, b, condition) : branch(m, g, last_of(m, block), condition);
  if (good && top) mlir_end_step(m, block->ops.data[block->ops.count - 1], before);
  return good;
}

/* The blocks inside, but for the head, that some branch reached. What the region yields is joined. */
static bool run_blocks(Mlir *m, Graph *g, const bool *inside, uint32_t head) {
  Term path = m->path;
  MlirValue yielded[16];
  bool *done = arena_array(m->arena, bool, g->count);
  uint32_t count = UINT32_MAX;
  bool good = true;
  for (uint32_t k = g->count - g->placed; k < g->count && good; k++) {
    uint32_t b = g->order[k];
    Term condition = g->entry[b].condition;
    if (b == head || (inside && !inside[b]) || !condition || done[b]) continue;
    m->path = term_and(m->tt, path, condition);
    if (g->latch[b]) {
      good = go_on(m, g, b, condition);
      for (uint32_t i = 0; i < g->count; i++) done[i] |= g->inside[b][i];
      continue;
    }
    const Op *end = terminator(m, g, b);
    enter(m, g, b, g->entry[b].args);
    good = mlir_run_block(m, g->blocks[b]);
    if (!good) break;
    if (end->successor_count) {
      good = go_on(m, g, b, condition);
      continue;
    }
    good = count == UINT32_MAX || count == m->yield_count;
    for (uint32_t i = 0; i < m->yield_count && good; i++)
      if (count == UINT32_MAX)
        yielded[i] = m->yielded[i];
      else
        good = mlir_join(m, condition, &m->yielded[i], &yielded[i], &yielded[i]);
    count = m->yield_count;
    if (!good) mlir_unsupported(m, end);
  }
  m->path = path;
  m->yield_count = count == UINT32_MAX ? 0 : count;
  memcpy(m->yielded, yielded, m->yield_count * sizeof *yielded);
  return good;
}

bool mlir_run_graph(Mlir *m, const Op *op, uint32_t r, const MlirValue *arguments, uint32_t count) {
  const Region *region = program_get_region(m->p, op->regions[r]);
  Graph *g = arena_new(m->arena, Graph);
  *g = (Graph){.op = op, .count = region->blocks.count, .blocks = region->blocks.data};
  if (g->count > MOST_BLOCKS || program_get_block(m->p, g->blocks[0])->arg_count > count ||
      program_get_block(m->p, g->blocks[0])->arg_count > 16)
    return mlir_unsupported(m, op);
  for (uint32_t b = 0; b < g->count; b++) {
    const Op *end = terminator(m, g, b);
    if (!end || (end->successor_count && !is_named(m, end, "cf.br") && !is_named(m, end, "cf.cond_br")))
      return mlir_unsupported(m, end ? end : op);
  }
  if (!visit(m, g, 0)) return mlir_unsupported(m, op);
  g->entry = arena_array(m->arena, Entry, g->count);
  g->entry[0].condition = m->tt->true_;
  memcpy(g->entry[0].args, arguments, program_get_block(m->p, g->blocks[0])->arg_count * sizeof *arguments);
  if (g->latch[0]) return mlir_unsupported(m, op);
  return run_blocks(m, g, NULL, g->count);
}
