/* Kinds of assumptions and of obligations, and the codes of reasons. Each table is a file of its own: a row is a
 * constant, its name in the JSON (interface.md, section 4), and a sentence. */
#ifndef ASSAY_BASE_KINDS_H
#define ASSAY_BASE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum AssumptionKind {
#define ASSUMPTION(constant, name, sentence) ASSUME_##constant,
#include "base/assumption_kinds.def"
#undef ASSUMPTION
} AssumptionKind;

typedef enum ObligationKind {
#define OBLIGATION(constant, name, sentence) OBLIGATION_##constant,
#include "base/obligation_kinds.def"
#undef OBLIGATION
} ObligationKind;

enum {
#define OBLIGATION(constant, name, sentence) +1
  OBLIGATION_KIND_COUNT = 0
#include "base/obligation_kinds.def"
#undef OBLIGATION
};

typedef enum ReasonCode {
  REASON_NONE = 0,
#define REASON(constant, name, sentence) REASON_##constant,
#include "base/reasons.def"
#undef REASON
} ReasonCode;

const char *assumption_name(AssumptionKind kind);
const char *obligation_name(ObligationKind kind);
/* The kind of that name, which has `size` characters; false: there is none. */
bool obligation_find(const char *name, size_t size, ObligationKind *kind);
/* NULL: no reason. */
const char *reason_name(ReasonCode code);
/* What the code means, without the details of a case. */
const char *reason_sentence(ReasonCode code);

#endif
