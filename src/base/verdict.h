/* The five verdicts, and their names in texts and JSON (interface.md, section 2). */
#ifndef ASSAY_BASE_VERDICT_H
#define ASSAY_BASE_VERDICT_H

typedef enum Verdict {
  VERDICT_NONE = 0,
  VERDICT_PROVED,
  VERDICT_REFUTED,
  VERDICT_BOUNDED,
  VERDICT_PROBABLE,
  VERDICT_UNKNOWN
} Verdict;

/* "proved", .. */
const char *verdict_name(Verdict verdict);

/* The worse of two: proved < bounded < probable < unknown < refuted. */
Verdict verdict_worse(Verdict a, Verdict b);

#endif
