/* Bounds, races, coverage and divisions by reasoning about addresses.
 *
 * Each access has a mask and one index per axis of its tensor, over program ids, lanes and loop counters within their
 * ranges; each store has a place: the inverse of its index, found by the recovery and checked here. So
 *
 *   bounds     0 <= index < extent where the mask holds
 *   race       the element that is written determines the program: pid(index(c)) = pid(c), the same for every store and
 * load of the tensor; and lanes of one program that share an element store one value coverage   each index within the
 * extents has a program, lane and iteration in range that pass the mask and lead there; of a tensor that the kernel
 * reads too, each index of the region that is printed: the others keep their contents */
#include <string.h>

#include "prove/equal.h"
#include "prove/layout.h"
#include "safety/obligations_internal.h"

/* ---- bounds ---- */

static bool is_from_data(const TermTable *tt, Term t) {
  return term_node(tt, t)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF);
}

static bool within(Safety *s, Term index, Term extent) {
  TermTable *tt = s->tt;
  return safety_holds(s, term_le(tt, tt->zero, index)) && safety_holds(s, term_lt(tt, index, extent));
}

static bool same_strides(const PointwiseTensor *view, const GivenTensor *given) {
  if (view->rank != given->rank) return false;
  for (uint32_t k = 0; k < view->rank; k++)
    if (view->stride[k] != given->stride[k]) return false;
  return true;
}

/* The address as indices of these strides, whatever the view that was recovered. */
static bool given_indices(Safety *s, const Access *a, const GivenTensor *given, Term *index) {
  TermTable *tt = s->tt;
  PointwiseTensor view = {.symbol = a->tensor, .rank = given->rank};
  Term sum = tt->zero;
  memcpy(view.stride, given->stride, sizeof view.stride);
  if (given->offset != tt->zero || !recover_indices(s->on->ex->tt, s->on->ex, &view, a->offset, index)) return false;
  for (uint32_t k = 0; k < given->rank; k++) sum = term_add(tt, sum, term_mul(tt, given->stride[k], index[k]));
  return term_sub(tt, sum, a->offset) == tt->zero;
}

static bool moves(const TermTable *tt, Term t) {
  TermList symbols = {0};
  term_symbols((TermTable *)(uintptr_t)tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(tt, symbols.data[i])->role;
    if (role == SYMBOL_PID || role == SYMBOL_LANE || role == SYMBOL_COUNTER || role == SYMBOL_INDEX) return true;
  }
  return is_from_data(tt, t);
}

/* The summands of t that move with programs, lanes and iterations. */
static Term moving_part(TermTable *tt, Term t) {
  Term sum = tt->zero;
  if (term_kind(tt, t) != TERM_ADD) return moves(tt, t) ? t : tt->zero;
  for (uint32_t i = 1; i < term_count(tt, t); i += 2)
    if (moves(tt, term_arg(tt, t, i + 1)))
      sum = term_add(tt, sum, term_scale(tt, term_rat(tt, term_arg(tt, t, i)), term_arg(tt, t, i + 1)));
  return sum;
}

/* The indices as the mask groups them: what one conjunct bounds is the place in the row, from whatever end it counts
 * (i + 4 - n for i < n), and what is left counts rows. `place` is no more than a guess, held against the extents. */
static bool within_by_mask(Safety *s, const Access *a, const GivenTensor *given) {
  TermTable *tt = s->tt;
  bool is_and = term_kind(tt, a->mask) == TERM_AND;
  uint32_t last = given->rank - 1;
  Term fixed = term_sub(tt, a->offset, moving_part(tt, a->offset)), row;
  if (given->rank != 2 || given->offset != tt->zero || given->stride[last] != tt->one) return false;
  for (uint32_t i = 0; i < (is_and ? term_count(tt, a->mask) : 1); i++) {
    Term c = is_and ? term_arg(tt, a->mask, i) : a->mask;
    if (term_kind(tt, c) != TERM_LE || term_count(tt, c) != 1 || term_sort(tt, term_arg(tt, c, 0)) != SORT_INT)
      continue;
    Term place = term_add(tt, moving_part(tt, term_arg(tt, c, 0)), fixed);
    if (!recover_divides(tt, given->stride[0], term_sub(tt, a->offset, place), &row)) continue;
    if (within(s, place, given->extent[last]) && within(s, row, given->extent[0])) return true;
  }
  return false;
}

/* Row-major without gaps: every place in its memory is an element. */
static bool is_packed(Safety *s, const GivenTensor *given) {
  Term packed = s->tt->one;
  for (uint32_t k = given->rank; k-- > 0;) {
    if (term_rebuild(s->tt, given->stride[k]) != term_rebuild(s->tt, packed)) return false;
    packed = term_mul(s->tt, packed, given->extent[k]);
  }
  return true;
}

/* Axis by axis where the address is made of its strides, else as memory without gaps. */
static bool within_shape(Safety *s, const Access *a, const GivenTensor *given) {
  TermTable *tt = s->tt;
  Term index[POINTWISE_MAX_RANK], last = tt->zero;
  if (given_indices(s, a, given, index)) {
    bool good = true;
    for (uint32_t k = 0; k < given->rank && good; k++) good = within(s, index[k], given->extent[k]);
    if (good) return true;
  }
  if (within_by_mask(s, a, given)) return true;
  if (!is_packed(s, given)) return false;
  for (uint32_t k = 0; k < given->rank; k++)
    last = term_add(tt, last, term_mul(tt, given->stride[k], term_sub(tt, given->extent[k], tt->one)));
  return within(s, term_add(tt, a->offset, given->offset), term_add(tt, last, tt->one));
}

/* Against the shape that was given, whose extents are no less than 1, whatever else the kernel does with them. */
static bool within_given(Safety *s, const Access *a, const GivenTensor *given) {
  TermTable *tt = s->tt;
  uint32_t facts = tt->facts.count;
  if (within_shape(s, a, given)) return true;
  for (uint32_t k = 0; k < given->rank; k++)
    if (term_kind(tt, given->extent[k]) == TERM_SYM && !term_prove_le(tt, tt->one, given->extent[k]))
      equal_push(tt, term_le(tt, tt->one, given->extent[k]));
  bool good = tt->facts.count > facts && within_shape(s, a, given);
  for (uint32_t i = facts; i < tt->facts.count && good; i++)
    safety_assume(s, ASSUME_RANGE, s->on == s->report ? tt->facts.data[i] : 0, term_message(tt, tt->facts.data[i]),
                  "sizes are not empty", NULL);
  term_pop_facts(tt, facts);
  return good;
}

/* One more than the largest value of a sum of counters that end at numbers; 0: it is none. */
static Term number_above(TermTable *tt, Term index) {
  Term largest = term_new_rat(tt, term_constant_part(tt, index));
  bool sum = term_kind(tt, index) == TERM_ADD;
  for (uint32_t i = 1; i < (sum ? term_count(tt, index) : term_is_rat(tt, index) ? 0 : 2); i += 2) {
    Term part = sum ? term_arg(tt, index, i + 1) : index, end;
    Rational k = sum ? term_rat(tt, term_arg(tt, index, i)) : rational_int(1);
    if (term_kind(tt, part) != TERM_SYM || term_symbol(tt, part)->role == SYMBOL_SIZE) return 0;
    end = k.num < 0 ? term_symbol(tt, part)->lo : term_symbol(tt, part)->hi;
    if (!end || !term_is_rat(tt, end)) return 0;
    largest = term_add(tt, largest, term_scale(tt, k, end));
  }
  return term_add(tt, largest, tt->one);
}

