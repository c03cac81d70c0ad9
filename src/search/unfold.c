/* Values at small sizes: every element of an output as an expression over elements of the inputs.
 *
 * The executor has gone through the program once for all sizes. Here its values are taken at numbers: sizes first, then
 * the indices of an element, then one index of a fold after the other. Masks become truth values, so that lanes behind
 * the end of a row are gone. A recurrence that has no closed form is run step by step. */
#include "search/family.h"

#include <string.h>

static MemoSlot *slot_of(const Memo *memo, const TermTable *tt, Term t) {
  uint32_t i = (uint32_t)(term_node(tt, t)->hash >> 20) & (memo->slot_count - 1);
  while (memo->slots[i].term && memo->slots[i].term != t) i = (i + 1) & (memo->slot_count - 1);
  return &memo->slots[i];
}

MemoSlot *memo_find(const Memo *memo, const TermTable *tt, Term t) {
  MemoSlot *slot = memo->count ? slot_of(memo, tt, t) : NULL;
  return slot && slot->term ? slot : NULL;
}

void memo_put(Memo *memo, Arena *arena, const TermTable *tt, Term t, uint64_t value) {
  if (2 * (memo->count + 1) > memo->slot_count) {
    Memo old = *memo;
    memo->slot_count = old.slot_count ? 4 * old.slot_count : 1024;
    memo->slots = arena_array(arena, MemoSlot, memo->slot_count);
    for (uint32_t i = 0; i < old.slot_count; i++)
      if (old.slots[i].term) *slot_of(memo, tt, old.slots[i].term) = old.slots[i];
  }
  MemoSlot *slot = slot_of(memo, tt, t);
  memo->count += !slot->term;
  *slot = (MemoSlot){t, value};
}

static Term fail(Search *s, const char *why) {
  if (!s->why) s->why = why;
  return 0;
}

static Term unfold_fold(Search *s, Term t) {
  TermTable *tt = s->tt;
  FoldParts fold = term_fold_open(tt, t);
  int64_t lo, hi;
  if (!search_number(s, fold.lo, &lo) || !search_number(s, fold.hi, &hi)) return fail(s, "a range that inputs decide");
  Term none = term_fold_identity(tt, fold.op, term_sort(tt, t)), result = none;
  if (fold.op == FOLD_ARGMAX || fold.op == FOLD_ARGMIN || fold.op == FOLD_XOR)
    return fail(s, "the place of a best element");
  if (hi - lo > SEARCH_CELLS) return fail(s, "a fold too long to be written out");
  for (int64_t k = lo; k < hi; k++) {
    Term at = term_int(tt, k), guard = search_unfold(s, term_replace(tt, fold.guard, fold.symbol, at));
    if (!guard) return 0;
    if (guard == tt->false_) continue;
    Term body = search_unfold(s, term_replace(tt, fold.body, fold.symbol, at));
    if (!body) return 0;
    result = term_fold_combine(tt, fold.op, result, guard == tt->true_ ? body : term_select(tt, guard, body, none));
  }
  return result;
}

static Term unfold_recur(Search *s, Term t) {
  TermTable *tt = s->tt;
  RecurParts r = term_recur_open(tt, t);
  int64_t steps;
  if (r.lanes) return fail(s, "a recurrence of arrays");
  if (!search_number(s, r.steps, &steps)) return fail(s, "a number of steps that inputs decide");
  if (steps > 64) return fail(s, "a recurrence too long to be run");
  Term value[RECUR_STATES + 1], from[RECUR_STATES + 1];
  for (uint32_t i = 0; i < r.n; i++) {
    from[i] = r.state[i];
    if (!(value[i] = search_unfold(s, r.init[i]))) return 0;
  }
  from[r.n] = r.index;
  for (int64_t k = 0; k < steps; k++) {
    Term next[RECUR_STATES];
    value[r.n] = term_int(tt, k);
    for (uint32_t i = 0; i < r.n; i++)
      if (!(next[i] = search_unfold(s, term_substitute(tt, r.next[i], (TermMap){r.n + 1, from, value})))) return 0;
    memcpy(value, next, sizeof *next * r.n);
  }
  return value[r.which];
}

