/* Values of MLIR as terms: scalars and tensors, constants, shapes (see mlir.h). */
#include "mlir/internal.h"

bool mlir_is_float(const Mlir *m, TypeId type) { return mlir_type(m, type)->kind == TYPE_FLOAT; }

uint32_t mlir_width(const Mlir *m, TypeId type) {
  const Type *t = mlir_type(m, type);
  return t->kind == TYPE_INDEX ? 64 : t->width;
}

Term mlir_greatest_size(TermTable *tt, const Type *element) {
  uint32_t width = element->kind == TYPE_INDEX ? 64 : element->width;
  return term_int(tt, INT64_MAX / (width ? (width + 7) / 8 : 1));
}

bool mlir_is_tensor(const Mlir *m, ValueId id) { return program_value_type(m->p, id)->kind == TYPE_TENSOR; }

MlirValue mlir_scalar(Cell cell, TypeId element) {
  return (MlirValue){.kind = MLIR_SCALAR, .element = element, .cell = cell};
}

static Term index_symbol(TermTable *tt, Term extent) {
  Term symbol = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
  return term_symbol_range(tt, symbol, tt->zero, term_sub(tt, extent, tt->one));
}

void mlir_note_size(Mlir *m, Term size) {
  TermTable *tt = m->tt;
  Term fact = term_or(tt, term_not(tt, m->path), term_le(tt, size, term_int(tt, INT64_MAX)));
  bool may_not_run = m->loop_index || m->in_loop; /* of a body, for which the path does not tell */
  if (fact != tt->true_ && !may_not_run) array_push(m->arena, &m->run->sizes, fact);
}

/* With index symbols of its own; the cell is the caller's. */
MlirValue mlir_tensor_new(Mlir *m, TypeId element, uint32_t rank, const Term *extents) {
  MlirValue v = {.kind = MLIR_TENSOR, .element = element, .rank = rank};
  for (uint32_t i = 0; i < rank; i++) v.extent[i] = extents[i], v.index[i] = index_symbol(m->tt, extents[i]);
  return v;
}

Cell mlir_at(TermTable *tt, const MlirValue *t, const Term *index) {
  Term from[MLIR_RANK], to[MLIR_RANK];
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->rank; i++)
    if (t->index[i] != index[i]) from[count] = t->index[i], to[count++] = index[i];
  if (!count) return t->cell;
  TermMap map = {count, from, to};
  return (Cell){term_substitute(tt, t->cell.value, map), term_substitute(tt, t->cell.poison, map)};
}

Term mlir_equal(TermTable *tt, Term a, Term b) {
  if (a == b) return tt->true_;
  if (term_sort(tt, a) != SORT_BOOL && term_sort(tt, b) != SORT_BOOL) return term_eq(tt, a, b);
  a = mlir_as_bool(tt, a), b = mlir_as_bool(tt, b);
  return term_or(tt, term_and(tt, a, b), term_and(tt, term_not(tt, a), term_not(tt, b)));
}

TermSort mlir_element_sort(bool is_real, const Type *element) {
  return is_real && element->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT;
}

Term mlir_as_int(TermTable *tt, Term t) {
  return term_sort(tt, t) == SORT_BOOL ? term_select(tt, t, tt->one, tt->zero) : t;
}

Term mlir_as_bool(TermTable *tt, Term t) {
  return term_sort(tt, t) == SORT_BOOL ? t : term_not(tt, term_eq(tt, t, tt->zero));
}

Term mlir_integer(const MlirValue *v) { return v->cell.value; }

static Term power(TermTable *tt, uint32_t n) { return term_new_rat(tt, (Rational){(Int128)1 << n, 1}); }

Term mlir_unsigned(Mlir *m, Term t, uint32_t width) {
  TermTable *tt = m->tt;
  if (term_sort(tt, t) == SORT_BOOL) return mlir_as_int(tt, t);
  Int128 lo, hi;
  if ((term_interval_of_symbols(tt, t, &lo, &hi) && lo >= 0) || term_prove_le(tt, tt->zero, t)) return t;
  return term_select(tt, term_lt(tt, t, tt->zero), term_add(tt, t, power(tt, width)), t);
}

