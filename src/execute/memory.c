/* Memory: pointers are PTR(tensor, element offset) terms; loads are reads of the contents before the launch.
 *
 * A load from a tensor that this program has stored to before gives the stored values where the address is the same
 * term and the store's mask holds, the newest first, and the old contents elsewhere (Access.old: the prover asks that
 * nobody else has stored there). A store at another address must be shown to be apart in all lanes and iterations;
 * otherwise the run stops with a reason: nothing is guessed. A masked load without `other` gives an undefined value in
 * the lanes that are masked off. What a loop keeps in memory is a carried value (cells.c).
 *
 * Stores of one value to one address under several masks, with no other store to the tensor in between and no load but
 * of the lanes' own elements, are one store where one conjunction says the union of the masks. That lanes may write one
 * element is no matter: the prover asks that the values of all of them are the formula's. */
#include <string.h>

#include "execute/contents.h"
#include "laws/laws.h"

/* Addresses are computed modulo 2^64 anyway: 64-bit wrapping inside an offset changes no element. */
static Term strip_wrap64(TermTable *tt, Term t) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_WRAP) return term_aux(tt, t) == 64 ? strip_wrap64(tt, term_arg(tt, t, 0)) : t;
  if (kind == TERM_ADD) {
    Term sum = term_arg(tt, t, 0);
    for (uint32_t i = 1; i < term_count(tt, t); i += 2)
      sum =
          term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), strip_wrap64(tt, term_arg(tt, t, i + 1))));
    return sum;
  }
  if (kind == TERM_MUL) {
    Term product = tt->one;
    for (uint32_t i = 0; i < term_count(tt, t); i += 2)
      product = term_mul(tt, product,
                         term_power(tt, strip_wrap64(tt, term_arg(tt, t, i)), term_rat(tt, term_arg(tt, t, i + 1))));
    return product;
  }
  if (kind == TERM_SELECT)
    return term_select(tt, term_arg(tt, t, 0), strip_wrap64(tt, term_arg(tt, t, 1)),
                       strip_wrap64(tt, term_arg(tt, t, 2)));
  return t;
}

Term execute_pointer_add(TermTable *tt, Term pointer, Term offset) {
  if (term_kind(tt, pointer) == TERM_SELECT)
    return term_select(tt, term_arg(tt, pointer, 0), execute_pointer_add(tt, term_arg(tt, pointer, 1), offset),
                       execute_pointer_add(tt, term_arg(tt, pointer, 2), offset));
  if (term_kind(tt, pointer) != TERM_PTR) return 0;
  return term_ptr(tt, term_arg(tt, pointer, 0), strip_wrap64(tt, term_add(tt, term_arg(tt, pointer, 1), offset)));
}

/* An index that may count from the end is decided by the iterations that run, which alone go to memory. */
static Term decided_offset(Machine *ex, Term offset, Term mask) {
  TermTable *tt = ex->tt;
  if (!ex->program->is_host || !ex->counter_count || !term_has_kind(tt, offset, TERM_SELECT)) return offset;
  uint32_t facts = tt->facts.count, ended = execute_end_counters(ex);
  term_push_fact(tt, mask);
  offset = term_rebuild(tt, offset);
  term_pop_facts(tt, facts);
  execute_open_counters(ex, ended);
  return offset;
}

/* The pointer with an address that is exact where the mask holds. */
static Term exact_pointer(Machine *ex, OpId id, Term ptr, Term mask) {
  Term offset = term_arg(ex->tt, ptr, 1);
  Term exact = execute_exact_address(ex, id, decided_offset(ex, offset, mask), mask);
  return exact == offset ? ptr : term_ptr(ex->tt, term_arg(ex->tt, ptr, 0), exact);
}

/* What the pointers of an access point to, and the shape of its lanes. */
static ExecutePlace place_of(const Machine *ex, ValueId pointer) {
  TypeId element = program_element_type(ex->program, program_get_value(ex->program, pointer)->type);
  return (ExecutePlace){program_get_type(ex->program, element)->element, program_value_type(ex->program, pointer)};
}

