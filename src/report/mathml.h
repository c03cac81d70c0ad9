/* Formulas as MathML. */
#ifndef ASSAY_REPORT_MATHML_H
#define ASSAY_REPORT_MATHML_H

#include "base/text.h"

/* A <math> element of the LaTeX that formulas are written in. */
void mathml_of_latex(Arena *arena, const char *latex, Text *out);

#endif