static void add_symbols(TermTable *tt, Term t, TermList *list) {
  TermList own = {0};
  term_symbols(tt, t, &own);
  for (uint32_t i = 0; i < own.count; i++) {
    bool known = false;
    for (uint32_t k = 0; k < list->count; k++) known |= list->data[k] == own.data[i];
    if (!known) array_push(tt->arena, list, own.data[i]);
  }
}

/* True if it is no more (times 1) or no less (times -1) than a small number or a size, which all fit 64 bits. */
static bool is_within(TermTable *tt, Term t, int sign) {
  Term bound = term_int(tt, (int64_t)1 << 57), own = sign > 0 ? t : term_neg(tt, t);
  if (term_prove_le(tt, own, bound)) return true;
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count && i < 40; i++) {
    if (term_sort(tt, symbols.data[i]) != SORT_INT) continue;
    Term hi = term_symbol(tt, symbols.data[i])->hi;
    int64_t most;
    bool is_size = hi && term_symbol(tt, symbols.data[i])->role == SYMBOL_SIZE && term_is_int(tt, hi, &most);
    if (is_size && term_prove_le(tt, own, symbols.data[i])) return true;
    if (!is_size && hi) add_symbols(tt, hi, &symbols);
  }
  return false;
}

/* Ranges do not speak of numbers as large as 2^63: what a size bounds needs no wrap. */
Term mlir_wrap_index(TermTable *tt, Term t) {
  if (term_kind(tt, t) == TERM_RAT || term_kind(tt, t) == TERM_SYM || term_kind(tt, t) == TERM_READ)
    return term_wrap(tt, 64, t);
  return is_within(tt, t, 1) && is_within(tt, t, -1) ? t : term_wrap(tt, 64, t);
}

Term mlir_truncate(Mlir *m, Term t, uint32_t width) {
  TermTable *tt = m->tt;
  if (width > 1) {
    Int128 lo, hi, half = (Int128)1 << (width - 1);
    t = mlir_as_int(tt, t);
    if (term_interval_of_symbols(tt, t, &lo, &hi) && lo >= -half && hi < half) return t;
    return width == 64 ? mlir_wrap_index(tt, t) : term_wrap(tt, width, t);
  }
  if (term_sort(tt, t) == SORT_BOOL) return t;
  return term_not(tt, term_eq(tt, term_mod(tt, t, term_int(tt, 2)), tt->zero));
}

static Term choose(TermTable *tt, Term condition, Term a, Term b) {
  if (a == b || condition == tt->true_) return a;
  if (condition == tt->false_) return b;
  if (term_sort(tt, a) == SORT_BOOL && term_sort(tt, b) == SORT_BOOL)
    return term_or(tt, term_and(tt, condition, a), term_and(tt, term_not(tt, condition), b));
  if (term_sort(tt, a) == SORT_BOOL || term_sort(tt, b) == SORT_BOOL) a = mlir_as_int(tt, a), b = mlir_as_int(tt, b);
  return term_select(tt, condition, a, b);
}

Cell mlir_choose(Mlir *m, Term condition, Cell a, Cell b) {
  return (Cell){choose(m->tt, condition, a.value, b.value), choose(m->tt, condition, a.poison, b.poison)};
}

Term mlir_product(TermTable *tt, uint32_t count, const Term *factors) {
  Term product = tt->one;
  for (uint32_t i = 0; i < count; i++) product = term_mul(tt, product, factors[i]);
  return product;
}

/* t = k*m + rest; false: it is not linear in k. */
bool mlir_linear_in(TermTable *tt, Term t, Term k, Term *m, Term *rest) {
  if (term_sort(tt, t) != SORT_INT) return false;
  *rest = term_replace(tt, t, k, tt->zero);
  *m = term_sub(tt, term_replace(tt, t, k, tt->one), *rest);
  return *m != tt->zero && !term_has_symbol(tt, *m, k) && term_add(tt, *rest, term_mul(tt, *m, k)) == t;
}

