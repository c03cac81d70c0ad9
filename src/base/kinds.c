/* The names and sentences of kinds and reasons, from the tables in base/assumption_kinds.def, base/obligation_kinds.def
 * and base/reasons.def. A kind is compared as an enum everywhere; its name is only printed, and read from the options
 * --strict and --allow. */
#include "base/kinds.h"

#include <string.h>

const char *assumption_name(AssumptionKind kind) {
  static const char *const names[] = {
#define ASSUMPTION(constant, name, sentence) name,
#include "base/assumption_kinds.def"
#undef ASSUMPTION
  };
  return names[kind];
}

static const char *const obligation_names[] = {
#define OBLIGATION(constant, name, sentence) name,
#include "base/obligation_kinds.def"
#undef OBLIGATION
};

const char *obligation_name(ObligationKind kind) { return obligation_names[kind]; }

bool obligation_find(const char *name, size_t size, ObligationKind *kind) {
  for (size_t i = 0; i < OBLIGATION_KIND_COUNT; i++) {
    if (strlen(obligation_names[i]) != size || strncmp(obligation_names[i], name, size)) continue;
    *kind = (ObligationKind)i;
    return true;
  }
  return false;
}

static const struct {
  const char *name, *sentence;
} reasons[] = {
    {NULL, NULL},
#define REASON(constant, name, sentence) {name, sentence},
#include "base/reasons.def"
#undef REASON
};

const char *reason_name(ReasonCode code) { return reasons[code].name; }

const char *reason_sentence(ReasonCode code) { return reasons[code].sentence; }
