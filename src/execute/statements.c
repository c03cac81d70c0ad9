/* What the kernel states: llvm.intr.assume (tl.assume) and asserts (tl.device_assert).
 *
 * A statement holds where it is executed, under the path to it. What becomes of one depends on what it speaks of:
 *
 *   arguments and the grid   an assumption on the launch, and a fact from there on, if every program executes it: not
 *                            where its loop may run zero times, nor in one branch of two
 *   what memory holds        likewise; it is no condition on the launch, but one on contents
 *   program ids, lanes and   held against every program: a need of the kernel, as a divisor that must not be 0 is;
 *   counters; or never so    where it is false the program is undefined
 *
 * Others are not used: where they are executed, they say less than is claimed anyway. */
#include "execute/internal.h"

enum { MOST_DEPTH = 60 };

static bool is_of_memory(const TermTable *tt, Term t) {
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF);
}

/* Made of arguments and numbers of programs alone. */
static bool is_of_launch(TermTable *tt, Term t) {
  TermList symbols = {0};
  if (is_of_memory(tt, t)) return false;
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(tt, symbols.data[i])->role;
    if (role != SYMBOL_SIZE && role != SYMBOL_SCALAR && role != SYMBOL_GRID) return false;
  }
  return true;
}

/* True if every program comes here, whatever the sizes. Loops that are unrolled run. */
static bool is_always_executed(const Machine *ex) {
  if (ex->path != ex->tt->true_ || ex->counter_count || ex->turn_count > sizeof ex->turns / sizeof *ex->turns)
    return false;
  for (uint32_t i = 0; i < ex->turn_count; i++)
    if (!term_is_rat(ex->tt, ex->turns[i])) return false;
  return true;
}

/* Of a condition that is never so: true if it speaks of arguments, and of nothing else. Then no launch meets it. */
static bool is_made_of_arguments(const Machine *ex, ValueId value, uint32_t depth, bool *has_one) {
  const Program *p = ex->program;
  const Value *v = program_get_value(p, value);
  if (depth > MOST_DEPTH) return false;
  if (!v->op) {
    const Region *region = program_get_region(p, program_get_block(p, v->block)->region);
    *has_one = true;
    return program_get_op(p, region->parent)->code == OP_TT_FUNC && region->blocks.data[0] == v->block;
  }
  const Op *op = program_get_op(p, v->op);
  if (op->code == OP_TT_GET_PROGRAM_ID || op->code == OP_TT_MAKE_RANGE || op->code == OP_TT_LOAD || op->region_count)
    return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_made_of_arguments(ex, op->operands[i], depth + 1, has_one)) return false;
  return true;
}

static void need(Machine *ex, OpId op, Term condition) {
  TermTable *tt = ex->tt;
  if (term_prove_true(tt, condition)) return;
  DivisionNeed need = {
      .divisor = term_select(tt, condition, tt->one, tt->zero), .path = ex->path, .op = op, .is_statement = true};
  array_push(ex->arena, &ex->effects->divisions, need);
}

void execute_statement(Machine *ex, OpId op, Term condition) {
  TermTable *tt = ex->tt;
  if (condition == tt->true_ || ex->path == tt->false_) return;
  if (term_kind(tt, condition) == TERM_AND) { /* each part is of its own kind, and a fact by itself */
    for (uint32_t i = 0, n = term_count(tt, condition); i < n; i++)
      execute_statement(ex, op, term_arg(tt, condition, i));
    return;
  }
  bool of_launch = is_of_launch(tt, condition), has_argument = false;
  ValueId stated = program_get_op(ex->program, op)->operands[0];
  if (condition == tt->false_ && is_made_of_arguments(ex, stated, 0, &has_argument) && has_argument) {
    if (is_always_executed(ex)) array_push(ex->arena, &ex->effects->assumed, condition);
    return;
  }
  if (condition == tt->false_ || (!of_launch && !is_of_memory(tt, condition))) {
    need(ex, op, condition);
    return;
  }
  if (!is_always_executed(ex) || term_node(tt, condition)->flags & TERM_HAS_UNDEF) return;
  array_push(ex->arena, &ex->effects->assumed, condition);
  term_push_fact(tt, condition);
}
