/* Launches for random evaluation: sizes, grid, strides, scalars, contents.
 *
 * Sizes come from classes that break kernels: 1, 2, primes, one below, at and above a block. Equations among the
 * assumptions (the least grid, ...) are solved for one variable, by their value at two points, as they are linear in
 * what they define; the other assumptions reject. Attempts after the first few prefer small numbers, so that what is
 * rejected for its size is found soon. Strides come last: row-major with padding, and for tensors that are only read
 * sometimes zero. */
#include <math.h>
#include <string.h>

#include "sample/sample_internal.h"

enum {
  ATTEMPTS = 60,
  LAST_ATTEMPTS = 48,
  LONG_ATTEMPTS = 6,
  USUAL_ATTEMPTS = 12, /* then scalars are of any sign */
  MOST_ELEMENTS = 1 << 16,
  MOST_ELEMENTS_AT_LAST = 1 << 20,
  MOST_LANES = 5000,
  MOST_PROGRAMS_AT_LAST = 512
};

static int64_t below(Sampler *s, int64_t n) { return (int64_t)random_below(&s->random, (uint64_t)n); }
static bool chance(Sampler *s, int64_t one_in) { return below(s, one_in) == 0; }

static SampleVariable *variable_of(const Sampler *s, Term symbol) {
  for (uint32_t i = 0; i < s->variables.count; i++)
    if (s->variables.data[i].symbol == symbol) return &s->variables.data[i];
  return NULL;
}

int64_t sample_value(const Sampler *s, Term symbol) {
  const SampleVariable *v = variable_of(s, symbol);
  return v ? v->value : 0;
}

/* ---- what has to be chosen ---- */

static SampleVariable *add_variable(Sampler *s, Term symbol) {
  SampleVariable *v = variable_of(s, symbol);
  if (v) return v;
  array_push(s->arena, &s->variables, (SampleVariable){.symbol = symbol});
  return &s->variables.data[s->variables.count - 1];
}

/* Sizes that the recovery made up: extents that no access bounds, and numbers of programs along one part of a grid. */
static void add_symbols_of(Sampler *s, Term t) {
  TermList symbols = {0};
  if (!t) return;
  term_symbols(s->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(s->tt, symbols.data[i])->role;
    if ((role != SYMBOL_SIZE && role != SYMBOL_GRID) || variable_of(s, symbols.data[i])) continue;
    SampleVariable *v = add_variable(s, symbols.data[i]);
    v->is_extent = role == SYMBOL_SIZE;
    v->is_part = role == SYMBOL_GRID;
  }
}

static void add_block(Sampler *s, int64_t n) {
  for (uint32_t i = 0; i < s->block_count; i++)
    if (s->blocks[i] == n) return;
  if (n > 1 && s->block_count < SAMPLE_MAX_BLOCKS) s->blocks[s->block_count++] = n;
}

static void find_divisors(Sampler *s, uint8_t *seen, Term t) {
  int64_t divisor;
  if (seen[t]) return;
  seen[t] = 1;
  if (term_kind(s->tt, t) == TERM_FLOORDIV && term_is_int(s->tt, term_arg(s->tt, t, 1), &divisor) && divisor > 1 &&
      divisor <= SAMPLE_MOST_DENSE)
    add_block(s, divisor);
  for (uint32_t i = 0; i < term_count(s->tt, t); i++) find_divisors(s, seen, term_arg(s->tt, t, i));
}

void sample_add_periods(Sampler *s) {
  uint8_t *seen = arena_array(s->arena, uint8_t, s->tt->nodes.count + 1);
  for (uint32_t i = 0; i < s->ex->accesses.count; i++) {
    find_divisors(s, seen, s->ex->accesses.data[i].mask);
    find_divisors(s, seen, s->ex->accesses.data[i].offset);
  }
}

