/* What one deduction remembers: frames, opened folds, split symbols, and what was built of which term. Internal to
 * lift/. */
#ifndef ASSAY_LIFT_FRAME_H
#define ASSAY_LIFT_FRAME_H

#include "lift/deduce.h"

enum { DEDUCTION_STEPS = 10000, DEDUCTION_DEPTH = 1500, DEDUCTION_GATHER = 12 };

typedef struct Frame {
  uint32_t rank;
  Term slot[TENSOR_MAX_RANK];   /* 0: empty */
  Term extent[TENSOR_MAX_RANK]; /* of the slot's symbol, which runs from 0 */
} Frame;

typedef struct OpenFold {
  Term fold; /* what was opened */
  TermFoldOp op;
  Term symbol, length, lo; /* the index is symbol + lo, symbol in [0, length) */
  Term body;               /* with the guard inside, as a select of the identity */
  Term guard, bare_body;   /* the two apart */
  Term plain_body,
      scan_end; /* scan_end s: the range is [0, s], and plain_body is the body without that guard; 0: none */
} OpenFold;

typedef struct DeductionMemo {
  Term term;
  uint32_t frame;
  const TensorExpr *expr;
} DeductionMemo;

typedef struct SplitSymbol {
  Term of, start, length, symbol;
} SplitSymbol;

typedef struct Deduction {
  const Pointwise *p;
  TermTable *tt;
  const PointwiseTensor *accumulated; /* by atomics; or NULL */
  Array(Frame) frames;
  Array(OpenFold *) folds;
  Array(SplitSymbol) splits;
  DeductionMemo *memo;
  uint32_t memo_size, memo_used, steps, depth;
  TensorBitsList *bits; /* of all outputs of the kernel */
  bool wants_slot;      /* a fold found no free slot */
  const char *why;      /* the first reason of a failure */
} Deduction;

void deduction_init(Deduction *d);
const TensorExpr *deduction_fail(Deduction *d, const char *why); /* NULL */
uint32_t deduction_frame(Deduction *d, const Frame *frame);      /* the id of an equal frame */
DeductionMemo *deduction_find(Deduction *d, Term t, uint32_t f); /* term 0: not known yet */
void deduction_remember(Deduction *d, Term t, uint32_t f, const TensorExpr *e);
const OpenFold *deduction_open(Deduction *d, Term fold);
/* The symbol that runs over [start, start + length) of `of`, from 0; the same for the same question. */
Term deduction_symbol(Deduction *d, Term of, Term start, Term length);
bool frame_is_free(TermTable *tt, const Frame *frame, Term t); /* of all symbols of the frame */
/* e with its axis i at slot places[i]: transposed, and expanded at the slots in between and after. */
const TensorExpr *deduction_place(Deduction *d, const TensorExpr *e, const int *places, uint32_t f);
/* e stretched to that shape; costs. */
const TensorExpr *deduction_filled(Deduction *d, const TensorExpr *e, uint32_t rank, const Term *shape);

/* e, at the cost of an index array besides */
const TensorExpr *deduction_dearer(Deduction *d, const TensorExpr *e);

/* frame.c: does t depend on an index */
bool frame_has_index(TermTable *tt, Term t);

/* bits.c: does t mix bits as a random generator does; t as a call of such bits */
bool deduction_mixes_bits(TermTable *tt, Term t);
const TensorExpr *deduction_bits(Deduction *d, Term t, uint32_t f);

/* deduce.c, read.c */
const TensorExpr *deduce_build(Deduction *d, Term t, uint32_t f);
const TensorExpr *deduce_read(Deduction *d, Term t, uint32_t f);

#endif