/* One more than the largest value of an index that grows with counters, each of which stays below a size, as 2*t + 1
 * does; 0: it is none. */
static Term multiple_above(Safety *s, Term index, uint32_t depth) {
  TermTable *tt = s->tt;
  const Effects *ex = s->on->ex;
  TermList symbols = {0};
  Term counter = 0;
  int64_t step;
  term_symbols(tt, index, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    SymbolRole role = term_symbol(tt, symbols.data[i])->role;
    if (role == SYMBOL_COUNTER) counter = symbols.data[i];
    if (role != SYMBOL_COUNTER && role != SYMBOL_SIZE) return 0;
  }
  if (!counter) return depth ? term_add(tt, index, tt->one) : 0;
  Term next = term_replace(tt, index, counter, term_add(tt, counter, tt->one));
  if (depth > 4 || !term_is_int(tt, term_sub(tt, next, index), &step) || step < 1) return 0;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    Term size = ex->params.data[i].symbol;
    if (ex->params.data[i].is_pointer || !ex->params.data[i].is_size || !safety_holds(s, term_lt(tt, counter, size)))
      continue;
    return multiple_above(s, term_replace(tt, index, counter, term_sub(tt, size, tt->one)), depth + 1);
  }
  return 0;
}

/* Nothing bounds the axis as a whole, but this access stays below a size: 0: none is known. */
static Term size_above(Safety *s, Term index) {
  TermTable *tt = s->tt;
  const Effects *ex = s->on->ex;
  if (!safety_holds(s, term_le(tt, tt->zero, index))) return 0;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const Param *p = &ex->params.data[i];
    bool counts = p->is_size || (ex->program->is_host && !p->is_pointer && term_sort(tt, p->symbol) == SORT_INT);
    if (!p->is_pointer && counts && safety_holds(s, term_lt(tt, index, p->symbol))) return p->symbol;
  }
  for (uint32_t i = 0; i < 3; i++)
    if (safety_holds(s, term_lt(tt, index, ex->grid[i]))) return ex->grid[i];
  Term above = ex->program->is_host ? number_above(tt, index) : 0;
  return above || !ex->program->is_host ? above : multiple_above(s, index, 0);
}

static bool is_free_extent(const Safety *s, Term extent) { /* a size that the recovery made up */
  if (term_kind(s->tt, extent) != TERM_SYM || term_symbol(s->tt, extent)->role != SYMBOL_SIZE) return false;
  for (uint32_t i = 0; i < s->on->ex->params.count; i++)
    if (s->on->ex->params.data[i].symbol == extent) return false;
  return true;
}

/* A formula speaks of an element by its row and its place in the row. Where that is not shown to lie in the row, the
 * formula has no such element, though memory has one: the next row's. */
static void assume_within_rows(Safety *s, const Access *a, uint32_t rank) {
  if (rank < 2) return;
  const char *text = arena_format(s->arena, "the indices of %s lie in its shape", term_message(s->tt, a->tensor));
  safety_assume(s, ASSUME_RANGE, 0, text, "one past the end of a row is another row's element: see its bounds", NULL);
}

/* n + m columns of a tensor that is only written, as where two are put side by side: neither a tail nor a round number
 * of blocks, which would leave a constant or a quotient; and that all of it is written is its coverage. */
static bool is_sum_of_sizes(Safety *s, const PointwiseTensor *view, Term extent) {
  TermTable *tt = s->tt;
  if (view->is_read || term_kind(tt, extent) != TERM_ADD || term_constant_part(tt, extent).num) return false;
  for (uint32_t i = 1; i < term_count(tt, extent); i += 2) {
    Term size = term_scale(tt, term_rat(tt, term_arg(tt, extent, i)), term_arg(tt, extent, i + 1));
    if (!recover_is_plain_size(tt, size) || !term_is_positive(tt, size)) return false;
  }
  return true;
}

/* Nobody gave the shape: the tensor has the elements below the size. */
static uint32_t assume_has(Safety *s, Term tensor, Term size, Term extent) {
  const char *text = arena_format(s->arena, "%s <= %s", term_message(s->tt, size), term_message(s->tt, extent));
  const char *which =
                 s->on->ex->program->is_host ? "that the conditions around let through" : "that the mask lets through",
             *why = arena_format(s->arena, "%s has the elements %s", safety_tensor_name(s, tensor), which);
  return safety_assume(s, ASSUME_RANGE, s->on == s->report ? term_le(s->tt, size, extent) : 0, text, why, NULL);
}

/* A function of a host language relies on the indices that it is given. */
static uint32_t assume_indices(Safety *s, const Access *a, const char *name) {
  const char *why = arena_format(s->arena, "else it is undefined (%s)", execute_where(s->on->ex, a->op));
  return safety_assume(s, ASSUME_PRECONDITION, 0, claim_data_indices(s->arena, name), why, NULL);
}

/* rests[0..*rest_count): the assumptions that it is proved under; is_extent: as of Obligation */
static int bounds_of(Safety *s, const Access *a, const char **detail, bool *is_extent, uint32_t *rests,
                     uint32_t *rest_count) {
  TermTable *tt = s->tt;
  const PointwiseTensor *view = pointwise_tensor(s->on->pointwise, a->tensor);
  const GivenTensor *given = safety_given(s, a->tensor);
  const char *name = term_message(s->tt, a->tensor);
  bool data = is_from_data(tt, a->offset);
  *detail = NULL, *is_extent = false;
  if (given) {
    if (within_given(s, a, given)) return OBLIGATION_PROVED;
    assume_within_rows(s, a, given->rank);
    *detail = arena_format(s->arena, "the address in %s is not shown to lie in its shape%s", name,
                           data ? ": it comes from memory; --assume cannot speak of it" : "");
    return OBLIGATION_UNKNOWN;
  }
  Term index[POINTWISE_MAX_RANK], size;
  if (!view || !recover_indices(s->on->ex->tt, s->on->ex, view, a->offset, index)) {
    *detail = arena_format(s->arena, "the address in %s fits no view", name);
    return OBLIGATION_UNKNOWN;
  }
  for (uint32_t k = 0; k < view->rank; k++) {
    const char *why;
    if (within(s, index[k], view->extent[k])) {
      if (recover_is_plain_extent(s->on, view->extent[k]) || is_sum_of_sizes(s, view, view->extent[k]) ||
          recover_is_row_length(tt, view, k))
        continue;
      why = arena_format(s->arena,
                         "extent: %s would need %s elements along axis %u, which is no plain size: %s? --shape %s=... "
                         "decides",
                         name, term_message(tt, view->extent[k]), k,
                         s->on->ex->program->is_host ? "does an index wrap" : "is a tail not masked", name);
      *is_extent |= !*detail;
    } else if (is_free_extent(s, view->extent[k]) && (size = size_above(s, index[k]))) {
      rests[(*rest_count)++] = assume_has(s, a->tensor, size, view->extent[k]);
      continue;
    } else {
      if (is_from_data(tt, index[k]) && s->on->ex->program->is_host) {
        rests[(*rest_count)++] = assume_indices(s, a, name);
        continue;
      }
      bool grows = is_free_extent(s, view->extent[k]) &&
                   safety_holds(s, term_le(tt, tt->zero, index[k])); /* it is as large as it must be */
      if (k && !grows && !a->is_store)
        assume_within_rows(s, a, view->rank); /* a store's place in the kernel's own view is for the prover */
      if (is_from_data(tt, index[k]))
        why = arena_format(s->arena,
                           "an index of %s is read from memory: nothing says that it is in range; --shape %s=... and a "
                           "check in the kernel would",
                           name, name);
      else
        why = arena_format(s->arena, "index %s of %s is not shown to %s", source_text(tt, s->on, a->op, index[k]), name,
                           safety_holds(s, term_lt(tt, index[k], view->extent[k]))
                               ? "be 0 or more"
                               : arena_format(s->arena, "lie below %s", term_message(tt, view->extent[k])));
    }
    if (!*detail) *detail = why; /* the first that is open is told; all of them are looked at */
  }
  return *detail ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED;
}