static void measure_blocks(Sampler *s) {
  s->lanes = s->few = 1;
  for (uint32_t i = 0; i < s->ex->accesses.count; i++) {
    const Access *a = &s->ex->accesses.data[i];
    int64_t lanes = 1, few = 1, last;
    for (uint32_t k = 0; k < a->rank; k++) {
      if (!a->lanes[k] || !term_symbol(s->tt, a->lanes[k])->hi ||
          !term_is_int(s->tt, term_symbol(s->tt, a->lanes[k])->hi, &last))
        continue;
      add_block(s, last + 1);
      lanes *= last + 1;
      few *= last + 1 < INTERPRET_SPARSE_LEAST ? last + 1 : INTERPRET_SPARSE_DIM;
    }
    if (lanes > s->lanes) s->lanes = lanes;
    if (few > s->few) s->few = few;
  }
}

/* A fold of a whole block needs all its lanes, but for those that a mask makes equal: sizes near the block do not get
 * far. */
static bool folds_blocks(const Program *program, const Op *op) {
  if ((op->code == OP_TT_REDUCE || op->code == OP_TT_SCAN) && op->operand_count) {
    const Type *t = program_get_type(program, program_get_value(program, op->operands[0])->type);
    return t->kind == TYPE_TENSOR && t->rank == 1 && t->dims[0] > INTERPRET_SPARSE_LEAST;
  }
  for (uint32_t r = 0; r < op->region_count; r++) {
    const Region *region = program_get_region(program, op->regions[r]);
    for (uint32_t b = 0; b < region->blocks.count; b++) {
      const Block *block = program_get_block(program, region->blocks.data[b]);
      for (uint32_t i = 0; i < block->ops.count; i++)
        if (folds_blocks(program, program_get_op(program, block->ops.data[i]))) return true;
    }
  }
  return false;
}

static bool add_tensor(Sampler *s, const Param *param, const char **why) {
  const Type *type = program_get_type(s->program, param->element);
  SampleTensor t = {.element = param->element,
                    .is_float = type->kind == TYPE_FLOAT,
                    .bits = type->width,
                    .is_unsigned = param->is_unsigned};
  t.is_bool = !t.is_float && type->width == 1;
  if (type->kind != TYPE_FLOAT && type->kind != TYPE_INT && type->kind != TYPE_INDEX) {
    *why = arena_format(s->arena, "%s is not an array of numbers", param->name);
    return false;
  }
  const PointwiseTensor *view = pointwise_tensor(s->pointwise, param->symbol);
  if (view && (view->is_read || view->is_written)) t.view = view;
  array_push(s->arena, &s->tensors, t);
  return true;
}

static void mark_strides(Sampler *s) {
  for (uint32_t i = 0; i < s->tensors.count; i++)
    for (uint32_t k = 0; s->tensors.data[i].view && k < s->tensors.data[i].view->rank; k++) {
      SampleVariable *v = variable_of(s, s->tensors.data[i].view->stride[k]);
      if (v) v->is_stride = true;
    }
  for (uint32_t i = 0; i < s->variables.count; i++) { /* a row length that is a stride too is a size */
    SampleVariable *v = &s->variables.data[i];
    for (uint32_t t = 0; t < s->tensors.count && v->is_stride; t++)
      for (uint32_t k = 0; s->tensors.data[t].view && k < s->tensors.data[t].view->rank; k++)
        if (term_has_symbol(s->tt, s->tensors.data[t].view->extent[k], v->symbol)) v->is_stride = false;
    for (uint32_t o = 0; o < s->pointwise->outputs.count && v->is_stride; o++)
      for (uint32_t k = 0; k < s->pointwise->outputs.data[o].pieces.count; k++)
        if (term_has_symbol(s->tt, s->pointwise->outputs.data[o].pieces.data[k].region, v->symbol))
          v->is_stride = false;
  }
}

/* ---- which decisions are exact ---- */

typedef struct Walk {
  Sampler *s;
  uint8_t *seen;
} Walk;

