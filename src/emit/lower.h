/* Lowering, shared by lower.c (terms without folds) and lower_fold.c.
 *
 * Every index symbol is an axis. A value is a node together with the axes that its dimensions stand for; values meet
 * by being aligned to a common order of axes, as einsum does with letters. */
#ifndef ASSAY_EMIT_LOWER_H
#define ASSAY_EMIT_LOWER_H

#include "emit/array.h"

enum { VALUE_AXES = 16, AXIS_LIMIT = 64 };
#define NO_LOOP UINT32_MAX

typedef uint64_t AxisSet;

typedef struct Axis {
  Term symbol;
  Term lo, hi;           /* over sizes; hi 0: known only when the module runs */
  Node lo_node, hi_node; /* 0: not made yet */
  uint32_t order;        /* outer axes first */
  uint32_t loop;         /* the axis runs in chunks of this loop, or NO_LOOP */
} Axis;

typedef struct Value {
  Node node;
  uint8_t count, axes[VALUE_AXES];
} Value;

typedef struct State { /* a value that a recurrence carries */
  Term symbol;
  AxisSet axes;         /* along which it differs from one element to the next, beside its own lanes */
  Node node;            /* of an array: all its elements, first along `axes`, then along its lanes; 0: no array */
  uint32_t count, rank; /* of index terms: those of `axes`, and of all */
  Term index[VALUE_AXES],
      extent[VALUE_AXES]; /* extents of all; index terms of the axes, to which a read adds its own */
} State;

typedef struct Made { /* a recurrence of arrays, of which any element may be asked for */
  Term recur;
  uint32_t state; /* its value after all steps, in Lower.states */
} Made;

typedef struct Lower {
  const Pointwise *p;
  TermTable *tt;
  Arena *arena;
  ArrayProgram *program;
  Array(Axis) axes;
  Array(State) states;
  Array(Made) made;
  Value *memo; /* by term */
  uint32_t memo_count;
  uint32_t depth;  /* open folds, beyond the output's indices */
  uint32_t exact;  /* > 0: integers are made of any size, and nothing is remembered */
  uint8_t *widths; /* by term: 0 not known, else 1 + whether it leaves 64 bits (lower_wide.c) */
  uint32_t width_count;
  LowerTarget target;
  bool is_opaque;
} Lower;

/* sum <= 0 as left <= right, where what rounds is to stand by itself: whole numbers beside floats, an extremum. */
bool lower_split_sides(TermTable *tt, Term sum, Term *left, Term *right);

/* ---- lower_wide.c ---- */
/* True if t passes through numbers that 64 bits do not hold, such as an unsigned reading. */
bool lower_is_wide(Lower *lower, Term t);
/* True if this sum or number leaves them itself. */
bool lower_leaves_64_bits(TermTable *tt, Term t);
/* What is computed from its parts, and not looked up, counted or compared. */
bool lower_is_arithmetic(const TermTable *tt, Term t);
/* Its value, of any size on the way; `narrow`: in 64 bits again, or in floats where it does not fit. */
Value lower_exactly(Lower *lower, Term t, bool narrow);

/* ---- lower.c ---- */
Value lower_term(Lower *lower, Term t);
Value lower_select(Lower *lower, Value mask, Value a, Value b);
/* The operation on values aligned to each other. */
Value lower_elementwise(Lower *lower, ArrayMake make, uint32_t count, const Value *values);
Value lower_number(Lower *lower, Rational r);
Value lower_text(Lower *lower, const char *number); /* inf, nan, 2**63 */
Node lower_transposed(Lower *lower, Value value, uint32_t count, const uint8_t *axes);
Node lower_axis_end(Lower *lower, uint32_t axis, bool high); /* its lo or hi */
uint32_t lower_axis_find(const Lower *lower, Term symbol);   /* UINT32_MAX: not an axis */
uint32_t lower_axis_add(Lower *lower, Axis axis);
AxisSet lower_axes(Lower *lower, Term t); /* axes that occur free in t */
static inline bool value_has(const Value *value, uint32_t axis) {
  for (uint32_t i = 0; i < value->count; i++)
    if (value->axes[i] == axis) return true;
  return false;
}

/* The element of the array that a recurrence carries, at the index terms along its lanes. */
Value lower_element(Lower *lower, const State *state, const Term *lanes);
void lower_remember(Lower *lower, Term t, Value value);                             /* what stands for t */
Node lower_aligned(Lower *lower, Value value, uint32_t count, const uint8_t *axes); /* broadcasts against these axes */

/* ---- lower_fold.c ---- */
/* A maximum or minimum of f(lo - 1) and the one of f over lo, .. is one over both, as the loop had it that began with
 * its first element. t itself: it is none. */
Term lower_joined(TermTable *tt, Term t);
/* sum[lo <= s < hi](prod[s < u < hi](a[u]) * x[s]) as the recurrence state = a[u] * state + x[u], in as many steps as
 * there are elements rather than pairs of them; likewise sum[s < hi](prod[hi - s <= u < hi](a[u]) * x[s]) and
 * sum[s < hi](prod[u < s](a[u]) * x[s]), whose last element comes first. t itself: it is none. */
Term lower_stepwise(TermTable *tt, Term t);
Value lower_fold(Lower *lower, Term t);
Node lower_largest(Lower *lower, Term t); /* the largest value of an integer over all indices */

/* ---- lower_recur.c ---- */
Value lower_recur(Lower *lower, Term t);

#endif
