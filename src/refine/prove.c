/* The proof of a pair: the source's undefined behaviour is negated and becomes facts; an equation of these that says
 * what a size is, is put in everywhere. Then: the target is not undefined, sizes agree, the target's element is poison
 * only where the source's is, and the elements are equal there. */
#include "refine/internal.h"

#include "prove/equal.h"
#include "solve/solve.h"

enum { MOST_EQUATIONS = 64 };

typedef struct Proof {
  RefinePair *pair;
  TermTable *tt;
  TermList source_ub, target_ub; /* disjuncts */
  TermList sizes;                /* what is known of them where the source is defined */
} Proof;

static void disjuncts(TermTable *tt, Term t, TermList *out) {
  if (t == tt->false_) return;
  if (term_kind(tt, t) == TERM_OR) {
    for (uint32_t i = 0; i < term_count(tt, t); i++) disjuncts(tt, term_arg(tt, t, i), out);
    return;
  }
  array_push(tt->arena, out, t);
}

/* ---- sizes that the source defines ---- */

static Term put_in(TermTable *tt, Term t, Term symbol, Term value) {
  return t ? term_replace(tt, t, symbol, value) : t;
}

static void put_in_region(TermTable *tt, MlirRegion *region, Term symbol, Term by) {
  region->block = put_in(tt, region->block, symbol, by);
  region->begin = put_in(tt, region->begin, symbol, by), region->end = put_in(tt, region->end, symbol, by);
}

static void put_in_values(TermTable *tt, MlirValue *values, uint32_t count, Term symbol, Term by) {
  for (uint32_t i = 0; i < count; i++) {
    MlirValue *v = &values[i];
    v->cell = (Cell){put_in(tt, v->cell.value, symbol, by), put_in(tt, v->cell.poison, symbol, by)};
    for (uint32_t k = 0; k < v->rank; k++) {
      Term before = v->extent[k];
      v->extent[k] = put_in(tt, before, symbol, by);
      if (before == v->extent[k]) continue;
      Term index = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
      term_symbol_range(tt, index, tt->zero, term_sub(tt, v->extent[k], tt->one));
      v->cell = (Cell){put_in(tt, v->cell.value, v->index[k], index), put_in(tt, v->cell.poison, v->index[k], index)};
      v->index[k] = index;
    }
    v->block = put_in(tt, v->block, symbol, by), v->offset = put_in(tt, v->offset, symbol, by);
    v->base = put_in(tt, v->base, symbol, by);
    put_in_region(tt, &v->region, symbol, by);
    for (uint32_t k = 0; k < v->rank; k++) v->stride[k] = put_in(tt, v->stride[k], symbol, by);
  }
}

static void put_in_memory(TermTable *tt, MlirMemory *memory, Term symbol, Term by) {
  TermList *lists[2] = {&memory->dead, &memory->readonly};
  for (int i = 0; i < 2; i++)
    for (uint32_t k = 0; k < lists[i]->count; k++) lists[i]->data[k] = put_in(tt, lists[i]->data[k], symbol, by);
  for (uint32_t i = 0; i < memory->spaces.count; i++)
    for (uint32_t k = 0; k < memory->spaces.data[i].writes.count; k++) {
      MlirWrite *w = &memory->spaces.data[i].writes.data[k];
      w->guard = put_in(tt, w->guard, symbol, by);
      w->cell = (Cell){put_in(tt, w->cell.value, symbol, by), put_in(tt, w->cell.poison, symbol, by)};
    }
}

static void put_in_list(TermTable *tt, TermList *list, Term symbol, Term value) {
  TermList out = {0};
  for (uint32_t i = 0; i < list->count; i++) disjuncts(tt, put_in(tt, list->data[i], symbol, value), &out);
  *list = out;
}

bool refine_size_of(TermTable *tt, Term undefined, Term *symbol, Term *value) {
  TermList parts = {0};
  disjuncts(tt, undefined, &parts);
  for (uint32_t i = 0; i < parts.count; i++)
    if (mlir_defines_size(tt, parts.data[i], symbol, value)) return true;
  return false;
}