static Term unfold_node(Search *s, Term t) {
  TermTable *tt = s->tt;
  Term args[64], *own = args;
  uint32_t n = term_count(tt, t);
  bool changed = false;
  if (term_kind(tt, t) == TERM_FOLD) return unfold_fold(s, t);
  if (term_kind(tt, t) == TERM_RECUR) return unfold_recur(s, t);
  if (!n) return t;
  if (n > 64) own = arena_array(s->arena, Term, n);
  for (uint32_t i = 0; i < n; i++) {
    Term arg = term_arg(tt, t, i);
    if (!(own[i] = term_is_rat(tt, arg) ? arg : search_unfold(s, arg))) return 0;
    changed |= own[i] != arg;
  }
  return changed ? term_make(tt, t, own) : t;
}

Term search_unfold(Search *s, Term t) {
  guard_tick(s->arena->guard);
  const MemoSlot *known = memo_find(&s->unfolded, s->tt, t);
  if (known) return (Term)known->value;
  if (s->unfolded.count > SEARCH_NODES) return fail(s, "too large at the smallest sizes");
  Term result = unfold_node(s, t);
  memo_put(&s->unfolded, s->arena, s->tt, t, result);
  return result;
}

/* ---- sizes ---- */

static Term at_sizes(Search *s, Term t) {
  Term from[SEARCH_SIZES], to[SEARCH_SIZES];
  for (uint32_t i = 0; i < s->size_count; i++) from[i] = s->size[i].symbol, to[i] = term_int(s->tt, s->size[i].value);
  return s->size_count ? term_substitute(s->tt, t, (TermMap){s->size_count, from, to}) : t;
}

bool search_number(Search *s, Term t, int64_t *value) {
  Term number = at_sizes(s, t);
  if (!term_is_rat(s->tt, number)) number = search_unfold(s, number);
  return number && term_is_int(s->tt, number, value);
}

static void add_sizes(Search *s, Term t) {
  TermList symbols = {0};
  term_symbols(s->tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count && s->size_count < SEARCH_SIZES; i++) {
    const Symbol *symbol = term_symbol(s->tt, symbols.data[i]);
    bool known = symbol->sort != SORT_INT || symbol->role == SYMBOL_INDEX || symbol->role == SYMBOL_TENSOR;
    for (uint32_t k = 0; k < s->size_count && !known; k++) known = s->size[k].symbol == symbols.data[i];
    if (!known) s->size[s->size_count++] = (SearchSize){symbols.data[i], 0};
  }
}

static bool is_output(const PointwiseOutput *output, const PointwiseTensor *t, const Pointwise *p) {
  return &p->tensors.data[output->tensor] == t;
}

/* Sizes of axes first: they want different numbers. */
static void find_sizes(Search *s) {
  const Pointwise *p = s->claim->pointwise;
  s->size_count = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    bool counts = t->is_read;
    for (uint32_t k = 0; k < p->outputs.count; k++) counts |= is_output(&p->outputs.data[k], t, p);
    for (uint32_t k = 0; k < t->rank && counts; k++) add_sizes(s, t->extent[k]);
  }
  for (uint32_t i = 0; i < p->outputs.count; i++)
    for (uint32_t k = 0; k < p->outputs.data[i].pieces.count; k++) {
      add_sizes(s, p->outputs.data[i].pieces.data[k].value);
      add_sizes(s, p->outputs.data[i].pieces.data[k].region);
    }
}

