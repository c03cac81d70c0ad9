/* Between the files of the loop closer: one loop, its carried values, and the solving of their recurrences. */
#ifndef ASSAY_EXECUTE_LOOP_H
#define ASSAY_EXECUTE_LOOP_H

#include "execute/contents.h"

enum { MAX_CARRIED = 48 };

typedef struct Carried {
  Term symbol;             /* CARRY */
  Term self;               /* READ(symbol, lanes) */
  Term init, next, closed; /* closed: over t and the lanes; 0: not solved */
  Term step;               /* next as the body gave it, over the carried values: for the record */
  Term made_again; /* step as it looks in the next of another value, which is made again within the ranges of its folds
                    */
  Term following;  /* CARRY that stands for the value after the step; 0: not needed yet */
  Term base;       /* tensor of a pointer, else 0 */
  Term content;    /* the tensor of which this is the content, over its place lanes[0]; else 0 */
  bool is_array;   /* of a function's own, over its indices lanes[0..rank) */
  uint32_t rank;
  Term lanes[TYPE_MAX_RANK];
  ValueId arg;
  uint32_t place; /* of arg among the loop's arguments */
  Term block;     /* of a block pointer: the initial one; the carried value is its offset along dimension `part` */
  uint32_t part;
  Term
      last; /* the step that ends a loop by a flag, where steps before it do something else; 0: they do not (flags.c) */
  Term undefined; /* of next: where it is undefined (undefined.c) */
  uint32_t is;    /* SYMBOL_IS_*: assumed at the start of an iteration, shown of init and of next */
} Carried;

typedef struct Loop {
  Machine *ex;
  TermTable *tt;
  Term t, trips, steps; /* trips = max(steps, 0) */
  Carried carried[MAX_CARRIED];
  uint32_t count;
  OpId op;                  /* of a while */
  bool may_recur;           /* values without a closed form may stand as recurrences; else the loop is unrolled */
  bool is_scan;             /* or a reduction, along its axis */
  bool begins_with_element; /* of a scan of places: the initial values are those of a step before the first */
  Content *contents[CONTENTS_MOST]; /* that the body stores to */
  uint32_t content_count;
  uint32_t first_access; /* of those of the body */
  SumRecord coupled;     /* n = 0: none; part and sum over the counter */
} Loop;

/* What is known of the number t: SYMBOL_IS_NUMBER and SYMBOL_IS_FINITE, or less. */
uint32_t loop_kind_of_number(TermTable *tt, Term t);
void loop_take_apart(Loop *loop, Carried *c, Term *value);
void loop_put_together(Loop *loop);
/* t with every solved carried value replaced by its closed form. */
Term loop_with_closed(Loop *loop, Term t);
static inline bool loop_mentions(const Loop *loop, Term t, uint32_t i) {
  return term_has_symbol(loop->tt, t, loop->carried[i].symbol);
}
/* coupled.c: closes values that divide by each other (Welford's mean and variance) through sums; leaves the others. */
void loop_solve_coupled(Loop *loop);
/* A closed form after the last step. */
Term loop_at_end(Loop *loop, Term closed);
/* After the trips are known: records of what loop_solve_coupled closed. */
void loop_record_sums(Loop *loop);
/* op[j < hi](f(j)) where guard(j); f and guard given over the counter. */
Term loop_fold_steps(Loop *loop, TermFoldOp op, Term f, Term hi, Term guard);
/* places.c: the content of a tensor in closed form; 0: none is known. */
Term loop_solve_content(Loop *loop, uint32_t i);
/* Reads, in `next`, of elements that no step stores: they are what they were at first. */
void loop_read_untouched(Loop *loop, uint32_t i);
void loop_read_ahead(Loop *loop, uint32_t i);
/* The step with what holds in each that is done, where the carried value has places. */
void loop_decide_places(Loop *loop, uint32_t i);
/* The sum over hi steps of where(g, f, 0) where a place determines the step; 0: it does not. */
Term loop_sum_at_place(Loop *loop, Term f, Term hi);
/* recurrence.c: fills `closed` of every carried value from `next`; false: one has no closed form that is known. */
bool loop_solve(Loop *loop);
/* The closed form of a value that depends on no other one; 0: none is known. */
Term loop_solve_alone(Loop *loop, uint32_t i);
/* propose.c: closed forms of the two values that are left, read off a few steps; how many it closed. */
uint32_t loop_propose(Loop *loop);
/* All values as one recurrence, which is gone through once. */
bool loop_solve_as_one(Loop *loop);

/* search.c: how many iterations a loop makes that goes on while the condition holds, over the counter; at most 0: none.
 * 0: not known. */
Term loop_find_end(Loop *loop, Term condition);

/* flags.c: takes it for granted that a step is done and, of all but the last, that it keeps the flags (`bools`: those
 * too that are no numbers). The condition over what is carried then. */
Term loop_find_flags(Loop *loop, Term condition, bool bools);
/* What t, over the carried values, is after the loop. */
Term loop_after(Loop *loop, Term t);

/* measure.c: a bound on the number of iterations, over the values before the loop; 0: not known. The invariant: bounds
 * on what is carried. */
Term loop_bound_steps(Loop *loop, Term condition, Term *invariant);

/* reroll.c: the operations of one iteration of a scf.for. */
typedef struct LoopBody {
  const Op *op;
  uint32_t count; /* of operations, `advance` and the terminator apart */
  OpId advance;   /* of a body that is two iterations, the first of which is this: moves the counter for the second; 0:
                     none */
  const ValueId *yields; /* carried values after one iteration */
} LoopBody;

/* `single`: the step of one iteration; half of `step` if the body is two. */
LoopBody loop_body_of(Machine *ex, const Op *op, Term step, Term *single);
/* The same operations on the same operands, the loops' own arguments and results apart. */
bool loop_same_body(Machine *ex, const LoopBody *x, const LoopBody *y);
void loop_run_body(Machine *ex, const LoopBody *body, Term iv, uint32_t count, Term *values);

#endif
