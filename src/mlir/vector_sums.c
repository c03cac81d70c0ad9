/* vector.reduction, multi_reduction, contract and outerproduct, under a mask or not.
 *
 * In which order floats are added is left open, and whether products are rounded before: a step is an opaque function
 * of what was so far and what comes, of which nothing is known, unless sums are taken in any order (--reassociate) or
 * are those of reals, and all steps together are one again: two operations that go on from each other have fewer
 * orders than one. That two such differ refutes nothing (MlirRun.open_order). */
#include <math.h>

#include "mlir/internal.h"

static bool is(const char *a, const char *b) { return !strcmp(a, b); }
static const char *suffix(const Mlir *m, const Op *op) { return strchr(intern_string(m->p->names, op->name), '.') + 1; }

typedef struct Sum {
  const char *what, *kind; /* of the operation; add, mul, minsi, .. */
  TypeId type;
  bool has_product, is_masked;
} Sum;

/* add, mul, minui, .. ; NULL: it says none. */
static const char *kind_of(Mlir *m, const Op *op) {
  AttrId id = program_op_attr(m->p, op, "kind");
  const Attr *a = program_get_attr(m->p, id);
  if (!id) return "add";
  const char *text = a->kind == ATTR_KEYWORD || a->kind == ATTR_RAW ? intern_string(m->p->names, a->text) : "";
  const char *open = strchr(text, '<'), *close = strchr(text, '>');
  return open && close > open ? arena_copy(m->arena, open + 1, (size_t)(close - open - 1)) : *text ? text : NULL;
}

/* The same for floats and integers, of all releases; false: not of this type. */
static bool check_kind(const Mlir *m, TypeId type, const char **kind) {
  static const char *const floats[] = {"add", "mul", "maximumf", "minimumf", "maxnumf", "minnumf"};
  static const char *const integers[] = {"add", "mul", "maxsi", "minsi", "maxui", "minui", "and", "or", "xor"};
  bool is_float = mlir_is_float(m, type);
  const char *const *names = is_float ? floats : integers;
  if (!*kind) return false;
  if (is_float && is(*kind, "maxf")) *kind = "maxnumf"; /* 16, 17 */
  if (is_float && is(*kind, "minf")) *kind = "minnumf";
  for (size_t i = 0; i < (is_float ? sizeof floats : sizeof integers) / sizeof *names; i++)
    if (is(*kind, names[i])) return true;
  return false;
}

/* What changes nothing; of sums of floats, by one of two ways, +0. */
static Cell neutral(Mlir *m, TypeId type, const char *kind) {
  TermTable *tt = m->tt;
  if (mlir_is_float(m, type)) {
    bool is_number = (is(kind, "maxnumf") || is(kind, "minnumf")) && !m->flags.real;
    bool is_open = is(kind, "add") && !m->flags.real && !m->flags.negative_zero;
    if (is_open) m->run->open |= MLIR_FROM_ZERO;
    bool from_zero = is_open && (m->flags.ways & MLIR_FROM_ZERO);
    double value = is_number         ? NAN
                   : is(kind, "mul") ? 1
                   : kind[1] == 'a'  ? -INFINITY
                   : kind[0] == 'm'  ? INFINITY
                   : from_zero       ? 0.0
                                     : -0.0;
    return (Cell){floats_constant(&m->floats, mlir_type(m, type)->format, value), tt->false_};
  }
  uint32_t width = mlir_width(m, type);
  if (width == 1) /* true is -1 as a signed number */
    return (Cell){term_bool(tt, is(kind, "and") || is(kind, "minui") || is(kind, "maxsi") || is(kind, "mul")),
                  tt->false_};
  Term half = term_new_rat(tt, (Rational){(Int128)1 << (width - 1), 1}), value = tt->zero;
  if (is(kind, "mul")) value = tt->one;
  if (is(kind, "and") || is(kind, "minui")) value = term_neg(tt, tt->one);
  if (is(kind, "maxsi")) value = term_neg(tt, half);
  if (is(kind, "minsi")) value = term_sub(tt, half, tt->one);
  return (Cell){value, tt->false_};
}