/* The indices of a gather between lanes, or the values that a histogram counts, in all lanes that count: what is wrong
 * with them, or NULL. Neither says what becomes of one outside. */
static const char *lanes_are_open(Safety *s, const ExecutedOp *e) {
  const Effects *ex = s->on->ex;
  TermTable *tt = s->tt;
  const Op *op = program_get_op(ex->program, e->op);
  bool gathers = op->code == OP_TT_GATHER;
  int64_t axis = program_op_int(ex->program, op, "axis", 0);
  int64_t extent = program_value_type(ex->program, gathers ? op->operands[0] : op->first_result)->dims[axis];
  Term index = safety_closed(s, e->operands[gathers]), mask = safety_closed(s, e->path);
  if (!gathers && e->operand_count > 1) mask = term_and(tt, mask, safety_closed(s, e->operands[1]));
  uint32_t facts = tt->facts.count;
  equal_push(tt, mask);
  index = term_assume(tt, index, mask);
  bool inside = !(term_node(tt, index)->flags & TERM_HAS_UNDEF) && within(s, index, term_int(tt, extent));
  term_pop_facts(tt, facts);
  const char *what = gathers ? "an index of a gather" : "a value that a histogram counts";
  if (inside) return NULL;
  if (is_from_data(tt, index))
    return arena_format(s->arena, "%s is read from memory: nothing says that it is below %lld", what,
                        (long long)extent);
  return arena_format(s->arena, "%s is not shown to be from 0 to below %lld: %s", what, (long long)extent,
                      source_text(tt, s->on, e->op, index));
}

static void lane_bounds(Safety *s) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->executed.count; i++) {
    const ExecutedOp *e = &ex->executed.data[i];
    Opcode code = program_get_op(ex->program, e->op)->code;
    if (code != OP_TT_GATHER && code != OP_TT_HISTOGRAM) continue;
    const char *why = lanes_are_open(s, e);
    safety_add(s, OBLIGATION_BOUNDS, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, e->op, 0, why);
  }
}

/* Of one tensor under two names (--alias): an access that goes by the stride of one axis alone, and another one by that
 * of the other. That no elements overlap then excludes the usual case, where both are one number. */
static bool goes_by(Safety *s, const PointwiseTensor *view, uint32_t axis, uint32_t other, OpId *op) {
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *a = &s->on->ex->accesses.data[i];
    Term index[POINTWISE_MAX_RANK];
    if (a->tensor != view->symbol || !recover_indices(s->on->ex->tt, s->on->ex, view, a->offset, index)) continue;
    if (index[axis] != s->tt->zero && index[other] == s->tt->zero) return *op = a->op, true;
  }
  return false;
}

static void shared_strides(Safety *s, const PointwiseTensor *view) {
  OpId op;
  for (uint32_t j = 0; j < view->rank; j++)
    for (uint32_t k = j + 1; k < view->rank; k++) {
      if (!recover_has_stride_argument(s->on->ex, view->stride[j]) ||
          !recover_has_stride_argument(s->on->ex, view->stride[k]))
        continue;
      if (!goes_by(s, view, j, k, &op) || !goes_by(s, view, k, j, &op)) continue;
      const char *a = term_message(s->tt, view->stride[j]), *b = term_message(s->tt, view->stride[k]);
      safety_add(s, OBLIGATION_ALIAS, OBLIGATION_UNKNOWN, op, view->symbol,
                 arena_format(s->arena,
                              "one tensor is accessed with the strides %s and %s, which may be equal: --assume '%s == "
                              "%s' says that they are",
                              a, b, a, b));
    }
}

void safety_aliases(Safety *s) {
  const Effects *ex = s->on->ex;
  for (uint32_t i = 0; i < ex->params.count; i++) {
    const PointwiseTensor *view = ex->params.data[i].given.same_as && s->on->pointwise
                                      ? pointwise_tensor(s->on->pointwise, ex->params.data[i].symbol)
                                      : NULL;
    if (view) shared_strides(s, view);
  }
}

/* What the kernel states of memory, where the mask holds. */
static void push_stated(Safety *s, Term mask) {
  for (uint32_t i = 0; i < s->on->ex->assumed.count; i++) {
    Term stated = s->on->ex->assumed.data[i];
    if (term_node(s->tt, stated)->flags & TERM_HAS_READ) equal_push(s->tt, term_assume(s->tt, stated, mask));
  }
}

static void rest_on_stated(Safety *s, Obligation *o) {
  for (uint32_t i = 0; i < s->on->ex->assumed.count; i++) {
    Term stated = s->on->ex->assumed.data[i];
    if (term_node(s->tt, stated)->flags & TERM_HAS_READ)
      safety_rests_on(
          s, o, safety_assume(s, ASSUME_STATED, 0, source_text(s->tt, s->on, 0, stated), "the kernel states it", NULL));
  }
}

/* What the program relies on, and no condition on sizes or data grants. */
static void required_bounds(Safety *s) {
  for (uint32_t i = 0; i < s->on->ex->required.count; i++) {
    const RequiredNeed *need = &s->on->ex->required.data[i];
    safety_add(s, OBLIGATION_BOUNDS, OBLIGATION_UNKNOWN, need->op, 0,
               arena_format(s->arena, "not shown: %s", need->text));
  }
}

void safety_bounds(Safety *s) {
  lane_bounds(s);
  required_bounds(s);
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *a = &s->on->ex->accesses.data[i];
    const char *detail;
    bool is_extent;
    if (program_op_attr(s->on->ex->program, program_get_op(s->on->ex->program, a->op), "required")) {
      safety_add(s, OBLIGATION_BOUNDS, OBLIGATION_PROVED, a->op, a->tensor, NULL); /* by what the program relies on */
      continue;
    }
    uint32_t facts = s->tt->facts.count, rests[POINTWISE_MAX_RANK], count = 0;
    equal_push(s->tt, a->mask);
    bool of_memory = is_from_data(s->tt, a->offset);
    if (of_memory) push_stated(s, a->mask);
    int verdict = bounds_of(s, a, &detail, &is_extent, rests, &count);
    term_pop_facts(s->tt, facts);
    Obligation *o = safety_add(s, OBLIGATION_BOUNDS, verdict, a->op, a->tensor, detail);
    if (o->detail == detail) o->is_extent = is_extent, o->is_of_data = is_from_data(s->tt, a->offset);
    if (of_memory && o->verdict == OBLIGATION_PROVED) rest_on_stated(s, o);
    for (uint32_t k = 0; k < count && o->verdict == OBLIGATION_PROVED; k++) safety_rests_on(s, o, rests[k]);
  }
}

