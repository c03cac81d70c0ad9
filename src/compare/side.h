/* One side of a comparison, on its way to outputs given element by element. */
#ifndef ASSAY_COMPARE_SIDE_H
#define ASSAY_COMPARE_SIDE_H

#include "compare/compare.h"
#include "operation/request.h"
#include "read/formula/formula.h"
#include "reference/reference.h"

typedef struct Side {
  const CheckInput *input;
  Report *report; /* of the lift; NULL: there was none to do */
  Claim *claim;
  const Pointwise *pointwise; /* NULL: the side has no shapes of its own */
  const Pointwise *imported;  /* side_import: the tensors of both, over the terms of the other side */
  bool is_function;           /* of MLIR */
  const char *kernel;
  FormulaAssumptions assumed; /* by a text, over the terms of `pointwise` */
  CompareOutputs outputs;
  Array(ReportSideOutput) texts; /* of the outputs */
  Array(const char *) params;    /* of a reference */
} Side;

/* An input of which the left reads the first element alone, and the right others too: one memory, with the right's
 * axes.
 */
typedef struct Widened {
  Term symbol; /* of the left's terms */
  uint32_t rank;
} Widened;

typedef struct Pairing {
  Arena *arena;
  const Options *options;
  DiagnosticList *diagnostics;
  CompareAssumptions *assumptions;
  Array(ReportPair) pairs;       /* of inputs: left, right */
  Array(ReportDifference) notes; /* what differs and is no difference of values */
  const char *stop;              /* why the two cannot be compared, or NULL */
  bool is_unpaired;              /* that is an input that may be another one */
  const char *extent; /* "axis 1 of x has n - 1 elements": what equality rests on, and no size that a caller has a name
                         for; or NULL */
  bool is_open;       /* such axes are of any length that what is read fits into */
  bool is_declared;   /* shapes are those of an operation file or a text */
  const Operation *declared; /* the operation file; or NULL */
  TensorExprs
      left_computes; /* what the left is and, if it is a reference, what else it computes that may be an error */
  Array(Widened) widened;
  Array(GivenNumber) given; /* what sizes are in the launch that was given */
  bool is_guessed;          /* its numbers alone tell which size is which: others may have been meant */
  Pointwise *shaped;        /* the known tensors and those of --shape, whose sizes they share; NULL: none yet */
} Pairing;

/* Whether the places of two arguments may say that they are one: not of other members of a struct or other variables of
 * a file, nor where an argument that nothing uses may be what the other function uses. */
bool pairing_may_be_one(const Pointwise *left, const Pointwise *right, const PointwiseTensor *own,
                        const PointwiseTensor *other);
/* What --map says: the left's name for the right's, or NULL; and the other way round. */
const char *pairing_left_of(const Pairing *pairing, const char *right);
/* Equal but for case and a `_ptr` at the end. */
bool pairing_is_alike(const char *a, const char *b);

/* In the launch that was given, of which not all may be known; or where its numbers are `times` as great. */
typedef enum GivenAnswer { GIVEN_OPEN, GIVEN_HOLDS, GIVEN_FAILS } GivenAnswer;
GivenAnswer pairing_as_given(const Pairing *pairing, TermTable *tt, Term condition, int64_t times);

/* Row-major without gaps. */
/* n = M*N of one memory: not n = 1, nor n = n*M, which would make a forgotten axis right. */
bool pairing_is_length(const TermTable *tt, Term n, Term length);
bool pairing_is_contiguous(TermTable *tt, const PointwiseTensor *t);
/* What the text of a side assumes of arguments: what equality is then under, and is said. `own` has
 * its tensors; `m`: into the terms of tt; NULL: they are of these. */
void side_assume(const Side *side, const Pointwise *own, Pairing *pairing, TermTable *tt, struct Importer *m);
/* What it assumes of arithmetic on contents, which witnesses meet. */
void side_keep_arithmetic(const Assumption *a, Pairing *pairing, struct Importer *m);
/* The outputs of a side that has shapes of its own. */
void side_own_outputs(Arena *arena, Side *side);
/* The outputs of a reference or formula over the tensors of `known`; false after diagnostics. `is_left`: the side
 * itself is. */
bool side_apply(Side *side, const Pointwise *known, const CompareOutputs *wanted, Pairing *pairing, bool is_left);
/* An output of a kernel, which is that tensor, with the axes that the launch gives it, where these are more; false: it
 * is left as it is. */
bool side_launched_output(Pairing *pairing, const Pointwise *known, uint32_t tensor, CompareOutput *output);
/* Extents that no argument names (`logits_ptr_d1`) are those of the folds over these axes: assumed, and what follows is
 * over the result. */
const Pointwise *side_resolve_extents(const Side *side, Pairing *pairing);
/* The tensors with extents that are what is read, and no size that a caller has a name for, as sizes of their own (if
 * the pairing is open); the first such extent is noted. */
const Pointwise *side_open_extents(const Pointwise *known, Pairing *pairing);
/* NULL: there is none. */
const PointwiseTensor *pairing_tensor(const Pointwise *pointwise, Term symbol);
/* What memory holds, said of every program; 0: it is not known, or how many there are is not. */
Term pairing_contents(TermTable *tt, Term condition);
/* The outputs of `side` over the terms of `left`, both with shapes of their own. */
bool side_import(Side *side, const Side *left, Pairing *pairing);
/* After that: what the left reads of widened inputs, with all indices; the known tensors, with these as the right has
 * them. */
const Pointwise *side_widen(Side *left, const Side *right, const Pointwise *known, Pairing *pairing);
/* Tensors of these shapes (--shape), for two sides that have none. */
Pointwise *side_shapes(Arena *arena, InternTable *names, const Options *options, DiagnosticList *diagnostics);

/* For each output of the left, then of the right: the number of its partner on the other side. */
#define OUTPUT_UNPAIRED UINT32_MAX
#define OUTPUT_EXCLUDED (UINT32_MAX - 1) /* by --only */
#define OUTPUT_SAME (UINT32_MAX - 2)     /* returned, and an argument that is compared */
#define OUTPUT_HAS_PARTNER(k) ((k) < OUTPUT_SAME)
typedef struct OutputPairs {
  uint32_t *partner[2];
} OutputPairs;

/* False after a usage error: --map gives a name that its side does not have. `known`: the tensors that both are over.
 */
bool pairing_check_maps(Pairing *pairing, const Pointwise *known, const Side *left, const Side *right);
/* False after a usage error. */
bool pairing_match_outputs(Pairing *pairing, const Side *left, const Side *right, OutputPairs *pairs);
/* An output without a partner gets one where the other side has that tensor: its old contents. `known`: the tensors
 * that both are over; `base`: those of the side that alone has arguments, which a formula speaks of; NULL: both have,
 * and an argument that a side leaves alone is then no partner, unless it writes nothing at all. */
void pairing_add_old_contents(Pairing *pairing, const Pointwise *known, const Pointwise *base, Side *left, Side *right,
                              OutputPairs *pairs);

#endif
