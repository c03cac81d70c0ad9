/* What the constructors of terms leave out (see definedness.h). */
#include "safety/definedness.h"

#include <string.h>

#include "prove/equal.h"
#include "safety/preconditions.h"
#include "term/cons.h"

/* True if the divisor is nowhere any more. That of a quotient of reals is in its factors, unless the quotient is 0. */
static bool is_without_divisor(const TermTable *tt, TermStep step, const Parts *kept) {
  Parts divisor = {.all = true};
  if (step.kind != TERM_STEP_QUOTIENT) return false;
  parts_add(tt, &divisor, PART_NONZERO, step.b, &parts_everywhere);
  if (parts_include(&divisor, kept, true)) return false;
  return step.a == tt->zero || term_sort(tt, step.b) == SORT_INT;
}

/* An infinity goes: 0 * t, t - t, or a divisor. */
static bool less_defined_at_infinity(const TermTable *tt, TermStep step, const Parts *kept) {
  switch (step.kind) {
  case TERM_STEP_QUOTIENT: return is_without_divisor(tt, step, kept);
  case TERM_STEP_DIFFERENCE: return step.a == step.b;
  case TERM_STEP_PRODUCT: return step.a == tt->zero || step.b == tt->zero;
  case TERM_STEP_SUM:
  case TERM_STEP_OTHER:
  case TERM_STEP_CHOICE:
  case TERM_STEP_PLACE:
  case TERM_STEP_JOIN: break;
  }
  return false;
}

/* What is asked for is to be seen as plainly as before, where the operation is on numbers alone; or to be asked for in
 * `known`, or to be met anyway, so that where(b, log(1 + exp(x)), -inf) keeps it. */
static bool less_defined(Domain *d, TermStep step, PartsOf of, const Parts *known) {
  Parts parts = parts_of_operands(d, step, of), kept = parts_of(d, 1, &step.result, of);
  if (less_defined_at_infinity(d->tt, step, &kept)) return true;
  for (uint32_t i = 0; i < parts.count; i++) {
    Domain own = {.s = d->s, .tt = d->tt, .assumes_nothing = d->assumes_nothing};
    const Part *p = &parts.data[i];
    if (!parts_have(&kept, p, step.kind != TERM_STEP_OTHER) && !(known && parts_have(known, p, true)) &&
        !part_is_met(&own, p))
      return true;
  }
  return !parts.all;
}

bool definedness_some(Domain *d, TermStep step) { return less_defined(d, step, PARTS_OF_LANES, NULL); }

static bool less_defined_condition(Domain *d, Term a, Term b, Term condition, PartsOf of, const Parts *known) {
  const Term both[] = {a, b};
  Parts parts = parts_of(d, 2, both, of), kept = parts_of(d, 1, &condition, of);
  for (uint32_t i = 0; i < parts.count; i++) {
    bool is_kept = false;
    for (uint32_t k = 0; k < kept.count; k++)
      is_kept |= kept.data[k].core == parts.data[i].core && part_says_as_much(kept.data[k].kind, parts.data[i].kind);
    if (!is_kept && !(known && parts_have(known, &parts.data[i], true)) && !part_is_met(d, &parts.data[i]))
      return !domain_blame(d, parts.data[i].term, "a comparison of what may be no number");
  }
  return !parts.all;
}

bool definedness_of_comparison(Domain *d, Term a, Term b, Term condition) {
  return less_defined_condition(d, a, b, condition, PARTS_OF_LANES, NULL);
}

static bool is_number(Domain *d, Term t) { return !t || (domain_is_defined(d, t) && domain_is_finite(d, t)); }

bool definedness_is_defined(Domain *d, TermStep step) {
  bool good = is_number(d, step.a) && is_number(d, step.b);
  if (good && step.kind == TERM_STEP_QUOTIENT)
    good = domain_trusts_divisors(d) || domain_is_nonzero(d, step.b) ||
           domain_blame(d, step.b, "a division by what may be 0");
  if (!good && !d->culprit) domain_blame(d, step.result, "an operation that may be on infinities");
  return good;
}

