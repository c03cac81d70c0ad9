/* The launch that an operation file or the options describe: its expressions over names, and as terms. */
#ifndef ASSAY_LAUNCH_H
#define ASSAY_LAUNCH_H

#include "lift/recover.h"
#include "operation/expression.h"
#include "operation/request.h"

enum { LAUNCH_MAX_NAMES = 24 };

typedef struct LaunchName {
  const char *name;
  int64_t least;
  bool is_stride; /* stands alone as a stride */
  bool is_extent; /* of a tensor, and bounded by no access: as large as it must be */
  Term term;      /* launch_term: its symbol; 0: none yet */
} LaunchName;

typedef struct LaunchNames {
  LaunchName data[LAUNCH_MAX_NAMES];
  uint32_t count;
} LaunchNames;

/* The expression over these names, to which new ones are added, in the order in which they are written; NULL: it is
 * none, or there are too many names. */
const LaunchExpr *launch_bind(Arena *arena, const Expr *e, LaunchNames *names);
const LaunchExpr *launch_name(Arena *arena, const char *name, LaunchNames *names);
/* A symbol for the name, by that text; one with LAUNCH_OWN before it stands for a size of the operation where an
 * argument has its name. */
#define LAUNCH_OWN "@"
Term launch_size(TermTable *tt, const LaunchName *name, const char *text);
/* As a term over the names' symbols, which are made on demand; a condition becomes a Bool. */
Term launch_term(TermTable *tt, const LaunchExpr *e, LaunchNames *names);

/* What the launch gives the argument, by its name or place; NULL: nothing. */
const LaunchArg *launch_find_arg(const Launch *launch, const char *name, uint32_t place);
/* The first array, from *array on, of which the argument is a length (assay.shape, program/program.h). */
bool launch_is_length(const Effects *ex, const char *argument, uint32_t *array, uint32_t *axis);
/* The tensor that the launch gives a pointer: by the name of its parameter where it gives none. */
const char *launch_tensor_name(const Launch *launch, const Effects *ex, uint32_t place);
/* A message about the kernel as a text, with the names of what the launch gives it in place of those of its parameters.
 */
const char *launch_text(Arena *arena, const Launch *launch, const Effects *ex, const char *message);

typedef struct LaunchTensor {
  const char *name;
  uint32_t rank;
  const LaunchExpr *extent[POINTWISE_MAX_RANK], *stride[POINTWISE_MAX_RANK];
  bool inferred; /* the extents are what the accesses need: nobody gave them */
} LaunchTensor;

typedef struct LaunchParam {         /* of one kernel parameter */
  int32_t tensor;                    /* pointer: from 0; -1: not given */
  const LaunchExpr *offset, *scalar; /* NULL: 0, not given */
  const LaunchTensor *slice;         /* the part of the tensor that it is given; NULL: nobody says where that ends */
  double real;                       /* a float argument that was given as a number */
  bool is_real;
  uint32_t name; /* integer that was not given: its own name */
} LaunchParam;

typedef struct LaunchModel {
  LaunchNames names;
  Array(LaunchTensor) tensors;
  Array(LaunchParam) params; /* as in Effects.params */
  const LaunchExpr *grid[3];
  Array(const LaunchExpr *) conditions; /* --assume */
  Array(const LaunchExpr *) others;     /* what the other launches of the operation need: of witnesses */
  const char *grid_why[3];              /* as in Launch */
  bool is_repeated;                     /* it is run once more */
  bool gives_lengths;                   /* arguments that are lengths of arrays are those of shapes that are given */
  bool has_tensors;                     /* names are those of an operation file */
} LaunchModel;

/* The first launch of an operation; without an operation file that of --shape, --strides and --grid, and what these
 * leave open is what the recovery found. NULL and `why` when it is not known. */
LaunchModel *launch_model(Arena *arena, const Claim *claim, const Operation *operation, const Options *options,
                          const char **why);

#endif
