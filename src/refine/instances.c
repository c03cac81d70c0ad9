/* That there is an index at which a condition holds, as an instance of the same said of other indices: what holds for
 * row 2*t + r of tile t holds for a row. The indices are found where both read the same tensor. */
#include <string.h>

#include "refine/internal.h"

enum { MOST_INDICES = 12, MOST_READS = 16, MOST_SPLIT = 3 };

/* Indices below bounds, each of which may speak of those before it, at which all parts hold. */
typedef struct Opened {
  uint32_t count, reads_count;
  Term symbol[MOST_INDICES], bound[MOST_INDICES], reads[MOST_READS];
  TermList parts;
} Opened;

static bool open_parts(TermTable *tt, Term t, Opened *o) {
  if (term_kind(tt, t) == TERM_AND) {
    for (uint32_t i = 0; i < term_count(tt, t); i++)
      if (!open_parts(tt, term_arg(tt, t, i), o)) return false;
    return true;
  }
  if (term_kind(tt, t) != TERM_FOLD || (TermFoldOp)term_aux(tt, t) != FOLD_ANY || term_fold_lo(tt, t) != tt->zero) {
    if (t != tt->true_) array_push(tt->arena, &o->parts, t);
    return true;
  }
  if (o->count == MOST_INDICES) return false;
  FoldParts parts = term_fold_open(tt, t);
  o->symbol[o->count] = parts.symbol, o->bound[o->count++] = parts.hi;
  return open_parts(tt, parts.guard, o) && open_parts(tt, parts.body, o);
}

static void find_reads(TermTable *tt, Term t, Opened *o) {
  if (o->reads_count == MOST_READS) return;
  if (term_kind(tt, t) == TERM_READ && term_count(tt, t) > 1) o->reads[o->reads_count++] = t;
  if (term_kind(tt, t) == TERM_FOLD || term_kind(tt, t) == TERM_RECUR) return;
  for (uint32_t i = 0; i < term_count(tt, t); i++) find_reads(tt, term_arg(tt, t, i), o);
}

static Opened opened(TermTable *tt, Term t, bool *good) {
  Opened o = {0};
  *good = open_parts(tt, t, &o);
  for (uint32_t i = 0; i < o.parts.count; i++) find_reads(tt, o.parts.data[i], &o);
  return o;
}

/* The indices `to` of `o` at which its read is the other one. */
static bool match(TermTable *tt, const Opened *o, Term read, Term other, Term *to) {
  if (term_count(tt, read) != term_count(tt, other) || term_arg(tt, read, 0) != term_arg(tt, other, 0)) return false;
  for (uint32_t a = 1; a < term_count(tt, read); a++) {
    Term own = term_arg(tt, read, a), its = term_arg(tt, other, a), times, rest;
    uint32_t k = 0;
    while (k < o->count && !term_has_symbol(tt, own, o->symbol[k])) k++;
    if (k == o->count) {
      if (own != its) return false;
      continue;
    }
    if (!mlir_linear_in(tt, own, o->symbol[k], &times, &rest) || times != tt->one) return false;
    for (uint32_t i = 0; i < o->count; i++)
      if (term_has_symbol(tt, rest, o->symbol[i])) return false;
    Term value = term_sub(tt, its, rest);
    if (to[k] && to[k] != value) return false;
    to[k] = value;
  }
  return true;
}

/* At these indices, which are below their bounds, all parts hold by the facts, or are among those of the other one. */
static bool holds_at(TermTable *tt, const Opened *o, const Opened *other, Term *to) {
  for (uint32_t i = 0; i < o->count; i++)
    if (!to[i]) to[i] = tt->zero;
  TermMap map = {o->count, o->symbol, to};
  for (uint32_t i = 0; i < o->count; i++) {
    Term bound = term_substitute(tt, o->bound[i], map);
    if (!refine_holds(tt, term_le(tt, tt->zero, to[i])) || !refine_holds(tt, term_lt(tt, to[i], bound))) return false;
  }
  for (uint32_t i = 0; i < o->parts.count; i++) {
    Term part = term_substitute(tt, o->parts.data[i], map);
    bool found = false;
    for (uint32_t k = 0; k < other->parts.count && !found; k++) found = other->parts.data[k] == part;
    if (!found && !refine_holds(tt, part)) return false;
  }
  return true;
}

static bool is_instance(TermTable *tt, const Opened *o, const Opened *other) {
  for (uint32_t i = 0; i < o->reads_count; i++)
    for (uint32_t k = 0; k < other->reads_count; k++) {
      Term to[MOST_INDICES] = {0};
      if (match(tt, o, o->reads[i], other->reads[k], to) && holds_at(tt, o, other, to)) return true;
    }
  return false;
}

static bool is_among(TermTable *tt, const Opened *own, const TermList *list) {
  bool found = false, good;
  uint32_t facts = tt->facts.count;
  for (uint32_t i = 0; i < own->parts.count; i++)
    if (!(term_node(tt, own->parts.data[i])->flags & TERM_HAS_FOLD)) term_push_fact(tt, own->parts.data[i]);
  for (uint32_t i = 0; i < own->count; i++) term_push_fact(tt, term_lt(tt, own->symbol[i], own->bound[i]));
  for (uint32_t i = 0; i < list->count && !found; i++) {
    if (!(term_node(tt, list->data[i])->flags & TERM_HAS_FOLD)) continue;
    Opened other = opened(tt, list->data[i], &good);
    found = good && other.count && is_instance(tt, &other, own);
  }
  term_pop_facts(tt, facts);
  return found;
}

/* Of a part that is one of several, each is an instance. `split`: of how many parts that is asked so far. */
static bool each_is_among(TermTable *tt, const Opened *own, const TermList *list, uint32_t first, uint32_t split) {
  if (is_among(tt, own, list)) return true;
  while (first < own->parts.count && term_kind(tt, own->parts.data[first]) != TERM_OR) first++;
  if (first == own->parts.count || split == MOST_SPLIT) return false;
  Opened one = *own;
  Term either = own->parts.data[first];
  one.parts.data = arena_array(tt->arena, Term, own->parts.count);
  one.parts.capacity = own->parts.count;
  memcpy(one.parts.data, own->parts.data, own->parts.count * sizeof *own->parts.data);
  for (uint32_t i = 0; i < term_count(tt, either); i++) {
    one.parts.data[first] = term_arg(tt, either, i);
    if (!each_is_among(tt, &one, list, first + 1, split + 1)) return false;
  }
  return true;
}

bool refine_is_instance(TermTable *tt, Term condition, const TermList *list) {
  bool good;
  if (!(term_node(tt, condition)->flags & TERM_HAS_FOLD)) return false;
  Opened own = opened(tt, condition, &good);
  return good && own.count && own.reads_count && each_is_among(tt, &own, list, 0, 0);
}
