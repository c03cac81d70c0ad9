/* Rows of an array (see row.h). */
#include "laws/row.h"

static bool is_comparison(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_LE && term_count(tt, t) == 1; }

bool law_row(TermTable *tt, Term low, Term high, Term x, LawRow *row) {
  if (!is_comparison(tt, low) || !is_comparison(tt, high)) return false;
  Term below = term_arg(tt, low, 0), above = term_arg(tt, high, 0), product; /* length*x - place <= 0 */
  Term rest = term_replace(tt, below, x, tt->zero), length = term_sub(tt, term_replace(tt, below, x, tt->one), rest);
  *row = (LawRow){term_neg(tt, rest), length, term_sub(tt, tt->one, term_add(tt, below, above))};
  return !term_has_symbol(tt, length, x) && !term_has_symbol(tt, row->width, x) &&
         term_add(tt, rest, term_mul(tt, length, x)) == below && length != tt->zero && length != tt->one &&
         term_coefficient(tt, length, &product).num >= 0;
}
