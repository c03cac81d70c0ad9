/* Rotations: where r runs over 0..d-1, so does the remainder (r + c) % d, whatever c is.
 *
 * Grouped orders of programs are often written with the whole program id, `pid % rows` and `pid % in_group // rows`: in
 * a group that is not full the tiles of each column are rotated. The remainder s becomes the coordinate in place of r =
 * (s - c) % d, a bijection as long as neither c nor d, nor the ranges of what is in them, depend on r. Also for (c - r)
 * % d. */
#include "lift/recover_internal.h"

/* True if t, or the ranges of the coordinates in it, depend on r. */
static bool depends(TermTable *tt, Term t, Term r) {
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) { /* grows */
    Term s = symbols.data[i];
    if (s == r) return true;
    if (!recover_is_coordinate(tt, s)) continue;
    if (term_symbol(tt, s)->lo) term_symbols(tt, term_symbol(tt, s)->lo, &symbols);
    if (term_symbol(tt, s)->hi) term_symbols(tt, term_symbol(tt, s)->hi, &symbols);
  }
  return false;
}

static bool has_term(const TermTable *tt, Term t, Term part) {
  if (t == part) return true;
  if (!(term_node(tt, t)->free_mask & 0xFFFFFFFFFFFFu)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (has_term(tt, term_arg(tt, t, i), part)) return true;
  return false;
}

/* The remainder of this floor division, as one coordinate in place of r: worth it where the division is gone from the
 * address. */
static bool try_rotation(Recover *r, Term offset, Term floor, Term coordinate, bool rises) {
  TermTable *tt = r->tt;
  Term a = term_arg(tt, floor, 0), d = term_arg(tt, floor, 1),
       c = rises ? term_sub(tt, a, coordinate) : term_add(tt, a, coordinate);
  const Symbol *range = term_symbol(tt, coordinate);
  if (range->lo != tt->zero || range->hi != term_sub(tt, d, tt->one) || depends(tt, c, coordinate) ||
      depends(tt, d, coordinate))
    return false;
  Term turned = recover_coordinate(r, "s", tt->zero, range->hi, term_mod(tt, a, d));
  Term x = rises ? term_sub(tt, turned, c) : term_sub(tt, c, turned), back = term_mod(tt, x, d);
  bool gone = !has_term(tt, term_replace(tt, offset, coordinate, back), term_floordiv(tt, x, d));
  if (gone)
    recover_substitute(r, coordinate, back);
  else
    r->out->hints.definitions.count--;
  return gone;
}

static bool rotate_in(Recover *r, Term offset, Term t) {
  TermTable *tt = r->tt;
  if (term_kind(tt, t) == TERM_READ || !(term_node(tt, t)->free_mask & 0xFFFFFFFFFFFFu)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (rotate_in(r, offset, term_arg(tt, t, i))) return true;
  if (term_kind(tt, t) != TERM_FLOORDIV || term_kind(tt, term_arg(tt, t, 0)) != TERM_ADD) return false;
  Term a = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, a); i += 2) {
    Term k = term_arg(tt, a, i), s = term_arg(tt, a, i + 1);
    if (!recover_is_coordinate(tt, s) || (k != tt->one && k != tt->minus_one)) continue;
    if (try_rotation(r, offset, t, s, k == tt->one)) return true;
  }
  return false;
}

bool recover_rotate_coordinates(Recover *r) {
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->is_store && rotate_in(r, a->offset, a->offset)) return true;
  }
  return false;
}