static bool is_any_order(const Mlir *m, const Sum *s) {
  return m->flags.real || (m->flags.reassociate && (is(s->kind, "add") || is(s->kind, "mul")));
}

static bool has_open_order(const Mlir *m, const Sum *s) {
  bool is_exact = is(s->kind, "maximumf") || is(s->kind, "minimumf");
  return mlir_is_float(m, s->type) && !is_exact && !is_any_order(m, s);
}

static Term opaque(Mlir *m, const Sum *s, const char *part, uint32_t count, const Term *in) {
  const char *format = program_float_name(mlir_type(m, s->type)->format);
  const char *name = arena_format(m->arena, "vector.%s.%s.%s.%s", s->what, s->kind, part, format);
  return term_opaque(m->tt, intern_text(m->tt->names, name), SORT_INT, count, in);
}

static Cell combine(Mlir *m, const char *kind, TypeId type, Cell before, Cell next) {
  static const char *const combined[][2] = {{"add", "add"},  {"mul", "mul"}, {"maximumf", "max"}, {"minimumf", "min"},
                                            {"and", "andi"}, {"or", "ori"},  {"xor", "xori"}};
  const char *what = kind;
  for (size_t i = 0; i < sizeof combined / sizeof *combined; i++)
    if (is(kind, combined[i][0])) what = combined[i][1];
  if (m->flags.real && (is(what, "maxnumf") || is(what, "minnumf"))) what = what[1] == 'a' ? "max" : "min";
  return mlir_combine(m, what, type, before, next);
}

Cell mlir_vector_step(Mlir *m, const char *kind, TypeId type, Cell before, Cell next) {
  return check_kind(m, type, &kind) ? combine(m, kind, type, before, next) : (Cell){0};
}

/* One step: what comes is added to what was so far. */
static Cell step(Mlir *m, const Sum *s, Cell before, Cell next) {
  if (!has_open_order(m, s)) return combine(m, s->kind, s->type, before, next);
  Term in[2] = {before.value, next.value};
  m->run->open_order = true;
  return (Cell){opaque(m, s, "step", 2, in), term_or(m->tt, before.poison, next.poison)};
}

/* in: what comes, or the two factors; then the mask. */
static bool sum_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  const Sum *s = payload;
  Cell next = s->has_product ? mlir_combine(m, "mul", s->type, in[0], in[1]) : in[0];
  *yield = step(m, s, out[0], next);
  if (s->is_masked) *yield = mlir_choose(m, in[1 + s->has_product].value, *yield, out[0]);
  return yield->value || mlir_unsupported(m, op);
}

static MlirValue as_tensor(Mlir *m, const MlirValue *v) {
  MlirValue t = *v;
  if (v->kind != MLIR_SCALAR) return t;
  t = mlir_tensor_new(m, v->element, 0, NULL);
  t.cell = v->cell;
  return t;
}

static bool finish(Mlir *m, const Op *op, MlirValue v) {
  bool is_scalar = program_value_type(m->p, op->first_result)->kind != TYPE_TENSOR;
  if (is_scalar && v.rank) return mlir_unsupported(m, op);
  mlir_set(m, op, 0, is_scalar ? mlir_scalar(v.cell, v.element) : v);
  return true;
}

