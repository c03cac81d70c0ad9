/* linalg: structured operations over loops, by their indexing maps.
 *
 * The bounds of the loops come from the first operand dimension whose map is that loop alone; every access must lie
 * inside of its operand, dimensions that are a loop alone must have its size, else the operation is undefined. Its
 * body runs once, on symbols for the loops. An output is indexed by the loops of its map; over the others its element
 * is a recurrence in the order that is written, one index running through them all in row-major order. No sum is made
 * of floats; of integers, where the body adds what does not depend on the element, it is one. */
#include "mlir/internal.h"

static Term *evaluate(TermTable *tt, const AffineMap *map, uint32_t count, const Term *dims, const Term *symbols) {
  Term *t = arena_array(tt->arena, Term, map->node_count + 1);
  for (uint32_t i = 0; i < count && i < map->node_count; i++) {
    const AffineNode *n = &map->nodes[i];
    Term a = t[n->left], b = t[n->right];
    switch (n->kind) {
    case AFFINE_CONSTANT: t[i] = term_int(tt, n->value); break;
    case AFFINE_DIM: t[i] = dims[n->value]; break;
    case AFFINE_SYMBOL: t[i] = symbols[n->value]; break;
    case AFFINE_ADD: t[i] = term_add(tt, a, b); break;
    case AFFINE_MUL: t[i] = term_mul(tt, a, b); break;
    case AFFINE_MOD: t[i] = term_mod(tt, a, b); break;
    case AFFINE_FLOORDIV: t[i] = term_floordiv(tt, a, b); break;
    case AFFINE_CEILDIV: t[i] = term_cdiv(tt, a, b); break;
    }
  }
  return t;
}

Term mlir_affine(TermTable *tt, const AffineMap *map, uint32_t result, const Term *dims, const Term *symbols) {
  return evaluate(tt, map, result + 1, dims, symbols)[result];
}

static bool is_division(const AffineNode *n) {
  return n->kind == AFFINE_MOD || n->kind == AFFINE_FLOORDIV || n->kind == AFFINE_CEILDIV;
}

Term mlir_leaves_index(TermTable *tt, Term t) {
  if (mlir_wrap_index(tt, t) == t) return tt->false_;
  return term_or(tt, term_lt(tt, t, term_int(tt, INT64_MIN)), term_lt(tt, term_int(tt, INT64_MAX), t));
}

bool mlir_need_divisions(Mlir *m, const AffineMap *map, const Term *dims, const Term *symbols, Term *leaves) {
  TermTable *tt = m->tt;
  Term *t = evaluate(tt, map, map->node_count, dims, symbols);
  Term any = *leaves = tt->false_;
  for (uint32_t i = 0; i < map->node_count; i++) {
    any = term_or(tt, any, mlir_leaves_index(tt, t[i]));
    if (!is_division(&map->nodes[i])) continue;
    Term bad = term_le(tt, t[map->nodes[i].right], tt->zero);
    if (bad == tt->true_) return false;
    mlir_undefined(m, bad);
    *leaves = term_or(tt, *leaves, mlir_leaves_index(tt, t[map->nodes[i].left]));
  }
  m->run->leaves_index |= any != tt->false_;
  if (m->flags.stays_index) mlir_undefined(m, any);
  return true;
}

/* Divisors are positive constants; 0 or less is not executed. */
bool mlir_is_plain_map(const AffineMap *map) {
  for (uint32_t i = 0; i < map->node_count; i++) {
    const AffineNode *n = &map->nodes[i];
    if (!is_division(n)) continue;
    const AffineNode *d = &map->nodes[n->right];
    if (d->kind != AFFINE_CONSTANT || d->value <= 0) return false;
  }
  return true;
}

static bool is_dim(const AffineMap *map, uint32_t k, uint32_t *dim) {
  const AffineNode *n = &map->nodes[map->results[k]];
  *dim = (uint32_t)n->value;
  return n->kind == AFFINE_DIM;
}

