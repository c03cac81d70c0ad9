/* From the execution of an MLIR function to its claim.
 *
 * Arguments are symbols: scalars, sizes, and tensors; what a memref holds is a tensor as well, of elements by index.
 * The function is executed once over reals (mlir/run.c). Each result is an output, and each memref of the caller whose
 * elements are not what they were. The conditions under which operations are undefined are then taken apart: an
 * equation that says what a size is, is put in everywhere; what sizes and scalars decide is a precondition, printed;
 * the rest are obligations, and what is true of values wherever the function is defined. */
#include "function/internal.h"

#include <string.h>

#include "lift/deduce.h"
#include "prove/equal.h"
#include "safety/definedness.h"

enum { MOST_EQUATIONS = 64 };

static Claim *stop(Making *m, ReasonCode code, const char *text) {
  m->claim->stop_code = code, m->claim->stop_text = text;
  return m->claim;
}

static const char *where(const Making *m, OpId id) {
  if (!id) return m->p->source->name;
  const char *slash = strrchr(m->p->source->name, '/');
  LineColumn at = source_locate(m->p->source, program_get_op(m->p, id)->span.begin);
  return arena_format(m->arena, "%s:%u", slash ? slash + 1 : m->p->source->name, at.line);
}

/* ---- arguments ---- */

/* NULL: there are no such numbers in formulas. */
static const char *dtype_of(const Making *m, TypeId element) {
  const Type *t = program_get_type(m->p, element);
  if (t->kind == TYPE_INDEX) return "i64";
  if (t->kind == TYPE_FLOAT) return program_float_name(t->format);
  return t->kind == TYPE_INT && t->width <= 64 && t->sign != 2 ? arena_format(m->arena, "i%u", t->width) : NULL;
}

static bool has_f64(const Making *m, TypeId element) {
  const Type *t = program_get_type(m->p, element);
  return t->kind == TYPE_FLOAT && t->format == FLOAT_F64;
}

/* A tensor of the form, row-major; its extents follow. */
static PointwiseTensor new_tensor(Making *m, const char *name, TypeId element, Term symbol, const MlirValue *shape) {
  const char *dtype = dtype_of(m, element);
  PointwiseTensor t = {.symbol = symbol, .name = name, .dtype = dtype, .sort = term_symbol(m->tt, symbol)->sort};
  t.rank = shape->rank;
  for (uint32_t k = 0; k < t.rank; k++) {
    t.extent[k] = shape->extent[k];
    t.dim_name[k] = arena_format(m->arena, "%s_d%u", name, k);
  }
  m->claim->has_f64 |= has_f64(m, element);
  return t;
}

/* What is set to a number is no input. */
static void add_scalar(Making *m, MlirValue *v, const char *name, bool is_set) {
  TermTable *tt = m->tt;
  const Type *t = program_get_type(m->p, v->element);
  bool real = t->kind == TYPE_FLOAT;
  Term symbol = term_symbol_new(tt, intern_text(tt->names, name), real ? SORT_REAL : SORT_INT,
                                real ? SYMBOL_SCALAR : SYMBOL_SIZE);
  mlir_element_range(tt, symbol, t);
  v->cell.value = t->kind == TYPE_INT && t->width == 1 ? mlir_as_bool(tt, symbol) : symbol;
  if (!is_set)
    array_push(m->arena, &m->pointwise->scalars,
               ((PointwiseScalar){symbol, name, dtype_of(m, v->element), NULL, false}));
  m->claim->has_f64 |= has_f64(m, v->element);
}

static void add_memory(Making *m, const MlirValue *ref, const char *name) {
  Name type = mlir_memory_type(m->world, m->p, ref->element);
  FunctionMemory memory = {.ref = *ref, .named = *ref};
  for (uint32_t i = 0; i < m->world->memories.count; i++)
    if (m->world->memories.data[i].type == type) memory.memory = m->world->memories.data[i].memory;
  const Type *element = program_get_type(m->p, ref->element);
  memory.tensor =
      term_symbol_new(m->tt, intern_text(m->tt->names, name), mlir_element_sort(true, element), SYMBOL_TENSOR);
  mlir_element_range(m->tt, memory.tensor, element);
  array_push(m->arena, &m->memories, memory);
  array_push(m->arena, &m->tensors, m->pointwise->tensors.count);
  array_push(m->arena, &m->pointwise->tensors, new_tensor(m, name, ref->element, memory.tensor, ref));
}

static bool add_argument(Making *m, uint32_t i) {
  MlirValue *v = &m->arguments[i];
  const char *name = program_arg_name(m->p, m->entry->first_arg + i);
  const Type *type = program_value_type(m->p, m->entry->first_arg + i);
  if (v->kind == MLIR_NONE || !dtype_of(m, v->element) || v->rank > POINTWISE_MAX_RANK) return false;
  if (v->kind == MLIR_SCALAR) {
    add_scalar(m, v, name, m->numbers && m->numbers[i].is_set);
  } else if (v->kind == MLIR_TENSOR) {
    Term read = v->cell.value;
    while (term_kind(m->tt, read) != TERM_READ) read = term_arg(m->tt, read, 0); /* of a truth value */
    array_push(m->arena, &m->pointwise->tensors, new_tensor(m, name, v->element, term_arg(m->tt, read, 0), v));
  } else {
    if (!function_lay_out(m->tt, m->p, type, v)) return false;
    add_memory(m, v, name);
  }
  return true;
}

