/* Remainders in addresses: a - n*(a // n) is one coordinate in [0, n), and a // n another.
 *
 * Flat indices that are split into rows and columns leave stride*(a // n) + a - n*(a // n) behind, which is stride*q + r. Each
 * pair (q, r) is made once, used while an address is cut into indices, and put back there. */
#include "lift/recover_internal.h"

static const Remainder *remainder_of(Recover *r, Term quotient) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->remainders.count; i++) if (r->remainders.data[i].quotient == quotient) return &r->remainders.data[i];
  Term a = term_arg(tt, quotient, 0), n = term_arg(tt, quotient, 1);
  Remainder pair = {.quotient = quotient, .rest = term_sub(tt, a, term_mul(tt, n, quotient))};
  pair.q = term_symbol_range(tt, term_symbol_fresh(tt, "q", SORT_INT, SYMBOL_INDEX), tt->zero, 0);
  pair.r = term_symbol_range(tt, term_symbol_fresh(tt, "r", SORT_INT, SYMBOL_INDEX), tt->zero, term_sub(tt, n, tt->one));
  Term top = recover_greatest(r, quotient, 0);
  if (top) term_symbol_range(tt, pair.q, tt->zero, top);
  array_push(r->arena, &r->remainders, pair);
  return &r->remainders.data[r->remainders.count - 1];
}

/* A floor of coordinates among the factors of a summand. */
static Term floor_in(TermTable *tt, Term m) {
  Term product;
  term_coefficient(tt, m, &product);
  if (term_kind(tt, product) == TERM_FLOORDIV) return product;
  for (uint32_t i = 0; term_kind(tt, product) == TERM_MUL && i < term_count(tt, product); i += 2)
    if (term_kind(tt, term_arg(tt, product, i)) == TERM_FLOORDIV && term_arg(tt, product, i + 1) == tt->one) return term_arg(tt, product, i);
  return 0;
}

Term recover_name_remainders(Recover *r, Term offset) {
  TermTable *tt = r->tt;
  for (int round = 0; round < 4; round++) {
    Term found = 0;
    for (uint32_t i = 0; i < recover_monomial_count(tt, offset) && !found; i++) {
      Term m = recover_monomial(tt, offset, i), f = floor_in(tt, m), by, k;
      if (!f || !recover_varies(tt, f) || recover_varies(tt, term_arg(tt, f, 1)) || (term_node(tt, f)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF))) continue;
      if (!recover_divides(tt, f, m, &by) || !recover_divides(tt, term_arg(tt, f, 1), term_neg(tt, by), &k)) continue;
      /* m = -k*n*f: with k*a beside it, k times the remainder */
      Term rest = term_sub(tt, term_sub(tt, offset, m), term_mul(tt, k, term_arg(tt, f, 0)));
      if (recover_monomial_count(tt, rest) + 1 >= recover_monomial_count(tt, offset) || !term_prove_lt(tt, tt->zero, term_arg(tt, f, 1))) continue;
      Remainder pair = *remainder_of(r, f);
      Term sum = term_mul(tt, k, pair.r);
      for (uint32_t j = 0; j < recover_monomial_count(tt, rest); j++) {
        Term part = recover_monomial(tt, rest, j), q;
        bool has = floor_in(tt, part) == f && recover_divides(tt, f, part, &q);
        sum = term_add(tt, sum, has ? term_mul(tt, q, pair.q) : part);
      }
      found = sum;
    }
    if (!found) break;
    offset = found;
  }
  return offset;
}

Term recover_put_remainders(Recover *r, Term t) {
  for (uint32_t i = 0; i < r->remainders.count; i++) {
    Remainder pair = r->remainders.data[i];
    t = term_replace(r->tt, term_replace(r->tt, t, pair.q, pair.quotient), pair.r, pair.rest);
  }
  return t;
}
