/* C: one function that writes the outputs, by loops over their elements.
 *
 *   void NAME(sizes, scalars, functions, const T *inputs, T *outputs)
 *
 * Arrays are contiguous. An output that is read elsewhere than at its own element is copied first. */
#include <string.h>

#include "emit/loop.h"

/* ---- the function ---- */

static void accumulate(Loop *w, TermFoldOp op, const char *element, const char *value) {
  const char *sign = op == FOLD_ANY ? "|" : op == FOLD_ALL ? "&" : NULL; /* of bits */
  loop_line(w, sign ? arena_format(w->arena, "%s %s= %s;", element, sign, value) : loop_combine(w, op, element, value));
}

static void write_piece(Loop *w, const PointwisePiece *piece, const PointwiseTensor *t, const char *at) {
  const char *type = loop_type(w, t->dtype), *name = loop_name(w, t->symbol);
  bool everywhere = piece->region == w->tt->true_;
  if (!everywhere) {
    const char *region = loop_expression(w, piece->region);
    loop_line(w, arena_format(w->arena, "if (%s) {", region));
    w->indent++;
  }
  uint32_t known = w->folds.count;
  const char *value = loop_stored(w, piece->value, type);
  const char *element = arena_format(w->arena, "%s[%s]", name, at);
  if (piece->accumulate)
    accumulate(w, (TermFoldOp)(piece->accumulate - 1), element, arena_format(w->arena, "(%s)(%s)", type, value));
  else
    loop_line(w, arena_format(w->arena, "%s = (%s)%s;", element, type, loop_factor_text(w, value)));
  w->folds.count = known;
  if (everywhere) return;
  w->indent--;
  loop_line(w, "}");
}

static void write_output(Loop *w, const PointwiseOutput *output) {
  const PointwiseTensor *t = &w->p->tensors.data[output->tensor];
  if (output->scatter) loop_give_up(w, "places that data decides");
  w->output = output;
  for (uint32_t k = 0; k < output->rank; k++) {
    TermList before = loop_invariants(w, output, k);
    for (uint32_t n = 0; n < before.count; n++) loop_expression(w, before.data[n]);
    const char *i = loop_name(w, output->index[k]), *end = loop_expression(w, t->extent[k]);
    loop_line(w, arena_format(w->arena, "for (int64_t %s = 0; %s < %s; %s++) {", i, i, loop_factor_text(w, end), i));
    w->indent++;
  }
  const char *at = loop_place(w, t, output->index);
  Text pieces = text_new(w->arena), *body = w->body;
  w->body = &pieces;
  for (uint32_t k = 0; k < output->pieces.count; k++) write_piece(w, &output->pieces.data[k], t, at);
  w->body = body;
  const bool is_block = !output->rank && loop_has_word(text_string(&pieces), "old"); /* others have one as well */
  if (is_block) loop_line(w, "{");
  if (loop_has_word(text_string(&pieces), "old"))
    loop_line(w, arena_format(w->arena, "const %s old = %s[%s];", loop_type(w, t->dtype), loop_name(w, t->symbol), at));
  text_add(body, text_string(&pieces));
  if (is_block) loop_line(w, "}");
  for (uint32_t k = 0; k < output->rank; k++) {
    w->indent--;
    loop_line(w, "}");
  }
  w->output = NULL, w->folds.count = 0;
}

/* True if the tensor is read elsewhere than where it is written. */
static bool needs_copy(Loop *w, uint32_t tensor) {
  const PointwiseTensor *t = &w->p->tensors.data[tensor];
  if (!t->is_written) return false;
  for (uint32_t i = 0; i < w->p->outputs.count; i++) {
    const PointwiseOutput *output = &w->p->outputs.data[i];
    if (!loop_output_reads(w, output, t->symbol)) continue;
    if (output->tensor != tensor) return true;
    Term own = term_read(w->tt, t->symbol, t->sort, t->rank, output->index);
    Term old =
        term_symbol_fresh(w->tt, "old", t->sort, SYMBOL_SCALAR); /* any value: no number, beside which reads end */
    for (uint32_t k = 0; k < output->pieces.count; k++) {
      TermMap map = {1, &own, &old};
      if (term_has_symbol(w->tt, term_substitute(w->tt, output->pieces.data[k].value, map), t->symbol) ||
          term_has_symbol(w->tt, term_substitute(w->tt, output->pieces.data[k].region, map), t->symbol))
        return true;
    }
  }
  return false;
}

static void add_parameter(Loop *w, Text *list, const char *text) {
  text_format(list, "%s%s", list->count ? ", " : "", text);
  (void)w;
}

