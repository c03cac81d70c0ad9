/* The engine that rewrites: an e-graph with the laws of laws.def looks for a way from one term to another, and what it
 * finds is replayed step by step (replay.h). Only the replay is trusted.
 *
 * It is for goals that the cheaper engines leave open: relations between exp, log, tanh, powers, extrema and choices
 * that no normal form decides. */
#ifndef ASSAY_PROVE_REWRITE_H
#define ASSAY_PROVE_REWRITE_H

#include "term/term.h"

/* a = b, from left to right, for all values under the ranges and facts of the table. *steps (may be NULL) gets one line
 * for each step, in the memory of the table. Bounded in nodes, and to a part of the time that is left. */
bool rewrite_prove(TermTable *tt, Term a, Term b, const char **steps);

#endif
