/* What tests of formulas begin with: a table and diagnostics of their own.
 * It comes first in a file: cmocka wants what stands before it. */
#ifndef ASSAY_TESTS_FORMULA_FIXTURE_H
#define ASSAY_TESTS_FORMULA_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read/formula/formula.h"

typedef struct Fixture {
  Guard guard;
  Arena arena;
  InternTable names;
  TermTable *tt;
  DiagnosticList diagnostics;
} Fixture;

static Fixture fixtures[4]; /* one inside another */
static int fixture_count;

static inline Fixture *begin(void) {
  assert_in_range(fixture_count, 0, 3);
  Fixture *f = &fixtures[fixture_count++];
  memset(f, 0, sizeof *f);
  guard_init(&f->guard, 0, 0);
  arena_init(&f->arena, &f->guard);
  intern_init(&f->names, &f->arena);
  f->tt = term_table_new(&f->arena, &f->names);
  diagnostic_list_init(&f->diagnostics, &f->arena);
  return f;
}

/* Declares f. What the guard throws lands here, in the function that is running still. */
#define BEGIN(f)                                                                                                       \
  Fixture *f = begin();                                                                                                \
  if (setjmp(f->guard.escape)) fail_msg("%s", f->guard.message)

static inline void end(Fixture *f) {
  arena_destroy(&f->arena);
  fixture_count--;
}

#endif
