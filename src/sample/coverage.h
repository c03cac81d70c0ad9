/* What launches that were compared reached of a kernel.
 *
 * Agreement is evidence only of what was run: of a loop that never got to its third iteration a wrong step may not
 * show, nor in an arm that no launch took. So the text of `probable` says what was not reached (semantics.md,
 * section 8). */
#ifndef ASSAY_SAMPLE_COVERAGE_H
#define ASSAY_SAMPLE_COVERAGE_H

#include "lift/recover.h"
#include "program/interpret.h"

typedef struct Coverage {
  const Effects *ex;
  uint32_t *ops; /* as InterpretResult has it, of all launches */
  int32_t programs[3];
} Coverage;

Coverage coverage_new(Arena *arena, const Effects *ex);
void coverage_add(Coverage *c, const int32_t grid[3], const InterpretResult *run);

/* "three iterations of the loop at k.py:12 (most: 1), the arm at k.py:20": loops whose bounds are no numbers, arms, and
 * axes of the grid with fewer than three programs. NULL: nothing is missing. */
const char *coverage_missing(Arena *arena, const Coverage *c);

#endif
