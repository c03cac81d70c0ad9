/* Rows of an array (see row.h). */
#include "laws/row.h"

static bool is_comparison(const TermTable *tt, Term t) { return term_kind(tt, t) == TERM_LE && term_count(tt, t) == 1; }

/* below = length*x - place, linear in x */
static bool split(TermTable *tt, Term below, Term x, LawRow *row) {
  Term rest = term_replace(tt, below, x, tt->zero), product;
  row->length = term_sub(tt, term_replace(tt, below, x, tt->one), rest);
  row->place = term_neg(tt, rest);
  Rational c = term_is_rat(tt, row->length) ? term_rat(tt, row->length) : term_coefficient(tt, row->length, &product);
  return c.num > 0 && row->length != tt->one && !term_has_symbol(tt, row->length, x) &&
         term_add(tt, rest, term_mul(tt, row->length, x)) == below;
}

bool law_row(TermTable *tt, Term low, Term high, Term x, LawRow *row) {
  if (!is_comparison(tt, low) || !is_comparison(tt, high)) return false;
  row->width = term_sub(tt, tt->one, term_add(tt, term_arg(tt, low, 0), term_arg(tt, high, 0)));
  return split(tt, term_arg(tt, low, 0), x, row) && !term_has_symbol(tt, row->width, x);
}

bool law_row_of_one(TermTable *tt, Term equation, Term x, LawRow *row) {
  row->width = tt->one;
  if (term_kind(tt, equation) != TERM_EQ || term_count(tt, equation) != 1) return false;
  Term e = term_arg(tt, equation, 0);
  return term_sort(tt, e) == SORT_INT && (split(tt, e, x, row) || split(tt, term_neg(tt, e), x, row));
}