static bool find_bounds(Mlir *m, MlirLoops *loops, uint32_t operands, const MlirValue *const *values,
                        const AffineMap *const *maps) {
  for (uint32_t i = 0; i < operands; i++)
    for (uint32_t k = 0; k < maps[i]->result_count && values[i]->kind == MLIR_TENSOR; k++) {
      uint32_t dim;
      if (is_dim(maps[i], k, &dim) && dim < loops->count && !loops->extent[dim])
        loops->extent[dim] = values[i]->extent[k];
    }
  for (uint32_t d = 0; d < loops->count; d++) {
    if (!loops->extent[d]) return false;
    loops->symbol[d] = term_symbol_fresh(m->tt, "d", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(m->tt, loops->symbol[d], m->tt->zero, term_sub(m->tt, loops->extent[d], m->tt->one));
  }
  return true;
}

/* All loops run at least once. */
static Term runs(Mlir *m, const MlirLoops *loops) {
  Term all = m->tt->true_;
  for (uint32_t d = 0; d < loops->count; d++) all = term_and(m->tt, all, term_lt(m->tt, m->tt->zero, loops->extent[d]));
  return all;
}

static void need_accesses(Mlir *m, const MlirLoops *loops, const MlirValue *v, const AffineMap *map,
                          const Term *index) {
  TermTable *tt = m->tt;
  for (uint32_t k = 0; k < map->result_count; k++) {
    uint32_t dim;
    if (is_dim(map, k, &dim)) {
      mlir_need_equal(m, v->extent[k], loops->extent[dim]);
      continue;
    }
    Term outside = term_or(tt, term_lt(tt, index[k], tt->zero), term_le(tt, v->extent[k], index[k]));
    mlir_undefined(m, term_and(tt, runs(m, loops), mlir_any(m, loops->count, loops->symbol, loops->extent, outside)));
  }
}

/* ---- outputs ---- */

#define NO_LOOP UINT32_MAX

typedef struct Output {
  MlirValue *value;     /* before; then the result */
  const MlirValue *old; /* all of it, before */
  Term state, poisoned; /* symbols for the element and its poison during the body */
  Cell yield;
  uint32_t loop_of[MLIR_RANK]; /* by dimension; NO_LOOP: its place is always `at` */
  Term at[MLIR_RANK];
  bool is_bool, is_whole; /* whole: each element is written once */
} Output;

/* The loops of the map, each once, and constants. */
static bool output_loops(TermTable *tt, const MlirLoops *loops, const AffineMap *map, Output *o, bool *is_own) {
  for (uint32_t k = 0; k < map->result_count; k++) {
    const AffineNode *n = &map->nodes[map->results[k]];
    uint32_t dim;
    if (n->kind == AFFINE_CONSTANT) {
      o->loop_of[k] = NO_LOOP, o->at[k] = term_int(tt, n->value);
      continue;
    }
    if (!is_dim(map, k, &dim) || dim >= loops->count || is_own[dim]) return false;
    is_own[dim] = true, o->loop_of[k] = dim;
  }
  return true;
}

TermSort mlir_state_sort(const Mlir *m, TypeId element) {
  return mlir_element_sort(m->floats.real, mlir_type(m, element));
}

Term mlir_state_symbol(TermTable *tt, const char *name, TermSort sort) {
  return term_read(tt, term_symbol_fresh(tt, name, sort, SYMBOL_CARRY), sort, 0, NULL);
}

/* A sum of integers modulo 2^w: next = state + e, where e does not depend on the state. */
static Term integer_sum(Mlir *m, uint32_t width, Term state, Term init, Term next, Term index, Term steps) {
  TermTable *tt = m->tt;
  if (width < 2) return 0;
  Term inner = term_kind(tt, next) == TERM_WRAP && term_aux(tt, next) == width ? term_arg(tt, next, 0) : next;
  Term e = term_sub(tt, inner, state), symbol = term_arg(tt, state, 0);
  if (term_has_symbol(tt, e, symbol)) return 0;
  Term sum = term_fold(tt, FOLD_SUM, index, tt->zero, steps, tt->true_, e);
  return term_wrap(tt, width, term_add(tt, init, sum));
}

/* What a step adds to the state, of sums in any order: items(next) - item(state); 0: that is not all. */
static Term summand(TermTable *tt, Term items, Term item, Term symbol) {
  if (term_kind(tt, items) == TERM_SELECT && !term_has_symbol(tt, term_arg(tt, items, 0), symbol)) {
    Term a = summand(tt, term_arg(tt, items, 1), item, symbol), b = summand(tt, term_arg(tt, items, 2), item, symbol);
    return a && b ? term_select(tt, term_arg(tt, items, 0), a, b) : 0;
  }
  Term e = term_sub(tt, items, item);
  return term_has_symbol(tt, e, symbol) ? 0 : e;
}

static Term sum_in_any_order(Mlir *m, TypeId element, Term state, Term start, Term next, Term index, Term steps) {
  TermTable *tt = m->tt;
  Floats *f = &m->floats;
  if (!mlir_is_float(m, element) || !m->floats.reassociate) return 0;
  FloatFormat format = mlir_type(m, element)->format;
  Term symbol = term_arg(tt, state, 0);
  Term e = summand(tt, floats_items(f, format, next), floats_items(f, format, state), symbol);
  if (!e) return 0;
  Term sum = term_fold(tt, FOLD_SUM, index, tt->zero, steps, tt->true_, e);
  return floats_sum(f, format, term_add(tt, floats_items(f, format, start), sum));
}

/* A sum, product or extremum of reals: init OP fold; 0: it is none. */
static Term real_fold(Mlir *m, TypeId element, Term state, Term start, Term next, Term index, Term steps) {
  TermTable *tt = m->tt;
  Term symbol = term_arg(tt, state, 0), e = term_sub(tt, next, state);
  TermKind kind = term_kind(tt, next);
  if (!m->floats.real || !mlir_is_float(m, element)) return 0;
  if (!term_has_symbol(tt, e, symbol))
    return term_add(tt, start, term_fold(tt, FOLD_SUM, index, tt->zero, steps, tt->true_, e));
  if (kind == TERM_MUL) {
    e = tt->one;
    bool once = false;
    for (uint32_t i = 0; i < term_count(tt, next); i += 2) {
      bool here = term_arg(tt, next, i) == state && term_arg(tt, next, i + 1) == tt->one;
      once |= here;
      if (!here) e = term_mul(tt, e, term_power(tt, term_arg(tt, next, i), term_rat(tt, term_arg(tt, next, i + 1))));
    }
    if (!once || term_has_symbol(tt, e, symbol)) return 0;
    return term_mul(tt, start, term_fold(tt, FOLD_PROD, index, tt->zero, steps, tt->true_, e));
  }
  if (kind != TERM_MAX && kind != TERM_MIN) return 0;
  bool max = kind == TERM_MAX, once = false;
  e = 0;
  for (uint32_t i = 0; i < term_count(tt, next); i++) {
    Term part = term_arg(tt, next, i);
    once |= part == state;
    if (part != state) e = !e ? part : max ? term_max(tt, e, part) : term_min(tt, e, part);
  }
  if (!once || !e || term_has_symbol(tt, e, symbol)) return 0;
  Term fold = term_fold(tt, max ? FOLD_MAX : FOLD_MIN, index, tt->zero, steps, tt->true_, e);
  return max ? term_max(tt, start, fold) : term_min(tt, start, fold);
}

/* A sum of floats that starts from +0 starts from -0 (--negative-zero). */
static Term start_of_sum(Mlir *m, TypeId element, Term state, Term start, Term next) {
  FloatOp op;
  FloatFormat format;
  if (!m->flags.negative_zero || m->floats.real || start != m->tt->zero || !mlir_is_float(m, element)) return start;
  if (!floats_is(m->tt, next, &op, &format) || (op != FLOAT_ADD && op != FLOAT_SUM)) return start;
  if (op == FLOAT_ADD && term_arg(m->tt, next, 0) != state && term_arg(m->tt, next, 1) != state) return start;
  return floats_constant(&m->floats, format, -0.0);
}

/* The value after all steps, and its poison; `state` and `poisoned` stand for them before a step. */
Cell mlir_recur(Mlir *m, TypeId element, Term state, Term poisoned, Term index, Term steps, Cell init, Cell next) {
  TermTable *tt = m->tt;
  uint32_t width = mlir_width(m, element);
  Cell out;
  Term value = mlir_as_int(tt, next.value), start = start_of_sum(m, element, state, mlir_as_int(tt, init.value), value);
  Term poison = mlir_as_int(tt, next.poison), poison_start = mlir_as_int(tt, init.poison);
  Term state_name = term_arg(tt, state, 0), poison_name = term_arg(tt, poisoned, 0);
  bool alone = !term_has_symbol(tt, value, poison_name);
  Term one = value, own = index, all = steps, sum = 0; /* of what is unrolled, one step */
  if (alone && (!mlir_is_float(m, element) || m->floats.reassociate)) mlir_rolled(tt, state, &one, &own, &all);
  if (alone && !mlir_is_float(m, element)) sum = integer_sum(m, width, state, start, one, own, all);
  if (!sum) sum = sum_in_any_order(m, element, state, start, one, own, all);
  if (!sum) sum = real_fold(m, element, state, start, value, index, steps);
  Term init2[2] = {start, poison_start}, next2[2] = {value, poison}, state2[2] = {state, poisoned};
  out.value = sum     ? sum
              : alone ? mlir_recurrence(tt, state, start, value, index, steps)
                      : term_recur(tt, 2, 0, index, steps, init2, next2, state2);
  if (width == 1) out.value = mlir_as_bool(tt, out.value);
  if (!term_has_symbol(tt, poison, state_name)) { /* poison once is poison for ever: there is one that is */
    Term kept = term_replace(tt, next.poison, poisoned, tt->one);
    Term fresh = term_replace(tt, next.poison, poisoned, tt->zero);
    if (kept == tt->true_) {
      out.poison = term_or(tt, init.poison, mlir_any(m, 1, &index, &steps, fresh));
      return out;
    }
    if (fresh == tt->false_ && init.poison == tt->false_) { /* and what is none stays none */
      out.poison = tt->false_;
      return out;
    }
    if (kept == tt->false_ && fresh == tt->false_) {
      out.poison = term_and(tt, term_le(tt, steps, tt->zero), init.poison);
      return out;
    }
  }
  out.poison = mlir_as_bool(tt, term_recur(tt, 2, 1, index, steps, init2, next2, state2));
  return out;
}

/* The loops that are not the output's, as digits of one index: `to` by loop. Its number of steps. */
static Term digits(Mlir *m, const MlirLoops *loops, const bool *is_own, Term *index, Term *to) {
  TermTable *tt = m->tt;
  uint32_t last = UINT32_MAX, count = 0;
  Term steps = tt->one;
  for (uint32_t d = 0; d < loops->count; d++)
    if (!is_own[d] && loops->extent[d] != tt->one) last = d, count++, steps = term_mul(tt, steps, loops->extent[d]);
  for (uint32_t d = 0; d < loops->count; d++) to[d] = loops->extent[d] == tt->one ? tt->zero : loops->symbol[d];
  if (!count) { /* one step, or none */
    *index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, *index, tt->zero, tt->zero);
    for (uint32_t d = 0; d < loops->count; d++)
      if (is_own[d]) to[d] = loops->symbol[d];
    return steps;
  }
  for (uint32_t d = 0; d < loops->count; d++)
    if (is_own[d]) to[d] = loops->symbol[d];
  if (count == 1) {
    *index = loops->symbol[last];
    return steps;
  }
  *index = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, *index, tt->zero, term_sub(tt, steps, tt->one));
  Term rest = *index, width = tt->one;
  for (uint32_t d = loops->count; d-- > 0;) {
    if (is_own[d] || loops->extent[d] == tt->one) continue;
    width = term_mul(tt, width, loops->extent[d]);
    Term row = --count ? term_floordiv(tt, *index, width) : tt->zero;
    to[d] = term_sub(tt, rest, term_mul(tt, row, loops->extent[d]));
    rest = row;
  }
  return steps;
}

