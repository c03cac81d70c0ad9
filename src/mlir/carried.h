/* What a loop carries from one iteration to the next, and its closed form (carried.c). */
#ifndef ASSAY_MLIR_CARRIED_H
#define ASSAY_MLIR_CARRIED_H

#include "mlir/internal.h"

enum { CARRIED_WRITES = 64, MOST_VARIABLES = 32 };

typedef struct Carried {
  uint32_t rank;         /* number of places: 0 of a scalar, 2 of memory (block and place) */
  Term place[MLIR_RANK]; /* the symbols that writes are over */
  Term value, poison;    /* symbols that are READ at a place for what it holds before an iteration */
  TypeId element;
  bool is_bool;
  bool is_clean;           /* no iteration finds poison there */
  Cell init;               /* before the loop, over the places; of memory: `space` has it */
  const MlirSpace *space;  /* NULL: it is no memory */
  Array(MlirWrite) writes; /* of one iteration, over counter and places */
  Array(MlirWrite) done;   /* after `steps` iterations */
  bool is_recurrence;      /* so it is solved */
  bool is_solved, is_open; /* open: it stands for itself while others are put in */
} Carried;

typedef struct Loop {
  Mlir *m;
  Term counter, trips; /* the counter runs over [0, trips) */
  Term steps;          /* a symbol in [0, trips], which closed forms are over */
  bool is_parallel, may_race;
  bool is_reduction;       /* its variables are combined in any order */
  bool is_clean, is_dirty; /* memory without poison is taken to stay so; found: it does not */
  Carried *carried;
  uint32_t count;
} Loop;

/* The body of one iteration, whose variables are then `yielded`. */
typedef bool LoopBody(Mlir *m, const Op *op, Term iteration, const MlirValue *variables, void *payload);

typedef struct LoopSpec {
  const Op *op;
  Term trips;
  uint32_t count; /* of variables */
  MlirValue init[MOST_VARIABLES];
  LoopBody *body;
  void *payload;
  bool is_parallel, is_reduction;
} LoopSpec;

/* loops.c: the variables after all iterations. */
bool mlir_run_loop(Mlir *m, const LoopSpec *s, MlirValue *out);

/* What stands for a place before an iteration. */
Cell carried_read(TermTable *tt, const Carried *c, const Term *place);
/* Closed forms of all, in `done`; false: not found. */
bool carried_close(Loop *l);
/* The guard of a write after all iterations, as simple as it is; a recurrence of no step writes what was there. */
Term carried_guard(Loop *l, const Carried *c, Term guard);
/* The place after that many iterations. */
Cell carried_after(Loop *l, const Carried *c, const Term *place, Term steps);
/* What is read of carried values, put in; `own`: stays. false: of one that is not closed. */
bool carried_resolve(Loop *l, const Carried *own, Term *t);

#endif