static Access *new_access(Machine *ex, OpId id, ExecutePlace place, Term ptr, Term mask) {
  const Type *type = place.shape;
  Access access = {
      .tensor = term_arg(ex->tt, ptr, 0), .offset = term_arg(ex->tt, ptr, 1), .mask = mask, .op = id, .last_op = id};
  if (term_node(ex->tt, access.offset)->flags & TERM_HAS_UNDEF)
    access.offset = term_assume(ex->tt, access.offset, mask); /* an index that was read under the mask */
  access.element = place.element;
  if (type->kind == TYPE_TENSOR) {
    access.rank = type->rank;
    for (uint32_t i = 0; i < type->rank; i++) {
      Term lane = execute_lane(ex, i, type->dims[i]);
      access.lanes[i] = lane == ex->tt->zero ? 0 : lane;
    }
  }
  access.counter_count = ex->counter_count;
  memcpy(access.counters, ex->counters, sizeof access.counters);
  array_push(ex->arena, &ex->effects->accesses, access);
  return &ex->effects->accesses.data[ex->effects->accesses.count - 1];
}

/* An earlier loop over the same range, or a longer one, stored at the same address of its own counter: the value at our
 * counter, and where. */
static bool from_earlier_loop(Machine *ex, const Access *a, Term offset, Term *mask, Term *value) {
  TermTable *tt = ex->tt;
  if (a->is_atomic || a->counter_count != ex->counter_count || !a->counter_count) return false;
  TermMap map = {a->counter_count, a->counters, ex->counters};
  if (term_substitute(tt, a->offset, map) != offset) return false;
  for (uint32_t i = 0; i < a->counter_count;
       i++) { /* a loop that is still open has no upper bound yet: the same counter */
    if (a->counters[i] == ex->counters[i]) continue;
    const Symbol *s = term_symbol(tt, a->counters[i]);
    if (!s->hi || !term_prove_le(tt, ex->counter_end[i], s->hi)) return false;
  }
  *mask = term_substitute(tt, a->mask, map), *value = term_substitute(tt, a->value, map);
  return true;
}

static Term fresh_like(TermTable *tt, Term symbol) {
  const Symbol *s = term_symbol(tt, symbol);
  Term lo = s->lo, hi = s->hi;
  return term_symbol_range(tt, term_symbol_fresh(tt, "other", SORT_INT, s->role), lo, hi);
}

bool execute_is_apart(Machine *ex, const Access *store, Term offset, Term mask) {
  TermTable *tt = ex->tt;
  Term from[TYPE_MAX_RANK + EXECUTE_MAX_COUNTERS], to[TYPE_MAX_RANK + EXECUTE_MAX_COUNTERS];
  uint32_t n = 0, facts = tt->facts.count;
  for (uint32_t i = 0; i < store->rank; i++)
    if (store->lanes[i]) from[n++] = store->lanes[i];
  for (uint32_t i = 0; i < store->counter_count; i++) from[n++] = store->counters[i];
  for (uint32_t i = 0; i < n; i++) to[i] = fresh_like(tt, from[i]);
  for (uint32_t i = 0; i < n; i++) { /* ranges may mention one another */
    Term lo = term_symbol(tt, to[i])->lo, hi = term_symbol(tt, to[i])->hi;
    if (lo) lo = term_substitute(tt, lo, (TermMap){n, from, to});
    if (hi) hi = term_substitute(tt, hi, (TermMap){n, from, to});
    term_symbol_range(tt, to[i], lo, hi);
  }
  Term difference = term_sub(tt, offset, term_substitute(tt, store->offset, (TermMap){n, from, to}));
  Term both = term_and(tt, mask, term_substitute(tt, store->mask, (TermMap){n, from, to}));
  if (both == tt->false_) return true;
  for (uint32_t i = 0; i < (term_conjunct_count(tt, both)); i++) term_push_fact(tt, term_conjunct(tt, both, i));
  bool apart = term_prove_lt(tt, tt->zero, difference) || term_prove_lt(tt, difference, tt->zero);
  term_pop_facts(tt, facts);
  return apart;
}