static bool add_globals(Making *m) {
  const char *name;
  MlirValue v;
  for (uint32_t i = 0; mlir_global_at(m->world, m->p, i, &name, &v); i++)
    if (v.kind == MLIR_MEMREF) {
      bool is_used = false;
      Name type = mlir_memory_type(m->world, m->p, v.element);
      for (uint32_t k = 0; k < m->world->memories.count; k++) is_used |= m->world->memories.data[k].type == type;
      if (is_used && dtype_of(m, v.element) && v.rank <= POINTWISE_MAX_RANK) add_memory(m, &v, name);
    }
  return true;
}

/* ---- what is undefined ---- */

static void add_undefined(Making *m, Term t, OpId op) {
  TermTable *tt = m->tt;
  if (t == tt->false_) return;
  if (term_kind(tt, t) == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, t); i++) add_undefined(m, term_arg(tt, t, i), op);
    return;
  }
  array_push(m->arena, &m->undefined, (Undefined){t, op});
}

static void assume(Making *m, AssumptionKind kind, Term condition, const char *text, const char *why) {
  array_push(m->arena, &m->claim->assumptions,
             (Assumption){.kind = kind, .condition = condition, .text = text, .why = why});
}

static const char *needed_by(const Making *m, OpId op) {
  return arena_format(m->arena, "%s: %s is undefined otherwise", where(m, op),
                      intern_string(m->p->names, program_get_op(m->p, op)->name));
}

static Term put_in(const Making *m, Term t) {
  return m->from.count ? term_substitute(m->tt, t, (TermMap){m->from.count, m->from.data, m->to.data}) : t;
}

static bool is_argument(const Making *m, Term symbol) {
  for (uint32_t i = 0; i < m->pointwise->scalars.count; i++)
    if (m->pointwise->scalars.data[i].symbol == symbol) return true;
  return false;
}

/* Of two sizes that are one the earlier stays, and an argument. */
static void order(const Making *m, Term *symbol, Term *value) {
  const TermTable *tt = m->tt;
  if (term_kind(tt, *value) != TERM_SYM || term_symbol(tt, *value)->role != SYMBOL_SIZE) return;
  if (!is_argument(m, *symbol) && (is_argument(m, *value) || term_aux(tt, *value) < term_aux(tt, *symbol))) return;
  Term t = *symbol;
  *symbol = *value, *value = t;
}

static void put_in_memories(Making *m) {
  for (uint32_t i = 0; i < m->memories.count; i++) {
    MlirValue *v = &m->memories.data[i].named;
    v->offset = put_in(m, v->offset), v->base = v->base ? put_in(m, v->base) : 0;
    for (uint32_t k = 0; k < v->rank; k++)
      v->extent[k] = put_in(m, v->extent[k]), v->stride[k] = put_in(m, v->stride[k]);
  }
}

/* Equations between sizes are put in, one after the other, and said. */
static void solve_sizes(Making *m) {
  TermTable *tt = m->tt;
  for (uint32_t round = 0; round < MOST_EQUATIONS; round++) {
    Term symbol = 0, value = 0;
    OpId op = 0;
    for (uint32_t i = 0; i < m->undefined.count && !symbol; i++) {
      op = m->undefined.data[i].op;
      if (mlir_defines_size(tt, m->undefined.data[i].condition, &symbol, &value)) order(m, &symbol, &value);
      if (symbol && is_argument(m, symbol)) symbol = 0; /* which stays what it is */
    }
    if (!symbol) return;
    const char *text = arena_format(m->arena, "%s == %s", term_text(tt, symbol), term_text(tt, value));
    assume(m, ASSUME_PRECONDITION, 0, text, needed_by(m, op));
    for (uint32_t i = 0; i < m->to.count; i++) m->to.data[i] = term_replace(tt, m->to.data[i], symbol, value);
    array_push(m->arena, &m->from, symbol);
    array_push(m->arena, &m->to, value);
    Array(Undefined) before = {m->undefined.data, m->undefined.count, m->undefined.capacity};
    m->undefined.data = NULL, m->undefined.count = m->undefined.capacity = 0;
    for (uint32_t i = 0; i < before.count; i++)
      add_undefined(m, term_replace(tt, before.data[i].condition, symbol, value), before.data[i].op);
    Term negative = term_lt(tt, value, tt->zero);
    if (negative != tt->false_) add_undefined(m, negative, op);
  }
}

static bool is_of_launch(TermTable *tt, Term condition) {
  TermList symbols = {0};
  if (term_node(tt, condition)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE)) return false;
  term_symbols(tt, condition, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if (s->sort != SORT_INT || s->role != SYMBOL_SIZE) return false;
  }
  return true;
}

