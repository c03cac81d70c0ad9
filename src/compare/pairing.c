/* Two kernels over one table of terms, and outputs that belong together. */
#include <string.h>

#include "compare/side.h"
#include "prove/equal.h"

static void usage(Pairing *p, const char *help, const char *message) {
  diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.pairing", NULL, (Span){0, 0}, help, "%s", message);
}

/* ---- tensors of two kernels ---- */

static const PointwiseTensor *find_tensor(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; name && i < p->tensors.count; i++) if (!strcmp(p->tensors.data[i].name, name)) return &p->tensors.data[i];
  return NULL;
}

static const PointwiseTensor *find_alike(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++) if (pairing_is_alike(p->tensors.data[i].name, name)) return &p->tensors.data[i];
  return NULL;
}

static uint32_t count_kind(const Pointwise *p, bool written) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->tensors.count; i++) n += written ? p->tensors.data[i].is_written : p->tensors.data[i].is_read && !p->tensors.data[i].is_written;
  return n;
}

/* The tensor of `from` at the same place as t among those of its kind. */
static const PointwiseTensor *by_order(const Pointwise *from, const Pointwise *own, const PointwiseTensor *t) {
  uint32_t place = 0;
  bool written = t->is_written;
  if (count_kind(from, written) != count_kind(own, written)) return NULL;
  for (const PointwiseTensor *at = own->tensors.data; at < t; at++) place += written ? at->is_written : at->is_read && !at->is_written;
  for (uint32_t i = 0; i < from->tensors.count; i++) {
    const PointwiseTensor *c = &from->tensors.data[i];
    if ((written ? c->is_written : c->is_read && !c->is_written) && !place--) return c;
  }
  return NULL;
}

/* The left's tensor for one of the right. Names first; order only where no name fits at all. */
static const PointwiseTensor *partner(const Pairing *p, const Pointwise *left, const Pointwise *right, const PointwiseTensor *t, bool names) {
  const PointwiseTensor *found = find_tensor(left, pairing_left_of(p, t->name));
  if (!found) found = find_tensor(left, t->name);
  if (!found) found = find_alike(left, t->name);
  return found || names ? found : by_order(left, right, t);
}

static bool is_plain(const TermTable *tt, Term t) { return t && term_kind(tt, t) == TERM_SYM; }

/* The right's sizes are the left's where extents of one tensor name them. */
static void map_sizes(Importer *m, TermTable *from, const PointwiseTensor *left, const PointwiseTensor *right) {
  if (left->rank != right->rank) return;
  for (uint32_t k = 0; k < right->rank; k++)
    if (is_plain(from, right->extent[k]) && !importer_is_mapped(m, right->extent[k]) && left->extent[k]) importer_map(m, right->extent[k], left->extent[k]);
}

static void map_scalars(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right) {
  for (int alike = 0; alike < 2; alike++)
    for (uint32_t i = 0; i < right->scalars.count; i++) {
      const PointwiseScalar *own = &right->scalars.data[i];
      const char *wanted = pairing_left_of(p, own->name);
      for (uint32_t k = 0; k < left->scalars.count && !importer_is_mapped(m, own->symbol); k++) {
        const PointwiseScalar *other = &left->scalars.data[k];
        bool same = wanted ? !strcmp(other->name, wanted) : alike ? pairing_is_alike(other->name, own->name) : !strcmp(other->name, own->name);
        if (!same || term_sort(left->tt, other->symbol) != term_sort(right->tt, own->symbol)) continue;
        importer_map(m, own->symbol, other->symbol);
        array_push(p->arena, &p->pairs, (ReportPair){other->name, own->name});
      }
    }
  /* real scalars by order, where as many are left on both sides */
  uint32_t own[32], other[32], own_count = 0, other_count = 0;
  for (uint32_t i = 0; i < right->scalars.count && own_count < 32; i++)
    if (term_sort(right->tt, right->scalars.data[i].symbol) == SORT_REAL && !importer_is_mapped(m, right->scalars.data[i].symbol)) own[own_count++] = i;
  for (uint32_t k = 0; k < left->scalars.count && other_count < 32; k++) {
    bool used = term_sort(left->tt, left->scalars.data[k].symbol) != SORT_REAL;
    for (uint32_t i = 0; i < p->pairs.count; i++) used |= !strcmp(p->pairs.data[i].name, left->scalars.data[k].name);
    if (!used) other[other_count++] = k;
  }
  for (uint32_t i = 0; own_count == other_count && i < own_count; i++) {
    importer_map(m, right->scalars.data[own[i]].symbol, left->scalars.data[other[i]].symbol);
    array_push(p->arena, &p->pairs, (ReportPair){left->scalars.data[other[i]].name, right->scalars.data[own[i]].name});
  }
}

