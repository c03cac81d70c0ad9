/* Values of MLIR as terms: scalars and tensors, constants, shapes (see mlir.h). */
#include "mlir/internal.h"

bool mlir_is_float(const Mlir *m, TypeId type) { return mlir_type(m, type)->kind == TYPE_FLOAT; }

uint32_t mlir_width(const Mlir *m, TypeId type) {
  const Type *t = mlir_type(m, type);
  return t->kind == TYPE_INDEX ? 64 : t->width;
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
  if (fact != tt->true_ && !m->loop_index) array_push(m->arena, &m->run->sizes, fact);
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

Term mlir_truncate(Mlir *m, Term t, uint32_t width) {
  TermTable *tt = m->tt;
  if (width > 1) {
    Int128 lo, hi, half = (Int128)1 << (width - 1);
    t = mlir_as_int(tt, t);
    return term_interval_of_symbols(tt, t, &lo, &hi) && lo >= -half && hi < half ? t : term_wrap(tt, width, t);
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

Term mlir_any(Mlir *m, uint32_t rank, const Term *index, const Term *extent, Term condition) {
  TermTable *tt = m->tt;
  for (uint32_t i = rank; i-- > 0;) {
    if (condition == tt->false_) return condition;
    if (!term_has_symbol(tt, condition, index[i])) {
      condition = term_and(tt, term_lt(tt, tt->zero, extent[i]), condition);
      continue;
    }
    condition = term_fold(tt, FOLD_ANY, index[i], tt->zero, extent[i], tt->true_, condition);
  }
  return condition;
}

/* ---- constants ---- */

static Term constant_term(Mlir *m, const Attr *a) {
  TermTable *tt = m->tt;
  const Type *t = mlir_type(m, a->type);
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
