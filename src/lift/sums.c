/* Rows whose length is a sum: row*(N + 1) + i, or (b*T + t)*(N + P) + i.
 *
 * Addresses are sums of products, so that nothing in N*row + row + i says whether these are rows of N + 1, or the
 * diagonal of rows of N. What tells is where the accesses stay: if all that is left of each address, without row*(N +
 * 1), is shown to be from 0 to below N + 1, then rows of that length are a stride, as one argument is. A row of such
 * rows, T*(N + 1), is one likewise, or where nothing is known of T, as for other strides; and where the grid counts
 * them. */
#include "lift/recover_internal.h"

Term recover_sum_of_strides(Recover *r, Term offset, Term variable) {
  TermTable *tt = r->tt;
  Term sum = tt->zero, last = 0;
  bool several = false;
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Rational k;
    Term stride, own;
    recover_split_monomial(tt, recover_monomial(tt, offset, i), &k, &stride, &own);
    if (own != variable) continue;
    if (k.den != 1) return 0;
    several |= last && last != stride;
    last = stride, sum = term_add(tt, sum, term_scale(tt, k, stride));
  }
  return several ? sum : 0;
}

/* What the coefficients of a sum have in common: 64 of 64*N + 64. */
static Int128 sum_content(TermTable *tt, Term sum) {
  Int128 g = 0;
  for (uint32_t i = 0; i < recover_monomial_count(tt, sum) && g != 1; i++) {
    Term base, m = recover_monomial(tt, sum, i);
    Rational k = term_is_rat(tt, m) ? term_rat(tt, m) : term_coefficient(tt, m, &base);
    g = rational_gcd(g, k.num);
  }
  return g ? g : 1;
}

Term recover_take_sums(Recover *r, const View *view, Term offset, Term *index) {
  TermTable *tt = r->tt;
  for (uint32_t a = 0; a < view->rank; a++) {
    Term stride = view->stride[a], q;
    if (term_kind(tt, stride) != TERM_ADD) continue;
    uint32_t parts = recover_monomial_count(tt, stride);
    for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
      if (!recover_divides(tt, recover_monomial(tt, stride, parts - 1), recover_monomial(tt, offset, i), &q)) continue;
      Term left = term_sub(tt, offset, term_mul(tt, q, stride));
      if (recover_monomial_count(tt, left) + parts > recover_monomial_count(tt, offset)) continue;
      if (index) index[a] = term_add(tt, index[a], q);
      offset = left;
      i = UINT32_MAX; /* from the first */
    }
  }
  return offset;
}

/* True if all accesses stay in rows of `unit`, a part of that length, as q*unit + (q*(length - unit) + rest). Then
 * they go along a diagonal of these: a[p*N + k] for p <= k < N, where the counter begins at p. */
static bool is_diagonal(Recover *r, Term tensor, Term length, Term unit) {
  TermTable *tt = r->tt;
  View rows = {.tensor = tensor, .rank = 1, .stride = {length}};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term index = tt->zero;
    if (a->tensor != tensor) continue;
    Term rest = recover_take_sums(r, &rows, a->offset, &index),
         within = term_add(tt, rest, term_mul(tt, index, term_sub(tt, length, unit)));
    if (!recover_lies_below(tt, a, within, unit)) return false;
  }
  return true;
}

/* True if every access of the tensor stays within rows of that length, and some of them go along such a row. */
static bool are_rows(Recover *r, Term tensor, Term length) {
  TermTable *tt = r->tt;
  View rows = {.tensor = tensor, .rank = 1, .stride = {length}};
  bool along = false;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor != tensor) continue;
    Term rest = recover_take_sums(r, &rows, a->offset, NULL);
    along |= recover_varies(tt, rest);
    if (!recover_lies_below(tt, a, rest, length)) return false;
  }
  for (uint32_t k = 0; k < recover_monomial_count(tt, length) && along; k++) {
    Term unit = recover_monomial(tt, length, k);
    if (!term_is_rat(tt, unit) && is_diagonal(r, tensor, length, unit)) return false;
  }
  return along;
}

/* Rows of an output of which each has its first part left out, row*(N + P) + P + i for i < N: no two of its elements
 * share an address if P is not negative. */
static bool assume_parts_apart(Recover *r, Term tensor, Term length) {
  TermTable *tt = r->tt;
  View rows = {.tensor = tensor, .rank = 1, .stride = {length}};
  Term least = 0;
  const Access *store = NULL;
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->tensor != tensor) continue;
    Term rest = recover_take_sums(r, &rows, a->offset, NULL), first = tt->zero;
    if (!a->is_store || a->is_atomic || store) return false;
    for (uint32_t k = 0; k < recover_monomial_count(tt, rest); k++)
      if (!recover_varies(tt, recover_monomial(tt, rest, k)))
        first = term_add(tt, first, recover_monomial(tt, rest, k));
    Term lane = term_sub(tt, rest, first);
    if (!term_prove_le(tt, tt->zero, lane) || recover_bound(r, lane, a->mask) != term_sub(tt, length, first))
      return false;
    store = a, least = first;
  }
  Term symbol;
  if (!store || term_is_rat(tt, least) || term_coefficient(tt, least, &symbol).num <= 0 ||
      term_kind(tt, symbol) != TERM_SYM)
    return false;
  const char *text = arena_format(r->arena, "%s >= 0", term_message(tt, symbol));
  const char *why = arena_format(r->arena, "no two elements of %s share an address (%s)", term_name(tt, tensor),
                                 execute_where(r->ex, store->op));
  recover_assume(r, ASSUME_DISJOINT, term_le(tt, tt->zero, symbol), text, why, NULL);
  term_symbol_range(tt, symbol, tt->zero, term_symbol(tt, symbol)->hi);
  return true;
}