static Cell substitute(TermTable *tt, Cell cell, const MlirLoops *loops, const Term *to) {
  TermMap map = {loops->count, loops->symbol, to};
  return (Cell){term_substitute(tt, cell.value, map), term_substitute(tt, cell.poison, map)};
}

static bool mentions(TermTable *tt, const Output *o, Cell cell) {
  Term names[2] = {term_arg(tt, o->state, 0), term_arg(tt, o->poisoned, 0)};
  for (int i = 0; i < 2; i++)
    if (term_has_symbol(tt, cell.value, names[i]) || term_has_symbol(tt, cell.poison, names[i])) return true;
  return false;
}

static bool mentions_others(TermTable *tt, const Output *all, uint32_t count, uint32_t own, Cell cell) {
  for (uint32_t i = 0; i < count; i++)
    if (i != own && mentions(tt, &all[i], cell)) return true;
  return false;
}

/* An element that another output writes at every iteration is that one's before it only where no loop is left. */
static Cell without_states(Mlir *m, const Output *all, uint32_t count, Cell cell) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < count; i++) {
    Cell old = all[i].value->cell; /* over the loops of its map, which are its indices by now */
    Term value = mlir_as_int(tt, old.value), poison = mlir_as_int(tt, old.poison);
    Term from[2] = {all[i].state, all[i].poisoned}, to[2] = {value, poison};
    TermMap map = {2, from, to};
    cell = (Cell){term_substitute(tt, cell.value, map), term_substitute(tt, cell.poison, map)};
  }
  return cell;
}