/* ---- places ---- */

typedef struct Site {
  const Access *access;
  const StorePlace *place;
  const PointwiseTensor *view;
  const PointwiseOutput *output;
  Term pid[3];                    /* over the recovery's coordinates */
  Term at[3];                     /* over the output's indices, and what these leave open */
  Term index[POINTWISE_MAX_RANK]; /* over coordinates */
} Site;

/* What became of a program id, lane or counter in that access. */
static Term now(const Claim *on, const Access *a, Term coordinate) {
  return recover_now(on, (uint32_t)(a - on->ex->accesses.data), coordinate);
}

static bool open_site(Safety *s, uint32_t access, Site *site) {
  const Claim *on = s->on;
  *site = (Site){.access = &on->ex->accesses.data[access]};
  for (uint32_t i = 0; i < on->hints.places.count; i++)
    if (on->hints.places.data[i].access == access) site->place = &on->hints.places.data[i];
  if (!site->place) return false;
  site->output = &on->pointwise->outputs.data[site->place->output];
  site->view = &on->pointwise->tensors.data[site->output->tensor];
  for (uint32_t i = 0; i < 3; i++) {
    site->pid[i] = now(on, site->access, on->ex->pid[i]);
    site->at[i] = term_substitute(s->tt, site->pid[i], site->place->map);
  }
  return recover_indices(on->ex->tt, on->ex, site->view, site->access->offset, site->index);
}

static Term at_index(Safety *s, const Site *site, Term t, const Term *index) {
  return term_substitute(s->tt, t, (TermMap){site->output->rank, site->output->index, index});
}

/* The program that stores at `index` is the one with these ids, under the facts at hand. */
static bool is_program(Safety *s, const Site *site, const Term *index, const Term *pid) {
  for (uint32_t i = 0; i < 3; i++) {
    Term back = term_rebuild(s->tt, at_index(s, site, site->at[i], index)), own = term_rebuild(s->tt, pid[i]);
    if (equal_prove(s->tt, back, own) == EQUAL_NONE) return false;
  }
  return true;
}

/* Equal addresses are equal indices only within the shape for which the strides keep elements apart: true if this
 * access is within. */
static bool in_shape(Safety *s, const Site *site, const Term *index) {
  const PointwiseTensor *view = site->view;
  const GivenTensor *given = safety_given(s, view->symbol);
  if (view->rank <= 1) return true;
  if (given && !same_strides(view, given)) return layout_separates(s->tt, view);
  for (uint32_t k = 0; k < view->rank; k++)
    if (!within(s, term_rebuild(s->tt, index[k]), given ? given->extent[k] : view->extent[k])) return false;
  return true;
}

/* True if the element that is written tells this coordinate. What the index leaves open would stand for any value. */
static bool is_told(const Safety *s, const Site *site, Term at) {
  TermList symbols = {0};
  term_symbols(s->tt, at, &symbols);
  for (uint32_t k = 0; k < symbols.count; k++) {
    const Symbol *symbol = term_symbol(s->tt, symbols.data[k]);
    bool own = false;
    for (uint32_t d = 0; d < site->output->rank; d++) own |= site->output->index[d] == symbols.data[k];
    if (own || symbol->role == SYMBOL_SIZE || symbol->role == SYMBOL_GRID || symbol->role == SYMBOL_SCALAR) continue;
    if (symbol->hi != s->tt->zero) return false;
  }
  return true;
}

/* Any two programs (primed symbols for the second) that store one element are the same. */
static bool determines_program(Safety *s, const Site *site) {
  TermTable *tt = s->tt;
  uint32_t facts = tt->facts.count;
  bool good = true;
  for (uint32_t i = 0; i < 3 && good; i++) good = is_told(s, site, site->at[i]);
  equal_push(tt, site->access->mask);
  good = good && in_shape(s, site, site->index);
  if (good && !is_program(s, site, site->index, site->pid)) {
    term_pop_facts(tt, facts);
    const ProveStore *shown = safety_store(s, site->access->op);
    return shown && shown->in_shape && shown->one_program;
  }
  term_pop_facts(tt, facts);
  return good;
}

/* Lanes of one program that store to one element store one value: neither value nor mask depends on what the index
 * leaves open. */
static bool lanes_agree(Safety *s, const Site *site) {
  TermTable *tt = s->tt;
  const Access *a = site->access;
  uint32_t facts = tt->facts.count;
  bool good = true;
  equal_push(tt, a->mask);
  for (uint32_t i = 0; i < a->rank && good; i++) {
    if (!a->lanes[i]) continue;
    Term lane = now(s->on, a, a->lanes[i]);
    Term back = at_index(s, site, term_substitute(tt, lane, site->place->map), site->index);
    if (equal_prove(tt, term_rebuild(tt, back), term_rebuild(tt, lane)) != EQUAL_NONE &&
        term_substitute(tt, lane, site->place->map) != lane)
      continue;
    TermList symbols = {0}; /* not determined: it must not matter */
    term_symbols(tt, lane, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++) {
      SymbolRole role = term_symbol(tt, symbols.data[k])->role;
      if (role == SYMBOL_SIZE || role == SYMBOL_GRID) continue;
      good &= !term_has_symbol(tt, a->value, symbols.data[k]);
    }
  }
  term_pop_facts(tt, facts);
  return good;
}

static bool is_one_tensor(const Safety *s, Term a, Term b) {
  if (a == b) return true;
  const GivenTensor *x = safety_given(s, a), *y = safety_given(s, b);
  return x && y && x->shared >= 0 && x->shared == y->shared;
}

/* Another access to what `site` stores: nobody but the program that stores an element touches it. */
static bool shares_program(Safety *s, const Site *site, const Access *other) {
  TermTable *tt = s->tt;
  Term index[POINTWISE_MAX_RANK], pid[3];
  if (!recover_indices(s->on->ex->tt, s->on->ex, site->view, other->offset, index)) return false;
  for (uint32_t i = 0; i < 3; i++) pid[i] = now(s->on, other, s->on->ex->pid[i]);
  uint32_t facts = tt->facts.count;
  equal_push(tt, other->mask);
  if (!in_shape(s, site, index)) {
    term_pop_facts(tt, facts);
    return false;
  }
  const PointwisePiece *piece = &site->output->pieces.data[site->place->piece];
  Term region = piece->accumulate ? tt->true_ : term_rebuild(tt, at_index(s, site, piece->region, index));
  bool good = equal_prove_false(tt, region); /* elements that this store does not touch */
  if (!good) {
    equal_push(tt, region);
    good = is_program(s, site, index, pid);
  }
  term_pop_facts(tt, facts);
  return good;
}

static bool has_lanes(const Access *a) {
  bool any = false;
  for (uint32_t k = 0; k < a->rank; k++) any |= a->lanes[k] != 0;
  return any;
}

/* Assumes that the other access is to an element of what the store writes; false: it is to none. */
static bool assume_stored(Safety *s, const Site *site, const Access *other, const Term *index) {
  const PointwisePiece *piece = &site->output->pieces.data[site->place->piece];
  equal_push(s->tt, other->mask);
  Term region = piece->accumulate ? s->tt->true_ : term_rebuild(s->tt, at_index(s, site, piece->region, index));
  if (equal_prove_false(s->tt, region)) return false;
  equal_push(s->tt, region);
  return true;
}

