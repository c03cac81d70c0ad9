/* SMT: one goal in SMT-LIB 2, answered in a child process under hard limits.
 *
 * A goal is a script of declarations, definitions and assertions with at most one `(check-sat)`, at the end.
 * `unsat` is a proof that the assertions contradict each other, `sat` comes with a model; anything else is
 * `unknown` with the reason. Division by zero has an arbitrary value, as in SMT-LIB.
 *
 * The parent never loads the solver and never waits longer than the time limit: the child is killed. Nothing
 * here throws on the solver's behalf; only the arena's own limits go to its guard, and never while a child or
 * a descriptor is in hand. Different threads may solve at once, each with its own arena and session. */
#ifndef ASSAY_SOLVE_SMT_H
#define ASSAY_SOLVE_SMT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/rational.h"

typedef enum SmtAnswer { SMT_UNKNOWN, SMT_UNSAT, SMT_SAT } SmtAnswer;

typedef enum SmtReason {
  SMT_REASON_NONE,       /* the answer is not unknown */
  SMT_REASON_TIMEOUT,    /* the time limit ended every route */
  SMT_REASON_MEMORY,     /* the memory limit did */
  SMT_REASON_CRASH,      /* the child ended by itself */
  SMT_REASON_NO_SOLVER,  /* no usable library, or built without its header */
  SMT_REASON_INCOMPLETE, /* the solver gave up */
  SMT_REASON_INPUT,      /* not a goal as described above; `detail` says where */
} SmtReason;

/* AUTO tries several of the others, by the sorts that the goal uses. */
typedef enum SmtRoute {
  SMT_ROUTE_AUTO,
  SMT_ROUTE_QFNRA,      /* nonlinear real tactic; functions are not its own, so its `sat` needs a checked model */
  SMT_ROUTE_SIMPLE,     /* Z3_mk_simple_solver */
  SMT_ROUTE_DEFAULT,    /* Z3_mk_solver */
  SMT_ROUTE_LOGIC,      /* the tactic made for bit-vectors and floating point */
  SMT_ROUTE_QUANTIFIED, /* the tactic made for integers and functions under quantifiers; never by itself */
  SMT_ROUTE_COUNT,
} SmtRoute;

/* A step on the goal before the solver; a certificate records it with the text that was sent. */
typedef enum SmtStep {
  SMT_STEP_NONE,
  /* Quantified assertions were replaced by instances of them: `unsat` still holds, `sat` does not. */
  SMT_STEP_INSTANTIATE,
  SMT_STEP_INSTANTIATE_WIDER, /* more of them */
  /* Operands of commutative operations were put in one order: equivalent. */
  SMT_STEP_COMMUTE,
  SMT_STEP_COUNT,
} SmtStep;

/* A worker that is kept warm between goals. Zero it before first use; close it when done. */
typedef struct SmtSession {
  int pid, fd, owner; /* pid 0: none; owner: the process that started it */
  bool warm;          /* has already answered a goal */
  size_t memory_bytes;
} SmtSession;

typedef struct SmtOptions {
  double timeout_seconds; /* wall clock for the whole goal; 0: 5 s */
  uint32_t effort; /* of each attempt, in Z3's own steps (rlimit): the same on a busy machine; 0: no limit but time */
  size_t memory_bytes; /* address space that the child may add to what it was born with; 0: 1 GiB */
  SmtRoute route;
  bool no_steps;       /* send the goal as it is */
  SmtSession *session; /* may be NULL: the child ends with the goal */
} SmtOptions;

typedef struct SmtResult {
  SmtAnswer answer;
  SmtReason reason;
  SmtRoute route;     /* that answered; for unknown, the last one tried */
  SmtStep step;       /* taken on the goal that was answered */
  bool model_checked; /* every assertion was evaluated to true in the model */
  const char *sent;   /* the goal that was answered, where `step` changed it; else NULL */
  const char *model;  /* sat: SMT-LIB definitions; else NULL */
  const char *detail; /* a line for people; never NULL */
  double seconds;     /* wall clock, in all */
  unsigned attempts, kills;
} SmtResult;

SmtResult smt_solve(Arena *arena, const char *goal, const SmtOptions *options); /* options may be NULL */
/* The exact value of a constant in `model`; false if it is absent, not a number, or irrational. */
bool smt_model_rational(Arena *arena, const char *model, const char *name, Rational *out);
void smt_session_close(SmtSession *session);

const char *smt_answer_name(SmtAnswer answer);
const char *smt_reason_name(SmtReason reason);
const char *smt_route_name(SmtRoute route);
const char *smt_step_name(SmtStep step);

#endif