/* Where the symbol cannot be that value: of a size there are limits, a stride may be negative. */
static Term outside_of_range(TermTable *tt, Term symbol, Term value) {
  Term lo = term_symbol(tt, symbol)->lo, hi = term_symbol(tt, symbol)->hi;
  Term below = lo ? term_lt(tt, value, lo) : tt->false_;
  return hi ? term_or(tt, below, term_lt(tt, hi, value)) : below;
}

static void solve_sizes(Proof *p) {
  TermTable *tt = p->tt;
  for (uint32_t round = 0; round < MOST_EQUATIONS; round++) {
    Term symbol = 0, value = 0;
    for (uint32_t i = 0; i < p->source_ub.count && !symbol; i++)
      mlir_defines_size(tt, p->source_ub.data[i], &symbol, &value);
    if (!symbol) return;
    Term outside = outside_of_range(tt, symbol, value);
    put_in_list(tt, &p->source_ub, symbol, value);
    put_in_list(tt, &p->target_ub, symbol, value);
    for (uint32_t i = 0; i < p->sizes.count; i++) p->sizes.data[i] = put_in(tt, p->sizes.data[i], symbol, value);
    disjuncts(tt, outside, &p->source_ub); /* no such input */
    put_in_values(tt, p->pair->source.results, p->pair->source.result_count, symbol, value);
    put_in_values(tt, p->pair->target.results, p->pair->target.result_count, symbol, value);
    put_in_memory(tt, &p->pair->source.memory, symbol, value);
    put_in_memory(tt, &p->pair->target.memory, symbol, value);
    array_push(tt->arena, &p->pair->from, symbol);
    array_push(tt->arena, &p->pair->to, value);
  }
}

void refine_fix_sizes(RefinePair *pair, MlirValue *arguments, MlirRun *known) {
  TermTable *tt = pair->tt;
  TermList undefined = {0};
  disjuncts(tt, pair->source.ub, &undefined);
  for (uint32_t round = 0; round < MOST_EQUATIONS; round++) {
    Term symbol = 0, value = 0;
    for (uint32_t i = 0; i < undefined.count && !symbol; i++) mlir_defines_size(tt, undefined.data[i], &symbol, &value);
    if (!symbol) return;
    Term is_possible = term_not(tt, outside_of_range(tt, symbol, value));
    put_in_list(tt, &undefined, symbol, value);
    put_in_values(tt, arguments, pair->argument_count, symbol, value);
    for (uint32_t i = 0; i < known->facts.count; i++) {
      Term fact = put_in(tt, known->facts.data[i], symbol, value);
      known->facts.data[i] = fact;
    }
    if (is_possible != tt->true_) array_push(tt->arena, &known->facts, is_possible);
    for (uint32_t i = 0; i < known->apart.count; i++) {
      put_in_region(tt, &known->apart.data[i].a, symbol, value);
      put_in_region(tt, &known->apart.data[i].b, symbol, value);
    }
  }
}

/* ---- the goals ---- */

static bool is_among(const TermList *list, Term t) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i] == t) return true;
  return false;
}

SolveFloats refine_floats(const RefinePair *pair) {
  return pair->real ? SOLVE_INTEGERS : pair->ieee ? SOLVE_IEEE : SOLVE_COMPARISONS;
}

/* A size is positive, and so are its factors, none of which is negative. */
static void push_positive(TermTable *tt, Term size) {
  Term some = term_lt(tt, tt->zero, size);
  if (some == tt->false_) return;
  if (some != tt->true_) term_push_fact(tt, some);
  bool is_multiple = term_kind(tt, size) == TERM_ADD && term_count(tt, size) == 3 && term_arg(tt, size, 0) == tt->zero;
  if (is_multiple) size = term_arg(tt, size, 2);
  for (uint32_t i = 0; term_kind(tt, size) == TERM_MUL && i < term_count(tt, size); i += 2) {
    Term factor = term_arg(tt, size, i), own = term_lt(tt, tt->zero, factor);
    if (own != tt->true_ && term_prove_le(tt, tt->zero, factor)) term_push_fact(tt, own);
  }
}

