/* Recovery of views: from accesses with addresses to tensors with indices.
 *
 * The address of every access is a polynomial in program ids, lanes and counters. Coordinates replace the ids: `pid //
 * g` and `pid % g` become two of them. The polynomial is grouped by stride; each group is one axis; where its
 * coefficients are a mixed radix, the axis index determines the coordinates, and these are replaced in mask and value
 * by its quotients and remainders. What had to be assumed is listed, each with its reason. */
#ifndef ASSAY_LIFT_RECOVER_H
#define ASSAY_LIFT_RECOVER_H

#include "base/kinds.h"
#include "execute/execute.h"
#include "lift/pointwise.h"

typedef struct Assumption {
  AssumptionKind kind;
  const char *why, *limit; /* limit may be NULL */
  Term condition;          /* what is assumed */
  Term of_values;          /* kind positive: the same of a float argument, which is no condition on sizes; or 0 */
  const char *text;
  bool more_is_idle; /* of a grid: programs beyond it are shown to store nothing, and nothing else asks for their number
                      */
  Term most_programs; /* ... up to that many; 0: however many */
  Term of_extent;     /* the tensor whose extent is what is read, as no shape was given; 0: it is not that */
} Assumption;

enum { OBLIGATION_PROVED, OBLIGATION_REFUTED, OBLIGATION_UNKNOWN };

/* An operator outside of its domain, on inputs as they stand: that alone, which is no fault of the kernel's; or
 * something else too. */
enum { OF_INPUTS_NOT, OF_INPUTS_ALONE, OF_INPUTS_TOO };

typedef struct Obligation {
  ObligationKind kind;
  int verdict; /* OBLIGATION_PROVED, _REFUTED, _UNKNOWN */
  OpId op;
  const char *tensor, *detail;
  Array(uint32_t) under;               /* the assumptions that it rests on, by number */
  const struct SampleWitness *witness; /* of a refuted one */
  const struct WitnessRun *run;        /* its launch, complete */
  uint8_t of_inputs;                   /* undefined: OF_INPUTS_* */
  bool is_of_operation;                /* coverage of a tensor that other launches write as well: asked of the whole */
  bool is_named;                       /* tensor and detail are in the operation's names already */
} Obligation;

typedef struct RecoverySubstitution {
  Term from, to;
} RecoverySubstitution;

/* How a store became a piece: every coordinate that its address determines, as a term over the output's indices (and
 * over coordinates that it does not determine). A hint for the prover, which checks it. */
typedef struct RecoveryPlace {
  uint32_t access, output, piece;
  TermMap map;
} RecoveryPlace;

typedef struct RecoveryStep {
  Term from, to;
  uint32_t access;
} RecoveryStep; /* access: 1 + number of the one it was done in; 0: in all */

typedef struct Recovery {
  Effects *ex;
  Pointwise *pointwise; /* NULL if the run stopped */
  Array(Assumption) assumptions;
  Array(Obligation) obligations;
  Array(RecoveryStep) steps;               /* in order: what became of program ids, lanes and counters */
  Array(RecoverySubstitution) definitions; /* in order: new coordinates, over older ones */
  Array(RecoveryPlace) places;
  ReasonCode stop_code; /* REASON_NONE: it went through */
  const char *stop_text;
  const char *undefined_where; /* why what is stored may be undefined where its term is not; NULL: it is not, or nobody
                           has looked (obligations_find) */
  const char *open_ranges; /* why it is not known in which ranges the arithmetic has to stay that the value takes not to
                              wrap; NULL: it is (obligations_find) */
  bool excludes_itself;    /* what is given and what is assumed: no launch is spoken of */
} Recovery;

Recovery *recover_views(Arena *arena, Effects *ex);

/* t = d * quotient? */
bool recover_divides(TermTable *tt, Term d, Term t, Term *quotient);

/* A size that a caller would give: sizes, literals, and products of these; or, of a recovery, the number of programs
 * along an axis, which it may know as another size (semantics.md section 2). */
bool recover_is_plain_size(const TermTable *tt, Term extent);
bool recover_is_plain_extent(const Recovery *recovery, Term extent);
/* A sum of sizes and a number, N + 1, by which the kernel itself steps from row to row: rows of that length, and no
 * tail of others. */
bool recover_is_row_length(TermTable *tt, const PointwiseTensor *t, uint32_t axis);

/* What became of a program id, lane or counter in an access. */
Term recover_now(const Recovery *recovery, uint32_t access, Term coordinate);

/* Is there an argument in a stride that says how far elements are apart, and is no size? A shape that is given leaves
 * such a stride as it is; all others are row-major. */
bool recover_has_stride_argument(const Effects *ex, Term stride);

/* The address of an access as one index per dimension of its tensor; false: it does not fit. */
bool recover_indices(const Recovery *recovery, const PointwiseTensor *tensor, Term offset, Term *index);

#endif
