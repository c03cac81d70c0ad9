/* Outputs as LaTeX: the left side, how a value is combined with the old contents, and where it is written.
 *
 * Says what the texts of the report say: "y[i] += value for region" in pointwise form, and in tensor form the shape on
 * the left and the region behind the formula. A formula without its region would claim more than was proved. */
#include "emit/emit.h"

static void add_indices(TermTable *tt, const PointwiseOutput *output, Text *out) {
  for (uint32_t k = 0; k < output->rank; k++) text_format(out, "%s%s", k ? ", " : "", emit_latex(tt, output->index[k]));
}

const char *emit_latex_region(TermTable *tt, const PointwiseOutput *output, const Term *region, uint32_t count) {
  Text text = text_new(tt->arena);
  for (uint32_t i = 0; i < count; i++)
    if (region[i] == tt->true_) return "";
  text_add(&text, " \\quad \\text{for } ");
  add_indices(tt, output, &text);
  if (output->rank) text_add(&text, " : ");
  for (uint32_t i = 0; i < count; i++) text_format(&text, "%s%s", i ? " \\text{ or } " : "", emit_latex(tt, region[i]));
  return text_string(&text);
}

const char *emit_latex_left(TermTable *tt, const PointwiseTensor *t) {
  Text text = text_new(tt->arena);
  text_add(&text, emit_latex_name(tt, t->name));
  for (uint32_t k = 0; k < t->rank; k++)
    text_format(&text, "%s%s", k ? " \\times " : "_{", emit_latex(tt, t->extent[k]));
  text_add(&text, t->rank ? "} = " : " = ");
  return text_string(&text);
}

const char *emit_latex_pointwise(const Pointwise *p, const PointwiseOutput *output) {
  static const char *const combine[] = {"=",
                                        "\\mathrel{+}=",
                                        "\\mathrel{\\cdot}=",
                                        "\\mathrel{\\max}=",
                                        "\\mathrel{\\min}=",
                                        "\\mathrel{|}=",
                                        "\\mathrel{\\&}=",
                                        "\\mathrel{\\oplus}=",
                                        "\\mathrel{?}=",
                                        "\\mathrel{?}="};
  TermTable *tt = p->tt;
  Text text = text_new(tt->arena);
  text_add(&text, emit_latex_name(tt, p->tensors.data[output->tensor].name));
  if (output->rank) {
    text_add(&text, "_{");
    add_indices(tt, output, &text);
    text_char(&text, '}');
  }
  for (uint32_t i = 0; i < output->pieces.count; i++) {
    const PointwisePiece *piece = &output->pieces.data[i];
    text_format(&text, "%s %s %s", i ? ";\\quad " : "", combine[piece->accumulate], emit_latex(tt, piece->value));
    if (piece->region != tt->true_) text_format(&text, " \\quad \\text{for } %s", emit_latex(tt, piece->region));
  }
  return text_string(&text);
}