/* Of an index below a size there is one only where the size is positive. */
static bool never_holds_below(TermTable *tt, Term any) {
  if (term_kind(tt, any) != TERM_FOLD || (TermFoldOp)term_aux(tt, any) != FOLD_ANY || term_fold_lo(tt, any) != tt->zero)
    return false;
  uint32_t facts = tt->facts.count;
  FoldParts parts = term_fold_open(tt, any);
  push_positive(tt, parts.hi);
  bool never = refine_holds(tt, term_not(tt, term_and(tt, parts.guard, parts.body)));
  term_pop_facts(tt, facts);
  return never;
}

/* One of its conjuncts, where the others hold, which may say that what it divides by is positive. */
static bool has_part_that_never_holds(TermTable *tt, Term condition) {
  uint32_t facts = tt->facts.count, count = term_conjunct_count(tt, condition);
  Term divisor = count > 1 ? mlir_positive_divisor(tt, condition) : 0;
  if (divisor) term_push_fact(tt, term_lt(tt, tt->zero, divisor));
  for (uint32_t i = 0; i < count && count > 1; i++) {
    Term part = term_conjunct(tt, condition, i);
    if (!(term_node(tt, part)->flags & TERM_HAS_FOLD)) term_push_fact(tt, part);
  }
  bool never = false;
  for (uint32_t i = 0; i < count && !never; i++) {
    Term part = term_conjunct(tt, condition, i);
    never = never_holds_below(tt, part) || (divisor && mlir_holds(tt, term_not(tt, part)));
  }
  term_pop_facts(tt, facts);
  return never;
}

static bool never_holds(Proof *p, Term condition) {
  TermTable *tt = p->tt;
  if (refine_holds(tt, term_not(tt, condition)) || has_part_that_never_holds(tt, condition)) return true;
  if (p->pair->real && equal_prove_false(tt, condition)) return true;
  return p->pair->thorough &&
         solve_bits(tt, &(SolveQuestion){condition, tt->false_, NULL, refine_floats(p->pair), 0.3});
}

static bool is_defined(Proof *p) {
  for (uint32_t i = 0; i < p->target_ub.count; i++) {
    Term t = p->target_ub.data[i];
    if (!is_among(&p->source_ub, t) && !refine_is_instance(p->tt, t, &p->source_ub) && !never_holds(p, t)) return false;
  }
  return true;
}

/* Poison of the target is poison of the source. */
static bool is_less_poison(Proof *p, Term target, Term source) {
  TermTable *tt = p->tt;
  TermList mine = {0}, theirs = {0};
  if (source == tt->true_) return true;
  disjuncts(tt, target, &mine), disjuncts(tt, source, &theirs);
  uint32_t facts = tt->facts.count;
  if (source != tt->false_) term_push_fact(tt, term_not(tt, source));
  bool good = true;
  for (uint32_t i = 0; i < mine.count && good; i++)
    good = is_among(&theirs, mine.data[i]) || refine_is_instance(tt, mine.data[i], &theirs) ||
           never_holds(p, mine.data[i]);
  term_pop_facts(tt, facts);
  return good;
}

/* Of a float, the format; NULL: it is none. */
static const char *format_of(const Proof *p, TypeId element) {
  const Type *t = program_get_type(p->pair->source.program, element);
  return !element ? "memory" : t->kind == TYPE_FLOAT ? program_float_name(t->format) : NULL;
}

static bool are_equal_bits(Proof *p, TypeId element, Term a, Term b) {
  const char *format = format_of(p, element);
  for (int form = 0; form < 2; form++) { /* as it is, then sums of few steps written out */
    if (solve_bits(p->tt, &(SolveQuestion){a, b, format, refine_floats(p->pair), 0.3})) return true;
    a = refine_sums(p->tt, a, REFINE_UNROLLED), b = refine_sums(p->tt, b, REFINE_UNROLLED);
  }
  return false;
}

/* By the prover of kernels, which knows the laws of reals. */
static bool are_equal_reals(Proof *p, TypeId element, Term a, Term b) {
  return p->pair->real && format_of(p, element) && equal_prove(p->tt, a, b) != EQUAL_NONE;
}

