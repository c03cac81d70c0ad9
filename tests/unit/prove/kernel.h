/* What tests of whole kernels begin with: a kernel as text, executed and lifted, in an arena of its own.
 * It comes first in a file: cmocka wants what stands before it. */
#ifndef ASSAY_TESTS_PROVE_KERNEL_H
#define ASSAY_TESTS_PROVE_KERNEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lift/recover.h"
#include "read/mlir/read.h"

typedef struct Kernel {
  Guard guard;
  Arena arena;
  InternTable names;
  const Program *program;
  const Function *function;
  Claim *recovery;
} Kernel;

static Kernel kernel;

static inline Claim *recovery_of(Arena *arena, InternTable *names, const char *text) {
  DiagnosticList diagnostics;
  diagnostic_list_init(&diagnostics, arena);
  Program *program = read_triton(arena, names, source_new(arena, "test.ttir", text, strlen(text)), &diagnostics);
  assert_non_null(program);
  return recover_views(arena, execute_function(arena, term_table_new(arena, names), program,
                                               &program->functions.data[0], (ExecuteOptions){0}));
}

/* It may have stopped on the way. */
static inline void kernel_open(const char *text) {
  guard_init(&kernel.guard, 0, 0);
  arena_init(&kernel.arena, &kernel.guard);
  intern_init(&kernel.names, &kernel.arena);
  kernel.recovery = recovery_of(&kernel.arena, &kernel.names, text);
  kernel.program = kernel.recovery->ex->program, kernel.function = kernel.recovery->ex->function;
}

static inline void kernel_open_whole(const char *text) {
  kernel_open(text);
  assert_null(kernel.recovery->stop_code);
}

static inline void kernel_close(void) { arena_destroy(&kernel.arena); }

#endif
