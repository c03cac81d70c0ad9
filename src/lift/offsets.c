/* Arguments that are added to an index: x[i + k], row[head*size + i].
 *
 * A C function that is given a pointer goes forward from there: that its indices do not start before the array is a
 * precondition, and each argument in them is asked for alone, k >= 0 or head >= 0. Where an argument is taken away,
 * x[i - k], or a branch asks for its value, nothing is assumed: the obligations tell of it. With the precondition the
 * access is a slice, x[k:]. */
#include "lift/recover_internal.h"

/* The argument that alone decides the sign of the summand: its other factors are at least 0. 0: there is none. */
static Term deciding_argument(TermTable *tt, Term summand) {
  Term product, found = 0;
  if (term_coefficient(tt, summand, &product).num <= 0) return 0;
  bool is_product = term_kind(tt, product) == TERM_MUL;
  for (uint32_t i = 0, n = is_product ? term_count(tt, product) : 1; i < n; i += 2) {
    Term factor = is_product ? term_arg(tt, product, i) : product;
    Rational power = is_product ? term_rat(tt, term_arg(tt, product, i + 1)) : rational_int(1);
    if (term_prove_le(tt, tt->zero, factor) && power.num > 0) continue;
    bool is_argument = term_kind(tt, factor) == TERM_SYM && term_symbol(tt, factor)->role == SYMBOL_SIZE;
    if (found || !is_argument || !rational_equal(power, rational_int(1))) return 0;
    found = factor;
  }
  return found;
}

static void require(Recover *r, const Access *a, Term condition) {
  Effects *ex = r->ex;
  const char *why = arena_format(r->arena, "indices of %s start at 0 at least (%s)", term_name(r->tt, a->tensor),
                                 execute_where(ex, a->op));
  ExecuteGiven given = {condition, term_message(r->tt, condition), why, ASSUME_PRECONDITION, 0};
  array_push(ex->arena, &ex->given, given);
  recover_take_given(r, &ex->given.data[ex->given.count - 1]);
}

/* Under the mask, where none of those is negative: true if 0 <= index. */
static bool is_known(Recover *r, const Access *a, Term index, const Term *arguments, uint32_t count) {
  TermTable *tt = r->tt;
  uint32_t facts = tt->facts.count;
  recover_push_mask(tt, a->mask);
  for (uint32_t i = 0; i < count; i++) term_push_fact(tt, term_le(tt, tt->zero, arguments[i]));
  bool known = term_prove_le(tt, tt->zero, index);
  term_pop_facts(tt, facts);
  return known;
}

/* True if a condition asks for what the index varies with. Then its least value need not be reached. */
static bool is_cut(Recover *r, const Access *a, Term index) {
  TermList symbols = {0};
  term_symbols(r->tt, index, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (recover_varies(r->tt, symbols.data[i]) && term_has_symbol(r->tt, a->mask, symbols.data[i])) return true;
  return false;
}

/* So that 0 <= index, whose least value is given without what the mask asks for; false: nothing that is asked of single
 * arguments grants it. */
static bool require_nonnegative(Recover *r, const Access *a, Term index, Term least) {
  TermTable *tt = r->tt;
  Rational constant = term_constant_part(tt, least);
  Term arguments[POINTWISE_MAX_RANK];
  uint32_t count = 0;
  for (uint32_t i = 0; i < recover_monomial_count(tt, least); i++) {
    Term summand = recover_monomial(tt, least, i);
    if (term_is_rat(tt, summand) || term_prove_le(tt, tt->zero, summand)) continue;
    Term argument = deciding_argument(tt, summand);
    if (!argument || count == POINTWISE_MAX_RANK || term_has_symbol(tt, a->mask, argument)) return false;
    arguments[count++] = argument;
  }
  TermList symbols = {0};
  term_symbols(tt, least, &symbols);
  if (count == 1 && symbols.count == 1 && !is_cut(r, a, index)) /* the weakest: k + 3 >= 0 */
    require(r, a, term_le(tt, tt->zero, least));
  else if (constant.num < 0 && !is_known(r, a, index, arguments, count))
    return false;
  else
    for (uint32_t i = 0; i < count; i++) require(r, a, term_le(tt, tt->zero, arguments[i]));
  return count > 0;
}

void recover_require_offsets(Recover *r) {
  bool any = false;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    const View *view = recover_view(r, a->tensor);
    Term index[MAX_STRIDES];
    if (!recover_split_address(r, view, a->offset, index)) continue;
    for (uint32_t k = 0; k < view->rank; k++) {
      Term most = is_known(r, a, index[k], NULL, 0) ? 0 : recover_greatest(r, term_neg(r->tt, index[k]), 0);
      if (most && !recover_varies(r->tt, most)) any |= require_nonnegative(r, a, index[k], term_neg(r->tt, most));
    }
  }
  if (any) recover_rebuild(r);
}
