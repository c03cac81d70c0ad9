/* Between the files of execute/. */
#ifndef ASSAY_EXECUTE_INTERNAL_H
#define ASSAY_EXECUTE_INTERNAL_H

#include "execute/machine.h"

/* The lane symbol of an axis with that extent; the constant 0 when the extent is 1. */
Term execute_lane(Machine *ex, uint32_t axis, int64_t extent);
/* The lane symbol of an axis of an array, of any extent. */
Term execute_axis(Machine *ex, uint32_t axis);
Term execute_value(Machine *ex, ValueId value);
void execute_set(Machine *ex, ValueId value, Term term);
/* Two addresses of one tensor that ought to be the same: notes which arguments, equal in the sample, would make them
 * so. */
void execute_want_equal(Machine *ex, Term a, Term b);
/* Stops the run: the first reason is kept. */
void execute_stop(Machine *ex, OpId op, ReasonCode code, const char *format, ...) __attribute__((format(printf, 4, 5)));
static inline bool execute_stopped(const Machine *ex) { return ex->effects->stop_code != REASON_NONE; }
void execute_note_rounding(Machine *ex, OpId op, const char *text);
void execute_note_accumulator(Machine *ex, OpId op,
                              ValueId value); /* sums and products are kept in its type: noted below f32 */
void execute_note_opaque(Machine *ex, OpId op, const char *text);

void execute_record(Machine *ex, const Op *op, OpId id);      /* executed.c */
void execute_one(Machine *ex, OpId op);                       /* no terminator */
void execute_statement(Machine *ex, OpId op, Term condition); /* statements.c: assume and assert */
void execute_block(Machine *ex, BlockId block, uint32_t first);
/* Runs the blocks of a region with control flow between them; results are the operands of the terminators that leave it
 * (return, yield), merged under their path conditions. */
void execute_region(Machine *ex, RegionId region, uint32_t result_count, Term *results);

/* What an access points to, and the shape of its lanes: a tensor type, or any other for one lane. */
typedef struct ExecutePlace {
  TypeId element;
  const Type *shape;
} ExecutePlace;

bool execute_integer(Machine *ex, const Op *op, OpId id);         /* integer.c: false if the op is not its */
Term execute_without_sign(TermTable *tt, Term t, uint32_t width); /* the unsigned reading of a signed value */
bool execute_float(Machine *ex, const Op *op, OpId id);           /* float.c */
bool execute_shape(Machine *ex, const Op *op, OpId id);           /* shape.c */
bool execute_reduce(Machine *ex, const Op *op, OpId id);          /* reduce.c: reduce, scan, dot, histogram */
Term execute_element(Machine *ex, Term tensor, Term offset, TypeId element); /* as it was before the launch */
/* The width of the integers of a tensor whose elements are named without sign (Param.is_unsigned); 0: it is none. What
 * is stored there is named so too, and what is loaded has its sign again. */
uint32_t execute_unsigned_width(const Machine *ex, Term tensor, TypeId element);
bool execute_memory(Machine *ex, const Op *op, OpId id); /* memory.c */
/* blocks.c: of a host language, once everything is executed: the stores of an unrolled loop as one. */
void execute_unite_blocks(Machine *ex);
bool execute_array(Machine *ex, const Op *op, OpId id);                   /* array.c */
Term execute_merge_arrays(TermTable *tt, Term condition, Term a, Term b); /* where(condition, a, b) */
/* What the program relies on becomes conditions on sizes (required.c). */
void execute_find_preconditions(Effects *effects);
void execute_prefer(Machine *ex, Term condition, const char *text, OpId op);
void execute_grant_sizes(Machine *machine, uint32_t first);
/* Until they are opened again, the counters of the loops around end where these do: for what is asked of an iteration
 * that is done. */
uint32_t execute_end_counters(Machine *machine);
void execute_open_counters(Machine *machine, uint32_t ended);
/* e at the counters' values for which it is greatest; 0: that is not known. */
Term execute_greatest(Machine *machine, Term e);
void execute_assume(Effects *effects, Term condition, const char *why, AssumptionKind kind);
/* undefined.c: an operation where its operands are defined; `spread`: from the lanes of an operand to those of the
 * results, NULL: lane by lane. */
bool execute_watching(Machine *ex, const Op *op, OpId id, bool (*run)(Machine *, const Op *, OpId),
                      Term (*spread)(Machine *, const Op *, uint32_t, Term));
/* undefined_choice.c: a comparison of what may be undefined; after every other operation: what such a condition makes
 * of its results, or decides. */
