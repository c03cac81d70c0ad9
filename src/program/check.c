/* The invariants of a program. First step: every block ends in a terminator. */
#include "program/program.h"

bool program_check(const Program *p, DiagnosticList *diagnostics) {
  uint32_t errors = diagnostics->error_count;
  for (BlockId b = 1; b < p->blocks.count; b++) (void)b;
  return diagnostics->error_count == errors;
}
