/* Between the files of the safety report. */
#ifndef ASSAY_SAFETY_OBLIGATIONS_INTERNAL_H
#define ASSAY_SAFETY_OBLIGATIONS_INTERNAL_H

#include "lift/source_text.h"
#include "safety/obligations.h"

typedef struct GivenTensor { /* of one pointer parameter */
  bool given;
  int32_t
      shared; /* number of the operation's tensor: equal for parameters that are one tensor; -1 without an operation */
  uint32_t rank;
  Term extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK], offset;
} GivenTensor;

/* What may be granted of a float argument. */
typedef enum ScalarSign {
  SCALAR_NONZERO = SIGN_NONZERO,
  SCALAR_NONNEGATIVE = SIGN_NONNEGATIVE,
  SCALAR_POSITIVE = SIGN_POSITIVE
} ScalarSign;

typedef struct ScalarAssumption {
  const char *text;    /* of a term over one float argument; the same in every execution */
  uint32_t param;      /* 1 + the parameter that it is; 0: an expression */
  uint8_t asked;       /* 1 << sign of all that were asked for */
  uint8_t granted;     /* a sign; 0: none */
  uint8_t used;        /* of what was granted, in the obligation at hand */
  uint8_t used_by_all; /* ... in what all obligations rest on, such as the steps of loops */
  uint8_t used_ever;
} ScalarAssumption;

typedef struct ScalarSigns {
  ScalarAssumption *data;
  uint32_t count, capacity;
  bool is_asked, grants_all;
} ScalarSigns;

typedef struct Safety {
  Arena *arena;
  Claim *report; /* where obligations and assumptions go */
  Claim *on;     /* what is reasoned about: `report` itself, or a recovery under the launch that was given */
  TermTable *tt; /* of `on` */
  const Options *options;
  const LaunchModel *launch; /* NULL: not known */
  GivenTensor *given;        /* by parameter */
  const ProveResult *proof;  /* of the claim of `on`; NULL: not done */
  Array(Obligation) open;    /* what the recovery of `on` could not tell: races that it has met */
  const Launch *own;         /* as the operation has it */
  bool is_grid_flag;         /* the grid is that of --grid */
  Term grid[3];              /* of the launch; 0: it does not stand on one */
  bool repeats;              /* the launch has several programs along an axis whose id nothing uses */
  const char *missed;        /* why `on` was not found; NULL: it was, or no reason is known */
  ObligationKind missed_kind;
  ScalarSigns *signs;    /* scalars.c; NULL: nothing is granted */
  bool is_given, stands; /* is_given: by an operation file or --grid; stands: `on` was found */
} Safety;

/* Where `s` stands on the launch that was given, another execution of the kernel is bound to it too. */
void safety_bind_again(Safety *s, Effects *ex);
Obligation *safety_add(Safety *s, ObligationKind kind, int verdict, OpId op, Term tensor, const char *detail);
/* The number of an assumption in the report (claim_assume). */
uint32_t safety_assume(Safety *s, AssumptionKind kind, Term condition, const char *text, const char *why,
                       const char *limit);
uint32_t safety_take(Safety *s, const Assumption *a); /* one of `on` */
void safety_rests_on(Safety *s, Obligation *o, uint32_t assumption);
/* ... on all assumptions of that kind. */
void safety_rests_on_kind(Safety *s, Obligation *o, AssumptionKind kind);
const char *safety_tensor_name(const Safety *s, Term tensor);
GivenTensor *safety_given(const Safety *s, Term tensor); /* NULL: nothing is given */
/* The name of the tensor in the operation. */
const char *safety_operation_name(const Safety *s, Term tensor);
/* True if another launch of the operation writes it as well. */
bool safety_is_shared(const Safety *s, const char *name);
/* Ops of one line of the source, or one op. */
bool safety_same_place(const Program *p, OpId a, OpId b);
/* What the event shows may be so for no contents that earlier launches leave. */
bool safety_rests_on_results(const Safety *s, const WitnessEvent *e);
/* Proves a condition under the facts at hand. */
bool safety_holds(Safety *s, Term condition);
/* What the prover has shown of a store, which is asked for only where nothing cheaper will do; NULL: nothing. */
const ProveStore *safety_store(Safety *s, OpId op);

void safety_bounds(Safety *s); /* obligations_access.c */
void safety_races(Safety *s);
/* scalar_lanes.c: true if the lanes of one tensor hold the other one. */
bool safety_has_lanes_of(const Safety *s, ValueId folded, ValueId loaded);
bool safety_matters_to_all_lanes(const Safety *s, const Access *load); /* a scalar that is loaded */
/* Several warps hold the lanes that are loaded, and more is made of them than what the lanes' own threads store. Folds
 * before that store are complete, 0: none is. */
bool safety_copies_matter(const Safety *s, const Access *load, OpId store);
bool safety_folds_across_warps(const Safety *s, ValueId folded); /* so that all threads wait for its parts */
void safety_aliases(Safety *s);
void safety_coverage(Safety *s);
void safety_repeats(Safety *s); /* a launch that is run once more changes nothing */
void safety_divisions(Safety *s, bool open_only);
void safety_overflow(Safety *s);  /* obligations_range.c */
void safety_undefined(Safety *s); /* obligations_value.c */
/* What keeps a value of the program from being a finite number, lanes that no load defined aside; NULL: nothing. */
const char *safety_not_a_number(Safety *s, Term t, OpId op, uint8_t *of_inputs);
Term safety_closed(Safety *s, Term t); /* loop-carried values in closed form */
void safety_conversions(Safety *s);    /* obligations_convert.c */
void safety_regions(Safety *s);        /* obligations_regions.c */
/* scalars.c: undefined values and conversions, under the weakest assumptions on float arguments that were found. */
void safety_values(Safety *s);
/* True if it is granted that t, made of one float argument, is so. What is asked for is noted. */
bool safety_takes(Safety *s, Term t, ScalarSign asked);
/* From here on another obligation is looked at; or: what was used so far is in all of them. */
void safety_takes_anew(Safety *s);
void safety_takes_for_all(Safety *s);
/* That it rests on what was used since, or on what is in all of them. */
void safety_rests_on_signs(Safety *s, Obligation *o, bool of_all);
/* What was assumed and does not hold in the launch that was given. */
void safety_given_launch(Safety *s); /* obligations_given.c */

#endif