/* A loop that is done stored there in the iteration that the address names: offset(t) grows by `step` with t. The value
 * of that iteration, and where it is one of the loop's. */
static bool from_iteration(Machine *ex, const Access *a, Term offset, Term where, Term *mask, Term *value) {
  TermTable *tt = ex->tt;
  uint32_t outer = a->counter_count - 1, facts = tt->facts.count;
  if (a->is_atomic || !a->counter_count || outer > ex->counter_count ||
      memcmp(a->counters, ex->counters, sizeof *a->counters * outer))
    return false;
  Term t = a->counters[outer], last = term_symbol(tt, t)->hi;
  if (!last) return false; /* it is still open */
  Term step = term_sub(tt, term_replace(tt, a->offset, t, term_add(tt, t, tt->one)), a->offset);
  Term distance = term_sub(tt, offset, term_replace(tt, a->offset, t, tt->zero));
  if (step == tt->zero || term_has_symbol(tt, step, t) || !term_prove_lt(tt, tt->zero, step)) return false;
  Term at = term_floordiv(tt, distance, step);
  if (term_mul(tt, at, step) != distance || term_has_symbol(tt, at, t)) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->lanes[i] && term_has_symbol(tt, at, a->lanes[i])) return false;
  for (uint32_t i = 0; i < ex->counter_count; i++) term_push_fact(tt, term_le(tt, ex->counters[i], ex->counter_end[i]));
  Term within = term_and(tt, term_le(tt, tt->zero, at), term_le(tt, at, last));
  within = term_assume(tt, within, where);
  term_pop_facts(tt, facts);
  Access later = *a; /* and no lane stores there again */
  later.mask = term_and(tt, a->mask, term_lt(tt, at, t));
  if (!execute_is_apart(ex, &later, offset, where)) return false;
  *mask = term_and(tt, within, term_replace(tt, a->mask, t, at)), *value = term_replace(tt, a->value, t, at);
  return true;
}

/* True if each lane has an element of its own, as far as the address says. Strides are taken to keep rows apart: the
 * prover asks again. */
static bool is_by_lane(Machine *ex, const Access *a) {
  TermTable *tt = ex->tt;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!a->lanes[i]) continue;
    Term next = term_replace(tt, a->offset, a->lanes[i], term_add(tt, a->lanes[i], tt->one)),
         step = term_sub(tt, next, a->offset);
    if (step == tt->zero) return false;
    for (uint32_t k = 0; k < a->rank; k++)
      if (a->lanes[k] && term_has_symbol(tt, step, a->lanes[k])) return false;
  }
  return true;
}

/* True if the iteration that stored it is the one at hand. */
static bool is_same_iteration(const Machine *ex, const Access *a) {
  return a->counter_count <= ex->counter_count &&
         !memcmp(a->counters, ex->counters, sizeof *a->counters * a->counter_count);
}

/* What this program itself stored where a load reads, the newest on top: values with the masks under which they stand.
 * `left`: the lanes that see the old contents; `clash`: that cannot be told. */
typedef struct Seen {
  Term left;
  bool clash;
  Array(Term) masks, values;
} Seen;

static void see(Machine *ex, Seen *seen, Term mask, Term value) {
  array_push(ex->arena, &seen->masks, mask);
  array_push(ex->arena, &seen->values, value);
}

