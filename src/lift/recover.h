/* Recovery of views: from accesses with addresses to tensors with indices.
 *
 * The address of every access is a polynomial in program ids, lanes and counters. Coordinates replace the ids: `pid // g` and
 * `pid % g` become two of them. The polynomial is grouped by stride; each group is one axis; where its coefficients are
 * a mixed radix, the axis index determines the coordinates, and these are replaced in mask and value by its quotients
 * and remainders. What had to be assumed is listed, each with its reason. */
#ifndef ASSAY_LIFT_RECOVER_H
#define ASSAY_LIFT_RECOVER_H

#include "execute/execute.h"
#include "lift/pointwise.h"

typedef struct Assumption {
  const char *kind, *why, *limit; /* limit may be NULL */
  Term condition;                 /* what is assumed */
  const char *text;
} Assumption;

typedef enum ObligationKind { OBLIGATION_BOUNDS, OBLIGATION_RACE, OBLIGATION_COVERAGE, OBLIGATION_OVERFLOW,
                              OBLIGATION_UNDEFINED, OBLIGATION_DIVISION, OBLIGATION_ALIAS } ObligationKind;

enum { OBLIGATION_PROVED, OBLIGATION_REFUTED, OBLIGATION_UNKNOWN };

typedef struct Obligation {
  ObligationKind kind;
  int verdict; /* OBLIGATION_PROVED, _REFUTED, _UNKNOWN */
  OpId op;
  const char *tensor, *detail;
  const char *under[4]; /* kinds of assumptions it rests on; NULL-terminated if fewer */
} Obligation;

typedef struct Recovery {
  Execution *ex;
  Pointwise *pointwise; /* NULL if the run stopped */
  Array(Assumption) assumptions;
  Array(Obligation) obligations;
  const char *stop_code, *stop_text;
} Recovery;

Recovery *recover_views(Arena *arena, Execution *ex);

#endif