/* By the first operation, here or in its regions, of such a family. */
static ObligationKind kind_of(const Making *m, OpId id) {
  static const ObligationKind kinds[] = {
      [MLIR_OTHER] = OBLIGATION_UNDEFINED, [MLIR_PLACES] = OBLIGATION_BOUNDS, [MLIR_DIVIDES] = OBLIGATION_DIVISION};
  const Op *op = program_get_op(m->p, id);
  MlirFamily family = mlir_family(intern_string(m->p->names, op->name));
  if (family != MLIR_OTHER) return kinds[family];
  for (uint32_t r = 0; r < op->region_count; r++) {
    const Region *region = program_get_region(m->p, op->regions[r]);
    for (uint32_t b = 0; b < region->blocks.count; b++) {
      const Block *block = program_get_block(m->p, region->blocks.data[b]);
      for (uint32_t i = 0; i < block->ops.count; i++) {
        ObligationKind kind = kind_of(m, block->ops.data[i]);
        if (kind != OBLIGATION_UNDEFINED) return kind;
      }
    }
  }
  return OBLIGATION_UNDEFINED;
}

static void oblige(Making *m, ObligationKind kind, OpId op, const char *tensor, const char *detail, bool is_open) {
  Obligation o = {.kind = kind, .op = op, .tensor = tensor, .detail = detail, .where = where(m, op)};
  o.verdict = is_open ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED;
  for (uint32_t i = 0; i < m->claim->assumptions.count && !is_open; i++)
    if (m->claim->assumptions.data[i].kind == ASSUME_PRECONDITION) array_push(m->arena, &o.under, i);
  array_push(m->arena, &m->claim->obligations, o);
}

/* The last obligation, if there is a witness. */
static void refute(Making *m, const SampleWitness *witness) {
  Obligation *o = &m->claim->obligations.data[m->claim->obligations.count - 1];
  if (witness) o->verdict = OBLIGATION_REFUTED, o->witness = witness;
}

static bool never_holds(TermTable *tt, Term t) {
  if (mlir_holds(tt, term_not(tt, t)) || equal_prove_false(tt, t)) return true;
  if (term_kind(tt, t) != TERM_FOLD || term_aux(tt, t) != FOLD_ANY) return false;
  FoldParts fold = term_fold_open(tt, t); /* at none of the indices */
  uint32_t facts = tt->facts.count;
  equal_push(tt, term_lt(tt, fold.lo, fold.hi));
  bool never = never_holds(tt, term_and(tt, fold.guard, fold.body));
  term_pop_facts(tt, facts);
  return never;
}

/* a or b as b, where a implies it. */
static Term without_implied(TermTable *tt, Term t) {
  for (uint32_t i = 0; term_kind(tt, t) == TERM_OR && i < term_count(tt, t); i++) {
    Term others = tt->false_;
    for (uint32_t k = 0; k < term_count(tt, t); k++)
      if (k != i) others = term_or(tt, others, term_arg(tt, t, k));
    uint32_t facts = tt->facts.count;
    equal_push(tt, term_arg(tt, t, i));
    bool implied = equal_prove_true(tt, others);
    term_pop_facts(tt, facts);
    if (implied) t = others, i = UINT32_MAX; /* once more */
  }
  return t;
}

static bool is_size(const TermTable *tt, Term symbol) {
  const Symbol *s = term_symbol(tt, symbol);
  return s->role == SYMBOL_SIZE && s->lo == tt->zero;
}

/* Of a condition on all iterations of a loop: one on two sizes that excludes it; 0: none is found. */
static Term bound_that_excludes(TermTable *tt, Term undefined) {
  TermList symbols = {0};
  term_symbols(tt, undefined, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    for (uint32_t k = 0; k < symbols.count; k++) {
      Term bound = term_le(tt, symbols.data[i], symbols.data[k]);
      if (i == k || !is_size(tt, symbols.data[k])) continue;
      uint32_t facts = tt->facts.count;
      equal_push(tt, bound);
      bool excludes = never_holds(tt, undefined);
      term_pop_facts(tt, facts);
      if (excludes) return bound;
    }
  return 0;
}

/* What has to hold where that is undefined, as simple as it is found. */
static Term plain_condition(TermTable *tt, Term undefined) {
  bool folds = term_node(tt, undefined)->flags & TERM_HAS_FOLD;
  Term bound = folds ? bound_that_excludes(tt, undefined) : 0;
  return bound ? bound : without_implied(tt, term_not(tt, undefined));
}

/* false: it is undefined for all inputs. */
static bool judge_undefined(Making *m) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < m->undefined.count; i++) {
    const Undefined *u = &m->undefined.data[i];
    if (u->condition == tt->true_) return false;
    if (!is_of_launch(tt, u->condition) || never_holds(tt, u->condition)) continue;
    Term condition = plain_condition(tt, u->condition);
    assume(m, ASSUME_PRECONDITION, condition, term_text(tt, condition), needed_by(m, u->op));
    equal_push(tt, condition);
  }
  for (uint32_t i = 0; i < m->undefined.count; i++) {
    const Undefined *u = &m->undefined.data[i];
    if (is_of_launch(tt, u->condition) || never_holds(tt, u->condition)) continue;
    const char *text = arena_format(m->arena, "undefined where %s", term_text(tt, u->condition));
    oblige(m, kind_of(m, u->op), u->op, NULL, text, true);
    array_push(m->arena, &m->claim->defined, term_not(tt, u->condition));
    if (!m->claim->undefined_where) m->claim->undefined_where = text;
  }
  return true;
}

