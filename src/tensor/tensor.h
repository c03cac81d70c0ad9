/* Tensor expressions: what a person writes for a kernel. A DAG of immutable nodes in the arena of a term table.
 *
 * Every node knows its shape (Int terms over sizes) and sort. Broadcasting is NumPy's: shapes are aligned at the last
 * axis, and an axis whose length is the literal 1 fits any other. Reductions keep their axis with length 1; at the root
 * SQUEEZE and BROADCAST fit the value to the output's shape, and the text does not show them.
 *
 * Constructors return NULL when an argument is NULL or shapes do not fit, so that calls nest without checks between.
 * Indices that leave a tensor: an element so reached has no meaning, and a `where` may choose past it. */
#ifndef ASSAY_TENSOR_TENSOR_H
#define ASSAY_TENSOR_TENSOR_H

#include "term/term.h"

enum { TENSOR_MAX_RANK = 12 };

typedef enum TensorOp {
#define TENSOR_OP(id, text, form, bind, sort, latex, value, term) TENSOR_##id,
#include "tensor/ops.def"
#undef TENSOR_OP
  TENSOR_OP_COUNT
} TensorOp;

typedef enum TensorForm {
  TENSOR_FORM_LEAF,
  TENSOR_FORM_UNARY,
  TENSOR_FORM_BINARY,
  TENSOR_FORM_TERNARY,
  TENSOR_FORM_CALL,
  TENSOR_FORM_VIEW,
  TENSOR_FORM_INDEX,
  TENSOR_FORM_FOLD
} TensorForm;

typedef enum TensorIdiom {
#define TENSOR_IDIOM(id, text, arguments, axes, last) TENSOR_##id,
#include "tensor/idioms.def"
#undef TENSOR_IDIOM
  TENSOR_IDIOM_COUNT
} TensorIdiom;

typedef struct TensorSlice {
  Term start, stop, step; /* stop excluded; step a positive literal */
  bool point;             /* only `start`, and the axis goes */
} TensorSlice;

enum { TENSOR_BITS_ARGUMENTS = 8 };

/* Integer arithmetic that mixes bits, as random generators do: a formula calls it by name, and says beside what it is.
 */
typedef struct TensorBits {
  const char *name;
  Term body;
  uint32_t count;
  Term parameter[TENSOR_BITS_ARGUMENTS];    /* symbols in body */
  const char *label[TENSOR_BITS_ARGUMENTS]; /* what they are called outside */
} TensorBits;
typedef Array(TensorBits *) TensorBitsList;

typedef struct TensorExpr TensorExpr;
typedef Array(const TensorExpr *) TensorExprs;
struct TensorExpr {
  TensorOp op;
  TermSort sort;      /* of the elements */
  uint8_t rank, axis; /* axis: of EXPAND, TAKE, TAKE_ALONG, SCAN, CONCAT */
  uint8_t axis_count;
  uint8_t axes[TENSOR_MAX_RANK]; /* of TRANSPOSE (rank of them), SQUEEZE, REDUCE and IDIOM (axis_count, ascending) */
  uint32_t count;                /* arguments */
  uint32_t size;                 /* nodes, counted as a tree */
  uint32_t place;                /* least place of an argument inside: orders summands and factors */
  uint32_t cost;                 /* of views and gathers: the deduction prefers less */
  Term shape[TENSOR_MAX_RANK];
  const TensorExpr *const *args;
  const TensorSlice *slices; /* SLICE: one per axis of the argument */
  Term symbol;               /* INPUT, SCALAR */
  Term value;                /* CONST */
  const char *name;          /* INPUT, SCALAR */
  TermFn fn;                 /* FN1, FN2 */
  const TensorBits *bits;    /* BITS */
  TermFoldOp fold;           /* REDUCE, SCAN */
  TensorIdiom idiom;         /* IDIOM */
  const TensorExpr *plain;   /* IDIOM: the same in the other operators */
  bool computes_all;         /* WHERE, AND, OR: what is an error in any argument is one */
  bool is_branch;            /* WHERE: of Python, whose arms are computed by themselves (Reference.raising) */
  bool may_raise;            /* it or what it is of: an index may be outside, or an integer divided by 0 */
};

/* `place`s of leaves: tensors by argument, then these. */
enum { TENSOR_PLACE_INDEX = 1 << 20, TENSOR_PLACE_SCALAR = 1 << 21, TENSOR_PLACE_CONST = 1 << 22 };

/* ---- leaves ---- */
const TensorExpr *tensor_input(TermTable *tt, Term symbol, const char *name, uint32_t place, TermSort sort,
                               uint32_t rank, const Term *shape);
const TensorExpr *tensor_const(TermTable *tt, Term value);
const TensorExpr *tensor_scalar(TermTable *tt, Term symbol, const char *name, uint32_t place);
const TensorExpr *tensor_index(TermTable *tt, Term length);