/* An inequality that is linear in k holds of some k below n if it does of the first, or the last one. */
static Term any_of_one(TermTable *tt, Term k, Term n, Term condition) {
  Term m, rest, some = term_lt(tt, tt->zero, n);
  if (term_kind(tt, condition) == TERM_LE && term_count(tt, condition) == 1 &&
      mlir_linear_in(tt, term_arg(tt, condition, 0), k, &m, &rest)) {
    if (mlir_holds(tt, term_le(tt, tt->zero, m))) return term_and(tt, some, term_le(tt, rest, tt->zero));
    Term last = term_add(tt, rest, term_mul(tt, m, term_sub(tt, n, tt->one)));
    if (mlir_holds(tt, term_le(tt, m, tt->zero))) return term_and(tt, some, term_le(tt, last, tt->zero));
  }
  return term_fold(tt, FOLD_ANY, k, tt->zero, n, tt->true_, condition);
}

static Term any_of(TermTable *tt, Term k, Term n, Term condition) {
  TermKind kind = term_kind(tt, condition);
  if (condition == tt->false_) return condition;
  if (!term_has_symbol(tt, condition, k)) return term_and(tt, term_lt(tt, tt->zero, n), condition);
  if (kind == TERM_OR) {
    Term any = tt->false_;
    for (uint32_t i = 0; i < term_count(tt, condition); i++)
      any = term_or(tt, any, any_of(tt, k, n, term_arg(tt, condition, i)));
    return any;
  }
  if (kind != TERM_AND) return any_of_one(tt, k, n, condition);
  Term without = tt->true_, with = tt->true_;
  for (uint32_t i = 0; i < term_count(tt, condition); i++) {
    Term part = term_arg(tt, condition, i);
    if (term_has_symbol(tt, part, k))
      with = term_and(tt, with, part);
    else
      without = term_and(tt, without, part);
  }
  return term_and(tt, without, any_of_one(tt, k, n, with));
}

Term mlir_any(Mlir *m, uint32_t rank, const Term *index, const Term *extent, Term condition) {
  for (uint32_t i = rank; i-- > 0;) condition = any_of(m->tt, index[i], extent[i], condition);
  return condition;
}

/* ---- what is known ---- */

bool mlir_holds(TermTable *tt, Term c) {
  bool several = term_kind(tt, c) == TERM_AND || term_kind(tt, c) == TERM_OR;
  if (c == tt->true_ || term_prove_true(tt, c)) return true;
  for (uint32_t i = 0; several && i < term_count(tt, c); i++)
    if (mlir_holds(tt, term_arg(tt, c, i)) != (term_kind(tt, c) == TERM_AND)) return term_kind(tt, c) == TERM_OR;
  if (several) return term_kind(tt, c) == TERM_AND;
  bool is_not = term_kind(tt, c) == TERM_NOT;
  Term e = is_not ? term_arg(tt, c, 0) : c;
  if (term_kind(tt, e) != TERM_EQ || term_count(tt, e) != 1 || term_sort(tt, term_arg(tt, e, 0)) != SORT_INT)
    return false;
  Term t = term_arg(tt, e, 0);
  if (!is_not) return term_prove_nonpositive(tt, t) && term_prove_nonpositive(tt, term_neg(tt, t));
  return term_prove_lt(tt, t, tt->zero) || term_prove_lt(tt, tt->zero, t);
}

/* a <= 0 or b <= 0, where b <= a, is b <= 0. */
static Term join_facts(TermTable *tt, Term fact) {
  Term left = 0;
  for (uint32_t i = 0; i < term_count(tt, fact); i++) {
    Term own = term_arg(tt, fact, i);
    if (term_kind(tt, own) != TERM_LE || term_count(tt, own) != 1) return fact;
    bool said = left && term_prove_le(tt, term_arg(tt, left, 0), term_arg(tt, own, 0));
    if (left && !said && !term_prove_le(tt, term_arg(tt, own, 0), term_arg(tt, left, 0))) return fact;
    if (!said) left = own;
  }
  return left ? left : fact;
}