/* By induction: no state starts as poison, and none becomes it where none is. Values and poison take turns. */
static bool stays_free_of_poison(TermTable *tt, uint32_t n, const Term *init, const Term *next, const Term *state) {
  Term from[RECUR_STATES], to[RECUR_STATES];
  for (uint32_t i = 0; i < n / 2; i++) from[i] = state[2 * i + 1], to[i] = tt->zero;
  for (uint32_t i = 1; i < n; i += 2)
    if (init[i] != tt->zero || term_substitute(tt, next[i], (TermMap){n / 2, from, to}) != tt->zero) return false;
  return true;
}

/* Outputs whose elements are made of each other, over the same loops: one recurrence of all their values. */
static bool recur_together(Mlir *m, const Op *op, const MlirLoops *loops, const Output *all, uint32_t count,
                           uint32_t own, bool (*is_own)[MLIR_RANK], Cell *out) {
  TermTable *tt = m->tt;
  Term init[RECUR_STATES], next[RECUR_STATES], state[RECUR_STATES], index, to[MLIR_RANK];
  uint32_t n = 0, which = 0;
  Term steps = digits(m, loops, is_own[own], &index, to);
  for (uint32_t i = 0; i < count; i++) {
    if (all[i].is_whole) continue;
    if (memcmp(is_own[i], is_own[own], sizeof is_own[i]) != 0 || n + 2 > RECUR_STATES) return mlir_unsupported(m, op);
    Cell yield = substitute(tt, all[i].yield, loops, to);
    for (uint32_t k = 0; k < count; k++)
      if (all[k].is_whole && mentions(tt, &all[k], yield)) return mlir_unsupported(m, op);
    which = i == own ? n : which;
    init[n] = mlir_as_int(tt, all[i].value->cell.value), init[n + 1] = mlir_as_int(tt, all[i].value->cell.poison);
    next[n] = mlir_as_int(tt, yield.value), next[n + 1] = mlir_as_int(tt, yield.poison);
    state[n] = all[i].state, state[n + 1] = all[i].poisoned;
    n += 2;
  }
  out->value = term_recur(tt, n, which, index, steps, init, next, state);
  if (stays_free_of_poison(tt, n, init, next, state)) return out->poison = tt->false_, true;
  out->poison = mlir_as_bool(tt, term_recur(tt, n, which + 1, index, steps, init, next, state));
  return true;
}

