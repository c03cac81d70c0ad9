/* Where a value of the program is undefined: (-inf) - (-inf), 0 * inf, inf / inf.
 *
 * A term is as simple as it is where it is defined: there exp(-inf - m) is 0, also for a row without any element, whose
 * maximum m is -inf. An execution that keeps where values are undefined (ExecuteOptions.keeps_infinities) writes each
 * value as select(undefined, NaN, term), the term being the same as ever: operations take their operands apart and put
 * the result together again. So loops close as they do otherwise, and what was undefined in some iteration before is a
 * fold over the iterations. */
#include "execute/loops/loop.h"
#include "execute/internal.h"

static Term nan_of(TermTable *tt) { return term_float(tt, __builtin_nan("")); }

/* t where it is defined; where it is not, in addition to *undefined. */
Term execute_take_apart(TermTable *tt, Term t, Term *undefined) {
  if (term_sort(tt, t) == SORT_BOOL || term_kind(tt, t) != TERM_SELECT || !(term_node(tt, t)->flags & TERM_HAS_INF))
    return t;
  Term c = term_arg(tt, t, 0), yes = term_arg(tt, t, 1), no = term_arg(tt, t, 2), of_yes = tt->false_,
       of_no = tt->false_;
  bool all = term_kind(tt, yes) == TERM_NAN, none = term_kind(tt, no) == TERM_NAN;
  yes = execute_take_apart(tt, yes, &of_yes), no = execute_take_apart(tt, no, &of_no);
  if (!all && !none && of_yes == tt->false_ && of_no == tt->false_) return t;
  Term here =
      term_or(tt, term_and(tt, c, all ? tt->true_ : of_yes), term_and(tt, term_not(tt, c), none ? tt->true_ : of_no));
  *undefined = term_or(tt, *undefined, here);
  return all ? no : none ? yes : term_select(tt, c, yes, no);
}

Term execute_put_together(TermTable *tt, Term undefined, Term t) {
  if (undefined == tt->false_ || term_sort(tt, t) == SORT_BOOL) return t; /* a literal 0 counts as an integer */
  return term_select(tt, undefined, nan_of(tt), t);
}

static Term is_infinite(TermTable *tt, Term t) {
  return term_or(tt, term_unary(tt, TERM_IS_INF, t), term_unary(tt, TERM_IS_NEG_INF, t));
}

static Term is_zero(TermTable *tt, Term t) {
  bool power = term_kind(tt, t) == TERM_FN && term_aux(tt, t) == FN_EXP;
  return power ? term_unary(tt, TERM_IS_NEG_INF, term_arg(tt, t, 0)) : term_eq(tt, t, tt->zero);
}

/* Where the operation on these operands has no value because of infinities. */
static Term undefined_by(TermTable *tt, Opcode code, Term a, Term b) {
  bool left = term_is_finite(tt, a), right = term_is_finite(tt, b);
  if ((term_node(tt, a)->flags | term_node(tt, b)->flags) & TERM_HAS_UNDEF)
    return tt->false_; /* which is asked about itself */
  if (code == OP_ARITH_ADDF || code == OP_ARITH_SUBF) {
    TermKind plus = code == OP_ARITH_ADDF ? TERM_IS_NEG_INF : TERM_IS_INF,
             minus = code == OP_ARITH_ADDF ? TERM_IS_INF : TERM_IS_NEG_INF;
    if (left || right) return tt->false_;
    return term_or(tt, term_and(tt, term_unary(tt, TERM_IS_INF, a), term_unary(tt, plus, b)),
                   term_and(tt, term_unary(tt, TERM_IS_NEG_INF, a), term_unary(tt, minus, b)));
  }
  if (code == OP_ARITH_MULF) {
    Term undefined = left ? tt->false_ : term_and(tt, is_infinite(tt, a), is_zero(tt, b));
    return right ? undefined : term_or(tt, undefined, term_and(tt, is_infinite(tt, b), is_zero(tt, a)));
  }
  if (code == OP_ARITH_DIVF) return left || right ? tt->false_ : term_and(tt, is_infinite(tt, a), is_infinite(tt, b));
  return tt->false_;
}

enum { MOST_OPERANDS = 16 };