/* What is stored at `index` is stored where the store's lane or counter is `own`, and nowhere else. */
static bool is_coordinate(Safety *s, const Site *site, Term coordinate, const Term *index, Term own) {
  TermTable *tt = s->tt;
  Term at = term_substitute(tt, coordinate, site->place->map);
  if (!is_told(s, site, at)) return false;
  return equal_prove(tt, term_rebuild(tt, at_index(s, site, at, index)), term_rebuild(tt, own)) != EQUAL_NONE;
}

/* Which thread holds a lane goes by the shape of the tensor that is accessed: <64> and <64x1> may lie otherwise. */
static bool has_shape_of(const Access *a, const Access *b) {
  return a->rank == b->rank && !memcmp(a->lanes, b->lanes, sizeof a->lanes);
}

/* True if all that the kernel accesses in that shape is as wide. Each access has as many elements in a thread as its
 * width asks for, so that wide and narrow ones may lie otherwise. */
static bool has_one_width(const Safety *s, const Access *a) {
  const Effects *ex = s->on->ex;
  uint32_t width = program_get_type(ex->program, a->element)->width;
  for (uint32_t i = 0; i < ex->accesses.count; i++) {
    const Access *b = &ex->accesses.data[i];
    if (has_lanes(b) && has_shape_of(a, b) && program_get_type(ex->program, b->element)->width != width) return false;
  }
  return true;
}

static bool shares_loop(const Access *a, const Access *b);
static bool in_one_iteration(Safety *s, const Site *site, const Access *other);

/* Which folds are waited for, beside barriers. */
typedef enum FoldWait {
  FOLD_OF_LOADED,    /* one of what was loaded */
  FOLD_OF_LANES,     /* ... or of what was stored, as the same lanes go on */
  FOLD_ACROSS_WARPS, /* ... by all threads, those that hold copies too */
} FoldWait;

static bool waits_between(const Safety *s, const Access *a, const Access *b, bool one_iteration, FoldWait folds);

/* True if the load comes first, and no iteration leads back to it: a store of what is made of it waits for it. Unrolled
 * iterations have an access each, in their order. */
static bool is_loaded_before(Safety *s, const Site *site, const Access *load) {
  const Access *store = site->access;
  return !load->is_store && load < store && load->op < store->op &&
         (!shares_loop(store, load) || in_one_iteration(s, site, load));
}

/* Within one program: a lane may read only what itself has stored before, and store only what no other lane reads then.
 * In two shapes it is the same thread only where it is the first lane of both. */
static bool same_lane(Safety *s, const Site *site, const Access *other) {
  TermTable *tt = s->tt;
  const Access *store = site->access;
  Term index[POINTWISE_MAX_RANK];
  if (!recover_indices(s->on->ex->tt, s->on->ex, site->view, other->offset, index)) return false;
  uint32_t facts = tt->facts.count;
  bool same_shape = has_shape_of(store, other) &&
                    (has_one_width(s, store) || is_loaded_before(s, site, other) ||
                     waits_between(s, store, other, in_one_iteration(s, site, other), FOLD_OF_LANES)),
       apart = !assume_stored(s, site, other, index), good = true;
  for (uint32_t i = 0; i < store->rank && good && !apart; i++) {
    if (!store->lanes[i]) continue;
    Term lane = same_shape ? now(s->on, other, store->lanes[i]) : tt->zero;
    good = is_coordinate(s, site, now(s->on, store, store->lanes[i]), index, lane);
  }
  for (uint32_t k = 0; k < other->rank && good && !apart && !same_shape; k++)
    if (other->lanes[k])
      good = equal_prove(tt, term_rebuild(tt, now(s->on, other, other->lanes[k])), tt->zero) != EQUAL_NONE;
  if (good && !apart && !has_lanes(store) && !other->is_store) good = !safety_matters_to_all_lanes(s, other);
  term_pop_facts(tt, facts);
  return good || apart;
}

/* True if both are in one iteration of all their loops wherever they are to one element. They are in the order of the
 * program text then; unrolled loops have no counter, and an access for each iteration. */
static bool in_one_iteration(Safety *s, const Site *site, const Access *other) {
  const Access *store = site->access;
  Term index[POINTWISE_MAX_RANK];
  bool in_order = store < other ? store->last_op < other->op : other->last_op < store->op;
  if (!in_order || store->tensor != other->tensor || !store->counter_count ||
      store->counter_count != other->counter_count || memcmp(store->counters, other->counters, sizeof store->counters))
    return false;
  if (!recover_indices(s->on->ex->tt, s->on->ex, site->view, other->offset, index)) return false;
  uint32_t facts = s->tt->facts.count;
  bool good = assume_stored(s, site, other, index);
  for (uint32_t i = 0; i < store->counter_count && good; i++)
    good = is_coordinate(s, site, now(s->on, store, store->counters[i]), index, now(s->on, other, store->counters[i]));
  term_pop_facts(s->tt, facts);
  return good;
}

static bool shares_loop(const Access *a, const Access *b) {
  for (uint32_t i = 0; i < a->counter_count; i++)
    for (uint32_t k = 0; k < b->counter_count; k++)
      if (a->counters[i] == b->counters[k]) return true;
  return false;
}

/* The op itself, or what it stands in, in that block; 0: it is not below it. */
static OpId within_block(const Program *p, OpId id, BlockId block) {
  while (id && program_get_op(p, id)->block != block) {
    BlockId own = program_get_op(p, id)->block;
    id = own ? program_get_region(p, program_get_block(p, own)->region)->parent : 0;
  }
  return id;
}

/* A fold of a whole tensor to a scalar waits for its lanes: a store behind it does not overtake what they read before.
 * What has more elements than the tensor has lanes beside those. */
static bool is_fold_of_all(const Safety *s, const Op *op, const Access *before, bool across_warps) {
  const Program *p = s->on->ex->program;
  if (op->code != OP_TT_REDUCE || program_value_type(p, op->operands[0])->rank != 1) return false;
  ValueId folded = op->operands[0];
  for (OpId id; (id = program_get_value(p, folded)->op) && program_get_op(p, id)->code == OP_TT_REDUCE;)
    folded = program_get_op(p, id)->operands[0]; /* of the rows, and then of their sums */
  const Op *access = program_get_op(p, before->op);
  ValueId lanes = access->result_count         ? program_result(access, 0)
                  : access->operand_count >= 2 ? access->operands[1]
                                               : 0;
  return lanes && safety_has_lanes_of(s, folded, lanes) && (!across_warps || safety_folds_across_warps(s, folded));
}

/* True if all lanes wait on every way from one access to the other: in the innermost block that holds both; and where
 * that is in a loop, from the later one round to the earlier one too, unless one iteration has both. Unrolled
 * iterations are one op: the loop is seen by its region. */
