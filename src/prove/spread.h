/* Variances in one pass: sum(f^2)/n - (sum(f)/n)^2 is not negative. */
#ifndef ASSAY_PROVE_SPREAD_H
#define ASSAY_PROVE_SPREAD_H

#include "term/term.h"

/* t = a*G - b*F^2 + rest, with folds G of f^2 and F of f over the same indices. */
typedef struct Spread {
  Term fold;         /* F */
  Term square, sum;  /* a, b */
  Term count, least; /* how many indices there are at most; b times that */
  Term rest;
} Spread;

/* The number-th way to see a sum so; false: there is none. By Cauchy and Schwarz t >= rest where b >= 0 and
 * a >= least, and all is finite. */
bool spread_find(TermTable *tt, Term t, uint32_t number, Spread *out);

/* t multiplied out, where its coefficients leave room for that. */
Term spread_expand(TermTable *tt, Term t);

#endif