/* The index of a dimension of an output during the loops. */
static Term place_of(const Output *o, const MlirLoops *loops, uint32_t k) {
  return o->loop_of[k] == NO_LOOP ? o->at[k] : loops->symbol[o->loop_of[k]];
}

/* Elements at other places than the constant ones of the map stay. */
static void keep_others(Mlir *m, const Output *o, MlirValue *result) {
  TermTable *tt = m->tt;
  Term here = tt->true_;
  for (uint32_t k = 0; k < result->rank; k++) {
    if (o->loop_of[k] != NO_LOOP) continue;
    result->index[k] = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, result->index[k], tt->zero, term_sub(tt, result->extent[k], tt->one));
    if (result->extent[k] != tt->one) here = term_and(tt, here, term_eq(tt, result->index[k], o->at[k]));
  }
  if (here != tt->true_) result->cell = mlir_choose(m, here, result->cell, mlir_element(m, o->old, result->index));
}

static bool finish_output(Mlir *m, const Op *op, const MlirLoops *loops, const Output *all, uint32_t count,
                          uint32_t own, bool (*is_own)[MLIR_RANK], MlirValue *result) {
  TermTable *tt = m->tt;
  const Output *o = &all[own];
  Term index, to[MLIR_RANK];
  *result = *o->value;
  result->kind = MLIR_TENSOR;
  Cell init = o->value->cell;
  for (uint32_t k = 0; k < result->rank; k++) result->index[k] = place_of(o, loops, k);
  if (o->is_whole) {
    for (uint32_t i = 0; i < count; i++) /* of one that is written more than once it is not the old element */
      if (i != own && !all[i].is_whole && mentions(tt, &all[i], o->yield)) return mlir_unsupported(m, op);
    digits(m, loops, is_own[own], &index, to);
    result->cell = substitute(tt, without_states(m, all, count, o->yield), loops, to);
  } else if (mentions_others(tt, all, count, own, o->yield)) {
    if (!recur_together(m, op, loops, all, count, own, is_own, &result->cell)) return false;
  } else {
    Term steps = digits(m, loops, is_own[own], &index, to);
    result->cell = mlir_recur(m, o->value->element, o->state, o->poisoned, index, steps, init,
                              substitute(tt, o->yield, loops, to));
  }
  if (o->is_bool) result->cell.value = mlir_as_bool(tt, result->cell.value);
  keep_others(m, o, result);
  return true;
}

