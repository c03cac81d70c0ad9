/* The pointwise form: for each output, y[i, j] = value(i, j) for (i, j) in a region, with symbolic sizes.
 *
 * Made by execution and the recovery of views; read by the deduction of tensor expressions, by the emitters, by the
 * prover and by the evaluation that stands behind `probable`. Reads are READ(T, i0, i1, ...) with one index per
 * dimension of T. Index symbols (role INDEX) are shared by all pieces of one output, one per dimension. */
#ifndef ASSAY_LIFT_POINTWISE_H
#define ASSAY_LIFT_POINTWISE_H

#include "term/import.h"

enum { POINTWISE_MAX_RANK = 8 };

/* The tensor that a launch of numbers gives for one of the form, row-major and without gaps, and the sizes of the
 * form's axes in that launch. Of a tensor in another layout that has the form's axes, and others of one element, the
 * strides are those of a copy without gaps. */
typedef struct PointwiseGiven {
  uint32_t rank;
  int64_t shape[POINTWISE_MAX_RANK];
  int64_t extent[POINTWISE_MAX_RANK], stride[POINTWISE_MAX_RANK]; /* of the form's axes */
} PointwiseGiven;

/* What stands in the list of arguments only because it is used: a member of a struct, a variable of the file. Its text
 * says which one; NULL: it is an argument of its own. */
typedef const char *PointwisePart;

typedef struct PointwiseTensor {
  Term symbol;                              /* SYMBOL_TENSOR */
  const char *name;                         /* the author's name */
  const char *dtype;                        /* element type in memory: "f32", "f16", "i64", "i1", ... */
  TermSort sort;                            /* of READ */
  uint32_t rank;                            /* 0: one element */
  Term extent[POINTWISE_MAX_RANK];          /* Int terms over size, grid and scalar symbols */
  Term stride[POINTWISE_MAX_RANK];          /* in elements */
  const char *dim_name[POINTWISE_MAX_RANK]; /* "n_cols", "grid_x", "x_ptr_d0" */
  bool is_least[POINTWISE_MAX_RANK]; /* the extent is the least that the accesses need, and no size that a caller has a
                                        name for */
  bool takes_rest;                   /* inner rows are joined: what no other stride divides goes along the last axis */
  bool is_read, is_written; /* a written tensor that is read too is read before: its old contents are an input */
  PointwisePart part;
  uint32_t place;              /* among the arguments */
  bool is_result;              /* what a function returns, and no argument of it */
  const PointwiseGiven *given; /* NULL: no launch gives it, or in another layout */
} PointwiseTensor;

/* One store site (or several merged): y[index] = value where region. Later pieces overwrite earlier ones. */
typedef struct PointwisePiece {
  Term region; /* Bool over the index symbols; the index ranges 0 <= i < extent hold besides */
  Term value;
  int accumulate; /* 0: assignment; else an atomic: the old contents combined with value by FOLD op (accumulate - 1) */
} PointwisePiece;

typedef struct PointwiseOutput {
  uint32_t tensor; /* in Pointwise.tensors */
  uint32_t rank;
  Term index[POINTWISE_MAX_RANK]; /* symbols with range [0, extent) */
  Array(PointwisePiece) pieces;
  const struct TensorExpr *formula; /* what it was read from, of the output's shape; NULL: it was not given so */
  Term defined;                     /* over the index symbols: where the element has a value; 0: everywhere */
  bool is_of_elements;              /* and need not be: a text in tensor form gives it element by element */
  bool scatter;                     /* pieces address elements through data: index[0] is a name only; see `target` */
} PointwiseOutput;

typedef struct PointwiseScalar {
  Term symbol; /* float or integer argument that values use */
  const char *name, *dtype;
  PointwisePart part;
  bool is_length; /* of a vector or list, `x_d0`: the reader has added it */
} PointwiseScalar;

typedef struct Pointwise {
  TermTable *tt;
  const char *kernel;
  Array(PointwiseTensor) tensors; /* in order of the arguments */
  Array(PointwiseScalar) scalars; /* all non-pointer arguments, in order */
  Array(PointwiseOutput) outputs;
  bool is_in_tensor_form;  /* a text that says so; outputs that are given element by element stand there as well */
  TermList sizes;          /* that a text declares, whether or not it speaks of them */
  uint32_t argument_count; /* of a program; 0: it is none */
  bool is_host;            /* of C or Python: whoever calls it gives each argument a value */
  bool has_unused;         /* nothing uses one of them: the order of the others alone does not say which is which */
} Pointwise;

/* The tensor a READ or an output belongs to, or NULL. */
const PointwiseTensor *pointwise_tensor(const Pointwise *p, Term symbol);
/* Of an element of that type in memory: 2 of "bf16", 1 of "i1" and "f8E5M2". */
uint32_t pointwise_element_bytes(const char *dtype);

/* What an importer needs to know of a tensor. */
static inline ImportTensor pointwise_import(const PointwiseTensor *t) {
  return (ImportTensor){t->symbol, t->dtype, t->rank, t->extent};
}

#endif