static Seen stored_before(Machine *ex, OpId id, Term tensor, Term offset, Term mask) {
  TermTable *tt = ex->tt;
  Seen seen = {.left = mask};
  for (uint32_t i = ex->effects->accesses.count; i-- > 0 && seen.left != tt->false_;) {
    const Access *a = &ex->effects->accesses.data[i];
    Term stored = a->mask, value = a->value;
    if (!a->is_store || a->tensor != tensor) continue;
    bool here = a->offset == offset && !a->is_atomic, known = here ||
                                                              from_earlier_loop(ex, a, offset, &stored, &value) ||
                                                              from_iteration(ex, a, offset, seen.left, &stored, &value);
    Term under = !known ? 0 : stored == seen.left ? tt->true_ : term_assume(tt, stored, seen.left);
    if (under == tt->true_ || (known && is_by_lane(ex, a) && (!here || is_same_iteration(ex, a)))) {
      if (under != tt->false_) see(ex, &seen, under, term_assume(tt, value, term_and(tt, seen.left, under)));
      seen.left = under == tt->true_ ? tt->false_ : term_and(tt, seen.left, term_not(tt, under));
    } else if (!execute_is_apart(ex, a, offset, seen.left)) {
      value = execute_of_other_lane(ex, a, id, offset, &under);
      if (value) {
        see(ex, &seen, under = term_assume(tt, under, seen.left), value);
        seen.left = under == tt->true_ ? tt->false_ : term_and(tt, seen.left, term_not(tt, under));
        continue;
      }
      seen.clash = true;
      execute_want_equal(ex, a->offset, offset);
      return seen;
    }
  }
  return seen;
}

Term execute_element(Machine *ex, Term tensor, Term offset, TypeId element) {
  const Type *type = program_get_type(ex->program, element);
  TermSort sort = type->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT;
  Term value = term_read(ex->tt, tensor, sort, 1, &offset);
  if (type->kind == TYPE_INT && type->width == 1) return term_not(ex->tt, term_eq(ex->tt, value, ex->tt->zero));
  if (type->kind == TYPE_INT && term_symbol(ex->tt, tensor)->lo == ex->tt->zero)
    return term_wrap(ex->tt, type->width, value); /* named without sign: Param.is_unsigned */
  return value;
}

uint32_t execute_unsigned_width(const Machine *ex, Term tensor, TypeId element) {
  const Type *type = program_get_type(ex->program, element);
  bool is_integer = type->kind == TYPE_INT && type->width > 1 && type->width < 64;
  return is_integer && term_symbol(ex->tt, tensor)->lo == ex->tt->zero ? type->width : 0;
}

static Term with_sign(const Machine *ex, Term tensor, TypeId element, Term value) {
  uint32_t width = execute_unsigned_width(ex, tensor, element);
  return width ? term_wrap(ex->tt, width, value) : value;
}

/* The newest value on top; below all of them the old contents, or the oldest value where nothing is left of these. A
 * load in no lane has the old contents. */
static Term seen_value(Machine *ex, const Seen *seen, Term tensor, Term offset, TypeId element) {
  uint32_t n = seen->values.count;
  Term value =
      n && seen->left == ex->tt->false_ ? seen->values.data[--n] : execute_element(ex, tensor, offset, element);
  while (n-- > 0) value = term_select(ex->tt, seen->masks.data[n], seen->values.data[n], value);
  return value;
}

Term execute_load(Machine *ex, OpId id, ExecutePlace place, Term ptr, Term mask, bool absent) {
  TermTable *tt = ex->tt;
  if (term_kind(tt, ptr) == TERM_SELECT) {
    Term c = term_arg(tt, ptr, 0);
    Term a = execute_load(ex, id, place, term_arg(tt, ptr, 1), term_and(tt, mask, c), absent);
    Term b = execute_load(ex, id, place, term_arg(tt, ptr, 2), term_and(tt, mask, term_not(tt, c)), absent);
    return execute_stopped(ex) ? tt->zero : term_select(tt, c, a, b);
  }
  if (term_kind(tt, ptr) != TERM_PTR) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "a pointer that was itself loaded or computed is not followed");
    return tt->zero;
  }
  ptr = exact_pointer(ex, id, ptr, mask);
  Term tensor = term_arg(tt, ptr, 0), offset = term_arg(tt, ptr, 1);
  if (program_get_type(ex->program, place.element)->kind == TYPE_POINTER) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "a pointer loaded from memory is not followed");
    return tt->zero;
  }
  if (ex->effects->options.carries_memory) {
    Access *access = new_access(ex, id, place, ptr, mask);
    access->absent_other = absent, access->old = mask;
    return with_sign(ex, tensor, place.element, contents_load(ex, access));
  }
  Term kept = execute_cell_load(ex, tensor, offset, mask);
  if (kept) return with_sign(ex, tensor, place.element, kept);
  Seen seen = stored_before(ex, id, tensor, offset, mask);
  if (seen.clash)
    execute_stop(ex, id, REASON_READ_AFTER_WRITE, "%s is read at an address where this program may have stored before",
                 term_message(tt, tensor));
  Access *access = new_access(ex, id, place, ptr, mask);
  access->absent_other = absent;
  access->old = seen.left;
  return with_sign(ex, tensor, place.element, seen_value(ex, &seen, tensor, offset, place.element));
}