void mlir_push_fact(TermTable *tt, Term fact) {
  TermKind kind = term_kind(tt, fact);
  if (fact == tt->true_ || fact == tt->false_ || term_node(tt, fact)->flags & TERM_HAS_FOLD) return;
  for (uint32_t i = 0; kind == TERM_AND && i < term_count(tt, fact); i++) mlir_push_fact(tt, term_arg(tt, fact, i));
  if (kind == TERM_AND) return;
  if (kind == TERM_OR) fact = join_facts(tt, fact);
  for (uint32_t i = 0; i < tt->facts.count; i++)
    if (tt->facts.data[i] == fact) return;
  if (tt->facts.count < MLIR_FACTS) term_push_fact(tt, fact);
}

/* x mod m < a, for numbers m and a: as x == m*(x // m), as it stands, or as y mod m >= m - a, x being y + a. What is no
 * number stands for the most that it is. */
static bool remainder_below(TermTable *tt, Term c, Term *x, int64_t *m, int64_t *a) {
  if ((term_kind(tt, c) != TERM_EQ && term_kind(tt, c) != TERM_LE) || term_count(tt, c) != 1) return false;
  Term e = term_arg(tt, c, 0);
  for (uint32_t i = 2; term_kind(tt, e) == TERM_ADD && i < term_count(tt, e); i += 2) {
    Term f = term_arg(tt, e, i);
    Int128 least, most;
    if (term_kind(tt, f) != TERM_FLOORDIV || !term_is_int(tt, term_arg(tt, f, 1), m) || *m < 2) continue;
    *x = term_arg(tt, f, 0), *a = 1;
    Term rest = term_sub(tt, *x, term_mul(tt, term_arg(tt, f, 1), f));
    if (term_kind(tt, c) == TERM_EQ) {
      if (rest == e || term_neg(tt, rest) == e) return true;
      continue;
    }
    if (term_interval_of_symbols(tt, term_sub(tt, rest, e), &least, &most) && most >= 0 && most < *m)
      return *a = (int64_t)most + 1, true;
    if (term_interval_of_symbols(tt, term_add(tt, e, rest), &least, &most) && least >= 0 && least < *m) {
      *a = *m - (int64_t)least, *x = term_add(tt, *x, term_int(tt, *a));
      return true;
    }
  }
  return false;
}

/* True if there are two conditions that ask for remainders that are apart. u = x mod m in [0, a), (u + d) mod m in [0,
 * b). */
static bool remainders_differ(TermTable *tt, Term guard) {
  uint32_t count = term_kind(tt, guard) == TERM_AND ? term_count(tt, guard) : 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++) {
      Term x, y;
      int64_t m, n, a, b, d;
      if (!remainder_below(tt, term_arg(tt, guard, i), &x, &m, &a) ||
          !remainder_below(tt, term_arg(tt, guard, k), &y, &n, &b) || m != n ||
          !term_is_int(tt, term_sub(tt, y, x), &d))
        continue;
      d %= m, d += d < 0 ? m : 0;
      if (d >= b && a <= m - d) return true;
    }
  return false;
}

/* a <= 0 and b <= 0, where a + b is above 0: not both. */
static bool are_opposed(TermTable *tt, Term fact, Term guard) {
  for (uint32_t i = 0; i < term_conjunct_count(tt, fact); i++)
    for (uint32_t k = 0; k < term_conjunct_count(tt, guard); k++) {
      Term a = term_conjunct(tt, fact, i), b = term_conjunct(tt, guard, k);
      if (term_kind(tt, a) != TERM_LE || term_kind(tt, b) != TERM_LE || term_count(tt, a) + term_count(tt, b) != 2)
        continue;
      if (term_prove_lt(tt, tt->zero, term_add(tt, term_arg(tt, a, 0), term_arg(tt, b, 0)))) return true;
    }
  return false;
}

bool mlir_excludes(TermTable *tt, Term fact, Term guard) {
  uint32_t facts = tt->facts.count;
  if (guard == tt->false_ || remainders_differ(tt, guard)) return true;
  if (fact != tt->true_) term_push_fact(tt, fact);
  bool several = term_kind(tt, guard) == TERM_AND, out = mlir_holds(tt, term_not(tt, guard));
  for (uint32_t i = 0; several && i < term_count(tt, guard) && !out; i++)
    out = mlir_holds(tt, term_not(tt, term_arg(tt, guard, i)));
  term_pop_facts(tt, facts);
  return out || are_opposed(tt, fact, guard);
}

