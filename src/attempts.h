/* What is tried again, and why: the one place where a result decides how an input is looked at next. */
#ifndef ASSAY_ATTEMPTS_H
#define ASSAY_ATTEMPTS_H

#include "lift/recover.h"
#include "operation/kernel.h"
#include "report/types.h"

/* How an operation is lifted. */
typedef struct Attempt {
  const Operation *operation;
  const Options *options;
  Reading reading;
  bool searches;       /* formulas are searched for (search/search.h) */
  bool proposes;       /* ... for the first time, and nobody has asked for it */
  const char *gave_up; /* why they are not, though that was asked for; or NULL */
  bool is_carried, is_flat, is_counted, is_divisible, is_searched; /* what was tried */
  uint32_t asked;                                                  /* ... of what the launch says */
  uint64_t needed;                                                 /* signs of arguments that are, by number */
  uint32_t width;                                                  /* of the signs that are waived next; 0: half */
  bool is_weaker;                                                  /* it differs by what is not assumed */
  Relation related;                                                /* ... the furthest of these */
} Attempt;

/* One lift of an operation, and the execution of its first launch, if it came to that. */
typedef Report *LiftFunction(Arena *arena, const Attempt *attempt, DiagnosticList *diagnostics, const Effects **ex);

/* The report that says most, of as many attempts as there are reasons for. A limit that is reached in one after the
 * first ends that one alone: the report of those before it stands. */
Report *attempts_make(Arena *arena, const Operation *operation, const Options *options, LiftFunction *lift,
                      DiagnosticList *diagnostics);
/* The formula is searched for, where the attempt does, and what is found takes the place of what was deduced. false:
 * the attempt was made for that alone, and ends here. */
bool attempts_search(Report *report, const Attempt *attempt, Claim *claim);
/* True if the kernel is to be executed once more after that claim. `kernel` is changed for it. */
bool attempts_of_kernel(Arena *arena, Kernel *kernel, const Claim *claim);

#endif