bool execute_comparison(Machine *ex, const Op *op, OpId id, bool (*run)(Machine *, const Op *, OpId));
void execute_note_undefined(Machine *ex, const Op *op, OpId id);
Term execute_take_apart(TermTable *tt, Term t, Term *undefined);
Term execute_put_together(TermTable *tt, Term undefined, Term t);
bool execute_block_op(Machine *ex, const Op *op, OpId id); /* block.c */
/* memory.c: the value where `mask`; `absent`: nothing says what the other lanes hold. */
Term execute_load(Machine *ex, OpId id, ExecutePlace place, Term ptr, Term mask, bool absent);
void execute_store(Machine *ex, OpId id, ExecutePlace place, Term ptr, Term value, Term mask);
/* True if no lane, in no iteration, of the store writes the element at `offset` where `mask`. false: not shown. */
bool execute_is_apart(Machine *ex, const Access *store, Term offset, Term mask);
/* forward.c: what another lane left at that address in a store before op `load`, all lanes having waited since, and
 * where it is what is there; 0: it is not known which lane, or there was no barrier. */
Term execute_of_other_lane(Machine *ex, const Access *store, OpId load, Term offset, Term *where);
/* What a masked lane without `other` holds: undefined, or zero if that is assumed; of the sort of `like`. */
Term execute_absent(Machine *ex, OpId id, Term like);
Term execute_pointer_add(TermTable *tt, Term pointer, Term offset); /* 0: not a pointer that is followed */
bool execute_atomic_fold(const char *kind, int *fold);

/* float_atomics.c: two atomics on the bits of floats that are one maximum or minimum of them. */
typedef struct FloatAtomics {
  ValueId pointer, value, bits; /* of the floats; the value's bits */
  ValueId plain_mask, signed_mask;
  TermFoldOp fold;
  bool is_last; /* the operation is the later one */
} FloatAtomics;

/* false: the operation is none of two such. */
bool execute_float_atomics(const Machine *ex, OpId id, FloatAtomics *out);
/* The bitcast, of a value or a pointer, serves such atomics alone. */
bool execute_is_for_float_atomics(const Machine *ex, ValueId value, bool pointer);
/* Where either takes part; 0: the masks are not those of the values with and without a sign. */
Term execute_float_atomics_mask(Machine *ex, const FloatAtomics *atomics);
/* block.c: block pointers as terms; a load or store through one (false: the pointer is no block). */
bool execute_block_load(Machine *ex, const Op *op, OpId id);
bool execute_block_store(Machine *ex, const Op *op, OpId id);
bool execute_is_block(const TermTable *tt, Term t);
uint32_t execute_block_rank(const TermTable *tt, Term block);
Term execute_block_offset(const TermTable *tt, Term block, uint32_t d);
Term execute_block_moved(TermTable *tt, Term block, const Term *offsets);

/* cells.c: values that a loop keeps in memory. */
enum { EXECUTE_MAX_CELLS = 8 };
typedef struct Cell {
  Access access;         /* one of the loads: address, mask and lanes */
  Term current;          /* what memory holds there, while the body runs */
  OpId store;            /* the last store */
  bool is_stored_before; /* this program has stored there, in all lanes of the mask, before the loop */
} Cell;
typedef struct CellList {
  Cell cells[EXECUTE_MAX_CELLS];
  uint32_t count;
} CellList;
/* Loads and stores of a cell of the loop whose body runs; 0, false: it is none. */
Term execute_cell_load(Machine *ex, Term tensor, Term offset, Term mask);
bool execute_cell_store(Machine *ex, OpId id, Term tensor, Term offset, Term mask, Term value);
/* What a body that ran without cells, with accesses since `first`, keeps in memory from one iteration to the next. */
void execute_find_cells(const Machine *ex, uint32_t first, const Term *symbols, uint32_t symbol_count, CellList *list);
/* The body, whose accesses those since `first` are, left the tensors of its cells alone otherwise. */
bool execute_cells_are_whole(const Machine *ex, uint32_t first, const CellList *list);
/* memory.c: what a cell starts with, before its loop; 0: that cannot be told. The load is made where `runs`. */
Term execute_cell_begin(Machine *ex, Cell *cell, Term runs);
/* What it leaves behind the loop. */
void execute_cell_end(Machine *ex, const Cell *cell, Term value, Term runs);

/* results.c: what the function returns as tensors that it writes: their parameters, and the stores of values that have
 * been returned where ex->returned. */
void execute_make_results(Machine *ex);
void execute_store_results(Machine *ex, const Term *values);

void execute_for(Machine *ex, const Op *op, OpId id); /* loop.c */
void execute_while(Machine *ex, const Op *op, OpId id);

static inline uint32_t execute_width(const Machine *ex, ValueId value) {
  TypeId element = program_element_type(ex->program, program_get_value(ex->program, value)->type);
  return program_get_type(ex->program, element)->width;
}
/* True if t is made of sizes, ids and counters alone, as addresses are. */
bool execute_is_index(const Machine *ex, Term t);
/* The exact result of an integer op of that width: assumed in range (and noted) for index arithmetic, else wrapped. */
Term execute_fit(Machine *ex, OpId op, Term exact, uint32_t width);
/* The same for the counter of a loop, whatever its step: where it wraps, the loop does not end. */
Term execute_fit_counter(Machine *ex, OpId op, Term exact, uint32_t width);
/* An address under a mask that keeps what is read from memory in it between 0 and sizes: without the wraps of 32 bits
 * around that, whose range is asked for. */
Term execute_exact_address(Machine *ex, OpId op, Term t, Term mask);

#endif
