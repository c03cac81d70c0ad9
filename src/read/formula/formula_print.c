/* The pointwise form as text that formula.c reads back: what is declared, what is known, then the outputs.
 *
 * What is declared stands in an order of its own, so that a text that was read back prints as it was.
 * Two symbols of one name would read back as one, so indices that are called like an argument are renamed first. */
#include <string.h>

#include "read/formula/formula.h"
#include "term/cons.h"

static bool is_taken(TermTable *tt, Name name, Term self) {
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    if (s->name == name && s->term != self && s->role != SYMBOL_INDEX) return true;
  }
  return false;
}

static void rename_indices(const Pointwise *p) {
  TermTable *tt = p->tt;
  for (uint32_t o = 0; o < p->outputs.count; o++)
    for (uint32_t k = 0; k < p->outputs.data[o].rank; k++) {
      Term index = p->outputs.data[o].index[k];
      while (is_taken(tt, term_symbol(tt, index)->name, index))
        term_symbol(tt, index)->name = intern_text(tt->names, arena_format(tt->arena, "%s_", term_name(tt, index)));
    }
}

static void print_list(TermTable *tt, const Term *terms, uint32_t count, Text *out) {
  text_char(out, '[');
  for (uint32_t i = 0; i < count; i++) text_format(out, "%s%s", i ? ", " : "", term_text(tt, terms[i]));
  text_char(out, ']');
}

/* ", 1 <= n <= 1024" */
static void print_range(TermTable *tt, Term symbol, const char *before, Text *out) {
  const Symbol *s = term_symbol(tt, symbol);
  if (!s->lo && !s->hi) return;
  text_add(out, before);
  if (s->lo) text_format(out, "%s <= ", term_text(tt, s->lo));
  text_add(out, term_name(tt, symbol));
  if (s->hi) text_format(out, " <= %s", term_text(tt, s->hi));
}

static bool is_scalar(const Pointwise *p, Term symbol) {
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (p->scalars.data[i].symbol == symbol) return true;
  return false;
}

static void gather(const Pointwise *p, TermList *sizes) {
  TermTable *tt = p->tt;
  for (uint32_t i = 0; i < p->sizes.count; i++) array_push(tt->arena, sizes, p->sizes.data[i]);
  for (uint32_t i = 0; i < p->tensors.count; i++)
    for (uint32_t k = 0; k < p->tensors.data[i].rank; k++) {
      if (p->tensors.data[i].extent[k]) term_symbols(tt, p->tensors.data[i].extent[k], sizes);
      if (p->tensors.data[i].stride[k]) term_symbols(tt, p->tensors.data[i].stride[k], sizes);
    }
  for (uint32_t o = 0; o < p->outputs.count; o++)
    for (uint32_t k = 0; k < p->outputs.data[o].pieces.count; k++) {
      term_symbols(tt, p->outputs.data[o].pieces.data[k].region, sizes);
      term_symbols(tt, p->outputs.data[o].pieces.data[k].value, sizes);
    }
  for (uint32_t i = 0; i < tt->facts.count; i++) term_symbols(tt, tt->facts.data[i], sizes);
  for (uint32_t i = 0; i < sizes->count; i++) { /* the list grows by what ranges mention */
    Term lo = term_symbol(tt, sizes->data[i])->lo, hi = term_symbol(tt, sizes->data[i])->hi;
    if (lo) term_symbols(tt, lo, sizes);
    if (hi) term_symbols(tt, hi, sizes);
  }
}

/* Functions of which nothing is known, each name once. */
static void gather_opaque(TermTable *tt, Term t, TermList *out) {
  if (tt->marks.data[t] == tt->epoch || !(term_node(tt, t)->flags & TERM_HAS_OPAQUE)) return;
  tt->marks.data[t] = tt->epoch;
  for (uint32_t i = 0; i < term_count(tt, t); i++) gather_opaque(tt, term_arg(tt, t, i), out);
  bool is_new = term_kind(tt, t) == TERM_OPAQUE;
  for (uint32_t i = 0; i < out->count; i++) is_new &= term_aux(tt, out->data[i]) != term_aux(tt, t);
  if (is_new) array_push(tt->arena, out, t);
}

static const char *print_name(TermTable *tt, Term t) {
  return term_kind(tt, t) == TERM_OPAQUE ? intern_string(tt->names, term_aux(tt, t)) : term_name(tt, t);
}

