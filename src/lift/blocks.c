/* Blocks of rows that constants alone count: copies of a loop that store to y + (k*n + row)*D + column for k = 0, 1, 2,
 * ...
 *
 * No coordinate multiplies n*D, so that it is no stride by itself. Where nothing else is known of n, not even its sign,
 * the rows of block k may be those of another one: that an output's are not is assumed (`grid_x <= n`), as strides do
 * not make elements overlap. Other tensors have such blocks where that is shown. */
#include "lift/recover_internal.h"

/* The block of the access and, in units of a row, its row there; false: it steps otherwise. */
static bool row_of(Recover *r, const Access *a, Term block, Term unit, int64_t *number, Term *row) {
  TermTable *tt = r->tt;
  *row = tt->zero, *number = 0;
  for (uint32_t i = 0; i < recover_monomial_count(tt, a->offset); i++) {
    Term m = recover_monomial(tt, a->offset, i), q;
    int64_t k;
    if (recover_divides(tt, block, m, &q)) {
      if (!term_is_int(tt, q, &k) || k < 0) return false;
      *number = k;
    } else if (recover_divides(tt, unit, m, &q))
      *row = term_add(tt, *row, q);
  }
  return true;
}

/* True if every row of the tensor's accesses is below `count`, or assumed to be: for an output of which nothing says
 * otherwise. */
static bool are_apart(Recover *r, const Access *store, Term block, Term unit, Term count) {
  TermTable *tt = r->tt;
  Term most = 0;
  int64_t first = -1, number;
  bool several = false;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term row;
    if (a->tensor != store->tensor) continue;
    if (!row_of(r, a, block, unit, &number, &row)) return false;
    several |= a->is_store && first >= 0 && number != first;
    if (a->is_store) first = number;
    Term greatest = recover_greatest(r, row, 0);
    if (!greatest || recover_varies(tt, greatest) || !term_prove_le(tt, tt->zero, row)) return false;
    most = most ? term_max(tt, most, greatest) : greatest;
  }
  if (term_prove_lt(tt, most, count)) return true;
  if (!several || !store->is_store || store->is_atomic || term_kind(tt, most) == TERM_MAX ||
      term_prove_le(tt, tt->zero, count))
    return false;
  Term length = term_add(tt, most, tt->one), condition = term_le(tt, length, count);
  const char *text = arena_format(r->arena, "%s <= %s", term_message(tt, length), term_message(tt, count));
  const char *why = arena_format(r->arena, "no two elements of %s share an address (%s)", term_name(tt, store->tensor),
                                 execute_where(r->ex, store->op));
  recover_assume(r, ASSUME_DISJOINT, condition, text, why, NULL);
  term_push_fact(tt, condition);
  return true;
}

Term recover_block_of_rows(Recover *r, const View *view, const Access *a) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < recover_monomial_count(tt, a->offset); i++) {
    Rational k;
    Term block, variable, count;
    recover_split_monomial(tt, recover_monomial(tt, a->offset, i), &k, &block, &variable);
    if (variable != tt->one || block == tt->one || k.num <= 0) continue;
    bool known = false;
    for (uint32_t s = 0; s < view->rank; s++) known |= view->stride[s] == block;
    for (uint32_t s = 0; s < view->rank && !known; s++) {
      if (view->stride[s] == tt->one || !recover_divides(tt, view->stride[s], block, &count) ||
          term_kind(tt, count) != TERM_SYM)
        continue;
      if (are_apart(r, a, block, view->stride[s], count)) return block;
    }
  }
  return 0;
}