static bool are_equal(Proof *p, TypeId element, Cell source, Cell target) {
  TermTable *tt = p->tt;
  Term a = source.value, b = target.value, poison = source.poison;
  if (poison == tt->true_ || a == b) return true;
  uint32_t facts = tt->facts.count;
  if (poison != tt->false_) term_push_fact(tt, term_not(tt, poison));
  if (term_sort(tt, a) == SORT_BOOL || term_sort(tt, b) == SORT_BOOL) {
    a = mlir_as_bool(tt, a), b = mlir_as_bool(tt, b);
    if (refine_equal(tt, a, b)) return term_pop_facts(tt, facts), true;
    a = mlir_equal(tt, a, b), b = tt->true_;
  }
  bool good = b == tt->true_ ? refine_holds(tt, a) || refine_equal(tt, a, b) : refine_equal(tt, a, b);
  good = good || are_equal_reals(p, element, a, b);
  if (!good && (p->pair->thorough || p->pair->reassociate)) good = refine_equal_sums(tt, a, b);
  if (!good && p->pair->thorough) good = are_equal_bits(p, element, a, b);
  term_pop_facts(tt, facts);
  return good;
}

/* ---- memory */

static bool is_local(const TermTable *tt, Term block) {
  int64_t id;
  return term_is_int(tt, block, &id) && id >= MLIR_LOCAL;
}

/* Memrefs that are returned: the same place of a block that the caller knows; of new ones the contents count, and which
 * of them are one. */
static const char *check_memref(Proof *p, uint32_t i, const MlirValue *source, const MlirValue *target) {
  TermTable *tt = p->tt;
  Arena *arena = p->pair->arena;
  RefinePair *pair = p->pair;
  Term index[MLIR_RANK];
  const char *other = arena_format(arena, "result %u is not shown to be the same place of memory", i + 1);
  for (uint32_t k = 0; k < source->rank; k++) {
    Term extent = source->extent[k], limit = term_symbol_fresh(tt, "i", SORT_INT, SYMBOL_INDEX);
    index[k] = term_symbol_range(tt, limit, tt->zero, term_sub(tt, extent, tt->one));
    if (source->stride[k] == target->stride[k] || term_prove_le(tt, extent, tt->one)) continue;
    if (!refine_equal(tt, source->stride[k], target->stride[k])) return other;
  }
  if (!refine_equal(tt, source->offset, target->offset)) return other;
  if (!source->base || !target->base || !refine_equal(tt, source->base, target->base)) return other;
  if (!is_local(tt, source->block))
    return term_kind(tt, source->block) != TERM_SELECT && refine_equal(tt, source->block, target->block) ? NULL : other;
  if (!is_local(tt, target->block) || (target->is_any_layout && !source->is_any_layout)) return other;
  for (uint32_t k = 0; k < i; k++) {
    const MlirValue *a = &pair->source.results[k], *b = &pair->target.results[k];
    if (a->kind == MLIR_MEMREF && (a->block == source->block) != (b->block == target->block)) return other;
  }
  uint32_t escaped = mlir_escaped(&pair->source, source->block);
  if (escaped != mlir_escaped(&pair->target, target->block)) return other;
  if (escaped == UINT32_MAX && (mlir_may_have_escaped(tt, &pair->source, source->block) ||
                                mlir_may_have_escaped(tt, &pair->target, target->block)))
    return other; /* where a choice of blocks was passed, it may be one of them */
  if (mlir_memory_any(pair->world, &pair->source.memory.dead, source->block) == tt->true_) return NULL;
  MlirOrigin from, to;
  if (!mlir_is_own_block(tt, &pair->source, source->block, &from) ||
      !mlir_is_own_block(tt, &pair->target, target->block, &to) || (from == MLIR_HEAP && to != MLIR_HEAP))
    return arena_format(arena, "result %u is not shown to be the caller's to free", i + 1);
  Term dead = mlir_memory_any(pair->world, &pair->target.memory.dead, target->block);
  if (dead != tt->false_ && !refine_holds(tt, term_not(tt, dead))) return "a returned memref may be freed";
  uint32_t facts = tt->facts.count; /* an element exists where no size is 0 */
  for (uint32_t k = 0; k < source->rank; k++) push_positive(tt, source->extent[k]);
  Name type = mlir_memory_type(pair->world, pair->source.program, source->element);
  Cell a = mlir_memory_at(pair->world, &pair->source.memory, pair->source.program, type, source->block,
                          mlir_address(tt, source, index));
  Cell b = mlir_memory_at(pair->world, &pair->target.memory, pair->target.program, type, target->block,
                          mlir_address(tt, target, index));
  bool good = is_less_poison(p, b.poison, a.poison) && are_equal(p, source->element, a, b);
  term_pop_facts(tt, facts);
  return good ? NULL : arena_format(arena, "what result %u holds is not shown to be equal", i + 1);
}