/* The access of a cell, made outside of its loop. */
static Access *push_cell(Machine *ex, const Cell *cell, Term runs) {
  Access access = cell->access;
  access.mask = term_and(ex->tt, access.mask, cell->is_stored_before ? ex->tt->true_ : runs);
  access.counter_count = ex->counter_count;
  memcpy(access.counters, ex->counters, sizeof access.counters);
  array_push(ex->arena, &ex->effects->accesses, access);
  return &ex->effects->accesses.data[ex->effects->accesses.count - 1];
}

Term execute_cell_begin(Machine *ex, Cell *cell, Term runs) {
  const Access *a = &cell->access;
  Term kept = execute_cell_load(ex, a->tensor, a->offset, a->mask);
  if (kept) return kept;
  Seen seen = stored_before(ex, a->op, a->tensor, a->offset, a->mask);
  if (seen.clash) return 0;
  cell->is_stored_before = seen.left == ex->tt->false_;
  push_cell(ex, cell, runs)->old = seen.left;
  return seen_value(ex, &seen, a->tensor, a->offset, a->element);
}

void execute_cell_end(Machine *ex, const Cell *cell, Term value, Term runs) {
  const Access *a = &cell->access;
  if (execute_cell_store(ex, cell->store, a->tensor, a->offset, a->mask, value)) return;
  Access *access = push_cell(ex, cell, runs);
  access->is_store = true, access->absent_other = false;
  access->op = access->last_op = cell->store;
  access->old = 0;
  access->value = value;
}

static void load(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (execute_block_load(ex, op, id)) return;
  Term ptr = execute_value(ex, op->operands[0]);
  Term own = op->operand_count > 1 ? execute_value(ex, op->operands[1]) : tt->true_;
  bool absent = op->operand_count < 3 && own != tt->true_;
  if (term_sort(tt, ptr) != SORT_PTR) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "a load through a block pointer is not executed yet");
    return;
  }
  Term value = execute_load(ex, id, place_of(ex, op->operands[0]), ptr, term_and(tt, ex->path, own), absent);
  Term other = op->operand_count > 2 ? execute_value(ex, op->operands[2]) : execute_absent(ex, id, value);
  execute_set(ex, op->first_result, term_select(tt, own, value, other));
}

Term execute_absent(Machine *ex, OpId id, Term like) {
  TermTable *tt = ex->tt;
  if (ex->effects->options.zero_fill) return term_sort(tt, like) == SORT_BOOL ? tt->false_ : tt->zero;
  return term_undef(tt, term_sort(tt, like), id);
}

void execute_store(Machine *ex, OpId id, ExecutePlace place, Term ptr, Term value, Term mask) {
  TermTable *tt = ex->tt;
  if (mask == tt->false_ || execute_stopped(ex)) return;
  if (term_kind(tt, ptr) == TERM_SELECT) {
    Term c = term_arg(tt, ptr, 0);
    execute_store(ex, id, place, term_arg(tt, ptr, 1), value, term_and(tt, mask, c));
    execute_store(ex, id, place, term_arg(tt, ptr, 2), value, term_and(tt, mask, term_not(tt, c)));
    return;
  }
  if (term_kind(tt, ptr) != TERM_PTR) {
    execute_stop(ex, id, REASON_UNSUPPORTED_POINTER, "a store through this kind of pointer is not executed yet");
    return;
  }
  if (term_sort(tt, value) == SORT_BOOL) value = term_select(tt, value, tt->one, tt->zero);
  ptr = exact_pointer(ex, id, ptr, mask);
  uint32_t width = execute_unsigned_width(ex, term_arg(tt, ptr, 0), place.element);
  if (width) value = execute_without_sign(tt, value, width);
  if (execute_cell_store(ex, id, term_arg(tt, ptr, 0), term_arg(tt, ptr, 1), mask, value)) return;
  Access *access = new_access(ex, id, place, ptr, mask);
  access->is_store = true;
  access->value = value;
  if (!ex->effects->options.carries_memory) return;
  access->value = program_get_type(ex->program, place.element)->kind == TYPE_FLOAT ? value : tt->zero;
  contents_store(ex, access, value);
}