typedef struct Sum {
  Term tensor, primitive;
  Int128 content;
} Sum;
typedef Array(Sum) Sums;

/* The sums that the variables of an address are multiplied by, each but for a number. */
static void note_sums(Recover *r, const Access *a, Sums *sums) {
  TermTable *tt = r->tt;
  if (recover_has_axes(r, a->tensor)) return;
  for (uint32_t i = 0; i < recover_monomial_count(tt, a->offset); i++) {
    Rational k;
    Term stride, variable;
    recover_split_monomial(tt, recover_monomial(tt, a->offset, i), &k, &stride, &variable);
    Term sum = variable == tt->one ? 0 : recover_sum_of_strides(r, a->offset, variable);
    if (!sum) continue;
    Sum found = {.tensor = a->tensor, .content = sum_content(tt, sum)};
    found.primitive = term_scale(tt, (Rational){1, found.content}, sum);
    uint32_t at = 0;
    while (at < sums->count && (sums->data[at].tensor != found.tensor || sums->data[at].primitive != found.primitive))
      at++;
    if (at == sums->count) array_push(r->arena, sums, found);
    sums->data[at].content = rational_gcd(sums->data[at].content, found.content);
  }
}

static void add_rows(Recover *r, Term tensor, Term length) {
  View *view = recover_view(r, tensor);
  recover_add_stride(view, length);
  recover_sort_strides(r, view); /* of (N + 1)*T and N + 1 the longer rows are taken first */
}

/* Rows of that length in rows that an argument counts which is no size, row*(N + 1)*T: T may be as large as it must be.
 */
static bool is_stepped_by_argument(Recover *r, Term tensor, Term length) {
  const View *view = recover_view(r, tensor);
  Term count;
  for (uint32_t i = 0; i < view->rank; i++)
    if (term_kind(r->tt, view->stride[i]) == TERM_ADD && recover_divides(r->tt, view->stride[i], length, &count) &&
        !recover_only_sizes(r, count))
      return true;
  return false;
}

/* True if all accesses to rows of `length` stay within so many of them, r*count + z with z < count. */
static bool are_counted(Recover *r, Term tensor, Term length, Term count) {
  TermTable *tt = r->tt;
  View rows = {.tensor = tensor, .rank = 2, .stride = {term_mul(tt, length, count), length}};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    Term index[2] = {tt->zero, tt->zero};
    if (a->tensor != tensor) continue;
    recover_take_sums(r, &rows, a->offset, index);
    if (!recover_lies_below(tt, a, index[1], count)) return false;
  }
  return true;
}

/* (r*num_programs + z)*(N + 1): as many rows as there are programs. */
static void collect_counted_rows(Recover *r, const Access *a, Term length) {
  TermTable *tt = r->tt;
  View rows = {.tensor = a->tensor, .rank = 1, .stride = {length}};
  Term index = tt->zero;
  recover_take_sums(r, &rows, a->offset, &index);
  for (uint32_t i = 0; i < recover_monomial_count(tt, index); i++) {
    Term m = recover_monomial(tt, index, i), product, others;
    if (term_is_rat(tt, m)) continue;
    term_coefficient(tt, m, &product);
    Term count = recover_grid_part(tt, product, &others);
    if (count != tt->one && recover_is_coordinate(tt, others) && term_symbol(tt, others)->role != SYMBOL_COUNTER &&
        are_counted(r, a->tensor, length, count))
      add_rows(r, a->tensor, term_mul(tt, length, count));
  }
}

void recover_collect_sums(Recover *r) {
  TermTable *tt = r->tt;
  Sums sums = {0};
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) note_sums(r, &r->ex->accesses.data[i], &sums);
  for (int shown = 1; shown >= 0; shown--)
    for (uint32_t i = 0; i < sums.count; i++) {
      Sum *sum = &sums.data[i];
      Term length = term_scale(tt, (Rational){sum->content, 1}, sum->primitive);
      if (shown ? are_rows(r, sum->tensor, length) || assume_parts_apart(r, sum->tensor, length)
                : is_stepped_by_argument(r, sum->tensor, length))
        add_rows(r, sum->tensor, length);
    }
  for (uint32_t i = 0; i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    const View *view = recover_view(r, a->tensor);
    for (uint32_t k = view->rank; k-- > 0;)
      if (term_kind(tt, view->stride[k]) == TERM_ADD) collect_counted_rows(r, a, view->stride[k]);
  }
}