/* where(t < 0, _, t), or what wraps to t: 0 where t is. */
static bool is_reading_of(TermTable *tt, Term reading, Term t) {
  Int128 lo, hi;
  if (term_kind(tt, t) == TERM_WRAP && term_arg(tt, t, 0) == reading)
    return term_interval(tt, reading, &lo, &hi) && lo >= 0 && hi < (Int128)1 << term_aux(tt, t);
  return reading == t || (term_kind(tt, reading) == TERM_SELECT && term_arg(tt, reading, 2) == t &&
                          term_arg(tt, reading, 0) == term_lt(tt, t, tt->zero));
}

static bool shows(TermTable *tt, const Parts *parts, const Part *q) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (parts->data[i].kind == q->kind && is_reading_of(tt, parts->data[i].term, q->term)) return true;
  return false;
}

/* In the lanes that a load defined, without the factor that differs from 0. */
static Term plain_divisor(const TermTable *tt, Term t) {
  while (term_kind(tt, t) == TERM_SELECT &&
         (term_kind(tt, term_arg(tt, t, 1)) == TERM_UNDEF || term_kind(tt, term_arg(tt, t, 2)) == TERM_UNDEF))
    t = term_arg(tt, t, term_kind(tt, term_arg(tt, t, 1)) == TERM_UNDEF ? 2 : 1);
  if (!term_is_rat(tt, t)) term_coefficient(tt, t, &t);
  return t;
}

static bool is_of_shift(const Effects *ex, Term t) {
  if (term_kind(ex->tt, t) != TERM_UNDEF || term_aux(ex->tt, t) < ex->extent.first_op ||
      term_aux(ex->tt, t) >= ex->extent.end_op)
    return false;
  Opcode code = program_get_op(ex->program, term_aux(ex->tt, t))->code;
  return code == OP_ARITH_SHLI || code == OP_ARITH_SHRSI || code == OP_ARITH_SHRUI;
}

/* Wherever it is divided by. */
static bool is_nonzero_divisor(Domain *d, Term t) {
  const Effects *ex = d->s->on->ex;
  bool known = false;
  for (uint32_t i = 0; i < ex->divisions.count; i++) {
    const DivisionNeed *need = &ex->divisions.data[i];
    uint32_t facts = d->tt->facts.count;
    if (need->is_statement || plain_divisor(d->tt, need->divisor) != t) continue;
    equal_push(d->tt, need->path);
    known = domain_is_nonzero(d, t);
    term_pop_facts(d->tt, facts);
    if (!known) return false;
  }
  return known || domain_is_nonzero(d, t);
}

bool definedness_of_integers(Domain *d, TermStep step) {
  Parts parts = parts_of_operands(d, step, PARTS_OF_VALUE), kept = parts_of(d, 1, &step.result, PARTS_OF_VALUE);
  if (step.kind == TERM_STEP_QUOTIENT && term_sort(d->tt, step.b) == SORT_INT)
    parts_add(d->tt, &parts, PART_NONZERO, plain_divisor(d->tt, step.b), &parts_everywhere);
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    if (shows(d->tt, &kept, p)) continue;
    if (p->kind == PART_DEFINED && is_of_shift(d->s->on->ex, p->term))
      return !domain_blame(d, p->term, "a shift that may be too far");
    if (p->kind == PART_NONZERO && term_sort(d->tt, p->term) == SORT_INT && !is_nonzero_divisor(d, p->term))
      return !domain_blame(d, p->term, "a division by what may be 0");
  }
  return !parts.all && !domain_blame(d, step.result, "the formula is too large to be looked through");
}

/* Those that may be 0, each once whatever its reading; `one`: of them. */
static uint32_t open_divisors(Domain *d, Term value, Term *one) {
  Parts parts = parts_of(d, 1, &value, PARTS_OF_VALUE);
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    bool known = p->kind != PART_NONZERO || term_sort(d->tt, p->term) != SORT_INT;
    for (uint32_t k = 0; k < parts.count && !known; k++)
      known = parts.data[k].kind == PART_NONZERO &&
              (parts.data[k].term == p->term ? k < i : is_reading_of(d->tt, p->term, parts.data[k].term));
    if (known || is_nonzero_divisor(d, p->term)) continue;
    *one = p->term, count++;
  }
  return count;
}

bool definedness_of_store(Domain *d, const Access *stored, const PointwisePiece *formula) {
  Term one = stored->value, other = 0;
  uint32_t count = open_divisors(d, stored->value, &one);
  return count && open_divisors(d, formula->value, &other) < count &&
         !domain_blame(d, one, "a division by what may be 0");
}