/* Over all of these inputs, which may be masked by the loops. */
static bool sum(Mlir *m, const Op *op, Sum *s, uint32_t loops, const Term *extents, uint32_t inputs,
                const MlirValue **values, const AffineMap **maps, const MlirValue *init, const AffineMap *to) {
  uint32_t all[MLIR_RANK];
  MlirValue result, start = as_tensor(m, init);
  /* flags that rule out values, or allow others: fast-math ones that allow another result are seen in refine.c */
  if (mlir_has_flag(m, op, "nnan") || mlir_has_flag(m, op, "ninf") || mlir_has_flag(m, op, "fast"))
    return mlir_unsupported(m, op);
  if (start.kind != MLIR_TENSOR || start.element != s->type || !check_kind(m, s->type, &s->kind))
    return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < inputs; i++)
    if (values[i]->kind != MLIR_TENSOR || values[i]->element != s->type) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < loops; i++) all[i] = i;
  if (m->mask) {
    if (!mlir_fits_mask(m, m->mask, loops, extents)) return mlir_unsupported(m, op);
    values[inputs] = m->mask, maps[inputs] = mlir_dims_map(m, loops, loops, all);
    inputs++, s->is_masked = true;
  }
  values[inputs] = &start, maps[inputs] = to;
  if (!mlir_structured(m, op, loops, inputs, 1, (const MlirValue *const *)values, (const AffineMap *const *)maps,
                       sum_body, s, &result))
    return false;
  if (has_open_order(m, s)) result.cell.value = opaque(m, s, "all", 1, &result.cell.value);
  return finish(m, op, result);
}

static bool reduce(Mlir *m, const Op *op, const MlirValue *from, const bool *gone, const MlirValue *init) {
  Sum s = {.what = suffix(m, op), .kind = kind_of(m, op), .type = from->element};
  uint32_t all[MLIR_RANK], kept[MLIR_RANK], count = 0;
  const MlirValue *values[3] = {from};
  const AffineMap *maps[3];
  MlirValue start;
  for (uint32_t i = 0; i < from->rank; i++) {
    all[i] = i;
    if (!gone[i]) kept[count++] = i;
  }
  if (!init) {
    if (!check_kind(m, s.type, &s.kind)) return mlir_unsupported(m, op);
    start = mlir_scalar(neutral(m, s.type, s.kind), s.type), init = &start;
  }
  maps[0] = mlir_dims_map(m, from->rank, from->rank, all);
  return sum(m, op, &s, from->rank, from->extent, 1, values, maps, init, mlir_dims_map(m, from->rank, count, kept));
}

/* Of so many lanes, the first of which is what the others are added to. */
static bool reduce_from_first(Mlir *m, const Op *op, const MlirValue *from, int64_t lanes) {
  TermTable *tt = m->tt;
  Term zero = tt->zero, rest = term_int(tt, lanes - 1);
  MlirValue start = mlir_scalar(mlir_element(m, from, &zero), from->element);
  MlirValue others = mlir_tensor_new(m, from->element, 1, &rest);
  Term next = term_add(tt, others.index[0], tt->one);
  others.cell = mlir_element(m, from, &next);
  return reduce(m, op, &others, (const bool[]){true}, &start);
}

bool mlir_vector_reduction(Mlir *m, const Op *op) {
  const MlirValue *from = op->operand_count ? mlir_operand(m, op, 0) : NULL;
  const char *kind = kind_of(m, op);
  int64_t lanes;
  if (!from || from->kind != MLIR_TENSOR || from->rank > 1) return mlir_unsupported(m, op);
  bool is_extremum = kind && (is(kind, "maximumf") || is(kind, "minimumf"));
  if (is_extremum && op->operand_count == 1 && !m->mask && from->rank && term_is_int(m->tt, from->extent[0], &lanes) &&
      lanes > 0)
    return reduce_from_first(m, op, from, lanes);
  return reduce(m, op, from, (const bool[]){true}, op->operand_count > 1 ? mlir_operand(m, op, 1) : NULL);
}