static void store(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  if (execute_block_store(ex, op, id)) return;
  Term mask = op->operand_count > 2 ? execute_value(ex, op->operands[2]) : tt->true_;
  execute_store(ex, id, place_of(ex, op->operands[0]), execute_value(ex, op->operands[0]),
                execute_value(ex, op->operands[1]), term_and(tt, ex->path, mask));
}

static bool same_counters(const Access *a, const Access *b) {
  return a->counter_count == b->counter_count &&
         !memcmp(a->counters, b->counters, sizeof *a->counters * a->counter_count);
}

static bool same_element(const Access *a, const Access *b) {
  return a->offset == b->offset && a->element == b->element && a->rank == b->rank &&
         !memcmp(a->lanes, b->lanes, sizeof a->lanes);
}

/* The store of that number goes on with an earlier one: the same values to the same addresses, in other lanes, with
 * nothing in between that sees or makes a difference. Both are one store in the lanes of either. */
static bool join_store(Machine *ex, uint32_t number) {
  bool joined = false;
  for (uint32_t i = number; i-- > 0;) {
    Access *a = &ex->effects->accesses.data[i], *b = &ex->effects->accesses.data[number];
    if (!same_counters(a, b)) break;
    if (a->tensor != b->tensor || (!a->is_store && a->offset == b->offset)) continue;
    if (!a->is_store || a->is_atomic || !same_element(a, b))
      break; /* a lane that reads another's element must find it stored, or not yet */
    Term value = term_unite_values(ex->tt, a->value, a->mask, b->value, b->mask),
         mask = value ? term_unite(ex->tt, a->mask, b->mask) : 0;
    if (!value) break;
    if (!mask) continue;
    b->mask = mask, b->value = value;
    b->op = a->op; /* in the place of the later one: what was read in between was read before */
    ex->effects->accesses.count--;
    memmove(a, a + 1, sizeof *a * (ex->effects->accesses.count - i));
    number--, joined = true;
  }
  return joined;
}

static void join_stores(Machine *ex, uint32_t first) {
  if (ex->effects->options.carries_memory) return;
  for (uint32_t i = first; i < ex->effects->accesses.count;) {
    if (!join_store(ex, i))
      i++;
    else
      ex->last = NULL; /* no loop goes on behind it: what stood before the last one has changed */
  }
}

static bool is_used(const Machine *ex, ValueId value) {
  const Program *p = ex->program;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (op->operands[i] == value) return true;
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
        if (op->successors[s].args[i] == value) return true;
  }
  return false;
}

bool execute_atomic_fold(const char *kind, int *fold) {
  static const struct {
    const char *name;
    TermFoldOp fold;
  } kinds[] = {{"fadd", FOLD_SUM}, {"add", FOLD_SUM}, {"max", FOLD_MAX}, {"min", FOLD_MIN}};
  for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kind, kinds[i].name)) {
      *fold = (int)kinds[i].fold;
      return true;
    }
  return false;
}

const char *execute_atomic_name(Arena *arena, OpId op) { return arena_format(arena, "atomic_%u", op); }

/* The old contents that an atomic returns depend on the order of the programs: an opaque value of this op in this lane
 * and iteration. */
