/* Looks for a launch that meets all that is assumed. A claim that speaks of none is worth nothing, whatever is proved.
 * Sizes and scalars are drawn as for random evaluation, which may have met fewer assumptions than there are at
 * last. */
#include "sample/sample_internal.h"

enum { DRAWS = 5 };

bool sample_meets_all(Arena *arena, const Claim *claim) {
  Sampler s = {.arena = arena,
               .program = claim->ex->program,
               .function = claim->ex->function,
               .recovery = claim,
               .ex = claim->ex,
               .pointwise = claim->pointwise,
               .tt = claim->ex->tt};
  const char *why = NULL;
  if (!sample_prepare(&s, &why)) return false;
  for (s.trial = 0; s.trial < DRAWS; s.trial++)
    if (sample_draw_launch(&s)) return true;
  return false;
}
