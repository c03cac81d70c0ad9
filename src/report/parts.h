/* Names for the parts of formulas that are too long for a line: what an editor of a printed text would do.
 *
 * Only the text for a person is set so; JSON and stages have the formulas as they are. */
#ifndef ASSAY_REPORT_PARTS_H
#define ASSAY_REPORT_PARTS_H

#include "base/text.h"

enum { PARTS_MOST = 8, PARTS_LINE = 160, PARTS_CUT = 640 };

typedef struct Part {
  const char *name, *text;
} Part;

typedef struct Parts {
  Array(const char *) formulas; /* in: as they are; out: with names for parts */
  Array(uint32_t) before;       /* characters that stand before each formula on its line */
  uint32_t most;                /* lines for parts */
  int only_long;     /* formulas that fit their lines are left as they are, whatever the others share with them */
  Array(Part) parts; /* out: in the order in which they are first used */
} Parts;

/* Parts that occur more than once get a name if a line is longer than PARTS_LINE, and large ones until it is not. Texts
 * that are no formulas are left as they are. */
void parts_name(Arena *arena, Parts *parts);

#endif