static bool is_in_condition(const TermTable *tt, const Part *p) {
  for (uint32_t i = 0; i < p->count; i += part_entry_length(p->path + i))
    if (part_entry_length(p->path + i) == 2 && term_sort(tt, p->path[i]) == SORT_BOOL && p->path[i + 1] < PATH_THEN)
      return true;
  return false;
}

/* What conditions compare that may be no number, each once. */
static uint32_t open_conditions(Domain *d, Term value, Term condition, Term *one) {
  const Term both[] = {value, condition};
  Parts parts = parts_of(d, 2, both, PARTS_OF_LANES);
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    bool known = !is_in_condition(d->tt, p);
    for (uint32_t k = 0; k < i && !known; k++)
      known = parts.data[k].core == p->core && is_in_condition(d->tt, &parts.data[k]);
    Domain own = {.s = d->s, .tt = d->tt, .skips_open = true};
    if (known || part_is_met_everywhere(&own, p)) continue;
    *one = p->term, count++;
  }
  return count;
}

bool definedness_of_conditions(Domain *d, const Access *stored, const PointwisePiece *formula) {
  Term one = stored->value, other = 0;
  uint32_t count = open_conditions(d, stored->value, stored->mask, &one);
  return count && open_conditions(d, formula->value, formula->region, &other) < count &&
         !domain_blame(d, one, "a comparison of what may be no number");
}

/* True if it may be 0 by a choice, so that a proof by cases takes the product with it for 0. */
static bool may_choose_zero(const TermTable *tt, Term t, uint32_t *steps) {
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT || kind == TERM_MAX || kind == TERM_MIN || ++*steps > PARTS_MOST_VISITED) return true;
  if (kind == TERM_READ || !(term_node(tt, t)->flags & TERM_HAS_READ)) return false;
  for (uint32_t i = 0; i < term_count(tt, t); i++)
    if (may_choose_zero(tt, term_arg(tt, t, i), steps)) return true;
  return false;
}

/* True if t is in the value, for each element of it, and not only where a select chooses it. */
static bool is_in(const TermTable *tt, Term value, Term t, uint32_t *steps) {
  if (value == t) return true;
  if (term_kind(tt, value) == TERM_READ || ++*steps > PARTS_MOST_VISITED) return false;
  uint32_t count = term_kind(tt, value) == TERM_SELECT ? 1 : term_count(tt, value);
  for (uint32_t i = 0; i < count; i++)
    if (is_in(tt, term_arg(tt, value, i), t, steps)) return true;
  return false;
}

static bool is_in_one(const TermTable *tt, const TermList *values, Term t) {
  uint32_t steps = 0;
  for (uint32_t i = 0; i < values->count; i++)
    if (values->data[i] && is_in(tt, values->data[i], t, &steps)) return true;
  return false;
}

/* Integers: domain.c takes them to be numbers. */
static bool divides_by_zero(Domain *d, const Parts *parts, const Parts *kept) {
  for (uint32_t i = 0; i < parts->count; i++) {
    Term t = parts->data[i].term;
    if (parts->data[i].kind != PART_NONZERO || term_sort(d->tt, t) != SORT_INT ||
        parts_have(kept, &parts->data[i], true))
      continue;
    if (!domain_is_nonzero(d, t)) return domain_blame(d, t, "a division by what may be 0"), true;
  }
  return false;
}

static bool gathers(Domain *d, const Parts *parts, const Parts *known) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (parts->data[i].kind == PART_DEFINED && term_kind(d->tt, parts->data[i].term) == TERM_READ &&
        !parts_have(known, &parts->data[i], true))
      return domain_blame(d, parts->data[i].term, PART_OUTSIDE), true;
  return false;
}

/* Of a product with a factor that may be 0 by a choice: true if the other one may be no number where that is 0, and
 * the left asks for none. */
static bool hides_other(Domain *d, TermStep step, Term chosen, Term other, const TermList *left, const Parts *asked) {
  TermTable *tt = d->tt;
  bool divides = step.kind == TERM_STEP_QUOTIENT && other == step.b;
  uint32_t steps = 0;
  if (!may_choose_zero(tt, chosen, &steps)) return false;
  Parts parts = parts_of(d, 1, &other, PARTS_OF_VALUE);
  if (divides) parts_add(tt, &parts, PART_NONZERO, other, &parts_everywhere);
  if (parts_include(&parts, asked, true) || is_in_one(tt, left, step.result)) return false;
  return !domain_is_defined(d, other) || divides_by_zero(d, &parts, asked) || gathers(d, &parts, asked) ||
         (divides && !domain_is_nonzero(d, other) && !domain_blame(d, other, "a division by what may be 0"));
}

