/* Between the files of the recovery of views: recover.c, coordinates.c, views.c, stores.c. */
#ifndef ASSAY_LIFT_RECOVER_INTERNAL_H
#define ASSAY_LIFT_RECOVER_INTERNAL_H

#include "lift/recover.h"

enum { MAX_COORDINATES = 24, MAX_STRIDES = POINTWISE_MAX_RANK };

/* What one access needs an axis to be, where it is made at all. */
typedef struct Need {
  uint32_t axis;
  Term extent, when;
  Term least; /* what would do, too, and is no plain size; 0: nothing less */
} Need;

typedef struct View { /* of one tensor: strides in order of axes */
  Term tensor;
  uint32_t rank;
  Term stride[MAX_STRIDES];
  Term extent[MAX_STRIDES]; /* 0: not known yet */
  Term least[MAX_STRIDES];  /* as in Need */
  Array(Need) needs;
  bool gathered[MAX_STRIDES];
  bool flat, takes_rest; /* takes_rest: of what no other stride divides, by the last axis */
} View;

typedef struct Split { /* p = size*q + r */
  Term p, size, q, r;
} Split;

typedef struct Remainder {
  Term quotient, divisor, rest, q, r;
} Remainder; /* a // n, n and a - n*(a // n), and the names of quotient and rest */

typedef struct Recover {
  Arena *arena;
  Array(Remainder) remainders;
  Array(Split) splits;
  TermTable *tt;
  Effects *ex;
  Claim *out;
  Array(View) views;
  Array(uint32_t) taken; /* the numbers of the assumptions that `ex->given` became */
} Recover;

typedef struct AxisPart {
  Term coordinate;
  Rational k;
} AxisPart;

typedef struct Axis {
  AxisPart parts[8]; /* decreasing coefficient */
  uint32_t count;
  Term constant;
} Axis;

/* ---- recover.c ---- */
bool recover_is_coordinate(const TermTable *tt, Term t);
/* True if t varies over the launch: there is a coordinate or something read from memory inside. */
bool recover_varies(TermTable *tt, Term t);
/* m = literal * stride * variable: the factors that do not vary, and those that do. */
void recover_split_monomial(TermTable *tt, Term m, Rational *literal, Term *stride, Term *variable);
/* The axis whose rows the sizes of grids count, of which m is some: grid_y*pid_x among them, and grid_y*t of a loop is
 * none unless they are. The rank: none. */
uint32_t recover_grid_row(TermTable *tt, const View *view, Term m, Term *rows);
/* Each once: the text tells them apart. Its number. */
uint32_t recover_assume(Recover *r, AssumptionKind kind, Term condition, const char *text, const char *why,
                        const char *limit);
/* grid = count, of the size of the grid along an axis. */
void recover_assume_grid(Recover *r, Term grid, Term count, const char *why);
#define RECOVER_LEAST_GRID "the least grid that covers the output"
void recover_oblige(Recover *r, ObligationKind kind, int verdict, OpId op, const char *tensor, const char *detail);
/* Everywhere: accesses, needs, ranges of symbols. */
void recover_substitute(Recover *r, Term from, Term to);
/* New ranges are known: make everything again, so that the constructors use them. */
void recover_rebuild(Recover *r);
/* A condition that execution found, as an assumption and a fact. */
void recover_take_given(Recover *r, const ExecuteGiven *given);
void recover_stop(Recover *r, ReasonCode code, const char *text);
void recover_push_mask(TermTable *tt, Term mask);
/* What the mask says the coordinate is; 0: no one value. */
Term recover_only_value(TermTable *tt, Term mask, Term coordinate);
/* True if 0 <= t < limit under the mask of the access. */
bool recover_lies_below(TermTable *tt, const Access *access, Term t, Term limit);

/* ---- coordinates.c ---- */
/* A coordinate in [lo, hi] that is `definition` in terms of older ones. */
Term recover_coordinate(Recover *r, const char *prefix, Term lo, Term hi, Term definition);
void recover_split_coordinates(Recover *r);
/* Addresses that fall as a coordinate grows: run the coordinate backwards. */
void recover_reverse_coordinates(Recover *r);
/* A program id split by a size whose grid nothing bounds: whole groups where all of them are stored, else the last one
 * may be shorter. */
void recover_complete_grids(Recover *r);

/* ---- rotations.c ---- */
/* A remainder (r + c) % d in the address of a store, as a coordinate in place of r; false: there is none. */
bool recover_rotate_coordinates(Recover *r);

/* ---- offsets.c ---- */
/* What is relied on of arguments that are added to indices, as preconditions. */
void recover_require_offsets(Recover *r);

/* ---- atomics.c ---- */
/* As many programs combine into one element as there is something for. */
void recover_cover_atomics(Recover *r);

/* ---- views.c ---- */
View *recover_view(Recover *r, Term tensor);
void recover_make_views(Recover *r);
/* True if it is known which axes the tensor has. */
bool recover_has_axes(const Recover *r, Term tensor);
/* Distributes the monomials of an address over the axes; what no stride divides goes to the unit axis, or the address
 * does not fit the view (false). */
