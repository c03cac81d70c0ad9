/* Recovery of views: from accesses with addresses to tensors with indices.
 *
 * The address of every access is a polynomial in program ids, lanes and counters. Coordinates replace the ids: `pid //
 * g` and `pid % g` become two of them. The polynomial is grouped by stride; each group is one axis; where its
 * coefficients are a mixed radix, the axis index determines the coordinates, and these are replaced in mask and value
 * by its quotients and remainders. What had to be assumed is listed, each with its reason. */
#ifndef ASSAY_LIFT_RECOVER_H
#define ASSAY_LIFT_RECOVER_H

#include "execute/execute.h"
#include "lift/claim.h"

/* What the execution is claimed to compute, with the hints for its proof. */
Claim *recover_views(Arena *arena, Effects *ex);

/* The i-th summand of an Int polynomial: coefficient * product; the constant comes first. */
uint32_t recover_monomial_count(const TermTable *tt, Term t);
Term recover_monomial(TermTable *tt, Term t, uint32_t i);
/* True if t = d * quotient. */
bool recover_divides(TermTable *tt, Term d, Term t, Term *quotient);

/* A size that a caller would give: sizes, literals, and products of these; or, of a recovery, the number of programs
 * along an axis, which it may know as another size (semantics.md section 2). */
bool recover_is_plain_size(const TermTable *tt, Term extent);
bool recover_is_plain_extent(const Claim *recovery, Term extent);
/* A sum of sizes and a number, N + 1, by which the kernel itself steps from row to row: rows of that length, and no
 * tail of others. */
bool recover_is_row_length(TermTable *tt, const PointwiseTensor *t, uint32_t axis);

/* What became of a program id, lane or counter in an access. */
Term recover_now(const Claim *recovery, uint32_t access, Term coordinate);

/* True if there is an argument in a stride that says how far elements are apart, and is no size. A shape that is given
 * leaves such a stride as it is; all others are row-major. */
bool recover_has_stride_argument(const Effects *ex, Term stride);

/* The address of an access as one index per dimension of its tensor; false: it does not fit. `ex`: that the access is
 * of; NULL: of none. */
bool recover_indices(TermTable *tt, Effects *ex, const PointwiseTensor *tensor, Term offset, Term *index);

#endif