/* Computed without rounding when the inputs are small dyadic numbers. */
static bool is_exact(const TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_FOLD) return false; /* sums of them are, but not worth the argument */
  if (kind == TERM_FN) return term_sort(tt, t) == SORT_INT;
  if (kind == TERM_MUL) {
    for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
      Rational e = term_rat(tt, term_arg(tt, t, i));
      if (e.den != 1 || e.num < 0) return false;
    }
  } else if (kind == TERM_RAT) {
    Rational r = term_rat(tt, t);
    return (r.den & (r.den - 1)) == 0 && r.den <= 1024;
  }
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!is_exact(tt, term_arg(tt, t, i))) return false;
  return true;
}

/* True if all decisions over reals are exact; *decides: there are some. */
static bool decides_exactly(Walk *w, Term t, bool *decides) {
  TermTable *tt = w->s->tt;
  bool decision = false;
  if (w->seen[t]) return true;
  w->seen[t] = 1;
  TermKind kind = term_kind(tt, t);
  if (term_kind_is_comparison(kind))
    decision = term_sort(tt, term_arg(tt, t, 0)) == SORT_REAL;
  else if (term_kind_is_rounding(kind))
    return false;
  else if (kind == TERM_FOLD) {
    TermFoldOp op = (TermFoldOp)term_aux(tt, t);
    if ((op == FOLD_ARGMAX || op == FOLD_ARGMIN) && !is_exact(tt, term_fold_body(tt, t))) return false;
    if (op == FOLD_ARGMAX || op == FOLD_ARGMIN) *decides = true;
  }
  if (decision && !is_exact(tt, term_arg(tt, t, 0))) return false;
  *decides |= decision;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (!decides_exactly(w, term_arg(tt, t, i), decides)) return false;
  return true;
}

enum { MOST_STEP = 64 };

/* A region that begins with the n-th program (`grid_x >= n`) is only met by launches of so many. */
static void find_steps(Sampler *s, Term region) {
  TermKind kind = term_kind(s->tt, region);
  if (kind == TERM_AND || kind == TERM_OR)
    for (uint32_t i = 0; i < term_count(s->tt, region); i++) find_steps(s, term_arg(s->tt, region, i));
  if (kind != TERM_LE || term_count(s->tt, region) != 1) return;
  Term t = term_arg(s->tt, region, 0), c = term_new_rat(s->tt, term_constant_part(s->tt, t));
  SampleVariable *v = variable_of(s, term_sub(s->tt, c, t));
  int64_t step;
  if (v && v->is_grid && term_is_int(s->tt, c, &step) && step > v->step && step <= MOST_STEP) v->step = step;
}

/* Programs that are dealt out in groups, (grid_x + 15) // 16: launches of whole groups and of parts of them. */
static void find_groups(Sampler *s, uint8_t *seen, Term t) {
  int64_t group;
  if (seen[t]) return;
  seen[t] = 1;
  if (term_kind(s->tt, t) == TERM_FLOORDIV && term_is_int(s->tt, term_arg(s->tt, t, 1), &group) && group <= MOST_STEP)
    for (uint32_t i = 0; i < s->variables.count; i++) {
      SampleVariable *v = &s->variables.data[i];
      if (v->is_grid && group > v->group && term_has_symbol(s->tt, term_arg(s->tt, t, 0), v->symbol)) v->group = group;
    }
  for (uint32_t i = 0; i < term_count(s->tt, t); i++) find_groups(s, seen, term_arg(s->tt, t, i));
}

static void walk_outputs(Sampler *s) {
  uint8_t *grouped = arena_array(s->arena, uint8_t, s->tt->nodes.count + 1);
  Walk ties = {s, arena_array(s->arena, uint8_t, s->tt->nodes.count + 1)};
  bool decides = false, exact = true;
  for (uint32_t o = 0; o < s->pointwise->outputs.count; o++)
    for (uint32_t k = 0; k < s->pointwise->outputs.data[o].pieces.count; k++) {
      const PointwisePiece *piece = &s->pointwise->outputs.data[o].pieces.data[k];
      find_steps(s, piece->region);
      find_groups(s, grouped, piece->region);
      find_groups(s, grouped, piece->value);
      add_symbols_of(s, piece->region);
      add_symbols_of(s, piece->value);
      exact =
          exact && decides_exactly(&ties, piece->region, &decides) && decides_exactly(&ties, piece->value, &decides);
    }
  s->ties = exact && decides;
}

