/* Cutting: a fold over an index that is seen only as k // c and k % c is two folds.
 *
 *   op[k < c*m](f(k // c, k % c)) = op[i < m](op[j < c](f(i, j)))
 *
 * The index of a tile that is reshaped to one axis is such a k; masks of rows and columns then bound i and j. k = c*i +
 * j is a bijection whatever f is; the cut is made where nothing is left that depends on c*i + j as a whole. */
#include "term/cons.h"

enum { MOST_NODES = 2000 };

typedef struct Cut {
  TermTable *tt;
  Term high, low, size; /* i, j, c */
  uint32_t nodes;
} Cut;

/* m with c*m = hi, of each alternative where hi is a minimum; 0: there is none. */
static Term cut_length(TermTable *tt, Term hi, Term size) {
  uint32_t n = term_kind(tt, hi) == TERM_MIN ? term_count(tt, hi) : 1;
  Term least = 0;
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_kind(tt, hi) == TERM_MIN ? term_arg(tt, hi, i) : hi, m = term_floordiv(tt, part, size);
    if (term_mul(tt, m, size) != part) return 0;
    least = least ? term_min(tt, least, m) : m;
  }
  return least;
}

/* A size that is no number, free of k, of which the range has a whole number. It is not negative. */
static bool is_size(TermTable *tt, Term c, Term k, Term hi) {
  return !(term_node(tt, c)->free_mask & term_node(tt, k)->free_mask) && !term_is_rat(tt, c) &&
         term_prove_le(tt, tt->one, c) && cut_length(tt, hi, c);
}

/* The c of the divisions k // c in t, or so far: the least literal, else the first size. */
static void find_size(TermTable *tt, Term t, Term k, Term hi, Term *size, uint32_t *nodes) {
  int64_t c, known;
  if (!(term_node(tt, t)->free_mask & term_node(tt, k)->free_mask) || tt->marks.data[t] == tt->epoch ||
      ++*nodes > MOST_NODES)
    return;
  tt->marks.data[t] = tt->epoch;
  if (term_kind(tt, t) == TERM_FLOORDIV && term_arg(tt, t, 0) == k) {
    Term by = term_arg(tt, t, 1);
    if (term_is_int(tt, by, &c) ? c > 1 && (!*size || !term_is_int(tt, *size, &known) || c < known)
                                : !*size && is_size(tt, by, k, hi))
      *size = by;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_size(tt, term_arg(tt, t, i), k, hi, size, nodes);
}

/* True if a sum in t depends on c*i + j as a whole. */
static bool is_mixed(Cut *cut, Term t) {
  TermTable *tt = cut->tt;
  uint64_t both = term_node(tt, cut->high)->free_mask | term_node(tt, cut->low)->free_mask;
  if ((term_node(tt, t)->free_mask & both) != both || tt->marks.data[t] == tt->epoch) return false;
  tt->marks.data[t] = tt->epoch;
  if (++cut->nodes > MOST_NODES) return true;
  for (uint32_t i = 1; term_kind(tt, t) == TERM_ADD && i < term_count(tt, t);
       i += 2) { /* k*x for a factor x, and c*k*x */
    Term x = term_arg(tt, t, i + 1), with;
    if (!term_has_symbol(tt, x, cut->low)) continue;
    with = term_mul(tt, cut->size, term_replace(tt, x, cut->low, cut->high));
    with = term_scale(tt, term_rat(tt, term_arg(tt, t, i)), with);
    for (uint32_t k = 1; k < term_count(tt, t); k += 2)
      if (k != i && term_scale(tt, term_rat(tt, term_arg(tt, t, k)), term_arg(tt, t, k + 1)) == with) return true;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (is_mixed(cut, term_arg(tt, t, i))) return true;
  return false;
}

/* c*x + j + 1 <= 0 iff x + 1 <= 0, and c*x - j <= 0 iff x <= 0, for 0 <= j < c. */
static Term without_low(Cut *cut, Term condition) {
  TermTable *tt = cut->tt;
  if (term_kind(tt, condition) != TERM_LE || term_count(tt, condition) != 1 ||
      term_sort(tt, term_arg(tt, condition, 0)) != SORT_INT)
    return condition;
  for (int sign = 1; sign >= -1; sign -= 2) {
    Term rest = term_sub(tt, term_arg(tt, condition, 0), term_scale(tt, rational_int(sign), cut->low)), x;
    if (sign > 0) rest = term_sub(tt, rest, tt->one);
    if (term_has_symbol(tt, rest, cut->low)) continue;
    x = term_floordiv(tt, rest, cut->size);
    if (term_mul(tt, x, cut->size) == rest) return term_le(tt, sign > 0 ? term_add(tt, x, tt->one) : x, tt->zero);
  }
  return condition;
}

static Term cut_guard(Cut *cut, Term guard, Term k, Term by) {
  TermTable *tt = cut->tt;
  Term out = tt->true_;
  uint32_t n = term_conjunct_count(tt, guard);
  for (uint32_t i = 0; i < n; i++) {
    Term part = term_conjunct(tt, guard, i);
    out = term_and(tt, out, without_low(cut, term_replace(tt, part, k, by)));
  }
  return out;
}

Term term_cut_fold(TermTable *tt, TermFoldOp op, Term k, Term hi, Term guard, Term body) {
  Term size = 0;
  uint32_t nodes = 0;
  if (op == FOLD_ARGMAX || op == FOLD_ARGMIN) return 0;
  term_marks_begin(tt);
  find_size(tt, body, k, hi, &size, &nodes);
  find_size(tt, guard, k, hi, &size, &nodes);
  if (!size || nodes > MOST_NODES) return 0;
  Cut cut = {.tt = tt, .size = size};
  Term m = cut_length(tt, hi, cut.size);
  if (!m) return 0;
  cut.high =
      term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, m, tt->one));
  cut.low = term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), tt->zero,
                              term_sub(tt, cut.size, tt->one));
  Term by = term_add(tt, term_mul(tt, cut.size, cut.high), cut.low);
  Term new_guard = cut_guard(&cut, guard, k, by), new_body = term_replace(tt, body, k, by);
  term_marks_begin(tt);
  if (is_mixed(&cut, new_guard) || is_mixed(&cut, new_body)) return 0;
  Term inner = term_fold(tt, op, cut.low, tt->zero, cut.size, new_guard, new_body);
  return term_fold(tt, op, cut.high, tt->zero, m, tt->true_, inner);
}
