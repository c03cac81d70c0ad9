/* The loop form: terms as statements and expressions of C, for C itself and for devices whose programs are C.
 *
 * Statements that an expression needs go to `body` first. What C has no expression for ends the emission. */
#ifndef ASSAY_EMIT_LOOP_H
#define ASSAY_EMIT_LOOP_H

#include "emit/emit.h"

typedef struct LoopName {
  Term term;
  const char *text;
} LoopName;

typedef struct Loop {
  const char *target; /* in messages: "C" */
  Arena *arena;
  TermTable *tt;
  const Pointwise *p;
  const PointwiseOutput *output; /* whose element is computed */
  Text *body;                    /* statements before the expression at hand */
  uint32_t indent, fresh;
  Array(LoopName) names;         /* of symbols */
  Array(LoopName) folds;         /* computed already, in this block or around it */
  Array(LoopName) functions;     /* that are arguments: a call of each, and its name */
  bool is_wide;                  /* elements of long double are computed as such */
  bool copies[64];               /* of tensors: their old contents are kept */
  Array(PointwiseTensor) states; /* arrays that recurrences carry, as tensors whose names are those of variables */
  int64_t elements;              /* of all these arrays, and of those that the next step makes */
} Loop;

_Noreturn void loop_give_up(Loop *w, const char *what); /* "C has no WHAT" */
void loop_line(Loop *w, const char *text);
const char *loop_identifier(Loop *w, const char *name); /* that nothing else has */
const char *loop_name(Loop *w, Term symbol);
const char *loop_fresh(Loop *w, const char *stem);
const char *loop_type(Loop *w, const char *dtype);
const char *loop_type_of_sort(const Loop *w, TermSort sort);
const char *loop_factor_text(Loop *w, const char *text); /* in parentheses, unless it binds closest */
const char *loop_expression(Loop *w, Term t);
const char *loop_factor(Loop *w, Term t);
/* What is stored to elements of that type. */
const char *loop_stored(Loop *w, Term t, const char *type);
/* The place of an element of a contiguous array. */
const char *loop_place(Loop *w, const PointwiseTensor *t, const Term *index);
/* acc = acc op value */
const char *loop_combine(Loop *w, TermFoldOp op, const char *acc, const char *value);
/* The two sides of a comparison, without a difference where that was one. */
void loop_sides(TermTable *tt, Term t, Term *left, Term *right);
/* The functions that a module of this text calls. */
void loop_helpers(const char *module, Text *out);

/* ---- loop_module.c ---- */
bool loop_output_reads(const Loop *w, const PointwiseOutput *output, Term tensor);
bool loop_uses(const Loop *w, Term symbol);      /* in values, regions, shapes */
bool loop_is_scalar(const Loop *w, Term symbol); /* an argument, and no size of the shapes alone */
/* The folds and recurrences of an output that the loops over its axes from `level` on leave as they are: computed
 * before them, in this order. */
TermList loop_invariants(const Loop *w, const PointwiseOutput *output, uint32_t level);
/* Likewise those in t that loops over these symbols, each of which runs once at least, leave as they are. */
TermList loop_invariants_of(const Loop *w, Term t, uint32_t count, const Term *inner);
/* True if t and u are elements of one array that a recurrence carries. */
bool loop_is_same_array(const TermTable *tt, Term t, Term u);
bool loop_has_word(const char *text, const char *word);
/* Formula, prototype, shapes, assumptions and verdict; `notes`: lines that begin with " *". */
void loop_comment(Loop *w, const EmitHeader *header, const char *prototype, const char *notes, Text *out);

#endif