static bool waits_between(const Safety *s, const Access *a, const Access *b, bool one_iteration, FoldWait folds) {
  const Program *p = s->on->ex->program;
  if (a->op > b->op) {
    const Access *swap = a;
    a = b, b = swap;
  }
  if (a->last_op >= b->op) return false; /* between the parts of one store */
  BlockId block = program_get_op(p, a->last_op)->block;
  while (block && !within_block(p, b->op, block)) {
    OpId parent = program_get_region(p, program_get_block(p, block)->region)->parent;
    block = parent ? program_get_op(p, parent)->block : 0;
  }
  if (!block) return false;
  OpId first = within_block(p, a->last_op, block), second = within_block(p, b->op, block);
  bool between = false, around = false, loops = shares_loop(a, b);
  for (OpId id = program_get_region(p, program_get_block(p, block)->region)->parent; id && !loops;) {
    Opcode code = program_get_op(p, id)->code;
    loops = code == OP_SCF_FOR || code == OP_SCF_WHILE;
    BlockId own = program_get_op(p, id)->block;
    id = own ? program_get_region(p, program_get_block(p, own)->region)->parent : 0;
  }
  const Block *ops = program_get_block(p, block);
  for (uint32_t i = 0; i < ops->ops.count; i++) {
    OpId id = ops->ops.data[i];
    const Op *op = program_get_op(p, id);
    bool is_between = first < id && id < second;
    between |=
        is_between && (!a->is_store || folds != FOLD_OF_LOADED) && is_fold_of_all(s, op, a, folds == FOLD_ACROSS_WARPS);
    if (op->code != OP_GPU_BARRIER && op->code != OP_TTG_BARRIER) continue;
    between |= is_between;
    around |= id < within_block(p, a->op, block) || second < id;
  }
  return between && (!loops || around || one_iteration);
}

/* Every warp loads a tensor of fewer lanes than there are threads, and may do so while the lane's own thread stores. */
static bool are_copies_safe(Safety *s, const Site *site, const Access *load) {
  Term index[POINTWISE_MAX_RANK];
  if (load->is_store || !has_lanes(load)) return true;
  if (!safety_copies_matter(s, load, is_loaded_before(s, site, load) ? site->access->op : 0)) return true;
  if (waits_between(s, site->access, load, in_one_iteration(s, site, load), FOLD_ACROSS_WARPS)) return true;
  uint32_t facts = s->tt->facts.count;
  bool apart = recover_indices(s->on->ex->tt, s->on->ex, site->view, load->offset, index) &&
               !assume_stored(s, site, load, index);
  term_pop_facts(s->tt, facts);
  return apart;
}

static const char *race_of(Safety *s, const Site *site) {
  const Access *a = site->access;
  const char *name = term_message(s->tt, a->tensor);
  for (uint32_t i = 0; i < s->open.count && !a->is_atomic; i++)
    if (s->open.data[i].kind == OBLIGATION_RACE && s->open.data[i].op == a->op &&
        s->open.data[i].verdict != OBLIGATION_PROVED)
      return s->open.data[i].detail;
  if (s->repeats && !a->is_atomic)
    return arena_format(s->arena, "several programs run, and no program id tells apart what they write to %s", name);
  if (!a->is_atomic && !determines_program(s, site))
    return arena_format(s->arena, "an element of %s is not shown to belong to one program", name);
  if (!a->is_atomic && !lanes_agree(s, site))
    return arena_format(s->arena, "lanes of one program may write one element of %s", name);
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *other = &s->on->ex->accesses.data[i];
    if (other == a || !is_one_tensor(s, other->tensor, a->tensor)) continue;
    if (a->is_atomic && other->is_atomic) continue; /* they order themselves */
    if (a->is_atomic || other->is_atomic)
      return arena_format(s->arena, "%s is changed by atomics and accessed plainly", name);
    if (!shares_program(s, site, other))
      return arena_format(s->arena, "what %s %s is not shown to be another program's never",
                          other->is_store ? "is also stored to" : "is read from", name);
    if (!same_lane(s, site, other) && !waits_between(s, a, other, in_one_iteration(s, site, other), FOLD_OF_LOADED))
      return arena_format(s->arena, "a lane may %s %s what another lane stores",
                          other->is_store ? "overwrite in" : "read from", name);
    if (!are_copies_safe(s, site, other))
      return arena_format(s->arena,
                          "more threads than one may hold a lane that is read from %s, and only one stores it", name);
  }
  return NULL;
}

/* Sizes that were assumed to be so small that an output's literal strides keep its elements apart. */
static void rest_on_small_sizes(Safety *s, Obligation *o) {
  for (uint32_t i = 0; i < s->on->assumptions.count; i++) {
    const Assumption *a = &s->on->assumptions.data[i];
    if (a->condition && a->kind == ASSUME_DISJOINT) safety_rests_on(s, o, safety_take(s, a));
  }
}

static void rest_on_strides(Safety *s, Obligation *o, const Access *a, const PointwiseTensor *view) {
  const char *why = "an output has one place per element";
  for (uint32_t k = 0; k < view->rank; k++) {
    Term bound = layout_bound(s->tt, view, k);
    if (!bound) continue;
    Term condition = s->on == s->report ? bound : 0;
    safety_rests_on(s, o, safety_assume(s, ASSUME_DISJOINT, condition, term_message(s->tt, bound), why, NULL));
  }
  if (layout_is_literal(s->tt, view)) return;
  const char *text =
      arena_format(s->arena, "the strides of %s do not make elements overlap", term_message(s->tt, a->tensor));
  uint32_t number = safety_assume(s, ASSUME_DISJOINT, 0, text, why, NULL);
  Term apart = s->on == s->report ? view->symbol : 0;
  for (uint32_t i = 0; i < s->on->ex->params.count && !apart; i++) /* executed once more: the same parameter */
    if (s->on->ex->params.data[i].symbol == view->symbol) apart = s->report->ex->params.data[i].symbol;
  s->report->assumptions.data[number].apart = apart;
  safety_rests_on(s, o, number);
}

void safety_races(Safety *s) {
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *a = &s->on->ex->accesses.data[i];
    Site site;
    if (!a->is_store) continue;
    bool alias = false;
    for (uint32_t k = 0; k < s->on->ex->accesses.count; k++) {
      const Access *other = &s->on->ex->accesses.data[k];
      alias |= other->tensor != a->tensor && is_one_tensor(s, other->tensor, a->tensor);
    }
    const char *why = open_site(s, i, &site) ? race_of(s, &site)
                                             : arena_format(s->arena, "the store to %s has no place that is known",
                                                            term_message(s->tt, a->tensor));
    if (!why && !a->is_atomic && layout_overlaps(s->tt, site.view))
      why = arena_format(s->arena, "the rows of %s overlap by their lengths", term_message(s->tt, a->tensor));
    Obligation *o = safety_add(s, OBLIGATION_RACE, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, a->op, a->tensor, why);
    if (!why) rest_on_small_sizes(s, o);
    if (!why && !a->is_atomic && !layout_separates(s->tt, site.view)) rest_on_strides(s, o, a, site.view);
    if (alias) safety_add(s, OBLIGATION_ALIAS, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, a->op, a->tensor, why);
  }
}

/* True if the kernel sees what the launches before have left in this tensor. */
static bool sees_contents(const Safety *s, Term tensor) {
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *a = &s->on->ex->accesses.data[i];
    if (is_one_tensor(s, a->tensor, tensor) && (a->is_atomic || (!a->is_store && a->old != s->tt->false_))) return true;
  }
  return false;
}

/* A launch that is run again with the same arguments leaves the same contents where nothing that it writes is read
 * before. */
void safety_repeats(Safety *s) {
  for (uint32_t i = 0; i < s->on->ex->accesses.count; i++) {
    const Access *a = &s->on->ex->accesses.data[i];
    if (!a->is_store) continue;
    const char *why =
        sees_contents(s, a->tensor)
            ? arena_format(
                  s->arena,
                  "the launch is repeated, and %s, which it reads, is not shown to stay as the first run leaves it",
                  term_message(s->tt, a->tensor))
            : NULL;
    safety_add(s, OBLIGATION_ALIAS, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, a->op, a->tensor, why);
  }
}