static void sort_by_name(TermTable *tt, TermList *list) {
  for (uint32_t i = 1; i < list->count; i++) {
    Term t = list->data[i];
    uint32_t at = i;
    for (; at > 0 && strcmp(print_name(tt, list->data[at - 1]), print_name(tt, t)) > 0; at--)
      list->data[at] = list->data[at - 1];
    list->data[at] = t;
  }
}

static void print_opaque(const Pointwise *p, Text *out) {
  static const char *const sorts[] = {"int", "real", "bool", "?"};
  TermTable *tt = p->tt;
  TermList found = {0};
  term_marks_begin(tt);
  for (uint32_t o = 0; o < p->outputs.count; o++)
    for (uint32_t k = 0; k < p->outputs.data[o].pieces.count; k++) {
      gather_opaque(tt, p->outputs.data[o].pieces.data[k].region, &found);
      gather_opaque(tt, p->outputs.data[o].pieces.data[k].value, &found);
    }
  sort_by_name(tt, &found);
  for (uint32_t i = 0; i < found.count; i++)
    text_format(out, "opaque %s: %s\n", print_name(tt, found.data[i]), sorts[term_sort(tt, found.data[i])]);
}

void formula_print_declarations(const Pointwise *p, Text *out) {
  TermTable *tt = p->tt;
  TermList sizes = {0};
  rename_indices(p);
  for (uint32_t i = 0; i < p->tensors.count; i++) {
    const PointwiseTensor *t = &p->tensors.data[i];
    text_format(out, "tensor %s: %s", t->name, t->dtype);
    print_list(tt, t->extent, t->rank, out);
    if (t->rank) {
      text_add(out, " strides ");
      print_list(tt, t->stride, t->rank, out);
    }
    text_char(out, '\n');
  }
  for (uint32_t i = 0; i < p->scalars.count; i++) {
    text_format(out, "scalar %s: %s", p->scalars.data[i].name, p->scalars.data[i].dtype);
    print_range(tt, p->scalars.data[i].symbol, ", ", out);
    text_char(out, '\n');
  }
  gather(p, &sizes);
  sort_by_name(tt, &sizes);
  for (uint32_t i = 0; i < sizes.count; i++) {
    SymbolRole role = term_symbol(tt, sizes.data[i])->role;
    if (role == SYMBOL_INDEX || role == SYMBOL_TENSOR || is_scalar(p, sizes.data[i])) continue;
    text_format(out, "size %s", term_name(tt, sizes.data[i]));
    print_range(tt, sizes.data[i], ": ", out);
    text_char(out, '\n');
  }
  print_opaque(p, out);
  for (uint32_t i = 0; i < tt->facts.count; i++) text_format(out, "assume %s\n", term_text(tt, tt->facts.data[i]));
}

static void print_output(const Pointwise *p, const PointwiseOutput *output, Text *out) {
  static const char *const combine[] = {"=", "+=", "*=", "max=", "min=", "|=", "&=", "^="};
  TermTable *tt = p->tt;
  text_add(out, p->tensors.data[output->tensor].name);
  print_list(tt, output->index, output->rank, out);
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    text_format(out, "%s %s %s", i ? ";" : "", piece->accumulate < 8 ? combine[piece->accumulate] : "?",
                term_text(tt, piece->value));
    if (piece->region != tt->true_) text_format(out, " for %s", term_text(tt, piece->region));
  }
  text_char(out, '\n');
}

void formula_print_outputs(const Pointwise *p, Text *out) {
  TermTable *tt = p->tt;
  TermList roots = {0};
  Text lines = text_new(tt->arena);
  for (uint32_t o = 0; o < p->outputs.count; o++)
    for (uint32_t k = 0; k < p->outputs.data[o].pieces.count; k++) {
      array_push(tt->arena, &roots, p->outputs.data[o].pieces.data[k].value);
      array_push(tt->arena, &roots, p->outputs.data[o].pieces.data[k].region);
    }
  term_parts_begin(tt, roots.count, roots.data);
  for (uint32_t i = 0; i < p->outputs.count; i++) print_output(p, &p->outputs.data[i], &lines);
  text_add(out, term_parts_end(tt, text_string(&lines)));
}

void formula_print(const Pointwise *p, Text *out) {
  text_format(out, "pointwise %s\n", p->kernel ? p->kernel : "formula");
  formula_print_declarations(p, out);
  formula_print_outputs(p, out);
}
