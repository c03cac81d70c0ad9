/* What tests of terms begin with: a table in an arena of its own, made anew by each test, its symbols, and dice.
 * It comes first in a file: cmocka wants what stands before it. */
#ifndef ASSAY_TESTS_TERM_TABLE_H
#define ASSAY_TESTS_TERM_TABLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "term/term.h"

static Guard guard;
static Arena arena;
static InternTable names;
static TermTable *tt;
static Random dice;

static inline int table_open(void **state) {
  (void)state;
  guard_init(&guard, 0, 0);
  arena_init(&arena, &guard);
  intern_init(&names, &arena);
  tt = term_table_new(&arena, &names);
  return 0;
}

static inline int table_close(void **state) {
  (void)state;
  arena_destroy(&arena);
  return 0;
}

static inline Term symbol(const char *name, TermSort sort, SymbolRole role) {
  return term_symbol_new(tt, intern_text(&names, name), sort, role);
}
static inline Term integer(const char *name, SymbolRole role, Term lo, Term hi) {
  return term_symbol_range(tt, symbol(name, SORT_INT, role), lo, hi);
}

/* An index of folds, from lo to below hi. */
static inline Term index_in(Term lo, Term hi) {
  return term_symbol_range(tt, term_symbol_fresh(tt, "k", SORT_INT, SYMBOL_INDEX), lo, term_sub(tt, hi, tt->one));
}
static inline Term literal(int64_t k) { return term_int(tt, k); }
static inline Term read_at(Term tensor, Term index) { return term_read(tt, tensor, term_sort(tt, tensor), 1, &index); }

static inline int64_t roll(int64_t lo, int64_t hi) {
  return lo + (int64_t)random_below(&dice, (uint64_t)(hi - lo + 1));
}

/* Two terms have one value at every n from `least` to below `end`: the same, or within 1e-9 of it wherever the first is
 * finite. */
static inline void assert_same_values(Term t, Term u, Term n, int64_t least, int64_t end, bool exact,
                                      TermReadElement read, void *payload) {
  Arena *scratch = arena_new_child(&arena);
  TermEval *eval = term_eval_new(tt, scratch, read, payload);
  for (int64_t size = least; size < end; size++) {
    term_eval_set(eval, n, (TermValue){(double)size, size});
    double a = term_eval(eval, t).real, b = term_eval(eval, u).real;
    bool same = exact ? a == b || (isnan(a) && isnan(b)) : !isfinite(a) || fabs(a - b) <= 1e-9 * fmax(1, fabs(a));
    if (!same) fail_msg("%s\n is not %s\n at n = %d: %g, %g", term_text(tt, t), term_text(tt, u), (int)size, a, b);
  }
  arena_destroy(scratch);
}

#endif