bool mlir_multi_reduction(Mlir *m, const Op *op) {
  bool gone[MLIR_RANK] = {false};
  int64_t dims[MLIR_RANK];
  AttrId id = program_op_attr(m->p, op, "reduction_dims");
  uint32_t count = id ? mlir_integers(m, id, dims, MLIR_RANK) : UINT32_MAX;
  const MlirValue *from = op->operand_count == 2 ? mlir_operand(m, op, 0) : NULL;
  if (!from || from->kind != MLIR_TENSOR || count > from->rank) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < count; i++) {
    if (dims[i] < 0 || dims[i] >= from->rank || gone[dims[i]]) return mlir_unsupported(m, op);
    gone[dims[i]] = true;
  }
  return reduce(m, op, from, gone, mlir_operand(m, op, 1));
}

/* acc[map of the third] += a[map] * b[map], over dimensions whose sizes are those of a and b. */
bool mlir_contract(Mlir *m, const Op *op) {
  const Attr *list = program_get_attr(m->p, program_op_attr(m->p, op, "indexing_maps"));
  const MlirValue *values[4];
  const AffineMap *maps[4];
  Term extents[MLIR_RANK] = {0};
  if (op->operand_count != 3 || list->kind != ATTR_ARRAY || list->count != 3) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < 3; i++) {
    maps[i] = program_get_attr(m->p, list->items[i])->map;
    const MlirValue *v = mlir_operand(m, op, i);
    if (!maps[i] || maps[i]->symbols || maps[i]->dims > MLIR_RANK || maps[i]->dims != maps[0]->dims)
      return mlir_unsupported(m, op);
    if (i < 2 && (v->kind != MLIR_TENSOR || v->rank != maps[i]->result_count)) return mlir_unsupported(m, op);
    for (uint32_t k = 0; k < maps[i]->result_count; k++) {
      const AffineNode *n = &maps[i]->nodes[maps[i]->results[k]];
      if (n->kind != AFFINE_DIM || n->value >= maps[0]->dims) return mlir_unsupported(m, op);
      if (i < 2) extents[n->value] = v->extent[k];
    }
  }
  for (uint32_t d = 0; d < maps[0]->dims; d++)
    if (!extents[d]) return mlir_unsupported(m, op);
  Sum s = {"contract", kind_of(m, op), mlir_operand(m, op, 2)->element, .has_product = true};
  values[0] = mlir_operand(m, op, 0), values[1] = mlir_operand(m, op, 1);
  return sum(m, op, &s, maps[0]->dims, extents, 2, values, maps, mlir_operand(m, op, 2), maps[2]);
}

/* a[i] * b[j], or a[i] * b, onto the third operand if there is one. */
bool mlir_outerproduct(Mlir *m, const Op *op) {
  if (op->operand_count < 2 || m->mask) return mlir_unsupported(m, op);
  const MlirValue *a = mlir_operand(m, op, 0), *b = mlir_operand(m, op, 1);
  const MlirValue *c = op->operand_count > 2 ? mlir_operand(m, op, 2) : NULL;
  Sum s = {.what = "outerproduct", .kind = kind_of(m, op), .type = a->element};
  if (a->kind != MLIR_TENSOR || a->rank != 1 || (b->kind == MLIR_TENSOR && b->rank != 1) || b->kind == MLIR_MEMREF ||
      a->element != b->element || !check_kind(m, s.type, &s.kind) || (c && c->kind != MLIR_TENSOR))
    return mlir_unsupported(m, op);
  Term extents[2] = {a->extent[0], b->kind == MLIR_TENSOR ? b->extent[0] : 0};
  MlirValue v = mlir_tensor_new(m, a->element, b->kind == MLIR_TENSOR ? 2 : 1, extents);
  Cell own = mlir_element(m, a, v.index), other = b->kind == MLIR_TENSOR ? mlir_element(m, b, v.index + 1) : b->cell;
  v.cell = mlir_combine(m, "mul", s.type, own, other);
  if (c && (c->rank != v.rank || c->element != s.type)) return mlir_unsupported(m, op);
  if (c) v.cell = step(m, &s, mlir_element(m, c, v.index), v.cell);
  return finish(m, op, v);
}
