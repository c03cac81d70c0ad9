/* The search of the lifting paper ("Verified Lifting of Deep Learning Operators", section 3): it proposes formulas.
 *
 * The value of an output is unfolded at small sizes, so that each element is an expression over elements of the inputs
 * (unfold.c). A formula for all elements is then looked for: top-down, by splitting all of them by the operation that
 * they share (top_down.c), and where that ends bottom-up, by enumeration (bottom_up.c). What survives is checked at
 * that size, and at others, a larger one among them. It is a claim like any other: only the prover decides whether it
 * holds at all sizes.
 */
#ifndef ASSAY_SEARCH_SEARCH_H
#define ASSAY_SEARCH_SEARCH_H

#include "lift/claim.h"

typedef struct SearchOptions {
  bool no_top_down; /* enumeration alone */
  bool no_prune;    /* enumeration without pruning */
  bool is_brief;    /* nobody has asked for it: a twentieth of the enumeration */
} SearchOptions;

typedef Array(const char *) SearchLog;

/* Puts what is found in the place of the values of the claim. False: of some output nothing is found, and the claim is
 * as before; the log says why. */
bool search_claim(Arena *arena, Claim *claim, const SearchOptions *options, SearchLog *log);

#endif
