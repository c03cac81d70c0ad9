/* Between the files of an operator: operator.c, operator_arguments.c, operator_tensors.c, operator_texts.c. */
#ifndef ASSAY_OPERATOR_INTERNAL_H
#define ASSAY_OPERATOR_INTERNAL_H

#include <stdlib.h>

#include "compare/compare.h"
#include "sequence/sequence.h"
#include "sequence/operator.h"
#include "operation/launch.h"

typedef struct Named { /* a symbol of the result that arguments go by */
  const char *name;
  Term symbol;
  const Expr *number; /* that the launch gave for it; NULL: none */
  bool has_sample;    /* ... which is an integer */
  int64_t sample;
  bool is_shared, is_stride; /* of several launches; known as the stride of a tensor */
} Named;

typedef struct Wide { /* a symbol of an argument or grid, with all that its type holds */
  Term symbol, lo, hi;
} Wide;

typedef struct Rename {
  const char *from, *to;
  Term value; /* of an argument or a grid, of which `to` is the text; 0: a name and no more */
} Rename;

typedef struct Bound { /* one launch on its way */
  const Launch *launch;
  Claim *claim;
  Importer *importer;
  bool is_bound, has_grid; /* has_grid: expressions, no sample */
  const char *other_grid;  /* what the launch was lifted for, and the grid that was given is not shown to be */
  Term grid[3];
  uint32_t
      found_grid[3]; /* 1 + the assumption of one that was found for the shapes that were given; 0: it is the user's */
  Array(Rename) renames;
  uint32_t *tensor; /* by pointwise tensor */
  Term *offset;
} Bound;

typedef struct SameNumber { /* two symbols that launches have for one axis of a tensor, and that were given one number
                             */
  Term early, late;         /* in the order in which they were made */
  const char *first, *name; /* what these are called */
} SameNumber;

typedef Array(SameNumber) SameNumbers;

struct Operator {
  Arena *arena;
  TermTable *tt;
  const Operation *operation;
  LaunchNames *names; /* of the operation's expressions */
  Array(Named) named;
  Array(Wide) wide;
  Sequence sequence;
  Array(bool) adopted; /* by tensor: its view is that of a launch, as far as known */
  Claim *out;
  Bound *bound;
  uint32_t count, launch; /* the one at hand */
  unsigned takes;         /* TAKES_*: of the sample, as the result needs it */
  SameNumbers seen;       /* as found here */
  SameNumbers same;       /* as found before: each two are one */
};

/* an argument is the size of a grid that is the same number; grids are their numbers; an argument that was given 1 is 1
 */
enum { TAKES_RELATIONS = 1, TAKES_GRIDS = 2, TAKES_ONES = 4 };

static inline const char *operator_kernel(const Bound *b) { return b->claim->pointwise->kernel; }

static inline bool operator_is_number(const char *text, int64_t *value) {
  char *end;
  *value = strtoll(text, &end, 10);
  return end != text && !*end;
}

/* ---- operator.c ---- */
void operator_stop(Operator *o, ReasonCode code, const char *text);
/* The number of the assumption (claim_assume). */
uint32_t operator_take(Operator *o, Assumption a);
uint32_t operator_assume(Operator *o, AssumptionKind kind, Term condition, const char *text, const char *why,
                         const char *limit);
/* value is in the range of the parameter, which is that of its type or what the kernel needs. */
void operator_assume_range(Operator *o, const char *why, Term value, Term lo, Term hi);

/* ---- operator_arguments.c: 1. ---- */
/* An argument that goes by its own name. */
void operator_bind_names(Operator *o);
Term operator_expression(Operator *o, const Expr *given);
bool operator_is_plain_name(const char *text);
void operator_bind_scalar(Operator *o, Bound *b, const Param *param, uint32_t place);
/* Both have symbols of one number for an axis of a tensor, or for its stride. */
void operator_note_same(Operator *o, Term a, Term b);
/* An expression of the operation; else the launch's own grid, which is another one in each launch. */
void operator_bind_grid(Operator *o, Bound *b, uint32_t axis);

/* ---- operator_tensors.c: 2. ---- */
/* A tensor of the operation file; one whose shape is a sample takes that of the first launch that touches it. */
void operator_declare_tensor(Operator *o, const OperationTensor *from);
/* The number of a term when every argument that goes by its own name is what the launch gave. */
bool operator_sample(Operator *o, Term t, int64_t *value);
/* What the launches give for the tensors of the result (`PointwiseTensor.given`). */
void operator_take_arrays(Operator *o);
/* Before anything of the launch is imported but its arguments. */
void operator_match_strides(Operator *o, Bound *b);
/* Which tensor each pointer is. */
void operator_place_tensors(Operator *o, Bound *b);
/* What --shape or --strides leaves open is as the first launch that touches the tensor goes along it. */
void operator_complete_tensors(Operator *o, Bound *b);
/* Where a shape is given and the launch goes by the tensor's strides, no size of an output is one that the recovery
 * made up. Behind operator_match_strides. */
void operator_match_extents(Operator *o, Bound *b);
/* Strides that are given without a shape are those that the launch goes by, as nothing says what else the tensor has;
 * and elements of an output do not share a place by them. Behind operator_match_strides. */
void operator_check_views(Operator *o, Bound *b);
/* True if it is shown that elements of the tensor, as the launch goes along it, do not share a place. */
bool operator_has_places(Operator *o, const Bound *b, const PointwiseTensor *own);
/* The result sees the tensor as a launch does, which goes along it like this. */
/* The type of a tensor of the launch: where another launch names the same bits with a sign, so does this one from here
 * on. */
const char *operator_dtype(Operator *o, Bound *b, uint32_t number);
void operator_see_tensor(Operator *o, const PointwiseTensor *own, uint32_t number);
/* What the operation declares and the launch does not access, behind the tensors of the result. */
void operator_list_unread(Operator *o, Bound *b);

/* ---- operator_texts.c: 5. ---- */
/* Sizes that are plain names are stated once, for all launches. */
uint32_t operator_assume_sizes(Operator *o);
/* The ranges that launches narrowed against all that the types hold; and back. */
void operator_swap_ranges(Operator *o);
/* The assumptions and obligations of the launch become the result's. */
void operator_take_texts(Operator *o, Bound *b);

#endif