static bool map_tensors(Pairing *p, Importer *m, const Pointwise *left, const Pointwise *right) {
  bool names = false;
  for (uint32_t i = 0; i < right->tensors.count; i++)
    names |= right->tensors.data[i].is_read && !right->tensors.data[i].is_written && partner(p, left, right, &right->tensors.data[i], true);
  for (uint32_t i = 0; i < right->tensors.count; i++) {
    const PointwiseTensor *t = &right->tensors.data[i], *other = partner(p, left, right, t, names && !t->is_written);
    if (!other) continue;
    if (other->rank != t->rank || other->sort != t->sort) {
      if (!t->is_read) continue;
      usage(p, "give both the same shape with --shape", arena_format(p->arena, "%s has rank %u and %s rank %u", other->name, other->rank, t->name, t->rank));
      return false;
    }
    importer_map(m, t->symbol, other->symbol);
    map_sizes(m, right->tt, other, t);
    if (t->is_read) array_push(p->arena, &p->pairs, (ReportPair){other->name, t->name});
  }
  return true;
}

bool side_import(Side *side, const Side *left, Pairing *p) {
  const Pointwise *own = side->pointwise;
  TermTable *to = left->pointwise->tt;
  Importer *m = importer_new(p->arena, to, own->tt);
  if (!map_tensors(p, m, left->pointwise, own)) return false;
  map_scalars(p, m, left->pointwise, own);
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    CompareOutput *o = &side->outputs.data[i];
    for (uint32_t k = 0; k < o->rank; k++) o->shape[k] = importer_term(m, o->shape[k]), o->index[k] = importer_term(m, o->index[k]);
    o->region = importer_term(m, o->region);
    if (o->value) o->value = importer_term(m, o->value);
  }
  for (uint32_t i = 0; side->recovery && i < side->recovery->assumptions.count; i++) {
    Term c = side->recovery->assumptions.data[i].condition;
    if (c) array_push(p->arena, &p->assumptions->conditions, importer_term(m, c));
  }
  return true;
}

/* ---- outputs ---- */

static bool is_same_output(const Pairing *p, const char *left, const char *right, int round) {
  const char *wanted = pairing_left_of(p, right);
  if (round == 0) return wanted && !strcmp(wanted, left);
  return round == 1 ? !strcmp(left, right) : pairing_is_alike(left, right);
}

bool pairing_match_outputs(Pairing *p, const Side *left, const Side *right, uint32_t *right_of) {
  uint32_t matched = 0;
  bool *used = arena_array(p->arena, bool, right->outputs.count + 1);
  for (uint32_t i = 0; i < left->outputs.count; i++) right_of[i] = UINT32_MAX;
  for (int round = 0; round < 3; round++)
    for (uint32_t i = 0; i < left->outputs.count; i++)
      for (uint32_t k = 0; k < right->outputs.count && right_of[i] == UINT32_MAX; k++) {
        if (used[k] || !is_same_output(p, left->outputs.data[i].name, right->outputs.data[k].name, round)) continue;
        right_of[i] = k, used[k] = true, matched++;
      }
  uint32_t left_rest = left->outputs.count - matched, right_rest = right->outputs.count - matched;
  if (left_rest == right_rest) {
    for (uint32_t i = 0, k = 0; i < left->outputs.count; i++) {
      if (right_of[i] != UINT32_MAX) continue;
      while (used[k]) k++;
      right_of[i] = k, used[k] = true;
    }
    return true;
  }
  if (matched && (!right_rest || !left_rest)) return true; /* one side gives more: said, and not compared */
  Text names = text_new(p->arena);
  for (uint32_t i = 0; i < left->outputs.count; i++) text_format(&names, "%s%s", i ? ", " : "", left->outputs.data[i].name);
  text_add(&names, "; right: ");
  for (uint32_t k = 0; k < right->outputs.count; k++) text_format(&names, "%s%s", k ? ", " : "", right->outputs.data[k].name);
  usage(p, "pair them with --map LEFT=RIGHT, or return variables with the names of the outputs", arena_format(p->arena, "the outputs do not pair by name or number: left: %s", text_string(&names)));
  return false;
}