static bool hides_some(Domain *d, TermStep step, const TermList *left, const Parts *asked) {
  if (step.kind != TERM_STEP_PRODUCT && step.kind != TERM_STEP_QUOTIENT) return false;
  return hides_other(d, step, step.a, step.b, left, asked) ||
         (step.kind == TERM_STEP_PRODUCT && hides_other(d, step, step.b, step.a, left, asked));
}

/* True if something is left out that neither value asks for. */
static bool loses_some(Domain *d, TermStep step, const Parts *known) {
  if (!less_defined(d, step,
                    step.kind == TERM_STEP_SUM || step.kind == TERM_STEP_DIFFERENCE ? PARTS_OF_SUM : PARTS_OF_VALUE,
                    known))
    return false;
  Parts parts = parts_of_operands(d, step, PARTS_OF_SUM), here = parts_of(d, 1, &step.result, PARTS_OF_SUM);
  bool is_whole = term_sort(d->tt, step.a) == SORT_INT && (!step.b || term_sort(d->tt, step.b) == SORT_INT);
  if (is_without_divisor(d->tt, step, &here)) parts_add(d->tt, &parts, PART_NONZERO, step.b, &parts_everywhere);
  if ((parts.count || is_whole) && parts_include(&parts, known, true)) return false;
  return !definedness_is_defined(d, step) || divides_by_zero(d, &parts, &here) || gathers(d, &parts, known);
}

/* Of a choice, or of what a comparison or a conjunction is of. */
static bool is_same_condition(TermTable *tt, const Term *path, const Term *other, uint32_t count, uint32_t at) {
  for (uint32_t i = 0; i < count; i += part_entry_length(path + i))
    if (i == at)
      return part_entry_length(path + i) == 2 && part_entry_length(other + i) == 2 && path[i + 1] == other[i + 1] &&
             term_sort(tt, path[i]) == SORT_BOOL && term_sort(tt, other[i]) == SORT_BOOL &&
             equal_prove(tt, path[i], other[i]) != EQUAL_NONE;
  return false;
}

/* Of numbers that are equal: a variance has many forms. Under conditions that are. */
static bool asks_for_equal(TermTable *tt, const Parts *parts, const Part *q) {
  for (uint32_t i = 0; i < parts->count; i++) {
    const Part *p = &parts->data[i];
    bool named = p->named_core && q->named_core;
    const Term *path = named ? p->named_path : p->path, *other = named ? q->named_path : q->path;
    bool same = part_says_as_much(p->kind, q->kind) && term_sort(tt, p->term) == term_sort(tt, q->term) &&
                (!p->within || p->within == q->within) && (!p->count || p->count == q->count);
    for (uint32_t k = 0; k < p->count && same; k++)
      same = path[k] == other[k] || is_same_condition(tt, path, other, p->count, k);
    if (same && equal_prove(tt, named ? p->named_core : p->term, named ? q->named_core : q->term)) return true;
  }
  return false;
}

/* True if each infinity of the value is one that the left has no value at either, or in what is bounded. */
static bool is_finite_inside(Domain *d, const Parts *parts) {
  for (uint32_t i = 0; i < parts->count; i++) {
    const Part *p = &parts->data[i];
    if (p->within && !p->inner && !part_is_met_everywhere(d, p) && !part_is_met_where_finite(d, p)) return false;
  }
  return true;
}

/* The first part of the right that the left neither asks for nor is met everywhere. Each part is of what its own parts
 * are of: with these, the others are shown from inside out. */
static const Part *asks_more(Domain *d, const Parts *right, const Parts *left) {
  bool is_finite = d->has_inner && is_finite_inside(d, right);
  for (uint32_t i = 0; i < right->count; i++)
    if (!parts_have(left, &right->data[i], true) && !part_is_met_everywhere(d, &right->data[i]) &&
        !asks_for_equal(d->tt, left, &right->data[i]) && !(is_finite && part_is_met_where_finite(d, &right->data[i])))
      return &right->data[i];
  return NULL;
}

