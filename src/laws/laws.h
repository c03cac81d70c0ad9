/* Laws of terms that others apply: folds over ranges, conditions that are united, the normal form. */
#ifndef ASSAY_LAWS_LAWS_H
#define ASSAY_LAWS_LAWS_H

#include "term/term.h"

/* ---- laws of folds over ranges (merge.c, if nothing else is said), to be passed to term_transform ---- */
Term term_extend_recurrences(TermTable *tt, Term t, void *unused); /* a(t) * (its value before) + x(t) = one step on */
Term term_extend_folds(TermTable *tt, Term t, void *unused);       /* fold op next element = fold one longer */
Term term_peel_folds(TermTable *tt, Term t, void *end);            /* the other way, for folds below the Term *end */
Term term_merge_tiles(TermTable *tt, Term t, void *unused);        /* folds over tiles = one fold */
Term term_merge_tiles_by_quotients(TermTable *tt, Term t, void *unused); /* also where they have a factor each */
Term term_merge_partial_tiles(TermTable *tt, Term t,
                              void *unused); /* partial_tiles.c: those whose first or last ones are cut off */
Term term_turn_folds(TermTable *tt, Term t, void *unused); /* folds that run downwards through all they read, upwards */
Term term_split_folds(TermTable *tt, Term t, void *unused); /* split_folds.c: at a condition on the index */
Term term_join_ranges(TermTable *tt, Term t, void *unused); /* join.c: folds over ranges that adjoin = one fold */
Term term_join_where_some(
    TermTable *tt, Term t,
    void *unused); /* the same in the body of a fold, whose range has an element wherever it counts */
Term term_normalise_places(
    TermTable *tt, Term t,
    void *unused); /* place.c: choices that are a maximum, and places of the best so far when one more comes */
Term term_drop_shifts(
    TermTable *tt, Term t,
    void *unused); /* shift.c: a shift that all exponents of a quotient have; defined more often than t */
Term term_order_folds(TermTable *tt, Term t,
                      void *unused); /* two folds of one op, neither of which bounds the other, in the order of terms */

/* ---- normal form (normal.c): sums of products, exp as a group, folds with factors moved out ---- */
/* Products of sums multiplied out (not inside functions, folds or selects). */
Term term_expand(TermTable *tt, Term t);
/* k*(a + b) + c = k*a + k*b + c, of the outermost sums. */
Term term_flatten(TermTable *tt, Term t);
Term term_expand_all(TermTable *tt,
                     Term t); /* inside of them too: what indices of several loops leave in a product meets */
Term term_normalize(TermTable *tt, Term t);
/* For what is proved later: factors leave a sum that may be empty even if they have no value then. */
Term term_normalize_guess(TermTable *tt, Term t);

/* exp(t) in normal form for t = log(x) + r, which is a number where x > 0: then it is x exp(r). 0: t is no such sum. */
Term term_exponential(TermTable *tt, Term t);
/* a + max(b, c) = max(a + b, a + c) for a finite a, to be passed to term_transform. */
Term term_spread_extrema(TermTable *tt, Term t, void *unused);
/* where(a < b, b, a) as max(a, b), also <= and min, of numbers. */
Term term_extremum_of_select(TermTable *tt, Term t, void *unused);

/* ---- conditions (unite.c) ---- */
/* x or y, where one conjunction says it under the facts; 0: none is known. */
Term term_unite(TermTable *tt, Term x, Term y);
/* What is a where x holds, and b where y holds; 0: none is known. */
Term term_unite_values(TermTable *tt, Term a, Term x, Term b, Term y);

/* ---- what the normal form is made of ---- */
/* place.c: of elements behind which others that are no better stand. */
Term term_place_before_tail(TermTable *tt, Term t);
/* shift.c: product = exp(a) * rest, by its exponential with this number, counted from 0; false: it has no such one. */
bool term_split_exp(TermTable *tt, Term product, uint32_t number, Term *a, Term *rest);
/* exp(a) * sum * rest, by the first of its exponentials and sums that `join` makes one of; t itself: there is none. */
Term term_absorb_exp(TermTable *tt, Term t, Term (*join)(TermTable *tt, Term a, Term sum));
/* lanes.c: a sum over lanes of products with what each has summed up, taken apart; t itself: it does not end in sums of
 * one range. */
Term term_sum_lanes(TermTable *tt, Term t);

/* flags.c: extrema of choices between two numbers by any and all, where conditions are folded already or are compared;
 * t itself: it is no such fold. */
Term term_normalise_flags(TermTable *tt, Term t);

/* place.c: the place of the best of all tiles, where the least (greatest) place of those tiles is taken that have it. t
 * is such a min or max of integers, or as it was. */
Term term_merge_places(TermTable *tt, Term t);

#endif