/* ---- outputs ---- */

/* Where the new element is another than the old one, and what it is there. */
static void split_old(TermTable *tt, Term value, Term old, Term *region, Term *written) {
  *region = tt->true_, *written = value;
  if (term_kind(tt, value) != TERM_SELECT) return;
  for (uint32_t k = 1; k < 3; k++) {
    if (term_arg(tt, value, k) != old) continue;
    Term c = term_arg(tt, value, 0), inner;
    c = k == 1 ? term_not(tt, c) : c;
    split_old(tt, term_arg(tt, value, 3 - k), old, &inner, written);
    *region = term_and(tt, c, inner);
    return;
  }
}

/* An element exists where no axis is empty. */
static void know_elements(Making *m, uint32_t rank, const Term *extent) {
  for (uint32_t k = 0; k < rank; k++) {
    Term some = term_lt(m->tt, m->tt->zero, put_in(m, extent[k]));
    if (some != m->tt->true_) equal_push(m->tt, some);
  }
}

/* A condition on the place as one on an index, i*n + j < m*n as i < m, where that is the same. */
static Term index_condition(TermTable *tt, Term condition, const Term *index, uint32_t rank) {
  TermList symbols = {0};
  Term decided = mlir_decided(tt, condition);
  term_symbols(tt, decided, &symbols);
  for (uint32_t k = 0; k < rank; k++)
    for (uint32_t i = 0; i < symbols.count; i++) {
      Term own = term_lt(tt, index[k], symbols.data[i]);
      if (own == decided || term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) continue;
      if (never_holds(tt, term_and(tt, own, term_not(tt, decided))) &&
          never_holds(tt, term_and(tt, decided, term_not(tt, own))))
        return own;
    }
  return decided;
}

static Term index_conditions(TermTable *tt, Term region, const Term *index, uint32_t rank) {
  Term all = tt->true_;
  bool several = term_kind(tt, region) == TERM_AND;
  for (uint32_t i = 0; i < (several ? term_count(tt, region) : 1); i++)
    all = term_and(tt, all, index_condition(tt, several ? term_arg(tt, region, i) : region, index, rank));
  return all;
}

/* `region`: where it is written. */
static void add_output(Making *m, uint32_t tensor, FunctionSource source, const Term *index, Cell cell, Term region) {
  TermTable *tt = m->tt;
  PointwiseTensor *t = &m->pointwise->tensors.data[tensor];
  PointwiseOutput output = {.tensor = tensor, .rank = t->rank};
  PointwisePiece piece = {.region = region, .value = cell.value};
  Term poison = cell.poison;
  for (uint32_t k = 0; k < t->rank; k++) output.index[k] = index[k];
  t->is_written = true;
  output.defined = poison == tt->false_ || never_holds(tt, poison) ? 0 : term_not(tt, poison);
  array_push(m->arena, &output.pieces, piece);
  array_push(m->arena, &m->pointwise->outputs, output);
  array_push(m->arena, &m->sources, source);
}

/* The name, with underscores until no argument has it. */
static const char *free_name(const Making *m, const char *name) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t k = 0; k < m->argument_count; k++)
      again |= !strcmp(program_arg_name(m->p, m->entry->first_arg + k), name);
    if (again) name = arena_format(m->arena, "%s_", name);
  }
  return name;
}

/* Symbols for the indices of an element. */
static void add_indices(Making *m, uint32_t rank, const Term *extent, Term *index) {
  for (uint32_t k = 0; k < rank; k++) {
    index[k] =
        term_symbol_new(m->tt, intern_text(m->tt->names, free_name(m, term_axis_letter(k))), SORT_INT, SYMBOL_INDEX);
    Term length = put_in(m, extent[k]);
    term_symbol_range(m->tt, index[k], m->tt->zero, term_sub(m->tt, length, m->tt->one));
  }
}

static const char *result_name(const Making *m, uint32_t i) {
  return free_name(m, m->run.result_count == 1 ? "result" : arena_format(m->arena, "result_%u", i));
}

/* What a place of memory holds at the end. */
static Cell held(const Making *m, const MlirRun *run, const MlirValue *ref, const Term *index) {
  Name type = mlir_memory_type(m->world, m->p, ref->element);
  return mlir_memory_at(m->world, &run->memory, m->p, type, ref->block, mlir_address(m->tt, ref, index));
}

