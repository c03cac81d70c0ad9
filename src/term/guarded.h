/* Work on terms inside a callback of the e-graph, which no jump may leave.
 *
 * What is too large for some limit has no result, and `result` stays as it was. Out of time or memory is noted in
 * `threw`, and ends whatever asked for the work once the callback has returned; until then nothing more is done. */
#ifndef ASSAY_TERM_GUARDED_H
#define ASSAY_TERM_GUARDED_H

#include <setjmp.h>
#include <string.h>

#include "term/term.h"

#define TERM_GUARDED(tt, threw, result, work)                                                                          \
  do {                                                                                                                 \
    Guard *guard_ = (tt)->arena->guard;                                                                                \
    jmp_buf outer_;                                                                                                    \
    if (threw) break;                                                                                                  \
    const TermUnfinished before_ = term_remember(tt);                                                                  \
    memcpy(&outer_, &guard_->escape, sizeof outer_);                                                                   \
    if (!setjmp(guard_->escape))                                                                                       \
      (result) = (work);                                                                                               \
    else {                                                                                                             \
      term_take_back(tt, before_);                                                                                     \
      (threw) = guard_->reason != GUARD_LIMIT;                                                                         \
      if (!(threw)) guard_->reason = GUARD_NONE;                                                                       \
    }                                                                                                                  \
    memcpy(&guard_->escape, &outer_, sizeof outer_);                                                                   \
  } while (0)

#endif