/* ---- coverage ---- */

/* Where an original coordinate (program id, lane, counter) comes from; those that the index leaves open take their
 * least value. */
static Term from_index(Safety *s, const Site *site, Term t) {
  TermTable *tt = s->tt;
  TermList symbols = {0};
  t = term_substitute(tt, now(s->on, site->access, t), site->place->map);
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = term_symbol(tt, symbols.data[i]);
    bool own = false;
    for (uint32_t k = 0; k < site->output->rank; k++) own |= site->output->index[k] == symbols.data[i];
    bool moves = symbol->role == SYMBOL_PID || symbol->role == SYMBOL_LANE || symbol->role == SYMBOL_COUNTER ||
                 symbol->role == SYMBOL_INDEX;
    if (moves && !own && symbol->lo) t = term_replace(tt, t, symbols.data[i], symbol->lo);
  }
  return term_rebuild(tt, t);
}

static bool is_in_range(Safety *s, const Site *site, Term coordinate) {
  TermTable *tt = s->tt;
  Term lo = term_symbol(tt, coordinate)->lo, hi = term_symbol(tt, coordinate)->hi, at = from_index(s, site, coordinate);
  if (lo && !term_prove_le(tt, from_index(s, site, lo), at)) return false;
  hi = term_symbol(tt, coordinate)->hi;
  return !hi || term_prove_le(tt, at, from_index(s, site, hi));
}

/* Every index of the piece's region is reached: there are a program, a lane and iterations in range that pass the mask
 * and lead back. In range as the launch has them: the parts that an id was split into say less. */
static bool is_reached(Safety *s, const Site *site) {
  TermTable *tt = s->tt;
  const Access *a = site->access;
  uint32_t facts = tt->facts.count;
  bool good = true;
  equal_push(tt, site->output->pieces.data[site->place->piece].region);
  for (uint32_t i = 0; i < 3 && good; i++) good = is_in_range(s, site, s->on->ex->pid[i]);
  for (uint32_t i = 0; i < a->rank && good; i++) good = !a->lanes[i] || is_in_range(s, site, a->lanes[i]);
  for (uint32_t i = 0; i < a->counter_count && good; i++) good = is_in_range(s, site, a->counters[i]);
  if (good) good = safety_holds(s, from_index(s, site, a->mask));
  for (uint32_t k = 0; k < site->output->rank && good; k++)
    good = equal_prove(tt, from_index(s, site, site->index[k]), site->output->index[k]) != EQUAL_NONE;
  term_pop_facts(tt, facts);
  return good;
}

/* A row-major view of which the first `size` elements are written, for an argument `size` that ends in its last row:
 * that many it has. */
static bool is_flat_prefix(Safety *s, const PointwiseOutput *output, const PointwiseTensor *view, Term covered) {
  TermTable *tt = s->tt;
  Term offset = tt->zero;
  if (safety_given(s, view->symbol) || covered == tt->false_ || !view->rank) return false;
  Term last_row = term_mul(tt, term_sub(tt, view->extent[0], tt->one), view->stride[0]);
  for (uint32_t k = 0; k < view->rank; k++)
    offset = term_add(tt, offset, term_mul(tt, view->stride[k], output->index[k]));
  for (uint32_t i = 0; i < s->on->ex->params.count; i++) {
    const Param *param = &s->on->ex->params.data[i];
    uint32_t facts = tt->facts.count;
    if (param->is_pointer || !param->is_size || !safety_holds(s, term_lt(tt, last_row, param->symbol))) continue;
    term_push_fact(tt, term_lt(tt, offset, param->symbol));
    bool good = safety_holds(s, covered);
    term_pop_facts(tt, facts);
    if (good) return true;
  }
  return false;
}

/* The elements of the shape that was given, each at its place in the view: true if they are all in the region that is
 * covered. A launch may give other strides than the view has, two for each element of one that goes along pairs. */
static bool covers_given(Safety *s, const PointwiseOutput *output, const PointwiseTensor *view,
                         const GivenTensor *given, Term covered) {
  TermTable *tt = s->tt;
  Term offset = given->offset, at[POINTWISE_MAX_RANK];
  for (uint32_t k = 0; k < given->rank; k++) {
    Term j = term_symbol_new(tt, intern_text(tt->names, "element"), SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, j, tt->zero, term_sub(tt, given->extent[k], tt->one));
    offset = term_add(tt, offset, term_mul(tt, given->stride[k], j));
  }
  if (!recover_indices(s->on->ex->tt, s->on->ex, view, offset, at)) return false;
  Term sum = tt->zero;
  for (uint32_t k = 0; k < view->rank; k++) sum = term_add(tt, sum, term_mul(tt, view->stride[k], at[k]));
  if (term_sub(tt, sum, offset) != tt->zero) return false;
  Term all = tt->true_;
  for (uint32_t k = 0; k < view->rank; k++)
    all = term_and(tt, all, term_and(tt, term_le(tt, tt->zero, at[k]), term_lt(tt, at[k], view->extent[k])));
  return safety_holds(s, term_and(tt, all, term_substitute(tt, covered, (TermMap){view->rank, output->index, at})));
}

/* The literal by which an index is divided somewhere in t; 0: none is found. */
static int64_t literal_divisor(TermTable *tt, Term t, Term index, uint32_t *fuel) {
  int64_t divisor = 0;
  if (!*fuel || !--*fuel || !term_has_symbol(tt, t, index)) return 0;
  if (term_kind(tt, t) == TERM_FLOORDIV && term_is_int(tt, term_arg(tt, t, 1), &divisor)) return divisor;
  for (uint32_t i = 0; i < term_count(tt, t) && !divisor; i++)
    divisor = literal_divisor(tt, term_arg(tt, t, i), index, fuel);
  return divisor;
}

/* An index that is not negative is m*q + r for some r < m: the condition holds if it does for each of them. */
static bool holds_by_remainders(Safety *s, const PointwiseOutput *output, const Term *extent, Term condition) {
  enum { MOST_REMAINDERS = 8, MOST_STEPS = 400 };
  TermTable *tt = s->tt;
  for (uint32_t k = 0; k < output->rank; k++) {
    uint32_t fuel = MOST_STEPS;
    int64_t m = literal_divisor(tt, condition, output->index[k], &fuel);
    if (m < 2 || m > MOST_REMAINDERS) continue;
    Term q = term_symbol_fresh(tt, "q", SORT_INT, SYMBOL_INDEX);
    term_symbol_range(tt, q, tt->zero, 0);
    bool all = true;
    for (int64_t rest = 0; rest < m && all; rest++) {
      Term at = term_add(tt, term_mul(tt, term_int(tt, m), q), term_int(tt, rest));
      uint32_t facts = tt->facts.count;
      equal_push(tt, term_lt(tt, at, extent[k]));
      all = safety_holds(s, term_rebuild(tt, term_replace(tt, condition, output->index[k], at)));
      term_pop_facts(tt, facts);
    }
    if (all) return true;
  }
  return false;
}

