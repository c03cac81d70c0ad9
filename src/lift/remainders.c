/* Remainders in addresses: a - n*(a // n) is one coordinate in [0, n), and a // n another.
 *
 * Flat indices that are split into rows and columns leave stride*(a // n) + a - n*(a // n) behind, which is stride*q +
 * r. Each pair (q, r) is made once, used while an address is cut into indices, and put back there. What is split may be
 * a quotient itself, (a // d) % n: that is a // d - n*(a // (n*d)), as quotients of quotients are one. */
#include "lift/recover_internal.h"

/* numerator = divisor*quotient + rest */
static const Remainder *remainder_of(Recover *r, Term numerator, Term divisor, Term quotient) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < r->remainders.count; i++)
    if (r->remainders.data[i].quotient == quotient && r->remainders.data[i].divisor == divisor)
      return &r->remainders.data[i];
  Remainder pair = {
      .quotient = quotient, .divisor = divisor, .rest = term_sub(tt, numerator, term_mul(tt, divisor, quotient))};
  pair.q = term_symbol_range(tt, term_symbol_fresh(tt, "q", SORT_INT, SYMBOL_INDEX), tt->zero, 0);
  pair.r = term_symbol_range(tt, term_symbol_fresh(tt, "r", SORT_INT, SYMBOL_INDEX), tt->zero,
                             term_sub(tt, divisor, tt->one));
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
    if (term_kind(tt, term_arg(tt, product, i)) == TERM_FLOORDIV && term_arg(tt, product, i + 1) == tt->one)
      return term_arg(tt, product, i);
  return 0;
}

/* m = -k*divisor*f, and k*numerator beside it: k times a remainder, which is named; 0: the sum does not become simpler.
 */
static Term name_one(Recover *r, Term offset, Term m, Term f, Term numerator, Term divisor) {
  TermTable *tt = r->tt;
  Term by, k;
  if (!recover_divides(tt, f, m, &by) || !recover_divides(tt, divisor, term_neg(tt, by), &k)) return 0;
  Term rest = term_sub(tt, term_sub(tt, offset, m), term_mul(tt, k, numerator));
  if (recover_monomial_count(tt, rest) + 1 >= recover_monomial_count(tt, offset) ||
      !term_prove_lt(tt, tt->zero, divisor))
    return 0;
  Remainder pair = *remainder_of(r, recover_put_remainders(r, numerator), divisor, f);
  Term sum = term_mul(tt, k, pair.r);
  for (uint32_t j = 0; j < recover_monomial_count(tt, rest); j++) {
    Term part = recover_monomial(tt, rest, j), q;
    bool has = floor_in(tt, part) == f && recover_divides(tt, f, part, &q);
    sum = term_add(tt, sum, has ? term_mul(tt, q, pair.q) : part);
  }
  return sum;
}

/* a // d in m where f is a // (n*d): it, or its name, and n; 0: nothing of the kind. */
static Term finer_quotient(Recover *r, Term m, Term f, Term *divisor) {
  TermTable *tt = r->tt;
  Term name = 0, fine = floor_in(tt, m), q;
  for (uint32_t i = 0; !fine && i < r->remainders.count; i++)
    if (recover_divides(tt, r->remainders.data[i].q, m, &q))
      name = r->remainders.data[i].q, fine = r->remainders.data[i].quotient;
  if (!fine || fine == f || term_arg(tt, fine, 0) != term_arg(tt, f, 0) ||
      !recover_divides(tt, term_arg(tt, fine, 1), term_arg(tt, f, 1), divisor))
    return 0;
  return name ? name : fine;
}

static Term name_any(Recover *r, Term offset) {
  TermTable *tt = r->tt;
  for (uint32_t i = 0; i < recover_monomial_count(tt, offset); i++) {
    Term m = recover_monomial(tt, offset, i), f = floor_in(tt, m), divisor;
    if (!f || !recover_varies(tt, f) || recover_varies(tt, term_arg(tt, f, 1)) ||
        (term_node(tt, f)->flags & (TERM_HAS_READ | TERM_HAS_UNDEF)))
      continue;
    Term found = name_one(r, offset, m, f, term_arg(tt, f, 0), term_arg(tt, f, 1));
    for (uint32_t j = 0; j < recover_monomial_count(tt, offset) && !found; j++) {
      Term fine = j == i ? 0 : finer_quotient(r, recover_monomial(tt, offset, j), f, &divisor);
      if (fine) found = name_one(r, offset, m, f, fine, divisor);
    }
    if (found) return found;
  }
  return 0;
}

Term recover_name_remainders(Recover *r, Term offset) {
  for (int round = 0; round < 4; round++) {
    Term found = name_any(r, offset);
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