/* Sizes that are no arguments, then the arguments that are numbers, then inputs, then outputs. */
static const char *parameters(Loop *w) {
  Text list = text_new(w->arena);
  for (uint32_t i = 0; i < w->tt->symbols.count; i++) {
    const Symbol *s = &w->tt->symbols.data[i];
    bool size =
        (s->role == SYMBOL_SIZE || s->role == SYMBOL_GRID) && !loop_is_scalar(w, s->term) && loop_uses(w, s->term);
    if (size) add_parameter(w, &list, arena_format(w->arena, "int64_t %s", loop_name(w, s->term)));
  }
  for (int reals = 0; reals < 2; reals++)
    for (uint32_t i = 0; i < w->p->scalars.count; i++) {
      const PointwiseScalar *s = &w->p->scalars.data[i];
      bool real = term_sort(w->tt, s->symbol) == SORT_REAL;
      if (real != reals || !loop_uses(w, s->symbol)) continue;
      add_parameter(
          w, &list,
          arena_format(w->arena, "%s %s", real ? loop_type(w, s->dtype) : "int64_t", loop_name(w, s->symbol)));
    }
  for (uint32_t i = 0; i < w->functions.count; i++) {
    Term call = w->functions.data[i].term;
    Text types = text_new(w->arena);
    for (uint32_t k = 0; k < term_count(w->tt, call); k++)
      text_format(&types, "%s%s", k ? ", " : "", loop_type_of_sort(w, term_sort(w->tt, term_arg(w->tt, call, k))));
    add_parameter(w, &list,
                  arena_format(w->arena, "%s (*%s)(%s)", loop_type_of_sort(w, term_sort(w->tt, call)),
                               w->functions.data[i].text, types.count ? text_string(&types) : "void"));
  }
  for (int written = 0; written < 2; written++)
    for (uint32_t i = 0; i < w->p->tensors.count; i++) {
      const PointwiseTensor *t = &w->p->tensors.data[i];
      if (t->is_written != written || (!written && !loop_uses(w, t->symbol))) continue;
      add_parameter(
          w, &list,
          arena_format(w->arena, "%s%s *%s", written ? "" : "const ", loop_type(w, t->dtype), loop_name(w, t->symbol)));
    }
  return list.count ? text_string(&list) : "void";
}

static void write_copies(Loop *w, bool begin) {
  for (uint32_t i = 0; i < w->p->tensors.count && i < 64; i++) {
    const PointwiseTensor *t = &w->p->tensors.data[i];
    if (!w->copies[i]) continue;
    const char *name = loop_name(w, t->symbol), *type = loop_type(w, t->dtype);
    if (!begin) {
      loop_line(w, arena_format(w->arena, "free(%s_old);", name));
      continue;
    }
    Text count = text_new(w->arena);
    for (uint32_t k = 0; k < t->rank; k++)
      text_format(&count, "%s(size_t)%s", k ? " * " : "", loop_factor(w, t->extent[k]));
    if (!t->rank) text_add(&count, "1");
    loop_line(w, arena_format(w->arena, "%s *%s_old = malloc((%s) * sizeof *%s_old + 1);", type, name,
                              text_string(&count), name));
    loop_line(w, arena_format(w->arena, "if (!%s_old) abort();", name));
    loop_line(
        w, arena_format(w->arena, "memcpy(%s_old, %s, (%s) * sizeof *%s_old);", name, name, text_string(&count), name));
  }
}

/* Sizes that say how large an array is and are used for nothing else. */
static void mention_parameters(Loop *w, const char *list, const char *body, Text *out) {
  for (uint32_t i = 0; i < w->names.count; i++) {
    const char *name = w->names.data[i].text;
    if (loop_has_word(list, name) && !loop_has_word(body, name)) text_format(out, "  (void)%s;\n", name);
  }
}

void emit_c(const Pointwise *p, const EmitHeader *header, Text *out) {
  Arena *arena = p->tt->arena;
  Text body = text_new(arena);
  Loop w = {.target = "C", .arena = arena, .tt = p->tt, .p = p, .body = &body, .indent = 1};
  const char *function = loop_identifier(&w, p->kernel);
  for (uint32_t i = 0; i < p->tensors.count; i++) w.is_wide |= !strcmp(p->tensors.data[i].dtype, "f80");
  for (uint32_t i = 0; i < p->outputs.count; i++)
    if (!p->outputs.data[i].pieces.count) loop_give_up(&w, "output that nothing writes");
  for (uint32_t i = 0; i < p->tensors.count && i < 64; i++) w.copies[i] = needs_copy(&w, i);
  parameters(&w); /* names of arguments before those of variables */
  write_copies(&w, true);
  for (uint32_t i = 0; i < p->outputs.count; i++) write_output(&w, &p->outputs.data[i]);
  write_copies(&w, false);
  const char *list = parameters(&w);
  loop_comment(&w, header, arena_format(arena, "void %s(%s);", function, list), "", out);
  text_format(
      out, "#include <%s.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
      w.is_wide ? "tgmath" : "math"); /* whose functions are those of the type of their arguments */
  size_t before = out->count;
  loop_helpers(text_string(&body), out);
  text_format(out, "%svoid %s(%s) {\n", out->count > before ? "\n" : "", function, list);
  mention_parameters(&w, list, text_string(&body), out);
  text_format(out, "%s}\n", text_string(&body));
}