bool recover_split_address(Recover *r, const View *view, Term offset, Term *index);
void recover_add_stride(View *view, Term stride);
/* The strides of the shape that the reader knows, if it does. */
void recover_declare_strides(Recover *r, View *view);
void recover_sort_strides(Recover *r, View *view);
/* True if it is made of arguments that are sizes, and of grids. */
bool recover_only_sizes(Recover *r, Term stride);
/* The sizes of grids in a product; `others`: what is left without them. */
Term recover_grid_part(TermTable *tt, Term product, Term *others);

/* ---- sums.c ---- */
/* What is left of an address without its rows whose stride is a sum, (A + B)*r; their indices are added to `index`, if
 * there is one. */
Term recover_take_sums(Recover *r, const View *view, Term offset, Term *index);
/* All that a variable is multiplied by in the address, where these are several strides: A + B of A*r + B*r. 0: one
 * stride, or other ones. */
Term recover_sum_of_strides(Recover *r, Term offset, Term variable);
/* Into the views: the sums that all accesses of a tensor are shown to have for the length of a row. */
void recover_collect_sums(Recover *r);

/* ---- blocks.c ---- */
/* The stride of blocks of rows that constants in the address count; 0: there are none. */
Term recover_block_of_rows(Recover *r, const View *view, const Access *a);

/* ---- digits.c ---- */
/* The literal strides, other than one, that an access shows: into `strides` (room for 2 * MAX_STRIDES).
 * *is_step: the first is what all steps of the address are multiples of. */
uint32_t recover_literal_strides(Recover *r, const Access *access, Term *strides, bool *is_step);
/* True if every address of the access is q*stride + rest with 0 <= rest < stride, q made of its coarser digits. */
bool recover_respects(Recover *r, const Access *a, Term stride);
/* The axis of the view that the summand k*coordinate of this address belongs to; the rank: none. */
uint32_t recover_place_digit(Recover *r, const View *view, Term offset, Term coordinate, int64_t k);

/* ---- remainders.c ---- */
/* An address with the remainders in it as coordinates, and a term with these put back. */
Term recover_name_remainders(Recover *r, Term offset);
Term recover_put_remainders(Recover *r, Term t);

/* ---- stores.c ---- */
/* index = sum k*coordinate + constant with literal k > 0. */
bool recover_parse_axis(TermTable *tt, Term index, Axis *axis);
/* The greatest value of t over the coordinates, by their ranges; 0 if unbounded. */
Term recover_greatest(Recover *r, Term t, uint32_t depth);
/* Least upper bound + 1 of `index` where `mask`: a mask conjunct index + rest <= 0; 0: none. */
Term recover_bound(Recover *r, Term index, Term mask);
/* Blocks with a tail, b*pid + t < n, as one coordinate: there are as many programs as cover n. */
void recover_assume_blocks(Recover *r, Term coordinate);
/* What the term is in the launch that was given; false: not known. */
bool recover_sample_of(const Recover *r, Term t, int64_t *value);
/* The length of the axis that has this stride in the launch that was given; 0: not known. */
int64_t recover_sample_length(const Recover *r, const View *view, int64_t stride);
/* The axis of the grid that bounds the coordinate; 3: none. */
uint32_t recover_grid_axis(const Recover *r, Term coordinate);
/* A digit that programs count, 2*pid_x + pid_y: the next one begins where it ends, so there are as many programs as
 * reach it, which no two do twice. False: the launch has others, or it is no grid that bounds the coordinate. */
bool recover_fill_digit(Recover *r, Term coordinate, Term count);
/* True if another access (of a store: another store) goes on, up to the same extent, where the block of this one ends.
 * Then that need not cover the axis. */
bool recover_is_continued(Recover *r, const Access *a, uint32_t axis, Term extent, Term block);
/* A block covers the whole axis: extent <= block. */
void recover_assume_cover(Recover *r, Term extent, Term block, const Access *a);
/* Extents of the axes of a store, with the grid and cover assumptions they suggest. */
bool recover_measure_store(Recover *r, uint32_t access);
/* One piece of the output: region and value over the index symbols. */
void recover_place_store(Recover *r, uint32_t access);

/* ---- extents.c ---- */
/* Least upper bound + 1 of an index by the mask on each of its parts, the ranges of the others; 0 if the mask bounds
 * none. */
Term recover_bound_parts(Recover *r, const Axis *axis, Term mask);
/* An access under `mask` needs that extent (0: not known), or `least`. */
void recover_need(Recover *r, View *view, uint32_t axis, Term extent, Term mask);
void recover_measure_load(Recover *r, const Access *a);
/* The shape that the reader knows of a tensor: its rank (0: it knows none), and extents; 0 for a first one that it does
 * not know. */
uint32_t recover_declared_shape(const Recover *r, Term tensor, Term *extent);
/* The extent of every axis: the least that its needs allow. */
void recover_resolve_extents(Recover *r);
/* Of inputs that are as large as what is read of them, where that is no size that a caller has a name for: assumed. */
void recover_state_extents(Recover *r);

#endif
