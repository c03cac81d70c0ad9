/* The memory of a deduction, and the placing of axes in frames. */
#include "lift/frame.h"

#include <string.h>

void deduction_init(Deduction *d) {
  d->memo_size = 512;
  d->memo = arena_array(d->tt->arena, DeductionMemo, d->memo_size);
}

const TensorExpr *deduction_fail(Deduction *d, const char *why) {
  if (!d->why) d->why = why;
  return NULL;
}

uint32_t deduction_frame(Deduction *d, const Frame *frame) {
  for (uint32_t i = 0; i < d->frames.count; i++) {
    const Frame *f = &d->frames.data[i];
    if (f->rank == frame->rank && !memcmp(f->slot, frame->slot, sizeof *f->slot * f->rank) &&
        !memcmp(f->extent, frame->extent, sizeof *f->extent * f->rank))
      return i;
  }
  array_push(d->tt->arena, &d->frames, *frame);
  return d->frames.count - 1;
}

DeductionMemo *deduction_find(Deduction *d, Term t, uint32_t f) {
  uint32_t mask = d->memo_size - 1, i = (t * 0x9E3779B1u ^ f * 0x85EBCA6Bu) >> 7 & mask;
  while (d->memo[i].term && (d->memo[i].term != t || d->memo[i].frame != f)) i = (i + 1) & mask;
  return &d->memo[i];
}

void deduction_remember(Deduction *d, Term t, uint32_t f, const TensorExpr *e) {
  if (d->memo_used * 2 >= d->memo_size) {
    DeductionMemo *old = d->memo;
    uint32_t n = d->memo_size;
    d->memo_size *= 2;
    d->memo = arena_array(d->tt->arena, DeductionMemo, d->memo_size);
    for (uint32_t i = 0; i < n; i++)
      if (old[i].term) *deduction_find(d, old[i].term, old[i].frame) = old[i];
  }
  DeductionMemo *slot = deduction_find(d, t, f);
  if (!slot->term) d->memo_used++;
  *slot = (DeductionMemo){t, f, e};
}

bool frame_is_free(TermTable *tt, const Frame *frame, Term t) {
  for (uint32_t i = 0; i < frame->rank; i++)
    if (frame->slot[i] && term_has_symbol(tt, t, frame->slot[i])) return false;
  return true;
}

/* ---- folds ---- */

bool frame_has_index(TermTable *tt, Term t) {
  TermList symbols = {0};
  term_symbols(tt, t, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role == SYMBOL_INDEX) return true;
  return false;
}

/* An upper bound of t without index symbols: each stands linearly and takes the end of its range; 0 if that fails. */
static Term upper_bound(TermTable *tt, Term t) {
  if (!frame_has_index(tt, t)) return t;
  if (term_kind(tt, t) == TERM_MIN) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!frame_has_index(tt, term_arg(tt, t, i))) return term_arg(tt, t, i);
    return 0;
  }
  if (term_kind(tt, t) == TERM_FLOORDIV) {
    Term a = upper_bound(tt, term_arg(tt, t, 0)), b = term_arg(tt, t, 1);
    return a && !frame_has_index(tt, b) && term_prove_lt(tt, tt->zero, b) ? term_floordiv(tt, a, b) : 0;
  }
  if (term_kind(tt, t) == TERM_SYM) {
    Term hi = term_symbol(tt, t)->hi;
    return hi ? upper_bound(tt, hi) : 0;
  }
  if (term_kind(tt, t) != TERM_ADD) return 0;
  Term sum = term_arg(tt, t, 0);
  for (uint32_t i = 1; i < term_count(tt, t); i += 2) {
    Term part = term_arg(tt, t, i + 1);
    Rational k = term_rat(tt, term_arg(tt, t, i));
    if (frame_has_index(tt, part)) {
      if (k.num < 0 && !term_prove_le(tt, tt->zero, part)) return 0;
      if (k.num < 0)
        part = tt->zero;
      else
        part = upper_bound(tt, part);
      if (!part || frame_has_index(tt, part)) return 0;
    }
    sum = term_add(tt, sum, term_scale(tt, k, part));
  }
  return sum;
}

static Term neutral(TermTable *tt, TermFoldOp op, TermSort sort) {
  if (op == FOLD_ARGMAX) return tt->neg_inf;
  if (op == FOLD_ARGMIN) return tt->inf;
  return term_fold_identity(tt, op, sort);
}