/* The tensors have an element there. */
static void add_places(const Domain *d, Arena *arena, const Parts *parts, TermList *out) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < parts->count; i++) {
    Term read = parts->data[i].term;
    const PointwiseTensor *tensor = !parts->data[i].count && term_kind(tt, read) == TERM_READ
                                        ? pointwise_tensor(d->tensors, term_arg(tt, read, 0))
                                        : NULL;
    Term flat = tt->zero, count = tt->one;
    for (uint32_t k = 0; tensor && k < tensor->rank; k++) {
      Term index = term_arg(tt, read, k + 1);
      array_push(arena, out, term_le(tt, tt->zero, index));
      array_push(arena, out, term_lt(tt, index, tensor->extent[k]));
      flat = term_add(tt, term_mul(tt, flat, tensor->extent[k]), index), count = term_mul(tt, count, tensor->extent[k]);
    }
    if (!tensor || tensor->rank < 2) continue; /* it may have been cut into digits */
    array_push(arena, out, term_le(tt, tt->zero, flat));
    array_push(arena, out, term_lt(tt, flat, count));
  }
}

static void assume_places(const Domain *d, const Parts *parts) {
  TermList places = {0};
  add_places(d, d->s->arena, parts, &places);
  for (uint32_t i = 0; i < places.count; i++) equal_push(d->tt, places.data[i]);
}

/* An index of something that is computed: true if what is read there shows that it has such an element, or that is
 * known. */
static bool is_place(Domain *d, TermStep step, const Parts *known) {
  TermTable *tt = d->tt;
  if (!d->tensors ||
      (term_kind(tt, step.a) == TERM_SYM && term_prove_le(tt, tt->zero, step.a) && term_prove_lt(tt, step.a, step.b)))
    return true;
  Parts own = parts_of(d, 1, &step.result, PARTS_OF_ERRORS), index = parts_of(d, 1, &step.a, PARTS_OF_ERRORS);
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < index.count; i++)
    if (!parts_have(&own, &index.data[i], true) && !parts_have(known, &index.data[i], true) &&
        !part_is_met_everywhere(d, &index.data[i]))
      return domain_blame(d, index.data[i].term, PART_OUTSIDE);
  assume_places(d, &own);
  assume_places(d, known);
  Term place = term_rebuild(tt, step.a); /* with what is known */
  bool good = term_prove_le(tt, tt->zero, place) && term_prove_lt(tt, place, step.b);
  term_pop_facts(tt, facts);
  return good || domain_blame(d, step.a, PART_OUTSIDE);
}

/* An error, though the result does not depend on it. */
static bool raises(Domain *d, TermStep step, const Parts *known) {
  uint32_t facts = d->tt->facts.count;
  if (d->tensors) assume_places(d, known);
  Parts parts = parts_of(d, 1, &step.a, PARTS_OF_ERRORS);
  const Part *raising = NULL;
  for (uint32_t i = 0; i < parts.count && !raising; i++)
    if (!parts_have(known, &parts.data[i], true) && !part_is_met_everywhere(d, &parts.data[i]))
      raising = &parts.data[i];
  term_pop_facts(d->tt, facts);
  if (raising)
    return !domain_blame(d, raising->term,
                         raising->kind == PART_DEFINED ? PART_OUTSIDE : "a division by what may be 0");
  return !parts.all && !domain_blame(d, step.result, "the formula is too large to be looked through");
}

/* Of no kernel. */
typedef struct Alone {
  Effects ex;
  Claim on;
  Safety s;
} Alone;

static Domain alone(Alone *a, Arena *arena, TermTable *tt, const Pointwise *tensors) {
  a->ex = (Effects){.tt = tt}, a->on = (Claim){.ex = &a->ex},
  a->s = (Safety){.arena = arena, .tt = tt, .on = &a->on, .report = &a->on};
  return (Domain){.s = &a->s, .tt = tt, .tensors = tensors, .assumes_nothing = true};
}

void definedness_places(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value, TermList *out) {
  Alone own;
  Domain d = alone(&own, arena, tt, tensors);
  Parts parts = parts_of(&d, 1, &value, PARTS_OF_ERRORS);
  add_places(&d, arena, &parts, out);
}

