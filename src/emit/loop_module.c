/* Around the loops: which arguments a function needs, and the comment before it. */
#include <string.h>

#include "emit/loop.h"

bool loop_output_reads(const Loop *w, const PointwiseOutput *output, Term tensor) {
  for (uint32_t k = 0; k < output->pieces.count; k++)
    if (term_has_symbol(w->tt, output->pieces.data[k].value, tensor) ||
        term_has_symbol(w->tt, output->pieces.data[k].region, tensor))
      return true;
  return false;
}

bool loop_uses(const Loop *w, Term symbol) {
  for (uint32_t i = 0; i < w->p->outputs.count; i++)
    if (loop_output_reads(w, &w->p->outputs.data[i], symbol)) return true;
  for (uint32_t i = 0; i < w->p->tensors.count; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    for (uint32_t k = 0; k < t->rank; k++)
      if (t->extent[k] && term_has_symbol(w->tt, t->extent[k], symbol) && (t->is_written || t->is_read)) return true;
  }
  return false;
}

bool loop_is_scalar(const Loop *w, Term symbol) {
  for (uint32_t i = 0; i < w->p->scalars.count; i++)
    if (w->p->scalars.data[i].symbol == symbol) return true;
  return false;
}

void loop_comment(Loop *w, const EmitHeader *header, const char *prototype, const char *notes, Text *out) {
  text_format(out, "/* %s, lifted by Assay.\n *\n", w->p->kernel);
  for (const char *at = header->formula; at && *at;) {
    size_t n = strcspn(at, "\n");
    text_format(out, " *   %.*s\n", (int)n, at);
    at += n + (at[n] == '\n');
  }
  text_format(out, " *\n * %s\n", prototype);
  for (uint32_t i = 0; i < w->p->tensors.count; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    if (!t->is_written && !loop_uses(w, t->symbol)) continue;
    text_format(out, " *   %s: (", loop_name(w, t->symbol));
    for (uint32_t k = 0; k < t->rank; k++) text_format(out, "%s%s", k ? ", " : "", term_text(w->tt, t->extent[k]));
    text_format(out, "), %s%s\n", t->dtype, t->is_written ? ", written" : "");
  }
  for (uint32_t i = 0; i < header->assumption_count; i++)
    text_format(out, "%s *   %s\n", i ? "" : " *\n * Assumed:\n", header->assumptions[i]);
  text_add(out, notes);
  if (header->verdict) text_format(out, " *\n * Verdict: %s */\n", header->verdict);
}

bool loop_has_word(const char *text, const char *word) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !strchr(letters, at[-1])) && (!at[n] || !strchr(letters, at[n]))) return true;
  return false;
}

/* ---- what inner loops leave as it is ---- */

typedef struct Invariants {
  TermTable *tt;
  uint32_t count; /* of the indices of inner loops */
  const Term *inner;
  TermList *out;
  bool *seen;
  uint32_t room;
} Invariants;

/* Of a recurrence of arrays, of which any element may be asked for: the first one, with which all others are made. */
static Term first_element(TermTable *tt, Term t) {
  if (term_kind(tt, t) != TERM_RECUR || !term_recur_lanes(tt, t)) return t;
  RecurParts p = term_recur_open(tt, t);
  for (uint32_t d = 0; d < p.lanes; d++) p.at[d] = tt->zero;
  Term first = term_recur_of(tt, p);
  return loop_is_same_array(tt, first, t) ? first : t;
}

static bool is_invariant(const Invariants *v, Term t) {
  if (term_node(v->tt, t)->free_mask >> 48) return false; /* it is inside a fold whose index it uses */
  for (uint32_t i = 0; i < v->count; i++)
    if (term_has_symbol(v->tt, t, v->inner[i])) return false;
  return true;
}

/* Only what is computed wherever t is: no arm of a choice, no part of a condition that others may decide, and no body
 * that may be computed for no index at all. Inner ones come first. */
static void find_invariants(Invariants *v, Term t) {
  TermTable *tt = v->tt;
  TermKind kind = term_kind(tt, t);
  if (t >= v->room || v->seen[t] || !(term_node(tt, t)->flags & TERM_HAS_FOLD || kind == TERM_RECUR)) return;
  v->seen[t] = true;
  if (kind == TERM_FOLD) {
    find_invariants(v, term_fold_lo(tt, t));
    find_invariants(v, term_fold_hi(tt, t));
    if (term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t))) find_invariants(v, term_fold_guard(tt, t));
    if (term_prove_lt(tt, term_fold_lo(tt, t), term_fold_hi(tt, t)) && term_fold_guard(tt, t) == tt->true_)
      find_invariants(v, term_fold_body(tt, t));
  }
  bool is_loop = kind == TERM_FOLD || kind == TERM_RECUR,
       first = kind == TERM_SELECT || kind == TERM_AND || kind == TERM_OR;
  for (uint32_t i = 0; !is_loop && i < (first ? 1 : term_count(tt, t)); i++) find_invariants(v, term_arg(tt, t, i));
  Term made = is_loop ? first_element(tt, t) : t;
  if (is_loop && is_invariant(v, made)) array_push(tt->arena, v->out, made);
}

bool loop_is_same_array(const TermTable *tt, Term t, Term u) {
  if (term_kind(tt, t) != TERM_RECUR || term_kind(tt, u) != TERM_RECUR || !term_recur_lanes(tt, t)) return false;
  if (term_count(tt, t) != term_count(tt, u) || term_aux(tt, t) != term_aux(tt, u)) return false;
  for (uint32_t k = 0; k < term_count(tt, t) - term_recur_lanes(tt, t); k++) /* last of all, where it is read */
    if (term_arg(tt, t, k) != term_arg(tt, u, k)) return false;
  return true;
}

TermList loop_invariants_of(const Loop *w, Term t, uint32_t count, const Term *inner) {
  TermTable *tt = w->tt;
  TermList out = {0};
  Invariants v = {tt, count, inner, &out, arena_array(tt->arena, bool, tt->nodes.count), tt->nodes.count};
  find_invariants(&v, t);
  return out;
}

TermList loop_invariants(const Loop *w, const PointwiseOutput *output, uint32_t level) {
  TermTable *tt = w->tt;
  TermList out = {0};
  Invariants v = {tt, output->rank - level, output->index + level, &out, NULL, tt->nodes.count};
  for (uint32_t k = level; k < output->rank; k++)
    if (!term_prove_lt(tt, tt->zero, w->p->tensors.data[output->tensor].extent[k])) return out;
  v.seen = arena_array(tt->arena, bool, v.room);
  for (uint32_t k = 0; k < output->pieces.count; k++) {
    const PointwisePiece *piece = &output->pieces.data[k];
    find_invariants(&v, piece->region);
    if (piece->region == tt->true_) find_invariants(&v, piece->value);
  }
  return out;
}