/* at < hi, each part of a minimum by itself, so that what the range of `at` shows is left out. */
static Term below(TermTable *tt, Term at, Term hi) {
  if (term_kind(tt, hi) != TERM_MIN) return term_lt(tt, at, hi);
  Term all = tt->true_;
  for (uint32_t i = 0; i < term_count(tt, hi); i++) all = term_and(tt, all, term_lt(tt, at, term_arg(tt, hi, i)));
  return all;
}

const OpenFold *deduction_open(Deduction *d, Term t) {
  TermTable *tt = d->tt;
  for (uint32_t i = 0; i < d->folds.count; i++)
    if (d->folds.data[i]->fold == t) return d->folds.data[i]->length ? d->folds.data[i] : NULL;
  OpenFold *fold = arena_new(tt->arena, OpenFold);
  array_push(tt->arena, &d->folds, fold);
  fold->fold = t, fold->op = (TermFoldOp)term_aux(tt, t);
  Term lo = term_fold_lo(tt, t), hi = term_fold_hi(tt, t), end = upper_bound(tt, hi), symbol;
  bool moving = frame_has_index(tt, lo);
  if (!end || (moving && !term_prove_le(tt, tt->zero, lo))) return NULL;
  fold->lo = moving ? tt->zero : lo;
  fold->symbol = symbol = term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX);
  Term length = term_sub(tt, end, fold->lo), at = term_add(tt, symbol, fold->lo), bound = term_fold_bound(tt, t);
  term_symbol_range(tt, symbol, tt->zero, term_sub(tt, length, tt->one));
  Term guard = term_replace(tt, term_fold_guard(tt, t), bound, at),
       body = term_replace(tt, term_fold_body(tt, t), bound, at);
  Term identity = neutral(tt, fold->op, term_sort(tt, body));
  fold->plain_body = term_select(tt, guard, body, identity);
  fold->bare_body = body;
  Term last = term_sub(tt, hi, tt->one);
  if (fold->lo == tt->zero && !moving && term_kind(tt, last) == TERM_SYM && term_symbol(tt, last)->role == SYMBOL_INDEX)
    fold->scan_end = last;
  if (end != hi) guard = term_and(tt, guard, below(tt, at, hi));
  if (moving) guard = term_and(tt, guard, term_le(tt, lo, at));
  fold->guard = guard;
  fold->body = term_select(tt, guard, body, identity);
  fold->length = length;
  return fold;
}

Term deduction_symbol(Deduction *d, Term of, Term start, Term length) {
  for (uint32_t i = 0; i < d->splits.count; i++) {
    SplitSymbol s = d->splits.data[i];
    if (s.of == of && s.start == start && s.length == length) return s.symbol;
  }
  Term symbol = term_symbol_fresh(d->tt, "i", SORT_INT, SYMBOL_INDEX);
  term_symbol_range(d->tt, symbol, d->tt->zero, term_sub(d->tt, length, d->tt->one));
  array_push(d->tt->arena, &d->splits, (SplitSymbol){of, start, length, symbol});
  return symbol;
}

/* ---- placing ---- */

const TensorExpr *deduction_place(Deduction *d, const TensorExpr *e, const int *places, uint32_t f) {
  if (!e || !e->rank) return e;
  uint32_t n = e->rank, rank = d->frames.data[f].rank;
  uint8_t axes[TENSOR_MAX_RANK];
  bool taken[TENSOR_MAX_RANK] = {0};
  for (uint32_t i = 0; i < n; i++) {
    if (places[i] < 0 || taken[places[i]]) return deduction_fail(d, "an axis without a place");
    taken[places[i]] = true;
    uint32_t j = i;
    for (; j && places[axes[j - 1]] > places[i]; j--) axes[j] = axes[j - 1];
    axes[j] = (uint8_t)i;
  }
  e = tensor_transpose(d->tt, e, axes);
  uint32_t first = 0;
  while (!taken[first]) first++;
  for (uint32_t slot = first; slot < rank; slot++)
    if (!taken[slot]) e = tensor_expand(d->tt, e, slot - first);
  return e;
}

static const TensorExpr *with_cost(Deduction *d, const TensorExpr *e, uint32_t cost) {
  TensorExpr *copy = arena_new(d->tt->arena, TensorExpr);
  *copy = *e;
  copy->cost += cost;
  return copy;
}

const TensorExpr *deduction_dearer(Deduction *d, const TensorExpr *e) { return with_cost(d, e, DEDUCTION_GATHER); }

const TensorExpr *deduction_filled(Deduction *d, const TensorExpr *e, uint32_t rank, const Term *shape) {
  const TensorExpr *filled = tensor_broadcast(d->tt, e, rank, shape);
  return filled && filled != e ? with_cost(d, filled, DEDUCTION_GATHER / 2) : filled;
}