/* Under no condition on inputs: what is asked for there is asked of a launch. */
static bool is_of_launch(const TermTable *tt, const Part *p) {
  for (uint32_t i = 0; i < p->count; i += part_entry_length(p->path + i)) {
    Term condition = p->path[i] & ~(Term)PATH_FOLD;
    TermList symbols = {0};
    if (part_entry_length(p->path + i) == 4) continue;
    if (term_node(tt, condition)->flags & TERM_HAS_READ) return false;
    term_symbols((TermTable *)(uintptr_t)tt, condition, &symbols);
    for (uint32_t k = 0; k < symbols.count; k++)
      if (term_symbol(tt, symbols.data[k])->role == SYMBOL_SCALAR) return false;
  }
  return true;
}

void definedness_push_asked(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value) {
  Alone own;
  Domain d = alone(&own, arena, tt, tensors);
  Parts parts = parts_of(&d, 1, &value, PARTS_AT_LAST);
  for (uint32_t i = 0; i < parts.count; i++) {
    const Part *p = &parts.data[i];
    bool differs = !p->count && !p->within && (p->kind == PART_NONZERO || p->kind == PART_POSITIVE);
    if (differs && term_kind(tt, p->term) == TERM_FOLD && term_aux(tt, p->term) == FOLD_SUM)
      domain_push_nonempty(tt, p->term);
    if (p->kind == PART_NONZERO && term_kind(tt, p->term) == TERM_SYM && term_sort(tt, p->term) == SORT_REAL &&
        term_symbol(tt, p->term)->role == SYMBOL_SCALAR && is_of_launch(tt, p))
      equal_push(tt, term_not(tt, term_eq(tt, p->term, tt->zero)));
  }
}

const char *definedness_of_inputs(Arena *arena, TermTable *tt, const Pointwise *tensors, Term value) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  if (domain_is_defined(&d, value)) return NULL;
  return arena_format(arena, "%s: %s", d.why, source_text(tt, NULL, 0, d.culprit));
}

uint8_t definedness_sign_of(Arena *arena, TermTable *tt, const Pointwise *tensors, const PointwiseTensor *view,
                            const PointwiseOutput *left) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  const PointwisePiece *piece = left->pieces.data;
  if (left->pieces.count != 1 || piece->accumulate || left->scatter || !piece->value || left->rank != view->rank ||
      term_sort(tt, piece->value) != SORT_REAL)
    return 0;
  uint32_t facts = tt->facts.count;
  for (uint32_t k = 0; k < left->rank; k++) {
    equal_push(tt, term_le(tt, tt->zero, left->index[k]));
    equal_push(tt, term_lt(tt, left->index[k], view->extent[k]));
  }
  bool good = term_rebuild(tt, piece->region) == tt->true_ && domain_is_defined(&d, piece->value) &&
              domain_is_finite(&d, piece->value);
  uint8_t sign = !good                                         ? 0
                 : domain_is_positive(&d, piece->value, true)  ? SIGN_POSITIVE
                 : domain_is_positive(&d, piece->value, false) ? SIGN_NONNEGATIVE
                                                               : 0;
  term_pop_facts(tt, facts);
  return sign;
}

bool definedness_by_making(Arena *arena, TermTable *tt, const Pointwise *tensors, Term before, Term made) {
  Alone own;
  Domain d = alone(&own, arena, tt, tensors);
  Parts parts = parts_of(&d, 1, &before, PARTS_OF_SUM), kept = parts_of(&d, 1, &made, PARTS_OF_SUM);
  return kept.count < parts.count || !parts.all;
}

const char *definedness_of_value(Arena *arena, TermTable *tt, const Pointwise *tensors, Term right, Term left) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  if (right == left) return NULL;
  Parts own, asked;
  for (int has_inner = 0; has_inner < 2; has_inner++) {
    d.has_inner = has_inner;
    own = parts_of(&d, 1, &right, PARTS_OF_SUM), asked = parts_of(&d, 1, &left, PARTS_AT_LAST);
    if (!asks_more(&d, &own, &asked) && own.all) return NULL;
  }
  d = alone(&of, arena, tt, tensors);
  if (!gathers(&d, &own, &asked) && !divides_by_zero(&d, &own, &asked) && domain_is_defined(&d, right)) return NULL;
  return arena_format(arena, "%s: %s", d.why, source_text(tt, NULL, 0, d.culprit));
}