static MlirValue with_loops_as_indices(Mlir *m, const MlirValue *v, const Output *o, const MlirLoops *loops) {
  Term index[MLIR_RANK];
  MlirValue out = *v;
  for (uint32_t k = 0; k < v->rank; k++) index[k] = place_of(o, loops, k);
  out.cell = mlir_element(m, v, index);
  for (uint32_t k = 0; k < v->rank; k++) out.index[k] = index[k];
  return out;
}

static bool check_map(const AffineMap *map, const MlirValue *v, uint32_t loops) {
  if (!map || map->dims != loops || map->symbols || map->equal || !mlir_is_plain_map(map)) return false;
  return v->kind == MLIR_TENSOR ? map->result_count == v->rank : v->kind == MLIR_SCALAR && !map->result_count;
}

enum { MOST_OPERANDS = 32 };

static bool run_structured(Mlir *m, const Op *op, uint32_t loop_count, uint32_t inputs, uint32_t outputs,
                           const MlirValue *const *values, const AffineMap *const *maps, MlirBody *body, void *payload,
                           MlirValue *results) {
  TermTable *tt = m->tt;
  MlirLoops loops = {.count = loop_count};
  Output all[MOST_OPERANDS] = {{0}};
  MlirValue before[MOST_OPERANDS];
  bool is_own[MOST_OPERANDS][MLIR_RANK] = {{false}};
  Cell in[MOST_OPERANDS], out[MOST_OPERANDS], yield[MOST_OPERANDS];
  if (loop_count > MLIR_RANK || inputs + outputs > MOST_OPERANDS) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < inputs + outputs; i++)
    if (!check_map(maps[i], values[i], loop_count)) return mlir_unsupported(m, op);
  if (!find_bounds(m, &loops, inputs + outputs, values, maps)) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < inputs + outputs; i++) {
    Term index[MLIR_RANK];
    for (uint32_t k = 0; k < maps[i]->result_count; k++)
      index[k] = mlir_affine(tt, maps[i], maps[i]->results[k], loops.symbol, NULL);
    if (values[i]->kind == MLIR_TENSOR) need_accesses(m, &loops, values[i], maps[i], index);
    if (i < inputs) in[i] = values[i]->kind == MLIR_TENSOR ? mlir_element(m, values[i], index) : values[i]->cell;
  }
  for (uint32_t i = 0; i < outputs; i++) {
    Output *o = &all[i];
    const MlirValue *v = values[inputs + i];
    if (v->kind != MLIR_TENSOR || !output_loops(tt, &loops, maps[inputs + i], o, is_own[i]))
      return mlir_unsupported(m, op);
    o->old = v;
    before[i] = with_loops_as_indices(m, v, o, &loops);
    o->value = &before[i];
    o->is_bool = mlir_width(m, v->element) == 1;
    o->is_whole = true;
    for (uint32_t d = 0; d < loops.count; d++) o->is_whole &= is_own[i][d] || loops.extent[d] == tt->one;
    o->state = mlir_state_symbol(tt, "state", mlir_state_sort(m, v->element));
    o->poisoned = mlir_state_symbol(tt, "poisoned", SORT_INT);
    out[i] = (Cell){o->is_bool ? mlir_as_bool(tt, o->state) : o->state, mlir_as_bool(tt, o->poisoned)};
  }
  const Term *outer = m->loop_index;
  uint32_t outer_rank = m->loop_rank;
  Term undefined = m->ub;
  m->ub = tt->false_, m->loop_index = loops.symbol, m->loop_rank = loops.count;
  bool good = body(m, op, payload, in, out, yield);
  Term own = m->ub;
  m->ub = undefined, m->loop_index = outer, m->loop_rank = outer_rank;
  if (!good) return false;
  if (own != tt->false_) {
    for (uint32_t i = 0; i < outputs; i++)
      if (term_has_symbol(tt, own, term_arg(tt, all[i].state, 0)) ||
          term_has_symbol(tt, own, term_arg(tt, all[i].poisoned, 0))) {
        if (!all[i].is_whole) return mlir_unsupported(m, op);
        own = without_states(m, &all[i], 1, (Cell){own, tt->false_}).value;
      }
    mlir_undefined(m, mlir_any(m, loops.count, loops.symbol, loops.extent, own));
  }
  for (uint32_t i = 0; i < outputs; i++) {
    bool reduces = false; /* in one step */
    for (uint32_t d = 0; d < loops.count; d++) reduces |= !is_own[i][d];
    all[i].yield = yield[i];
    if (reduces && all[i].is_whole)
      before[i].cell.value =
          start_of_sum(m, before[i].element, all[i].state, before[i].cell.value, mlir_as_int(tt, yield[i].value));
  }
  for (uint32_t i = 0; i < outputs; i++)
    if (!finish_output(m, op, &loops, all, outputs, i, is_own, &results[i])) return false;
  return true;
}