/* True if what is assumed, and the range of each symbol, is possible with the first n numbers. */
static bool meets(Search *s, uint32_t n) {
  TermTable *tt = s->tt;
  uint32_t all = s->size_count;
  bool good = true;
  s->size_count = n;
  for (uint32_t i = 0; i < s->claim->assumptions.count && good; i++) {
    Term condition = s->claim->assumptions.data[i].condition;
    good = !condition || at_sizes(s, condition) != tt->false_;
  }
  for (uint32_t i = 0; i < n && good; i++) {
    const Symbol symbol = *term_symbol(tt, s->size[i].symbol);
    Term value = term_int(tt, s->size[i].value);
    if (symbol.lo) good = at_sizes(s, term_le(tt, symbol.lo, value)) != tt->false_;
    if (good && symbol.hi) good = at_sizes(s, term_le(tt, value, symbol.hi)) != tt->false_;
  }
  s->size_count = all;
  return good;
}

/* All choices differ in every size that is free, and at the last one a few elements by name are no longer all. */
static const int64_t choices[SEARCH_CHECKS][16] = {{3, 4, 5, 2, 6, 7, 1, 8, 9, 10, 11, 12, 13, 16, 0, 32},
                                                   {4, 2, 3, 5, 7, 6, 1, 9, 8, 11, 10, 13, 12, 16, 0, 32},
                                                   {7, 9, 8, 6, 5, 10, 11, 4, 3, 13, 12, 2, 1, 16, 0, 32}};

static bool choose(Search *s, uint32_t at, const int64_t *values, bool distinct, uint32_t *budget) {
  if (at == s->size_count) return true;
  for (uint32_t i = 0; i < 16; i++) {
    bool taken = false;
    for (uint32_t k = 0; k < at && distinct && at < 6; k++) taken |= s->size[k].value == values[i] && values[i] != 1;
    if (taken || !*budget) continue;
    --*budget;
    s->size[at].value = values[i];
    if (meets(s, at + 1) && choose(s, at + 1, values, distinct, budget)) return true;
  }
  return false;
}

bool search_choose_sizes(Search *s, uint32_t choice) {
  find_sizes(s);
  for (int distinct = 1; distinct >= 0; distinct--)
    if (choose(s, 0, choices[choice], distinct, &(uint32_t){3000})) return true;
  s->why = "no small sizes that meet what is assumed";
  return false;
}

/* ---- elements ---- */

void family_place(const Family *f, uint32_t cell, int64_t *at) {
  for (uint32_t k = f->rank; k-- > 0;) {
    at[k] = cell % f->axis[k].count;
    cell /= (uint32_t)f->axis[k].count;
  }
}

bool search_family(Search *s, const PointwiseOutput *output, const PointwisePiece *piece, Family *out) {
  TermTable *tt = s->tt;
  const PointwiseTensor *t = &s->claim->pointwise->tensors.data[output->tensor];
  Term to[SEARCH_RANK];
  int64_t at[SEARCH_RANK], cells = 1;
  *out = (Family){.rank = output->rank};
  for (uint32_t k = 0; k < output->rank; k++) {
    out->axis[k] = (SearchAxis){.symbol = output->index[k], .length = t->extent[k]};
    if (!search_number(s, t->extent[k], &out->axis[k].count)) return fail(s, "an extent that is no number") != 0;
    cells *= out->axis[k].count;
    if (cells < 1 || cells > SEARCH_CELLS) return fail(s, "a literal makes it too large") != 0;
  }
  out->cells = (uint32_t)cells;
  out->element = arena_array(s->arena, Term, out->cells);
  Term value = at_sizes(s, piece->value), region = at_sizes(s, piece->region);
  for (uint32_t i = 0; i < out->cells; i++) {
    family_place(out, i, at);
    for (uint32_t k = 0; k < output->rank; k++) to[k] = term_int(tt, at[k]);
    TermMap map = {output->rank, output->index, to};
    Term inside = output->rank ? term_substitute(tt, region, map) : region;
    if (!(inside = search_unfold(s, inside))) return false;
    out->element[i] = 0;
    if (inside == tt->false_) continue;
    if (inside != tt->true_) return fail(s, "a region that inputs decide") != 0;
    if (!(out->element[i] = search_unfold(s, output->rank ? term_substitute(tt, value, map) : value))) return false;
  }
  return true;
}