static void opaque_result(Machine *ex, const Op *op, OpId id) {
  TermTable *tt = ex->tt;
  const Type *type = program_value_type(ex->program, op->first_result), *element = type;
  Term args[3 + TYPE_MAX_RANK + sizeof ex->turns / sizeof *ex->turns];
  uint32_t n = 0;
  for (; n < 3; n++) args[n] = ex->effects->pid[n];
  if (type->kind == TYPE_TENSOR) {
    element = program_get_type(ex->program, type->element);
    for (uint32_t i = 0; i < type->rank; i++) args[n++] = execute_lane(ex, i, type->dims[i]);
  }
  if (ex->turn_count > sizeof ex->turns / sizeof *ex->turns) {
    execute_stop(ex, id, REASON_UNSUPPORTED_OP,
                 "the result of an atomic is used in more nested loops than are handled");
    return;
  }
  for (uint32_t i = 0; i < ex->turn_count; i++) args[n++] = ex->turns[i];
  execute_note_opaque(ex, id, "the result of an atomic is used: it depends on the order of the programs");
  const char *name = execute_atomic_name(ex->arena, id);
  TermSort sort = element->kind == TYPE_FLOAT ? SORT_REAL : SORT_INT;
  Term value = term_opaque(tt, intern_text(tt->names, name), sort, n, args),
       mask = op->operand_count > 2 ? execute_value(ex, op->operands[2]) : tt->true_;
  execute_set(ex, op->first_result,
              term_select(tt, mask, value, term_undef(tt, sort, id))); /* what was not done has no result */
}

/* The later of two atomics on bits does what both do. */
static void float_atomic(Machine *ex, OpId id, const FloatAtomics *atomics) {
  uint32_t before = ex->effects->accesses.count;
  Term mask = atomics->is_last ? execute_float_atomics_mask(ex, atomics) : ex->tt->false_;
  if (!mask) {
    execute_stop(ex, id, REASON_UNSUPPORTED_BITCAST,
                 "atomics on the bits of floats are not those of a maximum or minimum");
    return;
  }
  execute_store(ex, id, place_of(ex, atomics->pointer), execute_value(ex, atomics->pointer),
                execute_value(ex, atomics->value), term_and(ex->tt, ex->path, mask));
  for (uint32_t k = before; k < ex->effects->accesses.count; k++)
    ex->effects->accesses.data[k].is_atomic = true, ex->effects->accesses.data[k].atomic_op = atomics->fold;
  ex->effects->rounds_bits = true;
}

static void atomic(Machine *ex, const Op *op, OpId id) {
  FloatAtomics floats;
  if (execute_float_atomics(ex, id, &floats)) {
    float_atomic(ex, id, &floats);
    return;
  }
  const char *kind = program_op_text(ex->program, op, "atomic_rmw_op");
  uint32_t before = ex->effects->accesses.count;
  int fold = -1;
  bool known = execute_atomic_fold(kind, &fold), exchange = kind && !strcmp(kind, "exch");
  if (!known && !exchange) {
    execute_stop(ex, id, REASON_UNSUPPORTED_OP, "tt.atomic_rmw %s is not executed yet", kind ? kind : "?");
    return;
  }
  if (ex->effects->options.carries_memory) {
    execute_stop(ex, id, REASON_LOOP_MEMORY,
                 "an atomic changes a tensor whose contents are followed from access to access");
    return;
  }
  store(ex, op, id);
  if (known && (fold == FOLD_SUM || fold == FOLD_PROD)) execute_note_accumulator(ex, id, op->operands[1]);
  for (uint32_t k = before; k < ex->effects->accesses.count && known; k++)
    ex->effects->accesses.data[k].is_atomic = true, ex->effects->accesses.data[k].atomic_op = (TermFoldOp)fold;
  if (is_used(ex, op->first_result)) opaque_result(ex, op, id);
}

static bool is_zero(const Program *p, ValueId value) {
  OpId id = program_get_value(p, value)->op;
  const Op *op = id ? program_get_op(p, id) : NULL;
  AttrId number = op && op->code == OP_ARITH_CONSTANT ? program_op_attr(p, op, "value") : 0;
  const Attr *attr = number ? program_get_attr(p, number) : NULL;
  return attr && attr->kind == ATTR_INT && !attr->integer;
}

