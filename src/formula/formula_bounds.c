/* The reads of a formula against the shapes that it declares (see formula_bounds.h).
 *
 * A read counts where it is looked at: under the region of its output and the ranges of its indices, the conditions of
 * selects around it, and the ranges and guards of folds. In a & b and a | b the one is looked at where the other leaves
 * it open. */
#include "formula/formula_bounds.h"

#include <string.h>

#include "base/message.h"
#include "lift/source_text.h"
#include "prove/equal.h"

enum { MOST_STEPS = 50000 };

typedef struct Bounds {
  Claim *claim;
  TermTable *tt;
  const char **why, **refused; /* by tensor; refused: the place is nothing to assume */
  bool *seen;
  uint32_t steps, first; /* first: the axis from which on indices are looked at */
  uint64_t strays;       /* tensors of which random evaluation met such a place */
} Bounds;

static void look(Bounds *b, Term t);

static void look_under(Bounds *b, Term t, Term condition) {
  uint32_t facts = b->tt->facts.count;
  equal_push(b->tt, condition);
  look(b, t);
  term_pop_facts(b->tt, facts);
}

/* True if a read of that place may stand for an access whose bounds are not shown. One without data stands for one
 * without data, but not for one that is inside of an extent that is no plain size. */
static bool is_left_open(const Bounds *b, const PointwiseTensor *tensor, bool by_data) {
  const Claim *r = b->claim;
  for (uint32_t i = 0; r->ex && i < r->ex->accesses.count; i++) {
    const Access *a = &r->ex->accesses.data[i];
    if (a->is_store || a->tensor != tensor->symbol ||
        (!by_data && (term_node(b->tt, a->offset)->flags & TERM_HAS_READ)))
      continue;
    for (uint32_t k = 0; k < r->obligations.count; k++) {
      const Obligation *o = &r->obligations.data[k];
      if (o->kind == OBLIGATION_BOUNDS && o->op == a->op && o->verdict != OBLIGATION_PROVED && o->tensor &&
          !strcmp(o->tensor, tensor->name) && (by_data || !o->is_extent))
        return true;
    }
  }
  return false;
}

/* The index of that axis is not shown to lie in the shape. */
static void note_index(Bounds *b, uint32_t number, Term read, uint32_t axis, const char *why) {
  TermTable *tt = b->tt;
  const PointwiseTensor *tensor = &b->claim->pointwise->tensors.data[number];
  Term index = term_arg(tt, read, axis + 1);
  bool by_data = false,
       is_outside = term_prove_lt(tt, index, tt->zero) || term_prove_le(tt, tensor->extent[axis], index);
  for (uint32_t k = 1; k < term_count(tt, read); k++)
    by_data |= (term_node(tt, term_arg(tt, read, k))->flags & TERM_HAS_READ) != 0;
  if (!b->why[number]) b->why[number] = why;
  if (is_outside || ((b->strays & SAMPLE_BIT(number)) && !is_left_open(b, tensor, by_data))) b->refused[number] = why;
}

static void look_at_read(Bounds *b, Term t) {
  TermTable *tt = b->tt;
  const Pointwise *p = b->claim->pointwise;
  uint32_t number = 0;
  while (number < p->tensors.count && p->tensors.data[number].symbol != term_arg(tt, t, 0)) number++;
  if (number == p->tensors.count || b->refused[number]) return;
  const PointwiseTensor *tensor = &p->tensors.data[number];
  b->seen[number] = true;
  for (uint32_t k = b->first; k < tensor->rank && k + 1 < term_count(tt, t); k++) {
    Term index = term_arg(tt, t, k + 1);
    const char *own = b->claim->ex ? execute_size_name(b->claim->ex, tensor->name, k)
                                   : arena_format(tt->arena, "%s_d%u", tensor->name, k);
    bool inferred = !strcmp(term_text(tt, tensor->extent[k]), own);
    const char *text = source_text(tt, NULL, 0, index), *name = term_message(tt, tensor->symbol);
    if (!term_prove_le(tt, tt->zero, index))
      note_index(b, number, t, k,
                 arena_format(tt->arena, "index %s of %s is not shown not to be negative", text, name));
    else if (!inferred && !term_prove_lt(tt, index, tensor->extent[k]))
      note_index(b, number, t, k,
                 arena_format(tt->arena, "index %s of %s is not shown to lie below %s", text, name,
                              term_message(tt, tensor->extent[k])));
  }
}