/* ---- elementwise ---- */
const TensorExpr *tensor_unary(TermTable *tt, TensorOp op, const TensorExpr *a);
const TensorExpr *tensor_binary(TermTable *tt, TensorOp op, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *tensor_fn(TermTable *tt, TermFn fn, uint32_t count, const TensorExpr *const *args);
const TensorExpr *tensor_where(TermTable *tt, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *tensor_bits(TermTable *tt, const TensorBits *bits, const TensorExpr *const *args);
/* Sums and products of many in the order and with the signs and fractions that people write (arith.c). */
typedef struct TensorPart {
  const TensorExpr *expr;
  Rational k; /* coefficient of a summand, exponent of a factor */
} TensorPart;
const TensorExpr *tensor_sum(TermTable *tt, Rational constant, uint32_t count, TensorPart *parts);
const TensorExpr *tensor_product(TermTable *tt, Rational k, uint32_t count, TensorPart *parts);
const TensorExpr *tensor_extremum(TermTable *tt, TensorOp op, uint32_t count, const TensorExpr **args);
/* An Int term over sizes and literals as an expression of rank 0; NULL for anything else. */
const TensorExpr *tensor_size(TermTable *tt, Term size);

/* ---- views and indexing ---- */
const TensorExpr *tensor_slice(TermTable *tt, const TensorExpr *a,
                               const TensorSlice *slices); /* a itself when all are whole */
const TensorExpr *tensor_transpose(TermTable *tt, const TensorExpr *a, const uint8_t *axes);
const TensorExpr *tensor_expand(TermTable *tt, const TensorExpr *a, uint32_t axis);
const TensorExpr *tensor_reshape(TermTable *tt, const TensorExpr *a, uint32_t rank, const Term *shape);
const TensorExpr *tensor_squeeze(TermTable *tt, const TensorExpr *a, uint32_t count, const uint8_t *axes);
const TensorExpr *tensor_broadcast(TermTable *tt, const TensorExpr *a, uint32_t rank, const Term *shape);
const TensorExpr *tensor_take(TermTable *tt, const TensorExpr *a, const TensorExpr *indices, uint32_t axis);
const TensorExpr *tensor_take_along(TermTable *tt, const TensorExpr *a, const TensorExpr *indices, uint32_t axis);
const TensorExpr *tensor_gather(TermTable *tt, const TensorExpr *a, const TensorExpr *const *indices);

/* ---- folds ---- */
const TensorExpr *tensor_reduce(TermTable *tt, TermFoldOp fold, const TensorExpr *a, uint32_t axis);
const TensorExpr *tensor_scan(TermTable *tt, TermFoldOp fold, const TensorExpr *a, uint32_t axis);
const TensorExpr *tensor_matmul(TermTable *tt, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *tensor_concat(TermTable *tt, const TensorExpr *a, const TensorExpr *b, uint32_t axis);
/* The same operation on other arguments; NULL: they do not fit. */
const TensorExpr *tensor_with_args(TermTable *tt, const TensorExpr *e, const TensorExpr *const *args);

/* ---- names of textbooks (idiom.c, textbook.c) ---- */
const TensorExpr *tensor_idiom(TermTable *tt, TensorIdiom idiom, const TensorExpr *const *args, uint32_t axis_count,
                               const uint8_t *axes);
const char *tensor_idiom_text(TensorIdiom idiom);
uint32_t tensor_idiom_arguments(TensorIdiom idiom);
const char *tensor_idiom_keyword(TensorIdiom idiom); /* of the last argument; "": none */
typedef enum TensorIdiomAxes { TENSOR_AXES_NONE, TENSOR_AXES_ONE, TENSOR_AXES_SOME } TensorIdiomAxes;
uint32_t tensor_idiom_array(TensorIdiom idiom); /* the argument whose axes are meant */
TensorIdiomAxes tensor_idiom_axes(TensorIdiom idiom);
bool tensor_idiom_shows_axes(const TensorExpr *e);
/* A literal that was read as a closed form: an assumption of kind `constant` (semantics.md section 6). */
typedef struct TensorConstant {
  Rational literal;
  double value;
  const char *closed;           /* "log2(e)", "1/sqrt(2)", ... */
  const TensorExpr *expression; /* the same, of rank 0 */
} TensorConstant;
typedef Array(TensorConstant) TensorConstants;
/* A law of laws.def that was applied to a part of an expression. */
typedef struct TensorStep {
  const char *law;
  const TensorExpr *before, *after;
} TensorStep;
typedef Array(TensorStep) TensorSteps;
/* True if `after` is defined and equal wherever `before` has a value, if the constants are what they are taken for. No
 * law and no search is believed: what does not pass is not taken. */
typedef bool (*TensorProve)(TermTable *tt, const TensorExpr *before, const TensorExpr *after,
                            const TensorConstants *constants, void *payload);
typedef struct TensorLaws {
  TensorConstants *constants; /* NULL: no literal is read as a closed form */
  TensorSteps *steps;         /* NULL: nobody asks which laws were applied */
  TensorProve prove;          /* NULL: the result is not to be shown */
  void *payload;              /* of prove */
  NameList without;           /* names of laws that are not used */
} TensorLaws;
/* The expression as a textbook writes it, by the laws of laws.def. */
const TensorExpr *tensor_textbook(TermTable *tt, const TensorExpr *e, const TensorLaws *laws);
/* A clearly shorter form of a textbook's, by the rules of laws.def, or e itself. */
const TensorExpr *tensor_search(TermTable *tt, const TensorExpr *e, const TensorLaws *laws);
/* The textbook's form with the names of layers in it, attention and the like; itself where there are none. */
const TensorExpr *tensor_named(TermTable *tt, const TensorExpr *e, const TensorLaws *laws);
const char *tensor_law_name(uint32_t i); /* in the order of the table; NULL: there are no more */
/* Tells whether b gives what a gives, wherever a gives a number, on random arrays of small sizes. UNKNOWN: nothing
 * could be drawn. */
typedef enum TensorAgreement { TENSOR_AGREE, TENSOR_DISAGREE, TENSOR_AGREE_UNKNOWN } TensorAgreement;
TensorAgreement tensor_agree(TermTable *tt, const TensorExpr *a, const TensorExpr *b, double tolerance);
bool tensor_equal(TermTable *tt, const TensorExpr *a, const TensorExpr *b); /* by structure */
bool tensor_alike(TermTable *tt, const TensorExpr *a,
                  const TensorExpr *b); /* the same operation on arguments of any kind */

/* ---- looking ---- */
const char *tensor_op_text(TensorOp op);
TensorForm tensor_op_form(TensorOp op);
const char *tensor_fold_text(const TensorExpr *e); /* "sum", "cumsum" */
bool tensor_is_flip(TermTable *tt,
                    const TensorExpr *e); /* take(x, n - 1 - index(n), axis=k): all of an axis, backwards */
/* The element at index[0..rank): a term. 0 when the expression has none (a SCAN of argmax, say). */
Term tensor_meaning(TermTable *tt, const TensorExpr *e, const Term *index);
/* The formula as text; docs/formula.md is the grammar. */
const char *tensor_text(TermTable *tt, const TensorExpr *e);
bool tensor_has_text(TermTable *tt,
                     const TensorExpr *e); /* false: a size in it, of a slice say, is no expression itself */
/* Names for the parts of long formulas (share.c). NULL: these are short enough. */
typedef struct TensorParts TensorParts;
TensorParts *tensor_parts_new(TermTable *tt, uint32_t count, const TensorExpr *const *roots);
/* The text with the names of parts (NULL: none) in their places; and that of a part, whose axes of length 1 are kept.
 */
const char *tensor_text_with(TermTable *tt, const TensorExpr *e, TensorParts *parts);
const char *tensor_part_text(TermTable *tt, const TensorExpr *e, TensorParts *parts);
const char *tensor_part_name(TensorParts *parts, const TensorExpr *e); /* NULL: no part */
/* One definition more, `let s3 = ...`, of the parts that texts have said; false: that was all. *at begins as 0. */
bool tensor_parts_next(TensorParts *parts, uint32_t *at, Text *out);
const char *tensor_latex(TermTable *tt, const TensorExpr *e);
/* Under `computed`: what may be an error itself, and of which `used` does not use all elements (share.c). */
TensorExprs tensor_unused_errors(TermTable *tt, const TensorExprs *used, const TensorExprs *computed);
bool tensor_is_whole_division(TensorOp op);             /* of integers, with one as the result */
bool tensor_raises(TermTable *tt, const TensorExpr *e); /* true if it may be an error, of arguments that are none */

/* ---- evaluation on whole arrays of doubles, as NumPy would: an oracle that shares nothing with tensor_meaning ---- */
typedef struct TensorArray {
  uint32_t rank;
  int64_t shape[TENSOR_MAX_RANK];
  double *data; /* row-major */
} TensorArray;
typedef struct TensorEnvironment {
  void *payload;
  TensorArray (*input)(void *payload, Term symbol);
  double (*scalar)(void *payload, Term symbol);
  double whole_limit; /* integers that are computed and lie at it or beyond are no numbers; 0: all are */
} TensorEnvironment;
TensorArray tensor_eval(TermTable *tt, Arena *arena, const TensorExpr *e, const TensorEnvironment *environment);

#endif