bool function_cell(const Making *m, const MlirRun *run, const FunctionMemories *memories, FunctionSource source,
                   const Term *index, Cell *out) {
  MlirValue ref = source.is_result ? run->results[source.number] : memories->data[source.number].ref;
  if (ref.kind == MLIR_MEMREF)
    *out = held(m, run, &ref, index);
  else
    *out = ref.kind == MLIR_TENSOR ? mlir_at(m->tt, &ref, index) : ref.cell;
  return function_name_places(m->tt, memories, &out->value) && function_name_places(m->tt, memories, &out->poison);
}

static bool name_places(Making *m, Cell *cell) {
  cell->value = put_in(m, cell->value), cell->poison = put_in(m, cell->poison);
  return function_name_places(m->tt, &m->memories, &cell->value) &&
         function_name_places(m->tt, &m->memories, &cell->poison);
}

static bool add_result(Making *m, uint32_t i) {
  MlirValue *v = &m->run.results[i];
  TypeId type = program_get_type(m->p, m->f->type)->members[m->argument_count + i];
  const Type *t = program_get_type(m->p, type);
  TypeId element = t->kind == TYPE_TENSOR || t->kind == TYPE_MEMREF ? t->element : type;
  Term index[MLIR_RANK];
  if (v->kind == MLIR_NONE || !dtype_of(m, element) || v->rank > POINTWISE_MAX_RANK) return false;
  v->element = element;
  const char *name = result_name(m, i);
  Term symbol = term_symbol_new(m->tt, intern_text(m->tt->names, name),
                                mlir_element_sort(true, program_get_type(m->p, element)), SYMBOL_TENSOR);
  mlir_element_range(m->tt, symbol, program_get_type(m->p, element));
  uint32_t facts = m->tt->facts.count;
  know_elements(m, v->rank, v->extent);
  add_indices(m, v->rank, v->extent, index);
  Cell cell = v->kind == MLIR_SCALAR   ? v->cell
              : v->kind == MLIR_TENSOR ? mlir_at(m->tt, v, index)
                                       : held(m, &m->run, v, index);
  PointwiseTensor tensor = new_tensor(m, name, element, symbol, v);
  tensor.is_result = true;
  array_push(m->arena, &m->pointwise->tensors, tensor);
  bool good = name_places(m, &cell);
  if (good) add_output(m, m->pointwise->tensors.count - 1, (FunctionSource){true, i}, index, cell, m->tt->true_);
  term_pop_facts(m->tt, facts);
  return good;
}

bool function_is_constant(const Making *m, uint32_t memory) {
  return mlir_memory_any(m->world, &m->run.memory.readonly, m->memories.data[memory].ref.block) == m->tt->true_;
}

/* Memory of the caller, where it is not what it was. */
static bool add_written(Making *m, uint32_t i) {
  TermTable *tt = m->tt;
  const FunctionMemory *memory = &m->memories.data[i];
  Term index[MLIR_RANK];
  if (function_is_constant(m, i)) return true;
  uint32_t facts = tt->facts.count;
  know_elements(m, memory->ref.rank, memory->ref.extent);
  add_indices(m, memory->ref.rank, memory->ref.extent, index);
  Cell cell = held(m, &m->run, &memory->ref, index);
  Term place[2] = {memory->ref.block, mlir_address(tt, &memory->ref, index)}, region = tt->true_;
  Term before = term_read(tt, memory->memory, term_symbol(tt, memory->memory)->sort, 2, place);
  Term whole = cell.value;
  split_old(tt, whole, before, &region, &cell.value);
  Term elsewhere = put_in(m, term_and(tt, term_not(tt, region), cell.poison)); /* poison may be stored there, too */
  if (elsewhere != tt->false_ && !never_holds(tt, elsewhere)) region = tt->true_, cell.value = whole;
  region = index_conditions(tt, put_in(m, region), index, memory->ref.rank);
  bool good = function_name_places(tt, &m->memories, &region); /* before it is a fact, which would make it true */
  if (region != tt->true_) equal_push(tt, region);
  good = name_places(m, &cell) && good;
  Term old = term_read(tt, memory->tensor, term_symbol(tt, memory->tensor)->sort, memory->ref.rank, index);
  bool same = cell.value == old || (term_sort(tt, cell.value) == SORT_BOOL && cell.value == mlir_as_bool(tt, old));
  same = same && (cell.poison == tt->false_ || never_holds(tt, cell.poison));
  if (good && !same) add_output(m, m->tensors.data[i], (FunctionSource){false, i}, index, cell, region);
  term_pop_facts(tt, facts);
  return good;
}

static bool uses(TermTable *tt, const Pointwise *p, Term symbol) {
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const PointwiseOutput *o = &p->outputs.data[i];
    for (uint32_t k = 0; k < o->pieces.count; k++)
      if (term_has_symbol(tt, o->pieces.data[k].value, symbol) || term_has_symbol(tt, o->pieces.data[k].region, symbol))
        return true;
  }
  return false;
}