static const char *coverage_of(Safety *s, uint32_t number, OpId *op) {
  TermTable *tt = s->tt;
  const PointwiseOutput *output = &s->on->pointwise->outputs.data[number];
  const PointwiseTensor *view = &s->on->pointwise->tensors.data[output->tensor];
  const GivenTensor *given = safety_given(s, view->symbol);
  const char *name = term_message(s->tt, view->symbol);
  bool as_given = given && given->offset == tt->zero &&
                  same_strides(view, given); /* the given shape, if it lies in that of the claim */
  Term covered = tt->false_;
  for (uint32_t k = 0; k < view->rank && as_given; k++)
    as_given = safety_holds(s, term_le(tt, term_rebuild(tt, given->extent[k]), term_rebuild(tt, view->extent[k])));
  uint32_t facts = tt->facts.count;
  for (uint32_t k = 0; k < output->rank; k++) {
    equal_push(tt, term_le(tt, tt->zero, output->index[k]));
    equal_push(tt, term_lt(tt, output->index[k], as_given ? given->extent[k] : view->extent[k]));
  }
  bool claimed = true; /* every element of the region that is printed */
  for (uint32_t i = 0; i < s->on->hints.places.count; i++) {
    Site site;
    if (s->on->hints.places.data[i].output != number) continue;
    if (!open_site(s, s->on->hints.places.data[i].access, &site)) {
      claimed = false;
      continue;
    }
    *op = site.access->op;
    const ProveStore *shown = NULL;
    bool reached = is_reached(s, &site);
    if (!reached) shown = safety_store(s, site.access->op);
    claimed &= reached || (shown && shown->covers);
    if (reached || (shown && shown->covers))
      covered = term_or(tt, covered, output->pieces.data[s->on->hints.places.data[i].piece].region);
  }
  bool all = safety_holds(s, covered) || is_flat_prefix(s, output, view, covered) ||
             holds_by_remainders(s, output, as_given ? given->extent : view->extent, covered);
  term_pop_facts(tt, facts);
  if (claimed && covered != tt->false_ && (view->is_read || s->on->ex->program->is_host))
    return NULL; /* in place, or a part of what the caller gave: what lies outside keeps its contents */
  if (!all && given && covered != tt->false_ && covers_given(s, output, view, given, covered)) return NULL;
  if (!all && covered == tt->false_)
    return arena_format(s->arena, "the elements of %s that are written are not known", name);
  if (!all)
    return arena_format(s->arena, "%s is written where %s: not shown to be all of it", name, term_message(tt, covered));
  if (!given || as_given) return NULL;
  Term written = tt->one, whole = tt->one; /* dense views of the same number of elements */
  bool dense = given->offset == tt->zero;
  Term packed = tt->one;
  for (uint32_t k = view->rank; k-- > 0;) {
    dense &= term_rebuild(tt, view->stride[k]) == term_rebuild(tt, packed);
    packed = term_mul(tt, packed, view->extent[k]);
    written = packed;
  }
  packed = tt->one;
  for (uint32_t k = given->rank; k-- > 0;) {
    dense &= term_rebuild(tt, given->stride[k]) == term_rebuild(tt, packed);
    packed = term_mul(tt, packed, given->extent[k]);
    whole = packed;
  }
  if (dense && equal_prove(tt, term_rebuild(tt, written), term_rebuild(tt, whole)) != EQUAL_NONE) return NULL;
  if (covers_given(s, output, view, given, covered)) return NULL;
  return arena_format(s->arena, "what is written to %s is not shown to be its whole shape", name);
}

void safety_coverage(Safety *s) {
  if (s->on->ex->program->is_host) return; /* a function may write a part of an array: the region says which */
  for (uint32_t i = 0; i < s->on->pointwise->outputs.count; i++) {
    const PointwiseOutput *output = &s->on->pointwise->outputs.data[i];
    const PointwiseTensor *view = &s->on->pointwise->tensors.data[output->tensor];
    OpId op = 0;
    bool plain = true;
    for (uint32_t k = 0; k < output->pieces.count; k++) plain &= !output->pieces.data[k].accumulate;
    if (!plain || output->scatter) continue; /* atomics add to what is there: no element must be written */
    const char *why = coverage_of(s, i, &op);
    Obligation *o =
        safety_add(s, OBLIGATION_COVERAGE, why ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED, op, view->symbol, why);
    o->is_of_operation = why && safety_is_shared(s, safety_operation_name(s, view->symbol));
    if (why) continue;
    rest_on_small_sizes(s, o);
    safety_rests_on_kind(s, o, ASSUME_GRID);
    safety_rests_on_kind(s, o, ASSUME_COVER);
  }
}

/* ---- divisions ---- */

/* ": it is 0 where N = 1", if sizes of 1 show it. */
static const char *where_zero(Safety *s, Term divisor) {
  TermTable *tt = s->tt;
  TermList symbols = {0};
  Text text = text_new(s->arena);
  Term value = divisor;
  if (term_node(tt, divisor)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)) return "";
  term_symbols(tt, divisor, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (term_symbol(tt, symbols.data[i])->role != SYMBOL_SIZE) return "";
    value = term_replace(tt, value, symbols.data[i], tt->one);
    text_format(&text, "%s%s = 1", i ? ", " : ": it is 0 where ", term_message(tt, symbols.data[i]));
  }
  return value == tt->zero ? text_string(&text) : "";
}

static bool differs(TermTable *tt, Term e) { return term_prove_lt(tt, tt->zero, e) || term_prove_lt(tt, e, tt->zero); }

/* True if the statement holds under the facts at hand. */
static bool is_so(Safety *s, const DivisionNeed *need) {
  TermTable *tt = s->tt;
  if (term_kind(tt, need->divisor) != TERM_SELECT) return false;
  Term condition = term_rebuild(tt, term_arg(tt, need->divisor, 0));
  if (term_arg(tt, need->divisor, 1) == tt->zero) condition = term_not(tt, condition);
  Term equation = term_kind(tt, condition) == TERM_NOT ? term_arg(tt, condition, 0) : 0;
  bool is_unequal = equation && term_kind(tt, equation) == TERM_EQ && term_count(tt, equation) == 1 &&
                    term_sort(tt, term_arg(tt, equation, 0)) == SORT_INT;
  return (is_unequal && differs(tt, term_arg(tt, equation, 0))) || safety_holds(s, condition);
}

/* open_only: nothing was recovered, and what is assumed elsewhere is not known: only what is not shown counts. */
void safety_divisions(Safety *s, bool open_only) {
  TermTable *tt = s->tt;
  for (uint32_t i = 0; i < s->on->ex->divisions.count; i++) {
    const DivisionNeed *need = &s->on->ex->divisions.data[i];
    uint32_t facts = tt->facts.count;
    equal_push(tt, need->path);
    bool good =
        term_prove_lt(tt, tt->zero, need->divisor) || term_prove_lt(tt, need->divisor, tt->minus_one); /* least / -1 */
    if (!good && need->is_statement) good = is_so(s, need);
    term_pop_facts(tt, facts);
    if (good && (open_only || need->is_statement)) continue;
    if (need->is_statement) {
      safety_add(s, OBLIGATION_UNDEFINED, OBLIGATION_UNKNOWN, need->op, 0,
                 "what the kernel states is not shown of every program");
      continue;
    }
    const char *detail =
        good ? NULL
             : arena_format(s->arena, "%s is not shown to differ from 0%s",
                            source_text(tt, s->on, need->op, need->divisor), where_zero(s, need->divisor));
    safety_add(s, OBLIGATION_DIVISION, good ? OBLIGATION_PROVED : OBLIGATION_UNKNOWN, need->op, 0, detail);
  }
}