Term mlir_positive_part(const TermTable *tt, Term t) {
  bool is_part = term_kind(tt, t) == TERM_MAX && term_count(tt, t) == 2;
  for (uint32_t i = 0; i < 2 && is_part; i++)
    if (term_arg(tt, t, i) == tt->zero) return term_arg(tt, t, 1 - i);
  return t;
}

/* A product of sizes, none of which is negative. */
static bool is_product_of_sizes(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_MUL) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i += 2) {
    Term size = term_arg(tt, t, i);
    if (term_kind(tt, size) != TERM_SYM || term_arg(tt, t, i + 1) != tt->one) return false;
    if (!term_prove_le(tt, tt->zero, size)) return false;
  }
  return true;
}

static bool implies_positive(TermTable *tt, Term guard, Term n, uint32_t depth);

/* x mod b < n says it for b > 0. */
static bool is_above_digit(TermTable *tt, Term guard, Term c, Term n, uint32_t depth) {
  Term e = term_arg(tt, c, 0);
  if (!depth || term_kind(tt, e) != TERM_ADD) return false;
  for (uint32_t i = 2; i < term_count(tt, e); i += 2) {
    Term part = term_arg(tt, e, i), f = part;
    for (uint32_t k = 0; term_kind(tt, part) == TERM_MUL && k < term_count(tt, part); k += 2)
      if (term_kind(tt, term_arg(tt, part, k)) == TERM_FLOORDIV) f = term_arg(tt, part, k);
    if (term_kind(tt, f) != TERM_FLOORDIV) continue;
    Term b = term_arg(tt, f, 1), digit = term_sub(tt, term_arg(tt, f, 0), term_mul(tt, b, f));
    if (term_sub(tt, term_add(tt, digit, tt->one), e) == n && implies_positive(tt, guard, b, depth - 1)) return true;
  }
  return false;
}

/* 0 <= q and q < p*n say it for p >= 0. */
static bool implies_positive(TermTable *tt, Term guard, Term n, uint32_t depth) {
  n = mlir_positive_part(tt, n);
  if (mlir_holds(tt, term_lt(tt, tt->zero, n)) || mlir_excludes(tt, term_le(tt, n, tt->zero), guard)) return true;
  if (is_product_of_sizes(tt, n)) {
    bool all = true;
    for (uint32_t i = 0; i < term_count(tt, n) && all; i += 2)
      all = implies_positive(tt, guard, term_arg(tt, n, i), depth);
    if (all) return true;
  }
  uint32_t count = term_kind(tt, guard) == TERM_AND ? term_count(tt, guard) : 0;
  for (uint32_t i = 0; i < count; i++) {
    Term c = term_arg(tt, guard, i);
    if (term_kind(tt, c) == TERM_LE && term_count(tt, c) == 1 && is_above_digit(tt, guard, c, n, depth)) return true;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < count; j++) {
      Term a = term_arg(tt, guard, i), b = term_arg(tt, guard, j);
      if (term_kind(tt, a) != TERM_LE || term_kind(tt, b) != TERM_LE || term_count(tt, a) != 1 ||
          term_count(tt, b) != 1)
        continue;
      Term product = term_sub(tt, tt->one, term_add(tt, term_arg(tt, a, 0), term_arg(tt, b, 0))), m, rest, parts[2];
      Rational times = term_coefficient(tt, product, &parts[0]), own = term_coefficient(tt, n, &parts[1]);
      if (parts[0] == parts[1] && (times.num < 0) == (own.num < 0)) return true;
      if (term_kind(tt, n) == TERM_SYM && term_prove_le(tt, tt->zero, n) && /* it is not 0, or there is no place */
          mlir_holds(tt, term_le(tt, term_replace(tt, product, n, tt->zero), tt->zero)))
        return true;
      if (term_kind(tt, n) != TERM_SYM || !mlir_linear_in(tt, product, n, &m, &rest) || rest != tt->zero) continue;
      if (mlir_holds(tt, term_le(tt, tt->zero, m))) return true;
    }
  return false;
}

bool mlir_implies_positive(TermTable *tt, Term guard, Term n) { return implies_positive(tt, guard, n, 2); }