/* Sizes put in, strides, and which tensors are read. */
static void finish_tensors(Making *m) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < m->pointwise->tensors.count; i++) {
    PointwiseTensor *t = &m->pointwise->tensors.data[i];
    Term stride = tt->one;
    for (uint32_t k = t->rank; k-- > 0; stride = term_mul(tt, stride, t->extent[k])) {
      t->extent[k] = put_in(m, t->extent[k]);
      t->stride[k] = stride;
    }
    t->is_read = uses(tt, m->pointwise, t->symbol);
  }
}

/* The mean of nothing has no value: sizes that are asked not to be 0, as few as suffice. NULL: it has one then. */
static const char *undefined_value(Making *m, const PointwiseOutput *o, const char *name) {
  TermTable *tt = m->tt;
  Term value = o->pieces.data[0].value;
  TermList symbols = {0}, needed = {0};
  const char *why = definedness_of_inputs(m->arena, tt, m->pointwise, value);
  if (!why) return NULL;
  term_symbols(tt, value, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (is_size(tt, symbols.data[i])) array_push(m->arena, &needed, term_lt(tt, tt->zero, symbols.data[i]));
  for (uint32_t without = needed.count + 1; without-- > 0;) { /* with all of them, then without one after the other */
    uint32_t facts = tt->facts.count;
    for (uint32_t i = 0; i < needed.count; i++)
      if (i != without && needed.data[i] != tt->true_) equal_push(tt, needed.data[i]);
    bool good = !definedness_of_inputs(m->arena, tt, m->pointwise, value);
    term_pop_facts(tt, facts);
    if (!good && without == needed.count) return why;
    if (good && without < needed.count) needed.data[without] = tt->true_;
  }
  for (uint32_t i = 0; i < needed.count; i++) {
    if (needed.data[i] == tt->true_) continue;
    assume(m, ASSUME_PRECONDITION, needed.data[i], term_text(tt, needed.data[i]),
           arena_format(m->arena, "%s has no value otherwise", name));
    equal_push(tt, needed.data[i]);
  }
  return NULL;
}

/* Along an axis of one element the index is 0: where the form has no formula otherwise. */
static void drop_indices_of_single_axes(Making *m, PointwiseOutput *o) {
  TermTable *tt = m->tt;
  PointwiseOutput other = *o;
  TensorBitsList bits = {0};
  bool has_single = false;
  for (uint32_t k = 0; k < o->rank; k++) has_single |= m->pointwise->tensors.data[o->tensor].extent[k] == tt->one;
  if (!has_single || deduce(m->pointwise, o, &bits, NULL)) return;
  PointwisePiece piece = o->pieces.data[0];
  for (uint32_t k = 0; k < o->rank; k++) {
    if (m->pointwise->tensors.data[o->tensor].extent[k] != tt->one) continue;
    piece.region = term_replace(tt, piece.region, o->index[k], tt->zero);
    piece.value = term_replace(tt, piece.value, o->index[k], tt->zero);
  }
  other.pieces.data = arena_array(m->arena, PointwisePiece, 1);
  other.pieces.data[0] = piece;
  *o = other;
}

/* In which real numbers were computed, over the tensors of the claim. Where an operation on integers is undefined, so
 * is the function. */
static void keep_real_steps(Making *m) {
  TermTable *tt = m->tt;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < m->steps.count; i++) {
    TermStep s = m->steps.data[i];
    Term *const terms[] = {&s.a, &s.b, &s.result, &s.under};
    bool real = false;
    for (int k = 0; k < 3; k++) {
      Term t = *terms[k];
      real |= t && (term_sort(tt, t) == SORT_REAL || (term_node(tt, t)->flags & TERM_HAS_REAL));
    }
    if (!real || s.kind == TERM_STEP_PLACE) continue;
    for (int k = 0; k < 4; k++) {
      if (!*terms[k]) continue;
      *terms[k] = put_in(m, *terms[k]);
      function_name_places(tt, &m->memories, terms[k]);
    }
    m->steps.data[kept++] = s;
  }
  m->steps.count = kept;
}

/* What no term shows any more: log(x) - log(x). */
static void judge_steps(Making *m) {
  TermList values = {0}, none = {0};
  for (uint32_t i = 0; i < m->pointwise->outputs.count; i++)
    array_push(m->arena, &values, m->pointwise->outputs.data[i].pieces.data[0].value);
  const char *why = definedness_of_steps(m->arena, m->tt, NULL, &m->steps, &none, &values, &none);
  if (why) oblige(m, OBLIGATION_UNDEFINED, 0, NULL, why, true);
}