static bool is_over_launch(const Sampler *s, Term condition) {
  return condition && !(term_node(s->tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF));
}

/* A condition of the kernel's own that speaks of the launch alone. */
static bool is_known(Sampler *s, Term condition) {
  TermList symbols = {0};
  if (!is_over_launch(s, condition)) return false;
  term_symbols(s->tt, condition, &symbols);
  for (uint32_t k = 0; k < symbols.count; k++)
    if (!variable_of(s, symbols.data[k]) && term_symbol(s->tt, symbols.data[k])->role != SYMBOL_SCALAR) return false;
  return true;
}

bool sample_prepare(Sampler *s, const char **why) {
  for (uint32_t i = 0; i < s->ex->params.count; i++) {
    const Param *param = &s->ex->params.data[i];
    if (param->is_pointer && !param->given.same_as && !add_tensor(s, param, why)) return false;
    if (param->is_pointer || term_sort(s->tt, param->symbol) != SORT_INT) continue;
    SampleVariable *v = add_variable(s, param->symbol);
    v->is_argument = true, v->is_constant = param->given.is_constant, v->constant = param->given.integer;
  }
  for (int i = 0; i < 3; i++) add_variable(s, s->ex->grid[i])->is_grid = true;
  for (uint32_t i = 0; i < s->tensors.count; i++)
    for (uint32_t k = 0; s->tensors.data[i].view && k < s->tensors.data[i].view->rank; k++) {
      add_symbols_of(s, s->tensors.data[i].view->extent[k]);
      add_symbols_of(s, s->tensors.data[i].view->stride[k]);
    }
  for (uint32_t i = 0; i < s->recovery->assumptions.count; i++)
    add_symbols_of(s, s->recovery->assumptions.data[i].condition);
  walk_outputs(s);
  sample_find_indices(s);
  mark_strides(s);
  measure_blocks(s);
  s->smallness = s->lanes > SAMPLE_MOST_DENSE && folds_blocks(s->program, program_get_op(s->program, s->function->op));
  s->scalars = arena_array(s->arena, double, s->ex->params.count + 1);
  s->most_trips = arena_array(s->arena, int64_t, s->ex->loops.count + 1);
  s->coverage = coverage_new(s->arena, s->ex);
  s->is_known = arena_array(s->arena, bool, s->ex->assumed.count + 1);
  for (uint32_t i = 0; i < s->ex->assumed.count; i++) s->is_known[i] = is_known(s, s->ex->assumed.data[i]);
  return true;
}

/* ---- sizes ---- */

void sample_set(Sampler *s, SampleVariable *v, int64_t value) {
  v->value = value;
  term_eval_set(s->eval, v->symbol, (TermValue){(double)value, value});
}

static int64_t evaluate(Sampler *s, Term t) { return term_eval(s->eval, t).integer; }

static int64_t small_size(Sampler *s) {
  static const int64_t small[] = {1, 2, 3, 5, 7, 11, 13, 4};
  return small[below(s, 8)];
}

/* Trial 0 is small and has no two equal sizes as far as possible; trial 1 meets the edge of a block, others do where
 * blocks are small, since what is above costs time; the last has the smallest numbers. Other sizes keep to the lanes
 * that a sparse run computes. Wide launches have several blocks, long ones tiny numbers, until loops are lengthened.
 * `hi`: no more than that. */
