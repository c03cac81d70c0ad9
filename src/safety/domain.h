/* Where terms have values: signs, domains of operators, infinities; for all finite inputs, under the facts at hand. */
#ifndef ASSAY_SAFETY_DOMAIN_H
#define ASSAY_SAFETY_DOMAIN_H

#include "safety/obligations_internal.h"

enum { DOMAIN_MOST_STEPS = 40000 };

typedef struct DomainRecurrence { /* a recurrence in whose step one is */
  const RecurParts *parts;
  const struct DomainRecurrence *outer;
} DomainRecurrence;

typedef struct Domain {
  Safety *s;
  TermTable *tt;
  uint32_t steps, guards; /* guards: of how many the sign at hand makes use */
  Term culprit;           /* the first term that may be undefined */
  const char *why;
  bool skips_open; /* lanes that no load defined are asked about elsewhere */
  bool assumes_nothing;
  const Pointwise *tensors; /* that are read (see definedness.c), or NULL */
  bool trusts_inputs;       /* what is read lies in the domain of every operator that takes it */
  bool has_inner;           /* see Parts */
  Term indices[4];          /* names for those of folds around a part */
  uint32_t choices;         /* of the selects around, those that inputs decide */
  const DomainRecurrence *recurrences;
} Domain;

/* A number or an infinity. What is not shown is the culprit. */
bool domain_is_defined(Domain *d, Term t);
/* Given that t is defined: not an infinity; not the infinity of that sign. */
bool domain_is_finite(Domain *d, Term t);
bool domain_is_never(Domain *d, Term t, int sign);
bool domain_is_nonzero(Domain *d, Term t);
bool domain_trusts_divisors(const Domain *d);
bool domain_is_positive(Domain *d, Term t, bool strictly); /* > 0, or >= 0 */
/* false. Says why a term may be undefined, if nothing was said before. */
bool domain_blame(Domain *d, Term t, const char *why);

/* Pushes the condition of a select, or its negation, and what follows; that a number is a NaN is no alternative.
 * false: it is never so, and then all is true of that side. */
bool domain_assume(Domain *d, Term condition);

/* True if there is no case of the condition, under the facts at hand. */
bool domain_is_impossible(Domain *d, Term c);

typedef struct DomainFold { /* a fold at one of its indices */
  FoldParts parts;
  uint32_t facts;
  bool empty; /* known to have no index: then all is true of its elements */
} DomainFold;

/* The facts of its index are pushed, and popped again. */
DomainFold domain_open_fold(Domain *d, Term fold);
void domain_close_fold(Domain *d, const DomainFold *o);
bool domain_guard_at(Domain *d, const FoldParts *p, Term index); /* true if this is one of its indices */
bool domain_is_nonempty(Domain *d, Term fold);
void domain_push_nonempty(TermTable *tt, Term fold); /* as a fact */
Term domain_join(TermTable *tt, Term t); /* ranges of folds that adjoin as one: what has an element may be seen then */

#endif
