/* Formulas as textbooks write them, each law proved where it is applied. */
#ifndef ASSAY_TEXTBOOK_TEXTBOOK_H
#define ASSAY_TEXTBOOK_TEXTBOOK_H

#include "lift/claim.h"
#include "tensor/tensor.h"

/* Element by element, for all sizes, by the prover; literals are what `constants` takes them for. */
bool textbook_prove(TermTable *tt, const TensorExpr *before, const TensorExpr *after, const TensorConstants *constants,
                    void *unused);
/* A formula by the laws of textbooks and the search, which go on where the other one ended. Nothing is taken that is
 * not proved. `steps` and `constants` of the laws get what was applied and what is assumed. */
const TensorExpr *textbook_simplify(TermTable *tt, const Claim *claim, const TensorExpr *formula, TensorLaws laws);
/* The same with names of layers, beside it. */
const TensorExpr *textbook_named(TermTable *tt, const Claim *claim, const TensorExpr *textbook, TensorLaws laws);

#endif
