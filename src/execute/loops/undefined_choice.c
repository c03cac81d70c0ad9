/* Where a condition is undefined because infinities met in what it compares (undefined.c), and what it decides.
 *
 * (-inf) - (-inf) is NaN also where it is only compared: `where(-inf - m < 0, a, b)` of a row without elements chooses
 * b. So a value that such a condition chooses is undefined as well, and a mask, a branch or a loop that goes by one is
 * a need: a condition that must never be undefined. Guards such as where(t != t, 0, t) are such choices. Conditions
 * keep the terms that they have where they are defined. */
#include "execute/internal.h"

static Term undefined_of(const Machine *ex, ValueId value) {
  return ex->undefined[value] ? ex->undefined[value] : ex->tt->false_;
}

static void decide(Machine *ex, OpId op, Term undefined) {
  TermTable *tt = ex->tt;
  if (undefined == tt->false_) return;
  DivisionNeed need = {
      .divisor = term_select(tt, undefined, tt->zero, tt->one), .path = ex->path, .op = op, .is_undefined = true};
  array_push(ex->arena, &ex->effects->divisions, need);
}

bool execute_comparison(Machine *ex, const Op *op, OpId id, bool (*run)(Machine *, const Op *, OpId)) {
  TermTable *tt = ex->tt;
  Term own[2], undefined = tt->false_;
  if (!ex->undefined || op->operand_count != 2) return run(ex, op, id);
  for (uint32_t i = 0; i < 2; i++) {
    own[i] = execute_value(ex, op->operands[i]);
    ex->values[op->operands[i]] = execute_take_apart(tt, own[i], &undefined);
  }
  bool done = run(ex, op, id);
  for (uint32_t i = 2; i-- > 0;) ex->values[op->operands[i]] = own[i];
  if (done) ex->undefined[op->first_result] = undefined;
  return done;
}

/* a and b: where one is undefined and the other does not settle it. */
static Term undefined_of_both(TermTable *tt, Term a, Term b, Term undefined_a, Term undefined_b, bool is_and) {
  Term open_a = term_or(tt, undefined_a, is_and ? a : term_not(tt, a)),
       open_b = term_or(tt, undefined_b, is_and ? b : term_not(tt, b));
  return term_or(tt, term_and(tt, undefined_a, open_b), term_and(tt, undefined_b, open_a));
}

static void choose(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  Term undefined = undefined_of(ex, op->operands[0]), r = execute_value(ex, op->first_result);
  if (term_sort(tt, r) != SORT_BOOL) {
    ex->values[op->first_result] = execute_put_together(tt, undefined, r);
    return;
  }
  Term c = execute_value(ex, op->operands[0]);
  ex->undefined[op->first_result] =
      term_or(tt, undefined, term_select(tt, c, undefined_of(ex, op->operands[1]), undefined_of(ex, op->operands[2])));
}

/* The same lanes of the operand: where it is undefined moves as the value does. */
static void move_lanes(Machine *ex, const Op *op, OpId id) {
  Term own = ex->values[op->operands[0]], moved = ex->values[op->first_result];
  ex->values[op->operands[0]] = undefined_of(ex, op->operands[0]);
  if (execute_shape(ex, op, id)) ex->undefined[op->first_result] = ex->values[op->first_result];
  ex->values[op->operands[0]] = own, ex->values[op->first_result] = moved;
}

static bool any_is_undefined(const Machine *ex, const Op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (undefined_of(ex, op->operands[i]) != ex->tt->false_) return true;
  return false;
}

static bool is_condition(const Machine *ex, ValueId value) {
  return ex->values[value] && term_sort(ex->tt, ex->values[value]) == SORT_BOOL;
}

void execute_note_undefined(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (op->code == OP_ARITH_CMPF || execute_stopped(ex)) return;
  for (uint32_t i = 0; i < op->result_count; i++)
    ex->undefined[program_result(op, i)] = 0; /* of an earlier iteration */
  if (!any_is_undefined(ex, op)) return;
  if (op->code == OP_ARITH_SELECT)
    choose(ex, op);
  else if (program_op_family(op->code) == OP_FAMILY_SPREAD || op->code == OP_TT_TRANS)
    move_lanes(ex, op, id);
  else if ((op->code == OP_ARITH_ANDI || op->code == OP_ARITH_ORI) && is_condition(ex, op->operands[0]) &&
           is_condition(ex, op->operands[1]))
    ex->undefined[op->first_result] = undefined_of_both(tt, ex->values[op->operands[0]], ex->values[op->operands[1]],
                                                        undefined_of(ex, op->operands[0]),
                                                        undefined_of(ex, op->operands[1]), op->code == OP_ARITH_ANDI);
  else if (op->code == OP_ARITH_XORI)
    ex->undefined[op->first_result] = term_or(tt, undefined_of(ex, op->operands[0]), undefined_of(ex, op->operands[1]));
  else
    for (uint32_t i = 0; i < op->operand_count; i++) decide(ex, id, undefined_of(ex, op->operands[i]));
}