static int64_t draw_size(Sampler *s, uint32_t number, uint32_t attempt, int64_t hi) {
  static const int64_t distinct[] = {3, 5, 2, 7, 4, 6}, least[] = {3, 2, 4, 1};
  if (s->is_long) return 1 + below(s, 3 - attempt / 2);
  if (s->is_wide && s->block_count && attempt < 30 && chance(s, 2)) {
    int64_t several = s->blocks[below(s, s->block_count)];
    return 1 + below(s, 3 * (several <= SAMPLE_MOST_DENSE ? several : INTERPRET_SPARSE_HEAD));
  }
  if (s->smallness > 1) return s->trial == 0 && attempt < 4 ? least[(number + attempt) % 4] : 1 + below(s, 3);
  if (s->trial == 0 && attempt < 4) return distinct[(number + attempt) % 6];
  if (s->trial % 5 == 4) return 1 + below(s, 2);
  if (s->smallness) return attempt > 30 ? 1 + below(s, 3) : small_size(s);
  if (attempt > 8 || !s->block_count) return attempt > 30 ? 1 + below(s, 3) : small_size(s);
  int64_t block = s->blocks[below(s, s->block_count)];
  bool edge = s->trial == 1 ? attempt < 4 : block <= 64 || chance(s, 4);
  int64_t inner = s->is_dense || block < INTERPRET_SPARSE_LEAST ? (block < 100 ? block : 100) : INTERPRET_SPARSE_HEAD;
  if (!edge || (s->trial > 1 && chance(s, 3))) return chance(s, 2) ? small_size(s) : 1 + below(s, inner);
  switch (below(s, 4)) {
  case 0: return block - 1;
  case 1: return block;
  case 2: return hi > block ? block + 1 : block - 1;
  default: return hi > block ? block + small_size(s) : block;
  }
}

/* How many elements the ranges in memory cover together: some launches have enough for more than one block. */
static int64_t draw_rows(Sampler *s, uint32_t attempt) {
  int64_t block = s->block_count ? s->blocks[below(s, s->block_count)] : 0;
  if (attempt > 20 || block > 256 || s->trial % 2 == 0 || !block) return 1 + below(s, attempt > 30 ? 3 : 12);
  return block + 1 + below(s, block);
}

static void draw_sizes(Sampler *s, uint32_t attempt) {
  s->rows = s->has_indices ? draw_rows(s, attempt) : 1;
  for (uint32_t i = 0, number = 0; i < s->variables.count; i++) {
    SampleVariable *v = &s->variables.data[i];
    const Symbol *symbol = term_symbol(s->tt, v->symbol);
    int64_t lo = v->is_argument ? 0 : 1, hi = INT64_MAX, value;
    int64_t literal;
    if (symbol->lo && term_is_int(s->tt, symbol->lo, &literal) && literal > lo) lo = literal;
    if (symbol->hi && term_is_int(s->tt, symbol->hi, &literal)) hi = literal;
    if (v->step && attempt % 2 == 0)
      value = v->step + below(s, 2);
    else if (v->is_extent && v->scale)
      value = v->scale * s->rows;
    else if (v->group && s->trial % 2 && attempt < 4)
      value = 1 + below(s, 2 * v->group);
    else if ((v->is_grid || v->is_part) && (s->is_long || (s->tameness > 1 && !chance(s, 3))))
      value = 1;
    else if (v->is_grid || v->is_part || v->is_extent)
      value = 1 + below(s, attempt > 8 ? 2 : 4);
    else
      value = draw_size(s, v->is_stride ? number : number++, attempt, hi);
    if (v->is_argument && lo == 0 && chance(s, 4)) value = 0;
    if (value < v->least) value = v->least;
    if (value > hi) value = hi - lo >= 0 ? lo + below(s, hi - lo + 1) : hi;
    if (value < lo) value = lo;
    if (v->is_constant) value = v->constant;
    sample_set(s, v, value);
  }
}

/* EQ(t), linear in `v`: moves v to where t is 0. */
static bool solve_for(Sampler *s, Term t, SampleVariable *v) {
  int64_t old = v->value, at = evaluate(s, t);
  sample_set(s, v, old + 1);
  int64_t slope = evaluate(s, t) - at;
  sample_set(s, v, old);
  if (!slope || at % slope) return false;
  int64_t value = old - at / slope;
  if (value < 1 || value > 1 << 24) return false;
  sample_set(s, v, value);
  if (evaluate(s, t) == 0) return true;
  sample_set(s, v, old);
  return false;
}