/* Elements that are poison, and operators outside of their domain. */
static void judge_outputs(Making *m) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < m->pointwise->outputs.count; i++) {
    const PointwiseOutput *o = &m->pointwise->outputs.data[i];
    const char *name = m->pointwise->tensors.data[o->tensor].name;
    if (o->defined == tt->false_)
      stop(m, REASON_NO_LAUNCH, arena_format(m->arena, "%s is poison for all inputs", name));
    if (o->defined) {
      const char *text = arena_format(m->arena, "poison where %s", term_text(tt, term_not(tt, o->defined)));
      oblige(m, OBLIGATION_UNDEFINED, 0, name, text, true);
      refute(m, function_poison(m, o));
      if (!m->claim->undefined_where) m->claim->undefined_where = text;
    }
    uint32_t facts = tt->facts.count, assumptions = m->claim->assumptions.count;
    know_elements(m, o->rank, m->pointwise->tensors.data[o->tensor].extent);
    const char *why = undefined_value(m, o, name);
    term_pop_facts(tt, facts);
    for (uint32_t k = assumptions; k < m->claim->assumptions.count; k++)
      equal_push(tt, m->claim->assumptions.data[k].condition);
    if (!why) continue;
    oblige(m, OBLIGATION_UNDEFINED, 0, name, why, true);
    m->claim->obligations.data[m->claim->obligations.count - 1].of_inputs = OF_INPUTS_ALONE;
  }
}

/* ---- the claim ---- */

/* True if some operation tells of strides, or asks for some. */
static bool sees_strides(const Program *p) {
  static const char *const names[] = {"memref.cast",
                                      "memref.collapse_shape",
                                      "memref.reshape",
                                      "memref.reinterpret_cast",
                                      "memref.extract_strided_metadata",
                                      "memref.extract_aligned_pointer_as_index"};
  for (uint32_t i = 1; i < p->ops.count; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (!strcmp(intern_string(p->names, program_get_op(p, i)->name), names[k])) return true;
  return false;
}

/* Of strides that the type leaves open. */
static void assume_layout(Making *m, uint32_t argument, const char *name) {
  const Type *type = program_value_type(m->p, m->entry->first_arg + argument);
  const Attr *layout = type->layout ? program_get_attr(m->p, type->layout) : NULL;
  bool is_open = false;
  for (uint32_t k = 0; layout && layout->kind == ATTR_ARRAY && k < layout->count; k++)
    is_open |= program_get_attr(m->p, layout->items[k])->integer == TYPE_DYNAMIC;
  if (!is_open) return;
  if (sees_strides(m->p))
    assume(m, ASSUME_PRECONDITION, 0, arena_format(m->arena, "%s is row-major without gaps", name),
           "an operation asks for its strides");
  else
    assume(m, ASSUME_DISJOINT, 0, arena_format(m->arena, "elements of %s do not overlap", name),
           "its strides are not known");
}

static void assume_memory(Making *m) {
  Text names = text_new(m->arena);
  uint32_t count = 0, written = 0;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    const PointwiseTensor *t = &m->pointwise->tensors.data[m->tensors.data[i]];
    if (!t->is_read && !t->is_written) continue;
    text_format(&names, "%s%s", count++ ? ", " : "", t->name);
    written += t->is_written;
    if (m->memories.data[i].ref.argument) assume_layout(m, m->memories.data[i].ref.argument - 1, t->name);
  }
  if (count > 1 && written)
    assume(m, ASSUME_DISJOINT, 0, arena_format(m->arena, "%s do not overlap", text_string(&names)),
           "they are different memory");
}

static const char *unexecuted(const Making *m) {
  if (m->run.calls.count || m->run.calls_unknown) return "a function without a body is called";
  for (uint32_t i = 0; i < m->memories.count; i++)
    if (mlir_memory_any(m->world, &m->run.memory.dead, m->memories.data[i].ref.block) != m->tt->false_)
      return "memory of the caller is freed";
  return NULL;
}

static void know_sizes(Making *m) {
  TermTable *tt = m->tt;
  for (uint32_t i = 0; i < m->run.sizes.count; i++) {
    Term fact = put_in(m, m->run.sizes.data[i]);
    if (fact != tt->true_) term_push_fact(tt, fact);
  }
}

static void assume_positive(Making *m) {
  bool assumed = false;
  for (uint32_t i = 0; i < m->argument_count; i++)
    for (uint32_t k = 0; k < m->arguments[i].rank; k++) {
      Term extent = m->arguments[i].extent[k];
      if (term_kind(m->tt, extent) != TERM_SYM) continue;
      term_symbol_range(m->tt, extent, m->tt->one, term_symbol(m->tt, extent)->hi);
      assumed = true;
    }
  if (!assumed) return;
  assume(m, ASSUME_RANGE, 0, "sizes are at least 1", "sizes are not empty");
  m->claim->assumptions.data[m->claim->assumptions.count - 1].of_sizes = true;
}

static void undefined_always(Making *m) {
  stop(m, REASON_NO_LAUNCH, "the function is undefined for all inputs");
  oblige(m, OBLIGATION_UNDEFINED, 0, NULL, "the function is undefined for all inputs", true);
  refute(m, function_any_launch(m));
}

