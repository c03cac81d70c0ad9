/* Sequences of numbers in closed form. They are taken for a linear recurrence of the least order that fits, whose
 * characteristic polynomial has rational roots; n^m r^n, for a root r of multiplicity more than m, is then a basis. */
#include "search/family.h"

enum { MOST_ORDER = 4, MOST_NUMERATOR = 64, MOST_DENOMINATOR = 16 };

/* The solution of n equations, each a row with its right side behind it; false: there is none, or more than one. */
static bool solve_equations(Guard *guard, uint32_t n, Rational row[MOST_ORDER][MOST_ORDER + 1], Rational *x) {
  for (uint32_t c = 0; c < n; c++) {
    uint32_t pivot = c;
    while (pivot < n && !row[pivot][c].num) pivot++;
    if (pivot == n) return false;
    for (uint32_t k = 0; k <= n; k++) {
      Rational swap = row[c][k];
      row[c][k] = row[pivot][k], row[pivot][k] = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
      Rational factor = rational_div(guard, row[i][c], row[c][c]);
      for (uint32_t k = 0; k <= n && i != c; k++)
        row[i][k] = rational_sub(guard, row[i][k], rational_mul(guard, factor, row[c][k]));
    }
  }
  for (uint32_t i = 0; i < n; i++) x[i] = rational_div(guard, row[i][n], row[i][i]);
  return true;
}

/* The monic polynomial with these coefficients below the leading one. */
static Rational value_of(Guard *guard, const Rational *c, uint32_t degree, Rational x) {
  Rational sum = rational_int(1);
  for (uint32_t i = degree; i-- > 0;) sum = rational_add(guard, rational_mul(guard, sum, x), c[i]);
  return sum;
}

/* The quotient by (x - root), monic too. */
static void divide_by_root(Guard *guard, Rational *c, uint32_t degree, Rational root) {
  Rational above = rational_int(1), own = c[degree - 1];
  for (uint32_t i = degree - 1; i > 0; i--) {
    Rational below = c[i - 1];
    above = rational_add(guard, own, rational_mul(guard, above, root));
    c[i - 1] = above, own = below;
  }
}

static bool small_root(Guard *guard, const Rational *c, uint32_t degree, Rational *root) {
  for (int64_t den = 1; den <= MOST_DENOMINATOR; den++)
    for (int64_t num = 1; num <= MOST_NUMERATOR; num++)
      for (int sign = 1; sign >= -1; sign -= 2) {
        *root = rational_div(guard, rational_int(sign * num), rational_int(den));
        if (!value_of(guard, c, degree, *root).num) return true;
      }
  return false;
}

/* One root, not 0; false: none is rational, or it is no small number. */
static bool find_root(Guard *guard, const Rational *c, uint32_t degree, Rational *root) {
  Rational half = {1, 2}, minus_half = {-1, 2};
  if (!c[0].num) return false;
  if (degree > 2) return small_root(guard, c, degree, root);
  if (degree == 1) *root = rational_sub(guard, rational_int(0), c[0]);
  if (degree == 1) return true;
  Rational square = rational_sub(guard, rational_mul(guard, c[1], c[1]), rational_mul(guard, rational_int(4), c[0]));
  if (square.num < 0 || !rational_sqrt(square, root)) return false;
  *root = rational_add(guard, rational_mul(guard, half, *root), rational_mul(guard, minus_half, c[1]));
  return true;
}

/* numbers[k + order] is a combination of the `order` before it; all roots of that; false: it is none. */
static bool find_roots(Guard *guard, const Rational *numbers, uint32_t count, uint32_t order, Rational *roots) {
  Rational row[MOST_ORDER][MOST_ORDER + 1], c[MOST_ORDER];
  for (uint32_t i = 0; i < order; i++)
    for (uint32_t k = 0; k <= order; k++) row[i][k] = numbers[i + k];
  if (!solve_equations(guard, order, row, c)) return false;
  for (uint32_t k = 0; k + order < count; k++) {
    Rational sum = rational_int(0);
    for (uint32_t i = 0; i < order; i++) sum = rational_add(guard, sum, rational_mul(guard, c[i], numbers[k + i]));
    if (!rational_equal(sum, numbers[k + order])) return false;
  }
  for (uint32_t i = 0; i < order; i++) c[i] = rational_sub(guard, rational_int(0), c[i]);
  for (uint32_t degree = order; degree; degree--) {
    if (!find_root(guard, c, degree, &roots[degree - 1])) return false;
    divide_by_root(guard, c, degree, roots[degree - 1]);
  }
  return true;
}

/* How many of the roots before this one are the same. */
static uint32_t repeated(const Rational *roots, uint32_t i) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < i; k++) n += rational_equal(roots[k], roots[i]);
  return n;
}

/* root^t, or root^(t - 1 - j), as a loop that multiplies has it. */
static Term power_of(Search *s, Rational root, Term t, Term after) {
  TermTable *tt = s->tt;
  Term i = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), lo = after ? term_add(tt, after, tt->one) : tt->zero;
  term_symbol_range(tt, i, lo, term_sub(tt, t, tt->one));
  if (root.num == root.den) return tt->one;
  return term_fold(tt, FOLD_PROD, i, lo, t, tt->true_, term_new_rat(tt, root));
}

static Term combined(Search *s, const Rational *numbers, uint32_t first, uint32_t order, const Rational *roots, Term t,
                     Term after) {
  TermTable *tt = s->tt;
  Guard *guard = s->arena->guard;
  Rational row[MOST_ORDER][MOST_ORDER + 1], x[MOST_ORDER];
  Term n = after ? term_sub(tt, term_sub(tt, t, tt->one), after) : t, sum = tt->zero;
  for (uint32_t k = 0; k < order; k++) {
    for (uint32_t i = 0; i < order; i++) {
      row[k][i] = rational_int(1);
      for (uint32_t m = 0; m < repeated(roots, i); m++)
        row[k][i] = rational_mul(guard, row[k][i], rational_int(first + k));
      for (uint32_t e = 0; e < first + k; e++) row[k][i] = rational_mul(guard, row[k][i], roots[i]);
    }
    row[k][order] = numbers[first + k];
  }
  if (!solve_equations(guard, order, row, x)) return 0;
  for (uint32_t i = 0; i < order; i++) {
    Term part = power_of(s, roots[i], t, after);
    for (uint32_t m = 0; m < repeated(roots, i); m++) part = term_mul(tt, part, n);
    sum = term_add(tt, sum, term_scale(tt, x[i], part));
  }
  return sum;
}

Term search_fit_sequence(Search *s, const Rational *numbers, uint32_t first, uint32_t end, Term t, Term after) {
  for (uint32_t order = 1; order <= MOST_ORDER && end > first + 2 * order; order++) {
    Rational roots[MOST_ORDER];
    if (find_roots(s->arena->guard, numbers + first, end - first, order, roots))
      return combined(s, numbers, first, order, roots, t, after);
  }
  return 0;
}