/* LE(t), linear in `v`, which makes t smaller: moves v up to where t is not positive any more. */
static bool raise_to(Sampler *s, Term t, SampleVariable *v) {
  int64_t old = v->value, at = evaluate(s, t);
  sample_set(s, v, old + 1);
  int64_t slope = evaluate(s, t) - at, value = slope < 0 ? old + (at - slope - 1) / -slope : 0;
  sample_set(s, v, slope < 0 && value < 1 << 24 ? value : old);
  if (evaluate(s, t) <= 0) return true;
  sample_set(s, v, old);
  return false;
}

/* Rows no longer than their stride: the stride follows. */
static void solve_bounds(Sampler *s) {
  for (uint32_t i = 0; i < s->recovery->assumptions.count; i++) {
    Term c = s->recovery->assumptions.data[i].condition;
    if (!is_over_launch(s, c) || term_kind(s->tt, c) != TERM_LE || term_count(s->tt, c) != 1) continue;
    Term t = term_arg(s->tt, c, 0);
    bool met = term_sort(s->tt, t) != SORT_INT || evaluate(s, t) <= 0;
    for (uint32_t k = 0; k < s->variables.count && !met; k++) {
      SampleVariable *v = &s->variables.data[k];
      met = !v->is_grid && !v->is_constant && term_has_symbol(s->tt, t, v->symbol) && raise_to(s, t, v);
    }
  }
}

void sample_solve(Sampler *s) {
  for (uint32_t i = 0; i < s->recovery->assumptions.count; i++) {
    Term c = s->recovery->assumptions.data[i].condition;
    if (!is_over_launch(s, c) || term_kind(s->tt, c) != TERM_EQ) continue;
    Term t = term_arg(s->tt, c, 0);
    if (term_sort(s->tt, t) != SORT_INT || evaluate(s, t) == 0) continue;
    for (int pass = 0; pass < 2; pass++) { /* numbers of programs are what follows; sizes are given */
      bool solved = false;
      for (uint32_t k = s->variables.count; k-- > 0 && !solved;) {
        SampleVariable *v = &s->variables.data[k];
        if (v->is_grid == (pass == 0) && term_has_symbol(s->tt, t, v->symbol)) solved = solve_for(s, t, v);
      }
      if (solved) break;
    }
  }
}

static bool meets_assumptions(Sampler *s) {
  for (uint32_t i = 0; i < s->recovery->assumptions.count; i++) {
    Term c = s->recovery->assumptions.data[i].condition;
    if (is_over_launch(s, c) && !evaluate(s, c)) return false;
    c = s->recovery->assumptions.data[i].of_values;
    if (c && !evaluate(s, c)) return false;
  }
  for (uint32_t i = 0; i < s->ex->assumed.count; i++) {
    if (s->is_known[i] && !evaluate(s, s->ex->assumed.data[i])) return false;
  }
  for (uint32_t i = 0; i < s->variables.count; i++) {
    const SampleVariable *v = &s->variables.data[i];
    const Symbol *symbol = term_symbol(s->tt, v->symbol);
    if (symbol->lo && v->value < evaluate(s, symbol->lo)) return false;
    if (symbol->hi && v->value > evaluate(s, symbol->hi)) return false;
  }
  return true;
}

/* ---- strides and extents ---- */

static bool measure_extents(Sampler *s) {
  for (uint32_t i = 0; i < s->tensors.count; i++) {
    SampleTensor *t = &s->tensors.data[i];
    for (uint32_t k = 0; t->view && k < t->view->rank; k++) {
      t->extent[k] = evaluate(s, t->view->extent[k]);
      if (t->extent[k] < 0) t->extent[k] = 0;
      if (t->extent[k] > s->most_elements) return false;
    }
  }
  return true;
}