static void look_at_fold(Bounds *b, Term t) {
  FoldParts fold = term_fold_open(b->tt, t);
  look(b, fold.lo);
  look(b, fold.hi);
  uint32_t facts = b->tt->facts.count;
  equal_push(b->tt, term_le(b->tt, fold.lo, fold.symbol));
  equal_push(b->tt, term_lt(b->tt, fold.symbol, fold.hi));
  look(b, fold.guard);
  look_under(b, fold.body, fold.guard);
  term_pop_facts(b->tt, facts);
}

static void look_at_recurrence(Bounds *b, Term t) {
  RecurParts r = term_recur_open(b->tt, t);
  for (uint32_t i = 0; i < r.n; i++) look(b, r.init[i]);
  look(b, r.steps);
  uint32_t facts = b->tt->facts.count;
  equal_push(b->tt, term_le(b->tt, b->tt->zero, r.index));
  equal_push(b->tt, term_lt(b->tt, r.index, r.steps));
  for (uint32_t i = 0; i < r.n; i++) look(b, r.next[i]);
  term_pop_facts(b->tt, facts);
}

static void look_at_parts(Bounds *b, Term t, bool all) {
  TermTable *tt = b->tt;
  for (uint32_t i = 0; i < term_count(tt, t); i++) {
    uint32_t facts = tt->facts.count;
    for (uint32_t k = 0; k < term_count(tt, t); k++) {
      Term other = term_arg(tt, t, k);
      if (k == i || (term_node(tt, other)->flags & TERM_HAS_READ)) continue;
      equal_push(tt, all ? other : term_not(tt, other));
    }
    look(b, term_arg(tt, t, i));
    term_pop_facts(tt, facts);
  }
}

static void look(Bounds *b, Term t) {
  TermTable *tt = b->tt;
  guard_tick(tt->arena->guard);
  if (!(term_node(tt, t)->flags & TERM_HAS_READ) || b->steps++ > MOST_STEPS) return;
  TermKind kind = term_kind(tt, t);
  if (kind == TERM_SELECT) {
    Term condition = term_arg(tt, t, 0);
    look(b, condition);
    look_under(b, term_arg(tt, t, 1), condition);
    look_under(b, term_arg(tt, t, 2), term_not(tt, condition));
  } else if (kind == TERM_FOLD)
    look_at_fold(b, t);
  else if (kind == TERM_RECUR)
    look_at_recurrence(b, t);
  else if (kind == TERM_AND || kind == TERM_OR)
    look_at_parts(b, t, kind == TERM_AND);
  else {
    if (kind == TERM_READ) look_at_read(b, t);
    for (uint32_t i = kind == TERM_READ; i < term_count(tt, t); i++) look(b, term_arg(tt, t, i));
  }
}

static Bounds look_through(Claim *claim, uint32_t first, uint64_t strays) {
  const Pointwise *p = claim->pointwise;
  Arena *arena = p->tt->arena;
  uint32_t room = p->tensors.count + 1;
  Bounds b = {claim,
              p->tt,
              arena_array(arena, const char *, room),
              arena_array(arena, const char *, room),
              arena_array(arena, bool, room),
              0,
              first,
              strays};
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      const PointwisePiece *piece = &p->outputs.data[i].pieces.data[k];
      look(&b, piece->region);
      look_under(&b, piece->value, piece->region);
    }
  for (uint32_t i = 0; i < p->tensors.count && b.steps > MOST_STEPS; i++)
    if (!b.why[i]) b.why[i] = "the formula is too large to be looked through";
  return b;
}

void formula_bounds(Claim *claim) {
  const Pointwise *p = claim->pointwise;
  Bounds b = look_through(claim, 0, 0);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    int verdict = b.why[i] ? OBLIGATION_UNKNOWN : OBLIGATION_PROVED;
    if (b.seen[i])
      array_push(
          p->tt->arena, &claim->obligations,
          (Obligation){
              .kind = OBLIGATION_BOUNDS, .verdict = verdict, .tensor = p->tensors.data[i].name, .detail = b.why[i]});
  }
}

const char *formula_assume_rows(Claim *claim, const SampleResult *sample) {
  const Pointwise *p = claim->pointwise;
  Arena *arena = p->tt->arena;
  Bounds b = look_through(claim, 1, sample->strays);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    bool open = b.seen[i] && p->tensors.data[i].rank > 1 && b.why[i];
    if (open && b.refused[i])
      return arena_format(arena, "the formula names an element of another row: %s", b.refused[i]);
    const char *text =
        arena_format(arena, "the indices of %s lie in its shape", message_name(arena, p->tensors.data[i].name));
    if (open)
      claim_assume(arena, claim,
                   (Assumption){.kind = ASSUME_RANGE,
                                .why = "one past the end of a row is another row's element: see its bounds",
                                .text = text});
  }
  return NULL;
}