/* The input is the output, and each iteration reads but the element that it writes: one after the other they do what
 * they would do at once. Two arguments are no such case, even where a caller passes one place for both. */
static bool is_in_place(Mlir *m, const MlirValue *a, const MlirValue *b, const AffineMap *p, const AffineMap *q,
                        uint32_t loops) {
  bool seen[MLIR_RANK] = {false};
  if (a->argument != b->argument || a->block != b->block || a->offset != b->offset) return false;
  if (a->rank != b->rank || a->rank != loops) return false;
  for (uint32_t k = 0; k < loops; k++) {
    uint32_t d, e;
    if (a->extent[k] != b->extent[k] || a->stride[k] != b->stride[k]) return false;
    if (!is_dim(p, k, &d) || !is_dim(q, k, &e) || d != e || d >= loops || seen[d]) return false;
    seen[d] = true;
  }
  return mlir_is_contiguous(m, a);
}

/* An input of a generic that its body does not use: what it holds, and where it is, do not count. */
static bool is_unused(const Mlir *m, const Op *op, uint32_t input) {
  if (strcmp(intern_string(m->p->names, op->name), "linalg.generic") != 0) return false;
  const Block *block = program_get_block(m->p, program_get_region(m->p, op->regions[0])->blocks.data[0]);
  for (OpId id = 1; id < m->p->ops.count; id++) {
    const Op *user = program_get_op(m->p, id);
    for (uint32_t k = 0; k < user->operand_count; k++)
      if (user->operands[k] == block->first_arg + input) return false;
  }
  return true;
}

/* On memrefs: the inputs are loaded, and the results stored to the outputs, which must be apart from all others but in
 * place. The results are those of tensors. */