static Claim *make(Making *m) {
  TermTable *tt = m->tt;
  if (m->how == ATTEMPT_POSITIVE) assume_positive(m);
  for (uint32_t i = 0; i < m->argument_count; i++)
    if (!add_argument(m, i))
      return stop(m, REASON_UNSUPPORTED_ARGUMENT,
                  arena_format(m->arena, "argument %u has a type or layout that is not lifted", i + 1));
  MlirFlags flags = {.real = true, .distinct = true, .total = true, .keeps_facts = true, .numbers = m->numbers};
  flags.unrolls_few = m->how == ATTEMPT_UNROLLED;
  tt->made = &m->steps;
  m->run = mlir_execute(m->arena, m->world, m->p, m->f, m->arguments, flags, NULL);
  tt->made = NULL;
  if (m->run.stop_code) return stop(m, m->run.stop_code, m->run.stop_text);
  add_globals(m);
  const char *why = unexecuted(m);
  if (why) return stop(m, REASON_UNSUPPORTED_OP, why);
  for (uint32_t i = 0; i < m->run.steps.count; i++) {
    Term ub = m->run.steps.data[i].ub;
    if (!function_name_places(tt, &m->memories, &ub)) return stop(m, REASON_ADDRESS, "a place of memory is not seen");
    add_undefined(m, ub, m->run.steps.data[i].op);
  }
  solve_sizes(m);
  put_in_memories(m);
  uint32_t facts = tt->facts.count;
  know_sizes(m);
  bool good = judge_undefined(m);
  for (uint32_t i = 0; i < m->run.result_count && good; i++)
    if (!add_result(m, i)) good = !stop(m, REASON_UNSUPPORTED_RESULT, "a result of this kind has no formula");
  for (uint32_t i = 0; i < m->memories.count && good; i++)
    if (!add_written(m, i)) good = !stop(m, REASON_ADDRESS, "a place of memory is not seen");
  finish_tensors(m);
  for (uint32_t i = 0; i < m->pointwise->outputs.count && good; i++)
    drop_indices_of_single_axes(m, &m->pointwise->outputs.data[i]);
  judge_outputs(m);
  keep_real_steps(m);
  judge_steps(m);
  if (!m->claim->obligations.count) oblige(m, OBLIGATION_UNDEFINED, 0, NULL, "no operation is undefined", false);
  term_pop_facts(tt, facts);
  if (!good && !m->claim->stop_code) undefined_always(m);
  if (!m->claim->stop_code && !function_has_launch(m))
    stop(m, REASON_NO_LAUNCH, "no sizes are known to meet all that is assumed");
  const char *differs = m->claim->stop_code ? NULL : function_disagrees(m);
  if (differs) stop(m, REASON_LIFT_MISMATCH, differs);
  assume_memory(m);
  if (m->run.no_greatest)
    assume(m, ASSUME_CONSTANT, 0, "the greatest finite number of a format is infinity", "no number is greater");
  assume(m, ASSUME_FLOATS, 0, "floats are real numbers", "so formulas have them");
  assume(m, ASSUME_FINITE, 0, "inputs are finite", "numbers are reals");
  return m->claim;
}

static const Making *attempt(Arena *arena, const Program *p, const Function *f, const MlirNumber *numbers,
                             Attempt how) {
  Making *m = arena_new(arena, Making);
  *m = (Making){.arena = arena, .tt = term_table_new(arena, p->names), .p = p, .f = f, .how = how, .numbers = numbers};
  m->claim = arena_new(arena, Claim);
  m->pointwise = arena_new(arena, Pointwise);
  *m->pointwise = (Pointwise){.tt = m->tt, .kernel = intern_string(p->names, f->name)};
  m->claim->tt = m->tt, m->claim->pointwise = m->pointwise;
  const Op *op = program_get_op(p, f->op);
  m->entry = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  m->argument_count = program_get_type(p, f->type)->rank;
  m->world = mlir_world_new(m->tt, (MlirFlags){.real = true, .distinct = true});
  m->arguments = mlir_arguments(m->world, p, f);
  make(m);
  return m;
}

/* Loops have no closed form, or one of which too little is known. */
static bool is_poor(const Claim *claim) {
  if (claim->stop_code) return true;
  for (uint32_t i = 0; i < claim->pointwise->outputs.count; i++) {
    const PointwiseOutput *o = &claim->pointwise->outputs.data[i];
    if (o->defined || term_has_kind(claim->tt, o->pieces.data[0].value, TERM_RECUR)) return true;
  }
  return false;
}

Claim *function_claim(Arena *arena, const Program *p, const Function *f, const MlirNumber *numbers, TermSteps *made) {
  static const Attempt attempts[] = {ATTEMPT_PLAIN, ATTEMPT_POSITIVE, ATTEMPT_UNROLLED};
  const Making *best = NULL;
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts && (!best || is_poor(best->claim)); i++) {
    const Making *own = attempt(arena, p, f, numbers, attempts[i]);
    if (!best || (best->claim->stop_code && !own->claim->stop_code) || !is_poor(own->claim)) best = own;
  }
  for (uint32_t i = 0; made && i < best->steps.count; i++) array_push(arena, made, best->steps.data[i]);
  return best->claim;
}