/* The operation `run` on the defined part of its operands, and its results undefined where these are, or where it is
 * itself. `spread`: from the lanes of an operand to those of the results; NULL: lane by lane. */
bool execute_watching(Machine *ex, const Op *op, OpId id, bool (*run)(Machine *, const Op *, OpId),
                      Term (*spread)(Machine *, const Op *, uint32_t, Term)) {
  TermTable *tt = ex->tt;
  Term own[MOST_OPERANDS], undefined = tt->false_;
  bool keeps = ex->effects->options.keeps_infinities && op->operand_count <= MOST_OPERANDS;
  for (uint32_t i = 0; keeps && i < op->operand_count; i++) {
    Term of_operand = tt->false_;
    own[i] = ex->values[op->operands[i]];
    if (!own[i]) continue;
    ex->values[op->operands[i]] = execute_take_apart(tt, own[i], &of_operand);
    if (spread && of_operand != tt->false_) of_operand = spread(ex, op, i, of_operand);
    undefined = term_or(tt, undefined, of_operand);
  }
  bool binary = op->operand_count == 2 && ex->values[op->operands[0]] && ex->values[op->operands[1]];
  if (!spread && binary && (keeps || !ex->effects->meets_infinities)) {
    Term by = undefined_by(tt, op->code, ex->values[op->operands[0]], ex->values[op->operands[1]]);
    ex->effects->meets_infinities |= by != tt->false_;
    undefined = term_or(tt, undefined, by);
  }
  bool done = run(ex, op, id);
  if (!keeps) return done;
  for (uint32_t i = op->operand_count; i-- > 0;)
    ex->values[op->operands[i]] = own[i]; /* backwards: one value may be two operands */
  if (!done || execute_stopped(ex)) return done;
  for (uint32_t i = 0; i < op->result_count; i++) {
    ValueId result = program_result(op, i);
    if (ex->values[result]) ex->values[result] = execute_put_together(tt, undefined, ex->values[result]);
  }
  return done;
}

/* ---- loops ---- */

/* What the next values lose is kept apart. */
void loop_take_apart(Loop *loop, Carried *c, Term *value) {
  c->undefined = loop->tt->false_;
  if (loop->ex->effects->options.keeps_infinities && !c->block && !c->base)
    *value = execute_take_apart(loop->tt, *value, &c->undefined);
}

static Term some_lane(TermTable *tt, const Carried *c, Term undefined) {
  for (uint32_t k = 0; k < c->rank; k++) {
    const Symbol *lane = term_symbol(tt, c->lanes[k]);
    if (lane->lo == 0 && lane->hi)
      undefined = term_fold(tt, FOLD_ANY, c->lanes[k], tt->zero, term_add(tt, lane->hi, tt->one), tt->true_, undefined);
  }
  return undefined;
}

/* At the start of iteration t, what is undefined in an earlier one is undefined; so is what was made of that. */
void loop_put_together(Loop *loop) {
  TermTable *tt = loop->tt;
  Term undefined[MAX_CARRIED];
  bool any = false;
  for (uint32_t i = 0; i < loop->count; i++) any |= (undefined[i] = loop->carried[i].undefined) != tt->false_;
  if (!any) return;
  for (uint32_t round = 0; round < loop->count; round++)
    for (uint32_t i = 0; i < loop->count; i++)
      for (uint32_t k = 0; k < loop->count; k++)
        if (k != i && undefined[i] == tt->false_ && undefined[k] != tt->false_ &&
            loop_mentions(loop, loop->carried[i].step, k))
          undefined[i] = some_lane(tt, &loop->carried[k], undefined[k]);
  for (uint32_t i = 0; i < loop->count; i++)
    if (undefined[i] != tt->false_) undefined[i] = loop_with_closed(loop, undefined[i]);
  for (uint32_t i = 0; i < loop->count; i++) {
    Carried *c = &loop->carried[i];
    if (undefined[i] == tt->false_ || !c->closed) continue;
    Term s = term_symbol_range(tt, term_symbol_fresh(tt, "s", SORT_INT, SYMBOL_INDEX), tt->zero, 0);
    Term before = term_fold(tt, FOLD_ANY, s, tt->zero, loop->t, tt->true_, term_replace(tt, undefined[i], loop->t, s));
    c->closed = execute_put_together(tt, before, c->closed);
  }
}