bool mlir_structured(Mlir *m, const Op *op, uint32_t loops, uint32_t inputs, uint32_t outputs,
                     const MlirValue *const *values, const AffineMap *const *maps, MlirBody *body, void *payload,
                     MlirValue *results) {
  MlirValue tensors[MOST_OPERANDS], all[MOST_OPERANDS];
  const MlirValue *in[MOST_OPERANDS];
  uint32_t count = inputs + outputs;
  if (count > MOST_OPERANDS) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < count; i++) {
    in[i] = values[i];
    if (values[i]->kind != MLIR_MEMREF) continue;
    if (!mlir_load_tensor(m, values[i], &tensors[i])) return mlir_unsupported(m, op);
    in[i] = &tensors[i];
    for (uint32_t o = inputs; o < count; o++)
      if (i < o && values[o]->kind == MLIR_MEMREF && !(i < inputs && is_unused(m, op, i)) &&
          !(i < inputs && check_map(maps[i], in[i], loops) &&
            is_in_place(m, values[i], values[o], maps[i], maps[o], loops)))
        mlir_need_apart(m, values[i], values[o]);
  }
  if (!run_structured(m, op, loops, inputs, outputs, in, maps, body, payload, all)) return false;
  for (uint32_t i = 0; i < outputs; i++) {
    const MlirValue *out = values[inputs + i];
    if (out->kind != MLIR_MEMREF)
      *results++ = all[i];
    else if (!mlir_store_tensor(m, out, &all[i]))
      return mlir_unsupported(m, op);
  }
  return true;
}

/* ---- linalg.generic ---- */

static bool region_body(Mlir *m, const Op *op, void *payload, const Cell *in, const Cell *out, Cell *yield) {
  uint32_t inputs = *(uint32_t *)payload, outputs = op->operand_count - inputs;
  const Region *region = op->region_count ? program_get_region(m->p, op->regions[0]) : NULL;
  MlirValue arguments[MOST_OPERANDS];
  if (!region || region->blocks.count != 1) return mlir_unsupported(m, op);
  const Block *block = program_get_block(m->p, region->blocks.data[0]);
  if (block->arg_count > op->operand_count) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < op->operand_count; i++) arguments[i] = mlir_scalar(i < inputs ? in[i] : out[i - inputs], 0);
  if (!mlir_run_body(m, op, arguments, block->arg_count)) return false;
  if (m->yield_count != outputs) return mlir_unsupported(m, op);
  for (uint32_t i = 0; i < outputs; i++) yield[i] = m->yielded[i].cell;
  return true;
}

bool mlir_generic(Mlir *m, const Op *op) {
  const Attr *list = program_get_attr(m->p, program_op_attr(m->p, op, "indexing_maps"));
  const Attr *kinds = program_get_attr(m->p, program_op_attr(m->p, op, "iterator_types"));
  int64_t sizes[2];
  if (mlir_integers(m, program_op_attr(m->p, op, "operandSegmentSizes"), sizes, 2) != 2 &&
      mlir_integers(m, program_op_attr(m->p, op, "operand_segment_sizes"), sizes, 2) != 2)
    return mlir_unsupported(m, op);
  if (list->kind != ATTR_ARRAY || list->count != op->operand_count || kinds->kind != ATTR_ARRAY ||
      op->operand_count > MOST_OPERANDS || sizes[0] < 0 || sizes[0] + sizes[1] != op->operand_count)
    return mlir_unsupported(m, op);
  const AffineMap *maps[MOST_OPERANDS];
  const MlirValue *values[MOST_OPERANDS];
  MlirValue results[MOST_OPERANDS];
  uint32_t inputs = (uint32_t)sizes[0];
  for (uint32_t i = 0; i < op->operand_count; i++) {
    maps[i] = program_get_attr(m->p, list->items[i])->map;
    values[i] = mlir_operand(m, op, i);
  }
  if (!mlir_structured(m, op, kinds->count, inputs, op->operand_count - inputs, values, maps, region_body, &inputs,
                       results))
    return false;
  for (uint32_t i = 0; i < op->result_count; i++) mlir_set(m, op, i, results[i]);
  return true;
}

bool mlir_linalg_index(Mlir *m, const Op *op) {
  int64_t dim = program_op_int(m->p, op, "dim", -1);
  if (dim < 0 || dim >= m->loop_rank) return mlir_unsupported(m, op);
  mlir_set(m, op, 0,
           mlir_scalar((Cell){m->loop_index[dim], m->tt->false_}, program_get_value(m->p, op->first_result)->type));
  return true;
}