static bool says(TermTable *tt, Term condition, Term c) {
  bool is = condition == c || term_assume(tt, c, condition) == tt->true_;
  for (uint32_t i = 0; term_kind(tt, condition) == TERM_AND && i < term_count(tt, condition); i++)
    is |= term_arg(tt, condition, i) == c;
  return is;
}

/* Without the choices that the condition makes. */
static Parts parts_under(TermTable *tt, const Parts *parts, Term condition) {
  Parts under = *parts;
  for (uint32_t i = 0; i < under.count; i++) {
    Part *p = &under.data[i];
    uint32_t kept = 0;
    for (uint32_t k = 0, n; k < p->count; k += n) {
      n = part_entry_length(p->path + k);
      bool chosen = n == 2 && ((p->path[k + 1] == PATH_THEN && says(tt, condition, p->path[k])) ||
                               (p->path[k + 1] == PATH_ELSE && says(tt, condition, term_not(tt, p->path[k]))));
      for (uint32_t j = 0; j < n && !chosen; j++, kept++)
        p->path[kept] = p->path[k + j], p->named_path[kept] = p->named_path[k + j];
    }
    p->count = kept;
  }
  return under;
}

/* `known`: asked for by either value; `asked`: by the left. */
static bool less_defined_at(Domain *d, TermStep step, const TermList *left, const Parts *known, const Parts *asked) {
  if (step.kind == TERM_STEP_CHOICE) return raises(d, step, known);
  if (step.kind == TERM_STEP_PLACE) return !is_place(d, step, known);
  if (step.kind == TERM_STEP_JOIN) return less_defined_condition(d, step.a, step.b, step.result, PARTS_OF_VALUE, known);
  return loses_some(d, step, known) || hides_some(d, step, left, asked);
}

static bool is_over(const TermTable *tt, TermStep step, const TermList *symbols) {
  for (uint32_t i = 0; i < symbols->count; i++)
    if (term_has_symbol(tt, step.a, symbols->data[i]) || (step.b && term_has_symbol(tt, step.b, symbols->data[i])))
      return true;
  return false;
}

/* What is known of the values in each way of looking (Parts.has_inner), as it is asked for. */
typedef struct KnownParts {
  const TermList *left;
  TermList both;
  Parts known[2], asked[2]; /* by either, by the left */
  bool is_there[2];
} KnownParts;

static void find_known(Domain *d, KnownParts *k, int way) {
  if (k->is_there[way]) return;
  k->is_there[way] = true;
  k->known[way] = parts_of(d, k->both.count, k->both.data, PARTS_AT_LAST);
  k->asked[way] = parts_of(d, k->left->count, k->left->data, PARTS_AT_LAST);
}

static bool less_defined_in(Domain *d, TermStep step, KnownParts *k, int way) {
  d->has_inner = way;
  find_known(d, k, way);
  if (!step.under) return less_defined_at(d, step, k->left, &k->known[way], &k->asked[way]);
  Parts known = parts_under(d->tt, &k->known[way], step.under), asked = parts_under(d->tt, &k->asked[way], step.under);
  return less_defined_at(d, step, k->left, &known, &asked);
}

const char *definedness_of_steps(Arena *arena, TermTable *tt, const Pointwise *tensors, const TermSteps *steps,
                                 const TermList *others, const TermList *right, const TermList *left) {
  Alone of;
  Domain d = alone(&of, arena, tt, tensors);
  KnownParts *known = arena_new(arena, KnownParts);
  known->left = left;
  for (uint32_t i = 0; i < right->count; i++) array_push(arena, &known->both, right->data[i]);
  for (uint32_t i = 0; i < left->count; i++) array_push(arena, &known->both, left->data[i]);
  find_known(&d, known, 0);
  for (uint32_t i = 0; i < steps->count; i++) {
    TermStep step = steps->data[i];
    uint32_t facts = tt->facts.count;
    guard_tick(arena->guard);
    if (is_over(tt, step, others)) continue;
    d = alone(&of, arena, tt, tensors);
    bool loses = !step.under || domain_assume(&d, step.under);
    for (int way = 0; way < 2 && loses; way++) {
      d = alone(&of, arena, tt, tensors);
      loses = less_defined_in(&d, step, known, way);
    }
    term_pop_facts(tt, facts);
    if (loses) return arena_format(arena, "%s: %s", d.why, source_text(tt, NULL, 0, d.culprit));
  }
  return NULL;
}