/* The axes from the last to the first; a stride that is an argument gets what the axes behind it span. */
static void draw_strides_of(Sampler *s, SampleTensor *t, bool *drawn) {
  int64_t span = 1;
  for (uint32_t k = t->view->rank; k-- > 0;) {
    SampleVariable *v = variable_of(s, t->view->stride[k]);
    if (v && v->is_stride) {
      uint32_t number = (uint32_t)(v - s->variables.data);
      int64_t value = span + (chance(s, 2) ? below(s, 4) : 0);
      int64_t least = term_symbol(s->tt, v->symbol)->lo ? evaluate(s, term_symbol(s->tt, v->symbol)->lo) : 0;
      if (!t->view->is_written && chance(s, 6)) value = least > 0 ? least : 0;
      if (!drawn[number] || (t->view->is_written && v->value < span)) sample_set(s, v, value);
      drawn[number] = true;
    }
    int64_t reach = evaluate(s, t->view->stride[k]) * t->extent[k];
    if (reach > span) span = reach;
  }
}

static void draw_strides(Sampler *s) {
  bool *drawn = arena_array(s->arena, bool, s->variables.count + 1);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < s->tensors.count; i++) {
      SampleTensor *t = &s->tensors.data[i];
      if (t->view && t->view->is_written == (pass == 0)) draw_strides_of(s, t, drawn);
    }
}

bool sample_is_injective(const SampleTensor *t) {
  uint32_t rank = t->view->rank;
  for (uint32_t k = 0; k < rank; k++) {
    int64_t lower = 0;
    if (t->extent[k] <= 1) continue;
    for (uint32_t j = 0; j < rank; j++)
      if (j != k && t->extent[j] > 1 && (t->stride[j] < t->stride[k] || (t->stride[j] == t->stride[k] && j > k)))
        lower += (t->extent[j] - 1) * t->stride[j];
    if (t->stride[k] <= lower) return false;
  }
  return true;
}

static bool measure_tensors(Sampler *s) {
  int64_t total = 0;
  if (!measure_extents(s)) return false;
  for (uint32_t i = 0; i < s->tensors.count; i++) {
    SampleTensor *t = &s->tensors.data[i];
    int64_t last = 0;
    bool empty = false;
    for (uint32_t k = 0; t->view && k < t->view->rank; k++) {
      t->stride[k] = evaluate(s, t->view->stride[k]);
      if (t->stride[k] < 0 || t->stride[k] > s->most_elements) return false;
      if (t->extent[k] == 0) empty = true;
      last += (t->extent[k] - 1) * t->stride[k];
      if (last > s->most_elements) return false;
    }
    t->count = !t->view || empty ? 0 : last + 1;
    total += t->count;
    if (t->view && t->view->is_written && !sample_is_injective(t)) return false;
  }
  return total <= s->most_elements;
}

static bool is_small(const Sampler *s, uint32_t attempt) {
  int64_t programs = 1, most = MOST_LANES / (s->is_dense ? s->lanes : s->few);
  if (most < 4) most = 4;
  for (int i = 0; i < 3; i++) programs *= sample_value(s, s->ex->grid[i]);
  if (attempt >= LAST_ATTEMPTS)
    return programs <=
           MOST_PROGRAMS_AT_LAST; /* literals of the kernel ask for so many; the steps of a run are limited too */
  return programs <= (attempt < 40 ? most : 4 * most);
}

/* ---- scalars ---- */

static double draw_float(Sampler *s, bool positive) {
  static const double wide[] = {1, 2, 0.5, 30};
  if (s->dyadic) return (double)(below(s, 9) - (positive ? 0 : 4)) / 2 + (positive ? 0.5 : 0);
  double u = random_unit(&s->random);
  if (s->domain == SAMPLE_UNIT) return 0.001 + 0.998 * u;
  double scale = wide[s->trial % 4];
  if (s->domain == SAMPLE_POSITIVE || positive) return 0.05 + scale * u;
  return chance(s, 64) ? 0 : scale * (2 * u - 1);
}

