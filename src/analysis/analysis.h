/* What is seen of a program before it is executed: which arguments are sizes, which are positive, whose integers have
 * no sign, and which operations nothing depends on. Each is a walk over the operations of one function. */
#ifndef ASSAY_ANALYSIS_ANALYSIS_H
#define ASSAY_ANALYSIS_ANALYSIS_H

#include "program/program.h"

/* What the caller says of a parameter. */
typedef struct ExecuteBinding {
  bool is_constant; /* a scalar with this value */
  int64_t integer;
  double real;
  uint32_t same_as; /* a pointer to the tensor of an earlier parameter: 1 + its number; 0: to one of its own */
  bool is_signed, is_unsigned; /* of a pointer: its integers have a sign, or none, whatever reads them */
} ExecuteBinding;

typedef struct Analysis {
  Arena *arena;
  const Program *program;
  ProgramExtent extent;           /* of the function */
  const ExecuteBinding *bindings; /* by parameter; NULL: nothing is said */
  const bool *dead;               /* analysis_find_dead */
} Analysis;

/* conversions.c: a float becomes an integer, by an operation or a function of a library: what does not fit is
 * undefined; of the range of unsigned integers. */
bool analysis_is_conversion(const Program *program, const Op *op);
bool analysis_converts_unsigned(const Program *program, const Op *op);

/* The value that is only spread over lanes or made wider. */
ValueId analysis_root(const Program *program, ValueId value);
/* sizes.c: the integer arguments that are at least 1 without being asked, and in functions of C and Python those others
 * that say how often a loop runs, which are at least 0. */
void analysis_find_sizes(const Analysis *a, bool *is_size, bool *is_count);
/* signs.c: the float arguments that must be positive, or padding is none. */
void analysis_find_signs(const Analysis *a, bool *is_positive);
/* unsigned.c: the pointers, among `count` arguments from `first` on, whose integers are read without sign, and the
 * integers that the source says have none. */
void analysis_find_unsigned(const Analysis *a, ValueId first, uint32_t count, bool *is_unsigned);
/* dead.c: by op, those without an effect whose results nothing uses. */
bool *analysis_find_dead(const Analysis *a);

#endif