void mlir_push_some(TermTable *tt, Term trips) {
  Term some = term_lt(tt, tt->zero, trips);
  if (some == tt->true_) return;
  term_push_fact(tt, some);
  for (uint32_t i = 0; is_product_of_sizes(tt, trips) && i < term_count(tt, trips); i += 2)
    term_push_fact(tt, term_lt(tt, tt->zero, term_arg(tt, trips, i)));
}

void mlir_push_consequences(TermTable *tt, Term guard) {
  uint32_t before = tt->facts.count;
  for (uint32_t i = 0; i < before; i++) {
    Term fact = tt->facts.data[i], left = tt->false_;
    if (term_kind(tt, fact) != TERM_OR) continue;
    for (uint32_t k = 0; k < term_count(tt, fact); k++) {
      Term part = term_arg(tt, fact, k);
      bool is_size = term_kind(tt, part) == TERM_LE && term_count(tt, part) == 1;
      if (term_prove_true(tt, term_not(tt, part))) continue;
      if (!is_size || !mlir_implies_positive(tt, guard, term_arg(tt, part, 0))) left = term_or(tt, left, part);
    }
    if (left != fact) mlir_push_fact(tt, left);
  }
}

Term mlir_decided(TermTable *tt, Term guard) {
  if (guard == tt->true_ || guard == tt->false_) return guard;
  if (mlir_holds(tt, guard)) return tt->true_;
  return mlir_holds(tt, term_not(tt, guard)) ? tt->false_ : guard;
}

/* ---- constants ---- */

static Term constant_term(Mlir *m, const Attr *a) {
  TermTable *tt = m->tt;
  const Type *t = mlir_type(m, a->type);
  if (a->kind == ATTR_FLOAT && m->floats.real)
    return reals_constant(&m->floats, t->format, program_float_decode(t->format, a->bits));
  if (a->kind == ATTR_FLOAT) return term_int(tt, (int64_t)floats_canonical(t->format, a->bits));
  if (t->kind == TYPE_INT && t->width == 1) return term_bool(tt, a->integer & 1);
  return mlir_truncate(m, term_int(tt, a->integer), t->kind == TYPE_INDEX ? 64 : t->width);
}

Cell mlir_constant(Mlir *m, const Attr *a) { return (Cell){constant_term(m, a), m->tt->false_}; }

enum { DENSE_MOST = 4096 };

/* Elements as a choice by the flat place: a tree of comparisons, equal runs being one leaf. */
static Term choose_element(Mlir *m, const Attr *a, Term place, uint32_t from, uint32_t to) {
  TermTable *tt = m->tt;
  Term first = constant_term(m, program_get_attr(m->p, a->items[from]));
  bool same = true;
  for (uint32_t i = from + 1; i < to && same; i++)
    same = constant_term(m, program_get_attr(m->p, a->items[i])) == first;
  if (same) return first;
  uint32_t middle = from + (to - from) / 2;
  return choose(tt, term_lt(tt, place, term_int(tt, middle)), choose_element(m, a, place, from, middle),
                choose_element(m, a, place, middle, to));
}

/* A literal of many elements: an opaque table, named by what it holds, and read by place. */
static Term table_element(Mlir *m, const Attr *a, Term place) {
  uint64_t hash[2] = {0, 1};
  for (uint32_t i = 0; i < a->count; i++) {
    const Attr *item = program_get_attr(m->p, a->items[i]);
    uint64_t bits = item->kind == ATTR_FLOAT ? item->bits : (uint64_t)item->integer;
    hash[0] = hash_bytes(&bits, sizeof bits, hash[0]), hash[1] = hash_bytes(&bits, sizeof bits, hash[1] + 77);
  }
  Name name = intern_text(m->tt->names, arena_format(m->arena, "literal_%016llx%016llx_%u", (unsigned long long)hash[0],
                                                     (unsigned long long)hash[1], a->count));
  return term_opaque(m->tt, name, SORT_INT, 1, &place);
}

