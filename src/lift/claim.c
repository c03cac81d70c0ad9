/* What a claim assumes (see claim.h). */
#include "lift/claim.h"

#include "base/message.h"

uint32_t claim_assume(Arena *arena, Claim *claim, Assumption a) {
  for (uint32_t i = 0; i < claim->assumptions.count; i++) {
    Assumption *known = &claim->assumptions.data[i];
    if (message_compare(known->text, a.text) || known->is_sentence != a.is_sentence) continue;
    bool both = known->condition && a.condition;
    if (a.condition) known->condition = both ? term_and(claim->tt, known->condition, a.condition) : a.condition;
    return i;
  }
  array_push(arena, &claim->assumptions, a);
  return claim->assumptions.count - 1;
}
