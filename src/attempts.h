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
  bool is_carried, is_flat, is_counted, is_divisible, is_searched; /* what attempts_of_operation has tried */
  uint32_t asked;                                                  /* ... of what the launch says */
  uint32_t waived;                                                 /* ... the signs of arguments before this one */
  bool is_weaker;                                                  /* it differs by what is not assumed */
  Relation related;                                                /* ... the furthest of these */
} Attempt;

Attempt attempts_first(const Operation *operation, const Options *options);
/* The formula is searched for, where the attempt does, and what is found takes the place of what was deduced. false:
 * the attempt was made for that alone, and ends here. */
bool attempts_search(Report *report, const Attempt *attempt, Claim *claim);
/* True if the kernel is to be executed once more after that claim. `kernel` is changed for it. */
bool attempts_of_kernel(Arena *arena, Kernel *kernel, const Claim *claim);
/* Another attempt than `last`, which gave `report`, with that execution; false: there is none. */
bool attempts_of_operation(const Attempt *last, const Report *report, const Effects *ex, Attempt *next);
/* `next`, the attempt after `last`, which gave `best`, was made and gave `again`; NULL: errors. The report that says
 * more is kept, with what the attempt took if it is the new one, and it is not made again. */
Report *attempts_better(Attempt *last, const Attempt *next, Report *best, Report *again);

#endif
