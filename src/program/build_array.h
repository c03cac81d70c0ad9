/* Arrays of a host language, for its readers: contents as values (array.empty, fill, insert, extract), and memory row
 * by row. */
#ifndef ASSAY_PROGRAM_BUILD_ARRAY_H
#define ASSAY_PROGRAM_BUILD_ARRAY_H

#include "program/build.h"

ValueId build_empty(Builder *b, TypeId element, uint32_t rank);
/* Every element, or row, is `value`. */
ValueId build_fill(Builder *b, ValueId value);
ValueId build_insert(Builder *b, ValueId element, ValueId array, uint32_t count, const ValueId *index);
/* With no index, the array itself. */
ValueId build_extract(Builder *b, ValueId array, uint32_t count, const ValueId *index);
/* The address of an element of memory: its indices as a number, row by row. */
ValueId build_address(Builder *b, ValueId pointer, uint32_t rank, const ValueId *index, const ValueId *length);
/* What the program relies on: shown, or a precondition with this text. */
void build_require(Builder *b, ValueId condition, const char *message);

/* A loop over 64-bit numbers that carries values; its body is built between the two calls. */
typedef struct BuildLoop {
  OpId op;
  BlockId outer;
  RegionId region;
  uint32_t count;
  ValueId *operands; /* lower, upper, step, then what is carried */
  ValueId counter;   /* what is carried follows it, in the body */
} BuildLoop;

BuildLoop build_for(Builder *b, ValueId lower, ValueId upper, ValueId step, uint32_t count, const ValueId *carried);
/* The first of the values after the loop; 0: nothing is carried. */
ValueId build_for_end(Builder *b, const BuildLoop *loop, const ValueId *yields);

#endif