bool refine_global_is_seen(const RefinePair *pair, const Program *own, const char *name, const MlirValue *v) {
  const Program *source = pair->source.program;
  for (uint32_t i = 0; i < pair->source.result_count; i++) /* what is returned is the same block on both sides */
    if (pair->source.results[i].kind == MLIR_MEMREF && pair->source.results[i].block == v->block) return true;
  return mlir_global_is_seen(own, own == source ? pair->target_program : source, name);
}

/* Globals of one side that no caller sees are not the block. */
static void leave_out_globals(Proof *p, Term block, const Program *own) {
  const char *name;
  MlirValue v;
  for (uint32_t i = 0; mlir_global_at(p->pair->world, own, i, &name, &v); i++)
    if (v.kind == MLIR_MEMREF && !refine_global_is_seen(p->pair, own, name, &v))
      term_push_fact(p->tt, term_not(p->tt, term_eq(p->tt, block, v.block)));
}

/* What memory holds afterwards at any place of a block, and whether it is freed. */
static const char *check_block(Proof *p, Term block, Term its, Term place) {
  TermTable *tt = p->tt;
  RefinePair *pair = p->pair;
  for (uint32_t i = 0; i < pair->world->memories.count; i++) {
    Name type = pair->world->memories.data[i].type;
    Cell a = mlir_memory_at(pair->world, &pair->source.memory, pair->source.program, type, block, place);
    Cell b = mlir_memory_at(pair->world, &pair->target.memory, pair->target.program, type, its, place);
    if (!is_less_poison(p, b.poison, a.poison) || !are_equal(p, 0, a, b))
      return arena_format(pair->arena, "memory of %s is not shown to be equal afterwards",
                          intern_string(tt->names, type));
  }
  Term freed = mlir_memory_any(pair->world, &pair->target.memory.dead, its);
  Term before = mlir_memory_any(pair->world, &pair->source.memory.dead, block);
  if (freed == before || refine_holds(tt, term_or(tt, before, term_not(tt, freed)))) return NULL;
  return "memory that others know may be freed";
}

/* Blocks of its own that a callee may know, where they outlive the function and the source did not free them. */
static const char *check_escaped(Proof *p, Term place) {
  TermTable *tt = p->tt;
  RefinePair *pair = p->pair;
  const char *missing = NULL;
  if (pair->source.escaped.count != pair->target.escaped.count) return "other memory is passed to a callee";
  for (uint32_t i = 0; i < pair->source.escaped.count && !missing; i++) {
    Term block = pair->source.escaped.data[i], dead = mlir_memory_any(pair->world, &pair->source.memory.dead, block);
    MlirOrigin origin;
    if (!mlir_is_own_block(tt, &pair->source, block, &origin) || origin == MLIR_STACK || dead == tt->true_) continue;
    uint32_t facts = tt->facts.count;
    if (dead != tt->false_) term_push_fact(tt, term_not(tt, dead));
    missing = check_block(p, block, pair->target.escaped.data[i], place);
    term_pop_facts(tt, facts);
  }
  return missing;
}

