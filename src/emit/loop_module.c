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