/* Numbers that what is assumed of scalars may ask for. */
static double draw_any(Sampler *s) {
  static const double some[] = {-1, 1, 0, -0.5, 2, -2, 0.5, 3, -30, 30, 0.001, -0.001};
  return chance(s, 3) ? 4 * random_unit(&s->random) - 2 : some[below(s, sizeof some / sizeof *some)];
}

static void draw_scalars(Sampler *s, uint32_t attempt) {
  for (uint32_t i = 0; i < s->ex->params.count; i++) {
    const Param *param = &s->ex->params.data[i];
    if (param->is_pointer || term_sort(s->tt, param->symbol) != SORT_REAL) continue;
    s->scalars[i] = param->given.is_constant                     ? param->given.real
                    : attempt >= USUAL_ATTEMPTS                  ? draw_any(s)
                    : s->dyadic                                  ? 0.5 * (double)(1 + below(s, 3))
                    : s->trial == 2 && s->domain == SAMPLE_MIXED ? draw_float(s, param->is_positive)
                                                                 : 0.05 + 0.9 * random_unit(&s->random);
    term_eval_set(s->eval, param->symbol, (TermValue){.real = s->scalars[i]});
  }
}

bool sample_draw_launch(Sampler *s) {
  s->dyadic = s->ties && s->trial % 2 == 1;
  s->eval = sample_new_eval(s);
  for (uint32_t attempt = 0; attempt < (s->is_long ? LONG_ATTEMPTS : ATTEMPTS); attempt++) {
    guard_tick(s->arena->guard);
    s->most_elements = attempt < LAST_ATTEMPTS ? MOST_ELEMENTS : MOST_ELEMENTS_AT_LAST;
    draw_sizes(s, attempt);
    draw_scalars(s, attempt);
    sample_solve(s);
    sample_solve(s);
    if (s->is_long) sample_lengthen_loops(s);
    if (attempt > 2) solve_bounds(s);
    if (!measure_extents(s)) continue;
    draw_strides(s);
    sample_solve(s);
    if (attempt > 2) solve_bounds(s);
    if (is_small(s, attempt) && meets_assumptions(s) && measure_tensors(s)) return true;
  }
  return false;
}

/* ---- contents ---- */

bool sample_is_free_extent(Sampler *s, Term extent) {
  const SampleVariable *v = variable_of(s, extent);
  return v && v->is_extent;
}

SampleGrowth sample_grow(Sampler *s, const SampleTensor *t, int64_t element) {
  if (element < t->count) return SAMPLE_GROWN; /* by another access */
  SampleGrowth growth = SAMPLE_FIXED;
  for (uint32_t k = 0; t->view && k < t->view->rank; k++) {
    SampleVariable *v = variable_of(s, t->view->extent[k]);
    if (!v || !v->is_extent) continue;
    int64_t old = v->value;
    bool fits = true;
    while (fits && t->count <= element) {
      sample_set(s, v, 2 * v->value);
      fits = measure_tensors(s) && meets_assumptions(s); /* an extent may be tied to the grid */
    }
    if (fits) {
      v->least = v->value;
      return SAMPLE_GROWN;
    }
    sample_set(s, v, old);
    measure_tensors(s);
    growth = SAMPLE_TOO_LARGE;
  }
  return growth;
}

void sample_draw_data(Sampler *s) {
  s->is_wild = !s->tameness && s->trial % SAMPLE_TRIALS == 2;
  for (uint32_t i = 0; i < s->tensors.count; i++) {
    SampleTensor *t = &s->tensors.data[i];
    t->before = arena_alloc(s->arena, sizeof *t->before * ((size_t)t->count + 1));
    if (!t->is_float)
      sample_draw_integers(s, t);
    else
      for (int64_t e = 0; e < t->count; e++) t->before[e].real = draw_float(s, false);
  }
}