/* Nothing is asked of the address but whether it is 0. */
static bool is_asked_for_null(const Machine *ex, ValueId address) {
  const Program *p = ex->program;
  for (OpId id = ex->effects->extent.first_op; id < ex->effects->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    const char *predicate = op->code == OP_ARITH_CMPI ? program_op_text(p, op, "predicate") : NULL;
    bool asks = predicate && (!strcmp(predicate, "eq") || !strcmp(predicate, "ne"));
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (op->operands[i] == address && !(asks && is_zero(p, op->operands[1 - i]))) return false;
    for (uint32_t s = 0; s < op->successor_count; s++)
      for (uint32_t i = 0; i < op->successors[s].arg_count; i++)
        if (op->successors[s].args[i] == address) return false;
  }
  return true;
}

/* A tensor lies at no address 0: any other number stands for that of a pointer that is one. */
static bool not_null(Machine *ex, const Op *op, Term pointer) {
  if (term_arg(ex->tt, pointer, 1) != ex->tt->zero || !is_asked_for_null(ex, op->first_result)) return false;
  const char *text = arena_format(ex->arena, "%s is not null", term_message(ex->tt, term_arg(ex->tt, pointer, 0)));
  bool is_said = false;
  for (uint32_t i = 0; i < ex->effects->given.count; i++) is_said |= !strcmp(ex->effects->given.data[i].text, text);
  if (!is_said)
    array_push(ex->arena, &ex->effects->given,
               (ExecuteGiven){ex->tt->true_, text, "a pointer argument is a tensor", ASSUME_LAUNCH, 0});
  execute_set(ex, op->first_result, ex->tt->one);
  return true;
}

/* A number that nothing is known of, and the place of the element behind it: differences of pointers into one tensor
 * have a value. */
static bool address(Machine *ex, const Op *op) {
  TermTable *tt = ex->tt;
  Term pointer = execute_value(ex, op->operands[0]);
  const Type *type = program_get_type(ex->program, program_get_value(ex->program, op->operands[0])->type);
  if (term_kind(tt, pointer) != TERM_PTR || type->kind != TYPE_POINTER) return false;
  if (!ex->program->is_host) return not_null(ex, op, pointer);
  const Type *element = program_get_type(ex->program, type->element);
  uint32_t bits = element->kind == TYPE_FLOAT ? program_float_bits(element->format) : element->width;
  const char *name = arena_format(ex->arena, "address of %s", term_name(tt, term_arg(tt, pointer, 0)));
  Term base = term_opaque(tt, intern_text(tt->names, name), SORT_INT, 0, NULL);
  Term bytes = term_scale(tt, rational_int(bits < 8 ? 1 : bits / 8), term_arg(tt, pointer, 1));
  execute_set(ex, op->first_result, term_add(tt, base, bytes));
  return true;
}

bool execute_memory(Machine *ex, const Op *op, OpId id) {
  uint32_t before = ex->effects->accesses.count;
  if (op->code == OP_TT_ADDPTR) {
    Term r = execute_pointer_add(ex->tt, execute_value(ex, op->operands[0]), execute_value(ex, op->operands[1]));
    if (!r) return false;
    execute_set(ex, op->first_result, r);
    return true;
  }
  if (op->code == OP_TT_PTR_TO_INT) return address(ex, op);
  if (op->code == OP_TT_LOAD) {
    load(ex, op, id);
    return true;
  }
  if (op->code == OP_TT_STORE) {
    store(ex, op, id);
    join_stores(ex, before);
    return true;
  }
  if (op->code == OP_TT_ATOMIC_RMW) {
    atomic(ex, op, id);
    return true;
  }
  if (!execute_block_op(ex, op, id)) return false;
  if (op->code == OP_TT_DESCRIPTOR_STORE || op->code == OP_TT_DESCRIPTOR_SCATTER) join_stores(ex, before);
  return true;
}