/* What the caller sees afterwards: every place of every block that the function did not allocate. */
static const char *check_memory(Proof *p) {
  TermTable *tt = p->tt;
  RefinePair *pair = p->pair;
  Term block = term_symbol_fresh(tt, "block", SORT_INT, SYMBOL_INDEX);
  Term place = term_symbol_fresh(tt, "place", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(tt, block, term_int(tt, -MLIR_LOCAL), term_int(tt, MLIR_LOCAL - 1));
  leave_out_globals(p, block, pair->source.program);
  leave_out_globals(p, block, pair->target_program);
  const char *missing = mlir_reaches_outside(pair->world) ? check_block(p, block, block, place) : NULL;
  return missing ? missing : check_escaped(p, place);
}

static const char *check_elements(Proof *p, uint32_t i, const MlirValue *source, const MlirValue *target) {
  Term index[MLIR_RANK]; /* of a dimension of size 1, 0 */
  for (uint32_t k = 0; k < source->rank; k++)
    index[k] = source->extent[k] == p->tt->one ? p->tt->zero : source->index[k];
  Cell own = mlir_at(p->tt, source, index), other = mlir_at(p->tt, target, index);
  if (!is_less_poison(p, other.poison, own.poison))
    return arena_format(p->pair->arena, "result %u: the target may be poison where the source is not", i + 1);
  if (!are_equal(p, source->element, own, other))
    return arena_format(p->pair->arena, "result %u is not shown to be equal", i + 1);
  return NULL;
}

static const char *check_result(Proof *p, uint32_t i) {
  TermTable *tt = p->tt;
  MlirValue *source = &p->pair->source.results[i], *target = &p->pair->target.results[i];
  Arena *arena = p->pair->arena;
  if (source->kind != target->kind || source->rank != target->rank)
    return arena_format(arena, "result %u: the kinds differ", i + 1);
  for (uint32_t k = 0; k < source->rank; k++)
    if (!refine_equal(tt, source->extent[k], target->extent[k]))
      return arena_format(arena, "result %u: size %u is not shown to be equal", i + 1, k);
  if (source->kind == MLIR_MEMREF) return check_memref(p, i, source, target);
  uint32_t facts = tt->facts.count; /* an element exists where no size is 0 */
  bool is_empty = false;
  for (uint32_t k = 0; k < source->rank; k++) {
    is_empty |= term_lt(tt, tt->zero, source->extent[k]) == tt->false_;
    push_positive(tt, source->extent[k]);
  }
  const char *missing = is_empty ? NULL : check_elements(p, i, source, target);
  term_pop_facts(tt, facts);
  return missing;
}

const char *refine_prove(RefinePair *pair) {
  TermTable *tt = pair->tt;
  Proof p = {.pair = pair, .tt = tt};
  disjuncts(tt, pair->source.ub, &p.source_ub), disjuncts(tt, pair->target.ub, &p.target_ub);
  MlirRun source = pair->source, target = pair->target;
  MlirValue *copies[2];
  for (int k = 0; k < 2; k++) { /* the counterexample needs them as they were */
    const MlirRun *run = k ? &target : &source;
    copies[k] = arena_array(pair->arena, MlirValue, run->result_count + 1);
    for (uint32_t i = 0; i < run->result_count; i++) copies[k][i] = run->results[i];
  }
  for (uint32_t i = 0; i < source.sizes.count; i++) array_push(tt->arena, &p.sizes, source.sizes.data[i]);
  for (uint32_t i = 0; i < pair->argument_count; i++) {
    Term fact = mlir_fits_index(tt, &pair->arguments[i]);
    if (pair->arguments[i].rank > 1 && fact != tt->true_) array_push(tt->arena, &p.sizes, fact);
  }
  pair->source.results = copies[0], pair->target.results = copies[1];
  pair->source.memory = mlir_copy_memory(pair->arena, &source.memory);
  pair->target.memory = mlir_copy_memory(pair->arena, &target.memory);
  solve_sizes(&p);
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < p.sizes.count; i++)
    if (p.sizes.data[i] != tt->true_) term_push_fact(tt, p.sizes.data[i]);
  for (uint32_t i = 0; i < p.source_ub.count; i++) {
    Term fact = term_not(tt, p.source_ub.data[i]);
    if (fact != tt->true_) term_push_fact(tt, fact);
  }
  const char *missing = is_defined(&p) ? NULL : "the target may be undefined where the source is not";
  for (uint32_t i = 0; i < pair->source.result_count && !missing; i++) missing = check_result(&p, i);
  if (!missing) missing = check_memory(&p);
  term_pop_facts(tt, facts);
  pair->source.results = source.results, pair->target.results = target.results;
  pair->source.memory = source.memory, pair->target.memory = target.memory;
  return missing;
}