bool mlir_dense(Mlir *m, const Attr *a, MlirValue *out) {
  TermTable *tt = m->tt;
  const Type *t = mlir_type(m, a->type);
  Term extents[MLIR_RANK], place = tt->zero;
  if (a->kind != ATTR_DENSE || t->kind != TYPE_TENSOR) return false;
  for (uint32_t i = 0; i < t->rank; i++) extents[i] = term_int(tt, t->dims[i]);
  *out = mlir_tensor_new(m, t->element, t->rank, extents);
  for (uint32_t i = 0; i < t->rank; i++) place = term_add(tt, term_mul(tt, place, extents[i]), out->index[i]);
  bool is_bool = mlir_width(m, t->element) == 1;
  out->cell.poison = tt->false_;
  if (!a->count)
    out->cell.value = is_bool ? tt->false_ : tt->zero;
  else if (a->count <= DENSE_MOST)
    out->cell.value = choose_element(m, a, place, 0, a->count);
  else
    out->cell.value = table_element(m, a, place);
  if (a->count > DENSE_MOST && is_bool) return false;
  return true;
}

uint32_t mlir_integers(const Mlir *m, AttrId id, int64_t *out, uint32_t most) {
  const Attr *a = program_get_attr(m->p, id);
  if (!id || (a->kind != ATTR_ARRAY && a->kind != ATTR_DENSE)) return 0;
  uint32_t count = a->count;
  if (a->kind == ATTR_DENSE) { /* a splat stands for all */
    int64_t lanes = program_lane_count(m->p, a->type);
    if (count == 1 && lanes > 1 && lanes <= most) {
      for (int64_t i = 0; i < lanes; i++) out[i] = program_get_attr(m->p, a->items[0])->integer;
      return (uint32_t)lanes;
    }
  }
  for (uint32_t i = 0; i < count && i < most; i++) out[i] = program_get_attr(m->p, a->items[i])->integer;
  return count < most ? count : most;
}

/* ---- shapes ---- */

void mlir_need_equal(Mlir *m, Term a, Term b) {
  if (a != b) mlir_undefined(m, term_not(m->tt, term_eq(m->tt, a, b)));
}

void mlir_need_type(Mlir *m, MlirValue *v, TypeId type) {
  const Type *t = mlir_type(m, type);
  if (t->kind != TYPE_TENSOR || t->rank != v->rank) return;
  for (uint32_t i = 0; i < t->rank; i++) {
    Term size = t->dims[i] == TYPE_DYNAMIC ? 0 : term_int(m->tt, t->dims[i]);
    if (!size || size == v->extent[i]) continue;
    mlir_need_equal(m, v->extent[i], size);
    Term index = index_symbol(m->tt, size);
    v->cell = (Cell){term_replace(m->tt, v->cell.value, v->index[i], index),
                     term_replace(m->tt, v->cell.poison, v->index[i], index)};
    v->extent[i] = size, v->index[i] = index;
  }
}

void mlir_set(Mlir *m, const Op *op, uint32_t i, MlirValue v) {
  if (i < op->result_count) m->values[op->first_result + i] = v;
}

bool mlir_defines_size(TermTable *tt, Term undefined, Term *symbol, Term *value) {
  if (term_kind(tt, undefined) != TERM_NOT) return false;
  Term equation = term_arg(tt, undefined, 0);
  if (term_kind(tt, equation) != TERM_EQ) return false;
  Term t = term_arg(tt, equation, 0);
  if (term_count(tt, equation) == 2) t = term_sub(tt, t, term_arg(tt, equation, 1));
  if (term_sort(tt, t) != SORT_INT) return false;
  if (term_kind(tt, t) == TERM_SYM && term_symbol(tt, t)->role == SYMBOL_SIZE)
    return *symbol = t, *value = tt->zero, true;
  if (term_kind(tt, t) != TERM_ADD) return false;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term s = term_arg(tt, t, i + 1), k = term_arg(tt, t, i);
    if (term_kind(tt, s) != TERM_SYM || term_symbol(tt, s)->role != SYMBOL_SIZE) continue;
    if (k != tt->one && k != tt->minus_one) continue;
    Term rest = term_sub(tt, t, term_mul(tt, k, s));
    if (term_has_symbol(tt, rest, s)) continue;
    *symbol = s, *value = k == tt->one ? term_neg(tt, rest) : rest;
    return true;
  }
  return false;
}
