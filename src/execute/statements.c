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

/* Does every program come here, whatever the sizes? Loops that are unrolled run. */
static bool is_always_executed(const Machine *ex) {
  if (ex->path != ex->tt->true_ || ex->counter_count || ex->turn_count > sizeof ex->turns / sizeof *ex->turns)
    return false;
  for (uint32_t i = 0; i < ex->turn_count; i++)
    if (!term_is_rat(ex->tt, ex->turns[i])) return false;
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
  bool of_launch = is_of_launch(tt, condition);
  if (condition == tt->false_ || (!of_launch && !is_of_memory(tt, condition))) {
    need(ex, op, condition);
    return;
  }
  if (!is_always_executed(ex) || term_node(tt, condition)->flags & TERM_HAS_UNDEF) return;
  array_push(ex->arena, &ex->effects->assumed, condition);
  term_push_fact(tt, condition);
}
