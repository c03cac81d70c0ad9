/* Terms as messages in the words of the source: what messages, assumptions and witnesses print.
 *
 * A lane is said by the variable that holds it (`rows` for 8*pid_x + lane), else as the source writes it,
 * `arange(0, 16)`; an iteration by the loop's variable; coordinates of lifting by what they were made of. */
#ifndef ASSAY_LIFT_SOURCE_TEXT_H
#define ASSAY_LIFT_SOURCE_TEXT_H

#include "execute/effects.h"
#include "lift/claim.h"

/* `at`: the operation that the message is about, whose operands tell which variables are meant; 0: none. `claim`: whose
 * execution t is of; NULL: of none. A text that would be very long has `..` for its deepest parts. */
const char *source_text(TermTable *tt, const Claim *claim, OpId at, Term t);

/* A value that a loop carries, by its variable. */
const char *source_carried(const Effects *ex, const LoopValue *v);
/* What it is after one iteration, or, closed, before the one of that number, `iteration`. */
const char *source_text_in_loop(const Claim *claim, const LoopRecord *loop, const LoopValue *of, bool is_closed,
                                Term t);

#endif
